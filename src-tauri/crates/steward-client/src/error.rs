//! Errors of requests.
//!
//! [`ClientError`] is the only error type of this crate's requests. [`ClientError::may_have_taken_effect`] separates
//! failures without effect from unknown outcomes.

use std::time::Duration;

use serde::Serialize;

use crate::proxy_refusal::ProxyRefusal;
use crate::response_capture::RawResponse;
use crate::setup_fault::SetupFault;
use crate::trust::CertificateProblem;

/// Phase in which a request failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum Stage {
    /// Connecting: name resolution, routing, or a connection that was not accepted.
    Connect,
    /// TLS handshake, for a reason that the server did not return.
    Tls,
    /// TLS handshake: the server accepts older versions of TLS only.
    TlsVersions,
    /// TLS handshake: the server accepts none of the cipher suites that the app offers.
    TlsSuites,
    /// TLS after the request was sent: the server requested a client certificate by renegotiation, which rustls does
    /// not support.
    LateCertificate,
    /// Sending the request body.
    Send,
    /// Waiting for the response, which was not received within the time limit. The request was sent completely.
    Wait,
    /// The connection was closed before the response. The request was sent completely.
    Lost,
    /// Reading the response body.
    Read,
    /// Reading a stored file, which ended at the same byte before its announced length at each attempt.
    Short,
}

impl Stage {
    /// Returns whether the request was not sent: there was no connection that it could be sent on.
    #[must_use]
    pub const fn is_before_request(self) -> bool {
        matches!(self, Self::Connect | Self::Tls | Self::TlsVersions | Self::TlsSuites)
    }
}

/// In place of the alert, where a server closed the connection after it had asked for a client certificate.
pub(crate) const CLOSED: &str = "connection closed";

/// Code of an error object without a code, returned with a successful HTTP status.
pub const NO_CODE: i32 = 0;

/// Error of a request.
///
/// The documentation of functions refers to two groups of variants:
/// - *Connection errors* can be returned by every request: [`Setup`](Self::Setup),
///   [`NotEncrypted`](Self::NotEncrypted), [`Certificate`](Self::Certificate),
///   [`ClientCertificate`](Self::ClientCertificate), [`Redirected`](Self::Redirected),
///   [`Unreachable`](Self::Unreachable), [`ProxyRefused`](Self::ProxyRefused), [`Stalled`](Self::Stalled),
///   [`Slow`](Self::Slow).
/// - *Session errors* can be returned by every request of an endpoint with a session: [`TokenEnded`](Self::TokenEnded),
///   [`TokenRenewed`](Self::TokenRenewed), [`NotRenewed`](Self::NotRenewed).
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The site returned an error object of either family: it rejected the request.
    #[error("{}", rejection_message(*code, message))]
    Rejected {
        /// Code in the body; the HTTP status if there is none; [`NO_CODE`] if the status is a success.
        code: i32,
        /// Message of the site, with secrets masked. Can be empty.
        message: String,
        /// Details of the site, with secrets masked.
        details: Vec<String>,
    },
    /// The token expired while the site processed the request. The outcome is unknown.
    #[error("the token expired after {} seconds of processing", after.as_secs())]
    TokenEnded {
        /// Time from sending the request to the rejection.
        after: Duration,
        /// Rejection that the site returned.
        source: Box<Self>,
    },
    /// The site rejected the token before processing the request, which is not sent again by itself (ADR 0035). Nothing
    /// was done, and the token was renewed: the next request has another one.
    #[error("the site rejected the token, and nothing was done; the token was renewed")]
    TokenRenewed,
    /// The site rejected the token before processing the request, and the renewal failed for a temporary reason (site
    /// or network). The renewal method might still be valid.
    #[error("the session could not be renewed")]
    NotRenewed {
        /// Error of the renewal.
        source: Box<Self>,
    },
    /// No complete response was received.
    #[error("no response from the site")]
    Unreachable {
        /// Phase in which the request failed.
        stage: Stage,
        /// Error of the HTTP library, without the URL.
        #[source]
        source: reqwest::Error,
    },
    /// The proxy opened no connection to the site. Nothing reached the site.
    #[error("the proxy {} opened no connection to {}{}", .0.proxy, .0.target, status_text(.0.status))]
    ProxyRefused(Box<ProxyRefusal>),
    /// The server certificate is not trusted. Nothing was sent.
    #[error(transparent)]
    Certificate(Box<CertificateProblem>),
    /// The site requires a client certificate or rejected the given one during the TLS handshake. The request was not
    /// read.
    #[error("the site requires another client certificate ({alert})")]
    ClientCertificate {
        /// Name of the TLS alert, for example `CertificateRequired`.
        alert: String,
    },
    /// The site redirected the request to a URL that must not receive it. Nothing was sent there.
    #[error("the site redirected the request to {to}, and it was not sent there")]
    Redirected {
        /// Target of the redirect, without query, fragment and credentials.
        to: String,
        /// HTTP status, 301 to 308.
        status: u16,
    },
    /// The URL is not encrypted and not on this computer. Nothing was sent.
    #[error("{to} is not encrypted, and nothing was sent there")]
    NotEncrypted {
        /// Origin of the URL.
        to: String,
    },
    /// The response does not follow the specification.
    #[error("the response cannot be read: expected {expected}{size}")]
    Unreadable {
        /// Expected content, as a noun phrase for the message.
        expected: &'static str,
        /// Addition to the message with the size of a response that is too long; empty for another one.
        size: String,
        /// Beginning of the response, with secrets masked.
        excerpt: String,
        /// Response for a bug report. `None` if `excerpt` is complete.
        raw: Option<Box<RawResponse>>,
    },
    /// The HTTP clients could not be created. Nothing was sent.
    #[error("the connection could not be prepared")]
    Setup {
        /// Invalid setting.
        #[source]
        source: SetupFault,
    },
    /// No byte was transferred within the timeout.
    #[error("no data was transferred for {} seconds", after.as_secs())]
    Stalled {
        /// Phase in which the transfer stalled.
        stage: Stage,
        /// Timeout that elapsed.
        after: std::time::Duration,
    },
    /// A response body was not complete within the time for all of it.
    #[error("the response was not complete after {} seconds", after.as_secs())]
    Slow {
        /// Time that elapsed.
        after: std::time::Duration,
    },
    /// A response body has another length than announced.
    #[error("received {came} bytes instead of {announced}")]
    WrongLength {
        /// Announced length, in bytes.
        announced: u64,
        /// Received length, in bytes.
        came: u64,
    },
}

