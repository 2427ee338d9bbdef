#!/usr/bin/env python3
"""Verifies the audit trail and the history entries in this folder without the program: python3 verify.py [HEAD]

HEAD is a line that you kept elsewhere: site-steward history ID seq NUMBER sha256 HASH"""
# The same as verify.sh and verify.ps1. Nothing of a file is printed: only numbers and hashes that are computed here.
import sys
# A file of this folder must not run as one of Python's own modules.
if not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):
    del sys.path[0]
import hashlib, os, pathlib, re

ENTRY = re.compile(rb'{"v":1,"seq":([1-9][0-9]{0,8}),"at":"[0-9TZ:.-]*","type":"([a-z.-]*)","body":"([0-9a-f]{64})","prev":"([0-9a-f]{64})"}')
here, bad, out = pathlib.Path(__file__).resolve().parent, 0, []

# An error has the name of a file, which anybody might have chosen.
def failed(*_):
    print("Not verified: a file cannot be read, a program failed, or the folder for temporary files (TMPDIR) is full.", flush=True)
    os._exit(2)

sys.excepthook = failed

def broken(text):
    global bad
    bad += 1
    if bad <= 20:
        out.append(f"BROKEN: {text}")

def sum_of(data):
    return hashlib.sha256(data).hexdigest()

def lines(name):
    if not (here / name).is_file():
        broken(f"{name} is missing")
        return
    with open(here / name, "rb") as file:
        for line in file:
            line = re.sub(rb"\r?\n?\Z", b"", line)
            if line:
                yield line

def only(pattern, line):
    found = re.search(pattern, line)
    return found[1].decode() if found else ""

contents = b" ".join(lines("contents.txt"))
said = re.fullmatch(rb"entries ([0-9]{1,9}) bodies ([0-9]{1,9}) missing ([0-9]{1,9}) records ([0-9]{1,9})", contents)
entries, bodies, missing, records = map(int, said.groups()) if said else (0, 0, 0, 0)
if not said:
    broken("contents.txt cannot be read")

kept = re.sub("[^0-9a-z]+", " ", " ".join(sys.argv[1:]).lower()).strip()
heads = re.findall("(?<![^ ])seq ([1-9][0-9]{0,8}) sha256 ([0-9a-f]{64})(?![^ ])", kept)
seq, prev, number, known_heads, body_of = 0, "0" * 64, 0, set(), {}
for number, line in enumerate(lines("envelopes.jsonl"), 1):
    entry = ENTRY.fullmatch(line)
    if not entry:
        broken(f"line {number} of envelopes.jsonl is not an entry")
        seq, prev = seq + 1, sum_of(line)
        continue
    if int(entry[1]) != seq + 1 or entry[4].decode() != prev:
        broken(f"entry {int(entry[1])} does not follow entry {seq}")
    seq, prev = int(entry[1]), sum_of(line)
    body_of[seq] = entry[3].decode()
    if entry[2] == b"chain.broken":
        broken(f"entry {seq} tells that the app found a break")
    known_heads.add((str(seq), prev))
if said and number != entries:
    broken(f"entries here: {number}, in contents.txt: {entries}")

here_are, told = set(), {}
for number, line in enumerate(lines("bodies.jsonl"), 1):
    of = only(rb'^{"seq":([1-9][0-9]{0,8}),', line)
    if not of or int(of) not in body_of:
        broken(f"line {number} of bodies.jsonl is not a body")
    elif body_of[int(of)] != sum_of(line):
        broken(f"the body of entry {int(of)} was changed")
    else:
        here_are.add(int(of))
        record, digest = only(rb',"record":"([0-9a-f-]+)"', line), only(rb',"recordSha256":"([0-9a-f]{64})"', line)
        if digest and told.get(record, (0, ""))[0] < int(of):
            told[record] = (int(of), digest)
if said and len(here_are) != bodies + missing:
    lacking = [number for number in sorted(body_of) if number not in here_are][:20]
    named = f" (entries {', '.join(map(str, lacking))})" if bodies + missing == entries else ""
    broken(f"bodies that are missing: {bodies + missing - len(here_are)}{named}")

OWN = {"verify.sh", "verify.ps1", "verify.py", "README.txt", "head.txt", "envelopes.jsonl", "bodies.jsonl", "contents.txt", "SHA256SUMS.txt"}
files, masked, others = [], 0, 0
folders = sorted((file for file in here.iterdir() if file.is_dir() and file.name[0] != "."), key=bytes)
for folder in [here, *folders]:
    compared = {"report.html"}
    if (folder / "record.json").is_file():
        files.append(folder / "record.json")
        compared |= {"record.json", "response.json", "response.txt", "report.json"}
    for file in folder.iterdir():
        if file.name.startswith(("record.masked.", "response.masked.", "report.masked.")):
            masked += 1
        elif folder == here and file.is_dir() and file.name[0] != ".":
            pass
        elif not file.is_file() or file.name not in (compared | OWN if folder == here else compared):
            others += 1
if len(files) != records:
    broken(f"history entries here: {len(files)}, in contents.txt: {records}")
times = {}
for number, file in enumerate(files, 1):
    line = file.read_bytes().translate(None, b"\r\n")
    record = only(rb'^{"v":1,"id":"([0-9a-f-]+)"', line)
    times[record] = times.get(record, 0) + 1
    of, digest = told.get(record, (0, ""))
    if not of:
        broken(f"no entry recorded history entry {number}")
    elif digest != sum_of(line):
        broken(f"history entry {number} is not what entry {of} recorded")
    for what, names, after in ("response", "response.json response.txt", rb'","responseTruncated":'), ("report", "report.json", rb'","outcomeSetByUser":'):
        wanted = only(rb',"' + what.encode() + rb'Sha256":"([0-9a-f]*)' + after, line)
        data = [(file.parent / name).read_bytes() for name in names.split() if (file.parent / name).is_file()]
        if len(data) != bool(wanted) or data and wanted not in (sum_of(data[0]), sum_of(data[0].replace(b"\r", b""))):
            broken(f"the {what} of history entry {number} was changed or is missing")
if masked:
    broken(f"files of which secrets were masked, so that they cannot be compared: {masked}")

for record, (of, _) in sorted(told.items(), key=lambda told: told[1]) if records else []:
    if times.get(record, 0) != 1:
        broken(f"the history entry that entry {of} recorded is here {times.get(record, 0)} times")

if bad > 20:
    out.append(f"BROKEN: and {bad - 20} more")
if not bad:
    out.append(f"Unbroken up to entry {seq}: {prev}")
    if records:
        out.append(f"History entries as they were recorded: {records}")
for head in heads:
    out.append(f"The head that you kept is entry {int(head[0])}." if head in known_heads else "BROKEN: the head that you kept is not in this trail")
if kept and not heads:
    out.append("BROKEN: what you gave is not a head")
elif not kept:
    out.append("Whether this is all, only a head that you kept can tell.")
out.append(f"Not verified: what was appended after that head, whether history entries were taken out of these files, pages to read (report.html), other files here ({others}), the deactivation log, and checklists.")
print("\n".join(out))
sys.exit(bool(bad or kept and not heads or not known_heads.issuperset(heads)))
