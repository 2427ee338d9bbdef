//! `Problem`, the one error that crosses to the window.

use serde::Serialize;
use steward_client::{ClientError, NO_CODE, SetupFault, Stage};
use steward_journal::JournalError;
use steward_vault::VaultError;

use crate::model::certificate::CertificateView;
use crate::model::ids::{ServerId, SiteId};
use crate::model::numbers::Millis;
use crate::model::obstacle::Obstacle;
use crate::model::operation::{Area, Key};
use crate::model::run_result::RecordId;

/// What the window is told when a command cannot give its answer.
///
/// One variant per *reaction* of the window. Before adding one, point at the component that would treat it
/// differently; if there is none, it belongs in `Unexpected`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Problem {
    /// The form is wrong; the window puts the words for `fault` under `field`.
    Form {
        /// Name of the field, as the form type spells it.
        field: String,
        /// What is wrong with it.
        fault: Fault,
    },
    /// The site answered with its error object. Shown in the site's own words.
    Refused {
        /// The site's code, for example 403 or 500; `null` where it sent none.
        code: Option<i32>,
        /// The site's message.
        message: String,
        /// The site's details, possibly none.
        details: Vec<String>,
    },
    /// A web adaptor or a proxy in front of the site rejected the request, or the site did because it came through one.
    /// The window points at the administration URL.
    InFront {
        /// The words of the site, or the beginning of the page.
        message: String,
    },
    /// No stored token, or the site rejected it. The window opens the sign-in form of `site`, or of `server`.
    SignIn {
        /// The site to sign in to.
        site: SiteId,
        /// The server of the site that requires its own account. `null`: the portal, or the only server of a site
        /// without a portal.
        server: Option<ServerSignIn>,
    },
    /// The session ended, and trouble of the site, or of the way there, kept it from being renewed. Nothing was done. It
    /// may be renewed later, so nobody is asked to sign in.
    NotRenewed {
        /// What came of the renewal.
        cause: Box<Problem>,
    },
    /// No answer: `stage` picks the advice.
    Unreachable {
        /// How far the request came.
        stage: StageView,
        /// The library's own words, for the details.
        message: String,
    },
    /// No response to a request that changes nothing, as a check or a search. The window offers to send it again.
    NoResponse {
        /// The library's own words, for the details.
        message: String,
    },
    /// An answer that does not follow the specification.
    Unreadable {
        /// What was expected.
        expected: String,
        /// The beginning of what came, without secrets.
        excerpt: String,
    },
    /// The keyring is locked, absent or slow.
    Vault {
        /// Which of these.
        state: VaultState,
        /// The keyring's own words.
        message: String,
    },
    /// Another operation is running on the site; one at a time.
    Busy {
        /// What is running.
        operation: Key,
        /// Since when.
        started_at: Millis,
    },
    /// The site is older than the operation.
    TooOld {
        /// The version the operation needs, as in `11.1`.
        needs: String,
        /// The version the site has.
        has: String,
    },
    /// The site does not offer the operation, at any version.
    NotOffered {
        /// What stands in the way.
        obstacle: Obstacle,
    },
    /// The site's certificate is not trusted. Nothing was sent. The window opens the trust card.
    Certificate {
        /// The site it is about; empty while a site is being added.
        site: SiteId,
        /// The certificate, and what is wrong with it.
        certificate: Box<CertificateView>,
    },
    /// Credentials would go to addresses at another host than the one that the site is shown by, and nobody confirmed
    /// them. Nothing was sent there. The window names them and asks.
    UnconfirmedAddress {
        /// The site; empty while one is being added.
        site: SiteId,
        /// The addresses.
        addresses: Vec<String>,
    },
    /// The site asks for a client certificate, or refuses the one it was given. It did not read the request.
    ClientCertificate {
        /// The alert's name in TLS.
        alert: String,
    },
    /// The site points elsewhere, and nothing of ours goes there. The window offers the place as an address.
    Redirected {
        /// Where, without query and fragment.
        to: String,
    },
    /// The site has no address for the area that the operation needs. The window points at the site's settings.
    NoAddress {
        /// The area.
        area: Area,
    },
    /// The desktop offers no file dialog. A missing portal must not look like a cancelled dialog.
    NoDialog {
        /// What the desktop said.
        message: String,
    },
    /// A file of this computer could not be read or written.
    File {
        /// The file or folder it is about.
        path: String,
        /// The system's words.
        message: String,
    },
    /// The server takes no files of this type. The window says how an administrator can change that.
    ExtensionNotAllowed {
        /// The file's extension, in lower case.
        extension: String,
        /// Those that the server takes.
        allowed: Vec<String>,
    },
    /// The site is marked read-only and not unlocked. The window offers to unlock it.
    ReadOnly {
        /// The site.
        site: SiteId,
    },
    /// The export before an import did not succeed, or could not be trusted. The import was not sent.
    NoWayBack {
        /// What failed.
        step: ParachuteStep,
        /// Why; `null` where `step` says all there is.
        cause: Option<Box<Problem>>,
    },
    /// The site rejected an import after it had begun: parts of the site might be replaced. The window offers to undo
    /// it where a safety backup was created.
    ImportFailed {
        /// The response of the site.
        cause: Box<Problem>,
        /// The record of the import in the history.
        record: Option<RecordId>,
        /// Whether a safety backup was created, with which the import can be undone.
        can_undo: bool,
    },
    /// The stored export that an import is to be undone with is no longer on the server. Nothing was sent.
    WayBackGone {
        /// The copy on this computer, where one was made.
        local: Option<String>,
    },
    /// This program does not do it, because it would not be what the person means. Nothing was sent.
    Declined {
        /// Why.
        why: Declined,
    },
    /// Everything else. The window offers "copy details" and nothing cleverer.
    Unexpected {
        /// The chain of causes, outermost first.
        message: String,
    },
}

