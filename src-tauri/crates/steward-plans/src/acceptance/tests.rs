use LineState::{Met, NotKnown, NotMet, Warning};

use super::*;

const DAY: SignedDuration = SignedDuration::from_hours(24);

fn now() -> Timestamp {
    "2026-11-27T08:00:00Z".parse().unwrap()
}

fn in_hours(hours: i64) -> Option<Millis> {
    Some(Millis::from(now() + SignedDuration::from_hours(hours)))
}

fn server(id: &str) -> Option<ServerId> {
    Some(ServerId(id.to_owned()))
}

/// A part of a current version with a saved password.
fn part(server: Option<ServerId>) -> PartFacts {
    PartFacts {
        signs_in_at: server.clone(),
        server,
        session: PlanSession::Password,
        version: Some(Version::new(11, 3)),
        unavailable: None,
        longest: None,
    }
}

const MB_15: Bytes = Bytes(15_000_000);

/// A folder with room for one and a half sets.
fn good_folder() -> FolderFacts {
    FolderFacts { fault: None, free: Some(MB_15), last_set: Some(Bytes(10_000_000)), synchronized: None }
}

fn facts(parts: Vec<PartFacts>) -> AcceptanceFacts {
    AcceptanceFacts {
        now: now(),
        unattended: Some(DAY),
        parts,
        folder: good_folder(),
        is_read_only: false,
        keeps_portal_files: false,
        keeps_uploads: false,
    }
}

#[test]
fn a_set_of_some_bytes_asks_for_more_than_them() {
    for (last_set, needed) in [(9, 1_000_000), (666_666, 1_000_000), (666_668, 1_000_002)] {
        let folder = FolderFacts { last_set: Some(Bytes(last_set)), ..good_folder() };
        let lines = judge(&AcceptanceFacts { folder, ..facts(Vec::new()) });
        let about = LineAbout::Space { free: Some(MB_15), needed: Some(Bytes(needed)) };
        assert!(lines.iter().any(|line| line.about == about), "{lines:?}");
    }
}

#[test]
fn a_session_is_accepted_if_it_lasts_without_a_user() {
    let refresh = |hours| PlanSession::RefreshToken { ends: in_hours(hours) };
    let bare = |hours| PlanSession::BareToken { ends: in_hours(hours) };
    let keyring = |keyring| PlanSession::Keyring { keyring };
    let sign_in = || Some(Remedy::SignIn { server: server("a") });
    let (on_request, at_once, daily, weekly) = (None, Some(SignedDuration::ZERO), Some(DAY), Some(DAY * 7));
    for (session, unattended, state, remedy) in [
        (PlanSession::Password, daily, Met, None),
        (PlanSession::Password, on_request, Met, None),
        // Longer than the interval and a week.
        (refresh(8 * 24 + 1), daily, Met, None),
        (refresh(8 * 24), daily, Warning, sign_in()),
        (refresh(25), daily, Warning, sign_in()),
        (refresh(24), daily, NotMet, sign_in()),
        (refresh(-1), daily, NotMet, sign_in()),
        (refresh(8 * 24 + 1), weekly, Warning, sign_in()),
        (refresh(7 * 24), weekly, NotMet, sign_in()),
        (refresh(14 * 24 + 1), weekly, Met, None),
        // A run that begins now.
        (refresh(1), at_once, Warning, sign_in()),
        (refresh(0), at_once, NotMet, sign_in()),
        (refresh(1), on_request, Met, None),
        (refresh(0), on_request, NotMet, sign_in()),
        // Times that no calendar has.
        (PlanSession::RefreshToken { ends: Some(Millis(i64::MAX)) }, weekly, Met, None),
        (PlanSession::RefreshToken { ends: Some(Millis(i64::MIN)) }, weekly, NotMet, sign_in()),
        (PlanSession::RefreshToken { ends: None }, daily, NotKnown, None),
        (PlanSession::RefreshToken { ends: None }, on_request, Met, None),
        (bare(15 * 24), daily, NotMet, sign_in()),
        (bare(15 * 24), at_once, NotMet, sign_in()),
        (PlanSession::BareToken { ends: None }, daily, NotMet, sign_in()),
        (bare(1), on_request, Met, None),
        (bare(0), on_request, NotMet, sign_in()),
        (PlanSession::BareToken { ends: None }, on_request, Met, None),
        (PlanSession::SignedOut, daily, NotMet, sign_in()),
        (PlanSession::SignedOut, on_request, NotMet, sign_in()),
        (PlanSession::NotChecked, daily, NotKnown, Some(Remedy::CheckSite)),
        (keyring(KeyringState::Locked), daily, NotKnown, Some(Remedy::UnlockKeyring)),
        (keyring(KeyringState::Slow), daily, NotKnown, Some(Remedy::UnlockKeyring)),
        (keyring(KeyringState::Failed), daily, NotKnown, Some(Remedy::UnlockKeyring)),
        (keyring(KeyringState::Absent), daily, NotMet, None),
    ] {
        let one = PartFacts { session: session.clone(), ..part(server("a")) };
        let lines = judge(&AcceptanceFacts { unattended, ..facts(vec![one]) });
        let about = LineAbout::Session { parts: vec![server("a")], session };
        assert_eq!(lines[0], AcceptanceLine { state, about, remedy }, "{unattended:?}");
    }
}