impl ClientError {
    /// Returns whether the site might have processed the request, or might still be processing it.
    ///
    /// A rejection by the site and a failed connection have no effect. All other errors might: a proxy's error page or
    /// a redirect after an hour does not show what the server behind the proxy did.
    #[must_use]
    pub fn may_have_taken_effect(&self) -> bool {
        match self {
            Self::Rejected { .. }
            | Self::TokenRenewed
            | Self::NotRenewed { .. }
            | Self::Setup { .. }
            | Self::Certificate(_)
            | Self::ClientCertificate { .. }
            | Self::ProxyRefused(_)
            | Self::NotEncrypted { .. } => false,
            Self::Unreachable { stage, .. } => !stage.is_before_request(),
            Self::TokenEnded { .. }
            | Self::Redirected { .. }
            | Self::Unreadable { .. }
            | Self::Stalled { .. }
            | Self::Slow { .. }
            | Self::WrongLength { .. } => true,
        }
    }

    /// Returns whether the network failed and not the site. A request without effect can then be repeated.
    #[must_use]
    pub fn is_network_failure(&self) -> bool {
        match self {
            Self::Unreachable { stage, .. } => {
                !matches!(stage, Stage::Tls | Stage::TlsVersions | Stage::TlsSuites | Stage::LateCertificate)
            }
            Self::ProxyRefused(refusal) => refusal.status.is_none_or(is_of_a_gateway),
            Self::Stalled { .. } | Self::Slow { .. } | Self::WrongLength { .. } => true,
            Self::NotRenewed { source } => source.is_network_failure(),
            Self::Unreadable { raw: Some(raw), .. } => is_of_a_gateway(raw.status),
            Self::Unreadable { raw: None, .. }
            | Self::Rejected { .. }
            | Self::TokenEnded { .. }
            | Self::TokenRenewed
            | Self::Certificate(_)
            | Self::ClientCertificate { .. }
            | Self::Redirected { .. }
            | Self::NotEncrypted { .. }
            | Self::Setup { .. } => false,
        }
    }

    /// Returns whether a body ended before its announced length, without an error of the connection.
    #[must_use]
    pub fn is_early_end(&self) -> bool {
        match self {
            Self::Unreachable { stage: Stage::Read, source } => is_end_of_file(source),
            Self::WrongLength { announced, came } => came < announced,
            _ => false,
        }
    }

