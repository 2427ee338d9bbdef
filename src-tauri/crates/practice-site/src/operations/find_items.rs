//! Operation 5: data store items by path, type, identifier and management.

use crate::sign_in::{Area, Capability};
use crate::store::data_items::{self, Filter};
use crate::wire::{Call, Parameters, Refusal, Reply, json};
use serde_json::json;

pub(crate) async fn find_items(call: Call) -> Reply {
    call.caller_with(Area::Server, Capability::UpdateOrPublisher).await?;
    let filter = filter(&call.parameters)?;
    if filter == Filter::default() {
        return Err(Refusal::bad_request(
            "At least one of parentPath, ancestorPath, types, id and isManaged must be given.",
        ));
    }
    let items = call.app.server.read(move |server| data_items::find(server, &filter)).await?;
    json(json!({ "items": items }))
}

fn filter(parameters: &Parameters) -> Result<Filter, Refusal> {
    let types = parameters.text("types").unwrap_or_default();
    // The specification writes isManaged, the field's servers read managed.
    let managed = match parameters.flag("isManaged")? {
        Some(managed) => Some(managed),
        None => parameters.flag("managed")?,
    };
    Ok(Filter {
        parent_path: parameters.text("parentPath").map(path),
        ancestor_path: parameters.text("ancestorPath").map(path),
        types: types.split(',').map(str::trim).filter(|kind| !kind.is_empty()).map(str::to_owned).collect(),
        id: parameters.text("id").map(str::to_owned),
        managed,
    })
}

/// Paths begin with a slash and do not end with one; people leave out the first and add the last.
fn path(given: &str) -> String {
    format!("/{}", given.trim_matches('/'))
}
