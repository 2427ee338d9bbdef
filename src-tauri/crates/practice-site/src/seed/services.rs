//! Seeded server configuration: services in folders, webhooks, data store items and settings.

use super::files::write;
use crate::clock::DAY;
use crate::folders::Folders;
use crate::random;
use crate::store::configuration::{ServerConfiguration, ServiceRecord};
use crate::store::webhooks::Webhook;
use crate::wire::ApiError;
use anyhow::Context as _;
use serde_json::{Value, json};
use std::collections::BTreeMap;

struct Plan {
    folder: &'static str,
    name: &'static str,
    kind: &'static str,
    /// Names of the webhooks, and whether they are active.
    webhooks: &'static [(&'static str, bool)],
}

const fn plan(
    folder: &'static str,
    name: &'static str,
    kind: &'static str,
    webhooks: &'static [(&'static str, bool)],
) -> Plan {
    Plan { folder, name, kind, webhooks }
}

const SERVICES: [Plan; 16] = [
    plan("", "Basemap", "MapServer", &[]),
    plan("", "OldTransit", "MapServer", &[]),
    plan("", "Buffer", "GPServer", &[("Tell the planners", true), ("Archive every job", true)]),
    plan("", "AddressLocator", "GeocodeServer", &[]),
    plan(
        "Hosted",
        "Hydrants",
        "FeatureServer",
        &[("Notify maintenance", true), ("Copy to the fire service", true), ("Old dashboard", false)],
    ),
    plan(
        "Hosted",
        "StreetTrees",
        "FeatureServer",
        &[("Notify the gardeners", true), ("Trial receiver", false)],
    ),
    plan("Hosted", "Playgrounds", "FeatureServer", &[]),
    plan("Parcels", "Zoning", "MapServer", &[]),
    plan("Parcels", "Cadastre", "FeatureServer", &[("Tell the land registry", true)]),
    plan(
        "Parcels",
        "ParcelReport",
        "GPServer",
        &[("Send the report on", true), ("Quarterly archive", false)],
    ),
    plan("Water", "Mains", "MapServer", &[]),
    plan("Water", "Mains", "FeatureServer", &[("Pressure team", true), ("Weekend duty", true)]),
    plan("Water", "FlowTrace", "GPServer", &[]),
    plan("Utilities", "PrintingTools", "GPServer", &[("Count the prints", false)]),
    plan("Utilities", "Geometry", "GeometryServer", &[]),
    plan("Utilities", "RasterUtilities", "GPServer", &[]),
];

/// Services of the second server, and of each one after it: imagery, and what is measured.
const OTHER_SERVICES: [Plan; 6] = [
    plan("", "Orthophotos", "MapServer", &[]),
    plan("Imagery", "Spring", "MapServer", &[]),
    plan("Imagery", "Autumn", "MapServer", &[]),
    plan("Imagery", "Requests", "FeatureServer", &[("Tell the surveyors", true), ("Old inbox", false)]),
    plan("Sensors", "Gauges", "FeatureServer", &[("Warn of floods", true)]),
    plan("Sensors", "DailyMeans", "GPServer", &[("Archive the means", true)]),
];

/// Services with data in a registered folder. The data of the first does not exist, so every import reports a problem;
/// the second is the one that a simulated fault prevents from starting.
const ON_SHARES: [(&str, &str, &str); 2] =
    [("Parcels", "Zoning", "zoning"), ("", "AddressLocator", "survey")];
/// Services with data in a registered database, with its host, name, and user.
const IN_DATABASES: [(&str, &str, [&str; 3]); 5] = [
    ("Hosted", "Hydrants", HOSTED_DATA),
    ("Hosted", "StreetTrees", HOSTED_DATA),
    ("Hosted", "Playgrounds", HOSTED_DATA),
    ("Parcels", "Cadastre", ["db1.example.org", "cadastre", "gis"]),
    ("Water", "Mains", ["db1.example.org", "water", "gis"]),
];
/// Database of the system.
const HOSTED_DATA: [&str; 3] = ["store1.example.org,9876", "db_elderbrook", "hosted"];
const WITHOUT_DATA: (&str, &str) = ("Parcels", "Zoning");
const STOPPED: (&str, &str) = ("", "OldTransit");
pub(super) const MACHINE: &str = "GIS1.EXAMPLE.ORG";

/// Returns folder, name, and type of the services of a server, 0 for the first.
pub(super) fn of_server(number: usize) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    plans(number).iter().map(|plan| (plan.folder, plan.name, plan.kind))
}

const fn plans(number: usize) -> &'static [Plan] {
    match number {
        0 => &SERVICES,
        _ => &OTHER_SERVICES,
    }
}

/// Returns the configuration of a server, 0 for the first, and writes the data of the services. `now` is in milliseconds since 1970.
pub(super) fn configuration(
    number: usize,
    folders: &Folders,
    owner: &str,
    now: i64,
) -> Result<ServerConfiguration, ApiError> {
    let data_items = match number {
        0 => super::data_items::all(folders, now)?,
        _ => super::data_items::of_imagery(folders, now)?,
    };
    let services =
        plans(number).iter().map(|plan| service(plan, folders, owner, now)).collect::<Result<_, _>>()?;
    Ok(ServerConfiguration { services, data_items, settings: settings(folders)? })
}

