//! [`Problem`], the error type between Rust and the window.
//!
//! `Problem::from_client` converts the errors of the client; `From` converts those of the keyring and the journal.

use serde::Serialize;
use steward_client::webhooks::{HiddenField, ServiceWebhook};
use steward_client::{CertificateProblem, ClientError, NO_CODE, ProxyRefusal, SetupFault, Stage};
use steward_journal::{Fault, JournalError};
use steward_redact as redact;
use steward_vault::KeyringError;

use crate::model::data_item;
use crate::model::export_verification::ArchiveFault;
use crate::model::full_disk::FullDisk;
use crate::model::history_key::HistoryAction;
use crate::model::ids::{RecordId, ServerId, SiteId};
use crate::model::isolated::isolated;
use crate::model::keyring_state::KeyringState;
use crate::model::numbers::{Bytes, Millis};
use crate::model::operation::{Component, OperationKey};
use crate::model::reactivated_webhooks::ReactivatedWebhooks;
use crate::model::unavailable_reason::UnavailableReason;

/// Error of a command, as the window receives it.
///
/// There is one variant per *reaction* of the window. Before adding one, point at the component that would treat it
/// differently; if there is none, it belongs in `Unexpected`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Problem {
    /// A field of the form is invalid. The window shows the text for `fault` below `field`.
    Form {
        /// Name of the field, as spelled in the form type.
        field: String,
        /// Error of the field.
        fault: FieldError,
    },
    /// The site returned its error object, which is shown unchanged.
    Rejected {
        /// Error code, for example 403 or 500; `null` if the site returned none.
        code: Option<i32>,
        /// Message of the site.
        message: String,
        /// Error details; may be empty.
        details: Vec<String>,
    },
    /// A web adaptor or a proxy in front of the site rejected the request, or the site did because it was sent through
    /// one. The window suggests the administration URL.
    InFront {
        /// Message of the site, or the beginning of the page.
        message: String,
    },
    /// There is no stored token, or the site rejected it. The window opens the sign-in form of `site` or `server`.
    SignIn {
        /// The site to sign in to.
        site: SiteId,
        /// The server of the site that requires its own account. `null`: the portal, or the only server of a site
        /// without a portal.
        server: Option<ServerSignIn>,
        /// Origin of a stored session that was not used, because the settings of the site name another host; left out if
        /// there is none.
        #[serde(skip_serializing_if = "Option::is_none")]
        elsewhere: Option<String>,
    },
    /// The site rejected the token of a change, which the app does not send again by itself. Nothing was changed, and
    /// the token was renewed. The window suggests to start again.
    TokenRenewed,
    /// The session expired, and could not be renewed because of a failure of the site or of the connection. Nothing was
    /// sent. The renewal might succeed later, so no sign-in form is opened.
    NotRenewed {
        /// Error of the renewal.
        cause: Box<Problem>,
    },
    /// No response. The advice depends on `stage`.
    Unreachable {
        /// Stage that the request reached.
        stage: Stage,
        /// Message of the library, for the details.
        message: String,
    },
    /// A proxy opened no connection to the site. Nothing was sent. The window names the proxy and what it requires.
    ProxyRefused {
        /// Proxy and its response.
        refusal: ProxyRefusal,
    },
    /// No response to a request that changes nothing, for example a check or a search. The window offers to repeat it.
    NoResponse {
        /// Message of the library, for the details.
        message: String,
    },
    /// The response does not follow the specification.
    Unreadable {
        /// Description of the expected content.
        expected: String,
        /// Beginning of the response, without secrets.
        excerpt: String,
    },
    /// The keyring is locked, absent, or slow, or it failed.
    Keyring {
        /// State of the keyring.
        state: KeyringState,
        /// Message of the keyring.
        message: String,
    },
    /// Another operation is running on the site, where only one can run at a time.
    Busy {
        /// Name of the saved site that it runs on: this one, or another one at the same address.
        site_name: String,
        /// Operation that is running.
        operation: OperationKey,
        /// Action in place of the operation, for an action that is not an operation; `null` otherwise.
        act: Option<HistoryAction>,
        /// Time when it began.
        started_at: Millis,
    },
    /// The version of the site is too old for the operation.
    TooOld {
        /// Version that the operation requires, for example `11.1`.
        needs: String,
        /// Version of the site.
        has: String,
    },
    /// The operation is unavailable on the site, in any version.
    NotOffered {
        /// Reason why it is unavailable.
        reason: UnavailableReason,
    },
    /// The certificate of the site is not trusted. Nothing was sent. The window opens the trust dialog.
    Certificate {
        /// Site; empty while a site is being added.
        site: SiteId,
        /// Certificate, and the reasons why it is not trusted.
        certificate: Box<CertificateProblem>,
    },
    /// Credentials would be sent to addresses at another host than that of the site, and the user has not confirmed
    /// them. Nothing was sent there. The window lists them for confirmation.
    UnconfirmedAddress {
        /// Site; empty while one is being added.
        site: SiteId,
        /// Addresses to confirm.
        addresses: Vec<String>,
    },
    /// The site requires a client certificate, or rejects the configured one. It did not read the request.
    ClientCertificate {
        /// Name of the TLS alert.
        alert: String,
    },
    /// The site redirects to another address, and nothing was sent there. The window offers that address.
    Redirected {
        /// Target address, without query and fragment.
        to: String,
    },
    /// The site has no address for the required component. The window links to the settings of the site.
    NoAddress {
        /// Component without an address.
        component: Component,
    },
    /// The system cannot show a file dialog. This differs from a dialog that the user closed.
    NoDialog {
        /// Message of the desktop.
        message: String,
    },
    /// A file on this computer cannot be read or written.
    File {
        /// Path of the file or folder.
        path: String,
        /// Message of the system.
        message: String,
        /// Path of the complete file, if only its renaming failed, which is the last step; `null` if there is none.
        kept: Option<String>,
        /// The disk, if it is full; `null` for another cause.
        full: Option<Box<FullDisk>>,
    },
    /// The server does not accept files of this type. The window explains how an administrator can change that.
    ExtensionNotAllowed {
        /// Extension of the file, in lower case.
        extension: String,
        /// Extensions that the server accepts.
        allowed: Vec<String>,
    },
    /// The site is read-only and locked, or another saved site at the same address is. The window offers to unlock it.
    ReadOnly {
        /// Site to unlock.
        site: SiteId,
        /// Name of the site to unlock.
        site_name: String,
    },
    /// The acceptance list of a backup plan has an item that is not met. Nothing was saved, and the window shows the
    /// list.
    PlanNotAccepted,
    /// The safety backup failed, or is not usable. The import was not sent.
    SafetyBackupFailed {
        /// Step that failed.
        step: SafetyBackupStep,
        /// Cause; `null` if `step` describes the failure completely.
        cause: Option<Box<Problem>>,
    },
    /// The webhooks of the server were not all deactivated before an import. The import was not sent.
    WebhooksNotDeactivated {
        /// Reason, with the service that rejected the request.
        message: String,
    },
    /// The site rejected an import after it had begun: parts of the site might be replaced. The window offers to undo
    /// it where a safety backup was created.
    ImportFailed {
        /// Error that the site returned.
        cause: Box<Problem>,
        /// The record of the import in the history.
        record: Option<RecordId>,
        /// Whether a safety backup was created, with which the import can be undone.
        can_undo: bool,
    },
    /// Nothing was imported, but webhooks were deactivated for the import meanwhile. Those that are not active again
    /// are in the deactivation log. The window says how many were inactive, and in which time.
    WebhooksWereInactive {
        /// Reason why nothing was imported.
        cause: Box<Problem>,
        /// Result of the reactivation.
        webhooks: Box<ReactivatedWebhooks>,
    },
    /// The safety backup to undo an import with is no longer on the server. Nothing was sent.
    SafetyBackupMissing {
        /// Path of the copy on this computer; `null` if there is none.
        local: Option<String>,
    },
    /// A precondition is not met. Nothing was sent.
    PreconditionFailed {
        /// Precondition that is not met.
        why: PreconditionFailure,
    },
    /// The history cannot be written. Changes are recorded before they are sent, so nothing was sent. The window says
    /// what to do for each reason.
    NotRecorded {
        /// Why it cannot be written.
        reason: NotRecordedReason,
        /// The disk, if it is full; `null` for another reason.
        full: Option<Box<FullDisk>>,
        /// Message of the database, for the details.
        message: String,
    },
    /// Any other error. The window offers to copy the details.
    Unexpected {
        /// Chain of causes, outermost first.
        message: String,
    },
}

