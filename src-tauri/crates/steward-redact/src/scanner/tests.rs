//! Texts as sites, databases and object stores write them, and what is left of each. Every secret is `S3`, or stands
//! between it and `3S`.

use super::masked;

#[test]
fn a_secret_is_masked_in_every_form_and_the_rest_stays() {
    let wrong = TEXTS.iter().filter_map(|text| {
        let kept = text.split('⟦').map(|part| match part.split_once('⟧') {
            Some((_, rest)) => format!("***{rest}"),
            None => part.to_owned(),
        });
        differs(&text.replace(['⟦', '⟧'], ""), &kept.collect::<String>())
    });
    assert_eq!(wrong.collect::<Vec<_>>().join("\n"), "");
}

#[test]
fn a_message_about_a_secret_keeps_its_words() {
    let wrong = PROSE.iter().chain(PLAIN).filter_map(|given| differs(given, given));
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

/// Each with the part in brackets that is masked.
const TEXTS: &[&str] = &[
    // The examples of the report.
    "DRIVER=x;PWD={⟦S3⟧};SERVER=db1",
    "password=⟦two S3⟧;",
    // The name of an entry is short.
    "Server=db1;Password=⟦S3;which goes on with words that name no entry 3S x=1⟧;Uid=gis",
    "password=⟦ab,S3⟧",
    "<Password>⟦S3⟧</Password>",
    "postgresql://⟦gis:pa/S3⟧@db1/",
    "sqlcmd -S db1 -U sa -P ⟦S3⟧ -Q x",
    "contraseña: ⟦S3⟧",
    "Passwort: ⟦S3⟧",
    // Connection strings.
    "PWD={⟦a;S3}}b⟧};SERVER=db1",
    "Data Source=db1;User ID=gis;Password=⟦S3⟧;Initial Catalog=gis",
    "Password = ⟦S3⟧ ; User ID = gis",
    "Password=\"⟦a\"\"S3⟧\";Uid=gis",
    "SERVER=db1;PASSWORD=⟦two S3⟧",
    "ENCRYPTED_PASSWORD=⟦S3⟧;SERVER=db1",
    "jdbc:sqlserver://db1:1433;user=gis;password=⟦S3⟧;encrypt=true",
    "jdbc:mysql://db1/gis?user=gis&password=⟦S3⟧&ssl=1",
    "jdbc:oracle:thin:gis/⟦S3⟧@//db1:1521/orcl",
    "connect gis/⟦S3⟧@GISPROD failed",
    "host=db1 port=5432 password=⟦S3⟧ dbname=gis",
    "jdbc:sap://db1:30015/?user=gis&password=⟦S3⟧",
    "ASHOST=sap1 USER=gis PASSWD=⟦S3⟧ CLIENT=100",
    "DefaultEndpointsProtocol=https;AccountName=me;AccountKey=⟦S3==⟧;EndpointSuffix=x",
    "SharedAccessKeyName=⟦root⟧;SharedAccessKey=⟦S3=⟧",
    "(password=⟦S3⟧) failed",
    "//nas/gis username=gis,password=⟦S3⟧,vers=3.0",
    // URLs.
    "https://x.example/a?sv=1&sig=⟦S3%2F%3D⟧&se=2 there",
    "https://f.example/api?code=⟦S3==⟧&n=1",
    "https://maps.example/js?key=⟦S3⟧&v=3",
    "https://⟦sam:S3⟧@gis.example.org/x",
    "https://⟦sam:a@S3⟧@gis.example.org/x",
    "https://⟦sam:a:S3⟧@gis.example.org/x",
    "redis://⟦:S3⟧@cache:6379/0",
    "mongodb://⟦gis:S3⟧@h1:27017,h2:27017/db",
    "amqp://⟦gis:12/S3⟧@mq",
    "https:\\/\\/⟦sam:S3⟧@h\\/x",
    "https%3A%2F%2F⟦sam%3AS3⟧%40h%2Fx",
    "ftp://⟦gis:p%40S3⟧@h/x",
    "s3://⟦AKIA:S3⟧@bucket/x",
    "https://x.example/?a=1&b=sig=⟦S3⟧",
    "token=⟦S3abc123⟧&f=json",
    // JSON.
    r#"{"token": "⟦a\"S3 c⟧", "name": "x"}"#,
    r#"{"s":"{\"accountKey\":\"⟦S3==⟧\",\"n\":1}"}"#,
    r#"{"s":"{\"t\":\"{\\\"pwd\\\":\\\"⟦S3⟧\\\"}\"}"}"#,
    r#"{"pin": ⟦334433⟧, "n": 1}"#,
    r#"{"credentials": {⟦"user": "S3"⟧}, "n": 1}"#,
    r#"{"tokens": [⟦"S3", "S3"⟧], "n": 1}"#,
    r#"{"name": "password", "value": "⟦S3⟧"}"#,
    r#"{\u0022password\u0022:\u0022⟦S3⟧\u0022}"#,
    "{'password': '⟦S3⟧', 'n': 1}",
    "\"{\"\"password\"\":\"\"⟦S3⟧\"\",\"\"n\"\":1}\"",
    r#"{"token": "⟦S3 and S3⟧"#,
    "%7B%22access_key%22%3A%22⟦S3⟧%22%7D",
    "next%3Dtoken%3D⟦S3⟧",
    // A value that is encoded, and names and values in an encoded text.
    "https://x.example/?user=gis&password=⟦S3%26S3⟧&f=json",
    "user=gis&token=⟦S3%26S3⟧&f=json",
    "form=%7B%22password%22%3A⟦%5B%22S3%26S3%22%5D%7D⟧&f=json",
    "form=%7B%22password%22%20%3A⟦%20%22S3%26S3%22%7D⟧&f=json",
    "form=%257B%2527password%2527%253A⟦%2520%2527S3%2527%257D⟧",
    "m=%3CPassword%3E⟦S3⟧%3C%2FPassword%3E&f=json",
    "next=a%3Db%26token%3D⟦S3%2526S3⟧%26c%3Dd",
    "form=%7B%22name%22%3A%22password%22%2C%22value%22%3A%22⟦S3⟧%22%7D",
    "user=gis&contrase%C3%B1a=⟦S3⟧&f=json",
    r#"{"contrase\u00f1a": "⟦S3⟧", "n": 1"#,
    "a,\"{\"\"name\"\":\"\"password\"\",\"\"value\"\":\"\"⟦S3⟧\"\"}\",b",
    "a,\"SERVER=db1;PWD=\"\"⟦S3\"\"\"\"S3⟧\"\";UID=gis\"",
    // A value before its name.
    r#"{"value": "⟦S3<S3⟧", "name": "password"}"#,
    "form=%7B%22value%22%3A%22⟦S3⟧%22%2C%22name%22%3A%22password%22%7D",
    r#"{"value": "⟦S3⟧", "name": "password"}"#,
    r#"{"m": "{\"value\":\"⟦S3⟧\",\"key\":\"apiKey\"}"}"#,
    "<add value=\"⟦S3⟧\" key=\"Password\"/>",
    "{&quot;name&quot;:&quot;password&quot;,&quot;value&quot;:&quot;⟦S3⟧&quot;}",
    "{\"m\":\"SERVER=db1;PWD=\\\"⟦S3\\\"\\\"S3⟧\\\";UID=gis\"}",
    "['password'] => '⟦S3⟧'",
    // XML and HTML.
    "<db:Password xmlns:db=\"x\">⟦S3⟧</db:Password>",
    "<Password><![CDATA[⟦S3<⟧]]></Password>",
    "<add key=\"Password\" value=\"⟦S3⟧\"/>",
    "<entry key='password'>⟦S3⟧</entry>",
    "<db password='⟦S3⟧' user='gis'/>",
    "&lt;Password&gt;⟦S3⟧&lt;/Password&gt;",
    "<b>Passwort:</b> ⟦S3⟧<br>",
    "password=&quot;⟦S3 x⟧&quot; user=&quot;gis&quot;",
    // Commands.
    "mysql -u gis -p⟦S3!⟧ gis",
    "sqlcmd -U sa -P⟦S3⟧",
    "psexec -u gis -p ⟦S3⟧ cmd",
    "tool --password=⟦S3⟧ --user gis",
    "tool --password '⟦two S3⟧' --user gis",
    "tool -Password ⟦S3⟧ -User gis",
    "cmdkey /add:h /user:u /pass:⟦S3⟧",
    "rdp /U:gis /P:⟦S3⟧ /v:h",
    "curl -u sam:⟦S3⟧ https://h/",
    "smbclient //h/s -U gis%⟦S3⟧ -c ls",
    "PGPASSWORD=⟦S3 psql⟧",
    // Commands with secrets that no name stands before.
    r"net use \\nas\gis ⟦P@S3⟧ /user:corp\gis",
    r"net use Z: \\nas\gis /user:corp\gis ⟦S3⟧",
    "NET.EXE USE z: \"\\\\nas\\gis backup\" \"⟦two S3⟧\" /persistent:no",
    r"'net use \\nas\gis ⟦S3⟧' failed: 53",
    r"net use \\nas\gis ⟦secretS3word⟧ && dir",
    "net user gis ⟦S3⟧ /add",
    "curl -u sam:⟦a@S3⟧ https://h/",
    "curl -u \"sam:⟦two S3⟧\" https://h/",
    r"curl -u corp\sam:⟦S3⟧ https://h/",
    "curl -usam:⟦S3⟧ https://h/",
    "curl --user=sam:⟦S3⟧ https://h/",
    "curl --proxy-user=sam:⟦S3⟧ https://h/",
    "sqlplus gis/⟦S3⟧@db",
    "sqlplus -S -L gis/⟦S3⟧@//db1:1521/orcl",
    "sqlplus gis/⟦a@S3⟧@db",
    "sqlplus gis/⟦S3⟧",
    "sqlplus gis/⟦S3/x⟧@db",
    "sqlplus \"gis/⟦S3⟧@db\"",
    "sqlplus gis/\"⟦two S3⟧\"@db",
    "expdp gis/⟦S3⟧@db dumpfile=a",
    "rman target sys/⟦S3⟧@db",
    "sqlldr userid=gis/⟦S3⟧@db",
    "connect gis/⟦S3⟧ as sysdba",
    "could not run gis/⟦S3⟧@db1",
    r"login corp\gis/⟦S3⟧@db1 failed",
    "login gis.admin/⟦S3⟧@db1.example.org",
    "proxy gis:⟦S3⟧@proxy:8080",
    "smbclient //nas/gis ⟦S3⟧ -U gis",
    "ALTER USER gis IDENTIFIED BY ⟦S3⟧;",
    "CREATE USER gis IDENTIFIED BY \"⟦two S3⟧\"",
    "ConvertTo-SecureString \"⟦S3⟧\" -AsPlainText",
    "isql -v GISDB gis ⟦S3⟧",
    "htpasswd -b users gis ⟦S3⟧",
    "ldapsearch -x -D cn=gis -w ⟦S3⟧ -b dc=x",
    "redis-cli -h cache -a ⟦S3⟧ ping",
    "echo ⟦S3⟧ | sudo -S ls",
    "schtasks /create /ru gis /rp ⟦S3⟧ /tn x",
    "mount //nas/gis /mnt -o user=gis%⟦S3⟧,vers=3.0",
    "net use * \\\\nas\\gis ⟦S3⟧ /user:gis",
    "sqlplus -s gis/⟦S3⟧ @script.sql",
    "sqlplus sys/⟦S3⟧@db as sysdba",
    // Headers, tokens, keys.
    "Authorization: ⟦Basic S3dXNlcjpw== x⟧",
    "curl -H 'Authorization: ⟦Bearer S3abcdefgh⟧' -k",
    "Cookie: ⟦a=S3; b=S3⟧",
    "Cookie: ⟦esri_auth=%7B%22token%22%3A%22S3%22%7D⟧\nHost: h",
    "sent Basic ⟦dXNlcjpwYXNzd29yZA==⟧ there",
    "sent bearer ⟦abcdefghijkl⟧ there",
    "Authorization header: Bearer ⟦abcdefgh.123⟧",
    "got ⟦eyJhbGciOiJIUzI1.eyJzdWIiOiIx.S3abc⟧ there",
    "-----BEGIN RSA PRIVATE KEY-----⟦\nS3\nS3\n⟧-----END RSA PRIVATE KEY-----\nx",
    "-----BEGIN PRIVATE KEY-----⟦\nS3⟧",
    "aws_secret_access_key = ⟦S3/+x⟧",
    // Sentences and names.
    "The password is '⟦S3⟧'.",
    "with password ⟦S3!x⟧ rejected",
    "Das Passwort lautet „⟦S3⟧“.",
    "con la contraseña «⟦S3⟧» no",
    "contrasen\u{303}a: ⟦S3⟧",
    // Passwords of plain letters, where the sentence gives a value.
    "The password is ⟦sunshine⟧.",
    "the password of gis was ⟦sunshine⟧",
    "Login with password ⟦sunshine⟧ failed",
    "using the password ⟦sunshine⟧",
    "The password for user gis is ⟦sunshine⟧",
    "Your password is: ⟦sunshine⟧",
    "set new password ⟦sunshine⟧",
    "the password ⟦sunshine⟧ is wrong",
    "Das Passwort für gis lautet: ⟦Sonnenschein⟧",
    "mit Passwort ⟦Sonnenschein⟧",
    "La contraseña ⟦tortuga⟧ es incorrecta",
    "with user gis and password ⟦sunshine⟧",
    "password ⟦sunshine⟧ for user gis was rejected",
    "Password ⟦sunshine⟧ rejected",
    "The password was changed to ⟦sunshine⟧",
    "Das Passwort lautet ⟦Sonnenschein⟧.",
    "Das Kennwort ist ⟦Sonnenschein⟧",
    "mit dem Passwort ⟦Sonnenschein⟧ angemeldet",
    "Benutzer gis und Passwort ⟦Sonnenschein⟧",
    "Passwort ⟦Sonnenschein⟧ wurde abgelehnt",
    "Das Passwort wurde auf ⟦Sonnenschein⟧ gesetzt",
    "La contraseña es ⟦tortuga⟧",
    "con la contraseña ⟦tortuga⟧",
    "usuario gis y contraseña ⟦tortuga⟧",
    "contraseña ⟦tortuga⟧ rechazada",
    // Passwords of several words, without quotes.
    "with passphrase ⟦correct horse battery staple⟧",
    "The passphrase is ⟦correct horse battery staple⟧.",
    "The passphrase is ⟦my dog has S3⟧",
    "The password is ⟦tall blue mountain⟧, user gis",
    "using password ⟦tall blue mountain⟧ for gis failed",
    "password ⟦tall blue mountain⟧ was rejected",
    "the password of gis was ⟦tall blue mountain⟧",
    "with password ⟦hunter2 blue mountain⟧ on db1",
    "The password was changed to ⟦tall blue mountain⟧.",
    "Das Passwort lautet ⟦Berg Tal Fluss⟧.",
    "mit dem Passwort ⟦Berg Tal Fluss⟧ angemeldet",
    "La contraseña es ⟦monte valle río⟧",
    "con la contraseña ⟦monte valle río⟧ en db1",
    "passphrase: ⟦my dog has S3⟧, user gis",
    "passphrase=⟦my dog has S3⟧;user=gis",
    "gpg --passphrase ⟦correct horse S3⟧ --batch",
    "ssh -Passphrase ⟦correct horse S3⟧ -User gis",
    "API key: ⟦S3⟧",
    "client secret: ⟦S3⟧",
    "Ｐａｓｓｗｏｒｄ：⟦S3⟧",
    "ＰＷＤ＝⟦S3⟧",
    "token=⟦S3⟧ was rejected by db1",
    "Login with password=⟦S3⟧ for gis failed",
    "db.password=⟦S3⟧",
    "DB_PASSWORD: ⟦S3⟧\nx",
    "pwd_old=⟦S3⟧&pwd_new=⟦S3⟧&f=json",
    "Kennwort: ⟦S3⟧. Der Dienst wurde beendet.",
    "clave: ⟦S3⟧, usuario: gis",
    "`password`: `⟦S3⟧`",
    "**Password:** ⟦S3⟧",
    "password = '⟦two words⟧' here",
    "C:\\gis\\a.sde;PASSWORD=⟦S3\\x⟧;USER=gis",
];

/// Further texts that keep every word.
const PLAIN: &[&str] = &[
    "The password is too short",
    "The passphrase is required for this key",
    "Enter the passphrase of the certificate",
    "with passphrase protection",
    "The passphrase is missing or wrong",
    "The password is stored encrypted in the keyring",
    "Password is valid until tomorrow",
    "The password is case sensitive",
    "with password authentication",
    "using a password file",
    "user name and password are required",
    "Invalid user name and password combination",
    "User name and password do not match",
    "The password for user gis is expired",
    "new password required",
    "Benutzername und Passwort stimmen nicht",
    "usuario y contraseña incorrectos",
    "echo a | grep b",
    "user=gis%20x",
    "isql is not installed here",
    "Password change for user gis failed",
    "Das Passwort ist abgelaufen",
    "Benutzername und Passwort eingeben",
    "La contraseña es obligatoria",
    "net use is not available",
    r"net use Z: \\nas\gis /persistent:yes",
    r"net use \\nas\gis * /user:gis",
    "net user gis /delete",
    "sqlplus / as sysdba",
    "sqlplus /nolog",
    "Could not connect to sharing/rest",
    "mail to mailto:sam@example.org",
    "https://gis.example.org/portal/home",
    "tool -url:https://gis.example.org/x",
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
