//! When an alert about what expires is due. What the functions return depends on their arguments only.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use steward_core::model::expiry::{Expiring, Expiry};
use steward_core::model::numbers::Millis;

/// Time after which an alert about what has expired is repeated.
const AGAIN: SignedDuration = SignedDuration::from_hours(24);

/// Setback of the clock up to which earlier alerts still count.
const CORRECTION: SignedDuration = SignedDuration::from_hours(1);

/// Alerts so far about what expires on a site. A renewal has another end and thus another key, so that its alerts begin
/// anew.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ToldExpiries(BTreeMap<String, ToldExpiry>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct ToldExpiry {
    step: Step,
    at: Millis,
}

/// How near an end is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Step {
    Month,
    Week,
    Day,
    Over,
}

/// Returns whether an alert names something.
pub(crate) fn is_told(expiry: &Expiry) -> bool {
    step(expiry).is_some()
}

/// Returns how near an expiration is; `None` if no alert is due yet, or any more.
fn step(expiry: &Expiry) -> Option<Step> {
    let left = expiry.days_left();
    match expiry.what {
        // An expired session or invitation cannot be renewed: a new one is made when it is needed.
        Expiring::Session { .. } | Expiring::Invitation { .. } if expiry.is_over => None,
        // An invitation is valid for three days, so that the earlier steps would always apply.
        Expiring::Invitation { .. } => (left <= 1).then_some(Step::Day),
        _ if expiry.is_over => Some(Step::Over),
        _ => [(1, Step::Day), (7, Step::Week), (30, Step::Month)]
            .into_iter()
            .find_map(|(days, step)| (left <= days).then_some(step)),
    }
}

/// Returns whether an alert about a site is due, and notes it: each step once, and what has expired once a day.
pub(super) fn decide(told: &mut ToldExpiries, expiries: &[Expiry], now: Timestamp) -> bool {
    let before = std::mem::take(&mut told.0);
    let mut is_due = false;
    for expiry in expiries {
        let Some(step) = step(expiry) else { continue };
        let key = key(expiry);
        let since = |last: &ToldExpiry| now.duration_since(last.at.timestamp());
        // An alert from the future was sent by a clock that was ahead, and might have been about a step that is still
        // to come.
        let last = before.get(&key).copied().filter(|last| since(last) >= -CORRECTION);
        let is_news =
            last.is_none_or(|last| step > last.step || (step == Step::Over && since(&last) >= AGAIN));
        let noted = match last {
            Some(last) if !is_news => last,
            _ => ToldExpiry { step, at: Millis::from(now) },
        };
        told.0.insert(key, noted);
        is_due |= is_news;
    }
    is_due
}

