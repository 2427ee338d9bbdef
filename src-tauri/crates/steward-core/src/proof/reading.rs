//! Reads what tells whether a site is back: one component after the other, so that a site which starts is not kept busy.

use std::cmp::Ordering;
use std::collections::HashMap;

use steward_client::discovery::{self, ListedServer};
use steward_client::listing::{self, IndexCount};
use steward_client::{ClientError, Endpoint, describe_server, exchange_for_server};
use steward_journal::{Filter, Outcome};
use url::Url;

use super::AT_ONCE;
use super::data_stores;
use super::facts::{
    ComponentReading, DataReading, NotRead, PortalReading, Read, ServicesReading, SiteReading,
};
use crate::inventory::service_check::check_with_paths;
use crate::model::deployment::DeploymentType;
use crate::model::history_key::HistoryAction;
use crate::model::ids::ServerId;
use crate::model::numbers::{Millis, count};
use crate::model::operation::Component;
use crate::site_context::SiteContext;
use crate::sites::endpoints::NormalizedEndpoint;
use crate::sites::{Site, TargetSite};

/// What earlier checks of the same wait read, and need not be read again.
#[derive(Debug, Clone, Default)]
pub(super) struct Kept {
    /// Time when the site issued a token.
    pub(super) token_at: Option<Millis>,
    /// Data store items of servers where all are valid.
    pub(super) data: HashMap<Option<ServerId>, DataReading>,
    /// Number of sign-ins and sign-outs of the site until then.
    pub(super) turns: u64,
}

/// Reads a site. `versions` are those of before, and `since` is the end of the import.
pub(super) async fn read(
    context: &SiteContext,
    site: &Site,
    versions: &[(Option<ServerId>, String)],
    since: Option<Millis>,
    kept: &Kept,
) -> SiteReading {
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
            components.push(server(context, &component, before, listed.as_ref().ok(), kept).await);
            continue;
        }
        let known = access.ask_who(&component).await;
        portal_id = known.as_ref().map(|known| known.portal_id.clone()).map_err(NotRead::of);
        components.push(ComponentReading {
            id: None,
            server: None,
            is_through_portal: false,
            before,
            version: known
                .map(|known| known.version_at(Component::Portal))
                .map_err(|problem| NotRead::of(&problem)),
            services: None,
            data: None,
        });
    }
    let has_administration = site.deployment_type == DeploymentType::Enterprise;
    let of_portal = match portal.as_ref().filter(|_| has_administration) {
        None => None,
        Some(endpoint) => Some(of_portal(site, endpoint, portal_id, listed.as_ref()).await),
    };
    let token = match kept.token_at {
        Some(at) => Ok(at),
        None => token(context, site, portal.as_ref(), listed.as_ref().ok(), since).await,
    };
    SiteReading { components, portal: of_portal, token, lost: Vec::new() }
}

