use super::*;

const DAY: SignedDuration = SignedDuration::from_hours(24);

fn utc(text: &str) -> Timestamp {
    format!("{text}T01:00:00Z").parse().unwrap()
}

/// A set of the day, with a verified server.
fn counts(day: &str) -> SetFacts {
    SetFacts {
        name: day.to_owned(),
        at: utc(day),
        state: SetState::Counts,
        verified_parts: ["gisapp01".to_owned()].into(),
        copied_parts: ["gisapp01".to_owned()].into(),
        is_pinned: false,
        rehearsed: None,
    }
}

fn without(state: SetState, day: &str) -> SetFacts {
    SetFacts { state, verified_parts: BTreeSet::new(), copied_parts: BTreeSet::new(), ..counts(day) }
}

/// A set of the day with copies of these parts; another part failed.
fn incomplete(day: &str, verified: &[&str], copied: &[&str]) -> SetFacts {
    let names = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect();
    SetFacts {
        state: SetState::Incomplete,
        verified_parts: names(verified),
        copied_parts: names(copied),
        ..counts(day)
    }
}

/// Sets of each night, up to the day.
fn nights(last: &str, number: i64) -> Vec<SetFacts> {
    let last = utc(last).to_zoned(TimeZone::UTC).date();
    (0..number).map(|n| counts(&(last - jiff::Span::new().days(n)).to_string())).collect()
}

fn decided(sets: Vec<SetFacts>, rules: &KeepRules, now: &str) -> Decision {
    decide(sets, rules, DAY, utc(now), &TimeZone::UTC)
}

/// Names of the sets that are kept, the newest first.
fn kept(decision: &Decision) -> Vec<&str> {
    let kept = decision.sets.iter().filter(|(_, fate)| *fate != Fate::Removed);
    kept.map(|(set, _)| set.name.as_str()).collect()
}

fn reasons_of<'a>(decision: &'a Decision, name: &str) -> &'a [Reason] {
    match &decision.sets.iter().find(|(set, _)| set.name == name).unwrap().1 {
        Fate::Kept { reasons } => reasons,
        Fate::Removed => &[],
    }
}

#[test]
fn a_set_is_kept_if_any_rule_keeps_it_and_each_says_which() {
    let rules = KeepRules { last: Some(2), weekly: Some(2), monthly: Some(2), ..KeepRules::default() };
    let decision = decided(nights("2026-11-27", 60), &rules, "2026-11-27");
    assert_eq!(kept(&decision), ["2026-11-27", "2026-11-26", "2026-11-22", "2026-10-31"]);
    assert_eq!(
        reasons_of(&decision, "2026-11-27"),
        [Reason::Last(1), Reason::Weekly(1), Reason::Monthly(1), Reason::NewestOfPart]
    );
    assert_eq!(reasons_of(&decision, "2026-10-31"), [Reason::Monthly(2)]);
}

#[test]
fn days_without_a_set_are_not_counted_as_days() {
    let rules = KeepRules { daily: Some(3), ..KeepRules::default() };
    let sets = ["2026-11-27", "2026-11-20", "2026-11-03", "2026-11-02"].map(counts).to_vec();
    assert_eq!(kept(&decided(sets, &rules, "2026-11-27")), ["2026-11-27", "2026-11-20", "2026-11-03"]);
}

#[test]
fn of_two_sets_of_a_day_the_newest_is_kept_and_a_day_is_a_local_one() {
    let rules = KeepRules { daily: Some(2), ..KeepRules::default() };
    let at =
        |text: &str| SetFacts { at: text.parse().unwrap(), name: text.to_owned(), ..counts("2026-11-26") };
    // In Berlin, the first two are of the 27th.
    let sets =
        ["2026-11-27T08:00:00Z", "2026-11-26T23:30:00Z", "2026-11-26T22:30:00Z", "2026-11-25T22:30:00Z"];
    let zone = TimeZone::get("Europe/Berlin").unwrap();
    let decision = decide(sets.map(at).to_vec(), &rules, DAY, utc("2026-11-28"), &zone);
    assert_eq!(kept(&decision), ["2026-11-27T08:00:00Z", "2026-11-26T22:30:00Z"]);
}

#[test]
fn a_week_begins_on_monday_also_over_the_end_of_a_year() {
    let rules = KeepRules { weekly: Some(1), ..KeepRules::default() };
    // Friday 1 January 2027 is in week 53 of 2026, with Monday 28 December.
    let sets = ["2027-01-01", "2026-12-28", "2026-12-27"].map(counts).to_vec();
    assert_eq!(kept(&decided(sets, &rules, "2027-01-01")), ["2027-01-01"]);
}

