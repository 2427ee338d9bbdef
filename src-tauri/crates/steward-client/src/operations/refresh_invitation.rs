//! Invitation refresh: extends an invitation for 72 hours (specification, operation 7).
//!
//! [`RefreshInvitation::send`] returns the invitation file. Portals return it as the body, as a part of a `multipart`
//! body, or not at all; then it is read from the invitation's record. Invariants: a response that might be part of an
//! invitation is captured without its content, because an invitation is a secret; an error after the refresh is never
//! [`ClientError::Rejected`], because the refresh has taken effect.

use std::borrow::Cow;
use std::collections::BTreeMap;

use reqwest::StatusCode;
use reqwest::header::{CONTENT_DISPOSITION, CONTENT_TYPE, HeaderMap};
use serde_json::value::RawValue;

use super::{Capability, Impact, NeedsAdminUrl, OperationDescriptor, Since};
use crate::decode::{self, Limits};
use crate::deployment_type::DeploymentType;
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::limits::SMALL_BODY;
use crate::listing;
use crate::multipart::{self, Part};
use crate::permit::Permit;
use crate::request::{Request, ResponseTimeout};
use crate::response_capture::{RawResponse, Sent};
use crate::status_words;
use crate::version::Version;
use crate::wire::{Raw, is_json};

/// Facts of the operation in the specification.
pub(super) const DESCRIPTOR: OperationDescriptor = OperationDescriptor {
    since: Since::Portal(Version::new(10, 5)),
    impact: Impact::Changes,
    deployment_types: &[DeploymentType::Enterprise, DeploymentType::Kubernetes, DeploymentType::Online],
    needs_admin_url: NeedsAdminUrl::Never,
    capability: Capability::AdministratorOfHost,
    privileges: &["portal:admin:manageCollaborations"],
    parameters: &[],
};

const EXPECTED: &str = "an invitation file";

/// Parameters of an invitation refresh.
#[derive(Debug)]
pub struct RefreshInvitation {
    /// ID of the portal that receives the request.
    pub portal_id: String,
    /// ID of the collaboration.
    pub collaboration_id: String,
    /// ID of the invitation.
    pub invitation_id: String,
}

/// Refreshed invitation.
#[derive(Clone)]
pub struct RefreshReply {
    /// File name as returned by the site. Not safe to use as a path. `None` if the site returned none.
    pub file_name: Option<String>,
    /// Content of the invitation file. A secret: anyone who has it might be able to join the collaboration.
    pub content: Vec<u8>,
}

impl RefreshInvitation {
    /// Returns the request.
    #[must_use]
    pub fn request(&self) -> Request {
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
        Request::once(path, ResponseTimeout::Minute)
    }

    /// Sends the request.
    ///
    /// # Errors
    /// - [`ClientError::Rejected`] with the code and the message of the portal.
    /// - [`ClientError::Unreadable`] if the response is not an invitation.
    /// - [`ClientError::TokenEnded`] if the token expired during the request.
    /// - A connection or session error of [`ClientError`].
    pub async fn send(&self, permit: Permit<'_>) -> Result<RefreshReply, ClientError> {
        let reply = match self.send_once(permit.endpoint(), &self.request()).await {
            Ok(reply) if self.is_of_another(&reply.content) => {
                Err(ClientError::unreadable(EXPECTED, "the response holds another invitation"))
            }
            reply => reply,
        };
        permit.settled(reply).await
    }

