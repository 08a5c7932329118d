package reports

import (
	"fmt"
	"math"
	"time"
)

// About rounds a duration for display: "40 s", "4 min", "2 h 10 min".
func About(d time.Duration) string {
	switch {
	case d < 90*time.Second:
		return fmt.Sprintf("%.0f s", max(1, math.Ceil(d.Seconds())))
	case d < 90*time.Minute:
		return fmt.Sprintf("%.0f min", math.Round(d.Minutes()))
	}
	minutes := 10 * int(math.Round(d.Minutes()/10))
	if minutes%60 == 0 {
		return fmt.Sprintf("%d h", minutes/60)
	}
	return fmt.Sprintf("%d h %d min", minutes/60, minutes%60)
}
