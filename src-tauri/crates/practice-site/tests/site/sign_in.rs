//! Tokens: getting one, carrying one, and being refused.

use crate::support::{error_code, rehearsal, server_error_code};
use serde_json::Value;
use std::path::Path;
use steward_testkit::until;

const PORTAL: &str = "/portal/sharing/rest/generateToken";
const SERVER: &str = "/server/admin/generateToken";
const TOKENS: &str = "/server/tokens/generateToken";

/// A path of each operation.
async fn operations(site: &crate::support::Rehearsal) -> Vec<String> {
    let collaboration = site.collaboration(true).await;
    [
        ("export_portal", "/portal/portaladmin/exportSite".into()),
        ("export_server", "/server/admin/exportSite".into()),
        ("import_server", "/server/admin/importSite".into()),
        ("import_portal", "/portal/portaladmin/importSite".into()),
        (
            "deactivate_webhooks",
            "/server/admin/services/Hosted/Hydrants.FeatureServer/webhooks/deactivateAll".into(),
        ),
        ("find_items", "/server/admin/data/findItems".into()),
        ("update_participant", format!("{collaboration}/participants/x/updateInfo")),
        ("refresh_invitation", format!("{collaboration}/invitations/x/refresh")),
    ]
    .map(|(_, path)| path)
    .into()
}

#[tokio::test]
async fn a_token_is_taken_from_form_query_and_both_headers() {
    let site = rehearsal().await;
    let token = site.token("administrator").await;
    let path = "/server/admin/data/items";
    assert!(site.post(path, &[("token", &token)]).await["rootItems"].is_array());
    assert!(site.get(path, &[("token", &token)]).await["rootItems"].is_array());
    for header in ["Authorization", "X-Esri-Authorization"] {
        let request = site.http.get(site.address(path)).header(header, format!("Bearer {token}"));
        let answer: Value = request.send().await.unwrap().json().await.unwrap();
        assert!(answer["rootItems"].is_array(), "{header}: {answer}");
    }
}

#[tokio::test]
async fn every_operation_refuses_absent_and_unknown_tokens_before_anything_else() {
    let site = rehearsal().await;
    for path in operations(&site).await {
        let absent = site.post(&path, &[]).await;
        let unknown = site.post(&path, &[("token", "made up")]).await;
        let codes = if path.starts_with("/server") {
            (server_error_code(&absent), server_error_code(&unknown))
        } else {
            (error_code(&absent), error_code(&unknown))
        };
        assert_eq!(codes, (499, 498), "{path}");
    }
}

#[tokio::test]
async fn every_operation_refuses_who_may_not() {
    let site = rehearsal().await;
    for path in operations(&site).await {
        let answer = site.post_as("viewer", &path, &[("ancestorPath", "/")]).await;
        assert_eq!(error_code(&answer), 403, "a viewer at {path}");
        let publishers = path.ends_with("deactivateAll") || path.ends_with("findItems");
        let answer = site.post_as("publisher", &path, &[("ancestorPath", "/")]).await;
        assert_eq!(answer["error"]["code"] == 403, !publishers, "a publisher at {path}: {answer}");
    }
}

#[tokio::test]
async fn an_expired_token_is_refused() {
    let site = rehearsal().await;
    let token = site.token("administrator").await;
    let sessions = rusqlite::Connection::open(site.data().join("sessions/sessions.db")).unwrap();
    sessions.execute("UPDATE tokens SET expires = 1", []).unwrap();
    let answer = site.get("/portal/portaladmin", &[("token", &token)]).await;
    assert_eq!(error_code(&answer), 498);
}

#[tokio::test]
async fn wrong_names_and_passwords_are_refused_in_the_same_words() {
    let site = rehearsal().await;
    let (name, _) = site.sign_in("administrator");
    for path in [PORTAL, SERVER] {
        let wrong = site.post(path, &[("username", &name), ("password", "wrong")]).await;
        let unknown = site.post(path, &[("username", "nobody"), ("password", "wrong")]).await;
        let locked = site.post(path, &[("username", "alex.meadow"), ("password", "")]).await;
        assert_eq!(wrong, unknown);
        let code = wrong["error"]["code"].as_i64().or(wrong["code"].as_i64());
        assert_eq!(code, Some(400));
        assert!(locked.get("token").is_none());
    }
}

#[tokio::test]
async fn a_life_is_an_hour_unless_asked_and_never_more_than_fourteen_days() {
    let site = rehearsal().await;
    let (name, password) = site.sign_in("publisher");
    let now = i64::try_from(
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis(),
    )
    .unwrap();
    for (wish, minutes) in [("", 60), ("5", 5), ("1000000", 14 * 24 * 60), ("-3", 60)] {
        let form = [("username", name.as_str()), ("password", &password), ("expiration", wish)];
        let portal = site.post(PORTAL, &form).await["expires"].as_i64().unwrap();
        // A number there, a text here.
        let server: i64 = site.post(SERVER, &form).await["expires"].as_str().unwrap().parse().unwrap();
        for expires in [portal, server] {
            let lived = expires - now;
            assert!((minutes * 60_000..minutes * 60_000 + 60_000).contains(&lived), "{wish}: {lived}");
        }
    }
}

