#!/usr/bin/env bash
# The steps of the publishing job of release.yml for the binaries in DIR:
#
#	bash .github/publish-release.sh sums DIR     writes SHA256SUMS and release.txt
#	bash .github/publish-release.sh publish DIR  publishes the release of the tag
#
# The action reads release.txt to download a binary: platform, hash, address.
# See "Release" in CONTRIBUTING.md.
set -euo pipefail

sums() {
	local file
	sha256sum perftrack-* >SHA256SUMS
	for file in perftrack-*; do
		case $file in *.json | perftrack-mcp-*) continue ;; esac
		printf '%s %s %s\n' "${file#perftrack-}" "$(sha256sum "$file" | cut -d ' ' -f 1)" \
			"$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/releases/download/$GITHUB_REF_NAME/$file"
	done >release.txt
	cat release.txt
}

# A release may be immutable, so it must be complete before it is public.
publish() {
	sha256sum --check SHA256SUMS
	gh release create "$GITHUB_REF_NAME" --repo "$GITHUB_REPOSITORY" --verify-tag --draft --title "$GITHUB_REF_NAME" --generate-notes -- *
	gh release edit "$GITHUB_REF_NAME" --repo "$GITHUB_REPOSITORY" --draft=false
}

[ $# = 2 ] || { echo 'usage: bash .github/publish-release.sh sums|publish DIR' >&2; exit 2; }
cd "$2"
case $1 in
sums) sums ;;
publish) publish ;;
*) echo "publish-release: no step $1: sums or publish" >&2; exit 2 ;;
esac
