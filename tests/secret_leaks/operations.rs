//! The operations: with success, and where the site repeats every secret that it is sent.

use std::path::Path;

use steward_core::actions::sign_in::{sign_in_as, sign_in_as_bearer};
use steward_core::listings::{invitations, services_of};
use steward_core::model::problem::Problem;
use steward_core::operations::deactivate_webhooks::single;
use steward_core::operations::{
    deactivate_webhooks, export_portal, export_server, find_items, import_portal, import_server,
    refresh_invitation, update_participant,
};
use steward_core::webhooks::{deactivation_log, reactivation};
use steward_testkit::until;
use steward_vault::{Secret, SecretStore as _};

use crate::hostile::{MANNERS, json, repeating};
use crate::left::CANARY;
use crate::program::Program;

impl Program {
    /// Wrong passwords that come back in every manner, then the right one.
    pub(crate) async fn sign_in(&self) {
        let user = self.practice.ready().users.iter().find(|user| user.role == "administrator").unwrap();
        let wrong = format!("{CANARY}password&\"<");
        for manner in MANNERS {
            let _proxy = self.answered("generateToken", repeating(manner, &[&wrong])).await;
            let signed_in =
                sign_in_as(&self.steward.context, &self.site, &user.username, &Secret::new(wrong.clone()))
                    .await;
            assert!(!self.tell(signed_in));
        }
        self.go_straight();
        assert!(
            !self.tell(
                sign_in_as(&self.steward.context, &self.site, &user.username, &Secret::new(wrong)).await
            )
        );
        let right = Secret::new(user.password.clone());
        assert!(self.tell(sign_in_as(&self.steward.context, &self.site, &user.username, &right).await));
        let issued = self.token().await;
        self.secrets.lock().unwrap().extend([user.password.clone(), issued]);
    }

    /// All operations, with success.
    pub(crate) async fn work_well(&self, folder: &Path) {
        let exports = folder.join("exports");
        std::fs::create_dir_all(&exports).unwrap();
        let place = exports.display().to_string();
        let (steward, site) = (&self.steward, &self.site);

        let target = export_portal::PortalExportDestination::Folder { location: place.clone() };
        let form = export_portal::ExportPortalForm { target, check_only: false };
        assert!(self.tell(export_portal::perform(&steward.context, site, self.run(), form).await));
        let form = export_server::ExportServerForm {
            place: export_server::ServerExportDestination::ServerFolder { location: place },
        };
        assert!(
            self.tell(
                export_server::perform(&steward.context, &steward.transfers, &self.server, self.run(), form)
                    .await
            )
        );
        let file = std::fs::read_dir(&exports).unwrap().map(|file| file.unwrap().path());
        let file =
            file.into_iter().find(|path| path.extension().is_some_and(|end| end == "agssite")).unwrap();
        let form = import_server::ImportServerForm {
            location: file.display().to_string(),
            confirmation: "City GIS".to_owned(),
            safety_backup: None,
            deactivate_webhooks: None,
            options: import_server::ImportServerOptions::default(),
        };
        assert!(
            self.tell(
                import_server::perform(&steward.context, &steward.transfers, &self.server, self.run(), form)
                    .await
            )
        );

        let services = services_of(&steward.context.access, &self.server).await.unwrap();
        let service = services
            .iter()
            .find(|service| service.webhooks.as_ref().is_some_and(|all| !all.is_empty()))
            .unwrap()
            .path
            .clone();
        self.tell(Ok::<_, Problem>(services));
        let form = silence(vec![service]);
        assert!(
            self.tell(deactivate_webhooks::perform(&steward.context, &self.server, self.run(), form).await)
        );
        assert!(
            self.tell(
                find_items::perform(
                    &steward.context,
                    &steward.item_searches,
                    &self.server,
                    self.run(),
                    everywhere(),
                    first_rows()
                )
                .await
            )
        );

        let invitations = invitations(&steward.context.access, site).await.unwrap();
        let form = refresh_invitation::RefreshInvitationForm {
            collaboration_id: invitations[0].collaboration_id.clone(),
            invitation_id: invitations[0].invitation_id.clone(),
        };
        self.tell(Ok::<_, Problem>(invitations));
        let invitation = folder.join("guest.invite");
        self.dialogs.0.lock().unwrap().push_back(invitation.clone());
        assert!(
            self.tell(
                refresh_invitation::perform(
                    &steward.context,
                    &steward.invitation_files,
                    site,
                    self.run(),
                    form
                )
                .await
            )
        );
        self.secrets.lock().unwrap().extend(long_words(&std::fs::read_to_string(invitation).unwrap()));
        // There is no such participant; what matters is what is said about it.
        self.tell(update_participant::perform(&steward.context, site, self.run(), self.participant()).await);

        // Last: it ends all sessions.
        let file = std::fs::read_dir(&exports).unwrap().map(|file| file.unwrap().path());
        let file =
            file.into_iter().find(|path| path.extension().is_some_and(|end| end == "portalsite")).unwrap();
        let form = portal_import(file.display().to_string());
        assert!(self.tell(import_portal::perform(&steward.context, site, self.run(), form).await));
        let user = self.practice.ready().users.iter().find(|user| user.role == "administrator").unwrap();
        let password = Secret::new(user.password.clone());
        assert!(self.tell(sign_in_as(&steward.context, site, &user.username, &password).await));
        let issued = self.token().await;
        self.secrets.lock().unwrap().push(issued);
    }

