// Package page draws an evaluation for a browser: one self-contained HTML file
// with hand-made SVG, which needs no script and loads nothing.
//
// It imports routing/eval and routing/text. It never computes a figure that the
// report does not hold, and never trusts a text: everything is escaped.
package page
