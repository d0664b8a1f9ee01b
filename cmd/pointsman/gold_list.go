package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/pointsman/pointsman/routing/gold"
)

// goldSummary is what `pointsman gold list` says of a gold file.
type goldSummary struct {
	Cases      int            `json:"cases"`
	Sets       int            `json:"sets"`
	Proxies    int            `json:"proxies"`
	First      string         `json:"first"` // created, RFC 3339; "" when no case says
	Last       string         `json:"last"`
	Repos      map[string]int `json:"repos"`      // cases that name the repository
	Sizes      map[int]int    `json:"sizes"`      // cases by the number of their repositories
	Present    map[string]int `json:"present"`    // by state; "" for those without a label
	Provenance map[string]int `json:"provenance"` // by source; "" for those that do not say
	Rows       []goldRow      `json:"rows"`
}

type goldRow struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Created string   `json:"created"`
	Repos   []string `json:"repos"`
	Text    string   `json:"text"` // tracker, proxy or ""
	State   string   `json:"state"`
}

func newGoldListCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list FILE",
		Short: "Say what a gold file holds: cases by repository, sets, proxies, labels",
		Example: `  pointsman gold list gold.jsonl
  pointsman gold list gold.jsonl --json`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			cases, err := readGold(args[0])
			if err != nil {
				return err
			}
			s := summarise(cases)
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), s, "  ")
			}
			return writeGoldSummary(&printer{out: cmd.OutOrStdout()}, s)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the summary and every case as JSON")
	return cmd
}

func summarise(cases []gold.Case) goldSummary {
	s := goldSummary{
		Cases: len(cases), Repos: map[string]int{}, Sizes: map[int]int{},
		Present: map[string]int{}, Provenance: map[string]int{}, Rows: []goldRow{},
	}
	for _, c := range cases {
		r := goldRow{ID: c.ID, Title: c.Title, Created: c.Created, Repos: c.Repos}
		source := ""
		if c.Provenance != nil {
			r.Text, source = c.Provenance.Text, c.Provenance.Source
		}
		if c.Present != nil {
			r.State = c.Present.State
		}
		s.Provenance[source]++
		s.Present[r.State]++
		s.Sizes[len(c.Repos)]++
		if len(c.Repos) > 1 {
			s.Sets++
		}
		if r.Text == gold.TextProxy {
			s.Proxies++
		}
		for _, repo := range c.Repos {
			s.Repos[repo]++
		}
		if at := c.Ticket().CreatedAt; !at.IsZero() {
			day := at.UTC().Format("2006-01-02T15:04:05Z07:00")
			if s.First == "" || day < s.First {
				s.First = day
			}
			s.Last = max(s.Last, day)
		}
		s.Rows = append(s.Rows, r)
	}
	return s
}

func writeGoldSummary(p *printer, s goldSummary) error {
	p.line("%d cases, %d of several repositories, %d with a commit message for text", s.Cases, s.Sets, s.Proxies)
	if s.First != "" {
		p.line("Created from %s to %s", s.First, s.Last)
	}
	var sizes []int
	for n := range s.Sizes {
		sizes = append(sizes, n)
	}
	slices.Sort(sizes)
	for _, n := range sizes {
		p.line("%d with %d %s", s.Sizes[n], n, plural(n, "repository", "repositories"))
	}
	p.line("Today: open %d, shipped %d, moved %d, not labelled %d",
		s.Present[gold.StateOpen], s.Present[gold.StateShipped], s.Present[gold.StateMoved], s.Present[""])
	p.line("")
	p.line("%-40s %6s %8s", "repository", "cases", "share")
	for _, r := range ordered(s.Repos) {
		p.line("%-40s %6d %7.1f%%", r.name, r.n, 100*float64(r.n)/float64(s.Cases))
	}
	return p.err
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
