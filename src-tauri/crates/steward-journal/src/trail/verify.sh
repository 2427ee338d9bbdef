#!/bin/sh
# Verifies the audit trail and the history entries in this folder without the program: sh verify.sh [HEAD]
# HEAD is a line that you kept elsewhere: site-steward history ID seq NUMBER sha256 HASH
# The same as verify.py and verify.ps1. Nothing of a file is printed: only numbers and hashes that are computed here.
# Requires awk, sort, xargs, mktemp, and sha256sum (or shasum). Each line becomes a file, so that one program hashes them all.
LC_ALL=C; export LC_ALL
unset CDPATH
HEAD="$*"; export HEAD
# Errors of programs have names of files, which anybody might have chosen.
exec 2>/dev/null
failed() { echo 'Not verified: a file cannot be read, a program failed, or the folder for temporary files (TMPDIR) is full.'; exit 2; }
# The folder of this file, also where it is called by a link. A shell that reads it from its input does not know the folder.
self=$0; if [ -L "$self" ]; then self=$(readlink -f -- "$self"); fi
[ -f "$self" ] || failed
case $self in */*) cd -- "${self%/*}/" || failed;; esac
# In memory, where there is room for two files of each line: a disk takes seconds for ten thousand files.
if [ -z "$TMPDIR" ] && [ -w /dev/shm ]; then
  # Not of a pipe or a device, which might have no end.
  need=$(for name in envelopes.jsonl bodies.jsonl; do [ -f "$name" ] && cat "$name"; done | awk 'END { print 20000 + NR * 5 }')
  if df -Pk /dev/shm | awk -v need="$need" 'NR == 2 { exit $4 < need } END { if (NR < 2) exit 1 }'; then TMPDIR=/dev/shm; export TMPDIR; fi
fi
work=$(mktemp -d) || failed
trap 'rm -rf "$work"' EXIT
if command -v sha256sum >/dev/null; then hash=sha256sum; else hash='shasum -a 256'; fi
# Hashes all files of a folder, in the order of their numbers.
sums() { # FOLDER
  (cd "$work/$1" && if [ -n "$(ls)" ]; then ls | sort -n | xargs $hash; fi) >"$work/$1.sums" || failed
}
for name in envelopes.jsonl bodies.jsonl contents.txt; do
  mkdir "$work/$name.lines"; : >"$work/$name"
  [ -f "$name" ] || { : >"$work/$name.missing"; continue; }
  # Some programs end a line at NUL: it becomes another character that is in no line.
  tr '\000' '\001' <"$name" >"$work/whole" || failed
  awk '{ sub(/\r$/, "") } $0 != ""' "$work/whole" >"$work/$name" || failed
  awk -v into="$work/$name.lines/" 'BEGIN { ORS = "" } { print > (into NR); if (close(into NR)) exit 2 }' "$work/$name" || failed
  sums "$name.lines"
  awk 'END { exit NR != lines }' lines="$(awk 'END { print NR }' "$work/$name")" "$work/$name.lines.sums" || failed
done
counts=$(awk '{ all = all (NR > 1 ? " " : "") $0 }
  END {
    count = split(all, said, " ")
    if (count == 8 && all ~ /^entries [0-9]+ bodies [0-9]+ missing [0-9]+ records [0-9]+$/ && length(said[2]) <= 9 \
      && length(said[4]) <= 9 && length(said[6]) <= 9 && length(said[8]) <= 9) print said[2] + 0, said[4] + 0, said[6] + 0, said[8] + 0
  }' "$work/contents.txt") || failed
# Of history entry N: N.record without ends of lines; N.response and N.report as they are, and without CR.
mkdir "$work/records"; n=0; masked=0; others=0
for folder in . ./*; do
  [ -d "$folder" ] && ! [ "$folder" -ef "$work" ] || continue
  [ -r "$folder" ] && [ -x "$folder" ] || failed
  record=
  if [ -f "$folder/record.json" ]; then
    n=$((n + 1)); record=$n
    tr -d '\r\n' <"$folder/record.json" >"$work/whole" || failed
    tr '\000' '\001' <"$work/whole" >"$work/records/$n.record" || failed
  fi
  for file in "$folder"/* "$folder"/.[!.]* "$folder"/..?*; do
    # The folder for temporary files might be in this one.
    { [ -e "$file" ] || [ -L "$file" ]; } && ! [ "$file" -ef "$work" ] || continue
    name=${file##*/}
    case $name in record.masked.*|response.masked.*|report.masked.*) masked=$((masked + 1)); continue;; esac
    if [ -f "$file" ]; then
      case $file in
        ./verify.sh|./verify.ps1|./verify.py|./README.txt|./head.txt|./envelopes.jsonl|./bodies.jsonl|./contents.txt|./SHA256SUMS.txt) continue;;
      esac
      case $record/$name in
        */report.html|*/record.json) continue;;
        ?*/response.json|?*/response.txt|?*/report.json)
          to="$work/records/$n.${name%.*}"
          [ -e "$to.0" ] && to="$to.second"
          cat "$file" >"$to.0" || failed
          tr -d '\r' <"$file" >"$to.1" || failed
          continue;;
      esac
    elif [ "$folder" = . ] && [ -d "$file" ] && [ "$name" = "${name#.}" ]; then
      continue
    fi
    others=$((others + 1))
  done
