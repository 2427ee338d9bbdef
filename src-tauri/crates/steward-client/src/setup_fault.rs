//! Reasons why the HTTP clients cannot be created.

/// Reason why the HTTP clients cannot be created from the given settings.
#[derive(Debug, thiserror::Error)]
pub enum SetupFault {
    /// The CA file contains no certificate, or an unusable one.
    #[error("the file of trusted authorities cannot be read as certificates in PEM")]
    Authority,
    /// The client certificate cannot be read.
    #[error("the client certificate cannot be read")]
    Identity,
    /// The password does not open the client certificate file.
    #[error("the file of the client certificate does not open with this password")]
    IdentityPassword,
    /// The PEM key is encrypted. Encrypted keys are supported only in PKCS#12 files.
    #[error("the key of the client certificate is encrypted; a PKCS#12 file can be opened with its password")]
    IdentityEncrypted,
    /// The client certificate file contains no private key.
    #[error("the file of the client certificate holds no key")]
    IdentityWithoutKey,
    /// Certificate and key do not match, or their type is not supported.
    #[error("the client certificate and its key do not fit together")]
    IdentityMismatch(#[source] rustls::Error),
    /// The proxy URL is not `http://` or `https://`, or contains credentials.
    #[error("the proxy's address cannot be used")]
    ProxyAddress,
    /// The system's trusted certificate authorities cannot be read.
    #[error("the system's trusted authorities cannot be read")]
    SystemRoots(#[source] rustls::Error),
    /// The HTTP library rejected the settings.
    #[error("the HTTP library rejected the settings")]
    Library(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl SetupFault {
    pub(crate) fn library(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Library(Box::new(error))
    }
}
