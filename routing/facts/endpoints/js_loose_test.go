package endpoints

import "testing"

func TestLooseRouters(t *testing.T) {
	t.Parallel()
	checkApps(t, []appCase{
		{"routers of other frameworks", `-- server/a.js --
import { WebApp } from 'meteorish';
WebApp.handlers.get('/api/boards/:id', async (req, res) => {});
WebApp.handlers.post('/plain', body);
JsonRoutes.add('PUT', '/api/cards', f);
class Own extends Base { mountRoutes() { this.route('DELETE', '/classes/:name', guard, f); this.route('x', '/y', f); } }
rest.get('/mocked', (req, res, ctx) => {});
mockServer.get('/mocked', (req, res) => {});
axios.post('/client', data, (req, res) => {});
client.get('/client', (error, body) => {});
-- server/b.ts --
import { DocRouter } from 'koa-documented';
const router = new DocRouter();
router.get('/documented/:id{[0-9]+}', ctl.list);
const instance = axios.create();
instance.get('/client', config);
`, []string{"GET /api/boards/{id}", "PUT /api/cards", "DELETE /classes/{name}", "GET /documented/{id}"}},
		{"no semicolons", `-- a.ts --
import express from 'express'
import { pool } from './pool'
export class App {
  app: express.Application
  other: Other
  pool: Pool = pool()
  constructor() { this.app = express() }
  config() { this.app.get('/kept', f) }
}
-- pool.ts --
export const pool = () => new Pool({ a: 1 })
`, []string{"GET /kept"}},
		{"koa mounts", `-- a.ts --
import Koa from 'koa';
import mount from 'koa-mount';
import api from './api';
const app = new Koa();
app.use(mount('/api', api));
-- api.ts --
import Koa from 'koa';
import Router from '@koa/router';
const api = new Koa();
const router = new Router();
router.post('cars.list', f);
api.use(router.routes());
export default api;
`, []string{"POST /api/cars.list"}},
		{"two applications of NestJS", `-- apps/one/src/main.ts --
const app = await NestFactory.create(One);
app.enableVersioning({ type: VersioningType.URI, prefix: ` + "`${BASE}v`" + `, defaultVersion: '1' });
-- apps/one/src/a.controller.ts --
@Controller('a') export class A { @Get(':id') one() {} }
-- apps/two/src/main.ts --
const app = await NestFactory.create(Two);
app.setGlobalPrefix(` + "`${BASE}two`" + `);
-- apps/two/src/b.controller.ts --
@Controller('b') export class B { @Post() one() {} }
-- apps/three/src/main.ts --
const app = await NestFactory.create(Three);
-- apps/three/src/c.controller.ts --
@Controller('c') export class C { @Put() one() {} }
`, []string{"GET /v1/a/{id}", "POST /two/b", "PUT /c"}},
		{"folders named app", `-- packages/app/src/app/api/cars/route.ts --
export async function POST() {}
`, []string{"POST /api/cars"}},
		{"medusa", `-- src/api/admin/brands/[id]/route.ts --
export const GET = async (req, res) => {};
`, []string{"GET /admin/brands/{id}"}},
	})
}