    /// Returns whether a file names another invitation or collaboration: a proxy in front of a portal can repeat an
    /// earlier response.
    fn is_of_another(&self, content: &[u8]) -> bool {
        let text = decode::text(content);
        let request = Fields::of(text.trim()).and_then(|fields| fields.get("invitationRequest"));
        let named = request.and_then(|request| request.some_fields(["id", "collaborationId"]));
        let [id, collaboration] = named.unwrap_or_default();
        let differs = |named: Option<Raw<'_>>, asked: &str| {
            named.map(Raw::shown).is_some_and(|named| !named.is_empty() && named != asked)
        };
        differs(id, &self.invitation_id) || differs(collaboration, &self.collaboration_id)
    }

    async fn send_once(&self, portal: &Endpoint, request: &Request) -> Result<RefreshReply, ClientError> {
        let response = portal.send_once(request).await?;
        let status = response.status();
        let headers = response.headers().clone();
        let sent = portal.sent(None);
        let content = decode::bytes(response, &sent, EXPECTED, Limits::small(None)).await;
        let content = content.map_err(|error| match error {
            // Leave out the excerpt of the response: it might be part of an invitation.
            ClientError::Unreadable { .. } => {
                ClientError::unreadable(EXPECTED, format!("more than {SMALL_BODY} bytes"))
            }
            other => other,
        })?;
        if let Some(boundary) = boundary(&headers).filter(|_| decode::is_whole(status)) {
            return self.unpack(portal, boundary, content, &sent).await;
        }
        let raw = sent.raw(status.as_u16(), &without_half_an_invitation(&content));
        let refreshed = self.read(portal, status, headers, content, &sent, &raw).await;
        if let Some(state) = portal.send_state().filter(|_| refreshed.is_err()) {
            state.answered(raw);
        }
        refreshed
    }

    /// Reads a response that is not `multipart`. `raw` is the response as it may be captured if it is not an
    /// invitation.
    async fn read(
        &self,
        portal: &Endpoint,
        status: StatusCode,
        headers: HeaderMap,
        content: Vec<u8>,
        sent: &Sent,
        raw: &RawResponse,
    ) -> Result<RefreshReply, ClientError> {
        // An invitation can be JSON itself, so the content type does not distinguish it from an error.
        let body = decode::text(&content);
        if let Some(rejection) = decode::rejection(&body, status.as_u16(), sent) {
            return Err(rejection);
        }
        let says_success = decode::is_whole(status) && says_success(&body);
        drop(body);
        let part = Part { name: None, headers, content: content.into() };
        if decode::is_whole(status) && is_file(&part) {
            return Ok(RefreshReply { file_name: named_in(&part.headers), content: part.content.to_vec() });
        }
        // Some portals only report success. The record of the invitation contains the content.
        if says_success {
            return self.read_from_record(portal, "the portal says success").await;
        }
        Err(ClientError::unreadable_answer(EXPECTED, raw.clone()))
    }

    /// Reads a `multipart` response: version 10.5 sends the file and the properties of the response as parts. Reads the
    /// record of the invitation if there is no file or the body cannot be split into parts.
    async fn unpack(
        &self,
        portal: &Endpoint,
        boundary: String,
        content: Vec<u8>,
        sent: &Sent,
    ) -> Result<RefreshReply, ClientError> {
        let Some(parts) = multipart::parts(content, boundary).await else {
            return self.read_from_record(portal, "the multipart response cannot be read").await;
        };
        let said = said(&parts);
        if let Some(rejection) = said.iter().find_map(|json| decode::rejection(json, 200, sent)) {
            return Err(rejection);
        }
        let has_word = said.iter().any(|json| Fields::of(json).is_some_and(|fields| fields.has_word()));
        match parts.into_iter().find(is_file) {
            Some(Part { headers, content, .. }) => {
                Ok(RefreshReply { file_name: named_in(&headers), content: content.to_vec() })
            }
            None if has_word && !said.iter().any(|json| says_success(json)) => {
                Err(ClientError::unreadable(EXPECTED, "the parts hold no file and do not say success"))
            }
            None => self.read_from_record(portal, "the multipart response holds no file").await,
        }
    }

    /// Reads the invitation from its record. `why` describes the response to the refresh, for an error.
    async fn read_from_record(&self, portal: &Endpoint, why: &str) -> Result<RefreshReply, ClientError> {
        let record =
            listing::invitation(portal, &self.portal_id, &self.collaboration_id, &self.invitation_id).await;
        // The invitation is refreshed already. A rejection or a connection error would mean that nothing was done, and
        // the refresh would be repeated.
        let record = record.map_err(|error| {
            ClientError::unreadable(
                EXPECTED,
                format!("{why}, and the record of the invitation cannot be read: {error}"),
            )
        })?;
        if record.content.is_empty() {
            let words = format!("{why}, and the record of the invitation holds no invitation");
            return Err(ClientError::unreadable(EXPECTED, words));
        }
        Ok(RefreshReply { file_name: None, content: record.content.into_bytes() })
    }
}

/// Returns the content, or only its size if it might be part of an invitation, which is a secret: a text without
/// spaces, or incomplete JSON.
fn without_half_an_invitation(content: &[u8]) -> Cow<'_, [u8]> {
    let text = content.trim_ascii();
    let is_prose = !text.starts_with(b"{") && text.contains(&b' ');
    if is_prose || text.starts_with(b"<") || is_json(&decode::text(content)) {
        return content.into();
    }
    format!("({} bytes)", content.len()).into_bytes().into()
}

/// Returns whether content is a page or incomplete JSON, which is not a usable invitation.
fn is_no_file(content: &[u8]) -> bool {
    let content = content.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(content).trim_ascii_start();
    content.starts_with(b"<") || content.starts_with(b"{")
}

