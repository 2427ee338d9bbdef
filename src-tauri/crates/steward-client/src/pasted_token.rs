//! Token in a text that the user pasted.
//!
//! [`pasted_token`] takes what portals, servers, browsers, and scripts show: the token, a response, a cookie, a header,
//! a form, or a URL, also within other text. No error contains a part of the text: it can be a secret.

use jiff::Timestamp;
use percent_encoding::percent_decode_str;
use serde_json::{Deserializer, Value};
use steward_vault::Secret;

use crate::invisible::is_invisible;
use crate::moment::in_milliseconds;
use crate::sign_in::IssuedToken;

/// Maximum length of a pasted text, in bytes.
const LONGEST_TEXT: usize = 256 * 1024;
/// Maximum length of a token, in bytes. It must fit in a header.
const LONGEST_TOKEN: usize = 8 * 1024;
/// Maximum number of nested encodings, of a response within a cookie within a command.
const MAX_LAYERS: usize = 4;

/// Names of a token, in lower case and without `_`. The last one is that of a cookie.
const TOKEN_NAMES: [&str; 3] = ["accesstoken", "token", "agstoken"];
/// Names of its expiry, as a moment.
const EXPIRY_NAMES: [&str; 3] = ["expires", "tokenexpires", "expiresat"];
/// Name of its lifetime, in seconds.
const LIFETIME_NAME: &str = "expiresin";

/// Reason why a pasted text cannot be used as a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PastedTokenFault {
    /// The text contains no token.
    #[error("the text contains no token")]
    NoToken,
    /// The text contains different tokens. Only one of them might belong to the site, so none is sent.
    #[error("the text contains several tokens")]
    SeveralTokens,
    /// The text is an error that a site returned.
    #[error("the text is an error response")]
    ErrorResponse,
    /// The token has expired.
    #[error("the token has expired")]
    Expired,
}

/// Returns the token in a pasted text, with its expiry if the text contains it. `now` is in milliseconds since 1970.
///
/// # Errors
/// [`PastedTokenFault`], which contains nothing of the text.
pub fn pasted_token(pasted: &Secret<String>, now: i64) -> Result<IssuedToken, PastedTokenFault> {
    if pasted.expose().len() > LONGEST_TEXT {
        return Err(PastedTokenFault::NoToken);
    }
    let found = read(&visible(pasted.expose()), now, MAX_LAYERS)?;
    if found.expires_at.is_some_and(|end| end <= now) {
        return Err(PastedTokenFault::Expired);
    }
    Ok(IssuedToken { token: Secret::new(found.token), expires_at: found.expires_at })
}

struct Found {
    token: String,
    expires_at: Option<i64>,
}

/// Returns the text without invisible characters, with plain quotes and blanks, and with `\n` as line breaks. The
/// window passes a line break as U+2028, because a single-line field drops others.
fn visible(text: &str) -> String {
    let text = of_a_table(&text.replace("\r\n", "\n"));
    let plain = text.chars().filter_map(|letter| match letter {
        '\r' | '\u{2028}' | '\u{2029}' | '\u{85}' => Some('\n'),
        '\u{201c}'..='\u{201f}' | '\u{ab}' | '\u{bb}' => Some('"'),
        '\u{2018}'..='\u{201b}' => Some('\''),
        '\n' => Some('\n'),
        letter if is_invisible(letter) => None,
        blank if blank.is_whitespace() => Some(' '),
        other => Some(other),
    });
    plain.collect::<String>().trim().to_owned()
}

/// Returns the text with `:` for the tabs between the cells of a table that was copied from a page.
fn of_a_table(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_between = letter == '\t'
            && plain.ends_with(char::is_alphanumeric)
            && letters.peek().is_some_and(|next| next.is_alphanumeric());
        plain.push(if is_between { ':' } else { letter });
    }
    plain
}

