//! The form of a backup plan, and its validation.
//!
//! Field names in [`Problem::Form`] are those of the form, for example `parts.0.location`.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use steward_client::visible;
use steward_core::files::selected_paths::SelectedPaths;
use steward_core::model::ids::SiteId;
use steward_core::model::numbers::Millis;
use steward_core::model::problem::{FieldError, Problem};
use steward_core::model::typed;
use steward_core::sites::Site;

use super::plan::{BackupPlan, ChannelId, Pause, PlanId, PlanPart, PortalStore, RehearseEvery};
use super::retention::KeepRules;
use super::schedule::Schedule;

/// Longest name, in characters, as for a site.
const LONGEST_NAME: usize = 60;

/// Form of a backup plan. It does not implement `Debug`, because it can contain a secret.
#[derive(Clone, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PlanForm {
    /// The plan to change; `null` for a new one.
    pub id: Option<PlanId>,
    /// Site.
    pub site: SiteId,
    /// Name, at most 60 characters and unique on its site.
    pub name: String,
    /// Whether the plan runs by its schedule.
    pub is_enabled: bool,
    /// Parts, in the order in which they are exported.
    pub parts: Vec<PlanPart>,
    /// Days and times.
    pub schedule: Schedule,
    /// Folder of this computer for the sets, which the user selected in the system's dialog; may be empty.
    pub folder: String,
    /// Whether the stored file of a server is deleted after the copy on this computer was verified.
    pub delete_stored: bool,
    /// Rules by which sets are kept.
    pub keep: KeepRules,
    /// How often an export of each part has to be rehearsed; `null` for never.
    pub rehearse_every: Option<RehearseEvery>,
    /// Channels of its alerts, besides the desktop.
    pub alerts: Vec<ChannelId>,
    /// Whether its alerts include what changed on the site since an earlier run.
    pub tells_changes: bool,
    /// Key of the account of a blob container; `null` keeps the stored one.
    pub account_key: Option<String>,
}

impl PlanForm {
    /// Returns the form of a saved plan.
    #[must_use]
    pub fn of(plan: &BackupPlan) -> Self {
        let plan = plan.clone();
        Self {
            id: Some(plan.id),
            site: plan.site,
            name: plan.name,
            is_enabled: plan.is_enabled,
            parts: plan.parts,
            schedule: plan.schedule,
            folder: plan.folder.display().to_string(),
            delete_stored: plan.delete_stored,
            keep: plan.keep,
            rehearse_every: plan.rehearse_every,
            alerts: plan.alerts,
            tells_changes: plan.tells_changes,
            account_key: None,
        }
    }

    /// Returns the plan as far as it is filled in. `before` is the saved one.
    ///
    /// # Errors
    /// [`Problem::Form`] if a path was neither chosen in the dialog nor is that of the saved plan: the window could
    /// read any folder otherwise.
    pub(crate) fn unchecked(
        &self,
        before: Option<&BackupPlan>,
        selected: &SelectedPaths,
        now: Millis,
    ) -> Result<BackupPlan, Problem> {
        let known: HashSet<&Path> = before.into_iter().flat_map(paths).collect();
        let may_use = |path: &Path| known.contains(path) || selected.was_chosen(path);
        let folder = PathBuf::from(&self.folder);
        if !self.folder.is_empty() && !may_use(&folder) {
            return Err(Problem::form("folder", FieldError::NotChosen));
        }
        for (place, part) in self.parts.iter().enumerate() {
            if let PlanPart::Portal { seen_at: Some(path), .. } = part
                && !may_use(path)
            {
                return Err(Problem::form(&format!("parts.{place}.seenAt"), FieldError::NotChosen));
            }
        }
        let enabled = before.filter(|before| before.is_enabled);
        let paused = before.filter(|before| !before.is_enabled);
        let pause = || paused.map_or_else(|| Some(Pause::made_here(now)), |before| before.paused.clone());
        let was_due = enabled.filter(|before| before.schedule == self.schedule);
        Ok(BackupPlan {
            id: before.map_or_else(|| PlanId(uuid::Uuid::new_v4().to_string()), |before| before.id.clone()),
            site: self.site.clone(),
            name: visible(&self.name),
            is_enabled: self.is_enabled,
            paused: if self.is_enabled { None } else { pause() },
            since: was_due.map_or(now, |before| before.since),
            enabled_since: enabled.map_or(now, |before| before.enabled_since),
            parts: self.parts.iter().map(trimmed).collect(),
            schedule: self.schedule.clone(),
            folder,
            delete_stored: self.delete_stored,
            keep: self.keep.clone(),
            rehearse_every: self.rehearse_every,
            alerts: self.alerts.clone(),
            tells_changes: self.tells_changes,
        })
    }
}

