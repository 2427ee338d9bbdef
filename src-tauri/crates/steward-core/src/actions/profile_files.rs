//! Exports site profiles to a file, and adds sites from one.
//!
//! [`save`] writes a file, [`open`] reads one, and [`add`] saves one of its profiles as a site.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::Context;
use serde::Serialize;
use steward_journal::trail::Event;

use super::sites::{self as saved_sites, SiteView};
use crate::files::dialogs::Title;
use crate::files::selected_paths::SelectedPaths;
use crate::files::{self, in_background};
use crate::model::ids::SiteId;
use crate::model::problem::Problem;
use crate::model::saved_file::SaveResult;
use crate::site_context::SiteContext;
use crate::sites::endpoints::NormalizedEndpoint;
use crate::sites::profiles::{self, LARGEST, NoProfiles, Profile, ProfileAddress, ProfilePlan, ReadProfiles};
use crate::sites::{Site, SiteForm, Sites};

/// Content of a file that the user chose.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ProfileFile {
    /// The user closed the dialog.
    Dismissed,
    /// The file contains no profiles, or is damaged.
    NotOurs {
        /// Path of the file.
        path: String,
    },
    /// The file was written by a newer version of the app.
    Newer {
        /// Path of the file.
        path: String,
    },
    /// The file contains profiles. Nothing is saved yet.
    Read {
        /// Path of the file.
        path: String,
        /// Profiles, in the order of the file.
        profiles: Vec<ProfileView>,
        /// Names of the profiles that cannot be read; empty for one without a name.
        damaged: Vec<String>,
    },
}

/// A profile, compared with the saved sites.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ProfileView {
    /// Profile, as read from the file.
    pub profile: Profile,
    /// Addresses that the site would use; empty if the profile cannot be saved under any name.
    pub addresses: Vec<ProfileAddress>,
    /// Reason why it cannot be saved unchanged, for example because its name is taken; `null` if it can.
    pub problem: Option<Problem>,
    /// Name of a saved site with one of these addresses; `null` if there is none.
    pub same_place: Option<String>,
}

/// Exports the profiles of sites to a file that the user chooses, and records this in the audit trail. `plans_of`
/// returns the backup plans of a site.
///
/// # Errors
/// - [`Problem::NoDialog`] if the system cannot show a file dialog.
/// - [`Problem::Unexpected`] if a site is not saved.
pub async fn save(
    context: &SiteContext,
    dialogs: &SelectedPaths,
    ids: &[SiteId],
    plans_of: impl Fn(&Site) -> serde_json::Result<Vec<ProfilePlan>>,
) -> Result<SaveResult, Problem> {
    let with_plans = |id| -> Result<_, Problem> {
        let site = context.access.sites.get(id)?;
        let plans = plans_of(&site).context("the backup plans could not be written down")?;
        Ok((site, plans))
    };
    let sites: Vec<_> = ids.iter().map(with_plans).collect::<Result<_, _>>()?;
    let name = match &sites[..] {
        [(site, _)] => files::safe_name(&site.name.replace(['/', '\\'], "-"), "json"),
        _ => "site-profiles.json".to_owned(),
    };
    let bytes = profiles::write(&sites).context("the profiles could not be written down")?;
    let Some(path) = dialogs.save_file(Title::SaveProfiles, &name).await? else {
        return Ok(SaveResult::Dismissed);
    };
    let saved = in_background(move || files::save(&path, &bytes)).await?;
    if let SaveResult::Saved { file } = &saved {
        let sites = sites.into_iter().map(|(site, _)| (site.id.0, site.name)).collect();
        context.history.append(Event::ProfilesExported { sites, sha256: file.sha256.clone() }).await;
    }
    Ok(saved)
}

/// Reads the profiles of a file that the user chooses.
///
/// # Errors
/// - [`Problem::NoDialog`] if the system cannot show a file dialog.
/// - [`Problem::File`] if the file cannot be read.
pub async fn open(sites: &Sites, dialogs: &SelectedPaths) -> Result<ProfileFile, Problem> {
    let Some(file) = dialogs.open_file(Title::OpenProfiles).await? else {
        return Ok(ProfileFile::Dismissed);
    };
    let path = file.display().to_string();
    let read = file.clone();
    let bytes = match in_background(move || bytes_of(&read)).await? {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return Ok(ProfileFile::NotOurs { path }),
        Err(error) => return Err(Problem::file(&file, &error)),
    };
    Ok(match profiles::read(&bytes) {
        Err(NoProfiles::NotOurs) => ProfileFile::NotOurs { path },
        Err(NoProfiles::Newer { .. }) => ProfileFile::Newer { path },
        Ok(ReadProfiles { profiles, damaged }) => {
            let saved: Vec<_> = sites.all().into_iter().map(|site| (site.endpoints(), site.name)).collect();
            let profiles = profiles.into_iter().map(|profile| beside(sites, &saved, profile)).collect();
            ProfileFile::Read { path, profiles, damaged }
        }
    })
}

/// Adds the site of a profile. It contains no trust settings: credentials are sent to an address at another host only
/// after a separate confirmation.
///
/// # Errors
/// - [`Problem::UnconfirmedAddress`] if an address at another host is not in `confirmed`.
/// - Those of [`sites::save`](super::sites::save).
pub async fn add(
    context: &SiteContext,
    profile: Profile,
    name: String,
    confirmed: &[String],
) -> Result<SiteView, Problem> {
    let form = SiteForm { name, ..profile.plain().form() };
    let differing =
        profiles::addresses(&context.access.sites.draft(&form)?).into_iter().filter(|one| one.differs);
    let open: Vec<String> =
        differing.map(|one| one.address).filter(|address| !confirmed.contains(address)).collect();
    if !open.is_empty() {
        return Err(Problem::UnconfirmedAddress { site: SiteId(String::new()), addresses: open });
    }
    saved_sites::add_from_profile(context, &form).await
}

/// Reads a file; `None` if it is too large for profiles, or not a regular file.
fn bytes_of(file: &Path) -> std::io::Result<Option<Vec<u8>>> {
    match files::read_whole(file, LARGEST) {
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::FileTooLarge) => Ok(None),
        read => read.map(Some),
    }
}

/// Compares a profile with the saved sites; `saved` are their endpoints and names.
fn beside(sites: &Sites, saved: &[(BTreeSet<NormalizedEndpoint>, String)], profile: Profile) -> ProfileView {
    let form = profile.form();
    let drafted = sites.draft(&form);
    // Under a unique name, so that its addresses are known even if its own name is taken.
    let there = sites.draft(&SiteForm { name: uuid::Uuid::new_v4().to_string(), ..form });
    let addresses = there.as_ref().map(profiles::addresses).unwrap_or_default();
    let same_place = there.ok().and_then(|there| {
        let there = there.endpoints();
        saved.iter().find(|(endpoints, _)| !endpoints.is_disjoint(&there)).map(|(_, name)| name.clone())
    });
    ProfileView { profile, addresses, problem: drafted.err(), same_place }
}
