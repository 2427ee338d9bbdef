//! What the TypeScript sources of one place may not import.

use super::Violation;

/// The files that may name Tauri: the bridge, and what is generated for it.
const DOOR: &[&str] = &["ui/src/bridge/tauri.ts", "ui/src/bridge/bindings.ts"];

/// Where each operation has a folder.
const OPERATIONS: &str = "ui/src/operations/";

/// Checks one file.
pub(super) fn check(file: &str, source: &str) -> Vec<Violation> {
    let imports = imports(source);
    let violations = imports.filter_map(|(line, module)| {
        why_not(file, module).map(|why| Violation {
            file: file.into(),
            line,
            what: format!("imports {module}"),
            why,
        })
    });
    violations.collect()
}

fn why_not(file: &str, module: &str) -> Option<&'static str> {
    if module.starts_with("@tauri-apps/") && !DOOR.contains(&file) {
        return Some("only the bridge knows Tauri, so that the window also runs in a browser and in tests");
    }
    let own = operation_of(file)?;
    let target = resolve(file, module)?;
    let other = operation_of(&target)?;
    (own != other).then_some("an operation is read, changed and tested without the other six")
}

/// Number and module of every import and re-export.
fn imports(source: &str) -> impl Iterator<Item = (usize, &str)> {
    source.lines().enumerate().flat_map(|(index, line)| {
        let code = line.trim_start();
        let is_comment = ["//", "*", "/*"].iter().any(|start| code.starts_with(start));
        let words = ["from", "import", "import("].iter().filter(move |_| !is_comment);
        words.filter_map(move |word| module_after(line, word)).map(move |module| (index + 1, module))
    })
}

/// The text in quotes right after the word.
fn module_after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    line.match_indices(word).find_map(|(at, _)| {
        let starts_here = !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let rest = line[at + word.len()..].trim_start();
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\'')).filter(|_| starts_here)?;
        let text = &rest[1..];
        text.find(quote).map(|end| &text[..end])
    })
}

/// The file that a module names, without its ending; nothing for a package.
fn resolve(file: &str, module: &str) -> Option<String> {
    if let Some(path) = module.strip_prefix("@/") {
        return Some(format!("ui/src/{path}"));
    }
    if !module.starts_with('.') {
        return None;
    }
    let mut path: Vec<&str> = file.split('/').collect();
    path.pop();
    for part in module.split('/') {
        match part {
            "." => {}
            ".." => {
                path.pop();
            }
            name => path.push(name),
        }
    }
    Some(path.join("/"))
}

/// The folder of the operation that a file belongs to. The index belongs to none.
fn operation_of(file: &str) -> Option<&str> {
    file.strip_prefix(OPERATIONS)?.split_once('/').map(|(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(file: &str, source: &str) -> Vec<usize> {
        check(file, source).iter().map(|violation| violation.line).collect()
    }

    #[test]
    fn only_the_bridge_names_tauri() {
        let source = "import {\n  invoke,\n} from '@tauri-apps/api/core';\n// from \"@tauri-apps/api\"\n\
                      const later = import(\"@tauri-apps/api/event\");";
        assert_eq!(lines("ui/src/app/shell.tsx", source), [3, 5]);
        assert!(lines("ui/src/bridge/tauri.ts", source).is_empty());
    }

    #[test]
    fn an_operation_does_not_know_another() {
        let source = "import { a } from \"./report\";\nimport { b } from \"../export-portal/form\";\n\
                      import { c } from \"../../components/button\";\nexport * from \"@/operations/find-items/form\";";
        assert_eq!(lines("ui/src/operations/import-server/form.tsx", source), [2, 4]);
        assert_eq!(lines("ui/src/operations/find-items/form.tsx", source), [2]);
    }

    #[test]
    fn the_index_knows_them_all() {
        let source = "import { form } from \"./export-portal/form\";";
        assert!(lines("ui/src/operations/index.ts", source).is_empty());
    }

    #[test]
    fn a_word_that_ends_like_an_import_is_none() {
        assert!(lines("ui/src/app/shell.tsx", "reimport \"@tauri-apps/api\"").is_empty());
    }
}
