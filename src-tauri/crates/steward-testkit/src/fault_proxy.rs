//! Proxy to a site that lets requests fail.
//!
//! [`FaultProxy::to`] starts it. Invariant: the proxy passes on one request per connection, so that a fault affects one
//! request.

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::http::read_request;

/// Path of token requests. A fault affects them only if it is for this path.
const TOKENS: &str = "generateToken";

/// Fault of a request.
#[derive(Debug, Clone)]
pub enum Fault {
    /// The site processes the request, and its response is dropped.
    AnswerLost,
    /// The site does not receive the request; these bytes are returned instead.
    Instead(Vec<u8>),
    /// The response of the site ends after this number of bytes.
    CutAfter(usize),
    /// The site does not receive the request, and nothing is returned until the client closes the connection.
    Silence,
    /// The connection is reset after this number of bytes of the response.
    ResetAfter(usize),
    /// Nothing is sent after this number of bytes of the response, until the client closes the connection.
    StallAfter(usize),
    /// One bit of this byte of the response is changed.
    FlippedAt(usize),
    /// The response announces this length instead of its own.
    Announcing(u64),
    /// In the body of the response, the first text is replaced by the second.
    Saying(&'static str, &'static str),
    /// The site does not receive the request, and the connection is reset.
    Reset,
    /// The site receives the request when this is notified.
    HeldUntil(Arc<Notify>),
}

/// Proxy for plain HTTP, with one request per connection. `fault` affects requests whose first line contains `on`.
pub struct FaultProxy {
    address: SocketAddr,
    fault: Arc<Mutex<Fault>>,
    met: Arc<AtomicUsize>,
    hung_up: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
    spared: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

#[derive(Clone)]
struct Way {
    own: String,
    site: String,
    on: String,
    fault: Arc<Mutex<Fault>>,
    met: Arc<AtomicUsize>,
    hung_up: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
    spared: Arc<AtomicUsize>,
}

impl FaultProxy {
    /// Starts a proxy to `site`, given as `127.0.0.1:PORT`, on a free port of this computer.
    ///
    /// # Errors
    /// Returns the error of the system if no port is available.
    pub async fn to(site: &str, on: &str, fault: Fault) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let fault = Arc::new(Mutex::new(fault));
        let met = Arc::new(AtomicUsize::new(0));
        let hung_up = Arc::new(AtomicUsize::new(0));
        let most = Arc::new(AtomicUsize::new(usize::MAX));
        let spared = Arc::new(AtomicUsize::new(0));
        let way = Way {
            own: address.to_string(),
            site: site.to_owned(),
            on: on.to_owned(),
            fault: fault.clone(),
            met: met.clone(),
            hung_up: hung_up.clone(),
            most: most.clone(),
            spared: spared.clone(),
        };
        let task = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let way = way.clone();
                // Ignore the error: the client sees it at its end of the connection.
                tokio::spawn(async move { way.carry(client).await.ok() });
            }
        });
        Ok(Self { address, fault, met, hung_up, most, spared, task })
    }

    /// Limits the fault to the first `times` matching requests.
    #[must_use]
    pub fn only(self, times: usize) -> Self {
        self.most.store(times, Ordering::SeqCst);
        self
    }

    /// Excludes the first `times` matching requests from the fault.
    #[must_use]
    pub fn sparing(self, times: usize) -> Self {
        self.spared.store(times, Ordering::SeqCst);
        self
    }

    /// Replaces the fault for requests from now on.
    pub fn change_to(&self, fault: Fault) {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = fault;
    }

    /// Returns the address, for example `127.0.0.1:40001`.
    #[must_use]
    pub fn address(&self) -> String {
        self.address.to_string()
    }

    /// Returns the number of requests that the fault affected.
    #[must_use]
    pub fn met(&self) -> usize {
        self.met.load(Ordering::SeqCst)
    }

    /// Returns the number of clients that closed their connection while the site sent nothing.
    #[must_use]
    pub fn hung_up(&self) -> usize {
        self.hung_up.load(Ordering::SeqCst)
    }
}

