//! Sites whose portal or server has the URL of another one since: what was recorded before is not about that one.

use steward_app::overview::{ConcernAbout, PartRecovery};
use steward_core::actions::sites;
use steward_core::follow_up::outcome_check;
use steward_core::follow_up::reminders::{self, ReminderAbout};
use steward_core::history::changes_since::since_import;
use steward_core::inventory::service_check;
use steward_core::model::ids::RecordId;
use steward_core::model::numbers::Millis;
use steward_core::model::problem::{PreconditionFailure, Problem};
use steward_core::model::run_result::RunResult;
use steward_core::operations::import_portal::change_summary::change_summary;
use steward_core::operations::import_portal::proof;
use steward_core::sites::SiteForm;
use steward_core::webhooks::{deactivation_log, reactivation};
use steward_testkit::{Fault, move_sessions};
use steward_vault::{Secret, SecretStore};

use crate::data_stores::{kept, searched, validated};
use crate::deactivations::{deactivate, entries};
use crate::import_portal;
use crate::import_server::{exported, with_safety_backup};
use crate::odd_sites::json;
use crate::refresh_invitation::{form, invitation};
use crate::scripted::{Scripted, Then};
use crate::test_app::TestApp;

const ELSEWHERE: &str = "https://gis.example.org/server";

/// The URL of another server on this computer, where the port says nothing.
fn elsewhere(other: &Scripted) -> String {
    format!("{}2", other.address())
}

/// The server of the site gets this URL, and returns the one before.
fn server_at(app: &TestApp, url: &str) -> String {
    let mut site = app.sites().get(&app.site).unwrap();
    let server = &mut site.servers[0];
    (server.services_url, server.admin_url) = (None, None);
    let before = std::mem::replace(&mut server.address, url.parse().unwrap());
    app.sites().put(site).unwrap();
    before.to_string()
}

/// The portal of the site gets this URL, and returns the one before.
fn portal_at(app: &TestApp, url: &str) -> String {
    let mut site = app.sites().get(&app.site).unwrap();
    let portal = site.portal.as_mut().unwrap();
    portal.admin_url = None;
    let before = std::mem::replace(&mut portal.address, url.parse().unwrap());
    app.sites().put(site).unwrap();
    before.to_string()
}

/// Whether the history has an export of the server, or of the portal, as the overview shows it.
async fn is_exported(app: &TestApp, is_server: bool) -> bool {
    let overview = app.steward.overviews().of_site(&app.site).await.unwrap();
    let part = overview.recoverable.parts.iter().find(|part| part.server.is_some() == is_server).unwrap();
    part.state != PartRecovery::Never
}

#[tokio::test]
async fn a_server_is_not_recoverable_to_an_export_of_the_server_that_the_site_had_before() {
    let app = TestApp::new().await;
    exported(&app).await;
    assert!(is_exported(&app, true).await);

    let before = server_at(&app, ELSEWHERE);

    assert!(!is_exported(&app, true).await);
    let spelled = before.replace("/server", "//Server/").replace("127.0.0.1", "localhost");
    server_at(&app, &spelled);
    assert!(is_exported(&app, true).await, "{spelled} is the same server");
}

#[tokio::test]
async fn a_portal_is_not_recoverable_to_an_export_of_the_portal_that_the_site_had_before() {
    let app = TestApp::new().await;
    import_portal::exported(&app).await;
    assert!(is_exported(&app, false).await);

    let before = portal_at(&app, "https://gis.example.org/portal");

    assert!(!is_exported(&app, false).await);
    portal_at(&app, &before);
    assert!(is_exported(&app, false).await);
}

#[tokio::test]
async fn the_items_of_a_server_are_not_validated_because_those_of_the_server_before_were() {
    let app = TestApp::new().await;
    let search = searched(&app, "/").await;
    validated(&app, &search).await;
    let validation = || kept(&app, &search, "/fileShares/plans");
    assert!(validation().is_some());

    let before = server_at(&app, ELSEWHERE);

    assert_eq!(validation(), None);
    server_at(&app, &before);
    assert!(validation().is_some(), "they are of this one");
}

