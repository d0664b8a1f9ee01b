package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/adapters/git"
	"github.com/pointsman/pointsman/bot"
	"github.com/pointsman/pointsman/bot/config"
	"github.com/pointsman/pointsman/routing"
)

// mirrored are the flags that say where full histories are fetched to.
type mirrored struct {
	dir  string
	size string
	time time.Duration

	bytes int64 // of size
}

func (m *mirrored) addFlags(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&m.dir, "mirrors", "", "folder for mirrors with full histories of registry entries that have a cloneURL and are not on this machine")
	fl.StringVar(&m.size, "max-mirror-size", "1GiB", "most that one mirror takes, as 500MiB or 2GiB")
	fl.DurationVar(&m.time, "max-mirror-time", git.DefaultMirrorTime, "longest that one mirror is fetched")
}

func (m *mirrored) check(w workspace) (err error) {
	switch {
	case m.dir != "" && w.registry == "" && w.repos != "":
		return usagef("--mirrors wants --registry FILE: it is the registry that says with cloneURL what to fetch")
	case m.dir != "" && sameFolder(m.dir, w.repos):
		return usagef("--mirrors %s is also --repos: what lies there would be taken for a clone of yours and never refreshed", m.dir)
	case m.time <= 0:
		return usagef("--max-mirror-time: want a duration such as 30m, got %s", m.time)
	}
	m.bytes, err = bytesOf(m.size)
	if err != nil {
		return usagef("--max-mirror-size: %w", err)
	}
	return nil
}

func sameFolder(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

// bytesOf reads a size such as 1GiB, 500M or 1048576.
func bytesOf(s string) (int64, error) {
	digits := strings.TrimRight(s, "KMGTiBkbmgt ")
	n, err := strconv.ParseInt(digits, 10, 64)
	factor := int64(0)
	switch strings.ToUpper(strings.TrimSpace(s[len(digits):])) {
	case "", "B":
		factor = 1
	case "K", "KB", "KIB":
		factor = 1 << 10
	case "M", "MB", "MIB":
		factor = 1 << 20
	case "G", "GB", "GIB":
		factor = 1 << 30
	}
	if err != nil || n < 1 || factor == 0 || n > math.MaxInt64/factor {
		return 0, fmt.Errorf("want a size such as 500MiB or 2GiB, got %q", s)
	}
	return n * factor, nil
}

// keep fetches what is not on this machine, one repository after the other: the
// memory that one takes is enough. Where one fails, it is said, and the others go
// on.
func (m *mirrored) keep(ctx context.Context, errOut io.Writer, repos []routing.Repo, token func(host string) bot.Secret) (err error) {
	mirrors, err := git.OpenMirrors(m.dir, git.MirrorOptions{MaxBytes: m.bytes, MaxTime: m.time, Token: token})
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	defer func() { err = errors.Join(err, mirrors.Close()) }()
	bar := newBar(errOut, "mirroring")
	defer bar.end()
	for i := range repos {
		r := &repos[i]
		bar.at(i, len(repos), r.Name)
		if r.Dir != "" || r.CloneURL == "" {
			continue
		}
		dir, err := mirrors.Keep(ctx, r.Name, r.CloneURL)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.Dir = dir
		p := &printer{out: errOut}
		switch {
		case err != nil && dir == "":
			p.line("pointsman: %s cannot be mirrored: %v", r.Name, err)
		case err != nil:
			p.line("pointsman: %s is mined as it was fetched last: %v", r.Name, err)
		}
	}
	return nil
}

// tokens gives the github.token of a configuration to the host it is for, and to
// no other.
func tokens(cfg *config.Config) func(host string) bot.Secret {
	if cfg == nil || cfg.GitHub == nil || cfg.GitHub.Token == "" {
		return nil
	}
	api, err := url.Parse(cfg.GitHub.APIURL)
	if err != nil {
		return nil // the configuration was checked for that
	}
	own := api.Host
	if own == "api.github.com" {
		own = "github.com"
	}
	return func(host string) bot.Secret {
		if strings.EqualFold(host, own) {
			return cfg.GitHub.Token
		}
		return ""
	}
}
