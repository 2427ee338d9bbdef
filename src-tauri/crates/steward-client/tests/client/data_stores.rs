//! Manifests and validations as servers of several versions return them.

use steward_client::data_validation::{Health, MachineHealth, Remark, validate_item, validate_machine};
use steward_client::listing::{ServiceName, data_connections, service_names};
use steward_client::{ClientError, Endpoint};
use steward_vault::Secret;

use crate::canned::Canned;
use crate::rehearsal::http;

const SERVICES: &str = "/server/admin/services";
const MANIFEST: &str = "/server/admin/services/Maps/California.MapServer/iteminfo/manifest/manifest.json";
const MACHINE: &str =
    "/server/admin/data/items/enterpriseDatabases/AGSDataStore_ds_x/machines/STORE1/validate";

fn server(canned: &Canned) -> Endpoint {
    Endpoint::new(http(), canned.root("server")).with_token(Secret::new("canary".to_owned()))
}

fn unhealthy(text: &str) -> Remark {
    Remark { health: Health::Unhealthy, text: text.to_owned() }
}

async fn connections(manifest: &str) -> Result<Vec<String>, ClientError> {
    let canned = Canned::answering(&[(MANIFEST, manifest)]).await;
    let service = ServiceName::of_path("Maps/California.MapServer");
    let connections = data_connections(&server(&canned), &service).await?;
    Ok(connections.iter().map(|connection| connection.expose().clone()).collect())
}

async fn states(answer: &str) -> Result<Vec<MachineHealth>, ClientError> {
    let canned = Canned::answering(&[(MACHINE, answer)]).await;
    let store =
        validate_machine(&server(&canned), "/enterpriseDatabases/AGSDataStore_ds_x", "STORE1").await?;
    assert_eq!(canned.asked()[0].method(), "POST");
    Ok(store.machines)
}

#[tokio::test]
async fn services_of_all_types_and_folders_are_named() {
    let root = r#"{"folders":["Maps","/"],"services":[{"serviceName":"Buffer","type":"GPServer"}]}"#;
    let maps =
        r#"{"folders":[],"services":[{"folderName":"Maps","serviceName":"California","type":"MapServer"}]}"#;
    let canned = Canned::answering(&[(SERVICES, root), ("/server/admin/services/Maps", maps)]).await;

    let (names, unlisted) = service_names(&server(&canned)).await.unwrap();
    assert_eq!(unlisted, []);

    let paths: Vec<_> = names.iter().map(ServiceName::path).collect();
    assert_eq!(paths, ["Buffer.GPServer", "Maps/California.MapServer"]);
    assert_eq!(ServiceName::of_path(&paths[1]), names[1]);
}

#[tokio::test]
async fn a_manifest_names_its_databases_and_folders() {
    let several = r#"{"databases":[
        {"byReference":true,"onServerWorkspaceFactoryProgID":"esriDataSourcesGDB.FileGDBWorkspaceFactory.1",
         "onServerConnectionString":"DATABASE=\\\\nas\\share\\California.gdb",
         "onPremiseConnectionString":"DATABASE=C:\\data\\California.gdb","onServerName":"California.gdb",
         "onPremisePath":"","datasets":[{"onServerName":"Cities"}]},
        {"byReference":"false","onServerConnectionString":"SERVER=db1;DATABASE=gis"},
        {"byReference":true,"onServerConnectionString":null},"of another shape"],
        "resources":[{"onPremisePath":"C:\\data\\California.mxd","clientName":"client","serverPath":"C:\\input"}]}"#;
    assert_eq!(
        connections(several).await.unwrap(),
        [r"DATABASE=\\nas\share\California.gdb", "SERVER=db1;DATABASE=gis", "", ""],
        "a database whose place is not known is one all the same"
    );
    // Tools have no data of their own; some versions leave the field out.
    for none in [r#"{"databases":null,"resources":[]}"#, r#"{"resources":[]}"#, r#"{"databases":[]}"#] {
        assert!(connections(none).await.unwrap().is_empty(), "{none}");
    }
    let rejected = r#"{"status":"error","messages":["Item not found."],"code":404}"#;
    assert!(matches!(connections(rejected).await, Err(ClientError::Rejected { code: 404, .. })));
}

