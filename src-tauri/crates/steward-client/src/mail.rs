//! Mail to one server, over TLS: from the beginning, or by STARTTLS. Without TLS only to this computer.
//!
//! The connection is that of every other request: the proxy and the certificate authorities of the app. lettre speaks SMTP on
//! it, and writes the message.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use lettre::message::Mailbox;
use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue};
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, AsyncTokioStream};
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, Message};
use steward_vault::Secret;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf};
use url::Url;

use crate::http::{Carrier, Http, StreamError};
use crate::route::is_this_computer;

/// Time limit of a delivery. A server can take its time to check a sender.
const LIMIT: Duration = Duration::from_secs(60);

/// How much is read from a server, in bytes. lettre alone would read a line without an end until the memory is full.
const READ: u64 = 64 * 1024;

/// How a mail server is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailEncryption {
    /// TLS from the beginning, usually at port 465.
    Tls,
    /// TLS by STARTTLS, usually at port 587. Without it, nothing is sent.
    StartTls,
    /// None, for a server on this computer.
    None,
}

/// A mail server.
#[derive(Debug)]
pub struct MailServer<'a> {
    /// Host name or IP address.
    pub host: &'a str,
    /// Port.
    pub port: u16,
    /// Encryption.
    pub encryption: MailEncryption,
    /// User name; empty for none.
    pub user: &'a str,
    /// Password of the user.
    pub password: &'a Secret<String>,
}

/// A mail of the app.
#[derive(Debug)]
pub struct Mail<'a> {
    /// Identifier, of which its `Message-ID` is made. Servers discard a second mail with the same one.
    pub id: &'a str,
    /// Address of the sender.
    pub from: &'a str,
    /// Addresses of the receivers.
    pub to: &'a [String],
    /// Subject.
    pub subject: &'a str,
    /// Text.
    pub text: String,
}

/// Reason why a mail was not sent.
#[derive(Debug, thiserror::Error)]
pub enum MailError {
    /// An address or the subject is invalid.
    #[error("{0}")]
    Message(String),
    /// The server is not on this computer, and the settings name no encryption.
    #[error("mail is sent without encryption to this computer only")]
    NotEncrypted,
    /// The server does not offer STARTTLS.
    #[error("the mail server does not offer STARTTLS")]
    NoStartTls,
    /// The connection could not be opened, or was lost.
    #[error(transparent)]
    Stream(#[from] StreamError),
    /// The server rejected the mail, or a step before it.
    #[error("{0}")]
    Rejected(String),
}

/// Returns whether a text is an address of a mail.
#[must_use]
pub fn is_address(text: &str) -> bool {
    text.parse::<Address>().is_ok()
}

/// Returns whether mail to a host does not leave this computer.
#[must_use]
pub fn stays_here(host: &str) -> bool {
    let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
    Url::parse(&format!("https://{host}/")).is_ok_and(|url| is_this_computer(&url))
}

/// Sends a mail, and returns once the server has taken it.
///
/// # Errors
/// [`MailError`], with the words of the server if it rejected the mail.
pub async fn send(http: &Http, server: &MailServer<'_>, mail: Mail<'_>) -> Result<(), MailError> {
    let message = written(mail)?;
    tokio::time::timeout(LIMIT, deliver(http, server, &message)).await.unwrap_or_else(|_| {
        let late = io::Error::new(io::ErrorKind::TimedOut, "the mail server did not respond in time");
        Err(MailError::Stream(late.into()))
    })
}

async fn deliver(http: &Http, server: &MailServer<'_>, message: &Message) -> Result<(), MailError> {
    let name = ClientId::default();
    let stream = open(http, server, &name).await?;
    let mut connection = AsyncSmtpConnection::connect_with_transport(Box::new(stream), &name)
        .await
        .map_err(|error| rejected(&error))?;
    if !server.user.is_empty() {
        let credentials = Credentials::new(server.user.to_owned(), server.password.expose().clone());
        let mechanisms = [Mechanism::Plain, Mechanism::Login];
        connection.auth(&mechanisms, &credentials).await.map_err(|error| rejected(&error))?;
    }
    connection.send(message.envelope(), &message.formatted()).await.map_err(|error| rejected(&error))?;
    // It was taken; how the connection ends changes nothing.
    let _ = connection.quit().await;
    Ok(())
}

async fn open(http: &Http, server: &MailServer<'_>, name: &ClientId) -> Result<SmtpStream, MailError> {
    let &MailServer { host, port, .. } = server;
    Ok(match server.encryption {
        MailEncryption::Tls => SmtpStream::over(Box::new(http.open_stream(host, port).await?), b""),
        MailEncryption::None if stays_here(host) => SmtpStream::over(http.open_plain(host, port).await?, b""),
        MailEncryption::None => return Err(MailError::NotEncrypted),
        MailEncryption::StartTls => {
            let plain = http.open_plain(host, port).await?;
            let encrypted = http.encrypt(host, start_tls(plain, name).await?).await?;
            // After STARTTLS a server waits for EHLO, while lettre waits for a greeting.
            SmtpStream::over(Box::new(encrypted), b"220 STARTTLS\r\n")
        }
    })
}

/// Asks a server for TLS. Nothing of the mail, no name and no password is sent before.
async fn start_tls(plain: Box<dyn Carrier>, name: &ClientId) -> Result<Box<dyn Carrier>, MailError> {
    // Byte by byte: what was sent behind the last reply must be read by TLS, which rejects it. Otherwise an attacker
    // between could reply in place of the server.
    let mut plain = SmtpStream::over(plain, b"");
    reply(&mut plain).await?;
    command(&mut plain, &format!("EHLO {name}")).await?;
    let offers = reply(&mut plain).await?;
    if !offers.iter().any(|line| line.eq_ignore_ascii_case("STARTTLS")) {
        return Err(MailError::NoStartTls);
    }
    command(&mut plain, "STARTTLS").await?;
    reply(&mut plain).await?;
    Ok(plain.inner.into_inner())
}

async fn command(plain: &mut (impl AsyncWrite + Unpin), text: &str) -> Result<(), MailError> {
    let sent = plain.write_all(format!("{text}\r\n").as_bytes()).await;
    Ok(sent.map_err(StreamError::from)?)
}

/// Reads a reply (RFC 5321, section 4.2), and returns the texts of its lines.
async fn reply(plain: &mut (impl AsyncRead + Unpin)) -> Result<Vec<String>, MailError> {
    let mut lines = Vec::new();
    loop {
        let mut line = Vec::new();
        loop {
            match plain.read_u8().await.map_err(StreamError::from)? {
                b'\n' => break,
                byte => line.push(byte),
            }
        }
        let line = String::from_utf8_lossy(&line).trim_end().to_owned();
        let is_last = line.as_bytes().get(3) != Some(&b'-');
        lines.push(line.get(4..).unwrap_or_default().to_owned());
        if is_last && line.starts_with('2') {
            return Ok(lines);
        }
        if is_last {
            return Err(MailError::Rejected(line));
        }
    }
}

fn rejected(error: &lettre::transport::smtp::Error) -> MailError {
    let mut said = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !said.contains(&inner_text) {
            said = format!("{said}: {inner_text}");
        }
        cause = inner.source();
    }
    MailError::Rejected(said)
}

