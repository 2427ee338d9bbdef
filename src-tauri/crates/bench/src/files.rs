//! Downloads and uploads by the program's own code, compared with curl.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::Bench;
use crate::program;
use crate::side_by_side::{RUNS, Times};
use crate::site::{Component, Memory, Site};
use crate::table::{Goal, Row};
use crate::worker::Worker;

const MEBIBYTES: [u64; 3] = [10, 256, 2_048];

/// Size of the download whose memory is measured: five times that of the timed ones.
const MOST_MEBIBYTES: u64 = 10_240;

pub(crate) async fn measure(bench: &Bench, rows: &mut Vec<Row>) -> Result<()> {
    let worker = Worker::from_environment()?;
    for mebibytes in MEBIBYTES {
        println!("Files, {mebibytes} MiB");
        let situation = Situation::new(bench, &worker, mebibytes).await?;
        downloads(&situation, RUNS, rows).await?;
        uploads(&situation, rows).await?;
        situation.remove()?;
    }
    println!("Files, {MOST_MEBIBYTES} MiB");
    let situation = Situation::new(bench, &worker, MOST_MEBIBYTES).await?;
    downloads(&situation, 1, rows).await?;
    situation.remove()
}

/// Measurements of the program.
#[derive(Default)]
struct Ours {
    times: Times,
    idle: u64,
    peak: u64,
}

impl Ours {
    fn memory(&self) -> Memory {
        Memory { idle: self.idle, peak: self.peak }
    }
}

struct Situation {
    folder: PathBuf,
    site: Site,
    worker: Worker,
    mebibytes: u64,
    /// File to upload.
    file: PathBuf,
    /// Path of the download.
    place: PathBuf,
}

async fn downloads(situation: &Situation, runs: usize, rows: &mut Vec<Row>) -> Result<()> {
    let token = situation.site.token(Component::Server).await?;
    situation.curl_upload(&token)?;
    let location =
        format!("{}/admin/uploads/{}", situation.site.root(Component::Server)?, situation.stored().await?[0]);
    let (mut ours, mut curl, mut same_work) = (Ours::default(), Times::default(), Times::default());
    for _ in 0..runs {
        situation.ours(&mut ours, Some(&location), 10)?;
        let (place, address) = (situation.place.display(), format!("{location}/download"));
        let fetch = |then: &str| {
            let script = format!(
                "curl -sSf --cacert \"$CA\" -H \"Authorization: Bearer $TOKEN\" -o '{place}' '{address}' {then}"
            );
            let mut command = Command::new("sh");
            command.args(["-c", &script]).env("CA", situation.site.certificate()).env("TOKEN", &token);
            program::time(&mut command)
        };
        curl.add(fetch("")?);
        fs::remove_file(&situation.place)?;
        same_work.add(fetch(&format!("&& sync '{place}' && sha256sum '{place}'"))?);
        fs::remove_file(&situation.place)?;
    }
    for (peer, theirs) in [("curl -o", &curl), ("curl -o, sync, sha256sum", &same_work)] {
        rows.push(Row {
            what: format!("download, {} MiB, on the disk and hashed", situation.mebibytes),
            ours: ours.times.median(),
            peer,
            theirs: theirs.median(),
            goal: Goal::AsFast(0.9),
            memory: ours.memory(),
        });
    }
    situation.empty().await
}

async fn uploads(situation: &Situation, rows: &mut Vec<Row>) -> Result<()> {
    let (mut parts, mut whole, mut curl) = (Ours::default(), Ours::default(), Times::default());
    for _ in 0..RUNS {
        situation.ours(&mut parts, None, 10)?;
        situation.empty().await?;
        situation.ours(&mut whole, None, 1024)?;
        situation.empty().await?;
        let token = situation.site.token(Component::Server).await?;
        curl.add(situation.curl_upload(&token)?);
        situation.empty().await?;
    }
    for (how, ours) in [("in parts of 10 MiB", &parts), ("in parts of 1 GiB at most", &whole)] {
        rows.push(Row {
            what: format!("upload, {} MiB, {how}", situation.mebibytes),
            ours: ours.times.median(),
            peer: "curl -F",
            theirs: curl.median(),
            goal: Goal::AsFast(0.9),
            memory: ours.memory(),
        });
    }
    Ok(())
}

