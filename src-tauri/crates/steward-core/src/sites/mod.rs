//! The saved sites, without secrets: one small file, written whole.

pub mod availability;
pub(crate) mod confirmation;
mod form;
mod format;
pub mod profiles;
pub mod read_only;
mod site;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Context;

pub use form::{ConnectionForm, PinView, ServerForm, SiteForm};
pub(crate) use form::{path, read_certificate};
pub use site::{SavedPortal, SavedRoute, SavedServer, Seen, Site, SiteColor};
pub(crate) use site::{is_same_host, origin};

use crate::model::ids::SiteId;
use crate::model::problem::{Fault, Problem};

/// The saved sites of this person.
pub struct Sites {
    file: PathBuf,
    sites: Mutex<Vec<Site>>,
}

impl Sites {
    /// Reads the saved sites; there are none when the file is not there yet.
    ///
    /// # Errors
    /// When the file is there and cannot be read: it is never overwritten then.
    pub fn open(file: &Path) -> anyhow::Result<Self> {
        let sites = match std::fs::read(file) {
            Ok(bytes) => format::read(file, &bytes)
                .with_context(|| format!("the saved sites in {} cannot be read", file.display()))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => {
                return Err(error)
                    .with_context(|| format!("the saved sites in {} cannot be read", file.display()));
            }
        };
        Ok(Self { file: file.to_owned(), sites: Mutex::new(sites) })
    }

    /// All of them, in the order that the person gave them.
    pub fn all(&self) -> Vec<Site> {
        self.lock().clone()
    }

    /// The site with this identifier.
    pub fn get(&self, id: &SiteId) -> Result<Site, Problem> {
        self.lock().iter().find(|site| &site.id == id).cloned().ok_or_else(|| unknown(id))
    }

    /// Adds the site a person filled in, or changes the one it names. The addresses that are new in it are confirmed
    /// by that.
    pub fn save(&self, form: &SiteForm) -> Result<Site, Problem> {
        let site = form.checked()?;
        let mut sites = self.lock();
        let mut site = filled_in(site, &sites)?;
        site.confirmed = confirmed_by_typing(&site, &sites);
        self.store(&mut sites, site.clone())?;
        Ok(site)
    }

    /// Adds a site that nobody typed, of whose addresses none is confirmed.
    pub fn add_unconfirmed(&self, form: &SiteForm) -> Result<Site, Problem> {
        let site = form.checked()?;
        let mut sites = self.lock();
        let site = filled_in(site, &sites)?;
        self.store(&mut sites, site.clone())?;
        Ok(site)
    }

    /// What saving would make of a form. Nothing changes.
    pub fn draft(&self, form: &SiteForm) -> Result<Site, Problem> {
        let site = form.checked()?;
        filled_in(site, &self.lock())
    }

    /// Keeps who signed in last. Nothing else of the site changes: it may have been edited meanwhile.
    pub fn signed_in(&self, id: &SiteId, username: Option<String>) -> Result<Site, Problem> {
        let mut sites = self.lock();
        let site = sites.iter().find(|site| &site.id == id).cloned().ok_or_else(|| unknown(id))?;
        let site = Site { username, ..site };
        self.store(&mut sites, site.clone())?;
        Ok(site)
    }

    /// Keeps what a site said of itself last. Nothing else of it changes.
    pub fn seen(&self, id: &SiteId, seen: Seen) -> Result<(), Problem> {
        let mut sites = self.lock();
        let site = sites.iter().find(|site| &site.id == id).cloned().ok_or_else(|| unknown(id))?;
        self.store(&mut sites, Site { seen: Some(seen), ..site })
    }

    /// Puts the sites into this order. Those that it does not name, as one added meanwhile, come after.
    pub fn order(&self, order: &[SiteId]) -> Result<(), Problem> {
        let mut sites = self.lock();
        let places: HashMap<_, _> = order.iter().zip(0..).collect();
        let mut ordered = sites.clone();
        ordered.sort_by_key(|site| places.get(&site.id).copied().unwrap_or(usize::MAX));
        self.write(&ordered)?;
        *sites = ordered;
        Ok(())
    }

    /// Adds or changes a site without asking questions.
    pub fn put(&self, site: Site) -> Result<(), Problem> {
        let mut sites = self.lock();
        self.store(&mut sites, site)
    }

    /// Forgets a site.
    pub fn remove(&self, id: &SiteId) -> Result<(), Problem> {
        let mut sites = self.lock();
        let kept: Vec<Site> = sites.iter().filter(|site| &site.id != id).cloned().collect();
        self.write(&kept)?;
        *sites = kept;
        Ok(())
    }

