//! Servers that claim to belong to a portal, and what they receive: no credential.

use steward_core::access::discovery;
use steward_core::access::found_site::OutcomeView;
use steward_core::actions::sign_in::{sign_in_as, sign_in_as_bearer, sign_in_at};
use steward_core::actions::sites;
use steward_core::listings::services_of;
use steward_core::model::ids::ServerId;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::operations::find_items::FindItemsForm;
use steward_core::sites::{ConnectionForm, SiteForm, TrustedCertificateView};
use steward_testkit::{Reply, Request, TestServer};
use steward_vault::{Secret, SecretStore};

use crate::adding_a_site::{encrypted, form_of};
use crate::test_app::{TestApp, form};

/// A site that responds by a script and keeps every request, head and body.
struct Liar(TestServer);

impl Liar {
    /// The script gets the request and returns the JSON of the response.
    async fn new(script: impl Fn(&Request) -> String + Send + Sync + 'static) -> Self {
        Self(TestServer::start(move |request| Reply::json(script(request)).then_close()).await.unwrap())
    }

    /// A server that names this owner, issues a token of its own to everybody, and accepts every token but `stale`.
    async fn server(owner: Option<&str>) -> Self {
        let owner = owner.map(|owner| format!(r#","owningSystemUrl":"{owner}""#)).unwrap_or_default();
        let info = format!(r#"{{"currentVersion":11.3,"fullVersion":"11.3.0"{owner}}}"#);
        Self::new(move |request| match request.path() {
            _ if request.text().contains("stale") => {
                r#"{"error":{"code":498,"message":"Invalid token.","details":[]}}"#.to_owned()
            }
            "/server/rest/info" => info.clone(),
            "/server/admin/generateToken" => r#"{"token":"own-token","expires":"4102444800000"}"#.to_owned(),
            "/server/admin" => r#"{"fullVersion":"11.3.0","resources":["data"]}"#.to_owned(),
            _ => r#"{"items":[]}"#.to_owned(),
        })
        .await
    }

    fn root(&self, context: &str) -> String {
        format!("{}/{context}", self.0.origin())
    }

    fn requests(&self) -> Vec<String> {
        self.0.requests().iter().map(Request::text).collect()
    }

    fn requests_with(&self, text: &str) -> usize {
        self.requests().iter().filter(|request| request.contains(text)).count()
    }

    /// The requests that carry a credential: a name, a password, a token in a form or in a header.
    fn credentials(&self) -> Vec<String> {
        let carries = |request: &String| {
            let request = request.to_ascii_lowercase();
            ["authorization:", "cookie:", "token=", "password=", "username="]
                .iter()
                .any(|sign| request.contains(sign))
        };
        self.requests().into_iter().filter(carries).collect()
    }
}

fn everything() -> FindItemsForm {
    FindItemsForm { ancestor_path: "/".to_owned(), ..FindItemsForm::default() }
}

fn server() -> ServerId {
    ServerId("server".to_owned())
}

/// The saved site: the portal of the practice site, and this server.
async fn beside(app: &TestApp, liar: &Liar) {
    let form = form(Some(&app.site), &app.practice.ready().portal, &liar.root("server"));
    sites::save(&app.steward.context, &form).await.unwrap();
}

/// Whether the sign-in form of this server is wanted.
fn asks_for(problem: Option<Problem>, liar: &Liar) -> bool {
    matches!(problem, Some(Problem::SignIn { server: Some(at), .. }) if at.id == server() && at.host.starts_with(&liar.0.address()))
}

#[tokio::test]
async fn whatever_owner_a_server_claims_no_credential_of_the_portal_arrives_there() {
    for claim in ["nobody", "ours", "another"] {
        let app = TestApp::signed_out().await;
        let owner = match claim {
            "ours" => Some(app.practice.ready().portal.clone()),
            "another" => Some("https://elsewhere.invalid/portal".to_owned()),
            _ => None,
        };
        let liar = Liar::server(owner.as_deref()).await;
        beside(&app, &liar).await;

        app.sign_in("administrator").await.unwrap();
        let found = app.find_items(everything()).await;
        let services = services_of(&app.steward.context.access, &app.server).await;

        assert_eq!(liar.credentials(), [] as [String; 0], "claims {claim}");
        assert!(asks_for(found.err(), &liar), "claims {claim}");
        assert!(asks_for(services.err(), &liar), "claims {claim}");
        assert_eq!(app.kept_names().await, ["portal"], "claims {claim}");
    }
}

#[tokio::test]
async fn a_server_that_the_portal_does_not_list_is_signed_in_to_with_an_account_of_its_own() {
    let app = TestApp::signed_out().await;
    let liar = Liar::server(None).await;
    beside(&app, &liar).await;
    app.sign_in("administrator").await.unwrap();
    let portal = app.kept("portal").await;

    let own = Secret::new("own-secret".to_owned());
    sign_in_at(&app.steward.context, &app.site, Some(&server()), "siteadmin", &own).await.unwrap();
    let found = app.find_items(everything()).await;

    assert!(matches!(found, Ok(RunResult::Done { .. })), "{found:?}");
    assert_eq!(liar.requests_with("own-secret"), 1);
    assert!(liar.requests_with("own-token") > 0);
    assert_eq!(app.kept("portal").await, portal, "the portal's session goes on");
    let token: serde_json::Value = serde_json::from_str(&portal.unwrap()).unwrap();
    assert_eq!(liar.requests_with(token["token"].as_str().unwrap()), 0);
    assert_eq!(liar.requests_with(&app.user("administrator").password), 0);
}

#[tokio::test]
async fn a_kept_password_of_the_portal_renews_no_token_of_a_server() {
    let app = TestApp::signed_out().await;
    let liar = Liar::server(None).await;
    beside(&app, &liar).await;
    app.sign_in("administrator").await.unwrap();
    let user = app.user("administrator");
    let password = Secret::new(user.password.clone());
    app.steward.context.access.keep_password(&app.site, &user.username, &password).await.unwrap();
    // The server issued it itself.
    let stored = r#"{"token":"stale","expires_at":null}"#.to_owned();
    app.vault.set(&format!("{}/server/server", app.site.0), Secret::new(stored)).await.unwrap();
    app.steward.context.access.forget_connection(&app.site);

    let found = app.find_items(everything()).await;

    assert!(liar.requests_with("stale") > 0, "the server's own token is used");
    assert_eq!(liar.requests_with(&user.password), 0);
    assert!(asks_for(found.err(), &liar), "its own form is wanted");
}

#[tokio::test]
async fn a_second_server_with_the_identifier_of_the_first_gets_none_of_its_secrets() {
    let app = TestApp::signed_out().await;
    let (honest, liar) = (Liar::server(None).await, Liar::server(None).await);
    beside(&app, &honest).await;
    app.sign_in("administrator").await.unwrap();
    let own = Secret::new("own-secret".to_owned());
    sign_in_at(&app.steward.context, &app.site, Some(&server()), "siteadmin", &own).await.unwrap();

    let both = [&liar, &honest].map(|one| SiteForm::of("", "", &one.root("server")).servers.remove(0));
    let saved = form(Some(&app.site), &app.practice.ready().portal, "");
    let saved =
        sites::save(&app.steward.context, &SiteForm { servers: both.to_vec(), ..saved }).await.unwrap();
    let found = app.find_items(everything()).await;

    assert_eq!(liar.credentials(), [] as [String; 0]);
    assert!(matches!(found, Err(Problem::SignIn { .. })), "{found:?}");
    assert_ne!(saved.servers[0].id, saved.servers[1].id);
}

/// A portal that lists one server, and issues tokens for it under the addresses that end so.
async fn portal(url: &str, admin_url: &str, issues_for: &'static str) -> Liar {
    let list = format!(
        r#"{{"servers":[{{"name":"a","url":"{url}","adminUrl":"{admin_url}","serverType":"ArcGIS"}}]}}"#
    );
    Liar::new(move |request| match request.path() {
        "/portal/sharing/rest/portals/self" => {
            r#"{"id":"p","enterpriseVersion":"11.3","isPortal":true,"user":{"username":"sam","role":"org_admin"}}"#
                .to_owned()
        }
        "/portal/sharing/rest/portals/self/servers" => list.clone(),
        "/portal/sharing/rest/generateToken" if !issues_for.is_empty() && request.text().contains(issues_for) => {
            r#"{"token":"exchanged","expires":4102444800000}"#.to_owned()
        }
        _ => r#"{"error":{"code":400,"message":"The server is not federated with this portal.","details":[]}}"#
            .to_owned(),
    })
    .await
}

#[tokio::test]
async fn where_the_portal_refuses_the_exchange_its_own_token_goes_nowhere() {
    let app = TestApp::signed_out().await;
    let listener = Liar::server(None).await;
    let portal = portal(&listener.root("server"), &listener.root("server"), "").await;
    let liar = {
        // Its owner is known only now.
        let owner = portal.root("portal");
        Liar::server(Some(&owner)).await
    };
    for server in [&liar, &listener] {
        let form = form(Some(&app.site), &portal.root("portal"), &server.root("server"));
        sites::save(&app.steward.context, &form).await.unwrap();

        let pasted = Secret::new("portal-token".to_owned());
        sign_in_as_bearer(&app.steward.context, &app.site, &pasted).await.unwrap();
        let found = app.find_items(everything()).await;

        assert_eq!(server.credentials(), [] as [String; 0]);
        assert!(found.is_err(), "{found:?}");
    }
    assert!(portal.requests_with("portal-token") > 0);
}

#[tokio::test]
async fn a_token_is_issued_for_the_address_under_which_the_portal_lists_the_server() {
    let app = TestApp::signed_out().await;
    let listed = Liar::server(None).await;
    // The portal issues tokens for the one of the two addresses that the site does not use.
    for (issues_for, used) in [("%2Fpublic", "server"), ("%2Fserver", "public")] {
        let portal = portal(&listed.root("public"), &listed.root("server"), issues_for).await;
        let form = form(Some(&app.site), &portal.root("portal"), &listed.root(used));
        sites::save(&app.steward.context, &form).await.unwrap();

        let pasted = Secret::new("portal-token".to_owned());
        sign_in_as_bearer(&app.steward.context, &app.site, &pasted).await.unwrap();
        app.steward.context.access.server(&app.sites().at(&app.server).unwrap()).await.unwrap();
        let found = app.find_items(everything()).await;

        assert!(matches!(found, Ok(RunResult::Done { .. })), "{issues_for}: {found:?}");
        assert!(listed.requests_with("exchanged") > 0, "{issues_for}");
        assert_eq!(listed.requests_with("portal-token"), 0, "{issues_for}");
    }
}

#[tokio::test]
async fn a_pasted_address_of_a_federated_server_leads_to_its_portal_and_says_when_that_does_not_answer() {
    let app = TestApp::signed_out().await;
    let owner = encrypted(&app).await;
    let address = owner.ready().portal.clone();
    let liar = Liar::server(Some(&address)).await;
    let pasted = liar.root("server/admin");
    let look = async |connection: &ConnectionForm| {
        discovery::look(&app.steward.context.access, None, &pasted, connection).await.unwrap().site.unwrap()
    };

    let found = look(&ConnectionForm::default()).await;

    assert!(found.portal.is_none());
    let unreached = found.unreached_portal.expect("it is said which portal did not answer");
    assert_eq!((unreached.server, unreached.address), (liar.root("server"), address.clone()));
    let OutcomeView::Distrusted { certificate } = unreached.outcome else { panic!("no certificate") };
    let certificate = TrustedCertificateView {
        origin: certificate.origin.clone().unwrap(),
        fingerprint: certificate.fingerprint.clone(),
    };
    let trusting = ConnectionForm { trusted_certificates: vec![certificate], ..ConnectionForm::default() };
    let found = look(&trusting).await;
    assert!(found.unreached_portal.is_none());
    assert_eq!(found.portal.as_ref().unwrap().address, address);
    let saved = sites::save(&app.steward.context, &form_of(found, trusting)).await.unwrap();
    let user = &owner.ready().users[0];
    sign_in_as(&app.steward.context, &saved.id, &user.username, &Secret::new(user.password.clone()))
        .await
        .unwrap();
    assert!(services_of(&app.steward.context.access, &app.server_of(&saved.id)).await.is_err());
    assert_eq!(liar.credentials(), [] as [String; 0]);
}

#[tokio::test]
async fn the_administration_of_a_kubernetes_deployment_takes_the_portals_token_and_no_other_host_does() {
    use steward_core::model::deployment::DeploymentType;
    let app = TestApp::signed_out().await;
    let elsewhere = Liar::server(None).await;
    let portal = portal(&elsewhere.root("other"), &elsewhere.root("other"), "").await;
    for (server, is_own) in [(portal.root("portal"), true), (elsewhere.root("portal"), false)] {
        let form = SiteForm {
            deployment_type: Some(DeploymentType::Kubernetes),
            ..form(Some(&app.site), &portal.root("portal"), &server)
        };
        sites::save(&app.steward.context, &form).await.unwrap();
        let pasted = Secret::new("portal-token".to_owned());
        sign_in_as_bearer(&app.steward.context, &app.site, &pasted).await.unwrap();

        let endpoint = app.steward.context.access.server(&app.sites().at(&app.server).unwrap()).await;

        assert_eq!(endpoint.is_ok(), is_own, "{server}");
    }
    assert_eq!(elsewhere.credentials(), [] as [String; 0]);
}
