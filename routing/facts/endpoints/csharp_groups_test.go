package endpoints

import "testing"

func TestCSharpGroupsAndAttributes(t *testing.T) {
	t.Parallel()
	for _, c := range []webApp{
		{"classes of an interface, found by reflection", map[string]string{
			"Web/IMapsV1.cs": "public interface IMapsV1 { static abstract void Map(RouteGroupBuilder group); }",
			"Web/IMapsV2.cs": "public interface IMapsV2 { static abstract void Map(RouteGroupBuilder group); }",
			"Web/Orders.cs":  "public class Orders : IMapsV1 { public static void Map(RouteGroupBuilder group) { group.MapGet(\"/orders\", () => 1).RequireAuthorization(); group.MapPut(\"orders/{id}\", X); } }",
			"Web/Bills.cs":   "public record Bills : IMapsV2 { public static void Map(RouteGroupBuilder group) { group.MapPost(\"/bills\", () => 1); } public static void Also(RouteGroupBuilder group, string x) { group.MapGet(\"/also\", X); } }",
			"Web/Setup.cs": `public static class Setup {
				static void AddV1(WebApplication app, bool cors) {
					var all = types.Where(t => t.ImplementedInterfaces.Contains(typeof(IMapsV1)));
					var group = app.MapGroup("/api/v1").AddEndpointFilter<F>();
					foreach (var e in all) e.GetMethod(nameof(IMapsV1.Map))!.Invoke(null, [group]);
					Bills.Also(group, "x");
				}
				static void AddV2(WebApplication app) {
					var all = app.Services.GetRequiredService<IEnumerable<IMapsV2>>();
					var group = app.MapGroup("/api/v2");
				}
			}`,
		}, `
GET /api/v1/also
GET /api/v1/orders
PUT /api/v1/orders/{id}
POST /api/v2/bills
`},
		{"a group or the application", map[string]string{
			"Web/IEndpoint.cs": "public interface IEndpoint { void MapEndpoint(IEndpointRouteBuilder app); }",
			"Web/Get.cs":       "class Get : IEndpoint { public void MapEndpoint(IEndpointRouteBuilder app) { app.MapGet(\"todos\", () => 1); } }",
			"Web/Ext.cs": `static class Ext {
				public static IApplicationBuilder MapEndpoints(this WebApplication app, RouteGroupBuilder? routeGroup = null) {
					IEnumerable<IEndpoint> endpoints = app.Services.GetRequiredService<IEnumerable<IEndpoint>>();
					IEndpointRouteBuilder builder = routeGroup is null ? app : routeGroup;
					foreach (IEndpoint endpoint in endpoints) { endpoint.MapEndpoint(builder); }
					return app;
				}
				public static RouteGroupBuilder MapVersion(this WebApplication app) { return app.MapGroup("/v3"); }
			}`,
			"Web/Program.cs": "var app = b.Build();\nRouteGroupBuilder group = app.MapGroup(\"api\");\napp.MapEndpoints(group);\nvar three = app.MapVersion();\nthree.MapDelete(\"/x\", () => 1);\nShop.Register(three);\n",
			"Web/Shop.cs":    "static class Shop { public static void Register(IEndpointRouteBuilder routes) { routes.MapPatch(\"/shop\", X); } }",
		}, `
GET /api/todos
PATCH /v3/shop
DELETE /v3/x
`},
		{"own attributes", map[string]string{
			"Web/ApiRoute.cs": "public class ApiRouteAttribute : Microsoft.AspNetCore.Mvc.RouteAttribute { const string Root = \"api/\"; public ApiRouteAttribute(string t) : base(Root + t) { } public ApiRouteAttribute() : base(\"api/[controller]\") { } }",
			"Web/Deep.cs":     "public class V2RouteAttribute(string rest = \"[controller]\") : ApiRouteAttribute($\"v2/{rest}\");\npublic sealed class V1Attribute(string t = \"[controller]\") : ApiRouteAttribute($\"v1/{t}\") { }",
			"Web/Verb.cs":     "public class ReadAttribute : HttpGetAttribute { public ReadAttribute(string t) : base(\"read/\" + t) {} public ReadAttribute() {} }",
			"Web/A.cs":        "[ApiController, ApiRoute(\"orders\")] public class AController : ControllerBase { [HttpGet(\"{id}\")] public IActionResult One() {} [Read(\"x\")] public IActionResult X() {} [Authorize(\"y\")] [HttpPost] public int Y() {} }",
			"Web/B.cs":        "[ApiRoute] public class BillsController : ControllerBase { [HttpPut] public int Z() {} }",
			"Web/C.cs":        "[V1] public class CarsController : ControllerBase { [HttpDelete(\"[action]\")] public int Gone() {} }",
		}, `
DELETE /api/v1/Cars/Gone
GET /api/orders/read/x
GET /api/orders/{id}
POST /api/orders
PUT /api/Bills
`},
		{"words of names", map[string]string{
			"Web/Program.cs": "services.AddControllers(o => o.Conventions.Add(new RouteTokenTransformerConvention(new Slug())));",
			"Web/O.cs":       "[ApiController][Route(\"api/v{version:apiVersion}/[controller]\")] public class OrderItemsController : ControllerBase { [HttpGet(\"[action]\")] public int ByName() {} }",
		}, `
GET /api/v{version}/order-items/by-name
`},
		{"static names", map[string]string{
			"Web/R.cs": "static class Routes { public const string Orders = \"api/orders\"; }\nstatic class Others { public const string Orders = \"wrong\"; }",
			"Web/C.cs": "using static Web.Routes;\n[Route(Orders)] public class C : ControllerBase { [HttpGet] public int A() {} }",
		}, `
GET /api/orders
`},
	} {
		c.check(t)
	}
}
