//! Where the value after the name of a secret ends.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::mask::MASK;

/// How a pair of a name and a value is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// `name=value` or `name: value`.
    Pair { is_colon: bool, is_after_semicolon: bool, is_phrase: bool },
    /// One in the query of a URL, which has no blanks; `is_encoded` if the query as a whole is.
    Query { is_encoded: bool },
    /// A header, whose value is the rest of the line.
    Header,
    /// An option of a command, whose value is one word, or of a passphrase all words up to the next option.
    Option { is_phrase: bool },
}

/// Quotes of all spellings: opening and closing.
const QUOTES: [(&str, &str); 17] = [
    ("\"", "\""),
    ("'", "'"),
    ("`", "`"),
    ("%22", "%22"),
    ("%27", "%27"),
    ("%2522", "%2522"),
    ("&quot;", "&quot;"),
    ("&#34;", "&#34;"),
    ("&#39;", "&#39;"),
    ("&apos;", "&apos;"),
    ("&#x27;", "&#x27;"),
    ("„", "“"),
    ("“", "”"),
    ("«", "»"),
    ("‘", "’"),
    ("‚", "‘"),
    ("＂", "＂"),
];

/// A quote with the backslashes before it.
#[derive(Clone, Copy)]
pub(super) struct Quote<'t> {
    pub(super) text: &'t str,
    closing: &'static str,
    backslashes: usize,
}

/// Returns the quote that a text begins with.
pub(super) fn quote(text: &str) -> Option<Quote<'_>> {
    let rest = text.trim_start_matches('\\');
    let backslashes = text.len() - rest.len();
    let unicode = [("u0022", "u0022"), ("u0027", "u0027")].into_iter().filter(|_| backslashes > 0);
    let found = QUOTES.into_iter().chain(unicode).find(|(opening, _)| rest.starts_with(opening));
    found.map(|(opening, closing)| Quote { text: &text[..backslashes + opening.len()], closing, backslashes })
}

/// Number of bytes in which the end of a value is looked for, and of quotes. A text that is full of values without an
/// end would take hours. After one without an end, everything is masked.
const LONGEST: usize = 8 * 1024;
const MOST_QUOTES: usize = 256;

/// Returns the part of `text` after a quote, or another beginning of a value, that is the secret. Empty if there is
/// none.
pub(super) fn secret(text: &str, style: Style, has_open_quote: impl Fn() -> bool) -> Range<usize> {
    let beginning = &text[..text.floor_char_boundary(LONGEST)];
    let found = secret_in(beginning, style, has_open_quote);
    if beginning.len() < text.len() && found.end == beginning.len() { found.start..text.len() } else { found }
}

fn secret_in(text: &str, style: Style, has_open_quote: impl Fn() -> bool) -> Range<usize> {
    if is_masked(text) {
        return 0..0;
    }
    if let Some(inside) = text.strip_prefix("<![CDATA[") {
        let end = inside.find("]]>").unwrap_or(inside.len());
        return 9..9 + end;
    }
    // Prefixes of texts in SQL and in programs: N'x', b'x', @"x".
    let prefix = usize::from(
        text.starts_with(['N', 'n', 'b', 'r', 'u', '@', '$']) && text[1..].starts_with(['\'', '"']),
    );
    // Quotes that are doubled in an outer text, such as a cell of CSV.
    if let Some(inside) = text.strip_prefix("\"\"")
        && inside.starts_with(|first: char| first.is_alphanumeric())
    {
        return 2..2 + doubled(inside);
    }
    if let Some(opening) = quote(&text[prefix..]) {
        let begin = prefix + opening.text.len();
        if is_masked(&text[begin..]) {
            return 0..0;
        }
        let end = closing(&text[begin..], opening).unwrap_or_else(|| unclosed(&text[begin..]));
        return begin..begin + end;
    }
    if text.starts_with(['{', '[']) {
        if is_masked(&text[1..]) {
            return 0..0;
        }
        let end = bracketed(text).unwrap_or_else(|| 1 + unclosed(&text[1..]));
        return 1..end;
    }
    0..unquoted(text, style, has_open_quote)
}

/// Returns where a value in doubled quotes ends. A quote in it is doubled once more, or stands behind a backslash.
pub(super) fn doubled(inside: &str) -> usize {
    let mut at = 0;
    while let Some(found) = inside[at..].find("\"\"").map(|found| at + found) {
        let after = &inside[found + 2..];
        match () {
            () if after.starts_with("\"\"") => at = found + 4,
            () if inside[..found].ends_with('\\') => at = found + 2,
            () => return found,
        }
    }
    inside.len()
}

fn is_masked(text: &str) -> bool {
    let rest = text.strip_prefix(MASK).or_else(|| text.strip_prefix("••••••"));
    rest.is_some_and(|rest| {
        !rest.starts_with(|next: char| next.is_alphanumeric() || matches!(next, '*' | '•'))
    })
}

