//! Dialogs of the system. The only file that names rfd.

mod last_folders;

use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;

use serde::Serialize;
use tauri::Manager;
use url::Url;

use crate::host::Host;
use crate::problem::Problem;
use crate::words::Words;
use last_folders::{Kind, LastFolders};

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
    fn say(self, language: &str) -> String {
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

/// The system's own dialogs, modal to the window.
pub struct NativeDialogs {
    app: tauri::AppHandle,
    last: LastFolders,
}

impl NativeDialogs {
    /// Dialogs that belong to the window of `app`.
    #[must_use]
    pub fn new(app: tauri::AppHandle) -> Self {
        Self { app, last: LastFolders::default() }
    }

    fn dialog(&self, title: Title, folder: Option<PathBuf>) -> rfd::AsyncFileDialog {
        let language = self.app.try_state::<Host>().map_or_else(String::new, |host| host.spoken.language());
        let mut dialog = rfd::AsyncFileDialog::new().set_title(title.say(&language));
        if let Some(folder) = folder {
            dialog = dialog.set_directory(folder);
        }
        match self.app.get_webview_window("main") {
            Some(window) => dialog.set_parent(&window),
            None => dialog,
        }
    }
}

/// Says why the program cannot start. There is no window yet to say it in.
pub fn tell_why_it_cannot_start(reason: &str) {
    rfd::MessageDialog::new()
        .set_level(rfd::MessageLevel::Error)
        .set_title("Site Steward cannot start")
        .set_description(reason)
        .show();
}

impl Dialogs for NativeDialogs {
    fn save_file<'a>(&'a self, title: Title, suggested: &'a str) -> Choice<'a> {
        Box::pin(async move {
            can_open().await?;
            let folder = self.last.of(Kind::Save).await;
            let file = self.dialog(title, folder).set_file_name(suggested).save_file().await;
            Ok(file.map(|file| self.last.ended_at(Kind::Save, file.path())))
        })
    }

    fn open_file(&self, title: Title) -> Choice<'_> {
        Box::pin(async move {
            can_open().await?;
            let folder = self.last.of(Kind::OpenFile).await;
            let file = self.dialog(title, folder).pick_file().await;
            Ok(file.map(|file| self.last.ended_at(Kind::OpenFile, file.path())))
        })
    }

    fn choose_folder(&self, title: Title) -> Choice<'_> {
        Box::pin(async move {
            can_open().await?;
            let before = self.last.of(Kind::ChooseFolder).await;
            let folder = self.dialog(title, before).pick_folder().await;
            Ok(folder.map(|folder| self.last.ended_at(Kind::ChooseFolder, folder.path())))
        })
    }

    fn open_page(&self, page: &Url) -> Result<(), Problem> {
        open::that_detached(page.as_str())
            .map_err(|error| Problem::NoDialog { message: format!("no browser could be opened: {error}") })
    }

    fn show_in_folder(&self, file: &Path) -> Result<(), Problem> {
        reveal(file).map_err(|error| Problem::NoDialog {
            message: format!("the folder of {} could not be opened: {error}", file.display()),
        })
    }
}

#[cfg(target_os = "windows")]
fn reveal(file: &Path) -> std::io::Result<()> {
    use std::os::windows::process::CommandExt;
    // The explorer reads its command line in its own way: quotes stand around the path alone.
    let select = format!("/select,\"{}\"", file.display());
    std::process::Command::new("explorer").raw_arg(select).spawn().map(drop)
}

#[cfg(target_os = "macos")]
fn reveal(file: &Path) -> std::io::Result<()> {
    std::process::Command::new("open").arg("-R").arg(file).spawn().map(drop)
}

/// File managers differ in how they are told to mark a file; all of them show a folder.
#[cfg(not(any(target_os = "windows", target_os = "macos")))]
fn reveal(file: &Path) -> std::io::Result<()> {
    open::that_detached(file.parent().unwrap_or(file))
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

/// A desktop without a file dialog answers rfd exactly as a person does who closes it. So it is asked first.
async fn can_open() -> Result<(), Problem> {
    match shower().await {
        Shower::Nobody(message) => Err(Problem::NoDialog { message }),
        _ => Ok(()),
    }
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