#[test]
fn as_long_as_there_are_too_few_for_a_rule_the_oldest_is_kept() {
    let rules = KeepRules { last: Some(2), monthly: Some(12), ..KeepRules::default() };
    let decision = decided(nights("2026-11-27", 20), &rules, "2026-11-27");
    assert_eq!(kept(&decision), ["2026-11-27", "2026-11-26", "2026-11-08"]);
    assert_eq!(reasons_of(&decision, "2026-11-08"), [Reason::Oldest]);
}

#[test]
fn the_oldest_set_is_named_once_however_many_rules_want_it() {
    let rules = KeepRules { daily: Some(30), weekly: Some(9), monthly: Some(12), ..KeepRules::default() };
    let decision = decided(nights("2026-11-27", 20), &rules, "2026-11-27");
    let oldest = reasons_of(&decision, "2026-11-08");
    assert_eq!(oldest.iter().filter(|reason| **reason == Reason::Oldest).count(), 1, "{oldest:?}");
}

#[test]
fn days_count_from_the_newest_set_that_counts_and_not_from_today() {
    let rules = KeepRules { within_days: Some(2), ..KeepRules::default() };
    let mut sets = nights("2026-11-25", 5);
    sets.push(without(SetState::Incomplete, "2026-11-26"));
    let decision = decided(sets, &rules, "2026-11-27");
    assert_eq!(kept(&decision), ["2026-11-26", "2026-11-25", "2026-11-24", "2026-11-23"]);
}

#[test]
fn failed_sets_take_no_place_of_good_ones() {
    let rules = KeepRules { last: Some(2), daily: Some(2), ..KeepRules::default() };
    let mut sets = ["2026-11-20", "2026-11-19", "2026-11-18"].map(counts).to_vec();
    let failed: Vec<_> = nights("2026-11-27", 7);
    sets.extend(failed.into_iter().map(|set| without(SetState::Incomplete, &set.name)));
    let decision = decided(sets, &rules, "2026-11-27");
    assert_eq!(kept(&decision), ["2026-11-27", "2026-11-26", "2026-11-20", "2026-11-19"]);
    assert_eq!(reasons_of(&decision, "2026-11-26"), [Reason::NotCounted]);
}

/// Full copies of the other server would fill the disk.
#[test]
fn a_server_that_fails_every_night_keeps_no_copies_of_the_others_beyond_the_rules() {
    let rules = KeepRules { last: Some(2), ..KeepRules::default() };
    let mut sets: Vec<_> = nights("2026-11-27", 20)
        .iter()
        .map(|night| incomplete(&night.name, &["gisapp01"], &["gisapp01"]))
        .collect();
    assert_eq!(kept(&decided(sets.clone(), &rules, "2026-11-27")), ["2026-11-27", "2026-11-26"]);
    // The last one of before has the only copy of the server that fails.
    let names = || ["gisapp01".to_owned(), "gisimg01".to_owned()].into();
    sets.push(SetFacts { verified_parts: names(), copied_parts: names(), ..counts("2026-11-01") });
    let decision = decided(sets, &rules, "2026-11-27");
    assert_eq!(kept(&decision), ["2026-11-27", "2026-11-26", "2026-11-01"]);
    assert_eq!(reasons_of(&decision, "2026-11-01"), [Reason::Last(1), Reason::NewestOfPart]);
}

#[test]
fn sets_that_are_never_recognized_as_an_export_follow_the_rules_and_the_newest_copy_stays() {
    let rules = KeepRules { last: Some(2), ..KeepRules::default() };
    let mut sets: Vec<_> =
        nights("2026-11-27", 9).iter().map(|night| incomplete(&night.name, &[], &["gisapp01"])).collect();
    assert_eq!(kept(&decided(sets.clone(), &rules, "2026-11-27")), ["2026-11-27", "2026-11-26"]);
    for (index, set) in sets.iter_mut().enumerate() {
        set.copied_parts = if index < 4 { BTreeSet::new() } else { ["gisapp01".to_owned()].into() };
    }
    let decision = decided(sets, &rules, "2026-11-27");
    assert_eq!(kept(&decision), ["2026-11-27", "2026-11-26", "2026-11-23"]);
    assert_eq!(reasons_of(&decision, "2026-11-23"), [Reason::NewestOfPart]);
}

