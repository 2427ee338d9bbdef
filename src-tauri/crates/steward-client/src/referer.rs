//! `Referer` header of the requests. A site can bind a token to it (`client=referer`).

use std::sync::Arc;

use reqwest::RequestBuilder;
use reqwest::header::REFERER as HEADER;
use url::Url;

/// Value of the `Referer` header of a session whose token was not bound to another one.
pub const REFERER: &str = "site-steward";

/// The value that the vendor's Python client binds its tokens to.
const PYTHON: &str = "http";

/// Maximum length of a web app URL, in bytes.
const LONGEST: usize = 2048;

/// Web app URL that a token is bound to: the `Referer` of every request with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Referer(Arc<str>);

impl Default for Referer {
    fn default() -> Self {
        Self(REFERER.into())
    }
}

impl Referer {
    /// Reads a web app URL as the user entered it on the site's token page. Empty is [`REFERER`]. `None` if it is
    /// neither a URL without credentials, nor [`REFERER`], nor what the vendor's Python client sends.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.is_empty() {
            return Some(Self::default());
        }
        if [REFERER, PYTHON].contains(&text) {
            return Some(Self(text.into()));
        }
        // The parser drops line breaks, and would accept a URL that differs from what was entered on the token page.
        if text.len() > LONGEST || text.contains(|letter: char| letter.is_whitespace() || letter.is_control())
        {
            return None;
        }
        let url = Url::parse(text).ok()?;
        let is_page = matches!(url.scheme(), "http" | "https") && url.has_host();
        if !is_page || !url.username().is_empty() || url.password().is_some() {
            return None;
        }
        // A site compares the header letter by letter with what was entered. A header can contain ASCII only, so that
        // other letters are encoded.
        Some(Self(if text.is_ascii() { text.into() } else { url.as_str().into() }))
    }

    /// Returns the value of the header.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Adds the header to a request.
    pub(crate) fn sign(&self, request: RequestBuilder) -> RequestBuilder {
        request.header(HEADER, self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_web_app_url_is_sent_as_it_was_entered() {
        for (entered, sent) in [
            ("", Some("site-steward")),
            (" site-steward ", Some("site-steward")),
            ("http", Some("http")),
            ("https://app.example.org", Some("https://app.example.org")),
            ("https://App.example.org/maps/?x=1", Some("https://App.example.org/maps/?x=1")),
            ("http://localhost:3000/\n", Some("http://localhost:3000/")),
            ("https://münchen.example/pläne", Some("https://xn--mnchen-3ya.example/pl%C3%A4ne")),
            ("https://app.example.org/\r\nX: y", None),
            ("https://app.example.org/\u{0}", None),
            ("https://app.example.org/a b", None),
            ("https://user:secret@app.example.org", None),
            ("app.example.org", None),
            ("ftp://app.example.org", None),
            ("javascript:alert(1)", None),
            ("https://", None),
        ] {
            assert_eq!(Referer::parse(entered).as_ref().map(Referer::as_str), sent, "{entered}");
        }
        assert_eq!(Referer::parse(&format!("https://app.example.org/{}", "x".repeat(LONGEST))), None);
    }
}
