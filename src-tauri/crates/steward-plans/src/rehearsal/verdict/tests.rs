//! Planted defects of a set, of its imports, and of the test site: none ends green.

use steward_core::model::ids::RecordId;
use steward_core::model::numbers::{Bytes, Millis};

use super::*;
use crate::restore::{NoCopy, StepImport};

fn proof(state: ProofState) -> SiteProof {
    SiteProof {
        checked_at: Millis(0),
        state,
        lines: Vec::new(),
        versions: Vec::new(),
        is_as_before: true,
        index: None,
        issued_at: None,
        recovery_time: None,
        is_at_most: false,
    }
}

fn here(is_verified: bool) -> StepCopy {
    StepCopy::Here { name: "a.agssite".to_owned(), size: Bytes(1), is_verified }
}

fn import(file: ImportedFile, outcome: Outcome) -> Option<StepImport> {
    let record = RecordId("r".to_owned());
    Some(StepImport { record, outcome, at: Millis(1), began: Millis(0), file })
}

fn step(copy: StepCopy, import: Option<StepImport>) -> RestoreStep {
    RestoreStep { server: None, name: "a".to_owned(), copy, other_version: None, import }
}

/// Facts that a step is judged by.
type Planted = (&'static str, RestoreStep, bool, Option<ProofState>, StepState);

/// Each with what is wrong, and the state that names it.
fn planted() -> Vec<Planted> {
    use ImportedFile::{NotKnown, OfSet, Other, Undo};
    use Outcome::{Failed, NotSent, Sent, Succeeded, Unknown, Warnings};
    let no_copy = |why| StepCopy::None { why };
    let done = Some(ProofState::Done);
    let back = |copy: StepCopy, file, outcome| step(copy, import(file, outcome));
    vec![
        ("the export failed", step(no_copy(NoCopy::NotInSet), None), false, None, StepState::NotPossible),
        ("the file is gone", step(no_copy(NoCopy::NotHere), None), false, None, StepState::NotPossible),
        (
            "its path is not known",
            step(no_copy(NoCopy::UnknownPath), None),
            false,
            None,
            StepState::NotPossible,
        ),
        ("no server for it", step(no_copy(NoCopy::NotSaved), None), false, None, StepState::NotPossible),
        ("it was skipped", step(here(true), None), true, None, StepState::Skipped),
        ("not imported", step(here(true), None), false, None, StepState::Open),
        ("the import runs", back(here(true), OfSet, Sent), false, None, StepState::Importing),
        ("the import failed", back(here(true), OfSet, Failed), false, None, StepState::Failed),
        ("it failed and was skipped", back(here(true), OfSet, Failed), true, None, StepState::Failed),
        ("it was not sent", back(here(true), OfSet, NotSent), false, None, StepState::Failed),
        ("killed before the response", back(here(true), OfSet, Unknown), false, done, StepState::Unknown),
        ("another file was imported", back(here(true), Other, Succeeded), false, done, StepState::OtherFile),
        (
            "a file with unknown content",
            back(here(true), NotKnown, Succeeded),
            false,
            done,
            StepState::NotKnown,
        ),
        ("it was undone", back(here(true), Undo, Succeeded), false, done, StepState::Undone),
        (
            "its entries were not verified",
            back(here(false), OfSet, Succeeded),
            false,
            done,
            StepState::NotKnown,
        ),
        ("the import warned", back(here(true), OfSet, Warnings), false, done, StepState::BackBut),
        (
            "a service does not start",
            back(here(true), OfSet, Warnings),
            false,
            Some(ProofState::Wrong),
            StepState::BackBut,
        ),
        (
            "a folder is absent",
            back(here(true), OfSet, Succeeded),
            false,
            Some(ProofState::Wrong),
            StepState::BackBut,
        ),
        (
            "the index never ends",
            back(here(true), OfSet, Succeeded),
            false,
            Some(ProofState::NotYet),
            StepState::NotBack,
        ),
        (
            "the services were not read",
            back(here(true), OfSet, Succeeded),
            false,
            Some(ProofState::NotKnown),
            StepState::NotKnown,
        ),
        ("not checked", back(here(true), OfSet, Succeeded), false, None, StepState::NotKnown),
    ]
}

fn state_of((_, step, is_skipped, checked, _): &Planted) -> StepState {
    let proof = checked.map(proof);
    let after = proof.as_ref().map_or(AfterImport::NotKnown, AfterImport::Checked);
    state(step, *is_skipped, after)
}

#[test]
fn none_of_twenty_planted_defects_ends_green_and_each_has_a_state_of_its_own() {
    let all = planted();
    assert!(all.len() >= 20);
    for defect in &all {
        let found = state_of(defect);
        assert_eq!(found, defect.4, "{}", defect.0);
        let verdict = verdict([StepState::Back, found, StepState::Back], &[]);
        assert_ne!(verdict, RehearsalVerdict::Back, "{}", defect.0);
        assert_ne!(verdict.outcome(), Outcome::Succeeded, "{}", defect.0);
    }
}

#[test]
fn two_defects_at_once_hide_nothing() {
    let all = planted();
    for one in &all {
        for other in &all {
            let both = verdict([state_of(one), state_of(other)], &[]);
            let worst = verdict([state_of(one)], &[]).max(verdict([state_of(other)], &[]));
            assert_eq!(both, worst, "{} and {}", one.0, other.0);
        }
    }
}

#[test]
fn a_rehearsal_of_which_everything_is_back_is_green_but_not_onto_another_version() {
    let good = step(here(true), import(ImportedFile::OfSet, Outcome::Succeeded));
    let done = proof(ProofState::Done);
    let back = state(&good, false, AfterImport::Checked(&done));
    assert_eq!(back, StepState::Back);
    let differs =
        |about| RehearsalDifference { part: String::new(), about, set: String::new(), test: String::new() };
    assert_eq!(verdict([back], &[]).outcome(), Outcome::Succeeded);
    assert_eq!(verdict([back], &[differs(DifferenceAbout::Url)]), RehearsalVerdict::Back);
    assert_eq!(verdict([back], &[differs(DifferenceAbout::Version)]), RehearsalVerdict::NotKnown);
    assert_eq!(verdict([], &[]), RehearsalVerdict::Incomplete, "a set without a part shows nothing");
    assert_eq!(state(&good, false, AfterImport::Waiting), StepState::ComingBack);
}

#[test]
fn the_next_step_waits_for_the_one_before_unless_that_is_settled() {
    use StepState::{Back, BackBut, ComingBack, Failed, Importing, NotBack, NotKnown, Open, Skipped, Undone};
    for (state, is_settled) in [
        (Back, true),
        (BackBut, true),
        (NotBack, true),
        (NotKnown, true),
        (Skipped, true),
        (Open, false),
        (Importing, false),
        (ComingBack, false),
        (Failed, false),
        (Undone, false),
    ] {
        assert_eq!(state.is_settled(), is_settled, "{state:?}");
    }
}
