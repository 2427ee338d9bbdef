//! Paths on this computer that the user selected: in a dialog, or by dropping a file.
//!
//! [`SelectedPaths::show`] and `SelectedPaths::read` are the only later uses of them: the window cannot show or read
//! other files. `SelectedPaths::was_opened` limits which files it can name as certificates.

use std::collections::HashSet;
use std::fs::File;
use std::io::{Error, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use url::Url;

use crate::files::dialogs::{Dialogs, Title};
use crate::files::dropped::Dropped;
use crate::model::problem::Problem;

/// The system's dialogs. Selected paths are stored until the program ends.
pub struct SelectedPaths {
    /// Files that were dropped onto the window.
    pub dropped: Dropped,
    dialogs: Arc<dyn Dialogs>,
    /// Data folder of the program, whose files no saved file may replace.
    data_folder: PathBuf,
    chosen: Mutex<HashSet<PathBuf>>,
    opened: Mutex<HashSet<PathBuf>>,
}

impl SelectedPaths {
    /// Creates an empty list.
    #[must_use]
    pub fn new(dialogs: Arc<dyn Dialogs>, data_folder: &Path) -> Self {
        Self {
            dropped: Dropped::default(),
            dialogs,
            data_folder: data_folder.to_owned(),
            chosen: Mutex::default(),
            opened: Mutex::default(),
        }
    }

    /// Opens a dialog to choose where to save a file. Returns `None` if the user closes it.
    ///
    /// # Errors
    /// - [`Problem::NoDialog`] if the system cannot show a file dialog.
    /// - [`Problem::File`] for a place in the data folder of the program: the history or the saved sites could be replaced.
    pub async fn save_file(&self, title: Title, suggested: &str) -> Result<Option<PathBuf>, Problem> {
        let place = self.dialogs.save_file(title, suggested).await?;
        if let Some(place) = place.as_deref().filter(|place| self.is_ours(place)) {
            let message = "the folder is the data folder of Site Steward, which has files of its own";
            return Err(Problem::file(place, &Error::new(ErrorKind::PermissionDenied, message)));
        }
        Ok(self.remembered(place))
    }

    /// Returns whether a place is in the data folder, also by a link.
    fn is_ours(&self, place: &Path) -> bool {
        let real = |path: &Path| path.canonicalize().ok();
        let folder = real(place).or_else(|| real(place.parent()?));
        let ours = real(&self.data_folder);
        folder.zip(ours).is_some_and(|(folder, ours)| folder.starts_with(ours))
    }

    /// Opens a dialog to choose a file. Returns `None` if the user closes it.
    ///
    /// # Errors
    /// [`Problem::NoDialog`] if the system cannot show a file dialog.
    pub async fn open_file(&self, title: Title) -> Result<Option<PathBuf>, Problem> {
        let file = self.dialogs.open_file(title).await?;
        locked(&self.opened).extend(file.clone());
        Ok(file)
    }

    /// Returns whether the user chose this folder in a dialog since the program started.
    pub fn was_chosen(&self, folder: &Path) -> bool {
        locked(&self.chosen).contains(folder)
    }

    /// Returns whether the user chose this file in a dialog to open one since the program started.
    pub(crate) fn was_opened(&self, file: &Path) -> bool {
        locked(&self.opened).contains(file)
    }

    /// Opens a dialog to choose a folder. Returns `None` if the user closes it.
    ///
    /// # Errors
    /// [`Problem::NoDialog`] if the system cannot show a file dialog.
    pub async fn choose_folder(&self, title: Title) -> Result<Option<PathBuf>, Problem> {
        Ok(self.remembered(self.dialogs.choose_folder(title).await?))
    }

    /// Opens a page in the system's browser.
    ///
    /// # Errors
    /// [`Problem::NoDialog`] if no browser can be opened.
    pub fn open_page(&self, page: &Url) -> Result<(), Problem> {
        self.dialogs.open_page(page)
    }

    /// Shows a file in the file manager: a selected one, or one below a selected folder or below `ours`.
    ///
    /// # Errors
    /// - [`Problem::Unexpected`] if the file is none of these.
    /// - [`Problem::File`] if it does not exist.
    /// - [`Problem::NoDialog`] if the system has no file manager.
    pub fn show(&self, file: &Path, ours: &Path) -> Result<(), Problem> {
        let (file, _) = self.checked(file, ours)?;
        self.dialogs.show_in_folder(&file)
    }

    /// Opens a file for reading, under the conditions of [`show`](Self::show).
    pub(crate) fn read(&self, file: &Path, ours: &Path) -> Result<File, Problem> {
        let (file, real) = self.checked(file, ours)?;
        super::open_regular(&real).map_err(|error| Problem::file(&file, &error))
    }

    /// Returns the file that the window shows as `shown`, and the same without links, after checking that it may be
    /// shown.
    fn checked(&self, shown: &Path, ours: &Path) -> Result<(PathBuf, PathBuf), Problem> {
        let chosen = locked(&self.chosen).clone();
        let file = native(shown, &chosen);
        let foreign = || {
            let message = format!("{} was not saved by this program since it was started", file.display());
            Problem::Unexpected { message }
        };
        // Check the path itself first: reading a network path would sign in to another computer.
        if file.components().any(|part| part == Component::ParentDir) {
            return Err(foreign());
        }
        let places = chosen.iter().map(PathBuf::as_path).chain([ours]);
        let places: Vec<_> = places.filter(|place| file.starts_with(place)).collect();
        if places.is_empty() {
            return Err(foreign());
        }
        // Then resolve links, so that the shown file is the one that was checked.
        let real = file.canonicalize().map_err(|error| Problem::file(&file, &error))?;
        let real_is_in = |place: &Path| place.canonicalize().is_ok_and(|place| real.starts_with(place));
        if !places.into_iter().any(real_is_in) {
            return Err(foreign());
        }
        Ok((file, real))
    }

    fn remembered(&self, place: Option<PathBuf>) -> Option<PathBuf> {
        if let Some(place) = &place {
            locked(&self.chosen).insert(place.clone());
        }
        place
    }
}

fn locked(paths: &Mutex<HashSet<PathBuf>>) -> MutexGuard<'_, HashSet<PathBuf>> {
    // Changed by single inserts, so that a panic leaves it consistent.
    paths.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the path that the window shows as `shown`: below a selected path whose name is not Unicode, they differ.
fn native(shown: &Path, chosen: &HashSet<PathBuf>) -> PathBuf {
    let below = chosen.iter().filter(|place| place.to_str().is_none()).find_map(|place| {
        let rest = shown.strip_prefix(place.display().to_string()).ok()?;
        // Joining an empty path would add a separator.
        Some(if rest.as_os_str().is_empty() { place.clone() } else { place.join(rest) })
    });
    below.unwrap_or_else(|| shown.to_owned())
}
