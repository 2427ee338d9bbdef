//! What a site can do for whom, by what is known of it. The reasons are data: the window words them.
//!
//! What is not known closes nothing. The site itself has the last word.

use crate::flavour::{Flavour, ServerFlavour};
use crate::version::Version;

/// The seven operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Specification 1.
    ExportPortal,
    /// Specification 2.
    ExportServer,
    /// Specification 3.
    ImportServer,
    /// Specification 4.
    DeactivateWebhooks,
    /// Specification 5.
    FindItems,
    /// Specification 6.
    UpdateParticipant,
    /// Specification 7.
    RefreshInvitation,
}

/// A parameter, or a way to use one, that not every site knows which knows its operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parameter {
    /// `validate`: only check.
    Validate,
    /// `locationConfig`: a cloud store as the place.
    LocationConfig,
    /// A portal export without a folder.
    NoLocation,
    /// `restartWebServer` after an import.
    RestartWebServer,
    /// `managed`, the filter as servers know it.
    Managed,
    /// `isManaged`, the same filter as the specification and Kubernetes know it.
    IsManaged,
}

/// Whether something can be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Gate {
    /// Nothing known stands in the way.
    Open,
    /// Everything that stands in the way.
    Closed(Vec<Reason>),
}

/// What stands in the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The site is older than what is asked of it.
    TooOld {
        /// The version it takes.
        needs: Version,
        /// The version it has.
        has: Version,
    },
    /// The site has no portal, or its address is not known.
    NoPortal,
    /// The site has no server, or its address is not known.
    NoServer,
    /// Sites of this kind do not offer it at any version.
    NotOnFlavour(Flavour),
    /// Servers of this kind do not offer it at any version.
    NotOnServer(ServerFlavour),
    /// It works at the server's own address only, and none is known.
    NoDirectAddress,
    /// Whoever is signed in may not.
    Capability(Capability),
    /// The operation has no such parameter.
    NotOfOperation,
}

/// What the specification asks of whoever performs an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capability {
    /// The default administrator role.
    DefaultAdministrator,
    /// Administrator.
    Administrator,
    /// Administrator of the host of a collaboration.
    AdministratorOfHost,
    /// The Feature layer or the Geoprocessing privilege, or the Publisher role.
    Webhooks,
    /// The Update privilege or the Publisher role.
    DataItems,
}

/// What is known of a site and of who is signed in.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// The kind of site.
    pub flavour: Option<Flavour>,
    /// The portal, if there is one.
    pub portal: Option<PortalFact>,
    /// The server that is asked, if there is one.
    pub server: Option<ServerFact>,
    /// The role as the portal spells it; empty when nobody said.
    pub role: String,
    /// The privileges as the portal spells them; empty when nobody said.
    pub privileges: Vec<String>,
}

/// What is known of a portal.
#[derive(Debug, Clone, Copy, Default)]
pub struct PortalFact {
    /// Its version.
    pub version: Option<Version>,
}

/// What is known of a server.
#[derive(Debug, Clone)]
pub struct ServerFact {
    /// Its kind.
    pub flavour: ServerFlavour,
    /// Its version.
    pub version: Option<Version>,
    /// Whether an address is known that leads past every web adaptor.
    pub has_direct_address: bool,
}

/// Whether an operation can be performed.
#[must_use]
pub fn gate(operation: Operation, facts: &Facts) -> Gate {
    closed(operation_reasons(operation, facts))
}

/// Whether a parameter can be given with an operation. A closed operation closes its parameters.
#[must_use]
pub fn parameter_gate(operation: Operation, parameter: Parameter, facts: &Facts) -> Gate {
    let mut reasons = operation_reasons(operation, facts);
    let is_server = matches!(operation, Operation::ExportServer | Operation::ImportServer);
    let fits = match parameter {
        Parameter::Validate | Parameter::LocationConfig => is_server || operation == Operation::ExportPortal,
        Parameter::NoLocation => operation == Operation::ExportPortal,
        Parameter::RestartWebServer => operation == Operation::ImportServer,
        Parameter::Managed | Parameter::IsManaged => operation == Operation::FindItems,
    };
    if !fits {
        reasons.push(Reason::NotOfOperation);
        return closed(reasons);
    }
    let needs = match parameter {
        Parameter::Validate => Some(Version::new(11, 1)),
        Parameter::LocationConfig | Parameter::NoLocation => Some(Version::new(12, 0)),
        Parameter::RestartWebServer => Some(Version::new(11, 3)),
        Parameter::Managed | Parameter::IsManaged => None,
    };
    reasons.extend(needs.and_then(|needs| too_old(needs, version(operation, facts))));
    if let Some(server) = facts.server.as_ref().filter(|_| is_on_server(operation)) {
        let kubernetes = server.flavour == ServerFlavour::Kubernetes;
        let known = match parameter {
            // Each family reads its own spelling and ignores the other.
            Parameter::Managed => !kubernetes,
            Parameter::IsManaged => kubernetes,
            Parameter::RestartWebServer => server.flavour == ServerFlavour::Gis,
            Parameter::Validate | Parameter::LocationConfig | Parameter::NoLocation => true,
        };
        if !known {
            reasons.push(Reason::NotOnServer(server.flavour.clone()));
        }
    }
    closed(reasons)
}

