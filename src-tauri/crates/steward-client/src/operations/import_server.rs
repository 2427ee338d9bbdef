//! Server import (specification, operation 3).
//!
//! [`ImportServer::send`] keeps the connection open until the import ends, which can take hours, and returns the
//! [`ImportReply`]. Invariant: no text of a report is dropped because of its shape, or because of the number of texts:
//! the site keeps no copy of it. Each text is cut by itself.

mod further;

use serde::{Deserialize, Deserializer};

use self::further::{NAMED, shown_source};
use super::{
    GatedParameter, Impact, NeedsAdminUrl, OperationDescriptor, Remarks, SuccessReply, export_server,
};
use crate::beside::{self, Beside};
use crate::deployment_type::ServerType;
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::limits::SHOWN;
use crate::permit::Permit;
use crate::request::{Request, ResponseTimeout};
use crate::status_words::{is_failure, is_plain_success, is_success};
use crate::version::Version;
use crate::wire::{BoundedText, Raw, Success, list_of_report, raw, text};

/// Facts of the operation in the specification: the sites that can export can import.
pub(super) const DESCRIPTOR: OperationDescriptor = OperationDescriptor {
    impact: Impact::Replaces,
    // The restore utility accepts the URL of a web adaptor since 11.3, and the documentation of the operation does not.
    needs_admin_url: NeedsAdminUrl::Before(Version::new(11, 3)),
    parameters: &[GatedParameter::Validate, GatedParameter::RestartWebServer],
    ..export_server::DESCRIPTOR
};

const PATH: [&str; 2] = ["admin", "importSite"];

/// Parameters of a server import.
#[derive(Debug)]
pub struct ImportServer {
    /// Path of an export file on the server, or the ID of a server upload.
    pub location: String,
    /// Server type, which decides which fields contain the location.
    pub server_type: ServerType,
    /// Whether the web server restarts after the import. `None` to leave it out: servers have it since version 11.3.
    pub restart_web_server: Option<bool>,
}

/// Import report. All text that can be decoded is kept: the site keeps no copy of the report.
#[derive(Debug, Clone)]
pub struct ImportReply {
    /// Status, for example `success` or `success with warnings`. Empty if the server returned none.
    pub status: String,
    /// Messages by source.
    pub result: Vec<Source>,
    /// What else the response has, as shown.
    pub further: Vec<String>,
}

#[derive(Deserialize)]
struct ReplyWire {
    #[serde(default, deserialize_with = "text")]
    status: String,
    #[serde(default, deserialize_with = "list_of_report")]
    result: Vec<Source>,
    /// Messages outside the sources, in the field that exports have.
    #[serde(default, deserialize_with = "list_of_report")]
    messages: Vec<Message>,
    /// Message outside the sources, as a single text.
    #[serde(default, deserialize_with = "text")]
    message: String,
    #[serde(default)]
    success: Success,
}

impl<'de> Deserialize<'de> for ImportReply {
    /// Fails for a response that does not show what the import did: one without a status of success and without a
    /// message, one whose status is no end, and the error of a gateway that the server waited for.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const READ: [&str; 5] = ["status", "result", "messages", "message", "success"];
        let response = raw(deserializer)?;
        let wire = response.read_object();
        let ReplyWire { mut status, mut result, mut messages, message, success } =
            wire.ok_or_else(|| serde::de::Error::custom("no object"))?;
        // `success: false` overrides an empty status and a status of success.
        if success == Success::No && (status.is_empty() || is_success(&status)) {
            "false".clone_into(&mut status);
        }
        if !message.is_empty() {
            messages.push(Message::only(message));
        }
        let is_an_end = status.is_empty() || is_success(&status) || is_failure(&status);
        if !is_an_end || waited_in_vain(response) || beside::goes_on(response) {
            return Err(serde::de::Error::custom("not the end of an import"));
        }
        let Beside { mut warnings, mut further } = Beside::of(response, &READ);
        let inside = further::of_report(response);
        warnings.extend(inside.warnings);
        further.extend(inside.further);
        messages.extend(warnings.into_iter().map(Message::only));
        if !messages.is_empty() {
            result.push(Source { source: String::new(), messages });
        }
        if is_success(&status) || result.iter().any(|source| !source.messages.is_empty()) {
            return Ok(Self { status, result, further });
        }
        Err(serde::de::Error::custom("neither a success nor a report"))
    }
}

