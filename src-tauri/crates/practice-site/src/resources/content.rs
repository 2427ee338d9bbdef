//! Items, users and groups of the portal, as far as clients count them.

use super::portal::this_portal;
use crate::sign_in::Component;
use crate::store::{items, users};
use crate::wire::{ApiError, Reply, RequestContext, json, page};
use axum::extract::Path;
use rusqlite::Connection;
use serde_json::{Value, json};

/// Searches for items. Only the search for all items of the portal is offered, with their number by type, and that for the
/// items of services. Finds what is indexed.
pub(crate) async fn search(call: RequestContext) -> Reply {
    call.caller(Component::Portal).await?;
    let wanted = call.parameters.text("q").unwrap_or_default().to_owned();
    let (wanted, of_services) = match wanted.strip_suffix(" AND typekeywords:Service") {
        Some(all) => (all.to_owned(), true),
        None => (wanted, false),
    };
    let origin = call.app.origin.clone();
    let (mut all, by_type) = call
        .app
        .portal
        .read(move |portal| {
            must_be_all_of_portal(portal, &wanted)?;
            let mut all = Vec::new();
            items::for_each(portal, |item| {
                if of_services && item.url.is_none() {
                    return Ok(());
                }
                let mut found = json!({ "id": item.id, "title": item.title, "type": item.kind });
                if let Some(path) = item.url {
                    found["url"] = json!(format!("{origin}/{path}"));
                }
                all.push(found);
                Ok(())
            })?;
            Ok((all, items::by_type(portal)?))
        })
        .await?;
    all.truncate(call.app.index.indexed(all.len()));
    let mut answer = page(&call.parameters, "results", &all, Value::clone);
    if call.parameters.text("countFields") == Some("type") {
        // Portals count types in lower case.
        let value = |(kind, count): (String, i64)| json!({ "value": kind.to_lowercase(), "count": count });
        let values: Vec<_> = by_type.into_iter().map(value).collect();
        answer["aggregations"] = json!({ "counts": [{ "fieldName": "type", "fieldValues": values }] });
    }
    json(answer)
}

pub(crate) async fn users(call: RequestContext, Path(portal_id): Path<String>) -> Reply {
    call.caller(Component::Portal).await?;
    let all = call
        .app
        .portal
        .read(move |portal| {
            this_portal(portal, &portal_id)?;
            users::names(portal)
        })
        .await?;
    json(page(
        &call.parameters,
        "users",
        &all,
        |(username, full_name)| json!({ "username": username, "fullName": full_name }),
    ))
}

/// Searches for groups. Only the search for all groups of the portal is offered.
pub(crate) async fn groups(call: RequestContext) -> Reply {
    call.caller(Component::Portal).await?;
    let wanted = call.parameters.text("q").unwrap_or_default().to_owned();
    let all = call
        .app
        .portal
        .read(move |portal| {
            must_be_all_of_portal(portal, &wanted)?;
            users::groups(portal)
        })
        .await?;
    json(page(&call.parameters, "results", &all, |(id, title)| json!({ "id": id, "title": title })))
}

fn must_be_all_of_portal(portal: &Connection, wanted: &str) -> Result<(), ApiError> {
    match wanted.trim().strip_prefix("orgid:") {
        Some(id) => this_portal(portal, id).map(drop),
        None => Err(ApiError::bad_request("This portal only searches for everything with q=orgid:<id>.")),
    }
}
