package facts

import (
	"bytes"
	"strconv"
	"strings"
)

// answers is how code names the status it answers with: languages, what stands
// before the status, and how it is written ("number", "upper" CONFLICT, "camel"
// Conflict, "symbol" :conflict, "status" HTTP_409_CONFLICT or Status409Conflict).
const answers = `
js           .status(               number
js           .sendStatus(           number
js           HttpStatus.            upper
js           StatusCodes.           upper
js           @HttpCode(             number
js           createError(           number
java,kotlin  HttpStatus.            upper
java,kotlin  HttpStatusCode.        camel
java,kotlin  Response.Status.       upper
java,kotlin  HttpServletResponse.SC_  upper
java,kotlin  .status(               number
java,kotlin  .setStatus(            number
java,kotlin  .sendError(            number
go           http.Status            camel
go           .WriteHeader(          number
csharp       StatusCodes.Status     status
csharp       HttpStatusCode.        camel
csharp       StatusCode(            number
python       status.HTTP_           status
python       HTTPStatus.            upper
python       abort(                 number
python       status_code=           number
python       status=                number
ruby         status:                symbol
ruby         head                   symbol
ruby         halt                   number
php          abort(                 number
php          Response::HTTP_        upper
`

// statusNames are the codes of HTTP's errors and redirects, by name.
const statusNames = `301 moved_permanently 302 found 303 see_other 304 not_modified 307 temporary_redirect 308 permanent_redirect
	400 bad_request 401 unauthorized 402 payment_required 403 forbidden 404 not_found 405 method_not_allowed 406 not_acceptable
	407 proxy_authentication_required 408 request_timeout 409 conflict 410 gone 411 length_required 412 precondition_failed
	413 payload_too_large 414 uri_too_long 415 unsupported_media_type 416 requested_range_not_satisfiable 417 expectation_failed
	418 i_am_a_teapot 421 misdirected_request 422 unprocessable_entity 423 locked 424 failed_dependency 425 too_early
	426 upgrade_required 428 precondition_required 429 too_many_requests 431 request_header_fields_too_large
	451 unavailable_for_legal_reasons 500 internal_server_error 501 not_implemented 502 bad_gateway 503 service_unavailable
	504 gateway_timeout 507 insufficient_storage 422 unprocessable_content 413 content_too_large 413 request_entity_too_large
	418 im_a_teapot 418 teapot 418 im_a_tea_pot 422 unprocessableentity`

type answer struct {
	text  []byte
	shape string
}

func readAnswers() (map[string][]answer, map[string]string) {
	byLang := map[string][]answer{}
	for line := range strings.Lines(answers) {
		if f := strings.Fields(line); len(f) == 3 {
			for lang := range strings.SplitSeq(f[0], ",") {
				byLang[lang] = append(byLang[lang], answer{[]byte(f[1]), f[2]})
			}
		}
	}
	names := map[string]string{}
	words := strings.Fields(statusNames)
	for i := 0; i+1 < len(words); i += 2 {
		names[strings.ReplaceAll(words[i+1], "_", "")] = words[i]
	}
	return byLang, names
}

// readCodes finds the status codes that code answers with, and its own codes.
func (s *Scan) readCodes(f *source) {
	for _, a := range s.answers[f.lang] {
		for at := 0; ; {
			i := bytes.Index(f.raw[at:], a.text)
			if i < 0 {
				break
			}
			at += i + len(a.text)
			begin := at - len(a.text)
			if isWordByte(a.text[0]) && begin > 0 && isWordByte(f.raw[begin-1]) || compared(f.raw, begin) {
				continue
			}
			if code := s.status(f.raw[at:min(len(f.raw), at+60)], a.shape); code != "" && f.isCode(begin) {
				s.keep(kindCode, "http", code, f.place(begin))
			}
		}
	}
	s.readOwnCodes(f)
}

