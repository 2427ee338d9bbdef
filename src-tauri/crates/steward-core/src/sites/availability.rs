//! Availability of operations on a site, and the reasons why one is unavailable.
//!
//! [`availability`] is for the window, and [`check`] for the commands, which reject an unavailable operation. The rules
//! are in [`steward_client::requirements`]; here they are applied to a saved site and its facts.

use serde::Serialize;
pub use steward_client::GatedParameter;
use steward_client::Version;
use steward_client::requirements::{self, Availability, Facts, PortalFact, ServerFact, UnmetRequirement};

use crate::model::operation::{Component, Operation, OperationKey};
use crate::model::problem::Problem;
use crate::model::unavailable_reason::UnavailableReason;
use crate::sites::TargetSite;

/// Availability of an operation on a site for the current user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct OperationAvailability {
    /// Operation.
    pub operation: OperationKey,
    /// Reasons why it is unavailable; empty if it is available.
    pub reasons: Vec<UnavailableReason>,
    /// Availability of those of its parameters that not every site supports.
    pub parameters: Vec<ParameterAvailability>,
}

/// Availability of a parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ParameterAvailability {
    /// Parameter.
    pub parameter: GatedParameter,
    /// Reasons why it is unavailable; empty if it is available.
    pub reasons: Vec<UnavailableReason>,
}

/// Facts of a site that are known after a sign-in.
#[derive(Debug, Clone, Default)]
pub struct SiteFacts {
    /// Identifier of the portal's organization.
    pub portal_id: String,
    /// Name of the user; empty if it is not known.
    pub username: String,
    /// Name of the user at the server; `None` without a session at the server itself.
    pub server_username: Option<String>,
    /// Role of the user, as returned by the portal.
    pub role: String,
    /// Privileges of the user, as returned by the portal; empty if it does not return them.
    pub privileges: Vec<String>,
    /// Version of the portal.
    pub portal_version: Option<Version>,
    /// Version of the server.
    pub server_version: Option<Version>,
    /// Whether the portal lists the address of the server as its administration URL, and another one as its services
    /// URL.
    pub listed_as_own: bool,
}

impl SiteFacts {
    /// Returns the name of the user who sends requests to a component.
    #[must_use]
    pub fn username_at(&self, component: Component) -> &str {
        match (component, &self.server_username) {
            (Component::Server, Some(username)) => username,
            _ => &self.username,
        }
    }

    /// Returns the version of a component, as stored in records; empty if it is not known.
    #[must_use]
    pub fn version_at(&self, component: Component) -> String {
        let version = match component {
            Component::Portal => self.portal_version,
            Component::Server => self.server_version,
        };
        version.map(|version| version.to_string()).unwrap_or_default()
    }
}

/// Returns the availability of all operations at a portal and a server, for the window.
#[must_use]
pub fn availability(site: &TargetSite, known: &SiteFacts) -> Vec<OperationAvailability> {
    let facts = facts(site, known);
    let parameter = |operation, parameter| ParameterAvailability {
        parameter,
        reasons: reasons(operation, requirements::parameter_availability(operation, parameter, &facts)),
    };
    let of_operation = |operation: OperationKey| OperationAvailability {
        operation,
        reasons: reasons(operation, requirements::availability(operation, &facts)),
        parameters: operation.descriptor().parameters.iter().map(|one| parameter(operation, *one)).collect(),
    };
    OperationKey::ALL.map(of_operation).into()
}

/// Checks that an operation is available on a site. The role is left to the site: only the site knows all privileges of
/// a user.
///
/// # Errors
/// - [`Problem::TooOld`] if the version of the site is too old.
/// - [`Problem::NoAddress`] if the site has no portal or server for the operation.
/// - [`Problem::NotOffered`] if the deployment or server type does not support it, or an administration URL is missing.
pub fn check(operation: &Operation, site: &TargetSite, known: &SiteFacts) -> Result<(), Problem> {
    reject(operation.key, requirements::availability(operation.key, &facts(site, known)))
}

