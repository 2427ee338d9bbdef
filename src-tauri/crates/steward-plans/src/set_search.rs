//! A search of the services and data store items in all sets of the plans of a site: which backup still has one.
//!
//! Only an inventory that is as its run wrote it, and belongs to the export beside it, is searched. Only one inventory
//! is in memory at a time.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use steward_core::files::{self, in_background};
use steward_core::inventory::{FORMAT, InventoryPart, MissingPart, stored};
use steward_core::model::export_verification::ArchiveFault;
use steward_core::model::ids::ServerId;
use steward_core::model::numbers::{Millis, count};
use steward_core::model::problem::{FieldError, Problem};

use super::attempt::StoredSet;
use super::mark::{self, Marked};
use super::plan::{BackupPlan, PlanId};
use super::plan_folder::{StrangeFolder, read_folder};
use super::set::{PartFault, PartState, SetPart, export_file};
use super::sets::name_of;
use super::store;

/// Longest time for the sets of one plan: a network share that hangs must not hold up the search of the other plans.
const LIMIT: Duration = Duration::from_mins(1);

/// Most paths that are returned for one server in one set.
const SHOWN: usize = 5;

/// Result of a search in the sets of all plans of a site.
#[derive(Debug, Clone, Default, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SetSearch {
    /// Number of inventories that were searched.
    pub searched: u32,
    /// Sets with matching services or data store items, the newest first.
    pub found: Vec<FoundSet>,
    /// Sets with a server that cannot be searched completely, the newest first.
    pub unsearched: Vec<UnsearchedSet>,
    /// Folders of plans that cannot be read, and folders with a `set.json` that this version does not read.
    pub unread: Vec<StrangeFolder>,
}

/// A set with matching services or data store items.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FoundSet {
    /// Set.
    pub set: SetName,
    /// Servers of the set with matches.
    pub servers: Vec<FoundServer>,
}

/// Matches in the export of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FoundServer {
    /// Identifier of the server.
    pub server: ServerId,
    /// Name of the server in the set, needed if the site no longer has the server.
    pub name: String,
    /// Paths of the first matching services and data store items, for example `Parcels/Zoning.MapServer`.
    pub paths: Vec<String>,
    /// Number of all matches.
    pub count: u32,
}

/// A set with servers that cannot be searched completely.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UnsearchedSet {
    /// Set.
    pub set: SetName,
    /// Servers of the set that cannot be searched completely.
    pub servers: Vec<UnsearchedServer>,
}

/// A server in a set that cannot be searched completely.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UnsearchedServer {
    /// Identifier of the server.
    pub server: ServerId,
    /// Name of the server in the set, needed if the site no longer has the server.
    pub name: String,
    /// Reason.
    pub why: NotSearched,
}

/// Identity of a set, and its names as shown in the window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SetName {
    /// Plan.
    pub plan: PlanId,
    /// Name of the plan.
    pub plan_name: String,
    /// Name of the folder of the set.
    pub name: String,
    /// Time when its run began.
    pub started: Millis,
}

/// Reason why a server in a set cannot be searched completely.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum NotSearched {
    /// The set has no inventory of the server.
    None,
    /// The inventory cannot be read.
    Unreadable,
    /// The inventory was changed after it was written, or belongs to another export than the one beside it.
    OtherContent,
    /// Nothing was found, but the server did not list all of its services and data store items.
    Incomplete,
}

/// Searches the sets of plans for services and data store items whose path has all words, whatever their case. A folder
/// that does not have the mark of its plan any more, or does not respond within a minute, is listed as unread.
///
/// # Errors
/// [`Problem::Form`] if there are no words.
pub async fn search(data_folder: &Path, plans: Vec<BackupPlan>, words: String) -> Result<SetSearch, Problem> {
    if words.trim().is_empty() {
        return Err(Problem::form("words", FieldError::Required));
    }
    let data_folder = data_folder.to_owned();
    let known = in_background(move || store::progress_now(&data_folder).plans).await?;
    let words: Arc<[String]> = folded(&words).split_whitespace().map(str::to_owned).collect();
    let mut all = SetSearch::default();
    for plan in plans.into_iter().filter(|plan| !plan.folder.as_os_str().is_empty()) {
        let sets_in = known.get(&plan.id).and_then(|known| known.sets_in.clone());
        let (folder, words) = (plan.folder.clone(), Arc::clone(&words));
        let found = in_time(folder, LIMIT, move || search_now(&plan, sets_in.as_ref(), &words)).await?;
        all.found.extend(found.found);
        all.unsearched.extend(found.unsearched);
        all.unread.extend(found.unread);
        all.searched += found.searched;
    }
    // Several plans can share a folder.
    let mut folders = HashSet::new();
    all.unread.retain(|unread| folders.insert(unread.folder.clone()));
    all.found.sort_by_key(|found| Reverse(found.set.started));
    all.unsearched.sort_by_key(|unsearched| Reverse(unsearched.set.started));
    Ok(all)
}

