#!/usr/bin/env bash
# Builds the release binary of this platform from the commit that is checked out in the
# current directory:
#
#	bash .github/build-release.sh DIR
#
# writes DIR/perftrack-PLATFORM, where PLATFORM is $(uname -s)-$(uname -m), as action.sh
# looks for it. The same commit gives the same bytes in any directory, with the same
# versions of Go and of the C compiler. On Linux the binary is static: it runs whatever
# C library a machine has.
set -euo pipefail

[ $# = 1 ] || { echo 'usage: bash .github/build-release.sh DIR' >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)/perftrack-$(uname -s)-$(uname -m)

if [ -n "$(git status --porcelain)" ]; then
	echo 'build-release: this is not what was committed: commit or remove the changes of git status' >&2
	exit 1
fi

# SQLite is C. It needs no dlopen without extensions, and Go resolves names and users
# itself, so that the static C library has nothing to load at run time.
tags=sqlite_omit_load_extension,osusergo,netgo
ldflags='-s -w -buildid='
if [ "$(uname -s)" = Linux ]; then
	# Nothing that tells one build from another: no build id of the C linker either.
	ldflags="$ldflags -linkmode external -extldflags '-static -Wl,--build-id=none'"
fi
GOFLAGS='' GOWORK=off CGO_ENABLED=1 CGO_CFLAGS='-O2' CGO_LDFLAGS='' \
	go build -mod=readonly -trimpath -buildvcs=true -tags "$tags" -ldflags "$ldflags" -o "$out" ./cmd/perftrack

# cgo that was switched off unseen shows only with a database.
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
"$out" version
echo 'BenchmarkX 10 100 ns/op' | "$out" --db "$temp/runs.db" import - >/dev/null
"$out" --db "$temp/runs.db" db verify
if [ "$(uname -s)" = Linux ] && ldd "$out" >/dev/null 2>&1; then
	echo "build-release: $out is not static" >&2
	exit 1
fi
