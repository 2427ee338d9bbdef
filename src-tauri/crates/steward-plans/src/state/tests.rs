//! A table of what is known of a plan, and its state.

use steward_core::model::ids::{PRACTICE, SiteId};

use super::*;
use crate::acceptance_line::{FolderFault, LineAbout, LineState, Remedy};
use crate::alerts::when::{Standing, Trouble, standing};
use crate::plan::{PlanPart, RehearseEvery};
use crate::schedule::{Day, Schedule, TimeOfDay};
use crate::set::{Expected, PartFault, SetFile, SetPart, SkipReason};

fn utc(text: &str) -> Timestamp {
    format!("2026-{text}:00Z").parse().unwrap()
}

fn at(text: &str) -> Millis {
    Millis::from(utc(text))
}

fn server(name: &str) -> ServerId {
    ServerId(name.to_owned())
}

/// A plan of the portal and two servers, each night at one.
fn nightly() -> BackupPlan {
    let of = |name: &str| PlanPart::Server { server: server(name) };
    let portal = PlanPart::Portal { location: "D:\\exports".to_owned(), seen_at: None, store: None };
    BackupPlan {
        since: at("11-20T12:00"),
        enabled_since: at("11-20T12:00"),
        parts: vec![portal, of("a"), of("b")],
        schedule: Schedule {
            days: Day::ALL.to_vec(),
            times: vec![TimeOfDay { hour: 1, minute: 0 }],
            skip_missed: false,
        },
        folder: "/backups".into(),
        ..BackupPlan::example()
    }
}

fn part(name: Option<&str>, state: PartState) -> SetPart {
    SetPart {
        server: name.map(server),
        name: String::new(),
        expected: if name.is_some() { Expected::VerifiedHere } else { Expected::OnSite },
        files: vec![SetFile {
            name: "a.agssite".to_owned(),
            size: Bytes(7),
            sha256: "00".to_owned(),
            modified_at: None,
        }],
        ..SetPart::example(state)
    }
}

/// Each part of the plan, as it expects it.
fn all_parts() -> Vec<SetPart> {
    let on_site = part(None, PartState::OnSite { size: None });
    let verified = ["a", "b"].map(|name| part(Some(name), PartState::VerifiedHere));
    [on_site].into_iter().chain(verified).collect()
}

fn ran(when: &str, verdict: Verdict, parts: Vec<SetPart>) -> PlanProgress {
    let (at_end, note) = (at(when), "no drive".to_owned());
    let last = LastRun {
        at: at_end,
        took: None,
        verdict,
        fault: None,
        folder: None,
        note,
        parts,
        refused: None,
        session_end: None,
    };
    PlanProgress { last: Some(last), ..PlanProgress::since(at(when)) }
}

fn state_of(plan: &BackupPlan, progress: Option<&PlanProgress>, facts: &PlanFacts) -> PlanState {
    state(plan, progress, facts, utc("11-27T08:00"), &TimeZone::UTC)
}

fn failed(fault: PartFault) -> PartState {
    PartState::Failed { fault, note: String::new() }
}