/// Searches a folder on another thread. A folder that does not respond is listed as unread, and the thread is left
/// waiting.
async fn in_time(
    folder: PathBuf,
    limit: Duration,
    searching: impl FnOnce() -> SetSearch + Send + 'static,
) -> Result<SetSearch, Problem> {
    let Ok(found) = tokio::time::timeout(limit, in_background(searching)).await else {
        let why = format!("no answer within {} s", limit.as_secs());
        return Ok(SetSearch {
            unread: vec![StrangeFolder::unreadable(&folder, why)],
            ..SetSearch::default()
        });
    };
    found
}

/// Searches the sets of one plan on this thread. `sets_in` is the mark of the plan; `words` are [`folded`].
fn search_now(plan: &BackupPlan, sets_in: Option<&Marked>, words: &[String]) -> SetSearch {
    let mut search = SetSearch::default();
    match mark::check(plan, sets_in).and_then(|()| read_folder(plan)) {
        Ok(folder) => {
            search.unread.extend(folder.strange);
            for stored in &folder.sets {
                search.add(plan, stored, words);
            }
        }
        Err(error) => search.unread.push(StrangeFolder::unreadable(&plan.folder, error.to_string())),
    }
    search
}

impl SetSearch {
    /// Searches the inventories of one set.
    fn add(&mut self, plan: &BackupPlan, stored: &StoredSet, words: &[String]) {
        let (mut found, mut unsearched) = (Vec::new(), Vec::new());
        for part in &stored.set.parts {
            // The inventory of a portal has only numbers, and no paths.
            let Some(server) = &part.server else { continue };
            let searched = match &part.state {
                PartState::VerifiedHere | PartState::OnSite { .. } | PartState::Unrecognized { .. } => {
                    search_part(stored, part, server, words)
                }
                // If the run was cut off, the file might be complete.
                PartState::Unknown if export_file(part).is_some() => search_part(stored, part, server, words),
                PartState::Failed { fault: PartFault::Archive(ArchiveFault::Changed), .. } => {
                    Err(NotSearched::OtherContent)
                }
                // There is no copy that could be imported.
                PartState::Unknown
                | PartState::Failed { .. }
                | PartState::Skipped { .. }
                | PartState::Running
                | PartState::Waiting => continue,
            };
            match searched {
                Ok(server) => {
                    self.searched += 1;
                    found.extend(server);
                }
                Err(why) => {
                    let (server, name) = (server.clone(), part.name.clone());
                    unsearched.push(UnsearchedServer { server, name, why });
                }
            }
        }
        let set = || SetName {
            plan: plan.id.clone(),
            plan_name: plan.name.clone(),
            name: name_of(&stored.folder),
            started: stored.set.started,
        };
        if !found.is_empty() {
            self.found.push(FoundSet { set: set(), servers: found });
        }
        if !unsearched.is_empty() {
            self.unsearched.push(UnsearchedSet { set: set(), servers: unsearched });
        }
    }
}

/// Returns what a server had in a set; `None` if it had nothing of this name.
fn search_part(
    stored: &StoredSet,
    part: &SetPart,
    server: &ServerId,
    words: &[String],
) -> Result<Option<FoundServer>, NotSearched> {
    let export = export_file(part).ok_or(NotSearched::None)?;
    let beside = stored::beside(&stored.folder.join(&export.name));
    let named = part.files.iter().find(|file| beside.ends_with(&file.name)).ok_or(NotSearched::None)?;
    let bytes = files::read_whole(&beside, stored::LARGEST).map_err(|_| NotSearched::Unreadable)?;
    if files::sha256(&bytes) != named.sha256 {
        return Err(NotSearched::OtherContent);
    }
    let (paths, count) = find(&bytes, &export.sha256, words)?;
    let (server, name) = (server.clone(), part.name.clone());
    Ok((count > 0).then_some(FoundServer { server, name, paths, count }))
}

/// Paths of an inventory. The rest of it is not kept.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Paths<'a> {
    format: u32,
    #[serde(borrow)]
    sha256: Cow<'a, str>,
    #[serde(borrow)]
    services: Vec<Named<'a>>,
    #[serde(borrow)]
    data_items: Vec<Named<'a>>,
    missing: Vec<MissingPart>,
}

#[derive(Deserialize)]
struct Named<'a> {
    #[serde(borrow)]
    path: Cow<'a, str>,
}

/// Returns a text in lower case, for comparison. A Greek sigma has another form at the end of a word, which is
/// replaced.
fn folded(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).map(|letter| if letter == 'ς' { 'σ' } else { letter }).collect()
}

