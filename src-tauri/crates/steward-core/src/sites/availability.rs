//! What a site cannot do, and why. The window greys what this says; the commands refuse it.
//!
//! The client knows the rules (its `gates`); here they meet what is saved and known of a site.

use serde::Serialize;
use steward_client::Version;
use steward_client::gates::{self, Facts, Gate, PortalFact, Reason, ServerFact};

use crate::model::obstacle::Obstacle;
use crate::model::operation::{ALL, Key, Operation};
use crate::model::problem::Problem;
use crate::sites::Site;

/// Whether an operation can be performed on a site by whom is signed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Availability {
    /// The operation.
    pub operation: Key,
    /// Everything that is known to stand in the way.
    pub obstacles: Vec<Obstacle>,
    /// Those of its parameters that not every site knows.
    pub parameters: Vec<ParameterAvailability>,
}

/// Whether a parameter can be given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ParameterAvailability {
    /// The parameter.
    pub parameter: GatedParameter,
    /// Everything that is known to stand in the way.
    pub obstacles: Vec<Obstacle>,
}

/// A parameter that not every site knows which knows its operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum GatedParameter {
    /// Only check.
    Validate,
    /// A cloud store as the place, described at length.
    LocationConfig,
    /// A portal export without a folder.
    NoLocation,
    /// Restart the web server after an import.
    RestartWebServer,
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
    /// What that allows, as the portal spells it; empty when it does not say.
    pub privileges: Vec<String>,
    /// Version of the portal.
    pub portal_version: Option<Version>,
    /// Version of the server.
    pub server_version: Option<Version>,
    /// Whether the portal lists the server's address as that of its administration, and another for everybody.
    pub listed_as_own: bool,
}

/// All seven, for the window.
#[must_use]
pub fn availability(site: &Site, known: &Known) -> Vec<Availability> {
    let facts = facts(site, known);
    let every = [
        GatedParameter::Validate,
        GatedParameter::LocationConfig,
        GatedParameter::NoLocation,
        GatedParameter::RestartWebServer,
    ];
    ALL.iter()
        .map(|operation| Availability {
            operation: operation.key,
            obstacles: obstacles(operation.key, gates::gate(operation.key.into(), &facts)),
            parameters: every
                .into_iter()
                .filter_map(|parameter| {
                    let gate = gates::parameter_gate(operation.key.into(), parameter.into(), &facts);
                    if matches!(&gate, Gate::Closed(reasons) if reasons.contains(&Reason::NotOfOperation)) {
                        return None;
                    }
                    Some(ParameterAvailability { parameter, obstacles: obstacles(operation.key, gate) })
                })
                .collect(),
        })
        .collect()
}

/// Refuses what the site cannot do. The role is left to the site itself: it alone knows all privileges.
pub fn check(operation: &Operation, site: &Site, known: &Known) -> Result<(), Problem> {
    refuse(operation.key, gates::gate(operation.key.into(), &facts(site, known)))
}

/// Refuses a parameter that the site does not know. Sites ignore what they do not know, and then an export that was
/// only to be checked is made.
pub fn check_parameter(
    operation: &Operation,
    parameter: GatedParameter,
    site: &Site,
    known: &Known,
) -> Result<(), Problem> {
    let facts = facts(site, known);
    refuse(operation.key, gates::parameter_gate(operation.key.into(), parameter.into(), &facts))
}

fn refuse(operation: Key, gate: Gate) -> Result<(), Problem> {
    let obstacles = obstacles(operation, gate);
    match obstacles.into_iter().find(|obstacle| !matches!(obstacle, Obstacle::Role { .. })) {
        None => Ok(()),
        Some(Obstacle::TooOld { needs, has }) => Err(Problem::TooOld { needs, has }),
        Some(Obstacle::NoArea { area }) => Err(Problem::NoAddress { area }),
        Some(obstacle) => Err(Problem::NotOffered { obstacle }),
    }
}

fn facts(site: &Site, known: &Known) -> Facts {
    Facts {
        flavour: Some(site.flavour.into()),
        portal: site.portal.as_ref().map(|_| PortalFact { version: known.portal_version }),
        server: site.server().map(|server| ServerFact {
            flavour: server.flavour.clone().into(),
            version: known.server_version,
            has_direct_address: server.direct().is_some() || known.listed_as_own,
        }),
        role: known.role.clone(),
        privileges: known.privileges.clone(),
    }
}

