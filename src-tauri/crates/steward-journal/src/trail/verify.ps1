# Verifies the audit trail and the history entries in this folder without the program:
# powershell -ExecutionPolicy Bypass -File verify.ps1 [HEAD]
# HEAD is a line that you kept elsewhere: site-steward history ID seq NUMBER sha256 HASH
# The same as verify.sh and verify.py. Nothing of a file is printed: only numbers and hashes that are computed here.
# SHA256.Create() of Windows PowerShell fails where a policy allows validated (FIPS) algorithms only.
$sha = New-Object Security.Cryptography.SHA256CryptoServiceProvider
$latin = [Text.Encoding]::GetEncoding(28591) # One character for each byte.
$script:bad = 0; $script:out = New-Object System.Collections.Generic.List[string]
# An error has the name of a file, which anybody might have chosen.
trap { [Console]::Out.WriteLine('Not verified: a file cannot be read, a program failed, or the folder for temporary files (TMPDIR) is full.'); exit 2 }
function Say($text) { $script:out.Add($text) }
function Broken($text) { $script:bad++; if ($script:bad -le 20) { Say "BROKEN: $text" } }
function Sum($text) { [BitConverter]::ToString($sha.ComputeHash($latin.GetBytes($text))).Replace('-', '').ToLowerInvariant() }
function Whole($path) { $latin.GetString([IO.File]::ReadAllBytes($path)) }
function Lines($name) {
  $path = [IO.Path]::Combine($PSScriptRoot, $name)
  if (-not [IO.File]::Exists($path)) { Broken "$name is missing"; return }
  foreach ($line in (Whole $path).Split([char]10)) {
    if ($line.EndsWith([string][char]13)) { $line = $line.Substring(0, $line.Length - 1) }
    if ($line.Length) { $line }
  }
}
function Only($pattern, $line) { $match = [regex]::Match($line, $pattern); if ($match.Success) { $match.Groups[1].Value } else { '' } }

$said = [regex]::Match((@(Lines 'contents.txt') -join ' '), '\Aentries ([0-9]{1,9}) bodies ([0-9]{1,9}) missing ([0-9]{1,9}) records ([0-9]{1,9})\z')
[long]$entries = 0; [long]$bodies = 0; [long]$missing = 0; [long]$records = 0
if ($said.Success) { $entries, $bodies, $missing, $records = 1..4 | ForEach-Object { [long]$said.Groups[$_].Value } }
else { Broken 'contents.txt cannot be read' }

$kept = [regex]::Replace(($args -join ' ').ToLowerInvariant(), '[^0-9a-z]+', ' ').Trim()
$heads = [regex]::Matches($kept, '(?<![^ ])seq ([1-9][0-9]{0,8}) sha256 ([0-9a-f]{64})(?![^ ])')
[long]$seq = 0; $prev = '0' * 64; $number = 0; $knownHeads = @{}; $bodyOf = @{}
$entryForm = [regex]'\A\{"v":1,"seq":([1-9][0-9]{0,8}),"at":"[0-9TZ:.-]*","type":"([a-z.-]*)","body":"([0-9a-f]{64})","prev":"([0-9a-f]{64})"\}\z'
foreach ($line in @(Lines 'envelopes.jsonl')) {
  $number++
  $entry = $entryForm.Match($line)
  if (-not $entry.Success) {
    Broken "line $number of envelopes.jsonl is not an entry"
    $seq++; $prev = Sum $line
    continue
  }
  [long]$of = $entry.Groups[1].Value
  if ($of -ne $seq + 1 -or $entry.Groups[4].Value -cne $prev) { Broken "entry $of does not follow entry $seq" }
  $seq = $of; $prev = Sum $line; $bodyOf[$seq] = $entry.Groups[3].Value
  if ($entry.Groups[2].Value -ceq 'chain.broken') { Broken "entry $seq tells that the app found a break" }
  $knownHeads["$seq $prev"] = $true
}
if ($said.Success -and $number -ne $entries) { Broken "entries here: $number, in contents.txt: $entries" }

$hereAre = @{}; $told = @{}; $number = 0
foreach ($line in @(Lines 'bodies.jsonl')) {
  $number++
  $text = Only '\A\{"seq":([1-9][0-9]{0,8}),' $line
  if (-not $text -or -not $bodyOf.ContainsKey([long]$text)) { Broken "line $number of bodies.jsonl is not a body"; continue }
  [long]$of = $text
  if ($bodyOf[$of] -cne (Sum $line)) { Broken "the body of entry $of was changed"; continue }
  $hereAre[$of] = $true
  $record = Only ',"record":"([0-9a-f-]+)"' $line; $digest = Only ',"recordSha256":"([0-9a-f]{64})"' $line
  if ($digest -and (-not $told.ContainsKey($record) -or $told[$record][0] -lt $of)) { $told[$record] = @($of, $digest) }
}
if ($said.Success -and $hereAre.Count -ne $bodies + $missing) {
  $named = ''
  if ($bodies + $missing -eq $entries) {
    $lacking = @($bodyOf.Keys | Where-Object { -not $hereAre.ContainsKey($_) } | Sort-Object | Select-Object -First 20)
    $named = " (entries $($lacking -join ', '))"
  }
  Broken "bodies that are missing: $($bodies + $missing - $hereAre.Count)$named"
}

