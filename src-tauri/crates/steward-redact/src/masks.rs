//! Masks that a site returns in place of a secret. A mask that is sent back would replace the secret.
//!
//! [`is_mask`] is for a value that is a secret as a whole, [`hides_a_part`] for a URL, [`hides_a_setting`] for the
//! value of a setting, [`hides_a_contact`] for a name or an email address of a person, and [`is_encrypted`] for a
//! secret that only the server can read.

use percent_encoding::percent_decode_str;

/// Words in place of a value, in brackets or alone.
const PLACEHOLDERS: &str = "\
    hidden|redacted|masked|encrypted|protected|removed|omitted|confidential|secret|private|sensitive|\
    not shown|not set|set|null|none|undefined|verborgen|geheim|maskiert|oculto|oculta|enmascarado|\
    reservado";

/// Returns whether a text is a mask, or contains one: `****`, `****7f2c`, `xxxxxxxx`, `•••`, `<hidden>`, `[REDACTED]`.
#[must_use]
pub fn is_mask(text: &str) -> bool {
    let text = text.trim();
    let is_of_one =
        |letters: &[char]| !text.is_empty() && text.chars().all(|letter| letters.contains(&letter));
    is_of_one(&MARKS) || is_repeated(text) || has_run(text) || is_placeholder(text)
}

/// Returns whether a text is a secret that the server encrypted for itself, such as `{crypt}Q1w2` and `ENC(Q1w2)`. If
/// it is sent back as a key, it becomes the key.
#[must_use]
pub fn is_encrypted(text: &str) -> bool {
    let text = text.trim();
    let marked = text.strip_prefix('{').and_then(|rest| rest.split_once('}'));
    let is_marked = marked.is_some_and(|(mark, rest)| {
        let is_word = mark.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_'));
        !mark.is_empty() && is_word && !rest.is_empty()
    });
    is_marked || text.strip_prefix("ENC(").is_some_and(|rest| rest.ends_with(')'))
}

/// Returns whether a URL has a mask in its user information, path, query, or fragment, encoded or not.
#[must_use]
pub fn hides_a_part(url: &str) -> bool {
    let whole = decoded(url);
    if has_run(&whole) || is_mask(&whole) {
        return true;
    }
    let after_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    after_scheme.split(['/', '?', '&', '=', '#', ';', '@', ':']).map(decoded).any(|part| {
        let part = part.trim();
        // A query can ask for `*`, and its value can be `null`.
        part.len() > 2 && (is_repeated(part) || is_bracketed(part) || is_shouted(part))
    })
}

/// Returns whether the value of a setting that is no secret has a mask. Words such as `none` are values of it.
#[must_use]
pub fn hides_a_setting(text: &str) -> bool {
    let text = text.trim();
    // Words in parentheses explain a value.
    has_run(text) || (is_bracketed(text) && !text.starts_with('(')) || is_shouted(text)
}

/// Placeholders that are names of people too.
const ALSO_NAMES: [&str; 6] = ["none", "null", "private", "reservado", "secret", "set"];

/// Returns whether a name or an email address of a person is a mask, or has one: `****`, `A***`, `<hidden>`,
/// `s***@example.org`.
#[must_use]
pub fn hides_a_contact(text: &str) -> bool {
    let is_of_marks = |part: &str| part.contains(['*', '•', '●', '∙', '█', '▪', '■', '＊', '∗', '⁎', '…']);
    let is_name = |part: &str| {
        let is_capitalized =
            part.starts_with(char::is_uppercase) && part.chars().skip(1).all(char::is_lowercase);
        is_capitalized && ALSO_NAMES.contains(&part.to_lowercase().as_str())
    };
    let hides = |part: &str| {
        let part = part.trim();
        // A dot is written in place of a name that a person does not have.
        !part.is_empty() && part != "." && !is_name(part) && (is_of_marks(part) || is_mask(part))
    };
    // A word in parentheses explains a name.
    let is_hidden_word = |word: &str| is_bracketed(word) && !word.starts_with('(');
    // The parts of an address are masked by themselves. A label of its host can be an ordinary word.
    let is_hidden_host = |host: &str| host.split('.').any(|label| has_run(label) || is_bracketed(label));
    match text.rsplit_once('@') {
        Some((local, host)) => hides(local) || is_hidden_host(host) || hides(host),
        None => hides(text) || text.split_whitespace().any(|word| has_run(word) || is_hidden_word(word)),
    }
}

