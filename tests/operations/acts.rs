//! Trust, sign-in and changes of a site leave their records, without secrets, and nothing of them is done without one.

use rusqlite::Connection;
use steward_core::actions::preferences;
use steward_core::actions::sign_in::{leave, sign_in_as};
use steward_core::actions::sites::{remove, save, trust};
use steward_core::history::{HistorySearch, page_of};
use steward_core::model::deployment::SiteFlavour;
use steward_core::model::history_key::{HistoryAct, HistoryKey};
use steward_core::model::problem::Problem;
use steward_core::settings::preferences::{Preferences, ProgramConnection, Theme};
use steward_core::sites::{ConnectionForm, PinView, SavedRoute, SiteForm};
use steward_journal::{Outcome, Record, Workstation};
use steward_testkit::Fault;
use steward_vault::Secret;

use crate::desk::{Desk, form};

const PROXY_PASSWORD: &str = "canary-proxy-5e1f";

fn origin(desk: &Desk) -> PinView {
    PinView { origin: format!("http://{}", desk.practice_address()), fingerprint: "AB:CD".to_owned() }
}

fn renamed(desk: &Desk) -> SiteForm {
    let ready = desk.practice.ready();
    let route = SavedRoute::Proxy {
        address: "http://proxy.example.org:3128".to_owned(),
        user: "sam".to_owned(),
        exceptions: vec!["127.0.0.1".to_owned()],
    };
    let proxy_password = Some(PROXY_PASSWORD.to_owned());
    SiteForm {
        name: "Harbour".to_owned(),
        connection: ConnectionForm { route, proxy_password, ..ConnectionForm::default() },
        ..form(Some(&desk.site), &ready.portal, &ready.server)
    }
}

fn parameter<'a>(record: &'a Record, name: &str) -> Option<&'a str> {
    record.intent.parameters.iter().find(|(one, _)| one == name).map(|(_, value)| value.as_str())
}

async fn last(desk: &Desk, act: &str) -> Record {
    let record = desk.acts().await.remove(0);
    assert_eq!((&*record.intent.operation, record.outcome), (act, Outcome::Succeeded));
    record
}

#[tokio::test]
async fn trust_sign_in_and_changes_of_a_site_leave_their_records() {
    let desk = Desk::signed_out().await;
    let me = desk.user("administrator").clone();

    desk.sign_in("administrator").await.unwrap();
    let record = last(&desk, "sign_in").await;
    assert_eq!((&*record.intent.username, parameter(&record, "way")), (&*me.username, Some("password")));

    trust(&desk.host, &desk.site, &origin(&desk)).await.unwrap();
    let record = last(&desk, "trust_certificate").await;
    assert_eq!(parameter(&record, "fingerprint"), Some("AB:CD"));
    assert_eq!(record.intent.username, me.username);

    save(&desk.host, &renamed(&desk)).await.unwrap();
    let record = last(&desk, "change_site").await;
    assert_eq!(parameter(&record, "siteName"), Some("City GIS \u{2192} Harbour"));
    assert!(parameter(&record, "siteRoute").unwrap().contains("proxy.example.org"), "{record:?}");
    assert!(
        parameter(&record, "siteCertificates").unwrap().contains("AB:CD"),
        "it is trusted no longer: {record:?}"
    );
    assert!(parameter(&record, "siteProxySecret").is_some(), "{record:?}");
    assert_eq!(parameter(&record, "siteKind"), None, "it did not change");

    let acts = desk.acts().await.len();
    let connection = ConnectionForm { proxy_password: None, ..renamed(&desk).connection };
    save(&desk.host, &SiteForm { connection, ..renamed(&desk) }).await.unwrap();
    assert_eq!(desk.acts().await.len(), acts, "nothing was changed");

    leave(&desk.host, &desk.site).await.unwrap();
    last(&desk, "sign_out").await;
    let added =
        save(&desk.host, &SiteForm::of("Upland", "https://upland.example.org/portal", "")).await.unwrap();
    let record = last(&desk, "add_site").await;
    assert_eq!(record.intent.site, added.id.0, "it is found by its site");
    assert_eq!(parameter(&record, "siteAddresses"), Some("portal https://upland.example.org/portal"));
    assert_eq!(record.workstation, *Workstation::this());
    remove(&desk.host, &desk.site, "").await.unwrap();
    assert_eq!(last(&desk, "remove_site").await.intent.site_name, "Harbour");

    for entry in std::fs::read_dir(&desk.host.data_folder).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap_or_default();
        for secret in [PROXY_PASSWORD, &me.password] {
            let is_there = bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
            assert!(!is_there, "{secret} is in {}", path.display());
        }
    }
}

