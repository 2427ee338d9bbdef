//! Tests that are skipped under Wine, each with its reason.
//!
//! Only limits of Wine justify an entry; errors of the app on Windows and tests that assume Linux are corrected
//! instead.

/// Full name of a test, and the reason why Wine cannot run it.
pub(super) type LeftOut = (&'static str, &'static str);

const AUTHORITIES: &str = "Wine 8 judges certificates without an authority of our own: it refuses the list of them in the \
                           form that Windows 8 gave it";

const OPENSSL: &str = "Wine starts no OpenSSL for Linux, which is the server of this test";

const POWERSHELL: &str = "Wine 8 has no PowerShell, which runs the script of an audit package on Windows";

pub(super) const LEFT_OUT: &[LeftOut] = &[
    (
        "audit_package::an_audit_package_has_all_envelopes_and_only_its_own_bodies_and_verifies_without_the_program",
        POWERSHELL,
    ),
    ("alerts::a_receiver_is_trusted_by_an_authority_and_by_nothing_of_a_site", AUTHORITIES),
    (
        "log_servers::a_server_behind_a_proxy_is_reached_by_a_tunnel_and_a_proxy_that_opens_none_is_told",
        AUTHORITIES,
    ),
    (
        "log_servers::a_server_that_ends_or_breaks_the_connection_by_itself_has_not_taken_the_messages",
        AUTHORITIES,
    ),
    (
        "log_servers::a_server_that_requires_a_client_certificate_gets_the_given_one_and_rejects_none",
        AUTHORITIES,
    ),
    ("log_servers::messages_arrive_whole_and_in_their_order", AUTHORITIES),
    (
        "log_servers::nothing_is_sent_to_a_server_whose_certificate_is_not_trusted_not_even_if_it_is_trusted_for_a_site",
        AUTHORITIES,
    ),
    ("mail_servers::a_mail_server_behind_a_proxy_is_reached_by_a_tunnel", AUTHORITIES),
    ("mail_servers::a_server_without_starttls_learns_neither_password_nor_receiver", AUTHORITIES),
    ("mail_servers::mail_is_taken_over_tls_from_the_beginning_and_after_starttls", AUTHORITIES),
    (
        "mail_servers::nothing_is_sent_to_a_mail_server_that_is_not_trusted_or_whose_replies_come_from_between",
        AUTHORITIES,
    ),
    ("mail_servers::the_words_of_a_mail_server_come_back_and_one_without_an_end_is_left", AUTHORITIES),
    ("tls_settings::a_certificate_that_is_asked_for_after_the_request_is_told_as_such", OPENSSL),
    ("tls_settings::a_server_with_other_cipher_suites_or_versions_of_tls_is_told_as_such", OPENSSL),
    ("trust::a_certificate_for_another_host_is_refused", AUTHORITIES),
    ("trust::a_certificate_of_a_named_authority_is_accepted", AUTHORITIES),
    ("trust::a_certificate_of_an_unknown_authority_is_refused", AUTHORITIES),
    ("trust::a_certificate_that_is_not_valid_yet_is_refused", AUTHORITIES),
    (
        "trust::a_certificate_that_names_a_trusted_authority_and_was_signed_with_another_key_is_told_as_that",
        AUTHORITIES,
    ),
    ("trust::an_expired_certificate_is_refused", AUTHORITIES),
    (
        "trust::a_self_signed_certificate_is_refused_and_everything_wrong_with_it_is_said",
        "Wine 8 takes a signature for wrong if one of its two numbers is short, as in one of fifty new certificates",
    ),
    (
        "fault_injection::a_connection_is_reset_before_or_after_the_operation",
        "Wine 8 mostly tells of a connection that was reset as of one that ended",
    ),
    ("trail::scripts::a_kept_head_is_there_as_long_as_nothing_before_it_was_changed", POWERSHELL),
    (
        "trail::scripts::each_script_finds_what_a_verification_finds_and_without_a_kept_head_nothing_else",
        POWERSHELL,
    ),
    ("trail::scripts::names_from_a_site_do_not_confuse_a_script", POWERSHELL),
    ("trail::scripts::without_a_head_a_script_says_what_it_cannot_know", POWERSHELL),
    (
        "foreign_clients::the_vendors_javascript_client_signs_in_and_performs_every_operation",
        "Wine does not start this machine's Node.js",
    ),
];

/// Returns the entries that are not in `tests`, which has one line per test, `NAME: test`.
pub(super) fn unknown(list: &[LeftOut], tests: &str) -> Vec<&'static str> {
    let is_there =
        |name: &str| tests.lines().any(|line| line.trim_end().strip_suffix(": test") == Some(name));
    list.iter().map(|(name, _)| *name).filter(|name| !is_there(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_was_renamed_is_noticed() {
        let list = [("trust::stays", ""), ("trust::goes", "")];
        assert_eq!(unknown(&list, "trust::stays: test\r\ntrust::goes_on: test\n"), ["trust::goes"]);
    }
}
