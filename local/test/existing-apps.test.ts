import assert from 'node:assert/strict'
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { run } from '../../service/test/support/process/run.ts'
import { findApp } from '../src/recipes/find-app.ts'
import { FRAMEWORKS } from '../src/recipes/frameworks.ts'
import { patchesFor } from '../src/recipes/patch.ts'
import { writeRecipe } from '../src/recipes/write-recipe.ts'
import { start } from './support/command.ts'
import { assertProblem, createLocalFixture, type Machine } from './support/machine.ts'
import { type Files, writeProject } from './support/project.ts'

const manifest = (fields: object): string => JSON.stringify({ type: 'module', ...fields })

interface Case {
  readonly files: Files
  readonly found: readonly [name: string, entry: string | null, port: number, start: string]
  /** The patched files, as far as they are new. */
  readonly added?: Readonly<Record<string, readonly string[]>>
  readonly missing?: true
}

const EXPRESS_MODULE = `import express, {
  type Request,
} from 'express'
import { notes } from './notes.ts'

export const app: express.Express = express()
app.use(express.json())
app.listen(Number(process.env.PORT ?? 4100))
`

const DENY =
  "server: { fs: { deny: ['.env', '.env.*', '*.{crt,pem,key,p12,pfx,cer,der}', '.npmrc', '.yarnrc.yml', '**/.git/**', '.service*'] } }"
const DENIED = ['export default defineConfig({', `  ${DENY},`, '  {options}']

