//! Recognizes one person under the names that a sign-in form, a portal and a server write: `gisadmin`,
//! `CORP\gisadmin`, `CORP::gisadmin`, `gisadmin@CORP`.

/// Name of an account, and the domain that a name mentions.
struct Name {
    account: String,
    domain: Option<String>,
}

impl Name {
    fn of(name: &str) -> Self {
        let name = name.trim().to_lowercase();
        let before = ["::", "\\", "/"].iter().find_map(|mark| {
            let (domain, account) = name.split_once(mark)?;
            Some((account, domain))
        });
        let (account, domain) = before.or_else(|| name.rsplit_once('@')).unwrap_or((&name, ""));
        let domain = domain.trim();
        // Windows writes a dot for its own accounts.
        let named = !domain.is_empty() && domain != ".";
        Self { account: account.trim().to_owned(), domain: named.then(|| domain.to_owned()) }
    }

    /// Whether the domain is an internet name, with which a name can also be an email address and an account of its own.
    fn is_email_like(&self) -> bool {
        self.domain.as_ref().is_some_and(|domain| domain.contains('.'))
    }
}

/// Returns whether two names at one site are of the same person. Ignores letter case; a name without a domain matches
/// any domain.
///
/// In doubt, the names are of two persons: `ana` and `ana@example.org` can be two accounts of one portal, and what one
/// of them typed is not shown to the other.
pub(crate) fn is_same_person(one: &str, other: &str) -> bool {
    let (one, other) = (Name::of(one), Name::of(other));
    if one.account.is_empty() || one.account != other.account {
        return false;
    }
    match (&one.domain, &other.domain) {
        (None, None) => true,
        (Some(_), None) => !one.is_email_like(),
        (None, Some(_)) => !other.is_email_like(),
        (Some(domain), Some(its)) => domain == its,
    }
}

/// Returns the `known` spelling of a name if it is of the same person, so that a person has one name throughout a site.
pub(crate) fn known_as(known: Option<&str>, name: String) -> String {
    match known {
        Some(known) if is_same_person(known, &name) => known.to_owned(),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_person_is_recognized_under_every_spelling_and_nobody_is_taken_for_another() {
        for (one, other, is_same) in [
            ("gisadmin", "gisadmin", true),
            ("gisadmin", "GISAdmin", true),
            ("CORP::gisadmin", "gisadmin", true),
            (r"CORP\gisadmin", "gisadmin", true),
            ("gisadmin@CORP", "gisadmin", true),
            ("CORP::gisadmin", r"corp\GisAdmin", true),
            ("gisadmin@CORP", "CORP::gisadmin", true),
            ("CORP/gisadmin", r"CORP\gisadmin", true),
            (r".\gisadmin", "gisadmin", true),
            (" gisadmin ", "CORP::gisadmin", true),
            ("ana@example.org", "Ana@Example.org", true),
            (r"example.org\ana", "ana@example.org", true),
            ("CORP::gisadmin", "LAB::gisadmin", false),
            (r"CORP\gisadmin", "gisadmin@LAB", false),
            ("gisadmin", "gisadmin2", false),
            ("CORP::ana", "CORP::ben", false),
            ("corp", "CORP::gisadmin", false),
            // Perhaps one person, and perhaps not.
            ("ana", "ana@example.org", false),
            (r"CORP\ana", "ana@corp.example.org", false),
            ("ana@example.org", "ana@lab.example.org", false),
            ("ána", "ana", false),
            ("", "", false),
            ("", "gisadmin", false),
            ("CORP::", "LAB::", false),
        ] {
            assert_eq!(is_same_person(one, other), is_same, "{one} {other}");
            assert_eq!(is_same_person(other, one), is_same, "{other} {one}");
        }
    }

    #[test]
    fn a_person_keeps_the_name_that_is_known() {
        let name = |known, name: &str| known_as(known, name.to_owned());
        assert_eq!(name(Some("gisadmin"), "CORP::gisadmin"), "gisadmin");
        assert_eq!(name(Some(r"CORP\gisadmin"), "CORP::gisadmin"), r"CORP\gisadmin");
        assert_eq!(name(Some("ana"), "CORP::gisadmin"), "CORP::gisadmin");
        assert_eq!(name(None, "CORP::gisadmin"), "CORP::gisadmin");
        assert_eq!(name(Some("gisadmin"), ""), "");
    }
}
