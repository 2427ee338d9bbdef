//! Whether a site meets the requirements of an operation or parameter.
//!
//! [`availability`] and [`parameter_availability`] compare the [descriptor](OperationDescriptor) with the known
//! [`Facts`]. The reasons are data; the UI localizes them. Unknown facts never make an operation unavailable: the site
//! decides.

use crate::deployment_type::{DeploymentType, ServerType};
use crate::operations::{Capability, Component, GatedParameter, OperationDescriptor, OperationKey, Since};
use crate::version::Version;

/// Availability of an operation or a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Availability {
    /// Available, or no requirement is known to be unmet.
    Open,
    /// Unavailable, with every reason.
    Closed(Vec<UnmetRequirement>),
}

/// Reason why an operation or a parameter is unavailable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnmetRequirement {
    /// The version of portal or server is too low.
    TooOld {
        /// Lowest version with the operation or parameter.
        needs: Version,
        /// Version of the portal or server.
        has: Version,
    },
    /// The site has no portal, or its URL is unknown.
    NoPortal,
    /// The site has no server, or its URL is unknown.
    NoServer,
    /// The deployment type does not support the operation in any version.
    NotOnDeploymentType(DeploymentType),
    /// The server type does not support the operation or parameter in any version.
    NotOnServer(ServerType),
    /// The operation requires the administration URL of the portal or server, which is unknown.
    NoAdminUrl,
    /// The signed-in user lacks this role or privilege.
    Capability(Capability),
    /// The operation has no such parameter.
    NotOfOperation,
}

/// Known properties of a site and of the signed-in user.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// Deployment type. `None` if unknown.
    pub deployment_type: Option<DeploymentType>,
    /// Portal. `None` if the site has none or it is unknown.
    pub portal: Option<PortalFact>,
    /// Current server. `None` if the site has none or it is unknown.
    pub server: Option<ServerFact>,
    /// Role of the user, as the portal spells it, for example `org_admin`. Empty if unknown.
    pub role: String,
    /// Privileges of the user, as the portal spells them. Empty if unknown.
    pub privileges: Vec<String>,
}

/// Known properties of a portal.
#[derive(Debug, Clone, Copy, Default)]
pub struct PortalFact {
    /// Version. `None` if unknown.
    pub version: Option<Version>,
    /// Whether an administration URL is known, which bypasses web adaptors.
    pub has_admin_url: bool,
}

/// Known properties of a server.
#[derive(Debug, Clone)]
pub struct ServerFact {
    /// Server type.
    pub server_type: ServerType,
    /// Version. `None` if unknown.
    pub version: Option<Version>,
    /// Whether an administration URL is known, which bypasses web adaptors.
    pub has_admin_url: bool,
}

/// Returns whether an operation is available.
#[must_use]
pub fn availability(operation: OperationKey, facts: &Facts) -> Availability {
    closed(operation_reasons(operation.descriptor(), facts))
}

/// Returns whether a parameter of an operation is available. If the operation is unavailable, so are its parameters.
#[must_use]
pub fn parameter_availability(
    operation: OperationKey,
    parameter: GatedParameter,
    facts: &Facts,
) -> Availability {
    let descriptor = operation.descriptor();
    let mut reasons = operation_reasons(descriptor, facts);
    if !descriptor.parameters.contains(&parameter) {
        reasons.push(UnmetRequirement::NotOfOperation);
        return closed(reasons);
    }
    reasons.extend(too_old(parameter.since(), version(descriptor, facts)));
    if let Some(server) = facts.server.as_ref().filter(|_| descriptor.component() == Component::Server)
        && !parameter.is_on(&server.server_type)
    {
        reasons.push(UnmetRequirement::NotOnServer(server.server_type.clone()));
    }
    closed(reasons)
}

fn closed(mut reasons: Vec<UnmetRequirement>) -> Availability {
    // Of several required versions, report only the highest: the operation's own version is implied by that of a
    // parameter.
    if let Some(latest) = reasons.iter().filter_map(needed).max() {
        reasons.retain(|reason| needed(reason).is_none_or(|needs| needs == latest));
        reasons.dedup();
    }
    if reasons.is_empty() { Availability::Open } else { Availability::Closed(reasons) }
}

