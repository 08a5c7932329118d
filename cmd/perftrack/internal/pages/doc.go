// Package pages hands out the documents of the page from a database and a git repository.
//
// Begin with pages.go: opening a Site reads what places in the documents mean, once. What is
// computed is made by package site of what the other files read, one for each kind of document:
// index.go and benchmark.go of histories, runs.go of runs, and so on.
package pages
