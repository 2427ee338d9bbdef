//! Reads the configuration of a site: one component after the other, at most two requests at once.
//!
//! A rejected resource is a gap, and the others are still read. After an error of the connection or the session,
//! nothing else is requested of the component: everything left of it is a gap.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use steward_changes::{Fields, Gap, Key, Kind, PrintKey, Value as Stored, fields, set_apart, visible};
use steward_client::listing::{self, UnlistedFolder};
use steward_client::operations::find_items::FindItems;
use steward_client::{ClientError, Endpoint, Version, describe_server};

use super::AT_ONCE;
use crate::access::Access;
use crate::history::note::Note;
use crate::model::operation::Component;
use crate::model::problem::{Problem, without_secrets};
use crate::sites::{Site, TargetSite};

/// Most services of a server that are read, each by one request.
const MOST_SERVICES: usize = 20_000;

/// Most machines of a server, and most roles of a portal, that are read.
const MOST: usize = 200;

/// Most data store items of a server that are read, each by one request.
const MOST_ITEMS: usize = 1_000;

/// Longest reason, in characters.
const LONGEST_REASON: usize = 300;

/// Paths of fields by the kind of their resources.
pub(super) type Patterns = BTreeMap<Kind, BTreeSet<String>>;

/// Data that was read from a site.
#[derive(Default)]
pub(super) struct Reading {
    /// Resources, as they are stored.
    pub(super) resources: BTreeMap<Key, Stored>,
    /// Resources that were not read.
    pub(super) gaps: Vec<Gap>,
    /// Names of the servers by their identifiers.
    pub(super) places: BTreeMap<String, String>,
    /// Where each resource was read that a single request returns. It can be read a second time.
    pub(super) sources: BTreeMap<Key, Source>,
}

/// Where a resource was read.
#[derive(Clone)]
pub(super) struct Source {
    endpoint: Endpoint,
    path: Vec<String>,
}

impl Source {
    /// Reads the resource once more.
    pub(super) async fn read(&self, key: Option<&PrintKey>) -> Option<Fields> {
        let path: Vec<_> = self.path.iter().map(String::as_str).collect();
        let value = listing::resource(&self.endpoint, &path).await.ok()?;
        Some(fields(&value, key))
    }
}

/// Reads a site. The fields in `apart` change by themselves.
pub(super) async fn read(access: &Access, site: &Site, key: Option<&PrintKey>, apart: &Patterns) -> Reading {
    let mut reading = Reading::default();
    for component in site.components() {
        let place = component.recorded_server().to_owned();
        if let Some(server) = component.server() {
            let name = site.name_of_server(&server.id).unwrap_or_else(|| server.address.to_string());
            reading.places.insert(place.clone(), name);
        }
        let endpoint = match component.server() {
            None => access.portal(&component).await,
            Some(_) => access.server(&component).await,
        };
        let kinds: &[Kind] = if component.server().is_some() { &OF_SERVER } else { &OF_PORTAL };
        match endpoint {
            Ok(endpoint) => {
                let form = Form { key, apart };
                let mut part = Part { endpoint, place, form, ended: None, reading: &mut reading };
                match component.server() {
                    None => portal(&mut part, access, &component).await,
                    Some(_) => server(&mut part).await,
                }
            }
            Err(problem) => {
                let reason = of_problem(&problem);
                reading.gaps.extend(kinds.iter().map(|kind| gap(*kind, &place, "", &reason)));
            }
        }
    }
    reading
}

const OF_SERVER: [Kind; 10] = [
    Kind::Services,
    Kind::Folders,
    Kind::DataStoreItems,
    Kind::Machines,
    Kind::SystemProperties,
    Kind::Security,
    Kind::Logs,
    Kind::Webhooks,
    Kind::Expiries,
    Kind::Versions,
];

const OF_PORTAL: [Kind; 8] = [
    Kind::SystemProperties,
    Kind::Security,
    Kind::Webhooks,
    Kind::Roles,
    Kind::Collaborations,
    Kind::FederatedServers,
    Kind::Expiries,
    Kind::Versions,
];

/// How a resource is stored.
#[derive(Clone, Copy)]
struct Form<'a> {
    key: Option<&'a PrintKey>,
    apart: &'a Patterns,
}

impl Form<'_> {
    fn of(self, kind: Kind, resource: &Value) -> Stored {
        let mut fields = fields(resource, self.key);
        if let Some(patterns) = self.apart.get(&kind) {
            set_apart(&mut fields, patterns);
        }
        Stored::of(&fields)
    }
}

/// Reading of a portal or server.
struct Part<'a> {
    endpoint: Endpoint,
    place: String,
    form: Form<'a>,
    /// Error after which nothing else is requested.
    ended: Option<String>,
    reading: &'a mut Reading,
}

