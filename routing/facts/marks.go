package facts

import (
	"bytes"
	"strings"
)

// marks is the table of what is looked for in code, one a line:
//
//	kind  languages  mark  where the name stands  how it is called  the file must mention
//
// The name stands in an argument of the call that the mark opens ("1" is the
// first, "1+" all from the first on), in what "=key|key" names at any depth of the
// call's arguments or of the braces that follow, or is the word after the mark. A
// "type" is a type of the repository that the call is given: new X(...) or X(...);
// "types" are those in typeof(X) among its arguments. A
// mark that begins with "~" may end a longer word, as "emplate.send(" ends
// kafkaTemplate.send(. Comments in code are not looked at.
const marks = eventMarks + `
requires  js           decoded.                 word          jwt    jwt|jsonwebtoken|jose
requires  js           decodedToken.            word          jwt    jwt|jsonwebtoken|jose
requires  js           payload.                 word          jwt    jwt.verify|jwtVerify|jwt.decode|JwtPayload|PassportStrategy|jwt_decode|jwtDecode
requires  js           claims.                  word          jwt    jwt|jsonwebtoken|jose
requires  js           claims[                  1             jwt    jwt|jsonwebtoken|jose
issues    js           jwt.sign(                keys1         jwt    -
issues    js          ~wtService.sign(          keys1         jwt    -
issues    js          ~wtService.signAsync(     keys1         jwt    -
issues    js           SignJWT(                 keys1         jwt    -
requires  java,kotlin  .getClaim(               1             jwt    jwt
requires  java,kotlin  .getClaimAsString(       1             jwt    jwt
requires  java,kotlin  .getClaimAsStringList(   1             jwt    jwt
requires  java,kotlin  .getClaimAsBoolean(      1             jwt    jwt
requires  java,kotlin  .hasClaim(               1             jwt    jwt
requires  java,kotlin ~laims.get(               1             jwt    jwt|claims
requires  java,kotlin ~laims().get(             1             jwt    jwt|claims
requires  java,kotlin  .getBody().get(          1             jwt    jwt
requires  java,kotlin  .getPayload().get(       1             jwt    jwt
issues    java,kotlin  .withClaim(              1             jwt    jwt
issues    java,kotlin  .withArrayClaim(         1             jwt    jwt
issues    java,kotlin  .claim(                  1             jwt    jwt
issues    java,kotlin ~laims.put(               1             jwt    jwt|claims
requires  csharp       FindFirst(               1             jwt    claim
requires  csharp       FindFirstValue(          1             jwt    -
requires  csharp       RequireClaim(            1             jwt    -
requires  csharp       .HasClaim(               1             jwt    -
issues    csharp       Claim(                   1             jwt    new@Claim
requires  go           claims["                 quoted        jwt    jwt
issues    go           MapClaims{               keys0         jwt    -
requires  python       payload.get(             1             jwt    jwt
requires  python       payload[                 1             jwt    jwt
requires  python       claims.get(              1             jwt    jwt|claims
requires  python       claims[                  1             jwt    jwt|claims
requires  python       decoded.get(             1             jwt    jwt
requires  python       decoded[                 1             jwt    jwt
requires  python       decoded_token.get(       1             jwt    jwt
issues    python       jwt.encode(              keys1         jwt    -
requires  ruby         payload[                 1             jwt    JWT
requires  ruby         decoded[                 1             jwt    JWT
issues    ruby         JWT.encode(              keys1         jwt    -
`

// mark is one line of the table.
type mark struct {
	kind   string
	text   []byte
	within bool // the mark may end a longer word
	where  string
	how    string
	needs  string
}

// readMarks orders the table by language.
func readMarks() map[string][]mark {
	byLang := map[string][]mark{}
	for line := range strings.Lines(marks) {
		f := strings.Fields(line)
		if len(f) != 6 {
			continue
		}
		text, within := strings.CutPrefix(f[2], "~")
		m := mark{kind: f[0], text: []byte(text), within: within, where: f[3], how: f[4], needs: strings.ReplaceAll(f[5], "@", " ")}
		if strings.HasPrefix(f[5], "@") {
			m.needs = f[5]
		}
		for lang := range strings.SplitSeq(f[1], ",") {
			byLang[lang] = append(byLang[lang], m)
		}
	}
	return byLang
}

