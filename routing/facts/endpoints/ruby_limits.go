package endpoints

// rbLimits are the actions that only and except leave of a resource. A scope and
// with_options give theirs to the resources in them that say nothing themselves.
type rbLimits struct {
	given        bool // there is an only
	only, except []string
}

// limits returns what a call says, or else what the place around it does.
func (w *rails) limits(c rbCall, p rbPlace) rbLimits {
	only, has := c.opts["only"]
	except, less := c.opts["except"]
	if !has && !less {
		for _, a := range c.args {
			if a = w.trim(a); p.options != "" && a[1] > a[0] && w.s.at(a[1]-1).says(p.options) {
				return p.handed
			}
		}
		return p.limits
	}
	l := rbLimits{given: has}
	if has {
		l.only = w.names(only, p)
	}
	if less {
		l.except = w.names(except, p)
	}
	return l
}

// constant returns where the value of a constant begins that the file itself gives.
func (w *rails) constant(t tok) (int, bool) {
	if t.kind != kWord || t.text == "" || t.text[0] < 'A' || t.text[0] > 'Z' {
		return 0, false
	}
	all := w.lists[w.s]
	if all == nil {
		all = map[string]int{}
		for i := range w.s.toks {
			k := w.s.toks[i]
			if value := w.s.at(i + 2); k.kind == kWord && w.s.at(i+1).is("=") && (value.kind == kWords || value.is("[")) {
				all[k.text] = i + 2
			}
		}
		w.lists[w.s] = all
	}
	i, ok := all[t.text]
	return i, ok
}

// pathNames puts in what path_names: { new: "neu" } calls the parts of paths.
func (w *rails) pathNames(c rbCall, p rbPlace, names map[string]string) {
	a, ok := c.opts["path_names"]
	if !ok || !w.s.at(a[0]).is("{") {
		return
	}
	var inner rbCall
	inner.opts = map[string][2]int{}
	inner.arguments(w.s, w.s.args(a[0]))
	for k := range names {
		if s, given := w.option(inner, k, p); given {
			names[k] = s
		}
	}
}
