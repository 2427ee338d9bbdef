//! Backup plans in site profiles: without secrets, and paused where they are added.
//!
//! A file names the servers of a plan by their place in the profile, because each computer has identifiers of its own. Channels
//! of alerts belong to a computer and its keyring, and are not part of a file.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use steward_client::visible;
use steward_core::model::numbers::Millis;
use steward_core::sites::Site;
use steward_core::sites::profiles::{Profile, ProfilePlan};

use super::plan::{BackupPlan, PlanId, PlanPart, PortalStore, RehearseEvery};
use super::retention::KeepRules;
use super::schedule::Schedule;

/// Longest name of a plan, in characters.
const LONGEST_NAME: usize = 60;

/// Most plans of a profile.
const MOST: usize = 20;

/// A plan as it stands in a file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PlanProfile {
    name: String,
    parts: Vec<PartProfile>,
    schedule: Schedule,
    folder: PathBuf,
    delete_stored: bool,
    keep: KeepRules,
    rehearse_every: Option<RehearseEvery>,
}

/// A part of a plan as it stands in a file.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum PartProfile {
    Portal { location: String, seen_at: Option<PathBuf>, store: Option<PortalStore> },
    Server { place: usize },
}

/// Returns the plans of a site for its profile.
///
/// # Errors
/// The error of `serde_json`, for example of a path that is no text.
pub fn of_site(site: &Site, plans: &[BackupPlan]) -> serde_json::Result<Vec<ProfilePlan>> {
    let own = plans.iter().filter(|plan| plan.site == site.id);
    own.map(|plan| {
        let parts = plan.parts.iter().filter_map(|part| match part {
            PlanPart::Portal { location, seen_at, store } => Some(PartProfile::Portal {
                location: location.clone(),
                seen_at: seen_at.clone(),
                store: store.clone(),
            }),
            PlanPart::Server { server } => {
                let place = site.servers.iter().position(|one| one.id == *server)?;
                Some(PartProfile::Server { place })
            }
        });
        let profile = PlanProfile {
            name: plan.name.clone(),
            parts: parts.collect(),
            schedule: plan.schedule.clone(),
            folder: plan.folder.clone(),
            delete_stored: plan.delete_stored,
            keep: plan.keep.clone(),
            rehearse_every: plan.rehearse_every,
        };
        serde_json::to_value(profile).map(ProfilePlan)
    })
    .collect()
}

