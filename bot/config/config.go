package config

import (
	"path/filepath"
	"time"

	"github.com/pointsman/pointsman/bot"
)

// The modes.
const (
	ModeShadow = "shadow" // decide and store, say nothing
	ModeLive   = "live"   // say it
)

// The flavours of Jira.
const (
	FlavourCloud      = "cloud"
	FlavourDatacenter = "datacenter"
)

// DefaultMaxBodyBytes is GitHub's own limit for a webhook body: 25 MiB.
const DefaultMaxBodyBytes = 25 << 20

// Config is the whole of pointsman.yml, checked. Paths are absolute.
type Config struct {
	Listen          string        `yaml:"listen"`          // host:port of the webhooks; port 0 = any free one
	AdminListen     string        `yaml:"adminListen"`     // host:port of metrics, API and console; "" = on Listen
	AdminToken      bot.Secret    `yaml:"adminToken"`      // bearer token of metrics, API and console
	AdminTokenFile  string        `yaml:"adminTokenFile"`  // the same from a file
	DataDir         string        `yaml:"dataDir"`         // SQLite file and index generations
	Store           string        `yaml:"store"`           // "" = SQLite in DataDir
	Mode            string        `yaml:"mode"`            // ModeShadow or ModeLive
	MaxBodyBytes    int64         `yaml:"maxBodyBytes"`    // largest webhook body, in bytes
	Workers         int           `yaml:"workers"`         // jobs at a time, 1 to 64
	ShutdownTimeout time.Duration `yaml:"shutdownTimeout"` // how long running jobs may finish, 0 to 10m
	Registry        Registry      `yaml:"registry"`
	GitHub          *GitHub       `yaml:"github"` // nil = off
	Jira            []Jira        `yaml:"jira"`   // empty = off
	Slack           *Slack        `yaml:"slack"`
	LLM             LLM           `yaml:"llm"`
	Routing         Routing       `yaml:"routing"`

	// Warnings are settings that were understood but have no effect, each one
	// sentence for the log.
	Warnings []string `yaml:"-"`
	// File is where the configuration was read from.
	File string `yaml:"-"`
}

// DefaultRegistryPath is where a registry lies in its repository.
const DefaultRegistryPath = ".repo-orchestrator/registry.json"

// Registry says where the registry is: in a File on this machine, or at Path of a
// Repo on GitHub. The latter is changed by pull requests, so Roots and Hosts bound
// what it may name.
type Registry struct {
	File   string   `yaml:"file"`
	Repo   string   `yaml:"repo"`   // "owner/name"
	Branch string   `yaml:"branch"` // "" = the default branch
	Path   string   `yaml:"path"`
	Roots  []string `yaml:"roots"` // folders that hold the repositories it may name; empty = none
	Hosts  []string `yaml:"hosts"` // git hosts it may name, beside that of github.apiURL
}

// GitHub is an App (AppID and PrivateKey) or, for small set-ups, a Token.
type GitHub struct {
	AppID             int64      `yaml:"appID"`
	PrivateKey        bot.Secret `yaml:"privateKey"` // PEM
	PrivateKeyFile    string     `yaml:"privateKeyFile"`
	WebhookSecret     bot.Secret `yaml:"webhookSecret"`
	WebhookSecretFile string     `yaml:"webhookSecretFile"`
	APIURL            string     `yaml:"apiURL"` // ends in "/"
	Token             bot.Secret `yaml:"token"`
	TokenFile         string     `yaml:"tokenFile"`
}

// Jira is one site. Its webhooks arrive at /webhooks/jira/{Tenant}.
type Jira struct {
	Tenant            string     `yaml:"tenant"`
	URL               string     `yaml:"url"`
	Flavour           string     `yaml:"flavour"` // FlavourCloud or FlavourDatacenter
	User              string     `yaml:"user"`
	Token             bot.Secret `yaml:"token"`
	TokenFile         string     `yaml:"tokenFile"`
	WebhookSecret     bot.Secret `yaml:"webhookSecret"`
	WebhookSecretFile string     `yaml:"webhookSecretFile"`
}

// Slack is read and checked, not acted on.
type Slack struct {
	BotToken          bot.Secret `yaml:"botToken"`
	BotTokenFile      string     `yaml:"botTokenFile"`
	SigningSecret     bot.Secret `yaml:"signingSecret"`
	SigningSecretFile string     `yaml:"signingSecretFile"`
	APIURL            string     `yaml:"apiURL"`
	Channel           string     `yaml:"channel"`
}

