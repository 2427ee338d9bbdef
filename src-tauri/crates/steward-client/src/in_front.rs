//! Rejections by a component in front of a site: web adaptor, reverse proxy, load balancer.

use crate::error::ClientError;

/// Terms for such a component in the messages of sites.
const NAMES: [&str; 6] =
    ["web adaptor", "webadaptor", "web adapter", "webadapter", "reverse proxy", "load balancer"];

impl ClientError {
    /// Returns whether the request failed because of a component in front of the site.
    ///
    /// The component is named in the message of the site, or it returned an HTML page with a status that sites do not
    /// use (403, 405). Such a request must go to the administration URL; signing in with another account does not help.
    #[must_use]
    pub fn is_of_what_is_in_front(&self) -> bool {
        match self {
            Self::Rejected { code: 498 | 499, .. } => false,
            Self::Rejected { message, details, .. } => std::iter::once(message).chain(details).any(|text| {
                let text = text.to_lowercase();
                NAMES.iter().any(|name| text.contains(name))
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
    use crate::response_capture::RawResponse;

    fn is_from_component_in_front(code: i32, message: &str) -> bool {
        let (message, details) = (message.to_owned(), Vec::new());
        ClientError::Rejected { code, message, details }.is_of_what_is_in_front()
    }

    fn page(status: u16, body: &str) -> bool {
        let raw = RawResponse { status, body: body.to_owned(), is_cut: false };
        ClientError::unreadable_answer("a result", raw).is_of_what_is_in_front()
    }

    #[test]
    fn component_in_front_is_recognized_by_message_or_page_not_by_code() {
        assert!(is_from_component_in_front(
            403,
            "Access to this resource is not allowed through the Web Adaptor."
        ));
        assert!(is_from_component_in_front(
            500,
            "Import is not supported through a WebAdaptor or a load balancer."
        ));
        assert!(!is_from_component_in_front(403, "You do not have permissions to perform this operation."));
        assert!(
            !is_from_component_in_front(403, "")
                && !is_from_component_in_front(499, "Token required by the web adaptor.")
        );
        assert!(page(403, "<html>Forbidden</html>") && page(405, "\n<!DOCTYPE html>"));
        assert!(
            !page(404, "<html>") && !page(502, "<html>") && !page(504, "<html>") && !page(403, "{\"half")
        );
    }
}
