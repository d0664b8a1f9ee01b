package facts

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// npm reads package.json. Vite, Svelte and others count as development
// dependencies though the product is made of them, so that both lists count.
func npm(text []byte) (manifest, error) {
	var file struct {
		Name             string         `json:"name"`
		Dependencies     map[string]any `json:"dependencies"`
		DevDependencies  map[string]any `json:"devDependencies"`
		PeerDependencies map[string]any `json:"peerDependencies"`
		Private          any            `json:"private"`
	}
	if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &file); err != nil {
		return manifest{}, fmt.Errorf("reading package.json: %w", err)
	}
	m := manifest{uses: slices.Concat(keys(file.Dependencies), keys(file.DevDependencies), keys(file.PeerDependencies))}
	if file.Private != true || strings.HasPrefix(file.Name, "@") {
		m.publishes = []string{file.Name}
	}
	return m, nil
}

func keys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

func composer(text []byte) (manifest, error) {
	var file struct {
		Name    string         `json:"name"`
		Require map[string]any `json:"require"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return manifest{}, fmt.Errorf("reading composer.json: %w", err)
	}
	return manifest{uses: keys(file.Require), publishes: []string{file.Name}}, nil
}

// maven reads a pom.xml: its own coordinates, its parent, its dependencies and
// plugins, and the sets of versions it imports.
func maven(text []byte) (manifest, error) {
	type artifact struct {
		Group    string `xml:"groupId"`
		Artifact string `xml:"artifactId"`
		Scope    string `xml:"scope"`
	}
	var pom struct {
		artifact
		Parent  artifact   `xml:"parent"`
		Uses    []artifact `xml:"dependencies>dependency"`
		Managed []artifact `xml:"dependencyManagement>dependencies>dependency"`
		Plugins []artifact `xml:"build>plugins>plugin"`
	}
	if err := decodeXML(text, &pom); err != nil {
		return manifest{}, fmt.Errorf("reading pom.xml: %w", err)
	}
	var m manifest
	for _, a := range append(append([]artifact{pom.Parent}, pom.Uses...), pom.Plugins...) {
		if a.Scope != "test" && a.Artifact != "" {
			m.uses = append(m.uses, a.Group+":"+a.Artifact)
		}
	}
	for _, a := range pom.Managed {
		if a.Scope == "import" {
			m.uses = append(m.uses, a.Group+":"+a.Artifact)
		}
	}
	group := pom.Group
	if group == "" {
		group = pom.Parent.Group
	}
	if group != "" && pom.Artifact != "" {
		m.publishes = []string{strings.TrimSpace(group) + ":" + strings.TrimSpace(pom.Artifact)}
	}
	return m, nil
}

// decodeXML reads text in any encoding that keeps ASCII, which is enough for
// names.
func decodeXML(text []byte, into any) error {
	d := xml.NewDecoder(bytes.NewReader(bytes.ToValidUTF8(text, []byte("?"))))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	d.Strict = false
	return d.Decode(into)
}

// nuget reads project files, central package lists and packages.config.
func nuget(text []byte) (manifest, error) {
	var m manifest
	d := xml.NewDecoder(bytes.NewReader(bytes.ToValidUTF8(bytes.TrimPrefix(text, []byte("\ufeff")), []byte("?"))))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	d.Strict = false
	inside := ""
	for {
		t, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return m, nil
		}
		if err != nil {
			return m, fmt.Errorf("reading a project file: %w", err)
		}
		switch e := t.(type) {
		case xml.StartElement:
			inside = e.Name.Local
			m.uses = append(m.uses, nugetUse(e)...)
		case xml.CharData:
			if inside == "PackageId" {
				m.publishes = append(m.publishes, strings.TrimSpace(string(e)))
			}
		case xml.EndElement:
			inside = ""
		}
	}
}

func nugetUse(e xml.StartElement) []string {
	var uses []string
	for _, a := range e.Attr {
		switch e.Name.Local + " " + a.Name.Local {
		case "PackageReference Include", "PackageReference Update", "PackageVersion Include", "FrameworkReference Include", "package id", "Reference Include":
			name, _, _ := strings.Cut(a.Value, ",")
			uses = append(uses, name)
		case "Project Sdk", "Sdk Name":
			uses = append(uses, "sdk:"+a.Value)
		}
	}
	return uses
}
