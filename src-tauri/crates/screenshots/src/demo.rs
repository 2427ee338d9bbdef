//! The operations on the practice site, with one picture of each result.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use steward_testkit::window::{Program, Window};

use crate::album::Album;
use crate::operations::{self, Pictures};

/// Signs in to the practice site and performs the operations. Writes `demo.json`: operation, outcome, seconds and
/// screenshot of each. The exit status is 0 if all succeeded.
pub(crate) async fn play(app: PathBuf, out: PathBuf) -> Result<ExitCode> {
    let desk = tempfile::tempdir()?;
    let program = Program::new(app, desk.path().join("practice"));
    let window = Window::open(&program).await?;
    window.start_practice().await?;
    let mut album = Album::in_one_look(out);
    let played = operations::play(&mut album, &window, desk.path(), Pictures::Results).await;
    window.close().await?;

    std::fs::write(album.folder().join("demo.json"), serde_json::to_vec_pretty(&played)?)?;
    for played in &played {
        println!("{played}");
    }
    println!("The pictures are in {}", album.folder().display());
    let all = played.iter().all(|played| played.outcome == "succeeded");
    Ok(if all { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