impl Part<'_> {
    /// Reads something. If that fails, or the reading of the component has ended, it is a gap.
    async fn step<T>(
        &mut self,
        kind: Kind,
        name: &str,
        read: impl Future<Output = Result<T, ClientError>>,
    ) -> Option<T> {
        if let Some(reason) = self.ended.clone() {
            self.add_gap(kind, name, &reason);
            return None;
        }
        match read.await {
            Ok(found) => Some(found),
            Err(error) => {
                self.failed(kind, name, &error);
                None
            }
        }
    }

    fn failed(&mut self, kind: Kind, name: &str, error: &ClientError) {
        let reason = error.to_string();
        if !error.is_of_one_resource() {
            self.ended = Some(reason.clone());
        }
        self.add_gap(kind, name, &reason);
    }

    fn add_gap(&mut self, kind: Kind, name: &str, reason: &str) {
        let name = shown_name(name);
        self.reading.gaps.push(gap(kind, &self.place, &name, reason));
    }

    fn add_gap_if_some(&mut self, kind: Kind, name: &str, some: Option<listing::Gap>) {
        if let Some(some) = some {
            self.add_gap(kind, name, &some.to_string());
        }
    }

    fn add(&mut self, kind: Kind, name: &str, value: &Value) {
        let stored = self.form.of(kind, value);
        self.reading.resources.insert(self.named(kind, name), stored);
    }

    fn named(&self, kind: Kind, name: &str) -> Key {
        Key { kind, place: self.place.clone(), name: shown_name(name) }
    }

    /// Reads a resource that a single request returns, and remembers where.
    async fn whole(&mut self, kind: Kind, name: &str, path: &[&str]) {
        let endpoint = self.endpoint.clone();
        if let Some(value) = self.step(kind, name, listing::resource(&endpoint, path)).await {
            self.add(kind, name, &value);
            let source = Source { endpoint, path: path.iter().map(|part| (*part).to_owned()).collect() };
            self.reading.sources.insert(self.named(kind, name), source);
        }
    }

    /// Reads the elements of a list as resources; `named` returns the name of an element.
    async fn elements(
        &mut self,
        kind: Kind,
        path: &[&str],
        list: &str,
        named: impl Fn(&Value) -> String,
    ) -> Vec<Value> {
        let endpoint = self.endpoint.clone();
        let Some((elements, some)) = self.step(kind, "", listing::elements(&endpoint, path, list)).await
        else {
            return Vec::new();
        };
        self.add_gap_if_some(kind, "", some);
        for element in &elements {
            self.add(kind, &named(element), element);
        }
        elements
    }
}

async fn server(part: &mut Part<'_>) {
    services(part).await;
    data_items(part).await;
    let endpoint = part.endpoint.clone();
    let machines = part.step(Kind::Machines, "", listing::machines(&endpoint)).await;
    let (machines, some) = machines.unwrap_or_default();
    part.add_gap_if_some(Kind::Machines, "", some);
    if machines.len() > MOST {
        part.add_gap(Kind::Machines, "", &format!("{MOST} of {} machines were read", machines.len()));
    }
    for machine in machines.iter().take(MOST) {
        part.whole(Kind::Machines, machine, &["admin", "machines", machine]).await;
    }
    part.whole(Kind::SystemProperties, "properties", &["admin", "system", "properties"]).await;
    part.whole(Kind::SystemProperties, "webadaptors", &["admin", "system", "webadaptors"]).await;
    part.whole(Kind::Security, "config", &["admin", "security", "config"]).await;
    part.whole(Kind::Logs, "settings", &["admin", "logs", "settings"]).await;
    let of_service = |webhook: &Value| {
        let [folder, service, kind, name] =
            ["folderName", "serviceName", "serviceType", "name"].map(|field| text(webhook, field));
        let folder = if folder.is_empty() || folder == "/" { String::new() } else { format!("{folder}/") };
        format!("{folder}{service}.{kind}: {name}")
    };
    part.elements(Kind::Webhooks, &["admin", "services", "webhooks"], "webhooks", of_service).await;
    let licenses = part.step(Kind::Expiries, "", listing::server_licenses(&endpoint)).await;
    add_licenses(part, licenses);
    for machine in machines.iter().take(MOST) {
        let read = listing::machine_certificate(&endpoint, machine);
        let name = format!("certificate of {machine}");
        if let Some(one) = part.step(Kind::Expiries, &name, read).await {
            part.add(Kind::Expiries, &name, &json!({ "alias": one.alias, "expiresAt": one.expires_at }));
        }
    }
    let version = part.step(Kind::Versions, "", describe_server(&endpoint)).await;
    if let Some(facts) = version {
        add_version(part, facts.version);
    }
}