#[tokio::test]
async fn the_server_takes_portal_tokens_and_the_portal_exchanges_them() {
    let site = rehearsal().await;
    let token = site.token("administrator").await;
    assert!(site.get("/server/admin", &[("token", &token)]).await["resources"].is_array());
    for spelling in ["serverUrl", "serverURL"] {
        let form = [("token", token.as_str()), (spelling, &site.site.ready().server)];
        let exchanged = site.post(PORTAL, &form).await;
        let exchanged = exchanged["token"].as_str().unwrap();
        assert_ne!(exchanged, token);
        assert!(site.get("/server/admin", &[("token", exchanged)]).await["resources"].is_array());
        // Not the other way round.
        assert_eq!(error_code(&site.get("/portal/portaladmin", &[("token", exchanged)]).await), 498);
    }
    let foreign = [("token", token.as_str()), ("serverUrl", "https://elsewhere.example.org/server")];
    assert_eq!(error_code(&site.post(PORTAL, &foreign).await), 400);
}

#[tokio::test]
async fn tokens_and_passwords_survive_a_restart_and_are_stored_as_hashes() {
    let site = rehearsal().await;
    let token = site.token("administrator").await;
    let before = site.sign_in("administrator");
    let site = site.restarted().await;
    assert_eq!(site.sign_in("administrator"), before);
    assert_eq!(site.get("/portal/portaladmin", &[("token", &token)]).await["version"], "11.1");

    let holds = |file: &Path, secret: &str| {
        let content = std::fs::read(file).unwrap();
        content.windows(secret.len()).any(|window| window == secret.as_bytes())
    };
    for folder in ["sessions", "portal", "server"] {
        for file in std::fs::read_dir(site.data().join(folder)).unwrap() {
            let file = file.unwrap().path();
            if file.is_file() {
                assert!(!holds(&file, &token) && !holds(&file, &before.1), "{}", file.display());
            }
        }
    }
    let hash: String = site
        .portal_db()
        .query_row("SELECT password_hash FROM users WHERE username = ?1", [&before.0], |row| row.get(0))
        .unwrap();
    assert!(hash.starts_with("$argon2id$"));
}

#[tokio::test]
async fn a_client_is_named_with_what_it_is_bound_to_or_left_out() {
    let site = rehearsal().await;
    let (name, password) = site.sign_in("publisher");
    let ask = async |path: &str, more: &[(&str, &str)]| {
        let form = [("username", name.as_str()), ("password", &password)];
        site.post(path, &[&form[..], more].concat()).await
    };
    for path in [PORTAL, SERVER, TOKENS] {
        for good in [
            &[][..],
            &[("client", "")],
            &[("client", "REFERER"), ("referer", "x")],
            &[("client", "ip"), ("ip", "127.0.0.1")],
            &[("client", "requestip")],
            &[("referer", "x")],
        ] {
            assert!(ask(path, good).await["token"].is_string(), "{path}: {good:?}");
        }
        for bad in [
            &[("client", "referer")][..],
            &[("client", "ip")],
            &[("client", "ip"), ("ip", "here")],
            &[("client", "browser")],
        ] {
            let answer = ask(path, bad).await;
            let code = answer["error"]["code"].as_i64().or(answer["code"].as_i64());
            assert_eq!(code, Some(400), "{path}: {bad:?}: {answer}");
        }
    }
}

#[tokio::test]
async fn a_token_bound_to_a_referer_is_refused_on_another_page_and_let_pass_without_one() {
    let site = rehearsal().await;
    let (name, password) = site.sign_in("administrator");
    let page = "https://maps.example.org/app";
    let form =
        [("username", name.as_str()), ("password", &password), ("client", "referer"), ("referer", page)];
    let token = site.post(PORTAL, &form).await["token"].as_str().unwrap().to_owned();
    // What is made from it is bound as well.
    let form = [("token", token.as_str()), ("serverUrl", &site.site.ready().server)];
    let exchanged = site.post(PORTAL, &form).await["token"].as_str().unwrap().to_owned();
    for token in [token, exchanged] {
        let code = async |referer: Option<&str>| {
            let mut request = site.http.get(site.address("/server/admin")).bearer_auth(&token);
            if let Some(referer) = referer {
                request = request.header("Referer", referer);
            }
            let answer: Value = request.send().await.unwrap().json().await.unwrap();
            answer["code"].as_i64()
        };
        assert_eq!(code(None).await, None);
        assert_eq!(code(Some(page)).await, None);
        assert_eq!(code(Some("https://maps.example.org/app/index.html")).await, None);
        assert_eq!(code(Some("https://maps.example.org/application")).await, Some(498));
        assert_eq!(code(Some("https://elsewhere.example.org/")).await, Some(498));
    }
}

