//! What changes a site is sent once, whatever becomes of the answer: counted at the site, for every operation.

use steward_core::model::ids::RecordId;
use steward_core::model::operation::{Impact, Operation, OperationKey};
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::operations::deactivate_webhooks::single;
use steward_core::operations::export_server::{ExportServerForm, ServerExportDestination};
use steward_core::operations::{
    deactivate_webhooks, export_portal, export_server, import_server, refresh_invitation, subject,
    update_participant,
};
use steward_core::webhooks::deactivation_log;
use steward_core::webhooks::reactivation::{self, ReactivatedWebhook, ReactivationEnd};
use steward_journal::Outcome;
use steward_testkit::Fault;

use crate::tap::Tap;
use crate::test_app::TestApp;

const OPERATIONS: [&str; 10] = [
    "export_portal",
    "export_server",
    "import_server",
    "undo",
    "import_portal",
    "deactivate_webhooks",
    "deactivate one",
    "restore",
    "update_participant",
    "refresh_invitation",
];

fn text(text: &str) -> String {
    text.to_owned()
}

fn end<T>(result: Result<RunResult<T>, Problem>) -> Result<bool, Problem> {
    result.map(|ended| matches!(ended, RunResult::Unknown { .. }))
}

/// Whether it ended as unknown.
async fn send(
    app: &TestApp,
    operation: &str,
    entry: &deactivation_log::DeactivationId,
    import: &RecordId,
) -> Result<bool, Problem> {
    let (steward, site, run) = (&app.steward, &app.site, app.run());
    match operation {
        "export_portal" => {
            let target = export_portal::PortalExportDestination::Folder {
                location: app.folder("exports").display().to_string(),
            };
            let form = export_portal::ExportPortalForm { target, check_only: false };
            end(export_portal::perform(&steward.context, site, run, form).await)
        }
        "export_server" => {
            let place = ServerExportDestination::ServerFolder { location: text("/exports") };
            end(export_server::perform(
                &steward.context,
                &steward.transfers,
                &app.server,
                run,
                ExportServerForm { place },
            )
            .await)
        }
        "import_server" => {
            let form = import_server::ImportServerForm {
                location: text("/exports/a.agssite"),
                confirmation: text("City GIS"),
                safety_backup: None,
                deactivate_webhooks: None,
            };
            end(import_server::perform(&steward.context, &steward.transfers, &app.server, run, form).await)
        }
        "import_portal" => {
            let file = crate::import_portal::some_file(app);
            end(app.import_portal(crate::import_portal::form(&file)).await)
        }
        "undo" => end(app.undo_import(import.clone(), false).await),
        "deactivate_webhooks" => {
            let form = deactivate_webhooks::DeactivateWebhooksForm {
                services: vec![text("Buffer.GPServer"), text("Hosted/Hydrants.FeatureServer")],
                why: text(""),
                confirmation: text(""),
            };
            end(deactivate_webhooks::perform(&steward.context, &app.server, run, form).await)
        }
        "deactivate one" => {
            let form = crate::deactivations::one_of_hydrants(app).await;
            end(single::perform(&steward.context, &app.server, run, form).await)
        }
        "restore" => {
            let ended = reactivation::reactivate(&steward.context, &app.server, run, entry.clone()).await?;
            let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
            let is_unknown = |one: &ReactivatedWebhook| matches!(one.end, ReactivationEnd::Unknown { .. });
            Ok(report.webhooks.iter().any(is_unknown))
        }
        "update_participant" => {
            let form = update_participant::UpdateParticipantForm {
                collaboration_id: text("c"),
                participant_id: text("p"),
                contact_firstname: text("Ana"),
                contact_lastname: text("Ito"),
                contact_email_address: text("ana@example.net"),
            };
            end(update_participant::perform(&steward.context, site, run, form).await)
        }
        "refresh_invitation" => {
            let form = refresh_invitation::RefreshInvitationForm {
                collaboration_id: text("c"),
                invitation_id: text("i"),
            };
            end(refresh_invitation::perform(&steward.context, &steward.invitation_files, site, run, form)
                .await)
        }
        other => unreachable!("nothing sends {other}"),
    }
}

#[test]
fn every_operation_with_an_impact_is_counted() {
    for operation in Operation::all().iter().filter(|operation| operation.impact != Impact::None) {
        let key = operation.key.name();
        assert!(OPERATIONS.contains(&key), "{key}");
    }
}

