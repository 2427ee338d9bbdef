//! Every way to sign in, at a portal that takes registered redirect URLs only and binds its tokens.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use practice_site::{Options, PracticeSite, ReadyUser};
use serde_json::Value;
use steward_testkit::window::Window;
use steward_testkit::{Browser, until_some};

use crate::practice::TestApp;

const APP: &str = "https://maps.example.org/app";

/// A desk whose browser only notes which pages it is to open.
fn desk_with_browser() -> TestApp {
    let mut desk = TestApp::new();
    let folder = desk.place("bin");
    std::fs::create_dir(&folder).unwrap();
    let script = format!("#!/bin/sh\nprintf '%s\\n' \"$1\" >> '{}'\n", desk.place("pages").display());
    for name in ["xdg-open", "gio", "gnome-open", "kde-open", "wslview"] {
        let file = folder.join(name);
        std::fs::write(&file, &script).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    // The environment of a program is of texts that stay.
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    desk.program.environment.push(("PATH", Box::leak(path.into_boxed_str())));
    desk
}

async fn opened(pages: &Path) -> url::Url {
    until_some("a page in the browser", async || {
        let text = std::fs::read_to_string(pages).ok()?;
        text.lines().next_back().and_then(|line| line.parse().ok())
    })
    .await
}

async fn made(portal: &str, user: &ReadyUser, referer: &str) -> Value {
    let form = [
        ("username", user.username.as_str()),
        ("password", &user.password),
        ("client", "referer"),
        ("referer", referer),
        ("f", "json"),
    ];
    let address = format!("{portal}/sharing/rest/generateToken");
    reqwest::Client::new().post(address).form(&form).send().await.unwrap().json().await.unwrap()
}

async fn signed_in_and_out(window: &Window, person: &str) {
    window.press(person).await.unwrap();
    window.press("Sign out").await.unwrap();
    window.press("Token").await.unwrap();
}

#[tokio::test]
async fn every_way_to_sign_in_leads_into_a_strict_portal() {
    let desk = desk_with_browser();
    let site = PracticeSite::start(Options { http: true, ..desk.site_options() }).await.unwrap();
    let ready = site.ready();
    let user = ready.users.iter().find(|user| user.role == "administrator").unwrap();
    let person = format!("{} (administrator)", user.username);
    let window = desk.window().await;

    window.press("Add site").await.unwrap();
    window.press("Enter URLs manually").await.unwrap();
    window.fill("Name", "City GIS").await.unwrap();
    window.choose("Test").await.unwrap();
    window.fill("Portal URL", &ready.portal).await.unwrap();
    window.fill("Server URL", &ready.server).await.unwrap();
    window.fill("Server name", "gisapp01").await.unwrap();
    window.press("Add site").await.unwrap();
    window.fill("User name", &user.username).await.unwrap();
    window.fill("Password", &user.password).await.unwrap();
    window.press("Sign in").await.unwrap();
    window.press("Go to overview").await.unwrap();
    signed_in_and_out(&window, &person).await;

    // The four forms of a token, of the app's own web app URL and of another one.
    for referer in ["site-steward", APP] {
        let response = made(&ready.portal, user, referer).await;
        let (token, expires) = (response["token"].as_str().unwrap(), &response["expires"]);
        for pasted in [
            token.to_owned(),
            response.to_string(),
            format!("Cookie: a=b; esri_auth=%7B%22token%22%3A%22{token}%22%2C%22expires%22%3A{expires}%7D"),
            format!("X-Esri-Authorization: Bearer {token}"),
        ] {
            window.fill("Token", &pasted).await.unwrap();
            if referer == APP {
                window.press("Sign in with token").await.unwrap();
                window.see("It might be bound to a web app URL").await.unwrap();
                window.fill("Web app URL (optional)", APP).await.unwrap();
            }
            window.press("Sign in with token").await.unwrap();
            window.see(&person).await.unwrap();
            signed_in_and_out(&window, &person).await;
        }
    }

    window.press("Browser").await.unwrap();
    window.see("http://127.0.0.1:17643/").await.unwrap();
    window.press("Enter client ID").await.unwrap();
    window.fill("Client ID (optional)", "sitesteward").await.unwrap();
    window.press("Save").await.unwrap();
    window.press("Browser").await.unwrap();
    window.press("Sign in with browser").await.unwrap();
    let page = opened(&desk.place("pages")).await;
    let browser = Browser::new().unwrap();
    let back = browser.sign_in(&page, &user.username, &user.password).await.unwrap().away().unwrap();
    assert_eq!(browser.visit(back.as_str()).await.unwrap().0, 200);
    window.see(&person).await.unwrap();

    window.close().await.unwrap();
    site.stop().await;
}
