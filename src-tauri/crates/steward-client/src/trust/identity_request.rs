//! Whether a server asked for a client certificate.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustls::SignatureScheme;
use rustls::client::ResolvesClientCert;
use rustls::sign::CertifiedKey;

/// Whether a server asked for a client certificate since the last response.
///
/// TLS 1.2 has no alert for a missing certificate: a server ends the handshake with the alert that also means *no
/// common cipher suite*, or closes the connection. Only whether it asked for a certificate before tells these cases
/// apart.
#[derive(Debug, Default, Clone)]
pub(crate) struct IdentityRequest(Arc<AtomicBool>);

impl IdentityRequest {
    /// Returns whether a server asked.
    pub(crate) fn was_made(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Forgets the request: the server responded, and so accepted what it got.
    pub(crate) fn was_met(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Returns a resolver that notes each request here.
    pub(crate) fn noted_by(&self, resolver: Arc<dyn ResolvesClientCert>) -> Arc<dyn ResolvesClientCert> {
        Arc::new(Noting { resolver, request: self.clone() })
    }
}

#[derive(Debug)]
struct Noting {
    resolver: Arc<dyn ResolvesClientCert>,
    request: IdentityRequest,
}

impl ResolvesClientCert for Noting {
    fn resolve(&self, issuers: &[&[u8]], schemes: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        self.request.0.store(true, Ordering::Relaxed);
        self.resolver.resolve(issuers, schemes)
    }

    fn has_certs(&self) -> bool {
        self.resolver.has_certs()
    }
}
