//! A portal with several servers, each with services, files, and locks of its own.

use serde_json::{Value, json};

use crate::support::{Rehearsal, rehearsal};

async fn with_servers(servers: usize) -> Rehearsal {
    rehearsal().await.restarted_with(|options| options.servers = servers).await
}

fn listed(answer: &Value, list: &str, name: &str) -> Vec<String> {
    let all = answer[list].as_array().unwrap().iter();
    all.map(|one| one[name].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn the_portal_lists_all_servers_and_one_of_them_hosts() {
    for servers in [1, 3] {
        let site = with_servers(servers).await;

        let answer = site.get_as("administrator", "/portal/sharing/rest/portals/self/servers").await;

        let urls = listed(&answer, "servers", "url");
        assert_eq!(urls, site.site.ready().servers);
        assert_eq!((urls.len(), &urls[0]), (servers, &site.site.ready().server));
        let roles = listed(&answer, "servers", "serverRole");
        assert_eq!(roles.iter().filter(|role| *role == "HOSTING_SERVER").count(), 1);
        assert_eq!(roles[0], "HOSTING_SERVER");
    }
}

#[tokio::test]
async fn a_site_that_is_called_localhost_has_that_host_in_each_url_and_is_reached_by_it() {
    let site = rehearsal().await.restarted_with(|options| options.localhost = true).await;

    let (ready, own) = (site.site.ready(), site.address(""));
    assert!(own.starts_with("http://localhost:"), "{own}");
    assert_eq!(ready.servers, [format!("{own}/server")]);
    for resource in [
        "/portal/sharing/rest/portals/self",
        "/portal/sharing/rest/portals/self/servers",
        "/portal/portaladmin/system/properties",
        "/server/admin/security/config",
        "/server/admin/machines/GIS1.EXAMPLE.ORG",
        "/server/rest/info",
    ] {
        let answer = site.get_as("administrator", resource).await.to_string();
        assert!(
            answer.contains(&own["http://".len()..]) && !answer.contains("127.0.0.1"),
            "{resource}: {answer}"
        );
    }
    // A token for a server is for the host that the portal lists.
    let token = site.token("administrator").await;
    let form = [("token", token.as_str()), ("serverUrl", &ready.server), ("client", "requestip")];
    let issued = site.post("/portal/sharing/rest/generateToken", &form).await;
    assert!(issued["token"].is_string(), "{issued}");
}

#[tokio::test]
async fn each_server_has_its_own_services_and_uploads_and_takes_the_token_of_the_portal() {
    let site = with_servers(2).await;
    let services = async |server: &str| {
        let answer = site.get_as("administrator", &format!("/{server}/admin/services")).await;
        listed(&answer, "services", "serviceName")
    };
    assert!(services("server").await.contains(&"Basemap".to_owned()));
    assert_eq!(services("server2").await, ["Orthophotos"]);

    let exported = site.post_as("administrator", "/server2/admin/exportSite", &[]).await;

    let location = exported["location"].as_str().unwrap();
    assert!(location.starts_with(&site.site.ready().servers[1]), "{location}");
    let uploads = async |server: &str| {
        let answer = site.get_as("administrator", &format!("/{server}/admin/uploads")).await;
        answer["items"].as_array().unwrap().len()
    };
    assert_eq!((uploads("server").await, uploads("server2").await), (0, 1));
    let upload = location.rsplit('/').next().unwrap();
    let imported = site.post_as("administrator", "/server2/admin/importSite", &[("location", upload)]).await;
    assert_eq!(imported["status"], "success", "{imported}");
}

#[tokio::test]
async fn a_portal_token_is_exchanged_for_each_of_the_servers_and_for_no_other() {
    let site = with_servers(2).await;
    let token = site.token("administrator").await;
    for (path, is_own) in [("server", true), ("server2/admin", true), ("server3", false), ("", false)] {
        let server = site.address(&format!("/{path}"));
        let form = [("token", token.as_str()), ("serverUrl", &server), ("client", "requestip")];
        let answer = site.post("/portal/sharing/rest/generateToken", &form).await;
        assert_eq!(answer["token"].is_string(), is_own, "{path}: {answer}");
    }
}

#[tokio::test]
async fn the_content_of_each_server_is_there_after_a_restart_and_a_site_can_get_another_one() {
    let site = with_servers(1).await;
    let changed = json!({ "uploadFileExtensionAllowedList": "csv" }).to_string();
    let path = "/server/admin/system/properties/update";
    site.post_as("administrator", path, &[("properties", &changed)]).await;

    let site = site.restarted_with(|options| options.servers = 2).await;

    let properties = async |server: &str| {
        site.get_as("administrator", &format!("/{server}/admin/system/properties")).await
    };
    assert_eq!(properties("server").await["uploadFileExtensionAllowedList"], "csv");
    assert_ne!(properties("server2").await["uploadFileExtensionAllowedList"], "csv");
}

#[tokio::test]
async fn exports_are_accepted_as_uploads_once_an_administrator_says_so() {
    let site = with_servers(2).await;
    let register = async |server: &str| {
        let path = format!("/{server}/admin/uploads/register");
        site.post_as("administrator", &path, &[("itemName", "city.agssite")]).await
    };
    assert!(!site.site.accepts_site_files().await.unwrap());
    let refused = register("server2").await.to_string();
    let place = format!("{}/admin/system/properties/update", site.site.ready().servers[1]);
    assert!(refused.contains(&place), "{refused}");

    for accepts in [true, true, false] {
        site.site.accept_site_files(accepts).await.unwrap();

        assert_eq!(site.site.accepts_site_files().await.unwrap(), accepts);
        for server in ["server", "server2"] {
            assert_eq!(register(server).await["status"] == "success", accepts, "{server}");
        }
        let properties = site.get_as("administrator", "/server/admin/system/properties").await;
        let allowed = properties["uploadFileExtensionAllowedList"].as_str().unwrap();
        assert_eq!(allowed.matches("agssite").count(), usize::from(accepts), "{allowed}");
        assert!(allowed.starts_with("soe,sd"), "{allowed}");
    }
}