/// Checks that a plan is complete. One that is paused can be finished later, apart from its name.
///
/// # Errors
/// [`Problem::Form`] with the first field that is not.
pub(crate) fn check(plan: &BackupPlan, site: &Site, others: &[BackupPlan]) -> Result<(), Problem> {
    let fault = |field: &str, fault| Err(Problem::form(field, fault));
    if plan.name.is_empty() {
        return fault("name", FieldError::Required);
    }
    if plan.name.chars().count() > LONGEST_NAME {
        return fault("name", FieldError::TooLong);
    }
    let is_taken = |other: &&BackupPlan| {
        other.id != plan.id
            && other.site == plan.site
            && other.name.to_lowercase() == plan.name.to_lowercase()
    };
    if others.iter().any(|other| is_taken(&other)) {
        return fault("name", FieldError::NameTaken);
    }
    if !plan.is_enabled {
        return Ok(());
    }
    if plan.parts.is_empty() {
        return fault("parts", FieldError::Required);
    }
    for (place, part) in plan.parts.iter().enumerate() {
        let is_there = match part {
            PlanPart::Portal { .. } => site.portal.is_some(),
            PlanPart::Server { server } => site.servers.iter().any(|one| one.id == *server),
        };
        if !is_there || plan.parts.iter().filter(|other| is_same(part, other)).count() > 1 {
            return fault("parts", FieldError::NotAllowed);
        }
        if let PlanPart::Portal { location, store, .. } = part {
            let fields = texts(location, store.as_ref());
            if let Some((field, _)) = fields.iter().find(|(_, text)| typed::trimmed(text).is_empty()) {
                return fault(&format!("parts.{place}.{field}"), FieldError::Required);
            }
            for (field, text) in fields {
                let path = format!("parts.{place}.{field}");
                match store {
                    None => typed::check_paths([(path.as_str(), text)])?,
                    Some(_) => typed::check([(path.as_str(), text)])?,
                }
            }
        }
    }
    if plan.folder.as_os_str().is_empty() {
        return fault("folder", FieldError::Required);
    }
    typed::check_paths([("folder", plan.folder.display().to_string().as_str())])?;
    if plan.schedule.days.is_empty() {
        return fault("schedule.days", FieldError::Required);
    }
    if plan.schedule.times.is_empty() || !plan.schedule.times.iter().all(|time| time.is_valid()) {
        return fault("schedule.times", FieldError::Required);
    }
    Ok(())
}

/// Returns a part without the spaces around what was typed. With object storage, `seen_at` is dropped: the folder only
/// has a pointer file, which cannot be verified.
fn trimmed(part: &PlanPart) -> PlanPart {
    let given = |text: &str| typed::trimmed(text).to_owned();
    let PlanPart::Portal { location, seen_at, store } = part else { return part.clone() };
    let store = store.as_ref().map(|store| match store {
        PortalStore::Bucket { bucket, region } => {
            PortalStore::Bucket { bucket: given(bucket), region: given(region) }
        }
        PortalStore::Blob { container, account_name, account_endpoint } => PortalStore::Blob {
            container: given(container),
            account_name: given(account_name),
            account_endpoint: given(account_endpoint),
        },
    });
    let seen_at = if store.is_none() { seen_at.clone() } else { None };
    PlanPart::Portal { location: location.clone(), seen_at, store }
}

/// Returns the fields of the portal with their texts, in the order of the form.
fn texts<'p>(location: &'p str, store: Option<&'p PortalStore>) -> Vec<(&'static str, &'p str)> {
    let mut texts: Vec<(&str, &str)> = match store {
        None => Vec::new(),
        Some(PortalStore::Bucket { bucket, region }) => vec![("bucket", bucket), ("region", region)],
        Some(PortalStore::Blob { container, account_name, account_endpoint }) => vec![
            ("container", container),
            ("accountEndpoint", account_endpoint),
            ("accountName", account_name),
        ],
    };
    texts.push(("location", location));
    texts
}

fn is_same(one: &PlanPart, other: &PlanPart) -> bool {
    match (one, other) {
        (PlanPart::Portal { .. }, PlanPart::Portal { .. }) => true,
        (PlanPart::Server { server }, PlanPart::Server { server: other }) => server == other,
        _ => false,
    }
}

/// Returns the paths of this computer that a plan names.
fn paths(plan: &BackupPlan) -> impl Iterator<Item = &Path> {
    let seen = plan.parts.iter().filter_map(|part| match part {
        PlanPart::Portal { seen_at, .. } => seen_at.as_deref(),
        PlanPart::Server { .. } => None,
    });
    seen.chain([plan.folder.as_path()])
}
