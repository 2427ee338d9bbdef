//! Secrets in free text: those with a name, and those of a known shape.
//!
//! [`text`] is the entry point.

use std::borrow::Cow;
use std::ops::Range;

use regex::{Captures, Regex};

use super::encoded::{encoded, spelled_out};
use super::mask::MASK;
use super::names::{folded, is_header, is_of_name, is_phrase, is_secret, is_secret_in_query};
use super::values::{Pattern, Style, doubled, pattern, secret, tail};
use super::{commands, sentences};

/// Redacts free text.
#[must_use]
pub fn text(text: &str) -> String {
    if is_harmless(text) { text.to_owned() } else { masked(text) }
}

/// Returns whether a text cannot contain a secret: it has no pair, sentence, element, or URL, and is no token.
#[must_use]
pub fn is_harmless(text: &str) -> bool {
    text.len() < 24
        && text.is_ascii()
        && !text.bytes().any(|byte| {
            matches!(byte, b'=' | b':' | b'%' | b' ' | b'<' | b'@' | b'&' | b'\\' | b'\n' | b'\t' | b'-')
        })
}

/// Number of bytes of a name that are looked at. Longer words are data.
const LONGEST_NAME: usize = 128;

/// Number of bytes before a value in which an open quote is looked for.
const LINE: usize = 4096;

/// Number of bytes of a tag that are looked at, as for [`LINE`]: a text can be full of tags that do not end.
const TAG: usize = 16 * 1024;

/// Depth of nested encoded texts that are read.
const LAYERS: usize = 3;

/// Returns a text with its secrets masked.
pub(super) fn masked(text: &str) -> String {
    masked_in(text, LAYERS)
}

/// Returns a text with its secrets masked, also in `layers` of encoded texts in it.
fn masked_in(text: &str, layers: usize) -> String {
    let text = encoded(text, layers, masked_in);
    let text = shapes(&text);
    let text = users(&text);
    named(&commands::masked(&text))
}

/// Masks what is a secret by its shape: private keys, tokens of known forms, and credentials of HTTP.
fn shapes(text: &str) -> Cow<'_, str> {
    let text = replace(&PATTERNS.private_key, Cow::Borrowed(text), |found| {
        format!("{}{MASK}{}", &found[1], found.get(2).map_or("", |end| end.as_str()))
    });
    let text = replace(&PATTERNS.token, text, |_| MASK.to_owned());
    replace(&PATTERNS.scheme, text, |found| {
        let (scheme, rest) = (&found[1], &found[2]);
        // "Basic authentication" is prose.
        let prose = !scheme.eq_ignore_ascii_case("bearer")
            && !rest.contains(|letter: char| letter.is_ascii_digit() || letter == '=');
        if prose { found[0].to_owned() } else { format!("{scheme} {MASK}") }
    })
}

