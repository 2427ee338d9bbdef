//! No files of a crate import each other in a circle.
//!
//! A file imports another when its code names something that the other one defines: after `use`, or in a path that begins
//! with `crate`, `super`, `self`, an imported module or a module that the file declares. What a third file only passes on
//! with `pub use` is imported from where it is defined; the file that passes it on imports it too. So a `mod.rs` may
//! declare its modules and pass on what they define, and the modules may import each other by it: a circle is there only
//! when one of them also needs what the `mod.rs` itself defines. The declaration of a module, its mere name and the tests
//! in a file are no imports.

mod source;

use std::collections::{BTreeMap, VecDeque};

use self::source::Module;
use super::shipped::SHIPPED;
use super::violation::Violation;

/// Sources of the crates that developers use, whose files are checked like those that are shipped.
const TOOLS: [&str; 4] = [
    "src-tauri/crates/bench/src/",
    "src-tauri/crates/screenshots/src/",
    "src-tauri/crates/steward-testkit/src/",
    "src-tauri/crates/xtask/src/",
];

/// Imports of a file: the imported file, with the line of the first import.
type Imports<'a> = BTreeMap<&'a str, BTreeMap<&'a str, usize>>;

/// Checks the files of all crates, with their sources.
pub(super) fn check(files: &[(String, String)]) -> Vec<Violation> {
    let of_crate = |root: &str| {
        let own = files.iter().filter_map(move |(file, text)| Some((file.strip_prefix(root)?, &**text)));
        let imports = Crate::new(own).imports();
        circles(&imports).iter().filter_map(|circle| violation(root, &imports, circle)).collect::<Vec<_>>()
    };
    SHIPPED.into_iter().chain(TOOLS).flat_map(of_crate).collect()
}

/// The modules of a crate by their paths, each with its file.
struct Crate<'a>(BTreeMap<Vec<String>, (&'a str, Module)>);

/// Item that a path leads to.
enum Target<'a> {
    Module(Vec<String>),
    /// Something that this file defines.
    Item(&'a str),
    /// Something of another crate.
    Foreign,
}

impl<'a> Crate<'a> {
    fn new(files: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let of_file = |(file, text): (&'a str, &str)| {
            let path = module_path(file);
            source::modules(text)
                .into_iter()
                .map(move |module| ([&path[..], &module.name[..]].concat(), (file, module)))
        };
        Self(files.flat_map(of_file).collect())
    }

    fn imports(&self) -> Imports<'a> {
        let mut imports = Imports::new();
        for (path, (file, module)) in &self.0 {
            let own = imports.entry(file).or_default();
            for written in module.uses.iter().map(|(_, written)| written).chain(&module.paths) {
                if let Some(Target::Item(imported)) = self.target(path, &written.segments, 0)
                    && imported != *file
                {
                    let line = own.entry(imported).or_insert(written.line);
                    *line = written.line.min(*line);
                }
            }
        }
        imports
    }

    /// Follows a path that is written in a module.
    fn target(&self, module: &[String], segments: &[String], depth: usize) -> Option<Target<'a>> {
        let (first, rest) = segments.split_first()?;
        // No chain is that long: it is a name of another crate that is also a name in it.
        if depth > 20 {
            return None;
        }
        let from = match first.as_str() {
            "crate" => Target::Module(Vec::new()),
            "self" => Target::Module(module.to_vec()),
            "super" => Target::Module(module.split_last()?.1.to_vec()),
            name => self.named(module, name, depth)?,
        };
        rest.iter().try_fold(from, |target, segment| match target {
            Target::Module(module) if segment == "super" => {
                Some(Target::Module(module.split_last()?.1.to_vec()))
            }
            Target::Module(module) if segment == "*" => Some(Target::Item(self.0.get(&module)?.0)),
            Target::Module(module) => {
                self.named(&module, segment, depth).or_else(|| Some(Target::Item(self.0.get(&module)?.0)))
            }
            // A variant, a constant or a function of a type.
            found => Some(found),
        })
    }

    /// Returns the item of a name in a module that has a module of that name or imports it.
    fn named(&self, path: &[String], name: &str, depth: usize) -> Option<Target<'a>> {
        let child = [path, &[name.to_owned()]].concat();
        if self.0.contains_key(&child) {
            return Some(Target::Module(child));
        }
        let (_, module) = self.0.get(path)?;
        let (_, written) = module.uses.iter().find(|(own, _)| own == name)?;
        Some(self.target(path, &written.segments, depth + 1).unwrap_or(Target::Foreign))
    }
}