/// Checks that a site supports a parameter. Sites ignore unknown parameters: an export that was only to be checked
/// would be made.
///
/// # Errors
/// Those of [`check`], for the parameter.
pub fn check_parameter(
    operation: &Operation,
    parameter: GatedParameter,
    site: &TargetSite,
    known: &SiteFacts,
) -> Result<(), Problem> {
    let facts = facts(site, known);
    reject(operation.key, requirements::parameter_availability(operation.key, parameter, &facts))
}

fn reject(operation: OperationKey, gate: Availability) -> Result<(), Problem> {
    let reasons = reasons(operation, gate);
    match reasons.into_iter().find(|reason| !matches!(reason, UnavailableReason::Role { .. })) {
        None => Ok(()),
        Some(UnavailableReason::TooOld { needs, has }) => Err(Problem::TooOld { needs, has }),
        Some(UnavailableReason::NoComponent { component }) => Err(Problem::NoAddress { component }),
        Some(reason) => Err(Problem::NotOffered { reason }),
    }
}

fn facts(site: &TargetSite, known: &SiteFacts) -> Facts {
    Facts {
        deployment_type: Some(site.deployment_type),
        portal: site.portal.as_ref().map(|portal| PortalFact {
            version: known.portal_version,
            has_admin_url: portal.admin_url().is_some(),
        }),
        server: site.server().map(|server| ServerFact {
            server_type: server.server_type.clone(),
            version: known.server_version,
            has_admin_url: server.admin_url().is_some() || known.listed_as_own,
        }),
        role: known.role.clone(),
        privileges: known.privileges.clone(),
    }
}

