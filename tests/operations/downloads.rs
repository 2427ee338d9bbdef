//! A stored file on its way to a disk that has its limits, by a program that may be killed. This file is both: the
//! tests, and, run again as a child with a variable set, the program that is killed.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use steward_client::{ClientError, fuzzing};
use steward_core::files::{self, NotSaved};
use steward_core::model::retry_policy::RetryPolicy;
use steward_core::model::saved_file::SavedFile;
use steward_testkit::until;

use crate::scripted::{STORED, Scripted, Then, file, server_at};
use crate::test_app::files_in;

const OLD: &str = "the last good export";
const FROM: &str = "STEWARD_DOWNLOAD_FROM";
const TO: &str = "STEWARD_DOWNLOAD_TO";

const PERSISTENCE: RetryPolicy =
    RetryPolicy { tries: 3, pause: Duration::ZERO, stalled: Duration::from_secs(30) };

struct Place {
    folder: tempfile::TempDir,
    path: PathBuf,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("city.agssite");
        std::fs::write(&path, OLD).unwrap();
        Self { folder, path }
    }

    fn is_untouched(&self) {
        assert_eq!(std::fs::read_to_string(&self.path).unwrap(), OLD);
        assert_eq!(files_in(self.folder.path()), ["city.agssite"], "no temporary file is left");
    }

    /// Bytes in the temporary file.
    fn temporary(&self) -> u64 {
        let files = std::fs::read_dir(self.folder.path()).unwrap().map(Result::unwrap);
        let temporary = files.filter(|file| file.file_name() != "city.agssite");
        temporary.map(|file| file.metadata().map_or(0, |about| about.len())).sum()
    }
}

async fn download(site: &Scripted, place: &Path) -> Result<Option<SavedFile>, NotSaved> {
    let never = std::future::pending();
    files::download(&site.server(), STORED, place, &PERSISTENCE, never, |_, _| ()).await
}

#[tokio::test]
async fn a_content_that_changed_between_two_tries_is_fetched_from_its_beginning() {
    let (first, second) = (vec![b'1'; 300_000], vec![b'2'; 300_000]);
    // Whether the site knows rests or not, and whether it keeps to what it was asked.
    for status in ["200 OK", "206 Partial Content", "416 Range Not Satisfiable"] {
        let (before, after) = (file("\"one\"", &first), file("\"two\"", &second));
        let of_the_other = format!(
            "HTTP/1.1 {status}\r\netag: \"two\"\r\ncontent-range: bytes 200000-299999/300000\r\n\
             content-length: 100000\r\nconnection: close\r\n\r\n{}",
            "2".repeat(100_000)
        );
        let site = Scripted::new(move |number, head| match number {
            1 => (before[..before.len() - 100_000].to_vec(), Then::Close),
            2 if head.contains("range:") && !status.starts_with("200") => {
                (of_the_other.clone().into_bytes(), Then::Close)
            }
            _ => (after.clone(), Then::Close),
        })
        .await;
        let place = Place::new();

        let saved = download(&site, &place.path).await.unwrap().unwrap();

        assert!(std::fs::read(&place.path).unwrap() == second, "{status}");
        assert_eq!(saved.size.0, 300_000);
        let asked = site.asked();
        assert!(
            asked[1].contains("range: bytes=200000-") && asked[1].contains("if-range: \"one\""),
            "{asked:?}"
        );
    }
}

#[tokio::test]
async fn a_site_that_does_not_name_its_content_is_asked_for_all_of_it() {
    let whole = file("W/\"weak\"", &[b'x'; 1000]);
    let site = Scripted::new(move |number, _| match number {
        1 => (whole[..600].to_vec(), Then::Close),
        _ => (whole.clone(), Then::Close),
    })
    .await;
    let place = Place::new();

    download(&site, &place.path).await.unwrap().unwrap();

    assert_eq!(std::fs::read(&place.path).unwrap(), [b'x'; 1000]);
    assert!(!site.asked()[1].contains("range"), "half of one and half of another is nothing");
}

/// A download from a site that sends so many bytes of 1000 at each try, whatever rest it is asked for.
async fn in_pieces(etag: &str, lengths: &'static [usize]) -> (Result<Option<SavedFile>, NotSaved>, usize) {
    let whole = file(etag, &[b'x'; 1000]);
    let head = whole.len() - 1000;
    let site = Scripted::new(move |number, _| {
        let length = lengths.get(number - 1).or(lengths.last()).unwrap();
        (whole[..head + length].to_vec(), Then::Close)
    })
    .await;
    let place = Place::new();
    let end = download(&site, &place.path).await;
    match &end {
        Ok(_) => assert_eq!(std::fs::read(&place.path).unwrap(), [b'x'; 1000]),
        Err(_) => place.is_untouched(),
    }
    (end, site.asked().len())
}

