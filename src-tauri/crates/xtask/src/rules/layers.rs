//! The modules of `steward-core`, `steward-plans`, `steward-app`, `steward-client` and `steward-journal` import downwards only,
//! and the operations of `steward-core` nothing of each other.

use super::violation::Violation;

const CORE: &str = "src-tauri/crates/steward-core/src/";

/// Sources of a crate, and its modules from the ground up. A module may import those that stand before it.
const CRATES: [(&str, &[&str]); 5] = [
    (CORE, CORE_LAYERS),
    ("src-tauri/crates/steward-plans/src/", PLAN_LAYERS),
    ("src-tauri/crates/steward-app/src/", &["overview", "steward"]),
    ("src-tauri/crates/steward-client/src/", CLIENT_LAYERS),
    ("src-tauri/crates/steward-journal/src/", JOURNAL_LAYERS),
];

const CORE_LAYERS: &[&str] = &[
    "model",
    "files",
    "sites",
    "daily_copies",
    "settings",
    "history",
    "access",
    "expiry",
    "vendor_backups",
    "runs",
    "site_context",
    "actions",
    "execution",
    "batch",
    "outcome_facts",
    "transfers",
    "listings",
    "inventory",
    "webhooks",
    "operations",
    "proof",
    "changes",
    "request_preview",
    "follow_up",
    "practice",
    "logs",
    "updates",
    "forwarding",
    "diagnostics",
    "unreadable",
    "start",
];

const PLAN_LAYERS: &[&str] = &[
    "drive",
    "schedule",
    "retention",
    "plan",
    "acceptance_line",
    "set",
    "not_removed",
    "form",
    "profiles",
    "scheduler",
    "sign_of_life",
    "exchange",
    "acceptance",
    "account_key",
    "awake",
    "attempt",
    "attempt_end",
    "plan_folder",
    "store",
    "due",
    "alerts",
    "rules",
    "services",
    "host",
    "events",
    "attempt_record",
    "removal",
    "keeping",
    "open_sets",
    "cut_off",
    "acceptance_facts",
    "prepare",
    "state",
    "sets",
    "copied",
    "set_contents",
    "set_search",
    "set_trail",
    "set_verification",
    "restore",
    "rehearsal",
    "saved",
    "data_files",
    "tell",
    "expiries",
    "all_well",
    "changes",
    "night",
    "process",
];

const CLIENT_LAYERS: &[&str] = &[
    "moment",
    "invisible",
    "limits",
    "version",
    "deployment_type",
    "item_fields",
    "spellings",
    "setup_fault",
    "multipart",
    "list_scanner",
    "request",
    "token_expiry",
    "wire",
    "status_words",
    "beside",
    "raw_list",
    "proxy_exceptions",
    "proxy_refusal",
    "route",
    "receivers",
    "trust",
    "response_capture",
    "system_proxy",
    "error",
    "send_state",
    "decode",
    "acknowledged",
    "referer",
    "http",
    "log_server",
    "alerts",
    "mail",
    "in_front",
    "token_source",
    "endpoint",
    "token_retry",
    "permit",
    "clock",
    "download",
    "range_read",
    "public_file",
    "sign_in",
    "pasted_token",
    "oauth",
    "rejected_passwords",
    "session",
    "webhooks",
    "listing",
    "data_validation",
    "uploads",
    "operations",
    "requirements",
    "discovery",
    "fuzzing",
];

const JOURNAL_LAYERS: &[&str] = &[
    "report",
    "workstation",
    "process",
    "record",
    "checksum",
    "salvage",
    "schema",
    "opened",
    "search",
    "trail",
    "journal",
    "audit_trail",
    "checklist",
    "deactivations",
    "outcome_resolution",
    "unsolved",
    "integrity_check",
    "copy",
    "tables",
    "page",
    "trail_files",
    "audit_package",
    "command_export",
];

/// Checks one file, given all operations.
pub(super) fn check(file: &str, source: &str, operations: &[&str]) -> Vec<Violation> {
    let of_crate =
        |(root, layers): &(&str, &'static [&'static str])| Some((file.strip_prefix(root)?, *layers));
    let Some((path, layers)) = CRATES.iter().find_map(of_crate) else { return Vec::new() };
    let own = path.split(['/', '.']).next().unwrap_or_default();
    if own == "lib" {
        return Vec::new();
    }
    let layer = |module: &str| layers.iter().position(|layer| *layer == module).unwrap_or(layers.len());
    let code: String = source.split_inclusive('\n').map(without_comment).collect();
    let is_known = |module: &str| layers.contains(&module);
    let imports = imported(&code, "crate::").chain(
        // Seen from a module of the root, what is above is the root.
        imported(&code, "super::").filter(|(_, module)| is_root_module(path) && is_known(module)),
    );
    // A name in uppercase, which a unit test imports by the re-exports of the crate, is no module.
    let modules = imports.filter(|(_, module)| module.starts_with(|letter: char| letter.is_lowercase()));
    let upwards = modules.filter(|(_, module)| layer(module) > layer(own));
    let violation = |(line, module)| Violation {
        file: file.into(),
        line,
        what: format!("{own} imports {module}"),
        why: "modules of this crate import downwards only, so that each can be read without those above it",
    };
    let mut violations: Vec<Violation> = upwards.map(violation).collect();
    violations.extend(others(file, source, operations).into_iter().map(|(line, other)| Violation {
        file: file.into(),
        line,
        what: format!("names {other}"),
        why: "an operation is read, changed and tested without the others",
    }));
    violations
}

