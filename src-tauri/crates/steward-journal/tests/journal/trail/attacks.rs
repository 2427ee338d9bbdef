//! What each attack does: which ones a verification finds, and which ones only a kept head shows.

use sha2::{Digest, Sha256};
use steward_journal::Journal;
use steward_journal::trail::{Event, Head};

use super::{Desk, broken_at, entries, kinds};

/// Attack, and who finds it.
pub(super) struct Attack {
    pub(super) name: &'static str,
    pub(super) run: fn(&Desk),
    /// Entry at which a verification finds it; `None` if only a kept head shows it.
    pub(super) found_at: Option<i64>,
}

fn hash(line: &str) -> String {
    Sha256::digest(line).iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(super) const ATTACKS: [Attack; 11] = [
    Attack {
        name: "the last entry has another number",
        run: |desk| {
            desk.attack(
                "UPDATE trail SET sequence = 7, envelope = replace(envelope, '\"seq\":6', '\"seq\":7') WHERE sequence = 6",
            );
        },
        found_at: Some(7),
    },
    Attack {
        name: "an envelope was changed",
        run: |desk| {
            desk.attack("UPDATE trail SET envelope = replace(envelope, 'operation.sent', 'app.ended') WHERE sequence = 3")
        },
        found_at: Some(4),
    },
    Attack {
        name: "a body was changed",
        run: |desk| desk.attack("UPDATE trail SET body = replace(body, 'City', 'Town') WHERE sequence = 3"),
        found_at: Some(3),
    },
    Attack {
        name: "the last body was changed",
        run: |desk| desk.attack("UPDATE trail SET body = replace(body, 'seq', 'sea') WHERE sequence = 6"),
        found_at: Some(6),
    },
    Attack {
        name: "an entry was removed",
        run: |desk| desk.attack("DELETE FROM trail WHERE sequence = 3"),
        found_at: Some(4),
    },
    Attack {
        name: "an entry was removed, and the others moved up",
        run: |desk| {
            desk.attack("DELETE FROM trail WHERE sequence = 3; UPDATE trail SET sequence = sequence - 1 WHERE sequence > 3")
        },
        found_at: Some(3),
    },
    Attack {
        name: "the first entries were removed",
        run: |desk| desk.attack("DELETE FROM trail WHERE sequence < 3"),
        found_at: Some(3),
    },
    Attack {
        name: "an entry was inserted",
        run: |desk| {
            desk.attack(
                "UPDATE trail SET sequence = -sequence - 1 WHERE sequence > 2;
                 UPDATE trail SET sequence = -sequence WHERE sequence < 0;
                 INSERT INTO trail (sequence, envelope, body)
                     SELECT 3, replace(envelope, '\"seq\":4', '\"seq\":3'), body FROM trail WHERE sequence = 4",
            );
        },
        found_at: Some(4),
    },
    Attack {
        name: "the end was cut off",
        run: |desk| desk.attack("DELETE FROM trail WHERE sequence > 4"),
        found_at: None,
    },
    Attack {
        name: "the chain was computed anew",
        run: |desk| {
            desk.attack("DELETE FROM trail");
            let journal = desk.journal();
            (0..6).for_each(|_| journal.append(&Event::AppEnded).unwrap());
        },
        found_at: None,
    },
    Attack {
        name: "an older copy was restored, and the program went on",
        run: |desk| {
            desk.attack("DELETE FROM trail WHERE sequence > 3");
            let journal = desk.journal();
            (0..3).for_each(|_| journal.append(&Event::AppEnded).unwrap());
        },
        found_at: None,
    },
];

/// Returns whether the trail still has a head that a user kept.
fn still_has(desk: &Desk, kept: &Head) -> bool {
    let entries = entries(&desk.journal());
    entries.iter().any(|entry| entry.seq == kept.entry && hash(&entry.envelope) == kept.hash)
}

#[test]
fn each_attack_is_found_by_the_verification_or_by_a_kept_head_as_the_help_says() {
    for Attack { name, run, found_at } in ATTACKS {
        let desk = Desk::new();
        let kept = desk.head();
        run(&desk);

        let has_head = still_has(&desk, &kept);

        assert_eq!(broken_at(&desk.path()).first().copied(), found_at, "{name}");
        assert!(found_at.is_some() || !has_head, "{name}: nothing finds it");
    }
}

#[test]
fn a_last_envelope_that_was_changed_is_shown_by_a_kept_head_only() {
    let desk = Desk::new();
    let kept = desk.head();
    desk.attack(
        "UPDATE trail SET envelope = replace(envelope, 'app.started', 'app.ended') WHERE sequence = 6",
    );

    assert_eq!(broken_at(&desk.path()), [] as [i64; 0]);
    assert!(!still_has(&desk, &kept));
}

#[test]
fn a_broken_chain_is_told_once_and_shown_from_then_on_and_never_repaired() {
    let desk = Desk::new();
    desk.attack(
        "UPDATE trail SET envelope = replace(envelope, 'operation.sent', 'app.ended') WHERE sequence = 3",
    );
    assert_eq!(broken_at(&desk.path()), [4]);
    let journal = desk.journal();

    let breaks = journal.trail_status().unwrap().breaks;

    assert_eq!(breaks.len(), 1);
    assert_eq!((breaks[0].entry, breaks[0].expected.len(), breaks[0].found.len()), (4, 64, 64));
    assert_ne!(breaks[0].expected, breaks[0].found);
    journal.append(&Event::AppEnded).unwrap();
    assert_eq!(journal.verify_new_entries().unwrap().breaks, breaks, "still there");
    assert_eq!(journal.verify_new_entries().unwrap().breaks, [], "the new segment holds");
    assert_eq!(journal.trail_status().unwrap().breaks, breaks, "shown");
    let told = kinds(&journal).iter().filter(|kind| *kind == "chain.broken").count();
    assert_eq!(told, 1);
    assert_eq!(broken_at(&desk.path()), [4], "never repaired");
}

#[test]
fn a_damaged_history_that_is_rescued_keeps_its_trail_with_what_is_missing() {
    let desk = Desk::new();
    desk.attack("DELETE FROM trail WHERE sequence = 3");
    let rescued = desk.folder.path().join("rescued.db");

    Journal::salvage(&desk.path(), &rescued).unwrap();

    assert_eq!(broken_at(&rescued), [4]);
    let journal = Journal::open(&rescued).unwrap();
    assert_eq!(
        kinds(&journal),
        ["chain.began", "app.started", "operation.ended", "app.ended", "app.started", "chain.broken"]
    );
}

#[test]
fn a_body_that_was_removed_by_law_breaks_nothing() {
    let desk = Desk::new();
    desk.attack("UPDATE trail SET body = NULL WHERE sequence = 3");

    assert_eq!(broken_at(&desk.path()), [] as [i64; 0]);
}
