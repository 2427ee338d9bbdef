//! Rejections by what stands in front of a site: a web adaptor, a reverse proxy, a load balancer.

use crate::error::ClientError;

/// How sites name it when they reject what came through it.
const NAMES: [&str; 6] =
    ["web adaptor", "webadaptor", "web adapter", "webadapter", "reverse proxy", "load balancer"];

impl ClientError {
    /// Returns whether something in front of the site rejected the request, or the site rejected it because it came
    /// through something: by the words of the site, or by a page with a status that a site does not send. The request
    /// belongs to the administration URL then, and another account is no remedy.
    #[must_use]
    pub fn is_of_what_is_in_front(&self) -> bool {
        match self {
            Self::Refused { code: 498 | 499, .. } => false,
            Self::Refused { message, details, .. } => std::iter::once(message).chain(details).any(|words| {
                let words = words.to_lowercase();
                NAMES.iter().any(|name| words.contains(name))
            }),
            Self::Unreadable { raw: Some(raw), .. } => {
                matches!(raw.status, 403 | 405) && raw.body.trim_start().starts_with('<')
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::RawAnswer;

    fn said(code: i32, message: &str) -> bool {
        let (message, details) = (message.to_owned(), Vec::new());
        ClientError::Refused { code, message, details }.is_of_what_is_in_front()
    }

    fn page(status: u16, body: &str) -> bool {
        let raw = RawAnswer { status, body: body.to_owned(), is_cut: false };
        ClientError::unreadable_answer("a result", raw).is_of_what_is_in_front()
    }

    #[test]
    fn a_rejection_is_told_by_words_and_by_pages_and_not_by_the_code_alone() {
        assert!(said(403, "Access to this resource is not allowed through the Web Adaptor."));
        assert!(said(500, "Import is not supported through a WebAdaptor or a load balancer."));
        assert!(!said(403, "You do not have permissions to perform this operation."));
        assert!(!said(403, "") && !said(499, "Token required by the web adaptor."));
        assert!(page(403, "<html>Forbidden</html>") && page(405, "\n<!DOCTYPE html>"));
        assert!(
            !page(404, "<html>") && !page(502, "<html>") && !page(504, "<html>") && !page(403, "{\"half")
        );
    }
}
