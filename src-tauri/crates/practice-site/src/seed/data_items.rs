//! Seeded data store items of several types.

use crate::clock::DAY;
use crate::data_store::replace_secrets;
use crate::folders::Folders;
use crate::random;
use crate::wire::ApiError;
use anyhow::Context as _;
use serde_json::{Value, json};

/// Folder with the data of `Parcels/Zoning.MapServer`, which does not exist.
const MOVED_AWAY: &str = "zoning";

/// Returns the items. All folders exist except [`MOVED_AWAY`], so that the validation of all items finds a problem.
pub(super) fn all(folders: &Folders, now: i64) -> Result<Vec<Value>, ApiError> {
    let share = |name: &str| share(folders, name);
    let mut items = vec![relational(now)?];
    for database in ["cadastre", "roads", "water", "planning"] {
        items.push(enterprise_database(database, now)?);
    }
    for name in ["survey", "plans", MOVED_AWAY] {
        items.push(plain(&format!("/fileShares/{name}"), "folder", share(name)?, now));
    }
    // A grandchild of /fileShares: found by ancestorPath, but not by parentPath.
    items.push(plain("/fileShares/survey/spring", "folder", share("survey/spring")?, now));
    items.push(cloud_store(now)?);
    items.push(managed("/nosqlDatabases/tilecache", "nosql", "TileCache", now));
    items.push(sensors(now));
    items.push(plain("/rasterStores/orthophotos", "rasterStore", share("orthophotos")?, now));
    items.push(plain("/bigDataFileShares/traffic", "bigDataFileShare", share("traffic")?, now));
    for item in &mut items {
        replace_secrets(item)?;
    }
    Ok(items)
}

/// Returns the items of a server with imagery. All folders exist.
pub(super) fn of_imagery(folders: &Folders, now: i64) -> Result<Vec<Value>, ApiError> {
    let share = |name: &str| share(folders, name);
    Ok(vec![
        plain("/fileShares/flights", "folder", share("flights")?, now),
        plain("/rasterStores/spring", "rasterStore", share("spring")?, now),
        plain("/rasterStores/autumn", "rasterStore", share("autumn")?, now),
    ])
}

