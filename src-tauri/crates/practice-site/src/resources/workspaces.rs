//! Workspaces of a collaboration in the sharing API.

use crate::store::collaborations;
use crate::store::workspaces::{self, Workspace};
use crate::wire::{ApiError, Reply, RequestContext, json, page};
use axum::extract::Path;
use serde_json::{Value, json};

pub(crate) async fn list(call: RequestContext, Path((portal_id, id)): Path<(String, String)>) -> Reply {
    let all = all_of(&call, portal_id, id).await?;
    json(page(&call.parameters, "workspaces", &all, workspace_object))
}

pub(crate) async fn one(
    call: RequestContext,
    Path((portal_id, id, workspace)): Path<(String, String, String)>,
) -> Reply {
    let all = all_of(&call, portal_id, id).await?;
    let found = all.iter().find(|one| one.id == workspace);
    let found = found.ok_or_else(|| ApiError::not_found(format!("The workspace {workspace}")))?;
    json(workspace_object(found))
}

async fn all_of(call: &RequestContext, portal_id: String, id: String) -> Result<Vec<Workspace>, ApiError> {
    super::collaborations::read(call, portal_id, move |portal| {
        collaborations::find(portal, &id)?;
        workspaces::of_collaboration(portal, &id)
    })
    .await
}

/// Returns the JSON of a workspace. Avoids keys named like methods: the vendor's Python client converts keys to
/// attributes.
fn workspace_object(workspace: &Workspace) -> Value {
    json!({
        "id": workspace.id,
        "name": workspace.name,
        "description": workspace.description,
        "collaborationId": workspace.collaboration_id,
        "config": {
            "maxItemSizeInMB": 1024,
            "maxReplicationPackageSizeInMB": 5120,
            "copyByRefIfCopyFail": false,
            "bidirectionalSyncCapable": false,
        },
        "created": workspace.created,
        "modified": workspace.created,
    })
}
