//! Stored uploads: brought whole and in parts, fetched again, and cleaned up.

use crate::import_server::{exported, import};
use crate::support::{Rehearsal, rehearsal};
use reqwest::header;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

pub(crate) const PATH: &str = "/server/admin/uploads";

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn send(site: &Rehearsal, path: &str, form: Form) -> Value {
    let response = site.http.post(site.address(path)).multipart(form).send().await.unwrap();
    assert_eq!(response.status(), 200);
    response.json().await.unwrap()
}

async fn upload(site: &Rehearsal, name: &str, content: Vec<u8>) -> Value {
    let token = site.token("administrator").await;
    let file = Part::bytes(content).file_name(name.to_owned());
    let form =
        Form::new().text("token", token).text("f", "json").text("description", "mine").part("itemFile", file);
    send(site, &format!("{PATH}/upload"), form).await
}

pub(crate) async fn send_part(site: &Rehearsal, id: &str, number: &str, content: &[u8]) -> Value {
    let token = site.token("administrator").await;
    let file = Part::bytes(content.to_vec()).file_name("part");
    let form = Form::new().text("token", token).text("partNumber", number.to_owned()).part("partFile", file);
    send(site, &format!("{PATH}/{id}/uploadPart"), form).await
}

pub(crate) async fn register(site: &Rehearsal, name: &str) -> String {
    let answer = site.post_as("administrator", &format!("{PATH}/register"), &[("itemName", name)]).await;
    assert_eq!(answer["status"], "success", "{answer}");
    assert_eq!(answer["item"]["committed"], false);
    answer["item"]["itemID"].as_str().unwrap().to_owned()
}

pub(crate) async fn download(site: &Rehearsal, id: &str, headers: &[(&str, &str)]) -> reqwest::Response {
    let token = site.token("administrator").await;
    let mut request = site.http.get(site.address(&format!("{PATH}/{id}/download")));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.header("Authorization", format!("Bearer {token}")).send().await.unwrap()
}

async fn allow_site_files(site: &Rehearsal) {
    let mut properties = site.get_as("administrator", "/server/admin/system/properties").await;
    let list = properties["uploadFileExtensionAllowedList"].as_str().unwrap().to_owned();
    properties["uploadFileExtensionAllowedList"] = json!(format!("{list},agssite"));
    let form = [("properties", &*properties.to_string())];
    let answer = site.post_as("administrator", "/server/admin/system/properties/update", &form).await;
    assert_eq!(answer["status"], "success");
}

fn folders(site: &Rehearsal) -> usize {
    std::fs::read_dir(site.data().join("server/uploads")).unwrap().count()
}

#[tokio::test]
async fn a_file_is_uploaded_whole_and_comes_back_as_it_was() {
    let site = rehearsal().await;
    let content: Vec<u8> = (0..3_000_000u32).flat_map(u32::to_le_bytes).collect();
    let answer = upload(&site, "survey.csv", content.clone()).await;
    assert_eq!(answer["status"], "success");
    let item = &answer["item"];
    assert_eq!(item["itemName"], "survey.csv");
    assert_eq!(item["description"], "mine");
    assert_eq!(item["committed"], true);
    let id = item["itemID"].as_str().unwrap();
    assert!(id.starts_with('i'));
    assert_eq!(site.get_as("administrator", &format!("{PATH}/{id}")).await, *item);
    assert_eq!(site.get_as("administrator", PATH).await["items"], json!([item]));

    let response = download(&site, id, &[]).await;
    assert_eq!(response.headers()[header::CONTENT_LENGTH], content.len().to_string());
    assert_eq!(response.headers()[header::ETAG], format!("\"{}\"", sha256(&content)));
    assert_eq!(response.headers()[header::ACCEPT_RANGES], "bytes");
    assert_eq!(response.headers()[header::CONTENT_DISPOSITION], "attachment; filename=survey.csv");
    assert!(response.bytes().await.unwrap() == content);
}

