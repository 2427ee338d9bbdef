//! Policy of the organization for all users of a computer, in one file that only an administrator can write.
//!
//! [`Policy::read`] reads it once at the start. The page for administrators is `docs/administration.md`. A fault in the
//! file is reported and affects only its own key. No lock is lost by a fault: the last valid version applies to missing
//! settings, and updates are disabled. Without such a version, nothing is forwarded to a log server, no backup plan runs, and no
//! alert is sent.

mod content;
mod location;
mod parser;

use std::path::Path;

pub use content::{AlertsRule, ForwardingRule, PlansRule, Policy, PolicyFault, PolicyView};
pub use location::file;

impl Policy {
    /// Reads the file. `remembered` is the path of a copy of its last valid version.
    #[must_use]
    pub fn read(file: &Path, remembered: &Path) -> Self {
        let mut policy = match parser::of(file) {
            Ok(None) => {
                forget(remembered);
                return Self::default();
            }
            Ok(Some(bytes)) => {
                let policy = parser::understand(&bytes);
                if policy.faults.is_empty() {
                    remember(remembered, &bytes);
                }
                policy
            }
            Err(error) => parser::unreadable(&error),
        };
        policy.file = Some(file.to_owned());
        if !policy.faults.is_empty() {
            tracing::warn!(file = %file.display(), faults = ?policy.faults, "the organisation's settings are faulty");
            if let Ok(Some(bytes)) = parser::of(remembered) {
                let before = parser::understand(&bytes);
                policy.forwarding = policy.forwarding.or_else(|| Some(before.forwarding_rule()));
                policy.plans = policy.plans.or_else(|| Some(before.plans_rule()));
                policy.alerts = policy.alerts.or_else(|| Some(before.alerts_rule()));
                policy.defaults = policy.defaults.over(&before.defaults);
                policy.locked = policy.locked.over(&before.locked);
                policy.forwarding_hosts = policy.forwarding_hosts.or(before.forwarding_hosts);
                policy.plans_folder = policy.plans_folder.or(before.plans_folder);
                policy.alert_channels = policy.alert_channels.or(before.alert_channels);
                policy.alert_hosts = policy.alert_hosts.or(before.alert_hosts);
                policy.client_ids = before.client_ids.into_iter().chain(policy.client_ids).collect();
            }
            policy.updates = false;
            // A limit that cannot be understood allows nothing, and not everything.
            let is_bad = |name: &str| {
                policy
                    .faults
                    .iter()
                    .any(|fault| matches!(fault, PolicyFault::BadValue { key, .. } if key == name))
            };
            let bad = ["forwardingHosts", "alertHosts", "alertChannels", "plansFolder"].map(is_bad);
            let [forwarding_hosts, alert_hosts, alert_channels, plans_folder] = bad;
            if forwarding_hosts {
                policy.forwarding_hosts.get_or_insert_default();
            }
            if alert_hosts {
                policy.alert_hosts.get_or_insert_default();
            }
            if alert_channels {
                policy.alert_channels.get_or_insert_default();
            }
            if plans_folder && policy.plans_folder.is_none() {
                policy.plans = Some(PlansRule::Forbidden);
            }
        }
        policy
    }
}

impl Policy {
    /// Returns the SHA-256 of the file, by which the audit trail knows it; empty without a file that can be read.
    pub fn sha256(&self) -> String {
        let bytes = self.file.as_deref().and_then(|file| parser::of(file).ok()).flatten();
        bytes.map(|bytes| crate::files::sha256(&bytes)).unwrap_or_default()
    }
}

fn remember(remembered: &Path, bytes: &[u8]) {
    if matches!(parser::of(remembered), Ok(Some(before)) if before == bytes) {
        return;
    }
    if let Err(error) = crate::files::write_whole(remembered, bytes) {
        tracing::warn!(%error, "the organisation's settings could not be remembered");
    }
}