/// Returns whether the server passed on the error of a gateway: the import might go on.
fn waited_in_vain(response: Raw<'_>) -> bool {
    let mut is_one = false;
    let mut read = |code: Raw<'_>| is_one |= code.number().is_some_and(|code| (502..=504).contains(&code));
    response.fields(&mut |name, value| match name {
        "code" => read(value),
        "error" => {
            value.fields(&mut |name, value| {
                if name == "code" {
                    read(value);
                }
            });
        }
        _ => {}
    });
    is_one
}

/// Response to the check of a file.
#[derive(Debug)]
pub enum CheckReply {
    /// The server checked the file.
    Checked(SuccessReply),
    /// The server imported the file in place of checking it: the response is the report of an import.
    Imported(ImportReply),
}

impl<'de> Deserialize<'de> for CheckReply {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let response = raw(deserializer)?;
        // Only a report names sources.
        let is_report = |reply: &ImportReply| reply.result.iter().any(|source| !source.source.is_empty());
        if let Some(report) = response.read().filter(is_report) {
            return Ok(Self::Imported(report));
        }
        let checked = response.read().map(Self::Checked);
        checked.ok_or_else(|| serde::de::Error::custom("not the result of a check"))
    }
}

impl ImportReply {
    /// Adds what the server remarked on its check of the file, before the report.
    pub fn precede(&mut self, Remarks { messages, further }: Remarks) {
        if !messages.is_empty() {
            let messages = messages.into_iter().map(Message::only).collect();
            self.result.insert(0, Source { source: "validate".to_owned(), messages });
        }
        self.further.splice(0..0, further);
    }

    /// Returns whether the status is a success, or missing. A report without a status is judged by its messages.
    #[must_use]
    pub fn says_success(&self) -> bool {
        self.status.is_empty() || is_success(&self.status)
    }

    /// Returns whether the status is a success with an addition, for example `success with warnings`.
    #[must_use]
    pub fn warns(&self) -> bool {
        is_success(&self.status) && !is_plain_success(&self.status)
    }
}

/// Messages of one source, for example of an endpoint of the server.
#[derive(Debug, Clone)]
pub struct Source {
    /// Name of the source. Empty for messages outside the sources.
    pub source: String,
    /// Messages, in the order of the report.
    pub messages: Vec<Message>,
}

/// Message of an import report.
#[derive(Debug, Clone)]
pub struct Message {
    /// Level: `INFO` or `WARNING` by the specification; other texts are possible. Empty if missing.
    pub level: String,
    /// Free text.
    pub message: String,
    /// Details of a service that could not start. `None` if the message is not about a service.
    pub details: Option<Box<ServiceStart>>,
}

impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Wire {
            #[serde(default, deserialize_with = "text")]
            source: String,
            #[serde(default, deserialize_with = "list_of_report")]
            messages: Vec<Message>,
        }
        let value = raw(deserializer)?;
        Ok(match value.read_object() {
            Some(Wire { source, messages }) if messages.is_empty() => {
                // Some versions write a message in place of the source with its messages.
                let alone: Option<Message> = value.read();
                let messages = alone.into_iter().filter(Message::says_something).collect();
                Self { source, messages }
            }
            Some(Wire { source, messages }) => Self { source, messages },
            None => Self { source: String::new(), messages: vec![Message::unread(value)] },
        })
    }
}

impl Message {
    const fn only(message: String) -> Self {
        Self { level: String::new(), message, details: None }
    }

    /// Shows all of a message as it was received. An object cannot be read if it has a field twice, with different
    /// values.
    fn unread(value: Raw<'_>) -> Self {
        let level = if value.is_object() { "WARNING" } else { "" };
        Self { level: level.to_owned(), ..Self::only(value.shown()) }
    }

    fn says_something(&self) -> bool {
        !self.message.is_empty() || self.details.is_some()
    }
}

/// Returns the texts of the fields that the specification does not name, as they are shown: one alone as it is, several
/// with their names.
fn other_words(message: Raw<'_>) -> String {
    let (mut alone, mut several, mut number) = (String::new(), BoundedText::up_to(SHOWN), 0);
    message.fields(&mut |name, value| {
        let text = if value.is_text() { value.shown() } else { shown_source(value) };
        let text = text.trim();
        if NAMED.contains(&name) || text.is_empty() {
            return;
        }
        number += 1;
        if number == 1 {
            text.clone_into(&mut alone);
        }
        let separator = if several.is_empty() { "" } else { ", " };
        [separator, name, ": ", text].iter().for_each(|part| several.push(part));
    });
    if number == 1 { alone } else { several.shown() }
}

impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Wire {
            #[serde(default, deserialize_with = "text")]
            level: String,
            #[serde(default, deserialize_with = "text")]
            severity: String,
            #[serde(default, deserialize_with = "text")]
            message: String,
            #[serde(default)]
            details: MessageDetails,
        }
        let value = raw(deserializer)?;
        let Some(Wire { level, severity, message, details }) = value.read_object() else {
            return Ok(Self::unread(value));
        };
        // If `level` and `severity` differ, the one that is not `INFO` counts.
        let says_more = !severity.is_empty() && (level.is_empty() || level.eq_ignore_ascii_case("INFO"));
        let level = if says_more { severity } else { level };
        let message = if message.is_empty() { other_words(value) } else { message };
        let (words, details) = match details {
            MessageDetails::Service(service) => (String::new(), Some(service)),
            MessageDetails::Words(words) => (words, None),
        };
        // Details with several services are shown as text. If one of them failed, the message is a warning.
        let has_failure = details.is_none() && beside::has_failure(value, beside::DEPTH);
        let level = if has_failure && (level.is_empty() || level.eq_ignore_ascii_case("INFO")) {
            "WARNING".to_owned()
        } else {
            level
        };
        let message = match (message.is_empty(), words.is_empty()) {
            (false, false) => format!("{message} {words}"),
            (true, _) => words,
            (false, true) => message,
        };
        Ok(Self { level, message, details })
    }
}

/// Details of a message. The specification shows an object about a service. Others send null, a text, a list of texts,
/// or another object.
enum MessageDetails {
    Service(Box<ServiceStart>),
    Words(String),
}

impl Default for MessageDetails {
    fn default() -> Self {
        Self::Words(String::new())
    }
}

impl<'de> Deserialize<'de> for MessageDetails {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = raw(deserializer)?;
        Ok(match ServiceStart::in_details(value) {
            Some(service) => Self::Service(Box::new(service)),
            None => Self::Words(value.shown()),
        })
    }
}

/// Service that could not start.
#[derive(Debug, Clone, Deserialize, Default)]
#[serde(default)]
pub struct ServiceStart {
    /// Path of the service, for example `Parcels/Zoning.MapServer`.
    #[serde(deserialize_with = "text")]
    pub service: String,
    /// State, for example `FAILED`.
    #[serde(deserialize_with = "text")]
    pub state: String,
    /// Reason, as free text.
    #[serde(deserialize_with = "text")]
    pub message: String,
    /// State of the service on each machine.
    #[serde(deserialize_with = "list_of_report")]
    pub machines: Vec<MachineStart>,
}

impl ServiceStart {
    /// Decodes the details of a message. `None` if they are not an object with at least one field of a service.
    fn in_details(details: Raw<'_>) -> Option<Self> {
        let account: Self = details.read_object()?;
        let says_something = [&account.service, &account.state, &account.message];
        (says_something.iter().any(|text| !text.is_empty()) || !account.machines.is_empty())
            .then_some(account)
    }
}

/// State of a service on one machine.
#[derive(Debug, Clone, Deserialize, Default)]
#[serde(default)]
pub struct MachineStart {
    /// Name of the machine.
    #[serde(deserialize_with = "text")]
    pub machine: String,
    /// State, for example `FAILED`.
    #[serde(deserialize_with = "text")]
    pub state: String,
    /// Reports of the machine.
    #[serde(deserialize_with = "list_of_report")]
    pub reports: Vec<MachineReport>,
}

/// Report of a machine about a service.
#[derive(Debug, Clone, Deserialize, Default)]
#[serde(default)]
pub struct MachineReport {
    /// State, for example `FAILED`.
    #[serde(deserialize_with = "text")]
    pub state: String,
    /// Free text.
    #[serde(deserialize_with = "text")]
    pub message: String,
}

impl ImportServer {
    /// Returns the request.
    #[must_use]
    pub fn request(&self) -> Request {
        let request = self.located(Request::once(PATH, ResponseTimeout::Hours));
        match self.restart_web_server {
            Some(restarts) => request.field("restartWebServer", restarts.to_string()),
            None => request,
        }
    }

