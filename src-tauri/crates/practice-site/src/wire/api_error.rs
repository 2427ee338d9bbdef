//! Error object of the specification.

/// Error returned to the client.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub(crate) struct ApiError {
    pub(crate) code: u16,
    pub(crate) message: String,
    /// Details; null if there are none, as in the sample of the specification.
    pub(crate) details: Option<Vec<String>>,
}

impl ApiError {
    fn new(code: u16, message: impl Into<String>) -> ApiError {
        ApiError { code, message: message.into(), details: None }
    }

    /// Creates an error with code 400: a parameter is missing or invalid.
    pub(crate) fn bad_request(message: impl Into<String>) -> ApiError {
        ApiError::new(400, message)
    }

    /// Creates an error with code 400: no token is generated.
    pub(crate) fn token_not_generated(why: &str) -> ApiError {
        ApiError::bad_request("Unable to generate token.").with_detail(why)
    }

    /// Creates an error with code 403: the token is valid, but its owner lacks the permission `need`.
    pub(crate) fn not_allowed(need: &str) -> ApiError {
        ApiError::new(403, "You do not have permissions to access this resource or perform this operation.")
            .with_detail(format!("This needs {need}."))
    }

    /// Creates an error with code 404: the resource does not exist.
    pub(crate) fn not_found(what: impl std::fmt::Display) -> ApiError {
        ApiError::new(404, format!("{what} was not found."))
    }

    /// Creates an error with code 405: the resource requires POST.
    pub(super) fn only_post() -> ApiError {
        ApiError::new(405, "Only HTTP POST method is supported on this operation.")
    }

    /// Creates an error with code 413: the request is too large.
    pub(super) fn too_large() -> ApiError {
        ApiError::new(413, "The request is larger than this site accepts.")
    }

    /// Creates an error with code 408: the request did not arrive in time.
    pub(super) fn too_slow() -> ApiError {
        ApiError::new(408, "The request did not arrive in time.")
    }

    /// Creates an error with code 498: the token is unknown or has expired.
    pub(crate) fn invalid_token() -> ApiError {
        ApiError::new(498, "Invalid Token.").with_detail("The token is not known here or has expired.")
    }

    /// Creates an error with code 499: a token is required.
    pub(crate) fn token_required() -> ApiError {
        let mut rejection = ApiError::new(499, "Token Required.");
        rejection.details = Some(Vec::new());
        rejection
    }

    /// Creates an error with code 500: the operation failed for a reason that the client can act on.
    pub(crate) fn failed(message: impl Into<String>) -> ApiError {
        ApiError::new(500, message)
    }

    pub(crate) fn with_detail(mut self, detail: impl Into<String>) -> ApiError {
        self.details.get_or_insert_default().push(detail.into());
        self
    }
}

/// Converts an internal error to code 500. The cause is only logged, because it can contain file names and SQL.
impl From<anyhow::Error> for ApiError {
    fn from(cause: anyhow::Error) -> ApiError {
        tracing::error!("an operation failed: {cause:#}");
        ApiError::failed("The operation failed. The log of the practice site holds the reason.")
    }
}

impl From<rusqlite::Error> for ApiError {
    fn from(cause: rusqlite::Error) -> ApiError {
        anyhow::Error::new(cause).context("the site's database").into()
    }
}

impl From<serde_json::Error> for ApiError {
    fn from(cause: serde_json::Error) -> ApiError {
        anyhow::Error::new(cause).context("a stored JSON document").into()
    }
}