fn forget(remembered: &Path) {
    match std::fs::remove_file(remembered) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            tracing::warn!(%error, "what the organisation decided before could not be forgotten");
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    use crate::model::alert_channel::ChannelKind;
    use crate::settings::preferences::{Choices, Setting, Theme};

    struct Desk {
        folder: tempfile::TempDir,
    }

    impl Desk {
        fn new() -> Self {
            Self { folder: tempfile::tempdir().unwrap() }
        }

        fn file(&self) -> PathBuf {
            self.folder.path().join("policy.json")
        }

        /// Starts the program after an administrator has written `text`.
        fn start_with(&self, text: impl AsRef<[u8]>) -> Policy {
            std::fs::write(self.file(), text).unwrap();
            self.start()
        }

        fn start(&self) -> Policy {
            Policy::read(&self.file(), &self.folder.path().join("policy-before.json"))
        }
    }

    #[test]
    fn an_element_of_a_list_that_is_faulty_is_named_and_takes_no_other_one_with_it() {
        let policy = Desk::new().start_with(
            r#"{
                "forwarding": "allowed",
                "forwardingHosts": ["logs.example.org", "logs.example.net:6514"],
                "alerts": "allowed",
                "alertHosts": ["mail.example.org", 7],
                "alertChannels": ["mail", "pager"]
            }"#,
        );

        assert!(policy.allows_forwarding_to("logs.example.org"));
        assert!(!policy.allows_forwarding_to("logs.example.net"));
        assert!(policy.allows_alerts_by(ChannelKind::Mail, "mail.example.org"));
        assert!(!policy.allows_channel(ChannelKind::Slack));
        let said = policy.faults.iter().map(|fault| match fault {
            PolicyFault::BadValue { key, said } => format!("{key}: {said}"),
            other => panic!("{other:?}"),
        });
        let said: Vec<_> = said.collect();
        assert_eq!(said.len(), 3, "{said:?}");
        for named in [r#""logs.example.net:6514""#, "7 is", r#""pager""#] {
            assert!(said.iter().any(|one| one.contains(named)), "{named}: {said:?}");
        }
    }

    #[test]
    fn where_no_file_is_nobody_decides_anything() {
        assert_eq!(Desk::new().start(), Policy::default());
    }

    #[test]
    fn a_file_that_breaks_unlocks_nothing() {
        let desk = Desk::new();
        let before = desk.start_with(
            r#"{ "defaults": { "zoom": 125 }, "locked": { "theme": "dark", "reminders": true }, "updates": true }"#,
        );
        assert!(before.faults.is_empty() && before.updates);

        for broken in [
            "",
            "{ half a file",
            "[]",
            r#"{ "locked": { "them": "dark" } }"#,
            r#"{ "locked": { "theme": "drak" } }"#,
            r#"{ "locked": { "theme": null } }"#,
            r#"{ "locked": [] }"#,
            r#"{ "loked": {} }"#,
            r#"{ "updates": "yes" }"#,
            r#"{ "forwarding": "yes" }"#,
            r#"{ "forwardingHosts": ["logs.example.org:6514"] }"#,
            r#"{ "plans": "yes" }"#,
            r#"{ "plansFolder": "backups" }"#,
            r#"{ "alerts": "yes" }"#,
            r#"{ "alertChannels": ["pigeon"] }"#,
            r#"{ "alertHosts": ["https://hooks.example.org"] }"#,
            r#"{ "locked": { "logServer": { "port": 6514 } } }"#,
            r#"{ "locked": { "logServer": { "host": "logs.example.org", "password": "x" } } }"#,
        ] {
            let policy = desk.start_with(broken);

            assert_eq!(policy.locked, before.locked, "{broken}");
            assert_eq!(policy.defaults, before.defaults, "{broken}");
            assert!(!policy.updates, "{broken}");
            assert_eq!(policy.faults.len(), 1, "{broken}");
        }
    }

    #[test]
    fn what_can_be_understood_of_a_faulty_file_holds_at_the_first_start_too() {
        let policy = Desk::new().start_with(
            r#"{ "locked": { "theme": "light", "colour": "red", "zoom": "large" }, "since": "today" }"#,
        );

        assert_eq!(policy.locked, Choices { theme: Some(Theme::Light), ..Choices::default() });
        assert!(!policy.updates);
        let faults = policy.faults.iter().map(|fault| match fault {
            PolicyFault::Unreadable { said } => said.as_str(),
            PolicyFault::UnknownKey { key } | PolicyFault::BadValue { key, .. } => key.as_str(),
        });
        assert_eq!(faults.collect::<Vec<_>>(), ["locked.colour", "locked.zoom", "since"]);
    }

    #[test]
    fn a_file_that_was_mended_or_taken_away_is_believed() {
        let desk = Desk::new();
        desk.start_with(r#"{ "locked": { "theme": "dark", "reminders": true } }"#);
        desk.start_with("{");

        let mended = desk.start_with(r#"{ "locked": { "theme": "dark" } }"#);
        assert_eq!(mended.locked, Choices { theme: Some(Theme::Dark), ..Choices::default() });
        assert_eq!(mended.faults, []);

        std::fs::remove_file(desk.file()).unwrap();
        assert_eq!(desk.start(), Policy::default());
        assert_eq!(desk.start_with("{").locked, Choices::default(), "what was taken away is forgotten");
    }

    #[test]
    fn an_administrator_who_may_not_be_read_is_said_and_not_taken_for_nobody() {
        let desk = Desk::new();
        desk.start_with(r#"{ "locked": { "theme": "dark" } }"#);
        std::fs::remove_file(desk.file()).unwrap();
        // Use a folder: a user with all permissions can read every file, but a folder cannot be read as one.
        std::fs::create_dir(desk.file()).unwrap();

        let policy = desk.start();

        assert!(matches!(policy.faults[..], [PolicyFault::Unreadable { .. }]), "{:?}", policy.faults);
        assert_eq!(policy.locked.theme, Some(Theme::Dark));
    }

    #[test]
    fn a_client_id_is_for_one_portal_and_a_faulty_one_takes_none_away() {
        let desk = Desk::new();
        let policy = desk.start_with(r#"{ "clientIds": { "https://GIS.example.org/portal/": "abc" } }"#);
        let portal = "https://gis.example.org/portal/".parse().unwrap();
        assert_eq!(policy.client_ids.get(&portal).map(String::as_str), Some("abc"));
        assert_eq!(policy.faults, []);

        for broken in [
            r#"{ "clientIds": [] }"#,
            r#"{ "clientIds": { "gis.example.org": "x" } }"#,
            r#"{ "clientIds": { "https://gis.example.org/portal": 5 } }"#,
            r#"{ "clientIds": { "https://gis.example.org/portal": "two words" } }"#,
            r#"{ "clientIds": { "https://gis.example.org/portal": "" } }"#,
        ] {
            let faulty = desk.start_with(broken);
            assert_eq!(faulty.client_ids, policy.client_ids, "{broken}");
            assert!(
                matches!(&faulty.faults[..], [PolicyFault::BadValue { key, .. }] if key.starts_with("clientIds"))
            );
        }
    }

    #[test]
    fn a_file_that_breaks_allows_no_forwarding_that_the_one_before_did_not() {
        let desk = Desk::new();
        assert!(!desk.start_with("{").allows_forwarding_to("logs.example.org"), "no file before was valid");

        let hosts = r#"{ "forwarding": "required", "forwardingHosts": ["logs.example.org:6514"] }"#;
        assert!(!desk.start_with(hosts).allows_forwarding_to("logs.example.net"), "nor is this one");

        desk.start_with(r#"{ "forwarding": "required", "forwardingHosts": ["Logs.Example.org"] }"#);
        let faulty = desk.start_with(r#"{ "forwarding": "off", "forwardingHosts": [5] }"#);

        assert_eq!(faulty.forwarding_rule(), ForwardingRule::Required);
        assert!(faulty.allows_forwarding_to("logs.example.org"));
        assert!(!faulty.allows_forwarding_to("logs.example.net"));
    }

    #[test]
    fn a_file_that_breaks_allows_no_plan_and_no_alert_that_the_one_before_did_not() {
        let desk = Desk::new();
        let first = desk.start_with("{");
        assert_eq!(first.plans_rule(), PlansRule::Forbidden, "no file before was valid");
        assert!(!first.allows_channel(ChannelKind::Desktop));

        let (inside, outside) = (desk.folder.path().join("sets"), desk.folder.path().join("else"));
        for folder in [&inside, &outside] {
            std::fs::create_dir(folder).unwrap();
        }
        let content = serde_json::json!({
            "plans": "allowed",
            "plansFolder": inside,
            "alerts": "required",
            "alertChannels": ["mail", "teams"],
            "alertHosts": ["mail.example.org"],
        });
        assert_eq!(desk.start_with(content.to_string()).faults, []);
        let faulty = desk.start_with(
            r#"{ "plans": "on", "plansFolder": 5, "alerts": 1, "alertChannels": "mail", "alertHosts": [1] }"#,
        );

        assert_eq!(faulty.plans_rule(), PlansRule::Allowed);
        assert!(faulty.allows_set_folder(&inside) && !faulty.allows_set_folder(&outside));
        assert!(!faulty.allows_set_folder(&inside.join("..").join("else")));
        assert_eq!(faulty.alerts_rule(), AlertsRule::Required);
        assert!(faulty.allows_alerts_by(ChannelKind::Mail, "mail.example.org"));
        assert!(!faulty.allows_alerts_by(ChannelKind::Webhook, "mail.example.org"));
        assert!(!faulty.allows_alerts_by(ChannelKind::Teams, "teams.example.org"));
    }

    #[test]
    fn a_limit_that_was_never_understood_allows_nothing() {
        let policy = Desk::new().start_with(
            r#"{ "plans": "allowed", "plansFolder": "sets", "alerts": "allowed", "alertHosts": 1 }"#,
        );
        assert_eq!(policy.plans_rule(), PlansRule::Forbidden);
        assert!(!policy.allows_alerts_by(ChannelKind::Mail, "mail.example.org"));
    }

    #[test]
    fn a_list_whose_elements_are_all_faulty_allows_nothing() {
        for before in [None, Some(r#"{ "forwarding": "allowed", "alerts": "allowed" }"#)] {
            let desk = Desk::new();
            if let Some(before) = before {
                assert_eq!(desk.start_with(before).faults, []);
            }
            let policy = desk.start_with(
                r#"{
                    "forwarding": "allowed",
                    "forwardingHosts": ["logs.example.org:6514"],
                    "alerts": "allowed",
                    "alertHosts": [7]
                }"#,
            );
            assert_eq!(policy.faults.len(), 2, "{:?}", policy.faults);
            assert!(!policy.allows_forwarding_to("logs.example.org"), "{before:?}");
            assert!(!policy.allows_alerts_by(ChannelKind::Mail, "mail.example.org"), "{before:?}");
        }
    }

    #[test]
    fn the_window_is_told_what_nobody_can_change() {
        let policy =
            Desk::new().start_with(r#"{ "locked": { "route": { "kind": "direct" }, "zoom": 100 } }"#);

        let view = policy.view().unwrap();

        assert_eq!(view.locked, [Setting::Zoom, Setting::Route]);
        assert!(Policy::default().view().is_none());
    }
}