/// Reason why the history cannot be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum NotRecordedReason {
    /// Its file was damaged on disk.
    Damaged,
    /// The disk is full.
    DiskFull,
    /// Its file or folder is read-only, or belongs to another account.
    NotWritable,
    /// Another process has locked its file.
    InUse,
    /// Another reason.
    Other,
}

/// A server that requires an account of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ServerSignIn {
    /// Identifier of the server.
    pub id: ServerId,
    /// Name, unique among the servers of the site.
    pub name: String,
    /// Host, port, and path, for example `srv1.example.org:6443/arcgis`, shown in the sign-in form.
    pub host: String,
}

/// Error of a field. The text is in the window's message catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum FieldError {
    /// A required field is empty.
    Required,
    /// No filter is set; the specification requires at least one.
    OneFilterNeeded,
    /// Not an address.
    NotAnAddress,
    /// An address that does not begin with `https://` (or `http://` on this computer), or that contains a user name.
    NotHttps,
    /// Not a host name or IP address, or not a port.
    NotAHost,
    /// The policy of the organization does not allow it.
    NotAllowed,
    /// No encryption, for a server that is not on this computer.
    NotEncrypted,
    /// Not an email address.
    NotAnEmail,
    /// A mask in place of a value, as sites return it. It would be stored as the value.
    Masked,
    /// A path with a part that looks like a password or token. The history masks that part, so it could not name the
    /// file.
    SecretInPath,
    /// The typed text is not the name of the site or server that is replaced.
    NotTheName,
    /// Another site, or another server of the site, has this name.
    NameTaken,
    /// Another server of the site has this URL.
    UrlTaken,
    /// Another site at one of these addresses is read-only and locked.
    ReadOnlyElsewhere,
    /// Another site at one of these addresses is a production site.
    ProductionElsewhere,
    /// The file was not chosen in the dialog of the system.
    NotChosen,
    /// The file is not a certificate.
    NotACertificate,
    /// The password does not open the file.
    WrongPassword,
    /// The key in the file is encrypted; a PKCS#12 file can be opened with its password.
    KeyEncrypted,
    /// The file contains a certificate without a matching key.
    NoFittingKey,
    /// The pasted text contains no token or code.
    NotAToken,
    /// The pasted text contains different tokens.
    SeveralTokens,
    /// The pasted text is an error that a site returned.
    AnErrorResponse,
    /// The pasted token has expired.
    TokenExpired,
    /// Not a URL that a token can be bound to.
    NotAWebAppUrl,
    /// Signing in with the browser requires a client ID.
    NoClientId,
    /// Fewer than 3 characters.
    TooShort,
    /// More than 60 characters.
    TooLong,
    /// Longer than the limit for names and addresses.
    TooManyLetters,
    /// The value contains a line break or an invisible character.
    NotOneLine,
    /// The value begins like a spreadsheet formula.
    Formula,
    /// The name of the file is that of a server export, or of a backup of the disaster recovery tool.
    NotAPortalExport,
    /// The name of the file is that of a portal export, or of a backup of the disaster recovery tool.
    NotAServerExport,
    /// The text does not begin with a version.
    NotAVersion,
}

