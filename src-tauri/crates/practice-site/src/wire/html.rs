//! HTML pages: responses for `f=html`, and the sign-in pages. They contain no scripts and load no resources.

use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// Style sheet. No line contains a pair of braces, because the vendor's Python client parses the first such line of the
/// sign-in page.
const STYLE: &str = "
body {
  color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif;
  margin: 2rem auto; max-width: 60rem; padding: 0 1rem;
}
table {
  border-collapse: collapse;
}
th, td {
  border: 1px solid #8888; padding: .2rem .6rem; text-align: left; vertical-align: top;
}
td, p, code {
  overflow-wrap: anywhere;
}
label {
  display: block; margin: .8rem 0;
}
[role=alert] {
  border-left: .3rem solid #c33; padding-left: .8rem;
}
";

/// Escapes a text for HTML content and attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Returns a page. With `form`, the content policy allows a form to this site and a redirect to that origin.
pub(crate) fn document(title: &str, body: &str, form: Option<&str>) -> Response {
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n<style>{STYLE}</style>\n\
         </head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n",
        escape(title)
    );
    let forms = form.map_or("'none'".to_owned(), |next| format!("'self' {next}"));
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{}'; form-action {}; base-uri 'none'; frame-ancestors 'none'",
        STANDARD.encode(Sha256::digest(STYLE.as_bytes())),
        forms.trim()
    );
    let mut response = Response::new(Body::from(page));
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, "text/html;charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        // Not `no-referrer`: with that, browsers send `Origin: null` with a form.
        (header::REFERRER_POLICY, "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // Cannot fail: the origin of a URL is ASCII. A page without a policy is not sent.
    let policy = HeaderValue::from_str(&policy);
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        policy.unwrap_or_else(|_| HeaderValue::from_static("default-src 'none'")),
    );
    response
}

/// Returns a response as an HTML page: objects as tables, arrays as lists.
pub(super) fn page_of(address: &str, value: &Value) -> Response {
    let mut body = format!("<h1>{}</h1>\n", escape(address));
    write(&mut body, value);
    document(address, &body, None)
}

fn write(page: &mut String, value: &Value) {
    match value {
        Value::Object(members) => {
            page.push_str("<table>\n");
            for (name, member) in members {
                page.push_str(&format!("<tr><th scope=\"row\">{}</th><td>", escape(name)));
                write(page, member);
                page.push_str("</td></tr>\n");
            }
            page.push_str("</table>\n");
        }
        Value::Array(elements) => {
            page.push_str("<ol>\n");
            for element in elements {
                page.push_str("<li>");
                write(page, element);
                page.push_str("</li>\n");
            }
            page.push_str("</ol>\n");
        }
        Value::String(text) => page.push_str(&escape(text)),
        Value::Null => {}
        Value::Bool(_) | Value::Number(_) => page.push_str(&value.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_and_values_are_escaped() {
        let mut page = String::new();
        write(&mut page, &json!({ "<b>": ["<script>", { "\"a'": "&" }] }));
        assert!(!page.contains("<b>") && !page.contains("<script>"), "{page}");
        assert!(page.contains("&lt;b&gt;") && page.contains("&quot;a&#39;") && page.contains("&amp;"));
    }
}
