package endpoints

import "testing"

// TestGoInlined holds what is followed call by call: a route of one caller must not
// get the prefix of another.
func TestGoInlined(t *testing.T) {
	t.Parallel()
	checkApps(t, []appCase{
		{"a function builds a prefix of its parameter", `-- a.go --
package a
import "github.com/go-chi/chi/v5"
func routes(api *API) {
	r := chi.NewRouter()
	r.Route("/v1", func(r chi.Router) {
		api.readOnly(r, "/boats")
		api.crud(r, "/crews", true)
	})
	r.Get("/health", ok)
}
func (api *API) readOnly(r chi.Router, at string) { api.crud(r, at, false) }
func (api *API) crud(r chi.Router, at string, writable bool) {
	r.Route(at, func(r chi.Router) {
		r.Get("/", list)
		if writable {
			r.Post("/", add)
		}
		r.Route("/{id}", func(r chi.Router) {
			r.Get("/", one)
			if !writable { return } else { r.Put("/", put) }
		})
	})
}
`, []string{"GET /health", "GET /v1/boats", "GET /v1/boats/{id}", "GET /v1/crews", "POST /v1/crews", "GET /v1/crews/{id}", "PUT /v1/crews/{id}"}},
		{"a wrapper of groups", `-- web/router.go --
package web
import "github.com/labstack/echo/v4"
type Router struct { *echo.Group }
func Wrap(g *echo.Group) *Router { return &Router{Group: g} }
func (r *Router) Sub(prefix string) *Router { return Wrap(r.Group.Group(prefix)) }
func (r *Router) GET(path string, h Handler) { r.Group.GET(path, adapt(h)) }
func (r *Router) Pages() { r.GET("/page", page) }
-- web/server.go --
package web
import "github.com/labstack/echo/v4"
func start() {
	e := echo.New()
	r := Wrap(e.Group(""))
	r.GET("/", home)
	admin := r.Sub("/admin")
	{
		admin.GET("/users", users)
		jobs := admin.Sub("/jobs")
		jobs.GET("/:id", job)
		jobs.Pages()
	}
	gists(r.Sub("/gists"))
}
func gists(r *Router) { r.GET("/mine", mine) }
`, []string{"GET /", "GET /admin/users", "GET /admin/jobs/{id}", "GET /admin/jobs/page", "GET /gists/mine"}},
		{"functions that give back a group", `-- a.go --
package a
import "github.com/gin-gonic/gin"
func routes() {
	r := gin.New()
	signedIn(r.Group("/a")).GET("/x", h)
	signedIn(r.Group("/b")).GET("/y", h)
}
func signedIn(g *gin.RouterGroup) *gin.RouterGroup { return g.Group("", auth) }
`, []string{"GET /a/x", "GET /b/y"}},
		{"a router from another module", `-- router/router.go --
package router
import ("example.org/app/api/tills"; "example.org/toolkit"; "github.com/gin-gonic/gin")
func Init() {
	r := toolkit.GetEngine()
	r.GET("/healthz", ok)
	api := r.Group("/api", middle())
	{
		open := api.Group("/", gin.Logger())
		{
			tills.Init(open)
		}
	}
	log := toolkit.Logger()
	log.Group("/not/a/router")
}
-- api/tills/router.go --
package tills
import "github.com/gin-gonic/gin"
func Init(r *gin.RouterGroup) { r.GET("tills", list); r.POST("tills/:id/close", shut) }
`, []string{"GET /healthz", "GET /api/tills", "POST /api/tills/{id}/close"}},
		{"a command mounts what other packages serve", `-- paths/paths.go --
package paths
const Native = "/native"
-- srv/server.go --
package srv
import ("net/http"; "path"; "github.com/go-chi/chi/v5")
type Server struct { router chi.Router }
func New() *Server { s := &Server{}; s.router = chi.NewRouter(); return s }
func (s *Server) MountRouter(what, at string, sub http.Handler) {
	at = path.Join(base(), at)
	s.router.Group(func(r chi.Router) { r.Mount(at, sub) })
}
-- native/api.go --
package native
import ("net/http"; "github.com/go-chi/chi/v5")
type Router struct { http.Handler }
func New() *Router { r := &Router{}; r.Handler = r.routes(); return r }
func (n *Router) routes() http.Handler { r := chi.NewRouter(); r.Get("/songs", songs); return lower(r) }
func lower(r chi.Router) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { r.ServeHTTP(w, req) })
}
-- cmd/root.go --
package cmd
import ("example.org/x/native"; "example.org/x/paths"; "example.org/x/srv"; "github.com/spf13/cobra"; "net/http")
var root = &cobra.Command{Use: "x", RunE: func(c *cobra.Command, args []string) error { return start()() }}
func start() func() error {
	return func() error {
		s := srv.New()
		s.MountRouter("native", paths.Native, native.New())
		s.MountRouter("more", paths.Native + "/more", extra())
		return nil
	}
}
func extra() http.Handler { mux := http.NewServeMux(); mux.HandleFunc("GET /link", link); return mux }
`, []string{"GET /native/songs", "GET /native/more/link"}},
		{"closures that call themselves end", `-- a.go --
package a
import "net/http"
func f(fields ...string) {
	var walk func(any)
	walk = func(v any) { for range fields { walk(v); walk(v); walk(func() { walk(v); walk(v) }) }; walk(v) }
	walk(nil)
}
func g() { http.HandleFunc("/still/read", h) }
`, []string{"/still/read"}},
	})
}
