//! Operation 2: exports the server configuration to a folder, or to a server upload if no folder is given.

use crate::app::App;
use crate::clock::now_ms;
use crate::export_file::{ExportFolder, Hashing, write_server};
use crate::fault_injection::InjectedFault;
use crate::off_thread::off_thread;
use crate::random;
use crate::release::Release;
use crate::sign_in::{Capability, Component};
use crate::store::configuration;
use crate::store::uploads::{self, Upload};
use crate::wire::{ApiError, Reply, RequestContext, json};
use anyhow::Context as _;
use serde_json::json;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) async fn export_server(call: RequestContext) -> Reply {
    let caller = call.caller_with(Component::Server, Capability::Administrator).await?;
    call.only_since("validate", Release::new(11, 1))?;
    call.not_served("locationConfig", Release::new(12, 0))?;
    let only_check = call.parameters.flag("validate")? == Some(true);
    let location = call.parameters.text("location").map(str::to_owned);
    if call.fault == Some(InjectedFault::UnwritableFolder) {
        let folder = location.map_or_else(|| call.app.folders.uploads.clone(), PathBuf::from);
        return Err(ExportFolder::inside(folder, &call.app.folders).unable_to_write());
    }
    if only_check {
        let app = Arc::clone(&call.app);
        off_thread(move || match location {
            Some(folder) => ExportFolder::at(&folder, &app.folders)?.probe(),
            None => Ok(()),
        })
        .await?;
        return json(json!({ "status": "success" }));
    }
    let app = Arc::clone(&call.app);
    let work = off_thread(move || {
        let location = match location {
            Some(folder) => {
                write_to(&app, &ExportFolder::at(&folder, &app.folders)?)?.to_string_lossy().into_owned()
            }
            None => store(&app)?,
        };
        tracing::info!(location, by = caller.username, "server exported");
        Ok(json!({ "status": "success", "location": location }))
    });
    call.app.server_lock.run("exportSite of the server", call.parameters.request(), work).await
}

fn write_to(app: &App, destination: &ExportFolder) -> Result<PathBuf, ApiError> {
    let file = destination.begin()?;
    let configuration = app.server.read_now(configuration::read_consistently)?;
    write_server(&configuration, file.as_file(), &app.stopping)
        .map_err(|why| destination.write_error(why))?;
    destination.publish(file, "agssite")
}

/// Stores the export as a server upload and returns its URL.
fn store(app: &App) -> Result<String, ApiError> {
    let id = format!("i{}", random::uuid());
    let folder = app.folders.uploads.join(&id);
    crate::folders::private_folder(&folder)?;
    let stored = write_to(app, &ExportFolder::inside(folder.clone(), &app.folders)).and_then(|file| {
        let upload = describe(id.clone(), &file)?;
        app.server.write_now(|tx| uploads::add(tx, &upload))
    });
    if let Err(rejection) = stored {
        // Remove the folder: an incomplete upload must not remain.
        let _ = std::fs::remove_dir_all(&folder);
        return Err(rejection);
    }
    Ok(format!("{}/admin/uploads/{id}", app.server_url()))
}

fn describe(id: String, file: &Path) -> anyhow::Result<Upload> {
    // Stream the file: only size and hash are needed.
    let mut hashing = Hashing::new(std::io::sink());
    std::io::copy(&mut File::open(file).context("the stored export")?, &mut hashing)
        .context("the stored export")?;
    let (_, content) = hashing.finish();
    Ok(Upload {
        id,
        name: file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        description: "Server export".to_owned(),
        size: i64::try_from(content.size)?,
        sha256: content.sha256,
        created: now_ms(),
        committed: true,
    })
}
