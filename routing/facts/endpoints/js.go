package endpoints

type jsReader struct{}

func newJS() reader { return &jsReader{} }

func (r *jsReader) wants(string) bool   { return false }
func (r *jsReader) read(string, []byte) {}
func (r *jsReader) found() []Found      { return nil }
