package profile

import (
	"runtime"
	"strings"
)

// Func opens a scope that is named for the function that calls it: the package,
// the receiver's type and the name, as in transformer.Model.Forward. It looks at
// the goroutine's stack each time and so costs more than Scope; in steady state it
// neither locks nor allocates. Name what runs a million times a second by hand.
func (s *Stack) Func() Scope {
	if s == nil {
		return Scope{}
	}
	return s.enterCaller()
}

// enterCaller opens a scope for the function that called its caller.
//
//go:noinline
func (s *Stack) enterCaller() Scope {
	var pcs [1]uintptr
	// Over Callers, enterCaller and Func, which is counted although inlined.
	runtime.Callers(3, pcs[:])
	name, ok := s.names[pcs[0]]
	if !ok {
		s.profiler.exclude(func() { name = s.learn(pcs[0]) })
	}
	return s.enter(name)
}

// learn finds and keeps the name of the function that pc is in.
func (s *Stack) learn(pc uintptr) string {
	if s.names == nil {
		s.names = make(map[uintptr]string)
	}
	f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	name := shortName(f.Function)
	s.names[pc] = name
	return name
}

// shortName removes the path of the package and the marks of a pointer receiver
// from a name such as example.com/engine/transformer.(*Model).Forward. Type
// arguments, which the runtime prints as [...], are left out.
func shortName(function string) string {
	function = strings.ReplaceAll(function, "[...]", "")
	function = function[strings.LastIndexByte(function, '/')+1:]
	return strings.NewReplacer("(*", "", ")", "").Replace(function)
}
