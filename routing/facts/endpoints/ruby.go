package endpoints

import (
	"path"
	"slices"
	"strings"
)

// rubyReader reads the routes of Rails, and those of Grape and Sinatra. The files
// of routes are kept as tokens, because one draws another and engines are mounted;
// they are small. What they declare is worked out at the end.
type rubyReader struct {
	routes map[string]*source // config/routes.rb and what it draws
	plain  map[string]bool    // folders of applications without pages: no forms to fill in
	mounts map[string]string  // engine -> where it is mounted
	devise map[string][]string
	grape  map[string]*rbClass
	order  []string // of grape
}

// rbClass is a class of Grape or an application of Sinatra.
type rbClass struct {
	name, prefix, framework string
	routes                  []Found
	mounts                  []rbMount
	parents                 []rbMount
	state                   int
}

type rbMount struct {
	class  *rbClass
	name   string
	prefix string
}

const (
	// maxRoutes bounds the files of routes kept of one repository.
	maxRoutes = 2_000
	// maxSteps bounds the statements that are worked through.
	maxStatements = 200_000
)

func newRuby() reader {
	return &rubyReader{
		routes: map[string]*source{}, plain: map[string]bool{}, mounts: map[string]string{},
		devise: map[string][]string{}, grape: map[string]*rbClass{},
	}
}

func (r *rubyReader) wants(file string) bool {
	return path.Ext(file) == ".rb" && !strings.HasPrefix("/"+file, "/db/") && !strings.Contains(file, "/migrate/") && !strings.Contains(file, "/templates/")
}

func (r *rubyReader) read(file string, data []byte) {
	whole := string(data)
	slashed := "/" + file
	switch {
	case strings.HasSuffix(slashed, "/config/routes.rb"), strings.Contains(slashed, "/config/routes/"):
		if len(r.routes) < maxRoutes {
			s := tokenise("ruby", file, data)
			blocks(s.toks)
			r.routes[file] = s
		}
	case strings.HasSuffix(slashed, "/config/application.rb"):
		if strings.Contains(whole, "api_only = true") {
			r.plain[rbApp(file)] = true
		}
	case strings.Contains(slashed, "/app/models/") && strings.Contains(whole, "devise "):
		r.modules(file, tokenise("ruby", file, data))
	case strings.Contains(whole, "Grape::API"), strings.Contains(whole, "Sinatra::"), strings.Contains(whole, "require 'sinatra"), strings.Contains(whole, `require "sinatra`):
		if len(r.grape) < maxClasses {
			s := tokenise("ruby", file, data)
			blocks(s.toks)
			g := &rbAPI{r: r, s: s, framework: "sinatra"}
			if strings.Contains(whole, "Grape::API") {
				g.framework = "grape"
			}
			g.run(0, len(s.toks), rbPlace{})
		}
	}
}

// rbApp returns the folder of the application a file of its configuration is in.
func rbApp(file string) string {
	i := strings.LastIndex("/"+file, "/config/")
	return file[:max(i, 0)]
}

// modules notes what a model asks of Devise.
func (r *rubyReader) modules(file string, s *source) {
	for i := range s.toks {
		if !s.toks[i].says("devise") || s.at(i+1).kind != kSymbol || len(r.devise) > 1000 {
			continue
		}
		model := strings.TrimSuffix(path.Base(file), ".rb")
		for k := i + 1; k < len(s.toks) && k < i+80; k++ {
			t := s.toks[k]
			if t.kind == kLine && !s.at(k-1).is(",") || t.kind == kWord && t.text == "def" {
				break
			}
			if t.kind == kSymbol {
				r.devise[model] = append(r.devise[model], strings.Clone(t.text))
			}
		}
	}
}

// blocks finds the end of every block: do, def, if and their like get their end as
// mate, as brackets have.
func blocks(toks []tok) {
	var open []int
	loop := 0 // the line of a while, whose do opens nothing
	for i := range toks {
		t := &toks[i]
		if t.kind != kWord || i+1 < len(toks) && toks[i+1].is(":") && toks[i+1].near {
			continue
		}
		var before tok
		if i > 0 {
			before = toks[i-1]
		}
		if before.is(".") || before.is("::") {
			continue
		}
		starts := i == 0 || before.kind == kLine || before.is(";") || before.is("=") || before.is("(") || before.is("|") || before.says("then", "else", "do")
		switch t.text {
		case "do":
			if loop == t.line {
				continue
			}
		case "def", "class", "module", "begin", "case":
			if t.text != "def" && !starts {
				continue
			}
		case "if", "unless":
			if !starts {
				continue
			}
		case "while", "until", "for":
			if !starts {
				continue
			}
			loop = t.line
		case "end":
			if n := len(open); n > 0 {
				toks[open[n-1]].mate = i
				open = open[:n-1]
			}
			continue
		default:
			continue
		}
		t.mate = len(toks)
		open = append(open, i)
	}
}

