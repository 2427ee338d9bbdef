//! The tour: the real program, driven through its window, performs all seven operations on the practice site, and
//! shows every other screen.
//!
//! `tour --app PROGRAM --out FOLDER` leaves pictures, an `index.html` over them and `tour.json` in the folder. Its exit
//! status says whether all seven succeeded. Named chapters are shown alone: `first`, `operations`, `caution`, `report`,
//! `mishaps`, `data`, `contacts`, `invitations`, `window`, `languages`, `sites`.

mod album;
mod look;
mod operations;
mod practice;
mod sites;
mod window;
mod world;

use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use practice_site::{Options, PracticeSite};
use steward_testkit::window::{Program, Window};

use album::Album;

#[tokio::main]
async fn main() -> Result<ExitCode> {
    let (app, out, chapters) = arguments()?;
    if out.exists() {
        std::fs::remove_dir_all(&out).with_context(|| format!("{} cannot be emptied", out.display()))?;
    }
    std::fs::create_dir_all(&out)?;
    let mut album = Album::new(out.canonicalize()?, chapters);
    let desk = tempfile::tempdir()?;

    let program = Program::new(app.clone(), desk.path().join("practice"));
    let shown = Window::open(&program).await?;
    album.chapter("first");
    window::before_anything(&mut album, &shown).await;
    shown.start_practice().await?;
    album.stop(&shown, "overview", async { Ok(()) }).await;
    window::fold_the_lap(&mut album, &shown).await;
    // Later chapters begin where these end; so they are always played.
    album.chapter("operations");
    let played = operations::play(&mut album, &shown, desk.path()).await;
    std::fs::write(album.folder().join("tour.json"), serde_json::to_vec_pretty(&played)?)?;
    let all = played.iter().all(|played| played.outcome == "succeeded");
    for played in &played {
        println!("{played}");
    }
    // What follows shows and does not judge: a picture that is missing is named, and nothing more.
    practice::show(&mut album, &shown, &program, desk.path()).await;
    window::show(&mut album, &shown).await;
    if album.chapter("languages") {
        window::in_other_languages(&mut album, &shown).await;
    }
    shown.close().await?;

    if album.chapter("sites") {
        let program = Program::new(app, desk.path().join("sites"));
        world::many_sites(&program)?;
        let other = PracticeSite::start(Options {
            data_dir: desk.path().join("other"),
            listen: (Ipv4Addr::LOCALHOST, 0).into(),
            http: false,
            deliver_anywhere: false,
        })
        .await?;
        let shown = Window::open(&program).await?;
        sites::show(&mut album, &shown, &other.ready().portal).await;
        shown.close().await?;
        other.stop().await;
    }

    album.bind()?;
    Ok(if all { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn arguments() -> Result<(PathBuf, PathBuf, Vec<String>)> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match &words[..] {
        [app, program, out, folder, chapters @ ..] if app == "--app" && out == "--out" => {
            Ok((program.into(), folder.into(), chapters.to_vec()))
        }
        _ => bail!("usage: tour --app PROGRAM --out FOLDER [CHAPTER…]"),
    }
}
