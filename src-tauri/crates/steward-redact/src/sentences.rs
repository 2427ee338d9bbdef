//! Secrets in sentences: `with password x`, `Das Passwort lautet x`, `la contraseña es x`.
//!
//! [`secret`] is the entry point.

use std::ops::Range;

use super::mask::MASK;
use super::names::{folded, is_password, is_phrase, is_spoken};
use super::values::{self, Pattern, Style, is_prose, pattern, quote, tail};

/// Returns the secret that a sentence has after `word`, the name of a secret, which ends at `end`: a text in quotes, a
/// word that is not natural language, or a plain word where the sentence gives a value.
pub(super) fn secret(before: &str, word: &str, end: usize, after: &str) -> Option<Range<usize>> {
    if !is_spoken(word) {
        return None;
    }
    let begin = PATTERNS.verb.find(after)?.end();
    let text = &after[begin..];
    if quote(text).is_some_and(|quote| !quote.text.starts_with('\\')) {
        let style = Style::Pair { is_colon: false, is_after_semicolon: false, is_phrase: false };
        let found = values::secret(text, style, || false);
        return Some(end + begin + found.start..end + begin + found.end);
    }
    let more = |found: Range<usize>| {
        let length = found.len();
        let length = match is_password(word) {
            true => with_its_words(&after[found.start..], length, is_phrase(word)),
            false => length,
        };
        end + found.start..end + found.start + length
    };
    if let Some(found) = plain(before, word, after) {
        return Some(more(found));
    }
    let found = first(after, begin);
    let value = &after[found.clone()];
    let has = |is: fn(char) -> bool| value.chars().any(is);
    let is_no_word = value.len() > 3
        && value != MASK
        && !value.contains("://")
        && has(char::is_alphanumeric)
        && (has(|c| c.is_ascii_digit()) && has(char::is_alphabetic) || has(|c| "!@#$%^&*+?".contains(c)));
    if is_no_word { Some(more(found)) } else { Some(end + begin..end + begin) }
}

/// Returns the length of a password of several words whose first word has the length `first`. It ends with the clause,
/// or with a word with which a message goes on; a passphrase (`is_phrase`) only with the clause.
fn with_its_words(text: &str, first: usize, is_phrase: bool) -> usize {
    let goes_on = |word: &str| is_prose(word) || PATTERNS.goes_on.is_match(&folded(word));
    let text = &text[..text.floor_char_boundary(LONGEST)];
    let mut end = first;
    while let Some(rest) = text[end..].strip_prefix([' ', '\t']) {
        let word = bare(&rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())]);
        if word.is_empty() || (!is_phrase && goes_on(word)) {
            break;
        }
        end += 1 + word.len();
    }
    end
}

/// Returns a word without punctuation behind it.
fn bare(word: &str) -> &str {
    word.trim_end_matches(['.', ',', ';', ':', ')', '"', '\'', '!', '?', '”', '’', '»'])
}

/// Number of bytes before the name of a password in which the words of a sentence are looked for.
const BEFORE: usize = 60;

/// Number of bytes behind the name of a password in which its value is looked for.
const LONGEST: usize = 1024;

/// Returns the word at `begin`, without punctuation behind it.
fn first(text: &str, begin: usize) -> Range<usize> {
    let word = &text[begin..];
    let word = &word[..word.find(char::is_whitespace).unwrap_or(word.len())];
    begin..begin + word.trim_end_matches(['.', ',', ';', ':', ')', '"', '\'', '!']).len()
}

/// Returns a password of letters alone where the sentence gives its value.
fn plain(before: &str, word: &str, after: &str) -> Option<Range<usize>> {
    if !is_password(word) {
        return None;
    }
    let after = &after[..after.floor_char_boundary(LONGEST)];
    if let Some(set) = PATTERNS.set_to.captures(after).and_then(|found| found.get(1)) {
        return value(word, after, set.start());
    }
    // `is changed to` is also an `is`.
    let given = [&PATTERNS.changed, &PATTERNS.equals].into_iter().find_map(|given| given.find(after));
    if let Some(given) = given {
        return value(word, after, given.end());
    }
    let begin = after.len() - after.trim_start_matches([' ', '\t']).len();
    if begin == 0 {
        return None;
    }
    let found = value(word, after, begin)?;
    let is_with = PATTERNS.with.is_match(tail(before, BEFORE));
    let rest = &after[found.start + with_its_words(&after[found.start..], found.len(), false)..];
    (is_with || PATTERNS.judged.is_match(rest)).then_some(found)
}

fn value(name: &str, text: &str, begin: usize) -> Option<Range<usize>> {
    let found = first(text, begin);
    let is_plain = |word: &str| word.chars().all(char::is_alphabetic) && !is_prose(word);
    let is_value =
        |word: &str| is_plain(word) && word.chars().count() > 2 && !PATTERNS.no_value.is_match(&folded(word));
    let word = &text[found.clone()];
    let following = || text[found.end..].split_whitespace().map(bare).take_while(|word| is_value(word));
    // A password of several words can begin with a short one, or with one that is about a password.
    let least = if is_phrase(name) && word.chars().count() < 3 { 1 } else { 3 };
    let is_first =
        is_value(word) || (!word.is_empty() && is_plain(word) && following().take(least).count() == least);
    is_first.then_some(found)
}

