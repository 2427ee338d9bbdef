//! 5 Data store items.

use serde::{Deserialize, Serialize};
use steward_client::operations::find_items::FindItems;
use tauri::State;

use super::{Area, Harm, Key, Operation, Patience};
use crate::host::Host;
use crate::problem::{Fault, Problem};
use crate::runs::RunId;
use crate::sites::SiteId;
use crate::task::{Answer, History, Task};
use crate::views::data_item::DataItem;
use crate::views::ended::Ended;

/// Its descriptor.
pub const OPERATION: Operation =
    Operation { key: Key::FindItems, area: Area::Server, harm: Harm::None, patience: Patience::Minute };

/// The filters; at least one must be given.
#[derive(Debug, Clone, Deserialize, specta::Type)]
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

/// What was found.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DataItemSearch {
    /// The items, in the order of the site.
    pub items: Vec<DataItem>,
}

/// Finds data store items.
#[tauri::command]
#[specta::specta]
pub async fn find_items(
    host: State<'_, Host>,
    site: SiteId,
    run: RunId,
    form: FindItemsForm,
) -> Result<Ended<DataItemSearch>, Problem> {
    perform(&host, &site, run, form).await
}

/// The operation itself.
pub async fn perform(
    host: &Host,
    site: &SiteId,
    run: RunId,
    form: FindItemsForm,
) -> Result<Ended<DataItemSearch>, Problem> {
    let request = form.request()?;
    let task = Task::begin(host, &OPERATION, site, run, History::Nothing).await?;
    let items = match task.answer(request.send(&task.area)).await? {
        Answer::Came(items) => items,
        Answer::Lost(end) => return Ok(end),
    };
    Ok(task.done(DataItemSearch { items: items.iter().map(DataItem::of).collect() }))
}

impl FindItemsForm {
    fn request(self) -> Result<FindItems, Problem> {
        let request = FindItems {
            parent_path: self.parent_path.trim().to_owned(),
            ancestor_path: self.ancestor_path.trim().to_owned(),
            types: self.types.trim().to_owned(),
            id: self.id.trim().to_owned(),
            is_managed: self.is_managed,
        };
        let texts = [&request.parent_path, &request.ancestor_path, &request.types, &request.id];
        // The specification: at least one filter must be defined for the operation to succeed.
        if request.is_managed.is_none() && texts.iter().all(|text| text.is_empty()) {
            return Err(Problem::form("parentPath", Fault::OneFilterNeeded));
        }
        Ok(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> FindItemsForm {
        let empty = String::new;
        FindItemsForm {
            parent_path: empty(),
            ancestor_path: empty(),
            types: empty(),
            id: empty(),
            is_managed: None,
        }
    }

    #[test]
    fn without_a_filter_nothing_is_sent() {
        let spaces = FindItemsForm { types: "  ".to_owned(), ..form() };
        let fault = Problem::form("parentPath", Fault::OneFilterNeeded);

        assert_eq!(form().request().unwrap_err(), fault);
        assert_eq!(spaces.request().unwrap_err(), fault);
    }

    #[test]
    fn one_filter_is_enough() {
        assert!(FindItemsForm { is_managed: Some(false), ..form() }.request().is_ok());
        assert!(FindItemsForm { ancestor_path: "/".to_owned(), ..form() }.request().is_ok());
    }
}
