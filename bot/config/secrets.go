package config

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

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

// readSecrets fills every secret whose key was given as a file, and looks at all of
// them. The line end that editors and secret mounts leave at the end is not part
// of a secret, and white space alone is none.
func readSecrets(cfg *Config, config string) error {
	for _, s := range secretFiles(cfg) {
		from := s.key
		if *s.file != "" {
			from += "File"
			if *s.secret != "" {
				return bot.Errorf(bot.CodeInvalid, "%s: %s and %sFile are both set; keep one", config, s.key, s.key)
			}
			data, err := bot.ReadRegular(*s.file, maxFile)
			if err != nil {
				return bot.Errorf(bot.CodeInvalid, "%s: %s: %w; name a file that this user can read", config, from, err)
			}
			*s.secret = bot.Secret(strings.TrimRight(string(data), "\r\n"))
		}
		if strings.TrimSpace(s.secret.Reveal()) == "" {
			*s.secret = ""
			if *s.file != "" {
				return bot.Errorf(bot.CodeInvalid, "%s: %s: %s is empty", config, from, *s.file)
			}
		}
		if err := plainSecret(s); err != nil {
			return bot.Errorf(bot.CodeInvalid, "%s: %s: %w", config, from, err)
		}
	}
	return nil
}

// plainSecret refuses what no host ever gave out: a key file in the place of a
// token, a file in UTF-16, two lines. Keys themselves are PEM, which has lines.
func plainSecret(s secretFile) error {
	pem := strings.HasSuffix(s.key, "privateKey")
	for _, r := range s.secret.Reveal() {
		if pem && (r == '\n' || r == '\r' || r == '\t') {
			continue
		}
		if unicode.IsControl(r) || r == utf8.RuneError {
			return errors.New("holds a line end, a control character or bytes that are no text; it must be the secret alone, in one line")
		}
	}
	return nil
}
