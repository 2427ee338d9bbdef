//! Features are edited and jobs are run.

use crate::hooks::{FLOW_TRACE_TASK, PLAYGROUNDS_LAYER, add_feature, job_with_status, submit};
use crate::import_server::{exported, import};
use crate::support::{Rehearsal, error_code, rehearsal};
use serde_json::{Value, json};

async fn edit(site: &Rehearsal, form: &[(&str, &str)]) -> Value {
    site.post_as("publisher", &format!("{PLAYGROUNDS_LAYER}/applyEdits"), form).await
}

/// The features of a layer, as all its changes leave them.
async fn features(site: &Rehearsal) -> Vec<Value> {
    let changes = "/server/rest/services/Hosted/Playgrounds/FeatureServer/extractChanges";
    let answer = site.post_as("viewer", changes, &[("serverGens", "[0]")]).await;
    answer["edits"][0]["features"]["adds"].as_array().unwrap().clone()
}

#[tokio::test]
async fn services_are_found_in_the_catalogue_by_their_folder() {
    let site = rehearsal().await;
    let root = site.get_as("viewer", "/server/rest/services").await;
    assert!(root["folders"].as_array().unwrap().contains(&json!("Hosted")));
    assert!(root["services"].as_array().unwrap().contains(&json!({ "name": "Buffer", "type": "GPServer" })));
    let hosted = site.get_as("viewer", "/server/rest/services/Hosted").await;
    let playgrounds = json!({ "name": "Hosted/Playgrounds", "type": "FeatureServer" });
    assert!(hosted["services"].as_array().unwrap().contains(&playgrounds));

    let answer = site.get_as("viewer", "/server/rest/services/Nowhere").await;
    assert_eq!(error_code(&answer), 404);
}

#[tokio::test]
async fn features_are_added_updated_and_deleted_and_outlive_a_restart() {
    let site = rehearsal().await;
    let first = add_feature(&site, PLAYGROUNDS_LAYER, "Mill Lane").await;
    let second = add_feature(&site, PLAYGROUNDS_LAYER, "Harbour").await;
    assert_ne!(first, second);
    let updates = json!([{ "attributes": { "OBJECTID": first, "STATUS": "closed" } }]).to_string();
    let answer = edit(&site, &[("updates", &updates), ("deletes", &second.to_string())]).await;
    assert_eq!(answer["updateResults"][0]["objectId"], first);
    assert_eq!(answer["deleteResults"][0]["success"], true);

    let site = site.restarted().await;
    let features = features(&site).await;
    assert_eq!(features.len(), 1);
    let attributes = &features[0]["attributes"];
    assert_eq!((&attributes["NAME"], &attributes["STATUS"]), (&json!("Mill Lane"), &json!("closed")));
    assert_eq!(features[0]["geometry"], json!({ "x": 1.5, "y": 2.5 }));
    let third = add_feature(&site, PLAYGROUNDS_LAYER, "Park").await;
    assert!(third > second, "an object id was given twice");
}

#[tokio::test]
async fn one_edit_that_fails_takes_the_others_back() {
    let site = rehearsal().await;
    let adds = json!([{ "attributes": { "NAME": "Good" } }, { "attributes": 1 }]).to_string();
    let answer = edit(&site, &[("adds", &adds), ("deletes", "99")]).await;
    let success = |kind: &str, at: usize| answer[kind][at]["success"].as_bool().unwrap();
    assert!(!success("addResults", 0) && !success("addResults", 1) && !success("deleteResults", 0));
    assert!(answer["addResults"][1]["error"]["description"].as_str().unwrap().contains("attributes"));
    assert!(features(&site).await.is_empty());
    for (name, value) in [("adds", "nothing"), ("adds", "{}"), ("deletes", "all")] {
        assert_eq!(error_code(&edit(&site, &[(name, value)]).await), 400, "{name}={value}");
    }
    let elsewhere = "/server/rest/services/Hosted/Playgrounds/FeatureServer/1/applyEdits";
    assert_eq!(error_code(&site.post_as("publisher", elsewhere, &[]).await), 404);
}

#[tokio::test]
async fn editing_and_running_jobs_is_for_publishers() {
    let site = rehearsal().await;
    for path in [format!("{PLAYGROUNDS_LAYER}/applyEdits"), format!("{FLOW_TRACE_TASK}/submitJob")] {
        assert_eq!(error_code(&site.post_as("viewer", &path, &[]).await), 403, "{path}");
        assert_eq!(error_code(&site.post(&path, &[]).await), 499, "{path}");
    }
}

#[tokio::test]
async fn a_job_runs_by_itself_and_is_found_at_its_own_task() {
    let site = rehearsal().await;
    let job = submit(&site, FLOW_TRACE_TASK, &[("geometry", r#"{"x":3,"y":4}"#)]).await;
    job_with_status(&site, FLOW_TRACE_TASK, &job, "esriJobSucceeded").await;
    let elsewhere = format!("/server/rest/services/Buffer/GPServer/Buffer/jobs/{job}");
    assert_eq!(error_code(&site.get_as("viewer", &elsewhere).await), 404);
}

#[tokio::test]
async fn a_job_with_unreadable_input_fails_and_says_why() {
    let site = rehearsal().await;
    for inputs in [
        &[][..],
        &[("geometry", "a text")],
        &[("geometry", r#"{"x":1,"y":1}"#), ("waitSeconds", "long")],
        &[("geometry", r#"{"x":1,"y":1}"#), ("waitSeconds", "-1")],
    ] {
        let job = submit(&site, FLOW_TRACE_TASK, inputs).await;
        let failed = job_with_status(&site, FLOW_TRACE_TASK, &job, "esriJobFailed").await;
        assert!(failed["messages"][0]["description"].is_string());
    }
}

#[tokio::test]
async fn a_job_that_a_stop_interrupted_is_run_again() {
    let site = rehearsal().await;
    let inputs = [("geometry", r#"{"x":3,"y":4}"#), ("waitSeconds", "2")];
    let job = submit(&site, FLOW_TRACE_TASK, &inputs).await;
    job_with_status(&site, FLOW_TRACE_TASK, &job, "esriJobExecuting").await;
    let site = site.restarted().await;
    job_with_status(&site, FLOW_TRACE_TASK, &job, "esriJobSucceeded").await;
}

#[tokio::test]
async fn an_import_leaves_features_and_jobs_alone_and_an_export_holds_none() {
    let site = rehearsal().await;
    add_feature(&site, PLAYGROUNDS_LAYER, "Unmistakable Meadow").await;
    let file = exported(&site).await;
    let mut archive = zip::ZipArchive::new(std::fs::File::open(&file).unwrap()).unwrap();
    for index in 0..archive.len() {
        let mut text = Vec::new();
        std::io::copy(&mut archive.by_index(index).unwrap(), &mut text).unwrap();
        assert!(!String::from_utf8_lossy(&text).contains("Unmistakable Meadow"));
    }
    add_feature(&site, PLAYGROUNDS_LAYER, "Later").await;
    assert_eq!(import(&site, file.to_str().unwrap()).await["status"], "success");
    assert_eq!(features(&site).await.len(), 2);
}
