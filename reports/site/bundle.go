package site

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// bundlePath is where all scripts of the page are in one file.
const bundlePath = "static/perftrack.js"

var deferred = regexp.MustCompile(`<script src="(static/[^"]*\.js)" defer></script>\n`)

// bundle puts the scripts of ours that a page names into one file, in their order: one request
// in place of thirty, and compressed together they are a third smaller.
func bundle(files map[string][]byte) error {
	var all bytes.Buffer
	var missing error
	files["index.html"] = deferred.ReplaceAllFunc(files["index.html"], func(tag []byte) []byte {
		name := string(deferred.FindSubmatch(tag)[1])
		if path.Dir(name) == "static/uplot" {
			return tag
		}
		text, ok := files[name]
		if !ok {
			missing = fmt.Errorf("index.html names %s, which is not there", name)
		}
		delete(files, name)
		first := all.Len() == 0
		all.Write(slim(text))
		if !first {
			return nil
		}
		return []byte(`<script src="` + bundlePath + `" defer></script>` + "\n")
	})
	files[bundlePath] = all.Bytes()
	return missing
}

// slim leaves out what a browser does not read: lines of comment, and the space before a line.
// No script has text that goes over several lines, which a test asks for.
func slim(script []byte) []byte {
	var out bytes.Buffer
	for line := range strings.Lines(string(script)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		out.WriteString(line)
		out.WriteByte('\n')
	}
	return out.Bytes()
}
