//! Last folders of dialogs: the next dialog of the same kind begins there.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Kind of dialog. Each kind has its own last folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Save,
    OpenFile,
    ChooseFolder,
}

/// Last folders, in memory.
#[derive(Default)]
pub(super) struct LastFolders(Mutex<HashMap<Kind, PathBuf>>);

impl LastFolders {
    /// Returns the folder of the last dialog of a kind, if it exists.
    pub(super) async fn of(&self, kind: Kind) -> Option<PathBuf> {
        let folder = self.lock().get(&kind).cloned()?;
        // A network share that is unavailable can block for some time.
        let looked = tokio::task::spawn_blocking(move || folder.is_dir().then_some(folder)).await;
        looked.ok().flatten()
    }

    /// Stores the folder of a chosen path, and returns the path.
    pub(super) fn ended_at(&self, kind: Kind, chosen: &Path) -> PathBuf {
        let folder = if kind == Kind::ChooseFolder { Some(chosen) } else { chosen.parent() };
        if let Some(folder) = folder {
            self.lock().insert(kind, folder.to_owned());
        }
        chosen.to_owned()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Kind, PathBuf>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_dialog_begins_where_the_last_of_its_kind_ended_as_long_as_that_is_there() {
        let desk = tempfile::tempdir().unwrap();
        let exports = desk.path().join("exports");
        std::fs::create_dir(&exports).unwrap();
        let last = LastFolders::default();
        assert_eq!(last.of(Kind::Save).await, None);

        let chosen = exports.join("city.agssite");
        assert_eq!(last.ended_at(Kind::Save, &chosen), chosen);
        last.ended_at(Kind::ChooseFolder, desk.path());

        assert_eq!(last.of(Kind::Save).await, Some(exports.clone()));
        assert_eq!(last.of(Kind::ChooseFolder).await.as_deref(), Some(desk.path()));
        assert_eq!(last.of(Kind::OpenFile).await, None, "files are read from elsewhere");
        std::fs::remove_dir(&exports).unwrap();
        assert_eq!(last.of(Kind::Save).await, None);
    }
}
