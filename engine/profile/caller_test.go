package profile

import "testing"

type model[T any] struct{ p *Stack }

func (m *model[T]) Forward() { defer m.p.Func().End(); m.layer(m.p) }

func (m model[T]) layer(p *Stack) { p.Func().End() }

// inlined has no defer, so that the compiler inlines it.
func inlined(p *Stack) { p.Func().End() }

func TestFunc(t *testing.T) {
	prof, _ := timing()
	p := prof.Stack()
	m := &model[int]{p}
	for range 2 {
		m.Forward()
		inlined(p)
		func() { defer p.Func().End() }()
	}
	m.Forward() // another call site of the same function
	checkOutline(t, prof, `profile.model.Forward 3 0/0/0/0
 profile.model.layer 3 0/0/0/0
profile.inlined 2 0/0/0/0
profile.TestFunc.func1 2 0/0/0/0
`)
}

func TestShortName(t *testing.T) {
	for _, tt := range []struct{ function, want string }{
		{"main.main", "main.main"},
		{"example.com/engine/transformer.(*Model).Forward", "transformer.Model.Forward"},
		{"example.com/engine/transformer.Model.Forward", "transformer.Model.Forward"},
		{"example.com/engine/tensor.Map[...]", "tensor.Map"},
		{"example.com/engine/tensor.(*Pool[...]).Get.func1", "tensor.Pool.Get.func1"},
		{"gopkg.in/yaml%2ev3.Marshal", "yaml%2ev3.Marshal"},
		{"", ""},
	} {
		if got := shortName(tt.function); got != tt.want {
			t.Errorf("shortName(%q) = %q, want %q", tt.function, got, tt.want)
		}
	}
}
