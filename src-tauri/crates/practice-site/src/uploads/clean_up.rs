//! Removal of old uploads.

use crate::app::App;
use crate::clock::{DAY, now_ms};
use crate::store::uploads;
use crate::wire::ApiError;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const EVERY: Duration = Duration::from_secs(60 * 60);
/// Age after which an uncommitted upload is removed, in milliseconds: 1 day.
const UNCOMMITTED: i64 = DAY;
/// Age after which a committed upload is removed, in milliseconds: 30 days. Real servers remove them when they need
/// disk space.
const COMMITTED: i64 = 30 * DAY;

/// Removes old uploads every hour until the site stops.
pub(crate) async fn keep_clean(app: Arc<App>) {
    loop {
        tokio::select! {
            biased;
            () = app.stopping.cancelled() => return,
            () = tokio::time::sleep(EVERY) => {}
        }
        let site = Arc::clone(&app);
        if let Err(rejection) = crate::off_thread::off_thread(move || remove_old(&site)).await {
            tracing::warn!("cannot remove old uploads: {}", rejection.message);
        }
    }
}

/// Removes old uploads, and folders without a record, at startup.
pub(crate) fn clean_up(app: &App) -> Result<(), ApiError> {
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

fn remove_old(app: &App) -> Result<(), ApiError> {
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
        tracing::warn!("cannot remove the upload {}: {cause}", folder.display());
    }
}
