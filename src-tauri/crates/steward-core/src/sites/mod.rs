//! Saved sites, without secrets, in one JSON file.
//!
//! [`Sites`] reads and writes them. A site is added or changed from a validated [`SiteForm`].

pub mod availability;
pub(crate) mod confirmation;
pub(crate) mod endpoints;
mod form;
mod found_servers;
pub mod profiles;
pub mod read_only;
mod server_names;
mod site;
pub mod site_data;
mod target;

use std::collections::{HashMap, HashSet};
use std::path::Path;

use anyhow::Context;
use url::Url;

pub use form::{ConnectionForm, ServerForm, SiteForm, TrustedCertificateView};
pub(crate) use form::{LARGEST_CERTIFICATE, path, read_certificate};
pub(crate) use found_servers::name_found;
pub use site::{ConnectionRoute, SavedPortal, SavedServer, Seen, Site, SiteColor};
pub(crate) use site::{is_same_host, origin};
pub use target::TargetSite;

use crate::files::JsonStore;
use crate::model::deployment::Environment;
use crate::model::ids::{ServerId, SiteId, Target};
use crate::model::problem::{FieldError, Problem};

/// Saved sites of the user.
pub struct Sites(JsonStore<Vec<Site>>);

impl Sites {
    /// Reads the saved sites. There are none if the file does not exist.
    ///
    /// # Errors
    /// The file exists and cannot be read, or has a newer format. It is never overwritten then.
    pub fn open(file: &Path) -> anyhow::Result<Self> {
        let store = JsonStore::open_required(file.to_owned())
            .with_context(|| format!("the saved sites in {} cannot be read", file.display()))?;
        Ok(Self(store))
    }

    /// Marks the file as known, now and at each write, so that its loss is noticed.
    pub(crate) fn noted(self) -> Self {
        Self(self.0.noted())
    }

