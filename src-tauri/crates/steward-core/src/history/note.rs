//! Notes: text of a record for the user, in parts.
//!
//! The text of a note is made of its parts here, for the search and for files. The window shows the parts, each by its
//! kind. Nothing reads the text back (ADR 0039).

use std::fmt;

use steward_client::{ClientError, Stage, shown};
use steward_journal::{Facts, NoteKind, NotePart};

use crate::model::export_outcome::is_url;
use crate::model::numbers::{Millis, count};
use crate::model::problem::{self, Problem};
use crate::model::reactivated_webhooks::{InactiveTime, ReactivatedWebhooks};

/// Note of a record; without parts if it is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Note(Vec<NotePart>);

impl Note {
    /// Returns the note about a file at a path, which the app wrote or the site reads.
    pub fn path(path: &str) -> Self {
        part(NoteKind::Path, path.to_owned()).into()
    }

    /// Returns the note about a file that the site wrote, at the path or URL that it returned.
    pub(crate) fn written(location: &str) -> Self {
        let kind = if is_url(location) { NoteKind::Url } else { NoteKind::Path };
        part(kind, location.to_owned()).into()
    }

    /// Returns the note about a file that the server stores. Its name can be empty.
    pub(crate) fn upload(name: &str, id: &str) -> Self {
        NotePart { upload: Some(id.to_owned()), ..part(NoteKind::Upload, name.to_owned()) }.into()
    }

    /// Returns the note of names that the summary of the record has too.
    pub(crate) fn names(names: String) -> Self {
        part(NoteKind::Names, names).into()
    }

    /// Returns the note of a missing response; only files and the search use `text`.
    pub(crate) fn no_response(text: String) -> Self {
        part(NoteKind::NoResponse, text).into()
    }

    /// Returns the note of a problem.
    pub fn of(problem: &Problem) -> Self {
        let kind = match problem {
            Problem::SafetyBackupFailed { step, cause: Some(cause) } => {
                return Self::of(cause).about(step.sentence());
            }
            Problem::ImportFailed { cause, .. } | Problem::NotRenewed { cause } => return Self::of(cause),
            Problem::WebhooksWereInactive { cause, webhooks } => {
                return Self::of(cause).and(Self::inactive(webhooks));
            }
            Problem::Unreachable { stage, .. } => unreachable(*stage),
            Problem::NoResponse { .. } => NoteKind::NoResponse,
            Problem::InFront { .. } | Problem::Unreadable { .. } => NoteKind::Response,
            Problem::Form { .. }
            | Problem::Rejected { .. }
            | Problem::SignIn { .. }
            | Problem::TokenRenewed
            | Problem::ProxyRefused { .. }
            | Problem::Keyring { .. }
            | Problem::Busy { .. }
            | Problem::TooOld { .. }
            | Problem::NotOffered { .. }
            | Problem::Certificate { .. }
            | Problem::UnconfirmedAddress { .. }
            | Problem::ClientCertificate { .. }
            | Problem::Redirected { .. }
            | Problem::NoAddress { .. }
            | Problem::NoDialog { .. }
            | Problem::File { .. }
            | Problem::ExtensionNotAllowed { .. }
            | Problem::ReadOnly { .. }
            | Problem::PlanNotAccepted
            | Problem::SafetyBackupFailed { cause: None, .. }
            | Problem::WebhooksNotDeactivated { .. }
            | Problem::SafetyBackupMissing { .. }
            | Problem::PreconditionFailed { .. }
            | Problem::NotRecorded { .. }
            | Problem::Unexpected { .. } => NoteKind::Text,
        };
        part(kind, problem::as_text(problem)).into()
    }

