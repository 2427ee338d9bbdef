//! Tokens that run out.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use steward_client::oauth::RefreshToken;
use steward_client::operations::find_items::FindItems;
use steward_client::{
    Area, ClientError, IssuedToken, Renewal, Session, SessionError, TokenLife, describe_portal,
};
use steward_vault::Secret;

use crate::canned::Canned;
use crate::in_the_browser::granted;
use crate::rehearsal::{PORTAL_TOKENS, Rehearsal, http, rehearsal};

fn made_up() -> IssuedToken {
    IssuedToken { token: Secret::new("made-up".to_owned()), expires_at: None }
}

fn with_password(site: &Rehearsal) -> Renewal {
    let (username, password) = site.sign_in("administrator");
    Renewal::Password { path: PORTAL_TOKENS.map(str::to_owned).to_vec(), username, password }
}

/// A session at the server with the portal's token, renewed by exchange.
async fn on_server(site: &Rehearsal) -> Session {
    let token = site.token("administrator").await;
    let portal = Arc::new(Session::new(site.portal(), token, with_password(site)));
    let server = site.server_root();
    let token = site.token("administrator").await;
    Session::new(site.server(), token, Renewal::Portal { portal, server })
}

/// Asks for the data items and counts how often.
async fn find(session: &Session, asked: &AtomicU32) -> Result<usize, SessionError> {
    session
        .perform(|server: Area| async move {
            asked.fetch_add(1, Ordering::Relaxed);
            let all = FindItems { ancestor_path: "/".to_owned(), ..FindItems::default() };
            all.send(&server).await.map(|items| items.len())
        })
        .await
}

#[tokio::test]
async fn a_token_that_ran_out_is_renewed_once_and_the_request_repeated_once() {
    let site = rehearsal().await;
    let session = on_server(&site).await;
    assert!(session.take_renewed().await.is_none());
    site.order("find_items", "expired-token", "1").await;
    let asked = AtomicU32::new(0);

    assert!(find(&session, &asked).await.unwrap() > 0);

    assert_eq!(asked.load(Ordering::Relaxed), 2);
    let held = session.take_renewed().await.unwrap();
    assert!(held.expires_at.is_some());
    // The keyring has it now.
    assert!(session.take_renewed().await.is_none());
}

#[tokio::test]
async fn a_token_that_is_refused_twice_asks_the_person_to_sign_in_and_no_third_time() {
    let site = rehearsal().await;
    let session = on_server(&site).await;
    site.order("find_items", "expired-token", "3").await;
    let asked = AtomicU32::new(0);

    let refused = find(&session, &asked).await.unwrap_err();

    assert!(matches!(refused, SessionError::SignIn { .. }), "{refused:?}");
    assert!(!refused.may_have_taken_effect());
    assert_eq!(asked.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn without_anything_to_renew_with_the_request_is_sent_once() {
    let site = rehearsal().await;
    let session = Session::new(site.server(), made_up(), Renewal::SignIn);
    let asked = AtomicU32::new(0);

    let refused = find(&session, &asked).await.unwrap_err();

    assert!(matches!(refused, SessionError::SignIn { .. }), "{refused:?}");
    assert_eq!(asked.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_missing_token_asks_the_person_to_sign_in_without_another_try() {
    let site = rehearsal().await;
    let session = Session::new(site.server(), made_up(), with_password(&site));
    let asked = AtomicU32::new(0);

    let refused = session
        .perform(|server: Area| {
            asked.fetch_add(1, Ordering::Relaxed);
            async move {
                let all = FindItems { ancestor_path: "/".to_owned(), ..FindItems::default() };
                all.send(&server.without_token()).await
            }
        })
        .await
        .unwrap_err();

    let SessionError::SignIn { why: ClientError::Refused { code, .. } } = refused else {
        panic!("{refused:?}")
    };
    assert_eq!(code, 499);
    assert_eq!(asked.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn any_other_failure_is_handed_on_after_one_request() {
    let site = rehearsal().await;
    for mishap in ["html", "bad-gateway", "reset", "truncated"] {
        let session = on_server(&site).await;
        site.order("find_items", mishap, "1").await;
        let asked = AtomicU32::new(0);
        let failed = find(&session, &asked).await.unwrap_err();
        assert!(matches!(failed, SessionError::Client(_)), "{mishap}: {failed:?}");
        assert!(failed.may_have_taken_effect(), "{mishap}: {failed:?}");
        assert_eq!(asked.load(Ordering::Relaxed), 1, "{mishap}");
    }
}

#[tokio::test]
async fn a_sign_in_of_the_browser_is_renewed_with_its_refresh_token() {
    let site = rehearsal().await;
    let refresh = granted(&site).await.refresh.unwrap();
    let session = Session::new(site.portal(), made_up(), Renewal::RefreshToken(refresh.clone()));

    let who = session.perform(|portal| async move { describe_portal(&portal).await }).await.unwrap();

    assert_eq!(who.username, site.sign_in("administrator").0);
    let held = session.take_renewed().await.unwrap();
    // It has two weeks to live, and so it stays.
    assert_eq!(held.refresh.unwrap().token, refresh.token);
}

#[tokio::test]
async fn a_refresh_token_in_its_last_day_is_exchanged_and_the_new_one_is_to_be_kept() {
    let site = rehearsal().await;
    let mut refresh = granted(&site).await.refresh.unwrap();
    refresh.expires_at = Some(0);
    let session = Session::new(site.portal(), made_up(), Renewal::RefreshToken(refresh.clone()));

    session.renew().await.unwrap();

    let held = session.take_renewed().await.unwrap().refresh.unwrap();
    assert_ne!(held.token, refresh.token);
    assert!(held.expires_at.unwrap() > 0);
}

#[tokio::test]
async fn requests_that_are_refused_together_wait_for_one_renewal() {
    let granted = r#"{"access_token":"next","expires_in":1800}"#;
    let canned = Canned::answering(&[("/portal/sharing/rest/oauth2/token", granted)]).await;
    let refresh = RefreshToken {
        token: Secret::new("canary".to_owned()),
        client_id: "sitesteward".to_owned(),
        redirect_uri: "http://127.0.0.1:1/".to_owned(),
        expires_at: None,
    };
    let portal = Area::new(http(), canned.root("portal"));
    let session = Session::new(portal, made_up(), Renewal::RefreshToken(refresh));
    let ask = async || {
        let asked = AtomicU32::new(0);
        let refuse_once = |_| {
            let first = asked.fetch_add(1, Ordering::Relaxed) == 0;
            async move {
                // All of them are under way before the first is refused.
                tokio::task::yield_now().await;
                let (message, details) = ("Invalid Token.".to_owned(), Vec::new());
                if first { Err(ClientError::Refused { code: 498, message, details }) } else { Ok(()) }
            }
        };
        session.perform(refuse_once).await
    };

    let (one, two, three) = tokio::join!(ask(), ask(), ask());

    for answer in [one, two, three] {
        answer.unwrap();
    }
    assert_eq!(canned.asked().len(), 1);
}

#[tokio::test]
async fn before_an_hour_of_work_a_short_token_is_noticed_and_renewed() {
    let site = rehearsal().await;
    let short = IssuedToken { expires_at: Some(0), ..site.token("administrator").await };
    let session = Session::new(site.portal(), short, with_password(&site));
    let hour = Some(Duration::from_secs(3600));
    assert!(matches!(session.life(hour).await, TokenLife::Short { .. }));

    session.renew().await.unwrap();

    assert_eq!(session.life(hour).await, TokenLife::Enough);
}
