//! The practice site that the program carries: its mishaps, its reset, and the guided lap.

use std::path::Path;

use site_steward::mishaps::{Mishap, MishapOrder, MishapTarget, order_one, ordered};
use site_steward::practice::{Practice, PracticeView, enter, password_of, reset, start};
use steward_client::listing;
use steward_core::actions::sign_in::sign_in_as;
use steward_core::history::evidence_of;
use steward_core::history::guided_tour::{LapStep, view};
use steward_core::listings::invitations;
use steward_core::model::ids::SiteId;
use steward_core::model::import_report::ImportReport;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::{Ended, RecordId};
use steward_core::model::saved_file::Saving;
use steward_core::operations::deactivate_webhooks::{self, DeactivateWebhooksForm};
use steward_core::operations::export_portal;
use steward_core::operations::export_server::{self, ExportServerForm, ServerExportPlace};
use steward_core::operations::find_items::item_search::rows::details;
use steward_core::operations::find_items::item_search::{ItemColumn, ItemQuery};
use steward_core::operations::find_items::{self, FindItemsForm};
use steward_core::operations::import_server::{self, ImportServerForm};
use steward_core::operations::refresh_invitation::{self, RefreshInvitationForm, save_kept};
use steward_core::runs::RunStep;
use steward_core::sites::SiteForm;

use crate::desk::Desk;
use crate::export_portal::to;

fn practice_site() -> SiteId {
    SiteId("practice".to_owned())
}

/// The program, with its practice site running and its administrator signed in there.
async fn begun() -> (Desk, Practice, PracticeView) {
    let desk = Desk::signed_out().await;
    let practice = Practice::default();
    let view = start(&desk.host, &practice).await.unwrap();
    enter(&desk.host, &practice, administrator(&view)).await.unwrap();
    (desk, practice, view)
}

fn administrator(view: &PracticeView) -> &str {
    &view.users.iter().find(|user| user.role == "administrator").unwrap().username
}

#[tokio::test]
async fn a_renewed_certificate_of_the_practice_site_is_trusted_at_its_next_start() {
    let (desk, practice, view) = begun().await;
    let certificate = Path::new(&view.data_folder).join("certificate");
    let authority = std::fs::read(certificate.join("ca.pem")).unwrap();
    drop(practice);
    // Like one that has expired, it is replaced at the next start.
    std::fs::write(certificate.join("server.pem"), "").unwrap();
    let practice = Practice::default();
    let view = start(&desk.host, &practice).await.unwrap();
    enter(&desk.host, &practice, administrator(&view)).await.unwrap();
    assert_ne!(std::fs::read(certificate.join("ca.pem")).unwrap(), authority);
}

