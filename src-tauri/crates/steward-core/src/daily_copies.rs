//! Daily copies of the saved sites and the history, for the case that the files are damaged.
//!
//! [`keep`] writes the copies of the day, and [`newest`] finds the newest one. A file that cannot be read to its end is
//! not copied. A history with damaged entries is copied, because later entries would otherwise have no copy; the newest
//! undamaged copy is then kept as well.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::ensure;
use jiff::civil::Date;
use steward_journal::Journal;

use crate::files::data_folder::{JOURNAL, SITES, create_private, make_room};
use crate::files::{self, write_whole};
use crate::model::numbers::Millis;
use crate::sites::Site;

/// Folder of the copies, in the data folder.
pub(crate) const FOLDER: &str = "copies";

/// Number of days of which copies are kept.
const KEPT: usize = 2;

/// A copy of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Copy {
    pub(crate) path: PathBuf,
    /// Time when it was made.
    pub(crate) at: Millis,
}

/// Copies the sites and the history, unless the day has copies already. Returns the reasons for failed copies, which
/// are logged, too. Later calls try again.
pub(crate) fn keep(data_folder: &Path, journal: &Journal) -> Vec<String> {
    compare(data_folder, journal);
    let mut failures = Vec::new();
    let folder = data_folder.join(FOLDER);
    let today = today();
    for (file, copy) in [(SITES, copy_sites as CopyTo), (JOURNAL, copy_journal)] {
        let (from, to) = (data_folder.join(file), folder.join(name(file, &today.to_string())));
        if can_be_read(&to, file) || !from.exists() {
            continue;
        }
        let kept = make_room(&folder, Path::is_dir)
            .and_then(|()| create_private(&folder))
            .map_err(anyhow::Error::from)
            .and_then(|()| copy(&from, &to, journal));
        match kept {
            Ok(()) => remove_old(&folder, file, today),
            Err(error) => {
                let error = format!("{file}: {error:#}");
                tracing::warn!(error, "the copy of the day could not be made");
                failures.push(error);
            }
        }
    }
    failures
}

/// Records in the audit trail that it does not have the last entry of a copy: the history was replaced by an older one.
fn compare(data_folder: &Path, journal: &Journal) {
    // Compare all copies, not only the newest: it might have been replaced together with the history.
    for copy in copies(&data_folder.join(FOLDER), JOURNAL, today()) {
        let compared = Journal::head_of_copy(&copy)
            .and_then(|head| head.map_or(Ok(true), |head| journal.compare_head("dailyCopy", &head)));
        match compared {
            Ok(true) => {}
            Ok(false) => tracing::error!("the audit trail does not have the last entry of its daily copy"),
            Err(error) => tracing::warn!(%error, "the audit trail was not compared with its daily copy"),
        }
    }
}

/// Returns the newest copy of a file that can be read whole, or the newest one if none can; `None` if there is none.
pub(crate) fn newest(data_folder: &Path, file: &str) -> Option<Copy> {
    let mut copies = copies(&data_folder.join(FOLDER), file, today());
    // Read the whole journal: this copy is to replace the history.
    let is_whole = |copy: &PathBuf| match file {
        JOURNAL => Journal::is_whole(copy),
        _ => can_be_read(copy, file),
    };
    let path = match copies.iter().rposition(is_whole) {
        Some(newest) => copies.swap_remove(newest),
        None => copies.pop()?,
    };
    let at = path.metadata().and_then(|known| known.modified()).ok()?;
    let at = at.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Some(Copy { path, at: Millis(i64::try_from(at.as_millis()).unwrap_or(i64::MAX)) })
}

/// Returns whether a copy has the format of `file`; another file might have taken its name.
fn can_be_read(copy: &Path, file: &str) -> bool {
    match file {
        JOURNAL => Journal::is_of_release(copy),
        _ => read_sites(copy).is_ok(),
    }
}

type CopyTo = fn(&Path, &Path, &Journal) -> anyhow::Result<()>;

fn copy_sites(from: &Path, to: &Path, _: &Journal) -> anyhow::Result<()> {
    Ok(write_whole(to, &read_sites(from)?)?)
}

fn read_sites(file: &Path) -> anyhow::Result<Vec<u8>> {
    let bytes = files::read_whole(file, files::LARGEST)?;
    files::decode::<Vec<Site>>(&bytes)?;
    Ok(bytes)
}