fn read(text: &str, now: i64, layers: usize) -> Result<Found, PastedTokenFault> {
    let text = text.trim();
    let Some(layers) = layers.checked_sub(1) else { return Err(PastedTokenFault::NoToken) };
    if let Some(inner) = unquoted(text) {
        return read(&inner, now, layers);
    }
    if let Some(rest) = cookie(text) {
        // The value of this cookie is the response, encoded. What follows are other cookies.
        let is_plain = rest.starts_with(['{', '"', '\'']);
        let end = rest.find(';').filter(|_| !is_plain).unwrap_or(rest.len());
        return read(&rest[..end], now, layers);
    }
    for text in [text, &joined(text), &text.replace("\\\"", "\"")] {
        match in_objects(text, now) {
            Err(PastedTokenFault::NoToken) => {}
            known => return known,
        }
    }
    match (named(text, now), decoded(text)) {
        (Err(PastedTokenFault::NoToken), Some(plain)) => read(&plain, now, layers),
        (known, _) => known,
    }
}

/// Returns the content of a text in quotation marks, also of a JSON text.
fn unquoted(text: &str) -> Option<String> {
    if let Ok(Value::String(inner)) = serde_json::from_str(text) {
        return Some(inner);
    }
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\'' | '`'))?;
    let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
    (!inner.contains(quote)).then(|| inner.to_owned())
}

/// Returns the text after `esri_auth=`, the cookie of the portal's pages.
fn cookie(text: &str) -> Option<&str> {
    const NAME: &str = "esri_auth";
    let at = text.to_ascii_lowercase().find(NAME)?;
    let rest = text[at + NAME.len()..].trim_start();
    rest.strip_prefix(['=', ':', '\n']).or_else(|| rest.strip_prefix("%3D")).map(str::trim_start)
}

/// Returns the text with encoded characters decoded; `None` if there are none.
fn decoded(text: &str) -> Option<String> {
    let text = if text.contains("%7B") || text.contains("%7b") { joined(text) } else { text.to_owned() };
    let plain = percent_decode_str(&text).decode_utf8().ok()?;
    (plain != text).then(|| plain.into_owned())
}

/// Returns the text in one line. Blanks at the line breaks are those of an indentation.
fn joined(text: &str) -> String {
    text.lines().map(str::trim).collect()
}

/// Returns the token of the JSON objects in the text, at any depth.
fn in_objects(text: &str, now: i64) -> Result<Found, PastedTokenFault> {
    let (mut found, mut has_error, mut from) = (Vec::new(), false, 0);
    while let Some(at) = text[from..].find('{').map(|at| from + at) {
        let mut values = Deserializer::from_str(&text[at..]).into_iter::<Value>();
        let Some(Ok(value)) = values.next() else {
            from = at + 1;
            continue;
        };
        from = at + values.byte_offset();
        collect(&value, now, &mut found);
        has_error |= is_error(&value);
    }
    match only(found) {
        Err(PastedTokenFault::NoToken) if has_error => Err(PastedTokenFault::ErrorResponse),
        known => known,
    }
}

/// Returns the token that was found, once or repeatedly.
fn only(mut found: Vec<Found>) -> Result<Found, PastedTokenFault> {
    let last = found.pop().ok_or(PastedTokenFault::NoToken)?;
    match found.iter().all(|other| other.token == last.token) {
        true => Ok(last),
        false => Err(PastedTokenFault::SeveralTokens),
    }
}

fn collect(value: &Value, now: i64, found: &mut Vec<Found>) {
    match value {
        Value::Object(fields) => {
            let of = |names: &[&str]| {
                names.iter().find_map(|name| {
                    fields
                        .iter()
                        .find(|(key, value)| plain(key) == *name && !value.is_null())
                        .map(|(_, it)| it)
                })
            };
            let token =
                of(&TOKEN_NAMES).and_then(Value::as_str).map(|token| token.split_whitespace().collect());
            if let Some(token) = token.filter(|token: &String| is_token(token)) {
                let expires_at =
                    expiry(of(&EXPIRY_NAMES).map(as_text), of(&[LIFETIME_NAME]).map(as_text), now);
                found.push(Found { token, expires_at });
                return;
            }
            fields.values().for_each(|value| collect(value, now, found));
        }
        Value::Array(items) => items.iter().for_each(|value| collect(value, now, found)),
        // Browsers store a response as text within another one.
        Value::String(text) if text.trim_start().starts_with('{') => {
            if let Ok(inner) = serde_json::from_str(text) {
                collect(&inner, now, found);
            }
        }
        _ => {}
    }
}

