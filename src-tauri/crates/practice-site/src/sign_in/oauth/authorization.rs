//! What a program asks the sign-in page for, and how it is remembered until the person has typed a password.

use crate::random;
use crate::wire::Parameters;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use url::{Host, Url};

/// The programs that may sign people in: two of the vendor's, and Site Steward.
const CLIENTS: [&str; 3] = ["pythonapi", "arcgisonline", "sitesteward"];

/// "Out of band": the person copies the code from the page.
pub(super) const OUT_OF_BAND: &str = "urn:ietf:wg:oauth:2.0:oob";

/// How long a sign-in page may stand open.
const PATIENCE: Duration = Duration::from_secs(10 * 60);
/// Pages that stand open at once. Asking for one needs no sign-in, so there must be an end.
const MANY_PAGES: usize = 1000;
/// What a program may have remembered for it: a page that stands open is kept in memory.
const LONGEST_TEXT: usize = 2048;

/// One request for authorization that can be granted.
#[derive(Clone)]
pub(super) struct Authorization {
    pub(super) client_id: String,
    pub(super) redirect: Redirect,
    pub(super) wants: Wants,
    pub(super) state: Option<String>,
    /// Minutes: of the token, or of the refresh token that a code leads to.
    pub(super) expiration: Option<i64>,
}

/// Where the answer goes.
#[derive(Clone)]
pub(super) enum Redirect {
    /// To the page itself.
    OutOfBand,
    /// To a program that listens on this machine. As it was given, and as it was understood.
    Loopback(String, Url),
}

#[derive(Clone)]
pub(super) enum Wants {
    Token,
    /// A code, and the PKCE challenge that its exchange must meet.
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

    /// As the program gave it, and must give it again with the code.
    pub(super) fn as_given(&self) -> &str {
        match self {
            Redirect::OutOfBand => OUT_OF_BAND,
            Redirect::Loopback(given, _) => given,
        }
    }
}

impl Authorization {
    /// What was asked for, or the words for what is wrong with it. The vendor's Python client looks for
    /// `Invalid redirect_uri` and then tries another one.
    pub(super) fn asked_for(parameters: &Parameters) -> Result<Authorization, &'static str> {
        let client_id = parameters.text("client_id").filter(|id| CLIENTS.contains(id));
        let client_id = client_id.ok_or("Invalid client_id")?.to_owned();
        let redirect = parameters.text("redirect_uri").filter(|given| given.len() <= LONGEST_TEXT);
        let redirect = redirect.and_then(Redirect::parse);
        let redirect = redirect.ok_or("Invalid redirect_uri")?;
        let wants = match (parameters.text("response_type"), &redirect) {
            (Some("token"), Redirect::Loopback(..)) => Wants::Token,
            (Some("code"), _) => Wants::Code(challenge(parameters)?),
            _ => return Err("Invalid response_type"),
        };
        let state = parameters.text("state").map(str::to_owned);
        if state.as_deref().is_some_and(|state| state.len() > LONGEST_TEXT) {
            return Err("Invalid state");
        }
        Ok(Authorization { client_id, redirect, wants, state, expiration: parameters.number("expiration") })
    }
}

fn challenge(parameters: &Parameters) -> Result<Option<String>, &'static str> {
    match (parameters.text("code_challenge"), parameters.text("code_challenge_method")) {
        (None, None) => Ok(None),
        // 32 bytes in base64url.
        (Some(challenge), Some("S256")) if challenge.len() == 43 => Ok(Some(challenge.to_owned())),
        // `plain` protects nobody who can read the first request.
        _ => Err("Invalid code_challenge"),
    }
}

/// The sign-in pages that stand open, by the `oauth_state` that each carries. In memory: after a restart the
/// person begins again.
#[derive(Default)]
pub(crate) struct Authorizations(Mutex<HashMap<String, (Authorization, Instant)>>);

impl Authorizations {
    /// Remembers a request, and gives the page its `oauth_state`.
    pub(super) fn open(&self, authorization: Authorization) -> anyhow::Result<String> {
        let state = random::hex_secret::<24>()?;
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, (_, since)| since.elapsed() < PATIENCE);
        if open.len() >= MANY_PAGES {
            let oldest = open.iter().min_by_key(|(_, (_, since))| *since).map(|(state, _)| state.clone());
            oldest.and_then(|state| open.remove(&state));
        }
        open.insert(state.clone(), (authorization, Instant::now()));
        Ok(state)
    }

    pub(super) fn find(&self, state: &str) -> Option<Authorization> {
        let open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.get(state).filter(|(_, since)| since.elapsed() < PATIENCE).map(|(found, _)| found.clone())
    }

    /// The same for the last time: nobody else gets an answer on this page.
    pub(super) fn close(&self, state: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(state).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_goes_to_this_machine_or_to_the_page_and_nowhere_else() {
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
    fn pages_that_nobody_fills_in_do_not_pile_up() {
        let pages = Authorizations::default();
        let authorization = Authorization {
            client_id: "pythonapi".into(),
            redirect: Redirect::OutOfBand,
            wants: Wants::Code(None),
            state: None,
            expiration: None,
        };
        let first = pages.open(authorization.clone()).unwrap();
        for _ in 0..MANY_PAGES {
            pages.open(authorization.clone()).unwrap();
        }
        assert!(pages.find(&first).is_none());
        assert_eq!(pages.0.lock().unwrap().len(), MANY_PAGES);
    }
}
