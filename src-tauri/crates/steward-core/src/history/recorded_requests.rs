//! What an operation sends, as the history keeps it. The client sends by itself; a test compares the two.

use steward_client::Area;
use steward_journal::Request;
use steward_journal::redact::MASK;

use crate::model::operation::Key;
use crate::sites::availability::Known;

/// The requests of an operation with these parameters, in the order they are sent.
pub(crate) fn requests(
    area: &Area,
    operation: Key,
    known: &Known,
    parameters: &[(String, String)],
) -> Vec<Request> {
    let given = |name: &str| {
        let found = parameters.iter().find(|(given, _)| given == name);
        found.map(|(_, value)| value.trim()).unwrap_or_default()
    };
    let collaboration = |kind, id, verb| {
        let (portal, collaboration) = (known.portal_id.as_str(), given("collaborationId"));
        ["sharing", "rest", "portals", portal, "collaborations", collaboration, kind, id, verb]
    };
    let field = |name: &'static str| (name, given(name));
    match operation {
        Key::ExportPortal => {
            let mut form = vec![field("location")];
            for name in ["validate", "backupObjectStore", "backupObjectStoreRegion"] {
                form.extend(Some(field(name)).filter(|(_, value)| !value.is_empty()));
            }
            // Its account's key is not ours to keep, and it is sent inside this.
            if !given("accountName").is_empty() {
                form.push(("backupObjectStoreConnectionStr", MASK));
            }
            vec![post(area, &["portaladmin", "exportSite"], &form)]
        }
        Key::ExportServer => vec![post(area, &["admin", "exportSite"], &[field("location")])],
        Key::ImportServer => vec![post(area, &["admin", "importSite"], &[field("location")])],
        Key::DeactivateWebhooks => {
            several(parameters, "service").map(|service| deactivation(area, service)).collect()
        }
        // It only looks, and leaves no record.
        Key::FindItems => Vec::new(),
        Key::UpdateParticipant => {
            let path = collaboration("participants", given("participantId"), "updateInfo");
            let form = ["contactFirstname", "contactLastname", "contactEmailAddress"].map(field);
            vec![post(area, &path, &form)]
        }
        Key::RefreshInvitation => {
            vec![post(area, &collaboration("invitations", given("invitationId"), "refresh"), &[])]
        }
    }
}

/// What was given under a name that may be there many times. An earlier version of this program put all of it into one
/// text, under the plural.
pub(crate) fn several<'a>(
    parameters: &'a [(String, String)],
    name: &'a str,
) -> impl Iterator<Item = &'a str> {
    let each = parameters.iter().filter(move |(given, _)| given == name).map(|(_, value)| value.as_str());
    let all = parameters.iter().filter(move |(given, _)| given.strip_suffix('s') == Some(name));
    each.chain(all.flat_map(|(_, value)| value.split(", ")).filter(|value| !value.is_empty()))
}

fn deactivation(area: &Area, service: &str) -> Request {
    let mut path = vec!["admin", "services"];
    path.extend(service.rsplit_once('/').map(|(folder, _)| folder));
    path.push(service.rsplit_once('/').map_or(service, |(_, name)| name));
    path.extend(["webhooks", "deactivateAll"]);
    post(area, &path, &[])
}

fn post(area: &Area, path: &[&str], form: &[(&str, &str)]) -> Request {
    let fields = form.iter().chain(&[("f", "json"), ("token", MASK)]);
    Request {
        method: "POST".to_owned(),
        address: area.address(path).to_string(),
        form: fields.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
    }
}
