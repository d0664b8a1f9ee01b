package adaptertest

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/pointsman/pointsman/bot"
)

// Signing is how a host signs its deliveries.
type Signing struct {
	Verifier  bot.Verifier
	Sign      func(body []byte) http.Header // genuine headers
	Forge     func(body []byte) http.Header // as genuine, but with another secret
	Signature string                        // name of the signature's header
	Required  []string                      // further headers without which a delivery is invalid
}

// Verifiers runs the suite: what is genuine passes, all else is refused with the
// right code.
func Verifiers(t *testing.T, s Signing) {
	t.Helper()
	for name, body := range map[string][]byte{
		"object": []byte(`{"a":1}`), "empty": {}, "junk": []byte("not JSON"), "binary": {0, 0xff, 0xfe}, "long": bytes.Repeat([]byte("x"), 1<<20),
	} {
		h := s.Sign(body)
		id, kind, err := s.Verifier.Verify(h, body)
		if err != nil || id == "" || kind == "" {
			t.Errorf("%s: id %q, kind %q, error %v", name, id, kind, err)
		}
		again, _, _ := s.Verifier.Verify(h, body)
		if again != id {
			t.Errorf("%s: the same delivery has the ids %q and %q", name, id, again)
		}
		refused(t, s, name+" changed", h, append([]byte(" "), body...), bot.CodeUnauthorized)
		refused(t, s, name+" forged", s.Forge(body), body, bot.CodeUnauthorized)
	}
	body := []byte(`{"a":1}`)
	genuine := s.Sign(body).Get(s.Signature)
	for _, sig := range []string{
		"", "sha256=", "sha256=00", "sha256=zz", genuine[:len(genuine)-1], genuine + "00", strings.TrimPrefix(genuine, "sha256="),
		strings.Replace(genuine, "sha256", "sha1", 1), strings.Repeat("a", 1<<16), "sha256=" + strings.Repeat("\x00", 64),
	} {
		h := s.Sign(body)
		h.Set(s.Signature, sig)
		refused(t, s, fmt.Sprintf("signature %.20q", sig), h, body, bot.CodeUnauthorized)
	}
	refused(t, s, "no headers", http.Header{}, body, bot.CodeUnauthorized)
	for _, name := range s.Required {
		h := s.Sign(body)
		h.Del(name)
		refused(t, s, "without "+name, h, body, bot.CodeInvalid)
		h.Set(name, strings.Repeat("x", 1<<16))
		refused(t, s, "endless "+name, h, body, bot.CodeInvalid)
	}
}

func refused(t *testing.T, s Signing, name string, h http.Header, body []byte, want bot.Code) {
	t.Helper()
	id, kind, err := s.Verifier.Verify(h, body)
	if bot.CodeOf(err) != want || id != "" || kind != "" {
		t.Errorf("%s: id %q, kind %q, error %v (code %q), want code %q and nothing else", name, id, kind, err, bot.CodeOf(err), want)
	}
}

// Junk are bodies that no host sends, as seeds for fuzzing and for Parsers.
func Junk() []string {
	return []string{
		"", " ", "null", "true", "0", `""`, "[]", "{", "}", "not JSON", "\x00", "\xff\xfe", `{"action":1}`, `{"action":"opened"}`,
		`{"action":"opened","issue":null,"repository":null}`, `{"action":"opened","issue":[],"repository":{}}`,
		`{"action":"opened","issue":{"number":-1},"repository":{"full_name":"a/b"}}`,
		`{"action":"opened","issue":{"number":1},"repository":{"full_name":"../../admin"}}`,
		`{"action":"opened","issue":{"number":1e99},"repository":{"full_name":"a/b"}}`,
		`{"webhookEvent":7}`, `{"webhookEvent":"jira:issue_created"}`, `{"webhookEvent":"jira:issue_created","issue":{"key":"../1"}}`,
		`{"webhookEvent":"jira:issue_created","issue":{"key":"A-1","fields":[]}}`,
		`{"webhookEvent":"jira:issue_created","issue":{"key":"A-1","fields":{"description":7}}}`,
		strings.Repeat("[", 100_000), `{"a":` + strings.Repeat(`{"a":`, 50_000), `{"action":"` + strings.Repeat("x", 1<<20),
	}
}

// Parsers runs the suite: junk is an error with code CodeInvalid or is ignored with
// a reason; it never becomes a ticket, and never a panic.
func Parsers(t *testing.T, p bot.Parser, kinds ...string) {
	t.Helper()
	for _, kind := range append(kinds, "", "unheard_of", strings.Repeat("k", 1<<16)) {
		for _, body := range Junk() {
			ev, err := p.Parse(bot.Delivery{Kind: kind, Body: []byte(body)})
			CheckEvent(t, ev, err)
			if err == nil && ev.Ignore == "" {
				t.Errorf("kind %.20q: %.60q became a ticket: %+v", kind, body, ev.Ticket)
			}
		}
	}
}

// CheckEvent holds what is true of every outcome of a parser: an invalid error, a
// reason, or a whole ticket, and only one of them.
func CheckEvent(t *testing.T, ev bot.Event, err error) {
	t.Helper()
	switch {
	case err != nil:
		if bot.CodeOf(err) != bot.CodeInvalid || err.Error() == "" {
			t.Errorf("error %v has code %q, want %q", err, bot.CodeOf(err), bot.CodeInvalid)
		}
	case ev.Ignore != "":
		if ev.Ticket.Ref.Key != "" || ev.Target != (bot.Target{}) {
			t.Errorf("ignored (%s), yet it holds ticket %+v and target %+v", ev.Ignore, ev.Ticket, ev.Target)
		}
	case ev.Push != nil || ev.Pull != nil:
		if ev.Push != nil && ev.Pull != nil || ev.Ticket.Ref.Key != "" || ev.Target != (bot.Target{}) {
			t.Errorf("it is about code, yet not about that alone: %+v", ev)
		}
	default:
		tk := ev.Ticket
		if tk.Ref.System == "" || tk.Ref.Key == "" || tk.FiledIn == "" || tk.Version == "" || tk.Audience.Level == "" || ev.Target.System != tk.Ref.System {
			t.Errorf("the ticket is not whole: %+v, target %+v", tk, ev.Target)
		}
		for _, s := range append([]string{tk.Title, tk.Body, tk.Environment, tk.Reporter, tk.Ref.URL}, tk.Labels...) {
			if clean := bot.Clean(s, len(s)+1); clean != s {
				t.Errorf("the ticket holds characters that nobody sees: %q", s)
			}
		}
		if strings.ContainsAny(tk.Title, "\n\t") {
			t.Errorf("the title has several lines: %q", tk.Title)
		}
	}
}