fn reasons(operation: OperationKey, gate: Availability) -> Vec<UnavailableReason> {
    let Availability::Closed(closed) = gate else { return Vec::new() };
    let component = operation.descriptor().component();
    let unavailable = |reason| match reason {
        UnmetRequirement::TooOld { needs, has } => {
            UnavailableReason::TooOld { needs: needs.to_string(), has: has.to_string() }
        }
        UnmetRequirement::NoPortal | UnmetRequirement::NoServer | UnmetRequirement::NotOfOperation => {
            UnavailableReason::NoComponent { component }
        }
        UnmetRequirement::NotOnDeploymentType(deployment_type) => {
            UnavailableReason::NotOnSite { deployment_type }
        }
        UnmetRequirement::NotOnServer(server) => UnavailableReason::NotOnServer { server },
        UnmetRequirement::NoAdminUrl => UnavailableReason::NoAdminUrl,
        UnmetRequirement::Capability(capability) => UnavailableReason::Role { needs: capability },
    };
    closed.into_iter().map(unavailable).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::deployment::DeploymentType;
    use crate::model::operation::{Capability, Component};
    use crate::sites::Site;

    fn known(version: &str, role: &str) -> SiteFacts {
        let version = Version::parse(version);
        SiteFacts {
            role: role.to_owned(),
            portal_version: version,
            server_version: version,
            ..SiteFacts::default()
        }
    }

    #[test]
    fn an_operation_newer_than_the_site_says_which_version_it_needs() {
        let rejected = check(
            &Operation::of(OperationKey::DeactivateWebhooks),
            &Site::example("a").at_current(),
            &known("10.91", "org_admin"),
        );

        let expected = Problem::TooOld { needs: "11.1".to_owned(), has: "10.9.1".to_owned() };
        assert_eq!(rejected, Err(expected));
        assert_eq!(
            check(
                &Operation::of(OperationKey::FindItems),
                &Site::example("a").at_current(),
                &known("10.91", "org_admin")
            ),
            Ok(())
        );
    }

    #[test]
    fn an_operation_requires_the_component_of_its_descriptor() {
        for operation in Operation::all() {
            let missing = match operation.component {
                Component::Portal => UnmetRequirement::NoPortal,
                Component::Server => UnmetRequirement::NoServer,
            };
            let available = requirements::availability(operation.key, &Facts::default());
            assert_eq!(available, Availability::Closed(vec![missing]), "{:?}", operation.key);
        }
    }

    #[test]
    fn an_unknown_version_forbids_nothing() {
        assert_eq!(
            check(
                &Operation::of(OperationKey::DeactivateWebhooks),
                &Site::example("a").at_current(),
                &SiteFacts::default()
            ),
            Ok(())
        );
    }

    #[test]
    fn a_publisher_sees_what_only_administrators_may() {
        let available = availability(&Site::example("a").at_current(), &known("11.1", "org_publisher"));
        let of = |key| &available.iter().find(|one| one.operation == key).unwrap().reasons;

        let needs = Capability::DefaultAdministrator;
        assert_eq!(of(OperationKey::ExportPortal), &[UnavailableReason::Role { needs }]);
        assert_eq!(of(OperationKey::FindItems), &[]);
    }

    #[test]
    fn a_site_without_a_portal_cannot_be_asked_for_a_portal_export() {
        let site = Site { portal: None, ..Site::example("a") }.at_current();

        let rejected = check(&Operation::of(OperationKey::ExportPortal), &site, &SiteFacts::default());

        assert_eq!(rejected, Err(Problem::NoAddress { component: Component::Portal }));
    }

    #[test]
    fn an_import_behind_a_web_adaptor_asks_for_the_direct_address() {
        let mut site = Site::example("a");
        let rejected = check(
            &Operation::of(OperationKey::ImportServer),
            &site.clone().at_current(),
            &known("11.1", "org_admin"),
        );
        assert_eq!(rejected, Err(Problem::NotOffered { reason: UnavailableReason::NoAdminUrl }));

        site.servers[0].admin_url = url::Url::parse("https://srv1.example.org:6443/arcgis").ok();
        assert_eq!(
            check(
                &Operation::of(OperationKey::ImportServer),
                &site.at_current(),
                &known("11.1", "org_admin")
            ),
            Ok(())
        );
    }

    #[test]
    fn an_import_passes_a_web_adaptor_only_since_11_3() {
        let import = Operation::of(OperationKey::ImportServer);
        let site = Site::example("a");
        for (version, is_offered) in [("11.2", false), ("11.3", true), ("12.0", true)] {
            let known = known(version, "org_admin");
            let offered = check(&import, &site.clone().at_current(), &known);
            assert_eq!(offered.is_ok(), is_offered, "{version}: {offered:?}");
        }
    }

    #[test]
    fn kubernetes_has_no_site_export_and_says_so() {
        let deployment_type = DeploymentType::Kubernetes;
        let site = Site { deployment_type, ..Site::example("a") }.at_current();

        let rejected = check(&Operation::of(OperationKey::ExportPortal), &site, &known("11.3", "org_admin"));

        assert_eq!(
            rejected,
            Err(Problem::NotOffered { reason: UnavailableReason::NotOnSite { deployment_type } })
        );
    }

    #[test]
    fn a_check_is_refused_by_a_site_that_would_export_instead() {
        let check = |version| {
            let known = known(version, "org_admin");
            check_parameter(
                &Operation::of(OperationKey::ExportPortal),
                GatedParameter::Validate,
                &Site::example("a").at_current(),
                &known,
            )
        };

        let expected = Problem::TooOld { needs: "11.1".to_owned(), has: "11.0".to_owned() };
        assert_eq!(check("11.0"), Err(expected));
        assert_eq!(check("11.1"), Ok(()));
    }

    #[test]
    fn a_parameter_newer_than_the_site_is_closed_where_its_operation_is_open() {
        let available = availability(&Site::example("a").at_current(), &known("11.0", "org_admin"));
        let export = available.iter().find(|one| one.operation == OperationKey::ExportPortal).unwrap();
        let validate =
            export.parameters.iter().find(|one| one.parameter == GatedParameter::Validate).unwrap();

        assert_eq!(export.reasons, []);
        let [UnavailableReason::TooOld { needs, .. }] = validate.reasons.as_slice() else {
            panic!("{validate:?}")
        };
        assert_eq!(needs, "11.1");
    }
}
