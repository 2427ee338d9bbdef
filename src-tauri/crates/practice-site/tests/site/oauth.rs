//! Sign-in through the portal's page.

use crate::support::{Rehearsal, error_code, rehearsal};
use reqwest::{Client, Response, redirect};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use url::Url;

const AUTHORIZE: &str = "/portal/sharing/rest/oauth2/authorize";
const SIGN_IN: &str = "/portal/sharing/oauth2/signin";
const TOKEN: &str = "/portal/sharing/rest/oauth2/token";
const REVOKE: &str = "/portal/sharing/rest/oauth2/revokeToken";
const SELF: &str = "/portal/sharing/rest/community/self";
const OUT_OF_BAND: &str = "urn:ietf:wg:oauth:2.0:oob";
const BACK: &str = "http://127.0.0.1:9/done?from=page";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

fn browser() -> Client {
    Client::builder().redirect(redirect::Policy::none()).build().unwrap()
}

async fn page(site: &Rehearsal, query: &[(&str, &str)]) -> (String, String) {
    site.site.register_redirects(vec![BACK.to_owned()]);
    let address = Url::parse_with_params(&site.address(AUTHORIZE), query).unwrap();
    let response = browser().get(address).send().await.unwrap();
    assert!(matches!(response.status().as_u16(), 200 | 400), "{response:?}");
    let policy = response.headers()["content-security-policy"].to_str().unwrap().to_owned();
    (response.text().await.unwrap(), policy)
}

/// The object on the line that the vendor's Python client looks for: the first one with a pair of braces.
fn info(page: &str) -> Value {
    let line = page.lines().find(|line| line.contains('{') && line.contains('}')).unwrap();
    let object = line.strip_prefix("var oAuthInfo = ").unwrap().strip_suffix(';').unwrap();
    serde_json::from_str(object).unwrap()
}

async fn type_in(site: &Rehearsal, oauth_state: &str, password: Option<&str>) -> Response {
    let (username, right) = site.sign_in("publisher");
    let password = password.unwrap_or(&right);
    let form = [("oauth_state", oauth_state), ("username", &username), ("password", password)];
    browser().post(site.address(SIGN_IN)).form(&form).send().await.unwrap()
}

async fn sign_in(site: &Rehearsal, query: &[(&str, &str)]) -> Response {
    let (page, _) = page(site, query).await;
    type_in(site, info(&page)["oauth_state"].as_str().unwrap(), None).await
}

fn location(response: &Response) -> Url {
    assert_eq!(response.status(), 302);
    Url::parse(response.headers()["location"].to_str().unwrap()).unwrap()
}

fn pair(pairs: &str, name: &str) -> String {
    let mut all = url::form_urlencoded::parse(pairs.as_bytes());
    all.find(|(key, _)| key == name).unwrap_or_else(|| panic!("no {name} in {pairs}")).1.into_owned()
}

async fn code(site: &Rehearsal, more: &[(&str, &str)]) -> String {
    let query = [("client_id", "sitesteward"), ("response_type", "code"), ("redirect_uri", BACK)];
    pair(location(&sign_in(site, &[&query, more].concat()).await).query().unwrap(), "code")
}

const PKCE: [(&str, &str); 2] = [("code_challenge", CHALLENGE), ("code_challenge_method", "S256")];

async fn exchange(site: &Rehearsal, code: &str, more: &[(&str, &str)]) -> Value {
    let form = [
        ("grant_type", "authorization_code"),
        ("client_id", "sitesteward"),
        ("redirect_uri", BACK),
        ("code", code),
    ];
    site.post(TOKEN, &[&form, more].concat()).await
}

async fn granted(site: &Rehearsal) -> Value {
    let code = code(site, &PKCE).await;
    exchange(site, &code, &[("code_verifier", VERIFIER)]).await
}

fn text(answer: &Value, name: &str) -> String {
    answer[name].as_str().unwrap_or_else(|| panic!("no {name} in {answer}")).to_owned()
}

async fn is_good(site: &Rehearsal, token: &str) -> bool {
    let answer = site.get(SELF, &[("token", token)]).await;
    answer["username"].is_string() || {
        assert_eq!(error_code(&answer), 498);
        false
    }
}

