//! What nobody does by accident.

use crate::support::{Rehearsal, error_code, rehearsal};
use reqwest::header;
use reqwest::multipart::{Form, Part};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

const UPLOADS: &str = "/server/admin/uploads";

async fn send(site: &Rehearsal, path: &str, form: Form) -> Value {
    site.http.post(site.address(path)).multipart(form).send().await.unwrap().json().await.unwrap()
}

/// `levels` arrays in each other.
fn nested(levels: usize) -> String {
    format!("{}{}", "[".repeat(levels), "]".repeat(levels))
}

#[tokio::test]
async fn strangers_cannot_fill_memory_or_disk_with_a_form() {
    let site = rehearsal().await;
    let path = format!("{UPLOADS}/upload");
    let long = Form::new().text("description", "x".repeat(2 << 20));
    assert_eq!(send(&site, &path, long).await["code"], 413);
    let many = (0..50)
        .fold(Form::new(), |form, n| form.part(format!("f{n}"), Part::bytes(vec![0]).file_name("a.txt")));
    assert_eq!(send(&site, &path, many).await["code"], 400);
    assert_eq!(std::fs::read_dir(site.data().join("scratch")).unwrap().count(), 0);
}

#[tokio::test]
async fn a_document_that_could_not_be_read_again_is_not_stored() {
    let site = rehearsal().await;
    let schedule = format!(r#"{{"recurrenceInfo":{{"interval":1}},"x":{}}}"#, nested(120));
    let hook = [
        ("name", "deep"),
        ("hookUrl", "http://127.0.0.1:1/"),
        ("changeTypes", "*"),
        ("scheduleInfo", schedule.as_str()),
    ];
    let hooks = "/server/admin/services/Hosted/Hydrants.FeatureServer/webhooks";
    assert_eq!(site.post_as("publisher", &format!("{hooks}/create"), &hook).await["code"], 400);
    let properties = format!(r#"{{"a":{}}}"#, nested(120));
    let update = "/server/admin/system/properties/update";
    assert_eq!(site.post_as("administrator", update, &[("properties", &properties)]).await["code"], 400);
}

#[tokio::test]
async fn of_commits_and_parts_at_once_one_wins_and_the_hash_is_that_of_the_content() {
    let site = rehearsal().await;
    let token = site.token("administrator").await;
    for _ in 0..5 {
        let answer =
            site.post_as("administrator", &format!("{UPLOADS}/register"), &[("itemName", "a.txt")]).await;
        let id = answer["item"]["itemID"].as_str().unwrap();
        let part = async |number: &str, content: Vec<u8>| {
            let file = Part::bytes(content).file_name("p");
            let form = Form::new()
                .text("token", token.clone())
                .text("partNumber", number.to_owned())
                .part("partFile", file);
            send(&site, &format!("{UPLOADS}/{id}/uploadPart"), form).await
        };
        part("1", vec![1; 300_000]).await;
        let commit = async |order: &str| {
            site.post_as("administrator", &format!("{UPLOADS}/{id}/commit"), &[("parts", order)]).await
        };
        let (late, a, b, c) =
            tokio::join!(part("2", vec![2; 300_000]), commit("1"), commit("1,2"), commit(""));
        let won = [&a, &b, &c].into_iter().filter(|answer| answer["status"] == "success").count();
        assert_eq!(won, 1, "{a} {b} {c}");
        let address = site.address(&format!("{UPLOADS}/{id}/download?token={token}"));
        let response = site.http.get(address).send().await.unwrap();
        let tag = response.headers()[header::ETAG].to_str().unwrap().to_owned();
        let content = response.bytes().await.unwrap();
        let hash: String = Sha256::digest(&content).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(tag, format!("\"{hash}\""));
        // A part that came too late was told so.
        let without_listing = b["status"] == "success" || c["status"] == "success";
        assert!(
            late["status"] == "error" || !without_listing || content.len() == 600_000,
            "{late} {}",
            content.len()
        );
    }
}

#[tokio::test]
async fn an_export_into_the_sites_own_folders_is_refused() {
    let site = rehearsal().await;
    for folder in ["unfinished", "scratch", "server/uploads", "portal/content", "."] {
        let folder = site.data().join(folder);
        let form = [("location", folder.to_str().unwrap())];
        for path in ["/portal/portaladmin/exportSite", "/server/admin/exportSite"] {
            let answer = site.post_as("administrator", path, &form).await;
            assert_eq!(error_code(&answer), 500, "{}", folder.display());
        }
    }
}

#[tokio::test]
async fn what_the_library_cannot_read_is_refused_in_our_words_and_with_http_200() {
    let site = rehearsal().await;
    for path in ["/server/admin/uploads/%FF", "/server/admin/services/%FF", "/server/admin/data/items/%FF"] {
        assert_eq!(site.get_as("administrator", path).await["code"], 400, "{path}");
    }
    let sharing = site.get_as("administrator", "/portal/sharing/rest/community/users/%FF").await;
    assert_eq!(error_code(&sharing), 400);
    // No multipart at all.
    let answer = site.post_as("administrator", &format!("{UPLOADS}/upload"), &[]).await;
    assert_eq!(answer["code"], 400);
    let deleted = site.http.delete(site.address("/server/tokens/generateToken")).send().await.unwrap();
    assert_eq!(error_code(&deleted.json().await.unwrap()), 405);
}

#[tokio::test]
async fn asking_for_headers_performs_nothing() {
    let site = rehearsal().await;
    let token = site.token("administrator").await;
    let location = site.exports();
    let address = format!("/server/admin/exportSite?token={token}&location={}", location.display());
    let answer = site.http.head(site.address(&address)).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(site.exported_files(), [""; 0]);
}