    /// Returns whether the error concerns the requested resource only. Such an error must not hide all other resources;
    /// an expired token and a network error concern every request.
    #[must_use]
    pub fn is_of_one_resource(&self) -> bool {
        match self {
            Self::Rejected { code, .. } => *code != 498 && *code != 499,
            Self::Unreadable { .. } => !self.is_network_failure(),
            Self::TokenEnded { .. }
            | Self::TokenRenewed
            | Self::NotRenewed { .. }
            | Self::Unreachable { .. }
            | Self::ProxyRefused(_)
            | Self::Certificate(_)
            | Self::ClientCertificate { .. }
            | Self::Redirected { .. }
            | Self::NotEncrypted { .. }
            | Self::Setup { .. }
            | Self::Stalled { .. }
            | Self::Slow { .. }
            | Self::WrongLength { .. } => false,
        }
    }

    /// Returns whether a web server or a proxy might have rejected the body for its length: 413, or 404 as IIS does
    /// (its substatus 13).
    #[must_use]
    pub fn may_be_of_the_length(&self) -> bool {
        let is_of_it = |status| matches!(status, 404 | 413);
        match self {
            Self::Rejected { code, .. } => is_of_it(*code),
            Self::Unreadable { raw: Some(raw), .. } => is_of_it(i32::from(raw.status)),
            _ => false,
        }
    }

    /// Creates the error of a token that is not renewed or exchanged, because the user signed out.
    pub(crate) fn signed_out() -> Self {
        Self::Rejected { code: 498, message: "the user signed out".to_owned(), details: Vec::new() }
    }

    /// Creates an error for a response that was decoded but lacks required content. `words` is not a text of the
    /// site.
    pub fn unreadable(expected: &'static str, words: impl Into<String>) -> Self {
        Self::Unreadable { expected, size: String::new(), excerpt: words.into(), raw: None }
    }

    /// Creates an error for a response that cannot be decoded.
    pub(crate) fn unreadable_answer(expected: &'static str, raw: RawResponse) -> Self {
        let (size, excerpt) = (String::new(), raw.excerpt());
        Self::Unreadable { expected, size, excerpt, raw: Some(Box::new(raw)) }
    }

    /// Creates an error for a response of which a part is longer than `limit`, in bytes. `length` is that of the part, if it is known.
    pub(crate) fn too_long(
        expected: &'static str,
        limit: usize,
        length: Option<usize>,
        raw: RawResponse,
    ) -> Self {
        let excerpt = format!("more than {limit} bytes: {}", raw.excerpt());
        let megabytes = |bytes: usize| bytes.saturating_add(500_000) / 1_000_000;
        let size = match length.map(megabytes) {
            Some(length) => format!(", and the response has {length} MB, more than {} MB", megabytes(limit)),
            None => format!(", and a part of the response has more than {} MB", megabytes(limit)),
        };
        Self::Unreadable { expected, size, excerpt, raw: Some(Box::new(raw)) }
    }

    /// Converts a library error that occurred before a response was received. `was_asked` is whether the server asked
    /// for a client certificate before.
    pub(crate) fn while_sending(source: reqwest::Error, was_asked: bool) -> Self {
        let tls = tls_cause(&source);
        if let Some(problem) = tls.and_then(certificate_problem) {
            return Self::Certificate(Box::new(for_origin(problem.clone(), source.url())));
        }
        if let Some(alert) =
            tls.and_then(|tls| client_certificate_alert(tls, was_asked && source.is_connect()))
        {
            return Self::ClientCertificate { alert };
        }
        if source.is_connect() && tls.is_none() && was_asked && is_cut(&source) {
            return Self::ClientCertificate { alert: CLOSED.to_owned() };
        }
        let stage = match (source.is_connect(), tls) {
            (true, Some(tls)) => handshake_stage(tls),
            (true, None) if is_cut(&source) => Stage::Tls,
            (true, None) => Stage::Connect,
            // After the handshake, a broken TLS record does not show whether the site processed the request.
            (false, Some(rustls::Error::AlertReceived(alert))) if is_about_renegotiation(*alert) => {
                Stage::LateCertificate
            }
            (false, _) if source.is_body() => Stage::Send,
            (false, _) if source.is_timeout() => Stage::Wait,
            (false, _) => Stage::Lost,
        };
        Self::Unreachable { stage, source: source.without_url() }
    }

    /// Converts a library error that occurred while the response body was read.
    pub(crate) fn while_reading(source: reqwest::Error) -> Self {
        Self::Unreachable { stage: Stage::Read, source: source.without_url() }
    }
}

/// Returns whether an HTTP status is that of a gateway without a response of the site behind it. 520 to 599 are those
/// of vendors, for example 524 for a time limit.
pub(crate) const fn is_of_a_gateway(status: u16) -> bool {
    matches!(status, 408 | 502..)
}

impl From<SetupFault> for ClientError {
    fn from(source: SetupFault) -> Self {
        Self::Setup { source }
    }
}

