package git

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1" //nolint:gosec // it is git's checksum
	"os"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
)

// packed makes a pack of objects, each given as its header and what is deflated.
func packed(tb testing.TB, count byte, parts ...string) []byte {
	tb.Helper()
	var b bytes.Buffer
	b.WriteString("PACK\x00\x00\x00\x02\x00\x00\x00" + string(count))
	for i := 0; i < len(parts); i += 2 {
		b.WriteString(parts[i])
		w := zlib.NewWriter(&b)
		if _, err := w.Write([]byte(parts[i+1])); err != nil {
			tb.Fatal(err)
		}
		if err := w.Close(); err != nil {
			tb.Fatal(err)
		}
	}
	return b.Bytes()
}

// signed adds the checksum.
func signed(pack []byte) []byte {
	sum := sha1.Sum(pack) //nolint:gosec // as above
	return append(bytes.Clone(pack), sum[:]...)
}

func TestReceive(t *testing.T) {
	t.Parallel()
	blob := packed(t, 1, "\x33", "abc")                                              // type 3, 3 bytes
	huge := packed(t, 1, "\xb3\x80\x80\x80\x80\x01", "abc")                          // says it has gigabytes
	bomb := packed(t, 2, "\x33", "abc", "\x68\x0c", "\x03\x80\x80\x80\x80\x10\x83x") // a delta that makes gigabytes
	hash := plumbing.ComputeHash(plumbing.BlobObject, []byte("abc"))
	for _, c := range []struct {
		name  string
		bytes []byte
		wants []plumbing.Hash
		want  string
	}{
		{"one blob", signed(blob), []plumbing.Hash{hash}, ""},
		{"without what was asked for", signed(blob), []plumbing.Hash{{1}}, "it lacks commit 01"},
		{"nothing", nil, nil, "cut short or damaged"},
		{"no checksum", blob, nil, "cut short or damaged"},
		{"cut and signed", signed(blob[:len(blob)-4]), nil, "cut short or damaged"},
		{"no pack", signed([]byte("hello")), nil, "cut short or damaged"},
		{"too many objects", signed([]byte("PACK\x00\x00\x00\x02\xff\xff\xff\xff")), nil, "more than 10000000"},
		{"an object that is too big", signed(huge), nil, "more than 512 MiB"},
		{"a delta that makes too much", signed(bomb), nil, "more than 512 MiB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			base, err := receive(t.Context(), dir, bytes.NewReader(c.bytes), c.wants)
			if c.want != "" {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("error %v, want %q", err, c.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, end := range []string{".pack", ".idx"} {
				if _, err := os.Stat(dir + "/" + base + end); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// FuzzReceive wants an error or a pack, and never a panic.
func FuzzReceive(f *testing.F) {
	f.Add(packed(f, 1, "\x33", "abc"))
	f.Add(packed(f, 2, "\x33", "abc", "\x64\x0c", "\x03\x02\x90\x02"))
	f.Add([]byte("PACK\x00\x00\x00\x02\x00\x00\x00\x03"))
	f.Fuzz(func(t *testing.T, pack []byte) {
		dir := t.TempDir()
		if base, err := receive(t.Context(), dir, bytes.NewReader(signed(pack)), nil); err == nil {
			if _, err := openPackIndex(dir + "/" + base + ".idx"); err != nil {
				t.Errorf("the index cannot be read: %v", err)
			}
		}
	})
}
