//! Page on which users create a token in their browser, as real portals and servers have it.

use super::generate_token::{portal_token, server_token};
use crate::wire::{ApiResponse, Reply, RequestContext, html};

/// Handles `GET /portal/sharing/rest/generateToken`.
pub(crate) async fn portal_page(call: RequestContext) -> Reply {
    match is_opened(&call) {
        true => Ok(form("/portal/sharing/rest/generateToken")),
        false => portal_token(call).await,
    }
}

/// Handles `GET /server/admin/generateToken`.
pub(crate) async fn server_page(call: RequestContext) -> Reply {
    match is_opened(&call) {
        true => Ok(form(&format!("/{}/admin/generateToken", call.app.name))),
        false => server_token(call).await,
    }
}

/// Returns whether a browser opened the page: a program sends a format or a user name.
fn is_opened(call: &RequestContext) -> bool {
    let sent = |name: &str| call.parameters.text(name);
    sent("username").is_none()
        && sent("token").is_none()
        && sent("f").is_none_or(|f| f.eq_ignore_ascii_case("html"))
}

fn form(action: &str) -> ApiResponse {
    let body = format!(
        "<h1>Generate token</h1>
<form method=\"post\" action=\"{action}\">
<label>User name <input name=\"username\" autocomplete=\"username\" required autofocus></label>
<label>Password <input name=\"password\" type=\"password\" autocomplete=\"current-password\" required></label>
<label>Client <select name=\"client\">
<option value=\"referer\">Webapp URL</option>
<option value=\"ip\">IP Address</option>
<option value=\"requestip\">IP Address of this request's origin</option>
</select></label>
<label>Webapp URL (for the client Webapp URL) <input name=\"referer\"></label>
<label>IP Address (for the client IP Address) <input name=\"ip\"></label>
<label>Expiration in minutes <input name=\"expiration\" type=\"number\" value=\"60\" min=\"1\" required></label>
<label>Format <select name=\"f\"><option>html</option><option>json</option><option>pjson</option></select></label>
<button>Generate Token</button>
</form>"
    );
    ApiResponse::File(html::document("Generate token", &body, Some("")))
}
