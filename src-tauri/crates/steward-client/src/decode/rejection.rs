//! Errors that a site wrote itself, told from those of gateways and proxies in front of it (ADR 0034).
//!
//! [`rejection`] is the entry point. Invariant: if it returns an error, the site did not carry out the request. Any other
//! response in place of a reply is unreadable, and the outcome of its request is unknown.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::error::{ClientError, NO_CODE, is_of_a_gateway};
use crate::limits::{DETAILS, MASKED};
use crate::response_capture::Sent;
use crate::status_words::starts_with;
use crate::wire::{BoundedText, Raw, is_json, once_each};

/// Code, message and details of an error.
struct Error {
    code: i32,
    message: BoundedText,
    details: Details,
}

/// Details of an error, up to [`DETAILS`].
#[derive(Default)]
struct Details {
    texts: Vec<BoundedText>,
    number: usize,
}

/// Members of a response that tell an error from a reply.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Members<'a> {
    #[serde(borrow)]
    error: Member<'a>,
    error_description: Member<'a>,
    status: Member<'a>,
    success: Member<'a>,
    code: Member<'a>,
    message: Member<'a>,
    messages: Member<'a>,
    details: Member<'a>,
    result: Member<'a>,
    #[serde(rename = "serversStatus")]
    servers_status: Member<'a>,
}

/// Source text of a member. `None` if it is missing.
#[derive(Clone, Copy, Default)]
struct Member<'a>(Option<Raw<'a>>);

impl<'de: 'a, 'a> Deserialize<'de> for Member<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&RawValue>::deserialize(deserializer).map(|value| Self(Some(Raw(value.get()))))
    }
}

/// Returns the error object in a response body, if the site wrote it. Portals and the sharing API return
/// `{"error": {…}}`, the server administration `{"status": "error", "messages": […], "code": …}`, some resources
/// `{"success": false}`.
///
/// A response that has one of these members twice with different values is neither an error nor a reply: it is
/// unreadable.
///
/// An error without a code gets the HTTP status, or [`NO_CODE`] if that is a success. Secrets of the request are masked
/// in message and details, because sites repeat them; then each of them is cut.
pub(crate) fn rejection(body: &str, status: u16, sent: &Sent) -> Option<ClientError> {
    // serde would accept an array as a struct without field names.
    if !body.trim_start().starts_with('{') {
        return None;
    }
    let once;
    let (members, inside) = match Members::read(body) {
        Some(members) => members,
        None => match once_each(body) {
            Some(text) => {
                once = text;
                Members::read(&once)?
            }
            None if is_json(body) => {
                let raw = sent.raw(status, body.as_bytes());
                return Some(ClientError::unreadable_answer("a response with each field once", raw));
            }
            None => return None,
        },
    };
    let Error { code, message, details } =
        members.in_member(&inside, status).or_else(|| members.in_messages(status))?;
    // The code is that of a gateway if the site passes on the error of a component that it waited for.
    if is_of_a_gateway(status) || u16::try_from(code).is_ok_and(|code| (502..=504).contains(&code)) {
        return None;
    }
    Some(ClientError::Rejected { code, message: sent.shown(&message), details: details.shown(sent) })
}

impl<'a> Members<'a> {
    /// Reads the members of a response, and those of its error object. `None` if the response is not JSON, or one of
    /// them occurs twice.
    fn read(body: &'a str) -> Option<(Self, Self)> {
        let members: Self = serde_json::from_str(body).ok()?;
        let inside = match members.error.0.filter(|error| error.is_object()) {
            Some(error) => serde_json::from_str(error.0).ok()?,
            None => Self::default(),
        };
        Some((members, inside))
    }

    /// Returns the error in the member `error`.
    ///
    /// Gateways have such a member too, so a status other than success requires the members that the specification
    /// shows.
    fn in_member(&self, inside: &Self, status: u16) -> Option<Error> {
        let error = self.error.0.filter(|error| !is_nothing(*error))?;
        let message = match error {
            // OAuth (RFC 6749, 5.2) has the error name in `error` and the text in `error_description`.
            name if name.is_text() && (is_success(status) || is_of_oauth(name, status)) => {
                let described = self.error_description.first().filter(|text| !text.is_empty());
                described.unwrap_or_else(|| name.text_up_to(MASKED))
            }
            _ if is_success(status) || inside.is_complete() => inside.message.text(),
            _ => return None,
        };
        let number = inside.code.or(self.code).number();
        let mut details = Details::default();
        details.add(inside.details.or(self.details), 0);
        Some(Error { code: number.unwrap_or(from_http(status)), message, details })
    }

