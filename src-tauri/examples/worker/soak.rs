//! Uses the program's operations over and over, and says now and then what its process holds: a program that stays
//! open for days must not grow.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use serde_json::json;
use steward_client::listing::{self, Invitation, Participant};
use steward_core::model::export_outcome::ExportOutcome;
use steward_core::model::run_result::RunResult;
use steward_core::operations::export_server::{self, ExportServerForm, ServerExportDestination};
use steward_core::operations::find_items::{self, FindItemsForm};
use steward_core::operations::import_server::{self, ImportServerForm, ImportServerOptions};
use steward_core::operations::refresh_invitation::{self, RefreshInvitationForm};
use steward_core::operations::update_participant;
use steward_core::runs::RunId;

use crate::memory::resident;
use crate::test_app::{self, TestApp, Who, said};

/// How often it is looked at, of the whole time.
const LOOKS: u32 = 20;

#[derive(Deserialize)]
pub(crate) struct Soak {
    /// Where exports go, here and at the site.
    folder: PathBuf,
    minutes: u64,
}

pub(crate) async fn perform(who: &Who, order: &Soak) -> Result<()> {
    let situation = Situation::begin(who, order).await?;
    let whole = Duration::from_secs(order.minutes * 60);
    let began = Instant::now();
    let (mut rounds, mut looks) = (0_u64, 0);
    while began.elapsed() < whole {
        situation.round(rounds).await.with_context(|| format!("round {rounds}"))?;
        rounds += 1;
        if began.elapsed() >= whole * looks / LOOKS {
            looks += 1;
            let (minutes, open) =
                (began.elapsed().as_secs() / 60, std::fs::read_dir("/proc/self/fd")?.count());
            println!(
                "{}",
                json!({ "minutes": minutes, "rounds": rounds, "mebibytes": resident("VmRSS:")?, "open": open })
            );
        }
    }
    Ok(())
}

struct Situation {
    app: TestApp,
    exports: PathBuf,
    guest: Participant,
    invitation: Invitation,
}

impl Situation {
    async fn begin(who: &Who, order: &Soak) -> Result<Self> {
        let app = TestApp::signed_in(who, order.folder.join("here")).await?;
        let (portal, portal_id) = app.portal().await?;
        let guest = test_app::guest(&portal, &portal_id).await?;
        let invitation = listing::invitations(&portal, &portal_id).await?.into_iter().next();
        let exports = order.folder.join("exports");
        std::fs::create_dir_all(&exports)?;
        Ok(Self { app, exports, guest, invitation: invitation.context("the site has no invitation")? })
    }

    /// Everything once.
    async fn round(&self, number: u64) -> Result<()> {
        let TestApp { steward, site, server, .. } = &self.app;
        let run = |what: &str| RunId(format!("{what}-{number}"));

        let place = ServerExportDestination::ServerFolder { location: self.exports.display().to_string() };
        let export = export_server::perform(
            &steward.context,
            &steward.transfers,
            server,
            run("export"),
            ExportServerForm { place },
        )
        .await;
        let RunResult::Done { report, .. } = export.map_err(said)? else { bail!("the export was not done") };
        let ExportOutcome::Written { location, .. } = report.outcome else { bail!("nothing was written") };

        let confirmation = test_app::SITE_NAME.to_owned();
        let import = ImportServerForm {
            location: location.clone(),
            confirmation,
            safety_backup: None,
            deactivate_webhooks: None,
            options: ImportServerOptions::default(),
        };
        done(
            &import_server::perform(&steward.context, &steward.transfers, server, run("import"), import)
                .await
                .map_err(said)?,
        )?;
        std::fs::remove_file(location)?;

        let items = FindItemsForm { ancestor_path: "/".to_owned(), ..FindItemsForm::default() };
        done(
            &find_items::perform(
                &steward.context,
                &steward.item_searches,
                server,
                run("items"),
                items,
                find_items::FirstRows::default(),
            )
            .await
            .map_err(said)?,
        )?;

        let contact = test_app::contact(&self.guest, format!("Kim {number}"));
        done(
            &update_participant::perform(&steward.context, site, run("contact"), contact)
                .await
                .map_err(said)?,
        )?;

        let invitation = RefreshInvitationForm {
            collaboration_id: self.invitation.collaboration_id.clone(),
            invitation_id: self.invitation.id.clone(),
        };
        done(
            &refresh_invitation::perform(
                &steward.context,
                &steward.invitation_files,
                site,
                run("invitation"),
                invitation,
            )
            .await
            .map_err(said)?,
        )
    }
}

fn done<T>(ended: &RunResult<T>) -> Result<()> {
    ensure!(matches!(ended, RunResult::Done { .. }), "an operation was not done");
    Ok(())
}
