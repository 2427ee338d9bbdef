//! A value stored in a small JSON file of the data folder, with its format: `{ "format": 1, "content": … }`.
//!
//! The file is written atomically. [`JsonStore::open_required`] is for data that must not be lost: it fails if the file
//! cannot be read. [`JsonStore::open`] is for all other data: it renames such a file, and begins with the default.
//!
//! Readers of the value never wait for the disk: the file is written without the lock that they take.

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, bail};
use serde::de::{self, DeserializeOwned, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::{in_place, known_files, write_whole};
use crate::model::problem::Problem;

/// Format that is read and written.
const FORMAT: u32 = 1;

/// A value and its file. Only the user can read the file.
pub struct JsonStore<T> {
    file: PathBuf,
    value: Mutex<T>,
    /// Held while the value is changed and its file is written.
    writing: Mutex<()>,
    /// Limit of the file, in bytes. A larger one could not be read again.
    limit: u64,
    /// Whether an unreadable file is still in its place, because it could not be renamed. Each write tries to rename it
    /// first, and fails if it cannot.
    is_in_the_way: AtomicBool,
    /// Whether changes are not written: another process writes the file.
    is_read_only: bool,
    /// Whether writing the file marks it as known, so that its loss is noticed.
    is_noted: bool,
}

impl<T: Default + Serialize + DeserializeOwned> JsonStore<T> {
    /// Reads the file. The value is the default if there is no file, or none that can be read.
    ///
    /// A file that cannot be read, or has a newer format, is renamed to `<name>-unreadable-<time>.json`. If it cannot be
    /// renamed, it is not replaced either.
    #[must_use]
    pub fn open(file: PathBuf) -> Self {
        Self::open_within(file, LARGEST)
    }

    /// Reads a file with another limit, in bytes.
    pub(crate) fn open_within(file: PathBuf, limit: u64) -> Self {
        let mut is_in_the_way = false;
        let value = read(&file, limit).unwrap_or_else(|error| {
            tracing::warn!(error = format!("{error:#}"), file = %file.display(), "cannot read a file of the program");
            if let Err(error) = set_aside(&file).and_then(|_| known_files::forget(&file)) {
                tracing::warn!(%error, file = %file.display(), "cannot move an unreadable file");
                is_in_the_way = true;
            }
            T::default()
        });
        Self { is_in_the_way: AtomicBool::new(is_in_the_way), ..Self::holding(file, value, limit) }
    }

    /// Reads the file. The value is the default if there is no file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, is not understood, or has a newer format. It stays as it is.
    pub(crate) fn open_required(file: PathBuf) -> anyhow::Result<Self> {
        let value = in_place(|| read(&file, LARGEST))?;
        Ok(Self::holding(file, value, LARGEST))
    }

    fn holding(file: PathBuf, value: T, limit: u64) -> Self {
        Self {
            file,
            value: Mutex::new(value),
            writing: Mutex::default(),
            limit,
            is_in_the_way: AtomicBool::new(false),
            is_read_only: false,
            is_noted: false,
        }
    }

    /// Reads a file that another process writes. The value is the default if it cannot be read. Changes last until the
    /// program ends, and are not written.
    pub fn open_read_only(file: PathBuf) -> Self {
        Self::open_required_read_only(file.clone()).unwrap_or_else(|error| {
            tracing::warn!(error = format!("{error:#}"), file = %file.display(), "cannot read a file of the program");
            Self { is_read_only: true, ..Self::holding(file, T::default(), LARGEST) }
        })
    }

    /// Reads a file that another process writes, as [`open_read_only`](Self::open_read_only) does.
    ///
    /// # Errors
    ///
    /// Those of [`open_required`](Self::open_required).
    pub(crate) fn open_required_read_only(file: PathBuf) -> anyhow::Result<Self> {
        Ok(Self { is_read_only: true, ..Self::open_required(file)? })
    }

    /// Marks the file as known, now and at each write: the app acts on its content without a user, so that a lost file
    /// must not look like a new data folder. If the file was lost already, an empty file with the name of an unreadable
    /// one is created.
    #[must_use]
    pub fn noted(self) -> Self {
        note_loss(&self.file);
        if self.file.exists() {
            known_files::note(&self.file);
        }
        Self { is_noted: true, ..self }
    }

    /// Does the same as [`noted`](Self::noted) for a file that is missing, although other files show that it was
    /// written.
    #[must_use]
    pub fn noting_loss(self) -> Self {
        known_files::note(&self.file);
        self.noted()
    }

    /// Writes the file, also with the default.
    #[must_use]
    pub fn written(self) -> Self {
        self.update(|_| ());
        self
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
        self.while_writing(|| {
            let before = self.get();
            let mut changed = before.clone();
            change(&mut changed);
            if changed != before {
                let bytes = self.encoded_within_limit(&changed);
                *self.lock() = changed;
                self.written_or_logged(bytes.and_then(|bytes| self.put(&bytes)));
            }
        });
    }

    /// Changes the value, and writes the file: for a large value, which [`change`](Self::change) would copy. A failed
    /// write is logged: the change then lasts until the program ends.
    pub(crate) fn update(&self, change: impl FnOnce(&mut T)) {
        self.while_writing(|| {
            let mut value = self.lock();
            change(&mut value);
            let bytes = self.encoded_within_limit(&value);
            drop(value);
            self.written_or_logged(bytes.and_then(|bytes| self.put(&bytes)));
        });
    }

    /// Changes the value as [`update`](Self::update) does. While the file would be larger than its limit, `reduce` removes a
    /// part of the value.
    pub(crate) fn update_within_limit(&self, change: impl FnOnce(&mut T), reduce: impl Fn(&mut T)) {
        self.while_writing(|| {
            let mut value = self.lock();
            change(&mut value);
            let bytes = loop {
                match self.encoded(&value) {
                    Ok(bytes) if self.is_too_large(&bytes) => reduce(&mut value),
                    encoded => break encoded,
                }
            };
            drop(value);
            self.written_or_logged(bytes.and_then(|bytes| self.put(&bytes)));
        });
    }

    /// Changes the value once the file is written.
    ///
    /// # Errors
    ///
    /// Returns the error of `change`, or [`Problem::File`] if the file cannot be written. The value stays as it was.
    pub fn try_change<R>(&self, change: impl FnOnce(&mut T) -> Result<R, Problem>) -> Result<R, Problem>
    where
        T: Clone,
    {
        self.while_writing(|| {
            let mut changed = self.get();
            let result = change(&mut changed)?;
            self.put(&self.encoded_within_limit(&changed)?)?;
            *self.lock() = changed;
            Ok(result)
        })
    }

    /// Changes the value once `tell` has been called with the old and the new value, for example to record them, and
    /// the file is written.
    ///
    /// The new value is first written to a file beside it: if the app ends after `tell`, [`complete`](Self::complete)
    /// makes the change at the next start.
    ///
    /// # Errors
    ///
    /// Those of [`try_change`](Self::try_change) and of `tell`. The value stays as it was. If the file could not be
    /// written, `tell` is called again, with the two values exchanged.
    pub fn try_change_told<R>(
        &self,
        change: impl FnOnce(&mut T) -> Result<R, Problem>,
        tell: impl Fn(&T, &T) -> Result<(), Problem>,
    ) -> Result<R, Problem>
    where
        T: Clone,
    {
        self.while_writing(|| {
            let before = self.get();
            let mut changed = before.clone();
            let result = change(&mut changed)?;
            let bytes = self.encoded_within_limit(&changed)?;
            let next = self.next();
            write_whole(&next, &bytes).map_err(|error| Problem::file(&next, &error))?;
            let written = tell(&before, &changed).and_then(|()| {
                self.put(&bytes).inspect_err(|_| {
                    if let Err(error) = tell(&changed, &before) {
                        tracing::warn!(?error, file = %self.file.display(), "that a change was not made is not told");
                    }
                })
            });
            remove(&next);
            written?;
            *self.lock() = changed;
            Ok(result)
        })
    }

    /// Completes a change that was interrupted in [`try_change_told`](Self::try_change_told). `tell` might be called a
    /// second time for it.
    pub fn complete(&self, tell: impl Fn(&T, &T) -> Result<(), Problem>) {
        let next = self.next();
        let changed = match content::<T>(&next, self.limit) {
            Ok(None) => return,
            Ok(Some(changed)) => changed,
            Err(error) => {
                tracing::warn!(error = format!("{error:#}"), file = %next.display(), "cannot read a change");
                return remove(&next);
            }
        };
        let made = self.encoded_within_limit(&changed).and_then(|bytes| {
            tell(&self.lock(), &changed)?;
            self.put(&bytes)
        });
        match made {
            Ok(()) => {
                *self.lock() = changed;
                remove(&next);
            }
            Err(error) => {
                tracing::warn!(?error, file = %next.display(), "a change that was cut off is not made yet")
            }
        }
    }

    /// Returns the path of the file with the new value during a change.
    fn next(&self) -> PathBuf {
        self.file.with_file_name(format!("{}-next.json", stem(&self.file)))
    }

    /// Runs one change at a time.
    fn while_writing<R>(&self, work: impl FnOnce() -> R) -> R {
        in_place(|| {
            let _one_at_a_time = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
            work()
        })
    }

    fn encoded_within_limit(&self, value: &T) -> Result<Vec<u8>, Problem> {
        let bytes = self.encoded(value)?;
        if self.is_too_large(&bytes) {
            let message = format!("{} would be larger than {} bytes", self.file.display(), self.limit);
            return Err(Problem::Unexpected { message });
        }
        Ok(bytes)
    }

    fn is_too_large(&self, bytes: &[u8]) -> bool {
        bytes.len() as u64 > self.limit
    }

    fn written_or_logged(&self, written: Result<(), Problem>) {
        if let Err(error) = written {
            tracing::warn!(?error, file = %self.file.display(), "cannot write a file of the program");
        }
    }

    fn encoded(&self, value: &T) -> Result<Vec<u8>, Problem> {
        Ok(encode(value).with_context(|| format!("cannot encode {}", self.file.display()))?)
    }

    fn put(&self, bytes: &[u8]) -> Result<(), Problem> {
        if self.is_read_only {
            return Ok(());
        }
        let cannot = |error: std::io::Error| Problem::file(&self.file, &error);
        if self.is_in_the_way.load(Ordering::Relaxed) {
            // Look for the file: the error does not show whether it is there, because some systems report a name that
            // is too long as not found.
            if let Err(error) = set_aside(&self.file)
                && self.file.try_exists().unwrap_or(true)
            {
                return Err(cannot(error));
            }
            self.is_in_the_way.store(false, Ordering::Relaxed);
        }
        write_whole(&self.file, bytes).map_err(cannot)?;
        if self.is_noted {
            known_files::note(&self.file);
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, T> {
        // No change panics between two assignments that belong together.
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The file has this format, which is newer than [`FORMAT`].
#[derive(Debug, thiserror::Error)]
#[error("it was written by a newer version of this program (format {0})")]
pub(crate) struct Newer(u32);

/// Encodes the content of a file, with its format.
///
/// # Errors
/// An error of the content, for example a map whose keys are no texts.
pub fn encode(content: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    #[derive(Serialize)]
    struct File<'a, T> {
        format: u32,
        content: &'a T,
    }
    serde_json::to_vec_pretty(&File { format: FORMAT, content })
}

/// Decodes the content of a file, in any of the encodings of [`as_utf8`].
///
/// # Errors
/// [`Newer`] for a newer format; another error if the bytes are not such content, or have an unknown key. It might be a
/// damaged key, whose value would be lost.
pub fn decode<T: DeserializeOwned + Serialize>(bytes: &[u8]) -> anyhow::Result<T> {
    #[derive(Deserialize)]
    struct Head {
        format: u32,
    }
    #[derive(Deserialize)]
    struct File<T> {
        content: T,
    }
    let bytes = &*super::as_utf8(bytes);
    // A newer content might have another form. Read the format alone first.
    let Head { format } = serde_json::from_slice(bytes)?;
    if format > FORMAT {
        bail!(Newer(format));
    }
    // Reject repeated keys: a map would keep only the last value.
    serde_json::from_slice::<KeysOnce>(bytes)?;
    let File { content } = serde_json::from_slice::<File<T>>(bytes)?;
    let File::<Value> { content: read } = serde_json::from_slice(bytes)?;
    if let Some(key) = unknown_key(&read, &serde_json::to_value(&content)?) {
        bail!("the key {key:?} is not known");
    }
    Ok(content)
}

/// Any value whose objects have no repeated keys.
struct KeysOnce;

impl<'de> Deserialize<'de> for KeysOnce {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for KeysOnce {
    type Value = Self;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self, A::Error> {
        let mut keys = HashSet::new();
        while let Some(key) = map.next_key::<String>()? {
            map.next_value::<Self>()?;
            if let Some(key) = keys.replace(key) {
                return Err(de::Error::custom(format_args!("the key {key:?} is there twice")));
            }
        }
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self, A::Error> {
        while seq.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }
}

/// Keys that earlier versions wrote, and that are not read any more.
const FORMER_KEYS: [&str; 1] = ["activeAgain"];

/// Returns a key of `read` whose value is not `null`, `false`, 0, or empty, and which neither this version nor an
/// earlier one writes.
fn unknown_key(read: &Value, written: &Value) -> Option<String> {
    let says_nothing = |value: &Value| match value {
        Value::Null => true,
        Value::Bool(is_so) => !is_so,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(all) => all.is_empty(),
        Value::Object(all) => all.is_empty(),
    };
    match (read, written) {
        (Value::Object(read), Value::Object(written)) => {
            read.iter().find_map(|(key, value)| match written.get(key) {
                Some(written) => unknown_key(value, written),
                None => (!says_nothing(value) && !FORMER_KEYS.contains(&key.as_str())).then(|| key.clone()),
            })
        }
        (Value::Array(read), Value::Array(written)) => {
            read.iter().zip(written).find_map(|(read, written)| unknown_key(read, written))
        }
        _ => None,
    }
}

/// Limit of a file of the app, in bytes: far more than it writes.
pub(crate) const LARGEST: u64 = 256 * 1024 * 1024;

/// Removes the file of a change that was made, or that failed.
fn remove(next: &Path) {
    if let Err(error) = std::fs::remove_file(next) {
        tracing::warn!(%error, file = %next.display(), "a file of a change is kept");
    }
}

/// Checks that a file can be read as a `T`, or does not exist.
///
/// # Errors
/// Why it cannot be read.
pub fn check<T: DeserializeOwned + Serialize>(file: &Path) -> anyhow::Result<()> {
    content::<T>(file, LARGEST).map(drop)
}

fn read<T: Default + DeserializeOwned + Serialize>(file: &Path, limit: u64) -> anyhow::Result<T> {
    content(file, limit).map(Option::unwrap_or_default)
}

/// Reads a file; `None` if it does not exist.
fn content<T: DeserializeOwned + Serialize>(file: &Path, limit: u64) -> anyhow::Result<Option<T>> {
    match super::read_whole(file, limit) {
        Ok(bytes) => decode(&bytes).map(Some),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Text between the name of an unreadable file and the time when it was set aside.
const ASIDE: &str = "-unreadable-";

/// Returns the files that were set aside because one of this name could not be read, the oldest first.
pub(crate) fn asides_of(file: &Path) -> Vec<PathBuf> {
    let begin = format!("{}{ASIDE}", stem(file));
    let folder = std::fs::read_dir(super::temporary::folder_of(file)).into_iter().flatten().flatten();
    let is_of_file = |path: &PathBuf| path.extension() == file.extension() && stem(path).starts_with(&begin);
    let mut asides: Vec<_> = folder.map(|entry| entry.path()).filter(is_of_file).collect();
    asides.sort();
    asides
}

/// Returns whether a file has the name of one that was set aside.
pub(crate) fn is_aside(file: &Path) -> bool {
    stem(file).contains(ASIDE)
}

/// Records that a file is missing although it was written once: creates an empty file with the name of an unreadable
/// one.
pub(crate) fn note_loss(file: &Path) {
    if !known_files::is_lost(file) {
        return;
    }
    tracing::warn!(file = %file.display(), "a file of the program is missing");
    let told = std::fs::File::create_new(name_aside(file));
    if let Err(error) = told.and_then(|_| known_files::forget(file)) {
        tracing::warn!(%error, file = %file.display(), "cannot keep that a file was missing");
    }
}

/// Renames the file to an unused name, `<name>-unreadable-<time>` with its extension, and returns its path.
pub(crate) fn set_aside(file: &Path) -> std::io::Result<PathBuf> {
    let aside = name_aside(file);
    std::fs::rename(file, &aside)?;
    Ok(aside)
}

/// Returns an unused name for a file that could not be read.
pub(crate) fn name_aside(file: &Path) -> PathBuf {
    let now = jiff::Timestamp::now().strftime("%Y-%m-%dT%H-%M-%SZ");
    let extension = file.extension().unwrap_or_default().to_string_lossy();
    let named = |more: String| file.with_file_name(format!("{}{ASIDE}{now}{more}.{extension}", stem(file)));
    let is_taken = |path: &PathBuf| path.symlink_metadata().is_ok();
    (2..100)
        .map(|number| format!("-{number}"))
        .fold(named(String::new()), |free, more| if is_taken(&free) { named(more) } else { free })
}

fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    type Texts = Vec<String>;

    fn in_folder() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("words.json");
        (folder, file)
    }

    #[test]
    fn a_file_that_another_process_writes_is_read_and_never_written() {
        let (_folder, file) = in_folder();
        for before in [None, Some("not json"), Some(r#"{"format":1,"content":["theirs"]}"#)] {
            if let Some(before) = before {
                std::fs::write(&file, before).unwrap();
            }
            let store = JsonStore::<Texts>::open_read_only(file.clone());
            let known = store.get().len();
            store.change(|texts| texts.push("ours".to_owned()));
            assert_eq!(store.get().len(), known + 1);
            assert_eq!(std::fs::read_to_string(&file).ok().as_deref(), before);
        }
        assert_eq!(std::fs::read_dir(file.parent().unwrap()).unwrap().count(), 1, "and nothing is set aside");
    }

    #[test]
    fn a_file_that_an_editor_saved_with_a_byte_order_mark_or_in_utf_16_is_read() {
        let marked = "\u{feff}{\"format\":1,\"content\":[\"theirs\"]}";
        let utf_16 = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [marked.as_bytes().to_vec(), utf_16] {
            let (_folder, file) = in_folder();
            std::fs::write(&file, bytes).unwrap();
            assert_eq!(JsonStore::<Texts>::open(file.clone()).get(), ["theirs"]);
            assert!(file.exists(), "it is not set aside");
        }
    }

    #[test]
    fn an_unchanged_value_is_not_written_and_a_changed_one_has_its_format() {
        let (_folder, file) = in_folder();
        let store = JsonStore::<Texts>::open(file.clone());
        store.change(|_| {});
        assert!(!file.exists());

        store.change(|words| words.push("kept".to_owned()));

        let written: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        assert_eq!(written, serde_json::json!({ "format": 1, "content": ["kept"] }));
        assert_eq!(JsonStore::<Texts>::open(file).get(), ["kept"]);
    }

    #[test]
    fn a_file_that_cannot_be_read_or_is_newer_is_kept_under_another_name() {
        let (_folder, file) = in_folder();
        let contents = ["half a fi", "[]", r#"{"format":1}"#, r#"{"format":2,"content":["later"]}"#];
        for content in contents {
            std::fs::write(&file, content).unwrap();

            let store = JsonStore::<Texts>::open(file.clone());

            assert_eq!(store.get(), Texts::new(), "{content}");
            assert!(!file.exists(), "{content}");
        }
        let kept = std::fs::read_dir(file.parent().unwrap()).unwrap();
        let kept = kept.map(|kept| std::fs::read_to_string(kept.unwrap().path()).unwrap());
        assert_eq!(kept.collect::<HashSet<_>>(), contents.map(str::to_owned).into());
    }

    #[test]
    fn a_required_file_that_cannot_be_read_or_is_newer_is_refused_and_left_untouched() {
        let (folder, file) = in_folder();
        let cases = [
            ("half a fi", "expected value"),
            ("[]", "invalid length"),
            (r#"{"version":3}"#, "missing field `format`"),
            (r#"{"format":2,"content":{"later":1}}"#, "newer version of this program (format 2)"),
        ];
        for (content, reason) in cases {
            std::fs::write(&file, content).unwrap();

            let error = JsonStore::<Texts>::open_required(file.clone()).err().unwrap();

            assert!(format!("{error:#}").contains(reason), "{content}: {error:#}");
            assert_eq!(std::fs::read_to_string(&file).unwrap(), content);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_key_that_is_not_known_is_not_taken_for_one_that_is_missing() {
        #[derive(Default, Serialize, Deserialize)]
        struct Inner {
            server: Option<String>,
        }
        #[derive(Default, Serialize, Deserialize)]
        struct Flat {
            #[serde(flatten)]
            inner: Inner,
            #[serde(default, skip_serializing_if = "Vec::is_empty")]
            all: Vec<Inner>,
        }
        let content = |text: &str| decode::<Flat>(format!(r#"{{"format":1,"content":{text}}}"#).as_bytes());
        for known in [
            r#"{"server":"a","all":[]}"#,
            r#"{"all":[{"server":null},{"server":"b"}]}"#,
            r#"{"sfrver":null}"#,
        ] {
            content(known).unwrap();
        }
        for damaged in [r#"{"sfrver":"a"}"#, r#"{"all":[{},{"servfr":"a"}]}"#, r#"{"alm":[{"server":"a"}]}"#]
        {
            let error = content(damaged).err().unwrap();
            assert!(error.to_string().contains("is not known"), "{damaged}: {error}");
        }
    }

    #[test]
    fn a_key_that_is_there_twice_is_not_taken_for_its_last_value() {
        let content = |text: &str| {
            let file = format!(r#"{{"format":1,"content":{text}}}"#);
            decode::<HashMap<String, Vec<HashMap<String, Option<f64>>>>>(file.as_bytes())
        };
        for once in ["{}", r#"{"a":[{"b":1,"c":null},{"b":-1.5}],"b":[]}"#] {
            content(once).unwrap();
        }
        for twice in [r#"{"a":[],"b":[],"a":[]}"#, r#"{"a":[{"c":1},{"b":1,"b":2}]}"#] {
            let error = content(twice).err().unwrap();
            assert!(error.to_string().contains("is there twice"), "{twice}: {error}");
        }
    }

    #[test]
    fn a_change_outlasts_a_failed_write_only_where_a_file_is_a_convenience() {
        let (folder, file) = in_folder();
        let store = JsonStore::<Texts>::open(file.clone());
        std::fs::create_dir(&file).unwrap();

        store.change(|words| words.push("kept".to_owned()));
        let rejected = store.try_change(|words| {
            words.push("lost".to_owned());
            Ok(())
        });

        assert!(matches!(rejected, Err(Problem::File { .. })), "{rejected:?}");
        assert_eq!(store.get(), ["kept"]);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
    }

    /// A value that takes as long to write as a test wants.
    #[derive(Debug, Clone, Default, PartialEq, Deserialize)]
    struct Slow(u32, #[serde(skip)] Option<Disk>);

    #[derive(Debug, Clone)]
    struct Disk(std::sync::Arc<std::sync::Barrier>);

    impl PartialEq for Disk {
        fn eq(&self, _: &Self) -> bool {
            true
        }
    }

    impl Serialize for Slow {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            if let Some(Disk(busy)) = &self.1 {
                busy.wait();
                busy.wait();
            }
            serializer.serialize_newtype_struct("Slow", &self.0)
        }
    }

    #[test]
    fn a_value_is_read_and_other_work_of_the_runtime_goes_on_while_its_file_is_written() {
        let (_folder, file) = in_folder();
        let store = std::sync::Arc::new(JsonStore::<Slow>::open(file));
        let busy = std::sync::Arc::new(std::sync::Barrier::new(2));
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
        let (changed, disk) = (store.clone(), busy.clone());
        let writing =
            runtime.spawn(async move { changed.change(|value| *value = Slow(1, Some(Disk(disk)))) });
        busy.wait();
        let (reads, read) = std::sync::mpsc::channel();
        runtime.spawn(async move { reads.send(store.read(|value| value.0)) });
        let read = read.recv_timeout(std::time::Duration::from_secs(10));
        busy.wait();
        runtime.block_on(writing).unwrap();
        assert_eq!(read, Ok(0), "what is on the disk");
    }

    #[test]
    fn a_change_that_was_told_and_cut_off_is_made_later_and_one_that_could_not_be_told_is_not() {
        let (folder, file) = in_folder();
        let store = JsonStore::<Texts>::open(file.clone());
        let add = |texts: &mut Texts| {
            texts.push("new".to_owned());
            Ok(())
        };
        let rejected = store.try_change_told(add, |_, _| Err(Problem::Unexpected { message: String::new() }));
        assert!(rejected.is_err() && store.get().is_empty() && !file.exists());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left of it");

        let cut_off = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            store.try_change_told(add, |_, _| std::panic::resume_unwind(Box::new("killed")))
        }));
        assert!(cut_off.is_err() && !file.exists(), "the file is written after it was told");

        let store = JsonStore::<Texts>::open(file.clone());
        let told = Mutex::new(Vec::new());
        let tell = |before: &Texts, after: &Texts| {
            told.lock().unwrap().push((before.clone(), after.clone()));
            Ok(())
        };
        store.complete(tell);
        assert_eq!(JsonStore::<Texts>::open(file).get(), ["new"]);
        assert_eq!(*told.lock().unwrap(), [(Texts::new(), vec!["new".to_owned()])]);
        store.complete(tell);
        assert_eq!(told.lock().unwrap().len(), 1, "once");
    }

    #[test]
    fn a_change_that_was_told_and_could_not_be_written_is_told_as_taken_back() {
        let (_folder, file) = in_folder();
        let store = JsonStore::<Texts>::open(file.clone());
        std::fs::create_dir(&file).unwrap();
        let told = Mutex::new(Vec::new());
        let add = |texts: &mut Texts| {
            texts.push("new".to_owned());
            Ok(())
        };
        let rejected = store.try_change_told(add, |before, after| {
            told.lock().unwrap().push((before.len(), after.len()));
            Ok(())
        });
        assert!(matches!(rejected, Err(Problem::File { .. })), "{rejected:?}");
        assert_eq!(*told.lock().unwrap(), [(0, 1), (1, 0)]);
        assert!(store.get().is_empty());
    }

    #[test]
    fn what_could_not_be_read_again_is_not_written() {
        let (_folder, file) = in_folder();
        let store = JsonStore::<Texts>::open_within(file.clone(), 200);
        store.change(|words| words.push("kept".to_owned()));

        store.change(|words| words.push("x".repeat(200)));
        let rejected = store.try_change(|words| {
            words.push("x".repeat(200));
            Ok(())
        });

        assert!(matches!(rejected, Err(Problem::Unexpected { .. })), "{rejected:?}");
        assert_eq!(JsonStore::<Texts>::open_within(file, 200).get(), ["kept"]);
    }
}
