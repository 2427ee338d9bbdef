//! Tokens that run out.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use steward_client::listing::data_roots;
use steward_client::oauth::RefreshToken;
use steward_client::operations::export_server::ExportServer;
use steward_client::operations::find_items::FindItems;
use steward_client::{
    ClientError, Endpoint, IssuedToken, RejectedPasswords, Renewal, SendState, Session, SessionTokens,
    TokenExpiry, TokenStore, describe_portal,
};
use steward_testkit::{Fault, FaultProxy, Reply, TestServer, until};
use steward_vault::Secret;
use tokio::sync::Notify;
use url::Url;

use crate::canned::Canned;
use crate::in_the_browser::granted;
use crate::rehearsal::{PORTAL_TOKENS, Rehearsal, http, rehearsal};

const FIND: &str = "/server/admin/data/findItems";
const EXPORT: &str = "/server/admin/exportSite";
const ITEMS: &str = "/server/admin/data/items";
const TOKENS: &str = "/server/admin/generateToken";
const NEXT: (&str, &str) = (TOKENS, r#"{"token":"next","expires":"1767225600000"}"#);
const REFUSED: &str = r#"{"status":"error","messages":["Invalid Token."],"code":498}"#;

const SELF: &str = "/portal/sharing/rest/portals/self";
const OAUTH: &str = "/portal/sharing/rest/oauth2/token";
const GRANTED: &str = r#"{"access_token":"next","expires_in":1800}"#;

/// A keyring that remembers what it was given.
#[derive(Clone, Default)]
pub(crate) struct Kept {
    tokens: Arc<Mutex<Vec<SessionTokens>>>,
    is_password_forgotten: Arc<Mutex<bool>>,
}

impl Kept {
    fn all(&self) -> Vec<SessionTokens> {
        self.tokens.lock().unwrap().clone()
    }

    fn is_password_forgotten(&self) -> bool {
        *self.is_password_forgotten.lock().unwrap()
    }
}

impl TokenStore for Kept {
    fn keep<'a>(&'a self, held: SessionTokens) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        self.tokens.lock().unwrap().push(held);
        Box::pin(async {})
    }

    fn forget_password<'a>(&'a self) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        *self.is_password_forgotten.lock().unwrap() = true;
        Box::pin(async {})
    }
}

pub(crate) fn session(endpoint: Endpoint, token: IssuedToken, renewal: Renewal, kept: &Kept) -> Arc<Session> {
    Arc::new(Session::new(endpoint, token, renewal, Box::new(kept.clone())))
}

fn made_up() -> IssuedToken {
    IssuedToken { token: Secret::new("made-up".to_owned()), expires_at: None }
}

fn with_password(site: &Rehearsal) -> Renewal {
    let (username, password) = site.sign_in("administrator");
    let path = PORTAL_TOKENS.map(str::to_owned).to_vec();
    Renewal::Password { path, username, password, rejected: Arc::default() }
}

/// A session at the server with the portal's token, renewed by exchange.
async fn on_server(site: &Rehearsal, kept: &Kept) -> Arc<Session> {
    let token = site.token("administrator").await;
    let portal = session(site.portal(), token, with_password(site), &Kept::default());
    let server = site.server_root();
    let token = site.token("administrator").await;
    session(site.server(), token, Renewal::Portal { portal: portal.endpoint(), server }, kept)
}

/// A session at a server that gives these answers, renewed with a password.
async fn on_canned(answers: &[(&str, &str)]) -> (Canned, Arc<Session>) {
    let canned = Canned::answering(answers).await;
    let server = Endpoint::new(http(), canned.root("server"));
    let session = session(server, made_up(), password("canary", &Arc::default()), &Kept::default());
    (canned, session)
}

fn password(password: &str, rejected: &Arc<RejectedPasswords>) -> Renewal {
    Renewal::Password {
        path: ["admin", "generateToken"].map(str::to_owned).to_vec(),
        username: "steward".to_owned(),
        password: Secret::new(password.to_owned()),
        rejected: rejected.clone(),
    }
}

