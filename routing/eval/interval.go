package eval

import (
	"math/rand/v2"
	"slices"
)

// bootstrap constants: resamples, and the seed that makes two runs agree.
const (
	resamples = 1000
	seed      = 20_261_130
)

// intervals are the percentile bootstrap 95 % intervals of the means (Efron,
// 1979), by the metric's name. All metrics see the same resamples.
func intervals(outcomes []outcome) map[string][2]float64 {
	all := map[string][2]float64{}
	n := len(outcomes)
	if n == 0 {
		return all
	}
	ms := metrics()
	values := make([][]float64, len(ms)) // by metric, then case
	sums := make([][]float64, len(ms))   // by metric, then resample
	for m := range ms {
		values[m], sums[m] = make([]float64, n), make([]float64, resamples)
		for i, o := range outcomes {
			values[m][i] = ms[m].of(o)
		}
	}
	rng := rand.New(rand.NewPCG(seed, uint64(n))) //nolint:gosec // a fixed seed is the point: two runs must agree
	for i := range resamples {
		for range n {
			j := rng.IntN(n)
			for m := range ms {
				sums[m][i] += values[m][j]
			}
		}
	}
	for m := range ms {
		slices.Sort(sums[m])
		all[ms[m].name] = [2]float64{
			sums[m][resamples*25/1000] / float64(n),
			sums[m][resamples*975/1000-1] / float64(n),
		}
	}
	return all
}
