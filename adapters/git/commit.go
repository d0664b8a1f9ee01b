package git

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/pointsman/pointsman/routing"
)

const (
	// maxMessage bounds a commit message; beyond lies a log or a dump.
	maxMessage = 32 << 10
	// maxParents bounds the parents of one commit; git's octopus has eight arms.
	maxParents = 256
	// maxTime keeps times in four-digit years.
	maxTime = 250_000_000_000
)

// shape is the part of a commit that the walk needs.
type shape struct {
	parents []plumbing.Hash
	time    int64
}

// parseShape reads parents and time of committing. A damaged line is passed over.
func parseShape(data []byte) shape {
	var s shape
	eachHeader(data, func(key string, value []byte) {
		switch key {
		case "parent":
			if plumbing.IsHash(string(value)) && len(s.parents) < maxParents {
				s.parents = append(s.parents, plumbing.NewHash(string(value)))
			}
		case "committer":
			_, _, s.time = signature(value)
		}
	})
	return s
}

// parseCommit reads a whole commit.
func parseCommit(hash plumbing.Hash, data []byte) routing.Commit {
	c := routing.Commit{Hash: hash.String()}
	message := eachHeader(data, func(key string, value []byte) {
		switch key {
		case "parent":
			if plumbing.IsHash(string(value)) && len(c.Parents) < maxParents {
				c.Parents = append(c.Parents, string(value))
			}
		case "author":
			name, email, at := signature(value)
			c.AuthorName, c.AuthorEmail, c.AuthoredAt = name, email, time.Unix(at, 0).UTC()
		case "committer":
			_, _, at := signature(value)
			c.CommittedAt = time.Unix(at, 0).UTC()
		}
	})
	text := strings.ToValidUTF8(string(message[:min(len(message), maxMessage)]), "?")
	c.Message = strings.ReplaceAll(text, "\r\n", "\n")
	return c
}

// eachHeader calls visit for each header line and returns the message.
func eachHeader(data []byte, visit func(key string, value []byte)) []byte {
	for len(data) > 0 {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		if len(line) == 0 {
			return data
		}
		key, value, ok := bytes.Cut(line, []byte(" "))
		if ok && len(key) > 0 { // a line that begins with a space continues a signature
			visit(string(key), value)
		}
	}
	return nil
}

// signature splits "Name <email> 1700000000 +0100".
func signature(b []byte) (name, email string, at int64) {
	end := bytes.LastIndexByte(b, '>')
	if end < 0 {
		return strings.ToValidUTF8(string(b), "?"), "", 0
	}
	start := bytes.IndexByte(b[:end], '<')
	if start < 0 {
		return strings.ToValidUTF8(string(b[:end]), "?"), "", 0
	}
	name = strings.TrimSpace(strings.ToValidUTF8(string(b[:start]), "?"))
	email = strings.ToValidUTF8(string(b[start+1:end]), "?")
	stamp, _, _ := bytes.Cut(bytes.TrimSpace(b[end+1:]), []byte(" "))
	at, err := strconv.ParseInt(string(stamp), 10, 64)
	if err != nil || at < 0 || at > maxTime {
		at = 0
	}
	return name, email, at
}
