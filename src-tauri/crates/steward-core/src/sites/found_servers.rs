//! Servers that were found, beside those that are saved.

use std::collections::HashMap;

use url::Url;

use super::form::ServerForm;
use super::server_names::{Candidates, told_apart};
use super::site::SavedServer;

/// Names the servers that were found, so that they can be added to the saved ones. One that is saved already gets its
/// identifier.
pub(crate) fn name_found<'a>(saved: &[SavedServer], found: impl Iterator<Item = &'a mut ServerForm>) {
    let mut found: Vec<_> = found.collect();
    for form in &mut found {
        let here = form.endpoints();
        let same = saved.iter().find(|server| server.endpoints().any(|one| here.contains(&one)));
        form.id = same.map(|server| server.id.clone());
    }
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
            // Its own port answers; the saved one is known by its web adaptor.
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
}
