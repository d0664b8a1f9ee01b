// Package app is the service as a value: New, Start, Stop. It alone knows every
// room and every adapter, and wires them; what they do is theirs.
//
// It may import everything but cmd. It never shares a data folder: several may run
// in one process, each with a folder of its own.
package app