#[tokio::test]
async fn a_token_comes_back_in_the_fragment_with_the_state_it_was_asked_with() {
    let site = rehearsal().await;
    let own = site.site.ready().portal.strip_suffix("/portal").unwrap();
    let query = [
        ("response_type", "token"),
        ("client_id", "pythonapi"),
        ("redirect_uri", own),
        ("state", "a&b=c#d"),
        ("expiration", "30"),
    ];
    let location = location(&sign_in(&site, &query).await);
    assert_eq!(location.origin(), Url::parse(own).unwrap().origin());
    let fragment = location.fragment().unwrap();
    assert_eq!(pair(fragment, "state"), "a&b=c#d");
    assert_eq!(pair(fragment, "username"), site.sign_in("publisher").0);
    assert!((1790..=1800).contains(&pair(fragment, "expires_in").parse::<i64>().unwrap()));
    assert!(is_good(&site, &pair(fragment, "access_token")).await);
    assert!(location.query().is_none());
}

#[tokio::test]
async fn a_wrong_password_brings_the_page_again_and_the_right_one_still_works_there() {
    let site = rehearsal().await;
    let query = [("response_type", "code"), ("client_id", "pythonapi"), ("redirect_uri", OUT_OF_BAND)];
    let (first, _) = page(&site, &query).await;
    let state = text(&info(&first), "oauth_state");
    let again = type_in(&site, &state, Some("wrong")).await;
    assert_eq!(again.status(), 200);
    let again = again.text().await.unwrap();
    assert_eq!(info(&again)["messages"][0], "Invalid username or password.");
    assert!(again.contains("role=\"alert\""));
    let right = type_in(&site, &state, None).await.text().await.unwrap();
    let title = right.split_once("<title>SUCCESS code=").unwrap().1.split_once("</title>").unwrap().0;
    assert!(right.contains(&format!("<code id=\"code\">{title}</code>")));
    // The page has given its answer.
    assert!(type_in(&site, &state, None).await.text().await.unwrap().contains("has expired"));
}

#[tokio::test]
async fn only_known_programs_on_this_machine_get_a_page() {
    let site = rehearsal().await;
    let ask = async |client: &str, redirect: &str, kind: &str| {
        let query = [("client_id", client), ("redirect_uri", redirect), ("response_type", kind)];
        page(&site, &query).await.0
    };
    for foreign in ["https://www.example.com/", "javascript:alert(1)", "", "http://localhost.example.com/"] {
        let page = ask("pythonapi", foreign, "token").await;
        assert!(page.contains("Invalid redirect_uri") && !page.contains("oAuthInfo"), "{foreign}");
    }
    assert!(ask("somebody", BACK, "token").await.contains("Invalid client_id"));
    assert!(ask("pythonapi", BACK, "password").await.contains("Invalid response_type"));
    assert!(ask("pythonapi", OUT_OF_BAND, "token").await.contains("Invalid response_type"));
    let long = "x".repeat(3000);
    let redirect = format!("{BACK}&{long}");
    assert!(ask("pythonapi", &redirect, "token").await.contains("Invalid redirect_uri"));
    let query =
        [("client_id", "pythonapi"), ("redirect_uri", BACK), ("response_type", "code"), ("state", &long)];
    assert!(page(&site, &query).await.0.contains("Invalid state"));
    for client in ["pythonapi", "arcgisonline", "sitesteward"] {
        let page = ask(client, BACK, "code").await;
        assert!(info(&page)["oauth_state"].is_string() && !page.contains("Invalid"), "{client}");
    }
}

#[tokio::test]
async fn the_page_runs_nothing_and_its_form_leads_here_and_back_to_the_program_only() {
    let site = rehearsal().await;
    let query = [
        ("client_id", "pythonapi"),
        ("response_type", "code"),
        ("redirect_uri", "http://localhost:9/<script>alert(1)</script>"),
        ("state", "\"><script>alert(2)</script>"),
    ];
    let (page, policy) = page(&site, &query).await;
    assert!(!page.contains("alert("), "{page}");
    assert!(policy.contains("form-action 'self' http://localhost:9;"), "{policy}");
    assert!(
        policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
        "{policy}"
    );
    assert!(!policy.contains("script-src"), "{policy}");
}