/// Precondition of an operation that is not met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PreconditionFailure {
    /// The requests of the record were sent to another server of the site.
    OtherServer {
        /// Name of that server; may be empty.
        server: String,
    },
    /// The webhooks of this entry were reactivated, or the entry is marked as resolved.
    RestoredAlready,
    /// The webhooks of this service that were active before are not known.
    ActiveUnknown,
    /// The site masks a value of this webhook, or it is too long. An edit would replace it.
    HiddenField {
        /// Name of the webhook.
        webhook: String,
        /// Field of the webhook, as the site calls it.
        field: String,
    },
    /// The server does not have this service any more, or none with webhooks.
    ServiceGone {
        /// Path of the service.
        service: String,
    },
    /// The webhook was deleted, and another one of the service has its name.
    WebhookReplaced {
        /// Name of both.
        webhook: String,
    },
    /// The server confirmed an upload, and stored another number of bytes than the file has.
    StoredDiffers {
        /// Number that the server stored.
        stored: Bytes,
        /// Number that the file has.
        size: Bytes,
    },
    /// The contact of the participant was changed since the list was shown.
    ContactChanged {
        /// Contact that the portal has; empty if there is none.
        contact: String,
    },
    /// The webhook is not active, or was deleted: it changed since the list was shown.
    WebhookNotActive,
    /// The server confirmed a deactivation, and lists a webhook as active afterwards.
    StillActive,
    /// The server confirmed a reactivation, and lists the webhook as inactive afterwards.
    StillInactive,
    /// The results of the search are no longer in memory: there was another search, or a user signed in or out.
    SearchGone,
    /// The site was locked while the safety backup was created.
    LockedMeanwhile,
    /// The user pressed Stop before the request was sent. Nothing was changed.
    Stopped,
    /// The app is still waiting for a response to this action.
    StillWaiting,
    /// The portal or server has another URL than before a dialog was opened, or than the request of the record was sent to.
    ServerChanged,
    /// The safety backup of an import is not there any more: another file is in its place.
    SafetyBackupReplaced {
        /// Path or name of the file.
        file: String,
    },
    /// The export is of another version than the portal, which imports only those of its own.
    OtherVersion {
        /// Version of the portal that wrote the export.
        export: String,
        /// Version of the portal.
        portal: String,
    },
    /// The site did not return its version, so it might import instead of checking the file.
    VersionUnknown,
    /// A restore is rehearsed only on a site that is marked as test.
    NotATestSite,
    /// A restore is rehearsed only on a site that has no endpoint in common with a production site.
    ProductionEndpoint {
        /// Name of the production site.
        production: String,
    },
}

