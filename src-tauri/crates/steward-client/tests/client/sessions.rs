//! Tokens that run out.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use steward_client::oauth::RefreshToken;
use steward_client::operations::find_items::FindItems;
use steward_client::{
    Area, ClientError, Held, IssuedToken, Keeper, Renewal, Session, TokenLife, describe_portal,
};
use steward_vault::Secret;

use crate::canned::Canned;
use crate::in_the_browser::granted;
use crate::rehearsal::{PORTAL_TOKENS, Rehearsal, http, rehearsal};

const FIND: &str = "/server/admin/data/findItems";
const TOKENS: &str = "/server/admin/generateToken";
const NEXT: (&str, &str) = (TOKENS, r#"{"token":"next","expires":"1767225600000"}"#);
const REFUSED: &str = r#"{"status":"error","messages":["Invalid Token."],"code":498}"#;

/// A keyring that remembers what it was given.
#[derive(Clone, Default)]
pub(crate) struct Kept(Arc<Mutex<Vec<Held>>>);

impl Kept {
    fn all(&self) -> Vec<Held> {
        self.0.lock().unwrap().clone()
    }
}

impl Keeper for Kept {
    fn keep<'a>(&'a self, held: Held) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        self.0.lock().unwrap().push(held);
        Box::pin(async {})
    }
}

pub(crate) fn session(area: Area, token: IssuedToken, renewal: Renewal, kept: &Kept) -> Arc<Session> {
    Arc::new(Session::new(area, token, renewal, Box::new(kept.clone())))
}

fn made_up() -> IssuedToken {
    IssuedToken { token: Secret::new("made-up".to_owned()), expires_at: None }
}

fn with_password(site: &Rehearsal) -> Renewal {
    let (username, password) = site.sign_in("administrator");
    Renewal::Password { path: PORTAL_TOKENS.map(str::to_owned).to_vec(), username, password }
}

/// A session at the server with the portal's token, renewed by exchange.
async fn on_server(site: &Rehearsal, kept: &Kept) -> Arc<Session> {
    let token = site.token("administrator").await;
    let portal = session(site.portal(), token, with_password(site), &Kept::default());
    let server = site.server_root();
    let token = site.token("administrator").await;
    session(site.server(), token, Renewal::Portal { portal, server }, kept)
}

/// A session at a server that gives these answers, renewed with a password.
async fn on_canned(answers: &[(&str, &str)]) -> (Canned, Arc<Session>) {
    let canned = Canned::answering(answers).await;
    let renewal = Renewal::Password {
        path: ["admin", "generateToken"].map(str::to_owned).to_vec(),
        username: "steward".to_owned(),
        password: Secret::new("canary".to_owned()),
    };
    let server = Area::new(http(), canned.root("server"));
    let session = session(server, made_up(), renewal, &Kept::default());
    (canned, session)
}

async fn find(session: &Arc<Session>) -> Result<usize, ClientError> {
    let all = FindItems { ancestor_path: "/".to_owned(), ..FindItems::default() };
    all.send(&session.area(), |_| Some(())).await.map(|(items, _)| items.len())
}

fn times(canned: &Canned, path: &str) -> usize {
    canned.asked().iter().filter(|asked| asked.path == path).count()
}

#[tokio::test]
async fn a_token_that_ran_out_is_renewed_once_and_kept() {
    let site = rehearsal().await;
    let kept = Kept::default();
    let session = on_server(&site, &kept).await;
    find(&session).await.unwrap();
    assert_eq!(kept.all().len(), 0);
    site.order("find_items", "expired-token", "1").await;

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

    assert!(matches!(refused, ClientError::Refused { code: 498, .. }), "{refused:?}");
    assert!(!refused.may_have_taken_effect());
    assert_eq!((times(&canned, FIND), times(&canned, TOKENS)), (2, 1));
}

#[tokio::test]
async fn without_anything_to_renew_with_the_request_is_sent_once() {
    let canned = Canned::answering(&[(FIND, REFUSED)]).await;
    let server = Area::new(http(), canned.root("server"));
    let session = session(server, made_up(), Renewal::SignIn, &Kept::default());

    let refused = find(&session).await.unwrap_err();

    assert!(matches!(refused, ClientError::Refused { code: 498, .. }), "{refused:?}");
    assert_eq!(times(&canned, FIND), 1);
}

#[tokio::test]
async fn a_missing_token_asks_the_person_to_sign_in_without_another_try() {
    let missing = r#"{"status":"error","messages":["Token not found."],"code":499}"#;
    let (canned, session) = on_canned(&[(FIND, missing), NEXT]).await;

    let refused = find(&session).await.unwrap_err();

    assert!(matches!(refused, ClientError::Refused { code: 499, .. }), "{refused:?}");
    assert_eq!((times(&canned, FIND), times(&canned, TOKENS)), (1, 0));
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

    let who = describe_portal(&session.area()).await.unwrap();

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

    session.renew().await.unwrap();

    let held = kept.all()[0].refresh.clone().unwrap();
    assert_ne!(held.token, refresh.token);
    assert!(held.expires_at.unwrap() > 0);
}

#[tokio::test]
async fn requests_that_are_refused_together_wait_for_one_renewal() {
    let granted = r#"{"access_token":"next","expires_in":1800}"#;
    let tokens = "/portal/sharing/rest/oauth2/token";
    let itself = "/portal/sharing/rest/portals/self";
    let refused = r#"{"error":{"code":498,"message":"Invalid Token.","details":[]}}"#;
    let canned = Canned::answering(&[(tokens, granted), (itself, refused)]).await;
    let refresh = RefreshToken {
        token: Secret::new("canary".to_owned()),
        client_id: "sitesteward".to_owned(),
        redirect_uri: "http://127.0.0.1:1/".to_owned(),
        expires_at: None,
    };
    let portal = Area::new(http(), canned.root("portal"));
    let session = session(portal, made_up(), Renewal::RefreshToken(refresh), &Kept::default());
    let portal = session.area();

    let three = tokio::join!(describe_portal(&portal), describe_portal(&portal), describe_portal(&portal));

    assert!(three.0.is_err() && three.1.is_err() && three.2.is_err());
    assert_eq!((times(&canned, tokens), times(&canned, itself)), (1, 6));
}

#[tokio::test]
async fn before_an_hour_of_work_a_short_token_is_noticed_and_renewed() {
    let site = rehearsal().await;
    let short = IssuedToken { expires_at: Some(0), ..site.token("administrator").await };
    let session = session(site.portal(), short, with_password(&site), &Kept::default());
    let hour = Some(Duration::from_secs(3600));
    assert!(matches!(session.life(hour).await, TokenLife::Short { .. }));

    session.renew().await.unwrap();

    assert_eq!(session.life(hour).await, TokenLife::Enough);
}
