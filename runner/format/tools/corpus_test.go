package tools_test

import (
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

// TestCorpus reads files that users of these formats published. The values were written by hand.
func TestCorpus(t *testing.T) {
	for _, tt := range []struct{ file, format, want string }{
		{"bencher-shell-hyperfine-two.json", "hyperfine", `
			Unit user-ns/op better=lower
			Unit system-ns/op better=lower
			Unit ns/op from=s
			sleep_0.1 1 1.0586876872e+08 ns/op 717496.2962962964 user-ns/op 1.3508844444444443e+06 system-ns/op
			sleep_0.1 1 1.0725897672000001e+08 ns/op
			sleep_0.1 1 1.0985180972e+08 ns/op
			sleep_0.1 1 1.1533689272e+08 ns/op
			sleep_0.1 1 1.1243701872e+08 ns/op
			sleep_0.1 1 1.0619693572000001e+08 ns/op
			sleep_0.1 1 1.0674539272e+08 ns/op
			sleep_0.1 1 1.0628972672e+08 ns/op
			sleep_0.1 1 1.0579564272e+08 ns/op
			sleep_0.1 1 1.0288589372000001e+08 ns/op
			sleep_0.1 1 1.0621860172e+08 ns/op
			sleep_0.1 1 1.0660368472000001e+08 ns/op
			sleep_0.1 1 1.0628681072e+08 ns/op
			sleep_0.1 1 1.0619751772000001e+08 ns/op
			sleep_0.1 1 1.0343360172e+08 ns/op
			sleep_0.1 1 1.0298851872e+08 ns/op
			sleep_0.1 1 1.0611801872e+08 ns/op
			sleep_0.1 1 1.0636710172000001e+08 ns/op
			sleep_0.1 1 1.0652535172000001e+08 ns/op
			sleep_0.1 1 1.0663814372000001e+08 ns/op
			sleep_0.1 1 1.0247468572e+08 ns/op
			sleep_0.1 1 1.0823689372e+08 ns/op
			sleep_0.1 1 1.1125081072000001e+08 ns/op
			sleep_0.1 1 1.1141268472e+08 ns/op
			sleep_0.1 1 1.1084447672e+08 ns/op
			sleep_0.1 1 1.1189297672000001e+08 ns/op
			sleep_0.1 1 1.1127360172e+08 ns/op
			sleep_0.2 1 2.1231231072000003e+08 ns/op 1.013969230769231e+06 user-ns/op 2.0861323076923075e+06 system-ns/op
			sleep_0.2 1 2.0690443472000003e+08 ns/op
			sleep_0.2 1 2.0331585172000003e+08 ns/op
			sleep_0.2 1 2.0866151872000003e+08 ns/op
			sleep_0.2 1 2.0182414272000003e+08 ns/op
			sleep_0.2 1 2.0615935172000003e+08 ns/op
			sleep_0.2 1 2.0553114372000003e+08 ns/op
			sleep_0.2 1 2.0857714272000003e+08 ns/op
			sleep_0.2 1 2.0930214372000003e+08 ns/op
			sleep_0.2 1 2.1412868472000003e+08 ns/op
			sleep_0.2 1 2.1195393572000003e+08 ns/op
			sleep_0.2 1 2.0911368472000003e+08 ns/op
			sleep_0.2 1 2.1289764272000003e+08 ns/op
		`},
	} {
		t.Run(tt.file, func(t *testing.T) { formattest.Check(t, tt.format, formattest.CorpusFile(t, tt.file), tt.want) })
	}
}