fn refresh_token(expires_at: Option<i64>) -> RefreshToken {
    RefreshToken {
        token: Secret::new("canary".to_owned()),
        client_id: "sitesteward".to_owned(),
        redirect_uri: "http://127.0.0.1:1/".to_owned(),
        expires_at,
        life: None,
    }
}

/// A session at a portal, renewed with a refresh token.
fn on_portal(root: Url, refresh: RefreshToken, kept: &Kept) -> Arc<Session> {
    session(Endpoint::new(http(), root), made_up(), Renewal::RefreshToken(refresh), kept)
}

async fn find(session: &Arc<Session>) -> Result<usize, ClientError> {
    let all = FindItems { ancestor_path: "/".to_owned(), ..FindItems::default() };
    all.send(&session.endpoint(), |_| Some(())).await.map(|(items, _)| items.len())
}

fn times(canned: &Canned, path: &str) -> usize {
    canned.asked().iter().filter(|asked| asked.path() == path).count()
}

#[tokio::test]
async fn a_token_that_ran_out_is_renewed_once_and_kept() {
    let site = rehearsal().await;
    let kept = Kept::default();
    let session = on_server(&site, &kept).await;
    find(&session).await.unwrap();
    assert_eq!(kept.all().len(), 0);
    site.order("find_items", "expiredToken", "1").await;

    assert!(find(&session).await.unwrap() > 0);

    let [held] = kept.all().try_into().unwrap();
    assert!(held.expires_at.is_some());
    find(&session).await.unwrap();
    assert_eq!(kept.all().len(), 1, "the new token is used from then on");
}

#[tokio::test]
async fn a_token_that_is_refused_twice_asks_the_person_to_sign_in_and_no_third_time() {
    let (canned, session) = on_canned(&[(FIND, REFUSED), NEXT]).await;

    let refused = find(&session).await.unwrap_err();

    assert!(matches!(refused, ClientError::Rejected { code: 498, .. }), "{refused:?}");
    assert!(!refused.may_have_taken_effect());
    assert_eq!((times(&canned, FIND), times(&canned, TOKENS)), (2, 1));
}

#[tokio::test]
async fn without_anything_to_renew_with_the_request_is_sent_once() {
    let canned = Canned::answering(&[(FIND, REFUSED)]).await;
    let server = Endpoint::new(http(), canned.root("server"));
    let session = session(server, made_up(), Renewal::SignIn, &Kept::default());

    let refused = find(&session).await.unwrap_err();

    assert!(matches!(refused, ClientError::Rejected { code: 498, .. }), "{refused:?}");
    assert_eq!(times(&canned, FIND), 1);
}

#[tokio::test]
async fn a_token_that_a_server_does_not_know_is_renewed_before_anybody_is_asked() {
    let missing = r#"{"status":"error","messages":["Token not found."],"code":499}"#;
    let (canned, session) = on_canned(&[(FIND, missing), NEXT]).await;

    let refused = find(&session).await.unwrap_err();

    assert!(matches!(refused, ClientError::Rejected { code: 499, .. }), "{refused:?}");
    assert_eq!((times(&canned, FIND), times(&canned, TOKENS)), (2, 1));
}