/// Returns what an item knows of its folder, which is made unless it is [`MOVED_AWAY`].
fn share(folders: &Folders, name: &str) -> Result<Value, ApiError> {
    let folder = folders.service_data.join("shares").join(name);
    if name != MOVED_AWAY {
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    Ok(json!({ "path": folder }))
}

/// Returns an item with every field in the resource table of the specification.
fn relational(now: i64) -> Result<Value, ApiError> {
    let secret = random::hex_secret::<32>()?;
    let connection = |host: &str, instance: &str| {
        format!(
            "PASSWORD={secret};SERVER={host};\
             INSTANCE=sde:postgresql:{instance};DBCLIENT=postgresql;DB_CONNECTION_PROPERTIES={host};\
             DATABASE=db_elderbrook;USER=hosted;VERSION=sde.DEFAULT;AUTHENTICATION_MODE=DBMS"
        )
    };
    let machine =
        |name: &str, role: &str| json!({ "name": name, "dbPort": 9876, "platform": "Linux", "role": role });
    let mut item = plain("/enterpriseDatabases/relational_elderbrook", "egdb", json!({}), now);
    item["name"] = json!("relational_elderbrook");
    item["description"] = json!("Hosted feature layers of the portal");
    item["provider"] = json!("ArcGIS Data Store");
    item["systemManaged"] = json!(true);
    item["purposes"] = json!(["configure", "feature"]);
    item["revision"] = json!("3");
    item["encryptAttributes"] = json!(["info.JDBCConnection.password"]);
    item["info"] = json!({
        "provider": "ArcGIS Data Store",
        "isManaged": true,
        "systemManaged": true,
        "isManagedData": true,
        "category": "storage",
        "implementation": "primaryStandby",
        "factory": "relational",
        "purposes": ["configure", "feature"],
        "dsFeature": "relational",
        "dbType": "Postgres",
        "dataStoreConnectionType": "shared",
        "JDBCConnection": {
            "driverClassName": "org.postgresql.Driver",
            "url": "jdbc:postgresql://store1.example.org:9876/db_elderbrook",
            "username": "hosted",
            "password": random::hex_secret::<32>()?,
            "initialSize": 1,
            "minIdle": 1,
            "testOnBorrow": true,
            "validationQuery": "SELECT 1",
        },
        "machines": [machine("STORE1.EXAMPLE.ORG", "PRIMARY"), machine("STORE2.EXAMPLE.ORG", "STANDBY")],
        "connectionString": connection("store1.example.org", "store1.example.org,9876"),
        "connectionStringHA": connection("ds_elderbrook", "DSID=ds_elderbrook"),
    });
    Ok(item)
}

fn enterprise_database(name: &str, now: i64) -> Result<Value, ApiError> {
    let secret = random::hex_secret::<24>()?;
    let connection = format!(
        "PASSWORD={secret};SERVER=db1.example.org;INSTANCE=sde:postgresql:db1.example.org;\
         DBCLIENT=postgresql;DATABASE={name};USER=gis;VERSION=sde.DEFAULT;AUTHENTICATION_MODE=DBMS"
    );
    let info = json!({ "connectionString": connection, "dbType": "Postgres" });
    Ok(plain(&format!("/enterpriseDatabases/{name}"), "egdb", info, now))
}

fn cloud_store(now: i64) -> Result<Value, ApiError> {
    let secret = random::hex_secret::<24>()?;
    let info = json!({
        "category": "storage",
        "factory": "objectStore",
        "objectStore": "elderbrook-cache",
        "connectionString": format!(
            "{{\"accessKeyId\":\"PRACTICE\",\"region\":\"eu-central-1\",\"secretAccessKey\":\"{secret}\"}}"
        ),
    });
    let mut item = plain("/cloudStores/tiles", "cloudStore", info, now);
    item["provider"] = json!("amazon");
    item["encryptAttributes"] = json!(["info.connectionString"]);
    Ok(item)
}

/// Returns an item that is managed by the system.
fn managed(path: &str, kind: &str, feature: &str, now: i64) -> Value {
    let info = json!({
        "dsFeature": feature,
        "machines": [{ "name": "STORE1.EXAMPLE.ORG", "dbPort": 29080, "platform": "Linux", "role": "PRIMARY" }],
    });
    let mut item = plain(path, kind, info, now);
    item["provider"] = json!("ArcGIS Data Store");
    item["systemManaged"] = json!(true);
    item["info"]["isManaged"] = json!(true);
    item["info"]["systemManaged"] = json!(true);
    item
}

/// Returns a data store of two machines, one of which is stopped: the other problem that a validation finds.
fn sensors(now: i64) -> Value {
    let mut item = managed("/nosqlDatabases/sensors", "nosql", "SpatioTemporal", now);
    if let Some(machines) = item["info"]["machines"].as_array_mut() {
        machines.push(json!({
            "name": "STORE2.EXAMPLE.ORG", "dbPort": 29080, "platform": "Linux", "role": "MEMBER", "status": "Stopped",
        }));
    }
    item
}

/// Returns an item that a user registered.
fn plain(path: &str, kind: &str, mut info: Value, now: i64) -> Value {
    info["isManaged"] = json!(false);
    info["systemManaged"] = json!(false);
    info["dataStoreConnectionType"] = json!("shared");
    json!({
        "id": random::uuid(),
        "name": path.rsplit('/').next(),
        "description": "",
        "provider": "",
        "type": kind,
        "systemManaged": false,
        "purposes": [],
        "revision": "1",
        "path": path,
        "encryptAttributes": if info["connectionString"].is_string() { json!(["info.connectionString"]) } else { json!([]) },
        "encryptedAttributes": [],
        "info": info,
        "meta": { "created": now - 400 * DAY, "modified": now - 12 * DAY },
    })
}
