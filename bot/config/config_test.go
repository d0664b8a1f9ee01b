package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/bot"
)

// write puts a pointsman.yml and the registry it names into a folder of its own.
func write(t *testing.T, yml string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"pointsman.yml": yml,
		"registry.json": `{"version":1,"repositories":[]}`,
		"secret.txt":    "from-a-file\n",
		"empty.txt":     "\n",
		"blank.txt":     " \t\r\n\n",
		"lines.txt":     "one\ntwo\n",
		"utf16.txt":     "\xff\xfes\x00",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "pointsman.yml")
}

func TestLoadDefaults(t *testing.T) {
	t.Parallel()
	file := write(t, "registry: {file: registry.json}\n")
	dir := filepath.Dir(file)
	got, err := Load(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		Listen: "127.0.0.1:8080", DataDir: filepath.Join(dir, "data"), Mode: ModeShadow,
		MaxBodyBytes: 25 << 20, Workers: 4, ShutdownTimeout: 20 * time.Second,
		Registry: Registry{File: filepath.Join(dir, "registry.json")},
		LLM:      LLM{Mode: "off", TieBreak: "off"},
		Routing:  Routing{Show: 3, Keep: 5, MinPartial: 4},
		Warnings: []string{"neither github nor jira is configured: no webhook will be accepted"},
		File:     file,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("configuration (-want +got):\n%s", d)
	}
}

const whole = `
listen: 127.0.0.1:0
adminListen: 127.0.0.1:0
adminToken: t
dataDir: ./d
store: ""
mode: live
maxBodyBytes: 1000
workers: 2
shutdownTimeout: 3s
registry: {file: registry.json}
github: {token: abc, webhookSecretFile: secret.txt, apiURL: "http://127.0.0.1:9/api"}
jira:
  - {tenant: acme, url: "https://jira.example.com", flavour: datacenter, token: s, webhookSecret: "12345"}
  - {tenant: birch, url: "https://birch.example.com", user: bot@example.com, token: s, webhookSecret: 77}
slack: {botToken: s, signingSecret: s, channel: "#triage"}
llm: {mode: explain, baseURL: "https://llm.example.com", apiKey: s, model: m, tieBreak: off}
routing: {show: 2}
`

