//! The practice site that the program carries: its mishaps, its reset, and the guided lap.

use std::collections::BTreeSet;
use std::path::Path;

use site_steward::fault_injection::{FaultRule, FaultTarget, FaultedRequest, InjectedFault, active, add};
use site_steward::practice::{
    Practice, PracticeView, accept_site_files, damage_set, enter, password_of, reset, simulate_changes,
    start, start_test,
};
use steward_app::overview::check_site;
use steward_app::steward::Steward;
use steward_client::listing;
use steward_core::actions::sign_in::sign_in_as;
use steward_core::actions::sites::save;
use steward_core::changes::view::{Compared, Side};
use steward_core::changes::{self, Cause, Kind, Substitution};
use steward_core::expiry::of_site;
use steward_core::history::guided_tour::{GuidedTourStep, checked_whole_site, found_expiring, saw_at, view};
use steward_core::inventory::service_check::check_services;
use steward_core::listings::invitations;
use steward_core::model::deployment::Environment;
use steward_core::model::export_outcome::ExportOutcome;
use steward_core::model::ids::{RecordId, SiteId, Target};
use steward_core::model::import_report::ImportReport;
use steward_core::model::numbers::Millis;
use steward_core::model::operation::OperationKey;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::model::saved_file::SaveResult;
use steward_core::operations::deactivate_webhooks::{self, DeactivateWebhooksForm};
use steward_core::operations::export_portal::{self, ExportPortalForm, PortalExportDestination};
use steward_core::operations::export_server::{self, ExportServerForm, ServerExportDestination};
use steward_core::operations::find_items::item_search::rows::details;
use steward_core::operations::find_items::item_search::{ItemColumn, ItemQuery};
use steward_core::operations::find_items::{self, FindItemsForm};
use steward_core::operations::import_portal::proof::check_again;
use steward_core::operations::import_portal::{self, ImportPortalForm};
use steward_core::operations::import_server::{self, ImportServerForm, ImportServerOptions};
use steward_core::operations::refresh_invitation::{self, RefreshInvitationForm, save_kept};
use steward_core::runs::RunStep;
use steward_core::sites::{Site, SiteForm};
use steward_plans::attempt;
use steward_plans::plan::{BackupPlan, PlanId, PlanPart};
use steward_plans::retention::KeepRules;
use steward_plans::schedule::Schedule;
use steward_plans::store;
use steward_vault::Secret;

use crate::test_app::TestApp;

fn practice_site() -> SiteId {
    SiteId("practice".to_owned())
}

/// The program, with its practice site running and its administrator signed in there.
async fn begun() -> (TestApp, Practice, PracticeView) {
    let app = TestApp::signed_out().await;
    let practice = Practice::default();
    let view = start(&app.steward, &practice).await.unwrap();
    enter(&app.steward, &practice, administrator(&view)).await.unwrap();
    (app, practice, view)
}

fn administrator(view: &PracticeView) -> &str {
    &view.users.iter().find(|user| user.role == "administrator").unwrap().username
}

fn to(folder: &Path) -> ExportPortalForm {
    let target = PortalExportDestination::Folder { location: folder.display().to_string() };
    ExportPortalForm { target, check_only: false }
}

#[tokio::test]
async fn a_renewed_certificate_of_the_practice_site_is_trusted_at_its_next_start() {
    let (app, practice, view) = begun().await;
    let certificate = Path::new(&view.data_folder).join("certificate");
    let authority = std::fs::read(certificate.join("ca.pem")).unwrap();
    drop(practice);
    // Like one that has expired, it is replaced at the next start.
    std::fs::write(certificate.join("server.pem"), "").unwrap();
    let practice = Practice::default();
    let view = start(&app.steward, &practice).await.unwrap();
    enter(&app.steward, &practice, administrator(&view)).await.unwrap();
    assert_ne!(std::fs::read(certificate.join("ca.pem")).unwrap(), authority);
}