#[test]
fn parts_with_the_same_session_are_one_line_and_each_that_needs_a_sign_in_of_its_own_is_another() {
    let bare = || PlanSession::BareToken { ends: None };
    let by_portal = |id| PartFacts { signs_in_at: None, session: bare(), ..part(server(id)) };
    let portal = PartFacts { session: bare(), ..part(None) };
    let alone = PartFacts { session: bare(), ..part(server("c")) };
    let well = [part(server("d")), part(server("e"))];
    let parts = [vec![portal, by_portal("a"), alone, by_portal("b")], well.to_vec()].concat();
    let lines: Vec<_> = judge(&facts(parts))
        .into_iter()
        .filter_map(|line| match line.about {
            LineAbout::Session { parts, .. } => Some((parts, line.remedy)),
            _ => None,
        })
        .collect();
    let sign_in = |server| Some(Remedy::SignIn { server });
    assert_eq!(
        lines,
        [
            (vec![None, server("a"), server("b")], sign_in(None)),
            (vec![server("c")], sign_in(server("c"))),
            (vec![server("d"), server("e")], None),
        ]
    );
}

#[test]
fn a_version_that_is_too_old_or_not_known_is_a_line_of_its_own() {
    let reason = UnavailableReason::TooOld { needs: "10.9".to_owned(), has: "10.8".to_owned() };
    let old = PartFacts { unavailable: Some(reason.clone()), ..part(server("old")) };
    let unknown = PartFacts { version: None, ..part(server("unknown")) };
    let lines: Vec<_> = judge(&facts(vec![part(None), old, unknown, part(server("new"))]))
        .into_iter()
        .filter_map(|line| match line.about {
            LineAbout::Versions { parts, reason } => Some((line.state, parts, reason, line.remedy)),
            _ => None,
        })
        .collect();
    assert_eq!(
        lines,
        [
            (NotMet, vec![server("old")], Some(reason), Some(Remedy::ClearParts)),
            (NotKnown, vec![server("unknown")], None, Some(Remedy::CheckSite)),
            (Met, vec![None, server("new")], None, None),
        ]
    );
}

#[test]
fn an_export_that_takes_long_is_a_warning_only_where_it_ends_with_its_token() {
    for (version, minutes, expected) in [
        (Version::new(11, 3), Some(500), None),
        (Version::new(10, 9), Some(500), None),
        (Version::new(10, 8), None, Some(NotKnown)),
        (Version::new(10, 8), Some(40), Some(Met)),
        (Version::new(10, 8), Some(41), Some(Warning)),
        (Version::new(10, 7), Some(500), Some(Warning)),
    ] {
        let longest = minutes.map(Duration::from_mins);
        let lines = judge(&facts(vec![PartFacts { version: Some(version), longest, ..part(None) }]));
        let life = lines.into_iter().find(|line| matches!(line.about, LineAbout::TokenLife { .. }));
        assert_eq!(life.map(|line| line.state), expected, "{version} {minutes:?}");
    }
}