func TestLoadWhole(t *testing.T) {
	t.Parallel()
	file := write(t, whole)
	dir := filepath.Dir(file)
	got, err := Load(file, []string{
		"POINTSMAN_ROUTING_SHOW=4", "POINTSMAN_GITHUB_TOKEN=from-env", "POINTSMAN_JIRA_1_TOKEN=second",
		"POINTSMAN_JIRA_2_TENANT=cedar", "POINTSMAN_JIRA_2_URL=https://cedar.example.com", "POINTSMAN_JIRA_2_USER=u",
		"POINTSMAN_JIRA_2_TOKEN=t", "POINTSMAN_JIRA_2_WEBHOOKSECRETFILE=secret.txt",
		"POINTSMAN_SHUTDOWNTIMEOUT=5s", "POINTSMAN_PORT_8080_TCP=tcp://10.0.0.1", "HOME=/nowhere",
		"POINTSMAN_SERVICE_HOST=10.0.0.1", "POINTSMAN_SERVICE_PORT_HTTP=80", "POINTSMAN_WEB_PORT_80_TCP_ADDR=10.0.0.2",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		Listen: "127.0.0.1:0", AdminListen: "127.0.0.1:0", AdminToken: "t", DataDir: filepath.Join(dir, "d"),
		Mode: ModeLive, MaxBodyBytes: 1000, Workers: 2, ShutdownTimeout: 5 * time.Second,
		Registry: Registry{File: filepath.Join(dir, "registry.json")},
		GitHub: &GitHub{
			Token: "from-env", WebhookSecret: "from-a-file", WebhookSecretFile: filepath.Join(dir, "secret.txt"),
			APIURL: "http://127.0.0.1:9/api/",
		},
		Jira: []Jira{
			{Tenant: "acme", URL: "https://jira.example.com", Flavour: "datacenter", Token: "s", WebhookSecret: "12345"},
			{Tenant: "birch", URL: "https://birch.example.com", Flavour: "cloud", User: "bot@example.com", Token: "second", WebhookSecret: "77"},
			{
				Tenant: "cedar", URL: "https://cedar.example.com", Flavour: "cloud", User: "u", Token: "t",
				WebhookSecret: "from-a-file", WebhookSecretFile: filepath.Join(dir, "secret.txt"),
			},
		},
		Slack:   &Slack{BotToken: "s", SigningSecret: "s", APIURL: "https://slack.com/api/", Channel: "#triage"},
		LLM:     LLM{Mode: "explain", BaseURL: "https://llm.example.com", APIKey: "s", Model: "m", TieBreak: "off"},
		Routing: Routing{Show: 4, Keep: 5, MinPartial: 4},
		Warnings: []string{
			"slack is configured, but this version does not speak to Slack: the section has no effect",
			"llm.mode is set, but this version asks no model: the section has no effect",
		},
		File: file,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("configuration (-want +got):\n%s", d)
	}
	if s := fmt.Sprintf("%v %+v %#v", got, got.GitHub, got.Jira); strings.Contains(s, "from-env") || strings.Contains(s, "12345") {
		t.Errorf("printing the configuration shows a secret: %s", s)
	}
}

func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	const reg = "registry: {file: registry.json}\n"
	for _, c := range []struct{ name, yml, env, want string }{
		{"unknown key", reg + "\nlistn: 1\n", "", `pointsman.yml:3: unknown key "listn"`},
		{"unknown nested key", reg + "github:\n  webhookSecret: s\n  apiUrl: x\n", "", `pointsman.yml:4: unknown key "apiUrl"`},
		{"unknown key in a list", reg + "jira:\n  - tenant: a\n    secret: x\n", "", `pointsman.yml:4: unknown key "secret"`},
		{"wrong type", reg + "routing: {show: many}\n", "", "pointsman.yml:2: routing.show: is not a whole number"},
		{"half a number", reg + "workers: 1.5\n", "", "pointsman.yml:2: workers: is not a whole number"},
		{"secret with keys", reg + "github: {webhookSecret: {x: y}}\n", "", "pointsman.yml:2: github.webhookSecret: want one value"},
		{"secret is a list", reg + "jira:\n  - tenant: a\n    token: [x]\n", "", "pointsman.yml:4: jira[0].token: want one value"},
		{"tagged secret", reg + "adminToken: !odd {x: y}\n", "", "pointsman.yml:2: adminToken: want one value"},
		{"secret by alias", reg + "slack: &s {channel: x}\nadminToken: *s\n", "", "pointsman.yml: a secret is not plain text"},
		{"text with keys", reg + "listen: {x: y}\n", "", "pointsman.yml:2: listen: want one value"},
		{"list with keys", reg + "jira: {tenant: x}\n", "", "pointsman.yml:2: jira: want a list"},
		{"section is text", reg + "github: on\n", "", "pointsman.yml:2: github: want keys with values"},
		{"file is a list", "- mode\n", "", "pointsman.yml:1: the file: want keys with values"},
		{"duration", reg + "shutdownTimeout: long\n", "", "pointsman.yml:2: shutdownTimeout: is not a duration"},
		{"duration without a unit", reg + "shutdownTimeout: 20\n", "", "pointsman.yml:2: shutdownTimeout: is not a duration"},
		{"twice", reg + "mode: live\nmode: shadow\n", "", `pointsman.yml:3: mapping key "mode" already defined`},
		{"not YAML", "a: [\n", "", "pointsman.yml:1: "},
		{"two documents", reg + "---\nmode: live\n", "", "more than one YAML document"},
		{"no registry", "mode: shadow\n", "", "registry.file: is missing"},
		{"registry gone", "registry: {file: gone.json}\n", "", "registry.file: stat "},
		{"registry is a folder", "registry: {file: .}\n", "", "is a folder"},
		{"postgres", reg + "store: postgres://db/x\n", "", "store: only the SQLite file"},
		{"mode", reg + "mode: loud\n", "", `mode: is "loud"`},
		{"address", reg + "listen: '8080'\n", "", `listen: "8080" is not host:port`},
		{"port", reg + "listen: 'a:99999'\n", "", "listen: "},
		{"open admin", reg + "adminListen: 0.0.0.0:9\n", "", "set adminToken too"},
		{"no github secret", reg + "github: {token: t}\n", "", "github.webhookSecret: is empty"},
		{"empty github secret from env", reg + "github: {token: t, webhookSecret: s}\n", "POINTSMAN_GITHUB_WEBHOOKSECRET=", "github.webhookSecret: is empty"},
		{"no jira secret", reg + "jira: [{tenant: a, url: 'https://x.example.com'}]\n", "", "jira[0].webhookSecret: is empty"},
		{"tenant", reg + "jira: [{tenant: a/b, webhookSecret: s}]\n", "", "jira[0].tenant"},
		{"tenant twice", reg + "jira: [{tenant: a, webhookSecret: s, url: 'https://x'}, {tenant: a, webhookSecret: s, url: 'https://x'}]\n", "", "jira[1].tenant"},
		{"flavour", reg + "jira: [{tenant: a, webhookSecret: s, url: 'https://x', flavour: server}]\n", "", "jira[0].flavour"},
		{"plain http", reg + "jira: [{tenant: a, webhookSecret: s, url: 'http://jira.example.com'}]\n", "", "plain http is allowed to this machine only"},
		{"live without rights", reg + "mode: live\ngithub: {webhookSecret: s}\n", "", "mode live needs appID"},
		{"app and token", reg + "github: {webhookSecret: s, token: t, appID: 1}\n", "", "keep one"},
		{"half an app", reg + "github: {webhookSecret: s, appID: 1}\n", "", "needs both appID and privateKeyFile"},
		{"key is no key", reg + "github: {webhookSecret: s, appID: 1, privateKeyFile: secret.txt}\n", "", "holds no PEM block"},
		{"key is gone", reg + "github: {webhookSecret: s, appID: 1, privateKeyFile: gone.pem}\n", "", "github.privateKeyFile: stat "},
		{"secret file empty", reg + "github: {webhookSecretFile: empty.txt}\n", "", "is empty"},
		{"blank secret", reg + "github: {webhookSecret: ' '}\n", "", "github.webhookSecret: is empty"},
		{"blank secret from env", reg + "jira: [{tenant: a, url: 'https://x'}]\n", "POINTSMAN_JIRA_0_WEBHOOKSECRET=\t", "jira[0].webhookSecret: is empty"},
		{"secret file of blanks", reg + "github: {webhookSecretFile: blank.txt}\n", "", "is empty"},
		{"secret file of two lines", reg + "github: {webhookSecretFile: lines.txt}\n", "", "github.webhookSecretFile: holds a line end"},
		{"secret file in UTF-16", reg + "github: {webhookSecretFile: utf16.txt}\n", "", "github.webhookSecretFile: holds a line end"},
		{"secret of two lines", reg + "adminToken: \"a\\nb\"\n", "", "adminToken: holds a line end"},
		{"misspelt variable", reg, "POINTSMAN_GITHUB_WEBHOOKSECRT=s", "environment variable POINTSMAN_GITHUB_WEBHOOKSECRT: names no key"},
		{"variable of a section", reg, "POINTSMAN_GITHUB=s", "environment variable POINTSMAN_GITHUB: names no key"},
		{"variable behind a gap", reg, "POINTSMAN_JIRA_1_TENANT=a", "environment variable POINTSMAN_JIRA_1_TENANT: names no key"},
		{"secret twice", reg + "github: {webhookSecretFile: secret.txt, webhookSecret: s}\n", "", "are both set"},
		{"number from env", reg, "POINTSMAN_WORKERS=few", "environment variable POINTSMAN_WORKERS: not a whole number"},
		{"duration from env", reg, "POINTSMAN_SHUTDOWNTIMEOUT=long", "environment variable POINTSMAN_SHUTDOWNTIMEOUT: not a duration"},
		{"show above keep", reg + "routing: {show: 9}\n", "", "routing.show: is 9"},
		{"workers", reg + "workers: 0\n", "", "workers: is 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := Load(write(t, c.yml), []string{c.env})
			if err == nil {
				t.Fatal("it was accepted")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %q does not say %q", err, c.want)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error is more than one line: %q", err)
			}
			if bot.CodeOf(err) != bot.CodeInvalid {
				t.Errorf("code is %q, want invalid", bot.CodeOf(err))
			}
		})
	}
}

func TestLoadMissingFile(t *testing.T) {
	t.Parallel()
	_, err := Load(filepath.Join(t.TempDir(), "no.yml"), nil)
	if err == nil || !strings.Contains(err.Error(), "--config") {
		t.Errorf("error is %v, want one that says how to name the file", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte("registry: {file: x}\ngithub:\njira: [{}]\n"))
	f.Add([]byte("a: &a [*a]\n"))
	f.Add([]byte("\x00\xff: {"))
	f.Fuzz(func(t *testing.T, data []byte) {
		cfg, err := parse("f.yml", data, nil)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error is more than one line: %q", err)
			}
			return
		}
		_ = check(&cfg) // it may refuse, it must not panic
	})
}