    /// Returns the error in the members `status` and `messages`, or `code` and `message`, of the response itself.
    fn in_messages(&self, status: u16) -> Option<Error> {
        let word = self.status.0.filter(|word| word.is_text()).map(|word| word.text_up_to(MASKED).beginning);
        let word = word.as_deref().unwrap_or_default().trim();
        let says_error = ["error", "fail"].iter().any(|start| starts_with(word, start));
        let number = self.code.number();
        let is_error = match is_success(status) {
            true => says_error || self.success.0.and_then(Raw::yes_or_no) == Some(false),
            false => {
                // Newer services return `{"code": 403, "message": …}` with the same HTTP status.
                let is_bare = (400..500).contains(&status) && number == Some(i32::from(status));
                (says_error && self.messages.0.is_some_and(Raw::is_list))
                    || (is_bare && self.message.0.is_some())
            }
        };
        // A body with a report is not a rejection: the report is available nowhere else. The report of a validation of
        // servers has the status of the worst server.
        if !is_error || self.result.is_something() || self.servers_status.is_something() {
            return None;
        }
        let messages = if self.messages.is_something() { self.messages } else { self.message };
        let message = messages.first().unwrap_or_default();
        let mut details = Details::default();
        details.add(messages, 1);
        details.add(self.details, 0);
        Some(Error { code: number.unwrap_or(from_http(status)), message, details })
    }

    /// Returns whether an error object has the members of the specification: a number, a text and details.
    fn is_complete(&self) -> bool {
        self.code.number().is_some() && self.message.0.is_some_and(Raw::is_text) && self.details.0.is_some()
    }
}

impl<'a> Member<'a> {
    const fn or(self, other: Self) -> Self {
        if self.0.is_some() { self } else { other }
    }

    fn number(self) -> Option<i32> {
        i32::try_from(self.0?.number()?).ok()
    }

    fn is_something(self) -> bool {
        self.0.is_some_and(|value| !is_nothing(value))
    }

    fn text(self) -> BoundedText {
        self.0.map(|value| value.text_up_to(MASKED)).unwrap_or_default()
    }

    /// Returns the first of the texts of a member.
    fn first(self) -> Option<BoundedText> {
        let mut first = None;
        self.each(&mut |text| {
            first.get_or_insert_with(|| text.text_up_to(MASKED));
        });
        first
    }

    fn each(self, pass: &mut dyn FnMut(Raw<'a>)) {
        if let Some(value) = self.0 {
            value.each(pass);
        }
    }
}

impl Details {
    /// Adds the texts of a member after its first `skipped`.
    fn add(&mut self, member: Member<'_>, skipped: usize) {
        let mut at = 0;
        member.each(&mut |text| {
            at += 1;
            if at <= skipped {
                return;
            }
            self.number += 1;
            if self.number <= DETAILS {
                self.texts.push(text.text_up_to(MASKED));
            }
        });
    }

    fn shown(self, sent: &Sent) -> Vec<String> {
        let mut shown: Vec<_> = self.texts.iter().map(|text| sent.shown(text)).collect();
        if self.number > DETAILS {
            shown.push(format!("… [{DETAILS} / {}]", self.number));
        }
        shown
    }
}

/// Returns whether a text is an error name of OAuth, for example `invalid_grant`. Gateways write sentences.
fn is_of_oauth(name: Raw<'_>, status: u16) -> bool {
    let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    matches!(status, 400 | 401) && name.whole(100).as_deref().is_some_and(is_name)
}

const fn is_success(status: u16) -> bool {
    matches!(status, 200..300)
}

fn from_http(status: u16) -> i32 {
    if status >= 400 { i32::from(status) } else { NO_CODE }
}

/// Returns whether a value is null or a substitute that some serializers write for it.
fn is_nothing(value: Raw<'_>) -> bool {
    let is_empty_list = || value.0.strip_prefix('[').is_some_and(|rest| rest.trim_start() == "]");
    matches!(value.0, "null" | "false" | "\"\"") || is_empty_list()
}

#[cfg(test)]
mod tests {
    use steward_vault::Secret;

