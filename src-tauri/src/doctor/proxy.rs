//! Which way requests leave this computer.

use steward_client::{SystemWay, system_way};

use super::finding::{Advice, Check, FactName, Finding, State};
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
        let way = match &route {
            SavedRoute::System => of_the_system(url),
            SavedRoute::Direct => "direct, as the settings say".to_owned(),
            SavedRoute::Proxy { address, user, .. } if user.is_empty() => address.clone(),
            SavedRoute::Proxy { address, .. } => format!("{address}, with a name and a password"),
        };
        let finding_of_way = format!("{}: {way}", url.origin().ascii_serialization());
        finding = finding.fact(FactName::WayToSite, finding_of_way);
        // The library leaves out a proxy that it cannot read, and goes directly.
        if way == "direct" && VARIABLES.iter().filter_map(|name| set(name)).any(|value| !is_address(&value)) {
            finding = finding.say(State::Advice, Advice::CheckProxy);
        }
    }
    finding
}

fn of_the_system(url: &url::Url) -> String {
    match system_way(url) {
        SystemWay::ThisComputer => "this computer, never through a proxy".to_owned(),
        SystemWay::Direct => "direct".to_owned(),
        SystemWay::Through { proxy, with_credentials: false } => proxy,
        SystemWay::Through { proxy, with_credentials: true } => {
            format!("{proxy}, with a name and a password")
        }
    }
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
