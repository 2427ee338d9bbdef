//! Names of fields that contain secrets: the one list for the window, the history, the log, and files.

use super::values::{Pattern, pattern};

/// Parts of a name that mark a secret, folded and without punctuation, as a pattern.
const INSIDE: &str = "\
    token|password|passwd|passphrase|passcode|pwd|pswd|dbpass|userpass|adminpass|rootpass|keypass|\
    storepass|sshpass|mypass|secret|apikey|accesskey|accountkey|sharedkey|storagekey|privatekey|\
    masterkey|serverkey|trustkey|encryptionkey|decryptionkey|validationkey|signingkey|\
    subscriptionkey|functionkey|functionskey|sessionkey|authkey|sharedaccess|credential|credencial|\
    connectionstr|connstr|\
    authorization|cookie|sessionid|sessid|signature|hookurl|payloadurl|invitationstring|passwort|\
    kennwort|geheim|zugangsdaten|anmeldedaten|contrasen|zugriffsschl|kontoschl|apischl";

/// Finds any of [`INSIDE`] in one walk over a folded name, because this runs for every field of each service of a site.
static ANY_INSIDE: Pattern = Pattern::new(|| pattern(INSIDE));

/// Finds the letters of any of [`WORDS`], or of `auth`, in a folded name, so that most names need not be split into
/// words.
static ANY_WORD: Pattern = Pattern::new(|| pattern(&[&WORDS[..], &["auth"]].concat().join("|")));

/// Words of a name that mark a secret: `sig` does in `url_sig`, and not in `design`.
const WORDS: [&str; 10] = ["pass", "pw", "sig", "sas", "otp", "pin", "jwt", "hmac", "psk", "clave"];

/// Names that mark a secret in the query of a URL only: an error has a `code`, and a table a `key`.
const IN_QUERY: [&str; 3] = ["code", "key", "auth"];

/// Names whose value is a text with secrets and other parts.
const CONNECTIONS: [&str; 2] = ["connectionstr", "connstr"];

/// Words for a password, whose value can be an ordinary word.
const PASSWORDS: &str = "password passwd passphrase passcode pwd passwort kennwort contrasena clave";

/// More names after which a secret can follow in a sentence, without punctuation.
const ALSO_SPOKEN: &str = "pin secret token apikey accesskey accountkey sharedkey geheimnis secreto";

/// Returns whether a field with this name contains a secret.
#[must_use]
pub fn is_secret(name: &str) -> bool {
    let plain = folded(name);
    ANY_INSIDE.is_match(&plain)
        || ANY_WORD.is_match(&plain) && {
            let words = words(name);
            // `esri_auth` is the name of a secret, `auth_type` is not.
            let is_auth = words.len() > 1 && words.last().is_some_and(|last| last == "auth");
            is_auth || words.iter().any(|word| WORDS.contains(&word.as_str()))
        }
}

/// Returns whether a field is a connection string, whose secret parts can be told from the others.
#[must_use]
pub fn is_connection(name: &str) -> bool {
    let plain = folded(name);
    CONNECTIONS.iter().any(|word| plain.contains(word))
}

pub(super) fn is_secret_in_query(name: &str) -> bool {
    is_secret(name) || IN_QUERY.contains(&folded(name).as_str())
}

/// Returns whether the value of a header with this name is its whole line.
pub(super) fn is_header(name: &str) -> bool {
    let plain = folded(name);
    plain.ends_with("authorization") || plain.ends_with("cookie")
}

pub(super) fn is_spoken(name: &str) -> bool {
    is_password(name) || is_word_of(ALSO_SPOKEN, name)
}

/// Returns whether a name is a word for a password, whose value can be an ordinary word.
pub(super) fn is_password(name: &str) -> bool {
    is_word_of(PASSWORDS, name)
}

fn is_word_of(words: &str, name: &str) -> bool {
    let plain = folded(name);
    words.split(' ').any(|word| word == plain)
}

/// Returns whether a name is a word for a password of several words.
pub(super) fn is_phrase(name: &str) -> bool {
    let plain = folded(name);
    ["passphrase", "kennsatz", "frasedecontrasena", "frasedepaso"].iter().any(|word| plain.ends_with(word))
}

