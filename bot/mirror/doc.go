// Package mirror keeps index generations current: one file per repository and
// commit in a cache folder, built privately, published by an atomic rename, and
// rebuilt only when a branch has moved. It also drafts a registry for a folder of
// repositories that has none.
//
// It imports routing, routing/index and routing/registry. It never speaks git
// itself (a Source does), never serves a generation of another commit than the
// one it was asked for, and never changes a generation that was published.
package mirror