// status reads a status code in one of the shapes, or "".
func (s *Scan) status(text []byte, shape string) string {
	start := skipSpace(text, 0)
	if shape == "symbol" {
		if start < len(text) && text[start] == ':' {
			start++
		} else {
			shape = "number"
		}
	}
	word := string(text[start:wordEnd(text, start)])
	switch shape {
	case "number":
		n, err := strconv.Atoi(word)
		if err != nil || n < 300 || n > 599 {
			return ""
		}
		return word
	case "status":
		if len(word) >= 3 {
			if n, err := strconv.Atoi(word[:3]); err == nil && n >= 300 && n <= 599 {
				return word[:3]
			}
		}
		return ""
	default:
		return s.statusNames[strings.ReplaceAll(strings.ToLower(word), "_", "")]
	}
}

// compared tells a status that is asked for, not given.
func compared(text []byte, at int) bool {
	i := backSpace(text, wordStartDotted(text, at))
	if i >= 2 && text[i-1] == '=' && (text[i-2] == '=' || text[i-2] == '!') {
		return true
	}
	return bytes.HasSuffix(text[:i], []byte("case")) || bytes.HasSuffix(text[:i], []byte("===")) || bytes.HasSuffix(text[:i], []byte("equals("))
}

func wordStartDotted(text []byte, at int) int {
	for at > 0 && (isWordByte(text[at-1]) || text[at-1] == '.') {
		at--
	}
	return at
}

// notOwn are names of standards that look like error codes.
const notOwn = " ISO RFC SHA UTF CVE JSR PEP AES RSA IBM CP WINDOWS KOI HTTP TLS ES HS RS PS EUC GB BIP EIP CWE DES MD HMAC X ECMA IEC ANSI UCS BIG TIS CSS HTML XML JDK JEP MIT UTC GMT EPSG USD EUR "

// readOwnCodes finds codes as PAY-1023 and ERR_LIMIT in quotes, and ERR_LIMIT as a
// name, where the line speaks of an error.
func (s *Scan) readOwnCodes(f *source) {
	for at := 0; ; {
		i := bytes.IndexAny(f.raw[at:], `"'`)
		if i < 0 {
			return
		}
		at += i + 1
		end := at
		for end < len(f.raw) && end-at < 40 && (f.raw[end] >= 'A' && f.raw[end] <= 'Z' || f.raw[end] >= '0' && f.raw[end] <= '9' || f.raw[end] == '-' || f.raw[end] == '_') {
			end++
		}
		if end-at < 5 || end == len(f.raw) || f.raw[end] != f.raw[at-1] && f.raw[end] != ':' {
			continue
		}
		word := string(f.raw[at:end])
		if isOwnCode(word) && aboutErrors(f, at) && f.isCode(at) {
			s.keep(kindCode, "own", word, f.place(at))
		}
		at = end
	}
}

func isOwnCode(word string) bool {
	if rest, ok := strings.CutPrefix(word, "ERR_"); ok {
		return len(rest) > 2 && !strings.HasPrefix(rest, "HTTP") && !strings.HasPrefix(rest, "INVALID_ARG")
	}
	cut := strings.IndexAny(word, "-_")
	if cut < 1 || cut > 10 || strings.Contains(notOwn, " "+word[:cut]+" ") {
		return false
	}
	digits := word[cut+1:]
	return len(digits) >= 3 && len(digits) <= 6 && strings.Trim(digits, "0123456789") == "" && strings.Trim(word[:cut], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// aboutErrors tells whether the line, or the file by its name, is about errors.
func aboutErrors(f *source, at int) bool {
	start := bytes.LastIndexByte(f.raw[:at], '\n') + 1
	line := f.raw[start:]
	if nl := bytes.IndexByte(line, '\n'); nl >= 0 {
		line = line[:nl]
	}
	text := strings.ToLower(string(line[:min(len(line), 400)])) + strings.ToLower(f.path)
	for _, word := range []string{"err", "code", "exception", "fail", "throw"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}