// readCode looks for every mark of the file's language.
func (s *Scan) readCode(f *source) {
	for _, m := range s.marks[f.lang] {
		if !f.mentions(m.needs) {
			continue
		}
		for at := 0; ; {
			i := bytes.Index(f.raw[at:], m.text)
			if i < 0 {
				break
			}
			at += i
			if m.within || !isWordByte(m.text[0]) || at == 0 || !isWordByte(f.raw[at-1]) {
				if f.isCode(at) {
					s.take(f, m, at)
				}
			}
			at += len(m.text)
		}
	}
}

// take reads the names that stand where the mark says.
func (s *Scan) take(f *source, m mark, at int) {
	end := at + len(m.text)
	text := f.text()
	last := text[end-1]
	switch m.where {
	case "word":
		start := skipSpace(text, end)
		stop := wordEnd(text, start)
		if stop > start && (m.how != "jwt" || !called(text, stop)) {
			s.note(f, m, at, term{text: string(text[start:stop])})
		}
		return
	case "type":
		s.noteType(f, m, at, text[end:min(len(text), end+maxTypeName)])
		return
	case "quoted":
		if stop := bytes.IndexByte(text[end:min(len(text), end+100)], '"'); stop > 0 && !assigned(text, end+stop+2) {
			s.note(f, m, at, term{text: string(text[end : end+stop])})
		}
		return
	case "next":
		if parts := split(string(text[end:min(len(text), end+200)])); len(parts) > 0 {
			s.noteAll(f, m, at, terms(strings.TrimRight(parts[0], ");\n ")))
		}
		return
	}
	open := end - 1
	if last != '(' && last != '{' && last != '[' {
		open = opening(text, end)
	}
	inner, stop, ok := "", 0, false
	if open >= 0 {
		inner, stop, ok = group(text, open)
	} else if last != '(' { // a call without brackets, as Ruby's
		line, _, _ := bytes.Cut(text[end:min(len(text), end+200)], []byte{'\n'})
		if len(line) > 0 && line[0] == ' ' {
			inner, ok = strings.TrimSuffix(strings.TrimSpace(string(line)), " do"), true
		}
	}
	if !ok || inner == "" || last == '[' && m.where != "list" && assigned(text, stop+1) {
		return
	}
	s.takeArgs(f, m, at, inner)
}

// takeArgs reads the names out of a call's arguments.
func (s *Scan) takeArgs(f *source, m mark, at int, inner string) {
	args := split(inner)
	switch {
	case m.where == "types":
		for rest := inner; ; {
			_, after, ok := strings.Cut(rest, "typeof(")
			if !ok {
				break
			}
			s.noteType(f, m, at, []byte(after))
			rest = after
		}
	case m.where == "list":
		for _, a := range args {
			s.noteAll(f, m, at, terms(a))
		}
	case m.where[0] == '=':
		for _, value := range keyed(inner, m.where[1:], 3) {
			s.noteAll(f, m, at, terms(value))
		}
	case m.where == "keys0" || m.where == "keys1":
		if m.where == "keys1" {
			open := strings.IndexByte(inner, '{')
			if len(args) == 0 || open < 0 || open > 1 {
				return
			}
			nested, _, ok := group([]byte(inner), open)
			if !ok {
				return
			}
			args = split(nested)
		}
		for _, a := range args {
			if name, _, ok := named(a); ok {
				s.note(f, m, at, term{text: lastPart(name)})
			} else if isName(a) && m.where == "keys1" {
				s.note(f, m, at, term{text: a})
			}
		}
	default:
		n := int(m.where[0] - '1')
		for i := n; i < len(args); i++ {
			if _, _, keyword := named(args[i]); !keyword {
				s.noteAll(f, m, at, terms(args[i]))
			}
			if !strings.HasSuffix(m.where, "+") {
				break
			}
		}
	}
}

// opening finds the bracket that follows a name, type arguments between aside.
func opening(text []byte, at int) int {
	if at < len(text) && text[at] == '<' {
		if i := bytes.IndexByte(text[at:min(len(text), at+100)], '>'); i > 0 {
			at += i + 1
		}
	}
	at = skipSpace(text, at)
	if at < len(text) && text[at] == '(' {
		return at
	}
	return -1
}

// called tells a method from a field.
func called(text []byte, at int) bool {
	at = skipSpace(text, at)
	return at < len(text) && text[at] == '('
}

// assigned tells a place that is written to, not read.
func assigned(text []byte, at int) bool {
	at = skipSpace(text, at)
	return at+1 < len(text) && text[at] == '=' && text[at+1] != '=' && text[at+1] != '~'
}