async fn services(part: &mut Part<'_>) {
    let endpoint = part.endpoint.clone();
    let Some((names, unlisted)) = part.step(Kind::Services, "", listing::service_names(&endpoint)).await
    else {
        part.add_gap(Kind::Folders, "", "the services were not listed");
        return;
    };
    for UnlistedFolder { folder, gap } in unlisted {
        // A folder whose name is too long might be that of any service.
        let name = if folder == "…" { String::new() } else { format!("{folder}/") };
        part.add_gap(Kind::Services, &name, &gap.to_string());
    }
    if names.len() > MOST_SERVICES {
        part.add_gap(Kind::Services, "", &format!("{MOST_SERVICES} of {} services were read", names.len()));
    }
    let mut folders: Vec<_> =
        names.iter().map(|service| service.folder.clone()).filter(|name| !name.is_empty()).collect();
    folders.dedup();
    let (form, of) = (part.form, &endpoint);
    let read = |service: listing::ServiceName| async move {
        let folder = Some(service.folder.as_str()).filter(|folder| !folder.is_empty());
        let path: Vec<_> =
            ["admin", "services"].into_iter().chain(folder).chain([service.name.as_str()]).collect();
        let read = listing::resource(of, &path).await.map(|value| form.of(Kind::Services, &value));
        let path: Vec<_> = path.into_iter().map(str::to_owned).collect();
        (service.path(), path, read)
    };
    let mut read = stream::iter(names.into_iter().take(MOST_SERVICES).map(read)).buffered(AT_ONCE);
    while let Some((name, path, read)) = read.next().await {
        match read {
            Ok(stored) => {
                let key = part.named(Kind::Services, &name);
                part.reading.resources.insert(key.clone(), stored);
                part.reading.sources.insert(key, Source { endpoint: endpoint.clone(), path });
            }
            Err(error) if error.is_of_one_resource() => part.failed(Kind::Services, &name, &error),
            Err(error) => {
                part.failed(Kind::Services, "", &error);
                break;
            }
        }
    }
    drop(read);
    part.whole(Kind::Folders, "/", &["admin", "services", "permissions"]).await;
    for folder in &folders {
        part.whole(Kind::Folders, folder, &["admin", "services", folder, "permissions"]).await;
    }
}

async fn data_items(part: &mut Part<'_>) {
    let endpoint = part.endpoint.clone();
    let roots = part.step(Kind::DataStoreItems, "", listing::data_roots(&endpoint)).await;
    let mut paths = Vec::new();
    for root in roots.unwrap_or_default() {
        if root.is_empty() {
            part.add_gap(Kind::DataStoreItems, "", "the path of a root is too long");
            continue;
        }
        let search = FindItems { ancestor_path: root.clone(), ..FindItems::default() };
        let (folder, path_of) = (format!("{root}/"), |item: &str| Some(path_of_item(item)));
        let Some((list, found)) =
            part.step(Kind::DataStoreItems, &folder, search.send(&endpoint, path_of)).await
        else {
            continue;
        };
        part.add_gap_if_some(Kind::DataStoreItems, &folder, listing::Gap::of_list(&list));
        let unnamed = found.iter().filter(|path| path.is_empty()).count();
        part.add_gap_if_some(Kind::DataStoreItems, &folder, listing::Gap::of_unreadable(unnamed));
        paths.extend(found.into_iter().filter(|path| !path.is_empty()));
    }
    if paths.len() > MOST_ITEMS {
        part.add_gap(Kind::DataStoreItems, "", &format!("{MOST_ITEMS} of {} items were read", paths.len()));
    }
    for path in paths.iter().take(MOST_ITEMS) {
        // Each item with a request of its own, so that it can be read a second time.
        let segments = path.split('/').filter(|part| !part.is_empty());
        let segments: Vec<_> = ["admin", "data", "items"].into_iter().chain(segments).collect();
        part.whole(Kind::DataStoreItems, path, &segments).await;
    }
}

/// Returns the path of a data store item; empty if it has none.
fn path_of_item(item: &str) -> String {
    let item: Value = serde_json::from_str(item).unwrap_or_default();
    text(&item, "path")
}

