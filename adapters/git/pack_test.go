package git

import (
	"bytes"
	"testing"
)

func TestApplyDelta(t *testing.T) {
	t.Parallel()
	base := []byte("the quick brown fox")
	// Sizes 19 and 13, then: insert "a ", copy 6 bytes from 4, copy 4+... from 15.
	good := []byte{19, 12, 2, 'a', ' ', 0x91, 4, 6, 0x91, 15, 4}
	got, err := applyDelta(base, good)
	if err != nil || string(got) != "a quick  fox" {
		t.Errorf("applyDelta = %q, %v", got, err)
	}
	for name, delta := range map[string][]byte{
		"empty":              {},
		"wrong base size":    {18, 12, 2, 'a', ' '},
		"no target size":     {19},
		"insert past end":    {19, 9, 9, 'a'},
		"copy past base":     {19, 9, 0x91, 15, 9},
		"copy without count": {19, 9, 0x91, 15},
		"too short":          {19, 9, 2, 'a', 'b'},
		"too long":           {19, 1, 2, 'a', 'b'},
		"reserved":           {19, 1, 0},
		"huge":               {19, 0xff, 0xff, 0xff, 0xff, 0x7f},
	} {
		if got, err := applyDelta(base, delta); err == nil {
			t.Errorf("%s: applyDelta = %q, want an error", name, got)
		}
	}
}

func FuzzApplyDelta(f *testing.F) {
	f.Add([]byte("the quick brown fox"), []byte{19, 12, 2, 'a', ' ', 0x91, 4, 6, 0x91, 15, 4})
	f.Add([]byte{}, []byte{0, 0})
	f.Fuzz(func(t *testing.T, base, delta []byte) {
		before := bytes.Clone(base)
		_, _ = applyDelta(base, delta)
		if !bytes.Equal(before, base) {
			t.Error("the base was changed")
		}
	})
}

func FuzzNextEntry(f *testing.F) {
	f.Add([]byte("100644 name\x0001234567890123456789"))
	f.Add([]byte("40000 \x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for len(data) > 0 {
			_, rest, err := nextEntry(data)
			if err != nil {
				return
			}
			if len(rest) >= len(data) {
				t.Fatal("no progress")
			}
			data = rest
		}
	})
}
