//! Why a request did not give its answer.

/// How far a request came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// No connection was made: name, route or refusal.
    Connect,
    /// The certificate was not accepted, or the two sides could not agree on encryption.
    Tls,
    /// The body of the request could not be sent whole.
    Send,
    /// The request was sent, and no answer came.
    Wait,
    /// The answer broke off.
    Read,
}

/// Why a request did not give its answer.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The site answered with its error object, of either family.
    #[error("the site refused ({code}): {message}")]
    Refused {
        /// The site's code; the HTTP status where the body names none.
        code: i32,
        /// The site's message.
        message: String,
        /// The site's details.
        details: Vec<String>,
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
    /// The answer does not follow the specification.
    #[error("the answer cannot be read: expected {expected}")]
    Unreadable {
        /// What was expected.
        expected: &'static str,
        /// The beginning of the answer, the token taken out.
        excerpt: String,
    },
    /// The client itself could not be set up.
    #[error("the connection could not be prepared")]
    Setup {
        /// The library's reason.
        #[source]
        source: reqwest::Error,
    },
}

impl ClientError {
    /// Whether the site may have done, or may still be doing, what was asked.
    ///
    /// A refusal by the site and a connection that was never made have no effect. Everything else may have: a
    /// proxy's error page after an hour says nothing about the server behind it.
    #[must_use]
    pub fn may_have_taken_effect(&self) -> bool {
        match self {
            Self::Refused { .. } | Self::Setup { .. } => false,
            Self::Unreachable { stage, .. } => !matches!(stage, Stage::Connect | Stage::Tls),
            Self::Unreadable { .. } => true,
        }
    }

    /// A request that got no response.
    pub(crate) fn while_sending(source: reqwest::Error) -> Self {
        let stage = if is_tls(&source) {
            Stage::Tls
        } else if source.is_connect() {
            Stage::Connect
        } else if source.is_body() {
            Stage::Send
        } else {
            Stage::Wait
        };
        Self::Unreachable { stage, source: source.without_url() }
    }

    /// A response that broke off.
    pub(crate) fn while_reading(source: reqwest::Error) -> Self {
        Self::Unreachable { stage: Stage::Read, source: source.without_url() }
    }
}

/// Whether rustls is behind the error. It arrives wrapped in an `io::Error`, which hides it from `source`.
fn is_tls(error: &reqwest::Error) -> bool {
    let mut next: Option<&(dyn std::error::Error + 'static)> = std::error::Error::source(error);
    while let Some(cause) = next {
        if cause.is::<rustls::Error>() {
            return true;
        }
        let inside = cause.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        next = match inside {
            Some(inside) => Some(inside),
            None => cause.source(),
        };
    }
    false
}
