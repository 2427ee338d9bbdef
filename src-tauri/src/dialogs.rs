//! The system's dialogs, by the only module that uses rfd.

#![expect(clippy::disallowed_types, reason = "this is the file that opens dialogs")]

mod last_folders;

use std::path::{Path, PathBuf};

use steward_app::steward::Steward;
use steward_core::files::dialogs::{Choice, Dialogs, Shower, Title, shower};
use steward_core::model::problem::Problem;
use tauri::Manager;
use url::Url;

use last_folders::{Kind, LastFolders};

/// The system's own dialogs, modal to the window.
pub struct NativeDialogs {
    app: tauri::AppHandle,
    last: LastFolders,
}

impl NativeDialogs {
    /// Creates dialogs that are modal to the window of `app`.
    #[must_use]
    pub fn new(app: tauri::AppHandle) -> Self {
        Self { app, last: LastFolders::default() }
    }

    fn dialog(&self, title: Title, folder: Option<PathBuf>) -> rfd::AsyncFileDialog {
        let language =
            self.app.try_state::<Steward>().map_or_else(String::new, |steward| steward.language.language());
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

/// Shows why the program cannot start, before there is a window.
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
        tauri_plugin_opener::open_url(page, None::<&str>)
            .map_err(|error| Problem::NoDialog { message: format!("no browser could be opened: {error}") })
    }

    fn show_in_folder(&self, file: &Path) -> Result<(), Problem> {
        // A file manager that is started for this may take seconds to respond.
        let shown = tokio::task::block_in_place(|| {
            tauri_plugin_opener::reveal_item_in_dir(file).or_else(|_| open_folder_of(file))
        });
        shown.map_err(|error| Problem::NoDialog {
            message: format!("the folder of {} could not be opened: {error}", file.display()),
        })
    }
}

/// Opens the folder of a file. Some file managers on Linux cannot select a file.
fn open_folder_of(file: &Path) -> Result<(), tauri_plugin_opener::Error> {
    tauri_plugin_opener::open_path(file.parent().unwrap_or(file), None::<&str>)
}

/// Checks that the desktop has a file dialog. Without one, rfd returns the same result as for a dialog that the user
/// closed.
async fn can_open() -> Result<(), Problem> {
    match shower().await {
        Shower::Nobody(message) => Err(Problem::NoDialog { message }),
        _ => Ok(()),
    }
}
