//! Places on this computer that the person chose, and the one thing the window may do with them later: show them.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use url::Url;

use crate::files::dialogs::{Dialogs, Title};
use crate::model::problem::Problem;

/// The system's dialogs. What was chosen in them is remembered until the program ends.
pub struct Places {
    dialogs: Arc<dyn Dialogs>,
    chosen: Mutex<HashSet<PathBuf>>,
}

impl Places {
    /// Nothing was chosen yet.
    #[must_use]
    pub fn new(dialogs: Arc<dyn Dialogs>) -> Self {
        Self { dialogs, chosen: Mutex::default() }
    }

    /// Asks where to save a file.
    ///
    /// # Errors
    /// When no dialog can be shown; so with the other two.
    pub async fn save_file(&self, title: Title, suggested: &str) -> Result<Option<PathBuf>, Problem> {
        Ok(self.remembered(self.dialogs.save_file(title, suggested).await?))
    }

    /// Asks for a file to read.
    ///
    /// # Errors
    /// See [`save_file`](Self::save_file).
    pub async fn open_file(&self, title: Title) -> Result<Option<PathBuf>, Problem> {
        self.dialogs.open_file(title).await
    }

    /// Asks for a folder.
    ///
    /// # Errors
    /// See [`save_file`](Self::save_file).
    pub async fn choose_folder(&self, title: Title) -> Result<Option<PathBuf>, Problem> {
        Ok(self.remembered(self.dialogs.choose_folder(title).await?))
    }

    /// Opens a page in the system's browser.
    ///
    /// # Errors
    /// When no browser can be opened.
    pub fn open_page(&self, page: &Url) -> Result<(), Problem> {
        self.dialogs.open_page(page)
    }

    /// Shows a file in its folder: one that was chosen, or one below a folder that was chosen or is `ours`.
    ///
    /// # Errors
    /// When it is neither, is not there, or the system shows no folders.
    pub fn show(&self, file: &Path, ours: &Path) -> Result<(), Problem> {
        let foreign = || {
            let message = format!("{} was not saved by this program since it was started", file.display());
            Problem::Unexpected { message }
        };
        // By its name first: to look at a path on another computer is to sign in there.
        if file.components().any(|part| part == Component::ParentDir) {
            return Err(foreign());
        }
        let chosen = self.chosen.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let places = chosen.iter().map(PathBuf::as_path).chain([ours]);
        let places: Vec<_> = places.filter(|place| file.starts_with(place)).collect();
        if places.is_empty() {
            return Err(foreign());
        }
        // Then without links: what is asked for is what is looked at.
        let real = file.canonicalize().map_err(|error| Problem::file(file, &error))?;
        let real_is_in = |place: &Path| place.canonicalize().is_ok_and(|place| real.starts_with(place));
        if !places.into_iter().any(real_is_in) {
            return Err(foreign());
        }
        self.dialogs.show_in_folder(file)
    }

    fn remembered(&self, place: Option<PathBuf>) -> Option<PathBuf> {
        if let Some(place) = &place {
            self.chosen.lock().unwrap_or_else(PoisonError::into_inner).insert(place.clone());
        }
        place
    }
}
