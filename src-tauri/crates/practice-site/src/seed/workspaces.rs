//! Seeded workspaces of the collaborations.

use crate::random;
use crate::store::collaborations;
use crate::store::workspaces::{self, Workspace};
use crate::wire::ApiError;
use rusqlite::Transaction;

/// Adds workspaces to every collaboration.
pub(super) fn fill(tx: &Transaction) -> Result<(), ApiError> {
    for collaboration in collaborations::all(tx)? {
        for (name, description) in [
            (collaboration.name.clone(), "What the participants look at together."),
            (format!("{} Archive", collaboration.name), "What was, year by year."),
        ] {
            workspaces::add(
                tx,
                &Workspace {
                    id: random::hex_secret::<16>()?,
                    collaboration_id: collaboration.id.clone(),
                    name,
                    description: description.to_owned(),
                    created: collaboration.created,
                },
            )?;
        }
        // The workspace that an invitation offers is one of them.
        let offered = &workspaces::of_collaboration(tx, &collaboration.id)?[0];
        tx.execute(
            "UPDATE invitations SET request = json_set(request,
                 '$.collaborationWorkspaceConfigs.accessMode[0].collaborationWorkspaceId', ?2,
                 '$.collaborationWorkspaceConfigs.accessMode[0].collaborationWorkspaceName', ?3)
             WHERE collaboration_id = ?1",
            [&collaboration.id, &offered.id, &offered.name],
        )?;
    }
    Ok(())
}