/// Returns a name in lowercase ASCII where it has such letters, without accents and punctuation.
pub(super) fn folded(name: &str) -> String {
    // A name in ASCII has no accents to remove. Names are folded for every field of each service of a site.
    if name.is_ascii() {
        let mut plain = name.to_ascii_lowercase();
        plain.retain(|letter| letter.is_ascii_alphanumeric());
        return plain;
    }
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).map(plain).collect()
}

/// Returns the words of a name such as `db.userPwd_1`, folded.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    let mut letters = name.chars().map(plain).filter(|letter| !is_mark(*letter)).peekable();
    while let Some(letter) = letters.next() {
        let next_is_small = letters.peek().is_some_and(|next| next.is_lowercase());
        let begins = !letter.is_alphabetic()
            || !before.is_alphabetic()
            || (letter.is_uppercase() && (before.is_lowercase() || next_is_small));
        if begins {
            words.push(String::new());
        }
        if letter.is_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns whether a character is drawn on the one before it, or not at all.
pub(super) const fn is_mark(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}'
            | '\u{300}'..='\u{36f}'
            | '\u{61c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
    )
}

/// Returns a letter without its accent and its full width.
fn plain(letter: char) -> char {
    match letter {
        'á' | 'à' | 'ä' | 'â' => 'a',
        'é' | 'è' | 'ê' => 'e',
        'í' | 'ì' | 'î' => 'i',
        'ó' | 'ò' | 'ö' | 'ô' => 'o',
        'ú' | 'ù' | 'ü' | 'û' => 'u',
        'ñ' => 'n',
        'Ñ' => 'N',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(letter) - 0xfee0).unwrap_or(letter),
        other => other,
    }
}

/// Returns whether a character can be part of a name.
pub(super) fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.' | '$') || is_mark(letter)
}

/// Returns whether a field of an object is a secret as a whole. `named` is the field that another one names.
pub(super) fn is_masked(name: &str, is_empty: bool, named: Option<&str>) -> bool {
    !is_empty && (named == Some(name) || is_secret(name))
}

/// Returns the name of the field whose value is a secret according to another field, such as `value` if `name` is
/// `password`. `is_named` returns whether a value is the name of a secret.
pub(super) fn named_in<'a, V: 'a>(
    fields: impl Iterator<Item = (&'a String, &'a V)> + Clone,
    is_named: impl Fn(&V) -> bool,
) -> Option<&'a str> {
    let is_a_name =
        |name: &str| matches!(name, "name" | "key" | "property" | "parameter" | "field" | "option" | "id");
    let is_value = |name: &str| matches!(name, "value" | "val" | "text" | "content");
    let value = fields.clone().find(|(name, _)| is_value(&name.to_lowercase()));
    let mut names = fields.filter(|(name, _)| is_a_name(&name.to_lowercase()));
    value.filter(|_| names.any(|(_, value)| is_named(value))).map(|(name, _)| name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_known_in_every_spelling() {
        let secret = "\
            token TOKEN refresh_token adminPassword clientSecret backupObjectStoreConnectionStr \
            connection-string AccountKey X-Esri-Authorization sig hookUrl hook_url passphrase apiKey \
            api-key API_KEY shared.key storageKey signatureKey pass passwd db.password DB_PASSWORD \
            userPassword password1 pwd_old userPwd dbPass dbpwd db_pass pass2 sas sasUrl url_sig \
            Passwort KENNWORT Zugriffsschlüssel contraseña contrasen\u{303}a Contraseña_BD clave \
            ＰＡＳＳＷＯＲＤ ｐｗｄ pass\u{200b}word pass\u{200e}word \u{202e}pass\u{202c}word \
            pass\u{61c}wo\u{2063}rd esri_auth Ocp-Apim-Subscription-Key secretAccessKey \
            AWS_SECRET_ACCESS_KEY x-functions-key JSESSIONID private_key SharedAccessSignature \
            ENCRYPTED_PASSWORD_UTF8 credenciales passcode serverKey webgisServerTrustKey";
        for name in secret.split(' ') {
            assert!(is_secret(name), "{name}");
        }
        let open = "\
            location types signedIn passengers design key contactEmailAddress bypass compass authType \
            AUTHENTICATION_MODE disasterRecovery mapping primaryKey pinned encryptAttributes username \
            SERVER code spinner objectKey";
        for name in open.split(' ') {
            assert!(!is_secret(name), "{name}");
        }
    }
}