async fn server(
    context: &SiteContext,
    component: &TargetSite,
    before: String,
    listed: Option<&Vec<ListedServer>>,
    kept: &Kept,
) -> ComponentReading {
    let access = &context.access;
    let id = component.target().server;
    let has_own_token = !matches!(access.sessions.stored(&component.id, &component.token()).await, Ok(None));
    let is_through_portal =
        component.portal.is_some() && !component.has_own_administration() && !has_own_token;
    let named = |version, services, data| ComponentReading {
        id: id.clone(),
        server: component.server_name(),
        is_through_portal,
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
            return named(Err(reason.clone()), Err(reason.clone()), Err(reason));
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
    let services = check_with_paths(access, component, AT_ONCE).await.map(|(check, paths)| {
        let saved = component.server();
        let addresses = || saved.into_iter().flat_map(|server| server.addresses());
        let is_listed = |one: &ListedServer| addresses().any(|own| one.is_at(own));
        let listing = listed.into_iter().flatten().filter(|one| is_listed(one));
        let mut roots: Vec<String> = addresses()
            .chain(listing.flat_map(ListedServer::addresses))
            .map(|address| NormalizedEndpoint::of(address).to_string())
            .collect();
        roots.sort();
        roots.dedup();
        let is_federated = listed.is_some_and(|listed| listed.iter().any(is_listed));
        ServicesReading { check, paths, roots, is_federated }
    });
    let data = match kept.data.get(&id) {
        Some(data) => Ok(data.clone()),
        None => data_stores::read(&endpoint, &component.id).await,
    };
    named(version, services.map_err(|problem| NotRead::of(&problem)), data)
}

async fn of_portal(
    site: &Site,
    portal: &Read<Endpoint>,
    portal_id: Read<String>,
    listed: Result<&Vec<ListedServer>, &NotRead>,
) -> PortalReading {
    let servers = listed;
    let listed = listed.map(|listed| count(listed.len())).map_err(Clone::clone);
    let endpoint = match (portal, &listed) {
        (Ok(endpoint), Ok(_) | Err(NotRead::NotReturned { .. } | NotRead::NoRenewal)) => endpoint,
        // Each further request would be rejected as well.
        (Ok(_), Err(reason)) | (Err(reason), _) => {
            let reason = reason.clone();
            return PortalReading {
                index: Err(reason.clone()),
                validated: Err(reason.clone()),
                listed: Err(reason.clone()),
                items: Err(reason),
            };
        }
    };
    let not_read = |error: ClientError| NotRead::of_client_at(&error, &site.id);
    let index = listing::search_index(endpoint).await.map_err(not_read);
    let mut validated = listing::validated_servers(endpoint).await.map_err(not_read);
    let listed = match (listed, &validated) {
        (Ok(listed), Ok(validated)) if (listed as usize) < validated.len() => {
            Err(NotRead::missing("the portal lists fewer servers than it validates"))
        }
        (listed, _) => listed,
    };
    if let (Ok(servers), Ok(validated)) = (servers, &mut validated) {
        // The result of another server says nothing of those that the portal lists. Before 11.1, none has a URL.
        validated.retain(|one| {
            Url::parse(&one.admin_url).map_or(true, |url| servers.iter().any(|server| server.is_at(&url)))
        });
    }
    let items = match (&index, portal_id) {
        // Until the index is complete, the search does not find all items.
        (Ok(indexes), _) if !are_complete(indexes) => {
            Err(NotRead::missing("the search index is not known to be complete"))
        }
        (_, Err(reason)) => Err(reason),
        (_, Ok(id)) => listing::service_items(endpoint, &id).await.map_err(not_read),
    };
    PortalReading { index, validated, listed, items }
}

fn are_complete(indexes: &[IndexCount]) -> bool {
    indexes.iter().all(|index| index.beside_database() == Some(Ordering::Equal))
}

/// Returns when the site issued a token: at a sign-in since the import, or now.
async fn token(
    context: &SiteContext,
    site: &Site,
    portal: Option<&Read<Endpoint>>,
    listed: Option<&Vec<ListedServer>>,
    since: Option<Millis>,
) -> Read<Millis> {
    if let Some(since) = since
        && let Some(at) = signed_in_since(context, site, since).await
    {
        return Ok(at);
    }
    let Some(portal) = portal else { return token_of_servers(context, site).await };
    let portal = portal.as_ref().map_err(Clone::clone)?;
    match portal.renew_token().await {
        Ok(()) => return Ok(Millis::now()),
        Err(ClientError::Rejected { code: 498 | 499, .. }) => {}
        Err(error) => return Err(NotRead::of_client_at(&error, &site.id)),
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

async fn token_of_servers(context: &SiteContext, site: &Site) -> Read<Millis> {
    for component in site.components() {
        let server = context.access.server(&component).await.map_err(|problem| NotRead::of(&problem))?;
        match server.renew_token().await {
            Ok(()) => {}
            Err(ClientError::Rejected { code: 498 | 499, .. }) => return Err(NotRead::NoRenewal),
            Err(error) => return Err(NotRead::of_client_at(&error, &site.id)),
        }
    }
    Ok(Millis::now())
}

async fn signed_in_since(context: &SiteContext, site: &Site, since: Millis) -> Option<Millis> {
    let filter = Filter {
        site: Some(site.id.0.clone()),
        operation: Some(HistoryAction::SignIn.name().to_owned()),
        outcomes: vec![Outcome::Succeeded],
        from: Some(since.0),
        limit: Some(1),
        ..Filter::default()
    };
    let records = context.history.journal(move |journal| journal.records(&filter)).await.ok()?;
    records.first().map(|record| Millis(record.ended_at.unwrap_or(record.intent.started_at)))
}
