package rank_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/rank"
)

// points ranks one entry and returns its score and points.
func points(t *testing.T, o rank.RegistryOptions, ticket routing.Ticket, repo routing.Repo) (float64, []routing.Point) {
	t.Helper()
	repo.Name = "kiosk-front"
	r, err := rank.NewRegistry(o).Rank(t.Context(), ticket, []routing.Repo{repo})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Hits) == 0 {
		return 0, nil
	}
	return r.Hits[0].Score, r.Hits[0].Points
}

// Every row of the table, computed by hand from the routing document.
func TestPointsTable(t *testing.T) {
	t.Parallel()
	p := func(rule, term string, n float64) routing.Point {
		return routing.Point{Rule: rule, Term: term, Points: n}
	}
	text := func(s string) routing.Ticket { return routing.Ticket{Title: s} }
	for name, tc := range map[string]struct {
		ticket routing.Ticket
		repo   routing.Repo
		score  float64
		points []routing.Point
	}{
		"owns, word for word": {
			text("The Billing page is blank"),
			routing.Repo{Owns: []string{"billing"}},
			3,
			[]routing.Point{p(rank.RuleOwns, "billing", 3)},
		},
		"owns, once however often": {
			text("billing, Billing; BILLING"),
			routing.Repo{Owns: []string{"billing", "Billing"}},
			3,
			[]routing.Point{p(rank.RuleOwns, "billing", 3)},
		},
		"owns, a phrase in a row": {
			text("Wrong command line options are accepted"),
			routing.Repo{Owns: []string{"command line options"}},
			3,
			[]routing.Point{p(rank.RuleOwns, "command line options", 3)},
		},
		"owns, a phrase out of order is a part": {
			text("options of the line command"),
			routing.Repo{Owns: []string{"command line options"}},
			1,
			[]routing.Point{p(rank.RulePartial, "command line options", 1)},
		},
		"owns, a word inside a keyword": {
			text("the bill"),
			routing.Repo{Owns: []string{"billing"}},
			1,
			[]routing.Point{p(rank.RulePartial, "billing", 1)},
		},
		"owns, a keyword inside a word": {
			text("unzipped"),
			routing.Repo{Owns: []string{"zip"}},
			1,
			[]routing.Point{p(rank.RulePartial, "zip", 1)},
		},
		"owns, too short to be a part": {text("bil"), routing.Repo{Owns: []string{"billing"}}, 0, nil},
		"owns, divided by one less than there are": {
			text("billing"),
			routing.Repo{Owns: []string{"billing", "b", "c", "d", "e", "f"}},
			3.0 / 5,
			[]routing.Point{p(rank.RuleOwns, "billing", 3)},
		},
		"owns, three keywords are divided by two": {
			text("billing of refunds"),
			routing.Repo{Owns: []string{"billing", "refunds", "x"}},
			3,
			[]routing.Point{p(rank.RuleOwns, "billing", 3), p(rank.RuleOwns, "refunds", 3)},
		},
		"only owns is divided": {
			text("billing at /v1/refunds"),
			routing.Repo{Owns: []string{"billing", "b", "c", "d"}, Endpoints: []string{"POST /v1/refunds"}},
			1 + 4,
			[]routing.Point{p(rank.RuleOwns, "billing", 3), p(rank.RuleEndpoint, "/v1/refunds", 4)},
		},
		"an acronym": {
			text("k8s"),
			routing.Repo{Owns: []string{"kubernetes"}},
			3,
			[]routing.Point{p(rank.RuleOwns, "kubernetes", 3)},
		},
		"a synonym": {
			text("cannot login"),
			routing.Repo{Owns: []string{"session"}},
			3,
			[]routing.Point{p(rank.RuleOwns, "session", 3)},
		},
		"a synonym of two words": {
			text("Forgot password does nothing"),
			routing.Repo{Owns: []string{"reset"}},
			3,
			[]routing.Point{p(rank.RuleOwns, "reset", 3)},
		},
		"the two words apart":            {text("password that I forgot"), routing.Repo{Owns: []string{"reset"}}, 0, nil},
		"expansions are one pass":        {text("logout"), routing.Repo{Owns: []string{"jwt"}}, 0, nil},
		"expansions do not meet a claim": {text("jwt"), routing.Repo{AuthContracts: routing.AuthContracts{Requires: []string{"token"}}}, 0, nil},
		"a stop word is not an acronym":  {text("it should be"), routing.Repo{Owns: []string{"backend"}}, 0, nil},
		"an endpoint": {
			text("POST https://shop.example.com/v1/refunds?id=7 fails"),
			routing.Repo{Endpoints: []string{"POST /v1/refunds"}},
			4,
			[]routing.Point{p(rank.RuleEndpoint, "/v1/refunds", 4)},
		},
		"an endpoint with parameters": {
			text("(/v1/Refunds/42/lines)"),
			routing.Repo{Endpoints: []string{"/v1/refunds/{id}/lines", "/v1/refunds/:id"}},
			4,
			[]routing.Point{p(rank.RuleEndpoint, "/v1/Refunds/42/lines", 4)},
		},
		"the beginning of an endpoint": {
			text("see /v1/refunds."),
			routing.Repo{Endpoints: []string{"GET /v1/refunds/{id}"}},
			4,
			[]routing.Point{p(rank.RuleEndpoint, "/v1/refunds", 4)},
		},
		"a path below an endpoint":         {text("/v1/refunds/42"), routing.Repo{Endpoints: []string{"/v1/refunds"}}, 4, []routing.Point{p(rank.RuleEndpoint, "/v1/refunds/42", 4)}},
		"an endpoint for all below":        {text("/admin/users/7"), routing.Repo{Endpoints: []string{"/admin/*"}}, 4, []routing.Point{p(rank.RuleEndpoint, "/admin/users/7", 4)}},
		"a path behind a host":             {text("pay.example.com/v1/refunds"), routing.Repo{Endpoints: []string{"/v1/refunds"}}, 4, []routing.Point{p(rank.RuleEndpoint, "/v1/refunds", 4)}},
		"a path in marks":                  {text("see [/v1/refunds] and path=/v1/lines"), routing.Repo{Endpoints: []string{"/v1/refunds", "/v1/lines"}}, 8, []routing.Point{p(rank.RuleEndpoint, "/v1/refunds", 4), p(rank.RuleEndpoint, "/v1/lines", 4)}},
		"no path: one of two":              {text("refunds/lines"), routing.Repo{Endpoints: []string{"/refunds/lines"}}, 0, nil},
		"a beginning that says nothing":    {text("all of /api/v1 is slow"), routing.Repo{Endpoints: []string{"/api/v1/refunds"}}, 0, nil},
		"a segment is whole":               {text("/v1/ref"), routing.Repo{Endpoints: []string{"/v1/refunds"}}, 0, nil},
		"another version":                  {text("/v2/refunds"), routing.Repo{Endpoints: []string{"/v1/refunds"}}, 0, nil},
		"an endpoint of parameters only":   {text("/x"), routing.Repo{Endpoints: []string{"/{any}"}}, 0, nil},
		"an endpoint that is a name":       {text("calling RefundService.Create"), routing.Repo{Endpoints: []string{"RefundService.Create"}}, 4, []routing.Point{p(rank.RuleEndpoint, "RefundService.Create", 4)}},
		"a field of GraphQL":               {text("tillById returns null"), routing.Repo{Endpoints: []string{"QUERY tillById"}}, 4, []routing.Point{p(rank.RuleEndpoint, "tillById", 4)}},
		"a field that is a word":           {text("all tills are closed"), routing.Repo{Endpoints: []string{"QUERY tills"}}, 0, nil},
		"a word that is meant as a field":  {text("the `tills` query is slow"), routing.Repo{Endpoints: []string{"QUERY tills"}}, 4, []routing.Point{p(rank.RuleEndpoint, "tills", 4)}},
		"a remote call by its path":        {text("/shop.till.v1.Tills/Open fails"), routing.Repo{Endpoints: []string{"/shop.till.v1.Tills/Open"}}, 4, []routing.Point{p(rank.RuleEndpoint, "shop.till.v1.Tills/Open", 4)}},
		"a remote call by its name":        {text("Tills.Open() fails"), routing.Repo{Endpoints: []string{"RPC /shop.till.v1.Tills/Open"}}, 4, []routing.Point{p(rank.RuleEndpoint, "Tills.Open", 4)}},
		"a call of another service":        {text("/shop.till.v1.OldTills/Open and Tills.OpenAll fail"), routing.Repo{Endpoints: []string{"/shop.till.v1.Tills/Open"}}, 0, nil},
		"an event":                         {text("refund.created never comes"), routing.Repo{Emits: []string{"refund.created"}, Consumes: []string{"refund.created"}}, 3, []routing.Point{p(rank.RuleEvent, "refund.created", 3)}},
		"the name":                         {text("Kiosk-Front is down"), routing.Repo{Hosts: []string{"h"}}, 5, []routing.Point{p(rank.RuleName, "kiosk-front", 5)}},
		"the name with a version":          {text("in kiosk-front-2.1"), routing.Repo{Hosts: []string{"h"}}, 5, []routing.Point{p(rank.RuleName, "kiosk-front", 5)}},
		"part of a longer name":            {text("my-kiosk-fronts and kiosk-front_end"), routing.Repo{Hosts: []string{"h"}}, 0, nil},
		"an alias":                         {text("the till is down"), routing.Repo{Hosts: []string{"h"}, Aliases: []string{"till"}}, 5, []routing.Point{p(rank.RuleName, "till", 5)}},
		"the name in other spelling":       {text("at com.example.kiosk.front.Main"), routing.Repo{Hosts: []string{"h"}}, 3, []routing.Point{p(rank.RuleNameWords, "kiosk-front", 3)}},
		"languages and frameworks":         {text("java and spring boot"), routing.Repo{Hosts: []string{"h"}, Languages: []string{"Java"}, Frameworks: []string{"Spring Boot"}}, 2, []routing.Point{p(rank.RuleLanguage, "Java", 1), p(rank.RuleFramework, "Spring Boot", 1)}},
		"short languages":                  {text("we go on in C++"), routing.Repo{Hosts: []string{"h"}, Languages: []string{"Go", "C", "C++"}}, 1, []routing.Point{p(rank.RuleLanguage, "C++", 1)}},
		"the team":                         {text("for the payments people"), routing.Repo{Owner: routing.Owner{Team: "Payments Team"}}, 2, []routing.Point{p(rank.RuleTeam, "Payments Team", 2)}},
		"the team of an organisation":      {text("ask payments"), routing.Repo{Owner: routing.Owner{Team: "@acme/payments-team"}}, 2, []routing.Point{p(rank.RuleTeam, "@acme/payments-team", 2)}},
		"a team with a stop word":          {text("the payments people"), routing.Repo{Owner: routing.Owner{Team: "Will Payments"}}, 2, []routing.Point{p(rank.RuleTeam, "Will Payments", 2)}},
		"an error code of its own":         {text("fails with CARD_DECLINED"), routing.Repo{ErrorContracts: routing.ErrorContracts{Codes: []string{"CARD_DECLINED card refused"}}}, 4, []routing.Point{p(rank.RuleCode, "CARD_DECLINED", 4)}},
		"prose among the codes":            {text("card refused"), routing.Repo{ErrorContracts: routing.ErrorContracts{Codes: []string{"card refused"}}}, 0, nil},
		"a status code":                    {text("I get 402"), routing.Repo{ErrorContracts: routing.ErrorContracts{Codes: []string{"402 card refused", "409 conflict"}}}, 4, []routing.Point{p(rank.RuleCode, "402", 4)}},
		"a number that is not the code":    {text("4020 and 1402"), routing.Repo{ErrorContracts: routing.ErrorContracts{Codes: []string{"402 card refused"}}}, 0, nil},
		"a claim":                          {text("no account_id in it"), routing.Repo{AuthContracts: routing.AuthContracts{Requires: []string{"account_id"}, Issues: []string{"account_id"}}}, 3, []routing.Point{p(rank.RuleClaim, "account_id", 3)}},
		"a setting":                        {text("with PSP_KEY unset"), routing.Repo{ConfigContracts: routing.ConfigContracts{EnvVars: []string{"PSP_KEY"}}}, 2, []routing.Point{p(rank.RuleEnvVar, "PSP_KEY", 2)}},
		"a setting that is a word":         {text("the port is closed"), routing.Repo{ConfigContracts: routing.ConfigContracts{EnvVars: []string{"PORT"}}}, 0, nil},
		"a host in the text":               {text("see https://pay.example.com:8443/x"), routing.Repo{Hosts: []string{"pay.example.com"}}, 4, []routing.Point{p(rank.RuleHost, "pay.example.com", 4)}},
		"a host in the environment":        {routing.Ticket{Title: "down", Environment: "pay.example.com"}, routing.Repo{Hosts: []string{"pay.example.com"}}, 4, []routing.Point{p(rank.RuleHost, "pay.example.com", 4)}},
		"another host":                     {text("old.pay.example.com, pay.example.com.au, pay.example.community"), routing.Repo{Hosts: []string{"pay.example.com"}}, 0, nil},
		"any host of a domain":             {text("eu.pay.example.com"), routing.Repo{Hosts: []string{"*.pay.example.com"}}, 4, []routing.Point{p(rank.RuleHost, "*.pay.example.com", 4)}},
		"a package":                        {text("at com.example.pay.Refund.run"), routing.Repo{Packages: []string{"com.example.pay"}}, 4, []routing.Point{p(rank.RulePackage, "com.example.pay", 4)}},
		"a package of one word":            {text("since paylib 2"), routing.Repo{Packages: []string{"paylib"}}, 2, []routing.Point{p(rank.RulePackageWord, "paylib", 2)}},
		"a component":                      {routing.Ticket{Title: "x", Components: []string{"Tills"}}, routing.Repo{Components: []string{"tills"}}, 4, []routing.Point{p(rank.RuleComponent, "tills", 4)}},
		"a component in the text only":     {text("tills"), routing.Repo{Components: []string{"tills"}}, 0, nil},
		"a label":                          {routing.Ticket{Title: "x", Labels: []string{"area/till"}}, routing.Repo{Labels: []string{"area/till"}}, 4, []routing.Point{p(rank.RuleLabel, "area/till", 4)}},
		"where it was filed is not scored": {routing.Ticket{Title: "x", FiledIn: "PAY"}, routing.Repo{Hosts: []string{"h"}, FiledIn: []string{"PAY"}}, 0, nil},
		"body as well as title":            {routing.Ticket{Title: "x", Body: "a\nbilling\n"}, routing.Repo{Owns: []string{"billing"}}, 3, []routing.Point{p(rank.RuleOwns, "billing", 3)}},
		"Japanese, inside a word":          {text("支払いに失敗する"), routing.Repo{Owns: []string{"支払い"}}, 1, []routing.Point{p(rank.RulePartial, "支払い", 1)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			score, got := points(t, rank.RegistryOptions{}, tc.ticket, tc.repo)
			if diff := cmp.Diff(tc.points, got); diff != "" || score != tc.score {
				t.Errorf("score = %v, want %v; points (-want +got):\n%s", score, tc.score, diff)
			}
		})
	}
}

