//! Checks the file dialogs. If there is none, saving ends as if the user had closed the dialog.

use super::check_result::{Advice, Check, CheckResult, FactName, State};
use crate::files::dialogs::{Shower, shower};

pub(super) async fn check() -> CheckResult {
    let finding = CheckResult::new(Check::Dialogs);
    match shower().await {
        Shower::System => finding.fact(FactName::Shower, std::env::consts::OS),
        Shower::Portal(version) => {
            finding.fact(FactName::Shower, "XDG desktop portal").fact(FactName::PortalVersion, version)
        }
        Shower::Zenity => finding.fact(FactName::Shower, "zenity"),
        Shower::Nobody(words) => {
            finding.fact(FactName::Said, words).say(State::Trouble, Advice::InstallDialogs)
        }
    }
}
