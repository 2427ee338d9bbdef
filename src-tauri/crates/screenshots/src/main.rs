//! Screenshots of the real program: it is driven through its window, performs all operations on the practice
//! site, and shows every other page.
//!
//! `screenshots --app PROGRAM --out FOLDER [CHAPTER…]` writes the screenshots, an `index.html` that shows them and
//! `screenshots.json`, the outcome of each operation. With chapters, only their screenshots are taken. The exit status
//! is 0 if all operations succeeded and every stop was reached.
//!
//! With `--demo`, only the operations are performed, with one screenshot of each result, and `demo.json` has
//! their outcomes.

mod album;
mod appearance;
mod changes;
mod collaborations;
mod demo;
mod exports;
mod operations;
mod own_sites;
mod plans;
mod portal;
mod practice;
mod profiles;
mod refused;
mod sites;
mod uploads;
mod window;
mod world;

use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use practice_site::{Options, PracticeSite, Ready, Release};
use steward_testkit::window::{Program, Window};
use steward_testkit::{Fault, FaultProxy};

use album::Album;
use operations::Pictures;

/// Names of the chapters.
const CHAPTERS: [&str; 16] = [
    "first",
    "operations",
    "portal",
    "exports",
    "plans",
    "caution",
    "report",
    "faults",
    "uploads",
    "data",
    "contacts",
    "invitations",
    "role",
    "changes",
    "window",
    "sites",
];

#[tokio::main]
async fn main() -> Result<ExitCode> {
    let Arguments { app, out, what } = arguments()?;
    if out.exists() {
        std::fs::remove_dir_all(&out).with_context(|| format!("{} cannot be emptied", out.display()))?;
    }
    std::fs::create_dir_all(&out)?;
    let out = out.canonicalize()?;
    match what {
        What::Demo => demo::play(app, out).await,
        What::Chapters(chapters) => take(app, Album::new(out, chapters)).await,
    }
}

async fn take(app: PathBuf, mut album: Album) -> Result<ExitCode> {
    let desk = tempfile::tempdir()?;

    let program = Program::new(app.clone(), desk.path().join("practice"));
    let shown = Window::open(&program).await?;
    album.chapter("first");
    window::before_anything(&mut album, &shown).await;
    shown.start_practice().await?;
    album.stop(&shown, "overview", async { Ok(()) }).await;
    window::collapse_the_tour(&mut album, &shown).await;
    // Perform the operations in any case: later chapters begin with their results.
    album.chapter("operations");
    let played = operations::play(&mut album, &shown, desk.path(), Pictures::FormsAndResults).await;
    std::fs::write(album.folder().join("screenshots.json"), serde_json::to_vec_pretty(&played)?)?;
    let failed = played.iter().filter(|played| played.outcome != "succeeded").count();
    for played in &played {
        println!("{played}");
    }
    if album.chapter("portal") {
        portal::show(&mut album, &shown).await;
    } else if let Err(error) = shown.sign_in_after_import().await {
        println!("The portal import did not end with a sign-in: {error:#}");
    }
    practice::show(&mut album, &shown, &program, desk.path()).await;
    window::show(&mut album, &shown).await;
    close(shown).await;

    if album.chapter("sites") {
        let program = Program::new(app, desk.path().join("sites"));
        let found = practice_site(desk.path().join("found"), false).await?;
        let older = practice_site(desk.path().join("older"), true).await?;
        let way = as_of_10_9_1(older.ready()).await?;
        own_sites::save(&program, &format!("http://{}", way.address()), &older.ready().server)?;
        let shown = Window::open(&program).await?;
        sites::show(&mut album, &shown, &program, found.ready(), older.ready(), desk.path()).await;
        close(shown).await;
        found.stop().await;
        older.stop().await;
    }

    let missed = album.bind()?;
    if missed > 0 || failed > 0 {
        println!("Failed: {missed} stops were not reached, and {failed} operations did not succeed");
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// Closes the window. One that is gone already has failed its stops, which are listed at the end.
async fn close(shown: Window) {
    if let Err(error) = shown.close().await {
        println!("The window could not be closed: {error:#}");
    }
}

async fn practice_site(data_dir: PathBuf, http: bool) -> Result<PracticeSite> {
    let listen = (Ipv4Addr::LOCALHOST, 0).into();
    PracticeSite::start(Options {
        data_dir,
        listen,
        localhost: false,
        http,
        deliver_anywhere: false,
        servers: 1,
        release: Release::default(),
    })
    .await
}

/// Starts a proxy to a site that reports version 10.9.1 as that of its server.
async fn as_of_10_9_1(site: &Ready) -> Result<FaultProxy> {
    let address = site.portal.trim_start_matches("http://").trim_end_matches("/portal");
    let server =
        r#"{"resources":["services","data","uploads"],"currentVersion":10.91,"fullVersion":"10.9.1"}"#;
    let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{server}", server.len());
    Ok(FaultProxy::to(address, "/server/admin?", Fault::Instead(answer.into_bytes())).await?)
}

struct Arguments {
    app: PathBuf,
    out: PathBuf,
    what: What,
}

enum What {
    Demo,
    /// Chapters to show. Empty for all.
    Chapters(Vec<String>),
}

fn arguments() -> Result<Arguments> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match &words[..] {
        [app, program, out, folder, chapters @ ..] if app == "--app" && out == "--out" => {
            let what = match chapters {
                [demo] if demo == "--demo" => What::Demo,
                _ => What::Chapters(known(chapters)?),
            };
            Ok(Arguments { app: program.into(), out: folder.into(), what })
        }
        _ => bail!("usage: screenshots --app PROGRAM --out FOLDER [--demo | CHAPTER…]"),
    }
}

/// Returns the chapters, if all of them exist. A wrong name would show nothing and miss nothing.
fn known(chapters: &[String]) -> Result<Vec<String>> {
    if let Some(unknown) = chapters.iter().find(|chapter| !CHAPTERS.contains(&chapter.as_str())) {
        bail!("there is no chapter `{unknown}`; there are {}", CHAPTERS.join(", "));
    }
    Ok(chapters.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_chapter_is_refused() {
        let known = |name: &str| known(&[name.to_owned()]).is_ok();
        assert_eq!([known("sites"), known("faults"), known("no-such-chapter")], [true, true, false]);
    }
}
