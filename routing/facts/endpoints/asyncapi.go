package endpoints

import "strings"

// channels lists the channels of an AsyncAPI document as the application that is
// described sees them. Version 2 speaks of the others: what they publish, it
// consumes. Version 3 speaks of the application.
func (s *specs) channels(file string, root *node, version string) []Event {
	if strings.HasPrefix(version, "2") || strings.HasPrefix(version, "1") {
		return s.channels2(file, root)
	}
	where, operations := s.follow(file, root.get("operations"))
	if operations == nil {
		return nil
	}
	var all []Event
	for _, o := range operations.kids {
		at, operation := s.follow(where, o)
		action := operation.get("action")
		if action == nil {
			continue
		}
		name := s.channelName(at, operation.get("channel"))
		switch action.value {
		case "send":
			all = appendEvent(all, Event{name, "emits", at, operation.line})
		case "receive":
			all = appendEvent(all, Event{name, "consumes", at, operation.line})
		}
	}
	return all
}

func (s *specs) channels2(file string, root *node) []Event {
	where, channels := s.follow(file, root.get("channels"))
	if channels == nil {
		return nil
	}
	var all []Event
	for _, c := range channels.kids {
		at, channel := s.follow(where, c)
		if n := channel.get("publish"); n != nil {
			all = appendEvent(all, Event{c.key, "consumes", at, n.line})
		}
		if n := channel.get("subscribe"); n != nil {
			all = appendEvent(all, Event{c.key, "emits", at, n.line})
		}
	}
	return all
}

// channelName is the address of the channel that an operation refers to, or the
// name that the document knows it by.
func (s *specs) channelName(file string, ref *node) string {
	_, channel := s.follow(file, ref)
	if channel == nil {
		return ""
	}
	if address := channel.get("address"); address != nil && address.value != "" && address.value != "null" && address.value != "~" {
		return address.value
	}
	return channel.key
}

func appendEvent(all []Event, e Event) []Event {
	if e.Name == "" || len(e.Name) > maxPath || strings.ContainsAny(e.Name, " \t\n") || len(all) >= maxFound {
		return all
	}
	return append(all, e)
}
