package reading

import "bytes"

// other says what an input is that has no results, though it may look as if it had, or "".
func (h *Head) other() string {
	switch {
	case len(bytes.TrimSpace(h.Text)) == 0 && h.whole:
		return "the file is empty"
	case h.Has("schema_version:number") && h.Has("kind:string"):
		return "this is perftrack's JSON: import reads perftrack export in the Go benchmark format"
	case h.Compares():
		return "this is benchstat's comparison: import the files that it compared"
	}
	return ""
}

// Compares reports whether a line of the input is the header of what benchstat prints, as text or as
// CSV. Until 2022 a header was "name  old time/op  new time/op  delta".
func (h *Head) Compares() bool {
	for _, line := range h.Lines() {
		perOp := bytes.Contains(line, []byte("/op"))
		switch {
		case bytes.Contains(line, []byte("vs base")) && (bytes.Contains(line, []byte("│")) || bytes.Contains(line, []byte(",CI,"))),
			perOp && bytes.HasPrefix(bytes.TrimSpace(line), []byte("│")),
			perOp && bytes.HasPrefix(line, []byte(",")) && bytes.Contains(line, []byte(",CI")),
			perOp && bytes.HasPrefix(line, []byte("name ")) && bytes.Contains(line, []byte(" old ")):
			return true
		}
	}
	return false
}