/// The path of the module that a file is.
fn module_path(file: &str) -> Vec<String> {
    let path = file.trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    let is_root = path == "lib";
    if is_root { Vec::new() } else { path.split('/').map(str::to_owned).collect() }
}

/// The groups of files of which each reaches all others.
fn circles<'a>(imports: &Imports<'a>) -> Vec<Vec<&'a str>> {
    let reached: BTreeMap<&str, Vec<&str>> =
        imports.keys().map(|file| (*file, reached(imports, file))).collect();
    let mut circles: Vec<Vec<&str>> = Vec::new();
    for (file, others) in &reached {
        let is_new = !circles.iter().any(|circle| circle.contains(file));
        if is_new && others.contains(file) {
            circles.push(others.iter().filter(|other| reached[**other].contains(file)).copied().collect());
        }
    }
    circles
}

/// The files that one imports, in any number of steps.
fn reached<'a>(imports: &Imports<'a>, file: &str) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    let mut open = vec![file];
    while let Some(next) = open.pop() {
        for imported in imports.get(next).into_iter().flat_map(BTreeMap::keys) {
            if !found.contains(imported) {
                found.push(imported);
                open.push(imported);
            }
        }
    }
    found.sort_unstable();
    found
}

/// The shortest way through a circle from one of its files back to it.
fn shortest<'a>(imports: &Imports<'a>, begin: &'a str) -> Vec<&'a str> {
    let mut ways = VecDeque::from([vec![begin]]);
    let mut seen = Vec::new();
    while let Some(way) = ways.pop_front() {
        for imported in way.last().and_then(|last| imports.get(last)).into_iter().flat_map(BTreeMap::keys) {
            let longer = [&way[..], &[*imported]].concat();
            if *imported == begin {
                return longer;
            }
            if !seen.contains(imported) {
                seen.push(imported);
                ways.push_back(longer);
            }
        }
    }
    Vec::new()
}