#[tokio::test]
async fn a_line_that_gets_further_each_time_brings_a_file_that_the_site_always_sends_from_its_beginning() {
    for etag in ["W/\"weak\"", "\"strong\""] {
        let (end, asked) = in_pieces(etag, &[100, 200, 300, 400, 500, 600, 1000]).await;
        assert!(end.is_ok(), "{etag}: {end:?}");
        assert_eq!(asked, 7);
    }
}

#[tokio::test]
async fn a_line_that_gets_no_further_ends_with_its_own_error_and_not_with_that_of_another_content() {
    for etag in ["W/\"weak\"", "\"strong\""] {
        let (end, asked) = in_pieces(etag, &[600, 500, 600, 500, 600]).await;
        assert!(matches!(end, Err(NotSaved::There(ClientError::Unreachable { .. }))), "{etag}: {end:?}");
        assert_eq!(asked, 5, "the first, and four that got no further");
    }
}

#[tokio::test]
async fn a_file_that_ends_at_the_same_byte_each_time_is_shorter_than_announced() {
    for etag in ["W/\"weak\"", "\"strong\""] {
        for lengths in [&[0], &[1], &[600], &[999]] {
            let length = lengths[0] as u64;
            let (end, asked) = in_pieces(etag, lengths).await;
            let Err(NotSaved::Short { announced: 1000, received }) = end else { panic!("{etag}: {end:?}") };
            assert_eq!((received, asked > 1), (length, true), "{etag}");
        }
    }
}

#[tokio::test]
async fn a_file_that_is_complete_when_stop_is_pressed_is_saved() {
    for _ in 0..30 {
        let endpoint = fuzzing::answering(200, "application/octet-stream", vec![b'x'; 1000]).unwrap();
        let place = Place::new();
        let pressed = std::future::ready(());
        let end = files::download(&endpoint, STORED, &place.path, &PERSISTENCE, pressed, |_, _| ()).await;
        assert!(matches!(end, Ok(Some(_))), "{end:?}");
    }
}

