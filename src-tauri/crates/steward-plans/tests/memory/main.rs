//! Memory and time that a search in 1,000 backup sets needs: that of a few inventories, and not of all.
//!
//! A binary of its own, with one test, because the allocator counts everything that the process allocates.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;
use sha2::{Digest as _, Sha256};
use steward_core::inventory::{Inventory, InventoryService};
use steward_core::model::ids::{ServerId, SiteId};
use steward_core::model::numbers::{Bytes, Millis};
use steward_plans::plan::{BackupPlan, PlanId};
use steward_plans::retention::KeepRules;
use steward_plans::schedule::Schedule;
use steward_plans::set::{BackupSet, Expected, PartState, SetFile, SetPart};
use steward_plans::set_search::search;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const SETS: usize = 1_000;
const SERVICES: usize = 300;

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Inventory of a server, in which every tenth set has one service more.
fn inventory(set: usize) -> Vec<u8> {
    let service = |path: String| InventoryService {
        path,
        configured: "STARTED".to_owned(),
        real_time: "STARTED".to_owned(),
    };
    let numbered =
        (0..SERVICES).map(|number| service(format!("Folder{}/Service{number}.MapServer", number % 30)));
    let zoning = (set.is_multiple_of(10)).then(|| service("Parcels/Zoning.MapServer".to_owned()));
    let services = numbered.chain(zoning).collect();
    let inventory = Inventory { format: 1, sha256: "export".to_owned(), services, ..Inventory::default() };
    serde_json::to_vec(&inventory).unwrap()
}

/// Writes a set with one server, and returns the size of its inventory.
fn write_set(plan: &BackupPlan, number: usize) -> usize {
    let folder = plan.folder.join(format!("set-{number}"));
    std::fs::create_dir(&folder).unwrap();
    let bytes = inventory(number);
    let file = |name: &str, sha256: String| SetFile { name: name.to_owned(), size: Bytes(1), sha256 };
    let name = "a.agssite.inventory.json";
    std::fs::write(folder.join(name), &bytes).unwrap();
    std::fs::write(folder.join("a.agssite"), "x").unwrap();
    let part = SetPart {
        server: Some(ServerId("gisapp01".to_owned())),
        name: "gisapp01".to_owned(),
        expected: Expected::VerifiedHere,
        state: PartState::VerifiedHere,
        record: None,
        files: vec![file("a.agssite", "export".to_owned()), file(name, sha256(&bytes))],
        portal_file: None,
        usual_size: None,
        warnings: None,
    };
    let set = BackupSet {
        program: "site-steward".to_owned(),
        folder_name: String::new(),
        plan: plan.id.clone(),
        plan_name: plan.name.clone(),
        site: plan.site.clone(),
        site_name: "City GIS".to_owned(),
        scheduled: None,
        started: Millis(i64::try_from(number).unwrap()),
        ended: Some(Millis(i64::try_from(number).unwrap())),
        parts: vec![part],
        is_pinned: false,
    };
    set.write(&folder).unwrap();
    bytes.len()
}

fn plan_in(folder: &Path) -> BackupPlan {
    BackupPlan {
        id: PlanId("nightly".to_owned()),
        site: SiteId("city".to_owned()),
        name: "Nightly".to_owned(),
        is_enabled: true,
        since: Millis(0),
        enabled_since: Millis(0),
        parts: Vec::new(),
        schedule: Schedule { days: Vec::new(), times: Vec::new(), skip_missed: false },
        folder: folder.to_owned(),
        delete_stored: false,
        keep: KeepRules::default(),
        rehearse_every: None,
        tells_changes: false,
        alerts: Vec::new(),
    }
}

#[tokio::test]
async fn a_search_in_1_000_sets_holds_one_inventory_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan_in(folder.path());
    let all: usize = (0..SETS).map(|number| write_set(&plan, number)).sum();
    let (plans, words, data_folder) = (vec![plan], "zoning".to_owned(), tempfile::tempdir().unwrap());
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let began = Instant::now();

    let search = search(data_folder.path(), plans, words).await.unwrap();

    let (took, needed) = (began.elapsed(), ALLOCATOR.peak_usage() - before);
    println!("{SETS} sets with inventories of {all} bytes: {took:?}, {needed} bytes");
    assert_eq!((search.found.len(), search.searched), (SETS / 10, 1_000));
    assert!(search.found.is_sorted_by_key(|found| std::cmp::Reverse(found.set.started)));
    // The sets themselves, what was found, and an inventory.
    assert!(needed < all / 8, "{needed} bytes for {all}");
    // Without optimization, and beside other tests.
    assert!(took < Duration::from_secs(20), "{took:?}");
}