impl Situation {
    async fn new(bench: &Bench, worker: &Worker, mebibytes: u64) -> Result<Self> {
        let folder = bench.folder.join(format!("files-{mebibytes}"));
        let site = Site::start_encrypted(&bench.site, &folder.join("data")).await?;
        let (file, place) = (folder.join("survey.csv"), folder.join("back.csv"));
        make(&file, mebibytes)?;
        Ok(Self { folder, site, worker: worker.clone(), mebibytes, file, place })
    }

    fn remove(self) -> Result<()> {
        let Self { folder, site, .. } = self;
        drop(site);
        Ok(fs::remove_dir_all(folder)?)
    }

    /// Performs the transfer once with the program, and adds its measurements.
    fn ours(&self, ours: &mut Ours, location: Option<&str>, part_mebibytes: u32) -> Result<()> {
        let work = json!({ "transfer": {
            "file": if location.is_some() { &self.place } else { &self.file },
            "location": location, "part_mebibytes": part_mebibytes,
        }});
        let said = self.worker.perform(&self.site, &work)?;
        let said = said.last().context("our process said nothing")?;
        ours.times.add(Duration::from_secs_f64(said["took"].as_f64().context("no time")?));
        ours.idle = ours.idle.max(said["idle"].as_u64().context("no memory")?);
        ours.peak = ours.peak.max(said["peak"].as_u64().context("no memory")?);
        if location.is_some() {
            if fs::metadata(&self.place)?.len() != fs::metadata(&self.file)?.len() {
                bail!("what came is not what was sent");
            }
            fs::remove_file(&self.place)?;
        }
        Ok(())
    }

    fn curl_upload(&self, token: &str) -> Result<Duration> {
        let mut command = Command::new("curl");
        command.args(["-sSf", "--cacert", &self.site.certificate(), "-F", "f=json"]);
        command
            .arg("-F")
            .arg(format!("token={token}"))
            .arg("-F")
            .arg(format!("itemFile=@{}", self.file.display()));
        program::time(command.arg(format!("{}/admin/uploads/upload", self.site.root(Component::Server)?)))
    }

    /// Returns the IDs of the server uploads.
    async fn stored(&self) -> Result<Vec<String>> {
        let token = self.site.token(Component::Server).await?;
        let (body, _) = self.site.post(Component::Server, "admin/uploads", &[("token", &token)]).await?;
        let answer: Value = serde_json::from_slice(&body)?;
        let items = answer["items"].as_array().with_context(|| format!("no uploads: {answer}"))?;
        Ok(items.iter().filter_map(|item| item["itemID"].as_str().map(str::to_owned)).collect())
    }

    /// Deletes the server uploads, and fails if there are none.
    async fn empty(&self) -> Result<()> {
        let stored = self.stored().await?;
        if stored.is_empty() {
            bail!("nothing has arrived");
        }
        let token = self.site.token(Component::Server).await?;
        for id in stored {
            self.site
                .post(Component::Server, &format!("admin/uploads/{id}/delete"), &[("token", &token)])
                .await?;
        }
        Ok(())
    }
}

/// Writes a file of random bytes, which cannot be compressed.
fn make(path: &Path, mebibytes: u64) -> Result<()> {
    let mut file = File::create(path)?;
    let mut state = 0x5EED_u64;
    let mut piece = Vec::with_capacity(1 << 20);
    for _ in 0..mebibytes {
        piece.clear();
        while piece.len() < 1 << 20 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            piece.extend_from_slice(&state.to_le_bytes());
        }
        file.write_all(&piece)?;
    }
    Ok(file.sync_all()?)
}
