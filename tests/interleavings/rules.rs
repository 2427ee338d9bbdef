//! What holds after every case.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::time::Duration;

use steward_core::model::problem::Problem;
use steward_core::runs::EndedRun;
use steward_core::webhooks::deactivation_log;
use steward_journal::{Outcome, StoredRecord};
use steward_testkit::{find_within, until};

use crate::app::App;
use crate::events::Event;
use crate::operations::{End, Subject};
use crate::places;
use crate::site::Site;
use crate::told;

/// State before the operation and at the event.
pub(crate) struct Observed {
    records: usize,
    effects: usize,
    arrived_at_event: Option<usize>,
    webhooks: BTreeMap<(String, String), bool>,
}

impl Observed {
    pub(crate) async fn before(app: &App, site: &Site) -> Self {
        Self {
            records: app.records().await.len(),
            effects: site.effects().len(),
            arrived_at_event: None,
            webhooks: site.webhooks(),
        }
    }

    pub(crate) fn event_happened(&mut self, site: &Site) {
        self.arrived_at_event = Some(site.arrived().len());
    }
}

/// Returns the first rule that does not hold.
pub(crate) async fn check(
    subject: Subject,
    event: Event,
    happened: bool,
    end: &End,
    observed: &Observed,
    app: &App,
    site: &Site,
) -> Result<(), String> {
    let effects = site.effects().split_off(observed.effects);
    let arrived = site.arrived();
    let later = observed.arrived_at_event.map_or(&[][..], |at| &arrived[at..]);
    let rule = |holds: bool, rule: &str| match holds {
        true => Ok(()),
        false => Err(format!("{rule}\n    end: {end:?}\n    effects: {effects:?}")),
    };

    rule(app.steward.context.runs.all().is_empty(), "an operation still runs")?;
    // A process that another test starts holds the files of all locks until it becomes its program.
    let (limit, pause) = (Duration::from_secs(10), Duration::from_millis(20));
    let free = find_within(limit, pause, async || Ok::<_, Infallible>(app.begin_on_twin().ok())).await;
    rule(free.is_ok_and(|free| free.is_some()), "the site is not free")?;
    let begun_twice = event == Event::BegunTwice && happened && !subject.only_reads();
    rule(!begun_twice, "another operation began on the same site")?;
    // Stop that comes with the response to an import, or after it, skips the check of the services. The webhooks are
    // reactivated all the same.
    let reactivates = subject == Subject::QuietImport && matches!(end, End::Done(_));
    let is_forbidden = |path: &&String| match event {
        Event::Stop | Event::Silence => !(reactivates && path.ends_with("/edit")),
        Event::SignOut | Event::OtherUser => true,
        Event::Lock | Event::MarkedReadOnly => !path.ends_with("/exportSite"),
        _ => false,
    };
    // Each part of a plan runs with the session that the keyring has then, and Stop of one run ends one part.
    if happened && subject != Subject::BackupPlan {
        let sent: Vec<_> = later.iter().filter(is_forbidden).collect();
        rule(sent.is_empty(), &format!("sent after it: {sent:?}"))?;
    }
    let mut once: Vec<_> = effects.iter().filter(|effect| !effect.contains("/uploadPart")).collect();
    let all = once.len();
    once.sort();
    once.dedup();
    rule(once.len() == all, "a change was made twice")?;
    rule(!subject.only_reads() || effects.is_empty(), "a check changed the site")?;

    // An outcome that the journal refused is written again by itself.
    until("the outcomes", async || app.records().await.iter().all(|one| one.outcome != Outcome::Sent)).await;
    let mut records = app.records().await;
    let mut records: Vec<StoredRecord> = records.drain(..records.len() - observed.records).collect();
    records.reverse();
    // A part of a plan is exported once more after its token was renewed. The first attempt has an entry of its own.
    let is_repeated = |record: &StoredRecord| {
        let mut others = records.iter().filter(|other| other.id != record.id);
        let is_same = |other: &StoredRecord| other.intent.operation == record.intent.operation;
        record.outcome == Outcome::Failed
            && others.any(|other| is_same(other) && other.outcome != Outcome::Failed)
    };
    let is_plan = subject == Subject::BackupPlan;
    let (repeated, records): (Vec<_>, Vec<_>) =
        records.iter().cloned().partition(|one| is_plan && is_repeated(one));
    for record in &records {
        told_truly(record, end, &effects).map_err(|broken| {
            format!(
                "{broken}\n    record: {} {:?} {}\n    end: {end:?}\n    effects: {effects:?}",
                record.intent.operation, record.outcome, record.note
            )
        })?;
    }
    // The journal writes it when it can.
    let is_late = event == Event::JournalRefused;
    let own: Vec<_> = records.iter().filter(|one| subject.leaves(&one.intent.operation)).collect();
    let ended = app.steward.context.runs.ended();
    let is_other =
        |run: &&EndedRun| repeated.iter().all(|one| Some(&one.id) != run.record.as_ref().map(|id| &id.0));
    let ended: Vec<_> = ended.iter().filter(is_other).collect();
    same_in_window_and_history(subject, end, &own, is_late, &ended)
        .map_err(|broken| format!("{broken}\n    end: {end:?}\n    effects: {effects:?}"))?;
    // A record that could not be written has no outcome of its own.
    if !is_late && end.parts().len() == 1 {
        let outcome = own.first().map_or_else(|| panel_of(app), |record| record.outcome);
        let (end, origin) = app.told();
        told::keep(subject, end, outcome, origin);
    }
    let is_recorded = |effect: &&String| {
        let mut requests = records.iter().flat_map(|record| &record.intent.requests);
        requests.any(|request| path_of(&request.address) == **effect)
    };
    // Of the requests of an upload, the record names the last.
    let mut unrecorded =
        effects.iter().filter(|effect| !effect.contains("/uploads/") && !is_recorded(effect));
    rule(unrecorded.next().is_none() || is_late, "a change without a record")?;
    if subject == Subject::QuietImport
        && !is_late
        && own.iter().any(|record| record.outcome == Outcome::Succeeded)
    {
        rule(site.webhooks() == observed.webhooks, "succeeded, and the webhooks are not as before")?;
    }
    webhooks_are_known(&observed.webhooks, app, site).await?;
    if is_late {
        // The journal takes a later outcome of the same record when it can, also between two readings.
        until("the places to agree", async || places::agree(app, &records).await.is_ok()).await;
        return Ok(());
    }
    places::agree(app, &records).await
}

