import assert from 'node:assert/strict'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { additionsFor } from '../src/recipes/additions.ts'
import { findApp } from '../src/recipes/find-app.ts'
import { FRAMEWORKS, type Framework } from '../src/recipes/frameworks.ts'
import { writeRecipe } from '../src/recipes/write-recipe.ts'
import { start } from './support/command.ts'
import { createLocalFixture, type Machine } from './support/machine.ts'
import { type Files, writeProject } from './support/project.ts'

const manifest = (fields: object): string => JSON.stringify({ type: 'module', ...fields })

interface Case {
  readonly files: Files
  readonly found: readonly [name: string, entry: string | null, port: number, start: string]
}

const EXPRESS_MODULE = `import express, {
  type Request,
} from 'express'
import { notes } from './notes.ts'

export const app: express.Express = express()
app.use(express.json())
app.listen(Number(process.env.PORT ?? 4100))
`

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
  },
  'a Hono app': {
    files: {
      'package.json': manifest({ dependencies: { hono: '^4' } }),
      'src/index.ts':
        "import { Hono } from 'hono'\nconst app = new Hono<{ Variables: object }>()\nserve({ fetch: app.fetch, port: 3001 })\n",
    },
    found: ['hono', 'src/index.ts', 3001, 'node src/index.ts'],
  },
  'a Hono app in one chain of calls, where no line fits': {
    files: {
      'package.json': manifest({ dependencies: { hono: '^4' } }),
      'index.js':
        "import { Hono } from 'hono'\nexport const app = new Hono()\n  .get('/', (c) => c.text('x'))\n",
    },
    found: ['hono', 'index.js', 3000, 'node index.js'],
  },
  'a server of plain Node': {
    files: {
      'package.json': manifest({}),
      'main.js': `import { createServer } from 'node:http'\ncreateServer(handle).listen(${9000})\n`,
    },
    found: ['node', 'main.js', 9000, 'node main.js'],
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
  },
  'a Flask app': {
    files: {
      'requirements.txt': 'Flask==3.1\n',
      'app.py': 'from flask import (\n    Flask,\n    request,\n)\n\napp = Flask(__name__)\n',
    },
    found: ['flask', 'app.py', 5000, 'flask --app app.py run --host localhost --port 5000'],
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
  },
  'a FastAPI app in a package': {
    files: {
      'pyproject.toml': '[project]\ndependencies = ["fastapi[standard]"]\n',
      'api/__init__.py': '',
      'api/main.py':
        'from fastapi import FastAPI\n\nweb: FastAPI = FastAPI(\n    title="Shop",\n)\n',
    },
    found: ['fastapi', 'api/main.py', 8000, 'uvicorn api.main:web --host localhost --port 8000'],
  },
  'a Go server': {
    files: {
      'go.mod': 'module shop\n',
      'main.go':
        'package main\n\nimport "net/http"\n\nfunc main() {\n\tlog.Fatal(http.ListenAndServe(":8081", nil))\n}\n',
    },
    found: ['go', 'main.go', 8081, 'go run .'],
  },
  'a Go server with a router of its own': {
    files: {
      'go.mod': 'module shop\n',
      'main.go': 'package main\n\nfunc main() {\n\thttp.ListenAndServe("localhost:9000", mux)\n}\n',
    },
    found: ['go', 'main.go', 9000, 'go run .'],
  },
  'a PHP app with a front controller': {
    files: {
      'composer.json': '{"name":"shop/shop"}',
      'public/index.php': '<?php\ndeclare(strict_types=1);\nnamespace Shop;\n\necho 1;\n',
    },
    found: ['php', 'public/index.php', 8000, 'php -S localhost:8000 -t public public/index.php'],
  },
  'a PHP app in the root, which would publish .service': {
    files: { 'index.php': '<?php echo 1;\n' },
    found: ['php', null, 8000, 'php -S localhost:8000 -t public public/index.php'],
  },
  'a Sinatra app': {
    files: {
      Gemfile: "gem 'sinatra'\n",
      'app.rb': "require 'sinatra'\n\nset :port, 4600\nget('/') { 'x' }\n",
    },
    found: ['ruby', 'app.rb', 4600, 'ruby app.rb -p 4600'],
  },
  'a Vite SPA': {
    files: {
      'package.json': manifest({ scripts: { dev: 'vite' }, devDependencies: { vite: '8' } }),
      'index.html': '<script type="module" src="/src/main.tsx"></script>',
      'src/main.tsx': "import { createRoot } from 'react-dom/client'\n",
      'vite.config.js': 'export default {\n  plugins: [], // server: none\n}\n',
    },
    found: ['vite', 'src/main.tsx', 5173, 'npm run dev'],
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
  },
  Astro: {
    files: {
      'package.json': manifest({ scripts: { dev: 'astro dev' }, dependencies: { astro: '5' } }),
      'astro.config.mjs': 'export default defineConfig({\n  output: "server",\n})\n',
    },
    found: ['astro', null, 4321, 'npm run dev'],
  },
  Nuxt: {
    files: {
      'package.json': manifest({ scripts: { dev: 'nuxt dev' }, dependencies: { nuxt: '4' } }),
      'nuxt.config.ts': 'export default defineNuxtConfig({\n  devtools: { enabled: true },\n})\n',
    },
    found: ['nuxt', null, 3000, 'npm run dev'],
  },
}

