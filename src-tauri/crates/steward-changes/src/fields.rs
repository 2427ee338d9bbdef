//! The form in which a resource is stored and compared: its fields by their paths, without secrets.
//!
//! The order of fields and of elements is no difference, nor is a number that was returned as a text, nor an empty list that was
//! not returned. An element with a name is found by it, so that a new one in front does not shift the others.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::Sha256;

use crate::substitutions::is_identifier;

/// Fields that tell an element of a list from the others, the best one first.
const NAMES: [&str; 13] = [
    "id",
    "name",
    "typeName",
    "alias",
    "machineName",
    "path",
    "operation",
    "principal",
    "username",
    "url",
    "webAdaptorURL",
    "key",
    "type",
];

/// Value of a field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Leaf {
    /// It changes by itself, and is set apart.
    Volatile,
    /// Text or number.
    Text(String),
    /// Elements without a name, sorted.
    List(Vec<String>),
    /// A value with a secret.
    Secret {
        /// The value with its secret masked.
        shown: String,
        /// Keyed hash of what is masked, which shows whether two secrets differ; empty without a key.
        print: String,
    },
}

impl Leaf {
    /// Returns the value as it is shown.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Self::Volatile => String::new(),
            Self::Text(text) | Self::Secret { shown: text, .. } => text.clone(),
            Self::List(elements) => elements.join(", "),
        }
    }
}

/// Fields of a resource by their paths, for example `extensions/[KmlServer]/enabled`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fields(pub BTreeMap<String, Leaf>);

impl Fields {
    /// Returns the fields so that secrets are not compared. Two sites return the same secret in different forms.
    #[must_use]
    pub fn without_prints(mut self) -> Self {
        for leaf in self.0.values_mut() {
            if let Leaf::Secret { print, .. } = leaf {
                print.clear();
            }
        }
        self
    }
}

/// Key of the hashes that tell two secrets apart. It is kept in the keyring, never together with the hashes.
pub struct PrintKey(Hmac<Sha256>);

impl PrintKey {
    /// Creates the key from a random text.
    ///
    /// # Errors
    /// Never for this algorithm, which takes keys of any length.
    pub fn of(secret: &str) -> Result<Self, hmac::digest::InvalidLength> {
        Hmac::new_from_slice(secret.as_bytes()).map(Self)
    }

    /// Returns 4 hexadecimal digits that identify the key, and 16 of the keyed hash of the text.
    fn print(&self, text: &str) -> String {
        let hex = |text: &str, bytes: usize| {
            let made = self.0.clone().chain_update(text.as_bytes()).finalize().into_bytes();
            made.iter().take(bytes).fold(String::new(), |mut hex, byte| {
                // Writing to a text cannot fail.
                let _ = write!(hex, "{byte:02x}");
                hex
            })
        };
        hex("key", 2) + &hex(text, 8)
    }
}

/// Returns the fields of a resource, without secrets. Without a key, secrets cannot be compared.
#[must_use]
pub fn fields(resource: &Value, key: Option<&PrintKey>) -> Fields {
    let mut redacted = resource.clone();
    steward_redact::json(&mut redacted);
    let mut found = BTreeMap::new();
    add(&mut found, String::new(), (resource, &redacted), key);
    Fields(found)
}

type Found = BTreeMap<String, Leaf>;

/// Adds a value as it was returned, and as it is redacted.
fn add(found: &mut Found, path: String, value: (&Value, &Value), key: Option<&PrintKey>) {
    match value {
        (_, Value::Null) => {}
        (Value::Object(original), Value::Object(redacted)) => object(found, &path, (original, redacted), key),
        (Value::Array(original), Value::Array(redacted)) => list(found, path, (original, redacted), key),
        (original, redacted) => {
            let shown = visible(&scalar(redacted));
            let leaf = match original == redacted {
                true => Leaf::Text(shown),
                false => secret(shown, &masked_in(original, redacted), key),
            };
            found.insert(path, leaf);
        }
    }
}

fn object(
    found: &mut Found,
    path: &str,
    (original, redacted): (&Map<String, Value>, &Map<String, Value>),
    key: Option<&PrintKey>,
) {
    for (name, inner) in redacted {
        let segment = visible(&steward_redact::text(name)).replace('/', "~1");
        let original = original.get(name).unwrap_or(inner);
        // Mask only the secret parts of a connection: that a database moved is no secret, and is shown.
        let connection = original.as_str().filter(|_| steward_redact::is_connection(name));
        let connection = connection.map(|text| Value::from(steward_redact::text(text)));
        add(found, below(path, &segment), (original, connection.as_ref().unwrap_or(inner)), key);
    }
}

