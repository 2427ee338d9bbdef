//! `oauth2/authorize`: the sign-in page.

use super::authorization::{Authorization, Redirect};
use crate::fault_injection::InjectedFault;
use crate::wire::{ApiResponse, Reply, RequestContext, html};
use axum::http::StatusCode;
use serde_json::json;

/// Returns the page on which the user enters name and password.
pub(crate) async fn authorize(call: RequestContext) -> Reply {
    if call.fault == Some(InjectedFault::UnregisteredRedirect) {
        return Ok(rejected("Invalid redirect_uri"));
    }
    let authorization = match Authorization::read(&call.parameters, &call.app.registered_redirects) {
        Ok(authorization) => authorization,
        Err(wrong) => return Ok(rejected(wrong)),
    };
    let oauth_state = call.app.authorizations.open(authorization.clone())?;
    Ok(sign_in_page(&authorization, &oauth_state, None))
}

/// Returns the page of a rejected request, with the error as portals show it.
fn rejected(wrong: &str) -> ApiResponse {
    let mut page = html::document(
        "Error",
        &format!(
            "<h1>Error: 400</h1>\n<p role=\"alert\">{}</p>\n<p>Close this page. Check the registration of the app, then sign in again.</p>",
            html::escape(wrong)
        ),
        None,
    );
    *page.status_mut() = StatusCode::BAD_REQUEST;
    ApiResponse::File(page)
}

/// Returns an error page. An invalid request must not redirect the user.
pub(super) fn cannot(wrong: &str) -> ApiResponse {
    let body = format!("<h1>Sign-in is not possible</h1>\n<p role=\"alert\">{}</p>", html::escape(wrong));
    ApiResponse::File(html::document("Sign-in is not possible", &body, None))
}

pub(super) fn sign_in_page(
    authorization: &Authorization,
    oauth_state: &str,
    message: Option<&str>,
) -> ApiResponse {
    // On one line and without another brace: the vendor's Python client extracts the object from the page.
    let info = match message {
        None => json!({ "oauth_state": oauth_state }),
        Some(message) => json!({ "oauth_state": oauth_state, "messages": [message] }),
    };
    let message =
        message.map_or(String::new(), |text| format!("<p role=\"alert\">{}</p>\n", html::escape(text)));
    let body = format!(
        "<h1>Sign in to the practice site</h1>
<p>The program <b>{client}</b> asks to act for you.</p>
{message}<form method=\"post\" action=\"/portal/sharing/oauth2/signin\">
<input type=\"hidden\" name=\"oauth_state\" value=\"{oauth_state}\">
<label>User name <input name=\"username\" autocomplete=\"username\" required autofocus></label>
<label>Password <input name=\"password\" type=\"password\" autocomplete=\"current-password\" required></label>
<button>Sign in</button>
</form>
<script type=\"text/plain\">
var oAuthInfo = {info};
</script>",
        client = html::escape(&authorization.client_id),
        oauth_state = html::escape(oauth_state),
        info = info.to_string().replace('<', "\\u003c"),
    );
    // Browsers apply the form-action policy of this page to the redirect after the form is submitted.
    let next = match &authorization.redirect {
        Redirect::OutOfBand => None,
        Redirect::Loopback(_, url) => Some(url.origin().ascii_serialization()),
    };
    ApiResponse::File(html::document("Sign in", &body, next.as_deref().or(Some(""))))
}