const fn needed(reason: &UnmetRequirement) -> Option<Version> {
    match reason {
        UnmetRequirement::TooOld { needs, .. } => Some(*needs),
        _ => None,
    }
}

fn operation_reasons(operation: &OperationDescriptor, facts: &Facts) -> Vec<UnmetRequirement> {
    let is_elsewhere =
        |deployment_type: &DeploymentType| !operation.deployment_types.contains(deployment_type);
    if let Some(deployment_type) = facts.deployment_type.filter(is_elsewhere) {
        // If the deployment type excludes the operation, do not report a missing or outdated server as well.
        return vec![UnmetRequirement::NotOnDeploymentType(deployment_type)];
    }
    let mut reasons = Vec::new();
    match operation.since {
        Since::Server(since) => match &facts.server {
            None => reasons.push(UnmetRequirement::NoServer),
            Some(server) => reasons.extend(server_reasons(operation, since, server)),
        },
        Since::Portal(needs) => match &facts.portal {
            None => reasons.push(UnmetRequirement::NoPortal),
            Some(portal) => {
                reasons.extend(too_old(needs, portal.version));
                if operation.needs_admin_url.is_required(portal.version) && !portal.has_admin_url {
                    reasons.push(UnmetRequirement::NoAdminUrl);
                }
            }
        },
    }
    if !suffices(operation, &facts.role, &facts.privileges) {
        reasons.push(UnmetRequirement::Capability(operation.capability));
    }
    reasons
}

fn server_reasons(
    operation: &OperationDescriptor,
    since: fn(&ServerType) -> Option<Version>,
    server: &ServerFact,
) -> Vec<UnmetRequirement> {
    let mut reasons = Vec::new();
    // An unknown server type might support the operation in any version.
    if !matches!(server.server_type, ServerType::Other { .. }) {
        let Some(needs) = since(&server.server_type) else {
            return vec![UnmetRequirement::NotOnServer(server.server_type.clone())];
        };
        reasons.extend(too_old(needs, server.version));
    }
    if operation.needs_admin_url.is_required(server.version) && !server.has_admin_url {
        reasons.push(UnmetRequirement::NoAdminUrl);
    }
    reasons
}

fn version(operation: &OperationDescriptor, facts: &Facts) -> Option<Version> {
    match operation.component() {
        Component::Server => facts.server.as_ref().and_then(|server| server.version),
        Component::Portal => facts.portal.and_then(|portal| portal.version),
    }
}

fn too_old(needs: Version, has: Option<Version>) -> Option<UnmetRequirement> {
    let has = has.filter(|has| *has < needs)?;
    Some(UnmetRequirement::TooOld { needs, has })
}

/// Privileges of administrators whose meaning is known. One that is not among the
/// [privileges](OperationDescriptor::privileges) of an operation does not suffice.
const OF_ADMINISTRATORS: &str = "\
    assignToGroups categorizeItems changeUserRoles createGPWebhook createLeavingDisallowedGroup \
    createReports createUpdateCapableGroup deleteGroups deleteItems deleteUsers disableUsers \
    inviteUsers manageCollaborations manageCredits manageEnterpriseGroups manageLicenses manageRoles \
    manageSecurity manageServers manageUtilityServices manageWebhooks manageWebsite reassignGroups \
    reassignItems reassignUsers shareToGroup shareToOrg shareToPublic updateGroups \
    updateItemCategorySchema updateItems updateMemberCategorySchema updateUsers viewGroups viewItems \
    viewUsers";

/// Those of publishers, likewise.
const OF_PUBLISHERS: &str = "\
    bulkPublishFromDataStores createFeatureWebhook publishBuildings publishDynamicImagery \
    publishFeatures publishFeeds publishKnowledgeGraph publishScenes publishServerGPServices \
    publishServerServices publishTiledImagery publishTiles publishVideo createDataPipelines \
    createNotebooks";

