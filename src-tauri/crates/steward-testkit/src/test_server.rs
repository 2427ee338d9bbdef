//! HTTP server on this computer that replies by a script.
//!
//! [`TestServer`] calls the script for each request and sends the [`Reply`] that it returns: in full, in part, or not
//! at all. It stores every request that was read completely.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

use crate::http::read_request;

/// Request that was read completely.
#[derive(Debug, Clone)]
pub struct Request {
    /// Position among all requests of the server, from 1.
    pub number: usize,
    /// Origin of the server, for example `http://127.0.0.1:1234`.
    pub origin: String,
    /// Request line and header lines as sent, without the empty line after them.
    pub head: String,
    /// The bytes after the head, as many as `content-length` announces.
    pub body: Vec<u8>,
}

impl Request {
    /// Returns the method, for example `POST`.
    #[must_use]
    pub fn method(&self) -> &str {
        self.head.split(' ').next().unwrap_or_default()
    }

    /// Returns path and query, still encoded.
    #[must_use]
    pub fn target(&self) -> &str {
        self.head.split(' ').nth(1).unwrap_or_default()
    }

    /// Returns the path, still encoded.
    #[must_use]
    pub fn path(&self) -> &str {
        self.target().split('?').next().unwrap_or_default()
    }

    /// Returns the query, still encoded and without the question mark. Empty if there is none.
    #[must_use]
    pub fn query(&self) -> &str {
        self.target().split_once('?').map_or("", |(_, query)| query)
    }

    /// Returns the value of the first header line with this name, in any case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().skip(1).filter_map(|line| line.split_once(':'));
        lines.filter(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim()).next()
    }

    /// Returns the fields of a form in the body, in order.
    #[must_use]
    pub fn form(&self) -> Vec<(String, String)> {
        url::form_urlencoded::parse(&self.body).into_owned().collect()
    }

    /// Returns the body as JSON.
    ///
    /// # Errors
    /// Returns the error of the parser if the body is no JSON.
    pub fn json(&self) -> serde_json::Result<serde_json::Value> {
        serde_json::from_slice(&self.body)
    }

    /// Returns head and body as one text.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}\r\n\r\n{}", self.head, String::from_utf8_lossy(&self.body))
    }
}

/// State of the connection after the bytes of a reply.
#[derive(Debug, Clone, Copy)]
enum Then {
    /// The next request is read.
    KeepOpen,
    /// The connection is closed.
    Close,
    /// Nothing more is sent until the client closes the connection.
    Silence,
    /// The connection is reset.
    Reset,
    /// Bytes that are not encrypted are sent past the encryption.
    Garbage,
}

/// Reply, with the state of its connection afterward.
#[derive(Debug, Clone)]
pub struct Reply {
    /// Status line and header lines, each with its line break. `None` if `body` holds all bytes.
    head: Option<String>,
    body: Vec<u8>,
    /// Bytes after the announced body.
    surplus: Vec<u8>,
    then: Then,
    /// Holds the reply back until it is notified.
    gate: Option<Arc<Notify>>,
}

impl Reply {
    /// Creates a reply with its length. `headers` is empty or lines such as `etag: "1"\r\n`. The connection stays open.
    #[must_use]
    pub fn new(status: &str, headers: &str, body: impl Into<Vec<u8>>) -> Self {
        let body = body.into();
        let head = format!("HTTP/1.1 {status}\r\n{headers}content-length: {}\r\n", body.len());
        Self { head: Some(head), body, surplus: Vec::new(), then: Then::KeepOpen, gate: None }
    }

    /// Creates a reply of status 200 with JSON.
    #[must_use]
    pub fn json(body: impl Into<Vec<u8>>) -> Self {
        Self::new("200 OK", "content-type: application/json\r\n", body)
    }

    /// Creates a redirect to a URL.
    #[must_use]
    pub fn redirect(status: &str, to: &str) -> Self {
        Self::new(status, &format!("location: {to}\r\n"), "")
    }

