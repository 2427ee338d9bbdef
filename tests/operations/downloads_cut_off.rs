//! A stored file on its way through a bad line: complete in the end, or a failure that is said; and what was there
//! before is untouched until then.

use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};
use steward_client::uploads::{Outgoing, upload_whole};
use steward_client::{ClientError, Endpoint, STALLED};
use steward_core::files::{self, NotSaved};
use steward_core::model::retry_policy::RetryPolicy;
use steward_core::model::saved_file::SavedFile;
use steward_testkit::Fault;

use crate::test_app::{TestApp, files_in};

const OLD: &str = "the last good export";
const PIECE: usize = 64 * 1024;

/// Goes on at once, for as long as something comes.
const STUBBORN: RetryPolicy =
    RetryPolicy { tries: 3, pause: Duration::ZERO, stalled: Duration::from_millis(400) };

/// The same, without a second try.
const ONCE: RetryPolicy = RetryPolicy { tries: 0, ..STUBBORN };

/// A file of a mebibyte and a bit on the practice site, and an older one where it is to go.
struct Situation {
    app: TestApp,
    content: Vec<u8>,
    location: String,
    folder: PathBuf,
    place: PathBuf,
}

impl Situation {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let content = noise(1024 * 1024 + 4_321);
        let server = server(&app).await;
        let file = Outgoing::of(content.clone());
        let item =
            upload_whole(server.permit_unchecked().await, "survey.csv", "", file, STALLED).await.unwrap();
        let location = format!("{}/admin/uploads/{}", server.root(), item.id);
        let folder = app.folder("desk");
        let place = folder.join("survey.csv");
        std::fs::write(&place, OLD).unwrap();
        Self { app, content, location, folder, place }
    }

    async fn download(&self, retry_policy: &RetryPolicy) -> Result<Option<SavedFile>, NotSaved> {
        download(&server(&self.app).await, &self.location, &self.place, retry_policy).await
    }

    fn the_old_file_is_untouched(&self) {
        assert_eq!(std::fs::read_to_string(&self.place).unwrap(), OLD);
        assert_eq!(files_in(&self.folder), ["survey.csv"], "no temporary file is left");
    }

    fn the_new_file_is_whole(&self, file: &SavedFile) {
        assert!(std::fs::read(&self.place).unwrap() == self.content);
        assert_eq!(file.sha256, sha256(&self.content));
        assert_eq!(file.size.0, self.content.len() as u64);
        assert_eq!(files_in(&self.folder), ["survey.csv"], "no temporary file is left");
        std::fs::write(&self.place, OLD).unwrap();
    }
}

async fn server(app: &TestApp) -> Endpoint {
    app.steward.context.access.server(&app.sites().at(&app.server).unwrap()).await.unwrap()
}

