package endpoints

import "testing"

func TestJavaOwnAnnotations(t *testing.T) {
	t.Parallel()
	webApp{"annotations of the application", map[string]string{
		"a/src/main/java/ReadJson.java": "@Target(METHOD) @RequestMapping(method = RequestMethod.GET, produces = \"application/json\") public @interface ReadJson { @AliasFor(annotation = RequestMapping.class) String[] value() default {}; }",
		"a/src/main/java/Save.java":     "@PostMapping(\"/save\") @interface Save { }",
		"a/src/main/java/V1.java":       "@RequestMapping(V1.ROOT) public @interface V1 { String ROOT = \"/api/v1\"; }",
		"a/src/main/java/C.java":        "@V1 @RestController class C { @ReadJson(\"/one\") A a() {} @Save A b() {} @Cached(\"/no\") A c() {} @ReadJson @Override A d() {} }",
		"b/src/main/kotlin/K.kt":        "@DeleteMapping annotation class Gone(val value: String)\n@RestController @RequestMapping(\"/k\") class K { @Gone(\"x\") fun a() {} }",
	}, `
GET /api/v1
GET /api/v1/one
POST /api/v1/save
DELETE /k/x
`}.check(t)
}