for (const [name, { files, found }] of Object.entries(CASES)) {
  test(`init recognizes ${name}, its file, its port and its command`, async () => {
    const app = await findApp(await writeProject(files))
    assert.deepEqual(app === null ? null : [app.name, app.entry, app.port, app.start], found)
  })
}

/** The lines to add, by their file. */
async function additionsOf(files: Files, callbackPath = '/auth/callback') {
  const root = await writeProject(files)
  const app = await findApp(root)
  assert.ok(app !== null)
  const additions = await additionsFor(root, FRAMEWORKS[app.name], app, callbackPath)
  return additions.map(({ file, lines }) => [file, ...lines])
}

test('the lines to add name the file, and are not printed again when they are there', async () => {
  const shop = SHOP['index.js']
  const [imported, used] = [
    "import { gatehouse, userOf } from '@gatehouse-auth/sdk/express'",
    'app.use(gatehouse({ protect: [] }))',
  ]
  assert.deepEqual(await additionsOf(SHOP), [
    ['index.js', imported],
    ['index.js', used],
  ])
  const added = { ...SHOP, 'index.js': shop.replace('\n\n', `\n${imported}\n\n`) }
  assert.deepEqual(await additionsOf(added), [])
  const moved = await additionsOf(SHOP, '/cb')
  assert.equal(moved[1]?.[1], "app.use(gatehouse({ protect: [], paths: { callback: '/cb' } }))")
})

test('the lines to add name every file that may create the app, or none', async () => {
  const hono = "import { Hono } from 'hono'\nconst app = new Hono()\n"
  const packages = { 'package.json': manifest({ dependencies: { hono: '4' } }) }
  const two = { ...packages, 'api/index.ts': hono, 'src/index.ts': hono }
  assert.equal((await additionsOf(two))[0]?.[0], 'api/index.ts or src/index.ts')
  assert.equal((await additionsOf(packages))[0]?.[0], 'the file that creates the app')
})

test('an app with the development server of Vite is told to deny .service, unless it does', async () => {
  const packages = manifest({ dependencies: { astro: '5' } })
  const [line] = await additionsOf({ 'package.json': packages })
  assert.equal(line?.[0], 'astro.config.mjs')
  assert.match(line?.[1] ?? '', /^vite: \{ server: \{ fs: \{ deny: \[.*'\.service\*'\] \} \} \},$/)
  const script = { 'package.json': packages, 'astro.config.ts': 'export default {}' }
  assert.equal((await additionsOf(script))[0]?.[0], 'astro.config.ts')
  const denied = { ...script, 'astro.config.ts': "export default { deny: ['.service*'] }" }
  assert.deepEqual(await additionsOf(denied), [])
})

test('an app of React Router is told the flag of version 7, unless it has it', async () => {
  const packages = { 'package.json': manifest({ devDependencies: { '@react-router/dev': '7' } }) }
  const files = (await additionsOf(packages)).map(([file]) => file)
  assert.deepEqual(files, ['app/routes.ts', 'vite.config.ts', 'react-router.config.ts'])
  const config = { 'react-router.config.ts': 'export default { future: { v8_middleware: true } }' }
  const flagged = (await additionsOf({ ...packages, ...config })).map(([file]) => file)
  assert.deepEqual(flagged, ['app/routes.ts', 'vite.config.ts'])
})

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

