//! `oauth2/signin`: processing of the sign-in form.

use super::super::binding::Binding;
use super::super::caller::Component;
use super::super::issued_token::{Lifetime, issue};
use super::super::password_check::check;
use super::authorization::{Authorization, Redirect, ResponseType};
use super::authorize::{cannot, sign_in_page};
use super::grants;
use crate::clock::now_ms;
use crate::wire::{ApiError, ApiResponse, Reply, RequestContext, html};
use anyhow::Context as _;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use url::form_urlencoded::Serializer;

/// Default lifetime of a token, in minutes.
const TOKEN_MINUTES: i64 = 120;

const EXPIRED: &str = "This page has expired. Begin to sign in again in the program that sent you here.";

pub(crate) async fn signin(call: RequestContext) -> Reply {
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

async fn grant(call: &RequestContext, authorization: Authorization, username: String) -> Reply {
    let mut answer = match &authorization.response_type {
        ResponseType::Token => {
            let life =
                Lifetime { minutes: authorization.expiration.or(Some(TOKEN_MINUTES)), not_after: None };
            let token =
                issue(&call.app, username.clone(), Component::Portal, life, Binding::default()).await?;
            vec![
                ("access_token", token.text),
                ("expires_in", ((token.expires - now_ms()) / 1000).to_string()),
                ("username", username),
                ("ssl", call.app.origin.starts_with("https:").to_string()),
            ]
        }
        ResponseType::Code(challenge) => {
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

/// Redirects to the program. A token is passed in the fragment, which stays in the browser; a code is passed in the
/// query, because it is useless without the verifier.
fn send_on(authorization: &Authorization, answer: &str) -> Reply {
    let Redirect::Loopback(_, url) = &authorization.redirect else {
        return Err(ApiError::bad_request("There is nowhere to send the answer to."));
    };
    let mut url = url.clone();
    match (&authorization.response_type, url.query()) {
        (ResponseType::Token, _) => url.set_fragment(Some(answer)),
        (ResponseType::Code(_), None | Some("")) => url.set_query(Some(answer)),
        (ResponseType::Code(_), Some(query)) => {
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
    Ok(ApiResponse::File(response))
}

/// Returns the page with a code. Programs that control a browser read it from the title, users from the page.
fn code_page(code: &str) -> ApiResponse {
    let body = format!(
        "<h1>You are signed in</h1>\n<p>Copy this code into the program that sent you here:</p>\n<p><code id=\"code\">{code}</code></p>"
    );
    ApiResponse::File(html::document(&format!("SUCCESS code={code}"), &body, None))
}
