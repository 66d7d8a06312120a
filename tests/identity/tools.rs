//! Tools whose arguments have roles. Their effects are counted in a ledger that stands for the vendor.

use std::sync::{Arc, Mutex};

use idem_tests::vendor::Gate;
use idem_tools::{IdemBuilder, Json, Patch, ToolContext, ToolError, tool, tool_input};

/// What was done, in order, by whatever process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger(Arc<Mutex<Vec<String>>>);

impl Ledger {
    pub(crate) fn effects(&self) -> Vec<String> {
        self.0.lock().expect("a ledger").clone()
    }

    pub(crate) fn does(&self, what: String) -> String {
        let mut effects = self.0.lock().expect("a ledger");
        effects.push(what);
        format!("effect-{}", effects.len())
    }
}

/// Where a body can be held.
#[derive(Clone, Debug)]
pub(crate) struct Hold {
    pub(crate) reached: Gate,
    pub(crate) go: Gate,
}

impl Hold {
    pub(crate) fn closed() -> Self {
        let (reached, go) = (Gate::new(), Gate::new());
        Self { reached, go }
    }

    pub(crate) fn open() -> Self {
        let hold = Self::closed();
        hold.go.open();
        hold
    }

    async fn pass(&self) {
        self.reached.open();
        self.go.opened().await;
    }
}

async fn does(ctx: &ToolContext, what: String) -> Result<String, ToolError> {
    ctx.state::<Hold>()?.pass().await;
    Ok(ctx.state::<Ledger>()?.does(what))
}

#[tool_input]
pub(crate) struct Template {
    id: String,
    version: u32,
}

#[tool_input]
pub(crate) struct Letter {
    to: String,
    template: Template,
    #[serde(default)]
    copies: u8,
    #[arg(prose)]
    note: String,
}

/// Sends a letter.
#[tool(scope = "tool.letter.send", timeout_s = 30, key(to, template.id))]
pub(crate) async fn send_letter(ctx: &ToolContext, input: Letter) -> Result<String, ToolError> {
    let Template { id, version } = input.template;
    let what = format!(
        "{} {id}.{version} {} {}",
        input.to, input.copies, input.note
    );
    does(ctx, what).await
}

/// Sends a letter whose vendor keeps our key.
#[tool(
    scope = "tool.letter.send",
    timeout_s = 30,
    effect = "keyed",
    vendor_window = "24h",
    key(to)
)]
pub(crate) async fn send_keyed(ctx: &ToolContext, input: Letter) -> Result<String, ToolError> {
    does(ctx, input.note).await
}

/// Sends a letter that is held before the wire.
#[tool(scope = "tool.letter.send", timeout_s = 30, marks_dispatch, key(to))]
pub(crate) async fn send_marked(ctx: &ToolContext, input: Letter) -> Result<String, ToolError> {
    ctx.state::<Hold>()?.pass().await;
    ctx.dispatching().await?;
    Ok(ctx.state::<Ledger>()?.does(input.note))
}

#[tool_input]
pub(crate) struct Line {
    sku: String,
    #[arg(prose)]
    remark: Option<String>,
}

#[tool_input]
pub(crate) enum Delivery {
    Post {
        address: String,
        #[arg(prose)]
        greeting: String,
    },
    Collected,
}

#[tool_input]
pub(crate) struct Order {
    lines: Vec<Line>,
    delivery: Delivery,
}

/// Orders.
#[tool(scope = "tool.order.place", timeout_s = 30)]
pub(crate) async fn place_order(ctx: &ToolContext, input: Order) -> Result<String, ToolError> {
    let lines = input.lines.iter();
    let lines: Vec<_> = lines
        .map(|line| format!("{} {:?}", line.sku, line.remark))
        .collect();
    let delivery = match input.delivery {
        Delivery::Post { address, greeting } => format!("{greeting} {address}"),
        Delivery::Collected => "collected".to_owned(),
    };
    does(ctx, format!("{lines:?} {delivery}")).await
}

#[tool_input]
pub(crate) struct Question {
    about: String,
    #[serde(default)]
    depth: u8,
    #[arg(prose)]
    #[serde(default)]
    why: String,
}

/// Looks something up.
#[tool(
    scope = "tool.question.look",
    timeout_s = 30,
    effect = "read",
    key(about, depth)
)]
pub(crate) async fn look(ctx: &ToolContext, input: Question) -> Result<String, ToolError> {
    does(
        ctx,
        format!("look {} {} {}", input.about, input.depth, input.why),
    )
    .await
}

