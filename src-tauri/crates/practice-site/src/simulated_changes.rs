//! Simulated changes: what another administrator could have changed on a server since yesterday.

use crate::app::App;
use crate::random;
use crate::store::{configuration, data_items, services};
use crate::wire::ApiError;
use rusqlite::{Transaction, params};
use serde_json::{Value, json};

/// Service whose settings change.
const EDITED: &str = "Parcels/Cadastre.FeatureServer";
/// Service that is stopped, or started again.
const STOPPED: &str = "Hosted/Playgrounds.FeatureServer";
/// Service that is deleted. An import of an earlier export brings it back.
const DELETED: &str = "Utilities/RasterUtilities.GPServer";

/// Changes the settings of a service, the state of another one, a data store item with its password, and the level of the logs,
/// and deletes a service. Each further call changes what can be changed again.
pub(crate) async fn simulate(app: &App) -> Result<(), ApiError> {
    app.server
        .write(|tx| {
            edit_service(tx)?;
            stop_service(tx)?;
            delete_service(tx)?;
            move_database(tx)?;
            set_log_level(tx)
        })
        .await
}

fn named(tx: &Transaction, name: &str) -> Result<Option<services::Service>, ApiError> {
    Ok(services::all(tx)?.into_iter().find(|service| service.name.to_string() == name))
}

fn edit_service(tx: &Transaction) -> Result<(), ApiError> {
    let Some(service) = named(tx, EDITED)? else { return Ok(()) };
    let mut configuration = service.configuration;
    let instances = configuration["maxInstancesPerNode"].as_i64().unwrap_or(1);
    configuration["maxInstancesPerNode"] = json!(instances + 2);
    let records = &mut configuration["properties"]["maxRecordCount"];
    *records = json!(if *records == "1000" { "2000" } else { "1000" });
    tx.execute(
        "UPDATE services SET configuration = ?2 WHERE id = ?1",
        params![service.id, configuration.to_string()],
    )?;
    Ok(())
}

fn stop_service(tx: &Transaction) -> Result<(), ApiError> {
    let Some(service) = named(tx, STOPPED)? else { return Ok(()) };
    let state = if service.configured_state == "STARTED" { "STOPPED" } else { "STARTED" };
    tx.execute(
        "UPDATE services SET configured_state = ?2, real_time_state = ?2 WHERE id = ?1",
        params![service.id, state],
    )?;
    Ok(())
}

fn delete_service(tx: &Transaction) -> Result<(), ApiError> {
    if let Some(service) = named(tx, DELETED)? {
        tx.execute("DELETE FROM services WHERE id = ?1", [service.id])?;
    }
    Ok(())
}

/// Moves a registered database to another host, with another password.
fn move_database(tx: &Transaction) -> Result<(), ApiError> {
    let Some(mut item) = data_items::at_path(tx, "/enterpriseDatabases/cadastre")? else { return Ok(()) };
    let connection = item["info"]["connectionString"].as_str().unwrap_or_default();
    let (old, new) = match connection.contains("db1.example.org") {
        true => ("db1.example.org", "db2.example.org"),
        false => ("db2.example.org", "db1.example.org"),
    };
    let moved = connection.replace(old, new);
    let rest = moved.split_once(';').map_or("", |(_, rest)| rest);
    item["info"]["connectionString"] =
        json!(format!("ENCRYPTED_PASSWORD={};{rest}", random::hex_secret::<24>()?));
    tx.execute(
        "UPDATE data_items SET item = ?2 WHERE path = ?1",
        params!["/enterpriseDatabases/cadastre", item.to_string()],
    )?;
    Ok(())
}

fn set_log_level(tx: &Transaction) -> Result<(), ApiError> {
    let Some(mut settings) = configuration::setting(tx, "logSettings")?.filter(Value::is_object) else {
        return Ok(());
    };
    settings["logLevel"] = json!(if settings["logLevel"] == "WARNING" { "FINE" } else { "WARNING" });
    configuration::set(tx, "logSettings", &settings)
}
