//! The saved sites, without secrets: one small file, written whole.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Context;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::problem::{Fault, Problem};

/// Identifier of a saved site.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct SiteId(pub String);

/// What a site is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum SiteKind {
    /// The practice site of this program.
    Practice,
    /// A site that may be broken.
    Test,
    /// A site that people work with.
    Production,
}

/// The colour of a site, shown on every surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "colours name themselves")]
pub enum SiteColor {
    Blue,
    Teal,
    Green,
    Orange,
    Red,
    Grape,
    Gray,
}

/// A saved site.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Site {
    /// Identifier.
    pub id: SiteId,
    /// The name the person gave it.
    pub name: String,
    /// What it is for.
    pub kind: SiteKind,
    /// Its colour.
    pub color: SiteColor,
    /// Web context of the portal.
    pub portal: Option<Url>,
    /// Web context of the server.
    pub server: Option<Url>,
    /// A CA certificate trusted for this site beside the system's.
    pub ca_certificate: Option<PathBuf>,
    /// Who signed in last.
    pub username: Option<String>,
    /// Whether every change is refused until somebody unlocks it with a reason.
    #[serde(default)]
    pub read_only: bool,
}

/// What the person fills in; empty texts are not given.
#[derive(Debug, Clone, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SiteForm {
    /// The site to change; `null` for a new one.
    pub id: Option<SiteId>,
    /// Name.
    pub name: String,
    /// What it is for.
    pub kind: SiteKind,
    /// Colour.
    pub color: SiteColor,
    /// Address of the portal, as in `https://gis.example.org/portal`.
    pub portal: String,
    /// Address of the server.
    pub server: String,
    /// Path of a CA certificate in PEM.
    pub ca_certificate: String,
    /// Whether every change is refused until somebody unlocks it with a reason.
    pub read_only: bool,
}

/// The saved sites of this person.
pub struct Sites {
    file: PathBuf,
    sites: Mutex<Vec<Site>>,
}

#[derive(Serialize, Deserialize)]
struct Saved {
    version: u32,
    sites: Vec<Site>,
}

impl Sites {
    /// Reads the saved sites; there are none when the file is not there yet.
    ///
    /// # Errors
    /// When the file is there and cannot be read: it is never overwritten then.
    pub fn open(file: &Path) -> anyhow::Result<Self> {
        let sites = match std::fs::read(file) {
            Ok(bytes) => {
                let saved: Saved = serde_json::from_slice(&bytes)
                    .with_context(|| format!("the saved sites in {} cannot be read", file.display()))?;
                saved.sites
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => {
                return Err(error)
                    .with_context(|| format!("the saved sites in {} cannot be read", file.display()));
            }
        };
        Ok(Self { file: file.to_owned(), sites: Mutex::new(sites) })
    }

    /// All of them, in the order they were added.
    pub fn all(&self) -> Vec<Site> {
        self.lock().clone()
    }

    /// The site with this identifier.
    pub fn get(&self, id: &SiteId) -> Result<Site, Problem> {
        self.lock().iter().find(|site| &site.id == id).cloned().ok_or_else(|| Problem::Unexpected {
            message: format!("there is no saved site {}; it may have been removed", id.0),
        })
    }

    /// Adds the site a person filled in, or changes the one it names.
    pub fn save(&self, form: &SiteForm) -> Result<Site, Problem> {
        let mut site = form.checked()?;
        let mut sites = self.lock();
        if sites.iter().any(|other| other.id != site.id && other.name == site.name) {
            return Err(Problem::form("name", Fault::NameTaken));
        }
        if let Some(before) = sites.iter().find(|other| other.id == site.id) {
            site.username.clone_from(&before.username);
        }
        self.store(&mut sites, site.clone())?;
        Ok(site)
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
        let saved = Saved { version: 1, sites: sites.to_vec() };
        let bytes = serde_json::to_vec_pretty(&saved).context("the sites could not be written down")?;
        crate::saving::write_whole(&self.file, &bytes).map_err(|error| Problem::file(&self.file, &error))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Site>> {
        // Every change is made on a copy that replaces the list when it is on disk.
        self.sites.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SiteForm {
    fn checked(&self) -> Result<Site, Problem> {
        let name = self.name.trim();
        if name.is_empty() {
            return Err(Problem::form("name", Fault::Required));
        }
        let portal = address("portal", &self.portal)?;
        let server = address("server", &self.server)?;
        if portal.is_none() && server.is_none() {
            return Err(Problem::form("portal", Fault::Required));
        }
        let ca_certificate =
            Some(self.ca_certificate.trim()).filter(|path| !path.is_empty()).map(PathBuf::from);
        if let Some(path) = &ca_certificate {
            let pem = std::fs::read(path).map_err(|error| Problem::file(path, &error))?;
            let trust = steward_client::Trust { ca_pem: Some(pem), ..steward_client::Trust::default() };
            steward_client::Http::new(&trust)
                .map_err(|_| Problem::form("caCertificate", Fault::NotACertificate))?;
        }
        Ok(Site {
            id: self.id.clone().unwrap_or_else(|| SiteId(uuid::Uuid::new_v4().to_string())),
            name: name.to_owned(),
            kind: self.kind,
            color: self.color,
            portal,
            server,
            ca_certificate,
            username: None,
            read_only: self.read_only,
        })
    }
}

/// An address as a person writes it. Plain http is for this computer only: a token would travel readable.
fn address(field: &str, text: &str) -> Result<Option<Url>, Problem> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let fault = || Problem::form(field, Fault::NotAnAddress);
    let mut url = Url::parse(text).map_err(|_| fault())?;
    let local = match url.host().ok_or_else(fault)? {
        url::Host::Domain(name) => name == "localhost",
        url::Host::Ipv4(address) => address.is_loopback(),
        url::Host::Ipv6(address) => address.is_loopback(),
    };
    let readable = url.scheme() == "https" || (url.scheme() == "http" && local);
    if !readable || !url.username().is_empty() || url.password().is_some() {
        return Err(fault());
    }
    url.set_query(None);
    url.set_fragment(None);
    Ok(Some(url))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(name: &str, portal: &str) -> SiteForm {
        SiteForm {
            id: None,
            name: name.to_owned(),
            kind: SiteKind::Test,
            color: SiteColor::Blue,
            portal: portal.to_owned(),
            server: String::new(),
            ca_certificate: String::new(),
            read_only: false,
        }
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
    fn a_token_is_never_sent_to_an_address_that_anyone_can_read_along() {
        for text in [
            "http://gis.example.org/portal",
            "ftp://gis.example.org",
            "gis.example.org",
            "mailto:a@b",
            "https://user:word@gis.example.org/portal",
        ] {
            assert_eq!(address("portal", text), Err(Problem::form("portal", Fault::NotAnAddress)), "{text}");
        }
        for text in
            ["https://gis.example.org/portal", "http://127.0.0.1:8080/portal", "http://localhost/portal"]
        {
            assert!(address("portal", text).unwrap().is_some(), "{text}");
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
}
