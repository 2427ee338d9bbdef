//! Checks the trusted certificate authorities of the system and of the site.

use steward_client::Authorities;

use super::check_result::{Advice, Check, CheckResult, FactName, State};
use crate::files;
use crate::sites::{LARGEST_CERTIFICATE, Site};

pub(super) fn check(site: Option<&Site>) -> CheckResult {
    let finding = of_the_system(CheckResult::new(Check::Roots));
    match site.and_then(|site| site.ca_certificate.as_deref()) {
        Some(path) => of_the_site(finding, path),
        None => finding,
    }
}

/// Adds the name of the system as a fact: Windows and macOS verify certificates themselves, and do not return the
/// number of authorities.
#[cfg(not(target_os = "linux"))]
fn of_the_system(finding: CheckResult) -> CheckResult {
    finding.fact(FactName::SystemRoots, std::env::consts::OS)
}

#[cfg(target_os = "linux")]
fn of_the_system(finding: CheckResult) -> CheckResult {
    let loaded = rustls_native_certs::load_native_certs();
    let finding = finding.fact(FactName::SystemRoots, loaded.certs.len());
    let finding = match loaded.errors.len() {
        0 => finding,
        number => finding.fact(FactName::UnreadableRoots, number),
    };
    if loaded.certs.is_empty() { finding.say(State::Trouble, Advice::InstallRoots) } else { finding }
}

fn of_the_site(finding: CheckResult, path: &std::path::Path) -> CheckResult {
    let finding = finding.path(FactName::CaFile, path);
    let pem = match files::read_whole(path, LARGEST_CERTIFICATE) {
        Ok(pem) => pem,
        Err(error) => {
            return finding.fact(FactName::Said, error).say(State::Trouble, Advice::CaFileUnreadable);
        }
    };
    match steward_client::authorities(&files::as_utf8(&pem)) {
        Err(error) => finding.fact(FactName::Said, error).say(State::Trouble, Advice::CaFileUnreadable),
        Ok(Authorities { readable, damaged }) => {
            let finding = match damaged {
                0 => finding,
                number => finding
                    .fact(FactName::DamagedAuthorities, number)
                    .say(State::Trouble, Advice::CaFileDamaged),
            };
            readable.into_iter().fold(finding, |finding, authority| {
                let finding = finding.fact(FactName::Authority, authority.subject);
                let finding = match authority.not_after.parse() {
                    Ok(at) => finding.moment(FactName::ValidUntil, at),
                    Err(_) => finding.fact(FactName::ValidUntil, authority.not_after),
                };
                if authority.is_valid { finding } else { finding.say(State::Trouble, Advice::CaFileExpired) }
            })
        }
    }
}