/// Step or result of a safety backup that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum SafetyBackupStep {
    /// The export was rejected.
    Export,
    /// No response to the export was received. The backup might exist, or still be in progress.
    Unknown,
    /// The export is not listed among the server uploads.
    NotStored,
    /// The export could not be downloaded to this computer.
    Download,
    /// The server upload or the local copy is not a complete archive.
    #[serde(untagged)]
    Archive(ArchiveFault),
}

impl SafetyBackupStep {
    /// Returns the failure as a sentence for the history.
    pub(crate) const fn sentence(self) -> &'static str {
        match self {
            Self::Export => "the safety backup could not be created",
            Self::Unknown => "no response was received to the export for the safety backup",
            Self::NotStored => "the server does not list the safety backup among its uploads",
            Self::Download => "the safety backup cannot be downloaded",
            Self::Archive(fault) => match fault {
                ArchiveFault::Earlier => {
                    "the server names the file of an earlier export as the safety backup"
                }
                ArchiveFault::Unread => "the safety backup cannot be read",
                ArchiveFault::Empty => "the safety backup is empty",
                ArchiveFault::NoArchive => "the safety backup is not a ZIP archive",
                ArchiveFault::Cut => "the safety backup is incomplete",
                ArchiveFault::NoEntries => "the safety backup has no entries",
                ArchiveFault::Changed => "the safety backup changed while it was read",
                ArchiveFault::Damaged => "an entry of the safety backup is damaged",
                ArchiveFault::Implausible => "the content of the safety backup is not that of an export",
            },
        }
    }
}

impl Problem {
    /// Returns [`Problem::Form`].
    #[must_use]
    pub fn form(field: &str, fault: FieldError) -> Self {
        Self::Form { field: field.to_owned(), fault }
    }

    /// Returns [`Problem::PreconditionFailed`] for a webhook that cannot be edited.
    pub(crate) fn hidden(webhook: &ServiceWebhook, HiddenField(field): HiddenField) -> Self {
        Self::precondition_failed(PreconditionFailure::HiddenField { webhook: webhook.name.clone(), field })
    }

    /// Returns [`Problem::PreconditionFailed`].
    #[must_use]
    pub const fn precondition_failed(why: PreconditionFailure) -> Self {
        Self::PreconditionFailed { why }
    }

    /// Returns [`Problem::File`].
    pub fn file(path: &std::path::Path, error: &std::io::Error) -> Self {
        let full = FullDisk::of(path, error).map(Box::new);
        Self::File { path: path.display().to_string(), message: error.to_string(), kept: None, full }
    }

    /// Returns the problem of an error that occurred while files in a folder were written: [`Problem::File`] if its disk is
    /// full.
    #[must_use]
    pub fn writing_in(folder: &std::path::Path, error: &anyhow::Error) -> Self {
        let message = format!("{error:#}");
        match FullDisk::of(folder, error.as_ref()) {
            Some(full) => Self::File {
                path: folder.display().to_string(),
                message,
                kept: None,
                full: Some(full.into()),
            },
            None => Self::Unexpected { message },
        }
    }

    /// Returns [`Problem::SignIn`] for the portal of a site, or for the only server of a site without a portal.
    #[must_use]
    pub fn sign_in(site: &SiteId) -> Self {
        Self::SignIn { site: site.clone(), server: None, elsewhere: None }
    }