const CASES: Readonly<Record<string, Case>> = {
  'an Express app in TypeScript, with a port in its code': {
    files: {
      'package.json': manifest({
        scripts: { dev: 'tsx watch src/app.ts' },
        dependencies: { express: '^5' },
      }),
      'src/app.ts': EXPRESS_MODULE,
      'src/app.test.ts': 'const app = express()',
    },
    found: ['express', 'src/app.ts', 4100, 'npm run dev'],
    added: {
      'src/app.ts': [
        "import { gatehouse, userOf } from '@gatehouse-auth/sdk/express'",
        'app.use(gatehouse({ protect: [] }))',
      ],
    },
  },
  'an Express app in CommonJS, with semicolons and a port in .env': {
    files: {
      'package.json': manifest({
        type: 'commonjs',
        main: 'index.js',
        dependencies: { express: '^4' },
      }),
      'index.js': `const express = require('express');\r\nconst web = express();\r\nweb.listen(${80});\r\n`,
      '.env': 'SECRET=x\nPORT=5001\n',
      'yarn.lock': '',
    },
    found: ['express', 'index.js', 5001, 'node index.js'],
    added: {
      'index.js': [
        "const { gatehouse, userOf } = require('@gatehouse-auth/sdk/express');\r",
        'web.use(gatehouse({ protect: [] }));\r',
      ],
    },
  },
  'a Fastify app whose options are on several lines, inside a function': {
    files: {
      'package.json': manifest({
        scripts: { start: 'PORT=8080 node server.js' },
        dependencies: { fastify: '^5' },
      }),
      'server.js':
        "import Fastify from 'fastify'\nfunction build() {\n  const api = Fastify({\n    logger: '(',\n  })\n  return api\n}\n",
      'pnpm-lock.yaml': '',
    },
    found: ['fastify', 'server.js', 8080, 'pnpm start'],
    added: {
      'server.js': [
        "import { gatehouse, userOf } from '@gatehouse-auth/sdk/fastify'",
        '  api.register(gatehouse({ protect: [] }))',
      ],
    },
  },
  'a Hono app': {
    files: {
      'package.json': manifest({ dependencies: { hono: '^4' } }),
      'src/index.ts':
        "import { Hono } from 'hono'\nconst app = new Hono<{ Variables: object }>()\nserve({ fetch: app.fetch, port: 3001 })\n",
    },
    found: ['hono', 'src/index.ts', 3001, 'node src/index.ts'],
    added: {
      'src/index.ts': [
        "import { gatehouse, userOf } from '@gatehouse-auth/sdk/hono'",
        'app.use(gatehouse({ protect: [] }))',
      ],
    },
  },
  'a Hono app in one chain of calls, where no line fits': {
    files: {
      'package.json': manifest({ dependencies: { hono: '^4' } }),
      'index.js':
        "import { Hono } from 'hono'\nexport const app = new Hono()\n  .get('/', (c) => c.text('x'))\n",
    },
    found: ['hono', 'index.js', 3000, 'node index.js'],
    missing: true,
  },
  'a server of plain Node': {
    files: {
      'package.json': manifest({}),
      'main.js': `import { createServer } from 'node:http'\ncreateServer(handle).listen(${9000})\n`,
    },
    found: ['node', 'main.js', 9000, 'node main.js'],
    missing: true,
  },
  'Next.js': {
    files: {
      'package.json': manifest({
        scripts: { dev: 'next dev -p 3100' },
        dependencies: { next: '16' },
      }),
    },
    found: ['next', null, 3100, 'npm run dev'],
  },
  'SvelteKit, whose template has app.d.ts': {
    files: {
      'package.json': manifest({
        scripts: { dev: 'vite dev' },
        devDependencies: { '@sveltejs/kit': '3', vite: '8' },
      }),
      'vite.config.ts': 'export default { server: { port: 5200 } }',
      'src/app.d.ts':
        'declare global {\n\tnamespace App {\n\t\t// interface Locals {}\n\t}\n}\n\nexport {};\n',
    },
    found: ['sveltekit', null, 5200, 'npm run dev'],
    added: {
      'src/app.d.ts': [
        '\t\tinterface Locals {',
        "\t\t\tuser: import('@gatehouse-auth/sdk').User | null",
        '\t\t}',
      ],
    },
  },
  'React Router': {
    files: {
      'package.json': manifest({
        scripts: { dev: 'react-router dev' },
        devDependencies: { '@react-router/dev': '8' },
      }),
      'vite.config.ts': 'export default defineConfig({ plugins: [reactRouter()] })\n',
      'app/routes.ts':
        "import { type RouteConfig, index } from '@react-router/dev/routes'\n\nexport default [\n  index('routes/home.tsx'),\n] satisfies RouteConfig\n",
    },
    found: ['react-router', null, 5173, 'npm run dev'],
    added: {
      'vite.config.ts': DENIED.map((line) =>
        line.replace('{options}', 'plugins: [reactRouter()] })'),
      ),
      'app/routes.ts': [
        "import { route as authRoute } from '@react-router/dev/routes'",
        "  ...['login', 'auth/callback', 'logout', 'auth/session'].map((path) => authRoute(path, 'routes/auth.ts', { id: path })),",
      ],
    },
  },
  'React Router 7': {
    files: {
      'package.json': manifest({
        scripts: { dev: 'react-router dev' },
        dependencies: { 'react-router': '^7.9.2' },
        devDependencies: { '@react-router/dev': '^7.9.2' },
      }),
      'vite.config.ts': 'export default { server: { fs: { deny: [".service*"] } } }\n',
      'app/routes.ts':
        "import { index } from '@react-router/dev/routes'\nexport default [\n  index('routes/home.tsx'),\n]\n",
      'react-router.config.ts':
        'import type { Config } from "@react-router/dev/config";\n\nexport default {\n  // Config options...\n  ssr: true,\n} satisfies Config;\n',
    },
    found: ['react-router', null, 5173, 'npm run dev'],
    added: {
      'app/routes.ts': [
        "import { route as authRoute } from '@react-router/dev/routes'",
        "  ...['login', 'auth/callback', 'logout', 'auth/session'].map((path) => authRoute(path, 'routes/auth.ts', { id: path })),",
      ],
      'react-router.config.ts': ['  future: { v8_middleware: true },'],
    },
  },
  'a Flask app': {
    files: {
      'requirements.txt': 'Flask==3.1\n',
      'app.py': 'from flask import (\n    Flask,\n    request,\n)\n\napp = Flask(__name__)\n',
    },
    found: ['flask', 'app.py', 5000, 'flask --app app.py run --host localhost --port 5000'],
    added: {
      'app.py': [
        'from gatehouse import current_user, gatehouse, require_user',
        'app.register_blueprint(gatehouse)',
      ],
    },
  },
  'a Flask package with an application factory': {
    files: {
      'pyproject.toml': '[project]\ndependencies = ["flask"]\n',
      '.flaskenv': 'FLASK_RUN_PORT=8000\n',
      'shop/__init__.py':
        'from flask import Flask\n\ndef create_app():\n    web = Flask(__name__)\n    return web\n',
    },
    found: [
      'flask',
      'shop/__init__.py',
      8000,
      'flask --app shop/__init__.py run --host localhost --port 8000',
    ],
    added: {
      'shop/__init__.py': [
        'from .gatehouse import current_user, gatehouse, require_user',
        '    web.register_blueprint(gatehouse)',
      ],
    },
  },
  'a Django project': {
    files: {
      'manage.py': "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings')",
      'shop/__init__.py': '',
      'shop/settings.py':
        "DEBUG = True\nMIDDLEWARE = [\n    'django.middleware.security.SecurityMiddleware',\n]\n",
      'shop/urls.py':
        "from django.contrib import admin\nfrom django.urls import path\n\nurlpatterns = [\n    path('admin/', admin.site.urls),\n]\n",
    },
    found: ['django', 'shop/settings.py', 8000, 'python manage.py runserver localhost:8000'],
    added: {
      'shop/settings.py': ["    'gatehouse.SignIn',"],
    },
  },
  'a FastAPI app in a package': {
    files: {
      'pyproject.toml': '[project]\ndependencies = ["fastapi[standard]"]\n',
      'api/__init__.py': '',
      'api/main.py':
        'from fastapi import FastAPI\n\nweb: FastAPI = FastAPI(\n    title="Shop",\n)\n',
    },
    found: ['fastapi', 'api/main.py', 8000, 'uvicorn api.main:web --host localhost --port 8000'],
    added: {
      'api/main.py': [
        'from .gatehouse import add_sign_in, current_user, require_user',
        'add_sign_in(web)',
      ],
    },
  },
  'a Go server': {
    files: {
      'go.mod': 'module shop\n',
      'main.go':
        'package main\n\nimport "net/http"\n\nfunc main() {\n\tlog.Fatal(http.ListenAndServe(":8081", nil))\n}\n',
    },
    found: ['go', 'main.go', 8081, 'go run .'],
    added: {
      'main.go': ['\tlog.Fatal(http.ListenAndServe(":8081", withSignIn(http.DefaultServeMux)))'],
    },
  },
  'a Go server with a router of its own': {
    files: {
      'go.mod': 'module shop\n',
      'main.go': 'package main\n\nfunc main() {\n\thttp.ListenAndServe("localhost:9000", mux)\n}\n',
    },
    found: ['go', 'main.go', 9000, 'go run .'],
    added: { 'main.go': ['\thttp.ListenAndServe("localhost:9000", withSignIn(mux))'] },
  },
  'a PHP app with a front controller': {
    files: {
      'composer.json': '{"name":"shop/shop"}',
      'public/index.php': '<?php\ndeclare(strict_types=1);\nnamespace Shop;\n\necho 1;\n',
    },
    found: ['php', 'public/index.php', 8000, 'php -S localhost:8000 -t public public/index.php'],
    added: { 'public/index.php': ["require_once __DIR__ . '/../gatehouse.php';"] },
  },
  'a PHP app in the root, which would publish .service': {
    files: { 'index.php': '<?php echo 1;\n' },
    found: ['php', null, 8000, 'php -S localhost:8000 -t public public/index.php'],
    missing: true,
  },
  'a Sinatra app': {
    files: {
      Gemfile: "gem 'sinatra'\n",
      'app.rb': "require 'sinatra'\n\nset :port, 4600\nget('/') { 'x' }\n",
    },
    found: ['ruby', 'app.rb', 4600, 'ruby app.rb -p 4600'],
    added: { 'app.rb': ["require_relative 'gatehouse'", 'register Gatehouse'] },
  },
  'a Vite SPA': {
    files: {
      'package.json': manifest({ scripts: { dev: 'vite' }, devDependencies: { vite: '8' } }),
      'index.html': '<script type="module" src="/src/main.tsx"></script>',
      'src/main.tsx': "import { createRoot } from 'react-dom/client'\n",
      'vite.config.js': 'export default {\n  plugins: [], // server: none\n}\n',
    },
    found: ['vite', 'src/main.tsx', 5173, 'npm run dev'],
    added: {
      'src/main.tsx': ["import './auth' // Gatehouse: first, because it answers the callback"],
      'vite.config.js': [`  ${DENY},`],
    },
  },
  'a Vite SPA whose index.html loads another file than the usual ones': {
    files: {
      'package.json': manifest({ scripts: { dev: 'vite' }, devDependencies: { vite: '8' } }),
      'index.html':
        '<!-- <script type="module" src="/src/main.ts"></script> -->\n<script src="/old.js"></script>\n<script type="module" src="/src/app/start.tsx"></script>',
      'old.js': 'start()\n',
      'src/app/start.tsx': "document.body.append('Shop')\n",
      'src/index.ts': "export { Button } from './button'\n",
      'src/main.ts': 'start()\n',
      'vite.config.ts': "export default { server: { fs: { deny: ['.service*'] } } }\n",
    },
    found: ['vite', 'src/app/start.tsx', 5173, 'npm run dev'],
    added: {
      'src/app/start.tsx': [
        "import '../auth' // Gatehouse: first, because it answers the callback",
      ],
    },
  },
  'an Express app for which another file listens': {
    files: {
      'package.json': manifest({
        ...{ type: 'commonjs', main: 'server.js', scripts: { start: 'node server.js' } },
        dependencies: { express: '4' },
      }),
      'app.js':
        "const express = require('express');\nconst app = express();\nmodule.exports = app;\n",
      'server.js':
        "const app = require('./app');\nconst port = process.env.PORT || 8081;\napp.listen(port);\n",
    },
    found: ['express', 'app.js', 8081, 'npm start'],
    added: {
      'app.js': [
        "const { gatehouse, userOf } = require('@gatehouse-auth/sdk/express');",
        'app.use(gatehouse({ protect: [] }));',
      ],
    },
  },
  Astro: {
    files: {
      'package.json': manifest({ scripts: { dev: 'astro dev' }, dependencies: { astro: '5' } }),
      'astro.config.mjs': 'export default defineConfig({\n  output: "server",\n})\n',
    },
    found: ['astro', null, 4321, 'npm run dev'],
    added: { 'astro.config.mjs': [`  vite: { ${DENY} },`] },
  },
  Nuxt: {
    files: {
      'package.json': manifest({ scripts: { dev: 'nuxt dev' }, dependencies: { nuxt: '4' } }),
      'nuxt.config.ts': 'export default defineNuxtConfig({\n  devtools: { enabled: true },\n})\n',
    },
    found: ['nuxt', null, 3000, 'npm run dev'],
    added: { 'nuxt.config.ts': [`  vite: { ${DENY} },`] },
  },
}

