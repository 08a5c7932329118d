package site

// A Machine is what is known of the machines that measured: whether to trust them.
type Machine struct {
	Calibrations []Calibration `json:"calibrations"` // the oldest first
	Trials       []TrialNoise  `json:"trials"`       // the oldest first
}

// A Calibration is one trial of a source against itself.
type Calibration struct {
	Time        int64            `json:"time"`
	Environment int              `json:"env"`
	Target      string           `json:"target"`
	Noise       Number           `json:"noise"`   // median over benchmarks, of one round
	Worst       Number           `json:"worst"`   // the noisiest
	Floor       Number           `json:"floor"`   // by how much builds of one source differ, median
	Detects     Number           `json:"detects"` // smallest change that a check finds, median
	Flagged     int              `json:"flagged"` // rows that differ though nothing changed
	Rows        []CalibrationRow `json:"rows"`
}

// A CalibrationRow is one row of it.
type CalibrationRow struct {
	Name    string `json:"name"`
	Unit    string `json:"unit"`
	Noise   Number `json:"noise"`
	Detects Number `json:"detects"`
}

// A TrialNoise is what a trial says of its machine.
type TrialNoise struct {
	Key          string `json:"key"`
	Time         int64  `json:"time"`
	Environment  int    `json:"env"`
	Rows         int    `json:"rows"` // tested
	Inconclusive int    `json:"inconclusive"`
	Noise        Number `json:"noise"` // of one pair of sides in a round, median
	Load         Number `json:"load"`
}
