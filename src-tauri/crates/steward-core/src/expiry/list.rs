//! The list of what expires on a site. What it returns depends on its arguments only.

use std::collections::BTreeMap;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use url::Url;

use crate::access::checked_facts::find;
use crate::model::checked::{CheckedCertificate, CheckedSessionEnd, ComponentChecks};
use crate::model::expiry::{DifferentCertificates, Expiring, Expiry};
use crate::model::ids::ServerId;
use crate::model::numbers::Millis;
use crate::sites::{Site, TargetSite};

/// Number of days before something is listed.
pub const LISTED_DAYS: i32 = 60;

/// Number of days before something needs attention.
pub const WEEK: i32 = 7;

const DAY: i64 = 24 * 60 * 60 * 1000;

/// Shortest life of a session that is listed although no plan needs it, in milliseconds. A shorter one is begun anew each time it is
/// needed.
const LONG: i64 = 7 * DAY;

/// Time for which an expired authority is listed, in milliseconds. A file can have old ones that nothing uses.
const OLD: i64 = 30 * DAY;

/// Longest time between the ends of two certificates that might be the same one, where the time zone of one is not known, in
/// milliseconds.
const ANY_ZONE: i64 = 26 * 60 * 60 * 1000;

/// Sessions that a backup plan needs.
#[derive(Debug, Clone)]
pub struct NeededSession {
    /// Name of the plan.
    pub plan: String,
    /// Its parts; `None` for the portal.
    pub parts: Vec<Option<ServerId>>,
}

/// Returns what expires on a site within [`LISTED_DAYS`], or has expired, by the last checks and in the order in which it
/// expires. `needed` are the sessions that its backup plans need.
#[must_use]
pub fn of_site(
    site: &Site,
    checks: &[ComponentChecks],
    needed: &[NeededSession],
    now: Timestamp,
) -> Vec<Expiry> {
    let mut list = List { site, now, found: Vec::new() };
    let components = site.components();
    let checked = components.iter().filter_map(|component| Some((component, find(checks, component)?)));
    let checked: Vec<_> = checked.collect();
    for (component, checks) in &checked {
        list.licenses(component, checks);
        list.certificates(component, checks);
        list.invitations(component, checks);
    }
    list.sessions(&checked, needed);
    let List { mut found, .. } = list;
    found.retain(|expiry| expiry.days_left() <= LISTED_DAYS);
    found.sort_by_key(|expiry| expiry.at.0);
    found
}

struct List<'a> {
    site: &'a Site,
    now: Timestamp,
    found: Vec<Expiry>,
}

/// How well a time is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// To the second.
    Exactly,
    /// To the day, in the time zone of the site.
    AsADay,
    /// The site returned a text without a known time zone.
    Roughly,
}

