package plot

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
)

// SVG returns the picture as an SVG document without scripts or links, in the colors of the
// reader's theme.
func (f Figure) SVG() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" role="img" aria-label="%s" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif">`+"\n",
		number(f.width), number(f.height), escape(f.title))
	b.WriteString("<style>\n")
	for theme, begin := range []string{"", "@media (prefers-color-scheme: dark) {\n"} {
		b.WriteString(begin)
		for i, c := range colors {
			fmt.Fprintf(&b, ".f%d{fill:%s}.s%[1]d{stroke:%[2]s;fill:none}\n", i, c[theme])
		}
		if begin != "" {
			b.WriteString("}\n")
		}
	}
	b.WriteString("</style>\n")
	fmt.Fprintf(&b, `<rect class="f%d" width="%s" height="%s"/>`+"\n", background, number(f.width), number(f.height))
	for _, s := range f.shapes {
		s.svg(&b)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func (s shape) svg(b *bytes.Buffer) {
	opacity := ""
	if s.opacity != 0 {
		opacity = fmt.Sprintf(` opacity="%s"`, number(s.opacity))
	}
	switch {
	case s.text != "":
		weight := ""
		if s.bold {
			weight = ` font-weight="600"`
		}
		fmt.Fprintf(b, `<text class="f%d" x="%s" y="%s" font-size="%s" text-anchor="%s"%s>%s</text>`+"\n",
			s.color, number(s.points[0].x), number(s.points[0].y+s.size*0.36), number(s.size), [...]string{"start", "middle", "end"}[s.anchor], weight, escape(s.text))
	case s.fill:
		fmt.Fprintf(b, `<polygon class="f%d"%s points="%s"/>`+"\n", s.color, opacity, list(s.points))
	default:
		dash := ""
		if s.dashed {
			dash = ` stroke-dasharray="5 4"`
		}
		fmt.Fprintf(b, `<polyline class="s%d"%s stroke-width="%s" stroke-linejoin="round"%s points="%s"/>`+"\n", s.color, opacity, number(s.width), dash, list(s.points))
	}
}

func list(points []point) string {
	var b strings.Builder
	for i, p := range points {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(number(p.x) + "," + number(p.y))
	}
	return b.String()
}

// number formats a coordinate or size with at most two decimals, because a screen cannot show more.
func number(x float64) string {
	text := strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(x, 'f', 2, 64), "0"), ".")
	if text == "-0" {
		return "0"
	}
	return text
}

func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // writing to a strings.Builder never fails
	return b.String()
}