fn replace<'t>(pattern: &Regex, text: Cow<'t, str>, with: impl Fn(&Captures<'_>) -> String) -> Cow<'t, str> {
    match pattern.replace_all(&text, with) {
        Cow::Borrowed(_) => text,
        Cow::Owned(replaced) => Cow::Owned(replaced),
    }
}

/// Masks the user information of URLs. A password can contain every character of a URL.
fn users(text: &str) -> Cow<'_, str> {
    let starts: Vec<_> = PATTERNS.url.find_iter(text).map(|found| found.range()).collect();
    let (mut kept, mut copied) = (String::new(), 0);
    for (index, start) in starts.iter().enumerate() {
        let limit = starts.get(index + 1).map_or(text.len(), |next| next.start);
        if start.end < copied || start.end > limit {
            continue;
        }
        let is_encoded = text[start.clone()].contains("%2");
        if let Some(length) = user(&text[start.end..limit], is_encoded, &text[start.clone()]) {
            kept.push_str(&text[copied..start.end]);
            kept.push_str(MASK);
            copied = start.end + length;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    kept.push_str(&text[copied..]);
    Cow::Owned(kept)
}

/// Returns the length of the user information that the rest of a URL begins with.
fn user(rest: &str, is_encoded: bool, scheme: &str) -> Option<usize> {
    let line = &rest[..rest.find(['\n', '\r']).unwrap_or(rest.len())];
    let at = if is_encoded { "%40" } else { "@" };
    let word = &line[..line.find(|c: char| c.is_whitespace() || "\"'<>`".contains(c)).unwrap_or(line.len())];
    let host = &word[..word.find(['/', '?', '#', '\\']).unwrap_or(word.len())];
    let host = if is_encoded { &host[..host.find("%2F").unwrap_or(host.len())] } else { host };
    let colon = if is_encoded { "%3A" } else { ":" };
    let after_colon =
        host.split_once(colon).filter(|(name, _)| !name.starts_with('[')).map(|(_, after)| after);
    let is_port = |after: &str| {
        let after = after.trim_end_matches(|c: char| !c.is_alphanumeric());
        let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        // A port is followed by a path, or by the next host or an entry of a connection string.
        digits <= 5 && (digits == after.len() || after[digits..].starts_with([',', ';', ')', ']', '}']))
    };
    let has_password = after_colon.is_some_and(|after| !is_port(after));
    if let Some(found) = host.find(at) {
        if !has_password {
            return Some(found);
        }
        return word.rfind(at);
    }
    let is_web = scheme.to_ascii_lowercase().starts_with("http") || scheme.starts_with("ws");
    match after_colon {
        Some(_) if has_password => word.rfind(at).or_else(|| line.find(at)).or(Some(word.len())),
        // The password can begin like a port.
        Some(_) if !is_web => word.rfind(at),
        _ => None,
    }
}

/// Masks the values of names of secrets.
fn named(text: &str) -> String {
    let (mut kept, mut copied, mut at) = (String::with_capacity(text.len()), 0, 0);
    while let Some((name, end)) = next_name(text, at) {
        at = end;
        for secret in secrets(text, name) {
            if secret.start >= copied && !secret.is_empty() {
                kept.push_str(&text[copied..secret.start]);
                kept.push_str(MASK);
                copied = secret.end;
                at = at.max(copied);
            }
        }
    }
    kept.push_str(&text[copied..]);
    kept
}

/// Returns the next word that can be a name, and where the search goes on.
fn next_name(text: &str, from: usize) -> Option<(Range<usize>, usize)> {
    let start = from + text[from..].find(is_of_name)?;
    let end = text[start..].find(|c| !is_of_name(c)).map_or(text.len(), |length| start + length);
    let shown = text.ceil_char_boundary(start.max(end.saturating_sub(LONGEST_NAME)));
    Some((shown..end, end))
}

/// Returns the secrets that a word is the name of.
fn secrets(text: &str, name: Range<usize>) -> Vec<Range<usize>> {
    let (before, word, after) = (&text[..name.start], &text[name.clone()], &text[name.end..]);
    if let Some(secret) = option(before, word, name.end, after) {
        return vec![secret];
    }
    let is_in_query = before.ends_with(['?', '&']) || before.ends_with("&amp;");
    // The end of an escape stands before the name.
    let word = match before.chars().next_back() {
        Some('%') => word.get(2..).unwrap_or(word),
        Some('\\') if word.starts_with(['n', 'r', 't']) => &word[1..],
        _ => word,
    };
    let is_named = |name: &str| if is_in_query { is_secret_in_query(name) } else { is_secret(name) };
    let is_named = is_named(word)
        || (!is_in_query && is_two_words(before, word))
        || spelled_out(before, &text[name.clone()]).is_some_and(|name| is_named(&name));
    if !is_named {
        return Vec::new();
    }
    let after_name = element(text, before, &name, after)
        .or_else(|| pair(text, before, word, name.end, is_in_query))
        .or_else(|| value_of_name(before, name.end, after))
        .or_else(|| sentences::secret(before, word, name.end, after));
    value_before_name(before).into_iter().chain(after_name).collect()
}

/// Returns whether the word before and this one are a name together: `API key`.
fn is_two_words(before: &str, word: &str) -> bool {
    let Some(before) = before.strip_suffix([' ', '-', '_']) else { return false };
    let first = before.rsplit(|c: char| !is_of_name(c)).next().unwrap_or_default();
    !first.is_empty() && first.len() < 20 && word.len() < 20 && {
        let both = folded(first) + &folded(word);
        is_secret(&both) && !is_secret(first) && !is_secret(word) && both.chars().any(char::is_alphabetic)
    }
}

/// Returns the secret in an option of a command: `-p x`, `-Px`, `--password x`, `/P:x`, `-u user:x`.
fn option(before: &str, word: &str, end: usize, after: &str) -> Option<Range<usize>> {
    let previous = before.chars().next_back();
    let begins = previous.is_none_or(|c| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '(' | '['));
    let has_slash = previous == Some('/')
        && before[..before.len() - 1]
            .chars()
            .next_back()
            .is_none_or(|c| c.is_whitespace() || matches!(c, '"' | '\''));
    let has_dash = begins && word.starts_with('-') && word.len() > 1;
    if !has_dash && !has_slash {
        return None;
    }
    let name = word.trim_start_matches('-');
    let blanks = after.len() - after.trim_start_matches([' ', '\t']).len();
    let value = |begin: usize, style| {
        let text = &after[begin - end..];
        let found = secret(text, style, || false);
        Some(begin + found.start..begin + found.end)
    };
    let is_short = matches!(name, "p" | "P" | "pw");
    let style = Style::Option { is_phrase: is_phrase(name) };
    if has_slash {
        return match after.chars().next() {
            Some(':' | '=') if is_short || is_secret(name) => value(end + 1, style),
            Some(' ') if is_secret(name) => value(end + blanks, style),
            _ => None,
        };
    }
    if matches!(name, "u" | "U" | "user" | "username" | "proxy-user") && blanks > 0 {
        let word = &after[blanks..];
        // In quotes, a password has blanks.
        let quoted = word.starts_with(['"', '\'']).then(|| word[1..].find(&word[..1])).flatten();
        let word = &word
            [..quoted.map_or_else(|| word.find(char::is_whitespace).unwrap_or(word.len()), |end| end + 1)];
        let found = word.find([':', '%']).filter(|at| !word[at + 1..].starts_with(['\\', '/']))?;
        let inside = word[found + 1..].trim_end_matches(['"', '\'']);
        let is_masked = inside.is_empty() || inside == MASK;
        let begin = end + blanks + found + 1;
        return (!is_masked).then_some(begin..begin + inside.len());
    }
    if blanks > 0 && (is_short || is_secret(name)) {
        let begin = end + blanks;
        return (!after[blanks..].starts_with(['=', ':', '-']) && blanks < after.len())
            .then(|| value(begin, style))?;
    }
    if is_short && after.starts_with(['"', '\'', '{', '=', ':']) {
        let begin = end + usize::from(after.starts_with(['=', ':']));
        return value(begin, style);
    }
    // `-Px`: glued to its option. Other options begin with the same letter.
    let is_glued =
        word.starts_with(['-']) && !word.starts_with("--") && name.starts_with(['p', 'P']) && name.len() > 1;
    if is_glued
        && !is_secret(name)
        && !PATTERNS.other_option.is_match(name)
        && !PATTERNS.compound.is_match(tail(before, LONGEST_NAME))
    {
        let begin = end - name.len() + 1;
        let rest = after.find(char::is_whitespace).unwrap_or(after.len());
        return (!text_is_masked(&name[1..], &after[..rest])).then_some(begin..end + rest);
    }
    None
}

fn text_is_masked(word: &str, rest: &str) -> bool {
    word.is_empty() && rest.starts_with(MASK)
}

/// Returns the content of an XML element with the name.
fn element(text: &str, before: &str, name: &Range<usize>, after: &str) -> Option<Range<usize>> {
    let prefix = before.trim_end_matches(|c: char| c == ':' || is_of_name(c));
    let opened =
        ["<", "&lt;", "u003c", "u003C"].into_iter().any(|tag| before.ends_with(tag) || prefix.ends_with(tag))
            && (before.len() == prefix.len() || before.ends_with(':'))
            || ["u003c", "u003C"].into_iter().any(|tag| text[name.clone()].starts_with(tag));
    if !opened {
        return None;
    }
    let tag = &after[..after.floor_char_boundary(TAG)];
    let (begin, is_encoded) = match (tag.find('>'), tag.find("&gt;")) {
        (_, Some(at)) if before.ends_with("&lt;") || prefix.ends_with("&lt;") => (at + 4, true),
        (Some(at), _) => (at + 1, false),
        _ => return None,
    };
    if after[..begin].trim_end_matches(['>', ';', 't', 'g', '&']).ends_with('/') {
        return value_of_name(before, name.end, after);
    }
    let content = &after[begin..];
    let local = text[name.clone()].to_lowercase();
    let closes = if is_encoded { "&lt;/" } else { "</" };
    let end = content
        .match_indices(closes)
        .find(|(at, _)| {
            let tag = &content[at + closes.len()..];
            let tag = &tag[..tag.floor_char_boundary(LONGEST_NAME)];
            let tag = &tag[..tag.find(['>', '&']).unwrap_or(tag.len())];
            tag.trim().rsplit(':').next().unwrap_or_default().to_lowercase() == local
        })
        .map_or(content.len(), |(at, _)| at);
    let inside = &content[..end];
    let trimmed = inside.trim_start();
    if trimmed.trim_end() == MASK {
        return Some(name.end..name.end);
    }
    let begin = name.end + begin + (inside.len() - trimmed.len());
    if let Some(data) = trimmed.strip_prefix("<![CDATA[") {
        let length = data.find("]]>").unwrap_or(data.len());
        let is_masked = &data[..length] == MASK;
        return Some(begin + 9..begin + 9 + if is_masked { 0 } else { length });
    }
    Some(begin..begin + trimmed.trim_end().len())
}

/// Returns the value after the name and a separator.
fn pair(text: &str, before: &str, word: &str, end: usize, is_in_query: bool) -> Option<Range<usize>> {
    let found = PATTERNS.separator.captures(&text[end..])?;
    let separator = &found[2];
    let begin = end + found[0].len();
    let is_quoted = !found[1].is_empty();
    let is_after_semicolon = before.trim_end().ends_with(';') && !before.trim_end().ends_with("&amp;");
    let is_colon = matches!(separator, ":" | "：") && !is_quoted;
    let style = if is_in_query || separator.contains('%') {
        Style::Query { is_encoded: separator.contains('%') }
    } else if is_header(word) && is_colon {
        Style::Header
    } else {
        Style::Pair { is_colon, is_after_semicolon, is_phrase: is_phrase(word) }
    };
    let value = &text[begin..];
    if is_quoted || matches!(style, Style::Query { .. }) {
        // JSON values that are no text stay: they are no secret.
        let bare = value.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if is_quoted && matches!(bare, "null" | "true" | "false") {
            return Some(end..end);
        }
    }
    // Quotes that are doubled in an outer text.
    if text[end..].starts_with("\"\"") && value.starts_with("\"\"") {
        let inside = &value[2..];
        let length = doubled(inside);
        let is_masked = &inside[..length] == MASK;
        return Some(begin + 2..begin + 2 + if is_masked { 0 } else { length });
    }
    let has_open_quote = || {
        let near = tail(before, LINE);
        let line = near.rsplit('\n').next().unwrap_or_default();
        ['"', '\'', '`'].into_iter().any(|mark| line.matches(mark).count() % 2 == 1)
    };
    let found = secret(value, style, has_open_quote);
    Some(begin + found.start..begin + found.end)
}

/// Returns the value that a name names as a value: `key="password" value="x"`, `"name":"password","value":"x"`.
fn value_of_name(before: &str, end: usize, after: &str) -> Option<Range<usize>> {
    if !PATTERNS.names.is_match(tail(before, 40)) {
        return None;
    }
    let begin = PATTERNS.value.find(&after[..after.floor_char_boundary(LINE)])?.end();
    let text = &after[begin..];
    if after[..begin].ends_with('>') {
        let found = text.find("</").unwrap_or(text.len());
        let is_masked = &text[..found] == MASK;
        return Some(end + begin..end + begin + if is_masked { 0 } else { found });
    }
    let style = Style::Pair { is_colon: false, is_after_semicolon: false, is_phrase: false };
    let found = secret(text, style, || true);
    Some(end + begin + found.start..end + begin + found.end)
}

/// Returns the value that stands before its name: `"value":"x","name":"password"`.
fn value_before_name(before: &str) -> Option<Range<usize>> {
    let from = before.ceil_char_boundary(before.len().saturating_sub(LINE));
    if !PATTERNS.names.is_match(tail(before, 40)) {
        return None;
    }
    // An element, or an object: a value can have the character that begins the other one.
    let begin = ['<', '{'].into_iter().find_map(|opens| {
        let object = from + before[from..].rfind(opens)?;
        Some(object + PATTERNS.field.find(&before[object..])?.end())
    })?;
    let style = Style::Pair { is_colon: false, is_after_semicolon: false, is_phrase: false };
    let found = secret(&before[begin..], style, || true);
    Some(begin + found.start..begin + found.end)
}

/// A quotation mark around a name in JSON or XML, also within another text.
const QUOTE: &str = r#"(?:""|\\*["']|&quot;|&apos;|&#(?:34|39|x22|x27);|\\+u002[27])"#;

struct Patterns {
    private_key: Pattern,
    token: Pattern,
    scheme: Pattern,
    url: Pattern,
    separator: Pattern,
    names: Pattern,
    value: Pattern,
    field: Pattern,
    other_option: Pattern,
    compound: Pattern,
}

static PATTERNS: Patterns = Patterns {
    private_key: Pattern::new(|| {
        pattern(
            r"(?s)(-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----)(?:.*?)(-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z)",
        )
    }),
    // JSON web tokens; keys of Azure, Google, GitHub and Slack.
    token: Pattern::new(|| {
        pattern(
            r"\beyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}(?:\.[A-Za-z0-9_\-]*)?|[A-Za-z0-9+/]{86}==|\bAIza[A-Za-z0-9_\-]{35}|\bya29\.[A-Za-z0-9_\-]{20,}|\bgh[pousr]_[A-Za-z0-9]{30,}|\bxox[abeprs]-[A-Za-z0-9\-]{10,}",
        )
    }),
    scheme: Pattern::new(|| {
        pattern(r"(?i)\b(bearer|basic|negotiate|ntlm|sharedkey(?:lite)?)\s+([a-z0-9._~+/=:\-]{8,})")
    }),
    url: Pattern::new(|| pattern(r"(?i)[a-z][a-z0-9+.-]*(?:://|:\\/\\/|%3A%2F%2F)")),
    separator: Pattern::new(|| {
        pattern(
            r#"^((?:\\*["'`＂]|\*\*|%22|%27|%2522|&quot;|&#34;|&#39;|&apos;|\\+u0022|\\+u0027|""|[“”»’])?)\]?(?:</?[a-zA-Z][^<>]*>)*\s*(:=|=>|->|==|[:=：＝]|%3[dDaA]|%253[dDaA]|\\+u003[dDaA])(?:\*\*\s)?\s*(?:</?[a-zA-Z][^<>]*>\s*)*"#,
        )
    }),
    names: Pattern::new(|| {
        pattern(&format!(
            r#"(?i)(?:name|key|property|parameter|param|field|option|id|attribute){QUOTE}?\s*[:=]\s*{QUOTE}$"#,
        ))
    }),
    value: Pattern::new(|| {
        pattern(&format!(
            r#"(?i)^{QUOTE}?(?:[^<>{{}}]{{0,100}}?(?:{QUOTE}|\s)(?:value|val|text|content){QUOTE}?\s*[:=]\s*|[^<>{{}}]{{0,100}}>|[^<>]*/?>\s*<value>)"#,
        ))
    }),
    field: Pattern::new(|| {
        pattern(&format!(r"(?i)(?:{QUOTE}|\s)(?:value|val|text|content){QUOTE}?\s*[:=]\s*"))
    }),
    other_option: Pattern::new(|| {
        pattern(
            r"(?i)^(?:path|port|propert|profile|process|parent|pretty|print|patch|prefix|pid|pub|pass(?:ive|thru|through)|project|parallel|platform|persist|pkg|plugin|policy|pool|prompt|protocol|proxy|page|param|parts?$|period|pipe|plain|point|poll|pre|preserve|prio|prod|program|progress|provider|pull|purge|push)",
        )
    }),
    compound: Pattern::new(|| pattern(r"(?i)\b(?:und|oder|bzw\.|sowie|y|o|and|or)\s+$")),
};

#[cfg(test)]
mod tests;