#[tokio::test]
async fn a_body_whose_end_nobody_can_tell_is_taken_only_if_it_ends_as_an_archive_does() {
    let mut archive = b"PK\x03\x04 content PK\x05\x06".to_vec();
    archive.extend_from_slice(&[0; 18]);
    for (body, is_taken) in
        [(archive.clone(), true), (archive[..20].to_vec(), false), (b"a,b\n".to_vec(), false)]
    {
        let answer = [&b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n"[..], &body].concat();
        let site = Scripted::new(move |_, _| (answer.clone(), Then::Close)).await;
        let place = Place::new();

        let end = download(&site, &place.path).await;

        assert_eq!(end.is_ok(), is_taken, "{end:?}");
        if !is_taken {
            place.is_untouched();
        }
    }
}

#[tokio::test]
async fn a_disk_without_room_is_said_before_the_first_byte() {
    let site = Scripted::new(|_, _| {
        let head = "HTTP/1.1 200 OK\r\netag: \"x\"\r\ncontent-length: 1152921504606846976\r\n\r\n";
        (head.as_bytes().to_vec(), Then::Silence)
    })
    .await;
    let place = Place::new();

    let end = download(&site, &place.path).await;

    let Err(NotSaved::Here(error)) = end else { panic!("{end:?}") };
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
    place.is_untouched();
}

#[tokio::test]
async fn a_complete_file_whose_name_is_taken_meanwhile_is_kept_and_named() {
    let content = vec![b'x'; 300_000];
    let whole = file("\"x\"", &content);
    let site = Scripted::new(move |_, _| (whole.clone(), Then::Close)).await;
    let place = Place::new();
    let take_name = |done, _| {
        if done == 0 {
            std::fs::remove_file(&place.path).unwrap();
            std::fs::create_dir(&place.path).unwrap();
        }
    };

    let never = std::future::pending();
    let end = files::download(&site.server(), STORED, &place.path, &PERSISTENCE, never, take_name).await;

    let Err(NotSaved::Unnamed { kept, .. }) = end else { panic!("{end:?}") };
    assert_eq!(kept.parent(), Some(place.folder.path()));
    assert_eq!(std::fs::read(&kept).unwrap(), content);
    assert_eq!(files_in(place.folder.path()).len(), 2, "the folder, and the complete file");
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_is_said_before_anything_is_asked() {
    let site = Scripted::new(|_, _| (file("\"x\"", b"content"), Then::Close)).await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();

    for place in ["not-there/city.agssite", "file/city.agssite"] {
        let end = download(&site, &folder.path().join(place)).await;
        assert!(matches!(end, Err(NotSaved::Here(_))), "{end:?}");
    }
    assert!(site.asked().is_empty());
}

#[tokio::test]
async fn stop_leaves_nothing_behind() {
    let whole = file("\"x\"", &[b'x'; 500_000]);
    let site = Scripted::new(move |_, _| (whole[..300_000].to_vec(), Then::Silence)).await;
    let place = Place::new();
    let (stop, stopped) = tokio::sync::oneshot::channel();
    let mut stop = Some(stop);

    let press = |done, _| {
        if done > 200_000
            && let Some(stop) = stop.take()
        {
            stop.send(()).unwrap();
        }
    };
    let stopped = async { stopped.await.unwrap() };
    let end = files::download(&site.server(), STORED, &place.path, &PERSISTENCE, stopped, press).await;

    assert!(matches!(end, Ok(None)), "{end:?}");
    place.is_untouched();
}

/// Not a test: what is killed, and what the disk refuses.
#[tokio::test]
#[ignore = "the process that the other tests start"]
async fn downloads_in_a_process_of_its_own() {
    let (Ok(from), Ok(to)) = (std::env::var(FROM), std::env::var(TO)) else { return };
    let never = std::future::pending();
    let end =
        files::download(&server_at(&from), STORED, Path::new(&to), &PERSISTENCE, never, |_, _| ()).await;
    match end {
        Ok(_) => println!("said: saved"),
        Err(why) => println!("said: {why:?}"),
    }
}

fn in_a_process(site: &Scripted, place: &Path, before: &str) -> Child {
    let program = std::env::current_exe().unwrap();
    let test = "downloads::downloads_in_a_process_of_its_own";
    let script = format!("{before} exec \"$0\" --exact {test} --ignored --nocapture");
    Command::new("sh")
        .args(["-c", &script])
        .arg(program)
        .env(FROM, site.address())
        .env(TO, place)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_program_killed_while_a_file_comes_leaves_the_old_one_untouched() {
    const PIECE: usize = 64 * 1024;
    for pieces in 0..=4 {
        let whole = file("\"x\"", &vec![b'x'; 4 * PIECE + 1]);
        let head = whole.len() - (4 * PIECE + 1);
        let (sent, length) = (whole[..head + pieces * PIECE].to_vec(), (pieces * PIECE) as u64);
        let site = Scripted::new(move |_, _| (sent.clone(), Then::Silence)).await;
        let place = Place::new();
        let mut child = in_a_process(&site, &place.path, "");

        until("the bytes", async || !site.asked().is_empty() && place.temporary() == length).await;
        child.kill().unwrap();
        child.wait().unwrap();

        assert_eq!(std::fs::read_to_string(&place.path).unwrap(), OLD, "{pieces}");
        // What it left is known as ours, and goes with the first save a day later.
        let left: Vec<_> =
            files_in(place.folder.path()).into_iter().filter(|name| name != "city.agssite").collect();
        let [left] = &left[..] else { panic!("{left:?}") };
        let left = place.folder.path().join(left);
        let two_days_ago = std::time::SystemTime::now() - Duration::from_secs(2 * 24 * 60 * 60);
        std::fs::File::options().append(true).open(&left).unwrap().set_modified(two_days_ago).unwrap();
        files::write_whole(&place.folder.path().join("other"), b"other").unwrap();
        assert!(!left.exists());
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_program_killed_at_the_end_leaves_the_old_file_or_the_new_one_and_no_other() {
    let content = vec![b'x'; 3 * 1024 * 1024];
    let (mut old, mut new) = (0, 0);
    // Later each time, until both have been seen: how long a download takes depends on the machine.
    let mut wait = Duration::ZERO;
    while old + new < 24 || old == 0 || new == 0 {
        let whole = file("\"x\"", &content);
        let site = Scripted::new(move |_, _| (whole.clone(), Then::Close)).await;
        let place = Place::new();
        let mut child = in_a_process(&site, &place.path, "");

        until("the request", async || !site.asked().is_empty()).await;
        tokio::time::sleep(wait).await;
        child.kill().unwrap();
        child.wait().unwrap();

        let there = std::fs::read(&place.path).unwrap();
        if there == OLD.as_bytes() {
            old += 1
        } else {
            new += 1
        }
        assert!(there == OLD.as_bytes() || there == content, "after {wait:?}: {} bytes", there.len());
        assert!(wait < Duration::from_secs(20), "the old file {old} times, the new one {new} times");
        wait = (wait + Duration::from_micros(1_500)).mul_f64(1.05);
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_is_full_in_the_middle_is_said_and_the_old_file_is_untouched() {
    let whole = file("\"x\"", &vec![b'x'; 2 * 1024 * 1024]);
    let site = Scripted::new(move |_, _| (whole.clone(), Then::Close)).await;
    let place = Place::new();

    // No file of more than 1 MiB; without the trap the system would end the process.
    let child = in_a_process(&site, &place.path, "trap '' XFSZ; ulimit -f 1024 || ulimit -f 2048;");
    let output = child.wait_with_output().unwrap();

    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("said: Here(") && said.contains("FileTooLarge"), "{said}");
    place.is_untouched();
}

#[tokio::test]
async fn an_empty_file_leaves_the_old_one_untouched() {
    let site = Scripted::new(move |_, _| (file("\"one\"", b""), Then::Close)).await;
    let place = Place::new();

    let saved = download(&site, &place.path).await;

    assert!(matches!(saved, Err(NotSaved::Half)), "{saved:?}");
    place.is_untouched();
}