fn status_text(status: Option<u16>) -> String {
    status.map_or_else(|| ": it did not respond".to_owned(), |status| format!(" (HTTP status {status})"))
}

/// Returns the message of a rejection. A missing code or message is omitted, not replaced.
fn rejection_message(code: i32, message: &str) -> String {
    let code = if code == NO_CODE { String::new() } else { format!(" ({code})") };
    let message = if message.is_empty() { String::new() } else { format!(": {message}") };
    format!("the site rejected the request{code}{message}")
}

/// Returns the causes of an error, the outermost first. One within an `io::Error` is hidden from `source`.
fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn std::error::Error + 'static)> {
    std::iter::successors(std::error::Error::source(error), |cause| {
        let inside = cause.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        inside.map_or_else(|| cause.source(), |inside| Some(inside))
    })
}

fn tls_cause(error: &reqwest::Error) -> Option<&rustls::Error> {
    causes(error).find_map(|cause| cause.downcast_ref())
}

/// Returns why a handshake failed.
fn handshake_stage(error: &rustls::Error) -> Stage {
    use rustls::{AlertDescription as Alert, Error, PeerIncompatible as Peer};
    match error {
        Error::AlertReceived(Alert::ProtocolVersion)
        | Error::PeerIncompatible(
            Peer::ServerDoesNotSupportTls12Or13 | Peer::ServerTlsVersionIsDisabledByOurConfig,
        ) => Stage::TlsVersions,
        Error::AlertReceived(Alert::HandshakeFailure | Alert::InsufficientSecurity)
        | Error::PeerIncompatible(_) => Stage::TlsSuites,
        _ => Stage::Tls,
    }
}

/// Returns whether an alert after the handshake is how a server ends a connection whose client did not renegotiate.
const fn is_about_renegotiation(alert: rustls::AlertDescription) -> bool {
    use rustls::AlertDescription as Alert;
    matches!(alert, Alert::HandshakeFailure | Alert::NoRenegotiation)
}

/// Returns whether an established connection was closed. Windows ends a handshake without common parameters in this
/// way.
fn is_cut(error: &reqwest::Error) -> bool {
    causes(error).any(|cause| cause.downcast_ref().is_some_and(is_end))
}

/// Returns whether the other host ended an established connection.
pub(crate) fn is_end(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    matches!(error.kind(), BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof)
}

/// Returns whether a body ended early. Without TLS, a connection that a proxy closes ends in the same way.
fn is_end_of_file(error: &reqwest::Error) -> bool {
    let is_end = |io: &std::io::Error| io.kind() == std::io::ErrorKind::UnexpectedEof;
    causes(error).any(|cause| cause.downcast_ref().is_some_and(is_end))
}

/// Returns whether the proxy requires other credentials. The library has no public type for this error, so its text is
/// compared; a test covers it.
pub(crate) fn proxy_requires_credentials(error: &reqwest::Error) -> bool {
    causes(error).any(|cause| cause.to_string().contains("proxy authorization required"))
}

/// Returns the problem that [`Verifier`](crate::trust::Verifier) put into the error.
pub(crate) fn certificate_problem(error: &rustls::Error) -> Option<&CertificateProblem> {
    match error {
        rustls::Error::InvalidCertificate(rustls::CertificateError::Other(other)) => other.0.downcast_ref(),
        _ => None,
    }
}

/// Adds the origin to a problem. The verifier has only the host name, but a certificate is trusted for scheme, host and
/// port.
fn for_origin(problem: CertificateProblem, asked: Option<&url::Url>) -> CertificateProblem {
    let host = |url: &&url::Url| {
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        host.eq_ignore_ascii_case(&problem.server)
    };
    let origin = asked.filter(host).map(|url| url.origin().ascii_serialization());
    CertificateProblem { origin, ..problem }
}

/// Returns the name of an alert that is about the client certificate. `was_asked` is whether the server asked for one
/// in the same handshake: in TLS 1.2 a missing certificate is a general failure of it.
pub(crate) fn client_certificate_alert(error: &rustls::Error, was_asked: bool) -> Option<String> {
    use rustls::AlertDescription as Alert;
    let rustls::Error::AlertReceived(alert) = error else { return None };
    let is_about_it = matches!(
        alert,
        Alert::CertificateRequired
            | Alert::BadCertificate
            | Alert::UnsupportedCertificate
            | Alert::CertificateRevoked
            | Alert::CertificateExpired
            | Alert::CertificateUnknown
            | Alert::UnknownCA
            | Alert::AccessDenied
    );
    (is_about_it || was_asked && *alert == Alert::HandshakeFailure).then(|| format!("{alert:?}"))
}