/// Returns the outcome in the operations panel; of a run that ended before it had one, that nothing was sent.
fn panel_of(app: &App) -> Outcome {
    app.steward.context.runs.ended().first().map_or(Outcome::NotSent, |run| run.outcome)
}

/// Compares the end of an operation with the operations panel and with its own records, of which each request has one.
fn same_in_window_and_history(
    subject: Subject,
    end: &End,
    own: &[&StoredRecord],
    is_late: bool,
    ended: &[&EndedRun],
) -> Result<(), String> {
    let rule = |holds: bool, rule: String| if holds { Ok(()) } else { Err(rule) };
    let parts = end.parts();
    rule(own.len() <= parts.len(), "more than one record".to_owned())?;
    let mut left = own.to_vec();
    // A part that names its record has that one; another one has the next that is left, or none.
    for id in parts.iter().filter_map(End::record) {
        let place = left.iter().position(|record| record.id == id.0);
        rule(place.is_some(), format!("the window leads to {}, which is no entry of it", id.0))?;
        left.remove(place.unwrap_or_default());
    }
    let mut left = left.into_iter().peekable();
    for part in parts {
        let record = match part.record() {
            Some(id) => own.iter().copied().find(|record| record.id == id.0),
            None => left.next_if(|record| parts.len() == 1 || part.says(record.outcome)),
        };
        let outcome = record.map_or(Outcome::NotSent, |record| record.outcome);
        // The window is told the problem of a deletion, and not its outcome.
        let is_untold = matches!(subject, Subject::DeleteUpload | Subject::DiscardUpload);
        let is_said = match record {
            Some(_) => part.says(outcome),
            // What only reads leaves none.
            None if is_late || is_untold || subject.only_reads() => true,
            None => part.says(Outcome::NotSent) || part.says(Outcome::Failed),
        };
        rule(is_said, format!("the window says {part:?}, the history {outcome:?}"))?;
    }
    rule(left.next().is_none(), "the history has an entry that the window does not tell of".to_owned())?;

    for run in ended {
        let told = run.outcome;
        // Each part of a plan is a run of its own.
        let is_part = parts.len() > 1 && run.record.is_some();
        let says = |part: &End| subject == Subject::BackupPlan && part.says(told);
        let is_said = is_part || end.says(told) || parts.iter().any(says);
        rule(is_said, format!("the operations panel says {told:?}"))?;
        let record = match (&run.record, own) {
            (Some(id), _) => {
                let named = own.iter().copied().find(|record| record.id == id.0);
                rule(named.is_some(), format!("the operations panel leads to {}, the window to none", id.0))?;
                named
            }
            (None, [record]) if parts.len() == 1 => Some(*record),
            (None, _) => None,
        };
        let Some(record) = record else {
            // One run of several requests has no entry of its own.
            let is_none = matches!(told, Outcome::NotSent | Outcome::Failed);
            let has_none = own.is_empty() && !subject.only_reads() && !is_late;
            rule(is_none || !has_none, format!("the operations panel says {told:?}, the history nothing"))?;
            continue;
        };
        let outcome = record.outcome;
        // The site did it, and the file is not on this computer.
        let lacks_file = told == Outcome::Warnings && outcome == Outcome::Succeeded;
        let is_same = told == outcome || lacks_file || is_late;
        rule(is_same, format!("the operations panel says {told:?}, the history {outcome:?}"))?;
    }
    Ok(())
}

/// Checks an outcome against what the site did.
fn told_truly(record: &StoredRecord, end: &End, effects: &[String]) -> Result<(), String> {
    let paths: Vec<String> = record.intent.requests.iter().map(|request| path_of(&request.address)).collect();
    let done = paths.iter().filter(|path| effects.contains(path)).count();
    let might_have_begun = matches!(end, End::Failed(Problem::ImportFailed { .. }, ..));
    match record.outcome {
        Outcome::NotSent if done > 0 => Err("recorded as not sent, and it was done".to_owned()),
        Outcome::Failed if done > 0 && !might_have_begun => {
            Err("recorded as failed, and it was done".to_owned())
        }
        Outcome::Succeeded if done < paths.len() => Err("recorded as done, and it was not".to_owned()),
        _ => Ok(()),
    }
}

/// Returns the path of the URL of a request.
pub(crate) fn path_of(address: &str) -> String {
    url::Url::parse(address).unwrap().path().to_owned()
}

/// Checks that each webhook is active as before, or in the deactivation log.
pub(crate) async fn webhooks_are_known(
    before: &BTreeMap<(String, String), bool>,
    app: &App,
    site: &Site,
) -> Result<(), String> {
    let entries = deactivation_log::entries(&app.steward.context, None).await.unwrap();
    let now = site.webhooks();
    for ((service, id), _) in before.iter().filter(|(webhook, was_active)| **was_active && !now[*webhook]) {
        if !entries.iter().any(|entry| entry.service == *service && entry.resolved_at.is_none()) {
            return Err(format!("{service} {id} is inactive, and the deactivation log does not have it"));
        }
    }
    Ok(())
}
