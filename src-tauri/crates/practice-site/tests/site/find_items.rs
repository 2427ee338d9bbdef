//! Operation 5.

use crate::support::{Rehearsal, rehearsal, server_error_code};
use serde_json::Value;

const PATH: &str = "/server/admin/data/findItems";

async fn find(site: &Rehearsal, filters: &[(&str, &str)]) -> Vec<Value> {
    let answer = site.post_as("publisher", PATH, filters).await;
    answer["items"].as_array().unwrap_or_else(|| panic!("{answer}")).clone()
}

async fn paths(site: &Rehearsal, filters: &[(&str, &str)]) -> Vec<String> {
    find(site, filters).await.iter().map(|item| item["path"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_parent_path_finds_children_and_an_ancestor_path_finds_all_below() {
    let site = rehearsal().await;
    let children = ["/fileShares/plans", "/fileShares/survey", "/fileShares/zoning"];
    assert_eq!(paths(&site, &[("parentPath", "/fileShares")]).await, children);
    assert_eq!(paths(&site, &[("parentPath", "/fileShares/")]).await, children);
    let below = paths(&site, &[("ancestorPath", "/fileShares")]).await;
    assert_eq!(below.len(), 4);
    assert!(below.contains(&"/fileShares/survey/spring".to_owned()));
    // A neighbour whose name begins the same is not below.
    let neighbour = r#"{"path": "/fileShares/survey-archive"}"#;
    site.server_db()
        .execute(
            "INSERT INTO data_items VALUES ('/fileShares/survey-archive', '/fileShares', 'x', 'folder', 0, ?1)",
            [neighbour],
        )
        .unwrap();
    assert_eq!(paths(&site, &[("ancestorPath", "/fileShares/survey")]).await, ["/fileShares/survey/spring"]);
    assert_eq!(paths(&site, &[("ancestorPath", "/fileShare")]).await, [""; 0]);
    assert_eq!(paths(&site, &[("ancestorPath", "/")]).await.len(), 15);
}

#[tokio::test]
async fn types_identifier_and_management_filter_alone_and_together() {
    let site = rehearsal().await;
    let folders = paths(&site, &[("types", "folder")]).await;
    assert_eq!(folders.len(), 4);
    assert_eq!(paths(&site, &[("types", "folder, cloudStore")]).await.len(), 5);
    let managed = find(&site, &[("isManaged", "True")]).await;
    assert_eq!(managed.len(), 3);
    assert!(managed.iter().all(|item| item["info"]["isManaged"] == true));
    assert_eq!(find(&site, &[("managed", "true")]).await, managed);
    assert_eq!(find(&site, &[("isManaged", "false")]).await.len(), 11);
    let id = managed[0]["id"].as_str().unwrap();
    assert_eq!(find(&site, &[("id", id)]).await, managed[..1]);
    assert_eq!(find(&site, &[("id", id), ("types", "folder")]).await, [Value::Null; 0]);
    let databases = [("ancestorPath", "/enterpriseDatabases"), ("isManaged", "true"), ("types", "egdb")];
    assert_eq!(paths(&site, &databases).await, ["/enterpriseDatabases/relational_elderbrook"]);
}

#[tokio::test]
async fn an_item_carries_every_field_of_the_specification() {
    let site = rehearsal().await;
    let item = find(&site, &[("isManaged", "true"), ("types", "egdb")]).await.remove(0);
    let text = ["id", "name", "description", "provider", "type", "revision", "path"];
    let info_text = [
        "provider",
        "category",
        "implementation",
        "factory",
        "dsFeature",
        "dbType",
        "dataStoreConnectionType",
        "connectionString",
        "connectionStringHA",
    ];
    let info = &item["info"];
    assert!(text.iter().all(|name| item[name].is_string()), "{item}");
    assert!(info_text.iter().all(|name| info[name].is_string()), "{info}");
    assert!(["isManaged", "systemManaged", "isManagedData"].iter().all(|name| info[name].is_boolean()));
    assert!(item["systemManaged"].is_boolean());
    for list in
        [&item["purposes"], &item["encryptAttributes"], &item["encryptedAttributes"], &info["purposes"]]
    {
        assert!(list.is_array());
    }
    assert_eq!(item["encryptedAttributes"], serde_json::json!([]));
    assert!(info["JDBCConnection"].is_object());
    let machine = &info["machines"][0];
    assert!(machine["dbPort"].is_i64());
    assert!(["name", "platform", "role"].iter().all(|name| machine[name].is_string()));
    assert!(item["meta"]["created"].is_i64() && item["meta"]["modified"].is_i64());
    for name in ["connectionString", "connectionStringHA"] {
        let connection = info[name].as_str().unwrap();
        assert!(connection.split(';').all(|pair| pair.contains('=')));
        assert!(connection.contains("ENCRYPTED_PASSWORD="));
    }
}

#[tokio::test]
async fn no_filter_or_only_empty_ones_is_an_error() {
    let site = rehearsal().await;
    let empty = [("parentPath", ""), ("ancestorPath", ""), ("types", " , "), ("id", ""), ("isManaged", "")];
    for filters in [&[][..], &empty[..]] {
        assert_eq!(server_error_code(&site.post_as("publisher", PATH, filters).await), 400);
    }
    let strange = site.post_as("publisher", PATH, &[("isManaged", "perhaps")]).await;
    assert_eq!(server_error_code(&strange), 400);
}

#[tokio::test]
async fn a_get_and_a_multipart_post_find_the_same() {
    let site = rehearsal().await;
    let expected = find(&site, &[("types", "folder")]).await;
    let token = site.token("administrator").await;
    let got = site.get(PATH, &[("types", "folder"), ("id", ""), ("f", "json"), ("token", &token)]).await;
    assert_eq!(got["items"], Value::Array(expected.clone()));
    let form = reqwest::multipart::Form::new().text("types", "folder").text("token", token);
    let response = site.http.post(site.address(PATH)).multipart(form).send().await.unwrap();
    let parts: Value = response.json().await.unwrap();
    assert_eq!(parts["items"], Value::Array(expected));
}