    /// Returns [`Problem::SignIn`] for one server of a site.
    pub(crate) fn sign_in_to_server(site: &SiteId, server: ServerSignIn) -> Self {
        Self::SignIn { site: site.clone(), server: Some(server), elsewhere: None }
    }

    /// Returns a [`Problem::SignIn`] with the origin of the stored session that was not used; another problem as it is.
    pub(crate) fn with_session_at(self, origin: String) -> Self {
        match self {
            Self::SignIn { site, server, elsewhere: None } => {
                Self::SignIn { site, server, elsewhere: Some(origin) }
            }
            other => other,
        }
    }

    /// Converts an error of a sign-in request. A rejection is [`Problem::Rejected`] whatever its code.
    pub(crate) fn of_sign_in(error: &ClientError, site: &SiteId) -> Self {
        match error {
            ClientError::Rejected { code, message, details } if !error.is_of_what_is_in_front() => {
                Self::Rejected {
                    code: returned_code(*code),
                    message: message.clone(),
                    details: details.clone(),
                }
            }
            error => Self::from_client(error, site),
        }
    }

    /// Converts an error of the client at `site`.
    pub(crate) fn from_client(error: &ClientError, site: &SiteId) -> Self {
        match error {
            ClientError::Rejected { message, .. } if error.is_of_what_is_in_front() => {
                Self::InFront { message: without_secrets(message) }
            }
            ClientError::Unreadable { excerpt, .. } if error.is_of_what_is_in_front() => {
                Self::InFront { message: without_secrets(excerpt) }
            }
            // 498: invalid or expired token; 499: no token. Both require a sign-in.
            ClientError::Rejected { code: 498 | 499, .. } | ClientError::TokenEnded { .. } => {
                Self::sign_in(site)
            }
            ClientError::TokenRenewed => Self::TokenRenewed,
            ClientError::NotRenewed { source } => match Self::from_client(source, site) {
                cause @ (Self::Rejected { .. }
                | Self::Unreachable { .. }
                | Self::Unreadable { .. }
                | Self::Unexpected { .. }) => Self::NotRenewed { cause: Box::new(cause) },
                // Errors that the user can act on are passed on unchanged.
                other => other,
            },
            ClientError::Rejected { code, message, details } => Self::Rejected {
                code: returned_code(*code),
                message: without_secrets(message),
                details: details.iter().map(|detail| without_secrets(detail)).collect(),
            },
            ClientError::Unreachable { stage, .. } => {
                Self::Unreachable { stage: *stage, message: causes(error) }
            }
            ClientError::ProxyRefused(refusal) => Self::ProxyRefused { refusal: refusal.as_ref().clone() },
            ClientError::Certificate(problem) => {
                Self::Certificate { site: site.clone(), certificate: problem.clone() }
            }
            ClientError::ClientCertificate { alert } => Self::ClientCertificate { alert: alert.clone() },
            ClientError::Redirected { to, .. } => Self::Redirected { to: without_secrets(to) },
            ClientError::Setup { source } => Self::of_settings(source, error),
            ClientError::Unreadable { expected, excerpt, .. } => {
                Self::Unreadable { expected: (*expected).to_owned(), excerpt: without_secrets(excerpt) }
            }
            ClientError::Stalled { stage, .. } => Self::Unreachable { stage: *stage, message: causes(error) },
            ClientError::Slow { .. } | ClientError::WrongLength { .. } => {
                Self::Unreachable { stage: Stage::Read, message: causes(error) }
            }
            ClientError::NotEncrypted { .. } => Self::Unexpected { message: causes(error) },
        }
    }

    /// Converts the error of a request that changes nothing: a missing response is [`Problem::NoResponse`] then.
    pub(crate) fn without_effect(self) -> Self {
        match self {
            Self::Unreachable { stage: Stage::Send | Stage::Wait | Stage::Lost | Stage::Read, message } => {
                Self::NoResponse { message }
            }
            other => other,
        }
    }

    /// Converts an error of the connection settings of a site.
    fn of_settings(fault: &SetupFault, error: &ClientError) -> Self {
        let client_certificate = |fault| Self::form("connection.clientCertificate", fault);
        match fault {
            SetupFault::Authority => Self::form("connection.caCertificate", FieldError::NotACertificate),
            SetupFault::Identity => client_certificate(FieldError::NotACertificate),
            SetupFault::IdentityPassword => {
                Self::form("connection.clientCertificatePassword", FieldError::WrongPassword)
            }
            SetupFault::IdentityEncrypted => client_certificate(FieldError::KeyEncrypted),
            SetupFault::IdentityWithoutKey | SetupFault::IdentityMismatch(_) => {
                client_certificate(FieldError::NoFittingKey)
            }
            SetupFault::ProxyAddress => Self::form("connection.route.address", FieldError::NotAnAddress),
            SetupFault::SystemRoots(_) | SetupFault::Library(_) => {
                Self::Unexpected { message: causes(error) }
            }
        }
    }
}