fn obstacles(operation: Key, gate: Gate) -> Vec<Obstacle> {
    let Gate::Closed(reasons) = gate else { return Vec::new() };
    let area = operation.operation().area;
    let obstacle = |reason| match reason {
        Reason::TooOld { needs, has } => Obstacle::TooOld { needs: needs.to_string(), has: has.to_string() },
        Reason::NoPortal | Reason::NoServer | Reason::NotOfOperation => Obstacle::NoArea { area },
        Reason::NotOnFlavour(flavour) => Obstacle::NotOnSite { flavour: flavour.into() },
        Reason::NotOnServer(server) => Obstacle::NotOnServer { server: server.into() },
        Reason::NoDirectAddress => Obstacle::NoDirectAddress,
        Reason::Capability(capability) => Obstacle::Role { needs: capability.into() },
    };
    reasons.into_iter().map(obstacle).collect()
}

impl From<GatedParameter> for gates::Parameter {
    fn from(parameter: GatedParameter) -> Self {
        match parameter {
            GatedParameter::Validate => Self::Validate,
            GatedParameter::LocationConfig => Self::LocationConfig,
            GatedParameter::NoLocation => Self::NoLocation,
            GatedParameter::RestartWebServer => Self::RestartWebServer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::deployment::SiteFlavour;
    use crate::model::operation::{Area, Capability};

    fn known(version: &str, role: &str) -> Known {
        let version = Version::parse(version);
        Known { role: role.to_owned(), portal_version: version, server_version: version, ..Known::default() }
    }

    #[test]
    fn an_operation_newer_than_the_site_says_which_version_it_needs() {
        let refused =
            check(&Operation::DEACTIVATE_WEBHOOKS, &Site::example("a"), &known("10.91", "org_admin"));

        let expected = Problem::TooOld { needs: "11.1".to_owned(), has: "10.9.1".to_owned() };
        assert_eq!(refused, Err(expected));
        assert_eq!(check(&Operation::FIND_ITEMS, &Site::example("a"), &known("10.91", "org_admin")), Ok(()));
    }

    #[test]
    fn an_unknown_version_forbids_nothing() {
        assert_eq!(check(&Operation::DEACTIVATE_WEBHOOKS, &Site::example("a"), &Known::default()), Ok(()));
    }

    #[test]
    fn a_publisher_sees_what_only_administrators_may() {
        let available = availability(&Site::example("a"), &known("11.1", "org_publisher"));
        let of = |key| &available.iter().find(|one| one.operation == key).unwrap().obstacles;

        let needs = Capability::DefaultAdministrator;
        assert_eq!(of(Key::ExportPortal), &[Obstacle::Role { needs }]);
        assert_eq!(of(Key::FindItems), &[]);
    }

    #[test]
    fn a_site_without_a_portal_cannot_be_asked_for_a_portal_export() {
        let site = Site { portal: None, ..Site::example("a") };

        let refused = check(&Operation::EXPORT_PORTAL, &site, &Known::default());

        assert_eq!(refused, Err(Problem::NoAddress { area: Area::Portal }));
    }

    #[test]
    fn an_import_behind_a_web_adaptor_asks_for_the_direct_address() {
        let mut site = Site::example("a");
        let refused = check(&Operation::IMPORT_SERVER, &site, &known("11.1", "org_admin"));
        assert_eq!(refused, Err(Problem::NotOffered { obstacle: Obstacle::NoDirectAddress }));

        site.servers[0].direct = url::Url::parse("https://srv1.example.org:6443/arcgis").ok();
        assert_eq!(check(&Operation::IMPORT_SERVER, &site, &known("11.1", "org_admin")), Ok(()));
    }

    #[test]
    fn kubernetes_has_no_site_export_and_says_so() {
        let flavour = SiteFlavour::Kubernetes;
        let site = Site { flavour, ..Site::example("a") };

        let refused = check(&Operation::EXPORT_PORTAL, &site, &known("11.3", "org_admin"));

        assert_eq!(refused, Err(Problem::NotOffered { obstacle: Obstacle::NotOnSite { flavour } }));
    }

    #[test]
    fn a_check_is_refused_by_a_site_that_would_export_instead() {
        let check = |version| {
            let known = known(version, "org_admin");
            check_parameter(&Operation::EXPORT_PORTAL, GatedParameter::Validate, &Site::example("a"), &known)
        };

        let expected = Problem::TooOld { needs: "11.1".to_owned(), has: "11.0".to_owned() };
        assert_eq!(check("11.0"), Err(expected));
        assert_eq!(check("11.1"), Ok(()));
    }

    #[test]
    fn a_parameter_newer_than_the_site_is_closed_where_its_operation_is_open() {
        let available = availability(&Site::example("a"), &known("11.0", "org_admin"));
        let export = available.iter().find(|one| one.operation == Key::ExportPortal).unwrap();
        let validate =
            export.parameters.iter().find(|one| one.parameter == GatedParameter::Validate).unwrap();

        assert_eq!(export.obstacles, []);
        let [Obstacle::TooOld { needs, .. }] = validate.obstacles.as_slice() else { panic!("{validate:?}") };
        assert_eq!(needs, "11.1");
    }
}