#[test]
fn a_plan_is_verified_or_says_what_is_wrong() {
    let night = "11-27T01:00";
    let verified = || part(Some("b"), PartState::VerifiedHere);
    let skipped = PartState::Skipped { reason: SkipReason::Busy };
    let of_part = |name: Option<&str>, state: &PartState, others| PlanState::NeedsYou {
        since: at(night),
        reason: NeedsYou::Part { server: name.map(server), state: state.clone(), others },
    };
    let sign_in = failed(PartFault::SignIn);
    for (last, expected) in [
        (Some((Verdict::AsExpected, all_parts())), None),
        (
            Some((Verdict::Failed, vec![verified(), part(Some("a"), sign_in.clone())])),
            Some(of_part(Some("a"), &sign_in, 0)),
        ),
        // Of several, the worst, and of equal ones the first.
        (
            Some((
                Verdict::Failed,
                vec![
                    part(None, skipped.clone()),
                    part(Some("a"), sign_in.clone()),
                    part(Some("b"), sign_in.clone()),
                ],
            )),
            Some(of_part(Some("a"), &sign_in, 1)),
        ),
        (
            Some((Verdict::Unknown, vec![part(None, PartState::Unknown), verified()])),
            Some(of_part(None, &PartState::Unknown, 0)),
        ),
        (
            Some((Verdict::Skipped, vec![part(None, skipped.clone()), verified()])),
            Some(of_part(None, &skipped, 0)),
        ),
        (
            Some((Verdict::Failed, Vec::new())),
            Some(PlanState::NeedsYou {
                since: at(night),
                reason: NeedsYou::NoSet { note: "no drive".to_owned() },
            }),
        ),
        (None, Some(PlanState::DidNotRun { since: at("11-21T01:00") })),
    ] {
        let progress = last.map(|(verdict, parts)| ran(night, verdict, parts));
        let expected = expected.unwrap_or(PlanState::Verified { at: at(night) });
        assert_eq!(state_of(&nightly(), progress.as_ref(), &PlanFacts::default()), expected);
    }
}

#[test]
fn a_plan_that_no_run_was_due_of_is_new_and_a_paused_one_is_never_overdue() {
    let facts = PlanFacts::default();
    let enabled_now = BackupPlan { since: at("11-27T07:00"), ..nightly() };
    assert_eq!(state_of(&enabled_now, None, &facts), PlanState::New);
    // Enabled again after a month.
    let before = ran("10-01T01:00", Verdict::AsExpected, all_parts());
    assert_eq!(state_of(&enabled_now, Some(&before), &facts), PlanState::Verified { at: at("10-01T01:00") });
    let paused = BackupPlan { is_enabled: false, ..nightly() };
    assert_eq!(state_of(&paused, None, &facts), PlanState::Paused);
    let practice = BackupPlan { site: SiteId(PRACTICE.to_owned()), ..nightly() };
    assert_eq!(state_of(&practice, None, &facts), PlanState::New);
}

#[test]
fn a_plan_that_got_another_part_is_not_verified_before_it_ran_with_it() {
    let progress = |parts| ran("11-27T01:00", Verdict::AsExpected, parts);
    let state = |parts| state_of(&nightly(), Some(&progress(parts)), &PlanFacts::default());
    for added in 0..3 {
        let mut before = all_parts();
        before.remove(added);
        assert_eq!(state(before), PlanState::New, "part {added}");
    }
    let removed = || part(Some("c"), PartState::VerifiedHere);
    let more = all_parts().into_iter().chain([removed()]).collect();
    assert_eq!(state(more), PlanState::Verified { at: at("11-27T01:00") }, "another one was removed");
}

#[test]
fn a_plan_whose_scheduler_stopped_did_not_run_whatever_its_last_set_was() {
    for verdict in [Verdict::AsExpected, Verdict::Failed] {
        let progress = ran("11-25T01:00", verdict, Vec::new());
        let expected = PlanState::DidNotRun { since: at("11-26T01:00") };
        assert_eq!(state_of(&nightly(), Some(&progress), &PlanFacts::default()), expected);
    }
}

#[test]
fn a_plan_whose_times_were_lost_needs_a_user_and_is_told() {
    let schedule = Schedule { times: Vec::new(), ..nightly().schedule };
    let plan = BackupPlan { schedule, ..nightly() };
    let progress = ran("11-26T01:00", Verdict::AsExpected, all_parts());

    let state = state_of(&plan, Some(&progress), &PlanFacts::default());
    assert_eq!(state, PlanState::DidNotRun { since: at("11-26T01:00") });
    let standing = standing(&plan, &progress, utc("11-27T09:00"), &TimeZone::UTC);
    assert_eq!(standing, Standing::Troubled(Trouble::Overdue));
}

