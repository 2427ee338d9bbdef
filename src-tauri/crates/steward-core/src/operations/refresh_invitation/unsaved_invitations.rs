//! Refreshed invitations whose files are not saved yet.
//!
//! The portal has extended them, so they must survive a closed dialog, a full disk, and a killed process. They are
//! stored in a folder that only the user can read, until the user saves or discards them. Expired ones are shown as
//! such, and not deleted: the clock of this computer might be wrong.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::files;
use crate::files::data_folder::{create_private, make_room};
use crate::history::invitations::VALID_FOR;
use crate::model::ids::{SiteId, UnsavedInvitationId};
use crate::model::numbers::Millis;
use crate::model::problem::Problem;
use crate::sites::site_data::SiteData;

/// A refreshed invitation that is not saved yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsavedInvitation {
    /// Site of the invitation.
    pub site: SiteId,
    /// Suggested file name, valid on all systems.
    pub file_name: String,
    /// Content of the file.
    pub content: Arc<Vec<u8>>,
    /// Time of the refresh.
    pub refreshed_at: Millis,
}

/// Format of a stored invitation.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    site: SiteId,
    file_name: String,
    /// Content in base64, byte for byte as returned by the portal.
    content: String,
    refreshed_at: Millis,
}

impl UnsavedInvitation {
    /// Returns whether it expired, by the clock of this computer.
    pub(super) fn is_expired(&self, now: Millis) -> bool {
        self.refreshed_at.0.saturating_add(VALID_FOR) < now.0
    }
}

/// Unsaved invitations.
pub struct UnsavedInvitations {
    folder: PathBuf,
    held: Mutex<HashMap<String, UnsavedInvitation>>,
    /// Identifiers of those that could not be written to disk.
    in_memory: Mutex<HashSet<String>>,
}

impl UnsavedInvitations {
    /// Reads the invitations in the folder.
    #[must_use]
    pub fn open(folder: PathBuf) -> Self {
        if let Err(error) = make_room(&folder, Path::is_dir) {
            tracing::warn!(%error, folder = %folder.display(), "what is in the place of a folder was not moved");
        }
        files::remove_left_behind(&folder);
        // The folder might not exist. If it cannot be read, `unreadable::list` lists it.
        let entries = std::fs::read_dir(&folder).into_iter().flatten().filter_map(Result::ok);
        let mut held = HashMap::new();
        for path in entries.map(|entry| entry.path()) {
            let Some(handle) = handle_of(&path) else { continue };
            match read(&path) {
                Ok(invitation) => drop(held.insert(handle, invitation)),
                Err(error) => {
                    tracing::warn!(error = format!("{error:#}"), file = %path.display(), "cannot read an invitation");
                    if let Err(error) = files::set_aside(&path) {
                        tracing::warn!(%error, file = %path.display(), "cannot move an unreadable invitation");
                    }
                }
            }
        }
        Self { folder, held: Mutex::new(held), in_memory: Mutex::default() }
    }

    /// Stores an invitation, and returns its identifier. It is kept in memory if the disk cannot be written.
    pub fn keep(&self, invitation: UnsavedInvitation) -> String {
        let handle = uuid::Uuid::new_v4().to_string();
        if let Err(error) = self.write(&handle, &invitation) {
            tracing::warn!(%error, "a refreshed invitation is kept in memory alone");
            self.in_memory().insert(handle.clone());
        }
        self.held().insert(handle.clone(), invitation);
        handle
    }

    /// Returns the invitation with an identifier.
    pub fn get(&self, handle: &str) -> Option<UnsavedInvitation> {
        self.held().get(handle).cloned()
    }

    /// Returns the number of invitations that are lost when the program ends, because they could not be written to
    /// disk.
    pub fn only_in_memory(&self) -> usize {
        self.in_memory().len()
    }

    /// Returns the invitations of a site with their identifiers, newest first.
    pub fn of(&self, site: &SiteId) -> Vec<(String, UnsavedInvitation)> {
        let held = self.held();
        let of_site = held.iter().filter(|(_, invitation)| &invitation.site == site);
        let mut kept: Vec<_> = of_site.map(|(handle, kept)| (handle.clone(), kept.clone())).collect();
        kept.sort_by_key(|(_, invitation)| std::cmp::Reverse(invitation.refreshed_at));
        kept
    }

