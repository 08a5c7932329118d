package site

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// maxSingle is how large a single page may be, in bytes: browsers open more, but not at once,
// and forges take less.
const maxSingle = 32 << 20

// A TooLargeError says that a site is too large for a single page.
type TooLargeError struct{ Bytes, Most int }

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the page has more than %d MB (%d so far): write a folder instead, with -o DIR, or less of it: --last 100 has the newest 100 commits, --package PATH some benchmarks", e.Most>>20, e.Bytes>>20)
}

// WriteSingle writes the site as one file that needs nothing else. Its flame graphs are left out:
// each is a page of its own. The file is replaced at once, or not at all, and only a page of
// perftrack's is.
func WriteSingle(ctx context.Context, name string, s Source, progress Progress) error {
	err := replaceable(name)
	if err == nil {
		var page []byte
		if page, err = single(ctx, s, progress, maxSingle); err == nil {
			err = replace(name, page)
		}
	}
	if err != nil {
		return fmt.Errorf("write the page %s: %w", name, err)
	}
	return nil
}

// generator marks a page of perftrack's near its beginning, so that it is known again.
const generator = `<meta name="generator" content="perftrack">`

// replaceable returns an error where something is there that would be lost: anything but
// a page of perftrack's or an empty file.
func replaceable(name string) error {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errors.New("it is there and is no regular file: name another file")
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	head, err := io.ReadAll(io.LimitReader(f, 1024))
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if len(head) > 0 && !bytes.Contains(head, []byte(generator)) {
		return errors.New("it is there and perftrack did not write it: move it, or name another file")
	}
	return nil
}

// replace writes a file under another name first.
func replace(name string, text []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), ".perftrack-*.html")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// single returns the page with all that it loads in it.
func single(ctx context.Context, s Source, progress Progress, most int) ([]byte, error) {
	static, err := Assets()
	if err != nil {
		return nil, err
	}
	data, err := allData(ctx, s, progress, most)
	if err != nil {
		return nil, err
	}
	return inlined(static, data)
}

// allData returns the scripts of all documents, one behind the other.
func allData(ctx context.Context, s Source, progress Progress, most int) ([]byte, error) {
	files, err := list(ctx, s)
	if err != nil {
		return nil, err
	}
	var data bytes.Buffer
	for i, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !strings.HasPrefix(f.path, "data/") {
			continue
		}
		text, _, err := f.make(ctx)
		if err != nil {
			return nil, err
		}
		if data.Write(text); data.Len() > most {
			return nil, &TooLargeError{data.Len(), most}
		}
		if progress != nil {
			progress(i+1, len(files))
		}
	}
	return data.Bytes(), nil
}

var (
	policyTag = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="[^"]*">`)
	styleTag  = regexp.MustCompile(`<link rel="stylesheet" href="([^"]+)">`)
	scriptTag = regexp.MustCompile(`<script src="([^"]+)"( defer)?></script>`)
	fileTag   = regexp.MustCompile(`(?m)^<link rel="alternate"[^>]*>\n`)
)

// inlined puts the styles and scripts into the page. A policy by their hashes lets nothing else
// run. Scripts that wait for the page come at its end, the data first of all that use them.
func inlined(static map[string][]byte, data []byte) ([]byte, error) {
	page := string(static[pageName])
	var policy struct{ scripts, styles []string }
	var err error
	text := func(file string) string {
		content, ok := static[file]
		if !ok {
			err = errors.Join(err, fmt.Errorf("the page loads %s, which is not there", file))
		}
		return string(content)
	}
	script := func(code string) string {
		if bad := ends(code, "script"); bad != "" {
			err = errors.Join(err, fmt.Errorf("a script of the page has %s in it", bad))
		}
		policy.scripts = append(policy.scripts, policyHash(code))
		return "<script>" + code + "</script>"
	}
	page = styleTag.ReplaceAllStringFunc(page, func(tag string) string {
		code := text(styleTag.FindStringSubmatch(tag)[1])
		if bad := ends(code, "style"); bad != "" {
			err = errors.Join(err, fmt.Errorf("a style of the page has %s in it", bad))
		}
		policy.styles = append(policy.styles, policyHash(code))
		return "<style>" + code + "</style>"
	})
	var waiting []string
	page = scriptTag.ReplaceAllStringFunc(page, func(tag string) string {
		m := scriptTag.FindStringSubmatch(tag)
		code := text(m[1])
		if m[2] == "" {
			return script(code)
		}
		waiting = append(waiting, code)
		return ""
	})
	var last strings.Builder
	for _, code := range slices.Concat([]string{early + string(data)}, waiting) {
		last.WriteString(script(code) + "\n")
	}
	page = fileTag.ReplaceAllString(page, "") // there is no other file
	page = strings.Replace(page, "</body>", last.String()+"</body>", 1)
	page = policyTag.ReplaceAllLiteralString(page, `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src `+
		strings.Join(policy.scripts, " ")+`; style-src `+strings.Join(policy.styles, " ")+`; img-src data:; base-uri 'none'; form-action 'none'">`)
	return []byte(page), err
}

// early keeps documents for the script that takes them, which comes behind them: it looks for
// what the page needs as soon as it is there.
const early = "perftrack.early=[];perftrack.data=(...all)=>perftrack.early.push(all);\n"

// ends returns what of a text would end the element that it is put into, or hide its end.
func ends(text, element string) string {
	lower := strings.ToLower(text)
	for _, bad := range []string{"</" + element, "<!--", "<script"} {
		if strings.Contains(lower, bad) {
			return bad
		}
	}
	return ""
}

// policyHash is how a policy names a script or a style.
func policyHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