#[test]
fn a_disk_is_full_at_the_first_run_whose_set_has_no_room_by_the_rules() {
    let full = |rules: &KeepRules, sets: &[SetFacts], free| {
        let sized = sets.iter().map(|set| (set.clone(), 10)).collect();
        let first = utc("2026-11-28").to_zoned(TimeZone::UTC);
        let runs = (0..).map(|day| (&first + jiff::Span::new().days(day)).timestamp());
        let full = full_at(sized, rules, DAY, free, runs, &TimeZone::UTC);
        full.map(|at| at.to_zoned(TimeZone::UTC).date().to_string())
    };
    let (none, two) = (KeepRules::default(), KeepRules { last: Some(2), ..KeepRules::default() });
    let sets = nights("2026-11-27", 2);
    assert_eq!(full(&none, &sets, 25).as_deref(), Some("2026-11-30"), "nothing is removed");
    assert_eq!(full(&two, &sets, 25), None);
    assert_eq!(full(&two, &sets, 9).as_deref(), Some("2026-11-28"), "a set is removed after the next one");
    let weekly = KeepRules { last: Some(1), weekly: Some(9), ..KeepRules::default() };
    assert_eq!(full(&weekly, &sets, 55).as_deref(), Some("2026-12-29"));
    assert_eq!(full(&none, &[], 25), None, "nothing is known of its size");
}

#[test]
fn sets_that_are_incomplete_fill_a_disk_like_all_others() {
    let nights = |parts: &[&str]| -> Vec<_> {
        let nights = nights("2026-11-27", 2);
        nights.iter().map(|night| (incomplete(&night.name, &[], parts), 10)).collect()
    };
    let full = |sets, rules: &KeepRules| {
        let first = utc("2026-11-28").to_zoned(TimeZone::UTC);
        let runs = (0..).map(|day| (&first + jiff::Span::new().days(day)).timestamp());
        let full = full_at(sets, rules, DAY, 25, runs, &TimeZone::UTC);
        full.map(|at| at.to_zoned(TimeZone::UTC).date().to_string())
    };
    let two = KeepRules { last: Some(2), ..KeepRules::default() };
    assert_eq!(full(nights(&["gisapp01"]), &two), None, "the rules remove them, too");
    assert_eq!(full(nights(&["gisapp01"]), &KeepRules::default()).as_deref(), Some("2026-11-30"));
    assert_eq!(full(nights(&[]), &two).as_deref(), Some("2026-11-30"), "nothing is removed without a copy");
}

#[test]
fn whatever_the_rules_say_pinned_rehearsed_and_the_newest_copy_of_each_part_stay() {
    let rules = KeepRules { last: Some(1), ..KeepRules::default() };
    let mut sets = nights("2026-11-27", 6);
    sets[1].is_pinned = true;
    sets[2].rehearsed = Some(utc("2026-11-25"));
    sets[3].rehearsed = Some(utc("2026-11-24"));
    sets[4] = incomplete("2026-11-23", &["gisimg01"], &["gisimg01"]);
    // Three that do not count are newer than the copy of gisimg01.
    let newer = ["2026-11-26T02", "2026-11-26T03", "2026-11-26T04"];
    sets.extend(
        newer.map(|name| SetFacts { name: name.to_owned(), ..without(SetState::Incomplete, "2026-11-26") }),
    );
    let decision = decided(sets, &rules, "2026-11-27");
    assert_eq!(reasons_of(&decision, "2026-11-26"), [Reason::Pinned]);
    assert_eq!(reasons_of(&decision, "2026-11-25"), [Reason::Rehearsed]);
    assert_eq!(reasons_of(&decision, "2026-11-24"), []);
    assert_eq!(reasons_of(&decision, "2026-11-23"), [Reason::NewestOfPart]);
    assert_eq!(reasons_of(&decision, "2026-11-22"), []);
}

#[test]
fn nothing_is_removed_without_a_rule_a_verified_set_or_a_clock_that_fits() {
    let one = KeepRules { last: Some(1), ..KeepRules::default() };
    let nothing = |sets: Vec<SetFacts>, rules: &KeepRules, now: &str| {
        let number = sets.len();
        let decision = decided(sets, rules, now);
        if decision.nothing.is_some() {
            assert_eq!(kept(&decision).len(), number);
        }
        decision.nothing
    };
    let ten = || nights("2026-11-27", 10);
    let failed: Vec<_> = ten().into_iter().map(|set| without(SetState::Incomplete, &set.name)).collect();
    let none = KeepRules { last: Some(0), daily: Some(0), ..KeepRules::default() };
    assert_eq!(nothing(ten(), &KeepRules::default(), "2026-11-27"), Some(NoRemoval::NoRule));
    assert_eq!(nothing(ten(), &none, "2026-11-27"), Some(NoRemoval::NoRule));
    assert_eq!(nothing(failed, &one, "2026-11-27"), Some(NoRemoval::NothingVerified));
    assert_eq!(nothing(ten(), &one, "2026-11-26"), Some(NoRemoval::ClockSetBack));
    assert_eq!(nothing(ten(), &one, "2026-11-30"), None);
    assert_eq!(nothing(ten(), &one, "2026-12-01"), Some(NoRemoval::NewestIsOld));
    assert_eq!(nothing(vec![], &one, "2026-11-27"), None);
}