done
sums records
COUNTS=$counts WORK=$work RECORDS_HERE=$n MASKED=$masked OTHERS=$others awk '
function broken(text) { if (++bad <= 20) print "BROKEN: " text }
function is_hash(text) { return length(text) == 64 && text !~ /[^0-9a-f]/ }
function is_number(text) { return length(text) <= 9 && text ~ /^[1-9][0-9]*$/ }
# The text between two others in a line; empty if they are not there.
function between(line, before, after,   at, rest) {
  at = index(line, before)
  if (!at) return ""
  rest = substr(line, at + length(before)); at = index(rest, after)
  return at ? substr(rest, 1, at - 1) : ""
}
function next_line(name) {
  if ((getline line < (work "/" name)) <= 0) return 0
  getline sum < (work "/" name ".lines.sums"); sum = substr(sum, 1, 64)
  return ++n
}
function is_missing(name,   any) { if ((getline any < (work "/" name ".missing")) >= 0) { broken(name " is missing"); return 1 } }
BEGIN {
  work = ENVIRON["WORK"]; here = ENVIRON["RECORDS_HERE"] + 0
  is_missing("contents.txt")
  can_count = split(ENVIRON["COUNTS"], said, " ") == 4
  if (can_count) {
    entries = said[1] + 0; bodies = said[2] + 0; missing = said[3] + 0; records = said[4] + 0
  } else broken("contents.txt cannot be read")

  kept = tolower(ENVIRON["HEAD"]); gsub(/[^0-9a-z]+/, " ", kept); count = split(kept, word, " ")
  for (i = 1; i + 3 <= count; i++)
    if (word[i] == "seq" && is_number(word[i + 1]) && word[i + 2] == "sha256" && is_hash(word[i + 3])) heads[++kept_heads] = word[i + 1] " " word[i + 3]

  prev = sprintf("%064d", 0); seq = 0; is_missing("envelopes.jsonl")
  for (n = 0; next_line("envelopes.jsonl"); prev = sum) {
    split(line, p, "\"")
    of = substr(p[5], 2, length(p[5]) - 2)
    if (line != "{\"v\":1,\"seq\":" of ",\"at\":\"" p[8] "\",\"type\":\"" p[12] "\",\"body\":\"" p[16] "\",\"prev\":\"" p[20] "\"}" \
        || !is_number(of) || p[8] ~ /[^0-9TZ:.-]/ || p[12] ~ /[^a-z.-]/ || !is_hash(p[16]) || !is_hash(p[20])) {
      broken("line " n " of envelopes.jsonl is not an entry"); seq++; continue
    }
    if (of != seq + 1 || p[20] != prev) broken("entry " of " does not follow entry " seq)
    seq = of + 0; body_of[seq] = p[16]; order[++known] = seq
    if (p[12] == "chain.broken") broken("entry " seq " tells that the app found a break")
    known_head[seq " " sum] = 1
  }
  if (can_count && n != entries) broken("entries here: " n ", in contents.txt: " entries)

  is_missing("bodies.jsonl")
  for (n = 0; next_line("bodies.jsonl");) {
    of = index(line, "{\"seq\":") == 1 ? between(line, "{\"seq\":", ",") : ""
    if (!is_number(of) || !(of + 0 in body_of)) { broken("line " n " of bodies.jsonl is not a body"); continue }
    of += 0
    if (body_of[of] != sum) { broken("the body of entry " of " was changed"); continue }
    if (!(of in is_here)) { is_here[of] = 1; here_are++ }
    record = between(line, ",\"record\":\"", "\""); digest = between(line, ",\"recordSha256\":\"", "\"")
    if (is_hash(digest) && told_by[record] + 0 < of) { told_by[record] = of; told[record] = digest; record_of[of] = record }
  }
  if (can_count && here_are + 0 != bodies + missing) {
    for (i = 1; i <= known && lacking < 20; i++)
      if (!(order[i] in is_here)) { named = named (lacking++ ? ", " : "") order[i] }
    broken("bodies that are missing: " (bodies + missing - here_are) (bodies + missing == entries ? " (entries " named ")" : ""))
  }

  if (here != records) broken("history entries here: " here ", in contents.txt: " (records + 0))
  while ((getline line < (work "/records.sums")) > 0) sum_of[substr(line, 67)] = substr(line, 1, 64)
  for (i = 1; i <= here; i++) {
    line = ""; getline line < (work "/records/" i ".record")
    record = index(line, "{\"v\":1,\"id\":\"") == 1 ? between(line, "\"id\":\"", "\"") : ""
    times[record]++
    if (!(record in told)) broken("no entry recorded history entry " i)
    else if (told[record] != sum_of[i ".record"]) broken("history entry " i " is not what entry " told_by[record] " recorded")
    check(i, "response", between(line, ",\"responseSha256\":\"", "\",\"responseTruncated\":"))
    check(i, "report", between(line, ",\"reportSha256\":\"", "\",\"outcomeSetByUser\":"))
  }
  if (ENVIRON["MASKED"] + 0) broken("files of which secrets were masked, so that they cannot be compared: " (ENVIRON["MASKED"] + 0))

  # In the order of the entries that tell of them.
  if (records) for (i = 1; i <= known; i++) if (order[i] in record_of) {
    record = record_of[order[i]]
    if (told_by[record] == order[i] && times[record] != 1) broken("the history entry that entry " order[i] " recorded is here " (times[record] + 0) " times")
  }

  if (bad > 20) print "BROKEN: and " (bad - 20) " more"
  if (!bad) {
    print "Unbroken up to entry " seq ": " prev
    if (records) print "History entries as they were recorded: " records
  }
  for (i = 1; i <= kept_heads; i++) {
    if (heads[i] in known_head) { split(heads[i], word, " "); print "The head that you kept is entry " (word[1] + 0) "." }
    else { lost = 1; print "BROKEN: the head that you kept is not in this trail" }
  }
  if (kept_heads) ; else if (count) print "BROKEN: what you gave is not a head"
  else print "Whether this is all, only a head that you kept can tell."
  print "Not verified: what was appended after that head, whether history entries were taken out of these files, pages to read (report.html), other files here (" (ENVIRON["OTHERS"] + 0) "), the deactivation log, and checklists."
  exit (bad || lost || (count && !kept_heads)) ? 1 : 0
}
function check(i, what, wanted,   name) {
  name = i "." what
  if (wanted ~ /[^0-9a-f]/) wanted = ""
  if ((name ".0" in sum_of) != (wanted != "") || (name ".second.0" in sum_of) \
      || (wanted != "" && sum_of[name ".0"] != wanted && sum_of[name ".1"] != wanted))
    broken("the " what " of history entry " i " was changed or is missing")
}' </dev/null