    /// Creates a reply of these bytes, which need not be HTTP. The connection is closed after them.
    #[must_use]
    pub fn raw(bytes: impl Into<Vec<u8>>) -> Self {
        Self { head: None, body: bytes.into(), surplus: Vec::new(), then: Then::Close, gate: None }
    }

    /// Creates a reply that sends nothing until the client closes the connection.
    #[must_use]
    pub fn silence() -> Self {
        Self::raw("").then_silence()
    }

    /// Creates a reply that closes the connection without a byte.
    #[must_use]
    pub fn close() -> Self {
        Self::raw("")
    }

    /// Creates a reply that resets the connection.
    #[must_use]
    pub fn reset() -> Self {
        Self { then: Then::Reset, ..Self::raw("") }
    }

    /// Creates a reply of unencrypted bytes on an encrypted connection. Without encryption, it closes the connection.
    #[must_use]
    pub fn garbage() -> Self {
        Self { then: Then::Garbage, ..Self::raw("") }
    }

    /// Sends only so many bytes of the body. The announced length stays.
    #[must_use]
    pub fn cut_after(mut self, length: usize) -> Self {
        self.body.truncate(length);
        self
    }

    /// Sends these bytes after the announced body, and closes the connection.
    #[must_use]
    pub fn and_surplus(mut self, bytes: &[u8]) -> Self {
        self.surplus = bytes.to_owned();
        self.then = Then::Close;
        self
    }

    /// Announces the end of the connection with the reply, and closes it.
    #[must_use]
    pub fn then_close(mut self) -> Self {
        if let Some(head) = &mut self.head {
            head.push_str("connection: close\r\n");
        }
        self.then = Then::Close;
        self
    }

    /// Sends nothing after the reply, until the client closes the connection.
    #[must_use]
    pub fn then_silence(mut self) -> Self {
        self.then = Then::Silence;
        self
    }

    /// Holds the reply back until the gate is notified.
    #[must_use]
    pub fn when(mut self, gate: &Arc<Notify>) -> Self {
        self.gate = Some(gate.clone());
        self
    }

    fn bytes(&self) -> Vec<u8> {
        match &self.head {
            Some(head) => [head.as_bytes(), b"\r\n", &self.body, &self.surplus].concat(),
            None => self.body.clone(),
        }
    }
}

type Script = dyn Fn(Request) -> Pin<Box<dyn Future<Output = Reply> + Send>> + Send + Sync;

/// HTTP server on a free port of this computer. It stops accepting connections when it is dropped.
pub struct TestServer {
    address: SocketAddr,
    seen: Arc<Seen>,
    accepting: JoinHandle<()>,
}

#[derive(Default)]
struct Seen {
    origin: String,
    connections: AtomicUsize,
    requests: Mutex<Vec<Request>>,
    open: AtomicUsize,
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

impl TestServer {
    /// Starts a server without encryption.
    ///
    /// # Errors
    /// Returns the error of the system if no port can be bound.
    pub async fn start(script: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> io::Result<Self> {
        Self::start_async(move |request| std::future::ready(script(&request))).await
    }

    /// Starts a server without encryption whose script can wait before it replies.
    ///
    /// # Errors
    /// Returns the error of the system if no port can be bound.
    pub async fn start_async<F: Future<Output = Reply> + Send + 'static>(
        script: impl Fn(Request) -> F + Send + Sync + 'static,
    ) -> io::Result<Self> {
        Self::listen(None, Some(Arc::new(move |request| Box::pin(script(request))))).await
    }

    /// Starts a server with this certificate.
    ///
    /// # Errors
    /// Returns the error of the system if no port can be bound.
    pub async fn start_tls(
        config: Arc<ServerConfig>,
        script: impl Fn(&Request) -> Reply + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let script = move |request| Box::pin(std::future::ready(script(&request))) as Pin<Box<_>>;
        Self::listen(Some(config), Some(Arc::new(script))).await
    }

