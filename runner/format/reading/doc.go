// Package reading holds what the readers of all formats of benchmark output share.
//
// A [Format] says how to recognize an input by its [Head], and how to read it. [JSON] walks a JSON
// document of any size in constant memory. A [Sheet] turns the figures of a benchmark into records
// of the Go benchmark format: it converts units with [UnitOf], cleans names, keeps facts, and marks
// summaries. Start with format.go; the packages beside this one, one for each family of tools,
// contain the formats themselves.
package reading
