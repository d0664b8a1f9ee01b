// Package bot holds the nouns of the service around the routing core: Delivery,
// Event, Reply, Secret, Error and the keys of its log lines.
//
// It imports the standard library and routing. It never speaks to an outside
// system, a database or a web framework: its sub-packages do, one thing each.
package bot
