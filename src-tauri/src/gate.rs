//! What a site cannot do, and why. The window greys what this says; the commands refuse it.

use serde::Serialize;
use steward_client::Version;

use crate::operations::{ALL, Area, Capability, Key, Operation, Release};
use crate::problem::Problem;
use crate::sites::Site;

/// Whether an operation can be performed on a site by whom is signed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Availability {
    /// The operation.
    pub operation: Key,
    /// What stands in the way; `null` when nothing is known to.
    pub obstacle: Option<Obstacle>,
}

/// What stands in the way of an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Obstacle {
    /// The site is older than the operation.
    TooOld {
        /// The version the operation needs.
        needs: String,
        /// The version the site has.
        has: String,
    },
    /// The site has no address for the area.
    NoArea {
        /// The area.
        area: Area,
    },
    /// The role is known not to suffice.
    Role {
        /// Who may.
        needs: Capability,
    },
}

/// What is known of a site since somebody signed in to it.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// Identifier of the portal's organisation.
    pub portal_id: String,
    /// Who is signed in.
    pub username: String,
    /// The role of whom is signed in, as the portal spells it.
    pub role: String,
    /// Version of the portal.
    pub portal_version: Option<Version>,
    /// Version of the server.
    pub server_version: Option<Version>,
}

/// All seven, for the window.
#[must_use]
pub fn availability(site: &Site, known: &Known) -> Vec<Availability> {
    ALL.iter()
        .map(|operation| Availability {
            operation: operation.key,
            obstacle: obstacle(operation, site, known),
        })
        .collect()
}

/// Refuses what the site cannot do. The role is left to the site itself: it alone knows all privileges.
pub fn check(operation: &Operation, site: &Site, known: &Known) -> Result<(), Problem> {
    match obstacle(operation, site, known) {
        Some(Obstacle::TooOld { needs, has }) => Err(Problem::TooOld { needs, has }),
        Some(Obstacle::NoArea { area }) => Err(Problem::NoAddress { area }),
        Some(Obstacle::Role { .. }) | None => Ok(()),
    }
}

fn obstacle(operation: &Operation, site: &Site, known: &Known) -> Option<Obstacle> {
    let (address, version) = match operation.area {
        Area::Portal => (&site.portal, known.portal_version),
        Area::Server => (&site.server, known.server_version),
    };
    if address.is_none() {
        return Some(Obstacle::NoArea { area: operation.area });
    }
    if let Some(version) =
        version.filter(|version| (version.major, version.minor) < numbers(operation.introduced))
    {
        return Some(Obstacle::TooOld { needs: operation.introduced.to_string(), has: version.to_string() });
    }
    (!suffices(&known.role, operation.capability)).then_some(Obstacle::Role { needs: operation.capability })
}

const fn numbers(release: Release) -> (u16, u16) {
    (release.0, release.1)
}

/// The portal's built-in roles are known; a role of somebody's own making may hold any privilege.
fn suffices(role: &str, capability: Capability) -> bool {
    match role {
        "org_publisher" => capability == Capability::Publisher,
        "org_user" | "org_viewer" | "iAAAAAAAAAAAAAAA" => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operations::{deactivate_webhooks, export_portal, find_items};
    use crate::sites::{SiteColor, SiteId, SiteKind};

    fn site() -> Site {
        let address = |text| url::Url::parse(text).ok();
        Site {
            id: SiteId("a".to_owned()),
            name: "City GIS".to_owned(),
            kind: SiteKind::Production,
            color: SiteColor::Red,
            portal: address("https://gis.example.org/portal"),
            server: address("https://gis.example.org/server"),
            ca_certificate: None,
            username: None,
            read_only: false,
        }
    }

    fn known(version: &str, role: &str) -> Known {
        let version = Version::parse(version);
        Known { role: role.to_owned(), portal_version: version, server_version: version, ..Known::default() }
    }

    #[test]
    fn an_operation_newer_than_the_site_says_which_version_it_needs() {
        let refused = check(&deactivate_webhooks::OPERATION, &site(), &known("10.91", "org_admin"));

        let expected = Problem::TooOld { needs: "11.1".to_owned(), has: "10.9.1".to_owned() };
        assert_eq!(refused, Err(expected));
        assert_eq!(check(&find_items::OPERATION, &site(), &known("10.91", "org_admin")), Ok(()));
    }

    #[test]
    fn an_unknown_version_forbids_nothing() {
        assert_eq!(check(&deactivate_webhooks::OPERATION, &site(), &Known::default()), Ok(()));
    }

    #[test]
    fn a_publisher_sees_what_only_administrators_may() {
        let obstacle = |operation| super::obstacle(operation, &site(), &known("11.1", "org_publisher"));

        let needs = Capability::DefaultAdministrator;
        assert_eq!(obstacle(&export_portal::OPERATION), Some(Obstacle::Role { needs }));
        assert_eq!(obstacle(&find_items::OPERATION), None);
    }

    #[test]
    fn a_site_without_a_portal_cannot_be_asked_for_a_portal_export() {
        let site = Site { portal: None, ..site() };

        let refused = check(&export_portal::OPERATION, &site, &Known::default());

        assert_eq!(refused, Err(Problem::NoAddress { area: Area::Portal }));
    }
}
