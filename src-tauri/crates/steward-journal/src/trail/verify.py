#!/usr/bin/env python3
"""Verifies the audit trail in this folder without the program: python3 verify.py [HEAD]

HEAD is a line that you kept elsewhere: site-steward history ID seq NUMBER sha256 HASH"""
import hashlib, json, pathlib, sys

here = pathlib.Path(__file__).resolve().parent
lines = lambda name: (here / name).read_bytes().split(b"\n")[:-1]
sum_of = lambda line: hashlib.sha256(line).hexdigest()
kept = " ".join(sys.argv[1:]).split()
seq, prev, found, bad, bodies = 0, "0" * 64, False, False, {}
for line in lines("envelopes.jsonl"):
    entry = json.loads(line)
    if entry["seq"] != seq + 1 or entry["prev"] != prev:
        bad = True
        print(f"BROKEN: entry {entry['seq']} does not follow entry {seq}")
    seq, prev = entry["seq"], sum_of(line)
    bodies[seq] = entry["body"]
    found = found or kept[-3:] == [str(seq), "sha256", prev]
for line in lines("bodies.jsonl"):
    number = json.loads(line)["seq"]
    if bodies.get(number) != sum_of(line):
        bad = True
        print(f"BROKEN: the body of entry {number} was changed")
if not bad:
    print(f"Unbroken up to entry {seq}: {prev}")
if not kept:
    print("Whether this is all, only a head that you kept can tell.")
elif found:
    print(f"The head that you kept is entry {kept[-3]}.")
else:
    bad = True
    print("BROKEN: the head that you kept is not in this trail")
sys.exit(bad)
