//! Reads what expires from a component, one request after the other. Nothing is changed.

use futures_util::{StreamExt as _, stream};
use steward_client::listing::{self, Licenses, MachineCertificate};
use steward_client::{ClientError, Endpoint, Version};
use url::Url;

use super::gaps::returns_expiries;
use super::list::host_and_port;
use crate::access::Access;
use crate::model::checked::{
    CheckedCertificate, CheckedExpiries, CheckedLicense, CheckedPresented, ExpiryFact,
};
use crate::model::numbers::Millis;
use crate::model::problem::Problem;
use crate::sites::{TargetSite, origin};

/// Most machines of a server whose certificates are read. Each takes two requests.
const MOST_MACHINES: usize = 50;

/// Most connections at once that read which certificates machines present.
const AT_ONCE: usize = 2;

/// Most licenses that are stored of a component: those that expire first.
const MOST: usize = 200;

/// Longest stored reason, in characters.
const LONGEST_REASON: usize = 300;

/// Entries of one kind, with the reason why the site did not return others; or the reason why nothing was read.
type Read<T> = Result<(Vec<T>, Option<String>), String>;

/// The same of licenses, with the names of the lists that the response has.
type ReadLicenses = Result<(Vec<CheckedLicense>, Vec<&'static str>, Option<String>), String>;

/// Reads the licenses and the certificates of a component, and stores them. What the site does not return is stored as a gap, and
/// the earlier facts stay. `portal_version` is known from the same check. `is_first`: whether the certificates of this
/// computer are read, too, which are those of the whole site.
///
/// # Errors
/// Those of [`Access::portal`] and [`Access::server`].
pub async fn check(
    access: &Access,
    component: &TargetSite,
    portal_version: Option<Version>,
    is_first: bool,
) -> Result<(), Problem> {
    if is_first {
        let own = access.connections.own_certificates(component).await;
        let own = own.map(|all| (all, None)).map_err(|_| String::new());
        access.note_checked(component, |checks| {
            note(&mut checks.expiries, own, |all| &mut all.own_certificates, |_, _| false)
        });
    }
    if !returns_expiries(component) {
        return Ok(());
    }
    let (licenses, certificates, services_url, zone) = match component.server() {
        None => {
            let portal = access.portal(component).await?;
            let licenses = licenses(listing::portal_licenses(&portal, portal_version).await);
            let certificate = match listing::portal_certificate(&portal).await {
                Ok(one) => {
                    let known = component.portal.as_ref().and_then(|portal| {
                        portal.admin_url().filter(|url| component.is_confirmed(&portal.address, url))
                    });
                    let one = MachineCertificate { admin_url: known.cloned(), ..one };
                    Ok((of_ports(&portal, vec![(String::new(), one)]).await, None))
                }
                Err(error) => Err(reason(&error)),
            };
            (licenses, certificate, None, None)
        }
        Some(saved) => {
            let server = access.server(component).await?;
            let zone = listing::time_zone(&server).await.ok();
            let is_another = |url: &&Url| origin(url) != origin(&saved.address);
            let services_url = saved.services_url.as_ref().filter(is_another);
            let services_url = services_url.filter(|url| component.is_confirmed(&saved.address, url));
            let presented = match services_url {
                Some(url) => presented_at(&server, url).await,
                None => None,
            };
            let licenses = licenses(listing::server_licenses(&server).await);
            (licenses, of_machines(&server).await, presented, zone)
        }
    };
    access.note_checked(component, |checks| {
        let all = &mut checks.expiries;
        let licenses = licenses.map(|(found, lists, gap)| {
            let before = all.licenses.checked.value.iter().flatten();
            let gap = gap.or_else(|| no_longer_listed(before, &lists));
            (found, gap)
        });
        if let Some(zone) = zone {
            all.time_zone = zone;
        }
        note(
            all,
            licenses,
            |all| &mut all.licenses,
            |now, before| now.iter().all(|one| one.name != before.name),
        );
        note(
            all,
            certificates,
            |all| &mut all.machine_certificates,
            |now, before| now.iter().all(|one| one.machine != before.machine),
        );
        match services_url {
            Some(one) if one.expires_at.is_none() => {
                all.services_url.failed(format!("{}: {}", one.host, one.reason));
            }
            found => all.services_url.returned(found.into_iter().collect(), None),
        }
    });
    Ok(())
}

/// Notes that a component was not reached.
pub fn failed(access: &Access, component: &TargetSite) {
    access.note_checked(component, |checks| {
        let all = &mut checks.expiries;
        all.licenses.failed(String::new());
        all.machine_certificates.failed(String::new());
    });
}

/// Stores what was read of one kind. If something is missing, the earlier facts for which `stays` is true are kept:
/// they might still apply.
fn note<T: Clone>(
    all: &mut CheckedExpiries,
    read: Read<T>,
    of: impl FnOnce(&mut CheckedExpiries) -> &mut ExpiryFact<T>,
    stays: impl Fn(&[T], &T) -> bool,
) {
    let fact = of(all);
    match read {
        Err(reason) => fact.failed(reason),
        Ok((mut found, gap)) => {
            if gap.is_some() {
                let before = fact.checked.value.iter().flatten().filter(|one| stays(&found, one));
                let before: Vec<_> = before.cloned().collect();
                found.extend(before);
            }
            fact.returned(found, gap);
        }
    }
}

fn licenses(read: Result<Licenses, ClientError>) -> ReadLicenses {
    let Licenses { expiring, lists, gap } = read.map_err(|error| reason(&error))?;
    let license = |one: listing::License| CheckedLicense {
        list: one.list.to_owned(),
        name: one.name,
        expires_at: Millis(one.expires_at),
    };
    let mut all: Vec<_> = expiring.into_iter().map(license).collect();
    all.sort_by_key(|one| one.expires_at.0);
    all.truncate(MOST);
    Ok((all, lists, gap.map(|gap| short(&gap.to_string()))))
}

/// Returns why licenses that were returned before are not known now: the response lacks the list that had one. In a list that is there,
/// a license that is absent was removed.
fn no_longer_listed<'a>(
    mut before: impl Iterator<Item = &'a CheckedLicense>,
    lists: &[&str],
) -> Option<String> {
    let lost = before.find(|one| !one.list.is_empty() && !lists.contains(&one.list.as_str()))?;
    Some(format!("the response has no list {} any more", lost.list))
}

