//! Folders of services and roots of data store items that a server did not list.

use super::{InventoryPart, ROOT_FOLDER};
use crate::model::ancestors::Ancestors;

/// Folders or roots of one part.
pub(super) struct Unlisted<'a> {
    part: InventoryPart,
    folders: Ancestors<&'a str>,
    has_root_folder: bool,
}

impl<'a> Unlisted<'a> {
    pub(super) fn of(part: InventoryPart, folders: impl Iterator<Item = &'a str>) -> Self {
        let mut folders: Vec<_> = folders.collect();
        let has_root_folder = folders.contains(&ROOT_FOLDER);
        match part {
            InventoryPart::Services => folders.retain(|folder| *folder != ROOT_FOLDER),
            _ => folders.iter_mut().for_each(|root| *root = root.trim_end_matches('/')),
        }
        Self { part, folders: Ancestors::of('/', folders), has_root_folder }
    }

    /// Returns whether a path is in one of the folders, or below one of the roots.
    pub(super) fn has(&self, path: &str) -> bool {
        match self.part {
            InventoryPart::Services if !path.contains('/') => self.has_root_folder,
            _ => self.folders.has(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_found_in_its_folder_or_below_its_root() {
        for (part, folders, path, is_there) in [
            (InventoryPart::Services, &["Water", "Wa"][..], "Water/Mains.MapServer", true),
            (InventoryPart::Services, &["Water/Mains", "Wat"], "Water/Mains.MapServer", false),
            (InventoryPart::Services, &["Water", "/"], "Zoning.MapServer", true),
            (InventoryPart::Services, &["Water", "Zoning.MapServer"], "Zoning.MapServer", false),
            (InventoryPart::Services, &["/"], "Water/Mains.MapServer", false),
            (InventoryPart::DataItems, &["/a/", "/b"], "/a", true),
            (InventoryPart::DataItems, &["/"], "/a/c", true),
            (InventoryPart::DataItems, &["/a"], "/b/a", false),
        ] {
            let unlisted = Unlisted::of(part, folders.iter().copied());
            assert_eq!(unlisted.has(path), is_there, "{path} in {folders:?}");
        }
    }
}
