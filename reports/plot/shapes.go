package plot

// A color is an index in colors. The SVG picture uses both themes, and the PNG picture uses the
// light theme.
type color int

const (
	background color = iota
	foreground
	muted
	rule
	worse
	better
	undecided
	line1
)

const lineColors = 6 // number of colors for lines

// colors holds the colors of the site's page in the light and in the dark theme.
var colors = [...][2]string{
	background: {"#ffffff", "#12161b"},
	foreground: {"#1b1f24", "#e5e9ee"},
	muted:      {"#59636e", "#9ba6b2"},
	rule:       {"#d8dee4", "#303945"},
	worse:      {"#b42318", "#ff8f85"},
	better:     {"#0b6e56", "#65d0ac"},
	undecided:  {"#875400", "#e6b656"},
	line1:      {"#0a58a8", "#7ab7f7"},
	line1 + 1:  {"#a34700", "#f0a35e"},
	line1 + 2:  {"#6b3fa0", "#c3a1f5"},
	line1 + 3:  {"#00707a", "#5fcbd3"},
	line1 + 4:  {"#9c1f6b", "#f193c9"},
	line1 + 5:  {"#5c6400", "#c5cf5a"},
}

func lineColor(i int) color { return line1 + color(i%lineColors) }

type point struct{ x, y float64 }

// A shape is an area, a stroke or a text. Sizes are in pixels.
type shape struct {
	points  []point
	color   color
	opacity float64 // 0 means 1
	fill    bool
	width   float64 // width of a stroke
	dashed  bool

	text   string // drawn at points[0], centered vertically
	size   float64
	bold   bool
	anchor anchor
}

type anchor int

const (
	start anchor = iota
	middle
	end
)

func area(c color, opacity float64, points ...point) shape {
	return shape{points: points, color: c, opacity: opacity, fill: true}
}

func box(c color, opacity, left, top, right, bottom float64) shape {
	return area(c, opacity, point{left, top}, point{right, top}, point{right, bottom}, point{left, bottom})
}

func stroke(c color, width float64, points ...point) shape {
	return shape{points: points, color: c, width: width}
}

func words(c color, size float64, at anchor, x, y float64, text string) shape {
	return shape{points: []point{{x, y}}, color: c, size: size, anchor: at, text: text}
}

// mark returns the shapes that mark a point. Lines differ by the kind of their marks as well as by
// their color. The mark is hollow if the point was carried over or does not count as history.
func mark(kind int, c color, x, y, r float64, hollow bool) []shape {
	var outline []point
	switch kind % 4 {
	case 1:
		outline = []point{{x - r*.9, y - r*.9}, {x + r*.9, y - r*.9}, {x + r*.9, y + r*.9}, {x - r*.9, y + r*.9}}
	case 2:
		outline = []point{{x, y - r*1.25}, {x + r*1.15, y + r*.85}, {x - r*1.15, y + r*.85}}
	case 3:
		outline = []point{{x, y - r*1.35}, {x + r*1.35, y}, {x, y + r*1.35}, {x - r*1.35, y}}
	default:
		outline = circle(x, y, r)
	}
	if !hollow {
		return []shape{area(c, 0, outline...)}
	}
	return []shape{area(background, 0, outline...), stroke(c, 1.4, append(outline, outline[0])...)}
}

func circle(x, y, r float64) (outline []point) {
	// These are the cosines and sines of the multiples of 30 degrees.
	for _, d := range [...]point{{1, 0}, {.866, .5}, {.5, .866}, {0, 1}, {-.5, .866}, {-.866, .5}, {-1, 0}, {-.866, -.5}, {-.5, -.866}, {0, -1}, {.5, -.866}, {.866, -.5}} {
		outline = append(outline, point{x + r*d.x, y + r*d.y})
	}
	return outline
}
