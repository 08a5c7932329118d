// Package site is the page: what got slower, where, since when, and whether the numbers
// can be trusted, as a folder that opens from a file, from an artifact or from a server.
//
// The folder has one page, its styles and scripts (static/), and data. Data are classic
// scripts that call one function, because a page that was opened from a file may neither
// fetch nor import modules: a small index, and one file for everything that is opened later.
// documents.go has what is in them. A Source hands them out: the folder asks it for all of
// them, the server for one at a time.
package site
