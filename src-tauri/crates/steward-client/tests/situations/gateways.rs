//! What an error in place of an answer means for a request that changes a site: only an error that the site certainly
//! wrote itself says that nothing was done.

use serde::Deserialize;
use steward_client::{ClientError, Trust};
use steward_testkit::{Reply, TestServer};

use crate::support::{endpoint, post};

/// Errors, as the default settings of their authors write them.
#[derive(Deserialize)]
struct Errors {
    /// Of what stands in front of a site: author, HTTP status, content type, body.
    gateways: Vec<(String, String, String, String)>,
    /// Of a site: author, HTTP status, body, and the code that it means.
    sites: Vec<(String, String, String, i32)>,
}

fn errors() -> Errors {
    serde_json::from_str(include_str!("gateways.json")).unwrap()
}

/// How a request that changes the site ends, answered like this.
async fn answered(status: String, content_type: &str, body: String) -> ClientError {
    let headers = format!("content-type: {content_type}\r\n");
    let site = TestServer::start(move |_| Reply::new(&status, &headers, body.clone())).await.unwrap();
    post(&endpoint(&Trust::default(), &site.origin())).await.unwrap_err()
}

#[tokio::test]
async fn after_an_error_of_a_gateway_the_outcome_is_unknown() {
    let mut taken_for_the_site = Vec::new();
    for (who, status, content_type, body) in errors().gateways {
        let error = answered(status.clone(), &content_type, body.clone()).await;
        if !error.may_have_taken_effect() {
            taken_for_the_site.push(format!("{who}: {status}: {body}"));
        }
    }
    assert!(taken_for_the_site.is_empty(), "{taken_for_the_site:#?}");
}

#[tokio::test]
async fn after_an_error_that_the_site_wrote_nothing_was_done() {
    for (who, status, body, its_code) in errors().sites {
        let error = answered(status.clone(), "application/json", body).await;

        let ClientError::Rejected { code, .. } = &error else { panic!("{who}: {status}: {error:?}") };
        assert_eq!(*code, its_code, "{who}: {status}");
        assert!(!error.may_have_taken_effect());
    }
}