test('init in an Express app registers its callback, prints the lines to add and what pages need, and changes no file of it', async (t) => {
  const { machine, tenant } = await createLocalFixture(t, { realTime: true })
  await writeProject(SHOP, machine.project)
  const { code, stdout, stderr } = await initShop(machine)
  assert.equal(code, 0, stderr)
  for (const part of [
    'App          Express (index.js)\n',
    'Callback     http://localhost:4100/auth/callback\n',
    "Add to index.js, with the other imports:\n  import { gatehouse, userOf } from '@gatehouse-auth/sdk/express'\n",
    'Add to index.js, directly after the app is created, before its routes (app is your variable):\n  app.use(gatehouse({ protect: [] }))\n',
    '<a href="/login">',
    "a path in protect: ['/account'], with everything below it; a signed-out POST is not repeated after the sign-in\n",
    '  Posts        from pages of other origins get 403: nothing to add\n',
    '  Failures     a user who cancels or is refused sees why, and can try again: nothing to add\n',
    'userOf(req): { id, email, name, picture }, name and picture possibly null; or null if signed out',
    'curl -sLc /tmp/jar -b gatehouse_dev_person=ada@example.com http://localhost:4100/login',
    "curl -s -b /tmp/jar -H 'Origin: http://localhost:4100' …",
    'npm install @gatehouse-auth/sdk\n',
    '  npm run dev\n',
    'npx @gatehouse-auth/local claim --no-wait   # a link with which your user keeps the project\n',
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
  const empty = { 'package.json': manifest({}) }
  assert.doesNotMatch(await init('new', empty, '--framework', 'next'), /In your pages:/)
  const spa = await init('spa', empty, '--framework', 'vite')
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

test('--port and --callback name the callback, also beside registered ones; another path is in the lines', async (t) => {
  const { machine, tenant } = await createLocalFixture(t, { realTime: true })
  await writeProject(SHOP, machine.project)
  await machine.run('init', '--port', '4200')
  const { stdout } = await machine.run('init', '--callback', 'https://shop.example.com/oauth/back')
  assert.match(
    stdout,
    /^ {2}app\.use\(gatehouse\(\{ protect: \[\], paths: \{ callback: '\/oauth\/back' \} \}\)\)$/m,
  )
  const { json } = await (await tenant()).manage('GET', '/api/resources')
  assert.deepEqual(json.resources[0].callback_urls, [
    'http://localhost:4200/auth/callback',
    'https://shop.example.com/oauth/back',
  ])
  for (const port of ['0', '70000', 'x']) {
    const { message } = await machine.expectProblem(2, 'usage', 'init', '--port', port)
    assert.match(message, /^--port .* 1 to 65535/)
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

test('init skips an AGENTS.md that it may not change or read', async (t) => {
  const { machine } = await createLocalFixture(t, { realTime: true })
  await writeProject(SHOP, machine.project)
  const init = () =>
    start(t, [...WITHOUT_PRIVILEGES, process.execPath, machine.bin, 'init'], {
      cwd: machine.project,
      env: machine.env,
    }).ended
  const agents = path.join(machine.project, 'AGENTS.md')
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
  const { code, stdout, stderr } = await machine.run('init')
  assert.equal(code, 0, stderr)
  for (const [name, text] of Object.entries(latin1)) {
    assert.equal(await readFile(path.join(machine.project, name), 'latin1'), text)
  }
  assert.match(stdout, /^Add to app\.py, .*:\n {2}app\.register_blueprint\(gatehouse\)$/m)
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

test('init starts an app of Python or Go by where its file is and what creates the app', async () => {
  const fastapi = { 'requirements.txt': 'fastapi\n' }
  const flask = { 'pyproject.toml': '[project]\ndependencies = ["flask"]\n' }
  const uvicorn = (target: string): string => `uvicorn ${target} --host localhost --port 8000`
  for (const [files, start] of [
    [{ ...fastapi, 'app/main.py': 'api = FastAPI()\n' }, uvicorn('app.main:api')],
    [
      { ...fastapi, 'app/db.py': '', 'app/main.py': 'import db\n\napp = FastAPI()\n' },
      uvicorn('main:app --app-dir app'),
    ],
    [
      {
        ...fastapi,
        'src/shop/__init__.py': '',
        'src/shop/main.py': 'def create_app():\n    web = FastAPI()\n    return web\n',
      },
      uvicorn('shop.main:create_app --factory --app-dir src'),
    ],
    [
      { ...flask, 'src/shop/__init__.py': 'app: Flask = Flask(__name__)\n' },
      'flask --app src/shop/__init__.py run --host localhost --port 5000',
    ],
    [
      { ...flask, 'a/b/c/d/app.py': 'app = Flask(__name__)\n' },
      'flask run --host localhost --port 5000',
    ],
    [
      {
        'go.mod': 'module shop\n',
        'cmd/web/main.go':
          'package main\n\nfunc main() {\n\thttp.ListenAndServe(address, mux)\n}\n',
      },
      'go run ./cmd/web',
    ],
  ] as const) {
    assert.equal((await findApp(await writeProject(files)))?.start, start)
  }
})

test('init takes a project with Vite and a server for the server, and for an SPA only without one', async () => {
  const vite = {
    'package.json': manifest({ scripts: { dev: 'vite' }, dependencies: { vite: '1' } }),
    'index.html': '<script type="module" src="/src/main.ts"></script>\n',
    'src/main.ts': 'start()\n',
  }
  for (const [files, name] of [
    [vite, 'vite'],
    [
      { 'composer.json': '{}', 'public/index.php': '<?php\n\nuse Illuminate\\Http\\Request;\n' },
      'php',
    ],
    [{ 'requirements.txt': 'flask\n', 'app.py': 'app = Flask(__name__)\n' }, 'flask'],
    [
      {
        'go.mod': 'module shop\n',
        'main.go': 'package main\nfunc main() { http.ListenAndServe(":8080", nil) }\n',
      },
      'go',
    ],
    [{ 'go.mod': 'module shop\n', 'wasm.go': 'package main\n' }, 'vite'],
    [{ 'server.js': 'createServer(handle)\n' }, 'vite'],
  ] as const) {
    assert.equal((await findApp(await writeProject({ ...vite, ...files })))?.name, name)
  }
})

test('init takes no program in a folder with an underscore for the app, or for a second one', async () => {
  const main = 'package main\nfunc main() { http.ListenAndServe(":8080", nil) }\n'
  const flask = 'app = Flask(__name__)\n'
  for (const [files, entry] of [
    [{ 'go.mod': 'module shop\n', 'main.go': main, '_examples/basic/main.go': main }, 'main.go'],
    [{ 'requirements.txt': 'flask\n', 'shop/app.py': flask, '_old/app.py': flask }, 'shop/app.py'],
  ] as const) {
    const app = await findApp(await writeProject(files))
    assert.deepEqual([app?.entry, app?.entries], [entry, [entry]])
  }
})

test('init takes the port of the server from the code, never that of a database', async () => {
  const express = (code: string): Files => ({
    'package.json': manifest({ dependencies: { express: '1' } }),
    'server.js': `import express from 'express'\n${code}\nconst app = express()\n`,
  })
  const flask = (code: string): Files => ({
    'requirements.txt': 'flask\n',
    'app.py': `app = Flask(__name__)\n${code}\n`,
  })
  const go = (code: string): Files => ({
    'go.mod': 'module shop\n',
    'main.go': `package main\nfunc main() {\n\tdb := Config{Host: "localhost", Port: 5432, Addr: "localhost:6379"}\n\t${code}\n}\n`,
  })
  const pool = "const pool = new pg.Pool({ host: 'localhost', port: 5432 })\n"
  const redis = "cache = redis.Redis(host='localhost', port=6379)\n"
  for (const [files, port] of [
    [express(pool), 3000],
    [express(`${pool}const port = 4000`), 4000],
    [express(`${pool}server.listen({ host: '0.0.0.0', port: ${4001} })`), 4001],
    [express(`${pool}server.listen(process.env.PORT || 4002)`), 4002],
    [express(`// listen(${9999})\n${pool}`), 3000],
    [flask(redis), 5000],
    [flask(`${redis}app.run(debug=True, port=8080)`), 8080],
    [flask(`${redis}app.run(port=int(os.environ.get('PORT', 8081)))`), 8081],
    [go('http.ListenAndServe(":8082", mux)'), 8082],
    [go('server := &http.Server{Handler: mux, Addr: "localhost:8083"}'), 8083],
    [go('http.Server{Handler: mux}'), 8080],
  ] as const) {
    const app = await findApp(await writeProject(files))
    assert.equal(app?.port, port, JSON.stringify(files))
  }
})

test('init writes the recipe of Go into the package of the app, which may have only one', async () => {
  const files = {
    'go.mod': 'module shop\n',
    'main.go': 'package main\n\nfunc main() { server.Run() }\n',
    'server/server.go':
      '// package main\npackage server\n\nfunc Run() {\n\thttp.ListenAndServe(":8080", mux)\n}\n',
  }
  const root = await writeProject(files)
  const app = await findApp(root)
  assert.deepEqual([app?.entry, app?.start], ['server/server.go', 'go run .'])
  await writeRecipe(root, 'go', {
    withExample: false,
    port: 3_000,
    base_url: 'https://login.example.com',
    tenant_id: 'a-b',
    folder: 'server',
    callbackPath: '/auth/callback',
  })
  assert.match(await readFile(path.join(root, 'server/gatehouse.go'), 'utf8'), /^package server$/m)
})

test('init --framework in an empty folder names the command that creates the app, and creates nothing itself', async (t) => {
  const { machine, baseUrl } = await createLocalFixture(t)
  for (const [name, { create }] of Object.entries<Framework>(FRAMEWORKS)) {
    if (create === undefined) {
      continue
    }
    const { next } = await machine.expectProblem(1, 'appMissing', 'init', '--framework', name)
    assert.ok(next.startsWith(`Run: ${create}. `), next)
    assert.ok(
      next.endsWith(`@gatehouse-auth/local init --framework ${name} --service ${baseUrl}`),
      'the service of GATEHOUSE_URL',
    )
    assert.deepEqual(await readdir(machine.project), [])
  }
})
