// Package githubapi is a client of the few parts of GitHub's API that a trusted job needs:
// pull requests, comments, statuses, artifacts. Begin with client.go.
package githubapi
