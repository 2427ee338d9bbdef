//! Parameters of records with a meaning of their own.

/// File on this computer that the user chose before an export. The note of the record names it once it was saved.
pub(crate) const DESTINATION: &str = "destination";

/// Returns the values of all parameters with a name. Version 1 of the history held them in one text, under the plural.
pub(crate) fn several<'a>(
    parameters: &'a [(String, String)],
    name: &'a str,
) -> impl Iterator<Item = &'a str> {
    let each = parameters.iter().filter(move |(given, _)| given == name).map(|(_, value)| value.as_str());
    let all = parameters.iter().filter(move |(given, _)| given.strip_suffix('s') == Some(name));
    each.chain(all.flat_map(|(_, value)| value.split(", ")).filter(|value| !value.is_empty()))
}