    use super::*;
    use crate::limits::SHOWN;

    type Told = (i32, String, Vec<String>);

    fn rejected_with(json: &str, status: u16) -> Option<Told> {
        match rejection(json, status, &Sent::default()) {
            Some(ClientError::Rejected { code, message, details }) => Some((code, message, details)),
            _ => None,
        }
    }

    fn rejected(json: &str) -> Option<Told> {
        rejected_with(json, 200)
    }

    #[test]
    fn both_error_families_are_rejections() {
        let portal = r#"{"error":{"code":500,"message":"unable to write","details":null}}"#;
        let server = r#"{"status":"error","messages":["Unauthorized access.","Sign in."],"code":499}"#;

        assert_eq!(rejected(portal), Some((500, "unable to write".to_owned(), vec![])));
        assert_eq!(
            rejected(server),
            Some((499, "Unauthorized access.".to_owned(), vec!["Sign in.".to_owned()]))
        );
    }

    #[test]
    fn a_response_that_says_success_and_error_in_one_field_is_neither() {
        for both in [
            r#"{"status":"error","status":"success","messages":["no"]}"#,
            r#"{"success":false,"success":true}"#,
            r#"{"error":{"code":500,"message":"no"},"error":null,"items":[]}"#,
            r#"{"error":{"code":500,"code":200,"message":"no"}}"#,
            r#"{"status":"success","result":[{"source":"Site","messages":["lost"]}],"result":[]}"#,
        ] {
            let read = rejection(both, 200, &Sent::default());
            assert!(matches!(read, Some(ClientError::Unreadable { .. })), "{both}: {read:?}");
        }
        let twice = r#"{"status":"error","status":"error","messages":["no"]}"#;
        assert_eq!(rejected(twice), Some((NO_CODE, "no".to_owned(), vec![])), "it says one thing");
    }

