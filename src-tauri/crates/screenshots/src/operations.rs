//! The operations, each with its form and its result.

use std::fmt;
use std::future::Future;
use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use serde::Serialize;
use steward_testkit::window::Window;

use crate::album::Album;

/// Result of one operation.
#[derive(Serialize)]
pub(crate) struct Played {
    operation: &'static str,
    pub(crate) outcome: &'static str,
    seconds: f64,
    /// File name of the screenshot. Omitted if it could not be taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    picture: Option<String>,
    /// Error with its causes. Omitted after success.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl fmt::Display for Played {
    fn fmt(&self, into: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(into, "{:10} {:6.1} s  {}", self.outcome, self.seconds, self.operation)?;
        self.reason.iter().try_for_each(|reason| write!(into, "\n           {reason}"))
    }
}

/// Selection of the screenshots.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Pictures {
    /// Form and result of each operation.
    FormsAndResults,
    /// Result of each operation.
    Results,
}

/// Performs all operations, and continues after one that fails.
pub(crate) async fn play(album: &mut Album, window: &Window, desk: &Path, pictures: Pictures) -> Vec<Played> {
    let mut player = Player { album, window, pictures, played: Vec::new() };
    let export = desk.join("practice.agssite");
    let invitation = desk.join("guest.invite");
    player.play("export_portal", "Portal export", window.export_portal()).await;
    player.play("export_server", "Server export", window.export_server(&export)).await;
    player.play("import_server", "Server import", window.import_server()).await;
    let hydrants = window.deactivate_webhooks("Hosted/Hydrants.FeatureServer");
    player.play("deactivate_webhooks", "Webhooks", hydrants).await;
    player.play("find_items", "Data store items", window.find_items()).await;
    let contact = window.update_participant("Kim", "Harbour", "kim.harbour@example.net");
    player.play("update_participant", "Participants", contact).await;
    player.play("refresh_invitation", "Invitations", window.refresh_invitation(&invitation)).await;
    // Last: it ends the session.
    player.play("import_portal", "Portal import", window.import_portal()).await;
    player.played
}

struct Player<'a> {
    album: &'a mut Album,
    window: &'a Window,
    pictures: Pictures,
    played: Vec<Played>,
}

impl Player<'_> {
    /// Takes a screenshot of the form, performs the operation, and takes one of the result.
    async fn play(&mut self, operation: &'static str, screen: &str, act: impl Future<Output = Result<()>>) {
        let name = operation.replace('_', "-");
        if self.pictures == Pictures::FormsAndResults {
            self.album.stop(self.window, &format!("{name}-form"), self.window.press(screen)).await;
        }
        let start = Instant::now();
        let result = act.await;
        let seconds = start.elapsed().as_secs_f64();
        let picture = self.album.take(self.window, &format!("{name}-result"), None).await;
        let (outcome, reason) = match result {
            Ok(()) => ("succeeded", None),
            Err(error) => ("failed", Some(format!("{error:#}"))),
        };
        self.played.push(Played { operation, outcome, seconds, picture, reason });
    }
}
