//! Operation 7: extends an invitation to 72 hours from now and returns its file.

use crate::clock::now_ms;
use crate::resources::portal::this_portal;
use crate::sign_in::{Capability, Component};
use crate::store::collaborations::{self, GENERATED};
use crate::wire::{ApiError, ApiResponse, Reply, RequestContext};
use axum::extract::Path;
use axum::http::header;
use axum::response::IntoResponse as _;
use serde_json::json;

const SEVENTY_TWO_HOURS: i64 = 72 * 60 * 60 * 1000;

pub(crate) async fn refresh_invitation(
    call: RequestContext,
    Path((portal_id, collaboration, invitation)): Path<(String, String, String)>,
) -> Reply {
    call.caller_with(Component::Portal, Capability::HostAdministrator).await?;
    let invitation = call
        .app
        .portal
        .write(move |tx| {
            this_portal(tx, &portal_id)?;
            collaborations::find_hosted(tx, &collaboration)?;
            let mut invitation = collaborations::find_invitation(tx, &collaboration, &invitation)?;
            if invitation.status != GENERATED {
                return Err(ApiError::bad_request(format!(
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
            // The guest reads the file and the host its database: both must contain the same expiry.
            invitation.request["expiration"] = json!(invitation.expiration);
            collaborations::set_expiration(tx, &invitation)?;
            Ok(invitation)
        })
        .await?;
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        // A plain file name: clients append it to a folder unchanged.
        (header::CONTENT_DISPOSITION, format!("attachment; filename={}", invitation.file_name())),
        (header::CACHE_CONTROL, "no-store".to_owned()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
    ];
    Ok(ApiResponse::File((headers, invitation.file_text()).into_response()))
}