fn closed(mut reasons: Vec<Reason>) -> Gate {
    // The operation's own version says nothing beside the later one of a parameter.
    if let Some(latest) = reasons.iter().filter_map(needed).max() {
        reasons.retain(|reason| needed(reason).is_none_or(|needs| needs == latest));
        reasons.dedup();
    }
    if reasons.is_empty() { Gate::Open } else { Gate::Closed(reasons) }
}

const fn needed(reason: &Reason) -> Option<Version> {
    match reason {
        Reason::TooOld { needs, .. } => Some(*needs),
        _ => None,
    }
}

fn operation_reasons(operation: Operation, facts: &Facts) -> Vec<Reason> {
    let mut reasons = Vec::new();
    if let Some(flavour) = facts.flavour.filter(|flavour| !is_offered(operation, *flavour)) {
        // That there is no server, or which version it has, no longer matters.
        return vec![Reason::NotOnFlavour(flavour)];
    }
    if is_on_server(operation) {
        match &facts.server {
            None => reasons.push(Reason::NoServer),
            Some(server) => reasons.extend(server_reasons(operation, server)),
        }
    } else if facts.portal.is_none() {
        reasons.push(Reason::NoPortal);
    } else {
        reasons
            .extend(introduced(operation, None).and_then(|needs| too_old(needs, version(operation, facts))));
    }
    let capability = capability(operation);
    if !suffices(capability, &facts.role, &facts.privileges) {
        reasons.push(Reason::Capability(capability));
    }
    reasons
}

fn server_reasons(operation: Operation, server: &ServerFact) -> Vec<Reason> {
    let Some(needs) = introduced(operation, Some(&server.flavour)) else {
        return vec![Reason::NotOnServer(server.flavour.clone())];
    };
    let mut reasons: Vec<Reason> = too_old(needs, server.version).into_iter().collect();
    if operation == Operation::ImportServer && !server.has_direct_address {
        reasons.push(Reason::NoDirectAddress);
    }
    reasons
}

const fn is_on_server(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::ExportServer
            | Operation::ImportServer
            | Operation::DeactivateWebhooks
            | Operation::FindItems
    )
}

const fn is_offered(operation: Operation, flavour: Flavour) -> bool {
    let is_collaboration = matches!(operation, Operation::UpdateParticipant | Operation::RefreshInvitation);
    match flavour {
        Flavour::Enterprise => true,
        Flavour::StandaloneServer => is_on_server(operation),
        // Kubernetes keeps backup stores instead of exporting sites.
        Flavour::Kubernetes => {
            !matches!(operation, Operation::ExportPortal | Operation::ExportServer | Operation::ImportServer)
        }
        Flavour::Online => is_collaboration,
    }
}

/// The version that brought an operation; `None` where none did. The specification's versions are those of the
/// product it was taken from; a server of another kind had some of them earlier.
fn introduced(operation: Operation, server: Option<&ServerFlavour>) -> Option<Version> {
    use ServerFlavour::{Gis, Kubernetes, Mission, Notebook, Other, Video};
    Some(match (operation, server) {
        (Operation::ExportPortal, _) => Version::new(10, 4),
        (Operation::UpdateParticipant | Operation::RefreshInvitation, _) => Version::new(10, 5),
        (Operation::ExportServer | Operation::ImportServer, Some(Gis)) => Version::new(10, 2),
        (Operation::ExportServer | Operation::ImportServer, Some(Notebook)) => Version::new(10, 7),
        (Operation::ExportServer | Operation::ImportServer, Some(Mission) | None) => Version::new(10, 8),
        (Operation::ExportServer | Operation::ImportServer, Some(Video)) => Version::new(12, 0),
        // One that is not known may have anything.
        (_, Some(Other(_))) => Version::new(0, 0),
        (Operation::ExportServer | Operation::ImportServer, Some(Kubernetes)) => return None,
        (Operation::DeactivateWebhooks, Some(Gis | Kubernetes) | None) => Version::new(11, 1),
        (Operation::FindItems, Some(Gis)) => Version::new(10, 1),
        (Operation::FindItems, Some(Kubernetes) | None) => Version::new(10, 9),
        (Operation::DeactivateWebhooks | Operation::FindItems, Some(Mission | Notebook | Video)) => {
            return None;
        }
    })
}

