//! Lists of services as different versions of a server give them.

use steward_client::ClientError;
use steward_client::listing::{self, Service};
use steward_client::webhooks::ServiceWebhooks;

use crate::odd_sites::json;
use crate::scripted::{Scripted, Then};

/// A server with 30 map services, two of which offer their features too. Before 11.2 there is no list of all webhooks.
async fn server(lists_all_webhooks: bool) -> Scripted {
    let map = |name: &str| format!(r#"{{"folderName":"/","serviceName":"{name}","type":"MapServer"}}"#);
    let mut maps: Vec<_> = (0..28).map(|number| map(&format!("plain{number}"))).collect();
    maps.extend(["zoning", "roads"].map(map));
    // Hosted layers are listed as both.
    let hosted = r#"{"folderName":"hosted","services":[
        {"folderName":"hosted","serviceName":"hydrants","type":"FeatureServer"},
        {"folderName":"hosted","serviceName":"hydrants","type":"MapServer"}]}"#;
    let root = format!(r#"{{"folderName":"/","folders":["hosted"],"services":[{}]}}"#, maps.join(","));
    let hook = |id: u8, folder: &str, service: &str| {
        format!(
            r#"{{"id":"{id}","folderName":"{folder}","serviceName":"{service}","serviceType":"FeatureServer",
                "name":"{service} changed","hookUrl":"https://hooks.example.org/{id}","active":true}}"#
        )
    };
    Scripted::new(move |_, head| {
        let path = head.split_whitespace().nth(1).unwrap().split('?').next().unwrap();
        let webhooks = |hooks: &[String]| format!(r#"{{"webhooks":[{}],"nextStart":-1}}"#, hooks.join(","));
        let features = r#"{"typeName":"FeatureServer","enabled":"true"}"#;
        let body = match path.trim_start_matches("/server/admin/services").trim_start_matches('/') {
            "" => root.clone(),
            "hosted" => hosted.to_owned(),
            "webhooks" if lists_all_webhooks => {
                webhooks(&[hook(1, "/", "zoning"), hook(2, "hosted", "hydrants")])
            }
            "webhooks" => r#"{"status":"error","messages":["Service 'webhooks' not found."],"code":404}"#.to_owned(),
            "zoning.featureserver/webhooks" => webhooks(&[hook(1, "/", "zoning")]),
            "hosted/hydrants.featureserver/webhooks" => webhooks(&[hook(2, "hosted", "hydrants")]),
            "roads.featureserver/webhooks" => webhooks(&[]),
            "zoning.mapserver" | "roads.mapserver" => {
                format!(r#"{{"serviceName":"x","extensions":[{{"typeName":"WMSServer","enabled":"true"}},{features}]}}"#)
            }
            // Known to the service, and switched off.
            map if map.ends_with(".mapserver") => {
                r#"{"serviceName":"x","extensions":[{"typeName":"FeatureServer","enabled":"false"}]}"#.to_owned()
            }
            _ => r#"{"status":"error","messages":["Not found."],"code":404}"#.to_owned(),
        };
        (json(&body), Then::Close)
    })
    .await
}

fn shown(services: &[Service]) -> Vec<String> {
    let one = |service: &Service| {
        let hooks: Vec<_> = service.webhooks.iter().flatten().map(|hook| hook.name.as_str()).collect();
        format!("{}/{}.{} {}", service.folder, service.name, service.kind, hooks.join(","))
    };
    services.iter().map(|service| one(service).trim().to_owned()).collect()
}

#[tokio::test]
async fn a_map_service_that_offers_its_features_is_listed_with_their_webhooks() {
    let server = server(false).await;

    let services = listing::services(&server.server()).await.unwrap();

    assert_eq!(
        shown(&services),
        [
            "/zoning.FeatureServer zoning changed",
            "/roads.FeatureServer",
            "hosted/hydrants.FeatureServer hydrants changed",
        ]
    );
    let asked = server.asked();
    let settings = asked.iter().filter(|head| head.contains(".mapserver?")).count();
    assert_eq!((settings, asked.len()), (30, 2 + 1 + 30 + 3), "each map service once");
}

#[tokio::test]
async fn a_service_whose_webhooks_are_not_listed_is_not_said_to_have_none() {
    for rejected in
        [r#"{"status":"error","messages":["No."],"code":403}"#, "{}", r#"{"webhooks":null}"#, "<html>"]
    {
        let server = Scripted::new(move |_, head| {
            let body = match head.split_whitespace().nth(1).unwrap() {
                path if path.contains("hydrants.featureserver/webhooks?start=1&") => {
                    r#"{"webhooks":[{"id":"1","name":"one"}],"nextStart":2}"#
                }
                path if path.contains("hydrants.featureserver/webhooks?start=2&") => {
                    r#"{"webhooks":[{"id":"2","name":"two"}],"nextStart":-1}"#
                }
                path if path.contains("roads.featureserver/webhooks?") => rejected,
                path if path.contains("/webhooks?") => r#"{"webhooks":[],"nextStart":-1}"#,
                _ => {
                    r#"{"folders":[],"services":[{"serviceName":"hydrants","type":"FeatureServer"},
                        {"serviceName":"roads","type":"FeatureServer"},{"serviceName":"buffer","type":"GPServer"}]}"#
                }
            };
            (json(body), Then::Close)
        })
        .await;

        let services = listing::services(&server.server()).await.unwrap();

        let names = |service: &Service| {
            let webhooks = service.webhooks.as_ref()?;
            Some(webhooks.iter().map(|webhook| webhook.name.clone()).collect::<Vec<_>>())
        };
        let all = Some(vec!["one".to_owned(), "two".to_owned()]);
        assert_eq!(
            services.iter().map(names).collect::<Vec<_>>(),
            [all, None, Some(Vec::new())],
            "{rejected}"
        );
    }
}

#[tokio::test]
async fn a_server_that_lists_all_webhooks_is_not_asked_about_each_map_service() {
    let server = server(true).await;

    let services = listing::services(&server.server()).await.unwrap();

    assert_eq!(
        shown(&services),
        ["/zoning.FeatureServer zoning changed", "hosted/hydrants.FeatureServer hydrants changed"]
    );
    assert_eq!(server.asked().len(), 2 + 1 + 2);
}

#[tokio::test]
async fn a_list_of_webhooks_that_never_ends_is_none() {
    let server = Scripted::new(|number, _| {
        let page = format!(r#"{{"webhooks":[{{"id":"{number}"}}],"nextStart":{}}}"#, number + 2);
        (json(&page), Then::Close)
    })
    .await;

    let listed = ServiceWebhooks::at("roads.FeatureServer").list(&server.server()).await;

    assert!(matches!(listed, Err(ClientError::Unreadable { .. })), "{:?}", listed.map(|all| all.len()));
}
