//! Who may do what: the specification's capabilities, each alternative alone.

use crate::support::{Rehearsal, rehearsal};

const FEATURE_SERVICE: &str = "/server/admin/services/Hosted/Hydrants.FeatureServer";
const GEOPROCESSING_SERVICE: &str = "/server/admin/services/Buffer.GPServer";
const CUSTOM: [&str; 3] = ["data-updater", "feature-editor", "geoprocessor"];

/// Whether somebody of this role is let in, whatever the operation says then.
async fn may(site: &Rehearsal, role: &str, path: &str) -> bool {
    let answer = site.post_as(role, path, &[("types", "egdb")]).await;
    let code = answer["error"]["code"].as_i64().or(answer["code"].as_i64());
    match code {
        Some(403) => false,
        // What the operation says of a form that lacks its fields, or of a participant that is not there.
        None | Some(400 | 404) => true,
        _ => panic!("{role} at {path}: {answer}"),
    }
}

#[tokio::test]
async fn the_update_privilege_alone_finds_items_and_stops_no_webhooks() {
    let site = rehearsal().await;
    let path = "/server/admin/data/findItems";
    assert!(may(&site, "data-updater", path).await);
    assert!(!may(&site, "feature-editor", path).await);
    assert!(!may(&site, "geoprocessor", path).await);
    for service in [FEATURE_SERVICE, GEOPROCESSING_SERVICE] {
        assert!(!may(&site, "data-updater", &format!("{service}/webhooks/deactivateAll")).await, "{service}");
        assert!(!may(&site, "data-updater", &format!("{service}/webhooks")).await, "{service}");
    }
}

#[tokio::test]
async fn the_feature_layer_and_geoprocessing_privileges_reach_their_own_type_of_service_only() {
    let site = rehearsal().await;
    for (role, own, other) in [
        ("feature-editor", FEATURE_SERVICE, GEOPROCESSING_SERVICE),
        ("geoprocessor", GEOPROCESSING_SERVICE, FEATURE_SERVICE),
    ] {
        for operation in ["webhooks", "webhooks/deactivateAll", "webhooks/activateAll"] {
            assert!(may(&site, role, &format!("{own}/{operation}")).await, "{role}: {operation} of its own");
            assert!(
                !may(&site, role, &format!("{other}/{operation}")).await,
                "{role}: {operation} of others"
            );
        }
    }
}

#[tokio::test]
async fn a_single_privilege_opens_nothing_that_is_the_administrators() {
    let site = rehearsal().await;
    let collaboration = site.collaboration(true).await;
    let administrators = [
        "/portal/portaladmin".to_owned(),
        "/portal/portaladmin/exportSite".into(),
        "/server/admin/exportSite".into(),
        "/server/admin/importSite".into(),
        "/server/admin/logs".into(),
        format!("{collaboration}/participants/x/updateInfo"),
        format!("{collaboration}/invitations/x/refresh"),
        format!("{collaboration}/workspaces"),
    ];
    for path in administrators {
        for role in CUSTOM {
            assert!(!may(&site, role, &path).await, "{role} at {path}");
        }
        assert!(may(&site, "administrator", &path).await, "an administrator at {path}");
    }
}

#[tokio::test]
async fn a_single_privilege_is_enough_to_find_the_way() {
    let site = rehearsal().await;
    for role in CUSTOM {
        for path in ["/server/admin", "/server/admin/services", FEATURE_SERVICE] {
            assert!(may(&site, role, path).await, "{role} at {path}");
            assert!(!may(&site, "viewer", path).await, "a viewer at {path}");
        }
    }
}

#[tokio::test]
async fn custom_roles_are_listed_with_the_privilege_they_hold() {
    let site = rehearsal().await;
    let roles = site.get_as("viewer", "/portal/sharing/rest/portals/self/roles").await;
    assert_eq!((roles["total"].as_i64(), roles["nextStart"].as_i64()), (Some(3), Some(-1)));
    for (role, privilege) in [
        ("data-updater", "portal:admin:updateItems"),
        ("feature-editor", "portal:publisher:createFeatureWebhook"),
        ("geoprocessor", "portal:admin:createGPWebhook"),
    ] {
        let me = site.get_as(role, "/portal/sharing/rest/portals/self").await["user"].clone();
        let privileges = me["privileges"].as_array().unwrap();
        let more: Vec<_> = privileges.iter().filter(|name| !name.to_string().contains(":user:")).collect();
        assert_eq!(more, [privilege]);
        let listed = roles["roles"].as_array().unwrap().iter().find(|one| one["id"] == me["role"]).unwrap();
        let path = format!("/portal/sharing/rest/portals/self/roles/{}", listed["id"].as_str().unwrap());
        assert_eq!(site.get_as(role, &path).await["name"], listed["name"]);
        let held = site.get_as(role, &format!("{path}/privileges")).await;
        assert_eq!(held["privileges"], me["privileges"]);
    }
    let unknown = site.get_as("viewer", "/portal/sharing/rest/portals/self/roles/org_admin").await;
    assert_eq!(unknown["error"]["code"], 404);
}
