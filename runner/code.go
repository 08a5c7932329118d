package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/runner/program"
)

// code implements [Measurement.Code].
func (m *measurement) code(side int) string {
	prog, ok := m.programs[side].(identified)
	if !ok || slices.ContainsFunc(m.out.Unbuilt, func(u program.Unbuilt) bool { return u.Side == side }) {
		return ""
	}
	var parts []string
	for _, e := range m.open {
		if !slices.Contains(e.sides, side) {
			continue
		}
		code := prog.CodeOf(e.Slot)
		if code == "" {
			return ""
		}
		parts = append(parts, fmt.Sprintf("%q %s\n", e.Slot, code))
	}
	if len(parts) == 0 {
		return ""
	}
	slices.Sort(parts)
	sum := sha256.New()
	for _, p := range parts {
		sum.Write([]byte(p))
	}
	return hex.EncodeToString(sum.Sum(nil))
}
