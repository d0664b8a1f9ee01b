package endpoints

type csharpReader struct{}

func newCSharp() reader { return &csharpReader{} }

func (r *csharpReader) wants(string) bool   { return false }
func (r *csharpReader) read(string, []byte) {}
func (r *csharpReader) found() []Found      { return nil }
