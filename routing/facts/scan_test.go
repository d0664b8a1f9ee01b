package facts_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pointsman/pointsman/routing"
	"github.com/pointsman/pointsman/routing/facts"
)

// scan reads files given as path and text in turn.
func scan(t *testing.T, files ...string) facts.Facts {
	t.Helper()
	s := facts.NewScan()
	for i := 0; i+1 < len(files); i += 2 {
		if s.Want(files[i], int64(len(files[i+1]))) {
			s.Add(routing.Document{Path: files[i], Text: []byte(files[i+1])})
		}
	}
	return s.Facts()
}

func values(names []facts.Name) string {
	var out []string
	for _, n := range names {
		out = append(out, n.Value)
	}
	return strings.Join(out, " ")
}

func TestSettings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, file, text, want string }{
		{"node", "src/a.ts", "const a = process.env.DB_URL || '';\nconst { HOST_A, HOST_B = 'x' } = process.env;\nprocess.env.SET_ONLY = '1';\n// process.env.OLD\nfoo(process.env['KEY_ONE'], import.meta.env.VITE_X)", "DB_URL HOST_A HOST_B KEY_ONE VITE_X"},
		{"nest", "src/b.ts", "this.configService.get<string>('QUEUE_URL'); cfg.get('lower.case')", "QUEUE_URL"},
		{"envalid", "src/c.ts", "export default cleanEnv(process.env, { API_TOKEN: str(), WAIT_MS: num({ default: 3 }) })", "API_TOKEN WAIT_MS"},
		{"go", "a.go", "package a\nconst key = \"CELL_PORT\"\nfunc f() { os.Getenv(key); os.LookupEnv(`ORDERS_DSN`); os.Setenv(\"NOT_READ\", \"\"); mustMapEnv(&x, \"CART_ADDR\") }\ntype c struct { A string `env:\"A_NAME,required\" json:\"x\"`; B int `envconfig:\"B_NAME\"` }", "A_NAME B_NAME CART_ADDR CELL_PORT ORDERS_DSN"},
		{"java", "src/main/java/A.java", "String a = System.getenv(\"LEDGER_KEY\");\n@Value(\"${LEDGER_MODE:fast}\") String m; // System.getenv(\"GONE\")\n@Value(\"${ledger.mode}\") String n;", "LEDGER_KEY LEDGER_MODE"},
		{"spring", "src/main/resources/application.yml", "a:\n  url: ${STORE_URL:http://x}\n  # b: ${OLD_ONE}\n  c: ${user.name}\n", "STORE_URL"},
		{"python", "app/settings.py", "import os\nA = os.environ['SHOP_KEY']\nB = os.getenv(\"SHOP_MODE\", \"FAST_ONE\")\nC = get_bool_from_env('SHOP_ON', True)\nos.environ['SET_ONLY'] = 'x'\n", "SHOP_KEY SHOP_MODE SHOP_ON"},
		{"pydantic", "app/config.py", "class S(BaseSettings):\n    db_url: str\n    size: int = 3\n\nx: int\n", "DB_URL SIZE"},
		{"ruby", "app/a.rb", "ENV['MAIL_HOST']; ENV.fetch('MAIL_PORT', 'NOT_THIS') # ENV['GONE']\nenv['HTTP_X']", "MAIL_HOST MAIL_PORT"},
		{"csharp", "src/A.cs", "var a = Environment.GetEnvironmentVariable(\"BASKET_DB\"); var b = Configuration[\"BASKET_BUS\"]; var c = Configuration[\"Lower:Case\"];", "BASKET_BUS BASKET_DB"},
		{"php", "config/app.php", "<?php return ['a' => env('APP_NAME', 'X_Y'), 'b' => getenv('APP_KEY')];", "APP_KEY APP_NAME"},
		{"rust", "src/main.rs", "fn main() { std::env::var(\"NODE_RPC\"); env::set_var(\"NOT_READ\", \"1\"); }", "NODE_RPC"},
		{"sample", ".env.example", "# A=1\nexport FIRST=1\nSECOND=\n", "FIRST SECOND"},
		{"a test", "src/a.test.ts", "process.env.TEST_ONLY", ""},
		{"an example", "examples/web/a.ts", "process.env.EXAMPLE_ONLY", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := values(scan(t, c.file, c.text).EnvVars); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestCodesAndClaims(t *testing.T) {
	t.Parallel()
	f := scan(t,
		"a.ts", "import jwt from 'jsonwebtoken';\nres.status(409).send(); if (r.status === HttpStatus.GONE) {}\nthrow new HttpError(HttpStatus.LOCKED);\nthrow fail('PAY-1023');\nconst c = 'ISO-8859';\njwt.sign({ tenant: t, sub: u }, key);\nconst decoded = jwt.verify(a, key); use(decoded.scope)",
		"b.go", "import \"github.com/golang-jwt/jwt\"\nw.WriteHeader(http.StatusConflict); if c == http.StatusTeapot { }\nx := claims[\"role\"]",
		"c.py", "raise HTTPException(status_code=422)\nabort(429)",
	)
	if got := values(f.Codes); got != "409 422 423 429 PAY-1023" {
		t.Errorf("codes %q", got)
	}
	if got := values(f.Requires); got != "role scope" {
		t.Errorf("requires %q", got)
	}
	if got := values(f.Issues); got != "tenant" {
		t.Errorf("issues %q", got)
	}
}

func TestFrameworksAndPackages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, file, text, frameworks, packages string }{
		{"npm", "web/package.json", `{"name":"@acme/web","private":true,"dependencies":{"react":"1","left-pad":"1"},"devDependencies":{"vite":"5","jest":"1"}}`, "React|Vite", "@acme/web"},
		{"go", "go.mod", "module example.com/acme/till\n\nrequire (\n\tgithub.com/gin-gonic/gin v1\n\tgoogle.golang.org/grpc v1 // indirect\n)\n", "Gin", "example.com/acme/till"},
		{"maven", "a/pom.xml", `<project><parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId></parent><groupId>com.acme</groupId><artifactId>till</artifactId><dependencies><dependency><groupId>org.hibernate</groupId><artifactId>hibernate-core</artifactId></dependency><dependency><groupId>io.grpc</groupId><artifactId>grpc-x</artifactId><scope>test</scope></dependency></dependencies></project>`, "Hibernate|Spring Boot", "com.acme:till"},
		{"gradle", "build.gradle.kts", "plugins { id(\"org.springframework.boot\") version \"3\" }\ndependencies {\n  implementation(\"io.ktor:ktor-server:2\")\n  testImplementation(\"io.grpc:grpc:1\")\n}\n", "Ktor|Spring Boot", ""},
		{"nuget", "src/A.csproj", `<Project Sdk="Microsoft.NET.Sdk.Web"><PropertyGroup><PackageId>Acme.Till</PackageId></PropertyGroup><ItemGroup><PackageReference Include="MediatR" Version="1"/></ItemGroup></Project>`, "ASP.NET Core|MediatR", "Acme.Till"},
		{"pip", "requirements.txt", "Django>=4 # web\ncelery[redis]==5\n-r other.txt\n", "Celery|Django", ""},
		{"pyproject", "pyproject.toml", "[project]\nname = \"till\"\ndependencies = [\n  \"fastapi[all]>=0.1\",\n  \"sqlalchemy\",\n]\n[tool.x]\nname = \"no\"\n", "FastAPI|SQLAlchemy", "till"},
		{"poetry", "pyproject.toml", "[tool.poetry]\nname = \"till\"\n[tool.poetry.dependencies]\nflask = \"^2\"\n[tool.poetry.dev-dependencies]\ndjango = \"1\"\n", "Flask", "till"},
		{"gem", "Gemfile", "gem 'rails', '~> 7'\n# gem 'sinatra'\ngem \"sidekiq\"\n", "Rails|Sidekiq", ""},
		{"composer", "composer.json", `{"name":"acme/till","require":{"laravel/framework":"^10"}}`, "Laravel", "acme/till"},
		{"cargo", "Cargo.toml", "[package]\nname = \"till\"\n[dependencies]\naxum = \"0.7\"\n[dependencies.tokio]\nversion = \"1\"\n", "Axum|Tokio", "till"},
		{"hex", "mix.exs", "def project, do: [\n  app: :till,\n]\ndefp deps do [\n {:phoenix, \"~> 1.7\"},\n] end", "Phoenix", "till"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := scan(t, c.file, c.text)
			want := strings.Split(c.frameworks, "|")
			if diff := cmp.Diff(want, f.Frameworks); diff != "" {
				t.Error(diff)
			}
			if got := strings.Join(f.Packages, " "); got != c.packages {
				t.Errorf("packages %q, want %q", got, c.packages)
			}
		})
	}
}

