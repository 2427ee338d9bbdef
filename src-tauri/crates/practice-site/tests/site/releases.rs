//! Parameters that came in with later releases: an error before, and served since.

use crate::import_portal::{everything, exported};
use crate::support::{Rehearsal, error_code, rehearsal};
use practice_site::Release;
use serde_json::{Value, json};

const EXPORT_PORTAL: &str = "/portal/portaladmin/exportSite";
const IMPORT_PORTAL: &str = "/portal/portaladmin/importSite";
const EXPORT_SERVER: &str = "/server/admin/exportSite";
const IMPORT_SERVER: &str = "/server/admin/importSite";

async fn of_release(major: u16, minor: u16) -> Rehearsal {
    rehearsal().await.restarted_with(|options| options.release = Release::new(major, minor)).await
}

async fn post(site: &Rehearsal, path: &str, form: &[(&str, &str)]) -> Value {
    site.post_as("administrator", path, form).await
}

async fn server_export(site: &Rehearsal) -> String {
    let folder = site.exports().display().to_string();
    let exported = post(site, EXPORT_SERVER, &[("location", &folder)]).await;
    exported["location"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_parameter_that_the_release_does_not_have_is_an_error_and_nothing_is_done() {
    let site = of_release(11, 0).await;
    let folder = site.exports().display().to_string();
    let before = everything(&site.data());
    for (path, name, value) in [
        (EXPORT_PORTAL, "validate", "true"),
        (EXPORT_PORTAL, "locationConfig", "{}"),
        (EXPORT_SERVER, "validate", "true"),
        (EXPORT_SERVER, "locationConfig", "{}"),
        (IMPORT_PORTAL, "validate", "true"),
        (IMPORT_PORTAL, "locationConfig", "{}"),
        (IMPORT_SERVER, "validate", "true"),
        (IMPORT_SERVER, "restartWebServer", "true"),
        (IMPORT_SERVER, "locationConfig", "{}"),
    ] {
        let answer = post(&site, path, &[("location", &folder), (name, value)]).await;
        assert_eq!(error_code(&answer), 400, "{path} {name}: {answer}");
    }
    assert_eq!(error_code(&post(&site, EXPORT_PORTAL, &[]).await), 400);
    assert!(site.exported_files().is_empty());
    assert!(everything(&site.data()) == before);
}

#[tokio::test]
async fn the_release_is_the_one_that_the_site_was_started_with() {
    for (release, number) in [(Release::new(11, 3), json!(11.3)), (Release::new(12, 0), json!(12.0))] {
        let site = rehearsal().await.restarted_with(|options| options.release = release).await;
        let server = site.get("/server/rest/info", &[]).await;
        assert_eq!(server["currentVersion"], number);
        let portal = site.get("/portal/sharing/rest", &[]).await;
        assert_eq!(portal["enterpriseVersion"], format!("{release}.0"));
    }
}

#[tokio::test]
async fn a_check_of_a_server_file_changes_nothing_and_names_a_file_that_is_not_there() {
    let site = rehearsal().await;
    let file = server_export(&site).await;
    let checked = post(&site, IMPORT_SERVER, &[("location", &file), ("validate", "true")]).await;
    assert_eq!(checked, json!({ "status": "success" }));
    let missing = site.exports().join("missing.agssite").display().to_string();
    let answer = post(&site, IMPORT_SERVER, &[("location", &missing), ("validate", "true")]).await;
    assert_eq!(error_code(&answer), 500, "{answer}");
    let folder = site.exports().display().to_string();
    let checked = post(&site, EXPORT_SERVER, &[("location", &folder), ("validate", "true")]).await;
    assert_eq!(checked, json!({ "status": "success" }));
    assert_eq!(site.exported_files().len(), 1);
}

#[tokio::test]
async fn the_report_says_that_the_web_server_restarted_since_11_3() {
    let site = of_release(11, 3).await;
    let file = server_export(&site).await;
    for (restarts, is_said) in [("true", true), ("false", false)] {
        let form = [("location", file.as_str()), ("restartWebServer", restarts)];
        let report = post(&site, IMPORT_SERVER, &form).await;
        assert_eq!(report["status"], "success", "{report}");
        let sources = report["result"].as_array().unwrap();
        assert_eq!(sources.iter().any(|source| source["source"] == "Web Server"), is_said, "{report}");
    }
}

#[tokio::test]
async fn an_export_without_a_location_returns_a_url_that_can_be_imported_since_12_0() {
    let site = of_release(12, 0).await;
    let exported = post(&site, EXPORT_PORTAL, &[]).await;
    let url = exported["location"].as_str().unwrap().to_owned();
    assert!(url.starts_with("http://") && url.ends_with(".portalsite"), "{exported}");
    assert!(site.exported_files().is_empty());
    let checked = post(&site, IMPORT_PORTAL, &[("location", &url), ("validate", "true")]).await;
    assert_eq!(checked, json!({ "status": "success" }));
    for elsewhere in [url.replace("/exports/", "/exports/../"), format!("{url}/../x")] {
        let answer = post(&site, IMPORT_PORTAL, &[("location", &elsewhere), ("validate", "true")]).await;
        assert_eq!(error_code(&answer), 500, "{elsewhere}: {answer}");
    }
    let imported = post(&site, IMPORT_PORTAL, &[("location", &url)]).await;
    assert_eq!(imported, json!({ "status": "success" }));
}

#[tokio::test]
async fn a_storage_that_is_not_served_is_an_error_and_nothing_is_written_to_another_place() {
    let site = of_release(12, 0).await;
    let folder = site.exports().display().to_string();
    let file = server_export(&site).await;
    let before = everything(&site.data());
    let config = ("locationConfig", r#"{"provider":"amazon","bucket":"b","region":"r"}"#);
    for (path, location) in [
        (EXPORT_PORTAL, None),
        (EXPORT_PORTAL, Some(folder.as_str())),
        (EXPORT_SERVER, None),
        (EXPORT_SERVER, Some(folder.as_str())),
        (IMPORT_SERVER, Some(file.as_str())),
    ] {
        let form: Vec<_> =
            location.map(|location| ("location", location)).into_iter().chain([config]).collect();
        let answer = post(&site, path, &form).await;
        assert_eq!(error_code(&answer), 400, "{path} {location:?}: {answer}");
        assert!(answer.to_string().contains("not supported"), "{answer}");
    }
    assert_eq!(site.exported_files().len(), 1);
    assert!(everything(&site.data()) == before);
}

#[tokio::test]
async fn the_storage_of_an_import_must_be_readable_as_such() {
    let site = of_release(12, 0).await;
    let file = exported(&site).await.display().to_string();
    for config in ["{", "[]", "{}", r#"{"provider":"amazon"}"#, r#"{"provider":"other","bucket":"b"}"#] {
        let form = [("location", file.as_str()), ("locationConfig", config), ("validate", "true")];
        assert_eq!(error_code(&post(&site, IMPORT_PORTAL, &form).await), 400, "{config}");
    }
}
