//! Spellings of a secret: encoded as in HTML, in URLs and in JSON.

/// Returns the spellings of a secret in HTML, in URLs and in JSON, longest first.
pub(crate) fn spellings(secret: &str) -> Vec<String> {
    // No encoding changes these characters. Most tokens consist of them, and each request has one.
    if secret.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_')) {
        return if secret.is_empty() { Vec::new() } else { vec![secret.to_owned()] };
    }
    let in_address: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
    let in_path = in_address.replace('+', "%20");
    let mut all = vec![secret.to_owned(), small_percents(&in_address), small_percents(&in_path)];
    let in_json = serde_json::Value::from(secret).to_string();
    let in_json = in_json.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(&in_json);
    // Some serializers escape every slash, some the characters with a meaning in HTML, and some all non-ASCII
    // characters.
    for text in [in_json.to_owned(), in_json.replace('/', "\\/"), in_json.replace("\\\"", "\"")] {
        for meant_in_pages in ["", "&<>", "&<>'=", "&<>'\"+`"] {
            for is_ascii in [false, true] {
                let is_escaped =
                    |letter: char| meant_in_pages.contains(letter) || (is_ascii && !letter.is_ascii());
                all.extend(escaped(&text, is_escaped));
            }
        }
    }
    let in_page = secret.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    let closed = in_page.replace('>', "&gt;");
    all.extend(["&#39;", "&#x27;"].map(|apostrophe| closed.replace('\'', apostrophe)));
    all.push(closed.replace("&quot;", "&#34;").replace('\'', "&#39;"));
    all.extend([in_address, in_path, in_page, closed]);
    all.retain(|spelling| !spelling.is_empty());
    all.sort_unstable_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
    all.dedup();
    all
}

/// Returns whether a text may contain one of the [`spellings`] of a secret. None of them changes ASCII letters and
/// digits.
pub(crate) fn may_contain(text: &str, secret: &str) -> bool {
    let parts = secret.split(|letter: char| !letter.is_ascii_alphanumeric());
    parts.max_by_key(|part| part.len()).is_some_and(|longest| text.contains(longest))
}

/// Returns an encoded text with lowercase hexadecimal digits in its escapes, as some programs write them.
fn small_percents(encoded: &str) -> String {
    let mut parts = encoded.split('%');
    let mut small = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (escape, rest) = part.split_at_checked(2).unwrap_or((part, ""));
        small.extend(["%", &escape.to_ascii_lowercase(), rest]);
    }
    small
}

/// Returns a JSON text with the matching characters escaped, in lowercase and in uppercase hexadecimal digits.
fn escaped(in_json: &str, is_escaped: impl Fn(char) -> bool) -> [String; 2] {
    let (mut small, mut large) = (String::new(), String::new());
    for letter in in_json.chars() {
        if !is_escaped(letter) {
            small.push(letter);
            large.push(letter);
            continue;
        }
        for unit in letter.encode_utf16(&mut [0; 2]) {
            small.extend(["\\u", &format!("{unit:04x}")]);
            large.extend(["\\u", &format!("{unit:04X}")]);
        }
    }
    [small, large]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_text_with_a_spelling_of_a_secret_may_contain_it(secret in "\\PC{1,12}|[a-z&<>'\"/+%=é]{1,12}") {
            for spelling in spellings(&secret) {
                prop_assert!(may_contain(&format!("before {spelling} after"), &secret), "{spelling}");
            }
        }
    }
}
