//! Whether a password is somebody's.

use super::password;
use crate::app::App;
use crate::store::people;
use crate::wire::Refusal;

/// Longer ones are nobody's, and are not remembered.
const LONGEST_NAME: usize = 128;

/// Looks among the portal's users, and for the server's primary administrator where that one may sign in.
pub(super) async fn check(
    app: &App,
    username: String,
    password: String,
    primary_too: bool,
) -> Result<bool, Refusal> {
    if username.is_empty() || username.len() > LONGEST_NAME {
        return Ok(false);
    }
    let name = username.clone();
    app.slow_down
        .attempt(&username, async move {
            let asked = name.clone();
            let mut hash = app.portal.read(move |portal| people::password_hash(portal, &asked)).await?;
            if hash.is_none() && primary_too {
                hash = app.server.read(move |server| people::primary_password_hash(server, &name)).await?;
            }
            crate::app::off_thread(move || Ok(password::is_right(&password, hash.as_deref()))).await
        })
        .await
}
