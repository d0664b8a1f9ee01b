package endpoints

import "testing"

func TestCSharp(t *testing.T) {
	t.Parallel()
	for _, c := range []webApp{
		{"attributes", map[string]string{
			"Api/OrdersController.cs": `
namespace Shop.Api;
[ApiController]
[Route("api/[controller]")]
public class OrdersController(IStore store) : BaseController
{
    private const string One = "{id:int}";
    [HttpGet] public async Task<ActionResult<List<Order>>> All() => Ok(await store.All());
    [HttpGet(One, Name = "one")]
    public IActionResult One([FromRoute] int id) { var rows = new[] { 1 }; return Ok(rows[0]); }
    [HttpPost("[action]")] public Task<Order> CancelAsync() { return null; }
    [Route("~/ping"), HttpHead] public void Ping() {}
    [HttpPut, Route("{id?}")] public void Put() {}
    // [HttpGet("no")]
    [NonAction] public IActionResult Not() { return null; }
    [AcceptVerbs("GET", "POST", Route = "x")] IActionResult Accept() { return null; }
}`,
			"Api/BaseController.cs": `[Authorize, Route("base/[controller]")] public abstract class BaseController : ControllerBase { [HttpDelete("all")] public void Clear() {} }`,
			"Api/CartController.cs": `public class CartController : BaseController { [HttpGet("/cart")] public void A() {} [HttpPatch(Name = "b")] public void B() {} }`,
			"Api/Helper.cs":         `public class Helper { [HttpGet("no")] public void A() {} }`,
			"Api.Tests/XTests.cs":   `public class XController : Controller { [HttpGet("test")] public void A() {} }`,
		}, `
GET /api/Orders
POST /api/Orders
GET /api/Orders/{id}
PUT /api/Orders/{id}
POST /api/Orders/Cancel
HEAD /ping
DELETE /api/Orders/all
GET /cart
PATCH /base/Cart
DELETE /base/Cart/all
`},
		{"minimal, groups across methods", map[string]string{
			"src/Program.cs": `
var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();
var api = app.MapGroup("/api");
api.MapOrders();
app.MapGet("/", () => "hi");
app.MapMethods("/m", new[] { "PUT", "PATCH" }, (int x) => x);
var users = api.MapGroup("/users").RequireAuthorization();
users.MapDelete("{id:guid}", async Task<Results<Ok, NotFound>> (Guid id) => { return null; });
users.MapGroup("/a").MapGroup("b").MapPost("c", Handler).WithName("c");
`,
			"src/Orders.cs": `
public static class Orders {
  const string Root = "orders";
  public static RouteGroupBuilder MapOrders(this IEndpointRouteBuilder routes) {
    var g = routes.MapGroup($"/{Root}");
    g.MapGet("/{id}", Get);
    g.MapPut("/", async Task<Results<Ok<X>, NotFound>> (X x) => { dictionary.Map(x); return null; });
    return g;
  }
}`,
			"src/Fast.cs": `class Create : Endpoint<Req, Res> { public override void Configure() { Post("/fast/create"); AllowAnonymous(); } }`,
		}, `
GET /
PUT /m
PATCH /m
DELETE /api/users/{id}
POST /api/users/a/b/c
GET /api/orders/{id}
PUT /api/orders
POST /fast/create
`},
		{"conventional", map[string]string{
			"Web/Startup.cs":                `app.UseEndpoints(e => { e.MapControllerRoute(name: "default", pattern: "{controller=Home}/{action=Index}/{id?}"); });`,
			"Web/Controllers/Home.cs":       `public class HomeController : Controller { public IActionResult Index() => View(); [HttpPost] public async Task<IActionResult> Save(M m) { return View(); } private IActionResult No() { return null; } public int Count() { return 1; } }`,
			"Other/Controllers/Controls.cs": `public class ControlsController : Controller { public IActionResult Index() => View(); }`,
		}, `
 /Home/Index
POST /Home/Save
`},
	} {
		c.check(t)
	}
}

func FuzzCSharp(f *testing.F) {
	for _, s := range []string{
		`[Route("a")] class A : A { [HttpGet($"{A}")] public void A(`, `var a = a.MapGroup("/a"); a.MapGet("/b", x)`, `class A { void MapA(this X a) { a.MapA(); a.MapGroup("b").MapGet("c", d); } }`,
		`[[[HttpGet`, `class A : Endpoint { void Configure() { Get(`, `a<b<c>>(`, `).MapGet("a", b)`, `e.MapControllerRoute("{controller}/{action`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(_ *testing.T, in []byte) {
		r := newCSharp()
		r.read("a/A.cs", in)
		r.read("a/B.cs", append([]byte("public class BController : A { public IActionResult X() {} \n"), in...))
		r.found()
	})
}
