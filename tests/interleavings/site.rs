//! A portal and a federated server that hold each request until the driver lets it go on.
//!
//! The site keeps what changing requests did, and answers from that: a deactivated webhook is listed as inactive, and a
//! deleted upload is gone.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::{Value, json};
use steward_testkit::{Reply, Request, TestServer};
use tokio::sync::{mpsc, oneshot};
use url::form_urlencoded;

/// Length of each file that is uploaded.
pub(crate) const UPLOADED: usize = 2_500_000;

pub(crate) const COLLABORATION: &str = "c1";
/// File whose first commit the site rejects.
pub(crate) const UNFINISHED: &str = "unfinished.csv";
const PORTAL_ID: &str = "0123456789ABCDEF";

/// Way in which a held request goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The site acts and responds.
    Plain,
    /// The site acts, and the connection is closed without a response.
    Lost,
    /// The site responds, and more bytes than announced follow.
    Surplus,
    /// The connection is reset. The site does nothing.
    Reset,
    /// The site rejects the token.
    TokenRejected,
    /// The site rejects the request with code 500.
    Rejected,
    /// The site acts, and a gateway responds in its place with a page.
    Gateway,
    /// The site acts, and the connection stays open without a response.
    Silence,
}

/// A request that waits.
pub(crate) struct Held {
    /// What it asks for, for example `importSite`.
    pub(crate) label: String,
    /// Whether it changes the site.
    pub(crate) changes: bool,
    go_on: oneshot::Sender<Answer>,
}

impl Held {
    pub(crate) fn go_on(self, answer: Answer) {
        // The client might have closed the connection.
        let _ = self.go_on.send(answer);
    }
}

/// What the site has, and what was done to it.
struct State {
    /// Webhooks of services: path of the service, identifier, and whether it is active.
    webhooks: BTreeMap<(String, String), bool>,
    /// Contacts of participants: first name, last name, and email address.
    contacts: BTreeMap<String, [String; 3]>,
    /// Names of stored uploads by identifier, and whether each is complete.
    uploads: BTreeMap<String, (String, bool)>,
    /// Changes in their order: path, and what distinguishes equal paths.
    effects: Vec<String>,
    /// Changing requests that arrived, in the same form.
    arrived: Vec<String>,
}

pub(crate) struct Site {
    server: TestServer,
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    holds: AtomicBool,
    held: mpsc::UnboundedSender<Held>,
}

impl Site {
    /// Starts a site that does not hold requests yet, and returns the queue of those that it will hold.
    pub(crate) async fn start() -> (Self, mpsc::UnboundedReceiver<Held>) {
        let (held, queue) = mpsc::unbounded_channel();
        let webhook = |service: &str, id: &str, active| ((service.to_owned(), id.to_owned()), active);
        let state = State {
            webhooks: BTreeMap::from([
                webhook("Roads.FeatureServer", "w1", true),
                webhook("Roads.FeatureServer", "w2", true),
                webhook("Roads.FeatureServer", "w3", false),
                webhook("Water/Mains.FeatureServer", "w4", true),
            ]),
            contacts: BTreeMap::new(),
            uploads: BTreeMap::from([("stored".to_owned(), ("site.agssite".to_owned(), true))]),
            effects: Vec::new(),
            arrived: Vec::new(),
        };
        let shared = Arc::new(Shared { state: Mutex::new(state), holds: AtomicBool::new(false), held });
        let inside = shared.clone();
        let server = TestServer::start_async(move |request| {
            let shared = inside.clone();
            async move { shared.reply(&request).await }
        });
        (Self { server: server.await.unwrap(), shared }, queue)
    }

    pub(crate) fn origin(&self) -> String {
        self.server.origin()
    }

    /// Holds each request from now on, or lets all pass.
    pub(crate) fn hold(&self, holds: bool) {
        self.shared.holds.store(holds, Ordering::SeqCst);
    }

    /// Webhooks, and whether each is active.
    pub(crate) fn webhooks(&self) -> BTreeMap<(String, String), bool> {
        self.shared.state().webhooks.clone()
    }

    /// What changing requests did, in order.
    pub(crate) fn effects(&self) -> Vec<String> {
        self.shared.state().effects.clone()
    }

