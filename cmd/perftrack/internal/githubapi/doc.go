// Package githubapi is a client for the parts of GitHub's API that a trusted job needs.
//
// It reads the job's event, pull requests, workflow runs and artifacts, and writes comments and
// statuses. It makes no decisions. Start with client.go, which shows how requests are sent. Each of
// the other files contains the requests for one subject.
package githubapi
