//! The portal of a set beside the portal of the test site: before its import, and after it.

use rusqlite::Connection;
use steward_core::inventory::portal_comparison::CountedPart;
use steward_core::model::site_proof::{ProofAbout, ProofState, WhyOpen};
use steward_core::operations::import_portal::change_summary::{PortalExportComparison, compare};

use super::*;

impl Rehearsing {
    async fn compared(&self) -> PortalExportComparison {
        let OpenedStep::Portal { location } = self.open(true).await.unwrap() else { panic!() };
        Box::pin(compare(&self.app.steward.context, &self.site, &location)).await.unwrap()
    }
}

#[tokio::test]
async fn what_the_portal_of_a_set_would_change_is_compared_with_the_test_site_before_anything_is_sent() {
    let this = Rehearsing::new().await;
    this.begin().await.unwrap();
    let alike = this.compared().await;
    let rows = alike.comparison.unwrap().rows;
    assert!(rows.iter().all(|row| row.portal == row.export && row.export.is_some()), "{rows:?}");
    let database = this.app.folder("second").join("site/portal/portal.db");
    let portal = Connection::open(database).unwrap();
    portal.execute_batch("DELETE FROM group_items; DELETE FROM group_members; DELETE FROM groups;").unwrap();

    let compared = this.compared().await;

    assert_eq!(compared.other_site.as_deref(), Some("City GIS"), "the site of the set wrote it");
    assert!(compared.other_url.is_some());
    assert!(compared.export_version.is_some());
    assert_eq!(compared.export_version, compared.portal_version);
    assert_eq!(compared.changes.count, 0, "those of the test site are none of the portal of the set");
    let rows = compared.comparison.unwrap().rows;
    let groups = rows.iter().find(|row| row.part == CountedPart::Groups).unwrap();
    assert_eq!(groups.portal, Some(0));
    assert!(groups.export.is_some_and(|groups| groups > 0), "{groups:?}");
    assert_eq!(this.imports().await, 0);
    // After a restart, too, and for the site of the set as its own.
    let this = this.restarted();
    assert_eq!(this.compared().await.other_site.as_deref(), Some("City GIS"));
    let OpenedStep::Portal { location } = this.open(true).await.unwrap() else { panic!() };
    this.app.sign_in("administrator").await.unwrap();
    let own = Box::pin(compare(&this.app.steward.context, &this.app.site, &location)).await.unwrap();
    assert!(own.other_site.is_none() && own.comparison.is_some());
}

#[tokio::test]
async fn an_item_that_the_import_of_the_portal_did_not_bring_is_counted_and_named_in_the_receipt() {
    let this = Rehearsing::new().await;
    this.test.add_fault(FaultRule {
        operation: Operation::ImportPortal,
        fault: InjectedFault::Orphan,
        times: 1,
        seconds: 1,
        after: false,
    });
    this.begin().await.unwrap();
    this.import_portal().await;
    this.checked(|_| false).await;

    let record = this.end().await.unwrap().unwrap();

    let receipt = receipt::view(&this.app.steward.context.history, record).await.unwrap().receipt;
    let back = receipt.parts[0].back.as_ref().unwrap();
    let content = back.lines.iter().find(|line| line.about == ProofAbout::Content);
    let content = content.unwrap_or_else(|| panic!("not compared with the export: {back:#?}"));
    assert_eq!(content.state, ProofState::Wrong);
    let is_one_less =
        |why: &WhyOpen| matches!(why, WhyOpen::Counted { found, expected } if found + 1 == *expected);
    assert!(content.open.iter().any(|one| one.name == "search" && is_one_less(&one.why)), "{content:#?}");
    assert_ne!(receipt.verdict, RehearsalVerdict::Back);
}
