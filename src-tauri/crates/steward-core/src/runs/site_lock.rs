//! The lock of a site, which one operation at a time holds on all endpoints of the site (ADR 0041), in this process and in
//! others (ADR 0049).
//!
//! [`SiteLocks::take`] takes all endpoints or none, and [`SiteLock::extend`] those that are learned later. The lock ends
//! when the [`SiteLock`] is dropped.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::lock_files::LockFiles;
use crate::files::data_folder::HeldLock;
use crate::files::in_place;
use crate::model::problem::Problem;
use crate::sites::endpoints::NormalizedEndpoint;

/// Locks of endpoints.
#[derive(Clone, Default)]
pub(crate) struct SiteLocks {
    held: Arc<Mutex<BTreeMap<NormalizedEndpoint, Held>>>,
    /// Locks that other processes see; unset until the data folder is known.
    files: Arc<OnceLock<LockFiles>>,
}

/// A locked endpoint.
struct Held {
    /// The [`Problem::Busy`] that another operation ends with.
    busy: Arc<Problem>,
    _file: Option<HeldLock>,
}

/// A lock on the endpoints of one site.
pub(crate) struct SiteLock {
    locks: SiteLocks,
    busy: Arc<Problem>,
}

impl SiteLocks {
    /// Makes the locks hold for other processes, too, by files in a folder. Only the first call has an effect.
    pub(crate) fn between_processes(&self, folder: &Path) {
        // A second call would be by a second data folder in one process, which only tests have.
        let _ = self.files.set(LockFiles::in_folder(folder));
    }

    /// Locks endpoints. Others that need one of them receive `busy` meanwhile.
    ///
    /// # Errors
    /// [`Problem::Busy`] of the holder of one of the endpoints. None is locked then.
    pub(crate) fn take(
        &self,
        endpoints: BTreeSet<NormalizedEndpoint>,
        busy: Problem,
    ) -> Result<SiteLock, Problem> {
        let lock = SiteLock { locks: self.clone(), busy: Arc::new(busy) };
        lock.extend(endpoints)?;
        Ok(lock)
    }

    /// Checks that none of the endpoints is locked.
    pub(crate) fn are_free(&self, endpoints: &BTreeSet<NormalizedEndpoint>) -> Result<(), Problem> {
        let holder =
            |endpoint: &NormalizedEndpoint| self.held().get(endpoint).map(|held| held.busy.as_ref().clone());
        if let Some(busy) = endpoints.iter().find_map(holder) {
            return Err(busy);
        }
        let Some(files) = self.files.get() else { return Ok(()) };
        in_place(|| endpoints.iter().try_for_each(|endpoint| files.is_free(endpoint)))
    }

    fn held(&self) -> MutexGuard<'_, BTreeMap<NormalizedEndpoint, Held>> {
        // Poisoning is ignored: the map is changed only after the checks that can fail.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SiteLock {
    /// Locks more endpoints of the same site.
    ///
    /// # Errors
    /// [`Problem::Busy`] of the holder of one of them. None of them is locked then; the earlier ones remain locked.
    pub(crate) fn extend(&self, endpoints: BTreeSet<NormalizedEndpoint>) -> Result<(), Problem> {
        let added = self.reserve(endpoints)?;
        let Some(files) = self.locks.files.get() else { return Ok(()) };
        let locked: Result<Vec<_>, _> =
            in_place(|| added.iter().map(|endpoint| files.take(endpoint, &self.busy)).collect());
        let mut held = self.locks.held();
        match locked {
            Ok(locked) => {
                for (endpoint, file) in added.into_iter().zip(locked) {
                    held.insert(endpoint, Held { busy: self.busy.clone(), _file: Some(file) });
                }
                Ok(())
            }
            Err(problem) => {
                held.retain(|endpoint, _| !added.contains(endpoint));
                Err(problem)
            }
        }
    }

    /// Locks endpoints within this process, and returns those that this operation did not hold before. Waits for nothing:
    /// others need this lock for their own site.
    fn reserve(
        &self,
        mut endpoints: BTreeSet<NormalizedEndpoint>,
    ) -> Result<BTreeSet<NormalizedEndpoint>, Problem> {
        let mut held = self.locks.held();
        let is_own = |holder: &Held| Arc::ptr_eq(&holder.busy, &self.busy);
        let others = || endpoints.iter().filter_map(|endpoint| held.get(endpoint));
        if let Some(other) = others().find(|holder| !is_own(holder)) {
            return Err(other.busy.as_ref().clone());
        }
        endpoints.retain(|endpoint| !held.contains_key(endpoint));
        let reserved =
            |endpoint: &NormalizedEndpoint| (endpoint.clone(), Held { busy: self.busy.clone(), _file: None });
        held.extend(endpoints.iter().map(reserved));
        Ok(endpoints)
    }
}

