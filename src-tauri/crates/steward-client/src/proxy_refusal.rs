//! Reason why a proxy opens no connection to a site.
//!
//! The HTTP library reports that a tunnel failed, and no reason. [`ask`] requests the tunnel once more: nothing but the name
//! of the host is sent through it.

use std::time::Duration;

use http::HeaderValue;
use serde::Serialize;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use url::Url;

/// Time limit for the response of the proxy.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum length of the head of its response, in bytes.
const LONGEST_HEAD: usize = 32 * 1024;
/// Maximum number of schemes, and of characters in the name of one.
const MOST_SCHEMES: usize = 8;
const LONGEST_SCHEME: usize = 20;

/// Proxy that opened no connection to a site, and its response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct ProxyRefusal {
    /// URL of the proxy: scheme, host and port.
    pub proxy: String,
    /// Host and port of the site.
    pub target: String,
    /// HTTP status of the response; `None` if the proxy did not respond.
    pub status: Option<u16>,
    /// Authentication schemes that the proxy offers, for example `Negotiate`.
    pub schemes: Vec<String>,
}

/// Proxy of a request.
#[derive(Debug, Clone)]
pub(crate) struct UsedProxy {
    /// URL without credentials.
    pub(crate) url: Url,
    /// Value of `Proxy-Authorization`.
    pub(crate) authorization: Option<HeaderValue>,
}

impl UsedProxy {
    /// Returns host and port.
    pub(crate) fn place(&self) -> (&str, u16) {
        let host = self.url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        (host, self.url.port_or_known_default().unwrap_or(80))
    }

    fn origin(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        format!("{}://{host}:{}", self.url.scheme(), self.url.port_or_known_default().unwrap_or_default())
    }
}

/// Returns why `proxy` opens no connection to the host of `site`. `status` is what the library knows of it.
pub(crate) async fn ask(proxy: &UsedProxy, site: &Url, status: Option<u16>) -> ProxyRefusal {
    let host = site.host_str().unwrap_or_default();
    let target = format!("{host}:{}", site.port_or_known_default().unwrap_or_default());
    let known = ProxyRefusal { proxy: proxy.origin(), target, status, schemes: Vec::new() };
    // For a proxy over TLS, the status that the library knows has to be enough.
    if proxy.url.scheme() != "http" {
        return known;
    }
    let head = tokio::time::timeout(TIMEOUT, head(proxy, &known.target)).await.ok().and_then(Result::ok);
    match head.as_deref().and_then(read) {
        // The proxy opens a tunnel now: the reason was temporary.
        Some((200..300, _)) | None => known,
        Some((status, schemes)) => ProxyRefusal { status: Some(status), schemes, ..known },
    }
}

async fn head(proxy: &UsedProxy, target: &str) -> std::io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(proxy.place()).await?;
    request_tunnel(proxy, target, &mut stream).await
}

/// Requests a tunnel to `target` on a connection to `proxy`, and returns the head of the response.
async fn request_tunnel(
    proxy: &UsedProxy,
    target: &str,
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
) -> std::io::Result<Vec<u8>> {
    let mut request = format!("CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n").into_bytes();
    if let Some(authorization) = &proxy.authorization {
        request.extend([b"Proxy-Authorization: ", authorization.as_bytes(), b"\r\n"].concat());
    }
    request.extend(b"\r\n");
    stream.write_all(&request).await?;
    let mut head = Vec::new();
    while head.len() < LONGEST_HEAD && !head.windows(4).any(|end| end == b"\r\n\r\n") {
        if stream.read_buf(&mut head).await? == 0 {
            break;
        }
    }
    Ok(head)
}

/// Opens a tunnel to `target` on a connection to `proxy`.
///
/// # Errors
/// The response of a proxy that opens none. Its status is `None` if there is no response.
pub(crate) async fn open_tunnel(
    proxy: &UsedProxy,
    target: &str,
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
) -> Result<(), ProxyRefusal> {
    let head = request_tunnel(proxy, target, stream).await.unwrap_or_default();
    let (status, schemes) = match read(&head) {
        Some((200..300, _)) => return Ok(()),
        Some((status, schemes)) => (Some(status), schemes),
        None => (None, Vec::new()),
    };
    Err(ProxyRefusal { proxy: proxy.origin(), target: target.to_owned(), status, schemes })
}

/// Returns status and schemes of a response.
fn read(head: &[u8]) -> Option<(u16, Vec<String>)> {
    let text = String::from_utf8_lossy(head);
    let mut lines = text.lines();
    let status = lines.next()?.strip_prefix("HTTP/1.")?.split(' ').nth(1)?.parse().ok()?;
    let challenges = lines.filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("proxy-authenticate").then_some(value)
    });
    Some((status, schemes(challenges)))
}

/// Returns the schemes in the values of `Proxy-Authenticate` or `WWW-Authenticate`, each once (RFC 9110, 11.3 and
/// 11.6.1).
pub(crate) fn schemes<'a>(challenges: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for part in challenges.flat_map(parts) {
        let part = part.trim();
        let end = part.find(|letter: char| !is_of_a_token(letter)).unwrap_or(part.len());
        let (scheme, rest) = part.split_at(end);
        // A word with `=` behind it is no scheme, but a parameter of the scheme before it.
        let is_scheme =
            !scheme.is_empty() && scheme.len() <= LONGEST_SCHEME && !rest.trim_start().starts_with('=');
        if is_scheme
            && found.len() < MOST_SCHEMES
            && !found.iter().any(|one| one.eq_ignore_ascii_case(scheme))
        {
            found.push(scheme.to_owned());
        }
    }
    found
}

/// Splits at the commas outside quotation marks.
fn parts(value: &str) -> Vec<&str> {
    let (mut parts, mut from, mut is_quoted, mut is_escaped) = (Vec::new(), 0, false, false);
    for (at, letter) in value.char_indices() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => {
                parts.push(&value[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&value[from..]);
    parts
}

fn is_of_a_token(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schemes_are_read_from_one_header_or_several() {
        for (challenges, right) in [
            (&["Negotiate"][..], &["Negotiate"][..]),
            (&["Negotiate", "NTLM"], &["Negotiate", "NTLM"]),
            (&["Negotiate, NTLM, Basic realm=\"a, Digest b\""], &["Negotiate", "NTLM", "Basic"]),
            (&["NTLM TlRMTVNTUAAC=="], &["NTLM"]),
            (&["Digest realm=\"x\", nonce=\"a\\\", Bearer\", qop = auth"], &["Digest"]),
            (&["basic realm=x", "Basic realm=y"], &["basic"]),
            (&["Kerberos", ""], &["Kerberos"]),
            (&["<b>"], &[]),
            (&["a-name-that-is-longer-than-any-scheme"], &[]),
            (&[], &[]),
        ] {
            assert_eq!(schemes(challenges.iter().copied()), right, "{challenges:?}");
        }
    }

    #[test]
    fn the_response_of_a_proxy_is_read_and_what_is_none_is_not() {
        for (head, right) in [
            ("HTTP/1.1 403 Forbidden\r\n\r\n", Some((403, vec![]))),
            ("HTTP/1.0 503 Service Unavailable\r\nx: y\r\n\r\n", Some((503, vec![]))),
            (
                "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Negotiate\r\nproxy-authenticate: NTLM\r\n\r\n",
                Some((407, vec!["Negotiate".to_owned(), "NTLM".to_owned()])),
            ),
            ("HTTP/1.1\r\n\r\n", None),
            ("SSH-2.0-x\r\n", None),
            ("", None),
        ] {
            assert_eq!(read(head.as_bytes()), right, "{head}");
        }
    }
}