    /// Changing requests that arrived, in order.
    pub(crate) fn arrived(&self) -> Vec<String> {
        self.shared.state().arrived.clone()
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    async fn reply(&self, request: &Request) -> Reply {
        let asked = Asked::of(request);
        let effect = asked.effect();
        if let Some(effect) = &effect {
            self.state().arrived.push(effect.clone());
        }
        let mut answer = Answer::Plain;
        if self.holds.load(Ordering::SeqCst) {
            let (go_on, gone_on) = oneshot::channel();
            let held = Held { label: asked.label(), changes: effect.is_some(), go_on };
            if self.held.send(held).is_ok() {
                // Without a driver, the case has ended.
                answer = gone_on.await.unwrap_or(Answer::Reset);
            }
        }
        match answer {
            Answer::Reset => Reply::reset(),
            Answer::TokenRejected => {
                Reply::json(r#"{"error":{"code":498,"message":"Invalid token.","details":[]}}"#)
            }
            Answer::Rejected => {
                Reply::json(r#"{"status":"error","messages":["The disk is full."],"code":500}"#)
            }
            Answer::Plain => self.act(&asked, effect),
            Answer::Lost => {
                self.act(&asked, effect);
                Reply::close()
            }
            Answer::Silence => {
                self.act(&asked, effect);
                std::future::pending().await
            }
            Answer::Surplus => self.act(&asked, effect).and_surplus(b"HTTP/1.1 200 OK\r\n\r\n"),
            Answer::Gateway => {
                self.act(&asked, effect);
                let page = "<html><head><title>504 Gateway Time-out</title></head></html>";
                Reply::new("504 Gateway Time-out", "content-type: text/html\r\n", page).then_close()
            }
        }
    }

    /// Does what the request asks for, and responds.
    fn act(&self, asked: &Asked, effect: Option<String>) -> Reply {
        let mut state = self.state();
        state.effects.extend(effect);
        let segments: Vec<&str> = asked.path.split('/').filter(|segment| !segment.is_empty()).collect();
        match segments[..] {
            ["portal", "sharing", "rest", ref rest @ ..] => portal(&mut state, asked, rest),
            ["portal", "portaladmin", "exportSite"] if asked.is_check() => {
                Reply::json(r#"{"status":"success"}"#)
            }
            ["portal", "portaladmin", "exportSite"] => {
                Reply::json(r#"{"status":"success","location":"/exports/Nov-27-2026.portalsite"}"#)
            }
            ["portal", "portaladmin", "importSite"] => Reply::json(r#"{"status":"success"}"#),
            ["server", "admin", ref rest @ ..] => server(&mut state, asked, rest),
            _ => not_found(asked),
        }
    }
}

/// What a request asks for.
struct Asked {
    method: String,
    origin: String,
    path: String,
    fields: BTreeMap<String, String>,
    token: String,
}

impl Asked {
    fn of(request: &Request) -> Self {
        let (path, query) = request.target().split_once('?').unwrap_or((request.target(), ""));
        let mut fields: BTreeMap<String, String> =
            form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        fields.extend(form_urlencoded::parse(&request.body).into_owned());
        let body = String::from_utf8_lossy(&request.body);
        let part =
            body.split_once("name=\"partNumber\"\r\n\r\n").and_then(|(_, rest)| rest.split("\r\n").next());
        fields.extend(part.map(|number| ("partNumber".to_owned(), number.to_owned())));
        let header = |name: &str| {
            let lines = request.head.lines().filter_map(|line| line.split_once(':'));
            lines.filter(|(given, _)| given.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim()).next()
        };
        let bearer = header("x-esri-authorization").and_then(|value| value.strip_prefix("Bearer "));
        let token = bearer.map(str::to_owned).or_else(|| fields.get("token").cloned()).unwrap_or_default();
        Self {
            method: request.method().to_owned(),
            origin: request.origin.clone(),
            path: path.to_owned(),
            fields,
            token,
        }
    }

    fn field(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }

    fn is_check(&self) -> bool {
        self.field("validate") == "true"
    }

    /// Returns the change that it asks for; `None` for a request that only reads.
    fn effect(&self) -> Option<String> {
        let reads = ["generateToken", "findItems", "validateDataItem", "revokeToken"];
        let last = self.path.rsplit('/').next().unwrap_or_default();
        let changes = self.method == "POST" && !reads.contains(&last) && !self.is_check();
        changes.then(|| match last {
            "uploadPart" => format!("{}#{}", self.path, self.field("partNumber")),
            _ => self.path.clone(),
        })
    }

    /// Returns what it asks for in a word or two. Services and identifiers are left out.
    fn label(&self) -> String {
        let last = self.path.rsplit('/').next().unwrap_or_default();
        let label = match last {
            "exportSite" | "importSite" if self.is_check() => "check",
            "self" => "portal",
            "admin" | "info" => "server",
            "notificationStatus" => "inventory",
            _ if self.method == "POST" => last,
            "report" | "machines" | "items" => "inventory",
            "webhooks" | "servers" | "uploads" | "download" | "properties" => last,
            _ if self.path.contains("/admin/uploads/") => "upload item",
            _ if self.path.contains("/admin/services") => "services",
            "search" | "users" | "groups" => "count",
            _ if self.path.contains("/invitations") => "invitation",
            _ => last,
        };
        label.to_owned()
    }
}

fn not_found(asked: &Asked) -> Reply {
    let message = format!("{} was not found.", asked.path);
    Reply::json(json!({ "error": { "code": 404, "message": message, "details": [] } }).to_string())
}

fn portal(state: &mut State, asked: &Asked, rest: &[&str]) -> Reply {
    let origin = &asked.origin;
    let page = |name: &str, one: Value| {
        json!({ "total": 1, "start": 1, "num": 1, "nextStart": -1, name: [one] }).to_string()
    };
    Reply::json(match *rest {
        ["generateToken"] => {
            let user = Some(asked.field("username")).filter(|user| !user.is_empty());
            let user = user.unwrap_or_else(|| asked.token.trim_start_matches("token of "));
            json!({ "token": format!("token of {user}"), "expires": 4_102_444_800_000_i64, "ssl": false })
                .to_string()
        }
        ["portals", "self"] => json!({
            "id": PORTAL_ID,
            "isPortal": true,
            "enterpriseVersion": "11.3.0",
            "user": {
                "username": asked.token.trim_start_matches("token of "),
                "role": "org_admin",
                "privileges": [],
            },
        })
        .to_string(),
        ["portals", "self", "servers"] => json!({ "servers": [{
            "id": "s1",
            "name": "gis",
            "url": format!("{origin}/server"),
            "adminUrl": format!("{origin}/server"),
            "isHosted": true,
            "serverType": "ArcGIS",
            "serverRole": "HOSTING_SERVER",
        }] })
        .to_string(),
        ["search"] | ["community", "groups"] => page("results", json!({ "id": "r1", "title": "Roads" })),
        ["portals", PORTAL_ID, "users"] => page("users", json!({ "username": "steward" })),
        ["portals", PORTAL_ID, "collaborations"] => {
            page("collaborations", json!({ "id": COLLABORATION, "name": "Flood Response" }))
        }
        [.., "invitations", _, "refresh"] => {
            let headers = "content-type: application/octet-stream\r\n\
                content-disposition: attachment; filename=\"harbour.invite\"\r\n";
            return Reply::new("200 OK", headers, "secret invitation");
        }
        [.., "invitations", id] => {
            json!({ "id": id, "collaborationId": COLLABORATION, "expiration": 4_102_444_800_000_i64 })
                .to_string()
        }
        [.., "participants"] => {
            let participants: Vec<_> = state.contacts.iter().map(participant).collect();
            json!({ "total": participants.len(), "nextStart": -1, "participants": participants }).to_string()
        }
        [.., "participants", id, "updateInfo"] => {
            let contact = CONTACT.map(|name| asked.field(name).to_owned());
            state.contacts.insert(id.to_owned(), contact);
            json!({ "success": true, "collaborationId": COLLABORATION, "portalId": id }).to_string()
        }
        _ => return not_found(asked),
    })
}

/// Fields of a contact.
const CONTACT: [&str; 3] = ["contactFirstname", "contactLastname", "contactEmailAddress"];

fn participant((id, contact): (&String, &[String; 3])) -> Value {
    let config: serde_json::Map<_, _> =
        CONTACT.iter().zip(contact).map(|(name, value)| ((*name).to_owned(), value.clone().into())).collect();
    json!({ "portalInfo": { "id": id, "name": id }, "collaborationRole": "Guest", "config": config })
}

fn server(state: &mut State, asked: &Asked, rest: &[&str]) -> Reply {
    let success = || json!({ "status": "success" });
    let body = match *rest {
        [] => json!({ "currentVersion": 11.3, "fullVersion": "11.3.0" }),
        ["info"] => json!({
            "currentversion": 11.3,
            "fullVersion": "11.3.0",
            "loggedInUser": asked.token.trim_start_matches("token of "),
            "loggedInUserPrivilege": "ADMINISTER",
        }),
        ["exportSite"] => match asked.field("location") {
            "" => {
                state.uploads.insert("backup".to_owned(), ("backup.agssite".to_owned(), true));
                json!({
                    "status": "success",
                    "location": format!("{}/server/admin/uploads/backup", asked.origin),
                })
            }
            folder => json!({ "status": "success", "location": format!("{folder}/Nov-27-2026.agssite") }),
        },
        ["importSite"] => json!({
            "status": "success",
            "result": [{ "source": "Site", "messages": [{ "level": "INFO", "message": "Replaced." }] }],
        }),
        ["machines"] => json!({ "machines": [{ "machineName": "GIS1" }] }),
        ["data", "items"] => json!({ "rootItems": ["/fileShares"] }),
        ["data", "findItems"] => json!({ "items": [
            { "id": "d1", "type": "folder", "path": "/fileShares/roads", "info": {} },
            { "id": "d2", "type": "folder", "path": "/fileShares/water", "info": {} },
        ] }),
        ["data", "validateDataItem"] => success(),
        ["system", "properties"] => json!({ "uploadFileExtensionAllowedList": "csv,agssite" }),
        ["uploads", ref rest @ ..] => return uploads(state, asked, rest),
        ["services", ref rest @ ..] => return services(state, asked, rest),
        _ => return not_found(asked),
    };
    Reply::json(body.to_string())
}

fn services(state: &mut State, asked: &Asked, rest: &[&str]) -> Reply {
    let service = |folder: &str, name: &str| {
        json!({
            "folderName": folder,
            "serviceName": name,
            "type": "FeatureServer",
            "status": { "configuredState": "STARTED", "realTimeState": "STARTED" },
        })
    };
    let roads = || vec![service("/", "Roads")];
    let water = || vec![service("Water", "Mains")];
    let body = match *rest {
        [] => json!({ "folderName": "/", "folders": ["Water"], "services": roads() }),
        ["Water"] => json!({ "folderName": "Water", "folders": [], "services": water() }),
        ["report"] => json!({ "reports": roads() }),
        ["Water", "report"] => json!({ "reports": water() }),
        ["webhooks"] => listed(state.webhooks.iter().collect()),
        [ref path @ .., "webhooks"] => {
            let path = path.join("/");
            listed(state.webhooks.iter().filter(|((service, _), _)| *service == path).collect())
        }
        [.., "notificationStatus"] => json!({ "webhookNotificationStatus": [] }),
        [ref path @ .., "webhooks", "deactivateAll"] => {
            let path = path.join("/");
            state.webhooks.iter_mut().filter(|((service, _), _)| *service == path).for_each(|(_, active)| {
                *active = false;
            });
            json!({ "status": "success" })
        }
        [ref path @ .., "webhooks", id, "edit"] => {
            let active = asked.field("active") == "true";
            state.webhooks.insert((path.join("/"), id.to_owned()), active);
            json!({ "status": "success", "id": id, "active": active })
        }
        _ => return not_found(asked),
    };
    Reply::json(body.to_string())
}

fn listed(webhooks: Vec<(&(String, String), &bool)>) -> Value {
    let of = |((path, id), active): (&(String, String), &bool)| {
        let (folder, service) = path.rsplit_once('/').unwrap_or(("/", path));
        json!({
            "id": id,
            "name": format!("Webhook {id}"),
            "folderName": folder,
            "serviceName": service.trim_end_matches(".FeatureServer"),
            "serviceType": "FeatureServer",
            "hookUrl": "https://hooks.example.net/x",
            "active": active,
        })
    };
    let all: Vec<Value> = webhooks.into_iter().map(of).collect();
    json!({ "total": all.len(), "start": 1, "num": 100, "nextStart": -1, "webhooks": all })
}

fn uploads(state: &mut State, asked: &Asked, rest: &[&str]) -> Reply {
    let item = |id: &str, name: &str, committed: bool| json!({ "itemID": id, "itemName": name, "committed": committed, "date": "2026-11-27" });
    let body = match *rest {
        [] => {
            let all = state.uploads.iter().map(|(id, (name, committed))| item(id, name, *committed));
            json!({ "items": all.collect::<Vec<_>>() })
        }
        ["register"] => {
            let name = asked.field("itemName").to_owned();
            state.uploads.insert("u1".to_owned(), (name.clone(), false));
            json!({ "status": "success", "item": item("u1", &name, false) })
        }
        ["upload"] => {
            state.uploads.insert("u1".to_owned(), ("survey.csv".to_owned(), true));
            json!({ "status": "success", "item": item("u1", "survey.csv", true) })
        }
        [_, "uploadPart"] => json!({ "status": "success" }),
        [id, "commit"] => {
            if let Some((name, _)) = state.uploads.get_mut(id).filter(|(name, _)| name == UNFINISHED) {
                "survey.csv".clone_into(name);
                return Reply::json(r#"{"status":"error","messages":["The disk is full."],"code":500}"#);
            }
            if let Some((_, committed)) = state.uploads.get_mut(id) {
                *committed = true;
            }
            json!({ "status": "success" })
        }
        [id, "delete"] => match state.uploads.remove(id) {
            Some(_) => json!({ "status": "success" }),
            None => return not_found(asked),
        },
        ["u1", "download"] => return Reply::new("200 OK", "", vec![b'1'; UPLOADED]),
        [_, "download"] => return file(),
        [id] => match state.uploads.get(id) {
            Some((name, committed)) => item(id, name, *committed),
            None => return not_found(asked),
        },
        _ => return not_found(asked),
    };
    Reply::json(body.to_string())
}

/// A stored export, whole: this server ignores ranges.
fn file() -> Reply {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.start_file("site.json", zip::write::SimpleFileOptions::default()).unwrap();
    archive.write_all(b"{}").unwrap();
    Reply::new("200 OK", "etag: \"1\"\r\n", archive.finish().unwrap().into_inner())
}