#[tokio::test]
async fn a_code_is_good_once_and_only_for_who_asked_and_knows_the_verifier() {
    let site = rehearsal().await;
    let good = granted(&site).await;
    assert!((1790..=1800).contains(&good["expires_in"].as_i64().unwrap()));
    assert_eq!(good["username"], site.sign_in("publisher").0);
    assert!(is_good(&site, &text(&good, "access_token")).await);

    let verifier = [("code_verifier", VERIFIER)];
    let used = code(&site, &PKCE).await;
    assert!(exchange(&site, &used, &verifier).await["access_token"].is_string());
    assert_eq!(error_code(&exchange(&site, &used, &verifier).await), 400);

    // Each of these also spends the code.
    for wrong in [
        &[("code_verifier", "another")][..],
        &[],
        &[("code_verifier", VERIFIER), ("redirect_uri", "http://127.0.0.1:9/other")],
        &[("code_verifier", VERIFIER), ("client_id", "pythonapi")],
    ] {
        let code = code(&site, &PKCE).await;
        assert_eq!(error_code(&exchange(&site, &code, wrong).await), 400, "{wrong:?}");
        assert_eq!(error_code(&exchange(&site, &code, &verifier).await), 400, "{wrong:?}, then right");
    }
    let unprotected = code(&site, &[]).await;
    assert_eq!(error_code(&exchange(&site, &unprotected, &verifier).await), 400);
    let late = code(&site, &PKCE).await;
    sessions(&site).execute("UPDATE codes SET expires = 1", []).unwrap();
    assert_eq!(error_code(&exchange(&site, &late, &verifier).await), 400);
}

#[tokio::test]
async fn a_challenge_that_protects_nothing_is_refused() {
    let site = rehearsal().await;
    let query = [("client_id", "sitesteward"), ("response_type", "code"), ("redirect_uri", BACK)];
    for (challenge, method) in [(CHALLENGE, "plain"), (CHALLENGE, ""), ("short", "S256"), ("", "S256")] {
        let more = [("code_challenge", challenge), ("code_challenge_method", method)];
        let (page, _) = page(&site, &[&query[..], &more].concat()).await;
        assert!(page.contains("Invalid code_challenge"), "{challenge} {method}");
    }
}

#[tokio::test]
async fn a_refresh_token_renews_until_it_is_exchanged_and_then_all_of_it_ends() {
    let site = rehearsal().await;
    let first = granted(&site).await;
    let refresh = text(&first, "refresh_token");
    let days = first["refresh_token_expires_in"].as_i64().unwrap() / 86_400;
    assert!((13..=14).contains(&days));
    let renew = async |refresh: &str, client: &str| {
        let form = [("grant_type", "refresh_token"), ("client_id", client), ("refresh_token", refresh)];
        site.post(TOKEN, &form).await
    };
    let renewed = renew(&refresh, "sitesteward").await;
    assert!(renewed.get("refresh_token").is_none());
    assert_eq!(error_code(&renew(&refresh, "pythonapi").await), 400);
    assert_eq!(error_code(&renew("made up", "sitesteward").await), 498);

    let form = [
        ("grant_type", "exchange_refresh_token"),
        ("client_id", "sitesteward"),
        ("redirect_uri", BACK),
        ("refresh_token", &refresh),
    ];
    let second = site.post(TOKEN, &form).await;
    for old in [text(&first, "access_token"), text(&renewed, "access_token")] {
        assert!(!is_good(&site, &old).await);
    }
    assert_eq!(error_code(&renew(&refresh, "sitesteward").await), 498);
    assert_eq!(error_code(&site.post(TOKEN, &form).await), 498);
    assert!(is_good(&site, &text(&second, "access_token")).await);
    let last = text(&second, "refresh_token");
    assert!(renew(&last, "sitesteward").await["access_token"].is_string());
    sessions(&site).execute("UPDATE refresh_tokens SET expires = 1", []).unwrap();
    assert_eq!(error_code(&renew(&last, "sitesteward").await), 498);
}

#[tokio::test]
async fn signing_out_ends_a_refresh_token_and_what_was_made_from_it() {
    let site = rehearsal().await;
    let given = granted(&site).await;
    let (access, refresh) = (text(&given, "access_token"), text(&given, "refresh_token"));
    let ready = site.site.ready();
    let form = [("token", access.as_str()), ("serverUrl", &ready.server)];
    let on_server = text(&site.post("/portal/sharing/rest/generateToken", &form).await, "token");
    assert!(site.get("/server/admin", &[("token", &on_server)]).await["resources"].is_array());

    let form = [("client_id", "sitesteward"), ("auth_token", refresh.as_str())];
    assert_eq!(site.post(&format!("{REVOKE}/"), &form).await["success"], true);
    assert!(!is_good(&site, &access).await);
    assert_eq!(site.get("/server/admin", &[("token", &on_server)]).await["code"], 498);
    let form = [("grant_type", "refresh_token"), ("client_id", "sitesteward"), ("refresh_token", &refresh)];
    assert_eq!(error_code(&site.post(TOKEN, &form).await), 498);

    let single = site.token("viewer").await;
    assert_eq!(site.post(REVOKE, &[("auth_token", &single)]).await["success"], true);
    assert!(!is_good(&site, &single).await);
    // One that is not known is gone as well.
    assert_eq!(site.post(REVOKE, &[("auth_token", "made up")]).await["success"], true);
}

