package endpoints

import (
	"strings"
	"testing"
)

func TestExpress(t *testing.T) {
	t.Parallel()
	checkApps(t, []appCase{
		{"mounts across files", `-- src/index.js --
const express = require('express');
const app = express();
const { admin } = require('./routes/admin');
// app.get('/comment', f);
app.get(['/a', '/b'], (req, res) => res.send('it/s'));
app.use('/api/v1', auth, require('./routes'));
app.use('/admin', admin);
app.set('port', 1); app.get('port');
const re = x.replace(/['"]/g, '');
app.all('/any', f);
app.delete(` + "`/t/${BASE}/:id(\\\\d+)`" + `, f);
const BASE = 'base';
axios.get('/client', f); client.post('/client', { a: 1 });
require('./extra')(app);
-- src/routes/index.js --
const router = require('express').Router();
const list = [{ path: '/users', route: require('./users') }];
list.forEach((r) => { router.use(r.path, r.route); });
module.exports = router;
-- src/routes/users.js --
const { Router } = require('express');
const users = Router();
users.route('/:id').get(f).put(g, h);
users.post('/', f);
module.exports = users;
-- src/routes/admin.js --
const express = require('express');
const admin = express.Router();
admin.patch('/x', f);
module.exports = { admin };
-- src/extra.js --
module.exports = function (server) { server.head('/extra', f); };
-- src/app.test.js --
const app = require('express')(); app.get('/test', f);
`, []string{
			"GET /a", "GET /b", "/any", "DELETE /t/base/{id}", "HEAD /extra", "PATCH /admin/x",
			"GET /api/v1/users/{id}", "PUT /api/v1/users/{id}", "POST /api/v1/users",
		}},
		{"typescript modules and classes", `-- src/main.ts --
import express, { type Express } from 'express';
import routes from './routes';
import { Orders } from '@/orders/orders.route';
class App {
  public app: express.Application;
  constructor() { this.app = express(); this.mount(); }
  private mount(): void { this.app.use('/api', routes()); this.app.use('/orders', new Orders().router); }
}
-- src/routes/index.ts --
import { Router } from 'express';
import items from './items';
export default (): Router => { const app = Router(); items(app); return app; };
-- src/routes/items.ts --
import { Router } from 'express';
const route = Router();
export default (app: Router) => { app.use('/items', route); route.get<{ id: string }>('/:id', async (req, res): Promise<void> => {}); };
-- src/orders/orders.route.ts --
import { Router } from 'express';
export class Orders {
  public path = '/open';
  public router = Router();
  constructor() { this.router.get(` + "`${this.path}/:id`" + `, f); }
}
`, []string{"GET /api/items/{id}", "GET /orders/open/{id}"}},
	})
}

func TestOtherServers(t *testing.T) {
	t.Parallel()
	checkApps(t, []appCase{
		{"koa", `-- a.js --
const Router = require('@koa/router');
const Koa = require('koa');
const outer = new Router({ prefix: '/api' });
const inner = new Router();
inner.get('named', '/x/:id', f).del('/y', f);
outer.use('/in', inner.routes(), inner.allowedMethods());
new Koa().use(outer.routes());
`, []string{"GET /api/in/x/{id}", "DELETE /api/in/y"}},
		{"fastify", `-- app.js --
const fastify = require('fastify')();
fastify.register(require('./plugin'), { prefix: '/v1' });
fastify.route({ method: ['GET', 'POST'], url: '/r', handler: f });
fastify.register(autoload, { dir: path.join(__dirname, 'routes') });
-- plugin.js --
module.exports = async (instance, opts) => { instance.get('/p/:id', { schema }, f); };
-- routes/cars/index.js --
module.exports = async function (app) { app.get('/:id', f); };
`, []string{"GET /v1/p/{id}", "GET /r", "POST /r", "GET /cars/{id}"}},
		{"hono", `-- a.ts --
import { Hono } from 'hono';
const books = new Hono().get('/:id', f).post('/', f);
const app = new Hono().basePath('/api');
app.route('/books', books);
export default app;
`, []string{"GET /api/books/{id}", "POST /api/books"}},
		{"paths of files", `-- src/app/(shop)/api/carts/[id]/route.ts --
export async function GET(r: Request) {}
export const DELETE = handler;
-- pages/api/users/[...all].ts --
export default function handler(req, res) { if (req.method === 'POST') {} }
-- src/routes/items/+server.ts --
export const GET = async () => {};
-- server/api/notes/[id].put.ts --
export default defineEventHandler(() => {});
`, []string{"GET /api/carts/{id}", "DELETE /api/carts/{id}", "POST /api/users/{all}", "GET /items", "PUT /api/notes/{id}"}},
		{"pages of a browser are none", `-- a.tsx --
import React from 'react';
const app = useApp(); app.get('/x', f); router.post('/y', f);
`, nil},
	})
}

