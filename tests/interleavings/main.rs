//! Every request of every operation, and every event while it is held.
//!
//! A scripted site holds each request in turn. While it is held, one event happens; then the site goes on. Afterwards,
//! whatever the moment, the [rules](rules) hold. Each combination has a name, for example
//! `import_server/3 services/lock`, and `INTERLEAVING=NAME cargo test --test interleavings` runs it alone; nobody
//! writes a case by hand. `INTERLEAVINGS=all` holds each request instead of the first of each kind.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod app;
mod case;
mod events;
mod operations;
mod rules;
mod site;

use futures_util::{StreamExt, stream};

use crate::case::{Case, Moment};
use crate::operations::Subject;

/// Cases that run at the same time.
const AT_ONCE: usize = 6;

/// Returns the cases of an operation: each request that changes the site, the first of each kind of the others, or
/// all of them, with each event.
async fn cases_of(subject: Subject, all: bool) -> Vec<Case> {
    let moments = case::moments(subject).await;
    let is_meant = |moment: &&Moment| all || moment.changes || moment.occurrence == 1;
    let of = |moment: &Moment| {
        let moment = moment.clone();
        events::ALL.into_iter().map(move |event| Case { subject, moment: moment.clone(), event })
    };
    moments.iter().filter(is_meant).flat_map(of).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_happens_at_whatever_moment_the_rules_hold() {
    let all = std::env::var("INTERLEAVINGS").is_ok_and(|which| which == "all");
    let only = std::env::var("INTERLEAVING").ok();
    let mut cases = Vec::new();
    for subject in operations::ALL {
        cases.extend(cases_of(subject, all || only.is_some()).await);
    }
    if let Some(only) = &only {
        cases.retain(|case| case.name().contains(only));
    }
    let began = std::time::Instant::now();
    let count = cases.len();
    assert!(count > 0, "no case is called {only:?}");
    let run =
        |case: Case| async move { case.run().await.map_err(|broken| format!("{}: {broken}", case.name())) };
    let ended: Vec<_> = stream::iter(cases).map(run).buffer_unordered(AT_ONCE).collect().await;
    let mut broken: Vec<String> = ended.into_iter().filter_map(Result::err).collect();
    broken.sort();
    println!("{count} combinations in {:.0?}, {} broken", began.elapsed(), broken.len());
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}
