package api

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/pointsman/pointsman/bot"
)

// Guard says who may ask: those with the token, where there is one; else those
// on this machine. Programs send the token as a bearer, browsers as the password
// of any user.
func Guard(token bot.Secret) gin.HandlerFunc {
	if token == "" {
		return localOnly
	}
	want := sha256.Sum256([]byte(token.Reveal()))
	return func(c *gin.Context) {
		given, ok := strings.CutPrefix(c.GetHeader("Authorization"), "Bearer ")
		if !ok {
			_, given, _ = c.Request.BasicAuth()
		}
		// Hashes are of one length, so the comparison tells nothing of the token's.
		got := sha256.Sum256([]byte(given))
		if subtle.ConstantTimeCompare(want[:], got[:]) == 1 {
			return
		}
		c.Header("WWW-Authenticate", `Basic realm="pointsman", charset="UTF-8"`)
		answer(c, http.StatusUnauthorized, bot.CodeUnauthorized,
			"send adminToken as a bearer token, or as the password of any user")
	}
}

// localOnly lets in direct callers from this machine. A proxy in between would
// let in the world, so its marks, and a name that is not this machine's, are
// refused. So is HTTP/1.0: proxies speak it, some without any other mark, and no
// browser or scraper does. A page of another site, open in a browser on this
// machine, may not ask either.
func localOnly(c *gin.Context) {
	r := c.Request
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err == nil && peer.Addr().Unmap().IsLoopback() && r.ProtoAtLeast(1, 1) && !proxied(r.Header) && localName(r.Host) && ownPage(r) {
		return
	}
	answer(c, http.StatusForbidden, bot.CodeForbidden,
		"this is served to this machine only, and not through a proxy: set adminToken to open it to those who know the token, or adminListen to serve it on an address of its own")
}

// proxied looks for the marks that proxies leave.
func proxied(h http.Header) bool {
	for name := range h {
		switch name {
		case "Forwarded", "Via", "X-Real-Ip", "Cf-Connecting-Ip", "True-Client-Ip", "X-Client-Ip":
			return true
		}
		if strings.HasPrefix(name, "X-Forwarded-") {
			return true
		}
	}
	return false
}

// ownPage reports whether a browser asks, if one does, from a page of ours.
func ownPage(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	return origin == "" || strings.EqualFold(origin, "http://"+r.Host)
}

func localName(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = strings.Trim(hostport, "[]")
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}
