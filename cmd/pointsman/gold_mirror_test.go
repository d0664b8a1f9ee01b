package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/adapters/git/gittest"
	"github.com/pointsman/pointsman/adapters/git/smarttest"
)

// registryOf writes a registry of these entries.
func registryOf(t *testing.T, entries ...map[string]string) string {
	t.Helper()
	data, err := json.Marshal(map[string]any{"version": 1, "repos": entries})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "registry.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestMineMirrors(t *testing.T) {
	t.Parallel()
	org, own := t.TempDir(), t.TempDir()
	told(t, org, "cart", "start", "PAY-1 Sum up once", "PAY-2 Round")
	told(t, own, "ledger", "start", "PAY-1 Book once")
	told(t, org, "away", "start", "PAY-1 Print")
	noise := make([]byte, 1<<20)
	for i, r := 0, rand.New(rand.NewPCG(1, 2)); i < len(noise); i++ {
		noise[i] = byte(r.Uint32())
	}
	if _, err := gittest.Write(filepath.Join(org, "huge.git"), true, map[string]string{"huge/main.py": string(noise)}, "PAY-1 Weigh"); err != nil {
		t.Fatal(err)
	}
	forge := smarttest.New(org)
	forge.Set(smarttest.Plan{Password: "open-sesame"})
	web := httptest.NewServer(forge)
	t.Cleanup(web.Close)
	registry := registryOf(t,
		map[string]string{"name": "cart", "cloneURL": web.URL + "/cart.git"},
		map[string]string{"name": "huge", "cloneURL": web.URL + "/huge.git"},
		map[string]string{"name": "gone", "cloneURL": web.URL + "/gone.git"},
		map[string]string{"name": "ssh", "cloneURL": "git@host:acme/ssh.git"},
		map[string]string{"name": "ledger", "cloneURL": "file://" + filepath.Join(own, "ledger.git")},
		map[string]string{"name": "bare"},
	)
	dir := t.TempDir()
	config := filepath.Join(dir, "pointsman.yml")
	if err := os.WriteFile(config, fmt.Appendf(nil, "registry: {file: %q}\ngithub: {token: open-sesame, webhookSecret: any, apiURL: %q}\n", registry, web.URL+"/api/v3/"), 0o600); err != nil {
		t.Fatal(err)
	}
	mirrors, file := filepath.Join(dir, "mirrors"), filepath.Join(dir, "gold.jsonl")
	args := []string{"gold", "mine", "--registry", registry, "--mirrors", mirrors, "--config", config, "--max-mirror-size", "512KiB", "--project", "PAY", "-o", file}
	code, out, errOut := pointsman("", args...)
	if code != exitDone || out != "" {
		t.Fatalf("code %d, stdout %q, stderr %s", code, out, errOut)
	}
	want := []string{`PAY-1 cart+ledger "PAY-1 Sum up once" proxy `, `PAY-2 cart "PAY-2 Round" proxy `}
	if d := cmp.Diff(want, asked(t, file)); d != "" {
		t.Error(d)
	}
	for _, part := range []string{
		"pointsman: huge cannot be mirrored: its history takes more than 512 KiB; raise --max-mirror-size", "pointsman: gone cannot be mirrored: ", "shows nothing at /gone.git",
		"pointsman: ssh cannot be mirrored: its cloneURL is no https or file address", "pointsman: bare is left out: it is not on this machine; clone it",
	} {
		if !strings.Contains(errOut, part) {
			t.Errorf("stderr lacks %q:\n%s", part, errOut)
		}
	}
	if strings.Contains(errOut, "sesame") || strings.Count(errOut, "pointsman: ") != 4 {
		t.Errorf("stderr is %s", errOut)
	}
	// The same again fetches nothing; without the token what was fetched is mined.
	forge.Requests()
	if code, _, errOut = pointsman("", args...); code != exitDone {
		t.Errorf("again: code %d, %s", code, errOut)
	}
	for _, r := range forge.Requests() {
		if r.Path == "/cart.git/git-upload-pack" {
			t.Errorf("the second run fetched: %+v", r)
		}
	}
	code, _, errOut = pointsman("", "gold", "mine", "--registry", registry, "--mirrors", mirrors, "--project", "PAY", "-o", file)
	if code != exitDone || !strings.Contains(errOut, "pointsman: cart is mined as it was fetched last: ") || !strings.Contains(errOut, "github.token") {
		t.Errorf("without a token: code %d, %s", code, errOut)
	}
	if d := cmp.Diff(want, asked(t, file)); d != "" {
		t.Error(d)
	}
}

func TestMineRefusesMirrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	registry := registryOf(t, map[string]string{"name": "cart", "cloneURL": "https://example.org/cart.git"})
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"--repos " + dir + " --mirrors " + dir + "/m":                                     "--mirrors wants --registry FILE",
		"--registry " + registry + " --repos " + dir + " --mirrors " + dir:                "is also --repos",
		"--registry " + registry + " --mirrors " + plain:                                  "name one that this user may write to",
		"--registry " + registry + " --mirrors " + dir + " --max-mirror-size much":        "want a size such as 500MiB",
		"--registry " + registry + " --mirrors " + dir + " --max-mirror-size 0":           "want a size such as 500MiB",
		"--registry " + registry + " --mirrors " + dir + " --max-mirror-size 9999999999G": "want a size such as 500MiB",
		"--registry " + registry + " --mirrors " + dir + " --max-mirror-time 0s":          "want a duration such as 30m",
		"--registry " + registry + " --mirrors " + dir + " --config " + dir + "/no.yml":   "no.yml",
	} {
		code, out, errOut := pointsman("", append([]string{"gold", "mine"}, strings.Fields(args)...)...)
		if code != exitUsage || out != "" || !strings.Contains(errOut, want) || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%s: code %d, stdout %q, stderr %q; want one line with %q", args, code, out, errOut, want)
		}
	}
	for s, want := range map[string]int64{"1": 1, "2k": 2 << 10, "500MiB": 500 << 20, "1 GB": 1 << 30, "3gib": 3 << 30} {
		if n, err := bytesOf(s); err != nil || n != want {
			t.Errorf("%q is %d, %v", s, n, err)
		}
	}
}