async fn portal(part: &mut Part<'_>, access: &Access, component: &TargetSite) {
    part.whole(Kind::SystemProperties, "properties", &["portaladmin", "system", "properties"]).await;
    part.whole(Kind::Security, "config", &["portaladmin", "security", "config"]).await;
    let name = |element: &Value| text(element, "name");
    part.elements(Kind::Webhooks, &of_portal("webhooks"), "webhooks", name).await;
    roles(part).await;
    let named = |server: &Value| {
        let name = text(server, "name");
        if name.is_empty() { text(server, "url") } else { name }
    };
    part.elements(Kind::FederatedServers, &of_portal("servers"), "servers", named).await;
    let version = match access.known(component).await {
        Ok(known) => {
            collaborations(part, &known.portal_id).await;
            let version = Version::parse(&known.version_at(Component::Portal));
            add_version(part, version);
            version
        }
        Err(problem) => {
            let reason = of_problem(&problem);
            part.add_gap(Kind::Collaborations, "", &reason);
            part.add_gap(Kind::Versions, "", &reason);
            None
        }
    };
    let endpoint = part.endpoint.clone();
    let licenses = part.step(Kind::Expiries, "", listing::portal_licenses(&endpoint, version)).await;
    add_licenses(part, licenses);
    let name = "certificate of the portal";
    if let Some(one) = part.step(Kind::Expiries, name, listing::portal_certificate(&endpoint)).await {
        part.add(Kind::Expiries, name, &json!({ "alias": one.alias, "expiresAt": one.expires_at }));
    }
}

fn of_portal(resource: &str) -> [&str; 5] {
    ["sharing", "rest", "portals", "self", resource]
}

async fn roles(part: &mut Part<'_>) {
    let endpoint = part.endpoint.clone();
    let roles = part.step(Kind::Roles, "", listing::elements(&endpoint, &of_portal("roles"), "roles")).await;
    let (roles, some) = roles.unwrap_or_default();
    part.add_gap_if_some(Kind::Roles, "", some);
    if roles.len() > MOST {
        part.add_gap(Kind::Roles, "", &format!("{MOST} of {} roles were read", roles.len()));
    }
    for role in roles.iter().take(MOST) {
        let (id, name) = (text(role, "id"), text(role, "name"));
        let path = [&of_portal("roles")[..], &[id.as_str(), "privileges"]].concat();
        if let Some(privileges) = part.step(Kind::Roles, &name, listing::resource(&endpoint, &path)).await {
            part.add(Kind::Roles, &name, &json!({ "role": role, "privileges": privileges["privileges"] }));
        }
    }
}

async fn collaborations(part: &mut Part<'_>, portal_id: &str) {
    let endpoint = part.endpoint.clone();
    let found = part.step(Kind::Collaborations, "", listing::participants(&endpoint, portal_id)).await;
    for one in found.unwrap_or_default() {
        let of_one = format!("{}/", one.collaboration_name);
        match one.gap {
            Some(gap) if one.collaboration_name.is_empty() => {
                part.add_gap(Kind::Collaborations, "", &gap.to_string());
            }
            Some(gap) => part.add_gap(Kind::Collaborations, &of_one, &gap.to_string()),
            None => {
                let value = json!({
                    "url": one.portal_url, "role": one.role, "status": one.status,
                    "contactFirstname": one.contact_firstname, "contactLastname": one.contact_lastname,
                    "contactEmailAddress": one.contact_email_address,
                });
                part.add(Kind::Collaborations, &format!("{of_one}{}", one.portal_name), &value);
            }
        }
    }
}

fn add_licenses(part: &mut Part<'_>, read: Option<listing::Licenses>) {
    let Some(listing::Licenses { expiring, gap, .. }) = read else { return };
    part.add_gap_if_some(Kind::Expiries, "", gap);
    for one in expiring {
        part.add(Kind::Expiries, &format!("license {}", one.name), &json!({ "expiresAt": one.expires_at }));
    }
}

fn add_version(part: &mut Part<'_>, version: Option<Version>) {
    match version {
        Some(version) => part.add(Kind::Versions, "version", &json!({ "version": version.to_string() })),
        None => part.add_gap(Kind::Versions, "", "no version was returned"),
    }
}

fn text(value: &Value, field: &str) -> String {
    value[field].as_str().unwrap_or_default().to_owned()
}

/// Returns a gap. Secrets are removed from the reason: an error can name the target of a redirect, which contains a
/// token.
fn gap(kind: Kind, place: &str, name: &str, reason: &str) -> Gap {
    let (place, name, reason) = (place.to_owned(), name.to_owned(), short(&without_secrets(reason)));
    Gap { kind, place, name, reason }
}

/// Returns a name as it is stored: without secrets, and with invisible characters written out.
fn shown_name(name: &str) -> String {
    visible(&steward_redact::text(name))
}

fn of_problem(problem: &Problem) -> String {
    Note::of(problem).to_string()
}

fn short(text: &str) -> String {
    match text.char_indices().nth(LONGEST_REASON) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