func TestMinPartial(t *testing.T) {
	t.Parallel()
	repo := routing.Repo{Owns: []string{"billing"}}
	for _, tc := range []struct {
		min  int
		text string
		want float64
	}{{1, "b", 1}, {1, "x", 0}, {2, "b", 0}, {2, "bi", 1}, {0, "bil", 0}, {4, "bill", 1}, {5, "bill", 0}} {
		if got, _ := points(t, rank.RegistryOptions{MinPartial: tc.min}, routing.Ticket{Title: tc.text}, repo); got != tc.want {
			t.Errorf("least length %d, %q: score = %v, want %v", tc.min, tc.text, got, tc.want)
		}
	}
}

func TestRegistryRanking(t *testing.T) {
	t.Parallel()
	repos := []routing.Repo{
		{Name: "front", Owns: []string{"checkout pages", "cart"}, Languages: []string{"TypeScript"}},
		{Name: "silent", Description: "No routing field.", Languages: []string{"Go"}},
		{Name: "money", Owns: []string{"payments", "billing", "refunds"}, Endpoints: []string{"POST /v1/refunds"}},
		{Name: "mute", Owner: routing.Owner{Team: "Night"}},
	}
	got, err := rank.NewRegistry(rank.RegistryOptions{}).Rank(t.Context(),
		routing.Ticket{Title: "Checkout hangs", Body: "after POST /v1/refunds"}, repos)
	if err != nil {
		t.Fatal(err)
	}
	want := routing.Ranking{
		Ranker: "registry", Version: "2", Comparable: true,
		CanRank: []string{"front", "money", "mute"},
		Missing: []routing.Missing{{Repo: "silent", Why: "no routing field in its entry; add owns"}},
		Hits: []routing.Hit{
			{ // payments from "checkout": 3, refunds word for word: 3, divided by 2; endpoint: 4
				Repo: "money", Score: 7, OwnsRaw: 6, Divisor: 2,
				Points: []routing.Point{{Rule: "owns", Term: "payments", Points: 3}, {Rule: "owns", Term: "refunds", Points: 3}, {Rule: "endpoint", Term: "/v1/refunds", Points: 4}},
				Reasons: []string{
					"the ticket names “/v1/refunds”, one of its endpoints", "owns “refunds”", "owns “payments” (from “checkout”)",
				},
			},
			{ // "checkout" inside "checkout pages": 1, cart from "checkout": 3, divided by 1
				Repo: "front", Score: 4, OwnsRaw: 4, Divisor: 1,
				Points: []routing.Point{{Rule: "owns-partial", Term: "checkout pages", Points: 1}, {Rule: "owns", Term: "cart", Points: 3}},
				Reasons: []string{
					"owns “cart” (from “checkout”)", "near what it owns: “checkout pages” (“checkout”)",
				},
			},
		},
		Keywords: []string{"checkout", "hangs", "after", "post", "v1", "refunds", "payments", "cart", "orders"},
		Warnings: []string{"owns is empty in the entry of mute: tickets that describe what it does will miss it; add the words they use with pointsman edit"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ranking (-want +got):\n%s", diff)
	}
}

// Ties go to the rarest keyword, then to the shortest, then to the name.
func TestRegistryTies(t *testing.T) {
	t.Parallel()
	entry := func(name string, owns ...string) routing.Repo { return routing.Repo{Name: name, Owns: owns} }
	repos := []routing.Repo{
		entry("a", "shared"), entry("b", "shared"), entry("f", "longish"), entry("e", "brief"), entry("d", "brand"),
	}
	r, err := rank.NewRegistry(rank.RegistryOptions{}).Rank(t.Context(), routing.Ticket{Title: "shared longish brief brand"}, repos)
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, h := range r.Hits {
		order = append(order, h.Repo)
	}
	if got := strings.Join(order, " "); got != "d e f a b" {
		t.Errorf("order = %s, want d e f a b", got)
	}
}

func TestRegistryWarnsOfALonePart(t *testing.T) {
	t.Parallel()
	repos := []routing.Repo{{Name: "money", Owns: []string{"billing"}}, {Name: "front", Owns: []string{"pages"}}}
	for text, want := range map[string]int{"the bill": 1, "billing": 0, "the bill has pages": 0, "nothing": 0} {
		r, err := rank.NewRegistry(rank.RegistryOptions{}).Rank(t.Context(), routing.Ticket{Title: text}, repos)
		if err != nil || len(r.Warnings) != want {
			t.Errorf("%q: warnings = %v, %v; want %d", text, r.Warnings, err, want)
		}
	}
}

func TestRegistryAbstains(t *testing.T) {
	t.Parallel()
	g := rank.NewRegistry(rank.RegistryOptions{})
	r, err := g.Rank(t.Context(), routing.Ticket{Title: "till"}, []routing.Repo{{Name: "money"}})
	if err != nil || r.Abstained == "" || len(r.CanRank) != 0 || len(r.Hits) != 0 || len(r.Missing) != 1 {
		t.Errorf("ranking = %+v, %v", r, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.Rank(ctx, routing.Ticket{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want context.Canceled", err)
	}
}

func TestRatio(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		scores []float64
		want   int
	}{
		{nil, 0},
		{[]float64{0, 0}, 0},
		{[]float64{0.2}, 100},
		{[]float64{0.2, 0}, 100},
		{[]float64{3, 3}, 43},    // 3/7
		{[]float64{1, 9, 4}, 64}, // 9/14
		{[]float64{8, 1}, 80},    // 8/10
	} {
		if got := rank.Ratio(tc.scores); got != tc.want {
			t.Errorf("Ratio(%v) = %d, want %d", tc.scores, got, tc.want)
		}
	}
}

// Names stand in Chinese, Japanese and Korean text without spaces around them.
func TestNamesAmongWideCharacters(t *testing.T) {
	t.Parallel()
	repo := routing.Repo{Owns: []string{"payments", "支付"}}
	for text, want := range map[string][]string{
		"支付页面payments失败":     {"owns payments", "owns-partial 支付"},
		"支払いkiosk-frontが落ちる": {"name kiosk-front"},
		"kiosk-front를 고치다":   {"name kiosk-front"},
		"paymentsX":          {"owns-partial payments"},
	} {
		_, got := points(t, rank.RegistryOptions{MinPartial: 2}, routing.Ticket{Title: text}, repo)
		var rules []string
		for _, p := range got {
			rules = append(rules, p.Rule+" "+p.Term)
		}
		if d := cmp.Diff(want, rules); d != "" {
			t.Errorf("%s (-want +got):\n%s", text, d)
		}
	}
}
