//! What cannot be written down before it is sent is not sent.

use rusqlite::Connection;
use steward_core::model::operation::{Impact, Operation};
use steward_core::model::problem::Problem;
use steward_core::operations::{
    deactivate_webhooks, export_portal, export_server, import_server, refresh_invitation, update_participant,
};
use steward_core::transfers::upload::{self, UploadEnd, UploadSource};
use steward_testkit::{Fault, until};

use crate::export_portal::to;
use crate::test_app::TestApp;

/// All operations that write, and the upload before an import, with what their requests ask for. The search for data
/// items changes nothing and leaves no record.
const WRITES: [(&str, &str); 8] = [
    ("export_portal", "/portaladmin/exportSite"),
    ("export_server", "/admin/exportSite"),
    ("import_server", "/admin/importSite"),
    ("import_portal", "/portaladmin/importSite"),
    ("deactivate_webhooks", "/deactivateAll"),
    ("update_participant", "/updateInfo"),
    ("refresh_invitation", "/refresh"),
    ("upload", "/admin/uploads/"),
];

fn text(text: &str) -> String {
    text.to_owned()
}

async fn perform(app: &TestApp, write: &str) -> Option<Problem> {
    let (steward, site, run) = (&app.steward, &app.site, app.run());
    match write {
        "export_portal" => {
            export_portal::perform(&steward.context, site, run, to(&app.folder("a"), false)).await.err()
        }
        "export_server" => {
            let location = app.folder("b").display().to_string();
            let place = export_server::ServerExportDestination::ServerFolder { location };
            let form = export_server::ExportServerForm { place };
            export_server::perform(&steward.context, &steward.transfers, &app.server, run, form).await.err()
        }
        "import_server" => {
            let form = import_server::ImportServerForm {
                location: text("/exports/a.agssite"),
                confirmation: text("City GIS"),
                safety_backup: None,
                deactivate_webhooks: None,
                options: import_server::ImportServerOptions::default(),
            };
            import_server::perform(&steward.context, &steward.transfers, &app.server, run, form).await.err()
        }
        "import_portal" => {
            let form = crate::import_portal::form(&crate::import_portal::some_file(app));
            app.import_portal(form).await.err()
        }
        "deactivate_webhooks" => {
            let form = deactivate_webhooks::DeactivateWebhooksForm {
                services: vec![text("Buffer.GPServer")],
                why: text("Maintenance"),
                confirmation: text(""),
            };
            deactivate_webhooks::perform(&steward.context, &app.server, run, form).await.err()
        }
        "update_participant" => {
            let form = update_participant::UpdateParticipantForm {
                collaboration_id: text("c"),
                participant_id: text("p"),
                contact_firstname: text("Ana"),
                contact_lastname: text("Ito"),
                contact_email_address: text("ana@example.net"),
            };
            update_participant::perform(&steward.context, site, run, form).await.err()
        }
        "refresh_invitation" => {
            let form = refresh_invitation::RefreshInvitationForm {
                collaboration_id: text("c"),
                invitation_id: text("i"),
            };
            refresh_invitation::perform(&steward.context, &steward.invitation_files, site, run, form)
                .await
                .err()
        }
        _ => {
            let path = app.folder("desk").join("survey.csv");
            std::fs::write(&path, "1,2,3").unwrap();
            app.dialogs.will_choose(&path);
            match upload::upload(
                &steward.context,
                &steward.transfers,
                &app.server,
                run,
                UploadSource::Choose { part_mebibytes: 1 },
            )
            .await
            {
                Ok(UploadEnd::Failed { problem, .. }) => Some(problem),
                other => other.err(),
            }
        }
    }
}

#[test]
fn every_operation_with_an_impact_is_among_the_writes() {
    for operation in Operation::all().iter().filter(|operation| operation.impact != Impact::None) {
        let key = operation.key.name();
        assert!(WRITES.iter().any(|(write, _)| *write == key), "{key}");
    }
}

#[tokio::test]
async fn without_a_record_no_write_reaches_the_site() {
    let app = TestApp::new().await;
    let journal = Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    for (write, path) in WRITES {
        // The check of the destination of a portal export, or of the file of an import, has no effect, and is sent before.
        let is_checked = matches!(write, "export_portal" | "import_portal");
        let way = app.with_fault(path, Fault::Reset).await.sparing(usize::from(is_checked));
        journal
            .execute_batch(
                "CREATE TRIGGER full BEFORE INSERT ON record BEGIN SELECT RAISE(ABORT, 'disk full'); END",
            )
            .unwrap();

        let problem = perform(&app, write).await;

        assert_eq!(way.met(), 0, "{write} was sent without a record");
        let is_said =
            matches!(&problem, Some(Problem::NotRecorded { message, .. }) if message.contains("disk full"));
        assert!(is_said, "{write}: {problem:?}");
        journal.execute_batch("DROP TRIGGER full").unwrap();
        // Not to its end: a part of an upload is tried again for a minute.
        tokio::select! {
            _ = perform(&app, write) => {}
            () = until("the write is sent", async || way.met() > 0) => {}
        }
        assert!(way.met() > 0, "{write} is not looked for where it is sent");
    }
}