fn list(found: &mut Found, path: String, (original, redacted): (&[Value], &[Value]), key: Option<&PrintKey>) {
    if redacted.is_empty() {
        return;
    }
    if let Some(names) = names(redacted) {
        for ((name, original), redacted) in names.iter().zip(original).zip(redacted) {
            let segment = format!("[{}]", visible(name).replace('/', "~1"));
            add(found, below(&path, &segment), (original, redacted), key);
        }
        return;
    }
    let texts = |elements: &[Value]| {
        let mut texts: Vec<_> = elements.iter().map(|one| visible(&text_of(one))).collect();
        texts.sort_unstable();
        texts
    };
    let shown = texts(redacted);
    let leaf = match original == redacted {
        true => Leaf::List(shown),
        false => secret(shown.join(", "), &texts(original).join("\n"), key),
    };
    found.insert(path, leaf);
}

fn secret(shown: String, original: &str, key: Option<&PrintKey>) -> Leaf {
    Leaf::Secret { shown, print: key.map(|key| key.print(original)).unwrap_or_default() }
}

/// Returns what is masked in a text, so that its hash does not depend on what is shown beside; of other values, the whole one.
fn masked_in(original: &Value, redacted: &Value) -> String {
    let masked = || {
        // The text behind the last secret is at the end: the secret can contain it, too.
        let (beginning, end) = redacted.as_str()?.rsplit_once(steward_redact::MASK)?;
        let mut parts = beginning.split(steward_redact::MASK);
        let mut rest = original.as_str()?.strip_suffix(end)?.strip_prefix(parts.next()?)?;
        let mut masked = Vec::new();
        for part in parts {
            let (secret, behind) = rest.split_once(part)?;
            masked.push(secret);
            rest = behind;
        }
        masked.push(rest);
        Some(masked.join("\n"))
    };
    masked().unwrap_or_else(|| canonical(original))
}

fn below(path: &str, segment: &str) -> String {
    if path.is_empty() { segment.to_owned() } else { format!("{path}/{segment}") }
}

/// Returns the names by which the elements of a list are found; `None` if they have none, or not one each.
fn names(elements: &[Value]) -> Option<Vec<String>> {
    let objects: Vec<_> = elements.iter().map(Value::as_object).collect::<Option<_>>()?;
    let of = |field: &str| {
        let name = |object: &&Map<String, Value>| {
            let name = object.get(field).filter(|name| name.is_string() || name.is_number())?;
            Some(scalar(name)).filter(|name| !name.is_empty())
        };
        let names: Vec<_> = objects.iter().map(name).collect::<Option<_>>()?;
        let distinct: BTreeSet<_> = names.iter().collect();
        (distinct.len() == names.len()).then_some(names)
    };
    // An identifier that a site makes for an element is another one on another site: a name is better.
    let is_made = |names: &Vec<String>| names.iter().all(|name| is_identifier(name));
    let all = || NAMES.iter().filter_map(|field| of(field));
    all().find(|names| !is_made(names)).or_else(|| all().next())
}

fn text_of(value: &Value) -> String {
    if value.is_object() || value.is_array() { canonical(value) } else { scalar(value) }
}

