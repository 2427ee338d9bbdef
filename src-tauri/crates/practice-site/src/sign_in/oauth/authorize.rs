//! `oauth2/authorize`: the sign-in page.

use super::authorization::{Authorization, Redirect};
use crate::wire::{Answer, Call, Reply, html};
use serde_json::json;

/// The page on which a person gives name and password to the portal, and not to the program that asks.
pub(crate) async fn authorize(call: Call) -> Reply {
    let authorization = match Authorization::asked_for(&call.parameters) {
        Ok(authorization) => authorization,
        Err(wrong) => return Ok(cannot(wrong)),
    };
    let oauth_state = call.app.authorizations.open(authorization.clone())?;
    Ok(sign_in_page(&authorization, &oauth_state, None))
}

/// A page that leads nowhere: whatever is wrong, the person must not be sent on with it.
pub(super) fn cannot(wrong: &str) -> Answer {
    let body = format!("<h1>Sign-in is not possible</h1>\n<p role=\"alert\">{}</p>", html::escape(wrong));
    Answer::File(html::document("Sign-in is not possible", &body, None))
}

pub(super) fn sign_in_page(
    authorization: &Authorization,
    oauth_state: &str,
    message: Option<&str>,
) -> Answer {
    // On one line, and without another brace: the vendor's Python client reads the object out of it.
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
    // A browser holds the answer to a form to the policy of the form's page.
    let next = match &authorization.redirect {
        Redirect::OutOfBand => None,
        Redirect::Loopback(_, url) => Some(url.origin().ascii_serialization()),
    };
    Answer::File(html::document("Sign in", &body, next.as_deref().or(Some(""))))
}
