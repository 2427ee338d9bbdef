//! What expires, in words for an alert.

use steward_core::model::expiry::{Expiring, Expiry};
use steward_core::model::localized_text::Texts;
use steward_core::sites::Site;
use url::Url;

/// Returns what expires and when, as a sentence.
pub(super) fn text(site: &Site, expiry: &Expiry, texts: &Texts) -> String {
    let of = match &expiry.server {
        Some(server) => site.name_of_server(server).unwrap_or_default(),
        None => {
            let portal = site.portal.as_ref().map(|portal| &portal.address);
            portal.map_or_else(
                || site.name.clone(),
                |url| format!("{}{}", url.host_str().unwrap_or_default(), url.path().trim_end_matches('/')),
            )
        }
    };
    let (kind, of, detail) = match &expiry.what {
        Expiring::License { .. } => ("license", of, String::new()),
        Expiring::Presented { host } => ("certificate", host.clone(), String::new()),
        Expiring::Machine { machine, alias, .. } if machine.is_empty() => ("machine", of, alias.clone()),
        Expiring::Machine { machine, alias, .. } => ("machine", machine.clone(), alias.clone()),
        Expiring::Authority { subject } => ("authority", subject.clone(), String::new()),
        Expiring::Client { subject } => ("client", subject.clone(), String::new()),
        Expiring::Session { username, plans } if plans.is_empty() => ("session", of, username.clone()),
        Expiring::Session { plans, .. } => ("planSession", plans.join(", "), String::new()),
        Expiring::Invitation { guest, .. } => {
            let host = Url::parse(guest).ok().and_then(|url| url.host_str().map(str::to_owned));
            ("invitation", host.unwrap_or_else(|| guest.clone()), String::new())
        }
    };
    let what = texts.say(&format!("alert.expires.{kind}"), &[("of", &of), ("detail", &detail)]);
    let zone = expiry.zone.as_deref().unwrap_or("UTC");
    let when = if expiry.is_over { "over" } else { "on" };
    let day =
        texts.say(&format!("alert.expires.{when}"), &[("what", &what), ("day", &expiry.day), ("zone", zone)]);
    let day = match zone {
        "UTC" => day,
        _ => {
            let at = expiry.at.timestamp().strftime("%Y-%m-%d %H:%M").to_string();
            texts.say("alert.expires.utc", &[("sentence", &day), ("at", &at)])
        }
    };
    let day = match &expiry.what {
        Expiring::Machine { differs: Some(differs), .. } => {
            texts.say("alert.expires.differs", &[("sentence", &day), ("host", &differs.host)])
        }
        _ => day,
    };
    match &expiry.plan_for {
        Some(earlier) if !expiry.is_over => {
            texts.say("alert.expires.early", &[("sentence", &day), ("day", earlier)])
        }
        _ => day,
    }
}

/// Returns what stops when it expires, as a sentence.
pub(super) fn stops(expiry: &Expiry, texts: &Texts) -> String {
    let kind = match &expiry.what {
        Expiring::License { .. } if expiry.server.is_none() => "portalLicense",
        Expiring::License { .. } => "serverLicense",
        Expiring::Presented { .. } => "presented",
        Expiring::Machine { .. } => "machine",
        Expiring::Authority { .. } => "authority",
        Expiring::Client { .. } => "client",
        Expiring::Session { plans, .. } if plans.is_empty() => "session",
        Expiring::Session { .. } => "planSession",
        Expiring::Invitation { .. } => "invitation",
    };
    texts.say(&format!("alert.expires.stops.{kind}"), &[])
}

#[cfg(test)]
mod tests {
    use steward_core::model::ids::{ServerId, SiteId};
    use steward_core::model::numbers::Millis;

    use super::*;

    #[test]
    fn each_kind_says_in_every_language_what_stops_then() {
        let named = || "x".to_owned();
        let session = |plans| Expiring::Session { username: named(), plans };
        let kinds = [
            Expiring::License { names: Vec::new() },
            Expiring::Presented { host: named() },
            Expiring::Machine { machine: named(), alias: named(), differs: None },
            Expiring::Authority { subject: named() },
            Expiring::Client { subject: named() },
            session(Vec::new()),
            session(vec![named()]),
            Expiring::Invitation { collaboration: named(), guest: named() },
        ];
        let of_server = |server: &Option<ServerId>, what: &Expiring| Expiry {
            site: SiteId(named()),
            server: server.clone(),
            what: what.clone(),
            at: Millis(0),
            day: "1970-01-01".to_owned(),
            zone: None,
            plan_for: None,
            days: 0,
            is_over: false,
            checked_at: None,
        };
        let mut all = std::collections::HashSet::new();
        for (server, what) in [None, Some(ServerId(named()))]
            .iter()
            .flat_map(|server| kinds.iter().map(move |what| (server, what)))
        {
            for language in ["en", "de", "es"] {
                let said = stops(&of_server(server, what), &Texts::of(language));
                assert!(!said.contains("alert."), "a text is missing: {said}");
                all.insert(said);
            }
        }
        assert_eq!(
            all.len(),
            3 * (kinds.len() + 1),
            "a license of a portal and one of a server differ: {all:#?}"
        );
    }
}
