//! Messages that all is well, after each start of the runner, against a model that is computed from the calendar alone.

use super::*;
use crate::alerts::state::about_nights;
use crate::all_well::night_that_ended;

/// Starts the runner until a day, and returns when the messages are sent.
async fn mornings(year: &Year, files: &RunnerFiles, plans: &[BackupPlan], until: Date) -> Vec<String> {
    let end = until.to_zoned(year.zone.clone()).unwrap().timestamp();
    let (mut now, mut told) = (year.now(), Vec::new());
    while now < end {
        year.set(now);
        if starts(&now.to_zoned(year.zone.clone())) {
            run(year, files, || plans.to_vec()).await;
            told.extend(message(year, files, plans));
        }
        now += SignedDuration::from_mins(30);
    }
    told
}

fn message(year: &Year, files: &RunnerFiles, plans: &[BackupPlan]) -> Option<String> {
    let now = year.now();
    let night = files.progress.read(|state| night_that_ended(plans, state, now, &year.zone));
    let open = files.alerts.open_night(night, now)?;
    assert_eq!(open.about, AlertAbout::AllWell);
    files.alerts.close(&about_nights(), &open);
    Some(now.to_zoned(year.zone.clone()).strftime("%m-%d %H:%M").to_string())
}

#[tokio::test]
async fn a_year_of_mornings_is_told_once_each_and_none_after_a_night_that_went_wrong() {
    let year = Year::from(date(2027, 1, 1), outcome);
    let (_folder, files) = files();
    let plans = [nightly(year.now(), false)];

    let told = mornings(&year, &files, &plans, date(2028, 1, 1)).await;

    let mut expected = Vec::new();
    for day in date(2027, 1, 1).series(1.day()).take_while(|day| day.year() == 2027) {
        let time = match (day.month(), day.day()) {
            // Off, rejected, and without a network.
            (6, 7..=13) | (7, _) | (9, 1 | 2) => continue,
            // The clock shows no 02:30.
            (3, 28) => "04:00",
            (6, 14) => "10:00",
            (9, 3) => "12:00",
            _ => "02:30",
        };
        expected.push(format!("{} {time}", day.strftime("%m-%d")));
    }
    assert_eq!(told, expected);
}

/// Fails in the night that ends on the day of the month that has the number of the month.
fn night_fails(at: &jiff::Zoned) -> Outcome {
    if at.day() == at.month() && at.hour() < 12 { Outcome::Unknown } else { Outcome::Verified }
}

fn evening_fails(at: &jiff::Zoned) -> Outcome {
    if at.day() == at.month() && at.hour() > 12 { Outcome::Failed } else { Outcome::Verified }
}

#[tokio::test]
async fn one_message_tells_of_the_evening_and_the_night_and_none_where_one_of_them_failed() {
    for month in 1..=7 {
        for (outcome, missing) in
            [(night_fails as fn(&jiff::Zoned) -> Outcome, month), (evening_fails, month + 1)]
        {
            let year = Year::from(date(2027, month, 1), outcome);
            let (_folder, files) = files();
            let night = nightly(year.now(), false);
            let mut evening = BackupPlan { id: PlanId("evening".to_owned()), ..night.clone() };
            evening.schedule.times = vec![TimeOfDay { hour: 22, minute: 0 }];

            let told = mornings(&year, &files, &[evening, night], date(2027, month, 7)).await;

            let days = (1..=6).filter(|day| *day != missing);
            let expected: Vec<_> = days.map(|day| format!("{month:02}-{day:02} 02:30")).collect();
            assert_eq!(told, expected);
        }
    }
}

#[tokio::test]
async fn a_time_that_was_left_out_has_no_message() {
    let year = Year::from(date(2027, 6, 1), |_| Outcome::Verified);
    let (_folder, files) = files();
    let plans = [nightly(year.now(), true)];
    let midnight = year.now();
    let mut told = Vec::new();
    // Switched on at nine on the second day.
    for hours in [3, 33, 51] {
        year.set(midnight + hours.hours());
        run(&year, &files, || plans.to_vec()).await;
        told.extend(message(&year, &files, &plans));
    }
    assert_eq!(told, ["06-01 03:00", "06-03 03:00"]);
}

#[tokio::test]
async fn a_clock_that_showed_another_year_keeps_back_no_later_morning() {
    let year = Year::from(date(2030, 6, 1), |_| Outcome::Verified);
    let (_folder, files) = files();
    let plans = [nightly(year.now(), false)];
    let mut told = Vec::new();
    for now in ["2030-06-01T01:00:00Z", "2027-06-02T10:00:00Z", "2027-06-03T00:30:00Z"] {
        year.set(now.parse().unwrap());
        run(&year, &files, || plans.to_vec()).await;
        told.extend(message(&year, &files, &plans));
    }
    assert_eq!(told, ["06-01 03:00", "06-03 02:30"]);
}

#[tokio::test]
async fn a_runner_that_was_killed_while_it_sent_leaves_the_message_to_the_next_start_unless_something_is_wrong_since()
 {
    let (_folder, files) = files();
    let (night, now) = (Some(date(2027, 6, 2)), "2027-06-02T02:30:00Z".parse().unwrap());
    let opened = || AlertStore::open(&files.data_folder);

    let sent = opened().open_night(night, now).unwrap();

    let again = opened();
    assert!(again.may_tell_night(night, now));
    assert_eq!(again.open_night(night, now), Some(sent.clone()), "the same identifier");
    again.close(&about_nights(), &sent);
    assert!(!opened().may_tell_night(night, now));
    assert_eq!(opened().open_night(night, now), None, "once each night");

    let next = Some(date(2027, 6, 3));
    assert!(opened().open_night(next, now).is_some());
    assert_eq!(opened().open_night(None, now), None);
    assert_eq!(opened().open_night(next, now), None, "it was not well any more");
}

#[test]
fn a_night_that_was_told_is_not_told_again_by_an_earlier_one() {
    let (_folder, files) = files();
    let now = "2027-06-03T02:30:00Z".parse().unwrap();
    let tell = |night| files.alerts.open_night(Some(night), now);
    let sent = tell(date(2027, 6, 3)).unwrap();
    files.alerts.close(&about_nights(), &sent);

    // The plan of that night was paused, or the computer is in another zone.
    let earlier = date(2027, 6, 2);
    assert!(!files.alerts.may_tell_night(Some(earlier), now));
    assert_eq!(tell(earlier), None);
    assert_eq!(tell(date(2027, 6, 3)), None);
    assert!(tell(date(2027, 6, 4)).is_some());
}

#[tokio::test]
async fn a_night_in_which_a_plan_failed_is_not_well_because_that_plan_was_paused_since() {
    for (outcome, expected) in [
        (evening_fails as fn(&jiff::Zoned) -> Outcome, None),
        (|_| Outcome::Verified, Some(date(2027, 6, 7))),
    ] {
        let year = Year::from(date(2027, 6, 6), outcome);
        let (_folder, files) = files();
        let night = nightly(year.now(), false);
        let mut evening = BackupPlan { id: PlanId("evening".to_owned()), ..night.clone() };
        evening.schedule.times = vec![TimeOfDay { hour: 22, minute: 0 }];
        let (plans, midnight) = ([evening, night.clone()], year.now());
        for hours in [3, 22, 27] {
            year.set(midnight + hours.hours());
            run(&year, &files, || plans.to_vec()).await;
        }

        let told = files.progress.read(|state| night_that_ended(&[night], state, year.now(), &year.zone));

        assert_eq!(told, expected);
    }
}
