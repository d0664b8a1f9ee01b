// Package adaptertest holds what every adapter must prove: a suite for each port,
// called from the adapter's own tests with its fake.
//
// It imports bot and the standard library, testing among it. Only tests import it;
// code that ships never does.
package adaptertest
