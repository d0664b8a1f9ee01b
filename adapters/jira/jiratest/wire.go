package jiratest

import "strconv"

// account is a person in the site's dialect.
func (s *Server) account(name string) map[string]any {
	out := map[string]any{"displayName": name, "active": true, "timeZone": "Etc/UTC", "self": s.url + "/rest/api/2/user?u=" + name}
	if s.opts.DataCenter {
		out["name"], out["key"] = name, name
		return out
	}
	out["accountId"], out["accountType"] = "5b10ac8d82e05b22cc7d-"+name, "atlassian"
	return out
}

func (s *Server) commentJSON(i *issue, c *Comment) map[string]any {
	return map[string]any{
		"self": s.url + "/rest/api/2/issue/" + i.key + "/comment/" + c.ID, "id": c.ID, "body": c.Body,
		"author": s.account(c.Author), "updateAuthor": s.account(c.Author),
		"created": c.Created.Format(timeLayout), "updated": c.Updated.Format(timeLayout),
	}
}

func (s *Server) issueJSON(i *issue) map[string]any {
	kind := "software"
	if i.ServiceDesk {
		kind = "service_desk"
	}
	f := map[string]any{
		"summary": i.Summary, "description": orNull(i.Description), "environment": orNull(i.Environment),
		"labels": append([]string{}, i.Labels...), "components": named(i.Components),
		"status": map[string]any{"name": "To Do"}, "resolution": nil, "security": nil,
		"reporter": s.account(i.Reporter), "creator": s.account(i.Reporter),
		"created": i.created.Format(timeLayout), "updated": i.updated.Format(timeLayout),
		"issuetype": map[string]any{"name": "Bug", "subtask": false},
		"project":   map[string]any{"key": i.project, "name": i.project, "projectTypeKey": kind},
	}
	if i.Security != "" {
		f["security"] = map[string]any{"id": "1", "name": i.Security}
	}
	if i.Garbled {
		f["summary"] = []string{i.Summary}
	}
	id := strconv.FormatInt(i.id, 10)
	return map[string]any{"id": id, "self": s.url + "/rest/api/2/issue/" + id, "key": i.key, "fields": f}
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func named(names []string) []any {
	out := make([]any, 0, len(names))
	for _, n := range names {
		out = append(out, map[string]any{"name": n})
	}
	return out
}