/// Words about a password, or that its name is a part of.
const NO_VALUES: &str = "the|this|that|your|its|our|their|same|one|too|very|still|already|now|only|also|just|being|been|\
    about|correct|valid|ok|okay|set|mandatory|optional|hidden|masked|encrypted|hashed|stored|saved|kept|changed|reset|\
    accepted|unchanged|old|new|weak|strong|short|long|blank|null|unset|different|likely|probably|case|never|always|\
    incorrectly|longer|shorter|older|more|less|none|nothing|what|which|who|where|why|how|\
    authentication|auth|login|logon|protection|protected|policy|policies|hash|hashes|file|files|field|fields|prompt|\
    manager|database|dialog|expiry|expiration|expires|length|complexity|encryption|store|vault|request|requests|\
    attempt|attempts|mode|type|based|text|box|form|page|hint|recovery|token|tokens|verification|validation|check|\
    combination|combo|pair|given|provided|supplied|entered|specified|match|matching|information|details|data|\
    synchronization|sync|agent|hashing|rotation|renewal|generation|aging|history|filter|writeback|storage|setting|\
    settings|configuration|management|quality|strength|requirement|requirements|security|confirmation|\
    change|changes|entry|value|values|parameter|option|service|server|provider|list|update|rules|rule|and|\
    der|die|das|dem|den|des|ein|eine|einem|ihr|ihre|ihrem|dieses|zu|sehr|noch|schon|jetzt|nur|auch|immer|nie|\
    korrekt|richtig|gultig|gesetzt|notig|notwendig|optional|verschlusselt|gespeichert|geandert|zuruckgesetzt|\
    abgelehnt|alt|neu|schwach|stark|kurz|lang|wie|was|welches|richtlinie|feld|datei|anmeldung|authentifizierung|\
    stimmt|stimmen|angeben|angegeben|eingegeben|prufen|anders|eingeben|andern|vergessen|\
    el|la|los|las|un|una|su|sus|este|esta|demasiado|muy|ya|solo|tambien|siempre|nunca|correcta|correcto|valida|valido|\
    obligatoria|necesaria|desconocida|igual|distinta|nueva|nuevo|vieja|antigua|debil|segura|corta|larga|cifrada|\
    incorrectos|incorrectas|invalidos|validos|correctos|proporcionada|introducida|coinciden|anterior|actual|\
    guardada|cambiada|aceptada|autenticacion|archivo|campo|politica|que|cual";

/// Words with which a message goes on after a password: what happened to it, and where.
const GOES_ON: &str = "refused|accepted|wrong|timed|after|before|during|against|user|account|login|password|instead|again|\
    angemeldet|abgelehnt|verbunden|verwendet|eingegeben|gesetzt|geandert|zuruckgesetzt|akzeptiert|nach|vor|gegen|\
    aceptado|aceptada|rechazado|rechazada|iniciada|usada|usado|tras|antes|contra";

struct Patterns {
    verb: Pattern,
    /// Text before a value.
    equals: Pattern,
    /// A password that became another.
    changed: Pattern,
    /// The same in German, where the verb stands behind the value.
    set_to: Pattern,
    /// What stands before the name of a password whose value follows.
    with: Pattern,
    /// Judgment on a value that follows it, such as *is wrong*.
    judged: Pattern,
    no_value: Pattern,
    /// Words, other than those of [`is_prose`], with which a message goes on behind a password.
    goes_on: Pattern,
}

static PATTERNS: Patterns = Patterns {
    verb: Pattern::new(|| {
        pattern(r"(?i)^\s+(?:(?:is|was|ist|war|lautet|lautete|es|era|of|for|von|für|de)\s+)?")
    }),
    equals: Pattern::new(|| {
        pattern(
            r"(?i)^(?:\s+(?:of|for|von|für|des|de|del|para)(?:\s+\S+){1,3}?)?\s+(?:is|was|ist|war|lautet|lautete|heißt|hieß|es|era|fue)(?:\s*:)?\s+(?:(?:now|jetzt|nun|ahora)\s+)?",
        )
    }),
    changed: Pattern::new(|| {
        pattern(
            r"(?i)^\s+(?:\S+\s+){0,5}?(?:(?:changed|set|reset|updated)\s+to|geändert\s+in|gesetzt\s+auf|cambiad[ao]\s+(?:a|por)|establecid[ao]\s+en)\s+",
        )
    }),
    set_to: Pattern::new(|| {
        pattern(r"(?i)^\s+(?:\S+\s+){0,4}?(?:auf|in|zu)\s+(\S+)\s+(?:gesetzt|geändert|zurückgesetzt)\b")
    }),
    with: Pattern::new(|| {
        pattern(
            r"(?i)\b(?:with|using|via|enter|entered|try|tried|used|set|setting|type|typed|choose|chose|new|old|neues|altes|nueva|mit|verwendet|per|con|usando|mediante|use|usar)\s+(?:(?:the|a|his|her|their|its|my|this|old|new|user|username|name|db|database|admin|default|dem|das|einem|altem|neuem|la|su|una|nueva)\s+){0,2}$|(?i)\b(?:and|und|y)\s+$",
        )
    }),
    judged: Pattern::new(|| {
        pattern(
            r"(?i)^['’”»)]?,?\s+(?:(?:was|is|has|were|wurde|wird|ist|fue|ha|es)\s+\p{L}+|for\s+(?:user|login|account|the\s+user)|für|para\s+el\s+usuario|rejected|denied|refused|failed|invalid|incorrect|wrong|expired|abgelehnt|falsch|ungültig|rechazad[ao]|incorrect[ao]|inválid[ao])(?:[\s.,;:!]|$)",
        )
    }),
    no_value: Pattern::new(|| pattern(&format!("^(?:{NO_VALUES})$"))),
    goes_on: Pattern::new(|| pattern(&format!("^(?:{GOES_ON})$"))),
};