/// Characters that stand for the characters of a secret.
const MARKS: [char; 13] = ['*', '•', '●', '∙', '·', '█', '▪', '■', '＊', '∗', '…', '.', '⁎'];

/// Returns whether the text is one character again and again, as no key is.
fn is_repeated(text: &str) -> bool {
    let mut letters = text.chars();
    let Some(first) = letters.next() else { return false };
    text.chars().count() > 2
        && matches!(first, 'x' | 'X' | '#' | '-' | '_' | '?' | '.' | '0')
        && letters.all(|letter| letter == first)
}

/// Returns whether a part of the text is masked.
fn has_run(text: &str) -> bool {
    let (mut before, mut run) = (' ', 0);
    for letter in text.chars() {
        run = if letter == before { run + 1 } else { 1 };
        before = letter;
        let least = match letter {
            '…' | '█' => 1,
            '*' | '•' | '●' | '∙' | '▪' | '■' | '＊' | '∗' | '⁎' => 2,
            '·' | '.' => 3,
            'x' | 'X' | '#' | '?' => 4,
            _ => continue,
        };
        if run >= least {
            return true;
        }
    }
    false
}

fn is_placeholder(text: &str) -> bool {
    let words = text.to_lowercase().replace(['_', '-'], " ");
    is_bracketed(text) || PLACEHOLDERS.split('|').any(|placeholder| placeholder == words)
}

/// Returns whether the text is words in brackets, such as `<hidden>` and `__REDACTED__`.
fn is_bracketed(text: &str) -> bool {
    let pairs =
        [("<", ">"), ("[", "]"), ("{", "}"), ("(", ")"), ("__", "__"), ("%", "%"), ("$", "$"), ("--", "--")];
    pairs.into_iter().any(|(open, close)| {
        let inside = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        inside.is_some_and(|inside| {
            !inside.is_empty()
                && inside
                    .chars()
                    .all(|c| c.is_alphabetic() || matches!(c, ' ' | '_' | '-' | '{' | '}' | '[' | ']' | '*'))
        })
    })
}

/// Returns whether the text is a placeholder that tools write into URLs.
fn is_shouted(text: &str) -> bool {
    matches!(text.to_lowercase().as_str(), "hidden" | "redacted" | "masked" | "removed" | "omitted")
}

