//! The operations, performed in the window on the practice site. The screenshots show them, and the journeys
//! check what they changed.

use std::path::Path;

use anyhow::Result;

use super::{Window, answer_save_dialog};

impl Window {
    /// Starts the practice site from the first page, signed in as its administrator.
    ///
    /// # Errors
    /// Returns an error if the window does not show what is expected. This applies to all functions of this module.
    pub async fn start_practice(&self) -> Result<()> {
        self.press("Start practice site").await?;
        self.see("Portal and servers").await
    }

    /// Exports the portal to the practice folder, after checking it (operation 1).
    ///
    /// # Errors
    /// See [`start_practice`](Self::start_practice).
    pub async fn export_portal(&self) -> Result<()> {
        self.press("Portal export").await?;
        self.press("Use the practice folder").await?;
        self.press("Check the destination").await?;
        self.see("The portal can write to").await?;
        self.press("Export portal").await?;
        self.see("Exported Practice in").await
    }

    /// Imports the export of the portal that was made last, after a safety backup. It ends the session.
    ///
    /// # Errors
    /// See [`start_practice`](Self::start_practice).
    pub async fn import_portal(&self) -> Result<()> {
        self.press("Portal import").await?;
        self.choose_portal_export().await?;
        self.press("Use the practice folder").await?;
        self.press_at("//button[not(@disabled)][starts-with(normalize-space(.), 'Replace the portal of ')]")
            .await?;
        self.see("Imported into the portal of Practice in").await
    }

    /// Selects the export of the portal that was made last.
    ///
    /// # Errors
    /// See [`start_practice`](Self::start_practice).
    pub async fn choose_portal_export(&self) -> Result<()> {
        self.press_at("//*[@id=//label[starts-with(normalize-space(.), 'Exports of this portal')]/@for]")
            .await?;
        // Closed lists keep their options, hidden.
        let open = "//*[@role='listbox'][not(ancestor-or-self::*[contains(@style, 'display: none')])]";
        self.press_at(&format!("({open}//*[@role='option'])[1]")).await
    }

    /// Shows the sign-in over the page of the import, whose session ended.
    ///
    /// # Errors
    /// See [`start_practice`](Self::start_practice).
    pub async fn sign_in_to_see(&self) -> Result<()> {
        self.press("Sign in").await?;
        self.see("Can run all operations.").await
    }

    /// Signs in again on the page of the import, as the administrator of the practice site.
    ///
    /// # Errors
    /// See [`start_practice`](Self::start_practice).
    pub async fn sign_in_after_import(&self) -> Result<()> {
        self.press("Sign in").await?;
        self.press_at("//*[@role='dialog']//button[contains(., 'Can run all operations.')]").await?;
        self.see_none("Sign in again to continue").await
    }

    /// Undoes the import whose result is shown, after another safety backup. It ends the session.
    ///
    /// # Errors
    /// See [`start_practice`](Self::start_practice).
    pub async fn undo_portal_import(&self) -> Result<()> {
        self.press("Undo this import").await?;
        self.press("Undo the import").await?;
        self.see("The import was undone").await
    }

    /// Exports the server to `file` on this computer (operation 2). The server keeps its stored copy.
    ///
    /// # Errors
    /// See [`start_practice`](Self::start_practice).
    pub async fn export_server(&self, file: &Path) -> Result<()> {
        self.press("Server export").await?;
        // Named otherwise where the site has several servers, as the built-in practice site has.
        self.press_at("//main//button[.='Choose a destination and export' or starts-with(., 'Export ')]")
            .await?;
        answer_save_dialog("Save the server export", file).await?;
        self.see("and saved it on this computer").await
    }

    /// Imports the file that the server stored last (operation 3).
    ///
    /// # Errors
    /// See [`start_practice`](Self::start_practice).
    pub async fn import_server(&self) -> Result<()> {
        self.press("Server import").await?;
        self.choose_stored_file().await?;
        self.press_at("//main//button[starts-with(., 'Replace ')]").await?;
        self.see("did not start").await
    }

