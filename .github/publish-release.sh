#!/usr/bin/env bash
# What the publishing job of release.yml does with the binaries in DIR:
#
#	bash .github/publish-release.sh sums DIR     writes SHA256SUMS and release.txt
#	bash .github/publish-release.sh publish DIR  makes the release of the tag
#
# release.txt is what the action reads to download a binary: platform, hash, address.
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

# A release may be made immutable: so it is complete before it is public.
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
