package app

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pointsman/pointsman/bot"
)

// saved is the last good registry as it is kept on the disk.
type saved struct {
	Repo   string `json:"repo"`
	ID     int64  `json:"id,omitempty"` // the host's own; 0 = not known
	Branch string `json:"branch"`
	Path   string `json:"path"`
	Commit string `json:"commit"`
	Hash   string `json:"hash"` // of Data
	Data   []byte `json:"data"` // exactly as it was read
	// Tables are those beside it; nil = none.
	Tables []byte `json:"tables,omitempty"`
}

func savedFile(dataDir string) string { return filepath.Join(dataDir, "registry", "good.json") }

// save keeps a registry, whole or not at all.
func (h *hosted) save(commit string, look pages) error {
	now, ok := h.current()
	if !ok {
		return nil
	}
	text, err := json.Marshal(saved{Repo: h.repo, ID: h.known(), Branch: h.branch, Path: h.path, Commit: commit, Hash: now.reg.Hash, Data: look.registry, Tables: look.tables})
	if err != nil {
		return err
	}
	dir := filepath.Dir(h.file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".good-*") // for this user alone
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), h.file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// restore takes up what an earlier process kept, so that a restart while the host is
// away or the registry broken answers as before. What was kept of another place, or
// breaks today's rules, is left.
func (h *hosted) restore() {
	text, err := bot.ReadRegular(h.file, 2*maxHosted)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var s saved
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err == nil && (!strings.EqualFold(s.Repo, h.repo) || s.Branch != h.branch || s.Path != h.path) {
		return
	}
	if err == nil {
		now, bad := h.parse(pages{s.Data, s.Tables})
		if bad == nil && now.reg.Hash == s.Hash {
			h.mu.Lock()
			h.good, h.id = &good{now, s.Commit}, s.ID
			h.mu.Unlock()
			h.log.Info("the registry of the last run was taken up", bot.LogCommit, s.Commit, bot.LogCount, len(now.reg.Repos))
			return
		}
		err = errors.Join(bad, errors.New("what was kept is not to be used"))
	}
	h.log.Warn("the registry of the last run could not be taken up", bot.LogPath, h.file, bot.LogErr, err)
}
