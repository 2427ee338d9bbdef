//! Password hashing with Argon2id.

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{ARGON2ID_IDENT, Algorithm, Argon2, Params, Version};
use std::fmt::Display;

/// Memory in KiB, passes and lanes of a hash. As few as possible: the passwords of a site are generated from 96 random
/// bits, which nobody finds by guessing, and every start and sign-in waits for a hash.
const COST: (u32, u32, u32) = (Params::MIN_M_COST, Params::MIN_T_COST, Params::MIN_P_COST);

/// Hashes a password with Argon2id and a random salt.
pub(crate) fn hash_password(password: &str) -> anyhow::Result<String> {
    let (memory, passes, lanes) = COST;
    let params = Params::new(memory, passes, lanes, None).map_err(unhashed)?;
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password(password.as_bytes())
        .map(|hash| hash.to_string())
        .map_err(unhashed)
}

fn unhashed(cause: impl Display) -> anyhow::Error {
    anyhow::anyhow!("a password could not be hashed: {cause}")
}

/// Returns whether `password` matches `hash`. Without a hash, a hash is computed as well, so that the response time
/// does not reveal which user names exist.
pub(super) fn is_right(password: &str, hash: Option<&str>) -> bool {
    let Some(hash) = hash.and_then(read) else {
        let _ = hash_password(password);
        return false;
    };
    Argon2::default().verify_password(password.as_bytes(), &hash).is_ok()
}

/// Returns whether a text is a hash of [`hash_password`].
pub(crate) fn is_password_hash(hash: &str) -> bool {
    read(hash).is_some()
}

/// Parses a hash of the same algorithm and at most the same cost. An imported hash contains its own cost parameters and
/// could require any amount of memory and time.
fn read(hash: &str) -> Option<PasswordHash> {
    let hash = PasswordHash::new(hash).ok()?;
    let (asked, (memory, passes, lanes)) = (Params::try_from(&hash).ok()?, COST);
    let affordable = asked.m_cost() <= memory && asked.t_cost() <= passes && asked.p_cost() <= lanes;
    (affordable && hash.algorithm == ARGON2ID_IDENT && hash.salt.is_some() && hash.hash.is_some())
        .then_some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_with_higher_cost_is_rejected() {
        let own = hash_password("right").unwrap();
        assert!(is_right("right", Some(&own)) && !is_right("wrong", Some(&own)));
        for (ours, theirs) in
            [("m=8", "m=4194304"), ("t=1", "t=4000000"), ("p=1", "p=64"), ("argon2id", "argon2d")]
        {
            assert!(own.contains(ours), "{own}");
            assert!(!is_password_hash(&own.replace(ours, theirs)), "{theirs}");
        }
        assert!(!is_password_hash("right"));
    }
}
