//! Work in the folder of a plan, whose drive might not respond: a call of the system waits there without end, and with
//! it everything that comes after.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use steward_core::files::{self, in_background};
use steward_core::model::problem::Problem;

/// Longest look at a folder, or writing of a small file in it.
pub(crate) const LOOK: Duration = Duration::from_mins(1);

/// Longest work that reads or removes files of gigabytes.
pub(crate) const LARGE_FILES: Duration = Duration::from_hours(4);

/// Folders of calls that were given up, while they have not returned.
static SILENT: Mutex<Vec<(PathBuf, Weak<()>)>> = Mutex::new(Vec::new());

/// Runs work in a folder on another thread, for up to a limit. Work that does not end in time stays on its thread;
/// until it returns, no other work begins in that folder, which would wait as long, and might run at the same time in
/// the end.
///
/// # Errors
/// - [`Problem::File`] if the drive does not respond.
/// - [`Problem::Unexpected`] if the thread fails.
pub(crate) async fn within<T: Send + 'static>(
    limit: Duration,
    folder: &Path,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let silent = || Problem::file(folder, &files::silent());
    if is_silent(folder) {
        return Err(silent());
    }
    let running = Arc::new(());
    let until_it_returns = Arc::downgrade(&running);
    let working = in_background(move || {
        let _running = running;
        work()
    });
    if let Ok(done) = tokio::time::timeout(limit, working).await {
        return done;
    }
    tracing::error!(folder = %folder.display(), "the folder of a backup plan does not respond");
    SILENT.lock().unwrap_or_else(PoisonError::into_inner).push((folder.to_owned(), until_it_returns));
    Err(silent())
}

fn is_silent(folder: &Path) -> bool {
    let mut silent = SILENT.lock().unwrap_or_else(PoisonError::into_inner);
    silent.retain(|(_, call)| call.strong_count() > 0);
    silent.iter().any(|(of_call, _)| of_call == folder)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[tokio::test]
    async fn a_drive_that_does_not_respond_is_waited_for_once_and_used_again_when_it_does() {
        let folder = Path::new("/a drive that a test has");
        let (respond, responds) = channel::<()>();
        let hangs = move || assert!(responds.recv().is_err());
        let short = Duration::from_millis(20);

        let said = within(short, folder, hangs).await;
        assert!(matches!(&said, Err(Problem::File { .. })), "{said:?}");
        let at_once: Result<(), Problem> =
            within(LARGE_FILES, folder, || panic!("the first call has not returned")).await;
        assert_eq!(at_once, said);
        assert_eq!(within(LOOK, Path::new("/another"), || 7).await, Ok(7), "another drive responds");

        drop(respond);
        while is_silent(folder) {
            tokio::task::yield_now().await;
        }
        assert_eq!(within(LOOK, folder, || 7).await, Ok(7));
    }
}
