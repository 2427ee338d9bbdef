//! Operation 3: replaces the server configuration with an exported one and returns a report.

use crate::app::App;
use crate::data_store;
use crate::export_file::read_server;
use crate::fault_injection::InjectedFault;
use crate::off_thread::off_thread;
use crate::regular_file;
use crate::release::Release;
use crate::sign_in::{Capability, Component};
use crate::store::configuration::{self, ServerConfiguration, Start};
use crate::store::web_adaptors;
use crate::uploads;
use crate::wire::{ApiError, Reply, RequestContext, json};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) async fn import_server(call: RequestContext) -> Reply {
    let caller = call.caller_with(Component::Server, Capability::Administrator).await?;
    call.only_since("validate", Release::new(11, 1))?;
    call.only_since("restartWebServer", Release::new(11, 3))?;
    call.not_served("locationConfig", Release::new(12, 0))?;
    let restarts = call.parameters.flag("restartWebServer")? == Some(true);
    // The vendor's Python client sends EXPORT_LOCATION to some server types.
    let given = call.parameters.text("location").or_else(|| call.parameters.text("EXPORT_LOCATION"));
    let Some(given) = given.map(str::to_owned) else {
        return Err(ApiError::bad_request("'location' must be specified."));
    };
    let file = locate(&call.app, given).await?;
    if call.parameters.flag("validate")? == Some(true) {
        return json(off_thread(move || is_readable(&file)).await?);
    }
    let fault = call.fault;
    let app = Arc::clone(&call.app);
    let work = async move {
        let site = Arc::clone(&app);
        let report = off_thread(move || import(&site, &file, fault, restarts)).await?;
        // Cancel deliveries of webhooks that the imported configuration deactivates.
        app.dispatcher.begin_again().await;
        tracing::info!(by = caller.username, "server configuration replaced");
        Ok(json!({ "status": "success", "result": report }))
    };
    call.app.server_lock.run("importSite of the server", call.parameters.request(), work).await
}

/// Returns the file at a path on this computer, or of the server upload with this ID.
async fn locate(app: &App, location: String) -> Result<PathBuf, ApiError> {
    if Path::new(&location).is_absolute() {
        return Ok(location.into());
    }
    let upload = uploads::find_committed(app, location).await?;
    Ok(uploads::path_of(app, &upload))
}

/// Checks that there is a file, as `validate` does. Its content is read by the import.
fn is_readable(file: &Path) -> Result<Value, ApiError> {
    match regular_file::open(file) {
        Ok(_) => Ok(json!({ "status": "success" })),
        Err(_) => Err(ApiError::failed(format!("The file {} cannot be read.", file.display()))),
    }
}

fn import(
    app: &App,
    file: &Path,
    fault: Option<InjectedFault>,
    restarts: bool,
) -> Result<Vec<Value>, ApiError> {
    let one_more_fails = fault == Some(InjectedFault::ServiceWillNotStart);
    let mut configuration = read_server(file)?;
    if fault == Some(InjectedFault::Orphan) {
        lose_a_service(&mut configuration);
    }
    directories_are_there(&configuration, fault == Some(InjectedFault::AbsentFolder))?;
    for item in &mut configuration.data_items {
        // Exports of this site contain no secrets, but a manually edited file might.
        data_store::replace_secrets(item)?;
    }

    let mut report = describe(&configuration);
    // A single transaction: if the process is killed, either the old or the new configuration is complete. Tokens,
    // uploads and the primary site administrator are in other tables and are kept.
    let (starts, machines) = app.server.write_now(|tx| {
        configuration::replace(tx, configuration)?;
        web_adaptors::forget(tx)?;
        Ok((configuration::start_services(tx, one_more_fails)?, configuration::setting(tx, "machines")?))
    })?;
    if restarts {
        report.push(source("Web Server", [info("The web server was restarted.")]));
    }
    report.push(services(&starts, &machine_names(machines.as_ref())));
    Ok(report)
}