for (const [name, { files, found, added = {}, missing = false }] of Object.entries(CASES)) {
  test(`init recognizes ${name}, and finds the lines to add`, async () => {
    const root = await writeProject(files)
    const app = await findApp(root)
    assert.deepEqual(app === null ? null : [app.name, app.entry, app.port, app.start], found)
    if (app === null) {
      return
    }
    const { patches, ...others } = await patchesFor(root, app, {
      withExample: false,
      callbackPath: '/auth/callback',
    })
    assert.deepEqual(others, { missing, notes: [], done: false })
    assert.deepEqual(
      Object.fromEntries(patches.map(({ file, before, after }) => [file, newLines(before, after)])),
      added,
    )
    await writeProject(
      Object.fromEntries(patches.map(({ file, diff }) => [`${file}.diff`, `${diff}\n`])),
      root,
    )
    for (const { file, after } of patches) {
      await run('git', ['apply', '--unsafe-paths', '-p0', `${file}.diff`], { cwd: root })
      assert.equal(
        await readFile(path.join(root, file), 'utf8'),
        after,
        'the printed patch is the change',
      )
    }
    if (patches.length === 0 || app.entry === null) {
      return
    }
    const again = await patchesFor(root, app, {
      withExample: false,
      callbackPath: '/auth/callback',
    })
    assert.deepEqual(
      again,
      { patches: [], missing: false, notes: [], done: true },
      'nothing is added twice',
    )
  })
}