#[tokio::test]
async fn a_download_goes_on_where_it_was_cut_off_while_the_content_is_the_same() {
    let site = rehearsal().await;
    let content = b"0123456789".to_vec();
    let answer = upload(&site, "digits.txt", content.clone()).await;
    let id = answer["item"]["itemID"].as_str().unwrap().to_owned();
    let tag = format!("\"{}\"", sha256(&content));

    let rest = download(&site, &id, &[("Range", "bytes=4-"), ("If-Range", &tag)]).await;
    assert_eq!(rest.status(), 206);
    assert_eq!(rest.headers()[header::CONTENT_RANGE], "bytes 4-9/10");
    assert_eq!(rest.headers()[header::CONTENT_LENGTH], "6");
    assert_eq!(rest.bytes().await.unwrap(), "456789");
    let middle = download(&site, &id, &[("Range", "bytes=2-3")]).await;
    assert_eq!((middle.status().as_u16(), middle.bytes().await.unwrap()), (206, "23".into()));
    // Another content than the client began with: all of it.
    let changed = download(&site, &id, &[("Range", "bytes=4-"), ("If-Range", "\"other\"")]).await;
    assert_eq!((changed.status().as_u16(), changed.bytes().await.unwrap()), (200, content.into()));
    let beyond = download(&site, &id, &[("Range", "bytes=10-")]).await;
    assert_eq!(beyond.status(), 416);
}

#[tokio::test]
async fn a_file_is_uploaded_in_parts_in_any_order_and_again_and_is_whole_when_committed() {
    let site = rehearsal().await;
    let id = register(&site, "parts.txt").await;
    for (number, content) in [("3", "three"), ("1", "one, "), ("2", "wrong"), ("2", "two, ")] {
        assert_eq!(send_part(&site, &id, number, content.as_bytes()).await["status"], "success");
    }
    // Not whole yet, so of no use yet.
    assert_eq!(import(&site, &id).await["code"], 400);
    let early: Value = download(&site, &id, &[]).await.json().await.unwrap();
    assert_eq!(early["code"], 400);

    let answer = site.post_as("administrator", &format!("{PATH}/{id}/commit"), &[]).await;
    assert_eq!(answer["status"], "success", "{answer}");
    assert_eq!(answer["item"]["committed"], true);
    let response = download(&site, &id, &[]).await;
    assert_eq!(response.headers()[header::ETAG], format!("\"{}\"", sha256(b"one, two, three")));
    assert_eq!(response.bytes().await.unwrap(), "one, two, three");
    let again = site.post_as("administrator", &format!("{PATH}/{id}/commit"), &[]).await;
    assert_eq!(again["code"], 400);
    assert!(!site.data().join("server/uploads").join(&id).join("parts").exists());

    // Listed parts are taken in the order of the list.
    let id = register(&site, "listed.txt").await;
    send_part(&site, &id, "1", b"a").await;
    send_part(&site, &id, "2", b"b").await;
    site.post_as("administrator", &format!("{PATH}/{id}/commit"), &[("parts", "2, 1")]).await;
    assert_eq!(download(&site, &id, &[]).await.bytes().await.unwrap(), "ba");
}

#[tokio::test]
async fn a_commit_without_a_part_names_it_and_the_upload_can_go_on() {
    let site = rehearsal().await;
    let id = register(&site, "parts.txt").await;
    let commit = format!("{PATH}/{id}/commit");
    let nothing = site.post_as("administrator", &commit, &[]).await;
    assert_eq!(nothing["code"], 400);
    send_part(&site, &id, "1", b"a").await;
    send_part(&site, &id, "3", b"c").await;
    let gap = site.post_as("administrator", &commit, &[]).await;
    assert!(gap["messages"][0].as_str().unwrap().contains("Part 2"), "{gap}");
    for number in ["0", "-1", "x", "", "100001"] {
        assert_eq!(send_part(&site, &id, number, b"x").await["code"], 400, "{number}");
    }
    send_part(&site, &id, "2", b"b").await;
    assert_eq!(site.post_as("administrator", &commit, &[]).await["status"], "success");
    assert_eq!(download(&site, &id, &[]).await.bytes().await.unwrap(), "abc");
}

#[tokio::test]
async fn a_site_file_may_be_uploaded_once_an_administrator_allows_it_and_then_be_imported() {
    let site = rehearsal().await;
    let archive = std::fs::read(exported(&site).await).unwrap();
    let refused = upload(&site, "copy.agssite", archive.clone()).await;
    assert_eq!(refused["code"], 400);
    assert!(refused["messages"].to_string().contains("uploadFileExtensionAllowedList"), "{refused}");
    let registered =
        site.post_as("administrator", &format!("{PATH}/register"), &[("itemName", "c.agssite")]).await;
    assert_eq!(registered["code"], 400);
    assert_eq!(folders(&site), 0);

    allow_site_files(&site).await;
    let answer = upload(&site, "copy.agssite", archive).await;
    let id = answer["item"]["itemID"].as_str().unwrap();
    assert_eq!(import(&site, id).await["status"], "success");
}