fn written(mail: Mail<'_>) -> Result<Message, MailError> {
    let mailbox = |text: &str| -> Result<Mailbox, MailError> {
        let address =
            text.parse::<Address>().map_err(|error| MailError::Message(format!("{text}: {error}")))?;
        Ok(Mailbox::new(None, address))
    };
    let mut message = Message::builder()
        .from(mailbox(mail.from)?)
        // A subject is one line.
        .subject(mail.subject.replace(char::is_control, " "))
        .message_id(Some(format!("<{}@site-steward.invalid>", mail.id)))
        .date_now()
        .header(AutoSubmitted)
        .header(ContentType::TEXT_PLAIN);
    for to in mail.to {
        message = message.to(mailbox(to)?);
    }
    message.body(mail.text).map_err(|error| MailError::Message(error.to_string()))
}

/// RFC 3834, section 5: no vacation message is sent in response.
#[derive(Clone)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

/// A connection as lettre takes it: with a limit, and with what is read first.
struct SmtpStream {
    first: &'static [u8],
    inner: tokio::io::Take<Box<dyn Carrier>>,
}

impl SmtpStream {
    fn over(carrier: Box<dyn Carrier>, first: &'static [u8]) -> Self {
        Self { first, inner: carrier.take(READ) }
    }
}

impl fmt::Debug for SmtpStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SmtpStream")
    }
}

impl AsyncTokioStream for SmtpStream {
    /// Behind a proxy it is not known; lettre only shows it.
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        Ok(SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0))
    }
}

impl AsyncRead for SmtpStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.first.is_empty() {
            return Pin::new(&mut self.inner).poll_read(context, buffer);
        }
        let (now, later) = self.first.split_at(self.first.len().min(buffer.remaining()));
        buffer.put_slice(now);
        self.first = later;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for SmtpStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(self.inner.get_mut()).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(self.inner.get_mut()).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(self.inner.get_mut()).poll_shutdown(context)
    }
}