/// Checks rule 2: the recorded directories must exist. Called first, so that a missing directory changes nothing. With `lacks_one`, the
/// first one counts as missing.
fn directories_are_there(configuration: &ServerConfiguration, lacks_one: bool) -> Result<(), ApiError> {
    let recorded = configuration.settings.get("directories").and_then(Value::as_array);
    let missing: Vec<&str> = recorded
        .into_iter()
        .flatten()
        .filter_map(|directory| directory["physicalPath"].as_str())
        .enumerate()
        .filter(|(place, path)| (lacks_one && *place == 0) || !Path::new(path).is_dir())
        .map(|(_, path)| path)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let rejection = ApiError::failed(
        "Server directories of the exported configuration are not available. Nothing was changed.",
    );
    Err(missing
        .into_iter()
        .fold(rejection, |rejection, path| rejection.with_detail(format!("{path} is not there."))))
}

/// Removes a service that has an item in the portal, as a simulated fault.
fn lose_a_service(configuration: &mut ServerConfiguration) {
    let services = &mut configuration.services;
    let one =
        services.iter().position(|service| service.kind == "FeatureServer" && service.webhooks.is_empty());
    if let Some(one) = one {
        services.remove(one);
    }
}

fn describe(configuration: &ServerConfiguration) -> Vec<Value> {
    let count = |name: &str| {
        configuration.settings.get(name).and_then(Value::as_array).map_or(0, Vec::len).to_string()
    };
    let webhooks: usize = configuration.services.iter().map(|service| service.webhooks.len()).sum();
    vec![
        source(
            "Site",
            [
                info("The exported configuration was verified and has replaced the running one."),
                info(format!(
                    "Machines recorded: {}. Directories recorded: {}.",
                    count("machines"),
                    count("directories")
                )),
                info(
                    "Cache tiles, service data, logs and statistics are not part of an export and stay as they are.",
                ),
                info("Reverse-proxy adaptors are not part of an export: configure them again."),
            ],
        ),
        source(
            "Security",
            [
                info(format!("{} roles and {} users were imported.", count("roles"), count("users"))),
                info("The primary site administrator keeps the name and password in force."),
            ],
        ),
        source("Data Store", [info(format!("{} data items were imported.", configuration.data_items.len()))]),
        source("Webhooks", [info(format!("{webhooks} service webhooks were imported."))]),
    ]
}

/// Returns the report of rule 3: a service that cannot start is a warning, and the import succeeds.
fn services(starts: &[Start], machines: &[String]) -> Value {
    let mut messages = vec![info(format!("{} services were imported.", starts.len()))];
    for start in starts {
        if let Some(missing) = &start.missing {
            messages.push(warning(&start.service.to_string(), missing, machines));
        }
    }
    source("Services", messages)
}

fn warning(service: &str, missing: &str, machines: &[String]) -> Value {
    let why = format!("The data of the service was not found at {missing}.");
    let machines: Vec<Value> = machines
        .iter()
        .map(|machine| {
            json!({ "machine": machine, "state": "FAILED", "reports": [{ "state": "FAILED", "message": why }] })
        })
        .collect();
    json!({
        "level": "WARNING",
        "message": format!("The service {service} could not be started."),
        "details": { "service": service, "state": "FAILED", "message": why, "machines": machines },
    })
}

fn machine_names(machines: Option<&Value>) -> Vec<String> {
    let machines = machines.and_then(Value::as_array).into_iter().flatten();
    machines.filter_map(|machine| machine["machineName"].as_str().map(str::to_owned)).collect()
}

fn info(message: impl Into<String>) -> Value {
    json!({ "level": "INFO", "message": message.into() })
}

fn source(name: &str, messages: impl IntoIterator<Item = Value>) -> Value {
    json!({ "source": name, "messages": messages.into_iter().collect::<Vec<_>>() })
}
