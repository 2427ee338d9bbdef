//! Custom roles in the sharing API.

use super::portal::this_portal;
use crate::sign_in::{Component, Role};
use crate::wire::{ApiError, Reply, RequestContext, json, page};
use axum::extract::Path;
use serde_json::{Value, json};

pub(crate) async fn list(call: RequestContext, Path(portal_id): Path<String>) -> Reply {
    member_of(&call, portal_id).await?;
    let custom: Vec<Value> = Role::ALL.into_iter().filter_map(role_object).collect();
    json(page(&call.parameters, "roles", &custom, Value::clone))
}

pub(crate) async fn one(call: RequestContext, Path((portal_id, id)): Path<(String, String)>) -> Reply {
    member_of(&call, portal_id).await?;
    role_object(custom_role(&id)?).map_or_else(|| Err(missing(&id)), json)
}

pub(crate) async fn privileges(call: RequestContext, Path((portal_id, id)): Path<(String, String)>) -> Reply {
    member_of(&call, portal_id).await?;
    json(json!({ "privileges": custom_role(&id)?.privileges() }))
}

async fn member_of(call: &RequestContext, portal_id: String) -> Result<(), ApiError> {
    call.caller(Component::Portal).await?;
    call.app.portal.read(move |portal| this_portal(portal, &portal_id)).await?;
    Ok(())
}

fn custom_role(id: &str) -> Result<Role, ApiError> {
    let mut custom = Role::ALL.into_iter().filter(|role| role.custom_title().is_some());
    custom.find(|role| role.sharing_name() == id).ok_or_else(|| missing(id))
}

fn missing(id: &str) -> ApiError {
    ApiError::not_found(format!("The role {id}"))
}

fn role_object(role: Role) -> Option<Value> {
    let title = role.custom_title()?;
    Some(json!({
        "id": role.sharing_name(),
        "name": title,
        "description": format!("A member of the portal with one privilege more: {title}."),
    }))
}