async fn download(
    server: &Endpoint,
    location: &str,
    place: &Path,
    retry_policy: &RetryPolicy,
) -> Result<Option<SavedFile>, NotSaved> {
    let never = std::future::pending();
    let download = files::download(server, location, place, retry_policy, never, |_, _| ());
    tokio::time::timeout(Duration::from_secs(60), download).await.expect("no end in time")
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes in which every place can be told from every other.
fn noise(length: usize) -> Vec<u8> {
    let mut bytes: Vec<u8> = (0..=length / 4)
        .map(|number| u32::try_from(number).unwrap())
        .flat_map(|number| number.wrapping_mul(2_654_435_761).to_le_bytes())
        .collect();
    bytes.truncate(length);
    bytes
}

#[tokio::test]
async fn a_download_cut_at_any_point_is_a_failure_that_is_said_and_the_old_file_is_untouched() {
    let situation = Situation::new().await;
    for cut in (0..situation.content.len()).step_by(PIECE) {
        let way = situation.app.with_fault("/download", Fault::CutAfter(cut)).await;

        let end = situation.download(&ONCE).await;

        assert!(matches!(end, Err(NotSaved::There(ClientError::Unreachable { .. }))), "{cut}: {end:?}");
        assert_eq!(way.met(), 1, "{cut}: it was tried once");
        situation.the_old_file_is_untouched();
    }
}

#[tokio::test]
async fn a_download_cut_at_any_point_goes_on_and_is_whole_in_the_end() {
    let situation = Situation::new().await;
    for cut in (0..situation.content.len()).step_by(PIECE) {
        let way = situation.app.with_fault("/download", Fault::CutAfter(cut)).await.only(1);

        let file = situation.download(&STUBBORN).await.unwrap().unwrap();

        assert_eq!(way.met(), 1, "{cut}");
        situation.the_new_file_is_whole(&file);
    }
}

#[tokio::test]
async fn a_line_that_breaks_again_and_again_brings_the_rest_and_never_the_beginning() {
    let situation = Situation::new().await;
    let way = situation.app.with_fault("/download", Fault::CutAfter(100_000)).await;

    let file = situation.download(&STUBBORN).await.unwrap().unwrap();

    assert_eq!(way.met(), 11, "a mebibyte in pieces of a little less than 100,000 bytes");
    situation.the_new_file_is_whole(&file);
}

#[tokio::test]
async fn a_reset_in_the_middle_is_a_failure_or_made_good() {
    let situation = Situation::new().await;
    for after in [0, 200, 300_000, 1_048_000] {
        let _way = situation.app.with_fault("/download", Fault::ResetAfter(after)).await;
        let end = situation.download(&ONCE).await;
        assert!(matches!(end, Err(NotSaved::There(_))), "{after}: {end:?}");
        situation.the_old_file_is_untouched();

        let _way = situation.app.with_fault("/download", Fault::ResetAfter(after)).await.only(1);
        let file = situation.download(&STUBBORN).await.unwrap().unwrap();
        situation.the_new_file_is_whole(&file);
    }
}

#[tokio::test]
async fn a_line_on_which_nothing_moves_is_noticed_and_left() {
    let situation = Situation::new().await;
    for after in [0, 500_000] {
        let way = situation.app.with_fault("/download", Fault::StallAfter(after)).await;
        let end = situation.download(&ONCE).await;
        assert!(matches!(end, Err(NotSaved::There(ClientError::Stalled { .. }))), "{after}: {end:?}");
        assert_eq!(way.met(), 1);
        situation.the_old_file_is_untouched();

        let _way = situation.app.with_fault("/download", Fault::StallAfter(after)).await.only(1);
        let file = situation.download(&STUBBORN).await.unwrap().unwrap();
        situation.the_new_file_is_whole(&file);
    }
}

#[tokio::test]
async fn a_body_shorter_than_announced_is_a_failure() {
    let situation = Situation::new().await;
    let announced = situation.content.len() as u64 + 1;
    let _way = situation.app.with_fault("/download", Fault::Announcing(announced)).await;

    let end = situation.download(&ONCE).await;

    assert!(matches!(end, Err(NotSaved::There(_))), "{end:?}");
    situation.the_old_file_is_untouched();
}

#[tokio::test]
async fn an_archive_longer_than_announced_is_a_failure() {
    let app = TestApp::new().await;
    let server = server(&app).await;
    let export = steward_client::operations::export_server::ExportServer { location: String::new() };
    let location = export.send(server.permit_unchecked().await).await.unwrap().location;
    let place = app.folder("desk").join("city.agssite");
    let whole = download(&server, &location, &place, &ONCE).await.unwrap().unwrap().size.0;
    std::fs::write(&place, OLD).unwrap();
    for announced in [whole - 1, whole / 2, 100] {
        let _way = app.with_fault("/download", Fault::Announcing(announced)).await;

        let end = download(&self::server(&app).await, &location, &place, &STUBBORN).await;

        assert!(matches!(end, Err(NotSaved::Half)), "{announced}: {end:?}");
        assert_eq!(std::fs::read_to_string(&place).unwrap(), OLD);
        assert_eq!(files_in(&app.folder("desk")), ["city.agssite"]);
    }
}

/// Without encryption, which is allowed on this computer only, HTTP cannot tell. What is promised is that the hash
/// is of what is on the disk.
#[tokio::test]
async fn the_hash_that_is_shown_is_of_the_bytes_on_the_disk() {
    let situation = Situation::new().await;
    let _way = situation.app.with_fault("/download", Fault::FlippedAt(700_000)).await;

    let file = situation.download(&ONCE).await.unwrap().unwrap();

    assert_eq!(file.sha256, sha256(&std::fs::read(&situation.place).unwrap()));
    assert_ne!(file.sha256, sha256(&situation.content));
}

#[tokio::test]
async fn a_site_that_breaks_off_in_the_middle_is_a_failure_or_made_good() {
    let situation = Situation::new().await;
    for (mishap, once) in [("truncated", true), ("reset", true), ("badGateway", true), ("html", false)] {
        situation.app.order("download_upload", mishap, &[]).await;
        let end = situation.download(&ONCE).await;
        assert!(matches!(end, Err(NotSaved::There(_))), "{mishap}: {end:?}");
        situation.the_old_file_is_untouched();

        situation.app.order("download_upload", mishap, &[]).await;
        let end = situation.download(&STUBBORN).await;
        match end {
            Ok(Some(file)) if once => situation.the_new_file_is_whole(&file),
            // A page in the place of the file is no file, however often it is asked for.
            Err(NotSaved::There(ClientError::Unreadable { .. })) if !once => {
                situation.the_old_file_is_untouched();
            }
            end => panic!("{mishap}: {end:?}"),
        }
    }
}
