//! The one page this program serves: where the browser brings the code.

use std::net::Ipv4Addr;
use std::time::Duration;

use steward_vault::Secret;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;
use url::form_urlencoded;

use super::{Authorization, CannotBegin};

/// A browser sends one line that matters and some headers.
const LONGEST_REQUEST: usize = 16 * 1024;
/// A connection that says nothing must not be waited for.
const REQUEST_WITHIN: Duration = Duration::from_secs(10);
/// Browsers open a few connections ahead; whatever opens more is no browser.
const MOST_AT_ONCE: usize = 16;

/// A port of this machine that waits for one browser. Dropping it, or the future of [`Loopback::code`], closes it.
#[derive(Debug)]
pub struct Loopback {
    listener: TcpListener,
    port: u16,
    pages: Pages,
}

/// What the browser shows, in the language of whoever looks at it. Plain text, a title and a sentence each.
#[derive(Debug, Clone)]
pub struct Pages {
    /// The language, as in `de`.
    pub language: String,
    /// The code has come.
    pub welcome: (String, String),
    /// The portal, or the person at its page, said no.
    pub declined: (String, String),
    /// For whoever else knocks.
    pub stranger: (String, String),
}

impl Default for Pages {
    fn default() -> Self {
        let page = |title: &str, words: &str| (title.to_owned(), words.to_owned());
        Self {
            language: "en".to_owned(),
            welcome: page("You are signed in", "Go back to Site Steward. This page can be closed."),
            declined: page(
                "You are not signed in",
                "The portal did not allow it. Go back to Site Steward to see why.",
            ),
            stranger: page("Nothing is here", "Begin to sign in again in Site Steward."),
        }
    }
}

/// Why no code came.
#[derive(Debug, thiserror::Error)]
pub enum NoCode {
    /// The portal, or the person at its page, said no.
    #[error("the portal did not grant it: {reason}")]
    Declined {
        /// In the portal's words.
        reason: String,
    },
    /// Nobody came back from the browser in time.
    #[error("nobody came back from the browser")]
    TooLate,
    /// The port was taken away.
    #[error("the browser's answer could not be received")]
    Port(#[source] std::io::Error),
}

impl Loopback {
    /// Waits on a free port, or on the one that a portal was told of.
    ///
    /// # Errors
    /// When the port cannot be had.
    pub async fn listen(port: Option<u16>) -> Result<Self, CannotBegin> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port.unwrap_or(0))).await?;
        let port = listener.local_addr()?.port();
        Ok(Self { listener, port, pages: Pages::default() })
    }

    /// With these pages instead of the English ones.
    #[must_use]
    pub fn showing(self, pages: Pages) -> Self {
        Self { pages, ..self }
    }

    /// The address the browser is sent back to.
    #[must_use]
    pub fn redirect_uri(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Waits for the browser to bring the answer to `authorization`. Whoever else knocks gets a plain refusal and
    /// ends nothing. Dropping the future stops waiting and closes the port.
    ///
    /// # Errors
    /// See [`NoCode`].
    pub async fn code(
        self,
        authorization: &Authorization,
        patience: Duration,
    ) -> Result<Secret<String>, NoCode> {
        timeout(patience, self.first_answer(authorization)).await.unwrap_or(Err(NoCode::TooLate))
    }

    async fn first_answer(&self, authorization: &Authorization) -> Result<Secret<String>, NoCode> {
        let mut visitors = JoinSet::new();
        loop {
            tokio::select! {
                arrived = self.listener.accept(), if visitors.len() < MOST_AT_ONCE => {
                    let (stream, _) = arrived.map_err(NoCode::Port)?;
                    // Read apart from each other: one that dawdles must not stand in front of the right one.
                    visitors.spawn(request_line(stream, self.port, self.pages.clone()));
                }
                Some(heard) = visitors.join_next(), if !visitors.is_empty() => {
                    let Ok(Some((mut stream, target))) = heard else { continue };
                    match read(&target, authorization) {
                        None => self.pages.say(&mut stream, "400 Bad Request", &self.pages.stranger).await,
                        Some(Ok(code)) => {
                            self.pages.say(&mut stream, "200 OK", &self.pages.welcome).await;
                            return Ok(code);
                        }
                        Some(Err(declined)) => {
                            self.pages.say(&mut stream, "200 OK", &self.pages.declined).await;
                            return Err(declined);
                        }
                    }
                }
            }
        }
    }
}

/// What somebody asks for, if it is a page of ours and asked in time.
async fn request_line(mut stream: TcpStream, port: u16, pages: Pages) -> Option<(TcpStream, String)> {
    let head = timeout(REQUEST_WITHIN, head(&mut stream)).await.ok().flatten();
    let target = head.as_deref().and_then(|head| target(head, port));
    if target.is_none() {
        pages.say(&mut stream, "400 Bad Request", &pages.stranger).await;
    }
    target.map(|target| (stream, target))
}

async fn head(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    let mut piece = [0; 2048];
    while !bytes.windows(4).any(|four| four == b"\r\n\r\n") {
        let read = stream.read(&mut piece).await.ok()?;
        if read == 0 || bytes.len() + read > LONGEST_REQUEST {
            return None;
        }
        bytes.extend_from_slice(&piece[..read]);
    }
    String::from_utf8(bytes).ok()
}

/// The target of a GET that names this machine as its host. A page elsewhere can make a browser knock here under
/// a name of its own.
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

/// The answer in a target; `None` when it is no answer to this sign-in.
fn read(target: &str, authorization: &Authorization) -> Option<Result<Secret<String>, NoCode>> {
    let query = target.strip_prefix("/?")?;
    let value = |name: &str| {
        let mut all = form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| key == name);
        let first = all.next().map(|(_, value)| value.into_owned());
        // Given twice, it is not known which one the portal meant.
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
    /// Answers and hangs up. Nothing of the request is repeated in the page.
    async fn say(&self, stream: &mut TcpStream, status: &str, (title, words): &(String, String)) {
        let page = format!(
            "<!doctype html><html lang=\"{language}\"><meta charset=\"utf-8\"><title>{title}</title>\
             <h1>{title}</h1><p>{words}</p></html>\n",
            language = self.language
        );
        let answer = format!(
            "HTTP/1.1 {status}\r\ncontent-type: text/html;charset=utf-8\r\ncontent-length: {length}\r\n\
             content-security-policy: default-src 'none'; frame-ancestors 'none'\r\nreferrer-policy: no-referrer\r\n\
             cache-control: no-store\r\nconnection: close\r\n\r\n{page}",
            length = page.len()
        );
        // Whoever does not listen to the answer gets none.
        let _ = timeout(REQUEST_WITHIN, async {
            stream.write_all(answer.as_bytes()).await?;
            stream.shutdown().await
        })
        .await;
    }
}