fn service(plan: &Plan, folders: &Folders, owner: &str, now: i64) -> Result<ServiceRecord, ApiError> {
    let share = ON_SHARES.iter().find(|(folder, name, _)| (plan.folder, plan.name) == (*folder, *name));
    let folder = match share {
        Some((_, _, share)) => folders.service_data.join("shares").join(share),
        None => folders.service_data.join(plan.folder),
    };
    let data = folder.join(format!("{}.{}", plan.name, plan.kind));
    if (plan.folder, plan.name) != WITHOUT_DATA {
        write(&data.join("manifest.json"), &json!({ "service": plan.name }).to_string())?;
    }
    let webhooks = plan
        .webhooks
        .iter()
        .map(|&(name, active)| webhook(plan, name, active, owner, now))
        .collect::<Result<_, _>>()?;
    let stopped = (plan.folder, plan.name) == STOPPED;
    let mut properties = json!({ "maxRecordCount": "2000", "useStaticData": "false" });
    if let Some(connection) = connection(plan)? {
        properties["connectionString"] = json!(connection);
    }
    Ok(ServiceRecord {
        folder: plan.folder.to_owned(),
        service_name: plan.name.to_owned(),
        kind: plan.kind.to_owned(),
        description: format!("{} for the city of Elderbrook", plan.name),
        configured_state: if stopped { "STOPPED" } else { "STARTED" }.to_owned(),
        data_path: data.to_string_lossy().into_owned(),
        configuration: json!({
            "capabilities": capabilities(plan.kind),
            "provider": "ArcObjects11",
            "clusterName": "default",
            "minInstancesPerNode": 1,
            "maxInstancesPerNode": 2,
            "maxWaitTime": 60,
            "maxUsageTime": 600,
            "loadBalancing": "ROUND_ROBIN",
            "isDefault": false,
            "private": false,
            "properties": properties,
            "extensions": [],
        }),
        webhooks,
    })
}

/// Returns the connection string of a service with data in a registered database.
fn connection(plan: &Plan) -> Result<Option<String>, ApiError> {
    let database = IN_DATABASES.iter().find(|(folder, name, _)| (plan.folder, plan.name) == (*folder, *name));
    let Some((_, _, [instance, name, user])) = database else { return Ok(None) };
    let host = instance.split(',').next().unwrap_or_default();
    Ok(Some(format!(
        "ENCRYPTED_PASSWORD={};SERVER={host};INSTANCE=sde:postgresql:{instance};DBCLIENT=postgresql;\
         DATABASE={name};USER={user};VERSION=sde.DEFAULT;AUTHENTICATION_MODE=DBMS",
        random::hex_secret::<24>()?
    )))
}

fn capabilities(kind: &str) -> &'static str {
    match kind {
        "FeatureServer" => "Query,Create,Update,Delete,ChangeTracking",
        "GPServer" => "Uploads",
        "GeocodeServer" => "Geocode,ReverseGeocode",
        _ => "Map,Query,Data",
    }
}

fn webhook(plan: &Plan, name: &str, active: bool, owner: &str, now: i64) -> Result<Webhook, ApiError> {
    let mut settings = json!({
        "signatureKey": random::hex_secret::<16>()?,
        "contentType": "application/json",
        "payloadFormat": "json",
        "ownerId": owner,
        "modifiedId": owner,
    });
    if plan.kind == "FeatureServer" {
        settings["changeTypes"] = json!(["FeaturesCreated", "FeaturesUpdated", "FeaturesDeleted"]);
        settings["scheduleInfo"] = json!({
            "name": "",
            "state": "enabled",
            "startAt": now - 30 * DAY,
            "recurrenceInfo": { "frequency": "second", "interval": 20 },
        });
    }
    Ok(Webhook {
        id: random::uuid(),
        name: name.to_owned(),
        hook_url: format!("https://hooks.example.net/{}", name.to_lowercase().replace(' ', "-")),
        active,
        paused: false,
        settings,
        created: now - 90 * DAY,
        modified: now - 30 * DAY,
    })
}

fn settings(folders: &Folders) -> Result<BTreeMap<String, Value>, ApiError> {
    let mut directories = Vec::new();
    for (name, kind) in [("jobs", "JOBS"), ("output", "OUTPUT"), ("cache", "CACHE"), ("system", "SYSTEM")] {
        let path = folders.directories.join(name);
        std::fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        directories.push(json!({ "name": name, "directoryType": kind, "physicalPath": path }));
    }
    let server_user =
        |name: &str, role: &str| json!({ "username": name, "roles": [role], "disabled": false });
    let settings = json!({
        "directories": directories,
        "machines": [{
            "machineName": MACHINE,
            "platform": "Linux-amd64",
            "adminURL": "https://gis1.example.org:6443/arcgis/admin",
            "configuredState": "STARTED",
        }],
        "logSettings": { "logLevel": "WARNING", "maxLogFileAge": 90, "maxErrorReportsCount": 10 },
        "roles": [
            { "rolename": "Map keepers", "privilege": "PUBLISH", "description": "May publish services." },
            { "rolename": "Readers", "privilege": "ACCESS", "description": "May use services." },
        ],
        "users": [server_user("service.keeper", "Map keepers"), server_user("kiosk", "Readers")],
        "extensions": [{ "name": "AuditTrail", "type": "SOI", "version": "1.2", "file": "AuditTrail.soe" }],
        "relationalStoreTypes": [{ "type": "PostgreSQL", "driver": "org.postgresql.Driver" }],
        "statisticsReports": [
            { "name": "Requests of the last week", "since": "LAST_WEEK", "metrics": ["RequestCount"] },
        ],
        "sceneCaches": [{ "name": "Hosted/Buildings", "folder": "cache/Hosted" }],
        "properties": { "uploadFileExtensionAllowedList": "soe,sd,sde,odc,csv,txt,zshp,kmz" },
    });
    Ok(serde_json::from_value(settings)?)
}