/// Returns whether an object is an error of a portal (`error`) or of a server (`status`).
fn is_error(value: &Value) -> bool {
    let has_error = value.get("error").is_some_and(|error| !error.is_null() && *error != Value::Bool(false));
    has_error || value.get("status").and_then(Value::as_str).is_some_and(|status| status == "error")
}

fn as_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns a name in lower case and without `_`.
fn plain(name: &str) -> String {
    name.chars().filter(|letter| *letter != '_').map(|letter| letter.to_ascii_lowercase()).collect()
}

/// Returns the end of a token, by the moment or else by the lifetime that stands beside it.
fn expiry(at: Option<String>, lifetime: Option<String>, now: i64) -> Option<i64> {
    at.and_then(|text| moment(&text)).or_else(|| lifetime.and_then(|text| after(&text, now)))
}

/// Returns a moment in milliseconds since 1970. `None` for any other text: the site then decides.
fn moment(text: &str) -> Option<i64> {
    let text = text.trim();
    match number(text) {
        Some(number) if number <= 0 => None,
        Some(number) => Some(in_milliseconds(number)),
        None => text.parse::<Timestamp>().ok().map(Timestamp::as_millisecond),
    }
}

/// Returns the end of a lifetime in seconds that begins at `now`.
fn after(seconds: &str, now: i64) -> Option<i64> {
    number(seconds.trim()).map(|seconds| now.saturating_add(seconds.saturating_mul(1000)))
}

fn number(text: &str) -> Option<i64> {
    text.parse().ok().or_else(|| {
        let number: f64 =
            text.parse().ok().filter(|number: &f64| number.is_finite() && number.abs() < 1e18)?;
        format!("{number:.0}").parse().ok()
    })
}

/// Returns whether the text has only the characters of a token (RFC 6750, 2.1), and is not how a script shows no value.
fn is_token(text: &str) -> bool {
    let is_no_value = ["null", "none", "undefined"].iter().any(|word| text.eq_ignore_ascii_case(word));
    text.len() <= LONGEST_TOKEN && !text.is_empty() && !is_no_value && run(text) == text.len()
}

/// Returns the length of the token that the text begins with.
fn run(text: &str) -> usize {
    let letters = text.find(|letter: char| !(letter.is_ascii_alphanumeric() || "-._~+/|".contains(letter)));
    let letters = letters.unwrap_or(text.len());
    let padding =
        if letters == 0 { 0 } else { text[letters..].len() - text[letters..].trim_start_matches('=').len() };
    letters + padding
}

/// Reads a text that is no object: `token=…` of a form, a URL, or a page, `Bearer …` of a header, or the token alone.
fn named(text: &str, now: i64) -> Result<Found, PastedTokenFault> {
    let text =
        percent_decode_str(text).decode_utf8().map_or_else(|_| text.to_owned(), std::borrow::Cow::into_owned);
    let of_name = |name: &&str| values(&text, name).filter(|it| is_token(it)).collect::<Vec<_>>();
    let tokens = TOKEN_NAMES.iter().map(of_name).find(|tokens| !tokens.is_empty());
    let tokens = tokens.unwrap_or_else(|| bearers(&text));
    if !tokens.is_empty() {
        let moment = EXPIRY_NAMES.iter().find_map(|name| first_value(&text, name));
        let expires_at = expiry(moment, first_value(&text, LIFETIME_NAME), now);
        return only(tokens.into_iter().map(|token| Found { token, expires_at }).collect());
    }
    if values(&text, "error").next().is_some_and(|error| !error.is_empty()) {
        return Err(PastedTokenFault::ErrorResponse);
    }
    // A token that was wrapped has its line breaks only.
    let alone = joined(&text);
    let name = plain(alone.trim_end_matches('='));
    let is_name = name == "bearer" || TOKEN_NAMES.contains(&name.as_str());
    match is_token(&alone) && !is_name {
        true => Ok(Found { token: alone, expires_at: None }),
        false => Err(PastedTokenFault::NoToken),
    }
}

