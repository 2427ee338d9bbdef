//! The key of the storage account that a portal's export of a plan is written to, in the keyring.

use steward_core::model::problem::{FieldError, Problem};
use steward_vault::{Secret, SecretStore};

use super::plan::{BackupPlan, PlanId, PortalStore};

/// Reads the key of a plan; `None` if there is none.
///
/// # Errors
/// [`Problem::Keyring`] if the keyring cannot be read.
pub(super) async fn read(vault: &dyn SecretStore, plan: &PlanId) -> Result<Option<Secret<String>>, Problem> {
    Ok(vault.get(&entry(plan)).await?)
}

/// Key that the keyring had before a plan was saved, to put it back if the plan could not be.
pub(super) struct FormerKey {
    plan: PlanId,
    key: Option<Secret<String>>,
}

impl FormerKey {
    /// Puts the key back. A failure is only logged: the next run reports a key that does not fit the storage account.
    pub(super) async fn put_back(self, vault: &dyn SecretStore) {
        let done = match self.key {
            Some(key) => vault.set(&entry(&self.plan), key).await,
            None => vault.forget(&entry(&self.plan)).await.map(drop),
        };
        if let Err(error) = done {
            tracing::error!(%error, plan = self.plan.0, "the former key of a storage account could not be stored");
        }
    }
}

/// Stores the key of a plan before the plan is saved, and deletes one that no part needs any more. A stored key is not
/// used for another account than it was entered for. Returns the former key if the keyring was changed.
///
/// # Errors
/// - [`Problem::Form`] if an enabled plan needs a key that was neither entered nor stored.
/// - [`Problem::Keyring`] if the keyring cannot be read or written.
pub(super) async fn keep(
    vault: &dyn SecretStore,
    before: Option<&BackupPlan>,
    plan: &BackupPlan,
    entered: Option<&str>,
) -> Result<Option<FormerKey>, Problem> {
    let account = |plan: &BackupPlan| match plan.portal_store() {
        Some(PortalStore::Blob { container, account_name, account_endpoint }) => {
            Some([container, account_name, account_endpoint].map(Clone::clone))
        }
        Some(PortalStore::Bucket { .. }) | None => None,
    };
    let stored_for = before.and_then(account);
    let Some(needed) = account(plan) else {
        return match stored_for {
            Some(_) => deleted(vault, &plan.id).await,
            None => Ok(None),
        };
    };
    let entered = entered.map(str::trim).filter(|key| !key.is_empty());
    if let Some(key) = entered {
        let former = FormerKey { plan: plan.id.clone(), key: read(vault, &plan.id).await? };
        vault.set(&entry(&plan.id), Secret::new(key.to_owned())).await?;
        return Ok(Some(former));
    }
    let is_kept = stored_for.as_ref() == Some(&needed);
    if plan.is_enabled && !(is_kept && read(vault, &plan.id).await?.is_some()) {
        return Err(Problem::form("accountKey", FieldError::Required));
    }
    match !is_kept && stored_for.is_some() {
        true => deleted(vault, &plan.id).await,
        false => Ok(None),
    }
}

/// Deletes the key of a plan, and returns it.
async fn deleted(vault: &dyn SecretStore, plan: &PlanId) -> Result<Option<FormerKey>, Problem> {
    let key = read(vault, plan).await?;
    if key.is_none() {
        return Ok(None);
    }
    forget(vault, plan).await?;
    Ok(Some(FormerKey { plan: plan.clone(), key }))
}

/// Deletes the key of a plan, if there is one.
///
/// # Errors
/// [`Problem::Keyring`] if the keyring cannot be written.
pub(super) async fn forget(vault: &dyn SecretStore, plan: &PlanId) -> Result<(), Problem> {
    vault.forget(&entry(plan)).await?;
    Ok(())
}

fn entry(plan: &PlanId) -> String {
    format!("plans/{}", plan.0)
}
