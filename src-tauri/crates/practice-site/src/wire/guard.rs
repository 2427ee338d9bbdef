//! Keeps web pages out: a browser on this machine can be made to send requests here, but not without naming the
//! host it believes in, and the page it acts for.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, header, uri::Authority};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// What the site calls itself.
#[derive(Clone)]
pub(crate) struct Guard {
    pub(crate) scheme: &'static str,
    pub(crate) port: u16,
}

/// The only page that a page of another site may open.
const SIGN_IN_PAGE: &str = "/portal/sharing/rest/oauth2/authorize";
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const SEC_FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const SEC_FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

const OWN_NAMES: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

pub(crate) async fn keep_strangers_out(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let named_in_target = request.uri().authority().map(Authority::as_str);
    let named_in_header = single(request.headers(), header::HOST);
    let ours = [named_in_target, named_in_header].into_iter().flatten().all(|name| guard.is_our_host(name));
    if !ours || (named_in_target.is_none() && named_in_header.is_none()) {
        return (StatusCode::FORBIDDEN, "this host name is not served here").into_response();
    }
    if request.headers().contains_key(header::ORIGIN)
        && !single(request.headers(), header::ORIGIN).is_some_and(|origin| guard.is_our_origin(origin))
    {
        return (StatusCode::FORBIDDEN, "other web pages may not call this site").into_response();
    }
    if is_sent_by_another_page(&request) {
        return (StatusCode::FORBIDDEN, "other web pages may not call this site").into_response();
    }
    next.run(request).await
}

/// Whether the browser says that a page of another site, or of another port of this computer, caused the request. A
/// GET often names no origin, but browsers always name this.
fn is_sent_by_another_page(request: &Request) -> bool {
    let headers = request.headers();
    match single(headers, SEC_FETCH_SITE) {
        // Programs that are no browsers, addresses that a person opened, and our own pages.
        None | Some("none" | "same-origin") => false,
        // A program that runs in a browser sends the person to the sign-in page, which shows who asks.
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

/// The value of a header that may be given once. Twice, or unreadable, is as good as foreign.
fn single(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(&name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => Some(value.to_str().unwrap_or("unreadable")),
        (Some(_), Some(_)) => Some("given twice"),
        _ => None,
    }
}

impl Guard {
    fn is_our_host(&self, named: &str) -> bool {
        // A client leaves out the port that goes with the scheme.
        let port_goes_unsaid = self.port == if self.scheme == "https" { 443 } else { 80 };
        OWN_NAMES.iter().any(|name| {
            named.eq_ignore_ascii_case(&format!("{name}:{}", self.port))
                || (port_goes_unsaid && named.eq_ignore_ascii_case(name))
        })
    }

    fn is_our_origin(&self, origin: &str) -> bool {
        origin
            .split_once("://")
            .is_some_and(|(scheme, host)| scheme.eq_ignore_ascii_case(self.scheme) && self.is_our_host(host))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_names_with_our_port_are_ours() {
        let guard = Guard { scheme: "https", port: 4443 };
        for ours in ["127.0.0.1:4443", "localhost:4443", "LOCALHOST:4443", "[::1]:4443"] {
            assert!(guard.is_our_host(ours), "{ours}");
        }
        for foreign in ["localhost", "localhost:80", "rebound.example:4443", "127.0.0.1.example:4443", ""] {
            assert!(!guard.is_our_host(foreign), "{foreign}");
        }
        assert!(guard.is_our_origin("https://localhost:4443"));
        assert!(!guard.is_our_origin("http://localhost:4443"));
        assert!(!guard.is_our_origin("null"));
    }
}