impl List<'_> {
    fn licenses(&mut self, component: &TargetSite, checks: &ComponentChecks) {
        let fact = &checks.expiries.licenses.checked;
        let mut together: BTreeMap<i64, Vec<String>> = BTreeMap::new();
        for license in fact.value.iter().flatten() {
            let names = together.entry(license.expires_at.0).or_default();
            if !license.name.is_empty() && !names.contains(&license.name) {
                names.push(license.name.clone());
            }
        }
        for (at, names) in together {
            self.add(
                (component, checks),
                Expiring::License { names },
                (Millis(at), Known::AsADay),
                fact.checked_at,
            );
        }
    }

    fn certificates(&mut self, component: &TargetSite, checks: &ComponentChecks) {
        let of = (component, checks);
        let presented = checks.certificate.value;
        if let Some(at) = presented {
            self.presented(of, host_of(&checks.address), at, checks.certificate.checked_at);
        }
        let fact = &checks.expiries.services_url.checked;
        for one in fact.value.iter().flatten() {
            if let Some(at) = one.expires_at {
                self.presented(of, one.host.clone(), at, fact.checked_at);
            }
        }
        let fact = &checks.expiries.machine_certificates.checked;
        for one in fact.value.iter().flatten() {
            let differs = differs(one);
            // One that expires with the presented one is the same certificate.
            if differs.is_none() && Some(one.expires_at) == presented {
                continue;
            }
            let own = (one.expires_at, if one.is_exact { Known::Exactly } else { Known::Roughly });
            let shown = differs.as_ref().map(|differs| (differs.presented_until, Known::Exactly));
            let first = shown.filter(|(at, _)| *at < own.0).unwrap_or(own);
            let (machine, alias) = (one.machine.clone(), one.alias.clone());
            self.add(of, Expiring::Machine { machine, alias, differs }, first, fact.checked_at);
        }
        let fact = &checks.expiries.own_certificates.checked;
        for one in fact.value.iter().flatten() {
            let subject = one.subject.clone();
            let is_old = one.expires_at.0 < self.now.as_millisecond() - OLD;
            let what = match one.is_client {
                true => Expiring::Client { subject },
                false if is_old => continue,
                false => Expiring::Authority { subject },
            };
            self.add(of, what, (one.expires_at, Known::Exactly), fact.checked_at);
            // The certificate is used for the whole site.
            if let Some(added) = self.found.last_mut() {
                added.server = None;
            }
        }
    }

    fn presented(
        &mut self,
        of: (&TargetSite, &ComponentChecks),
        host: String,
        at: Millis,
        checked_at: Option<Millis>,
    ) {
        let what = Expiring::Presented { host };
        // Components behind one web adaptor present the same one.
        if !self.found.iter().any(|one| one.what == what && one.at == at) {
            self.add(of, what, (at, Known::Exactly), checked_at);
        }
    }

    fn invitations(&mut self, component: &TargetSite, checks: &ComponentChecks) {
        for one in checks.invitations.value.iter().flatten() {
            let (collaboration, guest) = (one.collaboration.clone(), one.guest.clone());
            let what = Expiring::Invitation { collaboration, guest };
            self.add(
                (component, checks),
                what,
                (one.expires_at, Known::Exactly),
                checks.invitations.checked_at,
            );
        }
    }

    /// Adds the sessions. Servers that are reached through the portal have its session, which is listed once.
    fn sessions(&mut self, checked: &[(&TargetSite, &ComponentChecks)], needed: &[NeededSession]) {
        let mut together: BTreeMap<i64, Vec<(&TargetSite, &ComponentChecks)>> = BTreeMap::new();
        for (component, checks) in checked {
            let is_signed_in =
                checks.session.value.as_ref().is_some_and(|session| session.username.is_some());
            let is_needed = needed.iter().any(|needed| needed.parts.contains(&component.target().server));
            let shortest = if is_needed { DAY } else { LONG };
            let is_listed =
                |end: &CheckedSessionEnd| is_signed_in && end.at.0.saturating_sub(end.seen_at.0) >= shortest;
            if let Some(end) = checks.expiries.session.filter(is_listed) {
                together.entry(end.at.0).or_default().push((component, checks));
            }
        }
        for (at, components) in together {
            let Some(&first) = components.first() else { continue };
            let is_part = |server: &Option<ServerId>| {
                components.iter().any(|(component, _)| component.target().server == *server)
            };
            let plans = needed.iter().filter(|needed| needed.parts.iter().any(is_part));
            let session = first.1.session.value.as_ref();
            let username = session.and_then(|session| session.username.clone()).unwrap_or_default();
            let what =
                Expiring::Session { username, plans: plans.map(|needed| needed.plan.clone()).collect() };
            self.add(first, what, (Millis(at), Known::Exactly), first.1.session.checked_at);
        }
    }

    fn add(
        &mut self,
        (component, checks): (&TargetSite, &ComponentChecks),
        what: Expiring,
        (at, known): (Millis, Known),
        checked_at: Option<Millis>,
    ) {
        let zone = checks.expiries.time_zone.clone();
        let found = zone.as_deref().and_then(|name| TimeZone::get(name).ok());
        let zone = zone.filter(|_| found.is_some());
        let is_certain = match known {
            Known::Exactly => true,
            Known::AsADay => zone.is_some(),
            Known::Roughly => false,
        };
        let time_zone = found.unwrap_or(TimeZone::UTC);
        let day = at.timestamp().to_zoned(time_zone.clone()).date();
        let today = self.now.to_zoned(time_zone).date();
        self.found.push(Expiry {
            site: self.site.id.clone(),
            server: component.target().server,
            what,
            at,
            day: day.to_string(),
            zone,
            plan_for: (!is_certain).then(|| day.saturating_sub(1.day()).to_string()),
            days: days_between(today, day),
            is_over: at.timestamp() <= self.now,
            checked_at,
        });
    }
}

/// Returns the certificate of a machine and the one that its port presents, if they are not the same. Only their times of
/// expiration are compared, because some versions return nothing else.
fn differs(own: &CheckedCertificate) -> Option<DifferentCertificates> {
    let presented = own.presented.as_ref()?;
    let presented_until = presented.expires_at?;
    let between = (presented_until.0 - own.expires_at.0).abs();
    // Sites return milliseconds, and a certificate has seconds.
    let might_be_same = if own.is_exact { between < 1000 } else { between <= ANY_ZONE };
    let (host, own_until) = (presented.host.clone(), own.expires_at);
    (!might_be_same).then_some(DifferentCertificates { host, presented_until, own_until })
}

fn days_between(today: Date, day: Date) -> i32 {
    let span = today.until((jiff::Unit::Day, day));
    // Between any two dates of the calendar, the number fits.
    span.map_or(i32::MAX, |span| span.get_days())
}

fn host_of(address: &str) -> String {
    Url::parse(address).map_or_else(|_| address.to_owned(), |url| host_and_port(&url))
}

/// Returns the host of an address, with the port that its certificate is presented at.
pub(super) fn host_and_port(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

#[cfg(test)]
mod tests;
