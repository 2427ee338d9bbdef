//! The columns of the table of items: what they are ordered by, and what a filter finds in them.

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
    /// Where the data is.
    Location,
    /// Provider.
    Provider,
    /// Whether its data is managed.
    IsManaged,
    /// Whether the system manages it.
    SystemManaged,
    /// When it was changed.
    Modified,
    /// When it was registered.
    Created,
    /// The machines it runs on.
    Machines,
    /// What it is for.
    Purposes,
    /// Description.
    Description,
    /// Revision.
    Revision,
    /// Identifier.
    Id,
}

impl ItemColumn {
    /// What a row is ordered by; `None` where the site says nothing.
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

/// What a text is ordered by; `None` where there is none.
pub(super) fn text_key(text: &str) -> Option<Vec<u8>> {
    (!text.is_empty()).then(|| natural(text))
}

/// Everything of a row that a filter looks at.
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
        // What is typed has no line break, so nothing is found across two fields.
        all.push('\n');
    }
    all
}

/// Without capitals and accents, as people type.
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

/// Ordered as a person would: `road 9` before `road 10`, and `Ähre` beside `Ahorn`.
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
        // A longer number is a larger one.
        key.push(b'0');
        key.push(u8::try_from(digits - zeros).unwrap_or(u8::MAX));
        key.extend_from_slice(&bytes[at + zeros..at + digits]);
        at += digits;
    }
    key
}

/// Ordered like the number, for a key is compared byte by byte.
fn moment(at: i64) -> Vec<u8> {
    (at ^ i64::MIN).to_be_bytes().to_vec()
}