    /// Starts a server that resets each connection before it reads a byte.
    ///
    /// # Errors
    /// Returns the error of the system if no port can be bound.
    pub async fn start_resetting() -> io::Result<Self> {
        Self::listen(None, None).await
    }

    async fn listen(tls: Option<Arc<ServerConfig>>, script: Option<Arc<Script>>) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let scheme = if tls.is_some() { "https" } else { "http" };
        let seen = Arc::new(Seen { origin: format!("{scheme}://{address}"), ..Seen::default() });
        let inside = seen.clone();
        let accepting = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                inside.connections.fetch_add(1, Ordering::SeqCst);
                let (tls, script, seen) = (tls.clone(), script.clone(), inside.clone());
                // Ignore the error: the client sees it at its end of the connection.
                tokio::spawn(async move { seen.serve(client, tls, script).await.ok() });
            }
        });
        Ok(Self { address, seen, accepting })
    }

    /// Returns the origin, for example `http://127.0.0.1:1234`.
    #[must_use]
    pub fn origin(&self) -> String {
        self.seen.origin.clone()
    }

    /// Returns the host and port, for example `127.0.0.1:1234`.
    #[must_use]
    pub fn address(&self) -> String {
        self.address.to_string()
    }

    /// Returns the port.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.address.port()
    }

    /// Returns the number of accepted connections.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.seen.connections.load(Ordering::SeqCst)
    }

    /// Returns the requests that were read completely, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.seen.requests().clone()
    }

    /// Returns the number of clients that wait for a reply, or for the rest of one.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.seen.open.load(Ordering::SeqCst)
    }
}

impl Seen {
    fn requests(&self) -> std::sync::MutexGuard<'_, Vec<Request>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn serve(
        &self,
        mut client: TcpStream,
        tls: Option<Arc<ServerConfig>>,
        script: Option<Arc<Script>>,
    ) -> io::Result<()> {
        let Some(script) = script else { return client.set_zero_linger() };
        let Some(config) = tls else {
            let end = self.converse(&mut client, &*script).await?;
            return if let Then::Reset = end { client.set_zero_linger() } else { Ok(()) };
        };
        let mut stream = TlsAcceptor::from(config).accept(client).await?;
        let end = self.converse(&mut stream, &*script).await?;
        let (mut client, _) = stream.into_inner();
        match end {
            Then::Reset => client.set_zero_linger(),
            Then::Garbage => {
                // Header and content of a TLS record of application data, not encrypted.
                client.write_all(&[0x17, 3, 3, 0, 32]).await?;
                client.write_all(&[0x55; 32]).await?;
                closed_by_client(&mut client).await;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Replies to requests until a reply ends the connection, and returns the state that it requires.
    async fn converse<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        stream: &mut S,
        script: &Script,
    ) -> io::Result<Then> {
        loop {
            let (head, body) = read_request(stream).await?;
            let open = Open::new(&self.open);
            let request = {
                let mut requests = self.requests();
                let number = requests.len() + 1;
                requests.push(Request { number, origin: self.origin.clone(), head, body });
                requests[number - 1].clone()
            };
            let reply = script(request).await;
            if let Some(gate) = &reply.gate {
                gate.notified().await;
            }
            stream.write_all(&reply.bytes()).await?;
            stream.flush().await?;
            match reply.then {
                Then::KeepOpen => drop(open),
                Then::Silence => {
                    closed_by_client(stream).await;
                    return Ok(reply.then);
                }
                Then::Close | Then::Reset | Then::Garbage => return Ok(reply.then),
            }
        }
    }
}

/// Waits until the client closes the connection.
async fn closed_by_client<S: AsyncRead + Unpin>(stream: &mut S) {
    let mut more = [0; 1024];
    while let Ok(1..) = stream.read(&mut more).await {}
}

/// Request that counts as waiting until this is dropped.
struct Open<'a>(&'a AtomicUsize);

impl<'a> Open<'a> {
    fn new(open: &'a AtomicUsize) -> Self {
        open.fetch_add(1, Ordering::SeqCst);
        Self(open)
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}