#[tokio::test]
async fn webhooks_of_the_server_before_are_neither_told_nor_reactivated_on_the_one_at_its_place() {
    let app = TestApp::new().await;
    deactivate(&app, &["Buffer.GPServer"]).await.unwrap();
    let entry = entries(&app).await.remove(0).id;
    deactivation_log::remind(&app.steward.context.history, entry.clone(), Some(Millis(1))).await.unwrap();
    let told = async || {
        let concerns = app.steward.overviews().of_site(&app.site).await.unwrap().concerns;
        let is_told = concerns.iter().any(|one| matches!(one.about, ConcernAbout::Webhooks { .. }));
        let due = reminders::due(&app.steward.context, Millis::now()).await.unwrap();
        (is_told, due.len(), entries(&app).await.len())
    };
    assert_eq!(told().await, (true, 1, 1));
    let body = r#"{"webhooks":[],"nextStart":-1,"currentVersion":"11.5","fullVersion":"11.5.0"}"#;
    let other = Scripted::new(move |_, _| (json(body), Then::Close)).await;

    let token = r#"{"token":"canary","expires_at":null}"#.to_owned();
    app.vault.set(&format!("{}/server/server", app.site.0), Secret::new(token)).await.unwrap();

    let before = server_at(&app, &elsewhere(&other));
    app.steward.context.access.forget_known(&app.site);

    assert_eq!(told().await, (false, 0, 0));
    let context = &app.steward.context;
    let compared = deactivation_log::compare(context, &app.server).await.unwrap();
    let refused = reactivation::reactivate(context, &app.server, app.run(), entry).await;
    let changed = Problem::PreconditionFailed { why: PreconditionFailure::ServerChanged };
    assert_eq!((compared.len(), refused.err()), (0, Some(changed)));
    let asked = other.asked();
    assert!(!asked.iter().any(|head| head.contains("webhooks")), "{asked:?}");

    server_at(&app, &before);
    assert_eq!(told().await, (true, 1, 1));
}

#[tokio::test]
async fn nobody_is_reminded_of_an_invitation_of_the_portal_that_the_site_had_before() {
    let app = TestApp::new().await;
    app.dialogs.will_choose(&app.folder("desk").join("invitation.json"));
    let refreshed = form(&invitation(&app).await);
    let ended = app.refresh_invitation(refreshed).await.unwrap();
    assert!(matches!(ended, RunResult::Done { .. }), "{ended:?}");
    let in_two_days = Millis(Millis::now().0 + 60 * 60 * 60 * 1000);
    let is_due = async || {
        let due = reminders::due(&app.steward.context, in_two_days).await.unwrap();
        due.iter().any(|one| matches!(one.about, ReminderAbout::Invitation { .. }))
    };
    assert!(is_due().await);

    portal_at(&app, "https://gis.example.org/portal");

    assert!(!is_due().await);
}

