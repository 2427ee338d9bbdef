//! What each attack does: which ones a verification finds, and which ones only a kept head shows.

use steward_journal::Journal;
use steward_journal::trail::{Event, Head};

use super::scripts::{Verdict, verified_by};
use super::{Desk, broken_at, kinds};

/// Attack, and who finds it.
struct Attack {
    name: &'static str,
    run: fn(&Desk),
    /// Entry at which a verification finds it; `None` if only a kept head shows it.
    found_at: Option<i64>,
}

const ATTACKS: [Attack; 11] = [
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

/// Returns whether the trail still has a head that somebody kept.
fn still_has(desk: &Desk, kept: &Head) -> bool {
    verified_by("verify.py", &desk.exported(), &kept.to_string()).has_head
}

#[test]
fn each_attack_is_found_by_the_verification_or_by_a_kept_head_as_the_help_says() {
    for Attack { name, run, found_at } in ATTACKS {
        let desk = Desk::new();
        let kept = desk.head();
        run(&desk);

        let scripts = ["verify.py", "verify.sh"].map(|script| verified_by(script, &desk.exported(), ""));

        for found in scripts {
            assert_eq!(found.is_unbroken, found_at.is_none(), "{name}: {found:?}");
        }
        assert_eq!(broken_at(&desk.path()).first().copied(), found_at, "{name}");
        // Those that a verification finds are found by a kept head too, unless the last envelope is as it was.
        assert!(found_at.is_some() || !still_has(&desk, &kept), "{name}");
    }
}

#[test]
fn a_kept_head_is_there_as_long_as_nothing_before_it_was_changed() {
    let desk = Desk::new();
    let kept = desk.head();
    desk.journal().append(&Event::AppEnded).unwrap();

    for script in ["verify.py", "verify.sh"] {
        let found = verified_by(script, &desk.exported(), &kept.to_string());
        assert_eq!(
            found,
            Verdict { is_unbroken: true, has_head: true, exit: 0, ..found.clone() },
            "{script}"
        );
        let other = Head { hash: kept.hash.replace(|one| one != '0', "1"), ..kept.clone() };
        let found = verified_by(script, &desk.exported(), &other.to_string());
        assert_eq!((found.has_head, found.exit), (false, 1), "{script}: {found:?}");
    }
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
