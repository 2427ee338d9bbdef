//! Sites in a file, to take them to another computer or give them to a colleague.

use std::path::Path;

use anyhow::Context;
use serde::Serialize;

use super::sites::{self as saved_sites, SiteView};
use crate::files;
use crate::files::dialogs::Title;
use crate::host::Host;
use crate::model::ids::SiteId;
use crate::model::problem::Problem;
use crate::model::saved_file::Saving;
use crate::sites::profiles::{self, LARGEST, NoProfiles, Profile, ProfileAddress};
use crate::sites::{Site, SiteForm};

/// What is in a file that the person chose.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ProfileFile {
    /// The dialog was closed.
    Dismissed,
    /// It is no file of profiles, or a damaged one.
    NotOurs {
        /// The file.
        path: String,
    },
    /// A newer version of this program wrote it.
    Newer {
        /// The file.
        path: String,
    },
    /// Profiles. Nothing is saved yet.
    Read {
        /// The file.
        path: String,
        /// In the order of the file.
        profiles: Vec<ProfileView>,
    },
}

/// A profile, beside the sites that are there.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ProfileView {
    /// The profile.
    pub profile: Profile,
    /// Every address that it would use; empty when it could not be saved under any name.
    pub addresses: Vec<ProfileAddress>,
    /// Why it could not be saved as it is, as that its name is taken; `null` when it could.
    pub problem: Option<Problem>,
    /// The name of the site that is at the same address already.
    pub same_place: Option<String>,
}

/// The saving itself.
pub async fn save(host: &Host, sites: &[SiteId]) -> Result<Saving, Problem> {
    let sites: Vec<Site> = sites.iter().map(|id| host.sites.get(id)).collect::<Result<_, _>>()?;
    let name = match &sites[..] {
        [site] => files::safe_name(&site.name.replace(['/', '\\'], "-"), "json"),
        _ => "site-profiles.json".to_owned(),
    };
    let bytes = profiles::write(&sites).context("the profiles could not be written down")?;
    let Some(path) = host.dialogs.save_file(Title::SaveProfiles, &name).await? else {
        return Ok(Saving::Dismissed);
    };
    Ok(files::save(&path, &bytes))
}

/// The opening itself.
pub async fn open(host: &Host) -> Result<ProfileFile, Problem> {
    let Some(file) = host.dialogs.open_file(Title::OpenProfiles).await? else {
        return Ok(ProfileFile::Dismissed);
    };
    let path = file.display().to_string();
    let bytes = match bytes_of(&file) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return Ok(ProfileFile::NotOurs { path }),
        Err(error) => return Err(Problem::file(&file, &error)),
    };
    Ok(match profiles::read(&bytes) {
        Err(NoProfiles::NotOurs) => ProfileFile::NotOurs { path },
        Err(NoProfiles::Newer { .. }) => ProfileFile::Newer { path },
        Ok(profiles) => {
            let sites = host.sites.all();
            let profiles = profiles.into_iter().map(|profile| beside(host, &sites, profile)).collect();
            ProfileFile::Read { path, profiles }
        }
    })
}

/// The adding itself. It trusts nothing: a credential goes to an address that differs only after a question of its own.
pub async fn add(
    host: &Host,
    profile: Profile,
    name: String,
    confirmed: &[String],
) -> Result<SiteView, Problem> {
    let form = SiteForm { name, ..profile.plain().form() };
    let differing = profiles::addresses(&host.sites.draft(&form)?).into_iter().filter(|one| one.differs);
    let open: Vec<String> =
        differing.map(|one| one.address).filter(|address| !confirmed.contains(address)).collect();
    if !open.is_empty() {
        return Err(Problem::UnconfirmedAddress { site: SiteId(String::new()), addresses: open });
    }
    saved_sites::add_from_profile(host, &form).await
}

/// `None` for what is too large to be one, or no file at all.
fn bytes_of(file: &Path) -> std::io::Result<Option<Vec<u8>>> {
    let about = std::fs::metadata(file)?;
    if !about.is_file() || about.len() > LARGEST {
        return Ok(None);
    }
    std::fs::read(file).map(Some)
}

fn beside(host: &Host, sites: &[Site], profile: Profile) -> ProfileView {
    let form = profile.form();
    let drafted = host.sites.draft(&form);
    // Under another name, to see where it is even where its own is taken.
    let there = host.sites.draft(&SiteForm { name: uuid::Uuid::new_v4().to_string(), ..form });
    let addresses = there.as_ref().map(profiles::addresses).unwrap_or_default();
    let same_place = there.ok().and_then(|there| {
        let is_there = |site: &&Site| site.addresses().any(|one| there.addresses().any(|other| one == other));
        sites.iter().find(is_there).map(|site| site.name.clone())
    });
    ProfileView { profile, addresses, problem: drafted.err(), same_place }
}
