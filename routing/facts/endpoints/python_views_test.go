package endpoints

import "testing"

func TestPythonViews(t *testing.T) {
	t.Parallel()
	for _, c := range []webApp{
		{"methods of views", map[string]string{
			"shop/settings.py": "ROOT_URLCONF = 'shop.urls'\n",
			"shop/urls.py": `
from django.urls import path
from shop import views, pages
urlpatterns = [
    path("pay", views.pay),
    path("look", login_required(views.look)),
    path("cached", cache_page(60)(views.both)),
    path("own", views.own),
    path("listed", views.listed),
    path("plain", views.plain),
    path("labelled", views.labelled),
    path("rest", views.rest),
    path("class", csrf_exempt(pages.Basket.as_view())),
    path("base", pages.Child.as_view()),
    path("page", pages.Page.as_view()),
    path("generic", pages.Generic.as_view(template="x")),
    path("shut", pages.Shut.as_view()),
    path("mapped", pages.Some.as_view({"get": "list", "post": "create"})),
    path("elsewhere", imported.view),
]
`,
			"shop/views.py": `
@csrf_exempt
@require_POST
def pay(request): ...
@require_GET
def look(request): ...
@decorators.require_http_methods(["GET", "POST"])
def both(request): ...
@cross_origin("GET", "DELETE", max_age=3)
def own(request): ...
@accepts(["PUT"])
def listed(request): ...
def plain(request): ...
@label("GET", "x")
def labelled(request): ...
@api_view
def rest(request): ...
`,
			"shop/pages.py": `
class Basket(LoginRequiredMixin, View):
    def get(self, request): ...
    def delete(self, request): ...
class Base(APIView):
    def put(self, request): ...
class Child(Base):
    pass
class Page(FormView):
    def get(self, request): ...
class Generic(generics.RetrieveUpdateDestroyAPIView):
    queryset = 1
class Shut(generics.ListCreateAPIView):
    http_method_names = ["get", "head"]
`,
		}, `
POST /pay
GET /look
GET /cached
POST /cached
GET /own
DELETE /own
PUT /listed
 /plain
 /labelled
GET /rest
GET /class
DELETE /class
PUT /base
 /page
GET /generic
PUT /generic
PATCH /generic
DELETE /generic
GET /shut
GET /mapped
POST /mapped
 /elsewhere
`},
		{"view sets", map[string]string{
			"api/urls.py": `
router = routers.DefaultRouter()
router.register("a", views.Whole)
router.register("b", views.Read)
router.register("c", views.Mixed)
router.register("d", views.Odd)
router.register("e", views.Few)
urlpatterns = [path("", include(router.urls))]
from api import views
`,
			"api/views.py": `
class Whole(viewsets.ModelViewSet): ...
class Read(viewsets.ReadOnlyModelViewSet): ...
class Mixed(mixins.CreateModelMixin, mixins.UpdateModelMixin, viewsets.GenericViewSet):
    def destroy(self, request, pk): ...
class Odd(theirs.StrangeViewSet): ...
class Few(viewsets.ModelViewSet):
    http_method_names = ("get", "patch")
`,
		}, `
GET /a
POST /a
GET /a/{pk}
PUT /a/{pk}
PATCH /a/{pk}
DELETE /a/{pk}
GET /b
GET /b/{pk}
POST /c
PUT /c/{pk}
PATCH /c/{pk}
DELETE /c/{pk}
 /d
 /d/{pk}
GET /e
GET /e/{pk}
PATCH /e/{pk}
`},
		{"blueprints of functions", map[string]string{
			"web/app.py": `
from flask import Flask
from web import shop
def app_of(config):
    app = Flask(__name__)
    import web.feed as feed
    app.register_blueprint(feed.construct(config), url_prefix="/feed")
    app.register_blueprint(shop.make_bp(), url_prefix="/shop")
    made = shop.other()
    app.register_blueprint(made)
    return app
`,
			"web/feed.py": `
from flask import Blueprint
def construct(config):
    feed_bp = Blueprint("feed", __name__)
    @feed_bp.route("/rss", methods=["GET"])
    def rss():
        return 1
    return feed_bp
`,
			"web/shop.py": `
from flask import Blueprint
def make_bp():
    bp = Blueprint("shop", __name__)
    inner = Blueprint("inner", __name__, url_prefix="/inner")
    @inner.post("/deep")
    def deep(): ...
    bp.register_blueprint(inner)
    @bp.route("/buy")
    def buy(): ...
    return bp
def other():
    bp = Blueprint("other", __name__, url_prefix="/other")
    @bp.delete("/x")
    def x(): ...
    return bp
`,
		}, `
GET /feed/rss
POST /shop/inner/deep
GET /shop/buy
DELETE /other/x
`},
		{"own decorators of routers", map[string]string{
			"main.py":  "from fastapi import FastAPI\nfrom conf import PREFIX\nfrom parts import router\napp = FastAPI()\napp.include_router(router, prefix=PREFIX)\n",
			"conf.py":  "PREFIX = '/api'\n",
			"other.py": "PREFIX = '/wrong'\n",
			"parts.py": `
from own import APIRouter, guarded
router = APIRouter(prefix="/parts")
@guarded(router.get, "/one", [Scope.READ])
def one(): ...
@guarded(router.post, path="/two")
def two(): ...
@cached(cache.get, key="/three")
def three(): ...
`,
		}, `
GET /api/parts/one
POST /api/parts/two
`},
	} {
		c.check(t)
	}
}

func TestJavaStaticConstants(t *testing.T) {
	t.Parallel()
	webApp{"static imports", map[string]string{
		"a/src/main/java/P.java": "class Paths { static final String BASE = \"/api/\"; static final String ORDERS = BASE + \"orders\"; }",
		"a/src/main/java/Q.java": "class Others { static final String ORDERS = \"/wrong\"; }",
		"a/src/main/java/C.java": "import static x.Paths.ORDERS;\n@RestController @RequestMapping(ORDERS) class C { @GetMapping(\"/{id}\") A a() {} }",
		"a/src/main/java/D.java": "import static x.Others.*;\n@RestController @RequestMapping(ORDERS) class D { @PutMapping A a() {} }",
		"a/src/main/java/I.java": "interface Named { String SHOP = \"/shop\"; }\nclass Else { String SHOP = \"/else\"; }",
		"a/src/main/java/E.java": "@RestController class E implements Named { @PostMapping(SHOP) A a() {} }",
		"b/src/main/kotlin/F.kt": "import x.Paths.ORDERS\n@RestController @RequestMapping(ORDERS) class F { @DeleteMapping(\"/all\") fun a() {} }",
	}, `
DELETE /api/orders/all
GET /api/orders/{id}
POST /shop
PUT /wrong
`}.check(t)
}
