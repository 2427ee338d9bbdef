//! Why a request did not give its answer.

use std::time::Duration;

use crate::answer::RawAnswer;
use crate::trust::CertificateProblem;

/// How far a request came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// No connection was made: name, route or refusal.
    Connect,
    /// The proxy on the way wants another name and password. Nothing reached the site.
    Proxy,
    /// The certificate was not accepted, or the two sides could not agree on encryption.
    Tls,
    /// The body of the request could not be sent whole.
    Send,
    /// The request was sent, and no answer came.
    Wait,
    /// The answer broke off.
    Read,
}

/// Why a client cannot be made of what it was given.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupFault {
    /// The file of trusted authorities holds no certificate, or none that can be used.
    #[error("the file of trusted authorities cannot be read as certificates in PEM")]
    Authority,
    /// The client certificate cannot be read.
    #[error("the client certificate cannot be read")]
    Identity,
    /// The file of the client certificate does not open with its password.
    #[error("the file of the client certificate does not open with this password")]
    IdentityPassword,
    /// The key in PEM is encrypted; PKCS#12 is the way to bring an encrypted key.
    #[error("the key of the client certificate is encrypted; a PKCS#12 file can be opened with its password")]
    IdentityEncrypted,
    /// There is a certificate and no key.
    #[error("the file of the client certificate holds no key")]
    IdentityWithoutKey,
    /// Certificate and key do not belong together, or are of a kind that cannot be used.
    #[error("the client certificate and its key do not fit together")]
    IdentityMismatch(#[source] rustls::Error),
    /// The proxy's address is no `http://` or `https://` address, or holds credentials.
    #[error("the proxy's address cannot be used")]
    ProxyAddress,
    /// The system's store of trusted authorities cannot be read.
    #[error("the system's trusted authorities cannot be read")]
    SystemRoots(#[source] rustls::Error),
    /// The library refused.
    #[error("the library refused")]
    Library(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// The code of an error that names none, and that HTTP calls a success.
pub const NO_CODE: i32 = 0;

/// Why a request did not give its answer.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The site answered with its error object, of either family.
    #[error("{}", rejected(*code, message))]
    Refused {
        /// The site's code; the HTTP status where the body names none, and [`NO_CODE`] where that is no error.
        code: i32,
        /// The site's message.
        message: String,
        /// The site's details.
        details: Vec<String>,
    },
    /// The token ran out while the site was at work. What it had done by then is not known.
    #[error("the token ended after {} seconds of work", after.as_secs())]
    TokenEnded {
        /// How long the site had been at work.
        after: Duration,
        /// What it said.
        source: Box<Self>,
    },
    /// The site rejected the token before it did anything, and trouble of the site, or of the way there, kept the next
    /// one from being had. What it is renewed with may still be good.
    #[error("the session could not be renewed")]
    NotRenewed {
        /// What came of the renewal.
        source: Box<Self>,
    },
    /// There was no answer.
    #[error("no answer from the site")]
    Unreachable {
        /// How far the request came.
        stage: Stage,
        /// The library's reason.
        #[source]
        source: reqwest::Error,
    },
    /// The site's certificate is not trusted. Nothing was sent.
    #[error(transparent)]
    Certificate(Box<CertificateProblem>),
    /// The site asks for a client certificate, or refuses the one it was given. It did not read the request.
    #[error("the site asks for another client certificate ({alert})")]
    ClientCertificate {
        /// The alert's name in TLS.
        alert: String,
    },
    /// The site points elsewhere, and nothing of ours goes there.
    #[error("the site sends us on to {to}, and the request was not sent there")]
    Redirected {
        /// Where, without query and fragment.
        to: String,
        /// The HTTP status.
        status: u16,
    },
    /// The address is not encrypted, and not on this computer. Nothing was sent.
    #[error("{to} is not encrypted, and nothing was sent there")]
    NotEncrypted {
        /// The origin of the address.
        to: String,
    },
    /// The answer does not follow the specification.
    #[error("the answer cannot be read: expected {expected}")]
    Unreadable {
        /// What was expected.
        expected: &'static str,
        /// The beginning of the answer, the secrets taken out.
        excerpt: String,
        /// The answer, for a bug report. `None` where `excerpt` says all there is.
        raw: Option<Box<RawAnswer>>,
    },
    /// The client itself could not be set up.
    #[error("the connection could not be prepared")]
    Setup {
        /// What is wrong.
        #[source]
        source: SetupFault,
    },
    /// The connection is there and nothing moves on it.
    #[error("nothing has moved for {} seconds", after.as_secs())]
    Stalled {
        /// Which way it should have moved.
        stage: Stage,
        /// How long nothing did.
        after: std::time::Duration,
    },
    /// The body of an answer ended where it should not have.
    #[error("{came} bytes came where {announced} were announced")]
    WrongLength {
        /// The length that was announced.
        announced: u64,
        /// The length that came.
        came: u64,
    },
}

impl ClientError {
    /// Whether the site may have done, or may still be doing, what was asked.
    ///
    /// A refusal by the site and a connection that was never made have no effect. Everything else may have: a
    /// proxy's error page after an hour says nothing about the server behind it, and neither does where it points.
    #[must_use]
    pub fn may_have_taken_effect(&self) -> bool {
        match self {
            Self::Refused { .. }
            | Self::NotRenewed { .. }
            | Self::Setup { .. }
            | Self::Certificate(_)
            | Self::ClientCertificate { .. }
            | Self::NotEncrypted { .. } => false,
            Self::Unreachable { stage, .. } => !matches!(stage, Stage::Connect | Stage::Proxy | Stage::Tls),
            Self::TokenEnded { .. }
            | Self::Redirected { .. }
            | Self::Unreadable { .. }
            | Self::Stalled { .. }
            | Self::WrongLength { .. } => true,
        }
    }

    /// Whether the way to the site failed, and not the site: what has no effect may then be asked again.
    #[must_use]
    pub fn is_of_the_way(&self) -> bool {
        match self {
            Self::Unreachable { stage, .. } => !matches!(stage, Stage::Proxy | Stage::Tls),
            Self::Stalled { .. } | Self::WrongLength { .. } => true,
            Self::NotRenewed { source } => source.is_of_the_way(),
            // Pages of a proxy that cannot reach the server behind it.
            Self::Unreadable { raw: Some(raw), .. } => matches!(raw.status, 502..=504),
            _ => false,
        }
    }

    /// An answer that was read and does not hold what it should; its words are ours.
    pub(crate) fn unreadable(expected: &'static str, words: impl Into<String>) -> Self {
        Self::Unreadable { expected, excerpt: words.into(), raw: None }
    }

    /// An answer that cannot be read.
    pub(crate) fn unreadable_answer(expected: &'static str, raw: RawAnswer) -> Self {
        Self::Unreadable { expected, excerpt: raw.excerpt(), raw: Some(Box::new(raw)) }
    }

    /// The token was refused before anything was done, and there is another one now.
    pub(crate) fn token_renewed() -> Self {
        let message = "the token ran out and was renewed; send it again".to_owned();
        Self::Refused { code: 498, message, details: Vec::new() }
    }

    /// A request that got no response.
    pub(crate) fn while_sending(source: reqwest::Error) -> Self {
        let tls = tls_cause(&source);
        if let Some(problem) = tls.and_then(certificate_problem) {
            return Self::Certificate(Box::new(for_origin(problem.clone(), source.url())));
        }
        if let Some(rustls::Error::AlertReceived(alert)) = tls
            && is_about_our_certificate(*alert)
        {
            return Self::ClientCertificate { alert: format!("{alert:?}") };
        }
        let stage = match (source.is_connect(), tls) {
            // After the handshake a broken record says nothing about what the site did with the request.
            (true, Some(_)) => Stage::Tls,
            (true, None) if proxy_wants_to_know_us(&source) => Stage::Proxy,
            (true, None) => Stage::Connect,
            (false, _) if source.is_body() => Stage::Send,
            (false, _) => Stage::Wait,
        };
        Self::Unreachable { stage, source: source.without_url() }
    }

    /// A response that broke off.
    pub(crate) fn while_reading(source: reqwest::Error) -> Self {
        Self::Unreachable { stage: Stage::Read, source: source.without_url() }
    }
}

impl From<SetupFault> for ClientError {
    fn from(source: SetupFault) -> Self {
        Self::Setup { source }
    }
}

/// What a site said that rejected a request: nothing is put in the place of a code or words that it did not send.
fn rejected(code: i32, message: &str) -> String {
    let code = if code == NO_CODE { String::new() } else { format!(" ({code})") };
    let message = if message.is_empty() { String::new() } else { format!(": {message}") };
    format!("the site rejected the request{code}{message}")
}

/// What rustls says. It arrives wrapped in an `io::Error`, which hides it from `source`.
fn tls_cause(error: &reqwest::Error) -> Option<&rustls::Error> {
    let mut next = std::error::Error::source(error);
    while let Some(cause) = next {
        if let Some(tls) = cause.downcast_ref::<rustls::Error>() {
            return Some(tls);
        }
        let inside = cause.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        next = match inside {
            Some(inside) => Some(inside),
            None => cause.source(),
        };
    }
    None
}

/// The library has no type for it that could be named, so its words are what there is; a test holds them.
fn proxy_wants_to_know_us(error: &reqwest::Error) -> bool {
    let mut next = std::error::Error::source(error);
    while let Some(cause) = next {
        if cause.to_string().contains("proxy authorization required") {
            return true;
        }
        next = cause.source();
    }
    false
}

/// What our verifier put into the error.
fn certificate_problem(error: &rustls::Error) -> Option<&CertificateProblem> {
    match error {
        rustls::Error::InvalidCertificate(rustls::CertificateError::Other(other)) => other.0.downcast_ref(),
        _ => None,
    }
}

/// The verifier knows the name alone; what can be accepted is a certificate for scheme, name and port.
fn for_origin(problem: CertificateProblem, asked: Option<&url::Url>) -> CertificateProblem {
    let host = |url: &&url::Url| {
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        host.eq_ignore_ascii_case(&problem.server)
    };
    let origin = asked.filter(host).map(|url| url.origin().ascii_serialization());
    CertificateProblem { origin, ..problem }
}

fn is_about_our_certificate(alert: rustls::AlertDescription) -> bool {
    use rustls::AlertDescription as Alert;
    matches!(
        alert,
        Alert::CertificateRequired
            | Alert::BadCertificate
            | Alert::UnsupportedCertificate
            | Alert::CertificateRevoked
            | Alert::CertificateExpired
            | Alert::CertificateUnknown
            | Alert::UnknownCA
            | Alert::AccessDenied
    )
}
