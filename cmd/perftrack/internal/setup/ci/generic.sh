#!/bin/sh
# Measures a change and says what it made slower, for any CI that can run a shell script in a
# clone with the whole history. It needs git, Go and a C compiler, and writes files only.
#
#   PERFTRACK_BASE   the branch that the change is to go into (default origin/perftrack-branch)
#   PERFTRACK_HEAD   the commit to measure (default HEAD)
#   PERFTRACK_OUT    folder for the results (default perftrack-results)
#
# It ends as perftrack check does: 0 nothing regressed, 1 something did, 2 there is no result.
# result.md is what to show, junit.xml what most CIs read; trial.txt has all samples.
set -eu

base=${PERFTRACK_BASE:-origin/perftrack-branch}
out=${PERFTRACK_OUT:-perftrack-results}
# What an earlier change left is not this one's, however this ends.
rm -f "$out/result.md" "$out/result.json" "$out/junit.xml" "$out/codequality.json" "$out/result.sarif" "$out/trial.txt"
head=$(git rev-parse --verify "${PERFTRACK_HEAD:-HEAD}^{commit}")

if ! command -v perftrack >/dev/null; then
	GOTOOLCHAIN=auto go install github.com/perftrack/perftrack/cmd/perftrack@perftrack-commit
	PATH="$PATH:$(go env GOPATH)/bin"
fi
left=$(git merge-base "$base" "$head") || {
	echo "$base and $head have no commit in common here: fetch the whole history" >&2
	exit 2
}
if [ "$left" = "$head" ]; then
	echo "$head is in $base already: there is nothing to measure"
	exit 0
fi
mkdir -p "$out"
PERFTRACK_DB="$(mktemp -d)/runs.db"
export PERFTRACK_DB
code=0
perftrack check --base "$left" --head "$head" \
	--output "markdown=$out/result.md" --output "json=$out/result.json" --output "junit=$out/junit.xml" \
	--output "codequality=$out/codequality.json" --output "sarif=$out/result.sarif" || code=$?
perftrack export >"$out/trial.txt" || rm -f "$out/trial.txt"
exit "$code"
