package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/pointsman/pointsman/routing/engine"
	"github.com/pointsman/pointsman/routing/eval"
)

// pastRun is a run file that was read; without a name there is none.
type pastRun struct {
	eval.Record
	name string
	hash string // "sha256:.." of its bytes
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(s[:])
}

func readRun(file string) (pastRun, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return pastRun{}, usagef("reading the run file: %w", err)
	}
	rec, err := eval.ReadRecord(file, bytes.NewReader(data))
	if err != nil {
		return pastRun{}, &exitError{code: exitUsage, err: err}
	}
	return pastRun{Record: rec, name: file, hash: sum(data)}, nil
}

// beside returns where a path of the run file leads from here.
func (r pastRun) beside(path string) string {
	if path == "" || filepath.IsAbs(filepath.FromSlash(path)) {
		return filepath.FromSlash(path)
	}
	return filepath.Join(filepath.Dir(r.name), filepath.FromSlash(path))
}

// recall fills the flags that were not given from a run file.
func (f *evalFlags) recall(past pastRun) {
	f.recalled = f.against == "" && past.Inputs.Against != ""
	for flag, path := range map[*string]string{
		&f.gold: past.Inputs.Gold, &f.registry: past.Inputs.Registry, &f.repos: past.Inputs.Repos,
		&f.weights: past.Inputs.Weights, &f.against: past.Inputs.Against,
	} {
		if *flag == "" {
			*flag = past.beside(path)
		}
	}
	f.asOf = past.Settings.AsOf
	if past.Settings.Without != "" {
		f.without = strings.Split(past.Settings.Without, ",")
	}
	if f.compare == nil {
		f.compare = past.Settings.Compare
	}
}

// inputs are the paths of this command as its run file names them.
func (f *evalFlags) inputs() eval.Inputs {
	reg := f.registry
	if reg == "" && f.repos == "" {
		reg = defaultRegistry
	}
	return eval.Inputs{
		Gold: f.fromSave(f.gold), Registry: f.fromSave(reg), Repos: f.fromSave(f.repos),
		Weights: f.fromSave(f.weights), Against: f.fromSave(f.against),
	}
}

// fromSave is a path seen from the folder of the run file.
func (f *evalFlags) fromSave(path string) string {
	if path == "" {
		return ""
	}
	to, err := filepath.Abs(path)
	if err != nil {
		return filepath.ToSlash(path)
	}
	if from, err := filepath.Abs(filepath.Dir(f.save)); err == nil {
		if rel, err := filepath.Rel(from, to); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(to)
}

// refuse words what keeps a rerun from being one.
func (r pastRun) refuse(ds eval.Differences) error {
	if err := ds.Err(); err != nil {
		return usagef("--rerun %s: %w; --from reports the run as it was, --against sets it beside a new one", r.name, err)
	}
	return nil
}

// holdFiles refuses a gold file or a program that are not those of the run.
func (r pastRun) holdFiles(gold eval.Digest) error {
	if r.name == "" {
		return nil
	}
	now := r.Record
	now.Gold, now.AsOf.Program = gold, programVersion()
	return r.refuse(eval.Differ(r.Record, now))
}

// holdSnapshot refuses a registry, an index or constants that are not those of the run.
func (r pastRun) holdSnapshot(s engine.Snapshot, eng *engine.Engine) error {
	if r.name == "" {
		return nil
	}
	now := r.Record
	now.AsOf.Registry, now.AsOf.Generations, now.AsOf.Weights = s.RegistryHash, headsOf(s), eng.WeightsHash(s)
	return r.refuse(eval.Differ(r.Record, now))
}

// holdPast is holdSnapshot for a run as of each ticket's year: the commits of the
// years, and those of today that stand beside them.
func (r pastRun) holdPast(s engine.Snapshot, eng *engine.Engine, generations map[string]string) error {
	if r.name == "" {
		return nil
	}
	now := r.Record
	now.AsOf.Registry, now.AsOf.Generations, now.AsOf.Weights = s.RegistryHash, generations, eng.WeightsHash(s)
	if r.Head != nil {
		head := *r.Head
		head.AsOf.Registry, head.AsOf.Generations, head.AsOf.Weights = s.RegistryHash, headsOf(s), eng.WeightsHash(s)
		now.Head = &head
	}
	return r.refuse(eval.Differ(r.Record, now))
}

// headsOf names the commit of each repository.
func headsOf(s engine.Snapshot) map[string]string {
	heads := map[string]string{}
	for _, seg := range s.Index.Segments() {
		heads[seg.Identity().Repo] = seg.Identity().Commit
	}
	return heads
}

// sameAs says whether a rerun gave what the run file holds, whatever it was
// compared with this time.
func (r pastRun) sameAs(errOut io.Writer, rec eval.Record) error {
	rec.Settings = r.Settings
	var was, is bytes.Buffer
	if err := r.Write(&was); err != nil {
		return err
	}
	if err := rec.Write(&is); err != nil {
		return err
	}
	if bytes.Equal(was.Bytes(), is.Bytes()) {
		fmt.Fprintf(errOut, "The same inputs gave the same answers: all %d tickets as in %s.\n", len(rec.Cases), r.name)
		return nil
	}
	// The first line is the head, then comes one case a line.
	before, after := bytes.Split(was.Bytes(), []byte("\n")), bytes.Split(is.Bytes(), []byte("\n"))
	for i, c := range rec.Cases[:min(len(rec.Cases), len(r.Cases))] {
		if !bytes.Equal(bytes.TrimSuffix(before[i+1], []byte(",")), bytes.TrimSuffix(after[i+1], []byte(","))) {
			return fmt.Errorf("--rerun %s: the same inputs gave other answers, first for %s; the evaluation does not repeat, so its figures cannot be trusted", r.name, c.ID)
		}
	}
	return fmt.Errorf("--rerun %s: the same inputs gave other coverage or other tickets to measure", r.name)
}

// measure makes figures of a record, and notes in it what it was compared with.
func (f *evalFlags) measure(rec *eval.Record, past pastRun) (eval.Report, error) {
	var o eval.MeasureOptions
	for _, pair := range f.compare {
		p, err := eval.ParsePair(pair)
		if err != nil {
			return eval.Report{}, usagef("--compare: %w", err)
		}
		o.Compare = append(o.Compare, p)
	}
	rec.Settings.Compare, rec.Settings.Against = append([]string{}, f.compare...), ""
	if f.against != "" {
		earlier, err := readRun(f.against)
		if err != nil && f.recalled {
			return eval.Report{}, usagef("%s was set beside an earlier run: %w; give it again with --against", past.name, err)
		}
		if err != nil {
			return eval.Report{}, err
		}
		if f.recalled && earlier.hash != past.Settings.Against {
			return eval.Report{}, usagef("%s was set beside another %s than there is now (%s, now %s); give that of then with --against", past.name, f.against, past.Settings.Against, earlier.hash)
		}
		o.Against, rec.Settings.Against = &earlier.Record, earlier.hash
	}
	if o.Against == nil {
		o.Against = rec.Head
	}
	report, err := eval.Measure(*rec, o)
	if err != nil {
		return report, usagef("%w", err)
	}
	return report, nil
}