    /// Selects the file that the server stored last.
    ///
    /// # Errors
    /// See [`start_practice`](Self::start_practice).
    pub async fn choose_stored_file(&self) -> Result<()> {
        self.press_at("//*[@id=//label[starts-with(normalize-space(.), 'Uploaded file')]/@for]").await?;
        // Closed lists keep their options, hidden.
        let open = "//*[@role='listbox'][not(ancestor-or-self::*[contains(@style, 'display: none')])]";
        self.press_at(&format!("({open}//*[@role='option'])[1]")).await?;
        // The button below moves when the comparison with the export arrives.
        self.wait_until("return document.querySelector('main [aria-busy=true]') === null").await
    }

    /// Deactivates the webhooks of the service at `path` (operation 4).
    ///
    /// # Errors
    /// See [`start_practice`](Self::start_practice).
    pub async fn deactivate_webhooks(&self, path: &str) -> Result<()> {
        self.press("Webhooks").await?;
        self.select(path).await?;
        self.press("Deactivate webhooks of 1 service").await?;
        // Of one webhook or of several.
        self.press_at("//*[@role='dialog']//button[starts-with(normalize-space(.), 'Deactivate webhook')]")
            .await?;
        self.see("Succeeded").await
    }

    /// Lists all data store items (operation 5).
    ///
    /// # Errors
    /// See [`start_practice`](Self::start_practice).
    pub async fn find_items(&self) -> Result<()> {
        self.press("Data store items").await?;
        self.press("Show all").await?;
        self.see_any("//*[@role='gridcell']").await.map(drop)
    }

    /// Updates the contact of the first guest in the list (operation 6).
    ///
    /// # Errors
    /// See [`start_practice`](Self::start_practice).
    pub async fn update_participant(&self, first: &str, last: &str, address: &str) -> Result<()> {
        self.press("Participants").await?;
        self.choose_guest().await?;
        self.fill("First name", first).await?;
        self.fill("Last name", last).await?;
        self.fill("Email address", address).await?;
        self.press_at("//button[starts-with(normalize-space(.), 'Update contact of ')]").await?;
        self.press("Update contact").await?;
        self.see("Updated the contact of").await
    }

    /// Refreshes the invitation that expires first, and saves it as `file` (operation 7).
    ///
    /// # Errors
    /// See [`start_practice`](Self::start_practice).
    pub async fn refresh_invitation(&self, file: &Path) -> Result<()> {
        self.press("Invitations").await?;
        self.choose_invitation().await?;
        self.press("Refresh invitation").await?;
        self.press("Refresh for 72 hours").await?;
        answer_save_dialog("Save the invitation", file).await?;
        self.see("The invitation is valid until").await
    }

    /// Selects the first guest in the list.
    ///
    /// # Errors
    /// See [`start_practice`](Self::start_practice).
    pub async fn choose_guest(&self) -> Result<()> {
        self.press_at("(//tr[.//*[normalize-space(.)='Guest']]//input[@type='radio'][not(@disabled)])[1]")
            .await
    }

    /// Selects the invitation that expires first.
    ///
    /// # Errors
    /// See [`start_practice`](Self::start_practice).
    pub async fn choose_invitation(&self) -> Result<()> {
        // The first check box of a group selects all of it.
        self.press_at("(//tbody//input[@type='checkbox'][not(starts-with(@aria-label, 'All of '))])[1]").await
    }

    /// Adds a simulated fault on the practice site: its name, the request that it affects, and the numbers in the form.
    ///
    /// # Errors
    /// See [`start_practice`](Self::start_practice).
    pub async fn add_fault(&self, fault: &str, target: &str, more: &[(&str, &str)]) -> Result<()> {
        self.press("Simulated faults").await?;
        self.choose(fault).await?;
        self.pick("Request", target).await?;
        for (field, number) in more {
            self.fill(field, number).await?;
        }
        self.press("Add fault").await?;
        // The line of a slow response has its delay before the target.
        self.see(&format!(": {target}, ")).await
    }

    /// Selects a check box by its name.
    ///
    /// # Errors
    /// Returns an error if there is none.
    pub async fn select(&self, name: &str) -> Result<()> {
        let quoted = super::quote(name);
        self.press_at(&format!(
            "//input[@type='checkbox'][@aria-label={quoted} or @id=//label[normalize-space(.)={quoted}]/@for]"
        ))
        .await
    }
}
