#!/bin/sh
# One document at every stage. A test runs these lines again and compares every file.
set -e
cd "$(dirname "$0")"
# A draft: marked, with claims that wait for a person.
cg-review 1-source.md -o 2-draft.cgd.md --today 2026-11-30 --model embedded -q
# The claims as a file to fill in. Maria filled it in: 4-answers.yaml.
cg-review queue 2-draft.cgd.md -o 3-queue.yaml --force --now 2026-11-30T09:00:00Z
# Her answers: one true with its source, one an estimate, one replaced, one taken out.
cp 2-draft.cgd.md 4-answered.cgd.md
cg-review apply 4-answers.yaml --by "Maria Lopez" --now 2026-11-30T10:00:00Z
cg-review check 4-answered.cgd.md --now 2026-11-30
# A Source of Truth, made of what she confirmed.
cp 4-answered.cgd.md 5-source-of-truth.cgd.md
cg-review promote 5-source-of-truth.cgd.md --owner "Harbour Lights" --version 1.0 --by "Maria Lopez" --now 2026-11-30T11:00:00Z
# A paragraph that nobody can vouch for is excluded; the document is quarantined.
cp 4-answered.cgd.md 6-excluded.cgd.md
cg-review exclude 6-excluded.cgd.md --lines 50 --id history-1 --reason "nobody is left to ask" --by "Maria Lopez" --now 2026-11-30T12:00:00Z
# Copies for others: without what is excluded, and as plain text.
cg-review export 6-excluded.cgd.md --redact-exclusions -o 7-redacted.cgd.md
cg-review export 4-answered.cgd.md --plain -o 8-plain.md
