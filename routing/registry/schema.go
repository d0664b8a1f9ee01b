package registry

import _ "embed" // the schema is published with the program

//go:embed schema.json
var schema []byte

// Schema returns the format of a registry as a JSON Schema (draft 2020-12).
func Schema() []byte { return append([]byte(nil), schema...) }
