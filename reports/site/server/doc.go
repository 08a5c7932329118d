// Package server shows a site live: the same files as in the folder that package site writes,
// each made when it is asked for and kept until what is stored changes.
//
// It answers GET and HEAD, of a short list of paths and under names of this machine only: a page
// of somebody else that is open in the same browser must learn nothing from it, neither
// through a name that suddenly leads here nor by loading data as scripts. Begin with server.go;
// gate.go says who is let in, files.go what there is, cache.go how it is kept, behind.go what is
// shown while something newer is made.
package server
