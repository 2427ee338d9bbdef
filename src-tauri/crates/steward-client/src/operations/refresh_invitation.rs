//! Specification 7: an invitation for another 72 hours.

use crate::area::{Area, Patience};
use crate::decode;
use crate::error::ClientError;
use crate::listing;
use crate::turn::Turn;

const EXPECTED: &str = "an invitation file";

/// The invitation to refresh.
#[derive(Debug)]
pub struct RefreshInvitation {
    /// Identifier of our portal.
    pub portal_id: String,
    /// The collaboration.
    pub collaboration_id: String,
    /// The invitation.
    pub invitation_id: String,
}

/// The refreshed invitation.
#[derive(Clone)]
pub struct RefreshReply {
    /// The name the site gave the file, as it came: whoever saves it must not trust it.
    pub file_name: Option<String>,
    /// The content of the invitation file. It is as good as a key to the collaboration.
    pub content: Vec<u8>,
}

impl RefreshInvitation {
    /// Sends it.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn send(&self, portal: &Area) -> Result<RefreshReply, ClientError> {
        let mut turn = Turn::first(portal).await;
        loop {
            let answer = self.send_once(turn.area()).await;
            if let Some(answer) = turn.settled(answer).await {
                return answer;
            }
        }
    }

    async fn send_once(&self, portal: &Area) -> Result<RefreshReply, ClientError> {
        let path = [
            "sharing",
            "rest",
            "portals",
            &self.portal_id,
            "collaborations",
            &self.collaboration_id,
            "invitations",
            &self.invitation_id,
            "refresh",
        ];
        let response = portal.send_form(&path, &[], Patience::Minute).await?;
        let status = response.status();
        let file_name = response
            .headers()
            .get(reqwest::header::CONTENT_DISPOSITION)
            .and_then(|value| value.to_str().ok())
            .and_then(file_name);
        let sent = portal.sent(&[]);
        let content = decode::bytes(response, &sent, EXPECTED).await?;

        // The invitation is JSON itself, so the content type tells nothing; only an error or a bare success at
        // the top does.
        let json = decode::value(&content);
        if let Some(refusal) = json.as_ref().and_then(|json| decode::refusal(json, status.as_u16(), &sent)) {
            return Err(refusal);
        }
        if !status.is_success() || content.is_empty() || (json.is_none() && is_no_file(&content)) {
            return Err(ClientError::unreadable_answer(EXPECTED, sent.raw(status.as_u16(), &content)));
        }
        // Some portals only say that they refreshed it; the content is in the invitation's own record.
        if json.is_some_and(|json| json.get("success").is_some() && json.get("invitationRequest").is_none()) {
            return self.read_from_record(portal).await;
        }
        Ok(RefreshReply { file_name, content })
    }

    async fn read_from_record(&self, portal: &Area) -> Result<RefreshReply, ClientError> {
        let record =
            listing::invitation(portal, &self.portal_id, &self.collaboration_id, &self.invitation_id).await;
        // It is refreshed already: whatever goes wrong now must not pass for a refusal of the operation, or for one that
        // never left, which would be repeated.
        let record = record.map_err(|error| {
            ClientError::unreadable(
                EXPECTED,
                format!("the portal says success and hands out no invitation: {error}"),
            )
        })?;
        if record.content.is_empty() {
            let words = "the portal says success and hands out no invitation";
            return Err(ClientError::unreadable(EXPECTED, words));
        }
        Ok(RefreshReply { file_name: None, content: record.content.into_bytes() })
    }
}

/// A page, or JSON that broke off: half an invitation is none.
fn is_no_file(content: &[u8]) -> bool {
    let content = content.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(content).trim_ascii_start();
    content.starts_with(b"<") || content.starts_with(b"{")
}

/// The file name in a `Content-Disposition`, plain or in the encoded form.
fn file_name(disposition: &str) -> Option<String> {
    let parameter = |name: &str| {
        disposition.split(';').map(str::trim).find_map(|part| {
            let (key, value) = part.split_once('=')?;
            key.trim().eq_ignore_ascii_case(name).then(|| value.trim().trim_matches('"').to_owned())
        })
    };
    if let Some(encoded) = parameter("filename*") {
        let text = encoded.rsplit('\'').next().unwrap_or_default();
        // Percent-decoding is what a query value undergoes too, `+` aside, which this form never means.
        let query = format!("n={}", text.replace('+', "%2B"));
        return url::form_urlencoded::parse(query.as_bytes()).next().map(|(_, name)| name.into_owned());
    }
    parameter("filename").filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_no_invitation_and_a_key_is() {
        for page in ["<html>", " \n<html>", "\u{feff}<html>", "{\"half", "\u{feff} {"] {
            assert!(is_no_file(page.as_bytes()), "{page}");
        }
        assert!(!is_no_file(b"eyJhbGciOiJub25lIn0.e30."));
    }

    #[test]
    fn the_name_of_the_file_is_read_in_every_form() {
        let read = |text| file_name(text).unwrap_or_default();
        assert_eq!(read("attachment; filename=a.invite"), "a.invite");
        assert_eq!(read("attachment; FileName=\"a b.invite\""), "a b.invite");
        assert_eq!(
            read("attachment; filename=x; filename*=UTF-8''M%C3%BCnchen+1.invite"),
            "München+1.invite"
        );
        assert_eq!(read("attachment"), "");
    }
}
