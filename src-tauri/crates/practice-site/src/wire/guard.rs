//! Protection against web pages. A page can make a browser send requests to this computer, but the browser then adds
//! the host name it used and the origin of the page.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, header, uri::Authority};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Own scheme and port.
#[derive(Clone)]
pub(crate) struct Guard {
    pub(crate) scheme: &'static str,
    pub(crate) port: u16,
}

/// The only page that pages of other sites can open.
const SIGN_IN_PAGE: &str = "/portal/sharing/rest/oauth2/authorize";
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const SEC_FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const SEC_FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

const OWN_NAMES: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

pub(crate) async fn reject_foreign_requests(
    State(guard): State<Guard>,
    request: Request,
    next: Next,
) -> Response {
    let named_in_target = request.uri().authority().map(Authority::as_str);
    let named_in_header = single(request.headers(), header::HOST);
    let ours = [named_in_target, named_in_header].into_iter().flatten().all(|name| guard.is_own_host(name));
    if !ours || (named_in_target.is_none() && named_in_header.is_none()) {
        return (StatusCode::FORBIDDEN, "this host name is not served here").into_response();
    }
    if request.headers().contains_key(header::ORIGIN)
        && !single(request.headers(), header::ORIGIN).is_some_and(|origin| guard.is_own_origin(origin))
    {
        return (StatusCode::FORBIDDEN, "other web pages may not call this site").into_response();
    }
    if is_sent_by_another_page(&request) {
        return (StatusCode::FORBIDDEN, "other web pages may not call this site").into_response();
    }
    next.run(request).await
}

/// Returns whether a browser reports that a page of another site or port caused the request. A GET often has no
/// `Origin`, but browsers always send `Sec-Fetch-Site`.
fn is_sent_by_another_page(request: &Request) -> bool {
    let headers = request.headers();
    match single(headers, SEC_FETCH_SITE) {
        // Other programs, URLs that the user opened, and pages of this site.
        None | Some("none" | "same-origin") => false,
        // A web application can open the sign-in page, which shows the client ID.
        Some("same-site" | "cross-site") => {
            let is_sign_in =
                request.method() == Method::GET && request.uri().path().trim_end_matches('/') == SIGN_IN_PAGE;
            let is_page = single(headers, SEC_FETCH_MODE) == Some("navigate")
                && single(headers, SEC_FETCH_DEST) == Some("document");
            !(is_sign_in && is_page)
        }
        Some(_) => true,
    }
}

/// Returns the value of a header. `None` if it is missing, repeated or not text.
fn single(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(&name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => Some(value.to_str().unwrap_or("unreadable")),
        (Some(_), Some(_)) => Some("given twice"),
        _ => None,
    }
}

impl Guard {
    fn is_own_host(&self, named: &str) -> bool {
        // Clients omit the default port of the scheme.
        let port_goes_unsaid = self.port == if self.scheme == "https" { 443 } else { 80 };
        OWN_NAMES.iter().any(|name| {
            named.eq_ignore_ascii_case(&format!("{name}:{}", self.port))
                || (port_goes_unsaid && named.eq_ignore_ascii_case(name))
        })
    }

    fn is_own_origin(&self, origin: &str) -> bool {
        origin
            .split_once("://")
            .is_some_and(|(scheme, host)| scheme.eq_ignore_ascii_case(self.scheme) && self.is_own_host(host))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_names_with_the_own_port_are_accepted() {
        let guard = Guard { scheme: "https", port: 4443 };
        for ours in ["127.0.0.1:4443", "localhost:4443", "LOCALHOST:4443", "[::1]:4443"] {
            assert!(guard.is_own_host(ours), "{ours}");
        }
        for foreign in ["localhost", "localhost:80", "rebound.example:4443", "127.0.0.1.example:4443", ""] {
            assert!(!guard.is_own_host(foreign), "{foreign}");
        }
        assert!(guard.is_own_origin("https://localhost:4443"));
        assert!(!guard.is_own_origin("http://localhost:4443"));
        assert!(!guard.is_own_origin("null"));
    }
}