// LLM is read and checked, not acted on.
type LLM struct {
	Mode       string     `yaml:"mode"`
	BaseURL    string     `yaml:"baseURL"`
	APIKey     bot.Secret `yaml:"apiKey"`
	APIKeyFile string     `yaml:"apiKeyFile"`
	Model      string     `yaml:"model"`
	TieBreak   string     `yaml:"tieBreak"`
}

// Routing tunes the answer.
type Routing struct {
	Show        int    `yaml:"show"`        // candidates in a comment, 1 to Keep
	Keep        int    `yaml:"keep"`        // candidates in a decision, 1 to 50
	WeightsFile string `yaml:"weightsFile"` // "" = the built-in weights
	TablesFile  string `yaml:"tablesFile"`  // "" = tables.json beside the registry, if there is one
	MinPartial  int    `yaml:"minPartial"`  // least length of a word that matches a part of a keyword, 1 to 20
}

// defaults is the configuration before a byte of the file is read.
func defaults() Config {
	return Config{
		Listen:          "127.0.0.1:8080",
		DataDir:         "./data",
		Mode:            ModeShadow,
		MaxBodyBytes:    DefaultMaxBodyBytes,
		Workers:         4,
		ShutdownTimeout: 20 * time.Second,
		LLM:             LLM{Mode: "off", TieBreak: "off"},
		Routing:         Routing{Show: 3, Keep: 5, MinPartial: 4},
	}
}

// Load reads file and the environment (as os.Environ gives it) into a checked
// configuration. Every error is a *bot.Error with code CodeInvalid.
func Load(file string, environ []string) (Config, error) {
	cfg, err := Read(file, environ)
	if err != nil {
		return Config{}, err
	}
	if err := readSecrets(&cfg, file); err != nil {
		return Config{}, err
	}
	if err := check(&cfg); err != nil {
		return Config{}, bot.Errorf(bot.CodeInvalid, "%s: %w", file, err)
	}
	return cfg, nil
}

// maxFile is the largest configuration or secret file, in bytes.
const maxFile = 1 << 20

// Read is Load without secret files and checks, for those who only want to know
// where things are: it also works where the secrets are not.
func Read(file string, environ []string) (Config, error) {
	data, err := bot.ReadRegular(file, maxFile)
	if err != nil {
		return Config{}, bot.Errorf(bot.CodeInvalid,
			"reading the configuration: %w; write a pointsman.yml and name it with --config", err)
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		return Config{}, bot.Errorf(bot.CodeInvalid, "reading the configuration: %w", err)
	}
	cfg, err := parse(file, data, environ)
	if err != nil {
		return Config{}, err
	}
	cfg.File = abs
	resolvePaths(&cfg, filepath.Dir(abs))
	return cfg, nil
}

func parse(file string, data []byte, environ []string) (Config, error) {
	cfg := defaults()
	if err := decode(file, data, &cfg); err != nil {
		return Config{}, err
	}
	if err := applyEnv(&cfg, environ); err != nil {
		return Config{}, err
	}
	if cfg.Registry.Repo != "" && cfg.Registry.Path == "" {
		cfg.Registry.Path = DefaultRegistryPath
	}
	if cfg.GitHub != nil && cfg.GitHub.APIURL == "" {
		cfg.GitHub.APIURL = "https://api.github.com/"
	}
	if cfg.Slack != nil && cfg.Slack.APIURL == "" {
		cfg.Slack.APIURL = "https://slack.com/api/"
	}
	for i := range cfg.Jira {
		if cfg.Jira[i].Flavour == "" {
			cfg.Jira[i].Flavour = FlavourCloud
		}
	}
	return cfg, nil
}

// resolvePaths makes every path absolute: a relative one is relative to the
// folder of the configuration file, wherever the program was started.
func resolvePaths(cfg *Config, dir string) {
	paths := []*string{&cfg.DataDir, &cfg.Registry.File, &cfg.Routing.WeightsFile, &cfg.Routing.TablesFile}
	for i := range cfg.Registry.Roots {
		paths = append(paths, &cfg.Registry.Roots[i])
	}
	for _, s := range secretFiles(cfg) {
		paths = append(paths, s.file)
	}
	for _, p := range paths {
		if *p != "" && !filepath.IsAbs(*p) {
			*p = filepath.Join(dir, *p)
		}
	}
}
