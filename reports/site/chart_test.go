package site

import (
	"fmt"
	"regexp"
	"testing"
)

// In both themes, each line of a chart has a colour whose contrast with the background is at least
// 3 to 1, as WCAG 2.2 requires for graphics.
func TestContrastOfLines(t *testing.T) {
	files := own(t)
	behind := themes.FindAllSubmatch(files["static/perftrack.css"], -1)
	lines := regexp.MustCompile(`(?m)^:root(\[data-theme="dark"\])? \{(.* --chart-6: .*)\}$`).FindAllSubmatch(files["static/chart.css"], -1)
	if len(behind) != 2 || len(lines) != 2 {
		t.Fatalf("%d themes and %d of lines, want light and dark of each", len(behind), len(lines))
	}
	for i, theme := range behind {
		var background string
		for _, m := range property.FindAllSubmatch(theme[3], -1) {
			if string(m[1]) == "bg" {
				background = string(m[2])
			}
		}
		for k := 1; k <= 6; k++ {
			m := regexp.MustCompile(fmt.Sprintf(`--chart-%d: (#[0-9a-f]{6});`, k)).FindSubmatch(lines[i][2])
			if m == nil {
				t.Errorf("%s: no colour of line %d", theme[2], k)
				continue
			}
			a, b := luminance(t, string(m[1])), luminance(t, background)
			if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); ratio < 3 {
				t.Errorf("%s: line %d on --bg has a contrast of %.2f, want 3", theme[2], k, ratio)
			}
		}
	}
}
