package jiratest

import "net/http"

// Component is a part of a project.
type Component struct{ Name, Description string }

// SetComponents says what the components of a project are; it need not have issues.
func (s *Server) SetComponents(project string, list ...Component) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.components[project] = list
}

func (s *Server) listComponents(w http.ResponseWriter, r *http.Request) {
	project := r.PathValue("project")
	parts, ok := s.components[project]
	if !ok && s.numbers[project] == 0 {
		refuse(w, http.StatusNotFound, "No project could be found with key '"+project+"'.")
		return
	}
	list := make([]any, 0, len(parts))
	for i, c := range parts {
		part := map[string]any{"id": 20_000 + i, "name": c.Name, "project": project}
		if c.Description != "" {
			part["description"] = c.Description
		}
		list = append(list, part)
	}
	answer(w, http.StatusOK, list)
}
