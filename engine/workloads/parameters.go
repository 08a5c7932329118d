package workloads

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/engine/transformer"
)

// parameters replace the prompt, the tokens and the model of a suite in a profile. The zero value
// changes nothing.
type parameters struct {
	prompt, tokens int
	model          transformer.Config
}

// maxGenerated limits the lengths of the prompt and of the generated text in a profile, because the
// model's cache grows with them.
const maxGenerated = 1 << 16

// maxModel limits the size of a model and its cache in bytes.
const maxModel = 2 << 30

// parseSuite parses the suite to profile: its name and, for suites that generate with one model,
// the parameters, as in "standard prompt=32 tokens=100 model=4x256".
func parseSuite(asked string) (name string, p parameters, err error) {
	name, rest, _ := strings.Cut(asked, " ")
	for _, field := range strings.Fields(rest) {
		key, value, _ := strings.Cut(field, "=")
		switch key {
		case "prompt":
			p.prompt, err = count(value)
		case "tokens":
			p.tokens, err = count(value)
		case "model":
			err = p.setModel(value)
		default:
			err = fmt.Errorf("write prompt=N, tokens=N or model=NAME")
		}
		if err != nil {
			return name, p, fmt.Errorf("profile %s: %s: %w", name, field, err)
		}
	}
	if p != (parameters{}) && !slices.Contains([]string{Standard, Deep}, name) {
		return name, p, fmt.Errorf("profile %s: only the suites %s and %s take a prompt, tokens and a model", name, Standard, Deep)
	}
	if c, _, _ := p.generates(transformer.Medium, deepPrompt, deepTokens); c.ParameterBytes()+c.CacheBytes(c.Context) > maxModel {
		return name, p, fmt.Errorf("profile %s: the model and its cache would take more than %d GiB: take a smaller one, or fewer tokens", name, maxModel>>30)
	}
	return name, p, nil
}

func count(value string) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > maxGenerated {
		return 0, fmt.Errorf("want 1 to %d", maxGenerated)
	}
	return n, nil
}

// setModel sets the model to small, medium, or one with the given number of layers and width, as in
// "4x256".
func (p *parameters) setModel(name string) error {
	for _, m := range models {
		if strings.EqualFold(m.name, name) {
			p.model = m.config
			return nil
		}
	}
	first, second, _ := strings.Cut(name, "x")
	layers, errLayers := strconv.Atoi(first)
	dim, errDim := strconv.Atoi(second)
	p.model = transformer.Medium
	p.model.Layers, p.model.Dim, p.model.Heads = layers, dim, dim/headDim
	if errLayers != nil || errDim != nil || layers > 256 || dim > 8192 || dim%headDim != 0 || p.model.Validate() != nil {
		return fmt.Errorf("write small, medium, or layers and width such as 6x384: at most 256 layers, and a width of at most 8192, a multiple of %d", headDim)
	}
	return nil
}

// headDim is the width of an attention head in all models of this package.
const headDim = 32

// generates returns the parameters, with the given defaults for those not set.
func (p parameters) generates(c transformer.Config, prompt, tokens int) (transformer.Config, int, int) {
	prompt, tokens = cmp.Or(p.prompt, prompt), cmp.Or(p.tokens, tokens)
	c = cmp.Or(p.model, c)
	c.Context = max(c.Context, prompt+tokens)
	return c, prompt, tokens
}
