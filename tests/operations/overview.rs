//! The overview of a site, and the list of all sites: what needs attention, and what was checked when.

use std::io::{Cursor, Write as _};
use std::sync::Arc;

use steward_app::overview::{
    self, ComponentFacts, Concern, ConcernAbout, ConcernTone, PartRecovery, Recoverability, RecoverablePart,
    SiteOverview, SiteSummary,
};
use steward_app::steward::Steward;
use steward_core::actions::sign_in::leave;
use steward_core::actions::sites;
use steward_core::follow_up::outcome_check;
use steward_core::history::record::intent_of;
use steward_core::model::expiry::Expiring;
use steward_core::model::history_key::HistoryKey;
use steward_core::model::ids::{RecordId, ServerId};
use steward_core::model::numbers::Millis;
use steward_core::model::operation::OperationKey;
use steward_core::model::run_result::RunResult;
use steward_core::operations::export_server::{ExportServerForm, ServerExportDestination};
use steward_core::operations::import_server::ImportServerForm;
use steward_core::operations::import_server::safety_backup::SafetyBackupOptions;
use steward_core::sites::{ServerForm, SiteForm};
use steward_core::transfers::recorded_export;
use steward_journal::{Intent, Outcome};
use steward_testkit::{Fault, FaultProxy, until};
use tokio::sync::Notify;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::deactivations::{deactivate, entries};
use crate::import_portal::{exported as exported_portal, secured};
use crate::import_server::{exported, form};
use crate::test_app::TestApp;
use crate::update_participant::{form as contact_of, guests};

const MANY: usize = 1_000_000;

async fn shown(app: &TestApp) -> SiteOverview {
    app.steward.overviews().of_site(&app.site).await.unwrap()
}

async fn listed(app: &TestApp) -> Vec<SiteSummary> {
    app.steward.overviews().of_all_sites().await.unwrap()
}

async fn check(app: &TestApp) -> usize {
    overview::check_site(&app.steward.context, &app.site).await.unwrap().len()
}

fn server(overview: &SiteOverview) -> &ComponentFacts {
    overview.components.iter().find(|component| component.server.is_some()).unwrap()
}

/// The newest export of the server, or of the portal.
fn part(recoverable: &Recoverability, is_server: bool) -> RecoverablePart {
    recoverable.parts.iter().find(|part| part.server.is_some() == is_server).unwrap().clone()
}

/// Operations that failed or whose outcome is unknown, as the overview has them.
fn records(overview: &SiteOverview) -> Vec<(OperationKey, Outcome)> {
    let record = |concern: &Concern| match &concern.about {
        ConcernAbout::Record { entry, .. } => match entry.operation {
            HistoryKey::Operation(key) => Some((key, entry.outcome)),
            HistoryKey::Act(_) => None,
        },
        _ => None,
    };
    overview.concerns.iter().filter_map(record).collect()
}

fn answer(body: &str) -> Fault {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    Fault::Instead(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes())
}

#[tokio::test]
async fn a_failed_import_is_on_the_overview_until_a_later_one_succeeds() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    let failed = r#"{"status":"failed","result":[{"source":"Site","messages":["half of it is there"]}]}"#;
    let way = app.with_fault("/admin/importSite", answer(failed)).await;
    app.import_server(form("/a.agssite")).await.unwrap();

    let overview = shown(&app).await;
    assert_eq!(records(&overview), [(OperationKey::ImportServer, Outcome::Failed)]);
    assert_eq!(overview.concerns[0].tone, ConcernTone::Failed);
    assert_eq!(overview.concerns[0].server, app.server.server);
    let list = listed(&app).await;
    let worst = list[0].worst.as_ref().unwrap();
    assert!(matches!(&worst.about, ConcernAbout::Record { entry, .. } if entry.outcome == Outcome::Failed));

    let app = app.without_fault(way).restarted();
    assert_eq!(records(&shown(&app).await).len(), 1);
    app.import_server(form(&file)).await.unwrap();
    assert_eq!(records(&shown(&app).await), []);
}

