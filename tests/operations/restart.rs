use steward_journal::Outcome;

use crate::export_portal::to;
use crate::test_app::TestApp;

#[tokio::test]
async fn a_restarted_program_finds_its_sites_its_token_and_its_history() {
    let app = TestApp::new().await;
    let form = to(&app.folder("exports"), false);
    app.export_portal(form).await.unwrap();

    let app = app.restarted();

    let site = app.sites().get(&app.site).unwrap();
    assert_eq!(site.name, "City GIS");
    assert!(
        app.steward.context.access.ask_who(&app.current(&site)).await.is_ok(),
        "the stored token still opens the site"
    );
    assert_eq!(app.history().await[0].outcome, Outcome::Succeeded);
}