/// A server that requires an account of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ServerSignIn {
    /// The server.
    pub id: ServerId,
    /// Its host and port, as in `srv1.example.org:6443`, which the sign-in form names.
    pub host: String,
}

/// What is wrong with a field. The words are in the window's message catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Fault {
    /// Empty, and must not be.
    Required,
    /// None of the filters is filled in; the specification wants at least one.
    OneFilterNeeded,
    /// Not an address beginning with `https://` (or `http://` on this computer).
    NotAnAddress,
    /// Not an e-mail address.
    NotAnEmail,
    /// The typed text is not the name of the site.
    NotTheSitesName,
    /// Another site already has this name.
    NameTaken,
    /// Another site at one of these addresses is read-only, and locked.
    ReadOnlyElsewhere,
    /// Another site at one of these addresses is a production site.
    ProductionElsewhere,
    /// The file could not be read as a certificate.
    NotACertificate,
    /// The file does not open with its password.
    WrongPassword,
    /// The key in the file is encrypted; a PKCS#12 file can be opened with its password.
    KeyEncrypted,
    /// The file holds a certificate and no key that fits it.
    NoFittingKey,
    /// What was pasted holds no token, or no code.
    NotAToken,
    /// Signing in through the browser needs the name that the portal knows this program by.
    NoClientId,
    /// Fewer than three letters: no reason that anybody could read later.
    TooShort,
    /// More than 60 letters: nobody could read it everywhere, nor type it.
    TooLong,
    /// Longer than any name or address.
    TooManyLetters,
    /// It holds a line break, or a letter that cannot be seen.
    NotOneLine,
    /// It begins like the formula of a spreadsheet.
    Formula,
}

/// Why this program declines something by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Declined {
    /// It was done on another server of the site than the one that is worked with.
    OtherServer {
        /// The name of that server; may be empty.
        server: String,
    },
    /// The webhooks of this entry are active again, or a person said so.
    RestoredAlready,
    /// Which webhooks of this service were active is not known.
    ActiveUnknown,
    /// What was found is not held any more: there was another search, or somebody signed in or out.
    SearchGone,
    /// The site was locked while it was exported before an import.
    LockedMeanwhile,
}

/// A step of the export before an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ParachuteStep {
    /// The export was refused, or its answer is lost.
    Export,
    /// The export is not among the stored uploads of the server.
    NotStored,
    /// It could not be saved on this computer.
    Download,
    /// What is stored, or what was saved, could not be read.
    Unread,
    /// It has no content.
    Empty,
    /// It is no archive.
    NoArchive,
    /// A part of it is missing.
    Cut,
    /// There is nothing in it.
    NoEntries,
    /// The file on this computer is not what was received.
    Changed,
}

