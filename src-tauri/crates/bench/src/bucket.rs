//! Portal export to a bucket, compared with `rclone copyto` of the finished file to the same server.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use object_store::{ObjectStoreExt as _, path::Path as Name};
use steward_testkit::storage::S3;

use crate::Bench;
use crate::content::{self, SIZES, Size};
use crate::portal_file;
use crate::program;
use crate::side_by_side::{RUNS, Times};
use crate::site::Site;
use crate::table::{Goal, Row};

pub(crate) async fn measure(bench: &Bench, rows: &mut Vec<Row>) -> Result<()> {
    for size in SIZES {
        println!("Export to a bucket, {}", size.name());
        rows.push(one_size(bench, size).await?);
    }
    Ok(())
}

async fn one_size(bench: &Bench, size: Size) -> Result<Row> {
    let folder = bench.folder.join(format!("bucket-{}", size.mebibytes));
    let data = folder.join("data");
    content::fill(&Site::start(&bench.site, &data).await?, size)?;
    let garage = S3::garage(&folder).await?;
    let settings = serde_json::to_vec(&BTreeMap::from(garage.variables()))?;
    fs::write(data.join("object-store.json"), settings)?;
    let site = Site::start(&bench.site, &data).await?;
    // rclone copies the same export, as a file.
    portal_file::export(&site, &folder).await?;
    let file = portal_file::exported(&folder)?;

    let (mut ours, mut rclone) = (Times::default(), Times::default());
    let idle = site.rest()?;
    for _ in 0..RUNS {
        ours.add(export(&site, &garage, &folder).await?);
        empty(&garage).await?;
        rclone.add(copy(&garage, &file)?);
        empty(&garage).await?;
    }
    let memory = site.memory(idle)?;
    let what = format!("export to a bucket, {}", size.name());
    let (ours, theirs) = (ours.median(), rclone.median());
    drop((site, garage));
    fs::remove_dir_all(&folder)?;
    Ok(Row { what, ours, peer: "rclone copyto", theirs, goal: Goal::AsFast(0.9), memory })
}

async fn export(site: &Site, garage: &S3, folder: &Path) -> Result<Duration> {
    let pointers = folder.join("pointers");
    if pointers.exists() {
        fs::remove_dir_all(&pointers)?;
    }
    fs::create_dir(&pointers)?;
    let form = [
        ("location", pointers.to_str().context("the folder's name is not text")?),
        ("backupObjectStore", garage.bucket()),
        ("backupObjectStoreRegion", garage.region()),
    ];
    Ok(site.operate("portaladmin/exportSite", &form).await?.1)
}

fn copy(garage: &S3, file: &Path) -> Result<Duration> {
    let mut command = Command::new("rclone");
    command.args(["copyto", "--config", "/dev/null", "--s3-no-check-bucket"]).arg(file);
    command.arg(format!("bench:{}/copy.portalsite", garage.bucket()));
    let endpoint = garage.endpoint();
    command.envs([
        ("RCLONE_CONFIG_BENCH_TYPE", "s3"),
        ("RCLONE_CONFIG_BENCH_PROVIDER", "Other"),
        ("RCLONE_CONFIG_BENCH_ACCESS_KEY_ID", garage.access_key()),
        ("RCLONE_CONFIG_BENCH_SECRET_ACCESS_KEY", garage.secret()),
        ("RCLONE_CONFIG_BENCH_ENDPOINT", &endpoint),
        ("RCLONE_CONFIG_BENCH_REGION", garage.region()),
    ]);
    // With this variable, rclone of Debian 12 does not start. There is no certificate to verify here.
    program::time(command.env_remove("AWS_CA_BUNDLE"))
}

/// Deletes all objects, and fails if there are none.
async fn empty(garage: &S3) -> Result<()> {
    let names = garage.names().await?;
    if names.is_empty() {
        bail!("nothing has arrived in the bucket");
    }
    let store = garage.store()?;
    for name in names {
        store.delete(&Name::parse(name)?).await?;
    }
    Ok(())
}