/// Returns a key that differs from that of anything else that expires on the site, and from that of its own renewal.
fn key(Expiry { server, what, at, .. }: &Expiry) -> String {
    let server = server.as_ref().map(|server| server.0.as_str()).unwrap_or_default();
    let what = match what {
        // The names of the licenses are left out: they might be returned in another order.
        Expiring::License { .. } => "license".to_owned(),
        Expiring::Session { .. } => "session".to_owned(),
        Expiring::Presented { host } => format!("presented {host}"),
        Expiring::Machine { machine, .. } => format!("machine {machine}"),
        Expiring::Authority { subject } => format!("authority {subject}"),
        Expiring::Client { subject } => format!("client {subject}"),
        Expiring::Invitation { collaboration, guest } => format!("invitation {collaboration} {guest}"),
    };
    format!("{} {server} {what}", at.0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use steward_core::expiry::of_site;
    use steward_core::model::checked::ComponentChecks;
    use steward_core::model::ids::SiteId;
    use steward_core::sites::{Site, SiteForm, Sites};

    use super::*;
    use crate::alerts::state::AlertStore;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn expiry(what: Expiring, end: &str, now: Timestamp, plan_a_day_early: bool) -> Expiry {
        let end = at(end);
        let day = |at: Timestamp| at.to_zoned(jiff::tz::TimeZone::UTC).date();
        Expiry {
            site: SiteId("city".to_owned()),
            server: None,
            what,
            at: end.into(),
            day: day(end).to_string(),
            zone: None,
            plan_for: plan_a_day_early.then(|| day(end).yesterday().unwrap().to_string()),
            days: day(now).until((jiff::Unit::Day, day(end))).unwrap().get_days(),
            is_over: end <= now,
            checked_at: None,
        }
    }

    fn license() -> Expiring {
        Expiring::License { names: vec!["Image".to_owned()] }
    }

    /// Returns the days on which alerts are sent if the runner is started each hour.
    fn days(what: &Expiring, end: &str, from: &str, until: &str, plan_a_day_early: bool) -> Vec<String> {
        let (mut told, mut now, mut days) = (ToldExpiries::default(), at(from), Vec::new());
        while now < at(until) {
            if decide(&mut told, &[expiry(what.clone(), end, now, plan_a_day_early)], now) {
                days.push(now.to_zoned(jiff::tz::TimeZone::UTC).date().to_string());
            }
            now += SignedDuration::from_hours(1);
        }
        days
    }

    #[test]
    fn what_expires_is_told_once_at_30_and_7_and_1_days_and_daily_after_its_end() {
        let told =
            days(&license(), "2027-06-30T00:00:00Z", "2027-05-01T00:30:00Z", "2027-07-02T12:00:00Z", false);
        assert_eq!(
            told,
            ["2027-05-31", "2027-06-23", "2027-06-29", "2027-06-30", "2027-07-01", "2027-07-02"]
        );
    }

    #[test]
    fn where_the_time_zone_is_not_known_each_alert_is_a_day_early() {
        let told =
            days(&license(), "2027-06-30T04:00:00Z", "2027-05-01T00:30:00Z", "2027-06-30T00:00:00Z", true);
        assert_eq!(told, ["2027-05-30", "2027-06-22", "2027-06-28"]);
    }

    /// A site whose server has a license that expires then, and this time zone.
    fn licensed(zone: &str, end: Timestamp) -> (Site, ComponentChecks) {
        let folder = tempfile::tempdir().unwrap();
        let sites = Sites::open(&folder.path().join("sites.json")).unwrap();
        let site = sites.save(&SiteForm::of("City", "", "https://gis.example.org/server")).unwrap();
        let server = &site.servers[0];
        let license = json!({ "name": "Image", "expiresAt": Millis::from(end).0 });
        let known = json!({ "value": [license], "checkedAt": 0, "failedAt": null });
        let checks = json!({
            "target": { "site": site.id, "server": server.id },
            "address": server.address,
            "expiries": { "timeZone": zone, "licenses": { "checked": known, "gap": null } },
        });
        (site, serde_json::from_value(checks).unwrap())
    }

    #[test]
    fn each_alert_is_sent_with_the_first_start_of_its_day_in_the_zone_of_the_site_and_on_no_day_beside_it() {
        let end = at("2027-06-30T04:00:00Z");
        for (zone, last) in [
            ("Pacific/Honolulu", "2027-06-29"),
            ("America/New_York", "2027-06-30"),
            ("Etc/UTC", "2027-06-30"),
            ("Europe/Berlin", "2027-06-30"),
            ("Asia/Kolkata", "2027-06-30"),
            ("Pacific/Kiritimati", "2027-06-30"),
        ] {
            let (site, checks) = licensed(zone, end);
            let (mut told, mut sent) = (ToldExpiries::default(), Vec::new());
            let mut now = at("2027-05-20T00:00:00Z");
            while now < end {
                let expiries = of_site(&site, std::slice::from_ref(&checks), &[], now);
                assert_eq!(expiries[0].day, last, "{zone}");
                if decide(&mut told, &expiries, now) {
                    sent.push(now.to_zoned(jiff::tz::TimeZone::get(zone).unwrap()));
                }
                // Some zones begin at half an hour of UTC.
                now += SignedDuration::from_mins(30);
            }
            let last: jiff::civil::Date = last.parse().unwrap();
            let days = [30_i32, 7, 1].map(|days| last.saturating_sub(jiff::ToSpan::days(days)));
            assert_eq!(sent.iter().map(jiff::Zoned::date).collect::<Vec<_>>(), days, "{zone}");
            assert!(sent.iter().all(|at| at.time() == jiff::civil::Time::midnight()), "{zone}: {sent:?}");
        }
    }

    #[test]
    fn a_session_and_an_invitation_are_not_told_after_their_end() {
        let session = Expiring::Session { username: "ops".to_owned(), plans: Vec::new() };
        let (from, until) = ("2027-06-01T00:30:00Z", "2027-07-10T00:00:00Z");
        let told = days(&session, "2027-06-30T10:00:00Z", from, until, false);
        assert_eq!(told, ["2027-06-01", "2027-06-23", "2027-06-29"]);
        let invitation = Expiring::Invitation { collaboration: String::new(), guest: String::new() };
        assert_eq!(days(&invitation, "2027-06-30T10:00:00Z", from, until, false), ["2027-06-29"]);
    }

    #[test]
    fn a_renewal_begins_anew_and_what_is_first_seen_late_is_told_once() {
        let (mut told, now) = (ToldExpiries::default(), at("2027-06-28T08:00:00Z"));
        let decide =
            |told: &mut ToldExpiries, end, now| decide(told, &[expiry(license(), end, now, false)], now);
        assert!(decide(&mut told, "2027-07-03T00:00:00Z", now), "5 days");
        assert!(!decide(&mut told, "2027-07-03T00:00:00Z", now + SignedDuration::from_hours(1)));
        assert!(!decide(&mut told, "2028-07-03T00:00:00Z", now + SignedDuration::from_hours(2)), "renewed");
        assert!(
            decide(&mut told, "2027-07-03T00:00:00Z", now + SignedDuration::from_hours(3)),
            "and taken back"
        );
    }

    #[test]
    fn an_alert_that_reached_no_channel_is_dropped_when_nothing_expires_any_more() {
        let folder = tempfile::tempdir().unwrap();
        let (alerts, site) = (AlertStore::open(folder.path()), SiteId("city".to_owned()));
        let now = at("2027-06-28T08:00:00Z");
        let expiries = [expiry(license(), "2027-07-03T00:00:00Z", now, false)];
        let open = alerts.open_expiring(&site, now, &expiries);
        assert!(open.is_some());
        assert_eq!(alerts.open_expiring(&site, now, &expiries), open, "sent again");
        assert_eq!(alerts.open_expiring(&site, now, &[]), None);
    }

    #[test]
    fn what_was_told_by_a_clock_that_was_ahead_is_told_again_at_its_time() {
        let mut told = ToldExpiries::default();
        for (now, is_due) in [
            ("2027-06-01T08:00:00Z", true),
            // The clock is ahead by weeks, so that the license seems to have expired.
            ("2027-07-20T08:00:00Z", true),
            ("2027-06-02T08:00:00Z", true),
            ("2027-06-03T08:00:00Z", false),
            ("2027-06-24T08:00:00Z", true),
            ("2027-06-29T08:00:00Z", true),
            ("2027-06-30T08:00:00Z", true),
        ] {
            let now = at(now);
            let due = decide(&mut told, &[expiry(license(), "2027-06-30T00:00:00Z", now, false)], now);
            assert_eq!(due, is_due, "{now}");
        }
    }

    #[test]
    fn a_clock_that_showed_another_year_silences_nothing_that_has_expired() {
        let mut told = ToldExpiries::default();
        let decide = |told: &mut ToldExpiries, now| {
            decide(told, &[expiry(license(), "2027-01-01T00:00:00Z", now, false)], now)
        };
        assert!(decide(&mut told, at("2030-01-01T00:00:00Z")));
        assert!(decide(&mut told, at("2027-06-01T00:00:00Z")));
        assert!(!decide(&mut told, at("2027-06-01T01:00:00Z")));
    }
}
