package facts_test

import "testing"

// TestDescribedSettings holds settings that are described at one place, under
// prefixes and by libraries.
func TestDescribedSettings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, file, text, want string }{
		{"envalid, with the shape in a variable", "src/env.js", "const spec = {\n  PORT_A: num({ default: 1 }),\n  SITE_NAME: str({ example: 'NOT_THIS' }), // OLD\n  lower: str(),\n};\nconst env = cleanEnv(process.env, spec);", "PORT_A SITE_NAME"},
		{"zod", "src/config.ts", "const schema = z.object({ API_KEY: z.string(), nested: z.object({ NOT_READ_TWICE: z.string() }) });\nexport const env = schema.parse(process.env);", "API_KEY NOT_READ_TWICE"},
		{"zod of a request", "src/order.ts", "const body = z.object({ ORDER_ID: z.string() });", ""},
		{"t3", "src/env.mjs", "export const env = createEnv({ server: { DB_URL: z.string() }, client: { NEXT_PUBLIC_X: z.string() }, runtimeEnv: process.env });", "DB_URL NEXT_PUBLIC_X"},
		{"Joi for Nest", "src/app.module.ts", "ConfigModule.forRoot({ validationSchema: Joi.object({ JWT_TTL: Joi.number(), }) })", "JWT_TTL"},
		{"class-validator", "src/env.validation.ts", "import { IsString } from 'class-validator';\nclass EnvironmentVariables {\n  @IsString()\n  MAIL_URL: string;\n  retry?: number;\n}", "MAIL_URL"},
		{"ambient", "src/global.d.ts", "declare namespace NodeJS { interface ProcessEnv {\n  readonly TOKEN_A?: string;\n} }", "TOKEN_A"},
		{"convict", "src/config.js", "const convict = require('convict');\nconvict({ ip: { default: 'x', env: 'IP_ADDRESS' }, mode: { env: \"APP_MODE\" } });", "APP_MODE IP_ADDRESS"},
		{"urfave", "cmd/main.go", "package main\nvar f = []cli.Flag{\n&cli.StringFlag{EnvVars: []string{\n\"SRV_ADDR\",\n\"ADDR_OLD\",\n}},\n&cli.StringFlag{EnvVar: \"ONE_A,ONE_B\"},\n&cli.StringFlag{Sources: cli.EnvVars(\"TWO_A\", \"TWO_B\", \"TWO_C\")}}", "ADDR_OLD ONE_A ONE_B SRV_ADDR TWO_A TWO_B TWO_C"},
		{"viper", "cmd/root.go", "package cmd\nfunc f() { viper.SetEnvPrefix(\"shop\"); viper.AutomaticEnv(); viper.SetEnvKeyReplacer(r); viper.SetDefault(\"db.host\", \"x\"); viper.BindEnv(\"port\"); viper.BindEnv(\"key\", \"PLAIN_KEY\") }", "PLAIN_KEY SHOP_DB_HOST SHOP_PORT"},
		{"viper without a prefix", "cmd/root.go", "package cmd\nfunc f() { viper.AutomaticEnv(); viper.SetDefault(\"log\", \"x\"); viper.BindEnv(\"token\") }", "TOKEN"},
		{"tags with prefixes", "config.go", "package c\ntype Config struct {\n\tAddr string `env:\"ADDR_X,required\"`\n\tDB DB `envPrefix:\"DB_\"`\n\tMail struct { From string `env:\"FROM\"` } `envPrefix:\"MAIL_\"`\n}\ntype DB struct { Host string `env:\"HOST\"`; Pool Pool `envPrefix:\"POOL_\"` }\ntype Pool struct { Max int `env:\"MAX\"` }", "ADDR_X DB_HOST DB_POOL_MAX MAIL_FROM"},
		{"structs that hold themselves end", "config.go", "package c\ntype A struct { One, Two *A `envPrefix:\"X_\"`; Three *A `envPrefix:\"Y_\"`; Four *A `envPrefix:\"Z_\"` }", ""},
		{"namespaces of flags", "cmd/server.go", "package cmd\ntype Cmd struct { Admin AdminGroup `group:\"admin\" env-namespace:\"ADMIN\"`; URL string `long:\"url\" env:\"SHOP_URL\"` }\ntype AdminGroup struct { Key string `long:\"key\" env:\"KEY\"` }", "ADMIN_KEY SHOP_URL"},
		{"envconfig with a prefix", "config.go", "package c\ntype spec struct { Debug bool; UserName string `split_words:\"true\"`; Port int `envconfig:\"LISTEN\"`; DB struct { Host string; Key string `envconfig:\"DB_KEY\"` }; Skip bool `ignored:\"true\"` }\nfunc f() { var s spec; envconfig.Process(\"till\", &s) }", "DB_KEY LISTEN TILL_DB_HOST TILL_DEBUG TILL_LISTEN TILL_USER_NAME"},
		{"click and typer", "cli.py", "import click\n@click.option('--a', envvar='CLI_A')\n@click.option('--b', envvar=['CLI_B', 'CLI_C'])\ndef f(): pass", "CLI_A CLI_B CLI_C"},
		{"decouple", "settings.py", "from decouple import config\nKEY = config('SECRET_X', default='NOT_IT')\nother(config('lower'))", "SECRET_X"},
		{"environs", "settings.py", "from environs import Env\nenv = Env()\nA = env.str('TOP_A')\nwith env.prefixed('DB_'):\n    H = env('HOST')\n    with env.prefixed('POOL_'):\n        M = env.int('MAX_N', 3)\nB = env.bool('TOP_B')", "DB_HOST DB_POOL_MAX_N TOP_A TOP_B"},
		{"pydantic with names of its own", "config.py", "class A(BaseSettings):\n    model_config = SettingsConfigDict(env_prefix=\"shop_\")\n    db_url: str\n    key: str = Field(validation_alias=\"PLAIN_KEY\")\n    old: int = Field(\n        1,\n        env=\"OLD_NAME\",\n    )\n    both: str = Field(validation_alias=AliasChoices('ONE_N', 'TWO_N'))\n    def f(self):\n        local: int = 1\n\nclass B(Base, BaseSettings):\n    size: int\n    class Config:\n        env_prefix = 'B_'\n\nclass C:\n    no: int\n", "B_SIZE OLD_NAME ONE_N PLAIN_KEY SHOP_DB_URL TWO_N"},
		{"clap", "src/main.rs", "use clap::Parser;\nstruct A {\n #[arg(long, env = \"NODE_KEY\")]\n key: String }", "NODE_KEY"},
		{"Symfony", "config/packages/a.yaml", "a:\n  url: '%env(resolve:STORE_URL)%'\n  b: '%env(bool:ON_OFF)%'\n", "ON_OFF STORE_URL"},
		{"Rack's", "app/a.rb", "request.env['HTTP_SIGNATURE_X']; ENV['REAL_ONE']", "REAL_ONE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := values(scan(t, c.file, c.text).EnvVars); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
