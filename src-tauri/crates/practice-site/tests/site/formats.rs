//! How an answer is written, and how a request may be: `f`, booleans, multipart.

use crate::support::{Rehearsal, error_code, rehearsal};
use reqwest::multipart::Form;
use serde_json::Value;

struct Page {
    text: String,
    policy: String,
}

async fn page(site: &Rehearsal, path: &str, query: &[(&str, &str)]) -> Page {
    let mut address = url::Url::parse(&site.address(path)).unwrap();
    address.query_pairs_mut().extend_pairs(query);
    let response = site.http.get(address).send().await.unwrap();
    assert_eq!(response.status(), 200);
    let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "text/html;charset=utf-8");
    assert_eq!(header("x-content-type-options"), "nosniff");
    let policy = header("content-security-policy");
    Page { text: response.text().await.unwrap(), policy }
}

#[tokio::test]
async fn html_is_a_page_with_names_and_values_that_may_run_nothing() {
    let site = rehearsal().await;
    for format in ["html", "HTML"] {
        let page = page(&site, "/portal/sharing/rest/portals/self", &[("f", format)]).await;
        assert!(page.text.contains("<th scope=\"row\">portalName</th><td>City of Elderbrook</td>"));
        assert!(page.text.contains("<h1>/portal/sharing/rest/portals/self</h1>"));
        assert!(page.policy.starts_with("default-src 'none';"), "{}", page.policy);
        assert!(!page.policy.contains("script-src") && !page.policy.contains("unsafe"), "{}", page.policy);
    }
}

#[tokio::test]
async fn a_refusal_is_a_page_too_and_shows_what_was_sent_as_text() {
    let site = rehearsal().await;
    let refused = page(&site, "/portal/portaladmin", &[("f", "html")]).await;
    assert!(refused.text.contains("<td>499</td>"), "{}", refused.text);
    let token = site.token("administrator").await;
    let path = "/portal/sharing/rest/community/users/%3Cimg%20src=x%3E";
    let echoed = page(&site, path, &[("f", "html"), ("token", &token)]).await;
    assert!(echoed.text.contains("&lt;img src=x&gt;") && !echoed.text.contains("<img"), "{}", echoed.text);
}

#[tokio::test]
async fn a_multipart_form_says_the_same_as_a_urlencoded_one() {
    let site = rehearsal().await;
    let token = site.token("publisher").await;
    let form = Form::new().text("token", token).text("types", "egdb").text("isManaged", "FALSE");
    let request = site.http.post(site.address("/server/admin/data/findItems")).multipart(form);
    let several: Value = request.send().await.unwrap().json().await.unwrap();
    let one = [("types", "egdb"), ("isManaged", "False"), ("never heard of", "x")];
    let encoded = site.post_as("publisher", "/server/admin/data/findItems", &one).await;
    assert!(!encoded["items"].as_array().unwrap().is_empty());
    assert_eq!(several, encoded);
}

#[tokio::test]
async fn a_slash_at_the_end_changes_nothing() {
    let site = rehearsal().await;
    let token = site.token("administrator").await;
    for path in [
        "/portal/sharing/rest",
        "/portal/sharing/rest/info",
        "/portal/sharing/rest/portals/self",
        "/portal/portaladmin",
        "/server/admin",
        "/server/admin/services",
        "/server/admin/services/Hosted",
        "/server/admin/data/items/enterpriseDatabases",
        "/server/rest/info",
    ] {
        let plain = site.get(path, &[("token", &token)]).await;
        assert!(plain.get("error").is_none() && plain.get("code").is_none(), "{path}: {plain}");
        assert_eq!(site.get(&format!("{path}/"), &[("token", &token)]).await, plain, "{path}");
    }
    let address = "/portal/portaladmin/exportSite/rest/info";
    for path in [address.to_owned(), format!("{address}/")] {
        assert_eq!(error_code(&site.post(&path, &[("token", &token)]).await), 404, "{path}");
    }
}
