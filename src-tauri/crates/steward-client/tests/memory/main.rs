//! Memory that decoding needs: at most four times the size of the body, which is itself in memory. Sites return reports of
//! tens of megabytes, and a tree of one would need up to 64 times its size.
//!
//! A binary of its own, with one test, because the allocator counts everything that the process allocates.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use peak_alloc::PeakAlloc;
use steward_client::operations::export_server::ExportServer;
use steward_client::operations::find_items::FindItems;
use steward_client::operations::import_server::ImportServer;
use steward_client::{ClientError, Endpoint, HeadFields, ServerType, fuzzing, listing};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Returns the result of `read`, and the memory that it needed at most, in sizes of the body that it reads.
fn measured<R>(body: String, read: impl AsyncFnOnce(&Endpoint) -> R) -> (R, f64) {
    let size = body.len();
    let endpoint = fuzzing::answering(200, "application/json", body.into_bytes()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let result = runtime.block_on(read(&endpoint));
    // The endpoint holds the body and sends a copy, which stands for what the network receives and is not counted.
    let needed = ALLOCATOR.peak_usage() - before - size;
    #[expect(clippy::cast_precision_loss, reason = "a factor of a few")]
    let factor = needed as f64 / size as f64;
    println!("{size} bytes, {factor:.2} times");
    (result, factor)
}

/// Report of an import with services that did not start on a machine.
fn report(services: usize) -> String {
    let failed = |number: usize| {
        let path = format!("Folder{}/Service{number}.MapServer", number % 100);
        format!(
            r#"{{"level":"WARNING","message":"Could not start service {path}","details":{{
                "service":"{path}","state":"FAILED","message":"The service did not start on any machine.",
                "machines":[{{"machine":"SRV1.EXAMPLE.ORG","state":"FAILED","reports":[{{"state":"FAILED",
                "message":"The data of the service cannot be opened: \\\\nas\\gis\\layer{number}.gdb"}}]}}]}}}}"#
        )
    };
    of_messages(&(0..services).map(failed).collect::<Vec<_>>())
}

fn of_messages(messages: &[String]) -> String {
    format!(
        r#"{{"status":"success","result":[{{"source":"services","messages":[{}]}}]}}"#,
        messages.join(",")
    )
}

