//! What differs between the systems.

#[cfg(target_os = "macos")]
pub(crate) use apple::*;
#[cfg(all(unix, not(target_os = "macos")))]
pub(crate) use secret_service::*;
#[cfg(windows)]
pub(crate) use windows::*;

#[cfg(all(unix, not(target_os = "macos")))]
mod secret_service {
    use std::error::Error as _;
    use std::sync::Arc;

    use keyring_core::{CredentialStore, Error};
    use zbus_secret_service_keyring_store::Store;

    /// Connects to the Secret Service.
    pub(crate) fn open() -> keyring_core::Result<Arc<CredentialStore>> {
        Ok(Store::new()?)
    }

    /// Whether the refusal says that the keyring is locked. The library sees that only where it looks for it.
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

    /// Whether the collection that we write to is locked.
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

#[cfg(target_os = "macos")]
mod apple {
    use std::sync::Arc;

    use keyring_core::{CredentialStore, Error};

    pub(crate) fn open() -> keyring_core::Result<Arc<CredentialStore>> {
        Ok(apple_native_keyring_store::keychain::Store::new()?)
    }

    pub(crate) const fn is_locked_out(_: &Error) -> bool {
        false
    }

    pub(crate) async fn waits_for_its_password() -> bool {
        std::future::ready(false).await
    }
}

#[cfg(windows)]
mod windows {
    use std::sync::Arc;

    use keyring_core::{CredentialStore, Error};

    pub(crate) fn open() -> keyring_core::Result<Arc<CredentialStore>> {
        Ok(windows_native_keyring_store::Store::new()?)
    }

    pub(crate) const fn is_locked_out(_: &Error) -> bool {
        false
    }

    pub(crate) async fn waits_for_its_password() -> bool {
        std::future::ready(false).await
    }
}