#[tokio::test]
async fn a_failed_contact_update_is_on_the_overview_until_one_of_the_same_participant_succeeds() {
    let app = TestApp::new().await;
    let guests = guests(&app).await;
    let [first, second, ..] = &guests[..] else { panic!("two guests") };
    let rejected = r#"{"error":{"code":500,"message":"Unable to update.","details":[]}}"#;
    let way = app.with_fault("/updateInfo", answer(rejected)).await;
    app.update_participant(contact_of(first)).await.unwrap_err();

    let app = app.without_fault(way);
    app.update_participant(contact_of(second)).await.unwrap();
    assert_eq!(records(&shown(&app).await), [(OperationKey::UpdateParticipant, Outcome::Failed)]);
    app.update_participant(contact_of(first)).await.unwrap();
    assert_eq!(records(&shown(&app).await), []);
}

#[tokio::test]
async fn an_unknown_outcome_is_on_the_overview_until_it_is_set() {
    let app = TestApp::new().await;
    let way = app.with_fault("/admin/importSite", Fault::AnswerLost).await;
    app.import_server(form("/a.agssite")).await.unwrap_or_else(|problem| panic!("{problem:?}"));

    let app = app.without_fault(way);
    let overview = shown(&app).await;
    assert_eq!(records(&overview), [(OperationKey::ImportServer, Outcome::Unknown)]);
    let record = RecordId(app.history().await[0].id.clone());
    let context = &app.steward.context;
    outcome_check::resolve(context, record, Outcome::Failed, "looked").await.unwrap();
    assert_eq!(records(&shown(&app).await), []);
}

#[tokio::test]
async fn what_was_not_checked_is_not_known_and_not_called_well() {
    let app = TestApp::signed_out().await;

    let overview = shown(&app).await;

    assert_eq!((overview.concerns.len(), overview.checked_at, overview.is_checked), (0, None, false));
    assert_eq!(overview.components.len(), 2);
    for component in &overview.components {
        assert_eq!(component.version.checked_at, None);
        assert_eq!(component.services.value, None);
        assert_eq!(component.session.value, None);
    }
    let parts = &overview.recoverable.parts;
    assert!(parts.len() == 2 && parts.iter().all(|part| part.state == PartRecovery::Never), "{parts:?}");
    assert_eq!(check(&app).await, 0, "that nobody is signed in is no failure");
    let overview = shown(&app).await;
    assert_eq!(server(&overview).services.checked_at, None);
    assert_eq!(overview.concerns.len(), 0, "a site where nobody is signed in does not ask for it");
    assert!(listed(&app).await[0].worst.is_none());
}

#[tokio::test]
async fn what_was_checked_is_there_after_a_restart_and_without_a_session() {
    let app = TestApp::new().await;

    assert!(!shown(&app).await.is_checked, "a sign-in says nothing of the services");
    assert_eq!(check(&app).await, 0);

    let before = shown(&app).await;
    assert!(before.is_checked);
    let services = server(&before).services.value.clone().unwrap();
    assert!(services.should_run > 0);
    assert!(server(&before).version.value.is_some());
    assert_eq!(server(&before).session.value.as_ref().unwrap().username.as_deref(), Some("steward"));
    // The practice site has one that expires within a day.
    let is_invitation = |concern: &Concern| matches!(concern.about, ConcernAbout::Invitation { .. });
    let invitations = before.concerns.iter().filter(|concern| is_invitation(concern)).count();
    assert!(invitations > 0, "{:?}", before.concerns);
    leave(&app.steward.context, &app.site).await.unwrap();
    let app = app.restarted();

    let after = shown(&app).await;
    assert_eq!(server(&after).services, server(&before).services);
    assert_eq!(after.concerns.len(), before.concerns.len());
    assert_eq!(server(&after).session.value, None, "nobody is signed in any more");
    assert_eq!(listed(&app).await[0].checked_at, before.checked_at);
}