fn copy_journal(_: &Path, to: &Path, journal: &Journal) -> anyhow::Result<()> {
    let copy = |new: &Path| {
        let health = journal.copy_to(new)?;
        ensure!(health.is_readable, "the history is damaged: {}", health.damage.join("; "));
        Ok(())
    };
    files::replace(to, copy, || Ok(()))
}

/// Removes old copies of a file. Keeps the [`KEPT`] newest, and the newest undamaged one.
fn remove_old(folder: &Path, file: &str, today: Date) {
    let copies: Vec<_> = copies(folder, file, today).into_iter().rev().collect();
    if copies.len() <= KEPT {
        return;
    }
    let undamaged = copies.iter().position(|copy| match file {
        JOURNAL => Journal::is_undamaged(copy),
        _ => can_be_read(copy, file),
    });
    let old = copies.iter().enumerate().skip(KEPT).filter(|(place, _)| Some(*place) != undamaged);
    for (_, old) in old {
        if let Err(error) = std::fs::remove_file(old) {
            tracing::warn!(%error, file = %old.display(), "an old copy could not be removed");
        }
    }
}

/// Returns the copies of a file, the newest last.
///
/// A copy dated after today counts as the oldest: it was made before the clock was set back.
fn copies(folder: &Path, file: &str, today: Date) -> Vec<PathBuf> {
    let (before, after) = file.split_once('.').unwrap_or((file, ""));
    let day_of = |path: &Path| {
        let name = path.file_name()?.to_str()?;
        let day = name.strip_prefix(before)?.strip_suffix(after)?.strip_prefix('-')?.strip_suffix('.')?;
        day.parse::<Date>().ok().filter(|_| path.is_file())
    };
    let found = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<_> = found.filter_map(|path| Some((day_of(&path)?, path))).collect();
    found.sort_by_key(|(day, _)| (*day <= today, *day));
    found.into_iter().map(|(_, path)| path).collect()
}

fn today() -> Date {
    jiff::Zoned::now().date()
}

fn name(file: &str, day: &str) -> String {
    let (before, after) = file.split_once('.').unwrap_or((file, ""));
    format!("{before}-{day}.{after}")
}

#[cfg(test)]
mod tests {
    use steward_journal::trail::Event;
    use steward_journal::{Filter, Intent};

    use super::*;

    const NO_SITES: &str = r#"{"format":1,"content":[]}"#;

    fn data() -> (tempfile::TempDir, Journal) {
        let data = tempfile::tempdir().unwrap();
        std::fs::write(data.path().join(SITES), NO_SITES).unwrap();
        let journal = Journal::open(&data.path().join(JOURNAL)).unwrap();
        journal.intend(&Intent { program_version: "trial".to_owned(), ..Intent::default() }).unwrap();
        (data, journal)
    }

