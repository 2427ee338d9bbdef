//! A site that repeats whatever it was told.

/// What the site says when it repeats whatever it was told.
pub(crate) const MANNERS: [&str; 7] = [
    "refusal of the portal",
    "refusal of the server",
    "refusal of the token",
    "page",
    "broken",
    "redirection",
    // Last: what it is said of is done then.
    "success that repeats",
];

/// An answer that repeats secrets in one of the [`MANNERS`].
pub(crate) fn repeating(manner: &str, secrets: &[&str]) -> Vec<u8> {
    let words: String = secrets
        .iter()
        .map(|secret| {
            let encoded: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
            format!("The value {secret} was refused; asked for /x?token={encoded}&a={encoded}. ")
        })
        .collect();
    match manner {
        "refusal of the portal" => json(&serde_json::json!({
            "error": { "code": 500, "message": words, "details": [words, { "token": secrets[0] }] }
        })),
        "refusal of the server" => {
            json(&serde_json::json!({ "status": "error", "code": 500, "messages": [words, words] }))
        }
        "refusal of the token" => json(&serde_json::json!({
            "error": { "code": 498, "message": words, "details": [words] }
        })),
        "page" => {
            let page = words.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
            answer("500 Said", "", &format!("<html><title>{page}</title>{words}</html>"))
        }
        "broken" => answer("200 OK", "", &format!("{{\"token\": {}, \"x\": [", serde_json::json!(words))),
        "redirection" => {
            let encoded: String = url::form_urlencoded::byte_serialize(secrets[0].as_bytes()).collect();
            let to = format!("location: https://sam:{encoded}@other.example.org/?token={encoded}\r\n");
            answer("307 Elsewhere", &to, "")
        }
        "success that repeats" => json(&serde_json::json!({
            "status": "success", "location": words, "messages": [words],
            "result": [{ "source": words, "messages": [{ "level": "WARNING", "message": words }] }],
            "items": [{ "id": "1", "path": words, "type": "folder", "info": { "path": words } }],
        })),
        other => panic!("{other}"),
    }
}

pub(crate) fn json(value: &serde_json::Value) -> Vec<u8> {
    answer("200 OK", "content-type: application/json\r\n", &value.to_string())
}

fn answer(status: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}")
        .into_bytes()
}
