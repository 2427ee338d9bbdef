//! Passwords, through a memory-hard function.

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{ARGON2ID_IDENT, Argon2, Params};

pub(crate) fn hash_password(password: &str) -> anyhow::Result<String> {
    Argon2::default()
        .hash_password(password.as_bytes())
        .map(|hash| hash.to_string())
        .map_err(|cause| anyhow::anyhow!("a password could not be hashed: {cause}"))
}

/// Whether `password` belongs to `hash`. Without a hash the work is done all the same, so that the time of the
/// answer does not tell which user names exist.
pub(super) fn is_right(password: &str, hash: Option<&str>) -> bool {
    let Some(hash) = hash.and_then(read) else {
        let _ = hash_password(password);
        return false;
    };
    Argon2::default().verify_password(password.as_bytes(), &hash).is_ok()
}

/// Whether this is a hash as [`hash_password`] makes them.
pub(crate) fn is_password_hash(hash: &str) -> bool {
    read(hash).is_some()
}

/// A hash of our kind that takes no more memory and time than our own: the hash says itself how much that is, and an
/// imported one could ask for any amount.
fn read(hash: &str) -> Option<PasswordHash> {
    let hash = PasswordHash::new(hash).ok()?;
    let (asked, own) = (Params::try_from(&hash).ok()?, Params::default());
    let affordable =
        asked.m_cost() <= own.m_cost() && asked.t_cost() <= own.t_cost() && asked.p_cost() <= own.p_cost();
    (affordable && hash.algorithm == ARGON2ID_IDENT && hash.salt.is_some() && hash.hash.is_some())
        .then_some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_that_costs_more_than_our_own_is_no_hash() {
        let own = hash_password("right").unwrap();
        assert!(is_right("right", Some(&own)) && !is_right("wrong", Some(&own)));
        for (ours, theirs) in
            [("m=19456", "m=4194304"), ("t=2", "t=4000000"), ("p=1", "p=64"), ("argon2id", "argon2d")]
        {
            assert!(own.contains(ours), "{own}");
            assert!(!is_password_hash(&own.replace(ours, theirs)), "{theirs}");
        }
        assert!(!is_password_hash("right"));
    }
}
