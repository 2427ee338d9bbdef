//! The program examines what it depends on: one file for each part, one finding from each.
//!
//! A finding holds no secret, and paths below the person's home begin with `~`: it is made to be sent to somebody.

mod check_result;
mod clock;
mod dialogs;
mod disk;
pub mod examination;
mod journal;
mod keyring;
mod logs;
mod policy;
mod program;
mod proxy;
mod roots;
mod text;

pub use check_result::{Advice, Check, Fact, FactName, FactValue, FactWords, Finding, State};
pub use keyring::keyring_name;
pub use text::as_text;

use crate::host::Host;
use crate::sites::Site;

/// Examines everything; the worst comes first.
pub async fn examine(host: &Host, site: Option<&Site>, webview: Option<String>) -> Vec<Finding> {
    let (keyring, dialogs, clock, journal) = tokio::join!(
        keyring::examine(host),
        dialogs::examine(),
        clock::examine(host, site),
        journal::examine(host)
    );
    let mut findings = vec![
        program::examine(webview),
        policy::examine(&host.preferences.policy),
        keyring,
        dialogs,
        proxy::examine(site.map(|site| (site, host.connections.route_to(site)))),
        roots::examine(site),
        journal,
        disk::examine(&host.data_folder),
        logs::examine(&host.data_folder.join(crate::logs::FOLDER)),
    ];
    findings.extend(clock);
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.state));
    findings
}
