package compare

import "testing"

func TestSameness(t *testing.T) {
	pkg, program := SameCode{"go", "example.com/a", 3}, SameCode{"scripts", "scripts", 1}
	for _, tt := range []struct {
		same []SameCode
		want Sameness
	}{
		{nil, SameMachineCode},
		{[]SameCode{pkg}, SameMachineCode},
		{[]SameCode{program}, SameInputs},
		{[]SameCode{pkg, program}, SameInputs}, // words that hold for both
	} {
		if got := SamenessOf(tt.same...); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.same, got, tt.want)
		}
	}
	if pkg.Name() != "go example.com/a" || program.Name() != "scripts" {
		t.Errorf("%q, %q", pkg.Name(), program.Name())
	}
}