fn scalar(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns a text that is equal for values that count as equal: the order makes no difference, a number equals its
/// text, and null or something empty equals nothing.
fn canonical(value: &Value) -> String {
    let sorted = |mut parts: Vec<String>| {
        parts.sort_unstable();
        parts.join(",")
    };
    match value {
        Value::Object(object) => {
            let part = |(name, inner): (&String, &Value)| {
                format!("{}:{}", Value::from(name.as_str()), canonical(inner))
            };
            let has_value =
                |(_, inner): &(&String, &Value)| !matches!(canonical(inner).as_str(), "null" | "{}" | "[]");
            format!("{{{}}}", sorted(object.iter().filter(has_value).map(part).collect()))
        }
        Value::Array(elements) => format!("[{}]", sorted(elements.iter().map(canonical).collect())),
        Value::Null => "null".to_owned(),
        other => Value::from(scalar(other)).to_string(),
    }
}

/// Returns a text with the characters written out that cannot be seen, or turn or hide others: two names that look alike are
/// told apart.
#[must_use]
pub fn visible(text: &str) -> String {
    let is_hidden = |letter: char| {
        (letter.is_control() && !matches!(letter, '\n' | '\t'))
            || matches!(letter,
                '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
    };
    // A search by characters takes longer, and most texts have none but visible characters of ASCII.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) || !text.contains(is_hidden) {
        return text.to_owned();
    }
    text.chars().fold(String::with_capacity(text.len()), |mut shown, letter| {
        match is_hidden(letter) {
            true => shown.extend(letter.escape_unicode()),
            false => shown.push(letter),
        }
        shown
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn key() -> PrintKey {
        PrintKey::of("k").unwrap()
    }

    fn of(value: Value) -> Fields {
        fields(&value, Some(&key()))
    }

    #[test]
    fn an_order_a_number_as_a_text_and_an_empty_list_are_no_difference() {
        let one = json!({"a": 1, "b": {"c": true, "d": []}, "list": ["x", "y"], "gone": null,
            "extensions": [{"typeName": "Kml", "on": 1}, {"typeName": "Wms", "on": 0}],
            "pairs": [{"k": [1, 2], "v": 3, "no": null, "empty": [{}], "none": {"no": null}}]});
        let other = json!({"list": ["y", "x"], "b": {"c": "true"}, "a": "1",
            "extensions": [{"on": 0, "typeName": "Wms"}, {"typeName": "Kml", "on": "1"}],
            "pairs": [{"v": "3", "k": [2, "1"], "empty": [{}]}]});
        assert_eq!(of(one), of(other));
    }

    #[test]
    fn an_element_is_found_by_its_name_and_not_by_its_place() {
        let found = of(json!({"machines": [{"name": "new"}, {"name": "a/b", "cores": 4}]}));
        assert_eq!(found.0["machines/[a~1b]/cores"], Leaf::Text("4".to_owned()));
        // An identifier that the site makes is no name where there is another one.
        let id = "00112233445566778899aabbccddeeff";
        let found = of(json!({"l": [{"id": id, "machineName": "M1"}], "ids": [{"id": id, "n": 1}]}));
        assert!(
            found.0.contains_key("l/[M1]/id") && found.0.contains_key(&format!("ids/[{id}]/n")),
            "{found:?}"
        );
        // Two of one name are told by their whole content.
        let twice = of(json!({"l": [{"name": "a", "n": 1}, {"name": "a", "n": 2}]}));
        assert!(matches!(&twice.0["l"], Leaf::List(all) if all.len() == 2), "{twice:?}");
    }

    #[test]
    fn no_secret_is_stored_and_a_changed_one_is_told_apart() {
        let with = |secret: &str| {
            json!({
                "connectionString": format!("SERVER=db1;DATABASE=gis;PASSWORD={secret}"),
                "password": secret, "deep": [[{"token": secret}]], "hookUrl": format!("https://h.example.org/{secret}"),
                "webhooks": [{"name": "w", "signatureKey": secret}],
                "credential": {"user": "u", "value": secret},
            })
        };
        let (one, other) = (of(with("canary-1")), of(with("canary-2")));
        for found in [&one, &other] {
            let text = serde_json::to_string(found).unwrap();
            assert!(!text.contains("canary"), "{text}");
            let shown = found.0["connectionString"].shown();
            assert!(shown.starts_with("SERVER=db1;DATABASE=gis;"), "{shown}");
        }
        for path in
            ["connectionString", "password", "deep", "hookUrl", "webhooks/[w]/signatureKey", "credential"]
        {
            assert!(matches!(one.0[path], Leaf::Secret { .. }), "{path}: {one:?}");
            assert_ne!(one.0[path], other.0[path], "{path}");
        }
        assert_eq!(one, of(with("canary-1")));
        let without = fields(&with("canary-1"), None);
        assert!(matches!(&without.0["password"], Leaf::Secret { print, .. } if print.is_empty()));
        let stored = serde_json::to_string(&one).unwrap();
        assert_eq!(serde_json::from_str::<Fields>(&stored).unwrap(), one);
    }

    #[test]
    fn names_that_only_look_alike_are_told_apart() {
        let found = of(json!({"Bus\u{202e}": 1, "Bus": 2, "x": "a\u{0}b"}));
        assert_eq!(found.0["Bus"], Leaf::Text("2".to_owned()));
        assert_eq!(found.0["Bus\\u{202e}"], Leaf::Text("1".to_owned()));
        assert_eq!(found.0["x"], Leaf::Text("a\\u{0}b".to_owned()));
    }

    #[test]
    fn another_shape_than_an_object_is_a_value_like_any_other() {
        assert_eq!(of(json!("x")).0[""], Leaf::Text("x".to_owned()));
        assert_eq!(of(json!([1, 2])).0[""], Leaf::List(vec!["1".to_owned(), "2".to_owned()]));
        assert_eq!(of(Value::Null), Fields::default());
    }
}
