//! Operation 7: an invitation gets 72 more hours from now, and comes back as a file.

use crate::clock::now_ms;
use crate::discovery::portal::this_portal;
use crate::sign_in::{Area, Capability};
use crate::store::collaborations::{self, GENERATED};
use crate::wire::{Answer, Call, Refusal, Reply};
use axum::extract::Path;
use axum::http::header;
use axum::response::IntoResponse as _;
use serde_json::json;

const SEVENTY_TWO_HOURS: i64 = 72 * 60 * 60 * 1000;

pub(crate) async fn refresh_invitation(
    call: Call,
    Path((portal_id, collaboration, invitation)): Path<(String, String, String)>,
) -> Reply {
    call.caller_with(Area::Portal, Capability::HostAdministrator).await?;
    let invitation = call
        .app
        .portal
        .write(move |tx| {
            this_portal(tx, &portal_id)?;
            collaborations::find_hosted(tx, &collaboration)?;
            let mut invitation = collaborations::find_invitation(tx, &collaboration, &invitation)?;
            if invitation.status != GENERATED {
                return Err(Refusal::bad_request(format!(
                    "The invitation {} cannot be refreshed: its status is {}.",
                    invitation.id, invitation.status
                ))
                .with_detail(
                    "Only an invitation that nobody has accepted or invalidated can be. Generate a new one.",
                ));
            }
            let now = now_ms();
            invitation.expiration = now + SEVENTY_TWO_HOURS;
            invitation.modified = now;
            // The guest reads the file, the host its database: both must say the same.
            invitation.request["expiration"] = json!(invitation.expiration);
            collaborations::set_expiration(tx, &invitation)?;
            Ok(invitation)
        })
        .await?;
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        // A plain name: clients join it to a folder as it stands.
        (header::CONTENT_DISPOSITION, format!("attachment; filename={}", invitation.file_name())),
        (header::CACHE_CONTROL, "no-store".to_owned()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
    ];
    Ok(Answer::File((headers, invitation.file_text()).into_response()))
}
