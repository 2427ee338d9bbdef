//! Dialogs of the system: the interface that the shell implements.
//!
//! [`Dialogs`] is the interface, [`Title`] lists the dialogs, and [`shower`] reports which program shows them.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;

use serde::Serialize;
use url::Url;

use crate::model::localized_text::Texts;
use crate::model::problem::Problem;

/// Future result of a dialog: the selected path, or `None` if the user closed it.
pub type Choice<'a> = Pin<Box<dyn Future<Output = Result<Option<PathBuf>, Problem>> + Send + 'a>>;

/// Defines the titles and the list of all of them, which a test uses.
macro_rules! titles {
    ($($(#[$doc:meta])* $title:ident,)*) => {
        /// Purpose of a dialog. Its title is in the window's message catalogs, under `dialog`.
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
    /// A file to upload for an import.
    ChooseUpload,
    /// A contacts file.
    ChooseContactsFile,
    /// The folder for several invitations.
    ChooseInvitationFolder,
    /// A file of site profiles.
    OpenProfiles,
    /// An export file that is downloaded from a server.
    SaveServerExport,
    /// One refreshed invitation.
    SaveInvitation,
    /// The report of an import.
    SaveReport,
    /// The receipt of a rehearsal.
    SaveReceipt,
    /// An audit package of one record.
    SaveAuditPackage,
    /// The audit trail.
    SaveAuditTrail,
    /// A list of records.
    SaveHistory,
    /// Site profiles, without secrets.
    SaveProfiles,
    /// Data store items of a search.
    SaveItems,
    /// Results or contacts, as a table.
    SaveTable,
}

impl Title {
    /// Returns the title in a language of the window.
    #[must_use]
    pub fn say(self, language: &str) -> String {
        let key = serde_json::to_value(self).ok();
        let key = key.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default();
        Texts::of(language).say(&format!("dialog.{key}"), &[])
    }
}

/// File dialogs, and other requests to the desktop.
pub trait Dialogs: Send + Sync {
    /// Opens a dialog to choose where to save a file. Resolves to [`Problem::NoDialog`] if the system cannot show it.
    fn save_file<'a>(&'a self, title: Title, suggested: &'a str) -> Choice<'a>;
    /// Opens a dialog to choose a file. Resolves to [`Problem::NoDialog`] if the system cannot show it.
    fn open_file(&self, title: Title) -> Choice<'_>;
    /// Opens a dialog to choose a folder. Resolves to [`Problem::NoDialog`] if the system cannot show it.
    fn choose_folder(&self, title: Title) -> Choice<'_>;
    /// Opens a page in the system's browser.
    ///
    /// # Errors
    /// [`Problem::NoDialog`] if no browser can be opened.
    fn open_page(&self, page: &Url) -> Result<(), Problem>;
    /// Shows a file in the file manager of the system.
    ///
    /// # Errors
    /// [`Problem::NoDialog`] if the system cannot do this. The default implementation always fails.
    fn show_in_folder(&self, file: &Path) -> Result<(), Problem> {
        Err(Problem::NoDialog { message: format!("nothing here shows the folder of {}", file.display()) })
    }
}

/// Provider of file dialogs.
#[derive(Debug, Clone)]
pub enum Shower {
    /// The system itself: Windows and macOS always do.
    System,
    /// The desktop portal, with the version of its file chooser.
    Portal(u32),
    /// The program `zenity`, if there is no desktop portal.
    Zenity,
    /// None, with the error of the desktop portal.
    Nobody(String),
}

/// Returns the provider of file dialogs.
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

/// Returns the version of the file chooser of the desktop portal, which requires a working portal.
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

/// Returns the provider of file dialogs.
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
