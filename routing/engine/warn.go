package engine

import (
	"fmt"
	"strings"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/fuse"
	"github.com/pointsman/pointsman/routing/rank"
)

// maxNamed bounds how many names a warning lists.
const maxNamed = 5

// warnings are those about the ticket and the state that no ranker gives.
func warnings(t routing.Ticket, s Snapshot) []string {
	var out []string
	if s.Tables != nil {
		out = append(out, s.Tables.Warnings...)
	}
	named := rank.Named(t.Title+"\n"+t.Body, s.Unregistered)
	for _, name := range named[:min(len(named), maxNamed)] {
		out = append(out, fmt.Sprintf("the ticket names %s, which is in the workspace but has no entry in the registry: it cannot be routed to; run pointsman sync", name))
	}
	return out
}

// bare warns of the entries that the registry's points miss whatever a ticket says,
// and tells when these keep its points from moving anybody: a ranker that cannot see
// some repositories would put them behind the others for no reason.
func bare(s Snapshot, rankings []routing.Ranking, fused fuse.Fused, w fuse.Weights) []string {
	for i, r := range rankings {
		if r.Ranker != "registry" || len(r.Missing) == 0 || s.RegistryHash == "" {
			continue // repositories that were found have no entry that could say more
		}
		n, verb, them, their := len(r.Missing), "have", "them", "their"
		if n == 1 {
			verb, them, their = "has", "it", "its"
		}
		var names []string
		for _, m := range r.Missing[:min(n, maxNamed)] {
			names = append(names, m.Repo)
		}
		if n > maxNamed {
			names = append(names, "and more")
		}
		text := fmt.Sprintf("owns is empty and no other routing field set in %d of %d entries (%s): the registry misses %s",
			n, len(s.Repos), strings.Join(names, ", "), them)
		if row := fused.Coverage[i]; row.Can > 0 && !row.Fused && w.Rankers[r.Ranker] > 0 {
			text = fmt.Sprintf("the registry annotates only, its points move nobody, because %d of %d entries %s neither owns nor another routing field (%s)",
				n, len(s.Repos), verb, strings.Join(names, ", "))
		}
		return []string{text + fmt.Sprintf("; add the words %s tickets use with pointsman edit", their)}
	}
	return nil
}
