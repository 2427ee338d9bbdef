//! Diagnostics of everything that the program depends on: one module per check.
//!
//! [`check`] runs all checks. Results contain no secrets, and paths below the user's home folder begin with `~`, so
//! that they can be sent to support.

mod check_result;
mod clock;
mod dialogs;
mod disk;
mod journal;
mod keyring;
mod logs;
mod policy;
mod program;
mod proxy;
pub mod report;
mod roots;
mod text;

pub use check_result::{Advice, Check, CheckResult, Fact, FactName, FactValue, FactWords, State};
pub use keyring::keyring_name;
pub use text::as_text;

use std::path::Path;

use crate::settings::policy::Policy;
use crate::site_context::SiteContext;
use crate::sites::Site;

/// Sources of the checks in addition to the computer.
#[derive(Clone, Copy)]
pub struct Diagnosed<'a> {
    /// Sites, connections, keyring, and history.
    pub context: &'a SiteContext,
    /// Policy of the organization.
    pub policy: &'a Policy,
    /// Data folder of the program.
    pub data_folder: &'a Path,
}

/// Runs all checks. Returns the worst results first.
pub async fn check(
    diagnosed: Diagnosed<'_>,
    site: Option<&Site>,
    webview: Option<String>,
) -> Vec<CheckResult> {
    let Diagnosed { context, policy, data_folder } = diagnosed;
    let (keyring, dialogs, clock, journal) = tokio::join!(
        keyring::check(context.access.vault()),
        dialogs::check(),
        clock::check(&context.access, site),
        journal::check(&context.history, data_folder)
    );
    let mut findings = vec![
        program::check(webview),
        policy::check(policy),
        keyring,
        dialogs,
        proxy::check(site.map(|site| (site, context.access.connections.route_to(site)))),
        roots::check(site),
        journal,
        disk::check(data_folder),
        logs::check(&data_folder.join(crate::logs::FOLDER)),
    ];
    findings.extend(clock);
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.state));
    findings
}
