package site

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// bundlePath is where the scripts are in one file that every page needs.
const bundlePath = "static/perftrack.js"

// A part is in a template, with the names of the pages that need its scripts: parts.js loads them.
var (
	part   = regexp.MustCompile(`(?s)<template data-pages="([a-z ]+)">\n(.*?)</template>\n`)
	script = regexp.MustCompile(`<script src="(static/[^"]*\.js)"( defer)?></script>\n`)
)

// bundle puts the scripts of ours that a page names into one file, and those of each part into
// another, in their order: few requests in place of fifty, and compressed together they are a
// third smaller.
func bundle(files map[string][]byte) error {
	var missing error
	into := func(name string, tags []byte) []byte {
		var all bytes.Buffer
		out := script.ReplaceAllFunc(tags, func(tag []byte) []byte {
			m := script.FindSubmatch(tag)
			from := string(m[1])
			if path.Dir(from) == "static/uplot" || from == "static/js/theme.js" || from == name || strings.HasPrefix(from, partPrefix) {
				return tag
			}
			text, ok := files[from]
			if !ok {
				missing = fmt.Errorf("index.html names %s, which is not there", from)
			}
			delete(files, from)
			first := all.Len() == 0
			all.Write(slim(text))
			if !first {
				return nil
			}
			return fmt.Appendf(nil, "<script src=%q%s></script>\n", name, m[2])
		})
		if all.Len() > 0 {
			files[name] = all.Bytes()
		}
		return out
	}
	page := part.ReplaceAllFunc(files["index.html"], func(tag []byte) []byte {
		m := part.FindSubmatch(tag)
		name := partPrefix + strings.ReplaceAll(string(m[1]), " ", "-") + ".js"
		return fmt.Appendf(nil, "<template data-pages=\"%s\">\n%s</template>\n", m[1], into(name, m[2]))
	})
	files["index.html"] = joinStyles(files, into(bundlePath, page))
	return missing
}

// joinStyles slims the styles of ours, and puts those that every page needs into the first of them.
func joinStyles(files map[string][]byte, page []byte) []byte {
	for name := range files {
		if path.Ext(name) == ".css" && path.Dir(name) != "static/uplot" {
			files[name] = slimStyle(files[name])
		}
	}
	var first string
	head, parts, _ := bytes.Cut(page, []byte("<template"))
	head = style.ReplaceAllFunc(head, func(tag []byte) []byte {
		name := string(style.FindSubmatch(tag)[1])
		if path.Dir(name) == "static/uplot" {
			return tag
		}
		if first == "" {
			first = name
			return tag
		}
		files[first] = slices.Concat(files[first], files[name])
		delete(files, name)
		return nil
	})
	return slices.Concat(head, []byte("<template"), parts)
}

var style = regexp.MustCompile(`<link rel="stylesheet" href="(static/[^"]*\.css)">\n`)

var (
	styleComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	styleSpace   = regexp.MustCompile(`\s+`)
	styleSign    = regexp.MustCompile(` ?([{};,]) ?|(:) `)
)

// slimStyle leaves out what a browser does not read of a style: comments, and the space around
// signs that end something. The space before a colon is part of a selector. No text in a style
// has any of these signs, which a test asks for.
func slimStyle(style []byte) []byte {
	style = styleSpace.ReplaceAll(styleComment.ReplaceAll(style, nil), []byte(" "))
	return bytes.TrimSpace(styleSign.ReplaceAll(style, []byte("$1$2")))
}

const partPrefix = "static/part-"

// trailing is a comment behind code in which nothing else has a slash but a division.
var trailing = regexp.MustCompile("^((?:[^\"'`/\\\\]|\"[^\"\\\\]*\"| / )*) // .*$")

// slim leaves out what a browser does not read: comments, and the space before lines and
// around signs. No script has text that goes over several lines, which a test asks for.
func slim(script []byte) []byte {
	var out bytes.Buffer
	for line := range strings.Lines(string(script)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		out.WriteString(tight(strings.TrimSpace(trailing.ReplaceAllString(line, "$1"))))
		out.WriteByte('\n')
	}
	return out.Bytes()
}

// tight drops spaces beside signs that mean the same without: not beside + and -, which two of
// would become one, and not in texts. A line with a text of another kind, or with a slash,
// which may begin an expression of its own grammar, stays as it is.
func tight(line string) string {
	if strings.ContainsAny(line, "`/'\\") {
		return line
	}
	texts := strings.Split(line, `"`)
	for i := 0; i < len(texts); i += 2 { // every other one is between quotes
		texts[i] = besideSigns.ReplaceAllString(texts[i], "$1")
	}
	return strings.Join(texts, `"`)
}

var besideSigns = regexp.MustCompile(` *([=(){}\[\],;:?<>&|!*%]) *`)