const newLines = (before: string, after: string): string[] => {
  const known = before.split('\n')
  return after.split('\n').filter((line) => !known.includes(line))
}

test('init finds no app in an empty folder, in a library or a monorepo that has Vite for its tests, or in files that it cannot read', async () => {
  for (const files of [
    {},
    {
      'package.json': manifest({ name: 'library' }),
      'index.js': 'export const add = (a, b) => a + b',
    },
    { 'package.json': '{', 'server.js': 'nothing' },
    { 'README.md': 'express' },
    {
      'package.json': manifest({
        workspaces: ['apps/*'],
        devDependencies: { vite: '8', vitest: '4' },
      }),
      'apps/shop/index.html': '<script type="module" src="/src/main.ts"></script>',
    },
    {
      'package.json': manifest({ devDependencies: { vite: '8', vitest: '4' } }),
      'src/index.ts': 'export {}\n',
    },
  ]) {
    assert.equal(await findApp(await writeProject(files)), null)
  }
})

const SHOP = {
  'package.json': manifest({ scripts: { dev: 'node index.js' }, dependencies: { express: '^5' } }),
  'index.js': `import express from 'express'\n\nconst app = express()\napp.listen(${4100})\n`,
  'AGENTS.md': '# Shop\n\nRun the tests before you commit.\n',
}

