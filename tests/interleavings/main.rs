//! Every request of every operation, and every event while it is held.
//!
//! A scripted site holds each request in turn. While it is held, one event happens; then the site goes on. Afterwards,
//! whatever the moment, the [rules](rules) hold. Each combination has a name, for example
//! `import_server/3 services/lock`, and `INTERLEAVING=NAME cargo test --test interleavings` runs it alone; no
//! case is written by hand. `INTERLEAVINGS=all` holds each request instead of the first of each kind, with more operations and
//! events.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod app;
mod case;
mod events;
mod kill;
mod operations;
mod places;
mod rules;
mod site;
mod told;

use std::io::Write as _;
use std::time::Instant;

use futures_util::{StreamExt, stream};
use steward_core::model::operation::OperationKey;

use crate::case::{Case, Moment};
use crate::operations::Subject;

/// Cases that run at the same time.
const AT_ONCE: usize = 12;

/// Requests of an operation that are held: those that change the site, and the first of each kind of the others in each step,
/// or all.
async fn moments_of(subject: Subject, all: bool) -> Vec<Moment> {
    let mut moments = case::moments(subject).await;
    moments.retain(|moment| all || moment.changes || moment.is_first_of_its_kind);
    moments
}

/// Operations and actions that are tried.
fn subjects(all: bool) -> impl Iterator<Item = Subject> {
    operations::ALL.iter().copied().filter(move |subject| all || !subject.is_for_each_request())
}

/// Runs the cases, a few at the same time, and returns their number. Fails with the names of those that break a rule.
async fn all_hold<F: Future<Output = Result<(), String>>>(cases: Vec<(String, F)>) -> usize {
    let only = std::env::var("INTERLEAVING").unwrap_or_default();
    let began = Instant::now();
    let cases: Vec<_> = cases.into_iter().filter(|(name, _)| name.contains(&only)).collect();
    let count = cases.len();
    let run =
        |(name, case): (String, F)| async move { case.await.map_err(|broken| format!("{name}: {broken}")) };
    let ended: Vec<_> = stream::iter(cases).map(run).buffer_unordered(AT_ONCE).collect().await;
    let mut broken: Vec<String> = ended.into_iter().filter_map(Result::err).collect();
    broken.sort();
    // Past the capture of the test harness: the count is worth a line in every log.
    let line = format!("{count} combinations in {:.0?}\n", began.elapsed());
    std::io::stdout().lock().write_all(line.as_bytes()).unwrap();
    assert!(broken.is_empty(), "{} are broken:\n{}", broken.len(), broken.join("\n"));
    count
}

fn asks_for_all() -> bool {
    std::env::var("INTERLEAVINGS").is_ok_and(|which| which == "all") || std::env::var("INTERLEAVING").is_ok()
}

#[test]
fn every_operation_has_a_scenario() {
    for key in OperationKey::ALL {
        let has_one = operations::ALL.iter().any(|subject| subject.record() == key.name());
        assert!(has_one, "{} has no scenario in tests/interleavings/operations.rs", key.name());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_happens_at_whatever_moment_the_rules_hold() {
    let (mut cases, all) = (Vec::new(), asks_for_all());
    for subject in subjects(all) {
        for moment in moments_of(subject, all).await {
            let events = events::ALL.into_iter().filter(|event| all || !event.is_for_each_request());
            cases.extend(events.map(|event| Case { subject, moment: moment.clone(), event }));
        }
    }
    let cases = cases.into_iter().map(|case| (case.name(), async move { case.run().await })).collect();
    assert!(all_hold(cases).await > 0, "no combination has this name");
    if all {
        told::all_are_in_the_file();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_the_moment_of_a_kill_the_history_tells_what_was_sent() {
    let (mut cases, all) = (Vec::new(), asks_for_all());
    for subject in subjects(all).filter(|subject| !subject.only_reads()) {
        for moment in moments_of(subject, all).await {
            let name = format!("{}/{} {}/kill", subject.name(), moment.number, moment.label);
            cases.push((name, async move { kill::run(subject, &moment).await }));
        }
    }
    let is_one_chosen = std::env::var("INTERLEAVING").is_ok();
    // What only reads, or another event, has no kill.
    assert!(all_hold(cases).await > 0 || is_one_chosen, "there are no kills");
}