/// Returns the error code that a site returned; `None` if it returned none.
pub(crate) fn returned_code(code: i32) -> Option<i32> {
    (code != NO_CODE).then_some(code)
}

impl From<KeyringError> for Problem {
    fn from(error: KeyringError) -> Self {
        let state = match &error {
            KeyringError::Absent(_) => KeyringState::Absent,
            KeyringError::Locked(_) => KeyringState::Locked,
            KeyringError::Slow => KeyringState::Slow,
            KeyringError::Failed(_) | KeyringError::Gone => KeyringState::Failed,
        };
        Self::Keyring { state, message: causes(&error) }
    }
}

impl Problem {
    /// Returns the problem of an action that was not recorded, and therefore not performed.
    pub(crate) fn not_recorded(error: &JournalError) -> Self {
        let reason = match error.fault() {
            Fault::Damaged => NotRecordedReason::Damaged,
            Fault::DiskFull => NotRecordedReason::DiskFull,
            Fault::NotWritable => NotRecordedReason::NotWritable,
            Fault::InUse => NotRecordedReason::InUse,
            Fault::Other => NotRecordedReason::Other,
        };
        Self::NotRecorded { reason, full: of_journal(error), message: causes(error) }
    }
}

impl From<JournalError> for Problem {
    fn from(error: JournalError) -> Self {
        match (of_journal(&error), error.path()) {
            (full @ Some(_), Some(path)) => {
                Self::File { path: path.display().to_string(), message: causes(&error), kept: None, full }
            }
            _ => Self::Unexpected { message: causes(&error) },
        }
    }
}

/// Returns the disk of the history, if it is full.
fn of_journal(error: &JournalError) -> Option<Box<FullDisk>> {
    let path = error.path().filter(|_| error.fault() == Fault::DiskFull)?;
    FullDisk::of(path, &std::io::Error::from(std::io::ErrorKind::StorageFull)).map(Box::new)
}

impl From<anyhow::Error> for Problem {
    fn from(error: anyhow::Error) -> Self {
        Self::Unexpected { message: format!("{error:#}") }
    }
}

/// Returns a text of a site without secrets, which are recognized by their names as in the history: the client masks
/// only those of its own requests and replies, and a page can contain the password of a data store.
pub(crate) fn without_secrets(text: &str) -> String {
    match redact::text(text) {
        kept if kept == text => kept,
        kept => kept.replace(redact::MASK, data_item::MASK),
    }
}

