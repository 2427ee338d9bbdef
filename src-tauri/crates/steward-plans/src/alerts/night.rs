//! Facts about a site in the message that all is well, and their texts.

use jiff::tz::TimeZone;
use serde::{Serialize, Serializer};
use steward_core::model::localized_text::Texts;
use steward_core::model::numbers::Millis;

/// A site after a night in which its plans ran as expected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SiteNight {
    /// Name of the site.
    pub name: String,
    /// Last run of each plan that runs by its schedule and has run; none without such a plan.
    pub plans: Vec<PlanNight>,
    /// Services of its servers, by the last check; `None` if they are not known.
    pub services: Option<CheckedServices>,
    /// Whether it has a server.
    #[serde(skip)]
    pub has_server: bool,
}

/// Last run of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanNight {
    /// Name of the plan.
    pub name: String,
    /// When the run began.
    #[serde(serialize_with = "utc")]
    pub at: Millis,
    /// Names of the parts that are not verified on this computer, because the plan does not expect it.
    pub unverified: Vec<String>,
    /// Names of the parts whose export ended with warnings of the site.
    pub warned: Vec<String>,
}

/// Services that are set to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckedServices {
    /// How many are set to run.
    pub should_run: u32,
    /// How many of them run.
    pub running: u32,
    /// Time of the check; that of the earliest one if there are several servers.
    #[serde(serialize_with = "utc")]
    pub checked_at: Millis,
}

pub(super) fn utc<S: Serializer>(at: &Millis, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&at.timestamp().to_string())
}

impl SiteNight {
    /// Returns the text: a line for each plan, and one for the services.
    pub(super) fn lines(&self, texts: &Texts, zone: &TimeZone) -> Vec<String> {
        let site = ("site", self.name.as_str());
        let plan = |plan: &PlanNight| {
            let parts = plan.unverified.join(", ");
            let key = if parts.is_empty() { "verified" } else { "partly" };
            let given =
                [site, ("plan", plan.name.as_str()), ("at", &local(plan.at, zone)), ("parts", &parts)];
            let line = texts.say(&format!("alert.allWell.{key}"), &given);
            with_warnings(line, &plan.warned, texts)
        };
        let mut lines: Vec<_> = self.plans.iter().map(plan).collect();
        if lines.is_empty() {
            lines.push(texts.say("alert.allWell.noPlan", &[site]));
        }
        match self.services {
            _ if !self.has_server => {}
            None => lines.push(texts.say("alert.allWell.servicesUnknown", &[site])),
            Some(CheckedServices { should_run, running, checked_at }) => {
                let (running, all) = (running.to_string(), should_run.to_string());
                let given = [site, ("running", &running), ("all", &all), ("at", &local(checked_at, zone))];
                lines.push(texts.say("alert.allWell.services", &given));
            }
        }
        lines
    }
}

/// Returns a line about a verified set with the parts whose export ended with warnings.
pub(super) fn with_warnings(line: String, parts: &[String], texts: &Texts) -> String {
    match parts {
        [] => line,
        parts => texts.say("alert.withWarnings", &[("line", &line), ("parts", &parts.join(", "))]),
    }
}

/// Returns a local time in a format that is the same in every language.
pub(super) fn local(at: Millis, zone: &TimeZone) -> String {
    at.timestamp().to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M %:z").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(site: &SiteNight) -> Vec<String> {
        // Removes the Unicode characters that isolate names from the text around them.
        let lines = site.lines(&Texts::of("en"), &TimeZone::UTC);
        lines.iter().map(|line| line.replace(['\u{2068}', '\u{2069}'], "")).collect()
    }

    #[test]
    fn what_is_not_known_of_a_site_is_said() {
        let at = Millis("2027-06-02T02:00:00Z".parse::<jiff::Timestamp>().unwrap().as_millisecond());
        let plan = |unverified: &[&str]| PlanNight {
            name: "Nightly".to_owned(),
            at,
            unverified: unverified.iter().map(|part| (*part).to_owned()).collect(),
            warned: Vec::new(),
        };
        let site = |plans, services, has_server| SiteNight {
            name: "Harbour".to_owned(),
            plans,
            services,
            has_server,
        };
        let services = CheckedServices { should_run: 212, running: 212, checked_at: at };
        assert_eq!(
            lines(&site(vec![plan(&[])], Some(services), true)),
            [
                "Harbour: backed up 2027-06-02 02:00 +00:00 by plan Nightly, verified",
                "Harbour: 212 of 212 services running, checked 2027-06-02 02:00 +00:00",
            ]
        );
        assert_eq!(
            lines(&site(vec![plan(&["Portal"])], None, true)),
            [
                "Harbour: backed up 2027-06-02 02:00 +00:00 by plan Nightly, verified except Portal",
                "Harbour: whether the services run is not known",
            ]
        );
        let warned = PlanNight { warned: vec!["Portal".to_owned()], ..plan(&[]) };
        assert_eq!(
            lines(&site(vec![warned], None, false)),
            ["Harbour: backed up 2027-06-02 02:00 +00:00 by plan Nightly, verified, with warnings: Portal"]
        );
        assert_eq!(lines(&site(Vec::new(), None, false)), ["Harbour: no backup plan runs by its schedule"]);
    }
}
