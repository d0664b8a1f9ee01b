package lint

import (
	"fmt"
	"time"
)

// state looks at whether entries are still true and can be reached.
func (c *checker) state() {
	for i := range c.reg.Repos {
		r := c.repo(i)
		if c.o.Located && r.Dir == "" && r.CloneURL == "" {
			c.add(i, "unreachable", Warning, `write its "cloneURL", or the "path" of a clone`,
				"it is not on this machine and has no cloneURL, so that its code cannot be read", "path")
		}
		if r.LastIndexed == "" {
			continue
		}
		at, err := time.Parse(time.RFC3339, r.LastIndexed)
		switch {
		case err != nil:
			c.add(i, "last-indexed", Note, `write it as "2026-01-31T10:00:00Z", or run pointsman sync`, "its date cannot be read", "lastIndexed")
		case !c.o.Now.IsZero() && !r.Archived && c.o.Now.Sub(at) > c.o.StaleAfter:
			c.add(i, "stale", Note, "run pointsman sync", fmt.Sprintf("it was last compared with its code %d days ago", int(c.o.Now.Sub(at).Hours()/24)), "lastIndexed")
		}
	}
}
