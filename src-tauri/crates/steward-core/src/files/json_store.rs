//! A value stored in a small JSON file.
//!
//! The file is written atomically. [`JsonStore::open`] is for data that can be lost: the default takes the place of an
//! unreadable file. [`JsonStore::open_versioned`] is for data that must not be lost: it fails instead.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::write_whole;
use crate::model::problem::Problem;

/// A value and its file. Only the user can read the file.
pub struct JsonStore<T> {
    file: PathBuf,
    format: Option<Format<T>>,
    value: Mutex<T>,
    is_unreadable: bool,
    /// Whether an unreadable file could not be renamed. It is renamed before the first write, or not replaced.
    is_in_the_way: AtomicBool,
}

/// Format of a file with its version in the field `version`.
#[derive(Clone, Copy)]
pub(crate) struct Format<T> {
    /// Version that is written.
    pub(crate) version: u32,
    /// Reads a file of an earlier version, which is copied to `<name>-v<version>.json` first.
    pub(crate) read_earlier: fn(u32, &[u8]) -> serde_json::Result<T>,
}

impl<T: Default + Serialize + DeserializeOwned> JsonStore<T> {
    /// Reads the file. The value is the default if there is no file, or none that can be read.
    #[must_use]
    pub fn open(file: PathBuf) -> Self {
        let read = read(&file, None);
        let is_unreadable = read.is_err();
        let value = read.unwrap_or_else(|error| {
            tracing::warn!(error = format!("{error:#}"), file = %file.display(), "cannot read a file of the program");
            T::default()
        });
        let is_in_the_way = AtomicBool::new(false);
        Self { file, format: None, value: Mutex::new(value), is_unreadable, is_in_the_way }
    }

    /// Reads the file. The value is the default if there is no file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, is not understood, or has a newer version. It stays as it is.
    pub(crate) fn open_versioned(file: PathBuf, format: Format<T>) -> anyhow::Result<Self> {
        let value = read(&file, Some(&format))?;
        let (value, is_in_the_way) = (Mutex::new(value), AtomicBool::new(false));
        Ok(Self { file, format: Some(format), value, is_unreadable: false, is_in_the_way })
    }

    /// Reads the file. Renames a file that [`open_versioned`](Self::open_versioned) rejects to
    /// `<name>-unreadable-<time>.json`, and returns its new path with the default value. If it cannot be renamed, it
    /// is not replaced either.
    pub(crate) fn open_or_set_aside(file: PathBuf, format: Format<T>) -> (Self, Option<PathBuf>) {
        let mut is_in_the_way = false;
        let (value, set_aside) = match read(&file, Some(&format)) {
            Ok(value) => (value, None),
            Err(error) => {
                tracing::warn!(error = format!("{error:#}"), file = %file.display(), "cannot read a file of the program");
                let aside = set_aside(&file).unwrap_or_else(|error| {
                    tracing::warn!(%error, file = %file.display(), "cannot move an unreadable file");
                    is_in_the_way = true;
                    file.clone()
                });
                (T::default(), Some(aside))
            }
        };
        let (value, is_in_the_way) = (Mutex::new(value), AtomicBool::new(is_in_the_way));
        (Self { file, format: Some(format), value, is_unreadable: false, is_in_the_way }, set_aside)
    }

    /// Passes the value to `read`.
    pub fn read<R>(&self, read: impl FnOnce(&T) -> R) -> R {
        read(&self.lock())
    }

    /// Returns a copy of the value.
    pub fn get(&self) -> T
    where
        T: Clone,
    {
        self.lock().clone()
    }

    /// Changes the value, and writes the file if it differs. A failed write is logged: the change then lasts until the
    /// program ends.
    pub fn change(&self, change: impl FnOnce(&mut T))
    where
        T: Clone + PartialEq,
    {
        let mut value = self.lock();
        let before = value.clone();
        change(&mut value);
        if (*value != before || self.is_unreadable)
            && let Err(error) = self.write(&value)
        {
            tracing::warn!(?error, file = %self.file.display(), "cannot write a file of the program");
        }
    }

