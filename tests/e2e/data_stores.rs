//! From data store items to the services that use them, and back from a service that does not run.

use crate::practice::TestApp;

#[tokio::test]
async fn an_item_that_is_not_valid_and_the_service_that_needs_it_lead_to_each_other() {
    let desk = TestApp::new();
    let window = desk.window().await;
    window.start_practice().await.unwrap();
    window.find_items().await.unwrap();

    window.press("Check").await.unwrap();
    window.press("Validate all 14 items").await.unwrap();
    window.see("12 of 14 validated items are valid").await.unwrap();
    window.press("/nosqlDatabases/sensors").await.unwrap();
    window.see("1 of 14 items shown").await.unwrap();
    window.press("Clear search").await.unwrap();
    window.press("/fileShares/zoning").await.unwrap();
    window.see("1 of 14 items shown").await.unwrap();
    window.press_at("//*[@role='gridcell'][normalize-space(.)='zoning']").await.unwrap();
    window.see("cannot be read").await.unwrap();
    window.press("Find services").await.unwrap();
    window.see("Parcels/Zoning.MapServer").await.unwrap();
    window.see("1 service returned no manifest").await.unwrap();
    window.press("Close").await.unwrap();

    window.press("Overview").await.unwrap();
    window.press("Check now").await.unwrap();
    window.press_at("//button[starts-with(@aria-label, 'Show services: ')]").await.unwrap();
    window.press("Read required items from the manifest: Parcels/Zoning.MapServer").await.unwrap();
    window.see("Not valid").await.unwrap();
    window.press("Show /fileShares/zoning in the data store items").await.unwrap();
    window.see("Filtered by “/fileShares/zoning”").await.unwrap();
    window.press("Back to the previous page").await.unwrap();
    window.see("Check now").await.unwrap();
    window.close().await.unwrap();
}
