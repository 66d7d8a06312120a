//! The director: arms the faults, starts the workers, kills them at the named points, and judges by the book.

use tempfile::TempDir;
use uuid::Uuid;

use crate::Outcome;
use crate::book::Book;
use crate::conversation::Conversation;
use crate::process::{VendorProcess, WorkerProcess};
use crate::protocol::{Counters, Event, Mode, Order, Point};
use crate::story::{STORY, Scene, WITH_IDEM, WITHOUT_IDEM};
use crate::trace::Trace;

/// What the story came to.
#[derive(Debug)]
pub(crate) struct Verdict {
    pub(crate) book: Book,
    pub(crate) counters: Counters,
    /// What is not as it must be, a sentence each.
    pub(crate) differences: Vec<String>,
}

/// Plays the whole story with Idem, on the store of this URL or on SQLite in a fresh folder.
pub(crate) async fn with_idem(store: Option<String>, trace: &mut Trace) -> Outcome<Verdict> {
    let folder = TempDir::with_prefix("idem-reminder-")?;
    let url = match store {
        Some(url) => url,
        None => {
            let file = folder.path().join("reminder.db");
            format!(
                "sqlite://{}",
                file.to_str().ok_or("the temporary folder is not UTF-8")?
            )
        }
    };
    trace.opening(Some(&url));
    // The folder is dropped, and so removed, after the last worker has ended: it was made first.
    Director::start(Mode::Idem { store: url }, trace)
        .await?
        .play()
        .await
}

/// Plays the same story with plain calls.
pub(crate) async fn without_idem(trace: &mut Trace) -> Outcome<Verdict> {
    trace.opening(None);
    Director::start(Mode::Plain, trace).await?.play().await
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
}

impl<'a> Director<'a> {
    async fn start(mode: Mode, trace: &'a mut Trace) -> Outcome<Self> {
        Ok(Self {
            mode,
            vendor: VendorProcess::start().await?,
            conversation: Conversation::recorded()?,
            trace,
            organization: Uuid::new_v4().to_string(),
            counters: Counters::default(),
            asked: 0,
            last_killed: None,
        })
    }

    async fn play(mut self) -> Outcome<Verdict> {
        for (at, scene) in STORY.iter().enumerate() {
            let worker = at + 1;
            let played = self.play_scene(worker, scene).await;
            played.map_err(|error| format!("worker {worker}: {error}"))?;
        }
        let book = self.vendor.book().await?;
        let expected = match self.mode {
            Mode::Plain => WITHOUT_IDEM,
            Mode::Idem { .. } => WITH_IDEM,
        };
        let differences = expected.differences(&book, self.counters);
        self.vendor.stop().await?;
        Ok(Verdict {
            book,
            counters: self.counters,
            differences,
        })
    }

    async fn play_scene(&mut self, worker: usize, scene: &Scene) -> Outcome<()> {
        self.introduce(scene)?;
        if let Some(kind) = scene.drops_reply {
            self.vendor.drop_next_reply(kind).await?;
        }
        let mut process = WorkerProcess::start(&self.order(scene)).await?;
        let point = self.follow(worker, &mut process).await?;
        match (scene.killed_at, point) {
            (Some(expected), Some(reached)) if expected == reached => {
                process.kill().await?;
                self.trace.killed(worker, reached);
                self.last_killed = Some(worker);
                Ok(())
            }
            (None, None) => process.finish().await,
            (Some(expected), _) => Err(format!("it did not come to {expected}").into()),
            (None, Some(reached)) => Err(format!("it stopped at {reached}").into()),
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
            stop_at: scene.killed_at,
        }
    }

    /// Listens to a worker until it stops at a point or has said its last word.
    async fn follow(
        &mut self,
        worker: usize,
        process: &mut WorkerProcess,
    ) -> Outcome<Option<Point>> {
        let mut is_done = false;
        while let Some(event) = process.next().await? {
            self.trace.event(worker, &event, self.last_killed);
            match event {
                Event::At { point } => return Ok(Some(point)),
                Event::Failed { why } => return Err(why.into()),
                Event::Done { counters } => {
                    self.counters.add(counters);
                    is_done = true;
                }
                Event::Proposed { .. }
                | Event::Waiting { .. }
                | Event::Sending { .. }
                | Event::ReplyLost { .. }
                | Event::VendorRepeated
                | Event::Settled { .. } => {}
            }
        }
        if is_done {
            Ok(None)
        } else {
            Err("it ended without a word".into())
        }
    }
}
