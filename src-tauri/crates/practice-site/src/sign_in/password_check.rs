//! Verification of passwords.

use super::password;
use crate::app::App;
use crate::store::users;
use crate::wire::ApiError;

/// Maximum length of a user name. Longer ones do not exist and are not stored for rate limiting.
const LONGEST_NAME: usize = 128;

/// Returns whether the password belongs to the user: a user of the portal, or the primary site administrator if
/// allowed.
pub(super) async fn check(
    app: &App,
    username: String,
    password: String,
    allow_primary: bool,
) -> Result<bool, ApiError> {
    if username.is_empty() || username.len() > LONGEST_NAME {
        return Ok(false);
    }
    let name = username.clone();
    app.rate_limit
        .attempt(&username, async move {
            let asked = name.clone();
            let mut hash = app.portal.read(move |portal| users::password_hash(portal, &asked)).await?;
            if hash.is_none() && allow_primary {
                hash = app.server.read(move |server| users::primary_password_hash(server, &name)).await?;
            }
            crate::off_thread::off_thread(move || Ok(password::is_right(&password, hash.as_deref()))).await
        })
        .await
}