fn short_report(services: usize) -> String {
    let started = |number| format!(r#"{{"level":"INFO","message":"Started F/Service{number}.MapServer"}}"#);
    of_messages(&(0..services).map(started).collect::<Vec<_>>())
}

fn numbers(number: usize) -> String {
    vec!["1"; number].join(",")
}

async fn import(endpoint: &Endpoint) -> Result<usize, ClientError> {
    let import =
        ImportServer { location: "x".to_owned(), server_type: ServerType::Gis, restart_web_server: None };
    let reply = import.send(endpoint.permit_unchecked().await).await?;
    Ok(reply.result.iter().map(|source| source.messages.len()).sum())
}

fn items(number: usize) -> String {
    let item = |number: usize| {
        format!(
            r#"{{"id":"i{number:08}","path":"/enterpriseDatabases/database{number}","type":"egdb","provider":"DMS","clientPath":null,"info":{{"dataStoreConnectionType":"shared","connectionString":"SERVER=db{number};INSTANCE=sde:postgresql:db;DATABASE=gis;USER=gis","isManaged":false}}}}"#
        )
    };
    format!(r#"{{"items":[{}]}}"#, (0..number).map(item).collect::<Vec<_>>().join(","))
}

async fn search(endpoint: &Endpoint) -> Result<usize, ClientError> {
    let read = |item: &str| {
        let fields = HeadFields::read(item)?;
        Some((fields.path.text(), fields.r#type.text()))
    };
    let (items, heads) = FindItems::default().send(endpoint, read).await?;
    assert_eq!(items.len(), heads.len());
    Ok(heads.len())
}

#[test]
fn decoding_needs_at_most_four_times_the_size_of_the_body() {
    let mut factors = Vec::new();
    for (name, report) in [
        ("report of 50,000 services", report(50_000)),
        ("report of 50,000 services in short", short_report(50_000)),
    ] {
        let (services, factor) = measured(report, import);
        assert_eq!(services.unwrap(), 50_000);
        factors.push((name.to_owned(), factor));
    }
    let (found, factor) = measured(items(100_000), search);
    assert_eq!(found.unwrap(), 100_000);
    factors.push(("list of 100,000 items".to_owned(), factor));
    let text = "x".repeat(5_000_000);
    let texts = vec![r#""The layer cannot be read.""#; 200_000].join(",");
    for (name, error) in [
        (
            "error with a long message",
            format!(r#"{{"error":{{"code":500,"message":"{text}","details":null}}}}"#),
        ),
        (
            "error with many details",
            format!(r#"{{"error":{{"code":500,"message":"m","details":[{texts}]}}}}"#),
        ),
        ("error with many messages", format!(r#"{{"status":"error","messages":[{texts}],"code":500}}"#)),
    ] {
        let (rejected, factor) = measured(error, import);
        assert!(matches!(rejected, Err(ClientError::Rejected { code: 500, .. })), "{rejected:?}");
        factors.push((name.to_owned(), factor));
    }
    let empty = vec!["{}"; 4_000_000].join(",");
    let long_name = "n".repeat(8_000);
    for (name, collaboration, participants) in [
        ("participants without anything", "c", &empty[..]),
        ("participants of a collaboration with a long name", &long_name, &empty[..8_000_000]),
    ] {
        let body = format!(
            r#"{{"collaborations":[{{"id":"c","name":"{collaboration}"}}],"participants":[{participants}]}}"#
        );
        let (found, factor) = measured(body, async |portal| listing::participants(portal, "p").await);
        assert!(matches!(found, Err(ClientError::Unreadable { .. })), "{name}");
        factors.push((name.to_owned(), factor));
    }
    for (name, items) in [
        ("items without anything", format!(r#"{{"items":[{empty}]}}"#)),
        ("items that are numbers", format!(r#"{{"items":[{}]}}"#, numbers(6_000_000))),
    ] {
        let (found, factor) = measured(items, search);
        assert!(matches!(found, Err(ClientError::Unreadable { .. })), "{name}: {found:?}");
        factors.push((name.to_owned(), factor));
    }
    let fields: String = (0..1_500_000).map(|number| format!(r#""{number:x}":1,"#)).collect();
    let (found, factor) = measured(format!(r#"{{{fields}"items":[]}}"#), search);
    assert_eq!(found.unwrap(), 0);
    factors.push(("list beside a million fields".to_owned(), factor));
    let (found, factor) = measured(format!(r#"{{{fields}"collaborations":[]}}"#), async |portal| {
        listing::participants(portal, "p").await
    });
    assert_eq!(found.unwrap().len(), 0);
    factors.push(("collaborations beside a million fields".to_owned(), factor));
    let (found, factor) = measured(
        format!(r#"{{"folders":[{}],"services":[]}}"#, vec![r#""""#; 5_000_000].join(",")),
        async |server| listing::services(server).await,
    );
    assert!(matches!(found, Err(ClientError::Unreadable { .. })));
    factors.push(("folders without names".to_owned(), factor));
    // Each name once: a service that is listed twice counts once.
    let of_folder: Vec<String> = (0..300_000)
        .map(|number| format!(r#"{{"serviceName":"{number:x}","type":"ImageServer"}}"#))
        .collect();
    let (named, factor) = measured(
        format!(r#"{{"folders":["{}"],"services":[{}]}}"#, "f".repeat(4_000), of_folder.join(",")),
        async |server| listing::service_names(server).await,
    );
    let (names, unlisted) = named.unwrap();
    assert_eq!((names.len(), unlisted.len()), (300_000, 1), "those of the root folder");
    // The same body is read for the root folder and for the other one.
    factors.push(("services of a folder with a long name".to_owned(), factor / 2.0));
    let (exported, factor) =
        measured(format!(r#"{{"status":"success","messages":[{}]}}"#, numbers(6_000_000)), async |server| {
            ExportServer { location: "x".to_owned() }.send(server.permit_unchecked().await).await
        });
    assert!(matches!(exported, Err(ClientError::Unreadable { .. })), "{exported:?}");
    factors.push(("export with messages that are numbers".to_owned(), factor));
    let of_sources = |number: usize, messages: &str| {
        let source = format!(r#"{{"source":"s","messages":[{messages}]}}"#);
        format!(r#"{{"status":"success","result":[{}]}}"#, vec![source; number].join(","))
    };
    let on_machines =
        format!(r#"{{"message":"m","details":{{"service":"s","machines":[{}]}}}}"#, &empty[..299_999]);
    for (name, report, is_read) in [
        ("report with a message of another shape", of_messages(&[format!(r#"{{"x":[{empty}]}}"#)]), true),
        ("report with a message of many fields", of_messages(&[format!("{{{fields}\"y\":1}}")]), true),
        ("report with many lists of numbers", of_sources(50, &numbers(120_000)), false),
        ("report with many lists of machines", of_sources(40, &on_machines), false),
    ] {
        let (read, factor) = measured(report, import);
        assert_eq!(read.is_ok(), is_read, "{name}: {read:?}");
        factors.push((name.to_owned(), factor));
    }
    for (name, factor) in factors {
        assert!(factor <= 4.0, "{name}: {factor:.2} times");
    }
}
