//! Operation 5: finds data store items by path, type, ID and management.

use crate::data_store::path;
use crate::sign_in::{Capability, Component};
use crate::store::data_items::{self, Filter};
use crate::wire::{ApiError, ApiResponse, Parameters, Reply, RequestContext};

/// Maximum number of types in one request.
const MOST_TYPES: usize = 1000;

pub(crate) async fn find_items(call: RequestContext) -> Reply {
    call.caller_with(Component::Server, Capability::UpdateOrPublisher).await?;
    let filter = filter(&call.parameters)?;
    if filter == Filter::default() {
        return Err(ApiError::bad_request(
            "At least one of parentPath, ancestorPath, types, id and isManaged must be given.",
        ));
    }
    // Return the stored text without parsing: a site can have 1,000,000 items.
    call.app
        .server
        .read(move |server| data_items::find_as_text(server, &filter))
        .await
        .map(ApiResponse::JsonText)
}

fn filter(parameters: &Parameters) -> Result<Filter, ApiError> {
    let types = parameters.text("types").unwrap_or_default();
    if types.split(',').count() > MOST_TYPES {
        return Err(ApiError::bad_request(format!("'types' lists more than {MOST_TYPES} types.")));
    }
    // The specification uses `isManaged`; deployed servers read `managed`.
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
