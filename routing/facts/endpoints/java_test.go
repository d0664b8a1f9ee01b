package endpoints

import "testing"

func TestJava(t *testing.T) {
	t.Parallel()
	for _, c := range []webApp{
		{"annotations, constants, interfaces", map[string]string{
			"shop/src/main/java/a/Paths.java": `package a; public final class Paths { public static final String BASE = "/api"; static final String ORDERS = BASE + "/orders"; }`,
			"shop/src/main/java/a/OrderController.java": `
package a;
@RestController
@RequestMapping(path = {Paths.ORDERS, "/old"})
public class OrderController extends Common implements OrderApi {
  private static final String ONE = "/{id:[0-9]+}";
  // @GetMapping("/no")
  @GetMapping(ONE) public Order one(@PathVariable("id") long id) { return call(x -> { return x; }); }
  @RequestMapping(value = "/{id}", method = {RequestMethod.PUT, RequestMethod.PATCH}) Order put() { return null; }
  @PostMapping(consumes = "a/b") public <T> List<Map<String, T>> create(@RequestBody T t) { return null; }
  @GetMapping(Elsewhere.UNKNOWN) void no() {}
  @Override public void search() {}
}`,
			"shop/src/main/java/a/OrderApi.java":               `package a; interface OrderApi { @GetMapping("/search") void search(); }`,
			"shop/src/main/java/a/Common.java":                 `package a; abstract class Common { @DeleteMapping("{id}/cache") void drop() {} }`,
			"shop/src/main/java/a/BillClient.java":             `package a; @FeignClient("bills") interface BillClient { @GetMapping("/bills") void all(); }`,
			"shop/src/main/java/a/Admin.java":                  `package a; @RestController @RequestMapping("/admin") @interface Admin {}`,
			"shop/src/main/java/a/Users.java":                  `package a; @Admin class Users { @RequestMapping("users") void users() {} }`,
			"shop/src/test/java/a/ATest.java":                  `@RestController class ATest { @GetMapping("/test") void t() {} }`,
			"shop/src/main/resources/application.yml":          "server:\n  port: 1\n  servlet:\n    context-path: /shop # here\n---\nserver:\n  servlet:\n    context-path: /no\n",
			"pay/src/main/java/b/Pay.java":                     `@RestController class Pay { @GetMapping("${pay.base:/pay}/all") void a() {} @GetMapping("${unknown}/x") void b() {} }`,
			"pay/src/main/java/b/Config.java":                  `class Config { void c(PathMatchConfigurer c) { c.addPathPrefix("/v1", t -> t.isAnnotationPresent(RestController.class)); } }`,
			"pay/src/main/java/b/PayIT.java":                   `@RestController class PayIT { @GetMapping("/it") void a() {} }`,
			"pay/src/main/resources/application-dev.yml":       "server:\n  servlet:\n    context-path: /dev\n",
			"stock/src/main/java/c/Stock.java":                 `@Path("/stock") public class Stock { @GET @Path("{id}") public S one() {} @POST public void add() {} @Path("sub") public Sub sub() {} }`,
			"stock/src/main/java/c/App.java":                   `@ApplicationPath("rest") public class App extends Application {}`,
			"stock/src/main/java/c/Remote.java":                `@RegisterRestClient @Path("/remote") interface Remote { @GET void x(); }`,
			"mn/src/main/java/d/Hello.java":                    `import io.micronaut.http.annotation.*; @Controller("/hello") class Hello { @Get("/{name}") String h() {} @Post String p() {} }`,
			"flow/src/main/java/e/Routes.java":                 `class Routes { RouterFunction<R> r() { return nest(path("/f"), route(GET("/a"), h::a).andRoute(POST("/b").and(accept(X)), h::b)); } RouterFunction<R> s() { return route().path("/g", b -> b.GET("/c", h::c).nest(accept(J), d -> d.DELETE("", h::d))).build(); } }`,
			"kt/src/main/kotlin/Api.kt":                        "package k\nconst val V = \"/v2\"\n@RestController\n@RequestMapping(\"$V/cars\")\nclass Api(private val s: S) : Base() {\n  companion object { const val ID: String = \"/{id}\" }\n  @GetMapping(ID) fun one(@PathVariable id: String): Mono<A> = s.one(id)\n  @PostMapping(value = [\"\", \"/new\"])\n  suspend fun add(@RequestBody a: A) {}\n}\n",
			"kt/src/main/kotlin/Router.kt":                     "class R { fun r() = coRouter {\n \"/k\".nest {\n  GET(\"/a\", h::a)\n  accept(J).nest { PUT(\"/b\") { ok() } }\n }\n}\n}",
			"kt/src/main/kotlin/Plain.kt":                      "data class Plain(val a: String)\nfun GetMapping(x: String) {}\n",
			"kt/src/main/kotlin/binary.kt":                     "\x00\xff@GetMapping(\"/bin\")",
			"kt/build/generated/openapi/src/main/java/Gen.txt": `@GetMapping("/gen")`,
		}, `
DELETE /shop/api/orders/{id}/cache
GET /shop/api/orders/search
GET /shop/api/orders/{id}
PATCH /shop/api/orders/{id}
PUT /shop/api/orders/{id}
POST /shop/api/orders
DELETE /shop/old/{id}/cache
GET /shop/old/search
GET /shop/old/{id}
PATCH /shop/old/{id}
PUT /shop/old/{id}
POST /shop/old
 /shop/admin/users
GET /v1/pay/all
GET /rest/stock/{id}
POST /rest/stock
GET /hello/{name}
POST /hello
GET /f/a
POST /f/b
GET /g/c
DELETE /g
GET /v2/cars/{id}
POST /v2/cars
POST /v2/cars/new
GET /k/a
PUT /k/b
`},
	} {
		c.check(t)
	}
}

func FuzzJava(f *testing.F) {
	for _, s := range []string{
		`@RestController class A extends A { @GetMapping({"a", B}) void a(`, `@Path("x") interface A { @GET`, `RouterFunction nest(path("/a"), GET("/b"`,
		"class A : A { @GetMapping([\"$A\"", "addPathPrefix(\"/a\", RestController", "a:\n  b:\n c: ${a.b", `class A { String A = A + A; @GetMapping(A) void a(){} }`, "router { \"/a\".nest { GET(",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(_ *testing.T, in []byte) {
		r := newJava()
		for _, file := range []string{"src/main/A.java", "src/main/B.kt", "src/main/resources/application.yml", "src/main/resources/application.properties"} {
			r.read(file, in)
		}
		r.found()
	})
}
