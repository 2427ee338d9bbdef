//! The system's dialogs. The only file that names rfd.

mod last_folders;

use std::path::{Path, PathBuf};

use steward_core::files::dialogs::{Choice, Dialogs, Shower, Title, shower};
use steward_core::host::Host;
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

/// A desktop without a file dialog answers rfd exactly as a person does who closes it. So it is asked first.
async fn can_open() -> Result<(), Problem> {
    match shower().await {
        Shower::Nobody(message) => Err(Problem::NoDialog { message }),
        _ => Ok(()),
    }
}