fn version(operation: Operation, facts: &Facts) -> Option<Version> {
    if is_on_server(operation) {
        facts.server.as_ref().and_then(|server| server.version)
    } else {
        facts.portal.and_then(|portal| portal.version)
    }
}

fn too_old(needs: Version, has: Option<Version>) -> Option<Reason> {
    let has = has.filter(|has| *has < needs)?;
    Some(Reason::TooOld { needs, has })
}

const fn capability(operation: Operation) -> Capability {
    match operation {
        Operation::ExportPortal => Capability::DefaultAdministrator,
        Operation::ExportServer | Operation::ImportServer => Capability::Administrator,
        Operation::DeactivateWebhooks => Capability::Webhooks,
        Operation::FindItems => Capability::DataItems,
        Operation::UpdateParticipant | Operation::RefreshInvitation => Capability::AdministratorOfHost,
    }
}

/// The built-in roles are known; a role of somebody's own making is what its privileges are, if they are told.
fn suffices(capability: Capability, role: &str, privileges: &[String]) -> bool {
    let publishes = matches!(capability, Capability::Webhooks | Capability::DataItems);
    match role {
        "" | "org_admin" => return true,
        "org_publisher" => return publishes,
        "org_user" | "org_viewer" | "iAAAAAAAAAAAAAAA" => return false,
        _ => {}
    }
    if privileges.is_empty() {
        return true;
    }
    let any = |wanted: &[&str]| privileges.iter().any(|held| wanted.contains(&held.as_str()));
    match capability {
        Capability::DefaultAdministrator => false,
        Capability::Administrator => any(&["portal:admin:manageServers"]),
        Capability::AdministratorOfHost => any(&["portal:admin:manageCollaborations"]),
        Capability::Webhooks => any(&[
            "portal:publisher:publishFeatures",
            "portal:publisher:publishServerGPServices",
            "portal:publisher:publishServerServices",
        ]),
        Capability::DataItems => any(&["portal:admin:updateItems", "portal:publisher:publishServerServices"]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(flavour: ServerFlavour, version: &str) -> ServerFact {
        ServerFact { flavour, version: Version::parse(version), has_direct_address: true }
    }

    fn enterprise(version: &str) -> Facts {
        Facts {
            flavour: Some(Flavour::Enterprise),
            portal: Some(PortalFact { version: Version::parse(version) }),
            server: Some(server(ServerFlavour::Gis, version)),
            role: "org_admin".to_owned(),
            privileges: Vec::new(),
        }
    }

    fn too_old(needs: (u16, u16), has: &str) -> Gate {
        let has = Version::parse(has).unwrap();
        Gate::Closed(vec![Reason::TooOld { needs: Version::new(needs.0, needs.1), has }])
    }

    #[test]
    fn a_parameter_newer_than_the_site_says_which_version_it_needs() {
        let ask =
            |parameter, version| parameter_gate(Operation::ImportServer, parameter, &enterprise(version));
        assert_eq!(ask(Parameter::Validate, "10.91"), too_old((11, 1), "10.9.1"));
        assert_eq!(ask(Parameter::Validate, "11.1"), Gate::Open);
        assert_eq!(ask(Parameter::RestartWebServer, "11.2"), too_old((11, 3), "11.2"));
        assert_eq!(ask(Parameter::RestartWebServer, "11.3"), Gate::Open);
        assert_eq!(ask(Parameter::LocationConfig, "11.5"), too_old((12, 0), "11.5"));
        let folder =
            |version| parameter_gate(Operation::ExportPortal, Parameter::NoLocation, &enterprise(version));
        assert_eq!(folder("11.5"), too_old((12, 0), "11.5"));
        assert_eq!(folder("12.0"), Gate::Open);
    }

    #[test]
    fn a_parameter_of_another_operation_is_closed() {
        let gate = parameter_gate(Operation::FindItems, Parameter::Validate, &enterprise("12.0"));
        assert_eq!(gate, Gate::Closed(vec![Reason::NotOfOperation]));
    }

    #[test]
    fn a_server_older_than_operation_and_parameter_is_told_the_later_version_only() {
        let gate = parameter_gate(Operation::ExportServer, Parameter::Validate, &enterprise("10.1"));
        assert_eq!(gate, too_old((11, 1), "10.1"));
    }

    #[test]
    fn an_unknown_version_and_an_unknown_role_close_nothing() {
        let facts = Facts { role: String::new(), ..enterprise("unknown") };
        assert_eq!(gate(Operation::DeactivateWebhooks, &facts), Gate::Open);
        assert_eq!(gate(Operation::ExportPortal, &facts), Gate::Open);
    }

    #[test]
    fn kubernetes_has_no_export_and_says_so() {
        let facts = Facts {
            flavour: Some(Flavour::Kubernetes),
            server: Some(server(ServerFlavour::Kubernetes, "11.3")),
            ..enterprise("11.3")
        };
        let no = Gate::Closed(vec![Reason::NotOnFlavour(Flavour::Kubernetes)]);
        for operation in [Operation::ExportPortal, Operation::ExportServer, Operation::ImportServer] {
            assert_eq!(gate(operation, &facts), no, "{operation:?}");
        }
        assert_eq!(gate(Operation::DeactivateWebhooks, &facts), Gate::Open);
        assert_eq!(gate(Operation::UpdateParticipant, &facts), Gate::Open);
        let spelling = |parameter| parameter_gate(Operation::FindItems, parameter, &facts);
        assert_eq!(spelling(Parameter::IsManaged), Gate::Open);
        assert_ne!(spelling(Parameter::Managed), Gate::Open);
    }

    #[test]
    fn an_online_organisation_collaborates_and_does_nothing_else() {
        let facts = Facts { flavour: Some(Flavour::Online), server: None, ..enterprise("2024.2") };
        assert_eq!(gate(Operation::RefreshInvitation, &facts), Gate::Open);
        assert_eq!(gate(Operation::UpdateParticipant, &facts), Gate::Open);
        let no = Gate::Closed(vec![Reason::NotOnFlavour(Flavour::Online)]);
        assert_eq!(gate(Operation::ExportPortal, &facts), no);
        assert_eq!(gate(Operation::FindItems, &facts), no);
    }

    #[test]
    fn each_kind_of_server_has_exports_since_a_version_of_its_own() {
        let export = |flavour, version| {
            gate(
                Operation::ExportServer,
                &Facts { server: Some(server(flavour, version)), ..enterprise("11.1") },
            )
        };
        assert_eq!(export(ServerFlavour::Gis, "10.2"), Gate::Open);
        assert_eq!(export(ServerFlavour::Notebook, "10.6"), too_old((10, 7), "10.6"));
        assert_eq!(export(ServerFlavour::Mission, "10.7"), too_old((10, 8), "10.7"));
        assert_eq!(export(ServerFlavour::Video, "11.5"), too_old((12, 0), "11.5"));
    }

    #[test]
    fn a_notebook_server_has_neither_services_nor_data_items() {
        let facts = Facts { server: Some(server(ServerFlavour::Notebook, "11.3")), ..enterprise("11.3") };
        let no = Gate::Closed(vec![Reason::NotOnServer(ServerFlavour::Notebook)]);
        assert_eq!(gate(Operation::DeactivateWebhooks, &facts), no);
        assert_eq!(gate(Operation::FindItems, &facts), no);
    }

    #[test]
    fn an_import_needs_the_servers_own_address() {
        let mut facts = enterprise("11.3");
        facts.server.as_mut().unwrap().has_direct_address = false;
        assert_eq!(gate(Operation::ImportServer, &facts), Gate::Closed(vec![Reason::NoDirectAddress]));
        assert_eq!(gate(Operation::ExportServer, &facts), Gate::Open);
    }

    #[test]
    fn roles_and_privileges_open_what_the_specification_lets_them() {
        let may = |operation, role: &str, privileges: &[&str]| {
            let facts = Facts {
                role: role.to_owned(),
                privileges: privileges.iter().map(|&one| one.to_owned()).collect(),
                ..enterprise("11.1")
            };
            gate(operation, &facts) == Gate::Open
        };
        assert!(may(Operation::DeactivateWebhooks, "org_publisher", &[]));
        assert!(!may(Operation::ExportServer, "org_publisher", &[]));
        assert!(!may(Operation::FindItems, "org_viewer", &[]));
        assert!(may(Operation::FindItems, "Qw3rTz7uPa5sDf1g", &["portal:admin:updateItems"]));
        assert!(!may(Operation::DeactivateWebhooks, "Qw3rTz7uPa5sDf1g", &["portal:admin:updateItems"]));
        assert!(may(
            Operation::DeactivateWebhooks,
            "Hj9kLy2xCv6bNm4e",
            &["portal:publisher:publishFeatures"]
        ));
        assert!(!may(Operation::ExportPortal, "Hj9kLy2xCv6bNm4e", &["portal:admin:manageServers"]));
    }
}