const initShop = (machine: Machine, ...args: string[]) => machine.run('init', ...args)

test('init in an Express app registers its callback, prints the patch and what pages need, and changes no file of it', async (t) => {
  const { machine, tenant, baseUrl } = await createLocalFixture(t, { realTime: true })
  await writeProject(SHOP, machine.project)
  const { code, stdout, stderr } = await initShop(machine)
  assert.equal(code, 0, stderr)
  for (const part of [
    'App          Express (index.js)\n',
    'Callback     http://localhost:4100/auth/callback\n',
    '--- index.js\n+++ index.js\n@@ -1,4 +1,6 @@\n import express',
    "\n+import { gatehouse, userOf } from '@gatehouse-auth/sdk/express'\n",
    '\n+app.use(gatehouse({ protect: [] }))\n',
    'or run: gatehouse-local init --apply\n',
    '<a href="/login">',
    "a path in protect: ['/account'], with everything below it; a signed-out POST is not repeated after the sign-in\n",
    '  Posts        from pages of other origins get 403: nothing to add\n',
    '  Failures     a user who cancels or is refused sees why, and can try again: nothing to add\n',
    'userOf(req): { id, email, name, picture }, name and picture possibly null; or null if signed out',
    'curl -sLc /tmp/jar -b gatehouse_dev_person=ada@example.com http://localhost:4100/login',
    "curl -s -b /tmp/jar -H 'Origin: http://localhost:4100' …",
    `npm install ${baseUrl}/packages/sdk-`,
    '  npm run dev\n',
    'gatehouse-local claim --no-wait   # a link with which your user keeps the project\n',
    'Doctor: ',
    'all on this machine.',
  ]) {
    assert.ok(stdout.includes(part), `${part} in ${stdout}`)
  }
  assert.equal(await machine.read(path.join(machine.project, 'index.js')), SHOP['index.js'])
  assert.equal(await machine.read(path.join(machine.project, 'package.json')), SHOP['package.json'])
  const { json } = await (await tenant()).manage('GET', '/api/resources')
  assert.deepEqual(json.resources[0].callback_urls, ['http://localhost:4100/auth/callback'])
})

