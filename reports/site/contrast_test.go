package site

import (
	"math"
	"regexp"
	"strconv"
	"testing"
)

var (
	themes   = regexp.MustCompile(`(?s)(:root(?:\[data-theme="dark"\])?) \{\n  color-scheme: (light|dark);\n(.*?)\n\}`)
	property = regexp.MustCompile(`--([a-z-]+): (#[0-9a-fA-F]{6});`)
)

// In both themes, words have a contrast of 4.5 to 1 with their background, as WCAG 2.2 requires at
// level AA, and spark lines have a contrast of 3 to 1.
func TestContrast(t *testing.T) {
	text := own(t)["static/perftrack.css"]
	found := themes.FindAllSubmatch(text, -1)
	if len(found) != 2 {
		t.Fatalf("%d themes with colours, want light and dark", len(found))
	}
	for _, theme := range found {
		colors := map[string]string{}
		for _, m := range property.FindAllSubmatch(theme[3], -1) {
			colors[string(m[1])] = string(m[2])
		}
		check := func(over, under string, least float64) {
			t.Helper()
			a, b := luminance(t, colors[over]), luminance(t, colors[under])
			if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); ratio < least {
				t.Errorf("%s: --%s on --%s has a contrast of %.2f, want %.1f", theme[2], over, under, ratio, least)
			}
		}
		for _, word := range []string{"fg", "muted", "accent", "worse", "better", "undecided"} {
			for _, under := range []string{"bg", "panel", "accent-soft"} {
				check(word, under, 4.5)
			}
		}
		for _, tone := range []string{"worse", "better", "undecided", "accent"} {
			check(tone, tone+"-soft", 4.5)
			check("fg", tone+"-soft", 4.5)
		}
		check("spark", "bg", 3)
		check("fg", "band", 4.5)
	}
}

// luminance returns the relative luminance, as defined by WCAG 2.2, of a colour such as #1b1f24.
func luminance(t *testing.T, color string) float64 {
	t.Helper()
	if len(color) != 7 {
		t.Fatalf("colour %q", color)
	}
	rgb, err := strconv.ParseUint(color[1:], 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		c := float64(rgb>>(16-8*i)&0xff) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}