/// Returns the token after each `Bearer`.
fn bearers(text: &str) -> Vec<String> {
    const SCHEME: &str = "bearer";
    let lower = text.to_ascii_lowercase();
    let all = lower.match_indices(SCHEME).filter_map(|(at, _)| {
        let rest = &text[at + SCHEME.len()..];
        let blank = rest.len() - rest.trim_start().len();
        let token = (blank > 0 && is_word(text, at)).then(|| wrapped(rest.trim_start()));
        // A server that requests a token names its realm: `Bearer realm="gis"`.
        token.filter(|token| is_token(token) && !is_challenge(token))
    });
    all.collect()
}

/// Returns whether the word after `Bearer` is a parameter of a challenge (RFC 6750, 3).
fn is_challenge(word: &str) -> bool {
    ["realm", "scope", "error", "error_description", "error_uri"].contains(&word.trim_end_matches('='))
}

/// Returns the value of each field `name`, wherever it stands, as the characters of a token.
fn values<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = String> {
    let value = move |rest: &str| {
        let token = wrapped(rest);
        let before = &text[..text.len() - rest.len()];
        let is_value = match before.chars().next_back() {
            // In quotation marks, all of it is the value.
            Some(quote @ ('"' | '\'')) => {
                joined(rest.split([quote, '\\']).next().unwrap_or_default()) == token
            }
            // A sentence can have `token:` too; its next word is no token.
            _ => !before.trim_end().ends_with(':') || !is_followed_by_a_word(&rest[run(rest)..]),
        };
        is_value.then_some(token)
    };
    after_name(text, name).filter_map(value)
}

fn is_followed_by_a_word(rest: &str) -> bool {
    let next = rest.trim_start_matches(' ');
    next.len() < rest.len() && next.starts_with(char::is_alphanumeric)
}

/// Returns the value of the first field `name` up to the next separator.
fn first_value(text: &str, name: &str) -> Option<String> {
    let rest = after_name(text, name).next()?;
    rest.split(['&', ';', ',', '"', '\'', '}', '\n', ' ', '#']).next().map(str::to_owned)
}

/// Returns the text after each `name=` or `name:`, also where the name is quoted, and without the quotation mark of the
/// value. `name` is in lower case and without `_`.
fn after_name<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    let ends = text.match_indices(['=', ':']).filter(move |(at, _)| {
        let before = text[..*at].trim_end().trim_end_matches(['"', '\'', '\\']);
        let begins =
            before.rfind(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_' || letter == '-'));
        let word =
            &before[begins.map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8))..];
        plain(word) == name
    });
    ends.map(move |(at, sign)| text[at + sign.len()..].trim_start().trim_start_matches(['"', '\'', '\\']))
}

/// Returns the token that the text begins with. It can go on in the next line, if that has nothing but the rest of it.
fn wrapped(text: &str) -> String {
    let mut token = text[..run(text)].to_owned();
    let mut rest = &text[run(text)..];
    while let Some(next) = rest.trim_start_matches(' ').strip_prefix('\n').map(str::trim_start) {
        let more = run(next);
        let is_rest =
            next[more..].is_empty() || next[more..].starts_with(['\n', '&', '"', '\'', ';', ',', '#', '}']);
        // A token that is too long is not used, however much of it follows. Nothing follows the padding.
        if more == 0 || !is_rest || token.len() > LONGEST_TOKEN || token.ends_with('=') {
            break;
        }
        token.push_str(&next[..more]);
        rest = &next[more..];
    }
    token
}