    /// A pasted token, which the site repeats in every manner to each operation.
    pub(crate) async fn work_with_a_site_that_repeats(&self) {
        let (steward, site) = (&self.steward, &self.site);
        let pasted = format!("{CANARY}token._-~+/=");
        let key = format!("{CANARY}key+/==");
        let before = self.kept("portal").await;
        // Whoever was signed in is known; the pasted token is only sent with what follows.
        let alone = serde_json::json!({ "token": pasted, "expires_at": null }).to_string();
        for name in ["portal", "server/server"] {
            self.keep(name, &alone).await;
        }
        for manner in MANNERS {
            let with_key = repeating(manner, &[&pasted, &key, &format!("{{\"accountKey\":\"{key}\"}}")]);
            let proxy = self.answered("POST ", with_key).await;
            self.export_to_blobs(&key).await;
            drop(proxy);
            let _proxy = self.answered("POST ", repeating(manner, &[&pasted])).await;
            self.the_others().await;
        }
        self.vault.forget(&format!("{}/server/server", site.0)).await.unwrap();
        self.keep("portal", &before).await;
        self.go_straight();
        assert!(!self.tell(sign_in_as_bearer(&steward.context, site, &Secret::new(pasted)).await));
    }

    /// A token that ran out, renewed where the site repeats what it is renewed with.
    pub(crate) async fn renew_with_a_site_that_repeats(&self) {
        let (steward, site) = (&self.steward, &self.site);
        let pasted = format!("{CANARY}token._-~+/=");
        let refresh = format!("{CANARY}refresh-._~");
        let before = self.kept("portal").await;
        let refreshing = serde_json::json!({ "token": pasted, "expires_at": null, "refresh": {
            "token": refresh, "client_id": "sitesteward", "redirect_uri": "http://127.0.0.1:1/", "expires_at": null,
        }});
        let alone = serde_json::json!({ "token": pasted, "expires_at": null });
        for (on, held) in [("oauth2/token", refreshing), ("generateToken", alone)] {
            self.keep("portal", &held.to_string()).await;
            for (number, manner) in MANNERS.into_iter().enumerate() {
                // Another one each time: a password that was rejected is not sent again.
                let password = Secret::new(format!("{CANARY}kept&\"password{number}"));
                steward.context.access.keep_password(site, "sam", &password).await.unwrap();
                let with = if on == "generateToken" { password.expose() } else { &refresh };
                let proxy = self.answered(on, repeating(manner, &[with])).await;
                self.export_to_blobs("key").await;
                assert!(proxy.met() > 0, "{on}: it was renewed");
                if (on, manner) == ("generateToken", "refusal of the token") {
                    // The rejected password is deleted while the reply is shown: the next one must not go with it.
                    let entry = format!("{}/password", site.0);
                    let is_deleted = async || self.vault.get(&entry).await.unwrap().is_none();
                    until("the rejected password is deleted", is_deleted).await;
                }
            }
        }
        self.vault.forget(&format!("{}/password", site.0)).await.unwrap();
        self.keep("portal", &before).await;
        self.go_straight();
    }