#[tokio::test]
async fn codes_and_refresh_tokens_are_stored_as_hashes_and_survive_a_restart() {
    let site = rehearsal().await;
    let refresh = text(&granted(&site).await, "refresh_token");
    let unused = code(&site, &PKCE).await;
    let hash =
        |secret: &str| Sha256::digest(secret).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    for (table, secret) in [("refresh_tokens", &refresh), ("codes", &unused)] {
        let sql = format!("SELECT hash FROM {table}");
        let kept: String = sessions(&site).query_row(&sql, [], |row| row.get(0)).unwrap();
        assert_eq!(kept, hash(secret), "{table}");
    }
    let site = site.restarted().await;
    let form = [("grant_type", "refresh_token"), ("client_id", "sitesteward"), ("refresh_token", &refresh)];
    assert!(site.post(TOKEN, &form).await["access_token"].is_string());
    assert!(exchange(&site, &unused, &[("code_verifier", VERIFIER)]).await["access_token"].is_string());
}

#[tokio::test]
async fn a_portal_import_ends_codes_and_refresh_tokens_too() {
    let site = rehearsal().await;
    let refresh = text(&granted(&site).await, "refresh_token");
    let unused = code(&site, &PKCE).await;
    let folder = site.exports();
    let form = [("location", folder.to_str().unwrap())];
    let file =
        text(&site.post_as("administrator", "/portal/portaladmin/exportSite", &form).await, "location");
    let import = "/portal/portaladmin/importSite";
    let imported = site.post_as("administrator", import, &[("location", &file)]).await;
    assert_eq!(imported["status"], "success", "{imported}");
    let form = [("grant_type", "refresh_token"), ("client_id", "sitesteward"), ("refresh_token", &refresh)];
    assert_eq!(error_code(&site.post(TOKEN, &form).await), 498);
    assert_eq!(error_code(&exchange(&site, &unused, &[("code_verifier", VERIFIER)]).await), 400);
}

fn sessions(site: &Rehearsal) -> rusqlite::Connection {
    rusqlite::Connection::open(site.data().join("sessions/sessions.db")).unwrap()
}

#[tokio::test]
async fn a_registered_address_is_rejected_while_the_fault_is_active() {
    let site = rehearsal().await;
    let rule = [("operation", "browser_sign_in"), ("fault", "unregisteredRedirect")];
    assert_eq!(site.post_as("administrator", "/practice/faults", &rule).await["status"], "success");
    let query = [("client_id", "sitesteward"), ("redirect_uri", OUT_OF_BAND), ("response_type", "code")];
    let ask = async || {
        let address = Url::parse_with_params(&site.address(AUTHORIZE), &query).unwrap();
        let response = browser().get(address).send().await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    };

    let (status, page) = ask().await;

    assert_eq!(status, 400);
    assert!(page.contains("Invalid redirect_uri"), "{page}");
    assert_eq!(ask().await.0, 200);
}

#[tokio::test]
async fn only_a_registered_address_is_redirected_to_and_the_port_counts() {
    let site = rehearsal().await;
    let ask = async |redirect: &str| {
        let query = [("client_id", "sitesteward"), ("redirect_uri", redirect), ("response_type", "code")];
        let address = Url::parse_with_params(&site.address(AUTHORIZE), &query).unwrap();
        let response = browser().get(address).send().await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    };
    for registered in ["http://127.0.0.1:17643/", "http://127.0.0.1:28491/", OUT_OF_BAND] {
        assert_eq!(ask(registered).await.0, 200, "{registered}");
    }
    for other in [
        "http://127.0.0.1:17643",
        "http://127.0.0.1:17644/",
        "http://localhost:17643/",
        "https://127.0.0.1:17643/",
        "http://127.0.0.1:17643/?a=b",
        "http://127.0.0.1/",
    ] {
        let (status, page) = ask(other).await;
        assert_eq!(status, 400, "{other}");
        assert!(page.contains("Error: 400") && page.contains("Invalid redirect_uri"), "{page}");
    }
}
