package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOnlyRegularFilesAreRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	big := filepath.Join(dir, "big")
	if err := os.WriteFile(big, []byte(strings.Repeat("x", maxFile+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{os.DevNull: "not a regular file", dir: "not a regular file", big: "larger than"} {
		config := filepath.Join(t.TempDir(), "pointsman.yml")
		text := "registry: {file: r.json}\ngithub: {webhookSecretFile: " + name + "}\n"
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(config, nil); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "webhookSecretFile") {
			t.Errorf("secret file %s: %v, want %q", name, err, want)
		}
		if _, err := Load(name, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("configuration %s: %v, want %q", name, err, want)
		}
	}
}