func TestPackagesOfTheProduct(t *testing.T) {
	t.Parallel()
	f := scan(t,
		"libs/z/package.json", `{"name":"@shop/z"}`,
		"libs/a/core/package.json", `{"name":"@shop/a"}`,
		"package.json", `{"name":"shop"}`,
		"its/plain/pom.xml", `<project><groupId>its</groupId><artifactId>plain</artifactId></project>`,
		"core/it/package.json", `{"name":"only-a-test"}`,
		"packages/cli/templates/app/package.json", `{"name":"my-app"}`,
		"server/integration-tests/go.mod", "module example.org/tests\n",
		"libs/fixtures/package.json", `{"name":"fixture"}`,
	)
	if got := strings.Join(f.Packages, " "); got != "shop @shop/z @shop/a" {
		t.Errorf("packages %q", got)
	}
	var many []string
	for i := range 40 {
		name := string(rune('a'+i%26)) + string(rune('a'+i/26))
		many = append(many, "libs/"+name+"/package.json", `{"name":"`+name+`"}`)
	}
	if got := len(scan(t, many...).Packages); got != 30 {
		t.Errorf("%d packages, want 30", got)
	}
}

func TestWhatCannotBeReadIsListed(t *testing.T) {
	t.Parallel()
	f := scan(t, "package.json", "{", "a/pom.xml", "<project><", "README.md", "# A\n", "sub/README.md", "no", "CODEOWNERS", "* @a", ".github/CODEOWNERS", "* @b")
	var failed []string
	for _, x := range f.Failures {
		failed = append(failed, x.Path)
	}
	if !slices.Equal(failed, []string{"package.json", "a/pom.xml"}) {
		t.Errorf("failures %v", f.Failures)
	}
	if string(f.Readme) != "# A\n" || string(f.Codeowners) != "* @b" || f.Catalog != nil {
		t.Errorf("readme %q, codeowners %q, catalog %q", f.Readme, f.Codeowners, f.Catalog)
	}
}