#[tokio::test]
async fn neither_an_undo_nor_an_outcome_check_goes_to_the_server_at_the_place_of_the_one_before() {
    let app = TestApp::new().await;
    let import = with_safety_backup(&app, false).await;
    let _way = app.with_fault("/deactivateAll", Fault::Instead(Vec::new())).await;
    deactivate(&app, &["Buffer.GPServer"]).await.unwrap();
    let lost = RecordId(app.history().await.remove(0).id);
    let other = Scripted::new(|_, _| (json(r#"{"items":[]}"#), Then::Close)).await;
    server_at(&app, &elsewhere(&other));

    let undone = app.undo_import(import, false).await.err();
    let (context, unsaved) = (&app.steward.context, &app.steward.invitation_files.unsaved);
    let checked = outcome_check::check(context, unsaved, &app.steward.dialogs, &lost).await.err();

    let changed = Problem::PreconditionFailed { why: PreconditionFailure::ServerChanged };
    assert_eq!((undone, checked), (Some(changed.clone()), Some(changed)));
    assert!(other.asked().is_empty(), "{:?}", other.asked());
}

/// Saves the site with its server at this URL and with this administration URL, as the page *Edit site* does.
async fn saved_at(app: &TestApp, url: &str, admin_url: &str, is_same: bool) {
    let site = app.sites().get(&app.site).unwrap();
    let portal = site.portal.as_ref().unwrap().address.to_string();
    let mut form = SiteForm {
        id: Some(app.site.clone()),
        name: site.name.clone(),
        is_same,
        ..SiteForm::of("", &portal, url)
    };
    form.environment = site.environment;
    form.servers[0].id = Some(site.servers[0].id.clone());
    form.servers[0].admin_url = admin_url.to_owned();
    sites::save(&app.steward.context, &form).await.unwrap();
}

#[tokio::test]
async fn what_was_sent_to_the_earlier_urls_of_the_same_server_still_belongs_to_it() {
    let app = TestApp::new().await;
    let record = with_safety_backup(&app, false).await;
    let url = app.sites().get(&app.site).unwrap().servers[0].address.to_string();
    let can_undo = async || {
        let (sites, history) = (&app.steward.context.access.sites, &app.steward.context.history);
        since_import(sites, history, record.clone()).await
    };
    let direct = "https://machine.example.org:6443/arcgis";

    // An administration URL beside the one that the import was sent to.
    saved_at(&app, &url, direct, false).await;
    assert!(is_exported(&app, true).await && can_undo().await.is_ok());

    saved_at(&app, ELSEWHERE, direct, true).await;
    assert!(is_exported(&app, true).await && can_undo().await.is_ok(), "the same server at another URL");
    let change = app.acts().await.remove(0);
    let given = change.intent.parameters.iter().find(|(name, _)| name == "siteEarlierAddresses");
    assert!(given.is_some_and(|(_, earlier)| earlier.contains(&url)), "{change:?}");

    saved_at(&app, ELSEWHERE, "", true).await;
    assert!(is_exported(&app, true).await, "the administration URL is gone");

    saved_at(&app, "https://gis.example.org/other", "", false).await;
    assert!(!is_exported(&app, true).await, "another server at the place of the one before");
    let changed = Problem::PreconditionFailed { why: PreconditionFailure::ServerChanged };
    assert_eq!(can_undo().await.err(), Some(changed));
}

#[tokio::test]
async fn a_server_at_the_place_of_the_one_before_is_not_checked_for_its_import() {
    let app = TestApp::new().await;
    let import = with_safety_backup(&app, false).await;
    let other = Scripted::new(|_, _| (json(r#"{"folders":[],"services":[]}"#), Then::Close)).await;
    server_at(&app, &elsewhere(&other));
    let (access, history) = (&app.steward.context.access, &app.steward.context.history);

    let checked = service_check::check_again(access, history, &app.site, import).await.err();

    assert_eq!(checked, Some(Problem::PreconditionFailed { why: PreconditionFailure::ServerChanged }));
    assert!(other.asked().is_empty(), "{:?}", other.asked());
}

#[tokio::test]
async fn a_portal_at_the_place_of_the_one_before_is_not_counted_for_its_import_and_has_none_of_its_exports() {
    let app = TestApp::new().await;
    let file = import_portal::exported(&app).await;
    let imported = app.import_portal(import_portal::form(&file)).await.unwrap();
    let RunResult::Done { record: Some(import), .. } = imported else { panic!("{imported:?}") };
    app.sign_in("administrator").await.unwrap();
    let context = &app.steward.context;
    let offered = async || change_summary(context, &app.site).await.unwrap().exports.len();
    assert_eq!(offered().await, 1);

    let portal = r#"{"id":"1","isPortal":true,"currentVersion":"11.1","enterpriseVersion":"11.1.0",
        "user":{"username":"steward","role":"org_admin","privileges":[]}}"#;
    let other = Scripted::new(move |_, _| (json(portal), Then::Close)).await;
    portal_at(&app, &format!("http://{}/other", other.host()));
    move_sessions(&app.vault, &app.site.0, &format!("http://{}", other.host()));
    context.access.forget_known(&app.site);

    let counted = proof::check_again(&context.access, &context.history, &app.site, import).await.err();

    assert_eq!(counted, Some(Problem::PreconditionFailed { why: PreconditionFailure::ServerChanged }));
    assert_eq!(offered().await, 0, "exports of this portal");
}
