//! Custom roles, as the sharing API lists them.

use super::portal::this_portal;
use crate::sign_in::{Area, Role};
use crate::wire::{Call, Refusal, Reply, json, page};
use axum::extract::Path;
use serde_json::{Value, json};

pub(crate) async fn list(call: Call, Path(portal_id): Path<String>) -> Reply {
    member_of(&call, portal_id).await?;
    let custom: Vec<Value> = Role::ALL.into_iter().filter_map(role_object).collect();
    json(page(&call.parameters, "roles", &custom, Value::clone))
}

pub(crate) async fn one(call: Call, Path((portal_id, id)): Path<(String, String)>) -> Reply {
    member_of(&call, portal_id).await?;
    role_object(custom_role(&id)?).map_or_else(|| Err(missing(&id)), json)
}

pub(crate) async fn privileges(call: Call, Path((portal_id, id)): Path<(String, String)>) -> Reply {
    member_of(&call, portal_id).await?;
    json(json!({ "privileges": custom_role(&id)?.privileges() }))
}

async fn member_of(call: &Call, portal_id: String) -> Result<(), Refusal> {
    call.caller(Area::Portal).await?;
    call.app.portal.read(move |portal| this_portal(portal, &portal_id)).await?;
    Ok(())
}

fn custom_role(id: &str) -> Result<Role, Refusal> {
    let mut custom = Role::ALL.into_iter().filter(|role| role.custom_title().is_some());
    custom.find(|role| role.sharing_name() == id).ok_or_else(|| missing(id))
}

fn missing(id: &str) -> Refusal {
    Refusal::not_found(format!("The role {id}"))
}

fn role_object(role: Role) -> Option<Value> {
    let title = role.custom_title()?;
    Some(json!({
        "id": role.sharing_name(),
        "name": title,
        "description": format!("A member of the portal with one privilege more: {title}."),
    }))
}
