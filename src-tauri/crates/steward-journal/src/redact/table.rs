//! Texts as sites, databases and object stores write them, and what is left of each. Every secret is `S3`, or stands
//! between it and `3S`.

use super::masked;

#[test]
fn a_secret_is_masked_in_every_form_and_the_rest_stays() {
    let wrong = TEXTS.iter().filter_map(|(given, kept)| differs(given, kept));
    assert_eq!(wrong.collect::<Vec<_>>().join("\n"), "");
}

#[test]
fn a_message_about_a_secret_keeps_its_words() {
    let wrong = PROSE.iter().filter_map(|given| differs(given, given));
    assert_eq!(wrong.collect::<Vec<_>>().join("\n"), "");
}

/// Returns a description of what is wrong, once and twice.
fn differs(given: &str, kept: &str) -> Option<String> {
    let (once, twice) = (masked(given), masked(kept));
    (once != kept || twice != kept).then(|| format!("{given}\n  {once}\n  {kept}\n  {twice}"))
}

/// A form with `#` in place of the secret, and how the secret is written in it.
type Form = (&'static str, fn(&str) -> String);

const FORMS: [Form; 12] = [
    ("Server=db1;Database=gis;PWD=#;Uid=gis;", str::to_owned),
    ("Server=db1;Password={#};Uid=gis;", |secret| secret.replace('}', "}}")),
    ("Server=db1;Password=\"#\";Uid=gis;", |secret| secret.replace('"', "\"\"")),
    ("Server=db1;Password='#';Uid=gis;", |secret| secret.replace('\'', "''")),
    ("host=db1 password='#' user=gis", |secret| secret.replace('\\', "\\\\").replace('\'', "\\'")),
    ("{\"password\": \"#\", \"user\": \"gis\"}", json),
    ("{\"info\": \"{\\\"password\\\":\\\"#\\\",\\\"user\\\":\\\"gis\\\"}\"}", |secret| json(&json(secret))),
    ("<db><Password>#</Password><User>gis</User></db>", xml),
    ("<db:Password><![CDATA[#]]></db:Password><User>gis</User>", str::to_owned),
    ("<add key=\"Password\" value=\"#\"/><User>gis</User>", xml),
    ("<db password=\"#\" user='gis'/>", xml),
    ("sqlcmd -S db1 -P \"#\" -U gis", |secret| secret.replace('"', "\"\"")),
];

const SECRETS: [&str; 17] = [
    "S3x",
    "S3 x 3S",
    "S3,x,3S",
    "S3;x;3S",
    "S3}x3S",
    "S3'x3S",
    "S3\"x3S",
    "S3&x3S",
    "S3<x3S",
    "S3/x@3S",
    "S3)x(3S",
    "S3=x3S",
    "S3ß漢3S",
    "S3%20x3S",
    "S3\\x3S",
    "S3:x3S",
    "S3`x3S",
];

#[test]
fn no_part_of_a_secret_is_left_whatever_it_contains() {
    let mut wrong = String::new();
    for (form, written) in FORMS {
        for secret in SECRETS {
            let given = form.replace('#', &written(secret));
            let kept = masked(&given);
            let is_clean = !kept.contains("S3") && !kept.contains("3S") && kept.contains("gis");
            if !is_clean || masked(&kept) != kept {
                wrong.push_str(&format!("{given}\n  {kept}\n"));
            }
        }
    }
    assert_eq!(wrong, "");
}

fn json(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

fn xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

const TEXTS: &[(&str, &str)] = &[
    // The examples of the report.
    ("DRIVER=x;PWD={S3};SERVER=db1", "DRIVER=x;PWD={***};SERVER=db1"),
    ("password=two S3;", "password=***;"),
    ("password=ab,S3", "password=***"),
    ("<Password>S3</Password>", "<Password>***</Password>"),
    ("postgresql://gis:pa/S3@db1/", "postgresql://***@db1/"),
    ("sqlcmd -S db1 -U sa -P S3 -Q x", "sqlcmd -S db1 -U sa -P *** -Q x"),
    ("contraseña: S3", "contraseña: ***"),
    ("Passwort: S3", "Passwort: ***"),
    // Connection strings.
    ("PWD={a;S3}}b};SERVER=db1", "PWD={***};SERVER=db1"),
    (
        "Data Source=db1;User ID=gis;Password=S3;Initial Catalog=gis",
        "Data Source=db1;User ID=gis;Password=***;Initial Catalog=gis",
    ),
    ("Password = S3 ; User ID = gis", "Password = *** ; User ID = gis"),
    ("Password=\"a\"\"S3\";Uid=gis", "Password=\"***\";Uid=gis"),
    ("SERVER=db1;PASSWORD=two S3", "SERVER=db1;PASSWORD=***"),
    ("ENCRYPTED_PASSWORD=S3;SERVER=db1", "ENCRYPTED_PASSWORD=***;SERVER=db1"),
    (
        "jdbc:sqlserver://db1:1433;user=gis;password=S3;encrypt=true",
        "jdbc:sqlserver://db1:1433;user=gis;password=***;encrypt=true",
    ),
    ("jdbc:mysql://db1/gis?user=gis&password=S3&ssl=1", "jdbc:mysql://db1/gis?user=gis&password=***&ssl=1"),
    ("jdbc:oracle:thin:gis/S3@//db1:1521/orcl", "jdbc:oracle:thin:gis/***@//db1:1521/orcl"),
    ("connect gis/S3@GISPROD failed", "connect gis/***@GISPROD failed"),
    ("host=db1 port=5432 password=S3 dbname=gis", "host=db1 port=5432 password=*** dbname=gis"),
    ("jdbc:sap://db1:30015/?user=gis&password=S3", "jdbc:sap://db1:30015/?user=gis&password=***"),
    ("ASHOST=sap1 USER=gis PASSWD=S3 CLIENT=100", "ASHOST=sap1 USER=gis PASSWD=*** CLIENT=100"),
    (
        "DefaultEndpointsProtocol=https;AccountName=me;AccountKey=S3==;EndpointSuffix=x",
        "DefaultEndpointsProtocol=https;AccountName=me;AccountKey=***;EndpointSuffix=x",
    ),
    ("SharedAccessKeyName=root;SharedAccessKey=S3=", "SharedAccessKeyName=***;SharedAccessKey=***"),
    ("(password=S3) failed", "(password=***) failed"),
    ("//nas/gis username=gis,password=S3,vers=3.0", "//nas/gis username=gis,password=***,vers=3.0"),
    // URLs.
    ("https://x.example/a?sv=1&sig=S3%2F%3D&se=2 there", "https://x.example/a?sv=1&sig=***&se=2 there"),
    ("https://f.example/api?code=S3==&n=1", "https://f.example/api?code=***&n=1"),
    ("https://maps.example/js?key=S3&v=3", "https://maps.example/js?key=***&v=3"),
    ("https://sam:S3@gis.example.org/x", "https://***@gis.example.org/x"),
    ("https://sam:a@S3@gis.example.org/x", "https://***@gis.example.org/x"),
    ("https://sam:a:S3@gis.example.org/x", "https://***@gis.example.org/x"),
    ("redis://:S3@cache:6379/0", "redis://***@cache:6379/0"),
    ("mongodb://gis:S3@h1:27017,h2:27017/db", "mongodb://***@h1:27017,h2:27017/db"),
    ("amqp://gis:12/S3@mq", "amqp://***@mq"),
    ("https:\\/\\/sam:S3@h\\/x", "https:\\/\\/***@h\\/x"),
    ("https%3A%2F%2Fsam%3AS3%40h%2Fx", "https%3A%2F%2F***%40h%2Fx"),
    ("ftp://gis:p%40S3@h/x", "ftp://***@h/x"),
    ("s3://AKIA:S3@bucket/x", "s3://***@bucket/x"),
    ("https://x.example/?a=1&b=sig=S3", "https://x.example/?a=1&b=sig=***"),
    ("token=S3abc123&f=json", "token=***&f=json"),
    // JSON.
    (r#"{"token": "a\"S3 c", "name": "x"}"#, r#"{"token": "***", "name": "x"}"#),
    (r#"{"s":"{\"accountKey\":\"S3==\",\"n\":1}"}"#, r#"{"s":"{\"accountKey\":\"***\",\"n\":1}"}"#),
    (r#"{"s":"{\"t\":\"{\\\"pwd\\\":\\\"S3\\\"}\"}"}"#, r#"{"s":"{\"t\":\"{\\\"pwd\\\":\\\"***\\\"}\"}"}"#),
    (r#"{"pin": 334433, "n": 1}"#, r#"{"pin": ***, "n": 1}"#),
    (r#"{"credentials": {"user": "S3"}, "n": 1}"#, r#"{"credentials": {***}, "n": 1}"#),
    (r#"{"tokens": ["S3", "S3"], "n": 1}"#, r#"{"tokens": [***], "n": 1}"#),
    (r#"{"name": "password", "value": "S3"}"#, r#"{"name": "password", "value": "***"}"#),
    (r#"{\u0022password\u0022:\u0022S3\u0022}"#, r#"{\u0022password\u0022:\u0022***\u0022}"#),
    ("{'password': 'S3', 'n': 1}", "{'password': '***', 'n': 1}"),
    ("\"{\"\"password\"\":\"\"S3\"\",\"\"n\"\":1}\"", "\"{\"\"password\"\":\"\"***\"\",\"\"n\"\":1}\""),
    (r#"{"token": "S3 and S3"#, r#"{"token": "***"#),
    ("%7B%22access_key%22%3A%22S3%22%7D", "%7B%22access_key%22%3A%22***%22%7D"),
    ("next%3Dtoken%3DS3", "next%3Dtoken%3D***"),
    // A value that is encoded, and names and values in an encoded text.
    (
        "https://x.example/?user=gis&password=S3%26S3&f=json",
        "https://x.example/?user=gis&password=***&f=json",
    ),
    ("user=gis&token=S3%26S3&f=json", "user=gis&token=***&f=json"),
    ("form=%7B%22password%22%3A%5B%22S3%26S3%22%5D%7D&f=json", "form=%7B%22password%22%3A***&f=json"),
    ("form=%7B%22password%22%20%3A%20%22S3%26S3%22%7D&f=json", "form=%7B%22password%22%20%3A***&f=json"),
    ("form=%257B%2527password%2527%253A%2520%2527S3%2527%257D", "form=%257B%2527password%2527%253A***"),
    ("m=%3CPassword%3ES3%3C%2FPassword%3E&f=json", "m=%3CPassword%3E***%3C%2FPassword%3E&f=json"),
    ("next=a%3Db%26token%3DS3%2526S3%26c%3Dd", "next=a%3Db%26token%3D***%26c%3Dd"),
    (
        "form=%7B%22name%22%3A%22password%22%2C%22value%22%3A%22S3%22%7D",
        "form=%7B%22name%22%3A%22password%22%2C%22value%22%3A%22***%22%7D",
    ),
    ("user=gis&contrase%C3%B1a=S3&f=json", "user=gis&contrase%C3%B1a=***&f=json"),
    (r#"{"contrase\u00f1a": "S3", "n": 1"#, r#"{"contrase\u00f1a": "***", "n": 1"#),
    (
        "a,\"{\"\"name\"\":\"\"password\"\",\"\"value\"\":\"\"S3\"\"}\",b",
        "a,\"{\"\"name\"\":\"\"password\"\",\"\"value\"\":\"\"***\"\"}\",b",
    ),
    ("a,\"SERVER=db1;PWD=\"\"S3\"\"\"\"S3\"\";UID=gis\"", "a,\"SERVER=db1;PWD=\"\"***\"\";UID=gis\""),
    // A value before its name.
    (r#"{"value": "S3<S3", "name": "password"}"#, r#"{"value": "***", "name": "password"}"#),
    (
        "form=%7B%22value%22%3A%22S3%22%2C%22name%22%3A%22password%22%7D",
        "form=%7B%22value%22%3A%22***%22%2C%22name%22%3A%22password%22%7D",
    ),
    (r#"{"value": "S3", "name": "password"}"#, r#"{"value": "***", "name": "password"}"#),
    (
        r#"{"m": "{\"value\":\"S3\",\"key\":\"apiKey\"}"}"#,
        r#"{"m": "{\"value\":\"***\",\"key\":\"apiKey\"}"}"#,
    ),
    ("<add value=\"S3\" key=\"Password\"/>", "<add value=\"***\" key=\"Password\"/>"),
    (
        "{&quot;name&quot;:&quot;password&quot;,&quot;value&quot;:&quot;S3&quot;}",
        "{&quot;name&quot;:&quot;password&quot;,&quot;value&quot;:&quot;***&quot;}",
    ),
    (
        "{\"m\":\"SERVER=db1;PWD=\\\"S3\\\"\\\"S3\\\";UID=gis\"}",
        "{\"m\":\"SERVER=db1;PWD=\\\"***\\\";UID=gis\"}",
    ),
    ("['password'] => 'S3'", "['password'] => '***'"),
    // XML and HTML.
    ("<db:Password xmlns:db=\"x\">S3</db:Password>", "<db:Password xmlns:db=\"x\">***</db:Password>"),
    ("<Password><![CDATA[S3<]]></Password>", "<Password><![CDATA[***]]></Password>"),
    ("<add key=\"Password\" value=\"S3\"/>", "<add key=\"Password\" value=\"***\"/>"),
    ("<entry key='password'>S3</entry>", "<entry key='password'>***</entry>"),
    ("<db password='S3' user='gis'/>", "<db password='***' user='gis'/>"),
    ("&lt;Password&gt;S3&lt;/Password&gt;", "&lt;Password&gt;***&lt;/Password&gt;"),
    ("<b>Passwort:</b> S3<br>", "<b>Passwort:</b> ***<br>"),
    ("password=&quot;S3 x&quot; user=&quot;gis&quot;", "password=&quot;***&quot; user=&quot;gis&quot;"),
    // Commands.
    ("mysql -u gis -pS3! gis", "mysql -u gis -p*** gis"),
    ("sqlcmd -U sa -PS3", "sqlcmd -U sa -P***"),
    ("psexec -u gis -p S3 cmd", "psexec -u gis -p *** cmd"),
    ("tool --password=S3 --user gis", "tool --password=*** --user gis"),
    ("tool --password 'two S3' --user gis", "tool --password '***' --user gis"),
    ("tool -Password S3 -User gis", "tool -Password *** -User gis"),
    ("cmdkey /add:h /user:u /pass:S3", "cmdkey /add:h /user:u /pass:***"),
    ("rdp /U:gis /P:S3 /v:h", "rdp /U:gis /P:*** /v:h"),
    ("curl -u sam:S3 https://h/", "curl -u sam:*** https://h/"),
    ("smbclient //h/s -U gis%S3 -c ls", "smbclient //h/s -U gis%*** -c ls"),
    ("PGPASSWORD=S3 psql", "PGPASSWORD=***"),
    // Headers, tokens, keys.
    ("Authorization: Basic S3dXNlcjpw== x", "Authorization: ***"),
    ("curl -H 'Authorization: Bearer S3abcdefgh' -k", "curl -H 'Authorization: ***' -k"),
    ("Cookie: a=S3; b=S3", "Cookie: ***"),
    ("Cookie: esri_auth=%7B%22token%22%3A%22S3%22%7D\nHost: h", "Cookie: ***\nHost: h"),
    ("sent Basic dXNlcjpwYXNzd29yZA== there", "sent Basic *** there"),
    ("sent bearer abcdefghijkl there", "sent bearer *** there"),
    ("Authorization header: Bearer abcdefgh.123", "Authorization header: Bearer ***"),
    ("got eyJhbGciOiJIUzI1.eyJzdWIiOiIx.S3abc there", "got *** there"),
    (
        "-----BEGIN RSA PRIVATE KEY-----\nS3\nS3\n-----END RSA PRIVATE KEY-----\nx",
        "-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----\nx",
    ),
    ("-----BEGIN PRIVATE KEY-----\nS3", "-----BEGIN PRIVATE KEY-----***"),
    ("aws_secret_access_key = S3/+x", "aws_secret_access_key = ***"),
    // Sentences and names.
    ("The password is 'S3'.", "The password is '***'."),
    ("with password S3!x rejected", "with password *** rejected"),
    ("Das Passwort lautet „S3“.", "Das Passwort lautet „***“."),
    ("con la contraseña «S3» no", "con la contraseña «***» no"),
    ("contrasen\u{303}a: S3", "contrasen\u{303}a: ***"),
    ("API key: S3", "API key: ***"),
    ("client secret: S3", "client secret: ***"),
    ("Ｐａｓｓｗｏｒｄ：S3", "Ｐａｓｓｗｏｒｄ：***"),
    ("ＰＷＤ＝S3", "ＰＷＤ＝***"),
    ("token=S3 was rejected by db1", "token=*** was rejected by db1"),
    ("Login with password=S3 for gis failed", "Login with password=*** for gis failed"),
    ("db.password=S3", "db.password=***"),
    ("DB_PASSWORD: S3\nx", "DB_PASSWORD: ***\nx"),
    ("pwd_old=S3&pwd_new=S3&f=json", "pwd_old=***&pwd_new=***&f=json"),
    ("Kennwort: S3. Der Dienst wurde beendet.", "Kennwort: ***. Der Dienst wurde beendet."),
    ("clave: S3, usuario: gis", "clave: ***, usuario: gis"),
    ("`password`: `S3`", "`password`: `***`"),
    ("**Password:** S3", "**Password:** ***"),
    ("password = 'two words' here", "password = '***' here"),
    ("C:\\gis\\a.sde;PASSWORD=S3\\x;USER=gis", "C:\\gis\\a.sde;PASSWORD=***;USER=gis"),
];

const PROSE: &[&str] = &[
    "password is wrong",
    "The password must be changed",
    "The password must be changed: it expired",
    "Invalid token: The token has expired",
    "password: is required",
    "Token: missing",
    "token: ",
    "Invalid token.",
    "Token Required",
    "Service 'Parcels/Token' could not start",
    "needs Basic authentication now",
    "Das Passwort muss geändert werden",
    "Das Passwort ist falsch",
    "La contraseña es incorrecta",
    "Falta la contraseña",
    "Login failed for user 'sa'",
    "https://gis.example.org:6443/arcgis/users/sam@example.org",
    "https://gis.example.org/x?mail=a@b.org&f=json",
    "/arcgis/Parcels/Zoning.MapServer could not start",
    "C:\\data\\Passwort.gdb konnte nicht gelesen werden",
    "AUTHENTICATION_MODE=DBMS;SERVER=db1",
    "Bau- und -planung",
    "powershell -Path C:\\x -ProfileName y",
    "write to gis@example.org",
    "Token service https://gis.example.org/tokens is down",
    "password=;SERVER=db1",
    "{\"token\":null,\"n\":1}",
    "https://gis.example.org/x%20y%3Dz/Invalid%20token.?q=a%3D1%26b%3D%C3%BC",
    r#"{"value":"5","name":"host"}"#,
];