/// Whatever the sets and rules are: what must never be removed is kept, and more rules keep more.
#[test]
fn no_rule_and_no_order_of_sets_removes_what_must_stay() {
    let mut seed = 0x5EED_u64;
    let mut random = |below: u64| {
        // Numbers that differ enough, and are the same in each run.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    for round in 0..2_000 {
        let sets: Vec<SetFacts> = (0..random(25))
            .map(|n| {
                let state = [SetState::Counts, SetState::Incomplete, SetState::Running];
                let verified: BTreeSet<String> = (0..random(3)).map(|part| part.to_string()).collect();
                let others = (0..random(3)).map(|part| (part + 1).to_string());
                let hours = i64::try_from(random(24 * 200)).unwrap();
                SetFacts {
                    name: n.to_string(),
                    at: utc("2026-11-27") - SignedDuration::from_hours(hours),
                    state: state[usize::try_from(random(3)).unwrap()],
                    copied_parts: verified.iter().cloned().chain(others).collect(),
                    verified_parts: verified,
                    is_pinned: random(9) == 0,
                    rehearsed: (random(5) == 0).then(|| utc("2026-11-27")),
                }
            })
            .collect();
        let mut some = |most| (random(2) == 0).then(|| u32::try_from(random(most)).unwrap());
        let rules = KeepRules {
            last: some(5),
            daily: some(5),
            weekly: some(5),
            monthly: some(5),
            within_days: some(50),
        };
        let decision = decided(sets.clone(), &rules, "2026-11-27");
        for (set, fate) in &decision.sets {
            if *fate != Fate::Removed {
                continue;
            }
            let others = || decision.sets.iter().filter(|(other, _)| other.name != set.name);
            assert!(!set.is_pinned && set.state != SetState::Running, "{round}");
            // A set that counts goes only for one that does.
            assert!(
                others().any(|(newer, fate)| {
                    newer.state == set.state && newer.at >= set.at && *fate != Fate::Removed
                }),
                "{round}: no newer set of its kind"
            );
            let copies: [fn(&SetFacts) -> &BTreeSet<String>; 2] =
                [|set| &set.verified_parts, |set| &set.copied_parts];
            for (of, part) in copies.iter().flat_map(|of| of(set).iter().map(move |part| (of, part))) {
                assert!(
                    others().any(|(newer, fate)| {
                        of(newer).contains(part) && newer.at >= set.at && *fate != Fate::Removed
                    }),
                    "{round}: no newer copy of part {part}"
                );
            }
        }
        let mut other = sets;
        other.reverse();
        assert_eq!(decided(other, &rules, "2026-11-27"), decision, "{round}: by the order of the folder");
        if decision.nothing == Some(NoRemoval::NoRule) {
            continue;
        }
        let more = KeepRules { last: Some(rules.last.unwrap_or(0) + 1), ..rules };
        let with_more =
            decided(decision.sets.iter().map(|(set, _)| set.clone()).collect(), &more, "2026-11-27");
        assert!(kept(&decision).iter().all(|name| kept(&with_more).contains(name)), "{round}");
    }
}

#[test]
fn a_clock_that_was_set_forward_for_one_run_removes_nothing_of_the_days_before() {
    let rules = KeepRules { within_days: Some(7), ..KeepRules::default() };
    let mut sets = nights("2026-11-29", 9);
    sets.push(counts("2028-01-03"));

    let decision = decided(sets.clone(), &rules, "2028-01-03");

    // Those that the rule keeps on the day before.
    assert_eq!(kept(&decision).len(), 1 + 8);
    // After a run that follows at once, the rule counts from the newest set again.
    sets.push(counts("2028-01-04"));
    assert_eq!(kept(&decided(sets, &rules, "2028-01-04")), ["2028-01-04", "2028-01-03"]);
}

#[test]
fn a_rule_that_is_not_known_is_no_rule_that_is_missing() {
    let rules = |name: &str| {
        let json = format!(r#"{{"last":1,"daily":null,"weekly":null,"{name}":12,"withinDays":null}}"#);
        serde_json::from_str::<KeepRules>(&json)
    };
    assert!(rules("monthly").is_ok());
    assert!(rules("monthlx").is_err(), "the sets of the months would be removed");
}