    fn names(data: &Path) -> Vec<String> {
        let found = [SITES, JOURNAL].into_iter().flat_map(|file| copies(&data.join(FOLDER), file, today()));
        found.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_history_that_is_older_than_its_daily_copy_is_told_once_and_stays_told() {
        let (data, journal) = data();
        journal.append(&Event::AppEnded).unwrap();
        journal.copy_to(&data.path().join("before.db")).unwrap();
        journal.append(&Event::AppEnded).unwrap();
        keep(data.path(), &journal);
        assert_eq!(journal.trail_status().unwrap().rolled_back, []);
        drop(journal);
        for name in ["journal.db-wal", "journal.db-shm"] {
            let _ = std::fs::remove_file(data.path().join(name));
        }
        std::fs::copy(data.path().join("before.db"), data.path().join(JOURNAL)).unwrap();

        let journal = Journal::open(&data.path().join(JOURNAL)).unwrap();
        for _ in 0..2 {
            keep(data.path(), &journal);
            let [lost] = &journal.trail_status().unwrap().rolled_back[..] else { panic!("told once") };
            assert_eq!((lost.kept_in.as_str(), lost.entry), ("dailyCopy", 4), "{lost:?}");
        }
    }

    #[test]
    fn both_files_are_copied_once_a_day_and_two_days_are_kept() {
        let (data, journal) = data();
        let folder = data.path().join(FOLDER);
        std::fs::create_dir(&folder).unwrap();
        for (day, file) in [(1, SITES), (2, SITES), (1, JOURNAL), (2, JOURNAL)] {
            std::fs::write(folder.join(name(file, &format!("2026-01-0{day}"))), "earlier").unwrap();
        }
        std::fs::write(folder.join("sites-of-mine.json"), "not ours").unwrap();

        keep(data.path(), &journal);

        let today = jiff::Zoned::now().date().to_string();
        let expected =
            ["sites-2026-01-02.json", &name(SITES, &today), "journal-2026-01-02.db", &name(JOURNAL, &today)];
        assert_eq!(names(data.path()), expected);
        assert!(folder.join("sites-of-mine.json").exists());
        let copy = newest(data.path(), JOURNAL).unwrap();
        assert_eq!(Journal::open(&copy.path).unwrap().records(&Filter::default()).unwrap().len(), 1);
        let sites = std::fs::read(newest(data.path(), SITES).unwrap().path).unwrap();
        assert_eq!(sites, std::fs::read(data.path().join(SITES)).unwrap());
        // A second start of the day.
        let this_morning = format!("{NO_SITES}\n");
        std::fs::write(folder.join(name(SITES, &today)), &this_morning).unwrap();
        keep(data.path(), &journal);
        assert_eq!(std::fs::read_to_string(folder.join(name(SITES, &today))).unwrap(), this_morning);
    }

    #[test]
    fn another_file_in_the_place_of_a_copy_neither_hides_the_one_before_nor_keeps_from_making_it() {
        let (data, journal) = data();
        journal.append(&Event::AppEnded).unwrap();
        let before = data.path().join("before.db");
        journal.copy_to(&before).unwrap();
        journal.append(&Event::AppEnded).unwrap();
        let folder = data.path().join(FOLDER);
        std::fs::create_dir(&folder).unwrap();
        let yesterday = folder.join(name(JOURNAL, &today().yesterday().unwrap().to_string()));
        journal.copy_to(&yesterday).unwrap();
        drop(journal);
        for name in ["journal.db-wal", "journal.db-shm"] {
            let _ = std::fs::remove_file(data.path().join(name));
        }
        std::fs::copy(&before, data.path().join(JOURNAL)).unwrap();
        let of_today = folder.join(name(JOURNAL, &today().to_string()));
        std::fs::write(&of_today, [7; 700]).unwrap();
        assert_eq!(newest(data.path(), JOURNAL).unwrap().path, yesterday);

        let journal = Journal::open(&data.path().join(JOURNAL)).unwrap();
        keep(data.path(), &journal);

        let told: Vec<_> = journal.trail_status().unwrap().rolled_back;
        assert_eq!(told.iter().map(|one| one.entry).collect::<Vec<_>>(), [4]);
        assert_eq!(newest(data.path(), JOURNAL).unwrap().path, of_today);
        assert!(Journal::head_of_copy(&of_today).unwrap().is_some());
    }

    #[test]
    fn a_copy_that_cannot_be_read_to_its_end_gives_way_to_the_one_before() {
        let (data, journal) = data();
        let folder = data.path().join(FOLDER);
        std::fs::create_dir(&folder).unwrap();
        let copy = |day: Date| folder.join(name(JOURNAL, &day.to_string()));
        let (yesterday, of_today) = (copy(today().yesterday().unwrap()), copy(today()));
        journal.copy_to(&yesterday).unwrap();
        let mut damaged = std::fs::read(&yesterday).unwrap();
        // Behind the first pages, by which the file is recognized.
        damaged[8192..].fill(0xa7);
        std::fs::write(&of_today, damaged).unwrap();
        assert!(Journal::is_of_release(&of_today));

        assert_eq!(newest(data.path(), JOURNAL).unwrap().path, yesterday);

        std::fs::remove_file(&yesterday).unwrap();
        assert_eq!(newest(data.path(), JOURNAL).unwrap().path, of_today, "it is better than none");
    }

    #[test]
    fn a_copy_that_is_no_list_of_sites_neither_hides_the_one_before_nor_keeps_from_making_it() {
        let (data, journal) = data();
        let folder = data.path().join(FOLDER);
        std::fs::create_dir(&folder).unwrap();
        let copy = |day: Date| folder.join(name(SITES, &day.to_string()));
        let (yesterday, of_today) = (copy(today().yesterday().unwrap()), copy(today()));
        std::fs::write(&yesterday, NO_SITES).unwrap();
        std::fs::write(&of_today, r#"{"format":1,"content":[{"x":1}]}"#).unwrap();
        assert_eq!(newest(data.path(), SITES).unwrap().path, yesterday);

        keep(data.path(), &journal);

        assert_eq!(std::fs::read_to_string(&of_today).unwrap(), NO_SITES);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_changed_checksum_alone_does_not_keep_the_history_from_being_copied() {
        let (data, journal) = data();
        let change = "import sqlite3, sys; sqlite3.connect(sys.argv[1], isolation_level=None).execute('UPDATE record SET checksum = 0')";
        let changed = std::process::Command::new("python3")
            .args(["-c", change])
            .arg(data.path().join(JOURNAL))
            .status();
        assert!(changed.unwrap().success());
        let health = journal.check().unwrap();
        assert!(!health.damage.is_empty() && health.is_readable, "{health:?}");

        keep(data.path(), &journal);

        assert_eq!(copies(&data.path().join(FOLDER), JOURNAL, today()).len(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn what_is_in_the_place_of_the_folder_of_the_copies_is_moved() {
        for is_link in [true, false] {
            let (data, journal) = data();
            let folder = data.path().join(FOLDER);
            match is_link {
                true => std::os::unix::fs::symlink("nowhere", &folder).unwrap(),
                false => std::fs::write(&folder, "").unwrap(),
            }

            assert_eq!(keep(data.path(), &journal), [] as [String; 0]);

            assert_eq!(names(data.path()).len(), 2);
            assert!(data.path().join("copies.moved").symlink_metadata().is_ok());
        }
    }

    #[test]
    fn a_copy_that_was_made_while_the_clock_was_ahead_outlasts_and_hides_no_later_one() {
        let (data, journal) = data();
        let folder = data.path().join(FOLDER);
        std::fs::create_dir(&folder).unwrap();
        for day in ["2140-01-01", "2140-01-02"] {
            std::fs::write(folder.join(name(SITES, day)), "earlier").unwrap();
        }

        keep(data.path(), &journal);

        let newest = newest(data.path(), SITES).unwrap();
        assert_eq!(newest.path, folder.join(name(SITES, &today().to_string())));
        assert_eq!(copies(&folder, SITES, today()).len(), KEPT);
    }

    #[test]
    fn a_damaged_file_does_not_replace_a_good_copy() {
        let (data, journal) = data();
        let folder = data.path().join(FOLDER);
        std::fs::create_dir(&folder).unwrap();
        let copy = |days: i64| {
            let day = today().checked_sub(jiff::Span::new().days(days)).unwrap();
            folder.join(name(JOURNAL, &day.to_string()))
        };
        journal.copy_to(&copy(3)).unwrap();
        std::fs::write(data.path().join(SITES), "half a fi").unwrap();
        drop(journal);
        let file = data.path().join(JOURNAL);
        let bytes = std::fs::read(&file).unwrap();
        let at = bytes.windows(5).position(|bytes| bytes == b"trial").unwrap();
        std::fs::write(&file, [&bytes[..at], b"trail", &bytes[at + 5..]].concat()).unwrap();
        let journal = Journal::open(&file).unwrap();
        assert!(journal.check().unwrap().is_readable, "one entry is damaged");
        for day in [2, 1] {
            journal.copy_to(&copy(day)).unwrap();
        }

        assert_eq!(keep(data.path(), &journal).len(), 1, "the sites alone are not copied");

        assert!(Journal::is_undamaged(&copy(3)), "after three damaged days");
        assert!(copy(1).exists() && copy(0).exists() && !copy(2).exists(), "{:?}", names(data.path()));
        assert_eq!(newest(data.path(), JOURNAL).unwrap().path, copy(0), "it has what is new since");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 3, "no temporary file is left");
    }

    #[test]
    #[cfg(unix)]
    fn a_pipe_in_place_of_the_sites_is_not_waited_for() {
        let (data, journal) = data();
        let sites = data.path().join(SITES);
        std::fs::remove_file(&sites).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&sites).status().unwrap().success());
        let (ended, end) = std::sync::mpsc::channel();
        let folder = data.path().to_owned();
        // A thread of its own: one that waits for the other end of a pipe never ends.
        std::thread::spawn(move || {
            keep(&folder, &journal);
            let _ = ended.send(());
        });

        end.recv_timeout(std::time::Duration::from_secs(20)).unwrap();

        assert_eq!(names(data.path()).len(), 1, "the history");
    }
}
