//! Hosts of collaborations. Only the administrators of the host can update contacts.
//!
//! A portal does not return which participant it is itself, and its identifier is different there. But it lists the
//! collaborations that it takes part in, so it is a participant of every one. [`elsewhere`] uses this.

use std::collections::{HashMap, HashSet};

use steward_client::listing::Participant;
use url::Url;

/// Limit of the name of a host, in characters.
const LONGEST_NAME: usize = 200;

/// Returns the names of the portals that host collaborations in place of this one, by collaboration. Empty if this
/// portal cannot be identified: then nothing is blocked.
pub(crate) fn elsewhere(participants: &[Participant], addresses: &[&Url]) -> HashMap<String, String> {
    // An entry for a gap in the list is not a participant.
    let participants: Vec<&Participant> = participants.iter().filter(|one| one.gap.is_none()).collect();
    let Some(own) = own(&participants, addresses) else { return HashMap::new() };
    let hosts = participants.iter().filter(|one| one.role.eq_ignore_ascii_case("host"));
    hosts
        .filter(|host| host.portal_id != own)
        .map(|host| (host.collaboration_id.clone(), short(&host.portal_name)))
        .collect()
}

/// Returns the beginning of a name, which each participant of a collaboration gets.
fn short(name: &str) -> String {
    match name.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// Returns the identifier of this portal among the participants; `None` if it is not unique.
fn own<'a>(participants: &[&'a Participant], addresses: &[&Url]) -> Option<&'a str> {
    let mut in_each: HashMap<&str, HashSet<&str>> = HashMap::new();
    for one in participants {
        in_each.entry(&one.collaboration_id).or_default().insert(&one.portal_id);
    }
    let everywhere = in_each.into_values().reduce(|all, next| &all & &next)?;
    if everywhere.len() == 1 {
        return everywhere.into_iter().next();
    }
    let is_here = |one: &&&Participant| {
        Url::parse(&one.portal_url).is_ok_and(|url| addresses.iter().any(|own| same(own, &url)))
    };
    let mut here =
        participants.iter().filter(|one| everywhere.contains(one.portal_id.as_str())).filter(is_here);
    let first = here.next()?.portal_id.as_str();
    here.all(|one| one.portal_id == first).then_some(first)
}

fn same(one: &Url, other: &Url) -> bool {
    one.host_str() == other.host_str()
        && one.path().trim_end_matches('/') == other.path().trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(collaboration: &str, portal: &str, role: &str) -> Participant {
        Participant {
            collaboration_id: collaboration.to_owned(),
            collaboration_name: String::new(),
            portal_id: format!("id of {portal}"),
            portal_name: portal.to_owned(),
            portal_url: format!("https://{portal}.example.org/portal/"),
            role: role.to_owned(),
            status: "active".to_owned(),
            contact_firstname: String::new(),
            contact_lastname: String::new(),
            contact_email_address: String::new(),
            gap: None,
        }
    }

    fn hosts(participants: &[Participant], own: &str) -> Vec<(String, String)> {
        let address = Url::parse(own).unwrap();
        let mut found: Vec<_> = elsewhere(participants, &[&address]).into_iter().collect();
        found.sort();
        found
    }

    #[test]
    fn the_portal_that_takes_part_in_all_of_them_is_this_one_under_whatever_address() {
        let participants = [
            one("flood", "city", "Host"),
            one("flood", "county", "Guest"),
            one("map", "county", "host"),
            one("map", "city", "Guest"),
            one("trees", "city", "Host"),
            one("trees", "university", "Guest"),
        ];
        let map_is_theirs = [("map".to_owned(), "county".to_owned())];

        assert_eq!(hosts(&participants, "https://127.0.0.1:7443/arcgis"), map_is_theirs);
        assert_eq!(hosts(&participants, "https://city.example.org/portal"), map_is_theirs);
    }

    #[test]
    fn of_two_that_take_part_in_all_the_address_tells_and_where_it_does_not_nothing_is_said() {
        let participants = [one("map", "county", "Host"), one("map", "city", "Guest")];
        let map_is_theirs = [("map".to_owned(), "county".to_owned())];

        assert_eq!(hosts(&participants, "https://city.example.org/portal"), map_is_theirs);
        assert!(hosts(&participants, "https://county.example.org/portal").is_empty());
        assert!(hosts(&participants, "https://127.0.0.1:7443/arcgis").is_empty());
        assert!(hosts(&[], "https://city.example.org/portal").is_empty());
    }

    #[test]
    fn a_long_name_of_a_host_is_not_copied_to_each_participant() {
        let mut participants =
            vec![one("map", "county", "Host"), one("map", "city", "Guest"), one("flood", "city", "Host")];
        participants[0].portal_name = "ä".repeat(4_000);

        let hosts = hosts(&participants, "https://city.example.org/portal");

        assert_eq!(hosts, [("map".to_owned(), format!("{}…", "ä".repeat(LONGEST_NAME)))]);
    }
}
