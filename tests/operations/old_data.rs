//! Data folders as earlier versions left them.

use std::path::Path;
use std::sync::Arc;

use rusqlite::Connection;
use steward_core::host::Host;
use steward_core::model::deployment::SiteKind;
use steward_core::runs::RunRegistry;
use steward_core::sites::SiteColor;
use steward_journal::{Filter, Outcome};
use steward_vault::MemoryStore;

use crate::desk::AnswersByItself;

/// Writes the data folder of version 1.
fn version_1(folder: &Path) {
    std::fs::write(folder.join("sites.json"), include_str!("../fixtures/data-folders/v1/sites.json"))
        .unwrap();
    let journal = Connection::open(folder.join("journal.db")).unwrap();
    journal
        .execute_batch(include_str!("../../src-tauri/crates/steward-journal/tests/fixtures/journal-v1.sql"))
        .unwrap();
}

fn open(folder: &Path) -> Host {
    let runs = RunRegistry::new(Box::new(|_| ()));
    Host::open(folder, Arc::new(MemoryStore::default()), Arc::new(AnswersByItself::default()), runs).unwrap()
}

/// The files of a folder whose names begin so.
fn beginning_with(folder: &Path, name: &str) -> Vec<String> {
    crate::desk::files_in(folder).into_iter().filter(|file| file.starts_with(name)).collect()
}

#[tokio::test]
async fn an_update_of_the_program_keeps_sites_and_history() {
    let folder = tempfile::tempdir().unwrap();
    version_1(folder.path());

    // The second start finds what the first one made of it.
    for _ in 0..2 {
        let host = open(folder.path());

        let sites = host.sites.all();
        assert_eq!(
            sites.iter().map(|site| site.name.as_str()).collect::<Vec<_>>(),
            ["City GIS", "Field server"]
        );
        let city = &sites[0];
        assert_eq!((city.kind, city.color), (SiteKind::Production, SiteColor::Red));
        assert_eq!(city.portal.as_ref().unwrap().address.as_str(), "https://gis.example.org/portal");
        assert_eq!(city.ca_certificate.as_deref(), Some(Path::new("/home/sam/certificates/city-ca.pem")));
        assert_eq!(city.username.as_deref(), Some("gisadmin"));
        assert_eq!((&sites[1].portal, &sites[1].username), (&None, &None));

        let records = host.journal(|journal| journal.records(&Filter::default())).await.unwrap();
        let ends: Vec<_> =
            records.iter().map(|record| (record.intent.operation.as_str(), record.outcome)).collect();
        assert_eq!(
            ends,
            [
                ("export_server", Outcome::Unknown),
                ("deactivate_webhooks", Outcome::Failed),
                ("import_server", Outcome::Warnings),
                ("export_portal", Outcome::Warnings),
            ]
        );
        assert!(records.iter().all(|record| record.intent.site == city.id.0));
    }

    let copies = beginning_with(folder.path(), "journal-v1-");
    assert_eq!(copies.len(), 1, "one copy from before the change: {copies:?}");
    let copy = Connection::open(folder.path().join(&copies[0])).unwrap();
    let count: i64 = copy.query_row("SELECT count(*) FROM record", [], |row| row.get(0)).unwrap();
    assert_eq!(count, 4);
}