func TestNest(t *testing.T) {
	t.Parallel()
	checkApps(t, []appCase{{"controllers", `-- src/main.ts --
async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  app.setGlobalPrefix('api', { exclude: ['health'] });
  app.enableVersioning({ type: VersioningType.URI });
}
-- src/c.ts --
import { Controller, Get, Post } from '@nestjs/common';
enum Routes { Base = 'cats', One = ':id' }
@ApiTags('x')
@Controller(Routes.Base)
export class Cats {
  @Get() all() {}
  @UseGuards(G) @Get(Routes.One) one(@Param('id') id: string) {}
  @Post(['a', 'b']) make() {}
}
@Controller({ path: ['dogs'], version: '2' })
export class Dogs { @All('*') any() {} }
@Controller()
export class Root { @Get('health') health() {} }
export class Plain { @Get('not') no() {} }
`, []string{"GET /api/cats", "GET /api/cats/{id}", "POST /api/cats/a", "POST /api/cats/b", "/api/v2/dogs/*", "GET /health"}}, {"two starts of one application", `-- src/jobs/server/jobs-main.ts --
const app = await NestFactory.create(JobsModule); app.setGlobalPrefix('api', { exclude: ['/'] });
-- src/main.ts --
const app = await NestFactory.create(AppModule); app.setGlobalPrefix('api', { exclude: ['robots.txt', 'share/:id'] });
-- src/core/c.ts --
@Controller('robots.txt') export class Robots { @Get() all() {} }
@Controller('share') export class Share { @Get(':shareId') one() {} @Get() all() {} }
`, []string{"GET /robots.txt", "GET /share/{shareId}", "GET /api/share"}}})
}

func FuzzJS(f *testing.F) {
	f.Add("const a = require('express')(); a.use('/x', require('./b')); a.use(a); for (const r of [a]) { a.use(r.p, r) }")
	f.Add("export * from './b'; export { a as b } from './b'; class A { r = new B(); constructor(a) { this.r = a.r; this.r.get(`/${this.r}`, () => a) } }")
	f.Add("@Controller({path: [a + '/b' || c]}) class X { @Get(`${a.b}`) }; app.setGlobalPrefix(a, {exclude: [{path: 'x'}]})")
	f.Add("f(((([[{{`${`${`}`}`}/[/]/g '\"")
	f.Add("a = b => c => ({ d() { return a } }); a.route('/x').get(a); fastify.register(a, { prefix: a, dir: a })")
	f.Fuzz(func(_ *testing.T, text string) {
		r := newJS()
		r.read("src/a.ts", []byte(text))
		r.read("src/b.ts", []byte(text))
		r.read("pages/api/c.ts", []byte(text))
		r.found()
	})
}

// What is written to be slow is read in time that grows with its length.
func TestJSOddInput(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		strings.Repeat("(", 10_000), strings.Repeat("a=>", 5_000), strings.Repeat("a.b(c).", 3_000),
		strings.Repeat("`${", 5_000), strings.Repeat("f({a:[", 3_000), strings.Repeat("const a = a.b(a);", 2_000),
		strings.Repeat("class a{a(){", 2_000), strings.Repeat("app.use(app);", 2_000), strings.Repeat("a(a=>", 3_000),
	} {
		r := newJS()
		r.read("a.js", []byte(text))
		r.found()
	}
}
