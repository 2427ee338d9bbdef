//! Search index and federation of the portal, which tell whether it is complete after an import.

use crate::import_portal::{exported, import};
use crate::support::{Rehearsal, error_code, rehearsal};
use practice_site::Release;
use serde_json::Value;
use std::time::{Duration, Instant};
use steward_testkit::until;

const INDEX: &str = "/portal/portaladmin/system/indexer/status";
const VALIDATE: &str = "/portal/portaladmin/federation/servers/validate";

/// Time in which 100 entries are indexed: long enough for a busy machine to see an index that lags.
const SECONDS: u64 = 4;

async fn order(site: &Rehearsal, operation: &str, fault: &str) {
    let seconds = SECONDS.to_string();
    let form = [("operation", operation), ("fault", fault), ("seconds", seconds.as_str())];
    let answer = site.post_as("administrator", "/practice/faults", &form).await;
    assert_eq!(answer["status"], "success", "{answer}");
}

/// A new token: an import ends those of before.
async fn signed_in(site: &Rehearsal) -> String {
    let (username, password) = site.sign_in("administrator");
    let form = [("username", username.as_str()), ("password", &password), ("client", "requestip")];
    let token = site.post("/portal/sharing/rest/generateToken", &form).await;
    token["token"].as_str().unwrap().to_owned()
}

/// Entries of the items in the database and in the index.
async fn items(site: &Rehearsal) -> (i64, i64) {
    let status = site.get(INDEX, &[("token", &signed_in(site).await)]).await;
    let items = status["indexes"].as_array().unwrap().iter().find(|index| index["name"] == "search").unwrap();
    (items["databaseCount"].as_i64().unwrap(), items["indexCount"].as_i64().unwrap())
}

/// Items of a search for everything, and for what stands for a service.
async fn found(site: &Rehearsal) -> (i64, Vec<Value>) {
    let token = signed_in(site).await;
    let all = format!("orgid:{}", site.site.ready().portal_id);
    let of_services = format!("{all} AND typekeywords:Service");
    let search = "/portal/sharing/rest/search";
    let total = site.get(search, &[("token", &token), ("q", &all)]).await["total"].as_i64().unwrap();
    let services = site.get(search, &[("token", &token), ("q", &of_services), ("num", "100")]).await;
    (total, services["results"].as_array().unwrap().clone())
}

#[tokio::test]
async fn an_index_is_complete_unless_it_is_rebuilt_after_an_import_in_proportion_to_its_entries() {
    let site = rehearsal().await;
    let (database, index) = items(&site).await;
    assert_eq!((database, index), (found(&site).await.0, database));
    let file = exported(&site).await;
    order(&site, "import_portal", "indexLags").await;
    let check = [("location", file.to_str().unwrap()), ("validate", "true")];
    site.post_as("administrator", "/portal/portaladmin/importSite", &check).await;
    assert_eq!(
        items(&site).await,
        (database, database),
        "a check rebuilds nothing, and uses the fault not up"
    );

    let began = Instant::now();
    assert_eq!(import(&site, &file).await["status"], "success");

    let (now, indexed) = items(&site).await;
    assert!(now == database && indexed < database, "{indexed} of {now}");
    assert!(found(&site).await.0 < database, "the portal finds only what is indexed");
    until("the index is complete", async || items(&site).await == (database, database)).await;
    let took = Duration::from_millis(u64::try_from(database).unwrap() * 1_000 * SECONDS / 100);
    assert!(began.elapsed() >= took, "{:?}", began.elapsed());
    assert_eq!(found(&site).await.0, database);
}

#[tokio::test]
async fn each_service_but_the_tools_has_an_item_with_its_url() {
    let site = rehearsal().await;
    let (_, items) = found(&site).await;
    let urls: Vec<_> = items.iter().map(|item| item["url"].as_str().unwrap()).collect();
    assert_eq!(urls.len(), 13);
    assert!(
        urls.contains(&site.address("/server/rest/services/Water/Mains/FeatureServer").as_str()),
        "{urls:?}"
    );
    assert!(!urls.iter().any(|url| url.contains("/Utilities/")), "{urls:?}");
}

#[tokio::test]
async fn the_last_federated_server_is_not_valid_while_the_fault_lasts_and_is_named_since_11_1() {
    let site = rehearsal().await;
    order(&site, "validate_servers", "invalidServer").await;
    let invalid = site.get_as("administrator", VALIDATE).await;
    assert_eq!(invalid["status"], "failure");
    assert_eq!(invalid["serversStatus"][0]["status"], "failure");
    let valid = site.get_as("administrator", VALIDATE).await;
    assert_eq!(valid["serversStatus"][0]["status"], "success");
    assert_eq!(valid["serversStatus"][0]["adminUrl"], site.address("/server"));
    for path in [INDEX, VALIDATE] {
        assert_eq!(error_code(&site.get_as("publisher", path).await), 403, "{path}");
    }

    let older = site.restarted_with(|options| options.release = Release::new(10, 9)).await;
    let valid = older.get_as("administrator", VALIDATE).await;
    assert!(valid["serversStatus"][0].get("adminUrl").is_none(), "{valid}");
}

#[tokio::test]
async fn backups_of_the_vendors_utility_are_reported_since_11_0_and_refused_while_the_fault_lasts() {
    const BACKUPS: &str = "/portal/portaladmin/backupRestoreInfo";
    let site = rehearsal().await;
    order(&site, "read_backups", "refused").await;
    assert_eq!(error_code(&site.get_as("administrator", BACKUPS).await), 403);
    assert_eq!(error_code(&site.get_as("publisher", BACKUPS).await), 403);
    let info = site.get_as("administrator", BACKUPS).await;
    assert!(info["fullBackupTimeStamp"].as_i64().unwrap() > 1_000_000_000_000, "{info}");
    assert_eq!((&info["incrementalBackupTimeStamp"], &info["backupModeTimeStamp"]), (&0.into(), &0.into()));

    let first = site.restarted_with(|options| options.release = Release::new(11, 0)).await;
    let info = first.get_as("administrator", BACKUPS).await;
    assert!(info["fullBackupTimeStamp"].is_i64() && info.get("backupModeTimeStamp").is_none(), "{info}");
    let older = first.restarted_with(|options| options.release = Release::new(10, 9)).await;
    assert_eq!(error_code(&older.get_as("administrator", BACKUPS).await), 404);
}
