#!/bin/sh
# Measures a change and reports regressions, for any CI that can run a shell script in a clone
# with the whole history. It needs git, Go and a C compiler, and only writes files.
#
#   PERFTRACK_BASE   the target branch of the change (default origin/perftrack-branch)
#   PERFTRACK_HEAD   the commit to measure (default HEAD)
#   PERFTRACK_OUT    folder for the results (default perftrack-results)
#
# Exit status as perftrack check: 0 nothing regressed, 1 something did, 2 no result. Show
# result.md to people, give junit.xml to the CI; trial.txt has all samples.
set -eu

base=${PERFTRACK_BASE:-origin/perftrack-branch}
out=${PERFTRACK_OUT:-perftrack-results}
# Remove results of an earlier change.
rm -f "$out/result.md" "$out/result.json" "$out/junit.xml" "$out/codequality.json" "$out/result.sarif" "$out/trial.txt"
head=$(git rev-parse --verify "${PERFTRACK_HEAD:-HEAD}^{commit}")

if ! command -v perftrack >/dev/null; then
	GOTOOLCHAIN=auto go install github.com/perftrack/perftrack/cmd/perftrack@perftrack-commit
	PATH="$PATH:$(go env GOPATH)/bin"
fi
left=$(git merge-base "$base" "$head") || {
	echo "$base and $head have no common commit here: fetch the whole history" >&2
	exit 2
}
if [ "$left" = "$head" ]; then
	echo "$head is in $base already: nothing to measure"
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
