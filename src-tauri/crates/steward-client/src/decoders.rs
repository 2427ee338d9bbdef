//! A door for property tests and fuzzers: whatever bytes they make up come back as a site's answer.

use url::Url;

use crate::area::Area;
use crate::http::{Canned, Http};

/// An area that answers every request with this status, content type and body, without a network.
#[must_use]
pub fn answering(status: u16, content_type: &str, body: Vec<u8>) -> Option<Area> {
    let content_type = content_type.to_owned();
    let build = move |_: &Url| {
        http::Response::builder().status(status).header("content-type", &content_type).body(body.clone())
    };
    let root = Url::parse("https://site.invalid/context").ok()?;
    build(&root).ok()?;
    let canned = Canned(Box::new(move |url| build(url).unwrap_or_default()));
    Some(Area::new(Http::canned(canned), root))
}
