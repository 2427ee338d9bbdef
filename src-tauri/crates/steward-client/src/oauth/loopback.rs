//! Loopback HTTP server that receives the authorization code from the browser (RFC 8252, 7.3).
//!
//! [`Loopback::listen`] opens the port, [`Loopback::code`] waits for the code. The server listens on 127.0.0.1 only and
//! accepts only requests with the `state` of the sign-in.

use std::net::Ipv4Addr;
use std::time::Duration;

use steward_vault::Secret;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use url::form_urlencoded;

use super::authorization::Authorization;

/// Ports that the browser can return to, in the order in which they are tried. A portal accepts registered redirect
/// addresses only, port included, so the list never changes. They are below those that systems give to outgoing
/// connections, and apart from each other: Windows reserves ranges.
pub const PORTS: [u16; 4] = [17_643, 20_683, 23_917, 28_491];

/// Maximum length of a request head, in bytes.
const MAX_REQUEST_HEAD: usize = 16 * 1024;
/// Timeout for reading a request and for writing a response.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum number of concurrent connections. Browsers open a few in advance.
const MAX_CONNECTIONS: usize = 16;

/// Listener for one redirect from the browser. Dropping it, or the future of [`Loopback::code`], closes the port.
#[derive(Debug)]
pub struct Loopback {
    listener: TcpListener,
    port: u16,
    pages: Pages,
}

/// Pages shown in the browser, in the UI language. Each is a title and a sentence, as plain text.
#[derive(Debug, Clone)]
pub struct Pages {
    /// Language tag, for example `de`.
    pub language: String,
    /// Page after a received code.
    pub welcome: (String, String),
    /// Page after a sign-in that the portal or the user declined.
    pub declined: (String, String),
    /// Page for every other request.
    pub stranger: (String, String),
}

impl Default for Pages {
    fn default() -> Self {
        let page = |title: &str, words: &str| (title.to_owned(), words.to_owned());
        Self {
            language: "en".to_owned(),
            welcome: page(
                "Return to Site Steward",
                "The portal has sent your authorization to the app. You can close this page. The app shows whether \
                 you are signed in.",
            ),
            declined: page(
                "You are not signed in",
                "The portal rejected the sign-in. Site Steward shows the reason.",
            ),
            stranger: page("This page has expired", "Sign in again in Site Steward."),
        }
    }
}

/// Reason why no authorization code was received.
#[derive(Debug, thiserror::Error)]
pub enum NoCode {
    /// The portal or the user declined the sign-in.
    #[error("the portal declined the sign-in: {reason}")]
    Declined {
        /// Reason, as returned by the portal; at most 300 characters.
        reason: String,
    },
    /// The browser did not return within the timeout.
    #[error("no response from the browser")]
    TooLate,
    /// The port could not be read.
    #[error("the browser's answer could not be received")]
    Port(#[source] std::io::Error),
}

impl Loopback {
    /// Opens a listener on the first of `ports` that is free, in the app [`PORTS`]. `None` if another sign-in or
    /// another program uses each of them.
    pub async fn listen(ports: &[u16]) -> Option<Self> {
        for port in ports {
            let opened = TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).await;
            match opened.and_then(|listener| Ok((listener.local_addr()?.port(), listener))) {
                Ok((port, listener)) => return Some(Self { listener, port, pages: Pages::default() }),
                Err(error) => tracing::info!(port, %error, "a port for the browser is not free"),
            }
        }
        None
    }

    /// Replaces the English pages.
    #[must_use]
    pub fn showing(self, pages: Pages) -> Self {
        Self { pages, ..self }
    }

    /// Returns the redirect URI for the authorization request.
    #[must_use]
    pub fn redirect_uri(&self) -> String {
        redirect_uri(self.port)
    }

    /// Waits up to `timeout` for the redirect that belongs to `authorization`, and returns its code.
    ///
    /// Other requests get a 400 response and do not end the wait. Dropping the future closes the port.
    ///
    /// # Errors
    /// - [`NoCode::Declined`] if the portal or the user declined the sign-in.
    /// - [`NoCode::TooLate`] if no redirect arrives within `timeout`.
    /// - [`NoCode::Port`] if the port cannot be read.
    pub async fn code(
        self,
        authorization: &Authorization,
        timeout: Duration,
    ) -> Result<Secret<String>, NoCode> {
        tokio::time::timeout(timeout, self.first_redirect(authorization))
            .await
            .unwrap_or(Err(NoCode::TooLate))
    }