    /// Returns the request that has the server check the file only.
    #[must_use]
    pub fn check_request(&self) -> Request {
        self.located(Request::repeatable(PATH, ResponseTimeout::Hours)).field("validate", "true")
    }

    fn located(&self, request: Request) -> Request {
        let request = request.field("location", &self.location);
        match self.server_type.knows_export_location() {
            true => request.field("EXPORT_LOCATION", &self.location),
            false => request,
        }
    }

    /// Sends the request and waits for the report, of which the site keeps no copy.
    ///
    /// # Errors
    /// - [`ClientError::Rejected`] with the code and the message of the server.
    /// - [`ClientError::Unreadable`] if the response is not a report.
    /// - [`ClientError::TokenEnded`] if the token expired during the request.
    /// - A connection or session error of [`ClientError`].
    pub async fn send(&self, permit: Permit<'_>) -> Result<ImportReply, ClientError> {
        permit.send(&self.request(), "an import report").await
    }

    /// Checks the file: sends the [`check_request`](Self::check_request). A server before 11.1 imports instead, so this
    /// must be sent only to one whose version is known.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    pub async fn check(&self, server: &Endpoint) -> Result<CheckReply, ClientError> {
        server.send(&self.check_request(), "the result of a check").await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(json: &str) -> Message {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn details_are_an_account_of_a_service_or_words_or_nothing() {
        let whole = message(r#"{"level":"WARNING","message":"m","details":{"service":"a/b.MapServer"}}"#);
        assert_eq!(whole.details.map(|start| start.service), Some("a/b.MapServer".to_owned()));

        for (details, level) in [
            (r#"[{"service":"a","state":"FAILED"},{"service":"b","state":"STARTED"}]"#, "WARNING"),
            (r#"{"services":[{"service":"a","state":"failed"}]}"#, "WARNING"),
            (r#"[{"service":"a","state":"STARTED"}]"#, "INFO"),
        ] {
            let read = message(&format!(r#"{{"level":"INFO","message":"m","details":{details}}}"#));
            assert_eq!(read.level, level, "{details}");
        }

        for (details, words) in [
            ("null", "m"),
            (r#""why""#, "m why"),
            (r#"["one","two"]"#, "m one two"),
            (r#"{"reason":"disk"}"#, r#"m {"reason":"disk"}"#),
        ] {
            let read = message(&format!(r#"{{"level":"WARNING","message":"m","details":{details}}}"#));
            assert_eq!(read.message, words);
            assert!(read.details.is_none());
        }
    }

    #[test]
    fn a_success_of_a_job_that_goes_on_is_no_end_of_an_import() {
        let read = |json: &str| serde_json::from_str::<ImportReply>(json).is_ok();
        assert!(!read(r#"{"status":"success","jobId":"j1","jobStatus":"esriJobExecuting"}"#));
        assert!(read(r#"{"status":"success","jobId":"j1","jobStatus":"esriJobSucceeded"}"#));
        assert!(read(r#"{"status":"success","jobId":"j1","jobStatus":"esriJobFailed"}"#), "with a warning");
    }

    #[test]
    fn a_message_that_says_two_things_in_one_field_is_a_warning_with_all_that_it_says() {
        let both = r#"{"level":"ERROR","level":"INFO","message":"lost"}"#;
        let read = message(both);
        assert_eq!((read.level.as_str(), read.message.as_str()), ("WARNING", both));
        assert_eq!(message(r#"{"level":"INFO","level":"INFO","message":"m"}"#).level, "INFO");
    }

    #[test]
    fn no_word_of_a_report_is_lost_because_of_its_shape() {
        let read = |json: &str| {
            let reply: ImportReply = serde_json::from_str(json).unwrap();
            reply
                .result
                .iter()
                .flat_map(|one| &one.messages)
                .map(|one| one.message.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(read(r#"{"result":{"source":"Site","messages":"one"}}"#), ["one"]);
        assert_eq!(read(r#"{"result":["one",{"messages":["two",{"message":3}]}]}"#), ["one", "two", "3"]);
        for (message, words) in [
            (r#"{"level":"WARNING","text":"Folder skipped"}"#, "Folder skipped"),
            (r#"{"severity":"WARNING","description":"Folder skipped"}"#, "Folder skipped"),
            (r#"{"msg":"Folder skipped","code":7}"#, "msg: Folder skipped, code: 7"),
            (r#"{"message":"","reason":"Folder skipped"}"#, "Folder skipped"),
            (r#"{"message":null,"inner":{"a":1}}"#, r#"{"a":1}"#),
            (r#"{"message":"as specified","code":7}"#, "as specified"),
            (r#"{"text":"A","details":"B"}"#, "A B"),
            (r#"{"text":"Could not start","details":{"service":"Zoning.MapServer"}}"#, "Could not start"),
            (r#"{"level":"WARNING","severity":"high","text":"A"}"#, "A"),
        ] {
            assert_eq!(
                read(&format!(r#"{{"result":[{{"source":"Site","messages":[{message}]}}]}}"#)),
                [words],
                "{message}"
            );
            // In place of the source.
            assert_eq!(read(&format!(r#"{{"result":[{message}]}}"#)), [words], "{message}");
        }
        assert!(read(r#"{"status":"success","result":[{"source":"Site","messages":[]}]}"#).is_empty());
        assert!(read(r#"{"status":"success","result":null}"#).is_empty());
        assert_eq!(
            read(r#"{"status":"success with warnings","messages":["2 services skipped"]}"#),
            ["2 services skipped"]
        );
    }

    #[test]
    fn nothing_of_a_report_disappears_whatever_its_key_is() {
        let json = r#"{"status":"success","warnings":["w"],"skippedServices":2,"elapsed":"3 min","result":[
            {"source":"Site","took":7,"messages":[{"level":"INFO","message":"m","code":9,"details":null}]},
            {"source":"Services","messages":[{"message":"n","details":{"service":"a","why":"x",
                "machines":[{"machine":"M","ip":"1","reports":[{"message":"r","pid":4}]}]}}]}]}"#;
        let reply: ImportReply = serde_json::from_str(json).unwrap();
        let last = reply.result.last().unwrap();
        let texts: Vec<_> = last.messages.iter().map(|one| one.message.as_str()).collect();
        assert_eq!(texts, ["w", "skippedServices: 2"]);
        assert_eq!(
            reply.further,
            [
                "elapsed: 3 min",
                "Site: took: 7",
                "Site: code: 9",
                "Services: why: x",
                "Services: ip: 1",
                "Services: pid: 4",
            ]
        );
    }

    #[test]
    fn a_field_inside_a_report_that_tells_of_a_warning_is_a_message() {
        for (inside, warning) in [
            (r#""source":"A","warnings":["no data"],"messages":[]"#, r#"A: warnings: ["no data"]"#),
            (
                r#""source":"A","status":"FAILED","messages":[{"level":"INFO","message":"m"}]"#,
                "A: status: FAILED",
            ),
            (
                r#""source":"A","messages":[{"level":"INFO","message":"m","summary":{"skipped":2}}]"#,
                r#"A: summary: {"skipped":2}"#,
            ),
            (
                r#""source":"A","messages":[{"level":"INFO","message":"m","details":{"service":"s","warnings":["w"]}}]"#,
                r#"A: warnings: ["w"]"#,
            ),
        ] {
            let json = format!(r#"{{"status":"success","result":[{{{inside}}}]}}"#);
            let reply: ImportReply = serde_json::from_str(&json).unwrap();
            let last = reply.result.last().and_then(|source| source.messages.last()).unwrap();
            assert_eq!((last.level.as_str(), last.message.as_str()), ("", warning), "{json}");
        }
    }

    #[test]
    fn of_a_level_and_a_severity_the_graver_one_counts() {
        let level = |json: &str| serde_json::from_str::<Message>(json).unwrap().level;
        assert_eq!(level(r#"{"level":"INFO","severity":"ERROR","message":"x"}"#), "ERROR");
        assert_eq!(level(r#"{"level":"SEVERE","severity":"INFO","message":"x"}"#), "SEVERE");
        assert_eq!(level(r#"{"severity":"WARNING","message":"x"}"#), "WARNING");
    }

    #[test]
    fn an_answer_that_says_nothing_is_no_report() {
        for nothing in [
            "{}",
            r#"{"status":"pending"}"#,
            r#"{"result":[]}"#,
            r#"{"result":[{"source":"Site","messages":null}]}"#,
        ] {
            assert!(serde_json::from_str::<ImportReply>(nothing).is_err(), "{nothing}");
        }
    }
}
