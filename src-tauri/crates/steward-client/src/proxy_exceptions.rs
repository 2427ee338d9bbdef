//! Hosts that are reached without a proxy: the one reader of `NO_PROXY` and of the exceptions in the settings of a
//! site.

use std::net::IpAddr;

use ipnet::IpNet;
use url::{Host, Url};

/// Returns the exceptions in the environment, which apply to the system's proxy settings.
pub(crate) fn of_environment() -> String {
    let given = ["no_proxy", "NO_PROXY"].iter().find_map(|name| std::env::var(name).ok());
    given.unwrap_or_default()
}

/// Returns whether `url` is reached without a proxy. The entries of `exceptions` are separated by commas, semicolons or
/// blanks. An entry is `*`, a domain that includes its subdomains (`corp.test`, `.corp.test`, `*.corp.test`), a pattern
/// (`10.1.*`), an IP address, a range (`10.0.0.0/8`), or `<local>` for names without a dot; each can end with a port.
pub(crate) fn covers(exceptions: &str, url: &Url) -> bool {
    let Some(host) = url.host_str() else { return false };
    let host = bare(host);
    let entries = exceptions.split([',', ';', ' ', '\t', '\r', '\n']);
    entries
        .filter(|entry| !entry.is_empty())
        .any(|entry| is_covered(entry, &host, url.port_or_known_default()))
}

fn is_covered(entry: &str, host: &str, port: Option<u16>) -> bool {
    let address = host.parse::<IpAddr>().ok();
    if let Ok(range) = entry.parse::<IpNet>() {
        return address.is_some_and(|address| range.contains(&address));
    }
    let entry = entry.split_once("://").map_or(entry, |(_, rest)| rest);
    let entry = entry.split('/').next().unwrap_or_default();
    let (name, only_port) = with_port(entry);
    if only_port.is_some_and(|only| Some(only) != port) {
        return false;
    }
    let name = bare(name);
    if name == "<local>" {
        return address.is_none() && !host.contains('.');
    }
    if let Ok(one) = name.parse::<IpAddr>() {
        return address == Some(one);
    }
    if name.contains('*') && matches_pattern(&name, host) {
        return true;
    }
    let domain = name.strip_prefix('*').unwrap_or(&name);
    let domain = domain.strip_prefix('.').unwrap_or(domain);
    !domain.is_empty() && host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// Splits a port off. The colons of an IPv6 address without brackets are no separators.
fn with_port(entry: &str) -> (&str, Option<u16>) {
    let split = entry.rsplit_once(':').and_then(|(name, port)| Some((name, port.parse().ok()?)));
    match split {
        Some((name, port)) if !name.contains(':') || name.ends_with(']') => (name, Some(port)),
        _ => (entry, None),
    }
}

/// Returns a name in the form that URLs have, without brackets and without the dot of the root.
fn bare(name: &str) -> String {
    let name = name.trim_matches(['[', ']']).trim_end_matches('.').to_lowercase();
    match Host::parse(&name) {
        Ok(Host::Domain(ascii)) if !name.is_ascii() => ascii,
        _ => name,
    }
}

/// Returns whether `host` matches a pattern in which `*` stands for any characters.
fn matches_pattern(pattern: &str, host: &str) -> bool {
    let mut rest = host;
    let parts: Vec<&str> = pattern.split('*').collect();
    let last = parts.len() - 1;
    parts.iter().enumerate().all(|(at, part)| {
        let found = match at {
            0 => rest.strip_prefix(part),
            _ if at == last => rest.ends_with(part).then_some(""),
            _ => rest.split_once(part).map(|(_, after)| after),
        };
        found.map(|after| rest = after).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exception_covers_what_its_administrator_means_in_each_way_of_writing() {
        for (exceptions, url, is_direct) in [
            ("*.corp.test", "https://gis.corp.test/portal", true),
            ("*.corp.test", "https://corp.test/", true),
            ("*.corp.test", "https://notcorp.test/", false),
            (".corp.test", "https://gis.corp.test/", true),
            ("corp.test", "https://a.gis.corp.test/", true),
            ("corp.test", "https://corp.test.example.org/", false),
            ("GIS.Corp.Test", "https://gis.corp.test/", true),
            ("gis.corp.test.", "https://gis.corp.test/", true),
            ("gis.corp.test", "https://gis.corp.test./", true),
            ("gis.corp.test:443", "https://gis.corp.test/", true),
            ("gis.corp.test:6443", "https://gis.corp.test:6443/", true),
            ("gis.corp.test:6443", "https://gis.corp.test/", false),
            ("*.corp.test:80", "http://gis.corp.test/", true),
            ("https://gis.corp.test/", "https://gis.corp.test/", true),
            ("https://gis.corp.test:6443/arcgis", "https://gis.corp.test:6443/", true),
            ("other.test, gis.corp.test", "https://gis.corp.test/", true),
            ("other.test;gis.corp.test", "https://gis.corp.test/", true),
            ("other.test gis.corp.test", "https://gis.corp.test/", true),
            (" , ;", "https://gis.corp.test/", false),
            ("", "https://gis.corp.test/", false),
            (".", "https://gis.corp.test/", false),
            ("*", "https://gis.corp.test/", true),
            ("gis*.corp.test", "https://gis01.corp.test/", true),
            ("gis*.corp.test", "https://web.corp.test/", false),
            ("*gis*", "https://my-gis-01.corp.test/", true),
            ("<local>", "https://gisapp01/", true),
            ("<local>", "https://gis.corp.test/", false),
            ("<local>", "https://[fe80::1]/", false),
            ("10.0.0.0/8", "https://10.1.2.3/", true),
            ("10.0.0.0/8", "https://11.1.2.3/", false),
            ("10.1.*", "https://10.1.2.3:6443/", true),
            ("10.1.2.3", "https://10.1.2.3/", true),
            ("10.1.2.3:6443", "https://10.1.2.3:6443/", true),
            ("10.1.2.3:6443", "https://10.1.2.3/", false),
            ("2001:db8::1", "https://[2001:db8::1]/", true),
            ("[2001:db8::1]", "https://[2001:db8::1]/", true),
            ("[2001:db8::1]:6443", "https://[2001:db8::1]:6443/", true),
            ("[2001:db8::1]:6443", "https://[2001:db8::1]/", false),
            ("2001:db8::/32", "https://[2001:db8::1]/", true),
            ("münchen.example", "https://gis.münchen.example/", true),
        ] {
            assert_eq!(covers(exceptions, &Url::parse(url).unwrap()), is_direct, "{exceptions:?} for {url}");
        }
    }
}
