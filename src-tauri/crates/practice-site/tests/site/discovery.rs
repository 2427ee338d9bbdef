//! What a client asks before it does anything.

use crate::support::{COLLABORATIONS, error_code, rehearsal};
use serde_json::Value;

#[tokio::test]
async fn a_client_finds_its_way_from_one_address() {
    let site = rehearsal().await;
    let ready = site.site.ready();
    let info = site.get("/portal/sharing/rest/info", &[]).await;
    assert_eq!(info["owningSystemUrl"], ready.portal);
    let tokens = info["authInfo"]["tokenServicesUrl"].as_str().unwrap();
    assert_eq!(tokens, format!("{}/sharing/rest/generateToken", ready.portal));

    let nobody = site.get("/portal/sharing/rest/portals/self", &[]).await;
    assert_eq!(nobody["id"], ready.portal_id);
    assert!(nobody.get("user").is_none());
    let me = site.get_as("administrator", "/portal/sharing/rest/portals/self").await;
    assert_eq!(me["user"]["username"], site.sign_in("administrator").0);
    let privileges = me["user"]["privileges"].as_array().unwrap();
    assert!(privileges.iter().any(|name| name.as_str().unwrap().contains(":admin:")));

    let servers = site.get_as("administrator", "/portal/sharing/rest/portals/self/servers").await;
    assert_eq!(servers["servers"][0]["url"], ready.server);
    let rest = site.post("/server/rest/info", &[]).await;
    assert_eq!(rest["owningSystemUrl"], ready.portal);
    assert_eq!(rest["currentVersion"], 11.1);
    let admin = site.get_as("administrator", "/server/admin").await;
    let resources = admin["resources"].as_array().unwrap();
    assert!(resources.contains(&"data".into()) && resources.contains(&"services".into()));
    assert_eq!(admin["fullVersion"], "11.1.0");
}

#[tokio::test]
async fn services_are_listed_by_folder() {
    let site = rehearsal().await;
    let root = site.get_as("administrator", "/server/admin/services").await;
    assert_eq!(root["folderName"], "/");
    assert!(root["folders"].as_array().unwrap().contains(&"Hosted".into()));
    assert!(root.get("foldersDetail").is_none());
    let detailed = site.post_as("administrator", "/server/admin/services", &[("detail", "TRUE")]).await;
    assert_eq!(detailed["foldersDetail"][0]["folderName"], "Hosted");
    let hosted = site.get_as("administrator", "/server/admin/services/Hosted").await;
    assert_eq!(hosted["services"].as_array().unwrap().len(), 3);
    let nowhere = site.get_as("administrator", "/server/admin/services/Nowhere").await;
    assert_eq!(nowhere["code"], 404);
}

#[tokio::test]
async fn lists_come_in_pages_that_end_with_minus_one() {
    let site = rehearsal().await;
    let token = site.token("administrator").await;
    let page = async |start: &str| {
        site.get(COLLABORATIONS, &[("token", &token), ("num", "2"), ("start", start)]).await
    };
    let first = page("1").await;
    assert_eq!((first["total"].as_i64(), first["nextStart"].as_i64()), (Some(3), Some(3)));
    assert_eq!(first["collaborations"].as_array().unwrap().len(), 2);
    let second = page("3").await;
    assert_eq!(second["nextStart"], -1);
    assert_eq!(second["collaborations"].as_array().unwrap().len(), 1);
    assert_eq!(page("99").await["collaborations"], Value::Array(Vec::new()));
}

#[tokio::test]
async fn an_unknown_address_is_an_error_in_the_words_of_its_area() {
    let site = rehearsal().await;
    for path in [
        "/",
        "/portal/nothing",
        "/portal/sharing/rest/nothing",
        "/portal/portaladmin/nothing",
        "/server/rest/x",
    ] {
        assert_eq!(error_code(&site.get(path, &[]).await), 404, "{path}");
    }
    let answer = site.get("/server/admin/nothing", &[]).await;
    assert_eq!((answer["status"].as_str(), answer["code"].as_i64()), (Some("error"), Some(404)));
}

#[tokio::test]
async fn the_format_is_compact_or_indented() {
    let site = rehearsal().await;
    let text = async |format: &str| {
        let address = site.address(&format!("/portal/sharing/rest?f={format}"));
        site.http.get(address).send().await.unwrap().text().await.unwrap()
    };
    assert!(!text("json").await.contains('\n'));
    assert!(text("pjson").await.contains('\n'));
    assert!(!text("").await.contains('\n'));
}