func TestWantLeavesOutWhatNobodyWrote(t *testing.T) {
	t.Parallel()
	s := facts.NewScan()
	for _, p := range []string{"node_modules/a/index.js", "vendor/x/a.go", "a.min.js", "logo.png", "package-lock.json", "src/test/java/A.java", "notes.txt", "empty.go"} {
		size := int64(100)
		if p == "empty.go" {
			size = 0
		}
		if s.Want(p, size) {
			t.Errorf("%s is wanted", p)
		}
	}
	if s.Want("big.go", 1<<20+1) {
		t.Error("a file of more than a mebibyte is wanted")
	}
	if got := len(s.Facts().Paths); got != 9 {
		t.Errorf("%d paths, want all 9", got)
	}
}

func TestOddBytes(t *testing.T) {
	t.Parallel()
	utf16 := "\xff\xfe"
	for _, r := range "var a = Environment.GetEnvironmentVariable(\"WIDE_ONE\");" {
		utf16 += string([]byte{byte(r), 0})
	}
	f := scan(t, "A.cs", utf16, "b.py", "# caf\xe9\nos.getenv('LATIN_ONE')\n", "c.js", "\x00\x01process.env.BINARY")
	if got := values(f.EnvVars); got != "LATIN_ONE WIDE_ONE" {
		t.Errorf("got %q", got)
	}
}

func FuzzScan(f *testing.F) {
	paths := []string{
		"a.ts", "a.go", "A.java", "a.py", "a.rb", "A.cs", "a.php", "a.rs", "package.json", "pom.xml", "build.gradle", "go.mod", "pyproject.toml", "setup.cfg",
		"A.csproj", "Gemfile", "mix.exs", "pubspec.yaml", "application.yml", ".env.example", "README.md", "Cargo.toml", "requirements.txt", "setup.py", "a.kt",
	}
	f.Add(uint8(0), []byte("const {A,B} = process.env; jwt.sign({a, b: 1}); kafka.send({topic: `x`"))
	f.Add(uint8(1), []byte("kafka.Message{Topic: \"a\", nats os.Getenv(\"A\") `env:\"X\"` claims[\"a\"]"))
	f.Add(uint8(2), []byte("kafka @KafkaListener(topics = {\"${a:b}\", X}) @Value(\"${A:1}\")"))
	f.Add(uint8(3), []byte("class S(BaseSettings):\n    env_prefix = \"x\"\n    a: int\nos.environ['"))
	f.Add(uint8(18), []byte("a:\n  b: ${X:${Y}}\n c: ${\n"))
	f.Add(uint8(0), []byte("const s = {A_B: str()}; cleanEnv(process.env, s); z.object({C_D: 1}); enum X { A = 'b', } client.emit(X.A)"))
	f.Add(uint8(1), []byte("package a\ntype A struct { X A `envPrefix:\"A_\"`; Y *A `envPrefix:\"B_\"`; Z string `env:\"Q\"` }\nfunc f() { viper.SetEnvPrefix(\"a\"); viper.BindEnv(\"b\") }"))
	f.Add(uint8(3), []byte("class T(Enum):\n  A = \"b\"\nwith env.prefixed('A_'):\n  env.str('B_C')\nclass M(Message):\n    topic = \"a.b\"\nkafka.send(T.A)"))
	f.Add(uint8(5), []byte("class A {} rabbit.UseListeners(typeof(A)); x.PublishMessage(new A()); new BIntegrationEvent("))
	f.Fuzz(func(t *testing.T, n uint8, text []byte) {
		s := facts.NewScan()
		p := paths[int(n)%len(paths)]
		s.Want(p, int64(len(text)))
		s.Add(routing.Document{Path: p, Text: text})
		got := s.Facts()
		for _, list := range [][]facts.Name{got.Emits, got.Consumes, got.EnvVars, got.Codes, got.Requires, got.Issues} {
			for _, name := range list {
				if name.Value == "" || len(name.Value) > 200 || name.At.Path != p {
					t.Errorf("%+v", name)
				}
			}
		}
	})
}

func TestDescriptionsAmongTheProseAreRead(t *testing.T) {
	t.Parallel()
	s := facts.NewScan()
	for p, want := range map[string]bool{
		"docs/swagger.json": true, "doc/api/openapi.v1.yaml": true, "docs/asyncapi.yml": true,
		"docs/openapi.md": false, "docs/other.yaml": false, "examples/openapi.yaml": false,
	} {
		if got := s.Want(p, 100); got != want {
			t.Errorf("%s: wanted %v, want %v", p, got, want)
		}
	}
}
