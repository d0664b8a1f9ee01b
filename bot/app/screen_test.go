package app

import (
	"net/http"
	"strings"
	"testing"
)

func TestScreen(t *testing.T) {
	t.Parallel()
	sum := strings.Repeat("0a", 32)
	for _, c := range []struct {
		source, header, value string
		ok                    bool
	}{
		{"github", "X-Hub-Signature-256", "sha256=" + sum, true},
		{"jira", "X-Hub-Signature", "sha256=" + sum, true},
		{"github", "X-Hub-Signature-256", "sha256=" + strings.ToUpper(sum), true},
		{"github", "X-Hub-Signature", "sha256=" + sum, false}, // the other one's
		{"github", "X-Hub-Signature-256", "sha1=" + sum, false},
		{"github", "X-Hub-Signature-256", "sha256=" + sum[1:], false},
		{"github", "X-Hub-Signature-256", "sha256=" + sum + "00", false},
		{"github", "X-Hub-Signature-256", "sha256=" + strings.Repeat("zz", 32), false},
		{"github", "X-Hub-Signature-256", "", false},
		{"jira", "X-Hub-Signature", "sha256=", false},
	} {
		h := http.Header{}
		h.Set(c.header, c.value)
		if err := screen(c.source, h); (err == nil) != c.ok {
			t.Errorf("%s, %s: %s: %v", c.source, c.header, c.value, err)
		}
	}
}