/// Returns the first paths that have all words, and the number of all of them. `words` are [`folded`]; `export` is the
/// SHA-256 of the file that the inventory has to belong to.
fn find(bytes: &[u8], export: &str, words: &[String]) -> Result<(Vec<String>, u32), NotSearched> {
    let paths: Paths<'_> = serde_json::from_slice(bytes).map_err(|_| NotSearched::Unreadable)?;
    if paths.format != FORMAT {
        return Err(NotSearched::Unreadable);
    }
    if paths.sha256 != export {
        return Err(NotSearched::OtherContent);
    }
    let named = paths.services.iter().chain(&paths.data_items);
    let has_all = |path: &str| {
        let path = folded(path);
        words.iter().all(|word| path.contains(word))
    };
    let found: Vec<_> = named.filter(|named| has_all(&named.path)).collect();
    let is_of_paths =
        |missing: &MissingPart| matches!(missing.part, InventoryPart::Services | InventoryPart::DataItems);
    if found.is_empty() && paths.missing.iter().any(is_of_paths) {
        return Err(NotSearched::Incomplete);
    }
    let first = found.iter().take(SHOWN).map(|named| named.path.clone().into_owned());
    Ok((first.collect(), count(found.len())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use steward_core::inventory::{Inventory, InventoryItem, InventoryService};

    fn inventory(services: &[&str]) -> Inventory {
        let service = |path: &&str| InventoryService {
            path: (*path).to_owned(),
            configured: String::new(),
            real_time: String::new(),
        };
        Inventory {
            format: FORMAT,
            sha256: "export".to_owned(),
            services: services.iter().map(service).collect(),
            data_items: vec![InventoryItem { path: "/fileShares/zoning".to_owned(), r#type: String::new() }],
            ..Inventory::default()
        }
    }

    fn found(inventory: &Inventory, words: &[&str]) -> Result<(Vec<String>, u32), NotSearched> {
        let words: Vec<_> = words.iter().map(|word| folded(word)).collect();
        find(&serde_json::to_vec(inventory).unwrap(), "export", &words)
    }

    #[test]
    fn services_and_items_are_found_by_all_words_in_any_case() {
        let one =
            inventory(&["Parcels/Zoning.MapServer", "Water/\"Mains\".FeatureServer", "Größe.MapServer"]);
        let both = ["Parcels/Zoning.MapServer", "/fileShares/zoning"].map(str::to_owned).to_vec();
        assert_eq!(found(&one, &["zoning"]), Ok((both, 2)));
        let first = vec!["Parcels/Zoning.MapServer".to_owned()];
        assert_eq!(found(&one, &["zoning", "mapserver"]), Ok((first, 1)));
        assert_eq!(found(&one, &["größe"]).unwrap().1, 1);
        assert_eq!(found(&one, &["\"mains\""]).unwrap().1, 1);
        assert_eq!(found(&one, &["harbour"]), Ok((Vec::new(), 0)));
        let greek = inventory(&["Roads/ΟΔΟΣ.MapServer"]);
        for word in ["ΟΔΟΣ", "οδος", "οδοσ.map"] {
            assert_eq!(found(&greek, &[word]).unwrap().1, 1, "{word}");
        }
    }

    #[test]
    fn of_many_paths_the_first_are_returned_with_the_number_of_all() {
        let (paths, count) = found(&inventory(&["a/Zoning.MapServer"; 20]), &["zoning"]).unwrap();
        assert_eq!((paths.len(), count), (SHOWN, 21));
    }

    #[test]
    fn what_an_incomplete_inventory_does_not_have_might_be_in_the_export() {
        let missing = |part| MissingPart { part, of: None, reason: "denied".to_owned() };
        let incomplete =
            |part| Inventory { missing: vec![missing(part)], ..inventory(&["Zoning.MapServer"]) };
        assert_eq!(found(&incomplete(InventoryPart::Services), &["harbour"]), Err(NotSearched::Incomplete));
        assert_eq!(found(&incomplete(InventoryPart::DataItems), &["zoning"]).unwrap().1, 2);
        assert_eq!(found(&incomplete(InventoryPart::Webhooks), &["harbour"]), Ok((Vec::new(), 0)));
    }

    #[tokio::test]
    async fn a_folder_that_does_not_answer_is_named_and_is_not_waited_for() {
        let (answer, asked) = std::sync::mpsc::channel::<()>();
        let hangs = move || {
            let _ = asked.recv();
            SetSearch { searched: 1, ..SetSearch::default() }
        };
        let found = in_time(PathBuf::from("share"), Duration::from_millis(10), hangs).await.unwrap();
        assert_eq!((found.searched, found.unread.len(), &*found.unread[0].folder), (0, 1, "share"));
        drop(answer);
    }

    #[test]
    fn an_inventory_of_another_export_format_or_kind_is_not_searched() {
        let other = Inventory { sha256: "other".to_owned(), ..inventory(&[]) };
        assert_eq!(found(&other, &["zoning"]), Err(NotSearched::OtherContent));
        let newer = Inventory { format: FORMAT + 1, ..inventory(&[]) };
        assert_eq!(found(&newer, &["zoning"]), Err(NotSearched::Unreadable));
        assert_eq!(find(b"{}", "export", &[]), Err(NotSearched::Unreadable));
    }
}
