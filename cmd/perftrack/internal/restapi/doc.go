// Package restapi sends requests to the API of a forge: GitHub, GitLab or Forgejo.
//
// It sends the token only to the API's host, retries failed requests, waits as long as the forge
// requests, and limits the size of a response. The requests themselves are in the packages for the
// individual forges. Start with client.go.
package restapi
