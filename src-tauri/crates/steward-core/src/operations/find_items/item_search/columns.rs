//! Columns of the item table: sort keys, and the text that a filter searches.

use std::borrow::Cow;

use icu_normalizer::DecomposingNormalizerBorrowed;
use serde::Deserialize;

use crate::model::item_row::ItemRow;

/// A column of the table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ItemColumn {
    /// Name.
    Name,
    /// Type.
    Type,
    /// Path within the data store.
    #[default]
    Path,
    /// Location of the data.
    Location,
    /// Provider.
    Provider,
    /// Whether its data is managed.
    IsManaged,
    /// Whether the system manages it.
    SystemManaged,
    /// Time of the last change.
    Modified,
    /// Time of registration.
    Created,
    /// Machines.
    Machines,
    /// Purposes.
    Purposes,
    /// Description.
    Description,
    /// Revision.
    Revision,
    /// Identifier.
    Id,
}

impl ItemColumn {
    /// Returns the sort key of a row; `None` if the site does not return the value.
    pub(super) fn key(self, row: &ItemRow) -> Option<Vec<u8>> {
        let text = match self {
            Self::Name => &row.name,
            Self::Type => &row.r#type,
            Self::Path => &row.path,
            Self::Location => &row.location,
            Self::Provider => &row.provider,
            Self::Machines => &row.machines,
            Self::Purposes => &row.purposes,
            Self::Description => &row.description,
            Self::Revision => &row.revision,
            Self::Id => &row.id,
            Self::IsManaged => return row.is_managed.map(|yes| vec![u8::from(!yes)]),
            Self::SystemManaged => return row.system_managed.map(|yes| vec![u8::from(!yes)]),
            Self::Modified => return row.modified.map(|at| moment(at.0)),
            Self::Created => return row.created.map(|at| moment(at.0)),
        };
        text_key(text)
    }
}

/// Returns the sort key of a text; `None` if it is empty.
pub(super) fn text_key(text: &str) -> Option<Vec<u8>> {
    (!text.is_empty()).then(|| natural(text))
}

/// Returns the text of a row that a filter searches.
pub(super) fn searchable(row: &ItemRow) -> String {
    let texts = [
        &row.name,
        &row.r#type,
        &row.path,
        &row.location,
        &row.provider,
        &row.machines,
        &row.purposes,
        &row.description,
        &row.revision,
        &row.id,
    ];
    let mut all = String::with_capacity(texts.iter().map(|text| text.len() + 1).sum());
    for text in texts {
        fold(text, &mut all);
        // A filter contains no line break, so it does not match across two fields.
        all.push('\n');
    }
    all
}

/// Returns a text in lower case without accents.
pub(super) fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    fold(text, &mut folded);
    folded
}

fn fold(text: &str, into: &mut String) {
    if text.is_ascii() {
        let begins = into.len();
        into.push_str(text);
        into[begins..].make_ascii_lowercase();
        return;
    }
    let is_accent = |letter: &char| ('\u{300}'..='\u{36f}').contains(letter);
    let plain = DecomposingNormalizerBorrowed::new_nfkd().normalize(text);
    into.extend(plain.chars().filter(|letter| !is_accent(letter)).flat_map(char::to_lowercase));
}

/// Returns a natural sort key: `road 9` before `road 10`, and `Ähre` beside `Ahorn`.
fn natural(text: &str) -> Vec<u8> {
    let folded = if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(folded(text)) };
    let bytes = folded.as_bytes();
    let mut key = Vec::with_capacity(bytes.len() + 4);
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if !byte.is_ascii_digit() {
            key.push(byte.to_ascii_lowercase());
            at += 1;
            continue;
        }
        let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let zeros = bytes[at..at + digits].iter().take_while(|byte| **byte == b'0').count();
        // A number with more digits is larger.
        key.push(b'0');
        key.push(u8::try_from(digits - zeros).unwrap_or(u8::MAX));
        key.extend_from_slice(&bytes[at + zeros..at + digits]);
        at += digits;
    }
    key
}

/// Returns a sort key with the order of the number, because keys are compared byte by byte.
fn moment(at: i64) -> Vec<u8> {
    (at ^ i64::MIN).to_be_bytes().to_vec()
}
