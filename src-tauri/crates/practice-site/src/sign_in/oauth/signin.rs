//! `oauth2/signin`: what the sign-in page sends, and where the person goes from there.

use super::super::binding::Binding;
use super::super::caller::{Area, Life, issue};
use super::super::check::check;
use super::authorization::{Authorization, Redirect, Wants};
use super::authorize::{cannot, sign_in_page};
use super::grants;
use crate::clock::now_ms;
use crate::wire::{Answer, Call, Refusal, Reply, html};
use anyhow::Context as _;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use url::form_urlencoded::Serializer;

/// How long a token lives that nobody asked otherwise for.
const TOKEN_MINUTES: i64 = 120;

const EXPIRED: &str = "This page has expired. Begin to sign in again in the program that sent you here.";

pub(crate) async fn signin(call: Call) -> Reply {
    let oauth_state = call.parameters.text("oauth_state").unwrap_or_default().to_owned();
    let Some(authorization) = call.app.authorizations.find(&oauth_state) else {
        return Ok(cannot(EXPIRED));
    };
    let given = |name: &str| call.parameters.text(name).unwrap_or_default().to_owned();
    let username = given("username");
    if !check(&call.app, username.clone(), given("password"), false).await? {
        return Ok(sign_in_page(&authorization, &oauth_state, Some("Invalid username or password.")));
    }
    if !call.app.authorizations.close(&oauth_state) {
        return Ok(cannot(EXPIRED));
    }
    grant(&call, authorization, username).await
}

async fn grant(call: &Call, authorization: Authorization, username: String) -> Reply {
    let mut answer = match &authorization.wants {
        Wants::Token => {
            let life = Life { minutes: authorization.expiration.or(Some(TOKEN_MINUTES)), not_after: None };
            let token = issue(&call.app, username.clone(), Area::Portal, life, Binding::default()).await?;
            vec![
                ("access_token", token.text),
                ("expires_in", ((token.expires - now_ms()) / 1000).to_string()),
                ("username", username),
                ("ssl", call.app.origin.starts_with("https:").to_string()),
            ]
        }
        Wants::Code(challenge) => {
            let code = grants::new_code(&call.app, &authorization, challenge.clone(), username).await?;
            if matches!(authorization.redirect, Redirect::OutOfBand) {
                return Ok(code_page(&code));
            }
            vec![("code", code)]
        }
    };
    answer.extend(authorization.state.clone().map(|state| ("state", state)));
    send_on(&authorization, &Serializer::new(String::new()).extend_pairs(answer).finish())
}

/// The fragment stays in the browser, the query goes to the program: a token takes the first way, a code, which
/// is good only together with what the program knows, the second.
fn send_on(authorization: &Authorization, answer: &str) -> Reply {
    let Redirect::Loopback(_, url) = &authorization.redirect else {
        return Err(Refusal::bad_request("There is nowhere to send the answer to."));
    };
    let mut url = url.clone();
    match (&authorization.wants, url.query()) {
        (Wants::Token, _) => url.set_fragment(Some(answer)),
        (Wants::Code(_), None | Some("")) => url.set_query(Some(answer)),
        (Wants::Code(_), Some(query)) => {
            let query = format!("{query}&{answer}");
            url.set_query(Some(&query));
        }
    }
    let mut response = Response::default();
    *response.status_mut() = StatusCode::FOUND;
    let location =
        HeaderValue::from_str(url.as_str()).context("the address cannot be written in a header")?;
    response.headers_mut().insert(header::LOCATION, location);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(Answer::File(response))
}

/// Programs that drive a browser read the code from the title, people from the page.
fn code_page(code: &str) -> Answer {
    let body = format!(
        "<h1>You are signed in</h1>\n<p>Copy this code into the program that sent you here:</p>\n<p><code id=\"code\">{code}</code></p>"
    );
    Answer::File(html::document(&format!("SUCCESS code={code}"), &body, None))
}