#[test]
fn a_run_by_a_clock_that_was_ahead_hides_no_missed_one() {
    let progress = ran("12-30T01:00", Verdict::AsExpected, all_parts());
    let progress = PlanProgress { verified: None, ..progress };

    let missed = PlanState::DidNotRun { since: at("11-21T01:00") };
    assert_eq!(state_of(&nightly(), Some(&progress), &PlanFacts::default()), missed);
    let standing = standing(&nightly(), &progress, utc("11-27T09:00"), &TimeZone::UTC);
    assert_eq!(standing, Standing::Troubled(Trouble::Overdue));

    let before_it = PlanProgress { verified: Some(at("11-27T01:00")), ..progress };
    let state = state_of(&nightly(), Some(&before_it), &PlanFacts::default());
    assert!(matches!(state, PlanState::Verified { .. }), "it ran tonight: {state:?}");
}

#[test]
fn other_times_neither_mend_what_is_wrong_nor_keep_it_from_being_told() {
    let standing = |plan: &BackupPlan, progress: &PlanProgress| {
        standing(plan, progress, utc("11-27T09:00"), &TimeZone::UTC)
    };
    let moved = BackupPlan { since: at("11-27T07:00"), ..nightly() };
    let enabled_again = BackupPlan { enabled_since: at("11-27T07:00"), ..moved.clone() };
    let failed = ran("11-27T01:00", Verdict::Failed, Vec::new());
    assert_eq!(standing(&moved, &failed), Standing::Troubled(Trouble::Failed));
    assert_eq!(standing(&enabled_again, &failed), Standing::Unchanged, "what was before is over");

    let well = ran("11-27T01:00", Verdict::AsExpected, all_parts());
    assert_eq!(standing(&moved, &well), Standing::Unchanged, "no run since: nothing is verified again");
}

#[test]
fn a_session_that_ended_since_the_last_run_needs_a_user_before_the_next_one() {
    let progress = ran("11-27T01:00", Verdict::AsExpected, all_parts());
    let out = |name: &str, when: &str| PlanFacts {
        signed_out: vec![(Some(server(name)), at(when))],
        ..PlanFacts::default()
    };
    let verified = PlanState::Verified { at: at("11-27T01:00") };
    let needs_you = PlanState::NeedsYou {
        since: at("11-27T07:00"),
        reason: NeedsYou::SignIn { server: Some(server("a")) },
    };
    assert_eq!(state_of(&nightly(), Some(&progress), &out("a", "11-27T07:00")), needs_you);
    assert_eq!(state_of(&nightly(), Some(&progress), &out("a", "11-26T07:00")), verified);
    assert_eq!(state_of(&nightly(), Some(&progress), &out("elsewhere", "11-27T07:00")), verified);
}

#[test]
fn an_export_that_is_much_smaller_than_usual_needs_a_user_although_it_is_complete() {
    let small = SetPart { usual_size: Some(Bytes(700)), ..part(Some("b"), PartState::VerifiedHere) };
    let progress = ran("11-27T01:00", Verdict::AsExpected, vec![small]);
    let reason = NeedsYou::Small { server: Some(server("b")), size: Bytes(7), usual: Bytes(700) };
    assert_eq!(
        state_of(&nightly(), Some(&progress), &PlanFacts::default()),
        PlanState::NeedsYou { since: at("11-27T01:00"), reason }
    );
}