$own = 'verify.sh', 'verify.ps1', 'verify.py', 'README.txt', 'head.txt', 'envelopes.jsonl', 'bodies.jsonl', 'contents.txt', 'SHA256SUMS.txt'
$files = @(); $masked = 0; $others = 0
$folders = @([IO.Directory]::GetDirectories($PSScriptRoot) | Where-Object { [IO.Path]::GetFileName($_) -cnotmatch '\A\.' })
[Array]::Sort($folders, [StringComparer]::Ordinal)
foreach ($folder in @($PSScriptRoot) + $folders) {
  $isFirst = $folder -ceq $PSScriptRoot
  $known = @('report.html')
  if ($isFirst) { $known += $own }
  $record = [IO.Path]::Combine($folder, 'record.json')
  if ([IO.File]::Exists($record)) { $files += $record; $known += 'record.json', 'response.json', 'response.txt', 'report.json' }
  foreach ($path in [IO.Directory]::GetFileSystemEntries($folder)) {
    $name = [IO.Path]::GetFileName($path)
    if ($name -cmatch '\A(record|response|report)\.masked\.') { $masked++ }
    elseif ($isFirst -and [IO.Directory]::Exists($path) -and $name -cnotmatch '\A\.') { }
    elseif (-not [IO.File]::Exists($path) -or $known -cnotcontains $name) { $others++ }
  }
}
if ($files.Count -ne $records) { Broken "history entries here: $($files.Count), in contents.txt: $records" }
$number = 0; $times = @{}
foreach ($file in $files) {
  $number++
  $line = (Whole $file).Replace("`r", '').Replace("`n", '')
  $record = Only '\A\{"v":1,"id":"([0-9a-f-]+)"' $line
  $times[$record] = 1 + [long]$times[$record]
  if (-not $told.ContainsKey($record)) { Broken "no entry recorded history entry $number" }
  elseif ($told[$record][1] -cne (Sum $line)) { Broken "history entry $number is not what entry $($told[$record][0]) recorded" }
  $parts = @(
    @('response', @('response.json', 'response.txt'), ',"responseSha256":"([0-9a-f]*)","responseTruncated":'),
    @('report', @('report.json'), ',"reportSha256":"([0-9a-f]*)","outcomeSetByUser":')
  )
  foreach ($part in $parts) {
    $wanted = Only $part[2] $line; $expected = 0
    if ($wanted) { $expected = 1 }
    $paths = @($part[1] | ForEach-Object { [IO.Path]::Combine([IO.Path]::GetDirectoryName($file), $_) } | Where-Object { [IO.File]::Exists($_) })
    $holds = $paths.Count -eq $expected
    if ($holds -and $expected) {
      $data = Whole $paths[0]
      $holds = $wanted -ceq (Sum $data) -or $wanted -ceq (Sum $data.Replace("`r", ''))
    }
    if (-not $holds) { Broken "the $($part[0]) of history entry $number was changed or is missing" }
  }
}
if ($masked) { Broken "files of which secrets were masked, so that they cannot be compared: $masked" }

if ($records) {
  foreach ($record in @($told.Keys | Sort-Object { $told[$_][0] })) {
    if ([long]$times[$record] -ne 1) { Broken "the history entry that entry $($told[$record][0]) recorded is here $([long]$times[$record]) times" }
  }
}

if ($bad -gt 20) { Say "BROKEN: and $($bad - 20) more" }
if (-not $bad) {
  Say "Unbroken up to entry ${seq}: $prev"
  if ($records) { Say "History entries as they were recorded: $records" }
}
$lost = $false
foreach ($head in $heads) {
  if ($knownHeads.ContainsKey("$([long]$head.Groups[1].Value) $($head.Groups[2].Value)")) { Say "The head that you kept is entry $([long]$head.Groups[1].Value)." }
  else { $lost = $true; Say 'BROKEN: the head that you kept is not in this trail' }
}
if ($kept -and $heads.Count -eq 0) { $lost = $true; Say 'BROKEN: what you gave is not a head' }
elseif (-not $kept) { Say 'Whether this is all, only a head that you kept can tell.' }
Say "Not verified: what was appended after that head, whether history entries were taken out of these files, pages to read (report.html), other files here ($others), the deactivation log, and checklists."
foreach ($line in $script:out) { [Console]::Out.WriteLine($line) }
if ($bad -or $lost) { exit 1 }
exit 0