    /// Reads the saved sites, which another process writes. Changes, for example of versions, stay in memory.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn open_read_only(file: &Path) -> anyhow::Result<Self> {
        let store = JsonStore::open_required_read_only(file.to_owned())
            .with_context(|| format!("the saved sites in {} cannot be read", file.display()))?;
        Ok(Self(store))
    }

    /// Gives a site, or a server of a site, a new identifier if one before it has the same. Returns whether there was
    /// one.
    ///
    /// Whatever is kept by the identifier, for example a token, would be used for both of them, and be deleted with one.
    /// It stays with the first.
    pub(crate) fn renumber(&self) -> bool {
        let mut sites = self.all();
        let mut renumbered = false;
        let mut seen = HashSet::new();
        for site in &mut sites {
            if !seen.insert(site.id.clone()) {
                site.id = SiteId::new();
                renumbered = true;
            }
            let mut seen = HashSet::new();
            for server in site.servers.iter_mut().filter(|server| !seen.insert(server.id.clone())) {
                server.id = ServerId::new();
                renumbered = true;
            }
        }
        if renumbered {
            self.0.update(|before| *before = sites);
        }
        renumbered
    }

    /// Returns all sites, in the order set by the user.
    pub fn all(&self) -> Vec<Site> {
        self.0.get()
    }

    /// Returns the site with an identifier.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if there is none.
    pub fn get(&self, id: &SiteId) -> Result<Site, Problem> {
        self.0.read(|sites| find(sites, id).cloned())
    }

    /// Returns the component of a site that an operation goes to.
    ///
    /// # Errors
    /// - [`Problem::PreconditionFailed`] if the site does not have the server.
    /// - [`Problem::Unexpected`] if the site is not saved.
    pub fn at(&self, target: &Target) -> Result<TargetSite, Problem> {
        TargetSite::of(self.get(&target.site)?, target)
    }

    /// Adds the site of a form, or changes the one with its identifier. New addresses are confirmed, because the user
    /// typed them.
    ///
    /// # Errors
    /// - [`Problem::Form`] if a field is invalid, or another site has the name.
    /// - [`Problem::File`] if a certificate file cannot be read, or the sites cannot be written.
    pub fn save(&self, form: &SiteForm) -> Result<Site, Problem> {
        let site = form.checked()?;
        self.change(|sites| {
            let mut site = filled_in(site, form.is_same, sites)?;
            site.confirmed = confirmed_by_typing(&site, sites);
            put(sites, site.clone());
            Ok(site)
        })
    }

    /// Adds a site that the user did not type, for example from a profile. None of its addresses is confirmed.
    ///
    /// # Errors
    /// Those of [`save`](Self::save).
    pub fn add_unconfirmed(&self, form: &SiteForm) -> Result<Site, Problem> {
        let site = form.checked()?;
        self.change(|sites| {
            let site = filled_in(site, form.is_same, sites)?;
            put(sites, site.clone());
            Ok(site)
        })
    }

    /// Returns the site that [`save`](Self::save) would store, without storing it.
    ///
    /// # Errors
    /// - [`Problem::Form`] if a field is invalid, or another site has the name.
    /// - [`Problem::File`] if a certificate file cannot be read.
    pub fn draft(&self, form: &SiteForm) -> Result<Site, Problem> {
        let site = form.checked()?;
        self.0.read(|sites| filled_in(site, form.is_same, sites))
    }

    /// Stores the name of the last user of a site. Nothing else changes: the site might have been edited meanwhile.
    ///
    /// # Errors
    /// - [`Problem::Unexpected`] if the site is not saved.
    /// - [`Problem::File`] if the sites cannot be written.
    pub fn note_signed_in(&self, id: &SiteId, username: Option<String>) -> Result<Site, Problem> {
        let before = self.get(id)?;
        if before.username == username {
            return Ok(before);
        }
        self.change(|sites| {
            let site = find_mut(sites, id)?;
            site.username = username;
            Ok(site.clone())
        })
    }

    /// Stores the versions that a site returned last, unless they are shown already. Nothing else changes.
    ///
    /// # Errors
    /// Those of [`signed_in`](Self::signed_in).
    pub fn note_seen(&self, id: &SiteId, seen: Seen) -> Result<(), Problem> {
        if self.get(id)?.seen.is_some_and(|before| before.is_shown_as(&seen)) {
            return Ok(());
        }
        self.change(|sites| {
            find_mut(sites, id)?.seen = Some(seen);
            Ok(())
        })
    }

    /// Stores the order of the sites. Sites that `order` does not contain come last.
    ///
    /// # Errors
    /// [`Problem::File`] if the sites cannot be written.
    pub fn order(&self, order: &[SiteId]) -> Result<(), Problem> {
        let places: HashMap<_, _> = order.iter().zip(0..).collect();
        self.change(|sites| {
            sites.sort_by_key(|site| places.get(&site.id).copied().unwrap_or(usize::MAX));
            Ok(())
        })
    }

    /// Adds or replaces a site without validation.
    ///
    /// # Errors
    /// [`Problem::File`] if the sites cannot be written.
    pub fn put(&self, site: Site) -> Result<(), Problem> {
        self.change(|sites| {
            put(sites, site);
            Ok(())
        })
    }

    /// Removes a site. Does nothing if it is not saved.
    ///
    /// # Errors
    /// [`Problem::File`] if the sites cannot be written.
    pub fn remove(&self, id: &SiteId) -> Result<(), Problem> {
        self.change(|sites| {
            sites.retain(|site| &site.id != id);
            Ok(())
        })
    }

    fn change<R>(&self, change: impl FnOnce(&mut Vec<Site>) -> Result<R, Problem>) -> Result<R, Problem> {
        self.0.try_change(change)
    }
}

/// Adds a site, or replaces the one with its identifier.
fn put(sites: &mut Vec<Site>, site: Site) {
    match sites.iter_mut().find(|other| other.id == site.id) {
        Some(place) => *place = site,
        None => sites.push(site),
    }
}

fn find<'a>(sites: &'a [Site], id: &SiteId) -> Result<&'a Site, Problem> {
    sites.iter().find(|site| &site.id == id).ok_or_else(|| unknown(id))
}

fn find_mut<'a>(sites: &'a mut [Site], id: &SiteId) -> Result<&'a mut Site, Problem> {
    sites.iter_mut().find(|site| &site.id == id).ok_or_else(|| unknown(id))
}