#[tokio::test]
async fn a_token_bound_to_an_address_is_good_from_there_only() {
    let site = rehearsal().await;
    let (name, password) = site.sign_in("administrator");
    for (client, ip, good) in
        [("ip", "192.0.2.7", false), ("ip", "127.0.0.1", true), ("ip", "::1", false), ("requestip", "", true)]
    {
        let form = [("username", name.as_str()), ("password", &password), ("client", client), ("ip", ip)];
        let token = site.post(PORTAL, &form).await["token"].as_str().unwrap().to_owned();
        let answer = site.get("/server/admin", &[("token", &token)]).await;
        assert_eq!(answer["code"] != 498, good, "{client} {ip}: {answer}");
    }
}

#[tokio::test]
async fn the_servers_token_service_answers_like_a_portal_and_for_the_server_only() {
    let site = rehearsal().await;
    let (name, password) = site.sign_in("administrator");
    let answer = site.post(TOKENS, &[("username", &name), ("password", &password)]).await;
    assert!(answer["expires"].is_i64());
    let token = answer["token"].as_str().unwrap();
    assert!(site.get("/server/admin", &[("token", token)]).await["resources"].is_array());
    assert_eq!(error_code(&site.get("/portal/portaladmin", &[("token", token)]).await), 498);
    let wrong = site.post(TOKENS, &[("username", &name), ("password", "wrong")]).await;
    assert_eq!(error_code(&wrong), 400);
}

#[tokio::test]
async fn an_exchanged_token_does_not_outlive_the_first_one() {
    let site = rehearsal().await;
    let (name, password) = site.sign_in("administrator");
    let form = [("username", name.as_str()), ("password", &password), ("expiration", "5")];
    let first = site.post(PORTAL, &form).await;
    let ready = site.site.ready();
    let form =
        [("token", first["token"].as_str().unwrap()), ("serverUrl", &ready.server), ("expiration", "20160")];
    assert_eq!(site.post(PORTAL, &form).await["expires"], first["expires"]);
}

#[tokio::test]
async fn guessing_is_slowed_down_for_that_name_and_two_wrong_logins_are_not() {
    let site = rehearsal().await;
    let (name, password) = site.sign_in("publisher");
    let attempt = async |name: &str, password: &str| {
        let started = std::time::Instant::now();
        let answer = site.post(PORTAL, &[("username", name), ("password", password)]).await;
        (answer["token"].is_string(), started.elapsed().as_millis() >= 1000)
    };
    // Side by side: eight wrong ones are free and a ninth attempt is not, even with the right password.
    let wrong = async || attempt(&name, "wrong").await.0;
    let all = tokio::join!(wrong(), wrong(), wrong(), wrong(), wrong(), wrong(), wrong(), wrong());
    assert_eq!(all, (false, false, false, false, false, false, false, false));
    assert_eq!(attempt(&name, &password).await, (true, true));
    // The right one has cleared the name. A busy computer can be as slow as the delay once, but not every time.
    until("a sign-in without a delay", async || attempt(&name, &password).await == (true, false)).await;
}

#[tokio::test]
async fn a_browser_finds_a_form_that_creates_a_token() {
    let site = rehearsal().await;
    for (page, resource) in
        [(PORTAL, "/portal/sharing/rest/portals/self"), (SERVER, "/server/admin/data/items")]
    {
        let form = site.http.get(site.address(page)).send().await.unwrap().text().await.unwrap();
        for name in ["username", "password", "client", "referer", "ip", "expiration", "f"] {
            assert!(form.contains(&format!("name=\"{name}\"")), "{name} in {form}");
        }
        assert!(form.contains(&format!("action=\"{page}\"")), "{form}");

        let (username, password) = site.sign_in("administrator");
        let sent = [
            ("username", username.as_str()),
            ("password", &password),
            ("client", "referer"),
            ("referer", "site-steward"),
            ("ip", ""),
            ("expiration", "60"),
            ("f", "html"),
        ];
        let shown =
            site.http.post(site.address(page)).form(&sent).send().await.unwrap().text().await.unwrap();
        let token = shown.split_once("token</th><td>").unwrap().1.split_once("</td>").unwrap().0;

        let answer = site.get(resource, &[("token", token)]).await;
        assert_eq!(answer["error"], Value::Null, "{answer}");
    }
}

#[tokio::test]
async fn a_token_with_the_fault_is_valid_for_another_web_app_only() {
    let site = rehearsal().await;
    let rule = [("operation", "create_token"), ("fault", "boundToken")];
    assert_eq!(site.post_as("administrator", "/practice/faults", &rule).await["status"], "success");
    // Opening the page does not use the fault up.
    site.http.get(site.address(PORTAL)).send().await.unwrap();
    let (username, password) = site.sign_in("administrator");
    let sent = [("username", username.as_str()), ("password", &password), ("f", "json")];
    let token = site.post(PORTAL, &sent).await["token"].as_str().unwrap().to_owned();
    let ask = async |referer: &str| {
        let address = site.address("/portal/sharing/rest/portals/self");
        let request = site.http.get(address).bearer_auth(&token).header("Referer", referer);
        request.send().await.unwrap().json::<Value>().await.unwrap()
    };

    assert_eq!(error_code(&ask("site-steward").await), 498);
    assert_eq!(ask("https://maps.example.org/app").await["error"], Value::Null);
}
