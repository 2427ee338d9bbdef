//! Authorization code that the user copies from the portal's page.

use steward_vault::Secret;

/// Returns the code in a pasted text: the code itself, the page title `SUCCESS code=…`, or a URL that ends with
/// `code=…`. `None` if there is none.
#[must_use]
pub fn code_from(pasted: &str) -> Option<Secret<String>> {
    let text = pasted.trim();
    let code = text.rsplit_once("code=").map_or(text, |(_, code)| code);
    let code = code.split('&').next().unwrap_or_default().trim();
    let is_one = !code.is_empty()
        && code.len() <= 4096
        && !code.contains(|c: char| c.is_whitespace() || c.is_control());
    is_one.then(|| Secret::new(code.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_found_in_pasted_text() {
        let read = |text| code_from(text).map(|code| code.expose().clone()).unwrap_or_default();
        assert_eq!(read("  abc-123\n"), "abc-123");
        assert_eq!(read("SUCCESS code=abc-123"), "abc-123");
        assert_eq!(read("https://gis.example.org/portal/oauth2/approval?code=abc-123&state=s"), "abc-123");
        assert_eq!(read(""), "");
        assert_eq!(read("two words"), "");
    }
}
