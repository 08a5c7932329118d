package setup

import (
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
)

// Parts of workflows for measuring in shards. Each shard is a job in a matrix, with its number in
// the name of its artifact. A failed shard does not cancel the others.
const (
	measuringJob = "    runs-on: ubuntu-24.04\n    timeout-minutes: "
	shardMatrix  = "    strategy:\n      fail-fast: false\n      matrix:\n        shard: [%s]\n"
	shardInputs  = "          shard: ${{ matrix.shard }}\n          shards: %d\n"
	demandGroup  = "      group: perftrack-demand-${{ needs.ask.outputs.pull }}\n"
)

// applyShards returns the text of a workflow, edited for the given number of shards. It changes
// only workflows that measure pull requests.
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
	if name == demandWorkflow { // the shards must not cancel each other
		changes = append(changes, [2]string{demandGroup, strings.TrimSuffix(demandGroup, "\n") + "-${{ matrix.shard }}\n"})
	}
	for _, change := range changes {
		if strings.Count(text, change[0]) != 1 {
			return "", fmt.Errorf("change workflow %s: it does not contain %q", name, change[0])
		}
		text = strings.Replace(text, change[0], change[1], 1)
	}
	return text, nil
}

// CheckShards returns an error if the number of shards is out of range.
func CheckShards(shards int) error {
	if shards < 1 || shards > record.MaxCheckParts {
		return fmt.Errorf("--shards %d is invalid: use 1 (a single machine) to %d", shards, record.MaxCheckParts)
	}
	return nil
}