/// Reads the certificates of all machines of a server. A certificate that is not returned is a gap, and the others are
/// still read.
async fn of_machines(server: &Endpoint) -> Read<CheckedCertificate> {
    let (machines, gap) = listing::machines(server).await.map_err(|error| reason(&error))?;
    if machines.is_empty() {
        let reason = gap.map_or_else(|| "the server lists no machine".to_owned(), |gap| gap.to_string());
        return Err(short(&reason));
    }
    let mut gaps: Vec<_> = gap.iter().map(ToString::to_string).collect();
    let mut found = Vec::new();
    for machine in machines.iter().take(MOST_MACHINES) {
        match listing::machine_certificate(server, machine).await {
            Ok(one) => found.push((machine.clone(), one)),
            Err(error) => gaps.push(format!("{machine}: {}", reason(&error))),
        }
    }
    if machines.len() > MOST_MACHINES {
        gaps.push(format!("{MOST_MACHINES} of {} machines were read", machines.len()));
    }
    let found = of_ports(server, found).await;
    match &gaps[..] {
        [] => Ok((found, None)),
        gaps if found.is_empty() => Err(short(&gaps.join("; "))),
        gaps => Ok((found, Some(short(&gaps.join("; "))))),
    }
}

/// Adds to each certificate what the administration port of its machine presents.
async fn of_ports(endpoint: &Endpoint, found: Vec<(String, MachineCertificate)>) -> Vec<CheckedCertificate> {
    let read = |(machine, one): (String, MachineCertificate)| async move {
        let presented = match &one.admin_url {
            Some(url) => presented_at(endpoint, url).await,
            None => None,
        };
        let (expires_at, is_exact) = (Millis(one.expires_at), one.is_exact);
        CheckedCertificate { machine, alias: one.alias, expires_at, is_exact, presented }
    };
    stream::iter(found).map(read).buffered(AT_ONCE).collect().await
}

/// Reads the certificate that is presented at a URL, by a TLS handshake without a request; `None` for a URL without
/// encryption.
async fn presented_at(endpoint: &Endpoint, url: &Url) -> Option<CheckedPresented> {
    if url.scheme() != "https" {
        return None;
    }
    let (expires_at, reason) = match endpoint.presented_at(url).await {
        Ok(at) => (Some(Millis(at)), String::new()),
        Err(error) => (None, short(&error.to_string())),
    };
    Some(CheckedPresented { host: host_and_port(url), expires_at, reason })
}

fn reason(error: &ClientError) -> String {
    short(&error.to_string())
}

/// Returns the beginning of a reason, which is stored.
pub(crate) fn short(text: &str) -> String {
    match text.char_indices().nth(LONGEST_REASON) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_license_whose_list_is_not_returned_any_more_is_not_known() {
        let license = |list: &str| {
            let (list, name) = (list.to_owned(), "svradvanced".to_owned());
            CheckedLicense { list, name, expires_at: Millis(1_792_555_200_000) }
        };
        for (before, lists, is_lost) in [
            ("edition", &["features"][..], true),
            ("edition", &[], true),
            // The list is there: the license was removed from it.
            ("edition", &["edition"], false),
            // An earlier version of this app did not store the list.
            ("", &["features"], false),
        ] {
            let lost = no_longer_listed([license(before)].iter(), lists);
            assert_eq!(lost.is_some(), is_lost, "{before} {lists:?}");
        }
    }
}