    /// Returns the note of webhooks that were inactive during an import. For those that are not active again, it names
    /// no end.
    pub(crate) fn inactive(webhooks: &ReactivatedWebhooks) -> Self {
        let Some(InactiveTime { from, to }) = webhooks.inactive else {
            return "the webhooks were not reactivated: the deactivation log could not be read"
                .to_owned()
                .into();
        };
        let ReactivatedWebhooks { active, gone, failed, unknown, .. } = webhooks;
        let (back, left) = (*active as usize + gone.len(), failed.len() + unknown.len());
        let of_them = if gone.is_empty() { "all".to_owned() } else { format!("{active} of them") };
        let were = match back {
            0 => String::new(),
            _ => format!(
                "{back} webhooks were inactive from {} to {}, {of_them} were active again; payloads of that time are lost",
                at(from),
                at(to)
            ),
        };
        match left {
            0 => were.into(),
            _ => Self::from(were).and(Self::still_inactive(count(left), from, unknown.is_empty())),
        }
    }

    /// Returns the note of webhooks that were not active at the end of an import, since `since`. `is_certain` is whether the site
    /// confirmed that they were not, and nothing was imported since. Their state after that is in the deactivation log alone.
    pub(crate) fn still_inactive(count: u32, since: Millis, is_certain: bool) -> Self {
        let (since, were) = (at(since), if is_certain { "were" } else { "might have been" });
        format!("{count} webhooks {were} inactive at the end, since {since}; see the deactivation log").into()
    }

    /// Returns the note of an error: the message of the site if it has one.
    pub(crate) fn of_client(error: &ClientError) -> Self {
        match error {
            ClientError::Rejected { message, .. } if !message.is_empty() => {
                let is_in_front = error.is_of_what_is_in_front();
                part(if is_in_front { NoteKind::Response } else { NoteKind::Text }, message.clone()).into()
            }
            ClientError::Unreachable { stage, .. } => part(unreachable(*stage), error.to_string()).into(),
            ClientError::Unreadable { .. } => part(NoteKind::Unreadable, error.to_string()).into(),
            ClientError::Rejected { .. }
            | ClientError::TokenEnded { .. }
            | ClientError::TokenRenewed
            | ClientError::NotRenewed { .. }
            | ClientError::ProxyRefused(_)
            | ClientError::Certificate(_)
            | ClientError::ClientCertificate { .. }
            | ClientError::Redirected { .. }
            | ClientError::NotEncrypted { .. }
            | ClientError::Setup { .. }
            | ClientError::Stalled { .. }
            | ClientError::Slow { .. }
            | ClientError::WrongLength { .. } => error.to_string().into(),
        }
    }

    /// Returns the note of what `about` names: a service, a webhook, or a step.
    pub fn about(self, about: &str) -> Self {
        let named = |part| NotePart { about: Some(about.to_owned()), ..part };
        Self(self.0.into_iter().map(named).collect())
    }

    /// Returns the note with the parts of another one after its own.
    pub(crate) fn and(mut self, other: impl Into<Self>) -> Self {
        self.0.extend(other.into().0);
        self
    }

    /// Returns whether it has no parts.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the note with each of its parts cut by itself: a deactivation has one for each service.
    pub(crate) fn cut(self) -> Self {
        Self(self.0.into_iter().map(|part| NotePart { text: shown(part.text), ..part }).collect())
    }

    /// Returns the facts of a record with the parts of its note; without them if the note is a plain text, which the
    /// record has itself.
    pub(crate) fn in_facts(&self, facts: Facts) -> Facts {
        let is_plain = matches!(&*self.0, [NotePart { about: None, kind: NoteKind::Text, .. }]);
        Facts { note: if is_plain { Vec::new() } else { self.0.clone() }, ..facts }
    }
}

impl From<String> for Note {
    fn from(text: String) -> Self {
        if text.is_empty() { Self::default() } else { part(NoteKind::Text, text).into() }
    }
}

impl From<NotePart> for Note {
    fn from(part: NotePart) -> Self {
        Self(vec![part])
    }
}

impl FromIterator<Self> for Note {
    fn from_iter<I: IntoIterator<Item = Self>>(notes: I) -> Self {
        Self(notes.into_iter().flat_map(|note| note.0).collect())
    }
}