    /// Addresses of receivers are as good as keys. A server names them in its lists, and repeats them in every manner
    /// when something goes wrong.
    pub(crate) async fn work_with_a_site_that_repeats_receivers(&self) {
        let (steward, site) = (&self.steward, &self.site);
        let key = format!("{CANARY}key-of-a-receiver");
        let path = format!("/services/T0/{CANARY}/{key}?sig={CANARY}&v=1");
        let address = format!("https://hooks.example.org{path}");
        let list = |active: bool| {
            let webhook =
                serde_json::json!({ "id": "w1", "name": "w", "active": active, "hookUrl": address });
            json(&serde_json::json!({ "webhooks": [webhook], "nextStart": -1 }))
        };
        let services = services_of(&steward.context.access, &self.server).await.unwrap();
        let service = services
            .into_iter()
            .find(|service| service.webhooks.as_ref().is_some_and(|all| !all.is_empty()))
            .unwrap()
            .path;
        let service_of_one = service.clone();
        {
            let listed = self.answered("webhooks?", list(true)).await;
            assert!(self.tell(services_of(&steward.context.access, &self.server).await));
            for manner in MANNERS {
                let said = repeating(manner, &[&address, &path, &key]);
                let proxy = self.answered_too(&listed, "/deactivateAll", said).await;
                self.tell(
                    deactivate_webhooks::perform(
                        &steward.context,
                        &self.server,
                        self.run(),
                        silence(vec![service.clone()]),
                    )
                    .await,
                );
                assert!(proxy.met() > 0, "{manner}");
            }
            self.go_through(&listed.address());
            let form = silence(vec![service]);
            self.tell(deactivate_webhooks::perform(&steward.context, &self.server, self.run(), form).await);
            for manner in MANNERS {
                let said = repeating(manner, &[&address, &path, &key]);
                let proxy = self.answered_too(&listed, "/edit", said).await;
                let form = single::DeactivateWebhookForm {
                    service: service_of_one.clone(),
                    webhook: "w1".to_owned(),
                    why: String::new(),
                    confirmation: String::new(),
                };
                self.tell(single::perform(&steward.context, &self.server, self.run(), form).await);
                assert!(proxy.met() > 0, "{manner}");
            }
        }
        let entries = deactivation_log::entries(&steward.context, Some(site)).await.unwrap();
        let entry = entries[0].id.clone();
        self.tell(Ok::<_, Problem>(entries));
        let listed = self.answered("webhooks?", list(false)).await;
        for manner in MANNERS {
            let proxy =
                self.answered_too(&listed, "/edit", repeating(manner, &[&address, &path, &key])).await;
            self.tell(
                reactivation::reactivate(&steward.context, &self.server, self.run(), entry.clone()).await,
            );
            assert!(proxy.met() > 0, "{manner}");
        }
        self.go_straight();
    }

    async fn export_to_blobs(&self, key: &str) {
        let (steward, site) = (&self.steward, &self.site);
        let target = export_portal::PortalExportDestination::Blob {
            location: "/backups".to_owned(),
            container: "exports".to_owned(),
            account_name: "account".to_owned(),
            account_key: key.to_owned(),
            account_endpoint: "https://account.blob.example.org".to_owned(),
        };
        let form = export_portal::ExportPortalForm { target, check_only: false };
        self.tell(export_portal::perform(&steward.context, site, self.run(), form).await);
    }

