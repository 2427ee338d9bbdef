//! Which way requests leave this computer.

use steward_client::{SystemWay, system_way};

use super::check_result::{Advice, Check, FactName, FactWords, Finding, State};
use crate::sites::{SavedRoute, Site};

/// The variables that say so, in the order in which they are asked.
const VARIABLES: [&str; 6] =
    ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];

/// `site` comes with the way that leads there.
pub(super) fn examine(site: Option<(&Site, SavedRoute)>) -> Finding {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let mut finding = Finding::new(Check::Proxy);
    for name in VARIABLES {
        if let Some(value) = set(name) {
            finding =
                finding.fact(FactName::Variables, format_args!("{name}={}", without_credentials(&value)));
        }
    }
    if let Some(exceptions) = set("NO_PROXY").or_else(|| set("no_proxy")) {
        finding = finding.fact(FactName::Exceptions, exceptions);
    }
    let Some((site, route)) = site else { return finding };
    for url in site.addresses() {
        let to = url.origin().ascii_serialization();
        let way = match &route {
            SavedRoute::System => system_way(url),
            SavedRoute::Direct => {
                finding = finding.words(FactName::WayToSite, FactWords::DirectBySettings, to);
                continue;
            }
            SavedRoute::Proxy { address, user, .. } => {
                SystemWay::Through { proxy: address.clone(), with_credentials: !user.is_empty() }
            }
        };
        finding = match &way {
            SystemWay::ThisComputer => finding.words(FactName::WayToSite, FactWords::ThisComputer, to),
            SystemWay::Direct => finding.words(FactName::WayToSite, FactWords::Direct, to),
            SystemWay::Through { proxy, with_credentials: false } => {
                finding.fact(FactName::WayToSite, format_args!("{to}: {proxy}"))
            }
            SystemWay::Through { proxy, with_credentials: true } => {
                let to = format!("{to}: {proxy}");
                finding.words(FactName::WayToSite, FactWords::ThroughWithPassword, to)
            }
        };
        // The library leaves out a proxy that it cannot read, and goes directly.
        let faulty = || VARIABLES.iter().filter_map(|name| set(name)).any(|value| !is_address(&value));
        if matches!(way, SystemWay::Direct) && faulty() {
            finding = finding.say(State::Advice, Advice::CheckProxy);
        }
    }
    finding
}

/// `proxy:3128` is an address too, as the library reads it.
fn address(value: &str) -> Option<url::Url> {
    let whole = if value.contains("://") { value.to_owned() } else { format!("http://{value}") };
    url::Url::parse(&whole).ok().filter(url::Url::has_host)
}

fn is_address(value: &str) -> bool {
    address(value).is_some()
}

/// Name and password of a proxy stand before its host.
fn without_credentials(value: &str) -> String {
    match address(value) {
        Some(url) => {
            let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
            let hidden = if url.username().is_empty() && url.password().is_none() { "" } else { "***@" };
            format!("{}://{hidden}{}{port}", url.scheme(), url.host_str().unwrap_or_default())
        }
        // Whatever it is, it may hold a password.
        None => "***, which is no address".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_of_a_proxy_is_not_shown_however_it_is_written() {
        for (given, shown) in [
            ("http://sam:cAnArY@proxy.example.org:3128", "http://***@proxy.example.org:3128"),
            ("sam:cAnArY@proxy.example.org:3128", "http://***@proxy.example.org:3128"),
            ("cAnArY@proxy.example.org", "http://***@proxy.example.org"),
            ("http://proxy.example.org:3128/?token=cAnArY", "http://proxy.example.org:3128"),
            ("http://sam:cAn/ArY@proxy:3128", "***, which is no address"),
            ("http://[cAnArY", "***, which is no address"),
        ] {
            assert_eq!(without_credentials(given), shown, "{given}");
        }
    }
}
