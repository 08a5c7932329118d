package transformer

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/engine/profile"
)

// The call tree of three tokens contains every stage, under its parent and with its number of
// calls.
func TestScopes(t *testing.T) {
	c := Config{Vocab: 13, Context: 10, Dim: 12, Layers: 2, Heads: 2}
	var now time.Duration
	prof := profile.New(profile.Options{Mode: profile.Timing, Clock: func() time.Duration { now++; return now }})
	if _, err := New(c, 1).NewSession().Generate(prof.Stack(), []int{1, 2}, 3, NewSampler(1, 5, 1)); err != nil {
		t.Fatal(err)
	}
	var got []string
	for depth, n := range prof.Tree().All() {
		got = append(got, fmt.Sprintf("%s%s %d", strings.Repeat("  ", depth), n.Name, n.Calls))
	}
	layer := func(i int) string {
		return fmt.Sprintf("      Layer_%d 3\n", i) + `        Attention 3
          LayerNorm 3
          QKVProjection 3
          CacheWrite 3
          AttentionHeads 3
          OutputProjection 3
        FeedForward 3
          LayerNorm 3
          UpProjection 3
          GELU 3
          DownProjection 3
`
	}
	want := `Inference 1
  GenerateToken 3
    Forward 3
      Embedding 3
` + layer(0) + layer(1) + `      Head 3
        LayerNorm 3
        VocabProjection 3
    SampleToken 3
      TopK 3
      ApplyTemperature 3
      Softmax 3
      MultinomialSample 3`
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("call tree\n%s\nwant\n%s", text, want)
	}
}

// Recording a profile changes no token and, once every scope has been opened, allocates nothing.
func TestScopesDoNotInterfere(t *testing.T) {
	m := New(Small, 1)
	p := profile.New(profile.Options{Mode: profile.Timing}).Stack()
	prompt := randomTokens(1, 10, Small.Vocab)
	plain, err := m.NewSession().Generate(nil, prompt, 20, NewSampler(1, 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	s := m.NewSession()
	watched, err := s.Generate(p, prompt, 20, NewSampler(1, 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(watched, plain) {
		t.Errorf("generated %v when watched, %v otherwise", watched, plain)
	}
	if got := testing.AllocsPerRun(20, func() { s.Decode(p, 1) }); got != 0 {
		t.Errorf("%v allocations a decoded token when watched, want 0", got)
	}
}
