// Package githubapi is a client of the few parts of GitHub's API that a trusted job needs.
//
// It reads the job's event, pull requests, workflow runs and artifacts, and writes comments
// and statuses. It decides nothing. Begin with client.go, how a request is sent; event.go,
// pull.go, runs.go, artifact.go, comments.go and status.go each have the requests of one
// subject.
package githubapi