test('the first init in a Next.js app prints what its pages need, and none for the pages that it writes itself', async (t) => {
  const { machine, clock } = await createLocalFixture(t)
  const init = async (name: string, files: Files, ...args: string[]): Promise<string> => {
    clock.advance({ minutes: 1 })
    const folder = path.join(machine.project, name)
    await mkdir(folder)
    await writeProject(files, folder)
    const { code, stdout, stderr } = await machine.run('init', '--project', folder, ...args)
    assert.equal(code, 0, stderr)
    return stdout
  }
  const files = CASES['Next.js']?.files ?? {}
  for (const [name, folder] of [
    ['root', ''],
    ['source', 'src/'],
  ] as const) {
    const app = { ...files, [`${folder}app/page.tsx`]: 'export default () => null\n' }
    const first = await init(name, app)
    assert.match(first, new RegExp(`wrote +${folder}auth\\.ts\\n`))
    for (const part of [
      '\nIn your pages:\n',
      '<a href="/login">',
      'action="/logout"',
      'await auth.user(): ',
      'in auth.ts;',
    ]) {
      assert.ok(first.includes(part), `${part} in ${first}`)
    }
  }
  assert.match(await init('named', files, '--framework', 'next'), /In your pages:/)
  assert.doesNotMatch(await init('new', {}, '--framework', 'next'), /In your pages:/)
  const spa = await init('spa', {}, '--framework', 'vite')
  assert.match(spa, /In your pages:\n {2}Sign in {6}a button/, 'its recipe has no page')
})

test('init in a Flask app also registers the callback at 127.0.0.1, the address that Flask prints', async (t) => {
  const { machine, tenant } = await createLocalFixture(t, { realTime: true })
  await writeProject(
    {
      'requirements.txt': 'flask\n',
      'app.py': 'from flask import Flask\n\napp = Flask(__name__)\n',
    },
    machine.project,
  )
  const { code, stdout, stderr } = await initShop(machine)
  assert.equal(code, 0, stderr)
  assert.match(stdout, /Callback {5}http:\/\/localhost:5000\/auth\/callback\n/)
  const callbacks = async () =>
    (await (await tenant()).manage('GET', '/api/resources')).json.resources[0].callback_urls
  const both = ['http://localhost:5000/auth/callback', 'http://127.0.0.1:5000/auth/callback']
  assert.deepEqual(await callbacks(), both)
  await initShop(machine, '--callback', 'https://shop.example.com/auth/callback')
  assert.deepEqual(await callbacks(), [...both, 'https://shop.example.com/auth/callback'])
  const another = await initShop(machine, '--port', '5055')
  assert.match(another.stdout, /^ {2}flask --app app\.py run --host localhost --port 5055$/m)
})

test('init --apply changes the file by the patch that it prints, once, and never through a link', async (t) => {
  const { machine } = await createLocalFixture(t, { realTime: true })
  await writeProject(SHOP, machine.project)
  const first = await machine.run('init', '--apply', '--json')
  assert.deepEqual(
    first.json[0].framework.patches.map(({ file, applied }: { file: string; applied: boolean }) => [
      file,
      applied,
    ]),
    [['index.js', true]],
  )
  const file = path.join(machine.project, 'index.js')
  const changed = await machine.read(file)
  assert.match(
    changed,
    /const app = express\(\)\napp\.use\(gatehouse\(\{ protect: \[\] \}\)\)\napp\.listen/,
  )
  const second = await machine.run('init', '--apply', '--json')
  assert.deepEqual(second.json[0].framework.patches, [])
  assert.equal(await machine.read(file), changed)

  const folder = path.join(machine.project, 'linked')
  await writeProject({ 'package.json': SHOP['package.json'], 'real.txt': SHOP['index.js'] }, folder)
  await symlink('real.txt', path.join(folder, 'index.js'))
  const linked = await machine.run('init', '--apply', '--json', '--project', folder)
  assert.deepEqual(
    linked.json[0].framework.patches.map(({ applied }: { applied: boolean }) => applied),
    [false],
  )
  assert.equal(await machine.read(path.join(folder, 'real.txt')), SHOP['index.js'])
})