/// Returns an error and its sources in one line.
pub fn causes(error: &dyn std::error::Error) -> String {
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

/// Returns a problem as text, for places without the window's message catalog. Each problem has words of its own: a user
/// reads them in a note of the history, in a file, or beside a webhook.
pub fn as_text(problem: &Problem) -> String {
    match problem {
        Problem::Form { fault, .. } => fault.sentence().to_owned(),
        Problem::Rejected { message, .. } if message.is_empty() => "the site rejected the request".to_owned(),
        Problem::Rejected { message, .. }
        | Problem::InFront { message }
        | Problem::Unreachable { message, .. }
        | Problem::NoResponse { message }
        | Problem::Keyring { message, .. }
        | Problem::NoDialog { message }
        | Problem::WebhooksNotDeactivated { message }
        | Problem::NotRecorded { message, .. }
        | Problem::Unexpected { message } => message.clone(),
        Problem::File { path, message, kept, .. } => {
            // Messages of the system do not name the file.
            let path = if message.contains(path) { String::new() } else { format!("{path}: ") };
            let kept =
                kept.as_ref().map_or_else(String::new, |kept| format!("; the complete file is {kept}"));
            format!("{path}{message}{kept}")
        }
        Problem::SafetyBackupFailed { step, cause } => match cause {
            Some(cause) => format!("{}: {}", step.sentence(), as_text(cause)),
            None => step.sentence().to_owned(),
        },
        Problem::SafetyBackupMissing { local: None } => {
            "the safety backup is no longer among the uploads of the server".to_owned()
        }
        Problem::SafetyBackupMissing { local: Some(path) } => {
            format!("the safety backup is no longer among the uploads of the server; its copy is {path}")
        }
        Problem::ImportFailed { cause, .. }
        | Problem::WebhooksWereInactive { cause, .. }
        | Problem::NotRenewed { cause } => as_text(cause),
        Problem::Unreadable { expected, excerpt } => {
            format!("the response cannot be read: expected {expected}, received: {excerpt}")
        }
        Problem::Busy { site_name, operation, act, .. } => {
            let name = act.map_or(operation.name(), HistoryAction::name);
            format!("another operation is running on {}: {name}", isolated(site_name))
        }
        Problem::PreconditionFailed { why } => why.sentence(),
        Problem::SignIn { elsewhere: Some(origin), .. } => {
            format!(
                "no valid sign-in: the stored session is for {origin}, and the site is at another host now"
            )
        }
        Problem::SignIn { server: None, .. } => "no valid sign-in".to_owned(),
        Problem::SignIn { server: Some(server), .. } => format!("no valid sign-in at {}", server.host),
        Problem::PlanNotAccepted => "the plan needs a user to run".to_owned(),
        Problem::TokenRenewed => "the token was rejected, and nothing was changed; it was renewed".to_owned(),
        Problem::ReadOnly { site_name, .. } => format!("the site {} is read-only", isolated(site_name)),
        Problem::Certificate { certificate, .. } => {
            format!("the certificate of {} is not trusted: {}", certificate.server, certificate.reason)
        }
        Problem::UnconfirmedAddress { addresses, .. } => {
            format!("not confirmed: {}", addresses.join(", "))
        }
        Problem::ClientCertificate { alert } => {
            format!("the site requires another client certificate: {alert}")
        }
        Problem::Redirected { to } => format!("redirected to {to}"),
        Problem::NoAddress { component } => no_address(*component).to_owned(),
        Problem::ProxyRefused { refusal } => {
            let status = refusal.status.map_or_else(|| "no response".to_owned(), |status| status.to_string());
            format!("the proxy {} opened no connection to {}: {status}", refusal.proxy, refusal.target)
        }
        Problem::ExtensionNotAllowed { extension, allowed } => {
            format!("the server accepts no .{extension} files, but {}", allowed.join(", "))
        }
        Problem::TooOld { needs, has } => too_old(needs, has),
        Problem::NotOffered { reason } => match reason {
            UnavailableReason::TooOld { needs, has } => too_old(needs, has),
            UnavailableReason::NoComponent { component } => no_address(*component).to_owned(),
            UnavailableReason::NotOnSite { .. } => "deployments of this type do not support it".to_owned(),
            UnavailableReason::NotOnServer { .. } => "servers of this type do not support it".to_owned(),
            UnavailableReason::NoAdminUrl => "the administration URL of the server is not known".to_owned(),
            UnavailableReason::Role { .. } => "the role of the user does not allow it".to_owned(),
        },
    }
}

fn too_old(needs: &str, has: &str) -> String {
    format!("version {needs} is required, and the site has {has}")
}

const fn no_address(component: Component) -> &'static str {
    match component {
        Component::Portal => "the site has no address for its portal",
        Component::Server => "the site has no address for its server",
    }
}

impl PreconditionFailure {
    /// Returns the failure as a sentence for the history.
    fn sentence(&self) -> String {
        let plain = match self {
            Self::OtherServer { server } => {
                return format!("the requests were sent to another server of the site: {}", isolated(server));
            }
            Self::HiddenField { webhook, field } => {
                let webhook = isolated(webhook);
                return format!(
                    "{webhook}: the server does not return its {field}, so an edit would replace it"
                );
            }
            Self::ServiceGone { service } => {
                return format!(
                    "the server has no service {} any more, or none with webhooks",
                    isolated(service)
                );
            }
            Self::WebhookReplaced { webhook } => {
                return format!("{} was deleted, and another webhook has its name", isolated(webhook));
            }
            Self::OtherVersion { export, portal } => {
                return format!("the export is of version {export}, and the portal has {portal}");
            }
            Self::StoredDiffers { stored, size } => {
                return format!(
                    "the server confirmed the upload, and stored {} of {} bytes",
                    stored.0, size.0
                );
            }
            Self::ContactChanged { contact } => {
                return format!(
                    "the contact was changed after it was listed, and is now: {}",
                    isolated(contact)
                );
            }
            Self::RestoredAlready => "the entry is reactivated or marked as resolved",
            Self::ActiveUnknown => "which webhooks were active before is not known",
            Self::WebhookNotActive => "the webhook is not active, or was deleted",
            Self::StillActive => "the server confirmed the request, and lists a webhook as active",
            Self::StillInactive => "the server confirmed the request, and lists the webhook as inactive",
            Self::SearchGone => "the results of the search are no longer in memory",
            Self::LockedMeanwhile => "the site was locked while the safety backup was created",
            Self::Stopped => "stopped before the request was sent",
            Self::StillWaiting => "the response to this action has not been received yet",
            Self::ServerChanged => "the URL of the portal or server was changed",
            Self::SafetyBackupReplaced { file } => {
                return format!("another file is in place of the safety backup: {}", isolated(file));
            }
            Self::VersionUnknown => "the site did not return its version",
            Self::NotATestSite => "the site is not marked as test",
            Self::ProductionEndpoint { production } => {
                return format!(
                    "an endpoint is that of {}, which is marked as production",
                    isolated(production)
                );
            }
        };
        plain.to_owned()
    }
}