/// Text for the search and for files.
impl fmt::Display for Note {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, NotePart { about, text, upload, .. }) in self.0.iter().enumerate() {
            let separator = if at == 0 { "" } else { " · " };
            write!(to, "{separator}")?;
            if let Some(about) = about {
                write!(to, "{about}: ")?;
            }
            match upload {
                None => write!(to, "{text}")?,
                Some(id) if text.is_empty() => write!(to, "{id}")?,
                Some(id) => write!(to, "{text} ({id})")?,
            }
        }
        Ok(())
    }
}

/// Returns the parts of the note of a stored record.
pub(crate) fn parts_of(note: &str, facts: &Facts) -> Vec<NotePart> {
    if facts.note.is_empty() { Note::from(note.to_owned()).0 } else { facts.note.clone() }
}

const fn unreachable(stage: Stage) -> NoteKind {
    if stage.is_before_request() { NoteKind::NoConnection } else { NoteKind::NoResponse }
}

fn at(time: Millis) -> String {
    time.timestamp().strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}

const fn part(kind: NoteKind, text: String) -> NotePart {
    NotePart { about: None, kind, text, upload: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::reactivated_webhooks::NotReactivated;

    #[test]
    fn each_part_of_a_note_is_cut_by_itself_and_a_separator_in_a_text_makes_no_parts() {
        let names = Note::names("a.GPServer".to_owned());
        let long = Note::from("x · ".repeat(4 * 1024)).about("b.GPServer");
        let note = names.and(long).and(Note::from("no".to_owned()).about("c.GPServer")).cut().to_string();

        assert!(note.starts_with("a.GPServer · b.GPServer: x · x"), "{}", &note[..40]);
        assert!(note.ends_with(" / 20480 bytes] · c.GPServer: no"), "{}", &note[note.len() - 60..]);
        assert!(note.len() < 9 * 1024, "{}", note.len());
    }

    #[test]
    fn of_a_site_that_is_down_no_response_is_said_to_be_missing() {
        let kind = |stage| {
            let Note(parts) = Note::of(&Problem::Unreachable { stage, message: "refused".to_owned() });
            parts[0].kind
        };
        assert_eq!([Stage::Connect, Stage::Tls].map(kind), [NoteKind::NoConnection; 2]);
        assert_eq!([Stage::Wait, Stage::Read].map(kind), [NoteKind::NoResponse; 2]);
    }

    #[test]
    fn a_note_says_as_text_what_its_parts_say() {
        for (note, text) in [
            (Note::from(String::new()), ""),
            (Note::path("/backups/a · b.agssite"), "/backups/a · b.agssite"),
            (Note::upload("city.agssite", "i7"), "city.agssite (i7)"),
            (Note::upload("", "i7"), "i7"),
            (Note::names("a, b".to_owned()).and(Note::path("/c")), "a, b · /c"),
            (Note::from("busy".to_owned()).about("Roads"), "Roads: busy"),
        ] {
            assert_eq!(note.to_string(), text);
        }
    }

    #[test]
    fn no_end_is_named_of_webhooks_that_are_not_active_again() {
        let one =
            || NotReactivated { service: String::new(), webhook: String::new(), message: String::new() };
        let (from, to) = (Millis(0), Millis(60_000));
        let of = |active, failed: usize, unknown: usize| {
            let [failed, unknown] = [failed, unknown].map(|count| vec![one(); count]);
            let inactive = Some(InactiveTime { from, to });
            Note::inactive(&ReactivatedWebhooks { active, failed, unknown, inactive, ..Default::default() })
        };
        let times = "from 1970-01-01 00:00:00 UTC to 1970-01-01 00:01:00 UTC";
        let since = "inactive at the end, since 1970-01-01 00:00:00 UTC; see the deactivation log";

        let all = format!(
            "4 webhooks were inactive {times}, all were active again; payloads of that time are lost"
        );
        assert_eq!(of(4, 0, 0).to_string(), all);
        assert_eq!(of(0, 4, 0).to_string(), format!("4 webhooks were {since}"));
        assert_eq!(of(0, 3, 1).to_string(), format!("4 webhooks might have been {since}"));
        assert_eq!(of(4, 1, 0).to_string(), format!("{all} · 1 webhooks were {since}"));
    }
}
