# Verifies the audit trail in this folder without the program: powershell -ExecutionPolicy Bypass -File verify.ps1 [HEAD]
# HEAD is a line that you kept elsewhere: site-steward history ID seq NUMBER sha256 HASH
$sha = [Security.Cryptography.SHA256]::Create()
function Sum($line) { [BitConverter]::ToString($sha.ComputeHash([Text.Encoding]::UTF8.GetBytes($line))).Replace('-', '').ToLower() }
function Lines($name) { [IO.File]::ReadLines([IO.Path]::Combine($PSScriptRoot, $name)) }
$kept = ($args -join ' ').Trim(); $seq = 0; $prev = '0' * 64; $found = $false; $bad = 0; $bodies = @{}
foreach ($line in (Lines 'envelopes.jsonl')) {
  $entry = $line | ConvertFrom-Json
  if ($entry.seq -ne $seq + 1 -or $entry.prev -cne $prev) { $bad = 1; "BROKEN: entry $($entry.seq) does not follow entry $seq" }
  $seq = $entry.seq; $prev = Sum $line; $bodies["$seq"] = $entry.body
  if ($kept.EndsWith(" seq $seq sha256 $prev")) { $found = $true }
}
foreach ($line in (Lines 'bodies.jsonl')) {
  $number = ($line | ConvertFrom-Json).seq
  if ($bodies["$number"] -cne (Sum $line)) { $bad = 1; "BROKEN: the body of entry $number was changed" }
}
if (-not $bad) { "Unbroken up to entry ${seq}: $prev" }
if (-not $kept) { 'Whether this is all, only a head that you kept can tell.' }
elseif ($found) { "The head that you kept is entry $(($kept -split ' ')[-3])." }
else { $bad = 1; 'BROKEN: the head that you kept is not in this trail' }
exit $bad