#[tokio::test]
async fn the_practice_site_has_the_name_of_the_language_of_its_first_start() {
    let app = TestApp::signed_out().await;
    app.steward.language.speak("de");
    let practice = Practice::default();
    let first = start(&app.steward, &practice).await.unwrap();
    practice.stop().await;
    app.steward.language.speak("es");
    let second = start(&app.steward, &practice).await.unwrap();
    assert_eq!([first.site.name, second.site.name], ["Übung", "Übung"]);
}

#[tokio::test]
async fn the_practice_site_has_two_servers_that_have_names_and_content_of_their_own() {
    let (app, _practice, view) = begun().await;
    let saved = app.steward.context.access.sites.get(&view.site.id).unwrap();

    let named: Vec<_> =
        saved.servers.iter().map(|server| (server.id.0.as_str(), server.name.as_str())).collect();
    assert_eq!(named, [("server", "gisapp01"), ("server2", "gisapp02")]);
    let mut counts = Vec::new();
    for server in &saved.servers {
        let target = Target { site: view.site.id.clone(), server: Some(server.id.clone()) };
        counts.push(check_services(&app.steward.context.access, &target).await.unwrap().services);
    }
    assert_eq!(counts, [16, 6]);
}

#[tokio::test]
async fn the_servers_of_the_practice_site_accept_exports_once_they_are_told_to() {
    let (app, practice, view) = begun().await;
    assert!(!view.accepts_site_files, "as a real server");

    let view = accept_site_files(&app.steward, &practice, true).await.unwrap();

    assert!(view.accepts_site_files);
    let view = reset(&app.steward, &practice).await.unwrap();
    assert!(!view.accepts_site_files);
    practice.stop().await;
    assert!(accept_site_files(&app.steward, &practice, true).await.is_err());
}

