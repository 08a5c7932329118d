package decode

import (
	"testing"

	"github.com/perftrack/perftrack/runner/record"
)

// A Builder finds the position of every sample key.
func TestPlaces(t *testing.T) {
	for _, k := range record.Keys {
		if got := isSampleKey(k.Name); got != (k.Role == record.SampleKey) {
			t.Errorf("%s is a sample key: %v, but has the role %s", k.Name, got, k.Role)
		}
	}
}
