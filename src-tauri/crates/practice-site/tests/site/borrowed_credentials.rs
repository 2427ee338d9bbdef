//! What the person who runs the site has for other programs.

use crate::process::Process;
use crate::receiver::Receiver;
use std::process::Command;

#[tokio::test]
async fn a_bucket_is_never_reached_with_what_the_environment_of_the_person_holds() {
    let folder = tempfile::tempdir().unwrap();
    let exports = folder.path().join("exports");
    std::fs::create_dir_all(&exports).unwrap();
    let profile = folder.path().join(".aws");
    std::fs::create_dir(&profile).unwrap();
    std::fs::write(
        profile.join("credentials"),
        "[default]\naws_access_key_id = PERSON\naws_secret_access_key = secret\n",
    )
    .unwrap();
    let real = Receiver::that_answers(200).await;
    let mut command = Command::new(env!("CARGO_BIN_EXE_practice-site"));
    command.env("HOME", folder.path());
    for (name, value) in [
        ("AWS_ACCESS_KEY_ID", "PERSON"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
        ("AWS_REGION", "eu-central-1"),
        ("AWS_PROFILE", "default"),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_ENDPOINT_URL", &real.url("")),
        ("AWS_ENDPOINT_URL_S3", &real.url("")),
        ("AWS_METADATA_ENDPOINT", &real.url("")),
    ] {
        command.env(name, value);
    }
    let site = Process::start_as(command, folder.path()).await;
    let address = format!("{}/portaladmin/exportSite", site.ready.portal);
    // Without settings of the site's own, and with half of them.
    for settings in
        [None, Some(r#"{"AWS_ACCESS_KEY_ID":"SITE"}"#), Some(r#"{"AWS_SECRET_ACCESS_KEY":"own"}"#)]
    {
        if let Some(settings) = settings {
            std::fs::write(folder.path().join("data/object-store.json"), settings).unwrap();
        }
        for validate in ["true", "false"] {
            let form = [
                ("location", exports.to_str().unwrap()),
                ("backupObjectStore", "backups"),
                ("backupObjectStoreRegion", "eu-central-1"),
                ("validate", validate),
            ];
            let answer = site.post(address.clone(), &form).await.unwrap();
            assert_eq!(answer["error"]["code"], 500, "{answer}");
            let message = answer["error"]["message"].as_str().unwrap();
            assert!(message.contains("object-store.json"), "{message}");
        }
    }
    assert_eq!(real.requests(), 0, "the person's own store was asked");
    assert_eq!(std::fs::read_dir(&exports).unwrap().count(), 0);
    site.end();
}