#[test]
fn a_folder_is_accepted_if_it_can_be_written_to_and_has_room_for_one_and_a_half_sets() {
    let folder = good_folder();
    let lacks = |lacking| Some(Remedy::FreeSpace { lacking: Bytes(lacking) });
    let choose = || Some(Remedy::ChooseFolder);
    for (facts_of_it, expected) in [
        (folder.clone(), vec![(Met, None), (Met, None)]),
        (
            FolderFacts { free: Some(Bytes(14_999_999)), ..folder.clone() },
            vec![(Met, None), (NotMet, lacks(1))],
        ),
        (FolderFacts { last_set: None, ..folder.clone() }, vec![(Met, None), (NotKnown, None)]),
        (FolderFacts { free: None, ..folder.clone() }, vec![(Met, None), (NotKnown, None)]),
        (
            FolderFacts { synchronized: Some("OneDrive".to_owned()), ..folder.clone() },
            vec![(Met, None), (Met, None), (Warning, choose())],
        ),
        (FolderFacts { fault: Some(FolderFault::NotChosen), ..folder.clone() }, vec![(NotMet, choose())]),
        (FolderFacts { fault: Some(FolderFault::Missing), ..folder.clone() }, vec![(NotMet, choose())]),
        (FolderFacts { fault: Some(FolderFault::NotAllowed), ..folder }, vec![(NotMet, choose())]),
    ] {
        let lines = judge(&AcceptanceFacts { folder: facts_of_it.clone(), ..facts(Vec::new()) });
        // The last line is [`LineAbout::OnlyExports`].
        let [lines @ .., _] = &lines[..] else { panic!("no line") };
        let found: Vec<_> = lines.iter().map(|line| (line.state, line.remedy.clone())).collect();
        assert_eq!(found, expected, "{facts_of_it:?}");
    }
}

#[test]
fn what_is_left_on_the_site_is_said_and_keeps_no_plan_from_running() {
    let facts = AcceptanceFacts { is_read_only: true, keeps_uploads: true, ..facts(Vec::new()) };
    let about = LineAbout::OnlyExports { is_read_only: true, keeps_portal_files: false, keeps_uploads: true };
    assert_eq!(judge(&facts).last(), Some(&AcceptanceLine { state: Met, about, remedy: None }));
}

#[test]
fn the_first_line_that_is_not_met_is_the_obstacle_and_no_other_is_one() {
    let session = |session| PartFacts { session, ..part(None) };
    let obstacle = |one| obstacle(judge(&facts(vec![one]))).map(|line| line.about);
    assert_eq!(obstacle(session(PlanSession::Password)), None);
    assert_eq!(obstacle(session(PlanSession::NotChecked)), None);
    assert_eq!(obstacle(session(PlanSession::RefreshToken { ends: in_hours(48) })), None);
    assert!(matches!(
        obstacle(PartFacts { version: Some(Version::new(10, 8)), ..session(PlanSession::SignedOut) }),
        Some(LineAbout::Session { session: PlanSession::SignedOut, .. })
    ));
}

#[test]
fn the_first_end_of_a_session_is_where_a_user_signs_in_again() {
    let refresh = |id, hours| PartFacts {
        session: PlanSession::RefreshToken { ends: in_hours(hours) },
        ..part(server(id))
    };
    let by_portal = PartFacts { signs_in_at: None, ..refresh("b", 10) };
    let unknown = PartFacts { session: PlanSession::RefreshToken { ends: None }, ..part(server("d")) };
    let parts = [part(server("a")), refresh("c", 20), by_portal, unknown.clone()];
    assert_eq!(session_end(&parts), in_hours(10).map(|ends| SessionEnd { server: None, ends }));
    assert_eq!(session_end(&[part(None), unknown]), None);
}
