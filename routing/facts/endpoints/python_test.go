package endpoints

import "testing"

func TestPython(t *testing.T) {
	t.Parallel()
	for _, c := range []webApp{
		{"fastapi", map[string]string{
			"backend/app/main.py": `
from fastapi import FastAPI
from app.api import router as api_router
from app.config import settings
app = FastAPI()
app.include_router(api_router, prefix=settings.API_V1)
sub = FastAPI()
app.mount("/sub", sub)

@sub.get("/deep")
def deep(): ...

@app.get("/")
async def root():
    client.get("/no")
    return requests.post("/no")
`,
			"backend/app/config.py":       "class Settings:\n    API_V1: str = \"/api/v1\"\nsettings = Settings()\n",
			"backend/app/api/__init__.py": "from fastapi import APIRouter\nfrom . import users\nfrom .items import router as items\nrouter = APIRouter()\nrouter.include_router(users.router, prefix='/users', tags=['u'])\nfor r in (items,):\n    router.include_router(r)\n",
			"backend/app/api/users.py": `
from fastapi import APIRouter
router = APIRouter(tags=["x"])
ME = "/me"

@router.get(
    ME,
    response_model=User,
)
def me(): pass

@router.api_route("/{user_id:int}/", methods=["PUT", "PATCH"])
@cached
def put(user_id: int): pass

router.add_api_route("/all", all_users, methods=["DELETE"])
`,
			"backend/app/api/items.py":  "from fastapi import APIRouter\nrouter = APIRouter(prefix='/items')\n@router.post('')\ndef add(): ...\n",
			"backend/tests/test_app.py": "@app.get('/test')\ndef t(): ...\n",
		}, `
GET /
GET /sub/deep
GET /api/v1/users/me
PUT /api/v1/users/{user_id}
PATCH /api/v1/users/{user_id}
DELETE /api/v1/users/all
POST /api/v1/items
`},
		{"flask", map[string]string{
			"web/__init__.py": `
from flask import Flask
def create_app():
    app = Flask(__name__)
    from web.shop import bp
    app.register_blueprint(bp, url_prefix="/shop")
    from web.admin import bp as admin
    app.register_blueprint(admin)
    app.add_url_rule("/view/<int:id>", view_func=Item.as_view("item"))
    from web.rest import api_bp
    app.register_blueprint(api_bp)
    return app

class Item(MethodView):
    def get(self, id): ...
    def delete(self, id): ...
`,
			"web/shop.py":  "from flask import Blueprint\nbp = Blueprint('shop', __name__, url_prefix='/dropped')\n@bp.route('/buy/<path:what>', methods=['GET', 'POST'])\n@login_required\ndef buy(what): ...\n@bp.route('/')\ndef index(): ...\n",
			"web/admin.py": "from flask import Blueprint\nbp = Blueprint('admin', __name__, url_prefix='/admin')\n@bp.post('/x')\ndef x(): ...\n@bp.before_request\ndef b(): ...\n@bp.errorhandler(404)\ndef e(): ...\n",
			"web/rest.py": `
from flask import Blueprint
from flask_restx import Api, Namespace, Resource
api_bp = Blueprint("api", __name__, url_prefix="/api")
api = Api(api_bp)
ns = Namespace("cats")
api.add_namespace(ns, "/kittens")
dogs = api.namespace("dogs", path="/dogs")

@ns.route("/", "/all")
class Cats(Resource):
    @ns.doc("x")
    def get(self): ...
    def post(self): ...

@dogs.route("/<id>")
class Dog(Resource):
    def put(self, id): ...

class Bird(Resource):
    def get(self): ...
api.add_resource(Bird, "/birds", "/birds/<id>", endpoint="b")
`,
		}, `
GET /shop/buy/{what}
POST /shop/buy/{what}
GET /shop
POST /admin/x
GET /view/{id}
DELETE /view/{id}
GET /api/kittens
POST /api/kittens
GET /api/kittens/all
POST /api/kittens/all
PUT /api/dogs/{id}
GET /api/birds
GET /api/birds/{id}
`},
		{"blueprints in a list that is handed on", map[string]string{
			"w/factory.py": "from flask import Flask\nVERSION = 2\ndef register(app, blueprints):\n    session.mount('https://', adapter)\n    for blueprint in blueprints:\n        app.register_blueprint(blueprint, url_prefix=f'/api/{VERSION}')\n",
			"w/views.py":   "from flask import Blueprint\nmod = Blueprint('a', __name__)\n@mod.route('/keys')\ndef keys(): ...\n",
		}, `
GET /api/2/keys
`},
		{"django, lists added up", map[string]string{
			"urls.py": "first = [path('a/', v)]\nsecond = first + [path('b/', v)]\nif X:\n    second.append(path('c/', v))\n    second.extend([path('d/', v)])\nurlpatterns = [path('x/', include(second))]\n",
		}, `
 /x/a
 /x/b
 /x/c
 /x/d
`},
		{"django", map[string]string{
			"site/config/settings.py": "ROOT_URLCONF = 'config.urls'\n",
			"site/config/urls.py": `
from django.urls import include, path, re_path
from django.utils.translation import gettext_lazy as _
from shop import views
from shop.api import router
inner = [path("deep/", views.deep)]
urlpatterns = [
    path("admin/", admin.site.urls),
    path("shop/", include(("shop.urls", "shop"), namespace="s")),
    path("api/", include(router.urls)),
    path("inner/", include(inner)),
    re_path(r"^old/(?P<year>[0-9]{4})/(?:page-(\d+)/)?$", views.old),
    path(_("about/"), views.about),
    # path("no/", views.no),
]
if settings.DEBUG:
    urlpatterns += i18n_patterns(path("debug/", views.debug), path("x/", include("gone.urls")))
`,
			"site/shop/urls.py":  "from django.urls import path\nfrom . import views\napp_name = 's'\nurlpatterns = [path('', views.List.as_view()), path('<slug:name>/', views.one)]\n",
			"site/other/urls.py": "urlpatterns = [path('unreached/', v)]\n",
			"site/shop/api.py": `
from rest_framework import routers, viewsets
from .views import OrderViewSet
router = routers.DefaultRouter()
router.register(r"orders", OrderViewSet, basename="order")
router.register("logs", LogViewSet)

class LogViewSet(mixins.ListModelMixin, viewsets.GenericViewSet):
    pass
`,
			"site/shop/views.py": `
from rest_framework import viewsets
from rest_framework.decorators import action
class OrderViewSet(viewsets.ModelViewSet):
    lookup_field = "slug"
    @action(detail=True, methods=["post"], url_path="pay-now")
    def pay(self, request, slug): ...
    @action(detail=False)
    def recent(self, request): ...
`,
		}, `
 /admin
 /shop
 /shop/{name}
GET /api/orders
POST /api/orders
GET /api/orders/{slug}
PUT /api/orders/{slug}
PATCH /api/orders/{slug}
DELETE /api/orders/{slug}
POST /api/orders/{slug}/pay-now
GET /api/orders/recent
GET /api/logs
 /inner/deep
 /old/{year}
 /about
 /debug
`},
	} {
		c.check(t)
	}
}

