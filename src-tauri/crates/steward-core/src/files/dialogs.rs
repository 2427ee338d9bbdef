//! What the program may ask the user through the system, and what it asks.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;

use serde::Serialize;
use url::Url;

use crate::model::localized_text::Words;
use crate::model::problem::Problem;

/// What a dialog answers, some time later; `None` when the person closed it.
pub type Choice<'a> = Pin<Box<dyn Future<Output = Result<Option<PathBuf>, Problem>> + Send + 'a>>;

/// The titles once, for the dialogs and for whoever looks through all of them.
macro_rules! titles {
    ($($(#[$doc:meta])* $title:ident,)*) => {
        /// What a dialog is for. Its title in words is in the window's catalogues, under `dialog`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
        #[serde(rename_all = "camelCase")]
        pub enum Title {
            $($(#[$doc])* $title,)*
        }

        #[cfg(test)]
        const ALL: &[Title] = &[$(Title::$title),*];
    };
}

titles! {
    /// Any folder of this computer.
    ChooseFolder,
    /// Any file of this computer.
    ChooseFile,
    /// A file that is uploaded to be imported.
    ChooseUpload,
    /// A table of contacts.
    ChooseContactSheet,
    /// The folder that gets several invitations.
    ChooseInvitationFolder,
    /// A file of site profiles.
    OpenProfiles,
    /// The stored export of a server.
    SaveServerExport,
    /// One refreshed invitation.
    SaveInvitation,
    /// The report of an import.
    SaveReport,
    /// One record, as evidence.
    SaveEvidence,
    /// A list of records.
    SaveHistory,
    /// Sites, without secrets.
    SaveProfiles,
    /// Data items that were found.
    SaveItems,
    /// Results or contacts, as a table.
    SaveTable,
}

impl Title {
    /// The title in a language of the window.
    #[must_use]
    pub fn say(self, language: &str) -> String {
        let key = serde_json::to_value(self).ok();
        let key = key.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default();
        Words::of(language).say(&format!("dialog.{key}"), &[])
    }
}

/// What the program may ask the person through the system.
pub trait Dialogs: Send + Sync {
    /// Asks where to save a file.
    fn save_file<'a>(&'a self, title: Title, suggested: &'a str) -> Choice<'a>;
    /// Asks for a file to read.
    fn open_file(&self, title: Title) -> Choice<'_>;
    /// Asks for a folder.
    fn choose_folder(&self, title: Title) -> Choice<'_>;
    /// Opens a page in the system's browser.
    fn open_page(&self, page: &Url) -> Result<(), Problem>;
    /// Shows a file in the system's own window of its folder. Where nothing shows folders, that is said.
    fn show_in_folder(&self, file: &Path) -> Result<(), Problem> {
        Err(Problem::NoDialog { message: format!("nothing here shows the folder of {}", file.display()) })
    }
}

/// Who shows file dialogs here.
#[derive(Debug, Clone)]
pub enum Shower {
    /// The system itself: Windows and macOS always do.
    System,
    /// The desktop portal, with the version of its file chooser.
    Portal(u32),
    /// The program `zenity`, where there is no portal.
    Zenity,
    /// Nobody, in the portal's words.
    Nobody(String),
}

/// Finds out who shows file dialogs.
#[cfg(target_os = "linux")]
pub async fn shower() -> Shower {
    let zenity = std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join("zenity").is_file()));
    match portal_version().await {
        Ok(version) => Shower::Portal(version),
        Err(_) if zenity => Shower::Zenity,
        Err(error) => Shower::Nobody(error.to_string()),
    }
}

/// Asks the desktop portal for the version of its file chooser, which only a working one can tell.
#[cfg(target_os = "linux")]
async fn portal_version() -> zbus::Result<u32> {
    let bus = zbus::Connection::session().await?;
    let portal = zbus::Proxy::new(
        &bus,
        "org.freedesktop.portal.Desktop",
        "/org/freedesktop/portal/desktop",
        "org.freedesktop.portal.FileChooser",
    )
    .await?;
    portal.get_property("version").await
}

/// Finds out who shows file dialogs.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::unused_async, reason = "the same shape as where the desktop must be asked")]
pub async fn shower() -> Shower {
    Shower::System
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dialog_has_a_title_in_every_language() {
        for title in ALL {
            let [english, german, spanish] = ["en", "de", "es"].map(|language| title.say(language));
            assert!(!english.starts_with("dialog."), "{english}");
            assert!(german != english && spanish != english, "{english} in every language");
        }
    }
}
