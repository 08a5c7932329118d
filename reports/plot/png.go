package plot

import (
	"bytes"
	"fmt"
	"image"
	imagecolor "image/color"
	"image/draw"
	"image/png"
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/inconsolata"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// PNG returns the picture as an image in the colors of the light theme.
func (f Figure) PNG() ([]byte, error) {
	img := image.NewRGBA(image.Rect(0, 0, int(math.Ceil(f.width)), int(math.Ceil(f.height))))
	draw.Draw(img, img.Bounds(), image.NewUniform(rgba(background, 0)), image.Point{}, draw.Src)
	for _, s := range f.shapes {
		s.paint(img)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return nil, fmt.Errorf("encode picture of %s: %w", f.title, err)
	}
	return b.Bytes(), nil
}

func rgba(c color, opacity float64) imagecolor.Color {
	n, err := strconv.ParseUint(colors[c][0][1:], 16, 32)
	if err != nil {
		panic(err) // impossible: the table of colors is valid
	}
	if opacity == 0 {
		opacity = 1
	}
	return imagecolor.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), uint8(math.Round(255 * opacity))}
}

// latin replaces characters missing from the font. The font covers only Latin-1.
var latin = strings.NewReplacer("−", "-", "…", "..", "∞", "inf")

func (s shape) paint(img *image.RGBA) {
	ink := image.NewUniform(rgba(s.color, s.opacity))
	if s.text != "" {
		face := inconsolata.Regular8x16
		if s.bold {
			face = inconsolata.Bold8x16
		}
		text := []rune(latin.Replace(s.text))
		for i, r := range text {
			if r > 0xff {
				text[i] = '?'
			}
		}
		d := font.Drawer{Dst: img, Src: ink, Face: face}
		x := s.points[0].x - float64(s.anchor)/2*float64(d.MeasureString(string(text)).Round())
		d.Dot = fixed.P(int(math.Round(x)), int(math.Round(s.points[0].y))+5)
		d.DrawString(string(text))
		return
	}
	if s.fill {
		fillPolygon(img, ink, s.points)
		return
	}
	for _, part := range s.parts() {
		for i := range part[1:] {
			fillPolygon(img, ink, segment(part[i], part[i+1], s.width))
			if i > 0 {
				fillPolygon(img, ink, circle(part[i].x, part[i].y, s.width/2))
			}
		}
	}
}

// parts returns the strokes that make up a line. A dashed line has dashes of 5 pixels and gaps of
// 4.
func (s shape) parts() (out [][]point) {
	if !s.dashed {
		return [][]point{s.points}
	}
	for i := range s.points[1:] {
		a, b := s.points[i], s.points[i+1]
		length := math.Hypot(b.x-a.x, b.y-a.y)
		at := func(d float64) point {
			d = min(d, length) / length
			return point{a.x + (b.x-a.x)*d, a.y + (b.y-a.y)*d}
		}
		for d := 0.0; d < length; d += 9 {
			out = append(out, []point{at(d), at(d + 5)})
		}
	}
	return out
}

// segment returns the outline of a line of the given width, or nil if a and b are the same point.
func segment(a, b point, width float64) []point {
	length := math.Hypot(b.x-a.x, b.y-a.y)
	if length == 0 {
		return nil
	}
	dx, dy := (b.x-a.x)/length*width/2, (b.y-a.y)/length*width/2
	return []point{{a.x - dy, a.y + dx}, {b.x - dy, b.y + dx}, {b.x + dy, b.y - dx}, {a.x + dy, a.y - dx}}
}

// fillPolygon fills a polygon with ink and smooths its edges.
func fillPolygon(img *image.RGBA, ink image.Image, points []point) {
	if len(points) == 0 {
		return
	}
	lo, hi := points[0], points[0]
	for _, p := range points {
		lo, hi = point{min(lo.x, p.x), min(lo.y, p.y)}, point{max(hi.x, p.x), max(hi.y, p.y)}
	}
	box := image.Rect(int(math.Floor(lo.x)), int(math.Floor(lo.y)), int(math.Ceil(hi.x))+1, int(math.Ceil(hi.y))+1)
	z := vector.NewRasterizer(box.Dx(), box.Dy())
	at := func(p point) (x, y float32) {
		return float32(p.x - float64(box.Min.X)), float32(p.y - float64(box.Min.Y))
	}
	z.MoveTo(at(points[0]))
	for _, p := range points[1:] {
		z.LineTo(at(p))
	}
	z.ClosePath()
	z.Draw(img, box, ink, image.Point{})
}
