package endpoints

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// foundIn reads a small application, written as "-- name --" lines and text, and
// returns its endpoints as "METHOD /path".
func foundIn(app string) []string {
	r := NewReader()
	for part := range strings.SplitSeq(app, "-- ") {
		name, text, ok := strings.Cut(part, " --\n")
		if ok && r.Want(name) {
			r.Read(name, []byte(text))
		}
	}
	var all []string
	for _, f := range r.Found() {
		all = append(all, strings.TrimSpace(f.Method+" "+f.Path))
	}
	slices.Sort(all)
	return all
}

type appCase struct {
	name, app string
	want      []string
}

func checkApps(t *testing.T, cases []appCase) {
	t.Helper()
	for _, c := range cases {
		slices.Sort(c.want)
		if diff := cmp.Diff(c.want, foundIn(c.app)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestGo(t *testing.T) {
	t.Parallel()
	checkApps(t, []appCase{
		{"gin groups across packages", `-- cmd/main.go --
package main
import ("github.com/gin-gonic/gin"; "example.org/shop/internal/orders")
const base = "/api"
func main() {
	r := gin.Default()
	v1 := r.Group(base + "/v1")
	{
		v1.GET("/health", func(c *gin.Context) {})
		v1 := v1.Group("/inner")
		v1.Any("/any", h)
	}
	orders.Register(v1.Group("/orders"))
}
-- internal/orders/routes.go --
package orders
import "github.com/gin-gonic/gin"
func Register(g *gin.RouterGroup) {
	g.GET("/:id", show)
	g.Handle("PATCH", "/:id", show)
	admin(g)
}
func admin(g gin.IRouter) { g.Use(auth).DELETE("/:id/*rest", drop) }
`, []string{"GET /api/v1/health", "/api/v1/inner/any", "GET /api/v1/orders/{id}", "PATCH /api/v1/orders/{id}", "DELETE /api/v1/orders/{id}/{rest}"}},
		{"echo with fields", `-- s.go --
package s
import "github.com/labstack/echo/v4"
type Server struct{ e *echo.Echo; api *echo.Group }
func New() *Server { s := &Server{e: echo.New()}; s.api = s.e.Group("/api"); return s }
func (s *Server) routes() { s.api.GET("/a/:id", s.a); s.e.Add(echo.POST, "/b", s.b); s.api.Match([]string{"GET","PUT"}, "/c", s.c) }
`, []string{"GET /api/a/{id}", "POST /b", "GET /api/c", "PUT /api/c"}},
		{"chi nesting and mounts", `-- r.go --
package r
import ("net/http"; "github.com/go-chi/chi/v5")
func routes() http.Handler {
	r := chi.NewRouter()
	r.Route("/users", func(r chi.Router) {
		r.With(page).Get("/", list)
		r.Route("/{id:[0-9]+}", func(r chi.Router) { r.Delete("/", drop); r.Group(func(r chi.Router) { r.Put("/name", name) }) })
	})
	r.Mount("/admin", admin())
	r.Method(http.MethodPost, "/hook", hook)
	return r
}
func admin() chi.Router { r := chi.NewRouter(); r.Get("/stats", stats); return r }
`, []string{"GET /users", "DELETE /users/{id}", "PUT /users/{id}/name", "GET /admin/stats", "POST /hook"}},
		{"gorilla", `-- g.go --
package g
import "github.com/gorilla/mux"
func routes() {
	r := mux.NewRouter().StrictSlash(true)
	s := r.PathPrefix("/api").Subrouter()
	s.HandleFunc("/x/{id:[a-z]{2}}", h).Methods("GET", "HEAD")
	s.Methods("POST").Path("/y").Handler(h)
	r.PathPrefix("/static/").Handler(files)
}
`, []string{"GET /api/x/{id}", "HEAD /api/x/{id}", "POST /api/y", "/static"}},
		{"net/http and a helper", `-- h.go --
package h
import ("fmt"; "net/http")
type S struct{ mux *http.ServeMux }
func (s *S) handle(method, pattern string, f http.HandlerFunc) { s.mux.HandleFunc(method+" "+pattern, f) }
func (s *S) routes() {
	s.handle("GET", "/items/{id}", nil)
	s.mux.Handle("/plain/", other)
	s.mux.HandleFunc("GET example.org/host/{$}", f)
	sub := http.NewServeMux()
	sub.HandleFunc("POST /in", f)
	s.mux.Handle("/sub/", http.StripPrefix("/sub", sub))
	http.HandleFunc(fmt.Sprintf("%s/live", root), f)
	http.Get("/not")
	client.Post("/not", body, &out)
	for _, r := range []struct{ p string }{{"/t1"}, {"/t2"}} { s.mux.HandleFunc(r.p, f) }
}
`, []string{"GET /items/{id}", "/plain", "GET /host", "POST /sub/in", "/live", "/t1", "/t2"}},
		{"gofiber", `-- f.go --
package f
import "github.com/gofiber/fiber/v2"
func routes() { app := fiber.New(); app.Route("/a", func(r fiber.Router) { r.Get("/b/:c?", h) }); app.Group("/g", mw).Post("/h", h) }
`, []string{"GET /a/b/{c}", "POST /g/h"}},
		{"routegroup", `-- r.go --
package r
import ("net/http"; "github.com/go-pkgz/routegroup")
func routes() http.Handler {
	router := routegroup.New(http.NewServeMux())
	api := router.Mount("/api/v1")
	api.Group().Route(func(open *routegroup.Bundle) {
		open.HandleFunc("GET /config", h)
		open.Mount("/rss").Route(func(rss *routegroup.Bundle) { rss.HandleFunc("GET /post", h) })
	})
	api.With(mw).HandleFunc("POST /in/{id}", h)
	return router
}
`, []string{"GET /api/v1/config", "GET /api/v1/rss/post", "POST /api/v1/in/{id}"}},
		{"answers to what is not found are none", `-- e.go --
package e
import "github.com/labstack/echo/v4"
func routes() { e := echo.New(); e.RouteNotFound("/*", h); e.GET("/x", h) }
`, []string{"GET /x"}},
		{"tests and clients are none", `-- x_test.go --
package x
import "net/http"
func f() { http.HandleFunc("/test", h) }
-- c.go --
package x
import "net/http"
func g() { http.Get("http://a/b"); c.Delete("/k", opts); cache.Get("/k", &v) }
`, nil},
	})
}

func FuzzGo(f *testing.F) {
	f.Add("package a\nimport \"github.com/gin-gonic/gin\"\nfunc a(r gin.IRouter) { a(r.Group(\"/x\")); r.GET(\"/y\", h) }")
	f.Add("package a\nimport m \"github.com/gorilla/mux\"\nconst a = b\nconst b = a\nvar r = m.NewRouter()\nfunc f(s string) { r.Path(s + a).Methods(s).Handler(h); f(s); r.Mount }")
	f.Add("package a\nimport \"net/http\"\ntype T struct { http.Handler }\nfunc (t T) F(h http.Handler) http.Handler { t.Handler = h; return T{}.F(t.F(h)) }")
	f.Fuzz(func(_ *testing.T, text string) {
		r := newGo()
		r.read("a/b.go", []byte(text))
		r.read("a/c.go", []byte(text))
		r.found()
	})
}