impl FieldError {
    /// Returns the error as a sentence for the history.
    const fn sentence(self) -> &'static str {
        match self {
            Self::Required => "a required field is empty",
            Self::OneFilterNeeded => "no filter is set",
            Self::NotAnAddress => "not an address",
            Self::NotHttps => "not an address that begins with https://, without a user name",
            Self::NotAHost => "not a host name, an IP address, or a port",
            Self::NotAllowed => "not allowed by the organization",
            Self::NotEncrypted => "no encryption",
            Self::NotAnEmail => "not an email address",
            Self::Masked => "a mask in place of a value",
            Self::SecretInPath => "a part of the path looks like a password or token",
            Self::NotTheName => "not the name to confirm",
            Self::NameTaken => "this name is already in use",
            Self::UrlTaken => "the URL of another server of the site",
            Self::ReadOnlyElsewhere => "another site at one of these addresses is read-only and locked",
            Self::ProductionElsewhere => "another site at one of these addresses is a production site",
            Self::NotChosen => "the file was not chosen in the dialog of the system",
            Self::NotACertificate => "the file is not a certificate",
            Self::WrongPassword => "the password does not open the file",
            Self::KeyEncrypted => "the key in the file is encrypted",
            Self::NoFittingKey => "the certificate in the file has no matching key",
            Self::NotAToken => "no token or code",
            Self::SeveralTokens => "different tokens",
            Self::AnErrorResponse => "an error that a site returned",
            Self::TokenExpired => "the token has expired",
            Self::NotAWebAppUrl => "not a URL that a token can be bound to",
            Self::NoClientId => "signing in with the browser requires a client ID",
            Self::TooShort => "fewer than 3 characters",
            Self::TooLong => "more than 60 characters",
            Self::TooManyLetters => "longer than the limit for names and addresses",
            Self::NotOneLine => "a line break or an invisible character",
            Self::Formula => "begins like a spreadsheet formula",
            Self::NotAPortalExport => "the name of a server export or of another backup",
            Self::NotAServerExport => "the name of a portal export or of another backup",
            Self::NotAVersion => "not a version",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_of_a_redirect_is_told_without_the_secrets_in_its_path() {
        let to = "https://login.example.org/token=canary".to_owned();
        let problem =
            Problem::from_client(&ClientError::Redirected { to, status: 302 }, &SiteId("a".to_owned()));
        let text = as_text(&problem);
        assert!(text.contains("login.example.org") && !text.contains("canary"), "{text}");
    }

    #[test]
    fn a_problem_has_words_and_no_form_of_the_program_in_a_note() {
        let site = SiteId("a".to_owned());
        for problem in [
            Problem::form("location", FieldError::Required),
            Problem::precondition_failed(PreconditionFailure::ActiveUnknown),
            Problem::precondition_failed(PreconditionFailure::LockedMeanwhile),
            Problem::NoAddress { component: Component::Portal },
            Problem::NotOffered { reason: UnavailableReason::NoAdminUrl },
            Problem::ClientCertificate { alert: "CertificateRequired".to_owned() },
            Problem::SafetyBackupMissing { local: None },
            Problem::ExtensionNotAllowed { extension: "agssite".to_owned(), allowed: vec!["sd".to_owned()] },
            Problem::sign_in(&site),
        ] {
            let text = as_text(&problem);
            assert!(text.contains(' ') && !text.contains(['{', '"']), "{text}");
        }
    }
}
