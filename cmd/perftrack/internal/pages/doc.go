// Package pages builds the documents of the web page from a database and a git repository.
//
// Start with pages.go: opening a Site reads the common lists of all documents. Each of the other
// files reads the data for one kind of document, and package site computes the document from it.
// For example, index.go and benchmark.go read histories, and runs.go reads runs.
package pages