fn violation(root: &str, imports: &Imports<'_>, circle: &[&str]) -> Option<Violation> {
    let way = circle.iter().map(|file| shortest(imports, file)).min_by_key(Vec::len)?;
    let steps = way.array_windows().map(|[from, to]| format!("{from}:{} imports {to}", imports[from][to]));
    let mut what = format!("is in a circle: {}", steps.collect::<Vec<_>>().join(", "));
    let others: Vec<&str> = circle.iter().filter(|file| !way.contains(file)).copied().collect();
    if !others.is_empty() {
        what += &format!("; with {} more: {}", others.len(), others.join(", "));
    }
    Some(Violation {
        file: format!("{root}{}", way[0]),
        line: imports[way[0]][way[1]],
        what,
        why: "a file of a circle cannot be read, changed or tested without all others of it",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the violations of the rule in these files of the core.
    fn said(files: &[(&str, &str)]) -> Vec<String> {
        let file = |(file, text): &(&str, &str)| (format!("{}{file}", SHIPPED[2]), (*text).to_owned());
        check(&files.iter().map(file).collect::<Vec<_>>()).iter().map(|found| found.what.clone()).collect()
    }

    #[test]
    fn two_files_that_import_each_other_are_named_with_their_imports() {
        let files = [
            ("a.rs", "//! A.\nuse crate::b::{B, C};\npub struct A;"),
            ("b.rs", "pub struct B;\nfn b() {\n    super::a::A::new();\n}"),
            ("c.rs", "use crate::{a::A, b::B};"),
        ];
        assert_eq!(said(&files), ["is in a circle: a.rs:2 imports b.rs, b.rs:3 imports a.rs"]);

        let files: Vec<_> = files
            .map(|(file, text)| (format!("src-tauri/crates/steward-core/src/{file}"), text.to_owned()))
            .into();
        let [found] = &check(&files)[..] else { panic!("one circle") };
        assert_eq!((&*found.file, found.line), ("src-tauri/crates/steward-core/src/a.rs", 2));
    }

    #[test]
    fn of_a_long_circle_the_shortest_way_round_is_shown_and_the_other_files_named() {
        let files = [
            ("a.rs", "use crate::b::B;"),
            ("b.rs", "use crate::c::C;\nuse crate::a::A;"),
            ("c.rs", "use crate::a::A;"),
        ];
        let circle = "is in a circle: a.rs:1 imports b.rs, b.rs:2 imports a.rs; with 1 more: c.rs";
        assert_eq!(said(&files), [circle]);
    }

    #[test]
    fn files_that_a_parent_only_passes_on_may_import_each_other_by_it() {
        let parent = ("a/mod.rs", "mod one;\nmod two;\npub use one::One;\npub(crate) use two::Two;");
        let two = ("a/two.rs", "pub struct Two;");
        for one in
            ["use super::Two;", "use crate::a::Two;", "use super::two::Two;", "fn f() { super::Two::new() }"]
        {
            assert!(said(&[parent, two, ("a/one.rs", one)]).is_empty(), "{one}");
        }
        let back = ("a/two.rs", "use crate::a::One;");
        assert_eq!(said(&[parent, back, ("a/one.rs", "use super::Two;")]).len(), 1);
    }

    #[test]
    fn what_a_parent_defines_is_imported_from_it_and_what_it_passes_on_or_uses_is_imported_by_it() {
        let child = ("a/one.rs", "use super::Shared;\npub fn run() {}");
        for parent in [
            "mod one;\npub use one::run;\npub struct Shared;",
            "mod one;\npub struct Shared;\nfn f() { one::run() }",
            "mod one;\npub struct Shared;\nfn f() { self::one::run() }",
        ] {
            assert_eq!(said(&[("a/mod.rs", parent), child]).len(), 1, "{parent}");
            assert_eq!(said(&[("a.rs", parent), child]).len(), 1, "{parent}");
        }
        assert!(said(&[("a/mod.rs", "pub mod one;\npub struct Shared;"), child]).is_empty());
    }

    #[test]
    fn a_path_through_an_imported_module_is_an_import_and_its_name_is_none() {
        let b = ("b.rs", "use crate::a::A;\npub fn run() {}");
        assert!(said(&[("a.rs", "use crate::b;\npub struct A;"), b]).is_empty());
        assert_eq!(said(&[("a.rs", "use crate::b;\npub struct A;\nfn f() { b::run() }"), b]).len(), 1);
        assert_eq!(said(&[("a.rs", "use crate::b as other;\nfn f() { other::run() }"), b]).len(), 1);
        assert_eq!(said(&[("a.rs", "use crate::b::*;"), b]).len(), 1);
    }

    #[test]
    fn what_a_module_passes_on_of_another_crate_is_of_no_file() {
        let files =
            [("a.rs", "pub use journal::Outcome;\nuse crate::b::B;"), ("b.rs", "use crate::a::Outcome;")];
        assert!(said(&files).is_empty());
    }

    #[test]
    fn tests_comments_and_texts_import_nothing() {
        let a = ("a.rs", "use crate::b::B;");
        for b in [
            "// use crate::a::A;\n/* use crate::a::A; */",
            "#[cfg(test)]\nmod tests {\n    use crate::a::A;\n    fn f() {}\n}",
            "#[cfg(test)]\nuse crate::a::A;",
            "#[cfg(all(test, unix))]\nmod tests {\n    use crate::a::A;\n}",
            "const T: [&str; 3] = [\"use crate::a::A;\", r#\"\" crate::a::A\"#, \"\\\" crate::a::A\"];",
        ] {
            assert!(said(&[a, ("b.rs", b)]).is_empty(), "{b}");
        }
        let after = "const T: [char; 2] = ['\"', '\\''];\nfn f<'a>(_: &'a str) { crate::a::A }";
        assert_eq!(said(&[a, ("b.rs", after)]).len(), 1);
    }

    #[test]
    fn modules_in_braces_belong_to_their_file_and_the_root_is_a_file_too() {
        let a = ("a.rs", "mod inner {\n    use super::super::b::B;\n}\npub struct A;");
        assert_eq!(said(&[a, ("b.rs", "use crate::a::A;")]).len(), 1);
        let root = ("lib.rs", "mod a;\npub use a::A;\npub struct Root;");
        assert_eq!(said(&[root, ("a.rs", "use crate::Root;")]).len(), 1);
        assert!(said(&[root, ("a.rs", "pub struct A;"), ("c.rs", "use crate::{A, Root};")]).is_empty());
    }
}