/// Returns the parts without a file name as JSON: each part that is an object, and all other named parts as the fields
/// of one object.
fn said(parts: &[Part]) -> Vec<String> {
    let mut fields = BTreeMap::new();
    let mut all = Vec::new();
    for part in parts.iter().filter(|part| named_in(&part.headers).is_none()) {
        let text = decode::text(&part.content);
        match (serde_json::from_str::<Box<RawValue>>(&text).ok(), &part.name) {
            (Some(json), _) if Raw(json.get()).is_object() => all.push(json.get().to_owned()),
            (Some(value), Some(name)) => drop(fields.insert(name.clone(), value)),
            (None, Some(name)) => {
                let text = serde_json::value::to_raw_value(&text).ok();
                fields.extend(text.map(|text| (name.clone(), text)));
            }
            (_, None) => {}
        }
    }
    all.extend(serde_json::to_string(&fields).ok());
    all
}

/// Fields of a JSON object.
struct Fields<'a>(BTreeMap<String, &'a RawValue>);

impl<'a> Fields<'a> {
    /// Reads a JSON object. `None` for anything else.
    fn of(json: &'a str) -> Option<Self> {
        serde_json::from_str(json).ok().map(Self)
    }

    fn get(&self, name: &str) -> Option<Raw<'a>> {
        self.0.get(name).map(|value| Raw(value.get()))
    }

    /// Returns whether the object has a result: `success` or `status`.
    fn has_word(&self) -> bool {
        self.get("success").or_else(|| self.get("status")).is_some()
    }
}

/// Returns whether a part is the invitation: JSON with the field `invitationRequest`, or a named file that is not
/// empty, a result, a page or incomplete JSON.
fn is_file(part: &Part) -> bool {
    let is_named = named_in(&part.headers).is_some() && !part.content.is_empty();
    let text = decode::text(&part.content);
    let text = text.trim();
    if let Some(fields) = Fields::of(text) {
        let has_request = fields.get("invitationRequest").is_some_and(|request| !request.is_null());
        return has_request || (is_named && !fields.0.is_empty() && !fields.has_word());
    }
    match is_json(text) {
        true => is_named && text.len() > 2 && Raw(text).is_text(),
        false => is_named && !is_no_file(&part.content),
    }
}

/// Returns whether JSON reports success: `{"success": true}`, or a status of success.
fn says_success(json: &str) -> bool {
    let Some(fields) = Fields::of(json) else { return false };
    let status = fields.get("status").filter(|status| status.is_text()).map(Raw::shown);
    fields.get("success").and_then(Raw::yes_or_no) == Some(true)
        || status.is_some_and(|status| status_words::is_success(&status))
}

/// Returns the boundary of a multipart response. Empty if the header contains none; `None` for another content type.
fn boundary(headers: &HeaderMap) -> Option<String> {
    let content_type = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    let is_multipart =
        content_type.trim_start().get(..10).is_some_and(|kind| kind.eq_ignore_ascii_case("multipart/"));
    is_multipart.then(|| parameter(content_type, "boundary").unwrap_or_default())
}

fn named_in(headers: &HeaderMap) -> Option<String> {
    headers.get(CONTENT_DISPOSITION).and_then(|value| value.to_str().ok()).and_then(file_name)
}

/// Returns a parameter of a header, without its quotes.
fn parameter(header: &str, name: &str) -> Option<String> {
    header.split(';').map(str::trim).find_map(|part| {
        let (key, value) = part.split_once('=')?;
        key.trim().eq_ignore_ascii_case(name).then(|| value.trim().trim_matches('"').to_owned())
    })
}

/// Returns the file name in a `Content-Disposition` header, in plain or encoded form (RFC 5987).
fn file_name(disposition: &str) -> Option<String> {
    let parameter = |name: &str| parameter(disposition, name);
    if let Some(encoded) = parameter("filename*") {
        let text = encoded.rsplit('\'').next().unwrap_or_default();
        // Decode as a query value. In this form `+` is not a space, so escape it first.
        let query = format!("n={}", text.replace('+', "%2B"));
        return url::form_urlencoded::parse(query.as_bytes()).next().map(|(_, name)| name.into_owned());
    }
    parameter("filename").filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_names_another_invitation_or_collaboration_is_of_another() {
        let refresh = RefreshInvitation {
            portal_id: "0".to_owned(),
            collaboration_id: "c0a1".to_owned(),
            invitation_id: "9e2b".to_owned(),
        };
        for (request, is_of_another) in [
            (r#"{"id":"9e2b","collaborationId":"c0a1"}"#, false),
            (r#"{"id":"7777","collaborationId":"c0a1"}"#, true),
            (r#"{"id":"9e2b","collaborationId":"c0a2"}"#, true),
            (r#"{"guestPortalUrl":"https://guest.example.org"}"#, false),
            ("{}", false),
        ] {
            let file = format!(r#"{{"invitationRequest":{request}}}"#);
            assert_eq!(refresh.is_of_another(file.as_bytes()), is_of_another, "{request}");
        }
        assert!(!refresh.is_of_another(b"eyJhbGciOiJub25lIn0.e30."));
    }

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
