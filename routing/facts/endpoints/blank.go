package endpoints

// Blank returns a copy of text in which every comment is blank; offsets and lines
// stay. Languages are those of the readers; others are read as if they commented
// with slashes.
func Blank(lang string, text []byte) []byte { return blank(lang, text) }