/// How far a request came before it failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum StageView {
    /// No connection was made.
    Connect,
    /// The proxy on the way wants another name and password.
    Proxy,
    /// The certificate was not accepted.
    Tls,
    /// The connection broke while the request was being sent.
    Send,
    /// The request was sent, and no answer came.
    Wait,
    /// The answer broke off.
    Read,
}

/// Why the keyring did not help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum VaultState {
    /// There is no keyring on this desktop.
    Absent,
    /// It is locked, or access was denied.
    Locked,
    /// It did not answer in time; perhaps it asks the person to unlock it.
    Slow,
    /// Anything else.
    Failed,
}

impl Problem {
    /// A wrong field.
    #[must_use]
    pub fn form(field: &str, fault: Fault) -> Self {
        Self::Form { field: field.to_owned(), fault }
    }

    /// What this program does not do.
    #[must_use]
    pub const fn declined(why: Declined) -> Self {
        Self::Declined { why }
    }

    /// A file of this computer that would not be read or written.
    pub fn file(path: &std::path::Path, error: &std::io::Error) -> Self {
        Self::File { path: path.display().to_string(), message: error.to_string() }
    }

    /// Asks for a session at the portal of a site, or at the only server of a site without a portal.
    #[must_use]
    pub fn sign_in(site: &SiteId) -> Self {
        Self::SignIn { site: site.clone(), server: None }
    }

    /// Asks for a session at one server of a site.
    pub(crate) fn sign_in_to_server(site: &SiteId, server: ServerSignIn) -> Self {
        Self::SignIn { site: site.clone(), server: Some(server) }
    }

    /// The same where somebody signs in: a refusal there is about what was typed, whatever its code.
    pub(crate) fn of_sign_in(error: &ClientError, site: &SiteId) -> Self {
        match error {
            ClientError::Refused { code, message, details } if !error.is_of_what_is_in_front() => {
                Self::Refused { code: told(*code), message: message.clone(), details: details.clone() }
            }
            error => Self::from_client(error, site),
        }
    }

    /// What a refusal by the client means for `site`.
    pub(crate) fn from_client(error: &ClientError, site: &SiteId) -> Self {
        match error {
            ClientError::Refused { message, .. } if error.is_of_what_is_in_front() => {
                Self::InFront { message: message.clone() }
            }
            ClientError::Unreadable { excerpt, .. } if error.is_of_what_is_in_front() => {
                Self::InFront { message: excerpt.clone() }
            }
            // 498: invalid or expired; 499: none given. Both are answered by signing in.
            ClientError::Refused { code: 498 | 499, .. } | ClientError::TokenEnded { .. } => {
                Self::sign_in(site)
            }
            ClientError::NotRenewed { source } => match Self::from_client(source, site) {
                cause @ (Self::Refused { .. }
                | Self::Unreachable { .. }
                | Self::Unreadable { .. }
                | Self::Unexpected { .. }) => Self::NotRenewed { cause: Box::new(cause) },
                // What a person can do something about is said as it is.
                other => other,
            },
            ClientError::Refused { code, message, details } => {
                Self::Refused { code: told(*code), message: message.clone(), details: details.clone() }
            }
            ClientError::Unreachable { stage, .. } => {
                Self::Unreachable { stage: (*stage).into(), message: causes(error) }
            }
            ClientError::Certificate(problem) => {
                Self::Certificate { site: site.clone(), certificate: Box::new(problem.as_ref().into()) }
            }
            ClientError::ClientCertificate { alert } => Self::ClientCertificate { alert: alert.clone() },
            ClientError::Redirected { to, .. } => Self::Redirected { to: to.clone() },
            ClientError::Setup { source } => Self::of_settings(source, error),
            ClientError::Unreadable { expected, excerpt, .. } => {
                Self::Unreadable { expected: (*expected).to_owned(), excerpt: excerpt.clone() }
            }
            ClientError::Stalled { stage, .. } => {
                Self::Unreachable { stage: (*stage).into(), message: causes(error) }
            }
            ClientError::WrongLength { .. } => {
                Self::Unreachable { stage: StageView::Read, message: causes(error) }
            }
            ClientError::NotEncrypted { .. } => Self::Unexpected { message: causes(error) },
        }
    }

