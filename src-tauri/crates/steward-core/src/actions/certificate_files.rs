//! Certificate files that the page of the window can name: those that the user chose in the system's dialog, and those
//! that are in use already.
//!
//! [`check`] precedes every command with such a path, and reads nothing: to read a network path would sign in to another
//! computer.

use std::path::{Path, PathBuf};

use crate::files::selected_paths::SelectedPaths;
use crate::model::ids::SiteId;
use crate::model::problem::{FieldError, Problem};
use crate::settings::preferences::{LogServer, ProgramConnection};
use crate::sites::{ConnectionForm, Sites, path};

/// Checks the paths of the certificates in a form. `site` is the saved site that the form changes, `None` for a new one;
/// only its own client certificate is in use there. `program` is the connection of sites without their own.
///
/// # Errors
/// [`Problem::Form`] with [`FieldError::NotChosen`] for a path that is neither selected nor in use.
pub fn check(
    sites: &Sites,
    site: Option<&SiteId>,
    program: &ProgramConnection,
    selected: &SelectedPaths,
    form: &ConnectionForm,
) -> Result<(), Problem> {
    let sites = sites.all();
    let authorities = sites.iter().filter_map(|site| site.ca_certificate.clone());
    let authorities: Vec<_> = authorities.chain(path(&program.ca_certificate)).collect();
    let own = sites.iter().filter(|one| Some(&one.id) == site);
    let own: Vec<_> = own.filter_map(|site| site.client_certificate.clone()).collect();
    let is_known = |file: &Path, in_use: &[PathBuf]| {
        selected.was_opened(file) || in_use.iter().any(|known| known == file)
    };
    for (field, text, in_use) in [
        ("connection.caCertificate", &form.ca_certificate, &authorities),
        ("connection.clientCertificate", &form.client_certificate, &own),
    ] {
        if path(text).is_some_and(|file| !is_known(&file, in_use)) {
            return Err(Problem::form(field, FieldError::NotChosen));
        }
    }
    Ok(())
}

/// Checks the paths of the certificates of a log server. `in_use` is the one in effect.
///
/// # Errors
/// [`Problem::Form`] with [`FieldError::NotChosen`] for a path that is neither selected nor in use.
pub fn check_log_server(
    in_use: &LogServer,
    selected: &SelectedPaths,
    form: &LogServer,
) -> Result<(), Problem> {
    for (field, text, known) in [
        ("connection.caCertificate", &form.ca_certificate, &in_use.ca_certificate),
        ("connection.clientCertificate", &form.client_certificate, &in_use.client_certificate),
    ] {
        if path(text).is_some_and(|file| Some(&file) != path(known).as_ref() && !selected.was_opened(&file)) {
            return Err(Problem::form(field, FieldError::NotChosen));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::files::dialogs::{Choice, Dialogs, Title};
    use crate::sites::{ConnectionRoute, Site};

    /// Chooses one file in every dialog.
    struct Chooses(PathBuf);

    impl Dialogs for Chooses {
        fn save_file<'a>(&'a self, _: Title, _: &'a str) -> Choice<'a> {
            Box::pin(std::future::ready(Ok(None)))
        }

        fn open_file(&self, _: Title) -> Choice<'_> {
            Box::pin(std::future::ready(Ok(Some(self.0.clone()))))
        }

        fn choose_folder(&self, _: Title) -> Choice<'_> {
            Box::pin(std::future::ready(Ok(None)))
        }

        fn open_page(&self, _: &url::Url) -> Result<(), Problem> {
            Ok(())
        }
    }

    const CHOSEN: &str = "/home/sam/chosen.pem";
    const SHARE: &str = r"\\files.example.net\share\ca.pem";

    #[tokio::test]
    async fn only_a_file_that_the_user_chose_or_that_is_in_use_is_named_as_a_certificate() {
        let folder = tempfile::tempdir().unwrap();
        let sites = Sites::open(&folder.path().join("sites.json")).unwrap();
        let site = Site {
            ca_certificate: Some("/etc/ours/ca.pem".into()),
            client_certificate: Some("/home/sam/me.p12".into()),
            ..Site::example("a")
        };
        sites.put(site.clone()).unwrap();
        let program = ProgramConnection {
            route: ConnectionRoute::System,
            ca_certificate: "/etc/ours/program.pem".to_owned(),
        };
        let selected = SelectedPaths::new(Arc::new(Chooses(CHOSEN.into())), Path::new("/data"));
        let checked = |site: Option<&SiteId>, authority: &str, own: &str| {
            let form = ConnectionForm {
                ca_certificate: authority.to_owned(),
                client_certificate: own.to_owned(),
                ..ConnectionForm::default()
            };
            check(&sites, site, &program, &selected, &form)
        };
        let fault = |field: &str| Err(Problem::form(field, FieldError::NotChosen));
        let (authority, own) = ("connection.caCertificate", "connection.clientCertificate");

        for unchosen in [SHARE, "//files.example.net/share/ca.pem", CHOSEN, "/home/sam/me.p12"] {
            assert_eq!(checked(None, unchosen, ""), fault(authority), "{unchosen}");
        }
        for unchosen in [SHARE, CHOSEN, "/etc/ours/ca.pem"] {
            assert_eq!(checked(Some(&site.id), "", unchosen), fault(own), "{unchosen}");
        }
        for in_use in ["", "  ", "/etc/ours/ca.pem", "/etc/ours/program.pem"] {
            assert_eq!(checked(None, in_use, ""), Ok(()), "{in_use}");
        }
        assert_eq!(checked(Some(&site.id), "/etc/ours/ca.pem", "/home/sam/me.p12"), Ok(()));
        assert_eq!(checked(None, "", "/home/sam/me.p12"), fault(own), "that of another site");

        selected.open_file(Title::ChooseFile).await.unwrap();
        assert_eq!(checked(None, CHOSEN, CHOSEN), Ok(()));
        assert_eq!(checked(None, SHARE, ""), fault(authority));
    }

    #[tokio::test]
    async fn only_a_file_that_the_user_chose_or_that_is_in_use_is_named_for_a_log_server() {
        let selected = SelectedPaths::new(Arc::new(Chooses(CHOSEN.into())), Path::new("/data"));
        let with = |authority: &str, own: &str| LogServer {
            ca_certificate: authority.to_owned(),
            client_certificate: own.to_owned(),
            ..LogServer::default()
        };
        let in_use = with("/etc/ours/ca.pem", "/home/sam/me.p12");
        let checked = |form: &LogServer| check_log_server(&in_use, &selected, form);
        let fault = |field: &str| Err(Problem::form(field, FieldError::NotChosen));

        assert_eq!(checked(&in_use), Ok(()));
        assert_eq!(checked(&with(SHARE, "")), fault("connection.caCertificate"));
        assert_eq!(checked(&with("", "/etc/ours/ca.pem")), fault("connection.clientCertificate"));

        selected.open_file(Title::ChooseFile).await.unwrap();
        assert_eq!(checked(&with(CHOSEN, CHOSEN)), Ok(()));
    }
}
