#!/bin/sh
# Verifies the audit trail in this folder without the program: sh verify.sh [HEAD]
# HEAD is a line that you kept elsewhere: site-steward history ID seq NUMBER sha256 HASH
# Requires sha256sum (or shasum), cut, and grep. About 5 ms for each entry: use verify.py for a long trail.
cd "$(dirname "$0")" || exit 2
kept="$*"; kept_seq=${kept#* seq }; kept_seq=${kept_seq%% *}; kept_hash=${kept##* }
sum() { printf %s "$1" | if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi | cut -c1-64; }
field() { value=${1#*\"$2\":}; value=${value%%[,\}]*}; value=${value#\"}; printf %s "${value%\"}"; }
seq=0 bad=0 found=no prev=0000000000000000000000000000000000000000000000000000000000000000
while IFS= read -r line; do
  [ "$(field "$line" seq)" = $((seq + 1)) ] && [ "$(field "$line" prev)" = "$prev" ] ||
    { echo "BROKEN: entry $(field "$line" seq) does not follow entry $seq"; bad=1; }
  seq=$(field "$line" seq); prev=$(sum "$line")
  [ "$seq $prev" = "$kept_seq $kept_hash" ] && found=yes
done <envelopes.jsonl
while IFS= read -r line; do
  grep "^{\"v\":1,\"seq\":$(field "$line" seq)," envelopes.jsonl | grep -q "\"body\":\"$(sum "$line")\"" ||
    { echo "BROKEN: the body of entry $(field "$line" seq) was changed"; bad=1; }
done <bodies.jsonl
[ $bad = 0 ] && echo "Unbroken up to entry $seq: $prev"
if [ -z "$kept" ]; then echo "Whether this is all, only a head that you kept can tell."
elif [ $found = yes ]; then echo "The head that you kept is entry $kept_seq."
else echo "BROKEN: the head that you kept is not in this trail"; bad=1; fi
exit $bad