const fn order(mishap: Mishap, target: MishapTarget) -> MishapOrder {
    MishapOrder { mishap, target, times: 1, seconds: 60, after: false }
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

async fn find(desk: &Desk, path: &str) -> Result<(), Problem> {
    find_items::perform(
        &desk.host,
        &practice_site(),
        desk.run(),
        below(path),
        find_items::FirstRows::default(),
    )
    .await
    .map(drop)
}

/// Opens what was found last under this name.
async fn look_at(desk: &Desk, name: &str) {
    let search = desk.host.item_searches.last(&practice_site()).unwrap();
    let query =
        ItemQuery { column: ItemColumn::Name, descending: false, filter: name.to_owned(), r#type: None };
    let place = search.rows(&query, 0, 1).rows[0].item;
    details(&desk.host, &practice_site(), search.id(), place).await.unwrap();
}

async fn import(desk: &Desk, view: &PracticeView) -> (RecordId, ImportReport) {
    let place = ServerExportPlace::ServerFolder { location: view.export_folder.clone() };
    let site = practice_site();
    let ended = export_server::perform(&desk.host, &site, desk.run(), ExportServerForm { place }).await;
    assert!(matches!(ended, Ok(Ended::Done { .. })), "{ended:?}");
    let location = desk.history().await.remove(0).note;
    let form = ImportServerForm { location, confirmation: String::new(), parachute: None };
    match import_server::perform(&desk.host, &site, desk.run(), form).await.unwrap() {
        Ended::Done { report, record: Some(record), .. } => (record, report),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_ordered_mishap_is_listed_until_it_has_happened() {
    let (desk, practice, _) = begun().await;
    let expired = MishapOrder { times: 2, ..order(Mishap::Html, MishapTarget::FindItems) };

    assert_eq!(order_one(&desk.host, &practice, expired).await.unwrap(), [expired]);
    let refused = find(&desk, "/fileShares").await;
    assert!(matches!(refused, Err(Problem::Unreadable { .. })), "{refused:?}");
    assert_eq!(ordered(&practice).await, [MishapOrder { times: 1, ..expired }]);
    find(&desk, "/fileShares").await.unwrap_err();

    assert!(ordered(&practice).await.is_empty());
    find(&desk, "/fileShares").await.unwrap();
}

#[tokio::test]
async fn a_mishap_that_cannot_happen_is_not_ordered_and_none_on_a_site_that_does_not_run() {
    let (desk, practice, _) = begun().await;
    let nonsense = order(Mishap::UnwritableFolder, MishapTarget::FindItems);

    assert!(order_one(&desk.host, &practice, nonsense).await.unwrap().is_empty());
    let nobody = order_one(&desk.host, &Practice::default(), nonsense).await;
    assert!(matches!(nobody, Err(Problem::Unexpected { .. })), "{nobody:?}");
}

#[tokio::test]
async fn a_reset_site_is_as_it_was_at_first_and_wants_a_new_sign_in() {
    let (desk, practice, view) = begun().await;
    let site = practice_site();
    let form = DeactivateWebhooksForm {
        services: vec!["Hosted/Hydrants.FeatureServer".to_owned()],
        why: String::new(),
        confirmation: String::new(),
    };
    deactivate_webhooks::perform(&desk.host, &site, desk.run(), form).await.unwrap();
    order_one(&desk.host, &practice, order(Mishap::Html, MishapTarget::FindItems)).await.unwrap();
    let saved = desk.host.sites.get(&site).unwrap();
    let running = desk.host.runs.begin(desk.run(), &saved, export_portal::OPERATION.key, RunStep::Waiting);
    let busy = reset(&desk.host, &practice).await;
    assert!(matches!(busy, Err(Problem::Busy { .. })), "{busy:?}");
    drop(running);

    let again = reset(&desk.host, &practice).await.unwrap();

    assert!(ordered(&practice).await.is_empty());
    let signed_out = find(&desk, "/fileShares").await;
    assert!(matches!(signed_out, Err(Problem::SignIn { .. })), "{signed_out:?}");
    enter(&desk.host, &practice, administrator(&again)).await.unwrap();
    let server = desk.host.server(&desk.host.sites.get(&site).unwrap()).await.unwrap();
    let services = listing::services(&server).await.unwrap();
    let hydrants = services.iter().find(|service| service.name == "Hydrants").unwrap();
    assert!(hydrants.webhooks.iter().any(|webhook| webhook.active == Some(true)), "{hydrants:?}");
    let ledger = desk.host.journal(|journal| journal.silences(None)).await.unwrap();
    assert!(ledger.iter().all(|silence| silence.restored_at.is_some()), "{ledger:?}");
    assert_eq!(desk.history().await.len(), 1, "what was done was done");
    assert_eq!(again.export_folder, view.export_folder);
}

#[tokio::test]
async fn its_address_and_a_revealed_password_open_it_like_any_other_site() {
    let (desk, practice, view) = begun().await;
    let (portal, server) = (view.site.portal.as_deref().unwrap(), view.site.server.as_deref().unwrap());
    let mut pasted = SiteForm::of("Added by its address", portal, server);
    pasted.connection.ca_certificate = view.site.connection.ca_certificate.clone();
    let pasted = desk.host.sites.save(&pasted).unwrap().id;
    let who = administrator(&view);

    let password = password_of(&practice, who).await.unwrap();

    sign_in_as(&desk.host, &pasted, who, &password).await.unwrap();
    let nobody = password_of(&practice, "nobody").await;
    assert!(matches!(nobody, Err(Problem::Unexpected { .. })), "{nobody:?}");
    let stopped = password_of(&Practice::default(), who).await;
    assert!(matches!(stopped, Err(Problem::Unexpected { .. })), "{stopped:?}");
}

async fn done(desk: &Desk) -> Vec<LapStep> {
    let lap = view(&desk.host).await.unwrap();
    lap.steps.into_iter().filter(|step| step.done).map(|step| step.step).collect()
}

#[tokio::test]
async fn the_lap_sees_by_itself_what_was_done() {
    let (desk, practice, there) = begun().await;
    assert!(view(&desk.host).await.unwrap().begun.is_some(), "whoever is here first is shown around");
    assert_eq!(done(&desk).await, []);
    let site = practice_site();

    // Nothing was imported yet: what is found now is not looked for.
    find(&desk, "/fileShares").await.unwrap();
    look_at(&desk, "zoning").await;
    // Elsewhere is no practice.
    desk.sign_in("administrator").await.unwrap();
    export_portal::perform(&desk.host, &desk.site, desk.run(), to(&desk.folder("a"), false)).await.unwrap();
    assert_eq!(done(&desk).await, []);

    let here = to(std::path::Path::new(&there.export_folder), false);
    export_portal::perform(&desk.host, &site, desk.run(), here).await.unwrap();
    use LapStep::{ExportPortal, ExportServer, FindItem, ImportServer, OrderMishap, SaveEvidence};
    import(&desk, &there).await;
    assert_eq!(done(&desk).await, [ExportPortal, ExportServer], "nothing was ordered to fail in this import");
    let fails = order(Mishap::ServiceWillNotStart, MishapTarget::ImportServer);
    order_one(&desk.host, &practice, fails).await.unwrap();
    assert_eq!(done(&desk).await, [ExportPortal, ExportServer, OrderMishap]);
    let (record, report) = import(&desk, &there).await;
    assert_eq!(report.counts.failed_services, 2);
    assert_eq!(done(&desk).await, [ExportPortal, ExportServer, OrderMishap, ImportServer]);

    let everything = FindItemsForm { ancestor_path: "/".to_owned(), ..below("") };
    find_items::perform(&desk.host, &site, desk.run(), everything, find_items::FirstRows::default())
        .await
        .unwrap();
    assert!(!done(&desk).await.contains(&FindItem), "who has everything before them has found nothing yet");
    look_at(&desk, "cadastre").await;
    look_at(&desk, "plans").await;
    assert!(!done(&desk).await.contains(&FindItem), "no service misses the data of these");
    find(&desk, "/fileShares").await.unwrap();
    look_at(&desk, "zoning").await;
    desk.dialogs.will_choose(&desk.folder("saved").join("evidence.zip"));
    evidence_of(&desk.host, record).await.unwrap();
    let all = [ExportPortal, ExportServer, OrderMishap, ImportServer, FindItem, SaveEvidence];
    assert_eq!(done(&desk).await, all);

    desk.host.lap.fold(true);
    let desk = desk.restarted();
    assert_eq!(done(&desk).await, all, "a restart does not send anybody back");
    assert!(view(&desk.host).await.unwrap().folded);
    desk.host.lap.begin();
    assert_eq!(done(&desk).await, []);
    desk.host.lap.end();
    assert_eq!(view(&desk.host).await.unwrap().begun, None);
}

#[tokio::test]
async fn a_refreshed_invitation_is_behind_whoever_is_on_the_lap_once_its_file_is_saved() {
    let (desk, _practice, _) = begun().await;
    let site = practice_site();
    let invitation = invitations(&desk.host, &site).await.unwrap().remove(0);
    let form = RefreshInvitationForm {
        collaboration_id: invitation.collaboration_id,
        invitation_id: invitation.invitation_id,
    };
    let ended = refresh_invitation::perform(&desk.host, &site, desk.run(), form).await.unwrap();
    let Ended::Done { report, .. } = ended else { panic!("{ended:?}") };
    assert_eq!(report.saving, Saving::Dismissed);
    assert_eq!(done(&desk).await, [], "nobody has its file yet");

    desk.dialogs.will_choose(&desk.folder("saved").join("guest.invite"));
    let saving = save_kept(&desk.host, &report.kept).await.unwrap();

    assert!(matches!(saving, Saving::Saved { .. }), "{saving:?}");
    assert_eq!(done(&desk).await, [LapStep::RefreshInvitation]);
}