    #[test]
    fn unusual_error_objects_are_rejections() {
        assert_eq!(
            rejected(r#"{"error":{"code":"498","message":"Invalid Token.","details":"expired"}}"#),
            Some((498, "Invalid Token.".to_owned(), vec!["expired".to_owned()]))
        );
        assert_eq!(rejected(r#"{"error":"broken"}"#), Some((NO_CODE, "broken".to_owned(), vec![])));
        assert_eq!(rejected(r#"{"success":false}"#), Some((NO_CODE, String::new(), vec![])));
        for nothing in
            [r#"{"status":"FAILED","message":"no"}"#, r#"{"status":"FAILED","message":"no","result":[]}"#]
        {
            assert_eq!(rejected(nothing), Some((NO_CODE, "no".to_owned(), vec![])));
        }
    }

    #[test]
    fn success_and_reports_are_not_rejections() {
        for answer in [
            r#"{"status":"success"}"#,
            r#"{"status":"success with warning","messages":["2 items have no content"]}"#,
            r#"{"items":[],"error":null}"#,
            r#"{"status":"failed","result":[{"source":"Site","messages":["half of it is there"]}]}"#,
            r#"{"status":"failure","serversStatus":[{"status":"failure","serverId":"1","messages":["down"]}]}"#,
            r#"{"success":true}"#,
            r"[]",
            r#""success""#,
        ] {
            assert_eq!(rejected(answer), None, "{answer}");
        }
    }

    #[test]
    fn missing_code_is_replaced_by_http_error_status() {
        let code = |json: &str, status| rejected_with(json, status).map(|(code, ..)| code);
        assert_eq!(code(r#"{"status":"error","messages":["no"]}"#, 403), Some(403));
        assert_eq!(code(r#"{"status":"error","messages":["no"],"code":498}"#, 403), Some(498));
        assert_eq!(code(r#"{"error":{}}"#, 200), Some(NO_CODE));
        assert_eq!(code(r#"{"code":"404","message":"not here"}"#, 404), Some(404));
        assert_eq!(code(r#"{"code":404,"message":"a report that has a code"}"#, 200), None);
    }

    #[test]
    fn with_an_http_error_status_only_the_documented_shape_is_a_rejection() {
        let documented = r#"{"error":{"code":500,"message":"m","details":null}}"#;
        for status in [400, 401, 403, 429, 498, 499, 500] {
            assert!(rejected_with(documented, status).is_some(), "{status}");
        }
        for status in [408, 502, 503, 504, 520, 599] {
            assert_eq!(rejected_with(documented, status), None, "{status}");
        }
        for incomplete in [
            r#"{"error":{"code":500,"message":"m"}}"#,
            r#"{"error":{"code":"Timeout","message":"m","details":[]}}"#,
            r#"{"error":{"message":"m","details":[]},"code":500}"#,
            r#"{"error":{"code":500,"details":[]}}"#,
            r#"{"error":"m"}"#,
            r#"{"success":false}"#,
            r#"{"status":"error","message":"m","code":500}"#,
            r#"{"code":500,"message":"m"}"#,
        ] {
            assert_eq!(rejected_with(incomplete, 500), None, "{incomplete}");
        }
    }

    #[test]
    fn the_name_of_an_oauth_error_is_a_rejection_and_a_sentence_is_not() {
        let named = r#"{"error":"invalid_grant","error_description":"It has expired."}"#;
        assert_eq!(rejected_with(named, 400), Some((400, "It has expired.".to_owned(), vec![])));
        assert_eq!(rejected_with(named, 500), None);
        assert_eq!(rejected_with(r#"{"error":"Bad Request"}"#, 400), None);
    }

    #[test]
    fn details_can_be_null_text_or_list() {
        let details = |json: &str| rejected(json).map(|(_, _, details)| details).unwrap_or_default();
        assert!(details(r#"{"error":{"code":500,"message":"m","details":null}}"#).is_empty());
        assert_eq!(details(r#"{"error":{"code":500,"message":"m","details":"one"}}"#), ["one"]);
        assert_eq!(
            details(r#"{"error":{"code":500,"message":"m","details":["one","two"]}}"#),
            ["one", "two"]
        );
    }
    #[test]
    fn message_and_details_are_cut_one_by_one_and_say_how_long_they_were() {
        let (fits, long) = ("x".repeat(SHOWN), "x".repeat(SHOWN + 1));
        let kept = format!("{}… [8144 / 8193 bytes]", "x".repeat(8144));
        for error in [
            format!(r#"{{"error":{{"code":500,"message":"{long}","details":["{fits}","{long}"]}}}}"#),
            format!(r#"{{"status":"error","messages":["{long}","{fits}","{long}"],"code":500}}"#),
            format!(r#"{{"error":"{long}","code":500,"details":["{fits}","{long}"]}}"#),
            format!(
                r#"{{"error":"x","error_description":"{long}","code":500,"details":["{fits}","{long}"]}}"#
            ),
        ] {
            assert_eq!(rejected(&error), Some((500, kept.clone(), vec![fits.clone(), kept.clone()])));
        }
    }

    #[test]
    fn of_endless_details_the_first_are_shown_and_their_number() {
        let details = |number: usize| {
            let details = vec![r#""d""#; number].join(",");
            rejected(&format!(r#"{{"error":{{"code":500,"details":[{details}]}}}}"#)).unwrap().2
        };

        assert_eq!(details(DETAILS), vec!["d"; DETAILS]);
        let more = details(DETAILS + 1);
        assert_eq!((more.len(), more.last().map(String::as_str)), (DETAILS + 1, Some("… [100 / 101]")));
    }

    #[test]
    fn a_secret_at_the_cut_is_masked() {
        let token = Secret::new("canary-token".to_owned());
        let sent = Sent::new(Some(&token), []);
        for before in 8_100..8_200 {
            let error = format!(
                r#"{{"error":{{"message":"{}canary-token{}"}}}}"#,
                "x".repeat(before),
                "y".repeat(500)
            );

            let Some(ClientError::Rejected { message, .. }) = rejection(&error, 200, &sent) else { panic!() };

            assert!(!message.contains("can"), "{before}: {}", &message[8_000..]);
        }
    }

    #[test]
    fn of_a_member_that_occurs_twice_neither_counts_unless_they_are_equal() {
        for error in [
            r#"{"error":{"message":"one"},"error":{"message":"two"}}"#,
            r#"{"error":{"message":"one","message":"two"}}"#,
        ] {
            assert_eq!(rejected(error), None);
            let equal = error.replace("two", "one");
            assert_eq!(rejected(&equal), Some((NO_CODE, "one".to_owned(), vec![])), "{equal}");
        }
    }
}
