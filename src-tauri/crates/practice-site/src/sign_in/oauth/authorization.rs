//! Authorization requests, and their storage until the user enters a password.

use crate::random;
use crate::wire::Parameters;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use url::{Host, Url};

/// Registered client IDs: two of the vendor, and Site Steward.
const CLIENTS: [&str; 3] = ["pythonapi", "arcgisonline", "sitesteward"];

/// The client ID whose redirect URLs are registered one by one. The vendor's programs listen at any port.
const STRICT_CLIENT: &str = "sitesteward";

/// Redirect URLs that Site Steward registers at a portal. The app has the same list.
const REGISTERED: [&str; 5] = [
    "http://127.0.0.1:17643/",
    "http://127.0.0.1:20683/",
    "http://127.0.0.1:23917/",
    "http://127.0.0.1:28491/",
    OUT_OF_BAND,
];

/// Redirect URI for showing the code on the page.
pub(super) const OUT_OF_BAND: &str = "urn:ietf:wg:oauth:2.0:oob";

/// Time until a sign-in page expires.
const PAGE_LIFETIME: Duration = Duration::from_secs(10 * 60);
/// Maximum number of open sign-in pages. Opening one requires no sign-in, so the number is limited.
const MAX_PAGES: usize = 1000;
/// Maximum length of a client-supplied text, because open pages are kept in memory.
const LONGEST_TEXT: usize = 2048;

/// Valid authorization request.
#[derive(Clone)]
pub(super) struct Authorization {
    pub(super) client_id: String,
    pub(super) redirect: Redirect,
    pub(super) response_type: ResponseType,
    pub(super) state: Option<String>,
    /// Requested lifetime, in minutes: of the token, or of the refresh token that a code is exchanged for.
    pub(super) expiration: Option<i64>,
}

/// Target of the response.
#[derive(Clone)]
pub(super) enum Redirect {
    /// The sign-in page itself.
    OutOfBand,
    /// A program that listens on this computer: the URI as given, and parsed.
    Loopback(String, Url),
}

#[derive(Clone)]
pub(super) enum ResponseType {
    Token,
    /// Authorization code, with the PKCE challenge of its exchange.
    Code(Option<String>),
}

impl Redirect {
    fn parse(given: &str) -> Option<Redirect> {
        if given == OUT_OF_BAND {
            return Some(Redirect::OutOfBand);
        }
        let url = Url::parse(given).ok()?;
        let here = match url.host()? {
            Host::Domain(name) => name == "localhost",
            Host::Ipv4(address) => address.is_loopback(),
            Host::Ipv6(address) => address.is_loopback(),
        };
        let plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
        (here && plain && matches!(url.scheme(), "http" | "https"))
            .then(|| Redirect::Loopback(given.to_owned(), url))
    }

    /// Returns the redirect URI as given. The exchange of the code must repeat it.
    pub(super) fn as_given(&self) -> &str {
        match self {
            Redirect::OutOfBand => OUT_OF_BAND,
            Redirect::Loopback(given, _) => given,
        }
    }
}

impl Authorization {
    /// Reads an authorization request.
    ///
    /// # Errors
    /// Returns the message of the first invalid parameter. The vendor's Python client searches for `Invalid
    /// redirect_uri` and then sends another one.
    pub(super) fn read(
        parameters: &Parameters,
        registered: &RegisteredRedirects,
    ) -> Result<Authorization, &'static str> {
        let client_id = parameters.text("client_id").filter(|id| CLIENTS.contains(id));
        let client_id = client_id.ok_or("Invalid client_id")?.to_owned();
        let redirect = parameters.text("redirect_uri").filter(|given| given.len() <= LONGEST_TEXT);
        // Compared letter by letter, as a portal does: the port counts, and so does the last slash.
        let is_registered = |given: &&str| client_id != STRICT_CLIENT || registered.has(given);
        let redirect = redirect.filter(is_registered).and_then(Redirect::parse);
        let redirect = redirect.ok_or("Invalid redirect_uri")?;
        let response_type = match (parameters.text("response_type"), &redirect) {
            (Some("token"), Redirect::Loopback(..)) => ResponseType::Token,
            (Some("code"), _) => ResponseType::Code(challenge(parameters)?),
            _ => return Err("Invalid response_type"),
        };
        let state = parameters.text("state").map(str::to_owned);
        if state.as_deref().is_some_and(|state| state.len() > LONGEST_TEXT) {
            return Err("Invalid state");
        }
        Ok(Authorization {
            client_id,
            redirect,
            response_type,
            state,
            expiration: parameters.number("expiration"),
        })
    }
}