#[tokio::test]
async fn an_item_is_sent_as_it_was_returned_and_a_rejection_is_its_verdict() {
    let path = "/server/admin/data/validateDataItem";
    let item = r#"{"path":"/fileShares/survey","type":"folder","info":{"path":"\\\\nas\\gis & co"}}"#;
    let canned = Canned::answering(&[(path, r#"{"status":"success"}"#)]).await;
    validate_item(&server(&canned), item).await.unwrap();
    let asked = canned.asked();
    let form = asked[0].form();
    assert!(form.contains(&("item".to_owned(), item.to_owned())), "{form:?}");
    assert!(form.iter().all(|(name, _)| name != "options"), "services might restart: {form:?}");

    let failed =
        r#"{"status":"error","messages":["Failed to validate 'x'.","Machine 'A': not found."],"code":500}"#;
    let canned = Canned::answering(&[(path, failed)]).await;
    let error = validate_item(&server(&canned), item).await.unwrap_err();
    let ClientError::Rejected { code: 500, message, details } = error else { panic!("{error:?}") };
    assert_eq!(
        (&*message, &details[..]),
        ("Failed to validate 'x'.", &["Machine 'A': not found.".to_owned()][..])
    );

    for (contradiction, fault) in [
        (r#"{"success":true,"status":"Invalid"}"#, "status: Invalid"),
        (r#"{"status":"success","validationResult":"Failed"}"#, "validationResult: Failed"),
        (r#"{"status":"success","machines":[{"name":"A","state":"offline"}]}"#, "machines.state: offline"),
    ] {
        let canned = Canned::answering(&[(path, contradiction)]).await;
        let said = validate_item(&server(&canned), item).await.unwrap();
        assert_eq!(said, [unhealthy(fault)], "{contradiction}");
    }
    let warned = Canned::answering(&[(path, r#"{"status":"success with warnings"}"#)]).await;
    let said = validate_item(&server(&warned), item).await.unwrap();
    let warning = Remark { health: Health::Warning, text: "status: success with warnings".to_owned() };
    assert_eq!(said, [warning]);

    let canned = Canned::answering(&[(path, r#"{"jobId":"j1"}"#)]).await;
    let error = validate_item(&server(&canned), item).await.unwrap_err();
    assert!(matches!(error, ClientError::Unreadable { .. }), "a job is no verdict: {error:?}");
}

#[tokio::test]
async fn the_state_of_a_machine_is_read_from_keys_with_dots() {
    let health = |name: &str, health: &str, status: &str, faults: &[&str]| {
        let [name, health, status] = [name, health, status].map(ToOwned::to_owned);
        let remarks = faults.iter().map(|fault| unhealthy(fault)).collect();
        MachineHealth { name, health, status, remarks }
    };
    // 11.2: the states of all machines, with Booleans as strings.
    let new = r#"{"datastore.release":"11.2.0.49116","datastore.isReadOnly":"false","machines":[
        {"machine.overallhealth":"Healthy","machine.isReachable":"true","name":"STORE1","role":"PRIMARY",
         "dbport":9876,"initstarttime":1710871148935,"status":"Started","db.isactive":"true"},
        {"machine.overallhealth":"Unhealthy","machine.isReachable":"false","name":"STORE2","role":"STANDBY"}]}"#;
    assert_eq!(
        states(new).await.unwrap(),
        [
            health("STORE1", "Healthy", "Started", &[]),
            health(
                "STORE2",
                "Unhealthy",
                "",
                &["machine.overallhealth: Unhealthy", "machine.isReachable: false"]
            ),
        ]
    );
    // Earlier: no health of a machine, and one machine without a list.
    let old = r#"{"datastore.name":"ds_x","machines":{"name":"STORE1","status":"Started","role":"PRIMARY"}}"#;
    assert_eq!(states(old).await.unwrap(), [health("STORE1", "", "Started", &[])]);
    assert!(states(r#"{"status":"success"}"#).await.unwrap().is_empty());
    let none = r#"{"status":"error","messages":["Could not find resource or operation 'validate' on the system."],"code":404}"#;
    assert!(matches!(states(none).await, Err(ClientError::Rejected { code: 404, .. })));
}
