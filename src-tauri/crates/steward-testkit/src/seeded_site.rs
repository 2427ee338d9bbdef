//! Practice sites that start quickly.

use std::fs::Permissions;
use std::path::{Path, PathBuf};

use anyhow::Result;
use practice_site::{Options, PracticeSite, Release};
use tokio::sync::OnceCell;

/// Files that sites share: accounts, certificate and portal. The server is not shared, because its database contains
/// the path of the data folder.
const SHARED: [&str; 3] = ["users.json", "certificate", "portal"];

/// Statements that change the server database of a practice site: three services more than in an export, one of its
/// services under another name, and one that is stopped.
pub const SINCE_THE_EXPORT: &str = "
    INSERT INTO services (folder, name, type, description, configuration, data_path, configured_state, real_time_state)
        SELECT '', name.column1, 'MapServer', '', configuration, data_path, 'STARTED', 'STARTED'
        FROM services, (VALUES ('Bridges'), ('Ferries'), ('Quays')) AS name
        WHERE folder = '' AND services.name = 'Basemap';
    UPDATE services SET name = 'BufferZone' WHERE folder = '' AND name = 'Buffer';
    UPDATE services SET configured_state = 'STOPPED', real_time_state = 'STOPPED' WHERE name = 'Basemap';";

struct SeededFile {
    path: PathBuf,
    content: Vec<u8>,
    permissions: Permissions,
}

/// Files in memory: a folder that a process keeps until its end is not removed.
static SEEDED: OnceCell<Vec<SeededFile>> = OnceCell::const_new();

/// Starts a practice site in a new data folder.
///
/// The first site of a process is filled as always; the others get its accounts, certificate and portal, which saves
/// the hashes of six passwords and two keys. So portals of one process have the same ID.
///
/// # Errors
/// Returns an error if the data folder cannot be written, or if the site does not start.
pub async fn seeded_site(options: Options) -> Result<PracticeSite> {
    let files = SEEDED.get_or_try_init(seed).await?;
    let folder = options.data_dir.clone();
    tokio::task::spawn_blocking(move || write(&folder, files)).await??;
    PracticeSite::start(options).await
}

async fn seed() -> Result<Vec<SeededFile>> {
    let folder = tempfile::tempdir()?;
    let options = Options {
        data_dir: folder.path().to_owned(),
        listen: ([127, 0, 0, 1], 0).into(),
        localhost: false,
        http: true,
        deliver_anywhere: false,
        servers: 1,
        release: Release::default(),
    };
    PracticeSite::start(options).await?.stop().await;
    let mut files = Vec::new();
    for name in SHARED {
        read(folder.path(), Path::new(name), &mut files)?;
    }
    Ok(files)
}

fn read(root: &Path, path: &Path, files: &mut Vec<SeededFile>) -> Result<()> {
    let file = root.join(path);
    if !file.is_dir() {
        let permissions = file.metadata()?.permissions();
        files.push(SeededFile { path: path.to_owned(), content: std::fs::read(&file)?, permissions });
        return Ok(());
    }
    for entry in std::fs::read_dir(file)? {
        read(root, &path.join(entry?.file_name()), files)?;
    }
    Ok(())
}

fn write(folder: &Path, files: &[SeededFile]) -> Result<()> {
    for SeededFile { path, content, permissions } in files {
        let file = folder.join(path);
        if let Some(parent) = file.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(&file, content)?;
        std::fs::set_permissions(&file, permissions.clone())?;
    }
    Ok(())
}