    /// Changes the value once the file is written.
    ///
    /// # Errors
    ///
    /// Returns the error of `change`, or [`Problem::File`] if the file cannot be written. The value stays as it was.
    pub(crate) fn try_change<R>(
        &self,
        change: impl FnOnce(&mut T) -> Result<R, Problem>,
    ) -> Result<R, Problem>
    where
        T: Clone,
    {
        let mut value = self.lock();
        let mut changed = value.clone();
        let result = change(&mut changed)?;
        self.write(&changed)?;
        *value = changed;
        Ok(result)
    }

    fn write(&self, value: &T) -> Result<(), Problem> {
        #[derive(Serialize)]
        struct Versioned<'a, T> {
            version: u32,
            #[serde(flatten)]
            value: &'a T,
        }
        let bytes = match &self.format {
            Some(format) => serde_json::to_vec_pretty(&Versioned { version: format.version, value }),
            None => serde_json::to_vec_pretty(value),
        };
        let bytes = bytes.with_context(|| format!("cannot encode {}", self.file.display()))?;
        let cannot = |error: std::io::Error| Problem::file(&self.file, &error);
        if self.is_in_the_way.load(Ordering::Relaxed) {
            // Whether it is still there is not known from the error: some systems say "not found" of a name that is too long.
            if let Err(error) = set_aside(&self.file)
                && self.file.try_exists().unwrap_or(true)
            {
                return Err(cannot(error));
            }
            self.is_in_the_way.store(false, Ordering::Relaxed);
        }
        write_whole(&self.file, &bytes).map_err(cannot)
    }

    fn lock(&self) -> MutexGuard<'_, T> {
        // No change panics between two assignments that belong together.
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read<T: Default + DeserializeOwned>(file: &Path, format: Option<&Format<T>>) -> anyhow::Result<T> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u32,
    }
    let bytes = match std::fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(T::default()),
        Err(error) => return Err(error.into()),
    };
    let Some(format) = format else { return Ok(serde_json::from_slice(&bytes)?) };
    let Versioned { version } = serde_json::from_slice(&bytes)?;
    if version == format.version {
        return Ok(serde_json::from_slice(&bytes)?);
    }
    if version > format.version {
        bail!("it was written by a newer version of this program (format {version})");
    }
    let value = (format.read_earlier)(version, &bytes)?;
    let copy = file.with_file_name(format!("{}-v{version}.json", stem(file)));
    if !copy.exists() {
        write_whole(&copy, &bytes).with_context(|| format!("cannot write the copy {}", copy.display()))?;
    }
    Ok(value)
}

/// Renames the file to an unused name, and returns its path.
fn set_aside(file: &Path) -> std::io::Result<PathBuf> {
    let now = jiff::Timestamp::now().strftime("%Y-%m-%dT%H-%M-%SZ");
    let named = |more: String| file.with_file_name(format!("{}-unreadable-{now}{more}.json", stem(file)));
    let aside = (2..100)
        .map(|number| format!("-{number}"))
        .fold(named(String::new()), |free, more| if free.exists() { named(more) } else { free });
    std::fs::rename(file, &aside)?;
    Ok(aside)
}

fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    type Words = Vec<String>;

    fn in_folder() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("words.json");
        (folder, file)
    }

    #[test]
    fn an_unchanged_value_is_not_written_and_an_unreadable_file_is_replaced_by_the_first_change() {
        let (_folder, file) = in_folder();
        JsonStore::<Words>::open(file.clone()).change(|_| {});
        assert!(!file.exists());

        std::fs::write(&file, "half a fi").unwrap();
        let store = JsonStore::<Words>::open(file.clone());
        assert_eq!(store.get(), Words::new());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "half a fi");
        store.change(|_| {});
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "[]");
    }

    #[test]
    fn a_change_outlasts_a_failed_write_only_where_a_file_is_a_convenience() {
        let (folder, file) = in_folder();
        std::fs::create_dir(&file).unwrap();
        let store = JsonStore::<Words>::open(file);

        store.change(|words| words.push("kept".to_owned()));
        let rejected = store.try_change(|words| {
            words.push("lost".to_owned());
            Ok(())
        });

        assert!(matches!(rejected, Err(Problem::File { .. })), "{rejected:?}");
        assert_eq!(store.get(), ["kept"]);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
    }
}
