//! Features are edited and jobs are run.

use crate::hooks::{FLOW_TRACE_TASK, PLAYGROUNDS_LAYER, add_feature, job_with_status, submit};
use crate::import_server::{exported, import};
use crate::support::{Rehearsal, error_code, rehearsal};
use serde_json::{Value, json};

async fn edit(site: &Rehearsal, form: &[(&str, &str)]) -> Value {
    site.post_as("publisher", &format!("{PLAYGROUNDS_LAYER}/applyEdits"), form).await
}

async fn count(site: &Rehearsal) -> i64 {
    let form = [("where", "1=1"), ("returnCountOnly", "true")];
    let answer = site.post_as("viewer", &format!("{PLAYGROUNDS_LAYER}/query"), &form).await;
    answer["count"].as_i64().unwrap()
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

    let service = site.get_as("viewer", "/server/rest/services/Hosted/Playgrounds/FeatureServer").await;
    assert_eq!(service["layers"][0]["id"], 0);
    let layer = site.get_as("viewer", PLAYGROUNDS_LAYER).await;
    assert_eq!((&layer["type"], &layer["objectIdField"]), (&json!("Feature Layer"), &json!("OBJECTID")));
    let tasks = site.get_as("viewer", "/server/rest/services/Buffer/GPServer").await;
    assert_eq!(tasks["tasks"], json!(["Buffer"]));
    let task = site.get_as("viewer", FLOW_TRACE_TASK).await;
    assert_eq!(task["executionType"], "esriExecutionTypeAsynchronous");

    for unknown in [
        "Nowhere",
        "Hosted/Nothing/FeatureServer",
        "Hosted/Playgrounds/GPServer",
        "Hosted/Playgrounds/FeatureServer/1",
        "Buffer/GPServer/Other",
    ] {
        let answer = site.get_as("viewer", &format!("/server/rest/services/{unknown}")).await;
        assert_eq!(error_code(&answer), 404, "{unknown}");
    }
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
    let path = format!("{PLAYGROUNDS_LAYER}/query?where=1%3D1");
    let token = site.token("viewer").await;
    let answer = site.post(&path, &[("token", &token)]).await;
    let features = answer["features"].as_array().unwrap();
    assert_eq!(features.len(), 1);
    let attributes = &features[0]["attributes"];
    assert_eq!((&attributes["NAME"], &attributes["STATUS"]), (&json!("Mill Lane"), &json!("closed")));
    assert_eq!(features[0]["geometry"], json!({ "x": 1.5, "y": 2.5 }));
    let third = add_feature(&site, PLAYGROUNDS_LAYER, "Park").await;
    assert!(third > second, "an object id was given twice");
    let ids = [("objectIds", third.to_string()), ("returnIdsOnly", "true".to_owned()), ("token", token)];
    let ids: Vec<(&str, &str)> = ids.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let answer = site.post(&format!("{PLAYGROUNDS_LAYER}/query"), &ids).await;
    assert_eq!(answer["objectIds"], json!([third]));
}

#[tokio::test]
async fn a_whole_service_is_edited_layer_by_layer() {
    let site = rehearsal().await;
    let path = "/server/rest/services/Hosted/Playgrounds/FeatureServer/applyEdits";
    let edits = json!([{ "id": 0, "adds": [{ "attributes": { "NAME": "Quay" } }, {}] }]).to_string();
    let answer = site.post_as("publisher", path, &[("edits", &edits)]).await;
    assert_eq!(answer[0]["id"], 0);
    assert_eq!(answer[0]["addResults"].as_array().unwrap().len(), 2);
    let gone = answer[0]["addResults"][0]["objectId"].as_i64().unwrap();
    let edits = json!([{ "id": 0, "deletes": [gone] }]).to_string();
    site.post_as("publisher", path, &[("edits", &edits)]).await;
    assert_eq!(count(&site).await, 1);
    let elsewhere = json!([{ "id": 7, "adds": [] }]).to_string();
    assert_eq!(error_code(&site.post_as("publisher", path, &[("edits", &elsewhere)]).await), 404);
}

