// Package server serves a site. The files are the same as in the folder written by package site,
// but each is made when it is requested and kept until the store changes.
//
// The server answers only GET and HEAD requests, only for a short list of paths, and only under
// names of this machine. A foreign page in the same browser must not learn anything, neither by DNS
// rebinding nor by loading data as scripts. Start with server.go. Requests are admitted in gate.go
// and answered in files.go. The files are kept in cache.go, and behind.go shows an older overview
// while a newer one is being made.
package server
