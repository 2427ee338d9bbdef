//! Client certificate of the user.

use p12_keystore::{KeyStore, Pkcs12Archive, Pkcs12ImportPolicy};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use steward_vault::Secret;

use super::authorities::Authority;
use crate::setup_fault::SetupFault;

/// Client certificate with its private key, as stored in its file.
#[derive(Debug, Clone)]
pub enum ClientCertificate {
    /// PEM file with certificate, chain and unencrypted key, in any order.
    Pem(Secret<Vec<u8>>),
    /// PKCS#12 file (`.p12`, `.pfx`).
    Pkcs12 {
        /// Content of the file.
        file: Secret<Vec<u8>>,
        /// Password of the file; often empty.
        password: Secret<String>,
    },
}

/// Certificate with its chain, and its private key.
pub(crate) type KeyPair = (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>);

impl ClientCertificate {
    /// Returns the certificate, for display; `None` if it cannot be described.
    ///
    /// # Errors
    /// [`SetupFault`] if the file, its password, or its key cannot be used.
    pub fn described(&self) -> Result<Option<Authority>, SetupFault> {
        let (chain, _) = self.read()?;
        Ok(chain.first().and_then(|own| Authority::of(own)))
    }

    /// Parses the file and returns certificate chain and private key.
    pub(crate) fn read(&self) -> Result<KeyPair, SetupFault> {
        match self {
            Self::Pem(pem) => from_pem(pem.expose()),
            Self::Pkcs12 { file, password } => from_pkcs12(file.expose(), password.expose()),
        }
    }
}

fn from_pem(pem: &[u8]) -> Result<KeyPair, SetupFault> {
    let chain: Vec<_> =
        CertificateDer::pem_slice_iter(pem).collect::<Result<_, _>>().map_err(|_| SetupFault::Identity)?;
    if chain.is_empty() {
        return Err(SetupFault::Identity);
    }
    match PrivateKeyDer::from_pem_slice(pem) {
        Ok(key) => Ok((chain, key)),
        Err(_) if is_encrypted(pem) => Err(SetupFault::IdentityEncrypted),
        Err(_) => Err(SetupFault::IdentityWithoutKey),
    }
}

/// Returns whether the PEM key is encrypted: in PKCS#8, or with OpenSSL's older headers.
fn is_encrypted(pem: &[u8]) -> bool {
    let text = String::from_utf8_lossy(pem);
    text.contains("ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED")
}

fn from_pkcs12(file: &[u8], password: &str) -> Result<KeyPair, SetupFault> {
    let store = KeyStore::from_pkcs12(file, password, Pkcs12ImportPolicy::Strict).map_err(pkcs12_fault)?;
    if let Some((_, chain)) = store.private_key_chain().filter(|(_, chain)| !chain.certs().is_empty()) {
        let certificates = chain.certs().iter().map(|one| CertificateDer::from(one.as_der().to_vec()));
        let key = PrivatePkcs8KeyDer::from(chain.key().as_der().to_vec());
        return Ok((certificates.collect(), key.into()));
    }
    // Some programs do not record which certificate the key belongs to.
    let archive = Pkcs12Archive::from_pkcs12(file, password).map_err(pkcs12_fault)?;
    let key = archive.keys.first().ok_or(SetupFault::IdentityWithoutKey)?;
    let certificates: Vec<_> =
        archive.certs.iter().map(|bag| CertificateDer::from(bag.cert.as_der().to_vec())).collect();
    if certificates.is_empty() {
        return Err(SetupFault::Identity);
    }
    Ok((certificates, PrivatePkcs8KeyDer::from(key.key.as_der().to_vec()).into()))
}

fn pkcs12_fault(error: p12_keystore::error::Error) -> SetupFault {
    use p12_keystore::error::Error;
    match error {
        Error::MacError(_) | Error::UnpadError | Error::Pkcs5Error(_) => SetupFault::IdentityPassword,
        _ => SetupFault::Identity,
    }
}

#[cfg(test)]
mod tests {
    use p12_keystore::{Certificate, KeyStoreEntry, PrivateKey, PrivateKeyChain};

    use super::*;

    #[test]
    fn of_a_file_with_other_certificates_only_that_of_the_key_is_given() {
        let made = |name: &str| rcgen::generate_simple_self_signed([name.to_owned()]).unwrap();
        let (mine, other) = (made("me"), made("other"));
        let certificate =
            |of: &rcgen::CertifiedKey<rcgen::KeyPair>| Certificate::from_der(of.cert.der()).unwrap();
        let key = PrivateKey::from_der(&mine.signing_key.serialize_der()).unwrap();
        let mut store = KeyStore::new();
        store.add_entry("a", KeyStoreEntry::Certificate(certificate(&other)));
        let chain = PrivateKeyChain::new("id", key, [certificate(&mine)]);
        store.add_entry("me", KeyStoreEntry::PrivateKeyChain(chain));
        let file = store.writer("throw-away").write().unwrap();

        let (chain, key) = from_pkcs12(&file, "throw-away").unwrap();

        assert_eq!(chain, [mine.cert.der().clone()]);
        assert_eq!(key.secret_der(), mine.signing_key.serialize_der());
    }
}