    fn store(&self, sites: &mut Vec<Site>, site: Site) -> Result<(), Problem> {
        let mut changed = sites.clone();
        match changed.iter_mut().find(|other| other.id == site.id) {
            Some(place) => *place = site,
            None => changed.push(site),
        }
        self.write(&changed)?;
        *sites = changed;
        Ok(())
    }

    /// The old file stays until the new one is whole.
    fn write(&self, sites: &[Site]) -> Result<(), Problem> {
        let bytes = format::write(sites).context("the sites could not be written down")?;
        crate::files::write_whole(&self.file, &bytes).map_err(|error| Problem::file(&self.file, &error))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Site>> {
        // Every change is made on a copy that replaces the list when it is on disk.
        self.sites.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The site of a form, with what is no part of the form as it was.
fn filled_in(mut site: Site, sites: &[Site]) -> Result<Site, Problem> {
    if sites.iter().any(|other| other.id != site.id && other.name == site.name) {
        return Err(Problem::form("name", Fault::NameTaken));
    }
    if let Some(before) = sites.iter().find(|other| other.id == site.id) {
        site.username.clone_from(&before.username);
        site.chosen_server.clone_from(&before.chosen_server);
        site.confirmed.clone_from(&before.confirmed);
        if before.is_where(&site) {
            site.seen.clone_from(&before.seen);
        }
    }
    Ok(site)
}

/// The origins of a filled-in site that a person vouches for. What the site had before keeps its standing: it stood in
/// the form already. So does, in a new one, what another site has: the form may have begun as that site.
fn confirmed_by_typing(site: &Site, sites: &[Site]) -> Vec<String> {
    let before: Vec<&Site> = match sites.iter().find(|other| other.id == site.id) {
        Some(before) => vec![before],
        None => sites.iter().collect(),
    };
    let is_confirmed = |place: &String| {
        let mut having =
            before.iter().filter(|other| other.addresses().any(|address| origin(address) == *place));
        let is_new = having.clone().next().is_none();
        is_new || having.any(|other| other.confirmed.contains(place))
    };
    let mut confirmed: Vec<String> = site.addresses().map(origin).filter(is_confirmed).collect();
    confirmed.sort();
    confirmed.dedup();
    confirmed
}

fn unknown(id: &SiteId) -> Problem {
    Problem::Unexpected { message: format!("there is no saved site {}; it may have been removed", id.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(name: &str, portal: &str) -> SiteForm {
        SiteForm::of(name, portal, "")
    }

    #[test]
    fn a_saved_site_is_found_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("sites.json");
        let saved =
            Sites::open(&file).unwrap().save(&form("City GIS", "https://gis.example.org/portal")).unwrap();

        let sites = Sites::open(&file).unwrap();

        assert_eq!(sites.get(&saved.id).unwrap().name, "City GIS");
    }

    #[test]
    fn two_sites_cannot_have_one_name() {
        let folder = tempfile::tempdir().unwrap();
        let sites = Sites::open(&folder.path().join("sites.json")).unwrap();
        sites.save(&form("City GIS", "https://gis.example.org/portal")).unwrap();

        let second = sites.save(&form("City GIS", "https://other.example.org/portal"));

        assert_eq!(second.unwrap_err(), Problem::form("name", Fault::NameTaken));
    }

    #[test]
    fn a_file_that_cannot_be_read_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("sites.json");
        std::fs::write(&file, "{ half a file").unwrap();

        assert!(Sites::open(&file).is_err());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "{ half a file");
    }

    #[test]
    fn sites_of_an_older_version_are_kept_and_copied_before_they_are_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("sites.json");
        let before = r#"{ "version": 1, "sites": [{ "id": "a", "name": "City GIS", "kind": "production",
            "color": "red", "portal": "https://gis.example.org/portal",
            "server": "https://gis.example.org/server", "caCertificate": "/etc/city.pem",
            "username": "steward" }] }"#;
        std::fs::write(&file, before).unwrap();

        let sites = Sites::open(&file).unwrap();
        sites.save(&form("County GIS", "https://county.example.org/portal")).unwrap();

        let site = Sites::open(&file).unwrap().get(&SiteId("a".to_owned())).unwrap();
        assert_eq!(site.name, "City GIS");
        assert_eq!(site.server().unwrap().address.as_str(), "https://gis.example.org/server");
        assert_eq!(site.username.as_deref(), Some("steward"));
        assert_eq!(std::fs::read_to_string(folder.path().join("sites-v1.json")).unwrap(), before);
    }

    #[test]
    fn sites_of_a_newer_version_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("sites.json");
        std::fs::write(&file, r#"{ "version": 3, "sites": [] }"#).unwrap();

        let refused = Sites::open(&file).err().unwrap();

        assert!(format!("{refused:#}").contains("newer version"), "{refused:#}");
    }
}
