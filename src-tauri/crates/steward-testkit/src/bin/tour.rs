//! The tour: the real program, driven through its window, performs all seven operations on the practice site.
//!
//! `tour --app PROGRAM --out FOLDER` leaves a picture of each result and `tour.json` in the folder. Its exit status
//! says whether all seven succeeded.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde::Serialize;
use steward_testkit::window::{Program, Window};

/// What became of one operation.
#[derive(Serialize)]
struct Played {
    operation: &'static str,
    outcome: &'static str,
    seconds: f64,
    picture: String,
    /// What went wrong, from the outside in.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

struct Tour<'a> {
    window: &'a Window,
    out: &'a Path,
    played: Vec<Played>,
}

/// Operations whose form comes back by a button beside the result.
const FORMS: [(&str, &str); 6] = [
    ("Portal export", "Export again"),
    ("Server export", "Export again"),
    ("Server import", "Import again"),
    ("Webhooks", "Back to the services"),
    ("Participants", "Back to the participants"),
    ("Invitations", "Back to the invitations"),
];

#[tokio::main]
async fn main() -> Result<ExitCode> {
    let (app, out) = arguments()?;
    if out.exists() {
        std::fs::remove_dir_all(&out).with_context(|| format!("{} cannot be emptied", out.display()))?;
    }
    std::fs::create_dir_all(&out)?;
    let out = out.canonicalize()?;
    let desk = tempfile::tempdir()?;
    let program = Program { binary: app, data: desk.path().join("data"), environment: Vec::new() };
    let window = Window::open(&program).await?;
    let mut tour = Tour { window: &window, out: &out, played: Vec::new() };

    tour.picture("00-first-screen").await?;
    window.start_practice().await?;
    tour.picture("01-practice-site").await?;
    let export = desk.path().join("practice.agssite");
    let invitation = desk.path().join("guest.invite");
    tour.play("export_portal", window.export_portal()).await?;
    tour.play("export_server", window.export_server(&export)).await?;
    tour.play("import_server", window.import_server()).await?;
    tour.play("deactivate_webhooks", window.deactivate_webhooks("Hosted/Hydrants.FeatureServer")).await?;
    tour.play("find_items", window.find_items()).await?;
    tour.play("update_participant", window.update_participant("Kim", "Harbour", "kim.harbour@example.net"))
        .await?;
    tour.play("refresh_invitation", window.refresh_invitation(&invitation)).await?;
    // First what came of the operations: after one that failed, there may be no way to look further.
    std::fs::write(out.join("tour.json"), serde_json::to_vec_pretty(&tour.played)?)?;
    let all = tour.played.iter().all(|played| played.outcome == "succeeded");
    for played in &tour.played {
        println!("{:10} {:6.1} s  {}", played.outcome, played.seconds, played.operation);
        if let Some(reason) = &played.reason {
            println!("           {reason}");
        }
    }
    println!("Pictures and tour.json are in {}.", out.display());
    tour.look_around().await?;
    window.close().await?;
    Ok(if all { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Tour<'_> {
    /// Plays one operation. One that fails is pictured too, and does not keep the others from being played.
    async fn play(&mut self, operation: &'static str, act: impl Future<Output = Result<()>>) -> Result<()> {
        let start = Instant::now();
        let result = act.await;
        let seconds = start.elapsed().as_secs_f64();
        let number = self.played.len() + 2;
        let picture = self.picture(&format!("{number:02}-{}", operation.replace('_', "-"))).await?;
        let (outcome, reason) = match result {
            Ok(()) => ("succeeded", None),
            Err(error) => ("failed", Some(format!("{error:#}"))),
        };
        self.played.push(Played { operation, outcome, seconds, picture, reason });
        Ok(())
    }

    /// Screens that are no operation's result: the forms, a refusal, the history, the dark, a small window.
    async fn look_around(&self) -> Result<()> {
        self.window.press("History").await?;
        self.window.see("Portal export").await?;
        self.picture("10-history").await?;
        for (number, (screen, again)) in FORMS.iter().enumerate() {
            self.window.press(screen).await?;
            self.window.press(again).await?;
            self.picture(&format!("{}-form-{}", 11 + number, screen.to_lowercase().replace(' ', "-")))
                .await?;
        }
        self.window.press("Portal export").await?;
        self.window.fill("Folder the portal can write to", "/no/such/folder").await?;
        self.window.press("Export portal").await?;
        self.window.see("/no/such/folder").await?;
        self.picture("20-refusal").await?;

        self.window.press("Settings").await?;
        self.window.choose("Dark").await?;
        self.picture("21-settings-dark").await?;
        self.window.press("Portal export").await?;
        self.picture("22-refusal-dark").await?;
        self.window.resize(900, 600).await?;
        self.window.press("Data items").await?;
        self.picture("23-data-items-dark-small").await?;
        self.window.press("Overview").await?;
        self.picture("24-practice-site-dark-small").await?;
        self.window.press("Server import").await?;
        self.picture("25-server-import-dark-small").await.map(drop)
    }

    async fn picture(&self, name: &str) -> Result<String> {
        let file = format!("{name}.png");
        self.window.settle().await?;
        self.window.picture(&self.out.join(&file)).await?;
        Ok(file)
    }
}

fn arguments() -> Result<(PathBuf, PathBuf)> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match &words[..] {
        [app, program, out, folder] if app == "--app" && out == "--out" => {
            Ok((program.into(), folder.into()))
        }
        _ => bail!("usage: tour --app PROGRAM --out FOLDER"),
    }
}
