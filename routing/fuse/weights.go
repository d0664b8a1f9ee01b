package fuse

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the default weights are data
	"encoding/hex"
	"encoding/json"
	"fmt"
)

//go:embed weights.json
var defaultWeights []byte

// Weights are the constants of fusion and decision: data with a version, so that
// a decision can name the ones it was made with.
type Weights struct {
	Version string `json:"version"`
	// Rankers are the shares of the rankers that are fused, in any unit. A ranker
	// that is not listed annotates.
	Rankers map[string]float64 `json:"rankers"`
	// WithoutCode takes the place of Rankers where code search is not fused or finds
	// nothing: what serves beside it does not serve in its stead. Absent, Rankers stand.
	WithoutCode *Case `json:"withoutCode"`
	// CodeViews are the shares of the views of code search.
	CodeViews map[string]float64 `json:"codeViews"`
	// MinCoverage is the share of the repositories with content, in [0,1], that a
	// ranker must be able to rank to be fused; 1 for one that is not listed. Less
	// than 1 is earned by gold, also on the repositories that it cannot see.
	MinCoverage map[string]float64 `json:"minCoverage"`
	// FiledIn is what a ticket's own tracker project or repository adds to an
	// entry that claims it.
	FiledIn float64 `json:"filedIn"`
	// TieBand is the share of a sibling group's evidence, in [0,1], by which
	// unshared evidence must separate two members to order them.
	TieBand float64 `json:"tieBand"`
	// Plausible is the share of the best score, in [0,1], that a sibling needs to be
	// considered at all.
	Plausible float64 `json:"plausible"`
	// Floor is the share of a ticket's words, by weight, that the best chunk must
	// hold for code search alone to name a candidate.
	Floor float64 `json:"floor"`
	// Weak is the share below which a decision warns that its evidence is thin.
	Weak float64 `json:"weak"`
	// Span is the share of the best score that another candidate needs to count
	// as needed too.
	Span float64 `json:"span"`

	// Hash is "sha256:.." of the bytes the weights were read from.
	Hash string `json:"-"`
}

// Case is how rankers are fused in one case.
type Case struct {
	Rankers map[string]float64 `json:"rankers"`
	// Doubt is added to a ranker's best score before its scores become shares of it:
	// in points of its own scale, so that a ranker whose best is a weak match does
	// not speak as loudly as one whose best is a strong one. 0 for one not listed.
	Doubt map[string]float64 `json:"doubt"`
}

// ParseWeights reads weights; nil gives the default. Unknown keys, a missing
// version, shares that are negative or all zero are errors that say so.
func ParseWeights(data []byte) (Weights, error) {
	if data == nil {
		data = defaultWeights
	}
	var w Weights
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&w); err != nil {
		return Weights{}, fmt.Errorf("reading weights: %w", err)
	}
	if err := w.check(); err != nil {
		return Weights{}, fmt.Errorf("reading weights: %w", err)
	}
	sum := sha256.Sum256(data)
	w.Hash = "sha256:" + hex.EncodeToString(sum[:])
	return w, nil
}

func (w Weights) check() error {
	if w.Version == "" {
		return fmt.Errorf("version: want a string that names these weights")
	}
	lists := map[string]map[string]float64{"rankers": w.Rankers, "codeViews": w.CodeViews}
	if w.WithoutCode != nil {
		lists["withoutCode.rankers"] = w.WithoutCode.Rankers
		for name, v := range w.WithoutCode.Doubt {
			if v < 0 || v > 100 {
				return fmt.Errorf("withoutCode.doubt.%s: want a number from 0 to 100, got %g", name, v)
			}
		}
	}
	for key, shares := range lists {
		total := 0.0
		for name, v := range shares {
			if v < 0 {
				return fmt.Errorf("%s.%s: want a share of 0 or more, got %g", key, name, v)
			}
			total += v
		}
		if total == 0 {
			return fmt.Errorf("%s: want at least one share above 0", key)
		}
	}
	for name, v := range w.MinCoverage {
		if v < 0 || v > 1 {
			return fmt.Errorf("minCoverage.%s: want a number from 0 to 1, got %g", name, v)
		}
	}
	for key, v := range map[string]float64{"filedIn": w.FiledIn, "tieBand": w.TieBand, "plausible": w.Plausible, "floor": w.Floor, "weak": w.Weak, "span": w.Span} {
		if v < 0 || v > 1 {
			return fmt.Errorf("%s: want a number from 0 to 1, got %g", key, v)
		}
	}
	return nil
}

// needs is the share of the repositories with content that a ranker must see.
func (w Weights) needs(ranker string) float64 {
	if v, ok := w.MinCoverage[ranker]; ok {
		return v
	}
	return 1
}
