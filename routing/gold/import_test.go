package gold

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestImport(t *testing.T) {
	t.Parallel()
	want := []Case{
		{
			ID: "PAY-1", Title: "Refunds, twice", Body: "line one\nline two", Created: "2024-05-01T00:00:00Z",
			Repos: []string{"refunds", "ledger"}, Present: &Present{State: StateShipped, Repos: []string{}},
		},
		{ID: "PAY-2", Title: "Slow", Repos: []string{"cart"}, Created: "2024-05-02T10:00:00+02:00", Present: &Present{State: StateMoved, Repos: []string{"shop", "till"}}},
		{ID: "PAY-3", Title: "Broken", Repos: []string{"cart"}, Present: &Present{State: StateOpen, Repos: []string{"cart"}}},
	}
	for name, in := range map[string]string{
		"csv": "\ufeffKey,Summary,Description,Repositories,Created,State,Now,Other\r\n" +
			"PAY-1,\"Refunds, twice\",\"line one\nline two\",refunds; ledger|refunds,2024-05-01,shipped,,x\r\n" +
			"PAY-2,Slow,,cart,2024-05-02T10:00:00.000+0200,Moved,shop|till,\r\n" +
			"PAY-3,Broken,,cart,,open,,\r\n",
		"semicolons": "id;title;body;repos;created;state;now\n" +
			"PAY-1;Refunds, twice;\"line one\nline two\";refunds|ledger;2024-05-01;shipped;\n" +
			"PAY-2;Slow;;cart;2024-05-02T10:00:00+02:00;moved;shop|till\nPAY-3;Broken;;cart;;open;\n",
		"json": `{"id":"PAY-1","title":"Refunds, twice","body":"line one\nline two","repos":["refunds","ledger"],"created":"2024-05-01","state":"shipped","extra":{"a":[1]}}` + "\n\n" +
			`{"id":"PAY-2","title":"Slow","repos":"cart","created":"2024-05-02T10:00:00+02:00","present":{"state":"moved","repos":["shop","till"]}}` + "\n" +
			`{"id":"PAY-3","title":"Broken","body":null,"repos":["cart"],"state":"open"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i := range want {
				want := want[i]
				want.Provenance = &Provenance{Source: SourceImport, Text: TextTracker, File: "in"}
				got, err := Import("in", strings.NewReader(in), nil)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(want, got[i]); d != "" {
					t.Error(d)
				}
			}
		})
	}
}

func TestImportNamesColumns(t *testing.T) {
	t.Parallel()
	in := "Number,Name,Team,State\n7,Broken,cart,Done\n"
	got, err := Import("in", strings.NewReader(in), map[string]string{"id": "Number", "title": "Name", "repos": "team", "state": Ignore})
	if err != nil || len(got) != 1 || got[0].ID != "7" || got[0].Repos[0] != "cart" || got[0].Present != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestImportErrors(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "in is empty; want a header line",
		"id,title,repos\n1,x,a\n2,\"y\nGeb\xfchr\",b\n":            `in:4: byte 0xfc after "Geb" is no UTF-8; save the file as UTF-8`,
		"{\"id\":\"1\",\"title\":\"Geb\xfchr\",\"repos\":[\"a\"]}": `in:1: byte 0xfc after `,
		"id,title,\xe4\n":                                                     "in:1: byte 0xe4",
		"\xff\xfei\x00d\x00\n\x00":                                            "in:1: it is UTF-16; save the file as UTF-8",
		"id,title,repos\n":                                                    "in holds no case",
		"id,title,repos\n1,x,\n":                                              `in:2: column "repos": want the names`,
		"id,title,repos\n,x,a\n":                                              `in:2: column "id": want an id`,
		"key,summary,repo\n1,,a\n":                                            `in:2: column "summary": want the ticket's text`,
		"title,repos\nx,a\n":                                                  `in:2: column "id": want an id`,
		"id,title,repos\n1,x,a\n1,y,b\n":                                      `in:3: column "id": 1 stands already in line 2`,
		"id,title,repos\n1,x\n":                                               "in:2: it has more or fewer fields",
		"id,title,repos\n1,\"x,a\n":                                           "in:2: character",
		"id,title,title,repos\n1,x,y,a\n":                                     `in:1: column "title" stands twice`,
		"id,title,repos,created\n1,x,a,May\n":                                 `in:2: column "created": want a time`,
		"id,title,repos,state\n1,x,a,closed\n":                                `in:2: column "state": want open, shipped or moved`,
		"id,title,repos,state,now\n1,x,a,shipped,b\n":                         `in:2: column "now": want none of a shipped ticket`,
		"id,title,repos,state\n1,x,a,moved\n":                                 `in:2: column "present.repos": want the repositories a moved ticket`,
		"id,title,repos,now\n1,x,a,b\n":                                       `in:2: column "present.state": want open`,
		"{\"id\":1,\"title\":\"x\",\"repos\":[1]}\n":                          `in:1: column "repos": want a list of strings`,
		"{\"id\":1,\"title\":\"x\",\"repos\":[\"a\"]}\n[]\n":                  "in:2: want one JSON object a line",
		"{\"id\":1,\"title\":\"x\",\"repos\":[\"a\"]} {}\n":                   "in:1: want one JSON object a line",
		"{\"id\":1,\"title\":\"x\",\"repos\":[\"a\"],\"state\":\"closed\"}\n": `in:1: column "state": want open`,
	} {
		if _, err := Import("in", strings.NewReader(in), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Import(%q): %v, want %q", in, err, want)
		}
	}
	_, err := Import("in", strings.NewReader("a,b\n1,2\n"), map[string]string{"id": "c"})
	if err == nil || !strings.Contains(err.Error(), `no column "c" for id; there are a, b`) {
		t.Errorf("a column that is not there: %v", err)
	}
}

