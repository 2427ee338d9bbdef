//! By password, with a pasted token, and by exchange.

use steward_client::{
    ClientError, Endpoint, describe_portal, describe_server, exchange_for_server, federated_with,
    generate_token, pasted_token, sign_in_with_token,
};
use steward_testkit::Request;
use steward_vault::Secret;

use crate::canned::Canned;
use crate::rehearsal::{PORTAL_TOKENS, http, rehearsal};

#[tokio::test]
async fn a_password_gets_a_token_that_says_when_it_ends_and_the_portal_says_who_and_what_they_may() {
    let site = rehearsal().await;
    let (username, password) = site.sign_in("publisher");

    let token = generate_token(&site.portal(), &PORTAL_TOKENS, &username, &password).await.unwrap();

    assert!(token.expires_at.is_some_and(|end| end > 1_700_000_000_000));
    let facts = describe_portal(&site.portal().with_token(token.token)).await.unwrap();
    assert_eq!(facts.username, username);
    assert_eq!(facts.role, "org_publisher");
    assert!(facts.privileges.contains(&"portal:publisher:publishFeatures".to_owned()));
    assert_eq!(facts.version.unwrap().to_string(), "11.1");
    assert!(!facts.is_online && !facts.is_read_only);
}

#[tokio::test]
async fn a_name_as_a_server_returns_it_is_sent_as_a_site_takes_it() {
    for (known, sent) in [
        ("CORP::gisadmin", r"CORP\gisadmin"),
        (r"CORP\gisadmin", r"CORP\gisadmin"),
        ("gisadmin@CORP", "gisadmin@CORP"),
        ("gisadmin", "gisadmin"),
        ("::gisadmin", "::gisadmin"),
        ("CORP::", "CORP::"),
    ] {
        let canned = Canned::answering(&[("/server/admin/generateToken", r#"{"token":"x"}"#)]).await;
        let server = Endpoint::new(http(), canned.root("server"));
        let password = Secret::new("canary".to_owned());
        generate_token(&server, &["admin", "generateToken"], known, &password).await.unwrap();
        let form = canned.asked()[0].form();
        assert!(form.contains(&("username".to_owned(), sent.to_owned())), "{known}: {form:?}");
    }
}

#[tokio::test]
async fn a_wrong_password_is_refused_in_the_sites_words() {
    let site = rehearsal().await;
    let wrong = Secret::new("wrong".to_owned());
    let refused = generate_token(&site.portal(), &PORTAL_TOKENS, "steward", &wrong).await.unwrap_err();
    let ClientError::Rejected { details, .. } = refused else { panic!("{refused:?}") };
    assert_eq!(details, ["Invalid username or password."]);
}

#[tokio::test]
async fn the_server_takes_a_password_of_its_own_and_says_who_is_signed_in() {
    let site = rehearsal().await;
    let (username, password) = site.sign_in("administrator");
    let path = ["admin", "generateToken"];

    // Its expiry is a text.
    let token = generate_token(&site.server(), &path, &username, &password).await.unwrap();

    assert!(token.expires_at.is_some());
    let facts = describe_server(&site.server().with_token(token.token)).await.unwrap();
    assert_eq!(facts.username, username);
    assert_eq!(facts.privilege, "ADMINISTER");
}

#[tokio::test]
async fn a_pasted_token_signs_in_whoever_it_belongs_to() {
    let site = rehearsal().await;
    let token = site.token("viewer").await;
    let pasted = pasted_token(&Secret::new(format!(" {}\n", token.token.expose())), 0).unwrap().token;

    let (kept, facts) = sign_in_with_token(&site.portal(), &pasted).await.unwrap();

    assert_eq!(facts.username, site.sign_in("viewer").0);
    assert_eq!(kept.token, token.token);
    assert_eq!(kept.expires_at, None);
}

#[tokio::test]
async fn a_pasted_token_that_the_portal_does_not_know_signs_nobody_in() {
    let site = rehearsal().await;
    let refused = sign_in_with_token(&site.portal(), &Secret::new("made-up".to_owned())).await.unwrap_err();
    assert!(matches!(refused, ClientError::Rejected { code: 498 | 499, .. }), "{refused:?}");
}

#[tokio::test]
async fn the_portals_token_is_exchanged_for_one_of_a_federated_server_and_no_other() {
    let site = rehearsal().await;
    let portal = site.portal().with_token(site.token("administrator").await.token);
    let owner = federated_with(&site.server()).await.unwrap().unwrap();
    assert_eq!(owner.as_str(), site.site.ready().portal);

    let token = exchange_for_server(&portal, &site.server_root()).await.unwrap();
    describe_server(&site.server().with_token(token.token.clone())).await.unwrap();
    // It is the server's and not the portal's.
    assert!(describe_portal(&site.portal().with_token(token.token)).await.is_err());

    let foreign = "https://gis.example.org/server".parse().unwrap();
    let refused = exchange_for_server(&portal, &foreign).await.unwrap_err();
    assert!(matches!(refused, ClientError::Rejected { code: 400, .. }), "{refused:?}");
}

#[tokio::test]
async fn an_online_organisation_has_a_yearly_version_and_no_administration_to_ask() {
    let site = Canned::answering(&[(
        "/sharing/rest/portals/self",
        r#"{"id":"aB3dE5gH7jK9mN1p","isPortal":false,"currentVersion":"2024.2",
            "user":{"username":"ana","role":"org_admin","privileges":["portal:admin:viewUsers"]}}"#,
    )])
    .await;
    let endpoint =
        steward_client::Endpoint::new(http(), site.root("")).with_token(Secret::new("T".to_owned()));

    let facts = describe_portal(&endpoint).await.unwrap();

    assert!(facts.is_online);
    assert_eq!(facts.version.unwrap().to_string(), "2024.2");
    assert_eq!(site.asked().len(), 1);
}

#[tokio::test]
async fn a_token_is_in_the_body_of_a_post_in_a_header_of_a_get_and_never_in_an_address() {
    let site = Canned::answering(&[
        ("/portal/sharing/rest/portals/self", r#"{"enterpriseVersion":"11.3.0","user":{"username":"ana"}}"#),
        ("/portal/sharing/rest/generateToken", r#"{"token":"server-token","expires":1767225600000}"#),
    ])
    .await;
    let endpoint = steward_client::Endpoint::new(http(), site.root("portal"))
        .with_token(Secret::new("canary".to_owned()));

    describe_portal(&endpoint).await.unwrap();
    exchange_for_server(&endpoint, &"https://gis.example.org/server".parse().unwrap()).await.unwrap();

    let asked = site.asked();
    assert_eq!(asked.iter().map(Request::method).collect::<Vec<_>>(), ["GET", "POST"]);
    for asked in &asked {
        assert!(!asked.target().contains("canary"), "{asked:?}");
        assert!(asked.header("referer") == Some("site-steward"), "{asked:?}");
    }
    assert!(asked[0].header("x-esri-authorization") == Some("Bearer canary"));
    assert!(asked[1].form().contains(&("token".to_owned(), "canary".to_owned())));
    assert!(asked[1].form().contains(&("serverUrl".to_owned(), "https://gis.example.org/server".to_owned())));
}
