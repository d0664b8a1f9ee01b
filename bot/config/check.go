package config

import (
	"encoding/pem"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// check returns the first thing that is wrong with cfg, and notes in
// cfg.Warnings what has no effect.
func check(cfg *Config) error {
	checks := []func(*Config) error{
		checkServer, checkStore, checkGitHub, checkRegistry, checkJira, checkLater, checkRouting,
	}
	for _, c := range checks {
		if err := c(cfg); err != nil {
			return err
		}
	}
	if cfg.GitHub == nil && len(cfg.Jira) == 0 {
		cfg.Warnings = append(cfg.Warnings, "neither github nor jira is configured: no webhook will be accepted")
	}
	return nil
}

func checkServer(cfg *Config) error {
	if err := checkAddr("listen", cfg.Listen); err != nil {
		return err
	}
	if cfg.AdminListen != "" {
		if err := checkAddr("adminListen", cfg.AdminListen); err != nil {
			return err
		}
		if cfg.AdminListen == cfg.Listen && !strings.HasSuffix(cfg.Listen, ":0") {
			return fmt.Errorf("adminListen: is the same address as listen; give it another port, or leave it out")
		}
		if cfg.AdminToken == "" && !loopback(hostOf(cfg.AdminListen)) {
			return fmt.Errorf("adminListen: %s can be reached from other machines; set adminToken too", cfg.AdminListen)
		}
	}
	if cfg.Mode != ModeShadow && cfg.Mode != ModeLive {
		return fmt.Errorf("mode: is %q; write shadow (say nothing) or live", cfg.Mode)
	}
	if cfg.MaxBodyBytes < 1 {
		return fmt.Errorf("maxBodyBytes: is %d; it must be at least 1", cfg.MaxBodyBytes)
	}
	if cfg.Workers < 1 || cfg.Workers > 64 {
		return fmt.Errorf("workers: is %d; it must be 1 to 64", cfg.Workers)
	}
	if cfg.ShutdownTimeout < 0 || cfg.ShutdownTimeout > 10*time.Minute {
		return fmt.Errorf("shutdownTimeout: is %s; it must be 0s to 10m", cfg.ShutdownTimeout)
	}
	return nil
}

func checkAddr(key, addr string) error {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("%s: %q is not host:port, like 127.0.0.1:8080", key, addr)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return fmt.Errorf("%s: %q has no port of 0 to 65535", key, addr)
	}
	return nil
}

func checkStore(cfg *Config) error {
	if cfg.DataDir == "" {
		return fmt.Errorf("dataDir: is empty; name a folder for the database and the indexes")
	}
	if cfg.Store != "" {
		return fmt.Errorf("store: only the SQLite file in dataDir is supported by this version; leave store out")
	}
	return nil
}

func checkGitHub(cfg *Config) error {
	g := cfg.GitHub
	if g == nil {
		return nil
	}
	if g.WebhookSecret == "" {
		return fmt.Errorf("github.webhookSecret: is empty; without it anybody could send events: set it, or webhookSecretFile")
	}
	if err := checkURL("github.apiURL", g.APIURL); err != nil {
		return err
	}
	if !strings.HasSuffix(g.APIURL, "/") {
		g.APIURL += "/"
	}
	app := g.AppID != 0 || g.PrivateKey != ""
	switch {
	case app && g.Token != "":
		return fmt.Errorf("github: has both an App (appID, privateKeyFile) and a token; keep one")
	case app && (g.AppID <= 0 || g.PrivateKey == ""):
		return fmt.Errorf("github: an App needs both appID and privateKeyFile")
	case !app && g.Token == "" && cfg.Mode == ModeLive:
		return fmt.Errorf("github: mode live needs appID and privateKeyFile, or a token, to write comments")
	}
	if g.PrivateKey != "" {
		if block, _ := pem.Decode([]byte(g.PrivateKey.Reveal())); block == nil {
			return fmt.Errorf("github.privateKeyFile: holds no PEM block; use the .pem that GitHub gave for the App")
		}
	}
	return nil
}