/// Returns the plans of a profile for the site that was added from it: paused, without alerts, and without a folder that is not on
/// this computer. What this version does not read is left out.
#[must_use]
pub fn for_site(site: &Site, profile: &Profile, now: Millis) -> Vec<BackupPlan> {
    let read = profile.plans.iter().take(MOST).filter_map(|plan| {
        let read = PlanProfile::deserialize(&plan.0);
        if let Err(error) = &read {
            tracing::warn!(%error, "a backup plan of a profile is left out");
        }
        read.ok()
    });
    // A folder of another host is not looked at: Windows would sign in there, at a host that the user was not shown.
    let is_elsewhere = |path: &Path| {
        let text = path.to_string_lossy();
        text.starts_with(r"\\") || text.starts_with("//")
    };
    let here = |path: PathBuf| Some(path).filter(|path| !is_elsewhere(path) && path.is_dir());
    let mut added: Vec<BackupPlan> = Vec::new();
    for plan in read {
        let name: String = visible(&plan.name).chars().take(LONGEST_NAME).collect();
        if name.is_empty() || added.iter().any(|other| other.name.to_lowercase() == name.to_lowercase()) {
            continue;
        }
        let parts = plan.parts.into_iter().filter_map(|part| match part {
            PartProfile::Portal { location, seen_at, store } => {
                Some(PlanPart::Portal { location, seen_at: seen_at.and_then(here), store })
            }
            PartProfile::Server { place } => {
                Some(PlanPart::Server { server: profile.server_of(site, place)?.id.clone() })
            }
        });
        added.push(BackupPlan {
            id: PlanId(uuid::Uuid::new_v4().to_string()),
            site: site.id.clone(),
            name,
            is_enabled: false,
            since: now,
            enabled_since: now,
            parts: parts.collect(),
            schedule: plan.schedule,
            folder: here(plan.folder).unwrap_or_default(),
            delete_stored: plan.delete_stored,
            keep: plan.keep,
            rehearse_every: plan.rehearse_every,
            alerts: Vec::new(),
            tells_changes: false,
        });
    }
    added
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::ChannelId;
    use crate::schedule::{Day, TimeOfDay};
    use steward_core::model::ids::{ServerId, SiteId};
    use steward_core::sites::profiles;

    fn plan(site: &Site, folder: PathBuf) -> BackupPlan {
        BackupPlan {
            id: PlanId("here".to_owned()),
            site: site.id.clone(),
            name: "Every night".to_owned(),
            is_enabled: true,
            since: Millis(0),
            enabled_since: Millis(0),
            parts: vec![
                PlanPart::Portal {
                    location: "/backups".to_owned(),
                    seen_at: Some(folder.join("gone")),
                    store: None,
                },
                PlanPart::Server { server: site.servers[0].id.clone() },
                PlanPart::Server { server: ServerId("removed".to_owned()) },
            ],
            schedule: Schedule {
                days: Day::ALL.to_vec(),
                times: vec![TimeOfDay { hour: 1, minute: 30 }],
                skip_missed: true,
            },
            folder,
            delete_stored: true,
            keep: KeepRules { last: Some(3), ..KeepRules::default() },
            rehearse_every: Some(RehearseEvery::Quarter),
            alerts: vec![ChannelId("canary".to_owned())],
            tells_changes: false,
        }
    }

    /// A site with a portal and a server.
    fn city() -> Site {
        let site = serde_json::json!({
            "id": "city",
            "name": "city",
            "environment": "production",
            "color": "red",
            "deploymentType": "enterprise",
            "portal": { "address": "https://gis.example.org/portal" },
            "servers": [{
                "id": "s",
                "name": "srv1",
                "address": "https://gis.example.org/server",
                "serverType": { "kind": "gis" },
                "role": "",
            }],
            "trustedCertificates": [],
            "confirmed": [],
            "route": { "kind": "system" },
            "readOnly": false,
        });
        serde_json::from_value(site).unwrap()
    }

    /// A site as it is added elsewhere: with identifiers of its own.
    fn elsewhere() -> Site {
        let mut site = Site { id: SiteId("other".to_owned()), ..city() };
        site.servers[0].id = ServerId("its own".to_owned());
        site
    }

    /// The profile of a site with these plans, as it is read from a file.
    fn profile(site: &Site, plans: &[ProfilePlan]) -> Profile {
        let file = profiles::write(&[(site.clone(), plans.to_vec())]).unwrap();
        profiles::read(&file).unwrap().profiles.remove(0)
    }

    #[test]
    fn a_plan_comes_back_paused_for_the_servers_of_that_site_and_without_alerts() {
        let folder = tempfile::tempdir().unwrap();
        let site = city();
        let saved = plan(&site, folder.path().to_owned());
        let other = BackupPlan { site: SiteId("another".to_owned()), ..saved.clone() };

        let written = of_site(&site, &[saved.clone(), other]).unwrap();
        let text = serde_json::to_string(&written).unwrap();
        let added = for_site(&elsewhere(), &profile(&site, &written), Millis(5));

        assert!(!text.contains("canary") && !text.contains("here"), "{text}");
        assert_eq!(added.len(), 1);
        let expected = BackupPlan {
            id: added[0].id.clone(),
            site: SiteId("other".to_owned()),
            is_enabled: false,
            since: Millis(5),
            enabled_since: Millis(5),
            parts: vec![
                PlanPart::Portal { location: "/backups".to_owned(), seen_at: None, store: None },
                PlanPart::Server { server: ServerId("its own".to_owned()) },
            ],
            alerts: Vec::new(),
            tells_changes: false,
            ..saved
        };
        assert_eq!(added[0], expected);
    }

    #[test]
    fn a_folder_that_is_not_here_has_to_be_chosen_again() {
        let folder = tempfile::tempdir().unwrap().path().to_owned();
        let site = city();
        let written = of_site(&site, &[plan(&site, folder)]).unwrap();
        let added = for_site(&elsewhere(), &profile(&site, &written), Millis(0));
        assert_eq!(added[0].folder, PathBuf::new());
        // One that is here, by a path that leads to another host on Windows.
        let path = PathBuf::from(format!("/{}", tempfile::tempdir().unwrap().keep().display()));
        assert!(path.is_dir());
        let written = of_site(&site, &[plan(&site, path.clone())]).unwrap();
        let added = for_site(&elsewhere(), &profile(&site, &written), Millis(0));
        std::fs::remove_dir(&path).unwrap();
        assert_eq!(added[0].folder, PathBuf::new());
    }

    #[test]
    fn what_is_no_plan_is_left_out_and_the_others_are_added() {
        let site = city();
        let mut written = of_site(&site, &[plan(&site, PathBuf::new())]).unwrap();
        written.push(written[0].clone());
        written.push(ProfilePlan(serde_json::json!({ "name": "\u{202e}", "parts": [] })));
        written.push(ProfilePlan(serde_json::json!("no plan")));
        let mut of_a_removed_server = written[0].clone();
        of_a_removed_server.0["name"] = "Another".into();
        of_a_removed_server.0["parts"] = serde_json::json!([{ "kind": "server", "place": 99 }]);
        written.push(of_a_removed_server);

        let added = for_site(&elsewhere(), &profile(&site, &written), Millis(0));

        let names: Vec<_> = added.iter().map(|plan| (plan.name.as_str(), plan.parts.len())).collect();
        assert_eq!(names, [("Every night", 2), ("Another", 0)]);
    }

    #[test]
    fn a_server_of_a_file_that_has_no_address_shifts_no_plan_to_another_server() {
        let site = city();
        let written = of_site(&site, &[plan(&site, PathBuf::new())]).unwrap();
        let mut file = profile(&site, &written);
        let mut without_address = file.servers[0].clone();
        without_address.address = " ".to_owned();
        let other = file.servers[0].clone();
        // The plan is of the second server.
        file.servers.splice(0..0, [without_address]);
        file.servers.push(other);
        file.plans[0].0["parts"] = serde_json::json!([
            { "kind": "server", "place": 0 },
            { "kind": "server", "place": 1 },
            { "kind": "server", "place": 2 },
        ]);
        let mut here = elsewhere();
        here.servers.push(here.servers[0].clone());
        here.servers[1].id = ServerId("second".to_owned());

        let added = for_site(&here, &file, Millis(0));

        let servers = added[0].parts.iter().map(|part| match part {
            PlanPart::Server { server } => server.0.as_str(),
            PlanPart::Portal { .. } => "portal",
        });
        assert_eq!(servers.collect::<Vec<_>>(), ["its own", "second"]);
    }
}
