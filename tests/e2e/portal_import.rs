//! A portal import in the window, from the export to the undo.

use crate::practice::TestApp;

#[tokio::test]
async fn lost_groups_come_back_with_an_import_which_is_counted_and_undone_after_a_new_sign_in() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.start_practice().await.unwrap();
    window.export_portal().await.unwrap();
    let portal = desk.writable("portal/portal.db");
    let groups = || portal.query_row("SELECT count(*) FROM groups", [], |row| row.get::<_, i64>(0)).unwrap();
    let exported = groups();
    portal.execute_batch("DELETE FROM group_items; DELETE FROM group_members; DELETE FROM groups;").unwrap();
    assert_eq!(groups(), 0);

    window.import_portal().await.unwrap();
    assert_eq!(groups(), exported);
    window.sign_in_after_import().await.unwrap();
    window.press("Check the content").await.unwrap();
    window
        .see("The portal has as many items, users, groups, and collaborations as the export.")
        .await
        .unwrap();
    let counted =
        format!("//table[@aria-label='Content after the import']//tr[.='Groups{exported}{exported}']");
    window.see_any(&counted).await.unwrap();

    window.undo_portal_import().await.unwrap();
    assert_eq!(groups(), 0);
    window.press("History").await.unwrap();
    let import = "//*[@role='grid' or @role='treegrid']//*[normalize-space(.)='Portal import']";
    window.see_any(import).await.unwrap();
    assert_eq!(window.policy_violations().await.unwrap(), serde_json::json!([]));
    window.close().await.unwrap();
}