    /// Returns when the invitations of each site were refreshed.
    pub fn by_site(&self) -> HashMap<SiteId, Vec<Millis>> {
        let mut by_site = HashMap::<SiteId, Vec<Millis>>::new();
        for invitation in self.held().values() {
            by_site.entry(invitation.site.clone()).or_default().push(invitation.refreshed_at);
        }
        by_site
    }

    /// Deletes an invitation that was saved or discarded.
    pub fn forget(&self, handle: &str) {
        self.in_memory().remove(handle);
        if self.held().remove(handle).is_some()
            && let Err(error) = std::fs::remove_file(self.file(handle))
            && error.kind() != std::io::ErrorKind::NotFound
        {
            tracing::warn!(%error, "an invitation that was let go of stays on the disk");
        }
    }

    fn write(&self, handle: &str, invitation: &UnsavedInvitation) -> std::io::Result<()> {
        // Anyone who has the file might be able to join the collaboration.
        create_private(&self.folder)?;
        let written = Written {
            site: invitation.site.clone(),
            file_name: invitation.file_name.clone(),
            content: STANDARD.encode(&*invitation.content),
            refreshed_at: invitation.refreshed_at,
        };
        files::write_whole(&self.file(handle), &files::encode(&written)?)
    }

    fn file(&self, handle: &str) -> PathBuf {
        self.folder.join(format!("{handle}.json"))
    }

    fn in_memory(&self) -> MutexGuard<'_, HashSet<String>> {
        // Changed by single inserts and removals, so that a panic leaves it consistent.
        self.in_memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn held(&self) -> MutexGuard<'_, HashMap<String, UnsavedInvitation>> {
        // Changed by single inserts and removals, so that a panic leaves it consistent.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SiteData for UnsavedInvitations {
    fn site_removed(&self, site: &SiteId) {
        for (handle, _) in self.of(site) {
            self.forget(&handle);
        }
    }
}

/// Limit of a file with an invitation, in bytes. The invitation itself has some kilobytes.
const LARGEST: u64 = 16 * 1024 * 1024;

/// Returns the identifier of a stored invitation; `None` for any other file, which is left unchanged.
fn handle_of(path: &Path) -> Option<String> {
    let handle = path.file_name()?.to_str()?.strip_suffix(".json")?;
    uuid::Uuid::parse_str(handle).ok().map(|_| handle.to_owned())
}

fn read(path: &Path) -> anyhow::Result<UnsavedInvitation> {
    let written: Written = files::decode(&files::read_whole(path, LARGEST)?)?;
    Ok(UnsavedInvitation {
        site: written.site,
        // Another program might have changed the file.
        file_name: files::safe_name(&written.file_name, "invite"),
        content: Arc::new(STANDARD.decode(written.content)?),
        refreshed_at: written.refreshed_at,
    })
}

