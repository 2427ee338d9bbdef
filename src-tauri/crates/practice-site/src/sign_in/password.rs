//! Passwords, through a memory-hard function.

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};

pub(crate) fn hash_password(password: &str) -> anyhow::Result<String> {
    Argon2::default()
        .hash_password(password.as_bytes())
        .map(|hash| hash.to_string())
        .map_err(|cause| anyhow::anyhow!("a password could not be hashed: {cause}"))
}

/// Whether `password` belongs to `hash`. Without a hash the work is done all the same, so that the time of the
/// answer does not tell which user names exist.
pub(super) fn is_right(password: &str, hash: Option<&str>) -> bool {
    let Some(hash) = hash.and_then(|hash| PasswordHash::new(hash).ok()) else {
        let _ = hash_password(password);
        return false;
    };
    Argon2::default().verify_password(password.as_bytes(), &hash).is_ok()
}
