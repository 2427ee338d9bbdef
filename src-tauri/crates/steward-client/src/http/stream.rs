//! Encrypted connections for other protocols than HTTP.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use url::Url;

use super::clients::Clients;
use crate::error::{certificate_problem, is_about_client_certificate};
use crate::proxy_refusal::{ProxyRefusal, UsedProxy, open_tunnel};
use crate::setup_fault::SetupFault;
use crate::trust::{CertificateExpiry, CertificateProblem};

/// Time limit for a connection, including that through a proxy, and for its handshake.
const LIMIT: Duration = Duration::from_secs(20);

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
        /// Name of the TLS alert.
        alert: String,
    },
    /// The hosts agree on no encryption.
    #[error("no encrypted connection: {0}")]
    Tls(#[source] rustls::Error),
    /// The network failed, or the host ended the connection.
    #[error("{0}")]
    Network(#[source] io::Error),
}

impl From<io::Error> for StreamError {
    fn from(error: io::Error) -> Self {
        let tls = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
        let Some(tls) = tls else { return Self::Network(error) };
        if let Some(problem) = certificate_problem(tls) {
            return Self::Certificate(Box::new(problem.clone()));
        }
        match tls {
            rustls::Error::AlertReceived(alert) if is_about_client_certificate(*alert) => {
                Self::ClientCertificate { alert: format!("{alert:?}") }
            }
            other => Self::Tls(other.clone()),
        }
    }
}

impl Clients {
    /// Opens an encrypted connection to a host, which is an address or a name.
    pub(super) async fn open_stream(&self, host: &str, port: u16) -> Result<EncryptedStream, StreamError> {
        let opening = async {
            let carrier = self.carrier(host, port).await?;
            self.encrypt(host, carrier).await
        };
        tokio::time::timeout(LIMIT, opening).await.unwrap_or_else(|_| Err(timed_out().into()))
    }

    /// Opens a connection without encryption, by the same way.
    pub(super) async fn carrier(&self, host: &str, port: u16) -> Result<Box<dyn Carrier>, StreamError> {
        let in_url = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
        let url = Url::parse(&format!("https://{in_url}:{port}/")).map_err(io::Error::other)?;
        let Some(proxy) = self.proxy_of(&url) else {
            return Ok(Box::new(TcpStream::connect((host, port)).await?));
        };
        self.through(&proxy, &format!("{in_url}:{port}")).await
    }

    async fn through(&self, proxy: &UsedProxy, target: &str) -> Result<Box<dyn Carrier>, StreamError> {
        let refused = |refusal| StreamError::ProxyRefused(Box::new(refusal));
        let mut plain = TcpStream::connect(proxy.place()).await?;
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
        let tls = self.tls(None, CertificateExpiry::default())?;
        Ok(TlsConnector::from(Arc::new(tls)).connect(name, carrier).await?)
    }
}

fn timed_out() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "no connection within the time limit")
}
