package profile

import (
	"runtime"
	"strings"
)

// Func opens a scope named after its caller, with the package, the receiver's type and the name, as
// in transformer.Model.Forward. It inspects the goroutine's stack on each call and is therefore
// slower than Scope, but in steady state it neither locks nor allocates. If a scope runs a million
// times a second, use Scope with an explicit name instead.
func (s *Stack) Func() Scope {
	if s == nil {
		return Scope{}
	}
	return s.enterCaller()
}

// enterCaller opens a scope named after the caller of Func.
//
//go:noinline
func (s *Stack) enterCaller() Scope {
	var pcs [1]uintptr
	// Skip runtime.Callers, enterCaller and Func (it counts even if inlined).
	runtime.Callers(3, pcs[:])
	name, ok := s.names[pcs[0]]
	if !ok {
		s.profiler.exclude(func() { name = s.learn(pcs[0]) })
	}
	return s.enter(name)
}

// learn returns and caches the name of the function that contains pc.
func (s *Stack) learn(pc uintptr) string {
	if s.names == nil {
		s.names = make(map[uintptr]string)
	}
	f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	name := shortName(f.Function)
	s.names[pc] = name
	return name
}

// shortName turns a name such as example.com/engine/transformer.(*Model).Forward into
// transformer.Model.Forward: it removes the directory of the package path and the marks of a
// pointer receiver. It also drops type arguments, printed by the runtime as [...].
func shortName(function string) string {
	function = strings.ReplaceAll(function, "[...]", "")
	function = function[strings.LastIndexByte(function, '/')+1:]
	return strings.NewReplacer("(*", "", ")", "").Replace(function)
}
