use steward_journal::Listed;

use super::*;
use crate::sites::SiteForm;

/// A data folder with a site, two records, and copies of both files that lack the second record.
fn data() -> (tempfile::TempDir, DataFolder) {
    let data = tempfile::tempdir().unwrap();
    let held = DataFolder::take(data.path()).unwrap();
    let files = RequiredFiles::open(&held).unwrap();
    files.sites.save(&SiteForm::of("City GIS", "https://gis.example.org/portal", "")).unwrap();
    files.journal.intend(&intent_of("sign_in")).unwrap();
    daily_copies::keep(data.path(), &files.journal);
    files.journal.intend(&intent_of("sign_out")).unwrap();
    drop(files);
    (data, held)
}

fn operations(journal: &Journal) -> Vec<String> {
    journal.records(&Filter::default()).unwrap().into_iter().map(|record| record.intent.operation).collect()
}

fn asides(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let is_aside = |path: &PathBuf| {
        let name = path.to_string_lossy().into_owned();
        name.contains("-unreadable-") && !name.ends_with("-wal") && !name.ends_with("-shm")
    };
    files.filter(is_aside).collect()
}

type Damage = fn(&Path);

const DAMAGES: [(RequiredFile, StartFault, Damage); 12] = [
    (RequiredFile::Sites, StartFault::Missing, |file| std::fs::remove_file(file).unwrap()),
    (RequiredFile::Sites, StartFault::Empty, |file| std::fs::write(file, "").unwrap()),
    (RequiredFile::Sites, StartFault::Damaged, |file| cut(file)),
    // One letter of a key is wrong: if the key was ignored, the site would have no portal.
    (RequiredFile::Sites, StartFault::Damaged, |file| {
        let sites = std::fs::read_to_string(file).unwrap();
        assert!(sites.contains("\"portal\":"));
        std::fs::write(file, sites.replace("\"portal\":", "\"portam\":")).unwrap();
    }),
    (RequiredFile::Sites, StartFault::Newer, |file| {
        std::fs::write(file, r#"{"format":2,"content":{"later":1}}"#).unwrap();
    }),
    (RequiredFile::History, StartFault::Missing, |file| std::fs::remove_file(file).unwrap()),
    (RequiredFile::History, StartFault::Empty, |file| std::fs::write(file, "").unwrap()),
    (RequiredFile::History, StartFault::Damaged, |file| cut(file)),
    (RequiredFile::History, StartFault::Damaged, |file| overwrite(file, 0, b"SQLite form")),
    // The number of the format, in the header of the database.
    (RequiredFile::History, StartFault::Newer, |file| overwrite(file, 60, &[0, 0, 0, 2])),
    (RequiredFile::History, StartFault::NotOurs, |file| overwrite(file, 68, &[0, 0, 0, 7])),
    // Without its mark, the history might be of a version before the first release; but then, the sites would be, too.
    (RequiredFile::History, StartFault::NotOurs, |file| overwrite(file, 68, &[0, 0, 0, 0])),
];

/// The data folder with a damaged file, and the content of that file; `None` if it is gone.
fn damaged(file: RequiredFile, damage: Damage) -> (tempfile::TempDir, DataFolder, Option<Vec<u8>>) {
    let (data, held) = data();
    let path = data.path().join(file.name());
    damage(&path);
    let content = std::fs::read(&path).ok();
    (data, held, content)
}

fn cut(file: &Path) {
    let bytes = std::fs::read(file).unwrap();
    // Cut the last page of the history: the first ones have the definitions of the tables.
    let lost = if bytes.len() > 8_192 { 4_096 } else { bytes.len() / 3 };
    std::fs::write(file, &bytes[..bytes.len() - lost]).unwrap();
}

fn overwrite(file: &Path, at: usize, with: &[u8]) {
    let mut bytes = std::fs::read(file).unwrap();
    match with {
        b"SQLite form" => bytes[at..at + 16].copy_from_slice(b"SQLite formam 3\0"),
        _ => bytes[at..at + with.len()].copy_from_slice(with),
    }
    std::fs::write(file, bytes).unwrap();
}

#[test]
fn the_first_start_has_no_files_and_a_later_one_finds_them() {
    let data = tempfile::tempdir().unwrap();
    let held = DataFolder::take(data.path()).unwrap();
    // A process that was killed at its first start leaves a file without tables.
    std::fs::write(data.path().join(JOURNAL), "").unwrap();

    assert!(RequiredFiles::open(&held).is_ok());
    assert!(RequiredFiles::open(&held).is_ok());
    assert!(asides(data.path()).is_empty());
}

#[test]
fn a_file_that_cannot_be_used_is_named_with_its_copy_and_left_as_it_is() {
    for (file, fault, damage) in DAMAGES {
        let (data, held, before) = damaged(file, damage);

        let problem = RequiredFiles::open(&held).err().unwrap();

        assert_eq!((problem.file, problem.fault), (Some(file), fault), "{problem:?}");
        assert!(problem.path.ends_with(file.name()) && problem.copy_at.is_some(), "{problem:?}");
        assert!(std::fs::read(data.path().join(file.name())).ok() == before, "{problem:?}");
        assert!(!problem.can_continue && asides(data.path()).is_empty());
    }
}

#[test]
fn the_copy_takes_the_place_of_a_file_that_is_kept_under_another_name() {
    for (file, fault, damage) in DAMAGES {
        let (data, held, before) = damaged(file, damage);
        let problem = RequiredFiles::open(&held).err().unwrap();

        let files = resolve(&held, &problem, StartChoice::UseCopy).unwrap();

        assert_eq!(files.sites.all().len(), 1, "{fault:?}");
        let expected: &[&str] = match file {
            RequiredFile::Sites => &["set_data_aside", "sign_out", "sign_in"],
            RequiredFile::History => &["set_data_aside", "sign_in"],
        };
        assert_eq!(operations(&files.journal), expected, "{fault:?}");
        let kept: Vec<_> = asides(data.path()).iter().map(|path| std::fs::read(path).unwrap()).collect();
        assert!(kept == before.into_iter().collect::<Vec<_>>(), "{fault:?}");
        let record = files.journal.records(&Filter::default()).unwrap().remove(0);
        let names: Vec<_> = record.intent.parameters.iter().map(|(name, _)| name.as_str()).collect();
        assert!(names.starts_with(&["file"]) && names.ends_with(&["copyOf"]), "{names:?}");
        drop(files);
        assert!(RequiredFiles::open(&held).is_ok(), "once");
    }
}

#[test]
fn without_the_copy_the_program_begins_anew_and_says_so_in_its_history() {
    for (file, fault, damage) in DAMAGES {
        let (_data, held, _) = damaged(file, damage);
        let problem = RequiredFiles::open(&held).err().unwrap();

        let files = resolve(&held, &problem, StartChoice::SetAside).unwrap();

        assert_eq!(files.sites.all().len(), usize::from(file == RequiredFile::History), "{fault:?}");
        let kept = operations(&files.journal);
        assert_eq!(kept[0], "set_data_aside", "{fault:?}");
        // Only the header is damaged, so that all entries can be read.
        if file == RequiredFile::History && matches!(fault, StartFault::Newer | StartFault::NotOurs) {
            assert_eq!(kept[1..], ["sign_out", "sign_in"], "{fault:?}");
        }
        drop(files);
        assert!(RequiredFiles::open(&held).is_ok(), "once");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_history_that_another_program_has_locked_is_not_offered_for_replacement() {
    let (data, held) = data();
    let lock = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); c.execute('BEGIN IMMEDIATE'); print(1, flush=True); sys.stdin.read()";
    let mut other = std::process::Command::new("python3")
        .args(["-c", lock])
        .arg(data.path().join(JOURNAL))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Read::read_exact(other.stdout.as_mut().unwrap(), &mut [0; 1]).unwrap();

    let problem = RequiredFiles::open(&held).err().unwrap();

    assert_eq!((problem.file, problem.fault), (None, StartFault::InUse), "{problem:?}");
    assert!(problem.path.ends_with(JOURNAL));
    drop(other.stdin.take());
    other.wait().unwrap();
    assert!(RequiredFiles::open(&held).is_ok());
}

#[test]
fn a_history_that_a_runner_writes_to_is_not_set_aside() {
    let (data, held, content) = damaged(RequiredFile::History, cut);
    let problem = RequiredFiles::open(&held).err().unwrap();
    let _runner = DataFolder::take_for_runner(data.path()).unwrap();

    let refused = resolve(&held, &problem, StartChoice::SetAside).err().unwrap();

    assert_eq!(refused.fault, StartFault::InUse);
    assert_eq!(std::fs::read(data.path().join(JOURNAL)).ok(), content);
    assert!(asides(data.path()).is_empty());
}

#[test]
fn entries_of_a_damaged_history_that_can_be_read_are_kept_when_it_is_set_aside() {
    let (data, held) = data();
    let path = data.path().join(JOURNAL);
    let journal = Journal::open(&path).unwrap();
    for _ in 0..200 {
        journal.intend(&intent_of("upload")).unwrap();
    }
    drop(journal);
    cut(&path);
    let problem = RequiredFiles::open(&held).err().unwrap();

    let files = resolve(&held, &problem, StartChoice::SetAside).unwrap();

    let kept = operations(&files.journal);
    assert_eq!((kept[0].as_str(), kept[kept.len() - 1].as_str()), ("set_data_aside", "sign_in"));
    assert!(kept.len() > 150, "{}", kept.len());
}

#[test]
#[cfg(target_os = "linux")]
fn a_copy_that_cannot_be_read_leaves_a_damaged_history_for_the_other_choice() {
    let (data, held) = data();
    let path = data.path().join(JOURNAL);
    let journal = Journal::open(&path).unwrap();
    for _ in 0..200 {
        journal.intend(&intent_of("upload")).unwrap();
    }
    drop(journal);
    cut(&path);
    let copy = daily_copies::newest(data.path(), JOURNAL).unwrap().path;
    std::fs::remove_file(&copy).unwrap();
    // A regular file, of which each read fails.
    std::os::unix::fs::symlink("/proc/self/mem", &copy).unwrap();
    let problem = RequiredFiles::open(&held).err().unwrap();

    let failed = resolve(&held, &problem, StartChoice::UseCopy).err().unwrap();
    assert!(path.exists() && asides(data.path()).is_empty(), "{failed:?}");
    let files = resolve(&held, &failed, StartChoice::SetAside).unwrap();

    assert!(operations(&files.journal).len() > 150);
    assert_eq!(asides(data.path()).len(), 1);
}

#[test]
fn a_log_that_lost_its_history_is_not_merged_into_the_copy() {
    let (data, held) = data();
    let path = data.path().join(JOURNAL);
    let log = data.path().join("journal.db-wal");
    let journal = Journal::open(&path).unwrap();
    journal.intend(&intent_of("upload")).unwrap();
    let left = std::fs::read(&log).unwrap();
    drop(journal);
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&log, &left).unwrap();
    let problem = RequiredFiles::open(&held).err().unwrap();
    assert_eq!(problem.fault, StartFault::Missing);

    let files = resolve(&held, &problem, StartChoice::UseCopy).unwrap();

    assert_eq!(operations(&files.journal), ["set_data_aside", "sign_in"]);
    assert_eq!(files.journal.check().unwrap().damage, [] as [String; 0]);
    let kept = std::fs::read_dir(data.path()).unwrap().map(|file| file.unwrap().path());
    assert!(kept.filter(|file| file != &log).any(|file| std::fs::read(file).is_ok_and(|file| file == left)));
}

#[test]
#[cfg(unix)]
fn a_link_that_leads_nowhere_is_set_aside_like_a_file() {
    for target in ["sites.json", "journal.db", "gone"] {
        for file in [RequiredFile::Sites, RequiredFile::History] {
            let (data, held) = data();
            let path = data.path().join(file.name());
            std::fs::remove_file(&path).unwrap();
            std::os::unix::fs::symlink(target, &path).unwrap();
            let Err(problem) = RequiredFiles::open(&held) else { continue };

            let opened = resolve(&held, &problem, StartChoice::SetAside);

            assert!(opened.is_ok(), "{file:?} to {target}: {:?}", opened.err());
            assert_eq!(asides(data.path()).len(), 1, "{file:?} to {target}");
        }
    }
}

#[test]
#[cfg(unix)]
fn what_is_in_the_place_of_a_log_of_the_history_is_moved_and_the_history_is_whole() {
    for log in ["journal.db-wal", "journal.db-shm", "journal.db-journal"] {
        for is_link in [true, false] {
            let (data, held) = data();
            let place = data.path().join(log);
            let _ = std::fs::remove_file(&place);
            match is_link {
                true => std::os::unix::fs::symlink("nowhere/at/all", &place).unwrap(),
                false => std::fs::create_dir(&place).unwrap(),
            }

            let files = RequiredFiles::open(&held).unwrap();

            assert_eq!(operations(&files.journal), ["sign_out", "sign_in"], "{log}");
            assert!(data.path().join(format!("{log}.moved")).symlink_metadata().is_ok(), "{log}");
        }
    }
}

#[test]
fn a_history_that_can_only_be_read_is_repaired_or_used_as_it_is() {
    for (choice, can_write) in [(StartChoice::SetAside, true), (StartChoice::Continue, false)] {
        let (data, held) = data();
        let path = data.path().join(JOURNAL);
        damage_the_index_of_words(&path);

        let problem = RequiredFiles::open(&held).err().unwrap();
        assert_eq!((problem.fault, problem.can_continue), (StartFault::NotWritable, true), "{problem:?}");
        let files = resolve(&held, &problem, choice).unwrap();

        assert_eq!(files.journal.can_write().is_ok(), can_write);
        let page = files.journal.page(&Filter::default()).unwrap();
        assert!(page.entries.iter().all(|entry| matches!(entry, Listed::Record(_))), "{page:?}");
        assert_eq!(page.entries.len(), if can_write { 3 } else { 2 });
    }
}

/// Overwrites the rows of the table that the index of words consists of.
fn damage_the_index_of_words(path: &Path) {
    let bytes = std::fs::read(path).unwrap();
    let mut damaged = bytes.clone();
    for (number, page) in bytes.chunks(4096).enumerate().skip(1) {
        let text = String::from_utf8_lossy(page);
        // Only the index has the facet of the operation (`sign_in`); a page of records also has `[]`.
        if text.contains("o7369676e5f") && !text.contains("[]") {
            damaged[number * 4096..(number + 1) * 4096].fill(0);
        }
    }
    assert_ne!(damaged, bytes, "the index was found");
    std::fs::write(path, damaged).unwrap();
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_file_of_the_app_is_not_waited_for() {
    for name in ["in-use.lock", SITES, JOURNAL, "journal.db-journal", "journal.db-wal"] {
        let (data, held) = data();
        drop(held);
        let path = data.path().join(name);
        let _ = std::fs::remove_file(&path);
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let (ended, end) = std::sync::mpsc::channel();
        let folder = data.path().to_owned();
        // A thread of its own: one that waits for the other end of a pipe never ends.
        std::thread::spawn(move || {
            let begun = DataFolder::take(&folder).map_err(StartProblem::of_folder).and_then(|held| {
                match RequiredFiles::open(&held) {
                    Err(problem) if problem.fault == StartFault::Empty => Err(problem),
                    Err(problem) => resolve(&held, &problem, StartChoice::SetAside).map(drop),
                    Ok(_) => Ok(()),
                }
            });
            let _ = ended.send(begun);
        });

        let begun = end.recv_timeout(std::time::Duration::from_secs(20)).unwrap_or_else(|_| panic!("{name}"));

        let fault = begun.err().map(|problem| (problem.file, problem.fault));
        assert_eq!(fault, None, "{name}");
    }
}

#[test]
fn sites_that_are_gone_with_their_mark_and_copies_are_missed_by_window_and_runner() {
    let runner = |folder: &Path| open_for_runner(folder).err();
    let beside = |folder: &Path| open_beside_runner(folder).err();
    for has_plans in [true, false] {
        let (data, held) = data();
        let files = RequiredFiles::open(&held).unwrap();
        if has_plans {
            std::fs::write(data.path().join(PLANS), r#"{"format":1,"content":[]}"#).unwrap();
        } else {
            let added = intent_of(HistoryAction::AddSite.name());
            let conclusion = Conclusion {
                outcome: Outcome::Succeeded,
                note: String::new(),
                response: None,
                facts: None,
                report: None,
                ended_at: added.started_at,
                elapsed: 0,
            };
            let id = files.journal.intend(&added).unwrap();
            files.journal.conclude(&id, &conclusion).unwrap();
        }
        drop(files);
        for gone in [SITES, known_files::FOLDER, daily_copies::FOLDER] {
            let gone = data.path().join(gone);
            if gone.is_dir() { std::fs::remove_dir_all(gone) } else { std::fs::remove_file(gone) }.unwrap();
        }

        let problem = RequiredFiles::open(&held).err().unwrap();
        for problem in [Some(problem.clone()), runner(data.path()), beside(data.path())] {
            let fault = problem.map(|problem| (problem.file, problem.fault));
            assert_eq!(fault, Some((Some(RequiredFile::Sites), StartFault::Missing)), "{has_plans}");
        }

        drop(resolve(&held, &problem, StartChoice::SetAside).unwrap());
        for problem in [RequiredFiles::open(&held).err(), runner(data.path()), beside(data.path())] {
            assert_eq!(problem, None, "{has_plans}: a user has decided");
        }
    }
}

#[test]
fn a_new_data_folder_misses_no_sites() {
    let data = tempfile::tempdir().unwrap();
    let held = DataFolder::take(data.path()).unwrap();
    for _ in 0..2 {
        assert!(RequiredFiles::open(&held).is_ok());
        assert!(open_for_runner(data.path()).is_ok());
    }
}