func TestPyRegex(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`^a/(?P<id>\d+)/$`: "a/{id}/", `^a/([^/]+)/b\.json$`: "a/{param}/b.json", `^a/?$`: "a/", `(?:x/)?b`: "b", `(?P<a>(x|y))`: "{a}", `(`: "{param}", `[`: "", `a.*`: "a", `\`: `\`, `(?i)a`: "a",
	} {
		if got := pyRegex(in); got != want {
			t.Errorf("pyRegex(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzPython(f *testing.F) {
	for _, s := range []string{
		"from flask import *\na = Blueprint()\na.register_blueprint(a)\n@a.route('/x', methods=[", "from a import a\na = APIRouter(prefix=a)\na.include_router(a)\n@a.get(f'{a}')\ndef x(): pass",
		"urlpatterns = [path('a', include('a')), *urlpatterns, url(r'^(?P<a', include([", "ROOT_URLCONF = 'a'\nurlpatterns = urlpatterns + [path('x', include(urlpatterns))]", "router = NestedRouter(router, 'a', lookup='b')\nrouter.register('x', A)\nclass A(A):\n @action(\n def a",
		"for x in [a, b]:\n app.include_router(x.y, prefix='/' '/')", "a.b.c.d.add_url_rule(", "class A(\n", "from . import (a, b",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(_ *testing.T, in []byte) {
		r := newPython()
		for _, file := range []string{"a.py", "b/__init__.py", "b/urls.py"} {
			r.read(file, in)
		}
		r.found()
	})
}
