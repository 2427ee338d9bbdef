//! The key of the storage account that a portal's export of a plan is written to, in the keyring.

use steward_vault::{Secret, SecretStore};

use super::plan::{BackupPlan, PlanId, PortalStore};
use crate::model::problem::{FieldError, Problem};

/// Reads the key of a plan; `None` if there is none.
///
/// # Errors
/// [`Problem::Keyring`] if the keyring cannot be read.
pub(super) async fn read(vault: &dyn SecretStore, plan: &PlanId) -> Result<Option<Secret<String>>, Problem> {
    Ok(vault.get(&entry(plan)).await?)
}

/// Stores the key of a plan before the plan is saved, and deletes one that no part needs any more. A key is for the account
/// that it was entered for.
///
/// # Errors
/// - [`Problem::Form`] if an enabled plan needs a key that was neither entered nor stored.
/// - [`Problem::Keyring`] if the keyring cannot be read or written.
pub(super) async fn keep(
    vault: &dyn SecretStore,
    before: Option<&BackupPlan>,
    plan: &BackupPlan,
    entered: Option<&str>,
) -> Result<(), Problem> {
    let account = |plan: &BackupPlan| match plan.portal_store() {
        Some(PortalStore::Blob { container, account_name, account_endpoint }) => {
            Some([container, account_name, account_endpoint].map(Clone::clone))
        }
        Some(PortalStore::Bucket { .. }) | None => None,
    };
    let stored_for = before.and_then(account);
    let Some(needed) = account(plan) else {
        if stored_for.is_some() {
            forget(vault, &plan.id).await?;
        }
        return Ok(());
    };
    let entered = entered.map(str::trim).filter(|key| !key.is_empty());
    if let Some(key) = entered {
        return Ok(vault.set(&entry(&plan.id), Secret::new(key.to_owned())).await?);
    }
    let is_kept = stored_for.as_ref() == Some(&needed);
    if plan.is_enabled && !(is_kept && read(vault, &plan.id).await?.is_some()) {
        return Err(Problem::form("accountKey", FieldError::Required));
    }
    if !is_kept && stored_for.is_some() {
        forget(vault, &plan.id).await?;
    }
    Ok(())
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
