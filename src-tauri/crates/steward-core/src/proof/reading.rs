//! Reads what tells whether a site is back: one component after the other, so that a site which starts is not kept busy.

use std::collections::HashMap;
use std::sync::Arc;

use steward_client::discovery::{self, ListedServer};
use steward_client::listing;
use steward_client::{ClientError, Endpoint, describe_server, exchange_for_server, federated_with};
use steward_journal::{Filter, Outcome, StoredRecord};

use super::AT_ONCE;
use super::content;
use super::data_stores;
use super::facts::{
    ComponentReading, DataReading, Federated, NotRead, PortalReading, Read, ServicesReading, SiteReading,
};
use super::federation;
use super::recovery::Import;
use super::verdict::are_complete;
use crate::access::machine;
use crate::inventory::service_check::check_with_paths;
use crate::model::checked::same_server;
use crate::model::deployment::DeploymentType;
use crate::model::history_key::HistoryAction;
use crate::model::ids::ServerId;
use crate::model::numbers::Millis;
use crate::model::operation::Component;
use crate::operations::find_items::validation::ItemValidations;
use crate::site_context::SiteContext;
use crate::sites::endpoints::NormalizedEndpoint;
use crate::sites::{Site, TargetSite};

/// Results of earlier checks of the same wait that need not be read again.
#[derive(Debug, Clone, Default)]
pub(super) struct Kept {
    /// Time when the site issued a token.
    pub(super) token_at: Option<Millis>,
    /// Data store items of servers where all are valid.
    pub(super) data: HashMap<Option<ServerId>, DataReading>,
    /// Number of sign-ins and sign-outs of the site before the last check, to detect later ones.
    pub(super) turns: u64,
}

/// Reads a site. `versions` are those before the import, and `validations` where the results of its data store items are stored.
pub(super) async fn read(
    context: &SiteContext,
    site: &Site,
    versions: &[(Option<ServerId>, String)],
    import: Option<&Import>,
    kept: &Kept,
    validations: Option<&Arc<ItemValidations>>,
) -> SiteReading {
    let since = import.map(|import| import.ended_at);
    let access = &context.access;
    let portal = match &site.portal {
        Some(_) => Some(access.portal(site).await.map_err(|problem| NotRead::of(&problem))),
        None => None,
    };
    let listed = match &portal {
        None => Ok(Vec::new()),
        Some(Err(reason)) => Err(reason.clone()),
        Some(Ok(portal)) => {
            discovery::listed_servers(portal).await.map_err(|error| NotRead::of_client_at(&error, &site.id))
        }
    };
    let mut components = Vec::new();
    let mut portal_id = Err(NotRead::missing("the portal did not return its identifier"));
    for component in site.components() {
        let target = component.target();
        let before = versions.iter().find(|(server, _)| *server == target.server);
        let before = before.map(|(_, version)| version.clone()).unwrap_or_default();
        if component.server().is_some() {
            components.push(server(context, &component, before, listed.as_ref(), kept, validations).await);
            continue;
        }
        let known = access.ask_who(&component).await;
        portal_id = known.as_ref().map(|known| known.portal_id.clone()).map_err(NotRead::of);
        components.push(ComponentReading {
            id: None,
            server: None,
            machine: Ok(None),
            before,
            version: known
                .map(|known| known.version_at(Component::Portal))
                .map_err(|problem| NotRead::of(&problem)),
            services: None,
            data: None,
        });
    }
    find_same(&mut components);
    let has_administration = site.deployment_type == DeploymentType::Enterprise;
    let of_portal = match portal.as_ref().filter(|_| has_administration) {
        None => None,
        Some(endpoint) => Some(of_portal(site, endpoint, portal_id, &listed).await),
    };
    let token = match kept.token_at {
        Some(at) => Ok(at),
        None => token(context, site, portal.as_ref(), listed.as_ref().ok(), since).await,
    };
    let indexes = of_portal.as_ref().map(|portal| &portal.index);
    let content = match import {
        Some(import) => content::of_import(context, site, import, &components, indexes).await,
        None => None,
    };
    SiteReading { components, portal: of_portal, token, content }
}

