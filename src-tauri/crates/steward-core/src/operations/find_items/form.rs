//! Form of the operation.

use serde::{Deserialize, Serialize};
use steward_client::operations::find_items::FindItems;

use crate::model::pasted_path::pasted_path;
use crate::model::problem::{FieldError, Problem};
use crate::model::typed::{self, trimmed};

/// Filters of a search; at least one is required.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FindItemsForm {
    /// Items directly below this path.
    pub parent_path: String,
    /// Items anywhere below this path.
    pub ancestor_path: String,
    /// Item types, separated by commas.
    pub types: String,
    /// Identifier of an item.
    pub id: String,
    /// Whether the data store is managed by the system; `null` for any.
    pub is_managed: Option<bool>,
}

impl FindItemsForm {
    /// Trims the fields, and checks that one filter is set.
    pub(super) fn trimmed(self) -> Result<Self, Problem> {
        let form = Self {
            parent_path: pasted_path(&self.parent_path),
            ancestor_path: pasted_path(&self.ancestor_path),
            types: trimmed(&self.types).to_owned(),
            id: trimmed(&self.id).to_owned(),
            is_managed: self.is_managed,
        };
        typed::check([
            ("parentPath", form.parent_path.as_str()),
            ("ancestorPath", &form.ancestor_path),
            ("types", &form.types),
            ("id", &form.id),
        ])?;
        // The specification: at least one filter must be defined for the operation to succeed.
        if form == Self::default() {
            return Err(Problem::form("parentPath", FieldError::OneFilterNeeded));
        }
        Ok(form)
    }

    pub(crate) fn request(&self) -> FindItems {
        FindItems {
            parent_path: pasted_path(&self.parent_path),
            ancestor_path: pasted_path(&self.ancestor_path),
            types: trimmed(&self.types).to_owned(),
            id: trimmed(&self.id).to_owned(),
            is_managed: self.is_managed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_filter_nothing_is_sent() {
        let spaces = FindItemsForm { types: "  ".to_owned(), ..FindItemsForm::default() };
        let fault = Problem::form("parentPath", FieldError::OneFilterNeeded);

        assert_eq!(FindItemsForm::default().trimmed().unwrap_err(), fault);
        assert_eq!(spaces.trimmed().unwrap_err(), fault);
    }

    #[test]
    fn the_preview_of_a_filter_with_spaces_is_what_is_sent() {
        let spaces = FindItemsForm {
            id: " i1 ".to_owned(),
            types: "  ".to_owned(),
            parent_path: "/a b ".to_owned(),
            ..FindItemsForm::default()
        };

        let (previewed, sent) =
            (spaces.request().request(), spaces.clone().trimmed().unwrap().request().request());

        assert_eq!(previewed.fields().collect::<Vec<_>>(), sent.fields().collect::<Vec<_>>());
    }

    #[test]
    fn an_invisible_character_in_a_filter_is_rejected_and_not_sent() {
        let hidden = "/fileShares/\u{200b}a".to_owned();
        let form = FindItemsForm { ancestor_path: hidden, ..FindItemsForm::default() };
        assert_eq!(form.trimmed().err(), Some(Problem::form("ancestorPath", FieldError::NotOneLine)));
    }

    #[test]
    fn one_filter_is_enough() {
        assert!(FindItemsForm { is_managed: Some(false), ..FindItemsForm::default() }.trimmed().is_ok());
        assert!(
            FindItemsForm { ancestor_path: "/".to_owned(), ..FindItemsForm::default() }.trimmed().is_ok()
        );
    }
}