impl Drop for FaultProxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Way {
    async fn carry(&self, mut client: TcpStream) -> io::Result<()> {
        let request = self.read_request(&mut client).await?;
        let first_line = request.split(|byte| *byte == b'\r').next().unwrap_or_default();
        let first_line = String::from_utf8_lossy(first_line);
        // A token request that belongs to a matching request is not the matching request.
        let is_spared = first_line.contains(TOKENS) && !self.on.contains(TOKENS);
        let less = |spared: usize| spared.checked_sub(1);
        let is_meant = first_line.contains(&self.on)
            && !is_spared
            && self.spared.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less).is_err();
        let more = |met| (met < self.most.load(Ordering::SeqCst)).then_some(met + 1);
        if !is_meant || self.met.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more).is_err() {
            let answer = self.ask(&request).await?;
            return client.write_all(&answer).await;
        }
        let fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match &fault {
            Fault::AnswerLost => self.ask(&request).await.map(drop),
            Fault::Reset => client.set_zero_linger(),
            Fault::HeldUntil(released) => {
                released.notified().await;
                let answer = self.ask(&request).await?;
                client.write_all(&answer).await
            }
            Fault::Instead(bytes) => client.write_all(bytes).await,
            Fault::Silence => {
                // Wait for the client to close the connection: it receives nothing else.
                let end = client.read_u8().await;
                self.hung_up.fetch_add(1, Ordering::SeqCst);
                end.map(drop)
            }
            Fault::CutAfter(length) => {
                let answer = self.ask(&request).await?;
                client.write_all(&answer[..answer.len().min(*length)]).await
            }
            Fault::ResetAfter(length) => {
                let answer = self.ask(&request).await?;
                client.write_all(&answer[..answer.len().min(*length)]).await?;
                // Discard what was not sent yet, as a real reset does.
                client.set_zero_linger()
            }
            Fault::StallAfter(length) => {
                let answer = self.ask(&request).await?;
                client.write_all(&answer[..answer.len().min(*length)]).await?;
                let end = client.read_u8().await;
                self.hung_up.fetch_add(1, Ordering::SeqCst);
                end.map(drop)
            }
            Fault::FlippedAt(place) => {
                let mut answer = self.ask(&request).await?;
                if let Some(byte) = answer.get_mut(*place) {
                    *byte ^= 1;
                }
                client.write_all(&answer).await
            }
            Fault::Saying(text, instead) => {
                let answer = self.ask(&request).await?;
                let answer = String::from_utf8_lossy(&answer).replacen(text, instead, 1).into_bytes();
                let head = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap_or_default() + 4;
                client.write_all(&announcing((answer.len() - head) as u64, &answer)).await
            }
            Fault::Announcing(length) => {
                let answer = self.ask(&request).await?;
                client.write_all(&announcing(*length, &answer)).await
            }
        }
    }

    /// Sends the request to the site, and returns its complete response, which ends with the connection.
    async fn ask(&self, request: &[u8]) -> io::Result<Vec<u8>> {
        let mut site = TcpStream::connect(&self.site).await?;
        site.write_all(request).await?;
        let mut answer = Vec::new();
        site.read_to_end(&mut answer).await?;
        Ok(answer)
    }

    /// Reads a complete request, replaces the host by that of the site, and adds `connection: close`.
    async fn read_request(&self, client: &mut TcpStream) -> io::Result<Vec<u8>> {
        let (head, body) = read_request(client).await?;
        let head = head.replace(&self.own, &self.site);
        Ok([format!("{head}\r\nconnection: close\r\n\r\n").as_bytes(), &body].concat())
    }
}

/// Returns the response with another `content-length`.
fn announcing(length: u64, answer: &[u8]) -> Vec<u8> {
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap_or(answer.len());
    let head = String::from_utf8_lossy(&answer[..end]);
    let kept = head.split("\r\n").filter(|line| !line.to_ascii_lowercase().starts_with("content-length:"));
    let head = kept.collect::<Vec<_>>().join("\r\n");
    [format!("{head}\r\ncontent-length: {length}").as_bytes(), &answer[end..]].concat()
}
