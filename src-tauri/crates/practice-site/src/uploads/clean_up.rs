//! Uploads that nobody will come back for.

use crate::app::App;
use crate::clock::now_ms;
use crate::store::uploads;
use crate::wire::Refusal;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const EVERY: Duration = Duration::from_secs(60 * 60);
const DAY: i64 = 24 * 60 * 60 * 1000;
/// A commit that has not come within a day will not come.
const UNCOMMITTED: i64 = DAY;
/// Real servers reclaim the room of stored exports when they need it; this one after a month.
const COMMITTED: i64 = 30 * DAY;

/// Removes old uploads every hour, until the site stops.
pub(crate) async fn keep_clean(app: Arc<App>) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            () = app.stopping.cancelled() => return,
        }
        let site = Arc::clone(&app);
        if let Err(refusal) = crate::app::off_thread(move || remove_old(&site)).await {
            tracing::warn!("uploads were not cleaned up: {}", refusal.message);
        }
    }
}

/// At the start, when nobody writes yet: old uploads, and folders that no record speaks of.
pub(crate) fn clean_up(app: &App) -> Result<(), Refusal> {
    remove_old(app)?;
    let kept = app.server.read_now(uploads::all)?;
    let folders = std::fs::read_dir(&app.folders.uploads).map_err(anyhow::Error::new)?;
    for folder in folders.filter_map(Result::ok) {
        if !kept.iter().any(|upload| *upload.id == *folder.file_name()) {
            remove(&folder.path());
        }
    }
    Ok(())
}

fn remove_old(app: &App) -> Result<(), Refusal> {
    let now = now_ms();
    let removed = app.server.write_now(|tx| {
        let mut removed = uploads::remove_older(tx, false, now - UNCOMMITTED)?;
        removed.extend(uploads::remove_older(tx, true, now - COMMITTED)?);
        Ok(removed)
    })?;
    for id in removed {
        remove(&app.folders.uploads.join(id));
    }
    Ok(())
}

pub(super) fn remove(folder: &Path) {
    if let Err(cause) = std::fs::remove_dir_all(folder) {
        tracing::warn!("an upload stays at {} until the next start: {cause}", folder.display());
    }
}
