package setup

import (
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/compare"
)

// A measurement in parts is a job for each part: it has the matrix, and the name of its part, which
// its artifact has, too. That one of them fails ends no other one.
const (
	measuringJob = "    runs-on: ubuntu-24.04\n    timeout-minutes: "
	shardMatrix  = "    strategy:\n      fail-fast: false\n      matrix:\n        shard: [%s]\n"
	shardInputs  = "          shard: ${{ matrix.shard }}\n          shards: %d\n"
	demandGroup  = "      group: perftrack-demand-${{ needs.ask.outputs.pull }}\n"
)

// applyShards returns a workflow as it is where so many machines measure: only what measures
// pull requests changes.
func applyShards(name, text string, shards int) (string, error) {
	measures := map[string]string{"perftrack-measure.yml": "60\n", demandWorkflow: "180\n"}
	if shards <= 1 || measures[name] == "" {
		return text, nil
	}
	var numbers []string
	for n := 1; n <= shards; n++ {
		numbers = append(numbers, fmt.Sprint(n))
	}
	begin := measuringJob + measures[name]
	changes := [][2]string{
		{begin, fmt.Sprintf(shardMatrix, strings.Join(numbers, ", ")) + begin},
		{"          command: measure\n", "          command: measure\n" + fmt.Sprintf(shardInputs, shards)},
	}
	if name == demandWorkflow { // the parts must not cancel each other
		changes = append(changes, [2]string{demandGroup, strings.TrimSuffix(demandGroup, "\n") + "-${{ matrix.shard }}\n"})
	}
	for _, change := range changes {
		if strings.Count(text, change[0]) != 1 {
			return "", fmt.Errorf("%s has no %q to change", name, change[0])
		}
		text = strings.Replace(text, change[0], change[1], 1)
	}
	return text, nil
}

// CheckShards refuses numbers of parts that make no sense.
func CheckShards(shards int) error {
	if shards < 1 || shards > compare.MaxParts {
		return fmt.Errorf("--shards %d: use 1, for one machine, to %d", shards, compare.MaxParts)
	}
	return nil
}
