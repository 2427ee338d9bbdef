//! Sessions that are renewed: side by side, over a keyring that waits, at a portal in trouble.

use std::sync::Arc;

use steward_client::describe_portal;
use steward_core::actions::sign_in::sign_in_as;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::Ended;
use steward_core::operations::export_portal::{self, ExportPortalForm, PortalTarget};
use steward_core::sites::SiteForm;
use steward_testkit::Fault;
use steward_vault::{Secret, SecretStore};

use crate::desk::{Desk, form};
use crate::held_keyring::{HeldKeyring, PATIENCE, Question};

/// From now on the refresh token is on its last day.
async fn on_its_last_day(desk: &Desk) {
    let mut kept: serde_json::Value = serde_json::from_str(&desk.kept("portal").await.unwrap()).unwrap();
    let soon = jiff::Timestamp::now().as_millisecond() + 60_000;
    kept["refresh"]["expires_at"] = serde_json::json!(soon);
    desk.vault.set(&format!("{}/portal", desk.site.0), Secret::new(kept.to_string())).await.unwrap();
}

#[tokio::test]
async fn a_site_that_is_edited_during_work_does_not_sign_the_person_out() {
    let desk = crate::browser_sign_in::signed_in().await;
    on_its_last_day(&desk).await;
    let desk = desk.restarted();
    let site = desk.host.sites.get(&desk.site).unwrap();
    let under_way = desk.host.portal(&site).await.unwrap();
    // What saving the site does to the way there.
    desk.host.forget_known(&desk.site);
    let next = desk.host.portal(&site).await.unwrap();

    under_way.session().unwrap().renew().await.unwrap();
    next.session().unwrap().renew().await.unwrap();

    for portal in [under_way, next] {
        describe_portal(&portal).await.unwrap();
    }
}

#[tokio::test]
async fn two_who_ask_at_once_share_one_session() {
    let (desk, keyring) = HeldKeyring::of(crate::browser_sign_in::signed_in().await);
    let site = desk.host.sites.get(&desk.site).unwrap();
    keyring.hold(Question::Get, "/portal");
    let person = async {
        keyring.waits(1).await;
        keyring.let_go();
    };

    let (one, two, ()) = tokio::join!(desk.host.portal(&site), desk.host.portal(&site), person);

    assert!(Arc::ptr_eq(one.unwrap().session().unwrap(), two.unwrap().session().unwrap()));
}

#[tokio::test]
async fn a_keyring_that_waits_for_its_password_keeps_no_other_site_waiting() {
    let (desk, keyring) = HeldKeyring::of(Desk::signed_out().await);
    let ready = desk.practice.ready();
    let other = SiteForm { name: "County".to_owned(), ..form(None, &ready.portal, &ready.server) };
    let other = desk.host.sites.save(&other).unwrap();
    let user = desk.user("administrator");
    let password = Secret::new(user.password.clone());
    sign_in_as(&desk.host, &other.id, &user.username, &password).await.unwrap();
    keyring.hold(Question::Set, &desk.site.0);

    let asked = async {
        keyring.waits(1).await;
        tokio::time::timeout(PATIENCE, desk.host.ask_who(&other)).await
    };
    let asked = tokio::select! {
        signed_in = sign_in_as(&desk.host, &desk.site, &user.username, &password) => panic!("{signed_in:?}"),
        asked = asked => asked,
    };

    assert_eq!(asked.expect("it waited for the other site").unwrap().username, user.username);
}

fn export_to(folder: &std::path::Path) -> ExportPortalForm {
    let target = PortalTarget::Folder { location: folder.display().to_string() };
    ExportPortalForm { target, check_only: false }
}

#[tokio::test]
async fn a_portal_in_trouble_signs_nobody_out() {
    let trouble = r#"{"error":{"code":500,"message":"The database is down.","details":[]}}"#;
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", trouble.len());
    let trouble = Fault::Instead([head.as_bytes(), trouble.as_bytes()].concat());
    for fault in [trouble, Fault::AnswerLost] {
        let desk = Desk::new().await;
        let user = desk.user("administrator");
        let password = Secret::new(user.password.clone());
        desk.host.keep_password(&desk.site, &user.username, &password).await.unwrap();
        desk.order("export_portal", "expired-token", &[]).await;
        let way = desk.with_fault("generateToken", fault).await;
        let folder = desk.folder("exports");

        let ended = export_portal::perform(&desk.host, &desk.site, desk.run(), export_to(&folder)).await;

        assert!(matches!(ended, Err(Problem::NotRenewed { .. })), "{ended:?}");
        assert!(way.met() > 0);
        assert_eq!(desk.history().await[0].outcome.name(), "failed");
        for name in ["portal", "password"] {
            assert!(desk.kept(name).await.is_some(), "{name}");
        }
        let desk = desk.without_fault(way);
        desk.order("export_portal", "expired-token", &[]).await;
        let ended = export_portal::perform(&desk.host, &desk.site, desk.run(), export_to(&folder)).await;
        assert!(matches!(ended, Ok(Ended::Done { .. })), "{ended:?}");
    }
}
