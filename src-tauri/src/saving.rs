//! Files on this computer: complete or absent, and what was there before is untouched until the new one is whole.

use std::io::Write;
use std::path::Path;

use sha2::{Digest, Sha256};
use steward_client::{ClientError, Download};
use tokio::io::AsyncWriteExt;

use crate::problem::Problem;
use crate::views::numbers::Bytes;
use crate::views::saved_file::{SavedFile, Saving};

/// Why a download is not on disk.
#[derive(Debug)]
pub enum NotSaved {
    /// This computer refused.
    Here(std::io::Error),
    /// The site or the way to it failed.
    There(ClientError),
}

/// Writes `bytes` to `path`, readable by this person only.
pub fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(folder_of(path))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    put_in_place(file, path)
}

/// Writes `bytes` to `path` and says what became of them.
pub fn save(path: &Path, bytes: &[u8]) -> Saving {
    if let Err(error) = write_whole(path, bytes) {
        return Saving::Failed { problem: Problem::file(path, &error) };
    }
    let mut hash = Sha256::new();
    hash.update(bytes);
    Saving::Saved { file: saved(path, bytes.len() as u64, hash) }
}

/// Streams a download to `path`, telling `progress` how many bytes are there.
pub async fn stream(
    mut download: Download,
    path: &Path,
    mut progress: impl FnMut(u64),
) -> Result<SavedFile, NotSaved> {
    let temporary = tempfile::NamedTempFile::new_in(folder_of(path)).map_err(NotSaved::Here)?;
    let mut file = tokio::fs::File::from_std(temporary.reopen().map_err(NotSaved::Here)?);
    let (mut size, mut hash) = (0, Sha256::new());
    while let Some(chunk) = download.next().await.map_err(NotSaved::There)? {
        let chunk = chunk.as_ref();
        file.write_all(chunk).await.map_err(NotSaved::Here)?;
        hash.update(chunk);
        size += chunk.len() as u64;
        progress(size);
    }
    file.flush().await.map_err(NotSaved::Here)?;
    file.sync_all().await.map_err(NotSaved::Here)?;
    // A second handle would keep Windows from renaming it.
    drop(file);
    put_in_place(temporary, path).map_err(NotSaved::Here)?;
    Ok(saved(path, size, hash))
}

/// A file name that can be suggested anywhere: nothing but a name, no device of Windows, no hidden file, and no
/// lie about its type.
pub fn safe_name(name: &str, extension: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let kept: String = last
        .chars()
        .map(|letter| if letter.is_control() || "<>:\"|?*".contains(letter) { '-' } else { letter })
        .filter(|letter| !is_invisible(*letter))
        .take(120)
        .collect();
    let stem = kept.strip_suffix(&format!(".{extension}")).unwrap_or(&kept);
    let stem = stem.trim_matches(['.', ' ']);
    let device = ["con", "prn", "aux", "nul"].iter().any(|device| stem.eq_ignore_ascii_case(device))
        || (stem.len() == 4
            && ["com", "lpt"].iter().any(|port| stem.to_ascii_lowercase().starts_with(port))
            && stem.ends_with(|digit: char| digit.is_ascii_digit()));
    match stem {
        "" => format!("file.{extension}"),
        _ if device => format!("file-{stem}.{extension}"),
        _ => format!("{stem}.{extension}"),
    }
}

/// Marks that turn the direction of writing can make `exe.invite` look like `etivni.exe`.
const fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

fn put_in_place(file: tempfile::NamedTempFile, path: &Path) -> std::io::Result<()> {
    file.persist(path).map_err(|error| error.error)?;
    // The new name itself must survive a power cut. Windows keeps no such promise for folders.
    #[cfg(unix)]
    std::fs::File::open(folder_of(path))?.sync_all()?;
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn saved(path: &Path, size: u64, hash: Sha256) -> SavedFile {
    let sha256 = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    SavedFile { path: path.display().to_string(), size: Bytes(size), sha256 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_there_is_untouched_when_the_new_one_cannot_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("taken");
        std::fs::create_dir(&place).unwrap();
        std::fs::write(place.join("inside"), "kept").unwrap();

        assert!(matches!(save(&place, b"new"), Saving::Failed { .. }));

        assert_eq!(std::fs::read_to_string(place.join("inside")).unwrap(), "kept");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
    }

    #[test]
    fn a_name_from_a_server_cannot_leave_the_folder_nor_lie_about_what_it_is() {
        for (sent, safe) in [
            ("collaboration-guest.example.net.invite", "collaboration-guest.example.net.invite"),
            ("../../etc/passwd", "passwd.invite"),
            ("C:\\Windows\\a.invite", "a.invite"),
            ("..", "file.invite"),
            ("", "file.invite"),
            (".bashrc", "bashrc.invite"),
            ("NUL.invite", "file-NUL.invite"),
            ("com1", "file-com1.invite"),
            ("a\u{202e}exe.invite", "aexe.invite"),
            ("run.exe", "run.exe.invite"),
            ("a\nb:c.invite", "a-b-c.invite"),
        ] {
            assert_eq!(safe_name(sent, "invite"), safe, "{sent:?}");
        }
        assert!(safe_name(&"x".repeat(1000), "invite").len() < 140);
    }

    #[test]
    fn a_saved_file_is_whole_private_and_described() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.invite");
        std::fs::write(&path, "a longer file that was here before").unwrap();

        let Saving::Saved { file } = save(&path, b"abc") else { panic!("not saved") };

        assert_eq!(std::fs::read(&path).unwrap(), b"abc");
        assert_eq!(file.size, Bytes(3));
        assert_eq!(file.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
}
