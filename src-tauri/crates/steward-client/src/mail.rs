//! Mail to one server, over TLS: from the beginning, or by STARTTLS. Without TLS only to this computer.
//!
//! The connection is that of every other request: the proxy and the certificate authorities of the app. lettre speaks
//! SMTP on it, and writes the message.

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
use lettre::transport::smtp::commands::{Data, Mail as MailFrom, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailBodyParameter, MailParameter};
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
    /// Name of this computer; may be empty, or without a domain.
    pub computer: &'a str,
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

/// A receiver that the server did not take a mail for, while it took it for others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedReceiver {
    /// Address.
    pub address: String,
    /// Words of the server.
    pub said: String,
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

/// Sends a mail, and returns once the server has taken it, with the receivers that it did not take it for.
///
/// # Errors
/// [`MailError`], with the words of the server if it rejected the mail, or all receivers.
pub async fn send(
    http: &Http,
    server: &MailServer<'_>,
    mail: Mail<'_>,
) -> Result<Vec<RefusedReceiver>, MailError> {
    let from = address(mail.from)?;
    let name = hello_name(server.computer, &from);
    let message = written(mail, from)?;
    tokio::time::timeout(LIMIT, deliver(http, server, &name, &message)).await.unwrap_or_else(|_| {
        let late = io::Error::new(io::ErrorKind::TimedOut, "the mail server did not respond in time");
        Err(MailError::Stream(late.into()))
    })
}

async fn deliver(
    http: &Http,
    server: &MailServer<'_>,
    name: &ClientId,
    message: &Message,
) -> Result<Vec<RefusedReceiver>, MailError> {
    let stream = open(http, server, name).await?;
    let mut connection = AsyncSmtpConnection::connect_with_transport(Box::new(stream), name)
        .await
        .map_err(|error| rejected(&error))?;
    if !server.user.is_empty() {
        let credentials = Credentials::new(server.user.to_owned(), server.password.expose().clone());
        let mechanisms = [Mechanism::Plain, Mechanism::Login];
        connection.auth(&mechanisms, &credentials).await.map_err(|error| rejected(&error))?;
    }
    let refused = hand_over(&mut connection, message).await?;
    // The mail was taken; how the connection ends changes nothing.
    let _ = connection.quit().await;
    Ok(refused)
}

/// Hands a mail over for each receiver that the server takes. lettre itself gives up at the first one that it does not
/// take.
async fn hand_over(
    connection: &mut AsyncSmtpConnection,
    message: &Message,
) -> Result<Vec<RefusedReceiver>, MailError> {
    let (envelope, text) = (message.envelope(), message.formatted());
    let is_ascii = |address: &Address| address.to_string().is_ascii();
    let are_ascii = envelope.to().iter().chain(envelope.from()).all(is_ascii);
    let mut options = Vec::new();
    for (is_needed, offer, option) in [
        (!are_ascii, Extension::SmtpUtfEight, MailParameter::SmtpUtfEight),
        (!text.is_ascii(), Extension::EightBitMime, MailParameter::Body(MailBodyParameter::EightBitMime)),
    ] {
        if is_needed && !connection.server_info().supports_feature(offer) {
            let needed = "the mail server takes no addresses with letters beyond ASCII (SMTPUTF8, 8BITMIME)";
            return Err(MailError::Rejected(needed.to_owned()));
        }
        options.extend(is_needed.then_some(option));
    }
    let from = MailFrom::new(envelope.from().cloned(), options);
    connection.command(from).await.map_err(|error| rejected(&error))?;
    let mut refused = Vec::new();
    for to in envelope.to() {
        match connection.command(Rcpt::new(to.clone(), Vec::new())).await {
            Ok(_) => {}
            Err(error) if error.status().is_some() => {
                refused.push(RefusedReceiver { address: to.to_string(), said: said(&error) });
            }
            Err(error) => return Err(rejected(&error)),
        }
    }
    if refused.len() == envelope.to().len() {
        let said: Vec<_> = refused.iter().map(|one| format!("{}: {}", one.address, one.said)).collect();
        return Err(MailError::Rejected(said.join("; ")));
    }
    connection.command(Data).await.map_err(|error| rejected(&error))?;
    connection.message(&text).await.map_err(|error| rejected(&error))?;
    Ok(refused)
}

/// Returns the name by which this computer introduces itself. Servers reject one without a domain, so that of the
/// sender completes it; without any name, the address of this computer is used.
fn hello_name(computer: &str, from: &Address) -> ClientId {
    let is_label = |label: &str| {
        let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        !label.is_empty() && label.len() < 64 && label.bytes().all(is_of_name)
    };
    let name = computer.trim_end_matches('.');
    let name = if name.contains('.') { name.to_owned() } else { format!("{name}.{}", from.domain()) };
    if name.split('.').all(is_label) { ClientId::Domain(name) } else { ClientId::default() }
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
    // Read byte by byte, so that bytes behind the last reply are left to TLS, which rejects them. Otherwise an attacker
    // on the network could reply in place of the server.
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
    MailError::Rejected(said(error))
}

fn said(error: &lettre::transport::smtp::Error) -> String {
    let mut said = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !said.contains(&inner_text) {
            said = format!("{said}: {inner_text}");
        }
        cause = inner.source();
    }
    said
}

fn address(text: &str) -> Result<Address, MailError> {
    text.parse().map_err(|error| MailError::Message(format!("{text}: {error}")))
}

fn written(mail: Mail<'_>, from: Address) -> Result<Message, MailError> {
    let mut message = Message::builder()
        .from(Mailbox::new(None, from))
        // A subject is one line.
        .subject(mail.subject.replace(char::is_control, " "))
        .message_id(Some(format!("<{}@site-steward.invalid>", mail.id)))
        .date_now()
        .header(AutoSubmitted)
        .header(ContentType::TEXT_PLAIN);
    for to in mail.to {
        message = message.to(Mailbox::new(None, address(to)?));
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

/// Connection as lettre takes it, with a limit of bytes. The bytes in `first` are read before those of the server.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_computer_introduces_itself_by_a_whole_name_that_a_relay_accepts() {
        let of = |computer: &str, from: &str| hello_name(computer, &from.parse().unwrap()).to_string();
        assert_eq!(of("ws-12", "steward@example.org"), "ws-12.example.org");
        assert_eq!(of("ws-12.corp.example.com", "steward@example.org"), "ws-12.corp.example.com");
        assert_eq!(of("ws-12.corp.example.com.", "steward@example.org"), "ws-12.corp.example.com");
        for computer in ["", "M\u{fc}ller\u{2019}s Mac", "a\r\nRCPT TO:<x@example.org>"] {
            assert_eq!(of(computer, "steward@example.org"), "[127.0.0.1]", "{computer}");
        }
    }
}
