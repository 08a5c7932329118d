// Package restapi sends requests to the API of a forge: GitHub's, GitLab's, Forgejo's.
//
// It keeps the token with the host of the API, tries again where that can help, waits as
// long as it is told to, and reads no more than it must. What is asked for is said by the
// packages of the forges. All of it is in client.go.
package restapi