func checkJira(cfg *Config) error {
	seen := map[string]bool{}
	for i := range cfg.Jira {
		j := &cfg.Jira[i]
		at := fmt.Sprintf("jira[%d]", i)
		if !plainName(j.Tenant) {
			return fmt.Errorf("%s.tenant: is %q; use letters, digits, '-', '_' and '.', it stands in the webhook's path", at, j.Tenant)
		}
		if seen[j.Tenant] {
			return fmt.Errorf("%s.tenant: %q is there twice; every site needs its own", at, j.Tenant)
		}
		seen[j.Tenant] = true
		if err := checkURL(at+".url", j.URL); err != nil {
			return err
		}
		if j.Flavour != FlavourCloud && j.Flavour != FlavourDatacenter {
			return fmt.Errorf("%s.flavour: is %q; write cloud or datacenter", at, j.Flavour)
		}
		if j.WebhookSecret == "" {
			return fmt.Errorf("%s.webhookSecret: is empty; without it anybody could send events: set it, or webhookSecretFile", at)
		}
		if cfg.Mode != ModeLive {
			continue
		}
		if j.Token == "" {
			return fmt.Errorf("%s.token: is empty; mode live needs it to write comments", at)
		}
		if j.Flavour == FlavourCloud && j.User == "" {
			return fmt.Errorf("%s.user: is empty; Jira Cloud needs the e-mail address that the token belongs to", at)
		}
	}
	return nil
}

// checkLater looks at the sections of later versions: their spelling is checked,
// and the log says that they do nothing yet.
func checkLater(cfg *Config) error {
	if s := cfg.Slack; s != nil {
		if err := checkURL("slack.apiURL", s.APIURL); err != nil {
			return err
		}
		cfg.Warnings = append(cfg.Warnings, "slack is configured, but this version does not speak to Slack: the section has no effect")
	}
	if cfg.LLM.BaseURL != "" {
		if err := checkURL("llm.baseURL", cfg.LLM.BaseURL); err != nil {
			return err
		}
	}
	if cfg.LLM.TieBreak != "off" && cfg.LLM.TieBreak != "on" {
		return fmt.Errorf("llm.tieBreak: is %q; write on or off", cfg.LLM.TieBreak)
	}
	if cfg.LLM.Mode != "off" && cfg.LLM.Mode != "" {
		cfg.Warnings = append(cfg.Warnings, "llm.mode is set, but this version asks no model: the section has no effect")
	}
	return nil
}

func checkRouting(cfg *Config) error {
	r := cfg.Routing
	if r.Keep < 1 || r.Keep > 50 {
		return fmt.Errorf("routing.keep: is %d; it must be 1 to 50", r.Keep)
	}
	if r.Show < 1 || r.Show > r.Keep {
		return fmt.Errorf("routing.show: is %d; it must be 1 to routing.keep (%d)", r.Show, r.Keep)
	}
	if r.TablesFile != "" && cfg.Registry.Repo != "" {
		return fmt.Errorf("routing.tablesFile: the registry is read from %s, and its tables from the same commit; put tables.json beside it there", cfg.Registry.Repo)
	}
	if r.MinPartial < 1 || r.MinPartial > 20 {
		return fmt.Errorf("routing.minPartial: is %d; it must be 1 to 20", r.MinPartial)
	}
	return nil
}

// checkURL accepts https anywhere and plain http to this machine only.
func checkURL(key, raw string) error {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return fmt.Errorf("%s: %q is not a URL like https://example.com/", key, raw)
	}
	if u.User != nil {
		return fmt.Errorf("%s: holds a user or password; use the keys made for them", key)
	}
	if u.Scheme == "https" || u.Scheme == "http" && loopback(u.Hostname()) {
		return nil
	}
	return fmt.Errorf("%s: %q is not https; plain http is allowed to this machine only", key, raw)
}

func hostOf(addr string) string {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return addr
	}
	return host
}

func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

func plainName(s string) bool {
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
		default:
			return false
		}
	}
	return s != "" && s != "." && s != ".."
}
