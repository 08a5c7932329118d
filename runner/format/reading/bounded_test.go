package reading

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestBounded(t *testing.T) {
	long := strings.Repeat("x", maxToken)
	for _, tt := range []struct {
		what, text string
		want       error
	}{
		{"many short tokens", "<a>" + strings.Repeat("<b>x</b>", maxToken) + "</a>", io.EOF},
		{"a long token", "<a>" + long + "</a>", io.EOF},
		{"a token over the limit", "<a>" + long + long + "</a>", errToken},
	} {
		b := NewBounded(strings.NewReader(tt.text))
		dec := xml.NewDecoder(b)
		var err error
		for err == nil {
			_, err = dec.RawToken()
			b.Mark(dec.InputOffset())
		}
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.what, err, tt.want)
		}
	}
}

func TestJoin(t *testing.T) {
	if got := Join(" Case ", "", "section") + Param("n", "8"); got != "Case/section/n=8" {
		t.Error(got)
	}
}
