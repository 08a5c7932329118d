// Package site makes the web page that shows regressions, histories, comparisons and profiles. The
// page is a folder or a single file, and it can be opened from a disk, a CI artifact or a server.
//
// Package documents describes and makes the data. The data are classic scripts that call a
// function, because a page opened from a file may neither fetch data nor import modules. There is a
// small index and one document for each page that can be opened later. A [documents.Source]
// provides the documents. Start with write.go, which writes all documents; single.go puts them into
// one file, and package server makes them one at a time. The page itself consists of index.html and
// the styles and scripts listed in parts.go.
package site
