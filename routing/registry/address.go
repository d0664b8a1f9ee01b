package registry

import (
	"net"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"github.com/pointsman/pointsman/routing"
)

// wantURL is how to write a cloneURL.
const wantURL = "write https://host/owner/name.git or git@host:owner/name.git"

// addresses checks the fields that say where a repository is. What stands in them
// is not repeated: it may be a secret.
func (c *checker) addresses(repo *routing.Repo, n node, path *where) {
	if repo.CloneURL != "" {
		v, _ := n.get("cloneURL")
		if text, mend := addressFault(repo.CloneURL); text != "" {
			c.fail(v.start, path.field("cloneURL"), mend, "%s", text)
		}
	}
	if repo.Host != "" && !isHost(repo.Host) {
		v, _ := n.get("host")
		c.fail(v.start, path.field("host"), `write its name alone, as "github.com", with a port where it has one`, "it is no host")
	}
}

// addressFault says what is wrong with a cloneURL and how to mend it, "" for nothing.
func addressFault(s string) (text, mend string) {
	switch scheme, _, isURL := strings.Cut(s, "://"); {
	case strings.Contains(s, " "), !plainASCII(s) && strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unseen(r) }):
		return "it holds a space or a character that nobody sees", wantURL
	case strings.HasPrefix(s, "-"):
		return "it begins with a hyphen, which a program may take for an option", wantURL
	case isHelper(s):
		return "it names a helper program, which is never run", wantURL
	case isURL:
		return urlFault(s, scheme)
	case isScp(s):
		return "", ""
	}
	return "it is neither a URL nor of the form git@host:owner/name", wantURL + `; a folder on this machine is its "path"`
}

func urlFault(s, scheme string) (text, mend string) {
	u, err := url.Parse(s)
	if err != nil { // not told: the error would repeat the address
		return "it cannot be read as a URL", wantURL
	}
	_, password := u.User.Password()
	web := strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http")
	switch {
	case password, web && u.User != nil:
		return "it holds credentials", "take them out and revoke them, since whoever reads this file has them; a token belongs into the configuration"
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return "it holds more than a host and a path", wantURL + "; a token belongs into the configuration"
	case web, strings.EqualFold(scheme, "ssh"), strings.EqualFold(scheme, "git"):
		if !isHost(u.Host) {
			return "it names no host", wantURL
		}
		return "", ""
	case strings.EqualFold(scheme, "file"):
		return "", ""
	}
	return "its scheme is not known", wantURL
}

// isHelper tells "ext::sh -c ..." and its like, which make git run a program.
func isHelper(s string) bool {
	name, _, ok := strings.Cut(s, "::")
	return ok && !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+-._", r)
	})
}

// isScp tells git@host:owner/name.
func isScp(s string) bool {
	host, rest, ok := strings.Cut(s, ":")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	return ok && rest != "" && isHost(host)
}

// isHost tells a host, with or without a port.
func isHost(s string) bool {
	host := s
	if strings.Contains(s, ":") {
		var port string
		var err error
		if host, port, err = net.SplitHostPort(s); err != nil {
			return false
		}
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return false
		}
	}
	return host != "" && len(s) <= maxName && !strings.ContainsFunc(host, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(".-_:", r)
	})
}