#[tokio::test]
async fn a_name_that_leads_elsewhere_is_cut_to_its_end_or_refused() {
    let site = rehearsal().await;
    let answer = upload(&site, "../../users.txt", b"x".to_vec()).await;
    assert_eq!(answer["item"]["itemName"], "users.txt");
    let answer = upload(&site, "C:\\data\\trees.csv", b"x".to_vec()).await;
    assert_eq!(answer["item"]["itemName"], "trees.csv");
    for name in ["..", "nul.txt", "a:b.txt", "trees.csv.", "trees"] {
        assert_eq!(upload(&site, name, b"x".to_vec()).await["code"], 400, "{name}");
    }
}

#[tokio::test]
async fn nobody_but_an_administrator_uploads_and_strangers_leave_nothing() {
    let site = rehearsal().await;
    let token = site.token("publisher").await;
    let file = || Part::bytes(b"x".to_vec()).file_name("a.txt");
    let path = format!("{PATH}/upload");
    for (form, code) in [
        (Form::new().part("itemFile", file()), 499),
        (Form::new().text("token", "made up").part("itemFile", file()), 498),
        (Form::new().part("itemFile", file()).text("token", token.clone()), 403),
        (Form::new().text("token", token).part("itemFile", file()), 403),
    ] {
        assert_eq!(send(&site, &path, form).await["code"], code);
    }
    let large = Part::bytes(vec![0; 65 << 20]).file_name("a.txt");
    let answer =
        site.http.post(site.address(&path)).multipart(Form::new().part("itemFile", large)).send().await;
    // Rejected before all of it was read; the client may find the connection closed instead.
    if let Ok(answer) = answer {
        assert_eq!(
            answer.json::<Value>().await.map_or(Value::from(499), |answer| answer["code"].clone()),
            499
        );
    }
    assert_eq!(folders(&site), 0);
    assert_eq!(std::fs::read_dir(site.data().join("scratch")).unwrap().count(), 0);
    // A token behind a small file is found, too.
    let token = site.token("administrator").await;
    let form = Form::new().part("itemFile", file()).text("token", token);
    assert_eq!(send(&site, &path, form).await["status"], "success");
}

#[tokio::test]
async fn a_request_without_a_file_and_an_unknown_upload_are_refused() {
    let site = rehearsal().await;
    let token = site.token("administrator").await;
    let answer = send(&site, &format!("{PATH}/upload"), Form::new().text("token", token)).await;
    assert_eq!(answer["code"], 400);
    assert_eq!(send_part(&site, "i-unknown", "1", b"x").await["code"], 404);
    for operation in ["commit", "delete"] {
        let answer = site.post_as("administrator", &format!("{PATH}/i-unknown/{operation}"), &[]).await;
        assert_eq!(answer["code"], 404);
    }
}

#[tokio::test]
async fn what_nobody_comes_back_for_is_cleaned_up_at_the_next_start() {
    let site = rehearsal().await;
    let fresh = register(&site, "fresh.txt").await;
    let forgotten = register(&site, "forgotten.txt").await;
    let whole =
        upload(&site, "whole.txt", b"x".to_vec()).await["item"]["itemID"].as_str().unwrap().to_owned();
    let database = site.server_db();
    let two_days = 2 * 24 * 60 * 60 * 1000;
    let age = "UPDATE uploads SET created = created - ?1 WHERE id IN (?2, ?3)";
    database.execute(age, rusqlite::params![two_days, forgotten, whole]).unwrap();
    std::fs::create_dir(site.data().join("server/uploads/i-without-a-record")).unwrap();

    let site = site.restarted().await;

    let left = site.get_as("administrator", PATH).await;
    let left: Vec<&str> =
        left["items"].as_array().unwrap().iter().map(|item| item["itemID"].as_str().unwrap()).collect();
    assert_eq!(left.len(), 2);
    assert!(left.contains(&&*fresh) && left.contains(&&*whole), "{left:?}");
    assert_eq!(folders(&site), 2);
}