async fn server(
    context: &SiteContext,
    component: &TargetSite,
    before: String,
    listed: Result<&Vec<ListedServer>, &NotRead>,
    kept: &Kept,
    validations: Option<&Arc<ItemValidations>>,
) -> ComponentReading {
    let access = &context.access;
    let id = component.target().server;
    let named = |machine, version, services, data| ComponentReading {
        id: id.clone(),
        server: component.server_name(),
        machine,
        before,
        version,
        services: Some(services),
        data: Some(data),
    };
    let endpoint = match access.server(component).await {
        Ok(endpoint) => endpoint,
        Err(problem) => {
            access.note_failure(component, &problem);
            let reason = NotRead::of(&problem);
            return named(Ok(None), Err(reason.clone()), Err(reason.clone()), Err(reason));
        }
    };
    let version = match describe_server(&endpoint).await {
        Ok(facts) => {
            let version = facts.version.map(|version| version.to_string()).unwrap_or_default();
            let noted = Some(version.clone()).filter(|version| !version.is_empty());
            access.note_checked(component, |checks| checks.version.returned(noted));
            Ok(version)
        }
        Err(error) => Err(NotRead::of(&access.problem_at(&endpoint, component, &error).await)),
    };
    let services = match check_with_paths(access, component, AT_ONCE).await {
        Ok((check, paths)) => {
            let saved = component.server();
            let addresses = || saved.into_iter().flat_map(|server| server.addresses());
            let is_listed = |one: &&ListedServer| addresses().any(|own| one.is_at(own));
            let listing = listed.into_iter().flatten().filter(is_listed);
            let mut roots: Vec<String> = addresses()
                .chain(listing.flat_map(ListedServer::addresses))
                .map(|address| NormalizedEndpoint::of(address).to_string())
                .collect();
            roots.sort();
            roots.dedup();
            let is_federated = match listed {
                Ok(listed) if listed.iter().any(|one| is_listed(&one)) => Federated::Yes,
                Ok(_) => unlisted(context, component, &endpoint).await,
                Err(reason) => Federated::NotKnown(reason.clone()),
            };
            Ok(ServicesReading { check, paths, roots, is_federated })
        }
        Err(problem) => Err(NotRead::of(&problem)),
    };
    let data = match kept.data.get(&id) {
        Some(data) => Ok(data.clone()),
        None => data_stores::read(&endpoint, component, validations).await,
    };
    let machine = match component.servers.len() {
        0 | 1 => Ok(None),
        _ => machine::read_first(access, component, &endpoint)
            .await
            .map_err(|error| NotRead::of_client_at(&error, &component.id)),
    };
    named(machine, version, services, data)
}

/// Marks a server as not read if its first machine is that of an earlier server, or might be: its URL leads to that
/// other server.
fn find_same(components: &mut [ComponentReading]) {
    let machines: Vec<_> =
        components.iter().map(|one| one.machine.as_ref().ok().and_then(Option::as_deref)).collect();
    let mut unknown = None;
    for (at, earlier) in same_server(&machines).into_iter().enumerate() {
        let is_first = components[..at].iter().all(|one| one.services.is_none());
        unknown = unknown.or(components[at].machine.as_ref().err().cloned());
        let reason = match earlier.and_then(|earlier| components[earlier].server.clone()) {
            Some(other) => NotRead::SameServer { other },
            None => match &unknown {
                Some(reason) if !is_first => reason.clone(),
                _ => continue,
            },
        };
        let one = &mut components[at];
        one.version = Err(reason.clone());
        one.services = Some(Err(reason.clone()));
        one.data = Some(Err(reason));
    }
}

/// Returns whether a server that its portal does not list has lost its federation.
async fn unlisted(context: &SiteContext, component: &TargetSite, endpoint: &Endpoint) -> Federated {
    if component.portal.is_none() || component.has_own_administration() {
        return Federated::No;
    }
    let sessions = &context.access.sessions;
    if matches!(sessions.stored(component, &component.token()).await, Ok(None)) {
        // The server has no session of its own: it is used with tokens of the portal.
        return Federated::Lost;
    }
    match federated_with(endpoint).await {
        Ok(Some(_)) => Federated::Lost,
        Ok(None) => Federated::No,
        Err(error) => Federated::NotKnown(NotRead::of_client_at(&error, &component.id)),
    }
}

