//! How the place of an import is spelled.

use steward_client::operations::import_server::ImportServer;
use steward_client::{Endpoint, ServerType};

use crate::canned::Canned;
use crate::rehearsal::http;

async fn spellings(server_type: ServerType) -> Vec<String> {
    let canned =
        Canned::answering(&[("/arcgis/admin/importSite", r#"{"status":"success","result":[]}"#)]).await;
    let import =
        ImportServer { location: "/backups/a.agssite".to_owned(), server_type, restart_web_server: None };
    let server = Endpoint::new(http(), canned.root("arcgis"));
    import.send(server.permit_unchecked().await).await.unwrap();
    let form = canned.asked().remove(0).form();
    let places = form.into_iter().filter(|(_, value)| value == "/backups/a.agssite");
    places.map(|(name, _)| name).collect()
}

#[tokio::test]
async fn a_notebook_and_a_mission_server_are_told_the_place_in_both_spellings() {
    assert_eq!(spellings(ServerType::Notebook).await, ["location", "EXPORT_LOCATION"]);
    assert_eq!(spellings(ServerType::Mission).await, ["location", "EXPORT_LOCATION"]);
    assert_eq!(spellings(ServerType::Gis).await, ["location"]);
}