#[tokio::test]
async fn one_edit_that_fails_takes_the_others_back_unless_asked_not_to() {
    let site = rehearsal().await;
    let adds = json!([{ "attributes": { "NAME": "Good" } }, { "attributes": { "COLOUR": 1 } }]).to_string();
    let answer = edit(&site, &[("adds", &adds), ("deletes", "99")]).await;
    let success = |answer: &Value, kind: &str, at: usize| answer[kind][at]["success"].as_bool().unwrap();
    assert!(!success(&answer, "addResults", 0) && !success(&answer, "addResults", 1));
    assert!(answer["addResults"][1]["error"]["description"].as_str().unwrap().contains("COLOUR"));
    assert_eq!(count(&site).await, 0);
    let form = [("adds", adds.as_str()), ("deletes", "99"), ("rollbackOnFailure", "false")];
    let answer = edit(&site, &form).await;
    assert!(success(&answer, "addResults", 0) && !success(&answer, "deleteResults", 0));
    assert_eq!(count(&site).await, 1);
    for (name, value) in [("adds", "nothing"), ("adds", "{}"), ("deletes", "all")] {
        assert_eq!(error_code(&edit(&site, &[(name, value)]).await), 400, "{name}={value}");
    }
}

#[tokio::test]
async fn editing_and_running_jobs_is_for_publishers() {
    let site = rehearsal().await;
    for path in [format!("{PLAYGROUNDS_LAYER}/applyEdits"), format!("{FLOW_TRACE_TASK}/submitJob")] {
        assert_eq!(error_code(&site.post_as("viewer", &path, &[]).await), 403, "{path}");
        assert_eq!(error_code(&site.post(&path, &[]).await), 499, "{path}");
    }
    assert_eq!(error_code(&site.get(PLAYGROUNDS_LAYER, &[]).await), 499);
}

#[tokio::test]
async fn a_job_runs_by_itself_and_its_result_is_fetched() {
    let site = rehearsal().await;
    let inputs = [("geometry", r#"{"x":3,"y":4}"#), ("distance", "2")];
    let job = submit(&site, FLOW_TRACE_TASK, &inputs).await;
    let done = job_with_status(&site, FLOW_TRACE_TASK, &job, "esriJobSucceeded").await;
    let result = done["results"]["Output_Geometry"]["paramUrl"].as_str().unwrap();
    let area = site.get_as("viewer", &format!("{FLOW_TRACE_TASK}/jobs/{job}/{result}")).await;
    assert_eq!(area["value"]["rings"][0][0], json!([5.0, 4.0]));
    let elsewhere = format!("/server/rest/services/Buffer/GPServer/Buffer/jobs/{job}");
    assert_eq!(error_code(&site.get_as("viewer", &elsewhere).await), 404);
}

#[tokio::test]
async fn a_job_with_unreadable_input_fails_and_says_why() {
    let site = rehearsal().await;
    for inputs in [
        &[][..],
        &[("geometry", "a text")],
        &[("geometry", "{}")],
        &[("geometry", r#"{"x":1,"y":1}"#), ("distance", "far")],
        &[("geometry", r#"{"x":1,"y":1}"#), ("distance", "-1")],
    ] {
        let job = submit(&site, FLOW_TRACE_TASK, inputs).await;
        let failed = job_with_status(&site, FLOW_TRACE_TASK, &job, "esriJobFailed").await;
        assert!(failed["messages"][0]["description"].is_string());
        assert!(failed.get("results").is_none());
    }
}

#[tokio::test]
async fn a_cancelled_job_stays_cancelled() {
    let site = rehearsal().await;
    let inputs = [("geometry", r#"{"x":3,"y":4}"#), ("waitSeconds", "300")];
    let job = submit(&site, FLOW_TRACE_TASK, &inputs).await;
    job_with_status(&site, FLOW_TRACE_TASK, &job, "esriJobExecuting").await;
    let answer = site.post_as("publisher", &format!("{FLOW_TRACE_TASK}/jobs/{job}/cancel"), &[]).await;
    assert_eq!(answer["jobStatus"], "esriJobCancelled");
    let site = site.restarted().await;
    job_with_status(&site, FLOW_TRACE_TASK, &job, "esriJobCancelled").await;
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
    assert_eq!(count(&site).await, 2);
}
