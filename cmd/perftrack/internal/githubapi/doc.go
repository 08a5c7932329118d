// Package githubapi is a client for the parts of GitHub's API needed by a trusted job.
//
// It reads the job's event, pull requests, workflow runs and artifacts, and writes comments and
// statuses. It makes no decisions. Start with client.go, which sends the requests. Each of the
// other files contains the requests for one subject.
package githubapi