#[tokio::test]
async fn another_role_of_an_address_and_another_type_of_deployment_are_changes() {
    let desk = Desk::signed_out().await;
    let mut form = SiteForm::of("Upland", "", "https://upland.example.org/server");
    form.id = Some(save(&desk.host, &form).await.unwrap().id);
    let direct = "https://upland.example.org:6443/arcgis";
    form.servers[0].public = direct.to_owned();
    form.servers[0].id = Some(desk.host.sites.get(form.id.as_ref().unwrap()).unwrap().servers[0].id.clone());
    save(&desk.host, &form).await.unwrap();

    form.servers[0].public = String::new();
    form.servers[0].direct = direct.to_owned();
    save(&desk.host, &form).await.unwrap();
    let record = last(&desk, "change_site").await;
    let change = parameter(&record, "siteAddresses").unwrap();
    assert!(change.contains(&format!("server public {direct}")), "{change}");
    assert!(change.contains(&format!("server direct {direct}")), "{change}");

    save(&desk.host, &SiteForm { flavour: Some(SiteFlavour::Online), ..form }).await.unwrap();
    let record = last(&desk, "change_site").await;
    assert_eq!(parameter(&record, "siteFlavour"), Some("standaloneServer \u{2192} online"));
}

#[tokio::test]
async fn another_proxy_of_the_program_leaves_a_record_that_belongs_to_no_site() {
    let desk = Desk::new().await;
    let before = desk.host.preferences.get();
    let route = SavedRoute::Proxy {
        address: "http://proxy.example.org:3128".to_owned(),
        user: String::new(),
        exceptions: vec!["127.0.0.1".to_owned()],
    };
    let connection = ProgramConnection { route, ..before.connection.clone() };
    let after = Preferences { connection, theme: Theme::Dark, ..before };

    preferences::save(&desk.host, after.clone(), Some(PROXY_PASSWORD.to_owned())).await.unwrap();

    let record = last(&desk, "change_connection").await;
    assert_eq!((&*record.intent.site, &*record.intent.site_name), ("", ""));
    assert!(parameter(&record, "siteRoute").unwrap().contains("proxy.example.org"), "{record:?}");
    assert_eq!(parameter(&record, "siteProxySecret"), Some(""));
    let acts = desk.acts().await.len();
    preferences::save(&desk.host, Preferences { theme: Theme::Light, ..after }, None).await.unwrap();
    assert_eq!(desk.acts().await.len(), acts, "another theme is no change of the way");
}

#[tokio::test]
async fn they_are_found_in_the_history_like_the_others() {
    let desk = Desk::new().await;
    let search = HistorySearch {
        operation: Some(HistoryKey::Act(HistoryAct::SignIn)),
        site: Some(desk.site.clone()),
        ..HistorySearch::default()
    };

    let found = page_of(&desk.host, search, None, 10).await.unwrap().entries;

    assert_eq!(found.len(), 1);
    assert!(!found[0].has_command && !found[0].has_way_back);
}

#[tokio::test]
async fn what_cannot_be_written_down_is_not_done() {
    let desk = Desk::new().await;
    let before = std::fs::read(desk.host.data_folder.join("sites.json")).unwrap();
    let token = desk.kept("portal").await;
    let journal = Connection::open(desk.host.data_folder.join("journal.db")).unwrap();
    let full = "CREATE TRIGGER full BEFORE INSERT ON record BEGIN SELECT RAISE(ABORT, 'disk full'); END";
    journal.execute_batch(full).unwrap();
    let user = desk.user("administrator");
    let password = Secret::new(user.password.clone());

    let problems = [
        save(&desk.host, &renamed(&desk)).await.err(),
        save(&desk.host, &SiteForm::of("Upland", "https://upland.example.org/portal", "")).await.err(),
        remove(&desk.host, &desk.site, "").await.err(),
        trust(&desk.host, &desk.site, &origin(&desk)).await.err(),
        sign_in_as(&desk.host, &desk.site, &user.username, &password).await.err(),
        leave(&desk.host, &desk.site).await.err(),
    ];

    for problem in problems {
        let is_said =
            matches!(&problem, Some(Problem::Unexpected { message }) if message.contains("disk full"));
        assert!(is_said, "{problem:?}");
    }
    assert_eq!(std::fs::read(desk.host.data_folder.join("sites.json")).unwrap(), before);
    assert_eq!(desk.kept("portal").await, token);
}

#[tokio::test]
async fn a_sign_in_at_a_portal_that_then_falls_silent_is_recorded_as_done_and_names_who_it_was() {
    let desk = Desk::signed_out().await;
    let _way = desk.with_fault("/portals/self", Fault::AnswerLost).await;

    assert!(desk.sign_in("administrator").await.is_err());

    let me = desk.user("administrator").username.clone();
    assert_eq!(last(&desk, "sign_in").await.intent.username, me);
    assert_eq!(desk.host.sites.get(&desk.site).unwrap().username, Some(me));
}
