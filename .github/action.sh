#!/usr/bin/env bash
# The steps of action.yml. Inputs and fields of the event come as environment
# variables only. Each step that starts perftrack ends in exec, so that a cancelled
# job reaches it: the runner signals the step's first process and no other.
set -euo pipefail

home="$RUNNER_TEMP/perftrack"
perftrack="$home/perftrack"

fail() {
	printf '::error title=perftrack::%s\n' "$1"
	exit 2
}

# guard: a self-hosted runner keeps what a fork's code did to it.
guard() {
	if [ "${RUNNER_ENVIRONMENT:-}" != self-hosted ] || [ "${HEAD_REPOSITORY:-}" = "$GITHUB_REPOSITORY" ] || [ "${ALLOW_FORK:-}" = true ]; then
		return
	fi
	fail 'this pull request comes from a fork and this runner is self-hosted: its code is not run here (see allow-fork-on-self-hosted in docs/github.md)'
}

# install: the binary of this very release, if the action knows its hash; else
# built from the action's own source. Only a job that stores runs needs cgo.
install() {
	mkdir -p "$home/out"
	local known="$GITHUB_ACTION_PATH/.github/release.txt" platform hash url
	platform="$(uname -s)-$(uname -m)"
	if [ -f "$known" ]; then
		while read -r p hash url; do
			if [ "$p" = "$platform" ] && download "$hash" "$url"; then
				return
			fi
		done <"$known"
	fi
	printf 'perftrack: this commit of the action has no binary for %s (.github/release.txt): building it from source\n' "$platform"
	command -v go >/dev/null || fail 'there is no binary of this release for this platform and no Go to build it: add actions/setup-go before perftrack'
	local cgo=1
	[ "$COMMAND" != comment ] || cgo=0
	cd "$GITHUB_ACTION_PATH"
	# SQLite at -O2 would take half of the time of a build without caches, and a job stores little.
	# actions/setup-go sets GOTOOLCHAIN=local; its Go may be older than perftrack asks for.
	GOTOOLCHAIN=auto GOFLAGS='' GOWORK=off CGO_ENABLED=$cgo CGO_CFLAGS=-O0 exec go build -trimpath -ldflags='-s -w' -o "$perftrack" ./cmd/perftrack
}

# download fails if there is nothing at the address; another content than the one
# that was released is never tried again.
download() {
	curl --proto '=https' --fail --silent --show-error --location --retry 3 --output "$perftrack.new" "$2" || return 1
	local sum
	if command -v sha256sum >/dev/null; then
		sum=$(sha256sum "$perftrack.new")
	else
		sum=$(shasum -a 256 "$perftrack.new")
	fi
	[ "${sum%% *}" = "$1" ] || fail 'the binary of this release is not the one that was released'
	chmod +x "$perftrack.new"
	mv "$perftrack.new" "$perftrack"
}

hash() {
	[[ $1 =~ ^([0-9a-f]{40}|[0-9a-f]{64})$ ]] || fail "the event names no $2 commit: this command is for pull_request"
}

run() {
	export PERFTRACK_DB="$home/runs.db"
	local strict=()
	[ "$STRICT" != true ] || strict=(--strict)
	case $COMMAND in
	measure)
		hash "$BASE_SHA" base
		hash "$HEAD_SHA" head
		local base tip
		# The event's base is as old as the last push: what came into its branch since, and
		# from there into the pull request, is not of the pull request.
		tip=$(git rev-parse --verify --quiet "refs/remotes/origin/${BASE_REF:-}^{commit}") || tip=$BASE_SHA
		base=$(git merge-base "$tip" "$HEAD_SHA") || fail 'the pull request and its base branch have no commit in common here: check out with fetch-depth: 0'
		exec env -u GITHUB_TOKEN "$perftrack" check --base "$base" --head "$HEAD_SHA" --budget "$BUDGET" ${strict[@]+"${strict[@]}"}
		;;
	comment)
		exec "$perftrack" comment --comment "$COMMENT" --workflow "$NAME" ${strict[@]+"${strict[@]}"}
		;;
	history)
		if [ "$GITHUB_EVENT_NAME" = push ] && git rev-parse --verify --quiet 'HEAD~1^{commit}' >/dev/null; then
			exec env -u GITHUB_TOKEN "$perftrack" run --against HEAD~1
		fi
		exec env -u GITHUB_TOKEN "$perftrack" run
		;;
	publish)
		"$perftrack" import "$RUNNER_TEMP/perftrack-history/trial.txt"
		# This is the one job that packs what others push as single references.
		exec "$perftrack" sync origin --compact
		;;
	esac
	fail 'command is not measure, comment, history or publish'
}

# export writes all runs of the job's own database.
export_runs() {
	[ -f "$home/runs.db" ] || return 0
	PERFTRACK_DB="$home/runs.db" exec "$perftrack" export >"$home/out/trial.txt"
}

case ${1:-} in
guard) guard ;;
install) install ;;
run) run ;;
export) export_runs ;;
*) fail 'unknown step' ;;
esac
