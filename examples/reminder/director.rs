//! The director: arms the faults, starts the workers and the approver, kills workers at the named points, and judges by
//! the application's table and the vendor's book.

mod checks;

use tempfile::TempDir;
use uuid::Uuid;

use crate::Outcome;
use crate::book::Book;
use crate::conversation::Conversation;
use crate::process::{OrderedProcess, VendorProcess};
use crate::protocol::{Counters, Event, Mode, Order, Point};
use crate::story::{End, Expected, STORY, Scene, WITH_IDEM, WITHOUT_IDEM};
use crate::table;
use crate::trace::Trace;

/// What the story came to.
#[derive(Debug)]
pub(crate) struct Verdict {
    /// Rows of the application's table.
    pub(crate) reminders: u32,
    pub(crate) book: Book,
    pub(crate) counters: Counters,
    /// What is not as it must be, a sentence each.
    pub(crate) differences: Vec<String>,
}

/// Plays the whole story with Idem, on the store of this URL or on SQLite in a fresh folder.
pub(crate) async fn with_idem(store: Option<String>, trace: &mut Trace) -> Outcome<Verdict> {
    // The folder is dropped, and so removed, after the last worker has ended: it was made first.
    let folder = TempDir::with_prefix("idem-reminder-")?;
    let store = match store {
        Some(url) => url,
        None => file_in(&folder)?,
    };
    trace.opening(Some(&store));
    let director = Director::start(Mode::Idem { store }, trace).await?;
    director.play().await
}

/// Plays the same story with plain statements and calls.
pub(crate) async fn without_idem(trace: &mut Trace) -> Outcome<Verdict> {
    let folder = TempDir::with_prefix("idem-reminder-")?;
    let database = file_in(&folder)?;
    trace.opening(None);
    let director = Director::start(Mode::Plain { database }, trace).await?;
    director.play().await
}

fn file_in(folder: &TempDir) -> Outcome<String> {
    let file = folder.path().join("reminder.db");
    let file = file.to_str().ok_or("the temporary folder is not UTF-8")?;
    Ok(format!("sqlite://{file}"))
}

struct Director<'a> {
    mode: Mode,
    vendor: VendorProcess,
    conversation: Conversation,
    trace: &'a mut Trace,
    /// New on each run, so that a database can serve any number of runs.
    organization: String,
    counters: Counters,
    asked: u32,
    last_killed: Option<usize>,
    /// The card that a call waited on.
    card: Option<String>,
    differences: Vec<String>,
}

/// How a process's tale ended.
enum Told {
    /// It stands at this point.
    At(Point),
    /// It said its last word, and asked for a yes to this card or got one.
    Done { card: Option<String> },
}

impl<'a> Director<'a> {
    async fn start(mode: Mode, trace: &'a mut Trace) -> Outcome<Self> {
        table::create(mode.database()).await?;
        Ok(Self {
            mode,
            vendor: VendorProcess::start().await?,
            conversation: Conversation::recorded()?,
            trace,
            organization: Uuid::new_v4().to_string(),
            counters: Counters::default(),
            asked: 0,
            last_killed: None,
            card: None,
            differences: Vec::new(),
        })
    }

    async fn play(mut self) -> Outcome<Verdict> {
        let (is_plain, expected) = match self.mode {
            Mode::Plain { .. } => (true, WITHOUT_IDEM),
            Mode::Idem { .. } => (false, WITH_IDEM),
        };
        let scenes = STORY
            .iter()
            .filter(|scene| !(is_plain && scene.end == End::Waits));
        for (scene, worker) in scenes.zip(1..) {
            let played = self.play_scene(worker, scene).await;
            played.map_err(|error| format!("worker {worker}: {error}"))?;
        }
        if let Some(card) = self.card.take() {
            self.rows_under_key(&card, 1, "in the end").await?;
        }
        let seen = Expected {
            reminders: self.rows().await?,
            book: self.vendor.book().await?,
            counters: self.counters,
        };
        self.differences.extend(expected.differences(&seen));
        self.vendor.stop().await?;
        Ok(Verdict {
            reminders: seen.reminders,
            book: seen.book,
            counters: self.counters,
            differences: self.differences,
        })
    }

    async fn play_scene(&mut self, worker: usize, scene: &Scene) -> Outcome<()> {
        self.introduce(scene)?;
        if scene.drops_reply {
            self.vendor.drop_next_reply().await?;
        }
        let mut process = OrderedProcess::start("worker", &self.order(scene)).await?;
        let who = format!("worker {worker}");
        let told = self.follow(&who, &mut process).await?;
        match (scene.end, told) {
            (End::Killed(expected), Told::At(reached)) if expected == reached => {
                process.kill().await?;
                self.trace.killed(worker, reached);
                self.last_killed = Some(worker);
                self.look_into_table(reached).await
            }
            (End::Finishes, Told::Done { card: None }) => process.finish().await,
            (End::Waits, Told::Done { card: Some(card) }) => {
                process.finish().await?;
                self.ask_bob(&card).await
            }
            (_, Told::At(reached)) => Err(format!("it stopped at {reached}").into()),
            (End::Killed(expected), _) => Err(format!("it did not come to {expected}").into()),
            (_, Told::Done { card: Some(card) }) => Err(format!("it waits for {card}").into()),
            (_, Told::Done { card: None }) => Err("it did not wait for anybody".into()),
        }
    }

    fn introduce(&mut self, scene: &Scene) -> Outcome<()> {
        if let Some(chapter) = scene.chapter {
            self.trace.chapter(chapter);
        }
        for turn in scene.turns.iter().filter(|turn| **turn > self.asked) {
            self.trace.asked(self.conversation.asked(*turn)?);
        }
        self.asked = scene.turns.iter().copied().fold(self.asked, u32::max);
        Ok(())
    }

    fn order(&self, scene: &Scene) -> Order {
        Order {
            mode: self.mode.clone(),
            vendor: self.vendor.base().to_owned(),
            organization: self.organization.clone(),
            run: "ann-and-the-tomatoes".to_owned(),
            turns: scene.turns.to_vec(),
            sample: scene.sample,
            stop_at: match scene.end {
                End::Killed(point) => Some(point),
                End::Finishes | End::Waits => None,
            },
        }
    }

    /// Listens to a process until it stops at a point or has said its last word.
    async fn follow(&mut self, who: &str, process: &mut OrderedProcess) -> Outcome<Told> {
        let (mut is_done, mut named) = (false, None);
        while let Some(event) = process.next().await? {
            self.trace.event(who, &event, self.last_killed);
            match event {
                Event::At { point } => return Ok(Told::At(point)),
                Event::Failed { why } => return Err(why.into()),
                Event::Waits { card } | Event::Approved { card } => named = Some(card),
                Event::Done { counters } => {
                    self.counters.add(counters);
                    is_done = true;
                }
                _ => {}
            }
        }
        if is_done {
            Ok(Told::Done { card: named })
        } else {
            Err("it ended without a word".into())
        }
    }
}