#[tool_input]
pub(crate) struct Invitation {
    to: String,
    occasion: Option<String>,
}

#[tool_input]
pub(crate) struct Page {
    id: String,
    revision: u64,
    #[serde(default)]
    audience: String,
    #[arg(prose)]
    #[serde(default)]
    note: String,
}

/// Publishes a revision of a page, which happens once whoever asks.
#[tool(scope = "tool.page.publish", timeout_s = 30, natural_key(id, revision))]
pub(crate) async fn publish(ctx: &ToolContext, input: Page) -> Result<String, ToolError> {
    let Page {
        id,
        revision,
        audience,
        note,
    } = input;
    does(ctx, format!("publish {id} {revision} {audience} {note}")).await
}

#[tool_input]
pub(crate) struct Member {
    #[arg(trim, lowercase)]
    email: String,
    #[arg(nfc)]
    name: String,
    #[arg(trim, url)]
    page: Option<String>,
    account: String,
    #[arg(trim)]
    tags: Vec<String>,
    #[serde(default)]
    phone: Patch<String>,
    #[arg(trim)]
    #[serde(default = "usual")]
    plan: String,
    #[serde(default)]
    extra: Json,
    #[arg(lf, trim)]
    terms: String,
    #[arg(prose, trim)]
    note: String,
}

fn usual() -> String {
    " usual ".to_owned()
}

/// Signs somebody up.
#[tool(
    scope = "tool.member.add",
    timeout_s = 30,
    key(email, name, page, account, tags, phone, plan, extra)
)]
pub(crate) async fn sign_up(ctx: &ToolContext, input: Member) -> Result<String, ToolError> {
    let Member {
        email,
        name,
        page,
        account,
        tags,
        phone,
        plan,
        extra,
        terms,
        note,
    } = input;
    let what = format!(
        "{email}|{name}|{page:?}|{account}|{tags:?}|{phone:?}|{plan}|{extra}|{terms}|{note}"
    );
    does(ctx, what).await
}

/// Invites somebody.
#[tool(scope = "tool.invitation.send", timeout_s = 30, intent = occasion)]
pub(crate) async fn invite(ctx: &ToolContext, input: Invitation) -> Result<String, ToolError> {
    does(ctx, format!("invite {} {:?}", input.to, input.occasion)).await
}

#[tool_input]
pub(crate) struct Greeting {
    to: String,
}

/// Greets somebody.
#[tool(scope = "tool.greeting.send", timeout_s = 30)]
pub(crate) async fn greet(ctx: &ToolContext, input: Greeting) -> Result<String, ToolError> {
    does(ctx, format!("greet {}", input.to)).await
}

/// Writes down when it begins and ends, and refuses whom it does not know.
#[tool(scope = "tool.step.take", timeout_s = 30, serial)]
pub(crate) async fn step(ctx: &ToolContext, input: Greeting) -> Result<String, ToolError> {
    let ledger = ctx.state::<Ledger>()?;
    ledger.does(format!("begin {}", input.to));
    ctx.state::<Hold>()?.pass().await;
    let ended = ledger.does(format!("end {}", input.to));
    match input.to.as_str() {
        "nobody" => Err(ToolError::answer("not_found", "there is no such step")),
        _ => Ok(ended),
    }
}

/// Opens the way for what is held.
#[tool(scope = "tool.step.open", timeout_s = 30)]
pub(crate) async fn open(ctx: &ToolContext, _input: Greeting) -> Result<String, ToolError> {
    let hold = ctx.state::<Hold>()?;
    hold.reached.opened().await;
    hold.go.open();
    Ok("opened".to_owned())
}

pub(crate) type SendLetter = send_letter;
pub(crate) type Invite = invite;
pub(crate) type Publish = publish;

/// Adds all of them.
pub(crate) fn all(builder: IdemBuilder) -> IdemBuilder {
    let builder = builder.tool::<send_letter>().tool::<place_order>();
    let builder = builder.tool::<look>().tool::<invite>().tool::<greet>();
    let builder = builder.tool::<send_keyed>().tool::<send_marked>();
    let builder = builder.tool::<publish>().tool::<sign_up>();
    builder.tool::<step>().tool::<open>()
}