#[test]
fn every_change_of_a_part_of_a_site_tells_what_it_is_about() {
    let changes = Operation::all().into_iter().filter(|operation| operation.impact == Impact::Changes);
    for key in changes.map(|operation| operation.key) {
        // A deactivation is about all services of its form.
        let is_of_several = key == OperationKey::DeactivateWebhooks;
        assert_eq!(subject(key).is_empty(), is_of_several, "{}", key.name());
    }
}

#[tokio::test]
async fn whatever_becomes_of_the_answer_a_change_is_sent_once_and_ends_as_unknown() {
    let app = TestApp::new().await;
    let form = deactivate_webhooks::DeactivateWebhooksForm {
        services: vec![text("Parcels/ParcelReport.GPServer"), text("Water/Mains.FeatureServer")],
        why: text(""),
        confirmation: text(""),
    };
    let import = crate::import_server::with_safety_backup(&app, false).await;
    app.deactivate_webhooks(form).await.unwrap();
    // Of this service several webhooks were active: each is a request of its own.
    let entry = deactivation_log::entries(&app.steward.context, None).await.unwrap();
    let entry = entry.into_iter().find(|entry| entry.service.starts_with("Water")).unwrap().id;
    let page = |status: &str| {
        let head = format!("HTTP/1.1 {status}\r\ncontent-type: text/html\r\nconnection: close\r\n");
        Fault::Instead(format!("{head}content-length: 16\r\n\r\n<html>No.</html>").into_bytes())
    };
    let elsewhere = |status: &str| {
        let head = format!("HTTP/1.1 {status}\r\nlocation: /server/admin/again\r\nconnection: close\r\n");
        Fault::Instead(format!("{head}content-length: 0\r\n\r\n").into_bytes())
    };
    let faults = [
        Fault::Instead(Vec::new()),
        Fault::Reset,
        page("500 Internal Server Error"),
        page("502 Bad Gateway"),
        page("503 Service Unavailable\r\nretry-after: 0"),
        page("408 Request Timeout"),
        elsewhere("307 Temporary Redirect"),
        elsewhere("308 Permanent Redirect"),
        elsewhere("302 Found"),
    ];
    for fault in faults {
        for operation in OPERATIONS {
            // The check of the destination or of the file has no effect, and is sent before.
            // The inventory before an import reads data store items by POST.
            let on = if matches!(operation, "import_server" | "undo") {
                "POST /server/admin/importSite"
            } else {
                "POST "
            };
            let is_checked = matches!(operation, "export_portal" | "import_portal");
            let way = app.with_fault(on, fault.clone()).await.sparing(usize::from(is_checked));

            let unknown = send(&app, operation, &entry, &import).await;

            assert_eq!(unknown, Ok(true), "{operation}, {fault:?}");
            assert_eq!(way.met(), 1, "{operation}, {fault:?}");
            let record = app.history().await.remove(0);
            assert_eq!(record.outcome, Outcome::Unknown, "{operation}, {fault:?}");
            // By these, the overview tells whether a later success makes up for it.
            for name in OperationKey::named(operation).map_or(&[][..], subject) {
                let has_it = record.intent.parameters.iter().any(|(given, _)| given == name);
                assert!(has_it, "{operation} is about {name}, which its record does not have");
            }
        }
    }
}

/// POSTs that read.
const READINGS: [&str; 2] = ["/generateToken", "/findItems"];

#[tokio::test]
async fn a_change_has_a_connection_of_its_own_so_that_no_library_repeats_it() {
    let app = TestApp::new().await;
    let import = crate::import_server::with_safety_backup(&app, false).await;
    let form = deactivate_webhooks::DeactivateWebhooksForm {
        services: vec![text("Water/Mains.FeatureServer")],
        why: text(""),
        confirmation: text(""),
    };
    app.deactivate_webhooks(form).await.unwrap();
    let entry = deactivation_log::entries(&app.steward.context, None).await.unwrap().remove(0).id;
    let tap = Tap::on(app.practice_address()).await;
    app.go_through(&tap.address());

    // Backwards: after all webhooks of a service are deactivated, none of them is left for the single one.
    for operation in OPERATIONS.into_iter().rev() {
        // Some are rejected: what they are about does not exist.
        let _ = send(&app, operation, &entry, &import).await;
    }

    let is_change =
        |line: &String| line.starts_with("POST ") && !READINGS.iter().any(|reading| line.contains(reading));
    let connections = tap.requests();
    let changes = connections.iter().flatten().filter(|line| is_change(line)).count();
    assert!(changes >= OPERATIONS.len(), "{connections:#?}");
    assert!(connections.iter().any(|lines| lines.len() > 1), "readings share connections");
    for lines in connections {
        assert!(lines.len() == 1 || !lines.iter().any(is_change), "{lines:#?}");
    }
}