/// Returns whether a word begins at `at`.
fn is_word(text: &str, at: usize) -> bool {
    !text[..at].ends_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_700_000_000_000;
    const END: i64 = 1_700_003_600_000;
    const COOKIE: &str = "esri_auth=%7B%22email%22%3A%22a%40b.org%22%2C%22token%22%3A%22aT0-x..%22%2C%22expires%22%3A1700003600000%7D";

    fn taken(text: &str) -> Result<(String, Option<i64>), PastedTokenFault> {
        pasted_token(&Secret::new(text.to_owned()), NOW).map(|it| (it.token.expose().clone(), it.expires_at))
    }

    #[test]
    fn a_token_is_found_in_whatever_was_pasted() {
        let cookie_line = format!("Cookie: JSESSIONID=1; {COOKIE}; other=token");
        let set_cookie = format!("Set-Cookie: {COOKIE}; Path=/; Secure");
        let quoted = format!("\"{COOKIE}\"");
        let quoted_value = COOKIE.replace("esri_auth=", "esri_auth=\"") + "\"; x=y";
        let twice = COOKIE.replace('%', "%25");
        let wrapped = format!("{}\n{}", &COOKIE[..60], &COOKIE[60..]);
        for (text, expires) in [
            ("  aT0-x..  \n", None),
            ("\u{feff}aT0-x..\u{200b}", None),
            ("\"aT0-x..\"", None),
            ("'aT0-x..'", None),
            ("\u{201c}aT0-x..\u{201d}", None),
            ("aT0\r\n-x..\r\n", None),
            ("aT0\u{2028}  -x..", None),
            (r#"{"token":"aT0-x..","expires":1700003600000,"ssl":true}"#, Some(END)),
            (r#"{"token":"aT0-x..","expires":"1700003600000"}"#, Some(END)),
            ("{\n  \"token\": \"aT0-x..\",\n  \"expires\": 1700003600000\n}", Some(END)),
            ("{\u{2028}  \"token\": \"aT0-x..\",\u{2028}  \"expires\": 1700003600000\u{2028}}", Some(END)),
            ("{\"token\":\"aT0\n-x..\",\"expires\":1700003600000}", Some(END)),
            (r#"{"access_token":"aT0-x..","expires_in":3600,"refresh_token":"r"}"#, Some(END)),
            (r#"{"access_token":"aT0-x..","expires_in":"3600"}"#, Some(END)),
            (r#"{"access_token":"aT0-x..","expires_in":3600.0}"#, Some(END)),
            (
                r#"{"refresh_token":"r","token":"aT0-x..","tokenExpires":"2023-11-14T23:13:20.000Z"}"#,
                Some(END),
            ),
            (r#"{"credentials":[{"server":"x","token":"aT0-x..","expires":1700003600000}]}"#, Some(END)),
            (r#"{"value":"{\"token\":\"aT0-x..\",\"expires\":1700003600000}"}"#, Some(END)),
            (r#""{\"token\":\"aT0-x..\",\"expires\":1700003600000}""#, Some(END)),
            (r#"{\"token\":\"aT0-x..\",\"expires\":1700003600000}"#, Some(END)),
            (r#"callback({"token":"aT0-x..","expires":1700003600000});"#, Some(END)),
            ("HTTP/1.1 200 OK\nx: y\n\n{\"token\":\"aT0-x..\",\"expires\":1700003600}", Some(END)),
            ("{'token': 'aT0-x..', 'expires': 1700003600000, 'ssl': True}", Some(END)),
            ("\"token\":\"aT0-x..\",\"expires\":1700003600000}", Some(END)),
            ("token   : aT0-x..\nexpires : 1700003600000\nssl     : True", Some(END)),
            (COOKIE, Some(END)),
            (&cookie_line, Some(END)),
            (&set_cookie, Some(END)),
            (&quoted, Some(END)),
            (&quoted_value, Some(END)),
            (&twice, Some(END)),
            (&wrapped, Some(END)),
            (r#"esri_auth={"token":"aT0-x..","expires":1700003600000}; a=b"#, Some(END)),
            (&COOKIE[10..], Some(END)),
            ("agstoken=\"aT0-x..\"; a=b", None),
            ("https://gis.example.org/portal/sharing/rest?f=json&token=aT0-x..", None),
            (
                "/portal/sharing/rest/generateToken\ntoken\taT0-x..\nexpires\t1700003600000\nssl\ttrue",
                Some(END),
            ),
            ("token=aT0-x..&f=json", None),
            ("token=aT0-x..", None),
            ("token=aT0%2Dx..&expires=1700003600000", Some(END)),
            ("f=json&token=aT0\n-x..&x=y", None),
            ("refresh_token=no&access_token=aT0-x..&expires_in=3600", Some(END)),
            ("#access_token=aT0-x..&expires_in=3600&username=u", Some(END)),
            ("http://127.0.0.1:1/#access_token=aT0-x..&expires_in=3600", Some(END)),
            ("Bearer aT0-x..", None),
            ("bearer aT0-x..", None),
            ("Authorization: Bearer aT0-x..", None),
            ("X-Esri-Authorization: Bearer aT0-x..\nHost: gis.example.org", None),
            ("Authorization: Bearer aT0\n-x..", None),
            ("curl -H 'X-Esri-Authorization: Bearer aT0-x..' https://gis.example.org", None),
        ] {
            assert_eq!(taken(text), Ok(("aT0-x..".to_owned(), expires)), "{text}");
        }
    }

    #[test]
    fn a_text_full_of_names_without_a_token_is_read_in_time() {
        for part in ["token=\n", "token:\n", "Bearer a\n", "{\"token\":\"a\n"] {
            let began = std::time::Instant::now();
            drop(taken(&part.repeat(LONGEST_TEXT / 4 / part.len())));
            assert!(began.elapsed() < std::time::Duration::from_secs(30), "{part}: {:?}", began.elapsed());
        }
    }

    #[test]
    fn what_contains_no_usable_token_is_told() {
        use PastedTokenFault::{ErrorResponse, Expired, NoToken, SeveralTokens};
        for (text, fault) in [
            ("", NoToken),
            ("  \n", NoToken),
            ("two words", NoToken),
            ("a text\nof two lines", NoToken),
            ("https://gis.example.org/portal", NoToken),
            ("Cookie: a=b; c=d", NoToken),
            ("{}", NoToken),
            ("{\"token\":", NoToken),
            (r#"{"token":null,"expires":1}"#, NoToken),
            (r#"{"token":"two words are none {"}"#, NoToken),
            (r#"{"refresh_token":"r"}"#, NoToken),
            ("The token: is invalid", NoToken),
            ("esri_auth=", NoToken),
            ("token=", NoToken),
            ("Bearer ", NoToken),
            ("HTTP/1.1 401\nWWW-Authenticate: Bearer realm=\"gis\", error=\"invalid_token\"", ErrorResponse),
            ("WWW-Authenticate: Bearer realm=\"gis\"", NoToken),
            ("tök", NoToken),
            (
                r#"{"error":{"code":400,"message":"Unable to generate token.","details":["Invalid username"]}}"#,
                ErrorResponse,
            ),
            ("{\n \"error\": {\n  \"code\": 498\n }\n}", ErrorResponse),
            (r#"{"status":"error","messages":["Invalid token"],"code":498}"#, ErrorResponse),
            (r#"{"error":"invalid_grant","error_description":"x"}"#, ErrorResponse),
            ("#error=access_denied&error_description=x", ErrorResponse),
            (r#"{"token":"aT0","expires":1699999999999}"#, Expired),
            (r#"{"token":"aT0","expires":"1699999999999"}"#, Expired),
            (r#"{"access_token":"aT0","expires_in":0}"#, Expired),
            (r#"{"access_token":"aT0","expires_in":-5}"#, Expired),
            ("token=aT0&expires=1699999999999", Expired),
            (r#"{"credentials":[{"token":"one"},{"token":"two"}]}"#, SeveralTokens),
            (r#"[{"token":"one"},{"token":"two"}]"#, SeveralTokens),
            ("{\"token\":\"one\"}\n{\"token\":\"two\"}", SeveralTokens),
            ("token=one&x=y\n\nhttps://other.example.org/?token=two", SeveralTokens),
            ("Bearer one\nX-Esri-Authorization: Bearer two", SeveralTokens),
        ] {
            assert_eq!(taken(text), Err(fault), "{text}");
        }
    }
}
