//! File dialogs. Without one, every save would look as if the person had closed it.

use super::check_result::{Advice, Check, FactName, Finding, State};
use crate::files::dialogs::{Shower, shower};

pub(super) async fn examine() -> Finding {
    let finding = Finding::new(Check::Dialogs);
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