/// Returns whether a privilege is known: it is one of a user, or of a list above. Another one, of a later version,
/// might suffice for an operation.
fn is_known(privilege: &str) -> bool {
    let is_one_of = |prefix: &str, names: &str| {
        let held = privilege.strip_prefix(prefix);
        held.is_some_and(|held| names.split(' ').any(|name| name == held))
    };
    ["portal:user:", "features:user:", "premium:", "opendata:", "marketplace:"]
        .iter()
        .any(|prefix| privilege.starts_with(prefix))
        || is_one_of("portal:admin:", OF_ADMINISTRATORS)
        || is_one_of("portal:publisher:", OF_PUBLISHERS)
}

/// Returns whether role and privileges suffice for an operation. Built-in roles are matched by name, custom roles by
/// the identifiers of their privileges. Where the portal returned none, or one that is not known, the site decides.
fn suffices(operation: &OperationDescriptor, role: &str, privileges: &[String]) -> bool {
    match role.trim().to_lowercase().as_str() {
        "" | "org_admin" => return true,
        "org_publisher" => return operation.capability == Capability::Publisher,
        "org_user" | "org_viewer" | "iaaaaaaaaaaaaaaa" => return false,
        _ => {}
    }
    // A custom role cannot have the privileges of the default administrator role.
    if privileges.is_empty() || operation.capability == Capability::DefaultAdministrator {
        return privileges.is_empty();
    }
    let decides = |held: &String| operation.privileges.contains(&held.as_str()) || !is_known(held);
    privileges.iter().any(decides)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(server_type: ServerType, version: &str) -> ServerFact {
        ServerFact { server_type, version: Version::parse(version), has_admin_url: true }
    }

    fn enterprise(version: &str) -> Facts {
        Facts {
            deployment_type: Some(DeploymentType::Enterprise),
            portal: Some(PortalFact { version: Version::parse(version), has_admin_url: true }),
            server: Some(server(ServerType::Gis, version)),
            role: "org_admin".to_owned(),
            privileges: Vec::new(),
        }
    }

    fn too_old(needs: (u16, u16), has: &str) -> Availability {
        let has = Version::parse(has).unwrap();
        Availability::Closed(vec![UnmetRequirement::TooOld { needs: Version::new(needs.0, needs.1), has }])
    }

    #[test]
    fn parameter_newer_than_the_site_reports_the_required_version() {
        use GatedParameter::{LocationConfig, NoLocation, RestartWebServer, Validate};
        use OperationKey::{ExportPortal, ImportPortal, ImportServer};
        for (operation, parameter, version, expected) in [
            (ImportServer, Validate, "10.91", too_old((11, 1), "10.9.1")),
            (ImportServer, Validate, "11.1", Availability::Open),
            // Of several versions, only the highest is reported.
            (ImportServer, Validate, "10.1", too_old((11, 1), "10.1")),
            (ImportServer, RestartWebServer, "11.2", too_old((11, 3), "11.2")),
            (ImportServer, RestartWebServer, "11.3", Availability::Open),
            (ImportPortal, LocationConfig, "11.5", too_old((12, 0), "11.5")),
            (ImportPortal, LocationConfig, "12.0", Availability::Open),
            (ExportPortal, NoLocation, "11.5", too_old((12, 0), "11.5")),
            (ExportPortal, NoLocation, "12.0", Availability::Open),
        ] {
            let told = parameter_availability(operation, parameter, &enterprise(version));
            assert_eq!(told, expected, "{operation:?} {parameter:?} {version}");
        }
    }

    #[test]
    fn parameter_of_another_operation_is_unavailable() {
        let gate =
            parameter_availability(OperationKey::FindItems, GatedParameter::Validate, &enterprise("12.0"));
        assert_eq!(gate, Availability::Closed(vec![UnmetRequirement::NotOfOperation]));
    }

    #[test]
    fn unknown_version_and_role_make_nothing_unavailable() {
        let facts = Facts { role: String::new(), ..enterprise("unknown") };
        assert_eq!(availability(OperationKey::DeactivateWebhooks, &facts), Availability::Open);
        assert_eq!(availability(OperationKey::ExportPortal, &facts), Availability::Open);
    }

    #[test]
    fn exports_are_unavailable_on_kubernetes() {
        let facts = Facts {
            deployment_type: Some(DeploymentType::Kubernetes),
            server: Some(server(ServerType::Kubernetes, "11.3")),
            ..enterprise("11.3")
        };
        let no =
            Availability::Closed(vec![UnmetRequirement::NotOnDeploymentType(DeploymentType::Kubernetes)]);
        for operation in [
            OperationKey::ExportPortal,
            OperationKey::ExportServer,
            OperationKey::ImportServer,
            OperationKey::ImportPortal,
        ] {
            assert_eq!(availability(operation, &facts), no, "{operation:?}");
        }
        assert_eq!(availability(OperationKey::DeactivateWebhooks, &facts), Availability::Open);
        assert_eq!(availability(OperationKey::UpdateParticipant, &facts), Availability::Open);
    }

    #[test]
    fn only_collaborations_are_available_for_online_organizations() {
        let facts =
            Facts { deployment_type: Some(DeploymentType::Online), server: None, ..enterprise("2024.2") };
        assert_eq!(availability(OperationKey::RefreshInvitation, &facts), Availability::Open);
        assert_eq!(availability(OperationKey::UpdateParticipant, &facts), Availability::Open);
        let no = Availability::Closed(vec![UnmetRequirement::NotOnDeploymentType(DeploymentType::Online)]);
        assert_eq!(availability(OperationKey::ExportPortal, &facts), no);
        assert_eq!(availability(OperationKey::FindItems, &facts), no);
    }

    #[test]
    fn version_that_introduced_exports_depends_on_server_type() {
        let export = |server_type, version| {
            availability(
                OperationKey::ExportServer,
                &Facts { server: Some(server(server_type, version)), ..enterprise("11.1") },
            )
        };
        assert_eq!(export(ServerType::Gis, "10.2"), Availability::Open);
        let needs = Version { major: 10, minor: 7, patch: 1 };
        for (version, has) in [("10.6", Version::new(10, 6)), ("10.7", Version::new(10, 7))] {
            let no = Availability::Closed(vec![UnmetRequirement::TooOld { needs, has }]);
            assert_eq!(export(ServerType::Notebook, version), no);
        }
        assert_eq!(export(ServerType::Notebook, "10.7.1"), Availability::Open);
        assert_eq!(export(ServerType::DataPipelines, "12.1"), too_old((12, 2), "12.1"));
        assert_eq!(export(ServerType::DataPipelines, "12.2"), Availability::Open);
        assert_eq!(export(ServerType::Mission, "10.7"), too_old((10, 8), "10.7"));
        assert_eq!(export(ServerType::Video, "11.5"), too_old((12, 0), "11.5"));
    }

    #[test]
    fn webhooks_and_data_store_items_are_unavailable_on_notebook_servers() {
        let facts = Facts { server: Some(server(ServerType::Notebook, "11.3")), ..enterprise("11.3") };
        let no = Availability::Closed(vec![UnmetRequirement::NotOnServer(ServerType::Notebook)]);
        assert_eq!(availability(OperationKey::DeactivateWebhooks, &facts), no);
        assert_eq!(availability(OperationKey::FindItems, &facts), no);
    }

    #[test]
    fn import_requires_an_administration_url_and_that_of_a_server_only_before_11_3() {
        let mut facts = enterprise("11.2");
        facts.server.as_mut().unwrap().has_admin_url = false;
        let no = Availability::Closed(vec![UnmetRequirement::NoAdminUrl]);
        assert_eq!(availability(OperationKey::ImportServer, &facts), no);
        assert_eq!(availability(OperationKey::ExportServer, &facts), Availability::Open);
        assert_eq!(availability(OperationKey::ImportPortal, &facts), Availability::Open);
        for version in ["11.3", "12.0", "unknown"] {
            facts.server.as_mut().unwrap().version = Version::parse(version);
            assert_eq!(availability(OperationKey::ImportServer, &facts), Availability::Open, "{version}");
        }
        facts.portal = Some(PortalFact { version: Version::parse("12.0"), has_admin_url: false });
        assert_eq!(availability(OperationKey::ImportPortal, &facts), no);
        assert_eq!(availability(OperationKey::ExportPortal, &facts), Availability::Open);
    }

    #[test]
    fn portals_import_since_10_4_and_check_a_file_since_11_1() {
        let checks = |version| {
            parameter_availability(OperationKey::ImportPortal, GatedParameter::Validate, &enterprise(version))
        };
        assert_eq!(availability(OperationKey::ImportPortal, &enterprise("10.3")), too_old((10, 4), "10.3"));
        for (version, can_check) in [("10.4", false), ("10.8.1", false), ("11.1", true), ("12.0", true)] {
            assert_eq!(availability(OperationKey::ImportPortal, &enterprise(version)), Availability::Open);
            assert_eq!(checks(version) == Availability::Open, can_check, "{version}");
        }
    }

    #[test]
    fn roles_and_privileges_decide_as_specified() {
        use OperationKey::{DeactivateWebhooks, ExportPortal, ExportServer, FindItems};
        for (operation, role, privilege, may) in [
            (DeactivateWebhooks, "org_publisher", None, true),
            (ExportServer, "org_publisher", None, false),
            (FindItems, "org_viewer", None, false),
            (ExportPortal, "ORG_ADMIN", Some("portal:admin:updateItems"), true),
            (FindItems, "IAAAAAAAAAAAAAAA", None, false),
            (FindItems, "Qw3rTz7uPa5sDf1g", Some("portal:admin:updateItems"), true),
            (DeactivateWebhooks, "Qw3rTz7uPa5sDf1g", Some("portal:admin:updateItems"), false),
            (DeactivateWebhooks, "Hj9kLy2xCv6bNm4e", Some("portal:publisher:publishFeatures"), true),
            (ExportPortal, "Hj9kLy2xCv6bNm4e", Some("portal:admin:manageServers"), false),
        ] {
            let privileges = privilege.map(str::to_owned).into_iter().collect();
            let facts = Facts { role: role.to_owned(), privileges, ..enterprise("11.1") };
            let is_open = availability(operation, &facts) == Availability::Open;
            assert_eq!(is_open, may, "{operation:?} {role} {privilege:?}");
        }
    }

    #[test]
    fn the_identifiers_of_the_privileges_of_a_custom_role_decide_and_an_unknown_one_leaves_it_to_the_site() {
        use OperationKey::{DeactivateWebhooks, ExportPortal, ExportServer, FindItems, RefreshInvitation};
        for (operation, privilege, may) in [
            (DeactivateWebhooks, "portal:publisher:createFeatureWebhook", true),
            (DeactivateWebhooks, "portal:admin:createGPWebhook", true),
            (DeactivateWebhooks, "portal:admin:manageWebhooks", true),
            (DeactivateWebhooks, "portal:publisher:publishFeatures", true),
            (DeactivateWebhooks, "portal:admin:updateItems", false),
            (DeactivateWebhooks, "portal:admin:viewUsers", false),
            (DeactivateWebhooks, "portal:user:createItem", false),
            (DeactivateWebhooks, "portal:admin:manageEventHooks", true),
            (FindItems, "portal:publisher:registerDataStores", true),
            (FindItems, "portal:publisher:createFeatureWebhook", false),
            (FindItems, "portal:admin:manageServers", true),
            (ExportServer, "portal:admin:manageServers", true),
            (ExportServer, "portal:admin:manageWebhooks", false),
            (ExportServer, "portal:admin:administerServers", true),
            (RefreshInvitation, "portal:admin:manageCollaborations", true),
            (RefreshInvitation, "portal:admin:manageRoles", false),
            (ExportPortal, "portal:admin:administerServers", false),
        ] {
            let privileges = ["portal:user:viewOrgItems".to_owned(), privilege.to_owned()];
            let facts = Facts {
                role: "Qw3rTz7uPa5sDf1g".to_owned(),
                privileges: privileges.into(),
                ..enterprise("11.3")
            };
            let is_open = availability(operation, &facts) == Availability::Open;
            assert_eq!(is_open, may, "{operation:?} {privilege}");
        }
    }
}
