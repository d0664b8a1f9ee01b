// Package text turns what people and programs wrote into terms: identifiers are
// split (camelCase, snake_case, kebab-case, acronyms, digits), prose is stemmed,
// Chinese, Japanese and Korean run text becomes bigrams, and a ticket is cleaned
// of all that must never be evidence: tracker keys, control characters,
// direction overrides.
//
// It imports routing, the standard library and a stemmer. It knows nothing of
// repositories, scores or files.
package text
