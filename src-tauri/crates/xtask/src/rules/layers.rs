//! The modules of `steward-core` import downwards only.

use super::Violation;

const CORE: &str = "src-tauri/crates/steward-core/src/";

/// From the ground up. A module may import those that stand before it.
const LAYERS: &[&str] = &[
    "model",
    "files",
    "sites",
    "settings",
    "access",
    "history",
    "runs",
    "actions",
    "transfers",
    "listings",
    "execution",
    "batch",
    "operations",
    "follow_up",
    "practice",
    "logs",
    "updates",
    "diagnostics",
];

/// Holds all services until each is handed what it needs. Stands outside the order.
const ALL_SERVICES: &str = "host";

/// Checks one file.
pub(super) fn check(file: &str, source: &str) -> Vec<Violation> {
    let Some(own) = file.strip_prefix(CORE).and_then(|path| path.split(['/', '.']).next()) else {
        return Vec::new();
    };
    if own == "lib" || own == ALL_SERVICES {
        return Vec::new();
    }
    let lines = source.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
    let imports = lines.flat_map(|(index, line)| imported(line).map(move |module| (index + 1, module)));
    let upwards = imports.filter(|(_, module)| *module != ALL_SERVICES && layer(module) > layer(own));
    let violation = |(line, module)| Violation {
        file: file.into(),
        line,
        what: format!("{own} imports {module}"),
        why: "modules of steward-core import downwards only, so that each can be read without those above it",
    };
    upwards.map(violation).collect()
}

/// The place of a module in the order. One that has none is above all others.
fn layer(module: &str) -> usize {
    LAYERS.iter().position(|layer| *layer == module).unwrap_or(LAYERS.len())
}

/// The modules at the root of the crate that a line names.
fn imported(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("crate::").filter_map(move |(at, prefix)| {
        let is_whole = !line[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
        let name =
            line[at + prefix.len()..].split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        name.take(1).find(|name| is_whole && !name.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(file: &str, source: &str) -> Vec<usize> {
        check(&format!("{CORE}{file}"), source).iter().map(|violation| violation.line).collect()
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
    fn a_module_without_a_place_is_above_all_others() {
        assert_eq!(lines("model/mod.rs", "use crate::new::Thing;"), [1]);
        assert!(lines("new.rs", "use crate::diagnostics;").is_empty());
    }

    #[test]
    fn words_in_comments_and_other_crates_are_no_imports() {
        assert!(lines("model/mod.rs", "//! See [`crate::runs`].\nuse some_crate::runs;").is_empty());
        assert!(check("src-tauri/src/lib.rs", "use crate::window;").is_empty());
    }
}