// rbCall is one statement: a name, its arguments, its block.
type rbCall struct {
	name     string
	at       int
	args     [][2]int
	opts     map[string][2]int
	arrow    [2]int // the key of "path" => "action"
	from, to int    // the block, without its ends; from 0 when there is none
	next     int    // where the next statement begins
	list     int    // index of the list that "each" walks over, -1 without
	turn     string // the name of the block's parameter
}

// statement reads the statement at i.
func statement(s *source, i, to int) rbCall {
	c := rbCall{at: i, list: -1, opts: map[string][2]int{}}
	c.name = s.at(i).text
	if s.at(i).kind != kWord {
		c.name = ""
	}
	start := i + 1
	end, open := i, i // open is where the last brackets opened
	for end < to {
		t := s.toks[end]
		if t.kind == kLine && !rbGoesOn(s, end) || t.is(";") {
			break
		}
		if t.says("do") && t.mate > end || t.is("{") && end > i && (s.at(end-1).is(")") || s.at(end-1).kind == kWord) && !isLambda(s, end, open) {
			c.block(s, end, to)
			break
		}
		if end > i && t.says("if", "unless", "rescue") && t.mate == 0 {
			break
		}
		if end == i && t.kind == kWord && t.mate > end {
			break
		}
		if t.mate > end {
			end, open = min(t.mate, to), end
		}
		end++
	}
	end = min(end, to)
	c.next = max(c.next, end, i+1)
	for k := i; k+1 < end; k++ {
		if s.at(k).is(".") && s.at(k+1).says("each", "each_with_index", "map") {
			c.list = i
			c.name = "each"
		}
		if m := s.at(k).mate; m > k {
			k = m
		}
	}
	if s.at(start).is("(") && s.at(start).near {
		c.arguments(s, s.args(start))
	} else if start < end {
		c.arguments(s, s.split(start, end))
	}
	if c.from == 0 { // pass over what is left of the line
		for c.next < to && s.toks[c.next].kind != kLine && !s.toks[c.next].is(";") && s.at(i).mate == 0 {
			c.next++
		}
	}
	return c
}

// isLambda tells the braces of lambda { } and ->(x) { }, whose brackets open at open.
func isLambda(s *source, brace, open int) bool {
	if s.at(brace - 1).is(")") {
		return s.at(open-1).is(">") || s.at(open-1).is("->")
	}
	return s.at(brace-1).says("lambda", "proc")
}

// rbGoesOn tells whether a line goes on after its end at i.
func rbGoesOn(s *source, i int) bool {
	before := s.at(i - 1)
	if before.is(",") || before.is("=>") || before.is("+") || before.is(".") || before.is("&") {
		return true
	}
	for i < len(s.toks) && s.toks[i].kind == kLine {
		i++
	}
	return s.at(i).is(".") || s.at(i).is("&") && s.at(i+1).is(".")
}

// block notes the block that opens at i, and its parameter.
func (c *rbCall) block(s *source, i, to int) {
	c.from, c.to = i+1, min(s.toks[i].mate, to)
	c.next = c.to + 1
	if s.at(c.from).is("|") {
		k := c.from + 1
		for k < c.to && s.at(k).kind != kWord && !s.at(k).is("|") { // |**options|
			k++
		}
		c.turn = s.at(k).text
		for k < c.to && !s.at(k).is("|") {
			k++
		}
		c.from = k + 1
	}
}

// arguments sorts a call's arguments: by place, by name, path => action.
func (c *rbCall) arguments(s *source, all [][2]int) {
	for _, a := range all {
		from, to := a[0], a[1]
		for from < to && s.at(from).kind == kLine {
			from++
		}
		key := s.at(from)
		switch {
		case from >= to:
		case (key.kind == kWord || key.kind == kText) && s.at(from+1).is(":") && s.at(from+1).near && from+1 < to:
			c.opts[key.text] = [2]int{from + 2, to}
		case key.kind == kSymbol && s.at(from+1).is("=>"):
			c.opts[key.text] = [2]int{from + 2, to}
		case s.at(from + 1).is("=>"):
			c.arrow = [2]int{from, from + 1}
			c.opts["to"] = [2]int{from + 2, to}
		default:
			if i := slices.IndexFunc(s.toks[from:to], func(t tok) bool { return t.is("=>") }); i > 0 {
				c.arrow = [2]int{from, from + i}
				c.opts["to"] = [2]int{from + i + 1, to}
				continue
			}
			c.args = append(c.args, [2]int{from, to})
		}
	}
}
