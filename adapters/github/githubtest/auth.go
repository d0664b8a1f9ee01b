package githubtest

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/golang-jwt/jwt/v4"
)

// app guards calls that only the App itself may make, with a signed JWT.
func (s *Server) app(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		raw, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok || s.key == nil || !s.genuine(raw) {
			refuse(w, http.StatusUnauthorized, "A JSON web token could not be decoded")
			return
		}
		h(w, r, s.BotLogin())
	}
}

func (s *Server) genuine(raw string) bool {
	var claims jwt.RegisteredClaims
	_, err := jwt.ParseWithClaims(raw, &claims, func(*jwt.Token) (any, error) { return &s.key.PublicKey, nil },
		jwt.WithValidMethods([]string{"RS256"}))
	return err == nil && claims.Issuer == strconv.FormatInt(s.opts.AppID, 10)
}

// user guards calls that need a personal or an installation's token.
func (s *Server) user(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		_, raw, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if _, ok := s.tokens[raw]; ok {
			h(w, r, s.opts.AppSlug+"[bot]")
			return
		}
		if raw != s.opts.Token.Reveal() {
			refuse(w, http.StatusUnauthorized, "Bad credentials")
			return
		}
		h(w, r, s.opts.TokenLogin)
	}
}