fn challenge(parameters: &Parameters) -> Result<Option<String>, &'static str> {
    match (parameters.text("code_challenge"), parameters.text("code_challenge_method")) {
        (None, None) => Ok(None),
        // 32 bytes in base64url.
        (Some(challenge), Some("S256")) if challenge.len() == 43 => Ok(Some(challenge.to_owned())),
        // `plain` does not protect against a reader of the first request.
        _ => Err("Invalid code_challenge"),
    }
}

/// Redirect URLs of [`STRICT_CLIENT`].
pub(crate) struct RegisteredRedirects(Mutex<Vec<String>>);

impl Default for RegisteredRedirects {
    fn default() -> Self {
        Self(Mutex::new(REGISTERED.map(str::to_owned).to_vec()))
    }
}

impl RegisteredRedirects {
    /// Registers other addresses in place of the present ones.
    pub(crate) fn replace(&self, addresses: Vec<String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = addresses;
    }

    fn has(&self, address: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().any(|one| one == address)
    }
}

/// Open sign-in pages by their `oauth_state`. In memory only: after a restart, users must start again.
#[derive(Default)]
pub(crate) struct Authorizations(Mutex<HashMap<String, (Authorization, Instant)>>);

impl Authorizations {
    /// Stores a request and returns the `oauth_state` of its page.
    pub(super) fn open(&self, authorization: Authorization) -> anyhow::Result<String> {
        let state = random::hex_secret::<24>()?;
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, (_, since)| since.elapsed() < PAGE_LIFETIME);
        if open.len() >= MAX_PAGES {
            let oldest = open.iter().min_by_key(|(_, (_, since))| *since).map(|(state, _)| state.clone());
            oldest.and_then(|state| open.remove(&state));
        }
        open.insert(state.clone(), (authorization, Instant::now()));
        Ok(state)
    }

    pub(super) fn find(&self, state: &str) -> Option<Authorization> {
        let open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.get(state).filter(|(_, since)| since.elapsed() < PAGE_LIFETIME).map(|(found, _)| found.clone())
    }

    /// Removes the page and returns whether it was open. Each page is answered once.
    pub(super) fn close(&self, state: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(state).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirect_is_limited_to_this_computer_and_the_page() {
        for good in [OUT_OF_BAND, "http://127.0.0.1:5000/done", "https://localhost:7443", "http://[::1]:1/"] {
            assert!(Redirect::parse(good).is_some(), "{good}");
        }
        for bad in [
            "https://www.example.com",
            "http://127.0.0.1.example.com/",
            "http://localhost.example.com/",
            "http://localhost@example.com/",
            "http://example.com#@localhost/",
            "javascript:alert(1)//localhost",
            "ftp://localhost/",
            "//localhost",
            "http://localhost/#part",
            "",
        ] {
            assert!(Redirect::parse(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn number_of_open_pages_is_limited() {
        let pages = Authorizations::default();
        let authorization = Authorization {
            client_id: "pythonapi".into(),
            redirect: Redirect::OutOfBand,
            response_type: ResponseType::Code(None),
            state: None,
            expiration: None,
        };
        let first = pages.open(authorization.clone()).unwrap();
        for _ in 0..MAX_PAGES {
            pages.open(authorization.clone()).unwrap();
        }
        assert!(pages.find(&first).is_none());
        assert_eq!(pages.0.lock().unwrap().len(), MAX_PAGES);
    }
}
