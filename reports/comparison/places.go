package comparison

import (
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
)

// places are the packages and suites of the tables that stand in one.
type places struct {
	list []string
	skip int // bytes that all have in front
}

func placeOf(t *compare.Table) string { return strings.TrimSpace(t.Package + " " + t.Suite) }

// placesOf finds what tells the packages of tables apart: what comes after the last element of
// the path that they share.
func placesOf(group []compare.Table) (p places) {
	for i := range group {
		if place := placeOf(&group[i]); !slices.Contains(p.list, place) {
			p.list = append(p.list, place)
		}
	}
	common := p.list[0]
	for _, place := range p.list[1:] {
		for !strings.HasPrefix(place+"/", common+"/") && common != "" {
			common = common[:max(0, strings.LastIndexByte(common, '/'))]
		}
	}
	if p.skip = strings.LastIndexByte(common, '/') + 1; slices.ContainsFunc(p.list, func(s string) bool { return s == common }) || common == "" {
		return p // the innermost that is shared is a package itself: its name is not left out
	}
	p.skip = len(common) + 1
	return p
}

// name is that of a row, after its package where there are several.
func (p places) name(r placed) string {
	if len(p.list) < 2 {
		return r.Name
	}
	return strings.TrimSpace(placeOf(r.t)[p.skip:] + " " + r.Name)
}
