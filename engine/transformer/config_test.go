package transformer

import "testing"

// The closed-form counts agree with counting the products one by one.
func TestFLOPs(t *testing.T) {
	for _, c := range []Config{Small, Medium, tiny} {
		for n := 1; n <= c.Context; n++ {
			token := int64(0) // operations for the token after which the window holds n
			for range c.Layers {
				token += 2 * int64(c.Dim) * int64(3*c.Dim+c.Dim+4*c.Dim+4*c.Dim)
				token += int64(c.Heads) * int64(n) * 2 * int64(2*c.HeadDim())
			}
			head := 2 * int64(c.Dim) * int64(c.Vocab)
			if got := c.DecodeFLOPs(n); got != token+head {
				t.Errorf("%+v: decode at %d is %d, want %d", c, n, got, token+head)
			}
			if got, want := c.PrefillFLOPs(n)-head, c.PrefillFLOPs(n-1)+token; n > 1 && got != want-head {
				t.Errorf("%+v: prefill of %d is %d without the head, want %d", c, n, got, want-head)
			}
			if got, want := c.ForwardFLOPs(n), c.ForwardFLOPs(n-1)+token+head; got != want {
				t.Errorf("%+v: forward over %d is %d, want %d", c, n, got, want)
			}
		}
		if c.PrefillFLOPs(1) != c.DecodeFLOPs(1) || c.PrefillFLOPs(0) != 0 {
			t.Errorf("%+v: prefill of 0 and 1 is %d and %d", c, c.PrefillFLOPs(0), c.PrefillFLOPs(1))
		}
	}
}

func TestBytes(t *testing.T) {
	for _, tc := range []struct {
		what      string
		got, want int64
	}{
		// A decoded token reads 429,568 and 3,290,624 weights and two embedding rows.
		{"Small, one token", Small.WeightBytes(1), 4 * (429_568 + 2*128)},
		{"Medium, one token", Medium.WeightBytes(1), 4 * (3_290_624 + 2*256)},
		{"Small, ten tokens", Small.WeightBytes(10), 4 * (429_568 + 20*128)},
		{"Small, full cache", Small.CacheBytes(64), 4 * 2 * 2 * 64 * 128},
		{"Small, all", Small.ParameterBytes(), 4 * 470_528},
	} {
		if tc.got != tc.want {
			t.Errorf("%s: %d bytes, want %d", tc.what, tc.got, tc.want)
		}
	}
}