/// Stores a refreshed invitation on disk, or in memory if the disk cannot be written.
pub(crate) async fn keep(
    unsaved: &Arc<UnsavedInvitations>,
    site: &SiteId,
    file_name: &str,
    content: Vec<u8>,
) -> Result<UnsavedInvitationId, Problem> {
    let invitation = UnsavedInvitation {
        site: site.clone(),
        file_name: file_name.to_owned(),
        content: Arc::new(content),
        refreshed_at: Millis::now(),
    };
    let all = unsaved.clone();
    let handle = tokio::task::spawn_blocking(move || all.keep(invitation)).await;
    handle.map(UnsavedInvitationId).map_err(|error| Problem::Unexpected { message: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invitation(site: &str, refreshed_at: i64) -> UnsavedInvitation {
        UnsavedInvitation {
            site: SiteId(site.to_owned()),
            file_name: "guest.invite".to_owned(),
            content: Arc::new((0..=255).collect()),
            refreshed_at: Millis(refreshed_at),
        }
    }

    #[test]
    fn a_kept_invitation_is_there_after_a_restart_and_is_nobody_elses_business() {
        let data = tempfile::tempdir().unwrap();
        let folder = data.path().join("unsaved-invitations");
        let kept = UnsavedInvitations::open(folder.clone());
        let handle = kept.keep(invitation("a", 1));
        kept.keep(invitation("a", 2));
        kept.keep(invitation("b", 3));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode(&folder), 0o700);
            assert_eq!(mode(&folder.join(format!("{handle}.json"))), 0o600);
        }
        std::fs::write(folder.join("half.json"), "{\"site\":").unwrap();

        let kept = UnsavedInvitations::open(folder.clone());

        assert_eq!(kept.get(&handle), Some(invitation("a", 1)));
        let of_a: Vec<_> = kept.of(&SiteId("a".to_owned())).into_iter().map(|(_, one)| one).collect();
        assert_eq!(of_a, [invitation("a", 2), invitation("a", 1)]);
        kept.forget(&handle);
        assert_eq!(UnsavedInvitations::open(folder).get(&handle), None);
    }

    #[test]
    fn a_file_in_the_place_of_their_folder_is_moved_and_what_a_killed_process_left_is_removed() {
        let data = tempfile::tempdir().unwrap();
        let folder = data.path().join("unsaved-invitations");
        std::fs::write(&folder, "").unwrap();
        let kept = UnsavedInvitations::open(folder.clone());
        let handle = kept.keep(invitation("a", 1));
        assert_eq!(kept.only_in_memory(), 0);
        let left = folder.join(".site-steward-1.part");
        std::fs::write(&left, "half").unwrap();

        let kept = UnsavedInvitations::open(folder);

        assert_eq!(kept.get(&handle), Some(invitation("a", 1)));
        assert!(!left.exists());
    }

    #[test]
    fn an_invitation_suggests_no_name_from_its_file_that_leads_elsewhere_or_hides_its_type() {
        let data = tempfile::tempdir().unwrap();
        for (stored, suggested) in [
            ("guest.invite", "guest.invite"),
            ("../../autostart/guest.desktop", "guest.desktop.invite"),
            ("C:\\Users\\con", "file-con.invite"),
            ("guest\u{202e}etivni.exe", "guestetivni.exe.invite"),
            ("", "file.invite"),
        ] {
            let kept = UnsavedInvitations::open(data.path().to_owned());
            let handle = kept.keep(UnsavedInvitation { file_name: stored.to_owned(), ..invitation("a", 1) });
            let kept = UnsavedInvitations::open(data.path().to_owned());
            assert_eq!(kept.get(&handle).unwrap().file_name, suggested, "{stored:?}");
        }
    }

    #[test]
    fn a_data_folder_that_cannot_be_written_keeps_it_in_memory() {
        let data = tempfile::tempdir().unwrap();
        std::fs::write(data.path().join("file"), "").unwrap();
        let kept = UnsavedInvitations::open(data.path().join("file").join("unsaved-invitations"));

        let handle = kept.keep(invitation("a", 1));

        assert_eq!(kept.get(&handle), Some(invitation("a", 1)));
        assert_eq!(kept.only_in_memory(), 1, "it would be lost with the program");
        kept.forget(&handle);
        assert_eq!(kept.only_in_memory(), 0);
    }

    #[test]
    fn an_invitation_on_the_disk_is_not_in_memory_alone() {
        let data = tempfile::tempdir().unwrap();
        let kept = UnsavedInvitations::open(data.path().join("unsaved-invitations"));

        kept.keep(invitation("a", 1));

        assert_eq!(kept.only_in_memory(), 0);
    }

    #[test]
    fn a_clock_that_jumps_deletes_no_invitation() {
        let data = tempfile::tempdir().unwrap();
        let folder = data.path().join("unsaved-invitations");
        let hour = 60 * 60 * 1000;
        let hours_ago = |hours: i64| invitation("a", Millis::now().0 - hours * hour);
        let kept = UnsavedInvitations::open(folder.clone());
        let handles = [71, 73, 97, 24 * 365, -24 * 365].map(|hours| kept.keep(hours_ago(hours)));

        let kept = UnsavedInvitations::open(folder.clone());

        assert_eq!(kept.of(&SiteId("a".to_owned())).len(), handles.len());
        let now = Millis::now();
        let is_expired = |handle: &String| kept.get(handle).unwrap().is_expired(now);
        assert_eq!(handles.each_ref().map(is_expired), [false, true, true, true, false]);
        for handle in &handles {
            assert!(folder.join(format!("{handle}.json")).exists());
            kept.forget(handle);
        }
        assert_eq!(UnsavedInvitations::open(folder).of(&SiteId("a".to_owned())), []);
    }
}
