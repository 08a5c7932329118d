package naming

import "testing"

// A shape is known only for a model with the name and the size of one of the engine's models.
func TestShapeOf(t *testing.T) {
	for _, tt := range []struct {
		Model
		want Shape
		ok   bool
	}{
		{Model{"Small", 470_528}, Shape{256, 64, 128, 2, 4}, true}, {Model{"Small", 1}, Shape{}, false}, {Model{"Other", 470_528}, Shape{}, false},
	} {
		if got, ok := ShapeOf(tt.Model); got != tt.want || ok != tt.ok {
			t.Errorf("%+v: %+v, %v", tt.Model, got, ok)
		}
	}
}
