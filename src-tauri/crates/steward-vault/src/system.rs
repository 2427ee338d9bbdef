//! Parts of the keyring that differ between the systems: opening an entry, and recognizing a locked keyring.

use keyring::{Entry, Error, Result};

#[cfg(all(unix, not(target_os = "macos")))]
pub(crate) use secret_service::*;

#[cfg(not(all(unix, not(target_os = "macos"))))]
pub(crate) use built_in::*;

/// Secret Service: a program of the desktop, which can start late, end and come back.
#[cfg(all(unix, not(target_os = "macos")))]
mod secret_service {
    use std::error::Error as _;
    use std::sync::Arc;

    use keyring_core::api::CredentialStoreApi as _;
    use zbus_secret_service_keyring_store::Store as SecretService;

    use super::{Entry, Error, Result};

    /// A connection to the running Secret Service.
    pub(crate) struct Store(Arc<SecretService>);

    impl Store {
        /// Connects to the Secret Service.
        ///
        /// `keyring::Entry::new` connects once per process and remembers a failure, so it is not used here.
        pub(crate) fn open() -> Result<Self> {
            Ok(Self(SecretService::new()?))
        }

        /// Returns the entry `name` of `service`, over this connection.
        pub(crate) fn entry(&self, service: &str, name: &str) -> Result<Entry> {
            Ok(Entry { inner: self.0.build(service, name, None)? })
        }
    }

    /// Returns whether the error reports a locked keyring. The library detects that for some requests only.
    pub(crate) fn is_locked_out(error: &Error) -> bool {
        let mut cause = error.source();
        while let Some(error) = cause {
            if let Some(zbus::Error::MethodError(name, ..)) = error.downcast_ref() {
                return name.as_str() == "org.freedesktop.Secret.Error.IsLocked";
            }
            cause = error.source();
        }
        false
    }

    /// Returns whether the collection that new entries go to is locked.
    pub(crate) async fn waits_for_its_password() -> bool {
        let locked = async {
            let bus = zbus::Connection::session().await?;
            let collection = zbus::Proxy::new(
                &bus,
                "org.freedesktop.secrets",
                "/org/freedesktop/secrets/aliases/default",
                "org.freedesktop.Secret.Collection",
            )
            .await?;
            collection.get_property::<bool>("Locked").await
        };
        locked.await.unwrap_or(false)
    }
}

/// Keychain and Credential Manager: parts of the system, always there.
#[cfg(not(all(unix, not(target_os = "macos"))))]
mod built_in {
    use super::{Entry, Error, Result};

    /// The keyring of the system.
    pub(crate) struct Store;

    impl Store {
        /// Checks that the system has a keyring.
        pub(crate) fn open() -> Result<Self> {
            Entry::store_status().as_ref().map(|()| Self).map_err(|_| Error::NoDefaultStore)
        }

        /// Returns the entry `name` of `service`.
        #[expect(clippy::unused_self, reason = "Secret Service opens entries over its connection")]
        pub(crate) fn entry(&self, service: &str, name: &str) -> Result<Entry> {
            Entry::new(service, name)
        }
    }

    /// Returns `false`: the library reports a locked keyring as such.
    pub(crate) const fn is_locked_out(_: &Error) -> bool {
        false
    }

    /// Returns `false`: the system does not report it.
    pub(crate) async fn waits_for_its_password() -> bool {
        std::future::ready(false).await
    }
}
