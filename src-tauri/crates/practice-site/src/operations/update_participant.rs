//! Operation 6: updates the contact person of a participant in a collaboration that this portal hosts.

use crate::clock::now_ms;
use crate::resources::portal::this_portal;
use crate::sign_in::{Capability, Component};
use crate::store::collaborations::{self, Contact};
use crate::wire::{ApiError, Reply, RequestContext, json};
use axum::extract::Path;
use serde_json::json;

pub(crate) async fn update_participant(
    call: RequestContext,
    Path((portal_id, collaboration, participant)): Path<(String, String, String)>,
) -> Reply {
    call.caller_with(Component::Portal, Capability::HostAdministrator).await?;
    // Both spellings are documented; stored records use the first.
    let given =
        |names: [&str; 2]| names.into_iter().find_map(|name| call.parameters.text(name)).map(str::to_owned);
    let first_name = given(["contactFirstname", "contactFirstName"]);
    let last_name = given(["contactLastname", "contactLastName"]);
    let email = call.parameters.text("contactEmailAddress").map(str::to_owned);
    if let Some(email) = email.as_deref().filter(|email| !looks_like_an_address(email)) {
        return Err(ApiError::bad_request(format!("'{email}' is not an e-mail address."))
            .with_detail("contactEmailAddress needs a name, an @ and a domain."));
    }

    let answer = json!({ "success": true, "collaborationId": collaboration, "portalId": participant });
    call.app
        .portal
        .write(move |tx| {
            this_portal(tx, &portal_id)?;
            collaborations::find_hosted(tx, &collaboration)?;
            let known = collaborations::find_participant(tx, &collaboration, &participant)?.contact;
            let contact = Contact {
                first_name: first_name.unwrap_or(known.first_name),
                last_name: last_name.unwrap_or(known.last_name),
                email: email.unwrap_or(known.email),
            };
            collaborations::set_contact(tx, &collaboration, &participant, &contact, now_ms())
        })
        .await?;
    json(answer)
}

/// Checks only the syntax of an e-mail address; no check can determine whether it exists.
fn looks_like_an_address(text: &str) -> bool {
    let Some((name, domain)) = text.split_once('@') else {
        return false;
    };
    let labels = domain.split('.').collect::<Vec<_>>();
    text.len() <= 254
        && !name.is_empty()
        && !domain.contains('@')
        && !text.contains(|c: char| c.is_whitespace() || c.is_control())
        && labels.len() >= 2
        && labels.iter().all(|label| !label.is_empty())
}

#[cfg(test)]
mod tests {
    use super::looks_like_an_address;

    #[test]
    fn email_address_requires_name_at_sign_and_domain() {
        for good in ["a@example.net", "alex.meadow+gis@maps.example.org", "ünï@exämple.org"] {
            assert!(looks_like_an_address(good), "{good}");
        }
        for bad in ["", "a", "@example.net", "a@", "a@b", "a@.net", "a@b.", "a@b@c.net", "a b@example.net"] {
            assert!(!looks_like_an_address(bad), "{bad}");
        }
    }
}
