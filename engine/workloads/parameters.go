package workloads

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/engine/transformer"
)

// parameters are what a profile generates in place of its suite's own prompt, tokens and model; the
// zero value changes nothing.
type parameters struct {
	prompt, tokens int
	model          transformer.Config
}

// maxGenerated bounds the prompt and the tokens of a profile: the model's cache grows with them.
const maxGenerated = 1 << 16

// maxModel bounds the bytes of a model with its cache.
const maxModel = 2 << 30

// parseSuite reads the suite that a profile is asked for: its name and, of those that generate with one
// model, what they generate, as in "standard prompt=32 tokens=100 model=4x256".
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

// setModel takes small, medium, or the layers and the width of a model of the user's own.
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

// headDim is the width of an attention head in all models here.
const headDim = 32

// generates returns what the suite generates where it was not asked for anything else.
func (p parameters) generates(c transformer.Config, prompt, tokens int) (transformer.Config, int, int) {
	prompt, tokens = cmp.Or(p.prompt, prompt), cmp.Or(p.tokens, tokens)
	c = cmp.Or(p.model, c)
	c.Context = max(c.Context, prompt+tokens)
	return c, prompt, tokens
}
