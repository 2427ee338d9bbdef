//! The attribute of a command, a function that the window calls.

use proc_macro::TokenStream;

/// Makes a function a command, and describes it to the bindings of the window.
///
/// With `async`, a function that is not async runs outside of the thread of the window.
#[proc_macro_attribute]
pub fn command(options: TokenStream, function: TokenStream) -> TokenStream {
    let both = format!("#[::tauri::command({options})] #[::specta::specta]");
    let mut command: TokenStream = both.parse().unwrap_or_default();
    command.extend(function);
    command
}
