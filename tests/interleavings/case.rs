//! One combination: an operation, a request that is held, and an event.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::JoinHandle;

use crate::app::App;
use crate::events::{Event, Happened};
use crate::operations::{End, Subject};
use crate::rules::{self, Observed};
use crate::site::{Answer, Held, Site};

/// Longest time that an operation may take. The longest wait of the program is 5 s, for a response after Stop; a request
/// that Stop does not end waits for a minute.
const SECONDS: Duration = Duration::from_secs(30);

/// A request of an operation.
#[derive(Debug, Clone)]
pub(crate) struct Moment {
    /// Position among all requests, from 1.
    pub(crate) number: usize,
    /// What it asks for.
    pub(crate) label: String,
    /// Position among the requests with this label, from 1.
    pub(crate) occurrence: usize,
    /// Whether it changes the site.
    pub(crate) changes: bool,
    /// Whether the operation waits for it as for no earlier one: the first with its label in its step.
    pub(crate) is_first_of_its_kind: bool,
}

pub(crate) struct Case {
    pub(crate) subject: Subject,
    pub(crate) moment: Moment,
    pub(crate) event: Event,
}

/// A prepared operation on its way.
struct Flight {
    site: Site,
    app: Arc<App>,
    queue: UnboundedReceiver<Held>,
    running: JoinHandle<End>,
}

impl Flight {
    async fn start(subject: Subject, read_only: bool) -> (Self, Observed) {
        let (site, queue) = Site::start().await;
        let app = App::signed_in(&site).await;
        let before = subject.prepare(&app).await;
        if read_only {
            app.unlocked_read_only().await;
        }
        let observed = Observed::before(&app, &site).await;
        site.hold(true);
        let inside = app.clone();
        let running = tokio::spawn(async move { Box::pin(subject.perform(&inside, before)).await });
        (Self { site, app, queue, running }, observed)
    }

    /// Returns the next held request; `None` at the end of the operation.
    async fn next(&mut self) -> Option<Held> {
        tokio::select! {
            biased;
            held = self.queue.recv() => held,
            // Joined again by the caller.
            () = finished(&self.running) => None,
        }
    }
}

async fn finished(running: &JoinHandle<End>) {
    while !running.is_finished() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// Returns the requests of an operation without an event.
pub(crate) async fn moments(subject: Subject) -> Vec<Moment> {
    let (mut flight, _) = Flight::start(subject, false).await;
    let (mut moments, mut counts) = (Vec::new(), HashMap::new());
    let mut kinds = HashSet::new();
    while let Some(held) = flight.next().await {
        let step = flight.app.steward.context.runs.all().first().map(|run| std::mem::discriminant(&run.step));
        let is_first_of_its_kind = kinds.insert((step, held.label.clone()));
        let occurrence = counts.entry(held.label.clone()).or_insert(0);
        *occurrence += 1;
        let (label, changes) = (held.label.clone(), held.changes);
        let number = moments.len() + 1;
        let occurrence = *occurrence;
        moments.push(Moment { number, label, occurrence, changes, is_first_of_its_kind });
        held.go_on(Answer::Plain);
    }
    let end = flight.running.await.unwrap();
    assert!(end.is_done(), "{} without an event: {end:?}", subject.name());
    moments
}

impl Case {
    pub(crate) fn name(&self) -> String {
        let Moment { number, label, .. } = &self.moment;
        format!("{}/{number} {label}/{}", self.subject.name(), self.event.name())
    }

    /// Runs the case, and returns the rule that does not hold.
    pub(crate) async fn run(&self) -> Result<(), String> {
        match tokio::time::timeout(SECONDS, self.run_to_its_end()).await {
            Ok(result) => result,
            Err(_) => Err("does not end".to_owned()),
        }
    }

    async fn run_to_its_end(&self) -> Result<(), String> {
        let (mut flight, mut observed) = Flight::start(self.subject, self.event.of_read_only_site()).await;
        let mut seen = 0;
        let mut happened = None;
        let mut event = self.event;
        while let Some(held) = flight.next().await {
            seen += usize::from(held.label == self.moment.label);
            let is_its_moment = match happened {
                None => held.label == self.moment.label && seen == self.moment.occurrence,
                Some(_) => event.next().is_some(),
            };
            if !is_its_moment {
                held.go_on(Answer::Plain);
                continue;
            }
            if happened.is_some() {
                event = event.next().unwrap_or(event);
            }
            // Requests of the event itself pass.
            flight.site.hold(false);
            happened = Some(event.happen(&flight.app).await);
            flight.site.hold(true);
            observed.event_happened(&flight.site);
            held.go_on(event.answer());
        }
        let end = flight.running.await.map_err(|panic| format!("panics: {panic}"))?;
        flight.site.hold(false);
        crate::events::take_again(&flight.app);
        let happened = happened == Some(Happened::Yes);
        rules::check(self.subject, event, happened, &end, &observed, &flight.app, &flight.site).await
    }
}
