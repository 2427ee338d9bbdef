//! What is looked at and taken out: data items, services, the doctor, the history.

use std::io::{Cursor, Read as _};
use std::path::Path;

use steward_app::steward::Steward;
use steward_core::actions::sites::save;
use steward_core::changes::view::Compared;
use steward_core::changes::{Cause, Kind};
use steward_core::diagnostics::report::report_of;
use steward_core::history::{
    HistoryFormat, HistorySearch, ReportFormat, page_of, records_of, save_audit_package,
};
use steward_core::listings::services_of;
use steward_core::model::data_item::DataStoreItem;
use steward_core::model::ids::RecordId;
use steward_core::model::problem::Problem;
use steward_core::operations::find_items;
use steward_core::operations::find_items::item_search::rows;
use steward_core::operations::find_items::item_search::{ItemColumn, ItemFormat, ItemQuery};
use steward_core::sites::ConnectionRoute;
use steward_journal::{Filter, command_export};

use crate::hostile::json;
use crate::left::CANARY;
use crate::operations::{everywhere, first_rows};
use crate::program::{Program, form};

impl Program {
    /// Data items with connection strings, and services whose webhooks are signed.
    pub(crate) async fn look_at_items_full_of_secrets(&self, folder: &Path) {
        let connection = format!(
            "ENCRYPTED_PASSWORD=00022e68{CANARY};SERVER=db;INSTANCE=sde:postgresql:db;USER=sde;PASSWORD={CANARY}pw"
        );
        let items = serde_json::json!({ "items": [{
            "id": "1", "path": "/enterpriseDatabases/city", "type": "egdb", "provider": "PostgreSQL",
            "info": {
                "connectionString": connection, "password": format!("{CANARY}a"),
                "machines": [{ "name": "db", "password": format!("{CANARY}b"), "db.password": format!("{CANARY}c") }],
                "deep": [{ "accountKey": format!("{CANARY}d"), "secretKey": format!("{CANARY}e") }],
                "url": format!("https://blob.example.org/x?sv=1&sig={CANARY}f"),
                "user": format!("https://sam:{CANARY}g@db.example.org/"),
            },
        }]});
        let found = {
            let _proxy = self.answered("findItems", json(&items)).await;
            find_items::perform(
                &self.steward.context,
                &self.steward.item_searches,
                &self.server,
                self.run(),
                everywhere(),
                first_rows(),
            )
            .await
        };
        assert!(self.tell(found));
        // What is held has the secrets; what leaves it has not.
        let held = self.steward.item_searches.last(&self.server).unwrap();
        let item = held.item(0).unwrap();
        assert!(item.to_string().contains(CANARY));
        let by_name =
            ItemQuery { column: ItemColumn::Name, descending: false, filter: String::new(), r#type: None };
        self.tell(Ok::<_, Problem>((held.rows(&by_name, 0, 10), DataStoreItem::of(&item))));
        for format in [ItemFormat::Csv, ItemFormat::Json] {
            let name = format!("items.{}", format.extension());
            self.dialogs.0.lock().unwrap().push_back(folder.join(name));
            let search = held.id();
            let saved = rows::save(
                &self.steward.item_searches,
                &self.steward.context,
                &self.steward.dialogs,
                &self.server,
                search,
                by_name.clone(),
                format,
            )
            .await;
            assert!(self.tell(saved));
        }
        let webhooks = serde_json::json!({ "webhooks": [{
            "name": "w", "active": true, "signatureKey": format!("{CANARY}signature"),
            "config": { "signatureKey": format!("{CANARY}signature") },
            "hookUrl": format!("https://hooks.example.org/services/{CANARY}h?sig={CANARY}i"),
        }]});
        let _proxy = self.answered("/webhooks", json(&webhooks)).await;
        self.tell(services_of(&self.steward.context.access, &self.server).await);
        self.go_straight();
    }

    /// Snapshots of a site whose configuration is full of secrets, what differs between them, and its files.
    pub(crate) async fn compare_snapshots_full_of_secrets(&self, folder: &Path) {
        let full = |more: &str| {
            json(&serde_json::json!({
                "password": format!("{CANARY}{more}"), "level": more, "name": "config",
                "deep": [{ "name": "a", "clientSecret": format!("{CANARY}1{more}") }, { "name": "b", "token": format!("{CANARY}2{more}") }],
                "lists": [[{ "apiKey": format!("{CANARY}3{more}") }]],
                "connectionString": format!("SERVER=db{more};USER=sde;PASSWORD={CANARY}4{more}"),
                "receiver": format!("https://sam:{CANARY}5{more}@hooks.example.org/x?sig={CANARY}6{more}"),
                "pair": { "name": "password", "value": format!("{CANARY}7{more}") },
            }))
        };
        let (context, snapshots) = (&self.steward.context, &self.steward.snapshots);
        for more in ["a", "b"] {
            let proxy = self.answered("security/config", full(more)).await;
            let _properties = self.answered_too(&proxy, "system/properties", full(more)).await;
            assert!(self.tell(snapshots.take(context, &self.site, Cause::Manual).await));
        }
        self.go_straight();
        let all = snapshots.view(&self.steward.context.history, &self.site).await.unwrap().snapshots;
        let compared = Compared::Since { site: self.site.clone(), from: all[1].id, to: all[0].id };
        let found = snapshots.compare(context, &compared).await.unwrap();
        let is_of = |kind| found.differences.iter().any(|one| one.key.kind == kind);
        assert!(is_of(Kind::Security) && is_of(Kind::SystemProperties), "{:?}", found.differences);
        for one in &found.differences {
            assert!(self.tell(snapshots.fields(context, &compared, one.key.clone()).await));
        }
        let key = found.differences[0].key.clone();
        let reason = Some(format!("CHG-1 password={CANARY}8"));
        assert!(self.tell(snapshots.accept(context, &compared, key, reason).await));
        assert!(self.tell(snapshots.compare(context, &compared).await));
        for (format, name) in
            [(ReportFormat::Html, "c.html"), (ReportFormat::Csv, "c.csv"), (ReportFormat::Json, "c.json")]
        {
            self.dialogs.0.lock().unwrap().push_back(folder.join(name));
            let Steward { dialogs, language, .. } = &self.steward;
            assert!(self.tell(snapshots.save(context, dialogs, language, &compared, format).await));
        }
    }

    /// The doctor, on a way that leads through a proxy with a password.
    pub(crate) async fn examine(&self) {
        self.tell(report_of(self.steward.diagnosed(), Some(&self.site), None).await);
        let (portal, server) = ("https://gis.example.org/portal", "https://gis.example.org/server");
        self.steward.context.access.sites.save(&form(Some(&self.site), portal, server)).unwrap();
        self.steward.context.access.forget_connection(&self.site);
        let examination = report_of(self.steward.diagnosed(), Some(&self.site), None).await.unwrap();
        assert!(
            examination.text.contains("http://127.0.0.1:9, with user name and password"),
            "{}",
            examination.text
        );
        self.tell(Ok::<_, Problem>(examination));
        self.tell(services_of(&self.steward.context.access, &self.server).await);
        self.go_through_proxy_with_passwords(portal, server).await;
        self.go_straight();
    }

    /// A proxy of the site's own, and a client certificate that does not open.
    async fn go_through_proxy_with_passwords(&self, portal: &str, server: &str) {
        let before = self.kept("portal").await;
        let mut form = form(Some(&self.site), portal, server);
        let (address, user) = ("http://127.0.0.1:9".to_owned(), "sam".to_owned());
        form.connection.route = ConnectionRoute::Proxy { address, user, exceptions: Vec::new() };
        form.connection.proxy_password = Some(format!("{CANARY}own-proxy"));
        assert!(self.tell(save(&self.steward.context, &form).await));
        self.keep("portal", &before).await;
        self.tell(services_of(&self.steward.context.access, &self.server).await);
        self.tell(report_of(self.steward.diagnosed(), Some(&self.site), None).await);
        let certificate = self.steward.data_folder.join("me.p12");
        std::fs::write(&certificate, b"no certificate").unwrap();
        form.connection.client_certificate = certificate.display().to_string();
        form.connection.client_certificate_password = Some(format!("{CANARY}certificate"));
        self.tell(save(&self.steward.context, &form).await);
        self.tell(services_of(&self.steward.context.access, &self.server).await);
        self.keep("portal", &before).await;
    }

    /// The history in every form in which it can leave.
    pub(crate) async fn take_out(&self, folder: &Path) {
        self.tell(page_of(&self.steward.context.history, HistorySearch::default(), None, 1_000).await);
        let choose = |name: &str| self.dialogs.0.lock().unwrap().push_back(folder.join(name));
        choose("history.csv");
        self.tell(
            records_of(
                &self.steward.context.history,
                &self.steward.dialogs,
                &self.steward.language,
                HistorySearch::default(),
                HistoryFormat::Csv,
            )
            .await,
        );
        choose("history.json");
        self.tell(
            records_of(
                &self.steward.context.history,
                &self.steward.dialogs,
                &self.steward.language,
                HistorySearch::default(),
                HistoryFormat::Json,
            )
            .await,
        );
        let records = self
            .steward
            .context
            .history
            .journal(|journal| journal.records(&Filter::default()))
            .await
            .unwrap();
        assert!(records.len() > 20, "{}", records.len());
        for record in records {
            choose(&format!("{}.zip", record.id));
            self.tell(
                save_audit_package(
                    &self.steward.context.history,
                    &self.steward.dialogs,
                    &self.steward.language,
                    &self.steward.tour,
                    vec![RecordId(record.id.clone())],
                )
                .await,
            );
            self.tell(Ok::<_, Problem>(command_export::as_curl(&record)));
            // Packed, a secret is not seen.
            let bytes = std::fs::read(folder.join(format!("{}.zip", record.id))).unwrap();
            let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
            for index in 0..archive.len() {
                let mut content = Vec::new();
                archive.by_index(index).unwrap().read_to_end(&mut content).unwrap();
                std::fs::write(folder.join(format!("{}-{index}", record.id)), content).unwrap();
            }
        }
    }
}
