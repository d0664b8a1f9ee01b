package registry_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/registry"
)

func TestDraft(t *testing.T) {
	t.Parallel()
	got := registry.Draft(registry.Facts{
		Name: "parcel-desk", Dir: "/data/parcel-desk",
		Readme: []byte("# Parcel desk\n\nPrints labels for parcels and books the courier.\n"),
		Paths:  []string{"README.md", "a.go", "b.go", "c/d.go", "web/x.ts", "web/y.ts", "z.sh", "one.py", "Makefile", "p.go", "q.go", "r.go"},
	})
	want := routing.Repo{
		Name: "parcel-desk", Dir: "/data/parcel-desk",
		Description:       "Prints labels for parcels and books the courier.",
		DescriptionSource: "generated",
		Languages:         []string{"Go", "TypeScript", "Python"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Draft (-want +got):\n%s", diff)
	}
	if got := registry.Draft(registry.Facts{Name: "bare"}); got.Description != "" || got.DescriptionSource != "" {
		t.Errorf("without a README: %+v, want no description", got)
	}
}

func TestDraftDescription(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ readme, want string }{
		"badges, HTML and emphasis": {
			"<!-- Licensed to nobody -->\n<h1 align=\"center\">\n  <img src=\"logo.svg\">\n</h1>\n\n" +
				"[![Build](https://ci.example.com/b.svg)](https://ci.example.com) ![x](y.png)\n\n" +
				"**Parcel desk** prints [labels](docs/labels.md) for `courier` runs &amp; books _vans_.\n",
			"Parcel desk prints labels for courier runs & books vans.",
		},
		"licence and table of contents first": {
			"Parcel desk\n===========\n\nCopyright 2020 Somebody. All rights reserved.\n\n## Table of contents\n\n- [a](#a)\n  more of a, which goes on and on here\n\n" +
				"## About\n\nBooks the vans that carry parcels to people.\n\n## Licence\n\nYou may use this for any purpose you like.\n",
			"Books the vans that carry parcels to people.",
		},
		"code, list, table, quote": {
			"# x\n\n```\nthis is a line of code in here\n```\n\n    indented code that is not prose at all\n\n- a list of things that are not prose\n\n" +
				"| a | table of things that are |\n\n> Sorts the post by street before the round begins.\n",
			"Sorts the post by street before the round begins.",
		},
		"reStructuredText": {
			"=====\nround\n=====\n\n.. image:: https://example.com/b.svg\n   :alt: a badge that says many words here\n\n|build| |docs|\n\n" +
				"Plans the round of a carrier, using ``maps`` and `the manual <https://example.com>`_ too.\n\nInstall\n-------\n\nRun the installer and wait until it is done.\n",
			"Plans the round of a carrier, using maps and the manual too.",
		},
		"AsciiDoc": {
			"= Round\n:toc: left\n\nimage:https://example.com/b.svg[Build, link=x]\n\nPlans the https://example.com[daily round] of every carrier.\n\n----\ncode that should never be shown here\n----\n",
			"Plans the daily round of every carrier.",
		},
		"underlined headings of Markdown": {
			"Title\n----\n\nWeighs each parcel and says what it costs.\n\nMore\n----\n\nSomething else entirely is said down here.\n",
			"Weighs each parcel and says what it costs.",
		},
		"front matter":      {"---\ntitle: one two three four five six\n---\nWeighs each parcel and says what it costs.\n", "Weighs each parcel and says what it costs."},
		"short first line":  {"# x\n\nParcels.\n\nWeighs each parcel and says what it costs.\n", "Weighs each parcel and says what it costs."},
		"Japanese":          {"# 荷物\n\nこのサービスは荷物の重さを量り、料金を計算して表示します。\n", "このサービスは荷物の重さを量り、料金を計算して表示します。"},
		"nothing but links": {"# x\n\nhttps://example.com/a https://example.com/b https://example.com/c https://example.com/d https://example.com/e\n", ""},
		"nothing":           {"", ""},
		"only a heading":    {"# Parcel desk for all of the couriers\n", ""},
		"unclosed comment":  {"<!-- this goes on for ever and ever and ever", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := registry.Draft(registry.Facts{Name: "x", Readme: []byte(tc.readme)}).Description
			if got != tc.want {
				t.Errorf("description = %q\nwant          %q", got, tc.want)
			}
		})
	}
}

func TestDraftIsBounded(t *testing.T) {
	t.Parallel()
	sentence := "Every parcel that comes in is weighed and measured. "
	for name, readme := range map[string]string{
		"sentences": strings.Repeat(sentence, 30),
		"one word":  strings.Repeat("parcel ", 300),
		"no space":  strings.Repeat("あ", 2000),
		"giant":     strings.Repeat(sentence, 30_000),
	} {
		got := registry.Draft(registry.Facts{Readme: []byte(readme)}).Description
		if n := utf8.RuneCountInString(got); n == 0 || n > 400 {
			t.Errorf("%s: %d characters", name, n)
		}
	}
	got := registry.Draft(registry.Facts{Readme: []byte(strings.Repeat(sentence, 30))}).Description
	if !strings.HasSuffix(got, "measured.") {
		t.Errorf("description ends %q, want a whole sentence", got[len(got)-20:])
	}
}

func TestIsReadme(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"README": true, "readme.md": true, "ReadMe.rst": true, "README.txt": true, "README.adoc": true,
		"docs/README.md": false, "README.go": false, "READMEs.md": false, "": false,
	} {
		if got := registry.IsReadme(path); got != want {
			t.Errorf("IsReadme(%q) = %v", path, got)
		}
	}
}

func FuzzDraft(f *testing.F) {
	f.Add([]byte("# T\n\n[![b](c)](d) Some *words* that make <b>prose</b> here.\n"))
	f.Add([]byte("= T\n:a: b\n----\nx\n"))
	f.Add([]byte("\xff\xfe<!--\x00"))
	f.Fuzz(func(t *testing.T, readme []byte) {
		got := registry.Draft(registry.Facts{Readme: readme})
		if utf8.RuneCountInString(got.Description) > 400 || !utf8.ValidString(got.Description) || strings.ContainsAny(got.Description, "\n\x00") {
			t.Errorf("description = %q", got.Description)
		}
	})
}