func TestReadTexts(t *testing.T) {
	t.Parallel()
	got, err := ReadTexts("in", strings.NewReader("issue key,summary,description,created\nPAY-1,Slow,Very,2024-05-01 10:30\n"), nil)
	want := []Text{{Key: "PAY-1", Title: "Slow", Body: "Very", Created: "2024-05-01T10:30:00Z"}}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(d, err)
	}
	got, err = ReadTexts("in", strings.NewReader("key,name,created\nPAY-1,Slow,03/04/05\n"), map[string]string{"title": "Name", "created": Ignore})
	if d := cmp.Diff([]Text{{Key: "PAY-1", Title: "Slow"}}, got); d != "" || err != nil {
		t.Error(d, err)
	}
	got, err = ReadTexts("in", strings.NewReader("key,title\nPAY-1,Gebühr \ufffd\n"), nil)
	if d := cmp.Diff([]Text{{Key: "PAY-1", Title: "Gebühr \ufffd"}}, got); d != "" || err != nil {
		t.Error(d, err)
	}
	for in, want := range map[string]string{
		"key,title\n1,Geb\xfchr\n": `in:2: byte 0xfc after "1,Geb"`,
		"key,title\n":              "in holds no ticket",
		"key,title\n,x\n":          `in:2: column "key": want the ticket's key`,
		"key,title\n1,x\n1,x\n":    "stands already in line 2",
		"key,created\n1,monday\n":  `in:2: column "created"`,
	} {
		if _, err := ReadTexts("in", strings.NewReader(in), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ReadTexts(%q): %v, want %q", in, err, want)
		}
	}
}

func FuzzImport(f *testing.F) {
	f.Add("id,title,repos\n1,x,a;b\n")
	f.Add("id;title;repos;state\n1;\"x\ny\";a|b;moved\n")
	f.Add(`{"id":"1","title":"x","repos":["a"],"present":{"state":"open"}}`)
	f.Add("\ufeff\"")
	f.Fuzz(func(t *testing.T, s string) {
		cases, err := Import("in", strings.NewReader(s), nil)
		if err != nil {
			return
		}
		var b strings.Builder
		if err := Write(&b, cases); err != nil {
			t.Fatal(err)
		}
		back, err := Read("out", strings.NewReader(b.String()))
		if err != nil {
			t.Fatalf("what was imported cannot be read: %v\n%s", err, b.String())
		}
		if len(back) != len(cases) {
			t.Errorf("%d cases written, %d read", len(cases), len(back))
		}
	})
}
