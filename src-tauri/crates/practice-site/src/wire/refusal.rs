//! The specification's error object, before it is written.

/// A refusal or failure that the caller is told about.
#[derive(Debug, Clone)]
pub(crate) struct Refusal {
    pub(crate) code: u16,
    pub(crate) message: String,
    /// `null` when there is nothing to add, as in the specification's sample.
    pub(crate) details: Option<Vec<String>>,
}

impl Refusal {
    fn new(code: u16, message: impl Into<String>) -> Refusal {
        Refusal { code, message: message.into(), details: None }
    }

    /// 400: a parameter is missing or cannot be understood.
    pub(crate) fn bad_request(message: impl Into<String>) -> Refusal {
        Refusal::new(400, message)
    }

    /// 403: the token is good, its owner may not do this.
    pub(crate) fn not_allowed(need: &str) -> Refusal {
        Refusal::new(403, "You do not have permissions to access this resource or perform this operation.")
            .with_detail(format!("This needs {need}."))
    }

    /// 404: there is no such thing.
    pub(crate) fn not_found(what: impl std::fmt::Display) -> Refusal {
        Refusal::new(404, format!("{what} was not found."))
    }

    /// 405: a GET where only POST is served.
    pub(super) fn only_post() -> Refusal {
        Refusal::new(405, "Only HTTP POST method is supported on this operation.")
    }

    /// 413: more than this site reads.
    pub(super) fn too_large() -> Refusal {
        Refusal::new(413, "The request is larger than this site accepts.")
    }

    /// 408: the rest of the request did not come.
    pub(super) fn too_slow() -> Refusal {
        Refusal::new(408, "The request did not arrive in time.")
    }

    /// 498: the token is unknown or has expired.
    pub(crate) fn invalid_token() -> Refusal {
        Refusal::new(498, "Invalid Token.").with_detail("The token is not known here or has expired.")
    }

    /// 499: no token where one is needed.
    pub(crate) fn token_required() -> Refusal {
        let mut refusal = Refusal::new(499, "Token Required.");
        refusal.details = Some(Vec::new());
        refusal
    }

    /// 500: the operation could not be done, for a reason the caller can act on.
    pub(crate) fn failed(message: impl Into<String>) -> Refusal {
        Refusal::new(500, message)
    }

    pub(crate) fn with_detail(mut self, detail: impl Into<String>) -> Refusal {
        self.details.get_or_insert_default().push(detail.into());
        self
    }
}

/// A fault of this site itself. The cause goes to the log, where file names and SQL may stand.
impl From<anyhow::Error> for Refusal {
    fn from(cause: anyhow::Error) -> Refusal {
        tracing::error!("an operation failed: {cause:#}");
        Refusal::failed("The operation failed. The log of the practice site holds the reason.")
    }
}

impl From<rusqlite::Error> for Refusal {
    fn from(cause: rusqlite::Error) -> Refusal {
        anyhow::Error::new(cause).context("the site's database").into()
    }
}

impl From<serde_json::Error> for Refusal {
    fn from(cause: serde_json::Error) -> Refusal {
        anyhow::Error::new(cause).context("a stored JSON document").into()
    }
}
