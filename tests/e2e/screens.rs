//! Every screen of the program by the keys that lead to it, whatever language the window speaks.

use steward_testkit::window::Window;

/// From the overview and back to it.
pub(crate) const SCREENS: [(&str, &str); 13] = [
    ("ctrl+2", "portal export"),
    ("ctrl+3", "server export"),
    ("ctrl+4", "server import"),
    ("ctrl+5", "webhooks"),
    ("ctrl+6", "data store items"),
    ("ctrl+7", "participants"),
    ("ctrl+8", "invitations"),
    ("ctrl+9", "portal import"),
    ("ctrl+shift+h", "history"),
    ("ctrl+comma", "settings"),
    ("ctrl+shift+s", "sites"),
    // The list of all sites is of no site, whose overview could be shown.
    ("alt+Left", "settings again"),
    ("ctrl+1", "overview"),
];

/// Goes to another screen and waits until all of it stands there.
pub(crate) async fn visit(window: &Window, keys: &str) {
    window.ask_page("window.before = document.querySelector('main h1')?.textContent").await.unwrap();
    window.key(keys).await.unwrap();
    let there = "const title = document.querySelector('main h1')?.textContent;
                 return Boolean(title) && title !== window.before";
    window.wait_until(there).await.unwrap();
    // What is asked for shows that it is awaited from the next frame on.
    let frames =
        "return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))";
    window.ask_page(frames).await.unwrap();
    window.wait_until("return !document.querySelector('[aria-busy=true]')").await.unwrap();
}