/// Returns a text of a URL with its encoded characters decoded.
fn decoded(text: &str) -> String {
    percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_is_known_in_every_form_and_a_key_is_none() {
        let masks = "\
            * **** ******** ****7f2c 7f2c**** ab****yz ••• ●●●● xxxxxxxx XXX sk-xxxx7f2c <hidden> \
            [REDACTED] {masked} (hidden) __REDACTED__ REDACTED hidden null none … ... 7f2c… ######## \
            -------- ?????? ＊＊＊ ███ <secret> %hidden% {{secret}} verborgen oculto 00000000";
        for mask in masks.split(' ').chain(["<not shown>", " **** ", "[redacted by proxy]"]) {
            assert!(is_mask(mask), "{mask}");
        }
        let keys = "\
            k3y s3cret-Key a*b 3f6d0b1e xx1 x aXxX A1b2C3d4+/== my.key a..b hunter2 hidden-7f2c <k3y> \
            {crypt}Q1w2 10203040";
        for key in keys.split(' ').chain(["", "passphrase with blanks"]) {
            assert!(!is_mask(key), "{key}");
        }
    }

    #[test]
    fn a_secret_that_the_server_encrypted_is_known_and_a_key_is_none() {
        for encrypted in ["{crypt}Q1w2", " {CRYPT}Q1w2==", "{aes-256}x", "{SSHA}7f2c", "ENC(Q1w2)"] {
            assert!(is_encrypted(encrypted), "{encrypted}");
        }
        for key in ["", "k3y", "{}", "{k3y}", "{a b}c", "my{crypt}key", "<k3y>", "ENC", "enc(", "{\"a\":1}x"]
        {
            assert!(!is_encrypted(key), "{key}");
        }
    }

    #[test]
    fn a_contact_with_a_mask_is_known_and_a_person_is_none() {
        let masks = "\
            **** xxxx <hidden> [REDACTED] redacted Hidden A*** A* J••• null NONE … ---- ???? #### \
            verborgen Oculto __MASKED__ s***@example.org ****@**** sam@****.org sam@e******.org \
            xxxx@example.org <hidden>@example.org hidden@example.org sam@<hidden> •••@example.org \
            s…@example.org a*z@example.org";
        for hidden in masks.split(' ').chain(["not shown", "Ana ****", "Ana [hidden]"]) {
            assert!(hides_a_contact(hidden), "{hidden}");
        }
        let people = "\
            Ana O'Neil-García Null Secret Private Xu Xx . - 王 sam@example.org zoe+gis@example.net \
            none.private@example.org sam.x@x.example.org sam@hidden.example.org sam_xx@example.org \
            O·Brien";
        for person in people.split(' ').chain(["", "Müller & Söhne", "J. R. R.", "Jean XXIII", "Ana (GIS)"])
        {
            assert!(!hides_a_contact(person), "{person}");
        }
    }

    #[test]
    fn a_setting_with_a_mask_is_known_and_an_ordinary_value_is_none() {
        for hidden in ["****", " •••• ", "nightly-xxxx", "<hidden>", "[masked]", "REDACTED", "key=***", "…"]
        {
            assert!(hides_a_setting(hidden), "{hidden}");
        }
        for open in [
            "",
            "none",
            "null",
            "set",
            "enabled",
            "0 0 12 * * ?",
            "*",
            "(UTC)",
            "000000",
            "Every-5seconds",
            "--",
        ] {
            assert!(!hides_a_setting(open), "{open}");
        }
    }

    #[test]
    fn a_url_with_a_mask_is_known_and_a_receiver_is_none() {
        for hidden in [
            "https://f.example.org/api?code=****",
            "https://f.example.org/api?code=%2A%2A%2A%2A",
            "****",
            "<hidden>",
            "https://f.example.org/api?code=xxxxxxxx&n=1",
            "https://hooks.example.org/…",
            "https://hooks.example.org/...",
            "https://sam:***@h.example.org/x",
            "https://h.example.org/%E2%80%A2%E2%80%A2%E2%80%A2",
            "hidden",
            "https://h.example.org/T0/B0/xxxx1234",
            "https://h.example.org/x?sig=%3Credacted%3E",
            "https://h.example.org/x?sig=[hidden]",
            "https://h.example.org/x?sig=REDACTED",
            "https://h.example.org/x#****",
            "https://h.example.org/x?key=ab****yz",
        ] {
            assert!(hides_a_part(hidden), "{hidden}");
        }
        for open in [
            "",
            "https://hooks.example.org/h?k=1",
            "https://h.example.org/services/T0/B0/aKey?sig=a%2Fb&v=1",
            "https://h.example.org/x?events=*",
            "http://127.0.0.1:8080/x",
            "http://[::1]:8080/x",
            "https://h.example.org/a?b=null",
            "https://h.example.org/x/y?z=x",
            "https://h.example.org/hidden-lake",
            "https://h.example.org/a%20b?c=d+e",
            "https://user:pw@h.example.org/",
            "https://h.example.org/?sig=abc==",
        ] {
            assert!(!hides_a_part(open), "{open}");
        }
    }
}
