//! Servers that were found, beside those that are saved.

use std::cmp::Reverse;
use std::collections::HashMap;

use url::Url;

use super::endpoints::NormalizedEndpoint;
use super::form::ServerForm;
use super::server_names::{Candidates, told_apart};
use super::site::SavedServer;

/// Names the servers that were found, so that they can be added to the saved ones. One that is saved already gets its
/// identifier.
pub(crate) fn name_found<'a>(saved: &[SavedServer], found: impl Iterator<Item = &'a mut ServerForm>) {
    let mut found: Vec<_> = found.collect();
    recognize(saved, &mut found);
    let new = found.iter().filter(|form| form.id.is_none()).map(|form| form.candidates());
    let mut names = told_apart(saved.iter().map(SavedServer::candidates).chain(new)).into_iter();
    let of_saved: HashMap<_, _> = saved.iter().map(|server| &server.id).zip(names.by_ref()).collect();
    for form in found {
        let name = match &form.id {
            Some(id) => of_saved.get(id).cloned(),
            None => names.next(),
        };
        form.name = name.unwrap_or_default();
    }
}

/// Gives each found server the identifier of a saved one: of the one with the same address in use, or else of the one
/// with the most addresses in common. Servers behind one host can share an address, and a saved one is only one of
/// them.
fn recognize(saved: &[SavedServer], found: &mut [&mut ServerForm]) {
    let in_use = |form: &ServerForm| Url::parse(&form.address).ok().map(|url| NormalizedEndpoint::of(&url));
    let endpoints: Vec<_> = found.iter().map(|form| (in_use(form), form.endpoints())).collect();
    let mut pairs = Vec::new();
    for (place, (in_use, all)) in endpoints.iter().enumerate() {
        found[place].id = None;
        for server in saved {
            let is_in_use = in_use.as_ref() == Some(&NormalizedEndpoint::of(&server.address));
            let shared = server.endpoints().filter(|one| all.contains(one)).count();
            pairs.extend((shared > 0).then_some(((is_in_use, shared), place, server)));
        }
    }
    pairs.sort_by_key(|(likeness, ..)| Reverse(*likeness));
    for (_, place, server) in pairs {
        let mut taken = (0..found.len()).filter(|other| found[*other].id.as_ref() == Some(&server.id));
        // A portal can list one server twice.
        let is_free = taken.all(|other| endpoints[other] == endpoints[place]);
        if is_free && found[place].id.is_none() {
            found[place].id = Some(server.id.clone());
        }
    }
}

impl ServerForm {
    fn candidates(&self) -> Candidates {
        let texts = [&self.services_url, &self.address].into_iter();
        let addresses: Vec<Url> = texts.filter_map(|text| Url::parse(text).ok()).collect();
        Candidates::of(&self.name, &addresses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ids::ServerId;
    use crate::sites::{Site, SiteForm};

    #[test]
    fn listed_servers_are_told_apart_from_each_other_and_from_the_saved_one() {
        let listed = |address: &str, public: &str| ServerForm {
            id: None,
            name: "gis.example.org".to_owned(),
            address: address.to_owned(),
            services_url: public.to_owned(),
            ..SiteForm::of("", "", "").servers.remove(0)
        };
        let mut all = [
            listed("https://gis.example.org/image", ""),
            // Found at the port of its machine, and saved with the URL of its web adaptor.
            listed("https://gis-01.internal:6443/arcgis", "https://GIS.example.org/server/"),
            listed("https://gis.example.org/notebooks", ""),
        ];
        let mut site = Site::example("city");
        site.servers[0].name = "gis.example.org".to_owned();

        name_found(&site.servers, all.iter_mut());

        let told: Vec<_> = all.iter().map(|one| (one.id.is_some(), one.name.as_str())).collect();
        assert_eq!(
            told,
            [
                (false, "gis.example.org/image"),
                (true, "gis.example.org/server"),
                (false, "gis.example.org/notebooks")
            ]
        );
    }

    #[test]
    fn of_two_listed_servers_that_share_an_address_one_is_saved_and_the_other_can_be_added() {
        let host = "https://gis.example.org:6443";
        let listed = |address: &str, public: &str| ServerForm {
            id: None,
            name: "gis.example.org".to_owned(),
            address: format!("{host}{address}"),
            services_url: format!("{host}{public}"),
            ..SiteForm::of("", "", "").servers.remove(0)
        };
        let saved = |names: &[&str]| {
            let example = Site::example("city").servers.remove(0);
            let servers = names.iter().map(|name| SavedServer {
                id: ServerId((*name).to_owned()),
                address: format!("{host}/{name}").parse().unwrap(),
                services_url: None,
                ..example.clone()
            });
            servers.collect::<Vec<_>>()
        };
        let recognized = |saved: &[SavedServer], mut listed: Vec<ServerForm>| {
            name_found(saved, listed.iter_mut());
            listed.into_iter().map(|form| form.id.map(|id| id.0)).collect::<Vec<_>>()
        };
        let one = |name: &str| Some(name.to_owned());

        // Each names the other one's address as its public URL.
        let crossed = vec![listed("/server2", "/server"), listed("/server", "/server2")];
        assert_eq!(recognized(&saved(&["server"]), crossed.clone()), [None, one("server")]);
        assert_eq!(recognized(&saved(&["server", "server2"]), crossed), [one("server2"), one("server")]);
        // Both have the same public URL.
        let shared = vec![listed("/image", "/server"), listed("/notebooks", "/server")];
        assert_eq!(recognized(&saved(&["server"]), shared), [one("server"), None]);
        // It is listed twice.
        let twice = vec![listed("/server", "/public"), listed("/server", "/public")];
        assert_eq!(recognized(&saved(&["server"]), twice), [one("server"), one("server")]);
    }
}