test('--port and --callback name the callback, also beside registered ones; another path is in the lines', async (t) => {
  const { machine, tenant } = await createLocalFixture(t, { realTime: true })
  await writeProject(SHOP, machine.project)
  await machine.run('init', '--port', '4200')
  const { stdout } = await machine.run('init', '--callback', 'https://shop.example.com/oauth/back')
  assert.match(
    stdout,
    /^\+app\.use\(gatehouse\(\{ protect: \[\], paths: \{ callback: '\/oauth\/back' \} \}\)\)$/m,
  )
  const { json } = await (await tenant()).manage('GET', '/api/resources')
  assert.deepEqual(json.resources[0].callback_urls, [
    'http://localhost:4200/auth/callback',
    'https://shop.example.com/oauth/back',
  ])
  for (const port of ['0', '70000', 'x']) {
    const { message } = await machine.expectProblem(2, 'usage', 'init', '--port', port)
    assert.equal(message, '--port must be an integer from 1 to 65535.')
  }
  for (const wrong of [
    ['--callback', 'shop'],
    ['--callback', "http://localhost:3000/');alert("],
    ['--callback', 'javascript:alert(1)'],
  ]) {
    await machine.expectProblem(2, 'usage', 'init', ...wrong)
  }
})

test('--callback with a port on this machine also names the port of the app', async (t) => {
  const { machine, clock } = await createLocalFixture(t)
  for (const [callback, existing, named] of [
    [
      'http://localhost:4000/auth/callback',
      'flask --app app.py run --host localhost --port 4000',
      'PORT ?? 4000',
    ],
    [
      'https://shop.example.com/auth/callback',
      'flask --app app.py run --host localhost --port 5000',
      'PORT ?? 3000',
    ],
  ] as const) {
    clock.advance({ minutes: 1 })
    const folder = path.join(machine.project, new URL(callback).hostname)
    const files = {
      'requirements.txt': 'flask\n',
      'app.py': 'from flask import Flask\n\napp = Flask(__name__)\n',
    }
    await writeProject(files, path.join(folder, 'flask'))
    const flask = await machine.run(
      'init',
      '--callback',
      callback,
      '--project',
      path.join(folder, 'flask'),
    )
    assert.ok(flask.stdout.includes(`\n  ${existing}\n`), flask.stdout + flask.stderr)
    await mkdir(path.join(folder, 'new'))
    const args = [
      '--framework',
      'node',
      '--callback',
      callback,
      '--project',
      path.join(folder, 'new'),
    ]
    const { stdout, stderr } = await machine.run('init', ...args)
    assert.ok(stdout.includes(`Callback     ${callback}\n`), stdout + stderr)
    assert.ok((await machine.read(path.join(folder, 'new/server.js'))).includes(named), named)
  }
})

/** Modes of files apply to this process, also for root. */
const WITHOUT_PRIVILEGES =
  process.getuid?.() === 0
    ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search,-fowner', '--']
    : []

test('init names the file that it may not change, and skips an AGENTS.md that it may not change or read', async (t) => {
  const { machine } = await createLocalFixture(t, { realTime: true })
  await writeProject(SHOP, machine.project)
  const init = (...args: string[]) =>
    start(t, [...WITHOUT_PRIVILEGES, process.execPath, machine.bin, 'init', ...args], {
      cwd: machine.project,
      env: machine.env,
    }).ended
  const [source, agents] = ['index.js', 'AGENTS.md'].map((name) =>
    path.join(machine.project, name),
  ) as [string, string]
  await chmod(source, 0o444)
  const { message } = assertProblem(await init('--apply', '--json'), 1, 'notWritable')
  assert.ok(message.startsWith(`${source} cannot be written to (EACCES)`), message)
  for (const mode of [0o444, 0o000]) {
    await chmod(agents, mode)
    const { code, stdout, stderr } = await init()
    assert.equal(code, 0, stderr)
    assert.match(stdout, /skipped +AGENTS\.md: it is not a regular file that you can change/)
  }
  await chmod(agents, 0o644)
  assert.equal(await machine.read(agents), SHOP['AGENTS.md'])
})

