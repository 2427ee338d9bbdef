//! Folders of services that a server did not list.

use super::ROOT_FOLDER;
use crate::model::ancestors::Ancestors;

/// Folders whose services are not known.
pub(super) struct Unlisted<'a> {
    folders: Ancestors<&'a str>,
    has_root_folder: bool,
}

impl<'a> Unlisted<'a> {
    pub(super) fn of(folders: impl Iterator<Item = &'a str>) -> Self {
        let mut folders: Vec<_> = folders.collect();
        let has_root_folder = folders.contains(&ROOT_FOLDER);
        folders.retain(|folder| *folder != ROOT_FOLDER);
        Self { folders: Ancestors::of('/', folders), has_root_folder }
    }

    /// Returns whether a service is in one of the folders.
    pub(super) fn has(&self, path: &str) -> bool {
        if path.contains('/') { self.folders.has(path) } else { self.has_root_folder }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_is_found_in_its_folder() {
        for (folders, path, is_there) in [
            (&["Water", "Wa"][..], "Water/Mains.MapServer", true),
            (&["Water/Mains", "Wat"], "Water/Mains.MapServer", false),
            (&["Water", "/"], "Zoning.MapServer", true),
            (&["Water", "Zoning.MapServer"], "Zoning.MapServer", false),
            (&["/"], "Water/Mains.MapServer", false),
        ] {
            let unlisted = Unlisted::of(folders.iter().copied());
            assert_eq!(unlisted.has(path), is_there, "{path} in {folders:?}");
        }
    }
}
