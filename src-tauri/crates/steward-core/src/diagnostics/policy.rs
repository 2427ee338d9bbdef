//! Checks the policy file of the organization.

use super::check_result::{Advice, Check, CheckResult, FactName, FactWords, State};
use crate::settings::policy::{ForwardingRule, Policy, PolicyFault};
use crate::settings::preferences::{Choices, Setting};
use crate::sites::ConnectionForm;

pub(super) fn check(policy: &Policy) -> CheckResult {
    let finding = CheckResult::new(Check::Policy);
    let Some(file) = &policy.file else {
        return match crate::settings::policy::file() {
            Some(file) => finding.wording(FactName::PolicyFile, FactWords::NoFileAt, file.display()),
            None => finding,
        };
    };
    let mut finding = finding.path(FactName::PolicyFile, file);
    for (name, choices) in [(FactName::Defaults, &policy.defaults), (FactName::Locked, &policy.locked)] {
        let names = names(choices);
        finding = if names.is_empty() {
            finding.wording(name, FactWords::Nothing, "")
        } else {
            finding.fact(name, names)
        };
    }
    if !policy.updates {
        finding = finding.wording(FactName::Updates, FactWords::Forbidden, "");
    }
    finding = match policy.forwarding_rule() {
        ForwardingRule::Allowed => finding,
        ForwardingRule::Required => finding.wording(FactName::Forwarding, FactWords::Required, ""),
        ForwardingRule::Forbidden => finding.wording(FactName::Forwarding, FactWords::Forbidden, ""),
    };
    if let Some(hosts) = &policy.forwarding_hosts {
        finding = finding.fact(FactName::ForwardingHosts, hosts.join(", "));
    }
    for fault in &policy.faults {
        finding = match fault {
            PolicyFault::Unreadable { said } => finding.fact(FactName::Said, said),
            PolicyFault::UnknownKey { key } => finding.fact(FactName::UnknownKey, key),
            PolicyFault::BadValue { key, said } => {
                finding.fact(FactName::BadValue, format_args!("{key}: {said}"))
            }
        }
        .say(State::Trouble, Advice::PolicyFaulty);
    }
    for decided in [&policy.locked, &policy.defaults] {
        let Some(ca_certificate) = decided.ca_certificate.clone() else { continue };
        let form = ConnectionForm { ca_certificate: ca_certificate.clone(), ..ConnectionForm::default() };
        if form.checked_authority().is_err() {
            finding = finding
                .fact(FactName::CaFile, ca_certificate)
                .say(State::Trouble, Advice::PolicyCaUnreadable);
        }
    }
    finding
}

/// Returns the names of settings as in the policy file.
fn names(choices: &Choices) -> String {
    let names: Vec<_> = choices.settings().into_iter().map(Setting::name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::as_text;
    use super::*;

    #[test]
    fn the_text_for_the_administrator_says_what_is_decided_and_what_is_wrong() {
        let policy = Policy {
            file: Some("/etc/site-steward/policy.json".into()),
            defaults: Choices { ca_certificate: Some("/nowhere/ca.pem".to_owned()), ..Choices::default() },
            locked: Choices { reminders: Some(true), zoom: Some(100), ..Choices::default() },
            updates: false,
            forwarding: Some(ForwardingRule::Required),
            forwarding_hosts: Some(vec!["logs.example.org".to_owned()]),
            faults: vec![PolicyFault::UnknownKey { key: "locked.them".to_owned() }],
            ..Policy::default()
        };

        let text = as_text(&[check(&policy)]);

        for line in [
            "\nPolicy file: Error\n",
            "  Policy file: /etc/site-steward/policy.json\n",
            "  Default settings: caCertificate\n",
            "  Locked settings: zoom, reminders\n",
            "  Check for updates: not allowed\n",
            "  Forwarding of the audit trail: required\n",
            "  Allowed log servers: logs.example.org\n",
            "  Unknown setting: locked.them\n",
            "  > Report this",
        ] {
            assert!(text.contains(line), "{line} in {text}");
        }
    }

    #[test]
    fn a_certificate_that_cannot_be_read_is_said_before_a_connection_fails() {
        let policy = Policy {
            file: Some("/etc/site-steward/policy.json".into()),
            locked: Choices { ca_certificate: Some("/nowhere/ca.pem".to_owned()), ..Choices::default() },
            ..Policy::default()
        };

        assert_eq!(check(&policy).advice, Some(Advice::PolicyCaUnreadable));
    }

    #[test]
    fn without_a_file_all_is_well_and_its_place_is_said() {
        let finding = check(&Policy::default());

        assert_eq!((finding.state, finding.facts.len()), (State::Ok, 1));
    }
}