/// The other operations that the file of an operation names, with the lines.
fn others<'a>(file: &str, source: &str, operations: &[&'a str]) -> Vec<(usize, &'a str)> {
    let path = file.strip_prefix(CORE).and_then(|path| path.strip_prefix("operations/"));
    let own = path.and_then(|path| path.split(['/', '.']).next()).unwrap_or_default();
    if !operations.contains(&own) {
        return Vec::new();
    }
    let code: String = source.split_inclusive('\n').map(without_comment).collect();
    let mut found = Vec::new();
    for prefix in ["super::", "crate::operations::"] {
        for (at, _) in code.match_indices(prefix) {
            let rest = &code[at + prefix.len()..];
            // A group names modules up to its end, and on the way things that are none.
            let end = if rest.starts_with('{') { '}' } else { ':' };
            let names = rest.split(end).next().unwrap_or_default();
            let mut names = names.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
            let other = names.find_map(|name| operations.iter().find(|other| **other == name && name != own));
            found.extend(other.map(|other| (code[..at].matches('\n').count() + 1, *other)));
        }
    }
    found
}

/// A line as it is, or only its end where it is a comment.
fn without_comment(line: &str) -> &str {
    if line.trim_start().starts_with("//") { "\n" } else { line }
}

/// Whether a file is a module at the root of its crate: `runs.rs` and `history/mod.rs` are.
fn is_root_module(path: &str) -> bool {
    !path.trim_end_matches("/mod.rs").contains('/')
}

/// The modules that code names behind `prefix`, alone or in a group, with the lines.
fn imported<'a>(code: &'a str, prefix: &'static str) -> impl Iterator<Item = (usize, &'a str)> {
    code.match_indices(prefix).flat_map(move |(at, _)| {
        let is_whole =
            !code[..at].ends_with(|letter: char| letter.is_alphanumeric() || "_:".contains(letter));
        let line = code[..at].matches('\n').count() + 1;
        let names = is_whole.then(|| first_names(&code[at + prefix.len()..]));
        names.into_iter().flatten().map(move |name| (line, name))
    })
}

/// The first names of a path, or of each path of a group.
fn first_names(rest: &str) -> Vec<&str> {
    let name = |path: &str| path.find(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    let mut names = Vec::new();
    let Some(group) = rest.strip_prefix('{') else {
        let end = name(rest).unwrap_or(rest.len());
        return if end == 0 { names } else { vec![&rest[..end]] };
    };
    let (mut depth, mut begin) = (0_usize, 0);
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                let path = group[begin..at].trim_start();
                names.extend(path.get(..name(path).unwrap_or(path.len())).filter(|name| !name.is_empty()));
                begin = at + 1;
                if letter == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPERATIONS: [&str; 3] = ["find_items", "export_portal", "import_server"];

    fn lines(file: &str, source: &str) -> Vec<usize> {
        check(&format!("{CORE}{file}"), source, &OPERATIONS).iter().map(|violation| violation.line).collect()
    }

    #[test]
    fn an_import_upwards_is_reported_and_one_downwards_is_not() {
        let source =
            "use crate::model::ids::SiteId;\nuse crate::operations::import_server;\nlet a = crate::runs::A;";
        assert_eq!(lines("history/mod.rs", source), [2, 3]);
        assert_eq!(lines("runs.rs", source), [2]);
        assert!(lines("diagnostics/mod.rs", source).is_empty());
    }

    #[test]
    fn groups_and_what_is_above_a_module_of_the_root_are_imports_too() {
        let group =
            "use crate::{\n    model::{ids::SiteId, operations},\n    runs::Run,\n};\nuse super::access;";
        assert_eq!(lines("history/mod.rs", group), [1, 5]);
        assert_eq!(lines("history/record.rs", group), [1]);
        assert!(lines("start.rs", group).is_empty());
        assert!(lines("runs.rs", "use super::*;\nsuper::helper();\nmy_crate::operations::a();").is_empty());
    }

    #[test]
    fn the_modules_of_the_journal_have_an_order_too() {
        let upwards =
            check("src-tauri/crates/steward-journal/src/record.rs", "use crate::journal::Journal;", &[]);
        assert_eq!(upwards.len(), 1);
        let downwards =
            check("src-tauri/crates/steward-journal/src/page.rs", "use crate::record::Record;", &[]);
        assert!(downwards.is_empty());
    }

    #[test]
    fn a_module_without_a_place_is_above_all_others() {
        assert_eq!(lines("model/mod.rs", "use crate::new::Thing;"), [1]);
        assert!(lines("new.rs", "use crate::diagnostics;").is_empty());
    }

    #[test]
    fn words_in_comments_and_other_crates_are_no_imports() {
        assert!(lines("model/mod.rs", "//! See [`crate::runs`].\nuse some_crate::runs;").is_empty());
        assert!(check("src-tauri/src/lib.rs", "use crate::window;", &OPERATIONS).is_empty());
    }

    #[test]
    fn an_operation_does_not_know_another() {
        let source = "use super::{export_portal, shared};\nuse crate::operations::find_items::Form;\n\
                      crate::operations::import_server::brief();\nuse super::{\n    shared,\n    export_portal,\n};\n\
                      // super::export_portal\nuse client::operations::export_portal::ExportPortal;\n";
        assert_eq!(lines("operations/find_items.rs", source), [1, 4, 3]);
        assert_eq!(lines("operations/find_items/item_search.rs", "super::super::export_portal::to()"), [1]);
        assert!(lines("operations/mod.rs", source).is_empty());
    }

    #[test]
    fn a_violation_is_one_line_that_says_why() {
        let file = format!("{CORE}operations/find_items.rs");
        let [violation] = &check(&file, "use super::export_portal::Form;", &OPERATIONS)[..] else {
            panic!("one violation")
        };
        let said = "names export_portal: an operation is read, changed and tested without the others";
        assert_eq!(violation.to_string(), format!("{file}:1: {said}"));
    }
}
