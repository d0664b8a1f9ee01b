package endpoints

type javaReader struct{}

func newJava() reader { return &javaReader{} }

func (r *javaReader) wants(string) bool   { return false }
func (r *javaReader) read(string, []byte) {}
func (r *javaReader) found() []Found      { return nil }