#[tokio::test]
async fn a_second_practice_site_is_marked_as_test_and_has_content_and_faults_of_its_own() {
    let (app, practice, view) = begun().await;
    let session = start_test(&app.steward, &practice).await.unwrap();
    let sites = &app.steward.context.access.sites;
    let [first, test] = [&view.site.id, &session.site].map(|id| sites.get(id).unwrap());
    assert_eq!((test.environment, test.servers.len()), (Environment::Test, 2));
    assert!(test.name != first.name && test.portal != first.portal, "{} at {:?}", test.name, test.portal);
    let hosts =
        |site: &Site| site.addresses().map(|url| url.host_str().unwrap().to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(
        [hosts(&first), hosts(&test)],
        ["127.0.0.1", "localhost"].map(|host| [host.to_owned()].into())
    );

    let of_test = |on_test| FaultRule {
        on_test,
        ..order(InjectedFault::IndexLags, FaultTarget::Operation(OperationKey::ImportPortal))
    };
    add(&app.steward.tour, &practice, of_test(false)).await.unwrap();
    let both = add(&app.steward.tour, &practice, of_test(true)).await.unwrap();
    assert_eq!(both, [of_test(false), of_test(true)]);

    // It is the same one after it was stopped, and a reset of the first one leaves it alone.
    practice.stop().await;
    assert!(!practice.is_running());
    start(&app.steward, &practice).await.unwrap();
    start_test(&app.steward, &practice).await.unwrap();
    reset(&app.steward, &practice).await.unwrap();
    let again = start_test(&app.steward, &practice).await.unwrap();
    assert_eq!((again.site, again.username), (session.site, session.username));
}

#[tokio::test]
async fn one_byte_of_the_newest_set_of_the_practice_site_is_changed_to_rehearse_a_damaged_backup() {
    let (app, _practice, _view) = begun().await;
    assert_eq!(damage_set(&app.steward).await.unwrap(), None, "there is no set");
    let site = app.steward.context.access.sites.get(&practice_site()).unwrap();
    let plan = BackupPlan {
        site: site.id.clone(),
        id: PlanId("nightly".to_owned()),
        name: "Nightly".to_owned(),
        is_enabled: true,
        since: Millis::now(),
        enabled_since: Millis(0),
        parts: vec![PlanPart::Server { server: site.current_target().server.unwrap() }],
        schedule: Schedule { days: Vec::new(), times: Vec::new(), skip_missed: false },
        folder: app.folder("sets"),
        delete_stored: false,
        keep: KeepRules::default(),
        rehearse_every: None,
        tells_changes: false,
        paused: None,
        alerts: Vec::new(),
    };
    store::plans(&app.steward.data_folder).change(|plans| *plans = vec![plan.clone()]);
    let app = app.restarted();
    let (_stop, stopped) = tokio::sync::watch::channel(false);
    let Steward { context, transfers, .. } = &app.steward;
    let stored = attempt::run(context, transfers, &plan, None, &stopped).await.unwrap();
    let file = stored.set.parts[0].files.iter().find(|file| file.name.ends_with(".agssite")).unwrap();
    let path = stored.folder.join(&file.name);
    let before = std::fs::read(&path).unwrap();

    let changed = damage_set(&app.steward).await.unwrap();

    assert_eq!(changed, Some(path.display().to_string()));
    let after = std::fs::read(&path).unwrap();
    assert_eq!(before.len(), after.len());
    assert_eq!(before.iter().zip(&after).filter(|(one, other)| one != other).count(), 1);
}

#[tokio::test]
async fn the_practice_site_keeps_its_address_while_the_port_is_free() {
    let (app, practice, first) = begun().await;
    practice.stop().await;
    let app = app.restarted();
    let second = start(&app.steward, &practice).await.unwrap();
    assert_eq!((&second.site.portal, &second.site.server), (&first.site.portal, &first.site.server));

    practice.stop().await;
    let host = second.site.portal.as_deref().unwrap().split('/').nth(2).unwrap();
    let _another_program = std::net::TcpListener::bind(host).unwrap();
    let third = start(&app.steward, &practice).await.unwrap();

    assert_ne!(third.site.portal, second.site.portal);
    enter(&app.steward, &practice, administrator(&third)).await.unwrap();
}

const fn order(fault: InjectedFault, target: FaultTarget) -> FaultRule {
    FaultRule { fault, target, times: 1, seconds: 60, after: false, on_test: false }
}

fn below(path: &str) -> FindItemsForm {
    FindItemsForm {
        parent_path: path.to_owned(),
        ancestor_path: String::new(),
        types: String::new(),
        id: String::new(),
        is_managed: None,
    }
}

async fn find(app: &TestApp, path: &str) -> Result<(), Problem> {
    find_items::perform(
        &app.steward.context,
        &app.steward.item_searches,
        &app.server_of(&practice_site()),
        app.run(),
        below(path),
        find_items::FirstRows::default(),
    )
    .await
    .map(drop)
}

/// Opens what was found last under this name.
async fn look_at(app: &TestApp, name: &str) {
    let search = app.steward.item_searches.last(&app.server_of(&practice_site())).unwrap();
    let query =
        ItemQuery { column: ItemColumn::Name, descending: false, filter: name.to_owned(), r#type: None };
    let place = search.rows(&query, 0, 1).rows[0].item;
    details(
        &app.steward.item_searches,
        &app.steward.context.history,
        &app.steward.tour,
        &app.server_of(&practice_site()),
        search.id(),
        place,
    )
    .await
    .unwrap();
}

async fn import(app: &TestApp, view: &PracticeView) -> (RecordId, ImportReport) {
    let place = ServerExportDestination::ServerFolder { location: view.export_folder.clone() };
    let site = practice_site();
    let ended = export_server::perform(
        &app.steward.context,
        &app.steward.transfers,
        &app.server_of(&site),
        app.run(),
        ExportServerForm { place },
    )
    .await;
    assert!(matches!(ended, Ok(RunResult::Done { .. })), "{ended:?}");
    let location = app.history().await.remove(0).note;
    let form = ImportServerForm {
        location,
        confirmation: String::new(),
        safety_backup: None,
        deactivate_webhooks: None,
        options: ImportServerOptions::default(),
    };
    match import_server::perform(
        &app.steward.context,
        &app.steward.transfers,
        &app.server_of(&site),
        app.run(),
        form,
    )
    .await
    .unwrap()
    {
        RunResult::Done { report, record: Some(record), .. } => (record, report),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_ordered_mishap_is_listed_until_it_has_happened() {
    let (app, practice, _) = begun().await;
    let expired =
        FaultRule { times: 2, ..order(InjectedFault::Html, FaultTarget::Operation(OperationKey::FindItems)) };

    assert_eq!(add(&app.steward.tour, &practice, expired).await.unwrap(), [expired]);
    let refused = find(&app, "/fileShares").await;
    assert!(matches!(refused, Err(Problem::Unreadable { .. })), "{refused:?}");
    assert_eq!(active(&practice).await, [FaultRule { times: 1, ..expired }]);
    find(&app, "/fileShares").await.unwrap_err();

    assert!(active(&practice).await.is_empty());
    find(&app, "/fileShares").await.unwrap();
}

#[tokio::test]
async fn a_mishap_that_cannot_happen_is_not_ordered_and_none_on_a_site_that_does_not_run() {
    let (app, practice, _) = begun().await;
    let nonsense = order(InjectedFault::UnwritableFolder, FaultTarget::Operation(OperationKey::FindItems));

    assert!(add(&app.steward.tour, &practice, nonsense).await.unwrap().is_empty());
    let nobody = add(&app.steward.tour, &Practice::default(), nonsense).await;
    assert!(matches!(nobody, Err(Problem::Unexpected { .. })), "{nobody:?}");
}

#[tokio::test]
async fn a_reset_site_is_as_it_was_at_first_and_wants_a_new_sign_in() {
    let (app, practice, view) = begun().await;
    let site = practice_site();
    let form = DeactivateWebhooksForm {
        services: vec!["Hosted/Hydrants.FeatureServer".to_owned()],
        why: String::new(),
        confirmation: String::new(),
    };
    deactivate_webhooks::perform(&app.steward.context, &app.server_of(&site), app.run(), form).await.unwrap();
    add(
        &app.steward.tour,
        &practice,
        order(InjectedFault::Html, FaultTarget::Operation(OperationKey::FindItems)),
    )
    .await
    .unwrap();
    let saved = app.sites().get(&site).unwrap();
    let running = app.steward.context.runs.begin(
        app.run(),
        &app.current(&saved),
        export_portal::OPERATION.key,
        None,
        RunStep::Waiting,
    );
    let busy = reset(&app.steward, &practice).await;
    assert!(matches!(busy, Err(Problem::Busy { .. })), "{busy:?}");
    drop(running);
    let twin = SiteForm::of("The same", "", saved.current_server().unwrap().address.as_str());
    let twin = app.sites().save(&twin).unwrap();
    let running = app.steward.context.runs.begin(
        app.run(),
        &app.current(&twin),
        OperationKey::ImportServer,
        None,
        RunStep::Waiting,
    );
    let busy = reset(&app.steward, &practice).await;
    assert!(matches!(busy, Err(Problem::Busy { .. })), "under another name: {busy:?}");
    drop(running);

    let again = reset(&app.steward, &practice).await.unwrap();

    assert!(active(&practice).await.is_empty());
    let signed_out = find(&app, "/fileShares").await;
    assert!(matches!(signed_out, Err(Problem::SignIn { .. })), "{signed_out:?}");
    enter(&app.steward, &practice, administrator(&again)).await.unwrap();
    let server =
        app.steward.context.access.server(&app.sites().at(&app.server_of(&site)).unwrap()).await.unwrap();
    let services = listing::services(&server).await.unwrap();
    let hydrants = services.iter().find(|service| service.name == "Hydrants").unwrap();
    assert!(hydrants.webhooks.iter().flatten().any(|webhook| webhook.active == Some(true)), "{hydrants:?}");
    let ledger = app.steward.context.history.journal(|journal| journal.deactivations(None)).await.unwrap();
    assert!(ledger.iter().all(|entry| entry.resolved_at.is_some()), "{ledger:?}");
    assert_eq!(app.history().await.len(), 1, "what was done was done");
    assert_eq!(again.export_folder, view.export_folder);
}

#[tokio::test]
async fn its_address_and_a_revealed_password_open_it_like_any_other_site() {
    let (app, practice, view) = begun().await;
    let (portal, server) = (view.site.portal.as_deref().unwrap(), view.site.server.as_deref().unwrap());
    let mut pasted = SiteForm::of("Added by its address", portal, server);
    pasted.connection.ca_certificate = view.site.connection.ca_certificate.clone();
    let pasted = app.sites().save(&pasted).unwrap().id;
    let who = administrator(&view);

    let password = password_of(&practice, who).await.unwrap();

    sign_in_as(&app.steward.context, &pasted, who, &password).await.unwrap();
    let nobody = password_of(&practice, "nobody").await;
    assert!(matches!(nobody, Err(Problem::Unexpected { .. })), "{nobody:?}");
    let stopped = password_of(&Practice::default(), who).await;
    assert!(matches!(stopped, Err(Problem::Unexpected { .. })), "{stopped:?}");
}

#[tokio::test]
async fn it_stays_a_practice_site_when_its_address_is_added_as_that_of_a_production_site() {
    let (app, _practice, view) = begun().await;
    let (portal, server) = (view.site.portal.as_deref().unwrap(), view.site.server.as_deref().unwrap());
    let context = &app.steward.context;
    let environment = || app.sites().get(&practice_site()).unwrap().environment;
    let pasted = SiteForm::of("Added by its address", portal, server);

    save(context, &SiteForm { environment: Environment::Production, ..pasted.clone() }).await.unwrap();

    assert_eq!(environment(), Environment::Practice);
    let own = SiteForm { id: Some(practice_site()), name: "Practice".to_owned(), ..pasted };
    save(context, &SiteForm { environment: Environment::Production, ..own }).await.unwrap();
    assert_eq!(environment(), Environment::Practice, "also by its own form, and no reason is asked for");
}

#[tokio::test]
async fn its_certificate_has_the_fingerprint_that_is_shown_to_be_compared() {
    let (app, _practice, view) = begun().await;
    let (portal, server) = (view.site.portal.as_deref().unwrap(), view.site.server.as_deref().unwrap());
    let pasted = app.sites().save(&SiteForm::of("Added by its address", portal, server)).unwrap().id;

    let refused =
        sign_in_as(&app.steward.context, &pasted, administrator(&view), &Secret::new("secret".to_owned()))
            .await;

    let Err(Problem::Certificate { certificate, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!(Some(certificate.fingerprint), view.fingerprint);
}

async fn done(app: &TestApp) -> Vec<GuidedTourStep> {
    let lap = view(&app.steward.tour, &app.steward.context.history).await.unwrap();
    lap.steps.into_iter().filter(|step| step.done).map(|step| step.step).collect()
}

#[tokio::test]
async fn the_lap_sees_by_itself_what_was_done() {
    let (app, practice, there) = begun().await;
    assert!(
        view(&app.steward.tour, &app.steward.context.history).await.unwrap().begun.is_some(),
        "whoever is here first is shown around"
    );
    assert_eq!(done(&app).await, []);
    let site = practice_site();

    // Nothing was imported yet: what is found now is not looked for.
    find(&app, "/fileShares").await.unwrap();
    look_at(&app, "zoning").await;
    // Elsewhere is no practice.
    app.sign_in("administrator").await.unwrap();
    app.export_portal(to(&app.folder("a"))).await.unwrap();
    assert_eq!(done(&app).await, []);

    let here = to(std::path::Path::new(&there.export_folder));
    export_portal::perform(&app.steward.context, &site, app.run(), here).await.unwrap();
    use GuidedTourStep::{AddFault, ExportPortal, ExportServer, FindItem, ImportServer, SaveAuditPackage};
    import(&app, &there).await;
    assert_eq!(done(&app).await, [ExportPortal, ExportServer], "no fault was added to this import");
    let nonsense = order(InjectedFault::UnwritableFolder, FaultTarget::Operation(OperationKey::FindItems));
    add(&app.steward.tour, &practice, nonsense).await.unwrap();
    assert_eq!(done(&app).await, [ExportPortal, ExportServer], "it cannot happen, and was not added");
    let slow = FaultRule {
        seconds: 1,
        ..order(InjectedFault::Delay, FaultTarget::Operation(OperationKey::ImportServer))
    };
    add(&app.steward.tour, &practice, slow).await.unwrap();
    assert_eq!(done(&app).await, [ExportPortal, ExportServer, AddFault]);
    let (record, report) = import(&app, &there).await;
    assert_eq!(report.counts.failed_services, 1, "Parcels/Zoning has no data, without any fault");
    assert_eq!(done(&app).await, [ExportPortal, ExportServer, AddFault, ImportServer]);

    let everything = FindItemsForm { ancestor_path: "/".to_owned(), ..below("") };
    find_items::perform(
        &app.steward.context,
        &app.steward.item_searches,
        &app.server_of(&site),
        app.run(),
        everything,
        find_items::FirstRows::default(),
    )
    .await
    .unwrap();
    assert!(!done(&app).await.contains(&FindItem), "who has everything before them has found nothing yet");
    look_at(&app, "cadastre").await;
    look_at(&app, "plans").await;
    assert!(!done(&app).await.contains(&FindItem), "no service misses the data of these");
    find(&app, "/fileShares").await.unwrap();
    look_at(&app, "zoning").await;
    app.dialogs.will_choose(&app.folder("saved").join("evidence.zip"));
    app.save_audit_package(record).await.unwrap();
    let all = [ExportPortal, ExportServer, AddFault, ImportServer, FindItem, SaveAuditPackage];
    assert_eq!(done(&app).await, all);

    app.steward.tour.fold(true);
    let app = app.restarted();
    assert_eq!(done(&app).await, all, "a restart does not send anybody back");
    assert!(view(&app.steward.tour, &app.steward.context.history).await.unwrap().folded);
    app.steward.tour.begin();
    assert_eq!(done(&app).await, []);
    app.steward.tour.end();
    assert_eq!(view(&app.steward.tour, &app.steward.context.history).await.unwrap().begun, None);
}

#[tokio::test]
async fn a_refreshed_invitation_is_behind_whoever_is_on_the_lap_once_its_file_is_saved() {
    let (app, _practice, _) = begun().await;
    let site = practice_site();
    let invitation = invitations(&app.steward.context.access, &site).await.unwrap().remove(0);
    let form = RefreshInvitationForm {
        collaboration_id: invitation.collaboration_id,
        invitation_id: invitation.invitation_id,
    };
    let ended = refresh_invitation::perform(
        &app.steward.context,
        &app.steward.invitation_files,
        &site,
        app.run(),
        form,
    )
    .await
    .unwrap();
    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    assert_eq!(report.saving, SaveResult::Dismissed);
    assert_eq!(done(&app).await, [], "nobody has its file yet");

    app.dialogs.will_choose(&app.folder("saved").join("guest.invite"));
    let saving = save_kept(&app.steward.invitation_files, &report.kept).await.unwrap();

    assert!(matches!(saving, SaveResult::Saved { .. }), "{saving:?}");
    assert_eq!(done(&app).await, [GuidedTourStep::RefreshInvitation]);
}

#[tokio::test]
async fn the_optional_chapter_sees_the_import_of_the_portal_its_count_and_its_undo() {
    use GuidedTourStep::{
        AcceptChange, BeginRehearsal, CheckPortal, CheckWholeSite, CompareSites, EndRehearsal, ExportPortal,
        FindChange, FindExpiring, ImportPortal, PutBack, SeeRecoverable, SimulateChanges, TakeSnapshot,
        UndoPortalImport,
    };
    let (app, practice, there) = begun().await;
    let (site, context) = (practice_site(), &app.steward.context);
    let here = to(Path::new(&there.export_folder));
    let exported = export_portal::perform(context, &site, app.run(), here).await;
    let Ok(RunResult::Done { report, .. }) = exported else { panic!("{exported:?}") };
    let ExportOutcome::Written { location, .. } = report.outcome else { panic!("{report:?}") };
    let form = ImportPortalForm {
        location,
        export_version: None,
        safety_backup: Some(there.export_folder.clone()),
        confirmation: String::new(),
        check_only: false,
        store: None,
    };
    let imported = import_portal::perform(context, &site, app.run(), form).await;
    let Ok(RunResult::Done { record: Some(import), .. }) = imported else { panic!("{imported:?}") };
    assert_eq!(done(&app).await, [ExportPortal, ImportPortal]);

    enter(&app.steward, &practice, administrator(&there)).await.unwrap();
    check_again(&context.access, &context.history, &site, import.clone()).await.unwrap();
    assert_eq!(done(&app).await, [ExportPortal, ImportPortal, CheckPortal]);

    app.steward.proofs.check_due(context).await;
    checked_whole_site(&app.steward.tour, &app.steward.proofs.check_again(context, &site).unwrap());
    assert_eq!(done(&app).await, [ExportPortal, ImportPortal, CheckPortal, CheckWholeSite]);

    import_portal::undo(context, &site, app.run(), import, "", None).await.unwrap();
    assert_eq!(done(&app).await, [ExportPortal, ImportPortal, CheckPortal, CheckWholeSite, UndoPortalImport]);
    let steps = view(&app.steward.tour, &context.history).await.unwrap().steps;
    let optional: Vec<_> = steps.iter().filter(|step| step.optional).map(|step| step.step).collect();
    let of_changes = [TakeSnapshot, SimulateChanges, FindChange, AcceptChange, CompareSites];
    let before = [ImportPortal, CheckPortal, CheckWholeSite, UndoPortalImport, FindExpiring, SeeRecoverable];
    let of_rehearsals = [BeginRehearsal, EndRehearsal, PutBack];
    assert_eq!(optional, [&before[..], &of_changes, &of_rehearsals].concat());
    // Of another site, none of them is done.
    saw_at(&app.steward.tour, BeginRehearsal, &SiteId("other".to_owned()));
    assert!(!done(&app).await.contains(&BeginRehearsal));
    for step in of_rehearsals {
        saw_at(&app.steward.tour, step, &site);
    }
    let done = done(&app).await;
    assert!(of_rehearsals.iter().all(|step| done.contains(step)), "{done:?}");
}

#[tokio::test]
async fn the_optional_chapter_sees_a_license_that_expires_soon_once_a_check_finds_it() {
    let (app, practice, _there) = begun().await;
    let (site, context) = (practice_site(), &app.steward.context);
    let check = async || {
        check_site(context, &site).await.unwrap();
        let saved = context.access.sites.get(&site).unwrap();
        let soon = of_site(&saved, &context.access.checked.all(), &[], Millis::now().timestamp());
        found_expiring(&app.steward.tour, &soon);
    };
    check().await;
    assert_eq!(done(&app).await, []);
    let (fault, target) =
        (InjectedFault::LicenseExpiresSoon, FaultTarget::Request(FaultedRequest::ReadLicenses));
    let rule = FaultRule { target, fault, times: 1, seconds: 1, after: false, on_test: false };
    add(&app.steward.tour, &practice, rule).await.unwrap();

    check().await;

    assert_eq!(done(&app).await, [GuidedTourStep::AddFault, GuidedTourStep::FindExpiring]);
}

#[tokio::test]
async fn the_optional_chapter_sees_what_somebody_changed_and_that_it_is_accepted() {
    use GuidedTourStep::{AcceptChange, FindChange, SimulateChanges, TakeSnapshot};
    let (app, practice, _there) = begun().await;
    let (site, context, tour) = (practice_site(), &app.steward.context, &app.steward.tour);
    let snapshots = &app.steward.snapshots;
    let take = async || {
        let all = snapshots.take(context, &site, Cause::Manual).await.unwrap();
        changes::saw_snapshot(tour, &site, &all);
        all.snapshots[0].id
    };
    let first = take().await;
    assert_eq!(done(&app).await, [TakeSnapshot]);
    let unchanged = take().await;
    let compare = async |from, to| {
        let compared = Compared::Since { site: site.clone(), from, to };
        let found = snapshots.compare(context, &compared).await.unwrap();
        changes::saw_comparison(tour, &compared, &found);
        (compared, found)
    };
    compare(first, unchanged).await;
    assert_eq!(done(&app).await, [TakeSnapshot], "nothing changed");
    simulate_changes(tour, &practice).await.unwrap();
    let (compared, found) = compare(first, take().await).await;
    assert_eq!(done(&app).await, [TakeSnapshot, SimulateChanges, FindChange]);
    let key = found.differences[0].key.clone();
    snapshots.accept(context, &compared, key, Some("CHG-1".to_owned())).await.unwrap();
    let Compared::Since { from, to, .. } = compared else { unreachable!() };
    compare(from, to).await;
    assert_eq!(done(&app).await, [TakeSnapshot, SimulateChanges, FindChange, AcceptChange]);
}

#[tokio::test]
async fn the_optional_chapter_sees_that_both_practice_sites_are_compared_and_a_substitution_makes_them_equal()
{
    let (app, practice, _there) = begun().await;
    let test = start_test(&app.steward, &practice).await.unwrap().site;
    let (site, context, tour) = (practice_site(), &app.steward.context, &app.steward.tour);
    let snapshots = &app.steward.snapshots;
    let side = async |site: &SiteId| {
        let all = snapshots.take(context, site, Cause::Manual).await.unwrap().snapshots;
        assert_eq!(all[0].failure, "");
        Side { site: site.clone(), server: None, snapshot: all[0].id }
    };
    let compared = Compared::Between { left: side(&test).await, right: side(&site).await };
    let compare = async || {
        let found = snapshots.compare(context, &compared).await.unwrap();
        changes::saw_comparison(tour, &compared, &found);
        found
    };
    let found = compare().await;
    assert_eq!(done(&app).await, []);
    // The hosts are proposed, and the folders are not.
    assert!(found.substitutions[0].values > 0 && found.differences.len() > 5, "{:?}", found.differences);
    let pairs: Vec<_> = found.substitutions.into_iter().map(|one| one.pair).collect();
    let pair = |left: &str, right: &str| Substitution { left: left.to_owned(), right: right.to_owned() };
    let save = async |added| {
        let pairs = [&pairs[..], &[added]].concat();
        snapshots.save_substitutions(context, &compared, pairs).await.unwrap();
    };

    save(pair("nowhere", "elsewhere")).await;
    compare().await;
    assert_eq!(done(&app).await, [], "the pair has no effect");
    save(pair("practice-test", "practice")).await;
    let found = compare().await;
    assert_eq!(done(&app).await, [GuidedTourStep::CompareSites]);
    // The test site accepts exports as uploads.
    let left: Vec<_> = found.differences.iter().map(|one| one.key.kind).collect();
    assert_eq!(left, [Kind::SystemProperties; 2]);

    simulate_changes(tour, &practice).await.unwrap();
    let right = side(&site).await;
    let Compared::Between { left, .. } = compared else { unreachable!() };
    let found = snapshots.compare(context, &Compared::Between { left, right }).await.unwrap();
    assert_eq!(found.differences.len(), 7, "{:?}", found.differences);
}
