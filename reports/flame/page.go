package flame

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"html/template"
	"regexp"
	"strings"
)

var (
	styleBlock  = regexp.MustCompile(`(?s)<style[^>]*>(.*?)</style>`)
	ownPolicy   = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`)
	scriptBlock = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
)

// needsServer lists the parts to remove from pprof's scripts, because they depend on pprof's server
// or its page header.
var needsServer = []string{
	"initConfigManager();", // saved settings
	"r.addEventListener('contextmenu', (e) => { showActionMenu(e, box); });", // links to other views
}

var (
	//go:embed page.html
	skeleton string
	//go:embed page.css
	ownStyle string
	//go:embed page.js
	ownScript string // runs after pprof's scripts and makes the boxes accessible by keyboard
	document  = template.Must(template.New("page").Parse(skeleton))
)

// page puts pprof's styles and scripts, including the stacks, into a new page, because the header
// of pprof's page depends on its server.
func (g Graph) page(served []byte) ([]byte, error) {
	var styles, scripts []string
	for _, m := range styleBlock.FindAllSubmatch(served, -1) {
		styles = append(styles, string(m[1]))
	}
	for _, m := range scriptBlock.FindAllSubmatch(served, -1) {
		scripts = append(scripts, string(m[1]))
	}
	if len(styles) == 0 || len(scripts) == 0 || !strings.Contains(scripts[len(scripts)-1], "stackViewer(") {
		return nil, errors.New("pprof's page has an unknown structure")
	}
	for _, part := range needsServer {
		found := 0
		for i, s := range scripts {
			found += strings.Count(s, part)
			scripts[i] = strings.Replace(s, part, "", 1)
		}
		if found != 1 {
			return nil, fmt.Errorf("pprof's scripts contain %q %d times instead of once", part, found)
		}
	}
	return g.write(append(styles, ownStyle), append(scripts, ownScript))
}

func (g Graph) write(styles, scripts []string) ([]byte, error) {
	data := struct {
		Graph
		Policy     string
		Difference bool
		Styles     []template.HTML
		Scripts    []template.HTML
	}{Graph: g, Policy: policy(styles, scripts), Difference: g.Base != nil}
	for _, s := range styles {
		data.Styles = append(data.Styles, template.HTML("<style>"+s+"</style>"))
	}
	for _, s := range scripts {
		data.Scripts = append(data.Scripts, template.HTML("<script>"+s+"</script>"))
	}
	var out bytes.Buffer
	if err := document.Execute(&out, data); err != nil {
		return nil, fmt.Errorf("write the page: %w", err)
	}
	return out.Bytes(), nil
}

// Policy returns the Content-Security-Policy to send in the HTTP header of a page. The policy
// allows the page's own scripts and styles, by their hashes, and nothing else. For a document not
// made by [Page], it allows no scripts at all.
func Policy(page []byte) string {
	var styles, scripts []string
	for _, m := range styleBlock.FindAllSubmatch(page, -1) {
		styles = append(styles, string(m[1]))
	}
	for _, m := range scriptBlock.FindAllSubmatch(page, -1) {
		scripts = append(scripts, string(m[1]))
	}
	has := policy(styles, scripts)
	if says := ownPolicy.FindSubmatch(page); says == nil || html.UnescapeString(string(says[1])) != has {
		has = policy(nil, nil)
	}
	return has + "; frame-ancestors 'none'"
}

func policy(styles, scripts []string) string {
	return "default-src 'none'; script-src " + hashes(scripts) + "; style-src " + hashes(styles) +
		"; img-src data:; base-uri 'none'; form-action 'none'"
}

func hashes(texts []string) string {
	if len(texts) == 0 {
		return "'none'"
	}
	var all []string
	for _, text := range texts {
		sum := sha256.Sum256([]byte(text))
		all = append(all, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	return strings.Join(all, " ")
}