    /// The same, of a request that changes nothing: what the site may have done with it is no question then.
    pub(crate) fn without_effect(self) -> Self {
        match self {
            Self::Unreachable { stage: StageView::Send | StageView::Wait | StageView::Read, message } => {
                Self::NoResponse { message }
            }
            other => other,
        }
    }

    /// What is wrong with the settings of the way to a site.
    fn of_settings(fault: &SetupFault, error: &ClientError) -> Self {
        let client_certificate = |fault| Self::form("connection.clientCertificate", fault);
        match fault {
            SetupFault::Authority => Self::form("connection.caCertificate", Fault::NotACertificate),
            SetupFault::Identity => client_certificate(Fault::NotACertificate),
            SetupFault::IdentityPassword => {
                Self::form("connection.clientCertificatePassword", Fault::WrongPassword)
            }
            SetupFault::IdentityEncrypted => client_certificate(Fault::KeyEncrypted),
            SetupFault::IdentityWithoutKey | SetupFault::IdentityMismatch(_) => {
                client_certificate(Fault::NoFittingKey)
            }
            SetupFault::ProxyAddress => Self::form("connection.route.address", Fault::NotAnAddress),
            _ => Self::Unexpected { message: causes(error) },
        }
    }
}

/// The code that a site sent; `None` where there was none.
pub(crate) fn told(code: i32) -> Option<i32> {
    (code != NO_CODE).then_some(code)
}

impl From<Stage> for StageView {
    fn from(stage: Stage) -> Self {
        match stage {
            Stage::Connect => Self::Connect,
            Stage::Proxy => Self::Proxy,
            Stage::Tls => Self::Tls,
            Stage::Send => Self::Send,
            Stage::Wait => Self::Wait,
            Stage::Read => Self::Read,
        }
    }
}

impl From<VaultError> for Problem {
    fn from(error: VaultError) -> Self {
        let state = match &error {
            VaultError::Absent(_) => VaultState::Absent,
            VaultError::Locked(_) => VaultState::Locked,
            VaultError::Slow => VaultState::Slow,
            VaultError::Failed(_) | VaultError::Gone => VaultState::Failed,
        };
        Self::Vault { state, message: causes(&error) }
    }
}

impl From<JournalError> for Problem {
    fn from(error: JournalError) -> Self {
        Self::Unexpected { message: causes(&error) }
    }
}

impl From<anyhow::Error> for Problem {
    fn from(error: anyhow::Error) -> Self {
        Self::Unexpected { message: format!("{error:#}") }
    }
}

/// An error and everything behind it, in one line.
pub(crate) fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let words = cause.to_string();
        // Libraries often repeat the cause in their own message.
        if !text.contains(&words) {
            text.push_str(": ");
            text.push_str(&words);
        }
        next = cause.source();
    }
    text
}

/// A problem in words, for where there is no window to find better ones.
pub(crate) fn words(problem: &Problem) -> String {
    match problem {
        Problem::Refused { message, .. }
        | Problem::InFront { message }
        | Problem::Unreachable { message, .. }
        | Problem::NoResponse { message }
        | Problem::Vault { message, .. }
        | Problem::NoDialog { message }
        | Problem::File { message, .. }
        | Problem::Unexpected { message } => message.clone(),
        Problem::ImportFailed { cause, .. } | Problem::NotRenewed { cause } => words(cause),
        Problem::Unreadable { excerpt, .. } => excerpt.clone(),
        Problem::Busy { operation, .. } => format!("another operation is running: {}", operation.name()),
        Problem::SignIn { .. } => "no valid sign-in".to_owned(),
        Problem::ReadOnly { .. } => "the site is read-only".to_owned(),
        Problem::Certificate { certificate, .. } => {
            format!("the certificate of {} is not trusted", certificate.server)
        }
        Problem::UnconfirmedAddress { addresses, .. } => {
            format!("not confirmed: {}", addresses.join(", "))
        }
        Problem::Redirected { to } => format!("redirected to {to}"),
        Problem::TooOld { needs, has } => format!("version {needs} is required, and the site has {has}"),
        other => serde_json::to_string(other).unwrap_or_default(),
    }
}