    async fn first_redirect(&self, authorization: &Authorization) -> Result<Secret<String>, NoCode> {
        let mut connections = JoinSet::new();
        loop {
            tokio::select! {
                // At most MAX_CONNECTIONS are accepted before one of them is looked at.
                biased;
                arrived = self.listener.accept(), if connections.len() < MAX_CONNECTIONS => {
                    let (stream, _) = arrived.map_err(NoCode::Port)?;
                    // Read connections concurrently: a slow one must not delay the redirect.
                    connections.spawn(request_line(stream, self.port, self.pages.clone()));
                }
                Some(request) = connections.join_next(), if !connections.is_empty() => {
                    let Ok(Some((mut stream, target))) = request else { continue };
                    match read(&target, authorization) {
                        None => self.pages.send(&mut stream, "400 Bad Request", &self.pages.stranger).await,
                        Some(Ok(code)) => {
                            self.pages.send(&mut stream, "200 OK", &self.pages.welcome).await;
                            return Ok(code);
                        }
                        Some(Err(declined)) => {
                            self.pages.send(&mut stream, "200 OK", &self.pages.declined).await;
                            return Err(declined);
                        }
                    }
                }
            }
        }
    }
}

/// Returns the redirect URI of a port.
pub(super) fn redirect_uri(port: u16) -> String {
    format!("http://127.0.0.1:{port}/")
}

/// Reads the target of a request. `None` if the request is invalid or too slow; then a 400 response was sent.
async fn request_line(mut stream: TcpStream, port: u16, pages: Pages) -> Option<(TcpStream, String)> {
    let head = tokio::time::timeout(REQUEST_TIMEOUT, head(&mut stream)).await.ok().flatten();
    let target = head.as_deref().and_then(|head| target(head, port));
    if target.is_none() {
        pages.send(&mut stream, "400 Bad Request", &pages.stranger).await;
    }
    target.map(|target| (stream, target))
}

async fn head(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    let mut piece = [0; 2048];
    while !bytes.windows(4).any(|four| four == b"\r\n\r\n") {
        let read = stream.read(&mut piece).await.ok()?;
        if read == 0 || bytes.len() + read > MAX_REQUEST_HEAD {
            return None;
        }
        bytes.extend_from_slice(&piece[..read]);
    }
    String::from_utf8(bytes).ok()
}

/// Returns the target of a GET request whose only `Host` is this listener. Other hosts are rejected, because a web page
/// can direct a browser here under its own name (DNS rebinding).
fn target(head: &str, port: u16) -> Option<String> {
    let mut lines = head.split("\r\n");
    let target = lines.next()?.strip_prefix("GET ")?.split(' ').next()?;
    let mut hosts = lines
        .filter_map(|line| line.split_once(':'))
        .filter(|(name, _)| name.eq_ignore_ascii_case("host"))
        .map(|(_, host)| host.trim());
    let is_here = hosts.next() == Some(format!("127.0.0.1:{port}").as_str()) && hosts.next().is_none();
    is_here.then(|| target.to_owned())
}

/// Returns the code or the error in a target. `None` if it does not belong to this sign-in.
fn read(target: &str, authorization: &Authorization) -> Option<Result<Secret<String>, NoCode>> {
    let query = target.strip_prefix("/?")?;
    let value = |name: &str| {
        let mut all = form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| key == name);
        let first = all.next().map(|(_, value)| value.into_owned());
        // A repeated parameter is ambiguous, so it is ignored.
        if all.next().is_some() { None } else { first }
    };
    if !authorization.is_ours(&value("state")?) {
        return None;
    }
    if let Some(code) = value("code").filter(|code| !code.is_empty()) {
        return Some(Ok(Secret::new(code)));
    }
    let reason = value("error_description").or_else(|| value("error"))?;
    Some(Err(NoCode::Declined { reason: reason.chars().take(300).collect() }))
}

impl Pages {
    /// Sends a page and closes the connection. The page contains nothing from the request.
    async fn send(&self, stream: &mut TcpStream, status: &str, (title, words): &(String, String)) {
        let page = format!(
            "<!doctype html><html lang=\"{language}\"><meta charset=\"utf-8\"><title>{title}</title>\
             <h1>{title}</h1><p>{words}</p></html>\n",
            language = self.language
        );
        let response = format!(
            "HTTP/1.1 {status}\r\ncontent-type: text/html;charset=utf-8\r\ncontent-length: {length}\r\n\
             content-security-policy: default-src 'none'; frame-ancestors 'none'\r\nreferrer-policy: no-referrer\r\n\
             cache-control: no-store\r\nconnection: close\r\n\r\n{page}",
            length = page.len()
        );
        // A client that does not read the response is ignored.
        let _ = tokio::time::timeout(REQUEST_TIMEOUT, async {
            stream.write_all(response.as_bytes()).await?;
            stream.shutdown().await
        })
        .await;
    }
}
