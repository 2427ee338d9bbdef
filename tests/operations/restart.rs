use steward_core::operations::export_portal;
use steward_journal::Outcome;

use crate::desk::Desk;
use crate::export_portal::to;

#[tokio::test]
async fn a_restarted_program_finds_its_sites_its_token_and_its_history() {
    let desk = Desk::new().await;
    let form = to(&desk.folder("exports"), false);
    export_portal::perform(&desk.host, &desk.site, desk.run(), form).await.unwrap();

    let desk = desk.restarted();

    let site = desk.host.sites.get(&desk.site).unwrap();
    assert_eq!(site.name, "City GIS");
    assert!(desk.host.ask_who(&site).await.is_ok(), "the stored token still opens the site");
    assert_eq!(desk.history().await[0].outcome, Outcome::Succeeded);
}
