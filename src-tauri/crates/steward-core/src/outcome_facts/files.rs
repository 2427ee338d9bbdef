//! Files that a request may have written to a folder that this computer can read.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf, Prefix};

use jiff::Timestamp;
use steward_client::{Endpoint, is_this_computer};
use url::Url;

use super::{CheckFact, CheckedRequest, Suggestion};
use crate::files::archive_check;
use crate::model::numbers::Bytes;

/// Limit of the files of a folder that are listed.
const MOST_FILES: usize = 5;

/// Lists newer files in the destination folder of an export, if this computer can read it. Only files with `extension`
/// whose name no other entry of the history has count as the export: other programs might write to the same folder.
pub(crate) async fn check(
    request: &CheckedRequest<'_>,
    endpoint: &Endpoint,
    extension: &str,
    facts: &mut Vec<CheckFact>,
) -> Suggestion {
    let location = request.given("location").to_owned();
    let (folder, since) = (PathBuf::from(&location), request.began());
    // The path comes from the window, and reading a share signs in to the computer that it names.
    let may_look = is_of_this_computer(&folder) || request.selected.was_chosen(&folder);
    let read = move || may_look.then(|| younger_files(&folder, since)).flatten();
    let Ok(Some(files)) = tokio::task::spawn_blocking(read).await else {
        facts.push(CheckFact::FolderNotHere { path: location });
        return Suggestion::Unclear;
    };
    if files.is_empty() {
        facts.push(CheckFact::FileNotHere { path: location });
        return Suggestion::Unclear;
    }
    let of_others = request.of_others(&[&request.intent.operation], |facts| facts.site_path.clone()).await;
    // The site might know the folder by another path.
    let of_others: Option<HashSet<_>> =
        of_others.map(|others| others.iter().map(|path| name_of(path)).collect());
    let mut ours = 0;
    for path in files {
        let fact = file(&path).await;
        let is_whole = matches!(fact, CheckFact::FileHere { whole: true, .. });
        let is_of_another =
            of_others.as_ref().is_none_or(|others| others.contains(&name_of(&path.to_string_lossy())));
        ours += usize::from(is_whole && has_extension(&path, extension) && !is_of_another);
        facts.push(fact);
    }
    if !is_same_folder_here(&location, endpoint.root()) {
        facts.push(CheckFact::FolderOfThisComputer { path: location });
        return Suggestion::Unclear;
    }
    Suggestion::done_if(ours == 1)
}

/// Returns whether a file has an extension, in any case.
pub(crate) fn has_extension(file: &Path, extension: &str) -> bool {
    file.extension().is_some_and(|own| own.eq_ignore_ascii_case(extension))
}

/// Returns the name of a file at a path of any system, to compare it.
fn name_of(path: &str) -> String {
    path.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase()
}

/// Returns whether a file is here, and complete.
pub(crate) async fn file(path: &Path) -> CheckFact {
    let looked_at = path.to_owned();
    let found = tokio::task::spawn_blocking(move || {
        let length = std::fs::metadata(&looked_at).ok().filter(std::fs::Metadata::is_file)?.len();
        Some((length, archive_check::is_whole(&looked_at)))
    })
    .await;
    let path = path.display().to_string();
    match found {
        Ok(Some((length, whole))) => CheckFact::FileHere { path, size: Bytes(length), whole },
        _ => CheckFact::FileNotHere { path },
    }
}

/// Returns the newest files of a folder; `None` if this computer cannot read it.
fn younger_files(folder: &Path, since: i64) -> Option<Vec<PathBuf>> {
    if !folder.is_absolute() {
        return None;
    }
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .ok()?
        .flatten()
        .filter_map(|entry| {
            let metadata = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
            let changed = Timestamp::try_from(metadata.modified().ok()?).ok()?.as_millisecond();
            (changed >= since).then(|| (changed, entry.path()))
        })
        .collect();
    files.sort();
    files.reverse();
    Some(files.into_iter().take(MOST_FILES).map(|(_, path)| path).collect())
}

/// Returns whether a path is on this computer: on Windows, only if it begins with a drive. Others name a computer or a
/// device.
fn is_of_this_computer(path: &Path) -> bool {
    match path.components().next() {
        Some(Component::Prefix(prefix)) => {
            matches!(prefix.kind(), Prefix::Disk(_) | Prefix::VerbatimDisk(_))
        }
        _ => true,
    }
}

/// Returns whether the path of a folder names the same folder on this computer and on the machine of a site: the site
/// is on this computer, or the path names a computer itself, as `\\server\share` does on Windows.
fn is_same_folder_here(folder: &str, site: &Url) -> bool {
    let is_share = match Path::new(folder).components().next() {
        Some(Component::Prefix(prefix)) => matches!(prefix.kind(), Prefix::UNC(..) | Prefix::VerbatimUNC(..)),
        _ => false,
    };
    is_share || is_this_computer(site)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_this_computer_is_that_of_a_site_on_it_and_no_sign_of_what_a_site_elsewhere_wrote() {
        let is_same = |folder: &str, site: &str| is_same_folder_here(folder, &site.parse().unwrap());

        assert!(is_same("/backups", "http://127.0.0.1:7080/portal"));
        assert!(!is_same("/backups", "https://gis.example.org/portal"));
        assert!(!is_same(r"C:\backups", "https://gis.example.org/portal"));
        assert_eq!(is_same(r"\\nas\backups", "https://gis.example.org/portal"), cfg!(windows));
    }

    #[test]
    fn a_share_that_was_typed_is_not_looked_at_by_itself() {
        for share in [r"\\nas\backups", r"\\?\UNC\nas\backups", r"\\.\pipe\backups", "//nas/backups"] {
            assert_eq!(is_of_this_computer(Path::new(share)), cfg!(not(windows)), "{share}");
        }
        for here in [r"C:\backups", r"\\?\C:\backups", "/backups"] {
            assert!(is_of_this_computer(Path::new(here)), "{here}");
        }
    }
}