async fn of_portal(
    site: &Site,
    portal: &Read<Endpoint>,
    portal_id: Read<String>,
    listed: &Read<Vec<ListedServer>>,
) -> PortalReading {
    let endpoint = match (portal, listed) {
        (Ok(endpoint), Ok(_) | Err(NotRead::NotReturned { .. } | NotRead::NoRenewal)) => endpoint,
        // Each further request would be rejected as well.
        (Ok(_), Err(reason)) | (Err(reason), _) => {
            let reason = reason.clone();
            return PortalReading {
                index: Err(reason.clone()),
                federation: Err(reason.clone()),
                listed: Err(reason.clone()),
                items: Err(reason),
            };
        }
    };
    let not_read = |error: ClientError| NotRead::of_client_at(&error, &site.id);
    let index = listing::search_index(endpoint).await.map_err(not_read);
    let validated = match listed {
        Ok(_) => listing::validated_servers(endpoint).await.map_err(not_read),
        Err(reason) => Err(reason.clone()),
    };
    let paired = match (listed, validated) {
        (Ok(listed), Ok(validated)) => federation::paired(listed, validated).map(Ok),
        (Ok(_), Err(reason)) => Ok(Err(reason)),
        (Err(reason), _) => Err(reason.clone()),
    };
    let listed = paired.as_ref().map(|_| ()).map_err(Clone::clone);
    let federation = paired.unwrap_or_else(Err);
    let items = match (&index, portal_id) {
        // Until the index is complete, the search does not find all items.
        (Ok(indexes), _) if !are_complete(indexes) => {
            Err(NotRead::missing("the search index is not known to be complete"))
        }
        (_, Err(reason)) => Err(reason),
        (_, Ok(id)) => listing::service_items(endpoint, &id).await.map_err(not_read),
    };
    PortalReading { index, federation, listed, items }
}

/// Returns when the site issued a token: at a sign-in since the import, or now.
async fn token(
    context: &SiteContext,
    site: &Site,
    portal: Option<&Read<Endpoint>>,
    listed: Option<&Vec<ListedServer>>,
    since: Option<Millis>,
) -> Read<Millis> {
    let Some(portal) = portal else { return token_of_servers(context, site, since).await };
    let portal = portal.as_ref().map_err(Clone::clone)?;
    match issued_since(context, site, "", since).await {
        Some(at) => return Ok(at),
        None => match renewed(portal, site).await {
            Err(NotRead::NoRenewal) => {}
            issued => return issued,
        },
    }
    // Without a password, the portal can still issue a token for a server.
    let server = listed.into_iter().flatten().find_map(|server| server.addresses().next());
    match server {
        None => Err(NotRead::NoRenewal),
        Some(server) => match exchange_for_server(portal, server).await {
            Ok(_) => Ok(Millis::now()),
            Err(error) => Err(NotRead::of_client_at(&error, &site.id)),
        },
    }
}

/// Returns when the last server of a site without a portal issued a token.
async fn token_of_servers(context: &SiteContext, site: &Site, since: Option<Millis>) -> Read<Millis> {
    let mut last = None;
    for component in site.components() {
        let server = context.access.server(&component).await.map_err(|problem| NotRead::of(&problem))?;
        let at = match issued_since(context, site, component.recorded_server(), since).await {
            Some(at) => at,
            None => renewed(&server, site).await?,
        };
        last = last.max(Some(at));
    }
    last.ok_or(NotRead::NoRenewal)
}

async fn renewed(endpoint: &Endpoint, site: &Site) -> Read<Millis> {
    match endpoint.renew_token().await {
        Ok(()) => Ok(Millis::now()),
        Err(ClientError::Rejected { code: 498 | 499, .. }) => Err(NotRead::NoRenewal),
        Err(error) => Err(NotRead::of_client_at(&error, &site.id)),
    }
}

/// Maximum number of sign-ins that are read from the history.
const SIGN_INS: u32 = 100;

/// Returns when a portal or server issued a token for a sign-in since the import; `server` is empty for the portal.
/// Pasted tokens are ignored: they might be older.
async fn issued_since(
    context: &SiteContext,
    site: &Site,
    server: &str,
    since: Option<Millis>,
) -> Option<Millis> {
    let filter = Filter {
        site: Some(site.id.0.clone()),
        operation: Some(HistoryAction::SignIn.name().to_owned()),
        outcomes: vec![Outcome::Succeeded],
        from: Some(since?.0),
        limit: Some(SIGN_INS),
        ..Filter::default()
    };
    let records = context.history.journal(move |journal| journal.records(&filter)).await.ok()?;
    let is_pasted = |record: &StoredRecord| {
        record.intent.parameters.contains(&("signInMethod".to_owned(), "token".to_owned()))
    };
    let issued = records.iter().find(|record| record.intent.server == server && !is_pasted(record))?;
    Some(Millis(issued.ended_at.unwrap_or(issued.intent.started_at)))
}