test('init writes its section of AGENTS.md once, replaces it later, and keeps the rest', async (t) => {
  const { machine, baseUrl } = await createLocalFixture(t, { realTime: true })
  await writeProject(SHOP, machine.project)
  const file = path.join(machine.project, 'AGENTS.md')
  await machine.run('init')
  const first = await machine.read(file)
  assert.ok(first.startsWith(`${SHOP['AGENTS.md']}\n<!-- gatehouse:begin`), first)
  for (const part of [
    baseUrl,
    '.service',
    'userOf(req)',
    'doctor',
    'events',
    'status',
    'claim --no-wait',
  ]) {
    assert.ok(first.includes(part), part)
  }
  assert.doesNotMatch(first, /svc_/)
  await machine.write(`${first.replace('userOf(req)', 'outdated')}\n# After\n`, 0o644, file)
  await machine.run('init')
  assert.equal(await machine.read(file), `${first}\n# After\n`)

  const broken = '<!-- gatehouse:begin -->\nmine'
  await machine.write(broken, 0o644, file)
  const { stdout, json } = await machine.run('init', '--json')
  assert.equal(json[0].agents_file, null, stdout)
  assert.equal(await machine.read(file), broken)
})

test('init changes no file that is not UTF-8, and says what to add', async (t) => {
  const { machine } = await createLocalFixture(t, { realTime: true })
  const latin1 = {
    'app.py':
      "# -*- coding: latin-1 -*-\nfrom flask import Flask\n\napp = Flask(__name__)\nTITLE = 'Caf\u00e9'\n",
    'AGENTS.md': '# Caf\u00e9\n',
  }
  await writeProject({ 'requirements.txt': 'flask\n' }, machine.project)
  for (const [name, text] of Object.entries(latin1)) {
    await writeFile(path.join(machine.project, name), text, 'latin1')
  }
  const { code, stdout, stderr } = await machine.run('init', '--apply')
  assert.equal(code, 0, stderr)
  for (const [name, text] of Object.entries(latin1)) {
    assert.equal(await readFile(path.join(machine.project, name), 'latin1'), text)
  }
  assert.match(
    stdout,
    /^In app\.py: from gatehouse import .*app\.register_blueprint\(gatehouse\)$/m,
  )
  assert.match(stdout, /skipped +AGENTS\.md: .*not UTF-8/)
})

test('in a Vite SPA init writes the session with the values of the project', async (t) => {
  const { machine, tenant, baseUrl } = await createLocalFixture(t, { realTime: true })
  await writeProject(CASES['a Vite SPA']?.files ?? {}, machine.project)
  const { code, stdout, stderr } = await machine.run('init', '--port', '5199')
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^ {2}Guard {8}your own server must check session\.accessToken\(\)[^;\n]*$/m)
  assert.doesNotMatch(stdout, /Posts|signed-out POST/, 'no server of it is guarded')
  assert.match(
    stdout,
    /^ {2}Failures {5}a user who cancels or is refused sees what happened, and a button .*: nothing to add$/m,
  )
  const auth = await machine.read(path.join(machine.project, 'src/auth.ts'))
  assert.ok(
    auth.includes(`baseUrl: '${baseUrl}'`) && auth.includes(`tenantId: '${(await tenant()).id}'`),
    auth,
  )
  const { json } = await (await tenant()).manage('GET', '/api/resources')
  assert.deepEqual(json.resources[0].callback_urls, ['http://localhost:5199/auth/callback'])
})

test('init prints what the pages need, also of an app whose file it did not find', async (t) => {
  const { machine } = await createLocalFixture(t, { realTime: true })
  const server = "import { start } from './src/http/server/app.js'\n\nstart()\n"
  const files = {
    'package.json': manifest({ dependencies: { express: '5' } }),
    'server.js': server,
  }
  await writeProject(files, machine.project)
  const { stdout } = await machine.run('init', '--framework', 'express')
  assert.match(stdout, /skipped +server\.js/)
  assert.match(stdout, /^In your pages:\n {2}Sign in {6}<a href="\/login">/m)
})

test('a recipe for another port keeps the address of a service at the port of the recipe', async () => {
  const root = await writeProject({})
  const base_url = `http://localhost:${FRAMEWORKS.flask.port}`
  const given = {
    withExample: false,
    folder: '.',
    callbackPath: '/auth/callback',
    tenant_id: 'swift-fox-running-k3qd',
  }
  await writeRecipe(root, 'flask', { ...given, base_url, port: 5055 })
  const code = await readFile(path.join(root, 'gatehouse.py'), 'utf8')
  assert.ok(
    code.includes(
      `npx --@gatehouse-auth:registry=${base_url}/packages/npm/ @gatehouse-auth/local init`,
    ),
    code,
  )
})