    async fn the_others(&self) {
        let (steward, site) = (&self.steward, &self.site);
        let form =
            export_server::ExportServerForm { place: export_server::ServerExportDestination::ThisComputer };
        self.dialogs.0.lock().unwrap().push_back(steward.data_folder.join("nowhere.agssite"));
        self.tell(
            export_server::perform(&steward.context, &steward.transfers, &self.server, self.run(), form)
                .await,
        );
        self.dialogs.0.lock().unwrap().clear();
        let form = import_server::ImportServerForm {
            location: "/backups/a.agssite".to_owned(),
            confirmation: "City GIS".to_owned(),
            safety_backup: None,
            deactivate_webhooks: None,
            options: import_server::ImportServerOptions::default(),
        };
        self.tell(
            import_server::perform(&steward.context, &steward.transfers, &self.server, self.run(), form)
                .await,
        );
        let form = portal_import("/backups/a.portalsite".to_owned());
        self.tell(import_portal::perform(&steward.context, &self.site, self.run(), form).await);
        let services = vec!["Hydrants.FeatureServer".to_owned()];
        let form = silence(services);
        self.tell(deactivate_webhooks::perform(&steward.context, &self.server, self.run(), form).await);
        self.tell(
            find_items::perform(
                &steward.context,
                &steward.item_searches,
                &self.server,
                self.run(),
                everywhere(),
                first_rows(),
            )
            .await,
        );
        self.tell(update_participant::perform(&steward.context, site, self.run(), self.participant()).await);
        let form = refresh_invitation::RefreshInvitationForm {
            collaboration_id: "c".to_owned(),
            invitation_id: "i".to_owned(),
        };
        self.tell(
            refresh_invitation::perform(&steward.context, &steward.invitation_files, site, self.run(), form)
                .await,
        );
    }

    fn participant(&self) -> update_participant::UpdateParticipantForm {
        update_participant::UpdateParticipantForm {
            collaboration_id: "c".to_owned(),
            participant_id: "p".to_owned(),
            contact_firstname: "Ada".to_owned(),
            contact_lastname: "Lovelace".to_owned(),
            contact_email_address: "ada@example.org".to_owned(),
        }
    }
}

fn portal_import(location: String) -> import_portal::ImportPortalForm {
    import_portal::ImportPortalForm {
        location,
        export_version: Some("11.1".to_owned()),
        safety_backup: None,
        confirmation: "City GIS".to_owned(),
        check_only: false,
        store: None,
    }
}

fn silence(services: Vec<String>) -> deactivate_webhooks::DeactivateWebhooksForm {
    deactivate_webhooks::DeactivateWebhooksForm { services, why: String::new(), confirmation: String::new() }
}

pub(crate) fn first_rows() -> find_items::FirstRows {
    find_items::FirstRows { most: 100, ..find_items::FirstRows::default() }
}

pub(crate) fn everywhere() -> find_items::FindItemsForm {
    find_items::FindItemsForm { ancestor_path: "/".to_owned(), ..find_items::FindItemsForm::default() }
}

/// What in an invitation is as good as a key: its long opaque values.
fn long_words(invitation: &str) -> Vec<String> {
    fn collect(value: &serde_json::Value, words: &mut Vec<String>) {
        match value {
            serde_json::Value::String(text) => words.push(text.clone()),
            serde_json::Value::Array(items) => items.iter().for_each(|item| collect(item, words)),
            serde_json::Value::Object(object) => object.values().for_each(|item| collect(item, words)),
            _ => {}
        }
    }
    let mut words = Vec::new();
    collect(&serde_json::from_str(invitation).unwrap(), &mut words);
    words.retain(|word| word.len() >= 40 && !word.contains("://") && !word.contains(' '));
    words
}