#[tokio::test]
async fn the_workspaces_of_a_collaboration_are_listed_in_pages() {
    let site = rehearsal().await;
    let collaboration = site.collaboration(true).await;
    let path = format!("{collaboration}/workspaces");
    let first = site.post_as("administrator", &path, &[("start", "1"), ("num", "1")]).await;
    assert_eq!((first["total"].as_i64(), first["nextStart"].as_i64()), (Some(2), Some(2)));
    let workspace = first["workspaces"][0].clone();
    assert!(collaboration.ends_with(workspace["collaborationId"].as_str().unwrap()));
    let one = site.get_as("administrator", &format!("{path}/{}", workspace["id"].as_str().unwrap())).await;
    assert_eq!(one, workspace);
    assert_eq!(error_code(&site.get_as("administrator", &format!("{path}/x")).await), 404);
    assert_eq!(error_code(&site.get_as("publisher", &path).await), 403);
}

/// The vendor's Python client turns the keys of these into attributes, and its own methods would be hidden.
#[tokio::test]
async fn no_key_of_a_collaboration_hides_a_method_of_the_python_client() {
    let site = rehearsal().await;
    let path = site.collaboration(true).await;
    let collaboration = site.get_as("administrator", &path).await;
    let workspaces = site.get_as("administrator", &format!("{path}/workspaces")).await;
    for object in [&collaboration, &workspaces["workspaces"][0]] {
        assert!(object["id"].is_string());
        for key in ["participants", "refresh", "sync", "schedule", "delete", "workspaces", "invitations"] {
            assert!(object.get(key).is_none(), "{key} in {object}");
        }
    }
}

#[tokio::test]
async fn what_the_foreign_clients_post_is_answered_like_a_get() {
    let site = rehearsal().await;
    let token = site.token("administrator").await;
    let collaboration = site.collaboration(true).await;
    for path in [
        "/portal/sharing/rest/info".to_owned(),
        "/portal/sharing/rest/portals/self".into(),
        "/portal/sharing/rest/portals/self/servers".into(),
        "/portal/sharing/rest/portals/self/roles".into(),
        "/portal/portaladmin".into(),
        "/server/rest/info".into(),
        "/server/admin".into(),
        "/server/admin/logs".into(),
        "/server/admin/data".into(),
        "/server/admin/data/items".into(),
        collaboration.clone(),
        format!("{collaboration}/participants"),
        format!("{collaboration}/invitations"),
    ] {
        let got = site.get(&path, &[("token", &token)]).await;
        assert!(got.get("error").is_none() && got.get("code").is_none(), "{path}: {got}");
        assert_eq!(site.post(&path, &[("token", &token)]).await, got, "{path}");
    }
}

#[tokio::test]
async fn the_portal_is_counted_with_one_element_of_each_list() {
    let site = rehearsal().await;
    let token = site.token("administrator").await;
    let of_portal = format!("orgid:{}", site.site.ready().portal_id);
    let first = [("token", token.as_str()), ("num", "1"), ("q", of_portal.as_str())];
    let count = |table: &str| -> i64 {
        site.portal_db().query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
    };
    let sharing = "/portal/sharing/rest";

    let items =
        site.get(&format!("{sharing}/search"), &[&first[..], &[("countFields", "type")]].concat()).await;
    let users = site.get(&format!("{sharing}/portals/self/users"), &first[..2]).await;
    let groups = site.get(&format!("{sharing}/community/groups"), &first).await;

    assert_eq!(
        (items["total"].as_i64(), items["results"].as_array().unwrap().len()),
        (Some(count("items")), 1)
    );
    let types = items["aggregations"]["counts"][0]["fieldValues"].as_array().unwrap();
    assert_eq!(types.iter().map(|one| one["count"].as_i64().unwrap()).sum::<i64>(), count("items"));
    assert!(types.iter().any(|one| one["value"] == "web map"), "{types:?}");
    assert_eq!(users["total"], count("users"));
    assert_eq!(groups["total"], count("groups"));
    let other = site.get(&format!("{sharing}/search"), &[("token", &token), ("q", "title:Parcels")]).await;
    assert_eq!(error_code(&other), 400, "{other}");
}
