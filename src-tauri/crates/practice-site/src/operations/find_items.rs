//! Operation 5: data store items by path, type, identifier and management.

use crate::data_store::path;
use crate::sign_in::{Area, Capability};
use crate::store::data_items::{self, Filter};
use crate::wire::{Answer, Call, Parameters, Refusal, Reply};

/// Far more than there are.
const MOST_TYPES: usize = 1000;

pub(crate) async fn find_items(call: Call) -> Reply {
    call.caller_with(Area::Server, Capability::UpdateOrPublisher).await?;
    let filter = filter(&call.parameters)?;
    if filter == Filter::default() {
        return Err(Refusal::bad_request(
            "At least one of parentPath, ancestorPath, types, id and isManaged must be given.",
        ));
    }
    // Written as it is stored: a site may have a million of them.
    call.app.server.read(move |server| data_items::find_as_text(server, &filter)).await.map(Answer::JsonText)
}

fn filter(parameters: &Parameters) -> Result<Filter, Refusal> {
    let types = parameters.text("types").unwrap_or_default();
    if types.split(',').count() > MOST_TYPES {
        return Err(Refusal::bad_request(format!("'types' lists more than {MOST_TYPES} types.")));
    }
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