#[tokio::test]
async fn a_portal_that_does_not_know_who_asks_is_asked_again_with_the_next_token() {
    let canned = Canned::answering(&[(SELF, r#"{"id":"p1"}"#), (OAUTH, GRANTED)]).await;
    let session = on_portal(canned.root("portal"), refresh_token(None), &Kept::default());

    let refused = describe_portal(&session.endpoint()).await.unwrap_err();

    assert!(matches!(refused, ClientError::Rejected { code: 499, .. }), "{refused:?}");
    assert_eq!((times(&canned, SELF), times(&canned, OAUTH)), (2, 1));
}

#[tokio::test]
async fn a_site_in_trouble_ends_no_session_and_is_asked_again_later() {
    for trouble in [
        r#"{"error":{"code":500,"message":"The database is down.","details":[]}}"#,
        r#"{"error":{"code":429,"message":"Too many requests.","details":[]}}"#,
        r#"{"error":{"code":403,"message":"Rejected by the Web Adaptor.","details":[]}}"#,
        "503 <html>maintenance</html>",
        r#"{"token":"#,
    ] {
        let (canned, session) = on_canned(&[(FIND, REFUSED), (TOKENS, trouble)]).await;

        for _ in 0..2 {
            let failed = find(&session).await.unwrap_err();
            assert!(matches!(failed, ClientError::NotRenewed { .. }), "{trouble}: {failed:?}");
            assert!(!failed.may_have_taken_effect(), "{trouble}: it was refused before");
        }

        assert_eq!((times(&canned, FIND), times(&canned, TOKENS)), (2, 2), "{trouble}");
    }
}

#[tokio::test]
async fn a_password_that_was_rejected_is_sent_again_by_no_session_until_it_is_accepted() {
    let page = "401 <html>Unauthorized</html>";
    let words = r#"{"error":{"code":400,"message":"Unable to generate token.","details":["Invalid username or password."]}}"#;
    for wrong in [words, page] {
        let canned = Canned::answering(&[(FIND, REFUSED), (TOKENS, wrong)]).await;
        let server = Endpoint::new(http(), canned.root("server"));
        let (rejected, kept) = (Arc::<RejectedPasswords>::default(), Kept::default());
        let first = session(server.clone(), made_up(), password("canary", &rejected), &kept);
        let moved = Arc::new(first.over(server.clone(), password("canary", &rejected)));
        let later = session(server.clone(), made_up(), password("canary", &rejected), &kept);

        for session in [&first, &first, &moved, &later] {
            let refused = find(session).await.unwrap_err();
            assert!(matches!(refused, ClientError::Rejected { code: 498, .. }), "{refused:?}");
        }
        assert_eq!(times(&canned, TOKENS), 1, "{wrong}: more would lock the account");
        until("the keyring", async || kept.is_password_forgotten()).await;

        let other = session(server.clone(), made_up(), password("another", &rejected), &kept);
        find(&other).await.unwrap_err();
        assert_eq!(times(&canned, TOKENS), 2, "{wrong}: another password may be the right one");
        rejected.remove(server.root(), "steward", &Secret::new("canary".to_owned()));
        find(&session(server, made_up(), password("canary", &rejected), &kept)).await.unwrap_err();
        assert_eq!(times(&canned, TOKENS), 3, "{wrong}: it was accepted meanwhile");
    }
}

#[tokio::test]
async fn a_change_whose_token_is_refused_is_sent_once_and_the_next_has_another_token() {
    let (canned, session) = on_canned(&[(EXPORT, REFUSED), NEXT]).await;
    let state = SendState::default();
    let server = session.endpoint().watched(state.clone());
    let export = ExportServer { location: "/backups".to_owned() };

    let refused = export.send(server.permit_unchecked().await).await.unwrap_err();

    assert!(matches!(refused, ClientError::TokenRenewed), "{refused:?}");
    assert!(!refused.may_have_taken_effect());
    assert_eq!((times(&canned, EXPORT), times(&canned, TOKENS)), (1, 1));
    assert_eq!((state.handed_over(), &*state.responses()[0].body), (0, REFUSED));
    export.send(server.permit_unchecked().await).await.unwrap_err();
    let tokens: Vec<_> = canned.asked().iter().filter(|asked| asked.path() == EXPORT).map(token_of).collect();
    assert_eq!(tokens, ["made-up", "next"]);
}

#[tokio::test]
async fn a_change_whose_token_cannot_be_renewed_asks_for_a_sign_in() {
    let wrong = r#"{"error":{"code":400,"message":"Unable to generate token.","details":[]}}"#;
    let (canned, session) = on_canned(&[(EXPORT, REFUSED), (TOKENS, wrong)]).await;

    let export = ExportServer { location: "/backups".to_owned() };
    let endpoint = session.endpoint();
    let refused = export.send(endpoint.permit_unchecked().await).await.unwrap_err();

    assert!(matches!(refused, ClientError::Rejected { code: 498, .. }), "{refused:?}");
    assert_eq!(times(&canned, EXPORT), 1);
}

fn token_of(request: &steward_testkit::Request) -> String {
    request.form().into_iter().find(|(name, _)| name == "token").unwrap().1
}

#[tokio::test]
async fn a_token_that_is_refused_to_a_reading_takes_no_response_of_an_earlier_change_away() {
    let exported = r#"{"status":"success","location":"/a"}"#;
    let (canned, session) = on_canned(&[(EXPORT, exported), (ITEMS, REFUSED), NEXT]).await;
    let state = SendState::default();
    let server = session.endpoint().watched(state.clone());
    ExportServer { location: "/backups".to_owned() }.send(server.permit_unchecked().await).await.unwrap();

    data_roots(&server).await.unwrap_err();

    assert_eq!((times(&canned, ITEMS), times(&canned, TOKENS)), (2, 1));
    assert_eq!(state.responses().into_iter().map(|one| one.body).collect::<Vec<_>>(), [exported]);
    assert_eq!(state.handed_over(), 1);
}

#[tokio::test]
async fn any_other_failure_is_handed_on_after_one_request() {
    for answer in ["<html>busy</html>", "502 <html>bad gateway</html>", "500 {}", r#"{"items":[{"#] {
        let (canned, session) = on_canned(&[(FIND, answer), NEXT]).await;

        let failed = find(&session).await.unwrap_err();

        assert!(failed.may_have_taken_effect(), "{answer}: {failed:?}");
        assert_eq!((times(&canned, FIND), times(&canned, TOKENS)), (1, 0), "{answer}");
    }
}

#[tokio::test]
async fn a_sign_in_of_the_browser_is_renewed_with_its_refresh_token() {
    let site = rehearsal().await;
    let refresh = granted(&site).await.refresh.unwrap();
    let kept = Kept::default();
    let session = session(site.portal(), made_up(), Renewal::RefreshToken(refresh.clone()), &kept);

    let who = describe_portal(&session.endpoint()).await.unwrap();

    assert_eq!(who.username, site.sign_in("administrator").0);
    // It has two weeks to live, and so it stays.
    assert_eq!(kept.all()[0].refresh.as_ref().unwrap().token, refresh.token);
}

#[tokio::test]
async fn a_refresh_token_in_its_last_day_is_exchanged_and_the_new_one_is_kept() {
    let site = rehearsal().await;
    let mut refresh = granted(&site).await.refresh.unwrap();
    refresh.expires_at = Some(0);
    let kept = Kept::default();
    let session = session(site.portal(), made_up(), Renewal::RefreshToken(refresh.clone()), &kept);

    session.endpoint().renew_token().await.unwrap();

    let held = kept.all()[0].refresh.clone().unwrap();
    assert_ne!(held.token, refresh.token);
    assert!(held.expires_at.unwrap() > 0);
}

#[tokio::test]
async fn requests_that_are_refused_together_wait_for_one_renewal() {
    let refused = r#"{"error":{"code":498,"message":"Invalid Token.","details":[]}}"#;
    let canned = Canned::answering(&[(OAUTH, GRANTED), (SELF, refused)]).await;
    let session = on_portal(canned.root("portal"), refresh_token(None), &Kept::default());
    let portal = session.endpoint();

    let three = tokio::join!(describe_portal(&portal), describe_portal(&portal), describe_portal(&portal));

    assert!(three.0.is_err() && three.1.is_err() && three.2.is_err());
    assert_eq!((times(&canned, OAUTH), times(&canned, SELF)), (1, 6));
}

#[tokio::test]
async fn before_an_hour_of_work_a_short_token_is_noticed_and_renewed() {
    let site = rehearsal().await;
    let short = IssuedToken { expires_at: Some(0), ..site.token("administrator").await };
    let session = session(site.portal(), short, with_password(&site), &Kept::default());
    let hour = Some(Duration::from_secs(3600));
    assert!(matches!(session.endpoint().token_expiry(hour).await, TokenExpiry::Short { .. }));

    session.endpoint().renew_token().await.unwrap();

    assert_eq!(session.endpoint().token_expiry(hour).await, TokenExpiry::Enough);
}

#[tokio::test]
async fn a_renewal_that_nobody_waits_for_any_more_runs_to_its_end_and_is_kept() {
    let exchanged = r#"{"access_token":"next","expires_in":1800,"refresh_token":"second","refresh_token_expires_in":1209600}"#;
    let gate = Arc::new(Notify::new());
    let first = gate.clone();
    let server = TestServer::start(move |request| {
        assert_eq!(request.path(), OAUTH);
        let reply = Reply::json(exchanged).then_close();
        if request.number == 1 { reply.when(&first) } else { reply }
    });
    let server = server.await.unwrap();
    let kept = Kept::default();
    let root = Url::parse(&format!("{}/portal", server.origin())).unwrap();
    let session = on_portal(root, refresh_token(Some(0)), &kept);

    let stopped = session.endpoint();
    tokio::select! {
        () = until("the exchange", async || server.requests().len() == 1) => {}
        renewed = stopped.renew_token() => panic!("it was to be stopped: {renewed:?}"),
    }
    gate.notify_one();

    until("the keyring", async || !kept.all().is_empty()).await;
    let refresh = kept.all()[0].refresh.clone().unwrap();
    assert_eq!(refresh.token.expose(), "second");
    session.endpoint().renew_token().await.unwrap();
    let sent = server.requests().pop().unwrap().form();
    assert!(sent.contains(&("refresh_token".to_owned(), "second".to_owned())), "{sent:?}");
}

#[tokio::test]
async fn a_refresh_token_is_not_exchanged_while_a_request_is_under_way_with_what_it_would_end() {
    for on in ["/portals/self", "/findItems"] {
        let site = rehearsal().await;
        let address = site.origin().trim_start_matches("http://").to_owned();
        let way = FaultProxy::to(&address, on, Fault::Silence).await.unwrap();
        let there = |root: &str| Url::parse(&root.replace(&address, &way.address())).unwrap();
        let at_its_end = RefreshToken { expires_at: Some(0), ..granted(&site).await.refresh.unwrap() };
        let kept = Kept::default();
        let portal = on_portal(there(&site.site.ready().portal), at_its_end.clone(), &kept);
        let federated = Renewal::Portal { portal: portal.endpoint(), server: site.server_root() };
        let server = Endpoint::new(http(), there(&site.site.ready().server));
        let server = session(server, site.token("administrator").await, federated, &Kept::default());
        let of_portal = portal.clone();
        let under_way = tokio::spawn(async move {
            match on {
                "/findItems" => find(&server).await.map(drop),
                _ => describe_portal(&of_portal.endpoint()).await.map(drop),
            }
        });
        until("the request", async || way.met() == 1).await;

        portal.endpoint().renew_token().await.unwrap();
        assert_eq!(kept.all()[0].refresh.as_ref().unwrap().token, at_its_end.token, "{on}");

        under_way.abort();
        assert!(under_way.await.unwrap_err().is_cancelled());
        portal.endpoint().renew_token().await.unwrap();
        assert_ne!(kept.all()[1].refresh.as_ref().unwrap().token, at_its_end.token, "{on}");
    }
}

#[tokio::test]
async fn a_request_at_a_server_waits_for_the_exchange_that_would_end_its_token() {
    let site = rehearsal().await;
    let address = site.origin().trim_start_matches("http://").to_owned();
    let finding = FaultProxy::to(&address, "/findItems", Fault::CutAfter(usize::MAX)).await.unwrap();
    let gate = Arc::new(Notify::new());
    let held = Fault::HeldUntil(gate.clone());
    let way = FaultProxy::to(&finding.address(), "/oauth2/token", held).await.unwrap();
    let there = |root: &str| Url::parse(&root.replace(&address, &way.address())).unwrap();
    let at_its_end = RefreshToken { expires_at: Some(0), ..granted(&site).await.refresh.unwrap() };
    let portal = on_portal(there(&site.site.ready().portal), at_its_end, &Kept::default());
    let federated = Renewal::Portal { portal: portal.endpoint(), server: site.server_root() };
    let server = Endpoint::new(http(), there(&site.site.ready().server));
    let server = session(server, site.token("administrator").await, federated, &Kept::default());
    let alone = Endpoint::new(http(), there(&site.site.ready().server));
    let alone = session(alone, site.token("administrator").await, Renewal::SignIn, &Kept::default());
    let exchange = tokio::spawn(async move { portal.endpoint().renew_token().await });
    until("the exchange", async || way.met() == 1).await;

    let waiting = tokio::spawn(async move { find(&server).await });
    // A request that did not wait for the exchange would be sent before one that begins later and has nothing to wait for.
    find(&alone).await.unwrap();
    assert_eq!(finding.met(), 1, "it did not wait");

    gate.notify_one();
    exchange.await.unwrap().unwrap();
    assert!(waiting.await.unwrap().unwrap() > 0);
    assert_eq!(finding.met(), 2);
}

#[tokio::test]
async fn a_renewal_or_an_exchange_that_ends_after_its_user_signed_out_gives_no_token() {
    let site = rehearsal().await;
    let address = site.origin().trim_start_matches("http://").to_owned();
    let gate = Arc::new(Notify::new());
    let way = FaultProxy::to(&address, "/generateToken", Fault::HeldUntil(gate.clone())).await.unwrap();
    let there = |root: &str| Url::parse(&root.replace(&address, &way.address())).unwrap();
    for is_exchange in [true, false] {
        let kept = Kept::default();
        let portal = Endpoint::new(http(), there(&site.site.ready().portal));
        let portal = session(portal, site.token("administrator").await, with_password(&site), &kept);
        let federated = Renewal::Portal { portal: portal.endpoint(), server: site.server_root() };
        let server = session(site.server(), site.token("administrator").await, federated, &kept);
        let renewed = if is_exchange { server.endpoint() } else { portal.endpoint() };
        let before = way.met();
        let renewing = tokio::spawn(async move { renewed.renew_token().await });
        until("the renewal", async || way.met() == before + 1).await;

        portal.end_renewals();
        gate.notify_one();

        let ended = renewing.await.unwrap();
        assert!(matches!(ended, Err(ClientError::Rejected { code: 498, .. })), "{is_exchange}: {ended:?}");
        assert!(kept.all().is_empty());
        assert!(server.endpoint().renew_token().await.is_err(), "nothing is exchanged later");
        assert_eq!(way.met(), before + 1);
    }
}

#[tokio::test]
async fn a_session_ends_with_what_signs_in_next_and_that_of_a_server_with_the_portal() {
    let root = || Url::parse("https://gis.example.org/portal").unwrap();
    let with = |renewal| {
        let token = IssuedToken { expires_at: Some(1_000), ..made_up() };
        session(Endpoint::new(http(), root()), token, renewal, &Kept::default()).endpoint()
    };
    let refresh = |expires_at| with(Renewal::RefreshToken(refresh_token(expires_at)));
    let through = |portal| with(Renewal::Portal { portal, server: root() });

    assert_eq!(with(Renewal::SignIn).session_ends_at().await, Some(1_000), "the token itself");
    assert_eq!(refresh(Some(9_000)).session_ends_at().await, Some(9_000));
    assert_eq!(refresh(None).session_ends_at().await, None);
    assert_eq!(
        with(password("canary", &Arc::default())).session_ends_at().await,
        None,
        "it signs in by itself"
    );
    assert_eq!(through(refresh(Some(9_000))).session_ends_at().await, Some(9_000));
    assert_eq!(through(with(Renewal::SignIn)).session_ends_at().await, Some(1_000));
    assert_eq!(Endpoint::new(http(), root()).session_ends_at().await, None);
}
