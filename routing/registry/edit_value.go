package registry

import (
	"bytes"
	"encoding/json"
)

// plainNode turns a node into plain values; of a key given twice the last counts.
func plainNode(n node) any {
	switch n.kind {
	case kindNull:
		return nil
	case kindBool:
		return n.text == "true"
	case kindNumber:
		return json.Number(n.text)
	case kindString:
		return n.text
	case kindList:
		list := make([]any, 0, len(n.items))
		for _, item := range n.items {
			list = append(list, plainNode(item))
		}
		return list
	case kindObject:
		object := map[string]any{}
		for _, f := range n.fields {
			object[f.name] = plainNode(f.value)
		}
		return object
	}
	return nil
}

// encode writes plain values as compact JSON with sorted keys: equal values give
// equal text.
func encode(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil { // plain values always encode
		return "null"
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

func same(a, b any) bool { return encode(a) == encode(b) }

func anyList(list []string) []any {
	out := make([]any, 0, len(list))
	for _, s := range list {
		out = append(out, s)
	}
	return out
}

// mergePatches adds a later merge patch to an earlier one.
func mergePatches(into, patch map[string]any) {
	for k, v := range patch {
		object, isObject := v.(map[string]any)
		before, wasObject := into[k].(map[string]any)
		if isObject && wasObject {
			mergePatches(before, object)
			continue
		}
		into[k] = v
	}
}

// applyPatch applies a merge patch to plain values.
func applyPatch(into, patch map[string]any) {
	for k, v := range patch {
		if v == nil {
			delete(into, k)
			continue
		}
		object, isObject := v.(map[string]any)
		if !isObject {
			into[k] = v
			continue
		}
		before, wasObject := into[k].(map[string]any)
		if !wasObject {
			before = map[string]any{}
			into[k] = before
		}
		applyPatch(before, object)
	}
}

// withoutNulls is what a merge patch makes of nothing.
func withoutNulls(v any) any {
	patch, ok := v.(map[string]any)
	if !ok {
		return v
	}
	out := map[string]any{}
	applyPatch(out, patch)
	return out
}
