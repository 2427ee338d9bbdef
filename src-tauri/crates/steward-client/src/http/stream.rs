//! Encrypted connections for other protocols than HTTP.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use url::Url;

use super::clients::Clients;
use crate::error::{CLOSED, certificate_problem, client_certificate_alert, is_end};
use crate::proxy_refusal::{ProxyRefusal, UsedProxy, open_tunnel};
use crate::setup_fault::SetupFault;
use crate::trust::{CertificateExpiry, CertificateProblem, IdentityRequest};

/// Time limit for a connection, including that through a proxy, and again for its handshake.
const LIMIT: Duration = Duration::from_secs(20);

/// Time limit for reading which certificate a host presents. It is short, because firewalls often drop such
/// connections.
const READING: Duration = Duration::from_secs(4);

/// Connection over which TLS is spoken: to the host, or through a proxy.
pub(crate) trait Carrier: AsyncRead + AsyncWrite + Send + Sync + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Sync + Unpin> Carrier for T {}

/// Encrypted connection to a host.
pub(crate) type EncryptedStream = TlsStream<Box<dyn Carrier>>;

/// Reason why an encrypted connection cannot be opened, or ended.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// A setting of the connection is invalid.
    #[error(transparent)]
    Setup(#[from] SetupFault),
    /// The proxy opened no connection to the host.
    #[error("the proxy {} opened no connection to {}", .0.proxy, .0.target)]
    ProxyRefused(Box<ProxyRefusal>),
    /// The certificate of the host is not trusted.
    #[error(transparent)]
    Certificate(Box<CertificateProblem>),
    /// The host requires a client certificate, or rejected the given one.
    #[error("another client certificate is required ({alert})")]
    ClientCertificate {
        /// Name of the TLS alert, or that the connection was closed.
        alert: String,
    },
    /// The hosts agree on no encryption.
    #[error("no encrypted connection: {0}")]
    Tls(#[source] rustls::Error),
    /// The host accepts connections, and did not begin to encrypt this one.
    #[error("connected, but {0}: the port might be without TLS")]
    NoTls(String),
    /// The network failed, or the host ended the connection.
    #[error("{0}")]
    Network(#[source] io::Error),
}

impl From<io::Error> for StreamError {
    fn from(error: io::Error) -> Self {
        match tls_cause(&error) {
            Some(tls) => Self::of_tls(tls, false),
            None => Self::Network(error),
        }
    }
}

impl StreamError {
    fn of_tls(error: &rustls::Error, was_asked: bool) -> Self {
        if let Some(problem) = certificate_problem(error) {
            return Self::Certificate(Box::new(problem.clone()));
        }
        if let Some(alert) = client_certificate_alert(error, was_asked) {
            return Self::ClientCertificate { alert };
        }
        match error {
            rustls::Error::InvalidMessage(_) => Self::NoTls(format!("the response is no TLS ({error})")),
            other => Self::Tls(other.clone()),
        }
    }

    /// Converts the error of a handshake. `was_asked` is whether the host asked for a client certificate.
    fn of_handshake(error: io::Error, was_asked: bool) -> Self {
        match tls_cause(&error) {
            Some(tls) => Self::of_tls(tls, was_asked),
            None if is_end(&error) && was_asked => Self::ClientCertificate { alert: CLOSED.to_owned() },
            None if is_end(&error) => {
                Self::NoTls("the host ended the connection before it was encrypted".to_owned())
            }
            None => Self::Network(error),
        }
    }
}

fn tls_cause(error: &io::Error) -> Option<&rustls::Error> {
    error.get_ref().and_then(|inner| inner.downcast_ref())
}

impl Clients {
    /// Opens an encrypted connection to a host, which is an address or a name.
    pub(super) async fn open_stream(&self, host: &str, port: u16) -> Result<EncryptedStream, StreamError> {
        let carrier = self.carrier(host, port).await?;
        self.encrypt(host, carrier).await
    }

    /// Opens a connection without encryption, directly or through the proxy.
    pub(super) async fn carrier(&self, host: &str, port: u16) -> Result<Box<dyn Carrier>, StreamError> {
        let opened = tokio::time::timeout(LIMIT, self.connected(host, port)).await;
        opened.unwrap_or_else(|_| Err(timed_out().into()))
    }

    /// Returns the certificate that a host presents. The handshake ends there: none is accepted, and nothing is sent
    /// over it.
    pub(super) async fn presented(&self, host: &str, port: u16) -> Result<CertificateProblem, StreamError> {
        let read = async {
            let carrier = self.connected(host, port).await?;
            let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
            let tls = TlsConnector::from(Arc::new(self.tls_to_read()?));
            match tls.connect(name, carrier).await.map_err(|error| StreamError::of_handshake(error, false)) {
                Err(StreamError::Certificate(presented)) => Ok(*presented),
                Err(error) => Err(error),
                Ok(_) => Err(io::Error::other("the host presented no certificate").into()),
            }
        };
        tokio::time::timeout(READING, read).await.unwrap_or_else(|_| Err(timed_out().into()))
    }

    async fn connected(&self, host: &str, port: u16) -> Result<Box<dyn Carrier>, StreamError> {
        let in_url = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
        let url = Url::parse(&format!("https://{in_url}:{port}/")).map_err(io::Error::other)?;
        let Some(proxy) = self.proxy_of(&url) else {
            return Ok(Box::new(connect((host, port)).await?));
        };
        self.through(&proxy, &format!("{in_url}:{port}")).await
    }

    async fn through(&self, proxy: &UsedProxy, target: &str) -> Result<Box<dyn Carrier>, StreamError> {
        let refused = |refusal| StreamError::ProxyRefused(Box::new(refusal));
        let mut plain = connect(proxy.place()).await?;
        if proxy.url.scheme() != "https" {
            open_tunnel(proxy, target, &mut plain).await.map_err(refused)?;
            return Ok(Box::new(plain));
        }
        let mut encrypted = self.encrypt(proxy.place().0, Box::new(plain)).await?;
        open_tunnel(proxy, target, &mut encrypted).await.map_err(refused)?;
        Ok(Box::new(encrypted))
    }

    /// Begins encryption on a connection to a host.
    pub(super) async fn encrypt(
        &self,
        host: &str,
        carrier: Box<dyn Carrier>,
    ) -> Result<EncryptedStream, StreamError> {
        let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
        let request = IdentityRequest::default();
        let tls = self.tls(None, CertificateExpiry::default(), &request)?;
        let handshake = TlsConnector::from(Arc::new(tls)).connect(name, carrier);
        match tokio::time::timeout(LIMIT, handshake).await {
            Ok(encrypted) => encrypted.map_err(|error| StreamError::of_handshake(error, request.was_made())),
            Err(_) => Err(StreamError::NoTls(format!("no TLS within {} seconds", LIMIT.as_secs()))),
        }
    }
}

async fn connect(place: (&str, u16)) -> io::Result<TcpStream> {
    connect_to_one(tokio::net::lookup_host(place).await?.collect(), LIMIT).await
}

/// Connects to the first address that accepts it. One that does not respond leaves time for the others.
async fn connect_to_one(addresses: Vec<SocketAddr>, limit: Duration) -> io::Result<TcpStream> {
    let share = limit / u32::try_from(addresses.len() + 1).unwrap_or(u32::MAX);
    let mut failed = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
    for address in addresses {
        match tokio::time::timeout(share, TcpStream::connect(address)).await {
            Ok(Ok(connected)) => return Ok(connected),
            Ok(Err(error)) => failed = error,
            Err(_) => failed = timed_out(),
        }
    }
    Err(failed)
}

fn timed_out() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "no connection within the time limit")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A host that presents a certificate for another name, which no authority issued, and what it receives after the
    /// handshake.
    async fn host_with(
        versions: &[&'static rustls::SupportedProtocolVersion],
    ) -> (u16, i64, tokio::task::JoinHandle<io::Result<Vec<u8>>>) {
        use tokio::io::AsyncReadExt as _;
        let made = rcgen::generate_simple_self_signed(["other.example.org".to_owned()]).unwrap();
        let (certificate, key) = (made.cert.der().clone(), made.signing_key.serialize_der());
        let key = rustls::pki_types::PrivateKeyDer::try_from(key).unwrap();
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let tls = rustls::ServerConfig::builder_with_provider(provider).with_protocol_versions(versions);
        let tls =
            tls.unwrap().with_no_client_auth().with_single_cert(vec![certificate.clone()], key).unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let accepted = tokio::spawn(async move {
            let (stream, _) = listener.accept().await?;
            let mut stream = tokio_rustls::TlsAcceptor::from(Arc::new(tls)).accept(stream).await?;
            let mut received = Vec::new();
            stream.read_to_end(&mut received).await?;
            Ok(received)
        });
        let (_, parsed) = x509_parser::parse_x509_certificate(&certificate).unwrap();
        (port, parsed.validity().not_after.timestamp(), accepted)
    }

    fn clients() -> Clients {
        Clients::new(&crate::Trust::default(), &crate::Route::default()).unwrap()
    }

    #[tokio::test]
    async fn a_certificate_is_read_without_being_accepted_and_nothing_is_sent_to_its_host() {
        for versions in [&[&rustls::version::TLS12][..], &[&rustls::version::TLS13]] {
            let (port, end, accepted) = host_with(versions).await;

            let presented = clients().presented("127.0.0.1", port).await.unwrap();

            let read: jiff::Timestamp = presented.not_after.parse().unwrap();
            assert_eq!(read.as_second(), end);
            let received = accepted.await.unwrap();
            assert!(received.is_err(), "the handshake ends with an alert: {received:?}");
        }
    }

    #[tokio::test]
    async fn a_port_that_is_closed_without_tls_or_silent_presents_no_certificate() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let silent = tokio::time::Instant::now();
        assert!(matches!(clients().presented("127.0.0.1", port).await, Err(StreamError::Network(_))));
        assert!(silent.elapsed() < READING + Duration::from_secs(2));

        let plain = tokio::spawn(async move {
            use tokio::io::AsyncWriteExt as _;
            // The connection of before waits first.
            for _ in 0..2 {
                let (mut stream, _) = listener.accept().await.unwrap();
                let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
            }
        });
        assert!(matches!(clients().presented("127.0.0.1", port).await, Err(StreamError::NoTls(_))));
        plain.await.unwrap();
        assert!(matches!(clients().presented("127.0.0.1", port).await, Err(StreamError::Network(_))));
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn an_address_that_does_not_respond_leaves_time_for_the_next_one_of_the_host() {
        // The system drops connections beyond those that wait to be accepted.
        let silent = tokio::net::TcpSocket::new_v4().unwrap();
        silent.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let silent = silent.listen(0).unwrap();
        let first = silent.local_addr().unwrap();
        let _waiting = TcpStream::connect(first).await.unwrap();
        let other = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let second = other.local_addr().unwrap();

        let limit = Duration::from_secs(1);
        let connecting = connect_to_one(vec![first, second], limit);
        let connected = tokio::time::timeout(limit, connecting).await.expect("in time").unwrap();

        assert_eq!(connected.peer_addr().unwrap(), second);
    }
}
