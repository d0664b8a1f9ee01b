package demo

import (
	"fmt"
	"html"
	"io"
	"strings"
)

const (
	width        = 96
	ticketIndent = "  "
	saidIndent   = "  | "
)

// printTicket shows a ticket and its comment as a person would read them, and how
// the comment did.
func printTicket(out io.Writer, tk filed, comment string, o outcome) error {
	fmt.Fprintf(out, "\n%s\n", strings.Repeat("=", width))
	fmt.Fprintf(out, "%s %s, filed by %s\n\n", systemName(tk.System), tk.key, tk.Reporter)
	if err := printPage(out, "<h1>"+html.EscapeString(tk.Title)+"</h1>"+string(tk.text), ticketIndent); err != nil {
		return err
	}
	fmt.Fprintln(out)
	if err := printPage(out, comment, saidIndent); err != nil {
		return err
	}
	fmt.Fprintln(out)
	for _, line := range wrap(strings.Fields("How it did: "+o.sentence()), width) {
		fmt.Fprintln(out, line)
	}
	return nil
}

// printPage prints a page's HTML, every line behind indent.
func printPage(out io.Writer, page, indent string) error {
	text, err := readable(page, width-len(indent))
	if err != nil {
		return err
	}
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintln(out, strings.TrimRight(indent+line, " "))
	}
	return nil
}

func printSummary(out io.Writer, outcomes []outcome) {
	fmt.Fprintf(out, "\n%s\n", strings.Repeat("=", width))
	for _, line := range table(outcomes) {
		fmt.Fprintln(out, line)
	}
}

// printAddresses says where the rest can be explored while the demo runs.
func printAddresses(o Options, tickets []filed, h *hosts, b *running, dir string) {
	rows := [][]string{
		{"console", b.url + "/"},
		{"decision as data", b.decisionURL(tickets[0].key)},
		{"metrics", b.url + "/metrics"},
		{"the GitHub", h.github.URL() + "/"},
		{"the Jira", h.jira.URL() + "/"},
	}
	for _, tk := range tickets {
		rows = append(rows, []string{"  " + tk.key, tk.page})
	}
	rows = append(rows, []string{"repositories, registry, configuration", dir})
	if o.Exit {
		fmt.Fprintln(o.Out, "\nWithout --exit these stay open to explore:")
	} else {
		fmt.Fprintln(o.Out, "\nExplore the rest; Ctrl-C ends the demo and removes its folder.")
	}
	for _, line := range columns(rows) {
		fmt.Fprintln(o.Out, "  "+line)
	}
}

func systemName(system string) string {
	switch system {
	case "github":
		return "GitHub"
	case "jira":
		return "Jira"
	}
	return system
}