/// Adds the stored fields that are not part of the form to a site.
fn filled_in(mut site: Site, is_same: bool, sites: &[Site]) -> Result<Site, Problem> {
    let looks_like = |other: &Site| server_names::key(&other.name) == server_names::key(&site.name);
    if sites.iter().any(|other| other.id != site.id && looks_like(other)) {
        return Err(Problem::form("name", FieldError::NameTaken));
    }
    if site.is_built_in() {
        site.environment = Environment::Practice;
    }
    if let Some(before) = sites.iter().find(|other| other.id == site.id) {
        site.username.clone_from(&before.username);
        site.current_server.clone_from(&before.current_server);
        site.confirmed.clone_from(&before.confirmed);
        site.earlier = earlier(before, &site, is_same);
        if before.is_where(&site) {
            site.seen.clone_from(&before.seen);
        }
    }
    Ok(site)
}

/// Returns the earlier URLs of the portal and servers that a site still has: those that it had, and, if the user declares them to be
/// the same ones, those that change now. A component whose URL changes otherwise is another one, and has none.
fn earlier(before: &Site, now: &Site, is_same: bool) -> Vec<(Option<ServerId>, Url)> {
    let present: HashSet<_> = now.addresses_by_component().collect();
    let left = before.addresses_by_component().filter(|one| !present.contains(one));
    let left: Vec<_> = left.map(|(of, address)| (of.cloned(), address.clone())).collect();
    let mut earlier = before.earlier.clone();
    match is_same {
        true => earlier.extend(left),
        false => earlier.retain(|(of, _)| !left.iter().any(|(other, _)| other == of)),
    }
    let is_there = |of: &Option<ServerId>| {
        of.as_ref().is_none_or(|id| now.servers.iter().any(|server| server.id == *id))
    };
    earlier.retain(|(of, address)| is_there(of) && !present.contains(&(of.as_ref(), address)));
    earlier
}

/// Returns the confirmed origins of a site from a form. An address that the site had before keeps its state, because it
/// was part of the form already. In a new site, so does an address of another site, which the form might have been
/// copied from.
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
    use crate::model::numbers::Millis;

    fn form(name: &str, portal: &str) -> SiteForm {
        SiteForm::of(name, portal, "")
    }

    #[test]
    fn what_is_known_already_is_not_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("sites.json");
        let sites = Sites::open(&file).unwrap();
        let id = sites.save(&form("City GIS", "https://gis.example.org/portal")).unwrap().id;
        let is_written = |change: &dyn Fn()| {
            std::fs::write(&file, "as it was").unwrap();
            change();
            std::fs::read_to_string(&file).unwrap() != "as it was"
        };
        let (hour, noon) = (3_600_000, 1_764_072_000_000);
        let seen = |version: &str, at: i64| {
            let versions = (Some(version.to_owned()), None);
            let seen = Seen { portal_version: versions.0, server_version: versions.1, at: Millis(at) };
            sites.note_seen(&id, seen).unwrap();
        };

        assert!(is_written(&|| seen("11.3", noon)));
        assert!(!is_written(&|| seen("11.3", noon + 1)));
        assert!(is_written(&|| seen("11.4", noon + 2)));
        assert!(is_written(&|| seen("11.4", noon + 24 * hour)), "another day is shown");
        assert_eq!(sites.get(&id).unwrap().seen.unwrap().at, Millis(noon + 24 * hour));

        let signed_in =
            |name: Option<&str>| drop(sites.note_signed_in(&id, name.map(str::to_owned)).unwrap());
        assert!(is_written(&|| signed_in(Some("sam"))));
        assert!(!is_written(&|| signed_in(Some("sam"))));
        assert!(is_written(&|| signed_in(None)));
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

        for alike in ["City GIS", "city gis", "City\u{200b} GIS"] {
            let second = sites.save(&form(alike, "https://other.example.org/portal"));

            assert_eq!(second.unwrap_err(), Problem::form("name", FieldError::NameTaken), "{alike:?}");
        }
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
    fn sites_of_a_newer_version_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("sites.json");
        let newer = r#"{ "format": 2, "content": [] }"#;
        std::fs::write(&file, newer).unwrap();

        let rejected = Sites::open(&file).err().unwrap();

        assert!(format!("{rejected:#}").contains("newer version"), "{rejected:#}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), newer);
    }
}
