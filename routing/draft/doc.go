// Package draft makes registry entries out of what can be seen of repositories:
// the facts of their code, what they declare about themselves, what their host
// knows. Statistics are shared: what to say of one depends on all the others.
//
// It imports routing, routing/facts, routing/registry, routing/text, the standard
// library and pure libraries. It never invents: a field it knows nothing about stays empty.
package draft