#[tokio::test]
async fn a_check_that_fails_leaves_the_earlier_fact_with_its_time() {
    let app = TestApp::new().await;
    let way = app.with_fault("/admin/services", Fault::Reset).await.sparing(MANY);
    assert_eq!(check(&app).await, 0);
    let before = server(&shown(&app).await).services.clone();
    let _way = way.sparing(0);

    assert_eq!(check(&app).await, 1);

    let after = server(&shown(&app).await).services.clone();
    assert_eq!((&after.value, after.checked_at), (&before.value, before.checked_at));
    assert!(before.failed_at.is_none() && after.failed_at.is_some());
    assert!(!shown(&app).await.is_checked);
}

#[tokio::test]
async fn services_that_do_not_run_after_an_import_are_on_the_overview() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    app.import_server(form(&file)).await.unwrap();

    let overview = shown(&app).await;

    let stopped = overview.concerns.iter().find_map(|concern| match &concern.about {
        ConcernAbout::Services { count, services, checked_at } => Some((*count, services, checked_at)),
        _ => None,
    });
    let (count, services, checked_at) = stopped.unwrap();
    assert_eq!(count as usize, services.len());
    assert!(checked_at.is_some() && !services[0].state.is_empty());
}

#[tokio::test]
async fn a_service_that_failed_stays_with_the_time_of_its_check_while_its_folder_is_not_listed() {
    let app = TestApp::new().await;
    let stopped = async || {
        let concerns = shown(&app).await.concerns;
        concerns.into_iter().find_map(|concern| match concern.about {
            ConcernAbout::Services { count, services, checked_at } => Some((count, services, checked_at)),
            _ => None,
        })
    };
    let refusal = answer(r#"{"status":"error","messages":["No."],"code":403}"#);
    let way = app.with_fault("/admin/services/Parcels", refusal).await.sparing(MANY);
    assert_eq!(check(&app).await, 0);
    let before = stopped().await.unwrap();
    assert_eq!(before.1[0].service, "Parcels/Zoning.MapServer");
    let way = way.sparing(0);

    check(&app).await;

    assert!(way.met() > 0);
    assert_eq!(stopped().await, Some(before), "nothing new is known of it");
}

#[tokio::test]
async fn a_server_where_nobody_is_signed_in_is_named_when_the_others_are_signed_in() {
    let app = TestApp::new().await;
    let saved = sites::view_of(&app.steward.context, &app.site).unwrap();
    let mut other = SiteForm::of("", "", "http://localhost:9/server").servers.remove(0);
    other.id = Some(ServerId("other".to_owned()));
    let form = SiteForm::of("City GIS", saved.portal.as_deref().unwrap(), "");
    let servers = saved.servers.into_iter().chain([other]).collect();
    sites::save(&app.steward.context, &SiteForm { id: Some(app.site.clone()), servers, ..form })
        .await
        .unwrap();

    check(&app).await;

    let overview = shown(&app).await;
    let named: Vec<_> = overview
        .concerns
        .iter()
        .filter(|concern| matches!(concern.about, ConcernAbout::NotSignedIn { .. }))
        .map(|concern| concern.server.clone().unwrap().0)
        .collect();
    assert_eq!(named, ["other"]);
    assert!(server(&overview).services.value.is_some(), "the others were checked");
}

#[tokio::test]
async fn deactivated_webhooks_are_on_the_overview_until_they_are_active_again() {
    let app = TestApp::new().await;
    deactivate(&app, &["Buffer.GPServer", "Hosted/Hydrants.FeatureServer"]).await.unwrap();

    let overview = shown(&app).await;
    let webhooks = |overview: &SiteOverview| {
        overview.concerns.iter().find_map(|concern| match &concern.about {
            ConcernAbout::Webhooks { services, why, .. } => Some((services.clone(), why.clone())),
            _ => None,
        })
    };
    let services = ["Buffer.GPServer", "Hosted/Hydrants.FeatureServer"].map(ToOwned::to_owned).to_vec();
    assert_eq!(webhooks(&overview), Some((services, "The receiver moves".to_owned())));

    for entry in entries(&app).await {
        let context = &app.steward.context;
        steward_core::webhooks::deactivation_log::resolve(context, &app.site, entry.id).await.unwrap();
    }
    assert_eq!(webhooks(&shown(&app).await), None);
}

#[tokio::test]
async fn an_archive_of_other_files_is_not_called_verified() {
    let app = TestApp::new().await;
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file("holiday/beach.jpg", SimpleFileOptions::default()).unwrap();
    archive.write_all(b"sand").unwrap();
    let archive = archive.finish().unwrap().into_inner();
    let length = archive.len();
    let head = format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n");
    let _other = app.with_fault("/download", Fault::Instead([head.as_bytes(), &archive].concat())).await;
    app.dialogs.will_choose(&app.folder("exported").join("city.agssite"));

    let ended = app.export_server(ExportServerForm { place: ServerExportDestination::ThisComputer }).await;

    let RunResult::Done { report, .. } = ended.unwrap() else { panic!("not done") };
    let verification = report.verification.unwrap();
    assert_eq!((verification.fault, verification.is_recognized), (None, false), "{verification:?}");
    let exports = server(&shown(&app).await).exports.clone().unwrap();
    assert_eq!(exports.verified, None);
    assert!(exports.partly_verified.is_some_and(|export| !export.is_recognized));
    let part = part(&listed(&app).await.remove(0).recoverable, true);
    assert_eq!(part.state, PartRecovery::NotVerified);
}

#[tokio::test]
async fn the_list_of_all_sites_and_the_overview_send_nothing() {
    let app = TestApp::new().await;
    check(&app).await;
    let way = FaultProxy::to(app.practice_address(), "", Fault::Reset).await.unwrap();
    app.go_through(&way.address());

    assert_eq!(listed(&app).await.len(), 1);
    shown(&app).await;

    assert_eq!(way.met(), 0);
}

/// Outcomes of all exports and whether each entry was verified, newest first.
async fn exports(app: &TestApp) -> Vec<(Outcome, Option<u32>)> {
    let made = app.history().await.into_iter().filter(|one| one.intent.operation.starts_with("export"));
    made.map(|one| (one.outcome, one.facts.unverified_entries)).collect()
}

#[tokio::test]
async fn a_safety_backup_is_not_the_last_export_of_a_server_on_any_page() {
    let app = TestApp::new().await;
    app.dialogs.will_choose(&app.folder("backups").join("city.agssite"));
    let secured = Some(SafetyBackupOptions { also_here: true });
    app.import_server(ImportServerForm { safety_backup: secured, ..form("/nowhere/a.agssite") })
        .await
        .unwrap_err();
    assert_eq!(exports(&app).await, [(Outcome::Succeeded, Some(0))]);

    let overview = shown(&app).await;
    let of_server = server(&overview);
    assert_eq!(of_server.exports.clone().unwrap().verified, None);
    assert_eq!(part(&overview.recoverable, true).state, PartRecovery::Never);
    assert_eq!(listed(&app).await.remove(0).recoverable, overview.recoverable);

    exported(&app).await;
    assert!(part(&shown(&app).await.recoverable, true).at.is_some());
}

#[tokio::test]
async fn a_safety_backup_is_not_the_last_export_of_a_portal() {
    let app = TestApp::new().await;
    let file = exported_portal(&app).await;
    let last = async || part(&shown(&app).await.recoverable, false).at;
    let before = last().await;
    assert!(before.is_some());

    app.import_portal(secured(&app, &file)).await.unwrap();

    assert_eq!(exports(&app).await.len(), 2, "the export, and the safety backup after it");
    assert_eq!(last().await, before);
}

#[tokio::test]
async fn a_check_of_a_site_that_is_removed_meanwhile_leaves_nothing_of_it() {
    for at in ["GET /server/admin/services", "GET /portal/sharing/rest/portals/self?"] {
        let app = TestApp::new().await;
        let gate = Arc::new(Notify::new());
        let way = app.with_fault(at, Fault::HeldUntil(gate.clone())).await;
        let removing = async {
            until("the check waits", async || way.met() > 0).await;
            sites::remove(&app.steward.context, &app.site, "").await.unwrap();
            loop {
                gate.notify_one();
                tokio::task::yield_now().await;
            }
        };

        tokio::select! {
            _ = overview::check_site(&app.steward.context, &app.site) => {}
            () = removing => unreachable!("it goes on"),
        }

        let kept =
            std::fs::read_to_string(app.steward.data_folder.join("checked-facts.json")).unwrap_or_default();
        assert!(!kept.contains(&app.site.0), "{at}: {kept}");
    }
}

/// What the list of all sites says of the site: what is worst, and whether nothing is overlooked.
async fn is_well(app: &TestApp) -> (bool, bool) {
    let site = listed(app).await.remove(0);
    (site.worst.is_none(), site.is_checked)
}

#[tokio::test]
async fn a_site_of_which_services_or_invitations_were_not_returned_is_not_called_well() {
    let mut app = TestApp::new().await;
    let no_states = r#"{"reports":[{"serviceName":"Buffer","type":"GPServer","status":{}}]}"#;
    for (at, body) in [
        ("/admin/services?", r#"{"services":null}"#),
        ("/admin/services?", r#"{"folders":null,"services":[]}"#),
        ("/admin/services/Hosted?", "{}"),
        ("/admin/services/report", no_states),
        ("/collaborations?", r#"{"collaborations":null}"#),
        ("/invitations?", r#"{"error":{"code":403,"message":"No.","details":[]}}"#),
        ("/invitations?", r#"{"collaborationInvitations":[],"total":3}"#),
    ] {
        let way = app.with_fault(at, answer(body)).await;
        check(&app).await;
        assert!(!is_well(&app).await.1, "{at} {body}");
        assert!(!shown(&app).await.is_checked, "{at} {body}");
        app = app.without_fault(way);
    }
    check(&app).await;
    assert!(is_well(&app).await.1);
}

#[tokio::test]
async fn the_invitations_from_before_a_portal_import_are_no_facts_after_it() {
    let app = TestApp::new().await;
    let file = exported_portal(&app).await;
    let invitation = crate::refresh_invitation::invitation(&app).await;
    // The refreshed one expires soon, too.
    let soon = Millis::now().0 + 5 * 60 * 60 * 1000;
    let body = format!(r#"{{"id":"{}","expiration":{soon}}}"#, invitation.id);
    let way = app.with_fault(&format!("/invitations/{}?", invitation.id), answer(&body)).await;
    check(&app).await;
    app.refresh_invitation(crate::refresh_invitation::form(&invitation)).await.unwrap();
    assert_eq!(way.met(), 1);
    let told = async || {
        let overview = shown(&app).await;
        let is_invitation = |one: &&Concern| matches!(one.about, ConcernAbout::Invitation { .. });
        let expires = overview.expires.iter();
        let listed = expires.filter(|one| matches!(one.what, Expiring::Invitation { .. })).count();
        (overview.concerns.iter().filter(is_invitation).count(), listed, overview.is_checked)
    };
    let before = told().await;
    assert!(before.0 > 0 && before.2, "{before:?}");

    let rejected = crate::import_portal::form("/nowhere/a.portalsite");
    assert!(app.import_portal(rejected).await.is_err());
    assert_eq!(told().await.0, before.0, "a portal that rejects an import keeps its invitations");
    app.import_portal(crate::import_portal::form(&file)).await.unwrap();

    assert_eq!(told().await, (0, 0, false));
}

#[tokio::test]
async fn an_expired_invitation_needs_attention_only_as_long_as_it_can_be_refreshed() {
    let app = TestApp::new().await;
    let day = 24 * 60 * 60 * 1000;
    let yesterday = Millis::now().0 - day;
    let mut wrong = Vec::new();
    for (status, expiration, is_told) in [
        ("host_created", yesterday, true),
        // In seconds.
        ("host_created", yesterday / 1000, true),
        ("", yesterday, true),
        ("expired", yesterday, true),
        ("accepted", yesterday, false),
        ("guest_accepted", yesterday, false),
        ("Invalidated", yesterday, false),
    ] {
        let invitation = format!(r#"{{"id":"i1","status":"{status}","expiration":{expiration}}}"#);
        let body = format!(r#"{{"collaborationInvitations":[{invitation}],"nextStart":-1}}"#);
        let _way = app.with_fault("/invitations?", answer(&body)).await;
        check(&app).await;

        let overview = shown(&app).await;
        let ends: Vec<_> = overview
            .concerns
            .iter()
            .filter_map(|concern| match concern.about {
                ConcernAbout::Invitation { expires_at, .. } => Some(expires_at.0),
                _ => None,
            })
            .collect();

        let is_right = ends.iter().all(|end| (end - yesterday).abs() < day / 24);
        if ends.is_empty() == is_told || !is_right {
            wrong.push((status, expiration, ends));
        }
    }
    assert_eq!(wrong, []);
}

#[tokio::test]
async fn an_export_that_was_found_changed_or_gone_is_not_called_verified_on_any_page() {
    let app = TestApp::new().await;
    let path = app.folder("exported").join("city.agssite");
    app.dialogs.will_choose(&path);
    let exported = app.export_server(ExportServerForm { place: ServerExportDestination::ThisComputer }).await;
    let RunResult::Done { record: Some(record), .. } = exported.unwrap() else { panic!("not exported") };
    let verified = async || {
        let on_page = server(&shown(&app).await).exports.clone().unwrap().verified;
        let part = part(&listed(&app).await.remove(0).recoverable, true);
        let is_verified = matches!(part.state, PartRecovery::Verified | PartRecovery::VersionNotKnown);
        assert_eq!(part.at.filter(|_| is_verified), on_page);
        on_page
    };
    let verify = async || {
        let Steward { context, dialogs, data_folder, .. } = &app.steward;
        recorded_export::verify_recorded_export(
            context,
            dialogs,
            data_folder,
            &app.site,
            app.run(),
            record.clone(),
        )
        .await
        .unwrap();
    };
    let before = verified().await;
    assert!(before.is_some());
    let whole = std::fs::read(&path).unwrap();

    let mut changed = whole.clone();
    changed[600] ^= 1;
    std::fs::write(&path, changed).unwrap();
    assert_eq!(verified().await, before, "nobody looked yet");
    verify().await;
    assert_eq!(verified().await, None);

    // The file comes back from a copy.
    std::fs::write(&path, &whole).unwrap();
    verify().await;
    assert_eq!(verified().await, before);

    std::fs::remove_file(&path).unwrap();
    verify().await;
    assert_eq!(verified().await, None);
    assert_eq!(app.history().await.len(), 1, "a verification has no record of its own");
}

#[tokio::test]
async fn webhooks_might_be_active_again_after_an_import_without_a_response() {
    let app = TestApp::new().await;
    check(&app).await;
    deactivate(&app, &["Buffer.GPServer"]).await.unwrap();
    let told = async |app: &TestApp| {
        let about = shown(app).await.concerns.into_iter().find_map(|concern| match concern.about {
            ConcernAbout::Webhooks { is_uncertain, checked_at, .. } => Some((is_uncertain, checked_at)),
            _ => None,
        });
        about.unwrap()
    };
    assert_eq!(told(&app).await, (false, None), "the comparison was made before the deactivation");

    let way = app.with_fault("/admin/importSite", Fault::AnswerLost).await;
    app.import_server(form("/a.agssite")).await.unwrap();
    assert!(told(&app).await.0);

    let app = app.without_fault(way);
    check(&app).await;
    let (is_uncertain, checked_at) = told(&app).await;
    assert!(!is_uncertain && checked_at.is_some(), "compared since");
}

#[tokio::test]
async fn webhooks_might_be_active_again_after_an_import_during_which_the_program_ended() {
    let app = TestApp::new().await;
    check(&app).await;
    deactivate(&app, &["Buffer.GPServer"]).await.unwrap();
    let is_uncertain = async |app: &TestApp| {
        let about = shown(app).await.concerns.into_iter().find_map(|concern| match concern.about {
            ConcernAbout::Webhooks { is_uncertain, .. } => Some(is_uncertain),
            _ => None,
        });
        about.unwrap()
    };
    assert!(!is_uncertain(&app).await);
    let intent = Intent {
        site: app.site.0.clone(),
        server: app.server.server.clone().unwrap().0,
        ..intent_of(OperationKey::ImportServer.name())
    };
    let history = &app.steward.context.history;
    history.journal(move |journal| journal.intend(&intent)).await.unwrap();

    let app = app.restarted();

    assert!(is_uncertain(&app).await);
}

#[tokio::test]
async fn the_webhooks_of_a_removed_server_are_not_told_as_those_of_the_site() {
    let app = TestApp::new().await;
    deactivate(&app, &["Buffer.GPServer"]).await.unwrap();
    let are_told = async || {
        let concerns = shown(&app).await.concerns;
        concerns.iter().any(|concern| matches!(concern.about, ConcernAbout::Webhooks { .. }))
    };
    assert!(are_told().await);
    let view = sites::view_of(&app.steward.context, &app.site).unwrap();
    let address = "https://gis.example.org/image".to_owned();
    let other = ServerForm { id: None, name: "Other".to_owned(), address, ..view.servers[0].clone() };
    let form = SiteForm::of("City GIS", view.portal.as_deref().unwrap(), "");
    let form = SiteForm { id: Some(app.site.clone()), servers: vec![other], ..form };

    sites::save(&app.steward.context, &form).await.unwrap();

    assert!(!are_told().await);
}

#[tokio::test]
async fn a_server_that_is_removed_and_added_again_is_the_same_one() {
    let app = TestApp::new().await;
    let save = async |servers: Vec<ServerForm>| {
        let view = sites::view_of(&app.steward.context, &app.site).unwrap();
        let form = SiteForm::of("City GIS", view.portal.as_deref().unwrap(), "");
        let form = SiteForm { id: Some(app.site.clone()), servers, ..form };
        sites::save(&app.steward.context, &form).await.unwrap().servers
    };
    let first = sites::view_of(&app.steward.context, &app.site).unwrap().servers.remove(0);
    let added = |address: &str| ServerForm {
        id: None,
        name: address.to_owned(),
        address: address.to_owned(),
        ..first.clone()
    };
    let [image, moved] = ["https://gis.example.org/image", "https://gis.example.org/moved"];

    let second = save(vec![first.clone(), added(image)]).await.remove(1);
    save(vec![first.clone()]).await;
    let again = save(vec![first.clone(), added("https://GIS.example.org/image/")]).await.remove(1);
    assert_eq!(again.id, second.id);

    // One that has moved keeps its identifier, and another one at its earlier URL gets a new one.
    let at = ServerForm { address: moved.to_owned(), ..again };
    let three = save(vec![added(image), first.clone(), at]).await;
    assert_eq!(three[2].id, second.id);
    assert_ne!(three[0].id, second.id);
}
