package record

import "testing"

// A Builder knows the position of every sample key.
func TestPlaces(t *testing.T) {
	for _, k := range Keys {
		if got := isSampleKey(k.Name); got != (k.Role == SampleKey) {
			t.Errorf("%s is a sample key: %v, but has the role %s", k.Name, got, k.Role)
		}
	}
}