#[test]
fn a_rehearsal_that_the_plan_wants_and_nobody_did_needs_a_user() {
    let progress = ran("11-27T01:00", Verdict::AsExpected, all_parts());
    let (month, quarter) = (Some(RehearseEvery::Month), Some(RehearseEvery::Quarter));
    for (every, begun, last, since) in [
        (None, "01-01T12:00", None, None),
        (month, "10-27T09:00", None, None),
        (month, "10-27T07:00", None, Some("11-27T07:00")),
        (quarter, "08-27T09:00", None, None),
        (quarter, "08-27T07:00", None, Some("11-27T07:00")),
        (month, "01-01T12:00", Some("10-27T09:00"), None),
        (quarter, "01-01T12:00", Some("08-27T07:00"), Some("11-27T07:00")),
        // A month is as long as in the calendar, and has a last day.
        (month, "01-01T12:00", Some("01-31T09:00"), Some("02-28T09:00")),
    ] {
        let plan = BackupPlan { rehearse_every: every, since: at(begun), ..nightly() };
        let rehearsed = vec![(Some(server("a")), last.map(at))];
        let expected =
            since.map_or(PlanState::Verified { at: at("11-27T01:00") }, |since| PlanState::NeedsYou {
                since: at(since),
                reason: NeedsYou::Rehearse { server: Some(server("a")), last: last.map(at) },
            });
        let facts = PlanFacts { rehearsed, ..PlanFacts::default() };
        assert_eq!(state_of(&plan, Some(&progress), &facts), expected, "{every:?} {begun} {last:?}");
    }
}

#[test]
fn a_run_that_was_not_accepted_says_which_line_kept_it() {
    let line = AcceptanceLine {
        state: LineState::NotMet,
        about: LineAbout::Folder { fault: Some(FolderFault::Missing) },
        remedy: Some(Remedy::ChooseFolder),
    };
    let mut progress = ran("11-27T01:00", Verdict::Failed, Vec::new());
    progress.last.as_mut().unwrap().refused = Some(line.clone());
    let reason = NeedsYou::NotAccepted { line: Box::new(line) };
    assert_eq!(
        state_of(&nightly(), Some(&progress), &PlanFacts::default()),
        PlanState::NeedsYou { since: at("11-27T01:00"), reason }
    );
}

#[test]
fn the_end_of_a_session_is_told_a_week_and_a_day_before_and_not_earlier() {
    let last = ran("11-27T01:00", Verdict::AsExpected, all_parts());
    for (ends, since) in [
        ("12-04T09:00", None),
        ("12-04T08:00", Some("11-27T08:00")),
        ("11-29T08:00", Some("11-22T08:00")),
        ("11-28T08:00", Some("11-27T08:00")),
        ("11-27T09:00", Some("11-26T09:00")),
    ] {
        let end = SessionEnd { server: None, ends: at(ends) };
        let facts = PlanFacts { session_end: Some(end.clone()), ..PlanFacts::default() };
        let expected = since.map_or(PlanState::Verified { at: at("11-27T01:00") }, |since| {
            PlanState::NeedsYou { since: at(since), reason: NeedsYou::SessionEnds { end } }
        });
        assert_eq!(state_of(&nightly(), Some(&last), &facts), expected, "{ends}");
    }
}

#[test]
fn a_plan_whose_run_lasts_for_hours_is_not_said_not_to_have_run() {
    let plan = nightly();
    let before = ran("11-26T01:00", Verdict::AsExpected, all_parts());
    let none = state_of(&plan, Some(&before), &PlanFacts::default());
    assert!(matches!(none, PlanState::DidNotRun { .. }), "{none:?}");
    let runs = PlanProgress { begun: Some(at("11-27T01:00")), ..before };
    let running = state_of(&plan, Some(&runs), &PlanFacts::default());
    assert_eq!(running, PlanState::Verified { at: at("11-26T01:00") }, "that of its last set");
}

#[test]
fn a_plan_is_not_verified_by_a_file_that_is_no_export() {
    let unrecognized = PartState::Unrecognized { size: None };
    let parts = vec![part(Some("a"), PartState::VerifiedHere), part(Some("b"), unrecognized.clone())];
    let state =
        state_of(&nightly(), Some(&ran("11-27T01:00", Verdict::AsExpected, parts)), &PlanFacts::default());
    let reason = NeedsYou::Part { server: Some(server("b")), state: unrecognized, others: 0 };
    assert_eq!(state, PlanState::NeedsYou { since: at("11-27T01:00"), reason });
}
