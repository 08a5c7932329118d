package cpp_test

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

const catch2XML = `<?xml version="1.0" encoding="UTF-8"?>
<Catch2TestRun name="bench" rng-seed="1" xml-format-version="3" catch2-version="3.7.1">
  <TestCase name="Parse" tags="[!benchmark]" filename="bench.cc" line="10">
    <BenchmarkResults name="small &amp; fast" samples="100" resamples="1000" iterations="46" clockResolution="64.4" estimatedDuration="644920">
      <!-- All values in nano seconds -->
      <mean value="264.5" lowerBound="263.5" upperBound="267.25" ci="0.95"/>
      <standardDeviation value="3.25" lowerBound="0.3" upperBound="4.7" ci="0.95"/>
      <outliers variance="0.09" lowMild="0" lowSevere="0" highMild="0" highSevere="1"/>
    </BenchmarkResults>
    <Section name="with a cache" filename="bench.cc" line="11">
      <BenchmarkResults name="large" samples="100" resamples="1000" iterations="2" clockResolution="64" estimatedDuration="1.03e+06">
        <mean value="1.25e+06" lowerBound="1e+06" upperBound="1.5e+06" ci="0.95"/>
        <standardDeviation value="1000" lowerBound="300" upperBound="2000" ci="0.95"/>
      </BenchmarkResults>
      <OverallResults successes="0" failures="0" expectedFailures="0"/>
    </Section>
    <BenchmarkResults name="throws">
      <failed message="no file"/>
    </BenchmarkResults>
    <BenchmarkResults name="cut off" samples="100" iterations="1"/>
    <OverallResult success="true"/>
  </TestCase>
  <TestCase name="Fast" filename="bench.cc" line="20">
    <BenchmarkResults name="no analysis" samples="10" resamples="1000" iterations="843">
      <mean value="21" lowerBound="21" upperBound="21" ci="0"/>
      <standardDeviation value="0" lowerBound="0" upperBound="0" ci="0"/>
    </BenchmarkResults>
  </TestCase>
</Catch2TestRun>
`

func TestCatch2XML(t *testing.T) {
	want := `
		catch2-version: 3.7.1
		Parse/small_&_fast 1 264.5 ns/op 3.25 sd-ns/op 263.5 low-ns/op 267.25 high-ns/op 100 summary-n
		Parse/with_a_cache/large 1 1.25e+06 ns/op 1000 sd-ns/op 1e+06 low-ns/op 1.5e+06 high-ns/op 100 summary-n
		left out f:17: Parse/throws: it failed: no file
		left out f:20: Parse/cut off: it has no mean
		Fast/no_analysis 1 21 ns/op 10 summary-n
	`
	formattest.Check(t, "catch2-xml", catch2XML, want)
	// Version 2 has another root and a group.
	old := strings.NewReplacer("<Catch2TestRun name=\"bench\" rng-seed=\"1\" xml-format-version=\"3\" catch2-version=\"3.7.1\">", `<Catch name="bench"> <Group name="bench">`,
		"</Catch2TestRun>", "</Group></Catch>").Replace(catch2XML)
	formattest.Check(t, "catch2-xml", old, strings.Replace(want, "catch2-version: 3.7.1", "", 1))
}

func TestCatch2XMLMistakes(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"<Catch name=\"a\">\n<TestCase name=\"x\">\n", "failed f:3: invalid XML: unexpected EOF"},
		{`<Catch name="a"><BenchmarkResults name="b"><mean value="x"/></BenchmarkResults></Catch>`, `failed f:1: mean has no value: strconv.ParseFloat: parsing "x": invalid syntax`},
		{`<Catch name="a"><BenchmarkResults name="b"><mean value="-1"/></BenchmarkResults></Catch>`, `error f:1: "b" is -1 ns/op: not a finite number of 0 or more`},
		{"<Catch>\n" + strings.Repeat("x", 3<<20) + "</Catch>", "failed f:2: a value is longer than the limit of 1 MiB"},
		{"<Catch>" + strings.Repeat("<a>", 1000), "failed f:1: elements are nested deeper than the limit of 256"},
		{`<Catch name="a"></Catch>`, ""},
	} {
		formattest.Check(t, "catch2-xml", tt.text, tt.want)
	}
}

func FuzzCatch2XML(f *testing.F) { formattest.Fuzz(f, "catch2-xml", catch2XML) }