impl Drop for SiteLock {
    fn drop(&mut self) {
        self.locks.held().retain(|_, holder| !Arc::ptr_eq(&holder.busy, &self.busy));
    }
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;
    use crate::model::numbers::Millis;
    use crate::model::operation::OperationKey;

    fn endpoints(hosts: &[&str]) -> BTreeSet<NormalizedEndpoint> {
        let address = |host: &&str| Url::parse(&format!("https://{host}/portal")).unwrap();
        hosts.iter().map(|host| NormalizedEndpoint::of(&address(host))).collect()
    }

    fn busy(site_name: &str) -> Problem {
        let operation = OperationKey::ImportServer;
        Problem::Busy { site_name: site_name.to_owned(), operation, act: None, started_at: Millis(7) }
    }

    /// The locks of a process of its own: only the files connect them.
    fn process(folder: &Path) -> SiteLocks {
        let locks = SiteLocks::default();
        locks.between_processes(folder);
        locks
    }

    #[test]
    fn a_site_that_another_process_holds_is_busy_with_what_it_does_there() {
        let folder = tempfile::tempdir().unwrap();
        let (window, runner) = (process(folder.path()), process(folder.path()));
        let held = runner.take(endpoints(&["a", "b"]), busy("City GIS")).unwrap();

        assert_eq!(window.take(endpoints(&["b", "c"]), busy("here")).err(), Some(busy("City GIS")));
        assert_eq!(window.are_free(&endpoints(&["a"])), Err(busy("City GIS")));
        assert!(window.are_free(&endpoints(&["c"])).is_ok(), "none is left locked by what failed");
        assert!(window.take(endpoints(&["c"]), busy("here")).is_ok());

        drop(held);
        assert!(window.take(endpoints(&["a", "b"]), busy("here")).is_ok());
    }

    #[test]
    fn endpoints_that_are_learned_are_locked_for_other_processes_too() {
        let folder = tempfile::tempdir().unwrap();
        let (window, runner) = (process(folder.path()), process(folder.path()));
        let held = window.take(endpoints(&["a"]), busy("here")).unwrap();
        held.extend(endpoints(&["a", "b"])).unwrap();
        assert_eq!(runner.take(endpoints(&["b"]), busy("there")).err(), Some(busy("here")));
        let other = runner.take(endpoints(&["c"]), busy("there")).unwrap();
        assert_eq!(held.extend(endpoints(&["c"])), Err(busy("there")));
        drop((held, other));
        assert!(runner.are_free(&endpoints(&["a", "b", "c"])).is_ok());
    }

    #[test]
    fn a_site_is_not_busy_because_another_process_looks_whether_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let (window, runner) = (process(folder.path()), process(folder.path()));
        std::thread::scope(|scope| {
            let taking =
                scope.spawn(|| (0..2_000).find_map(|_| runner.take(endpoints(&["a"]), busy("there")).err()));
            while !taking.is_finished() {
                // Busy while the other one holds it, and free otherwise.
                let _ = window.are_free(&endpoints(&["a"]));
            }
            assert_eq!(taking.join().unwrap(), None);
        });
    }

    #[test]
    fn an_operation_that_waits_for_a_process_which_hangs_holds_up_no_other_and_ends_in_time() {
        let folder = tempfile::tempdir().unwrap();
        let window = process(folder.path());
        let before = window.take(endpoints(&["b"]), busy("before")).unwrap();
        let hangs = std::fs::File::create(folder.path().join("gate")).unwrap();
        hangs.lock().unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| window.take(endpoints(&["a"]), busy("here")).err());
            while window.held().len() < 2 && !waiting.is_finished() {
                std::thread::yield_now();
            }
            assert_eq!(window.take(endpoints(&["a"]), busy("other")).err(), Some(busy("here")), "at once");
            drop(before);
            assert!(!waiting.is_finished(), "nothing of this waited");
            let ended = waiting.join().unwrap();
            assert!(matches!(ended, Some(Problem::File { .. })), "{ended:?}");
        });
        assert!(window.held().is_empty());
        drop(hangs);
        assert!(window.take(endpoints(&["a"]), busy("here")).is_ok());
    }

    #[test]
    fn a_damaged_file_of_a_holder_frees_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (window, runner) = (process(folder.path()), process(folder.path()));
        let _held = runner.take(endpoints(&["a"]), busy("there")).unwrap();
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "json") {
                std::fs::write(path, "half of it").unwrap();
            }
        }
        assert!(matches!(window.are_free(&endpoints(&["a"])), Err(Problem::Busy { .. })));
    }
}
