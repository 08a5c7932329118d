package slicing

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"testing"
)

func TestExplorePick(t *testing.T) {
	if os.Getenv("PICK") == "" {
		t.Skip()
	}
	type key struct {
		b string
		l float64
		s bool
	}
	acc := map[key][][2]float64{}
	own := map[key][][2]float64{}
	out := map[string]map[Estimator]int{}
	for _, f := range []string{"/tmp/sl/b.json"} {
		fh, err := os.Open(f)
		if err != nil {
			continue
		}
		sc := bufio.NewScanner(fh)
		sc.Buffer(nil, 1<<26)
		for sc.Scan() {
			var r rec
			if json.Unmarshal(sc.Bytes(), &r) != nil || r.Kind != "slices" || r.Len > 2 {
				continue
			}
			k := key{r.Bench, r.Len, r.Stopped}
			n := min(50, len(r.Times)-2)
			acc[k] = append(acc[k], r.Times[2:2+n]...)
			for i := range n {
				own[k] = append(own[k], [2]float64{r.Pre[2+i][0] / float64(r.N), r.Pre[2+i][1] / float64(r.N)})
			}
			if len(acc[k]) >= 100 {
				e := pick(acc[k], own[k])
				n := fmt.Sprintf("%-4v %v %s", r.Len, r.Stopped, f)
				if out[n] == nil {
					out[n] = map[Estimator]int{}
				}
				out[n][e]++
				if e == All {
					r := ratiosOf(acc[k])
					l, h := r.off()
					fmt.Println("all:", r0(k.b), k.l, l, h, signTest(l, h), r.spread)
				}
				acc[k] = nil
				own[k] = nil
			}
		}
	}
	var ks []string
	for k := range out {
		ks = append(ks, k)
	}
	sort.Strings(ks)
	for _, k := range ks {
		fmt.Println(k, out[k])
	}
}
func r0(s string) string { return s }