/// Returns where the quote closes. A quote within a word, a doubled one, and one behind another backslash do not.
fn closing(text: &str, opening: Quote<'_>) -> Option<usize> {
    let again = format!("{}{}", &opening.text[..opening.backslashes], opening.closing);
    let mut at = 0;
    for _ in 0..MOST_QUOTES {
        let found = at + text[at..].find(opening.closing)?;
        let before = text[..found].trim_end_matches('\\');
        let backslashes = found - before.len();
        let after = &text[found + opening.closing.len()..];
        let is_ours = match backslashes.checked_sub(opening.backslashes) {
            Some(more) => more % (2 * (opening.backslashes + 1)) == 0,
            // A quote of an outer text, which is cut.
            None => true,
        };
        let is_doubled = after.starts_with(&again) && found > opening.backslashes;
        if is_doubled && is_ours {
            at = found + opening.closing.len() + again.len();
            continue;
        }
        if is_ours && !after.starts_with(char::is_alphanumeric) {
            return Some(found - backslashes.min(opening.backslashes));
        }
        at = found + opening.closing.len();
    }
    None
}

/// Returns where a value ends whose quote or bracket is never closed: before the next entry of the connection string,
/// or with the text, which is cut.
fn unclosed(text: &str) -> usize {
    next_entry(text).unwrap_or(text.len())
}

/// Returns the offset of the bracket that ends a value: one of JSON, or of ODBC, where `}}` is a part of the value.
fn bracketed(text: &str) -> Option<usize> {
    let inside = text[1..].trim_start();
    let is_json = text.starts_with('[') || quote(inside).is_some() || inside.starts_with(['{', '}', '[']);
    if !is_json {
        let mut at = 1;
        loop {
            let found = at + text[at..].find('}')?;
            if !text[found + 1..].starts_with('}') {
                return Some(found);
            }
            at = found + 2;
        }
    }
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(letter) = text[at..].chars().next() {
        if let Some(opening) = quote(&text[at..]) {
            let begin = at + opening.text.len();
            at = begin + closing(&text[begin..], opening)? + opening.text.len();
            continue;
        }
        match letter {
            '{' | '[' => depth += 1,
            '}' | ']' if depth == 1 => return Some(at),
            '}' | ']' => depth -= 1,
            _ => {}
        }
        at += letter.len_utf8();
    }
    None
}

fn unquoted(text: &str, style: Style, has_open_quote: impl Fn() -> bool) -> usize {
    let line = &text[..text.find(['\n', '\r']).unwrap_or(text.len())];
    let end = match style {
        Style::Query { is_encoded } => {
            let end = line.find(|letter: char| {
                letter.is_whitespace() || matches!(letter, '&' | '#' | '"' | '\'' | '<' | '>' | '`' | '\\')
            });
            let word = &line[..end.unwrap_or(line.len())];
            // In a query that is not encoded as a whole, `%26` is of the value.
            let next = word.find("%26").filter(|_| is_encoded);
            let word = &word[..next.unwrap_or(word.len())];
            return word.trim_end_matches([')', ']', '}', ',', ';', '.']).len();
        }
        Style::Option { is_phrase: true } => line.find(" -").unwrap_or(line.len()),
        Style::Option { is_phrase: false } => line.find(char::is_whitespace).unwrap_or(line.len()),
        Style::Header => line.len(),
        Style::Pair { is_colon, is_after_semicolon, is_phrase } => {
            pair(line, is_colon, is_after_semicolon, is_phrase)
        }
    };
    let end = if has_open_quote() { before_quote(&line[..end]) } else { end };
    line[..end].trim_end().len()
}

/// Returns where a value without quotes ends, which can have blanks, commas, semicolons and brackets. Words with which
/// a message goes on end it, unless it is a passphrase, which can contain them.
fn pair(line: &str, is_colon: bool, is_after_semicolon: bool, is_phrase: bool) -> usize {
    if is_colon && PATTERNS.sentence.is_match(line) {
        return 0;
    }
    let entry = next_entry(line);
    if let Some(end) = entry
        && (is_after_semicolon || !is_colon)
        && (is_after_semicolon || !PATTERNS.next_pair.is_match(&line[..end]))
    {
        return end;
    }
    let has_semicolon = line.contains(';');
    let pair = PATTERNS.next_pair.find(line).map(|next| next.start());
    let end = [entry, pair].into_iter().flatten().min().unwrap_or(line.len());
    let (mut open, mut is_first) = (0_u32, true);
    for (at, letter) in line[..end].char_indices() {
        let after = &line[at + letter.len_utf8()..];
        let next_is_blank = after.chars().next().is_none_or(char::is_whitespace);
        let next_is_word = after.starts_with(char::is_alphanumeric);
        match letter {
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' if open > 0 => open -= 1,
            ')' | ']' | '}' if !next_is_word => return at,
            ';' if next_is_blank || after.starts_with(['"', '\'']) => return at,
            ',' if next_is_blank && !has_semicolon => return at,
            '.' if next_is_blank && after.trim_start().chars().next().is_none_or(char::is_uppercase) => {
                return at;
            }
            '<' if after.starts_with(|next: char| next.is_alphabetic() || matches!(next, '/' | '!')) => {
                return at;
            }
            '&' if after.starts_with("lt;") || after.starts_with("quot;") => return at,
            '\\' if after.starts_with(['"', '\''])
                || after.starts_with("u002")
                || after.starts_with("u003c") =>
            {
                return at;
            }
            _ if letter.is_whitespace()
                && !is_first
                && !is_phrase
                && PATTERNS.prose.is_match(after.trim_start()) =>
            {
                return at;
            }
            _ => {}
        }
        is_first = false;
    }
    end
}

