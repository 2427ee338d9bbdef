//! Links that a site sends: only pages of its own hosts are opened.

use crate::test_app::TestApp;
use steward_core::access::links;

#[tokio::test]
async fn a_link_opens_only_pages_of_the_sites_own_hosts() {
    let app = TestApp::signed_out().await;
    let own = format!("http://{}/portal/home/item.html?id=1", app.practice_address());

    links::open_link(&app.steward.context.access.sites, &app.steward.dialogs, &app.site, &own).unwrap();

    for foreign in [
        "file:///etc/passwd",
        "\\\\nas\\share\\run.exe",
        "file://nas/share/run.exe",
        "javascript:alert(1)",
        "data:text/html,<b>",
        "ftp://127.0.0.1/portal",
        "http://127.0.0.1:1/portal",
        "http://127.0.0.1/portal",
        "https://elsewhere.example.org/portal",
        "https://127.0.0.1@elsewhere.example.org/portal",
        "https://127.0.0.1.example.org/",
        "/portal/home",
        "",
    ] {
        assert!(
            links::open_link(&app.steward.context.access.sites, &app.steward.dialogs, &app.site, foreign)
                .is_err(),
            "{foreign}"
        );
    }
    let opened: Vec<String> = app.dialogs.pages().iter().map(ToString::to_string).collect();
    assert_eq!(opened, [own]);
}
