package config

import (
	"fmt"
	"os"
	"strings"

	"github.com/pointsman/pointsman/bot"
)

// secretFile pairs a secret with the key that may hold the path to it instead.
type secretFile struct {
	key    string // of the secret; the path's is key + "File"
	secret *bot.Secret
	file   *string
}

func secretFiles(cfg *Config) []secretFile {
	all := []secretFile{
		{"adminToken", &cfg.AdminToken, &cfg.AdminTokenFile},
		{"llm.apiKey", &cfg.LLM.APIKey, &cfg.LLM.APIKeyFile},
	}
	if g := cfg.GitHub; g != nil {
		all = append(all,
			secretFile{"github.privateKey", &g.PrivateKey, &g.PrivateKeyFile},
			secretFile{"github.webhookSecret", &g.WebhookSecret, &g.WebhookSecretFile},
			secretFile{"github.token", &g.Token, &g.TokenFile})
	}
	for i := range cfg.Jira {
		j := &cfg.Jira[i]
		all = append(all,
			secretFile{fmt.Sprintf("jira[%d].token", i), &j.Token, &j.TokenFile},
			secretFile{fmt.Sprintf("jira[%d].webhookSecret", i), &j.WebhookSecret, &j.WebhookSecretFile})
	}
	if s := cfg.Slack; s != nil {
		all = append(all,
			secretFile{"slack.botToken", &s.BotToken, &s.BotTokenFile},
			secretFile{"slack.signingSecret", &s.SigningSecret, &s.SigningSecretFile})
	}
	return all
}

// readSecretFiles fills every secret whose key was given as a file. The line
// end that editors and secret mounts leave at the end is not part of a secret.
func readSecretFiles(cfg *Config, config string) error {
	for _, s := range secretFiles(cfg) {
		if *s.file == "" {
			continue
		}
		if *s.secret != "" {
			return bot.Errorf(bot.CodeInvalid, "%s: %s and %sFile are both set; keep one", config, s.key, s.key)
		}
		data, err := os.ReadFile(*s.file)
		if err != nil {
			return bot.Errorf(bot.CodeInvalid, "%s: %sFile: %w; name a file that this user can read", config, s.key, err)
		}
		*s.secret = bot.Secret(strings.TrimRight(string(data), "\r\n"))
		if *s.secret == "" {
			return bot.Errorf(bot.CodeInvalid, "%s: %sFile: %s is empty", config, s.key, *s.file)
		}
	}
	return nil
}