/// Returns where the quote closes that the pair as a whole stands in.
fn before_quote(value: &str) -> usize {
    let closes = |&(at, letter): &(usize, char)| {
        matches!(letter, '"' | '\'' | '`') && !value[at + 1..].starts_with(char::is_alphanumeric)
    };
    value.char_indices().find(closes).map_or(value.len(), |(at, _)| at)
}

/// Returns whether a word is one with which a message goes on, and no value.
pub(super) fn is_prose(word: &str) -> bool {
    PATTERNS.prose.is_match(word)
}

/// A regular expression, which is compiled when it is first used: to compile all of them would delay each start.
pub(super) type Pattern = LazyLock<Regex>;

struct Patterns {
    /// The next entry of a connection string, with its name.
    next_entry: Pattern,
    /// The next pair of a list: of a query, of words, or of parameters.
    next_pair: Pattern,
    /// Words of a sentence that goes on after a secret.
    prose: Pattern,
    /// A sentence about a secret, in place of one.
    sentence: Pattern,
}

/// Words with which a message goes on after a value, or which are about it.
const SAYING: &str = "is|are|was|were|has|have|had|must|may|can|cannot|could|should|will|would|does|do|did|not|no|\
    expired|required|missing|invalid|incorrect|wrong|unknown|failed|fails|rejected|denied|needed|empty|\
    ist|sind|war|wurde|wurden|wird|hat|haben|muss|müssen|darf|dürfen|kann|können|konnte|soll|sollte|nicht|fehlt|\
    abgelaufen|erforderlich|falsch|ungültig|unbekannt|kein|keine|leer|\
    es|son|fue|fueron|está|están|ha|han|debe|deben|puede|pueden|pudo|falta|caducó|caducado|caducada|requerido|\
    requerida|incorrecto|incorrecta|inválido|inválida|no|rechazado|rechazada|vacío|vacía";

const JOINING: &str = "for|to|at|in|on|of|and|or|with|by|from|there|here|because|while|when|but|then|as|using|via|\
    für|bei|von|vom|mit|und|oder|an|am|im|auf|zu|zum|zur|weil|aber|als|dort|hier|\
    para|en|de|del|con|por|y|o|u|al|porque|pero|aquí|allí|como";

const ARTICLES: &str =
    "the|a|an|this|that|your|its|it|der|die|das|ein|eine|ihr|ihre|dieses|el|la|los|las|un|una|su|este|esta";

static PATTERNS: Patterns = Patterns {
    next_entry: Pattern::new(|| {
        pattern(r"(?:;|%3[bB])\s*(?:$|([\p{L}_][\p{L}\p{M}\p{N}_. \-]*?)\s*(?:=|%3[dD]))")
    }),
    next_pair: Pattern::new(|| {
        pattern(
            r"(?:(?:[;&]|&amp;)\s*|%26)[\p{L}_][\p{L}\p{N}_.\-]*=|,\s*[\p{L}_][\p{L}\p{N}_.\-]*\s?[=:]|\s+[\p{L}_][\p{L}\p{N}_.\-]*(?:\s?=|:\s)|\s--?[a-z]",
        )
    }),
    prose: Pattern::new(|| pattern(&format!(r"(?i)^(?:{SAYING}|{JOINING})(?:[\s.,;:!]|$)"))),
    sentence: Pattern::new(|| {
        pattern(&format!(
            r"(?i)^(?:(?:{SAYING})(?:[\s.,;:!]|$)|(?:{ARTICLES})\s+(?:[\p{{L}}]+\s+){{0,3}}(?:{SAYING})(?:[\s.,;:!]|$))"
        ))
    }),
};

/// Returns the last bytes of a text, at most `length`.
pub(super) fn tail(text: &str, length: usize) -> &str {
    &text[text.ceil_char_boundary(text.len().saturating_sub(length))..]
}

/// Number of characters of the longest name of an entry.
const LONGEST_ENTRY: usize = 41;

/// Returns where the next entry of a connection string begins.
fn next_entry(text: &str) -> Option<usize> {
    let has_short_name = |name: Option<regex::Match<'_>>| {
        name.is_none_or(|name| name.as_str().chars().nth(LONGEST_ENTRY).is_none())
    };
    let mut entries = PATTERNS.next_entry.captures_iter(text);
    let entry = entries.find(|entry| has_short_name(entry.get(1)))?;
    Some(entry.get_match().start())
}

#[expect(clippy::unwrap_used, reason = "the patterns are constants, and every test reads them")]
pub(super) fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap()
}
