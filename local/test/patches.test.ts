import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { findApp } from '../src/recipes/find-app.ts'
import { patchesFor } from '../src/recipes/patch.ts'
import { sourceOf } from '../src/recipes/source-text.ts'
import { writeRecipe } from '../src/recipes/write-recipe.ts'
import { createLocalFixture } from './support/machine.ts'
import { type Files, writeProject } from './support/project.ts'

const uses = (name: string, fields: object = {}): string =>
  JSON.stringify({ type: 'module', dependencies: { [name]: '1' }, ...fields })

interface Case {
  readonly files: Files
  /** The file that is patched, and the lines before and after each new line. null: none, and the note is printed. */
  readonly patched: readonly [file: string, ...lines: string[]] | null
  readonly start?: string
}

const IMPORT = (name: string): string =>
  `+import { gatehouse, userOf } from '@gatehouse-auth/sdk/${name}'`
const ROUTES =
  "+  ...['login', 'auth/callback', 'logout', 'auth/session'].map((path) => authRoute(path, 'routes/auth.ts', { id: path })),"
const FLASK_IMPORT = '+from gatehouse import current_user, gatehouse, require_user'

const CASES: Readonly<Record<string, Case>> = {
  'Express in a property of a class': {
    files: {
      'package.json': uses('express'),
      'src/server.ts':
        "import express, { type Express } from 'express';\n\nexport class Server {\n  private app: Express;\n  constructor() {\n    this.app = express();\n    this.app.use(express.json());\n  }\n}\n",
    },
    patched: [
      'src/server.ts',
      `${IMPORT('express')};`,
      '+    this.app.use(gatehouse({ protect: [] }));',
    ],
  },
  'Express in a field of a class, which has no place for a statement': {
    files: {
      'package.json': uses('express'),
      'server.js': "import express from 'express'\nclass Server {\n  app = express()\n}\n",
    },
    patched: null,
  },
  'Express with an apostrophe and a bracket in the comments': {
    files: {
      'package.json': uses('express'),
      'server.js':
        "/* Usage: const app = express() */\nimport express from 'express' // :)\n\nconst app = express() // it's the whole app (so far\napp.get('/', (req, res) => {\n  res.send('hi')\n})\n",
    },
    patched: [
      'server.js',
      " import express from 'express' // :)",
      IMPORT('express'),
      " const app = express() // it's the whole app (so far",
      '+app.use(gatehouse({ protect: [] }))',
    ],
  },
  'Express whose first route is on the line of the app': {
    files: {
      'package.json': uses('express'),
      'server.js':
        "import express from 'express'\nconst app = express(); app.get('/', (req, res) => res.send('hi'))\n",
    },
    patched: null,
  },
  'Express in an expression that continues on the next line': {
    files: {
      'package.json': uses('express'),
      'server.js': "import express from 'express'\nconst app = express()\n  , port = 3000\n",
    },
    patched: null,
  },
  'Express in the head of a loop, where another statement is a syntax error': {
    files: {
      'package.json': uses('express'),
      'server.js': "import express from 'express'\nfor (\n  var app = express();\n  false;\n) {}\n",
    },
    patched: null,
  },
  'Express in one line of CommonJS': {
    files: {
      'package.json': uses('express', { type: 'commonjs' }),
      'index.js': "const app = require('express')()\napp.get('/', (q, r) => r.send('x'))\n",
    },
    patched: [
      'index.js',
      "+const { gatehouse, userOf } = require('@gatehouse-auth/sdk/express')",
      '+app.use(gatehouse({ protect: [] }))',
    ],
  },
  'Fastify in one line of CommonJS': {
    files: {
      'package.json': uses('fastify', { type: 'commonjs' }),
      'server.js':
        "const fastify = require('fastify')({ logger: true })\nfastify.get('/', async () => 'hi')\n",
    },
    patched: [
      'server.js',
      "+const { gatehouse, userOf } = require('@gatehouse-auth/sdk/fastify')",
      '+fastify.register(gatehouse({ protect: [] }))',
    ],
  },
  'Hono in two files, of which one is the index': {
    files: {
      'package.json': uses('hono'),
      'src/authors.ts':
        "import { Hono } from 'hono'\n\nconst app = new Hono()\nexport default app\n",
      'src/index.ts':
        "import { Hono } from 'hono'\nimport authors from './authors'\n\nconst app = new Hono()\napp.route('/authors', authors)\nexport default app\n",
    },
    patched: ['src/index.ts', IMPORT('hono'), '+app.use(gatehouse({ protect: [] }))'],
  },
  'Hono in two files, of which package.json starts one': {
    files: {
      'package.json': uses('hono', { scripts: { dev: 'tsx watch src/shop.ts' } }),
      'src/index.ts': "import { Hono } from 'hono'\nexport const app = new Hono()\n",
      'src/shop.ts': "import { Hono } from 'hono'\nexport const shop = new Hono()\n",
    },
    patched: ['src/shop.ts', IMPORT('hono'), '+shop.use(gatehouse({ protect: [] }))'],
  },
  'Hono in two files with equal names': {
    files: {
      'package.json': uses('hono'),
      'api/index.ts': "import { Hono } from 'hono'\nexport const app = new Hono()\n",
      'src/index.ts': "import { Hono } from 'hono'\nexport const app = new Hono()\n",
    },
    patched: null,
  },
  'Hono twice in one file': {
    files: {
      'package.json': uses('hono'),
      'index.js':
        "import { Hono } from 'hono'\nconst api = new Hono()\nconst app = new Hono()\napp.route('/api', api)\nexport default app\n",
    },
    patched: null,
  },
  'Hono below a path, which would answer /api/login': {
    files: {
      'package.json': uses('hono'),
      'index.js': "import { Hono } from 'hono'\nconst app = new Hono().basePath('/api')\n",
    },
    patched: null,
  },
  'React Router without a comma after the last route': {
    files: {
      'package.json': uses('@react-router/dev'),
      'app/routes.ts':
        'import { type RouteConfig, index } from "@react-router/dev/routes";\n\nexport default [\n  index("routes/home.tsx")\n] satisfies RouteConfig;\n',
    },
    patched: [
      'app/routes.ts',
      "+import { route as authRoute } from '@react-router/dev/routes';",
      ' export default [',
      ROUTES,
    ],
  },
  'React Router with the routes on one line': {
    files: {
      'package.json': uses('@react-router/dev'),
      'app/routes.ts':
        'import { type RouteConfig, index } from "@react-router/dev/routes";\n\nexport default [index("routes/home.tsx")] satisfies RouteConfig; // all\n',
    },
    patched: [
      'app/routes.ts',
      "+import { route as authRoute } from '@react-router/dev/routes';",
      '-export default [index("routes/home.tsx")] satisfies RouteConfig; // all',
      '+export default [',
      ROUTES,
      '+  index("routes/home.tsx")] satisfies RouteConfig; // all',
    ],
  },
  'React Router in JavaScript': {
    files: {
      'package.json': uses('@react-router/dev'),
      'app/routes.js':
        'import { index } from "@react-router/dev/routes";\nexport default [index("routes/home.jsx")];\n',
    },
    patched: [
      'app/routes.js',
      "+import { route as authRoute } from '@react-router/dev/routes';",
      '-export default [index("routes/home.jsx")];',
      '+export default [',
      ROUTES,
      '+  index("routes/home.jsx")];',
    ],
  },
  'React Router without a list of routes': {
    files: { 'package.json': uses('@react-router/dev'), 'app/root.tsx': '' },
    patched: null,
  },
  'a Vite SPA without a folder src': {
    files: { 'package.json': uses('vite'), 'index.html': '', 'main.js': '// Starts.\nrender()\n' },
    patched: [
      'main.js',
      "+import './src/auth' // Gatehouse: first, because it answers the callback",
      ' // Starts.',
    ],
  },
  'Flask with a continued import, and an apostrophe in a comment': {
    files: {
      'requirements.txt': 'flask\n',
      'app.py':
        'from flask import Flask, render_template, \\\n    request\n\napp = Flask(__name__)  # don\'t rename\n@app.route("/")\ndef index():\n    return "hi"\n',
    },
    patched: [
      'app.py',
      '     request',
      FLASK_IMPORT,
      " app = Flask(__name__)  # don't rename",
      '+app.register_blueprint(gatehouse)',
    ],
  },
  'Flask with a type, in a package in src': {
    files: {
      'pyproject.toml': '[project]\ndependencies = ["flask"]\n',
      'src/shop/__init__.py': 'from flask import Flask\n\napp: Flask = Flask(__name__)\n',
    },
    patched: [
      'src/shop/__init__.py',
      '+from .gatehouse import current_user, gatehouse, require_user',
      '+app.register_blueprint(gatehouse)',
    ],
    start: 'flask --app src/shop/__init__.py run --host localhost --port 5000',
  },
  'Flask in no file that init reads': {
    files: {
      'requirements.txt': 'flask\n',
      'a/b/c/d/app.py': 'from flask import Flask\n\napp = Flask(__name__)\n',
    },
    patched: null,
    start: 'flask run --host localhost --port 5000',
  },
  'Flask after a docstring with the same statements': {
    files: {
      'requirements.txt': 'flask\n',
      'app.py':
        '"""Example:\n\nfrom flask import Flask\napp = Flask(__name__)\n"""\nfrom flask import Flask as F\nfrom flask import Flask\n\nweb = Flask(__name__)\n',
    },
    patched: [
      'app.py',
      ' from flask import Flask as F',
      FLASK_IMPORT,
      ' web = Flask(__name__)',
      '+web.register_blueprint(gatehouse)',
    ],
  },
  'Django with a comment beside the list': {
    files: {
      'manage.py': 'import django\n',
      'shop/settings.py':
        "# MIDDLEWARE = [\nMIDDLEWARE = [  # order matters\n    'django.middleware.security.SecurityMiddleware',\n]\n",
    },
    patched: ['shop/settings.py', ' MIDDLEWARE = [  # order matters', "+    'gatehouse.SignIn',"],
  },
  'FastAPI in a folder without __init__.py': {
    files: {
      'requirements.txt': 'fastapi\n',
      'app/main.py': 'from fastapi import FastAPI\n\napi = FastAPI()\n',
    },
    patched: [
      'app/main.py',
      '+from .gatehouse import add_sign_in, current_user, require_user',
      '+add_sign_in(api)',
    ],
    start: 'uvicorn app.main:api --host localhost --port 8000',
  },
  'FastAPI in a folder whose modules import each other by name': {
    files: {
      'requirements.txt': 'fastapi\n',
      'app/db.py': '',
      'app/main.py': 'from fastapi import FastAPI\nimport db\n\napp = FastAPI()\n',
    },
    patched: [
      'app/main.py',
      '+from gatehouse import add_sign_in, current_user, require_user',
      '+add_sign_in(app)',
    ],
    start: 'uvicorn main:app --app-dir app --host localhost --port 8000',
  },
  'FastAPI in a package in src, created by a function': {
    files: {
      'requirements.txt': 'fastapi\n',
      'src/shop/__init__.py': '',
      'src/shop/main.py':
        'from fastapi import FastAPI\n\ndef create_app():\n    web = FastAPI()\n    return web\n',
    },
    patched: [
      'src/shop/main.py',
      '+from .gatehouse import add_sign_in, current_user, require_user',
      '+    add_sign_in(web)',
    ],
    start: 'uvicorn shop.main:create_app --factory --app-dir src --host localhost --port 8000',
  },
  'Go with calls and brackets in the address': {
    files: {
      'go.mod': 'module shop\n',
      'main.go':
        'package main\n\n// main serves with http.ListenAndServe(":8080", nil).\nfunc main() {\n\tlog.Fatal(http.ListenAndServe(fmt.Sprintf(":%d)", port), mux))\n}\n',
    },
    patched: [
      'main.go',
      '-\tlog.Fatal(http.ListenAndServe(fmt.Sprintf(":%d)", port), mux))',
      '+\tlog.Fatal(http.ListenAndServe(fmt.Sprintf(":%d)", port), withSignIn(mux)))',
    ],
  },
  'Go with a handler of several calls': {
    files: {
      'go.mod': 'module shop\n',
      'cmd/web/main.go':
        'package main\n\nfunc main() {\n\thttp.ListenAndServe(net.JoinHostPort(host, port), logged(os.Stdout, mux))\n}\n',
    },
    patched: [
      'cmd/web/main.go',
      '-\thttp.ListenAndServe(net.JoinHostPort(host, port), logged(os.Stdout, mux))',
      '+\thttp.ListenAndServe(net.JoinHostPort(host, port), withSignIn(logged(os.Stdout, mux)))',
    ],
    start: 'go run ./cmd/web',
  },
  'Go with a server of its own': {
    files: {
      'go.mod': 'module shop\n',
      'main.go':
        'package main\n\nfunc main() {\n\tserver := &http.Server{Addr: ":8080", Handler: mux}\n\tserver.ListenAndServe()\n}\n',
    },
    patched: null,
  },
  'PHP before HTML': {
    files: {
      'composer.json': '{}',
      'public/index.php': "<?php include '../header.php'; ?>\n<h1>Hello</h1>\n",
    },
    patched: null,
  },
  'PHP with a comment before the namespace': {
    files: {
      'composer.json': '{}',
      'public/index.php': "<?php\n/*\nnamespace Old;\n*/\nnamespace Shop;\n\necho 'x';\n",
    },
    patched: [
      'public/index.php',
      ' namespace Shop;',
      "+require_once __DIR__ . '/../gatehouse.php';",
    ],
  },
  'Sinatra in a class': {
    files: {
      Gemfile: "gem 'sinatra'\n",
      'app.rb':
        "require 'sinatra'\nrequire 'json'\n\nclass Shop < Sinatra::Base\n  get('/') { 'x' }\nend\n",
    },
    patched: [
      'app.rb',
      "+require_relative 'gatehouse'",
      ' class Shop < Sinatra::Base',
      '+  register Gatehouse',
    ],
  },
}

for (const [name, { files, patched, start }] of Object.entries(CASES)) {
  test(`init ${patched === null ? 'patches no place of' : 'finds the place in'} ${name}`, async () => {
    const root = await writeProject(files)
    const app = await findApp(root)
    assert.ok(app !== null)
    const { patches, missing } = await patchesFor(root, app, {
      withExample: false,
      callbackPath: '/auth/callback',
    })
    assert.deepEqual(
      [patches.map(({ file }) => file), missing],
      patched === null ? [[], true] : [[patched[0]], false],
    )
    if (start !== undefined) {
      assert.equal(app.start, start)
    }
    const [{ diff } = { diff: '' }] = patches
    const lines = diff.split('\n').slice(2)
    const changed = lines.filter((line) => /^[+-]/.test(line))
    const [, ...expected] = patched ?? []
    assert.deepEqual(
      changed,
      expected.filter((line) => /^[+-]/.test(line)),
    )
    for (const [at, line] of expected.entries()) {
      const before: string = expected[at - 1] ?? ''
      if (line.startsWith('+') && before.startsWith(' ')) {
        assert.equal(lines[lines.indexOf(line) - 1], before)
      }
    }
  })
}

test('init switches the middleware of React Router 7 on, or says where, and touches no other version', async () => {
  const flag = '+  future: { v8_middleware: true },'
  const head = 'import type { Config } from "@react-router/dev/config";\n'
  for (const [version, config, added] of [
    ['^7.9.0', `${head}export default {\n  ssr: true,\n} satisfies Config;\n`, flag],
    [
      '7.9.0',
      `${head}export default {\n  future: {\n    unstable_x: true,\n  },\n};\n`,
      '+    v8_middleware: true,',
    ],
    ['~7.9.0', `${head}export default {\n  future: { v8_middleware: true },\n};\n`, null],
    ['^7.9.0', `${head}export default {\n  future: { v8_middleware: false },\n};\n`, 'a note'],
    ['^7.9.0', `${head}export default {\n  // future: { v8_middleware: true },\n};\n`, flag],
    ['^7.9.0', `${head}export default { ssr: true };\n`, 'a note'],
    ['^7.9.0', '', 'a note'],
    ['^8.0.0', `${head}export default {\n  ssr: true,\n};\n`, null],
    ['latest', `${head}export default {\n  ssr: true,\n};\n`, null],
  ] as const) {
    const devDependencies = { '@react-router/dev': version }
    const root = await writeProject({
      'package.json': JSON.stringify({ type: 'module', devDependencies }),
      'vite.config.ts': "export default { server: { fs: { deny: ['.service*'] } } }\n",
      ...(config !== '' && { 'react-router.config.ts': config }),
    })
    const app = await findApp(root)
    assert.ok(app !== null)
    const { patches, notes } = await patchesFor(root, app, {
      withExample: false,
      callbackPath: '/auth/callback',
    })
    const lines = patches
      .flatMap(({ diff }) => diff.split('\n').slice(2))
      .filter((line) => /^[+-]/.test(line))
    assert.deepEqual(lines, added?.startsWith('+') ? [added] : [], config)
    assert.equal(notes.length, added === 'a note' ? 1 : 0, config)
    for (const note of notes) {
      assert.match(note, /react-router\.config\.ts has future: \{ v8_middleware: true \}/)
    }
  }
})

test('init takes a project with Vite and a server for the server, and for an SPA only without one', async () => {
  const vite = {
    'package.json': uses('vite', { scripts: { dev: 'vite' } }),
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
    'package.json': uses('express'),
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

test('a long line in which patterns begin and none ends is read at once', () => {
  const text = '= /['.repeat(30_000)
  const { code, bare } = sourceOf('a.ts', text)
  assert.deepEqual([code, bare.length], [text, text.length])
})

const OPTIONS = {
  withExample: false,
  port: 3_000,
  base_url: 'https://login.example.com',
  tenant_id: 'a-b',
}

const SPA = {
  'package.json': uses('vite'),
  'index.html': '<script type="module" src="/src/main.ts"></script>\n',
  'src/main.ts': 'start()\n',
}

test('init says what denies .service where it cannot add it to the configuration of Vite', async () => {
  for (const [config, isDone] of [
    [{}, false],
    [{ 'vite.config.ts': 'export default defineConfig({\n  server: { port: 5200 },\n})\n' }, false],
    [{ 'vite.config.ts': 'export default defineConfig(({ mode }) => ({ plugins: [] }))\n' }, false],
    [{ 'vite.config.mjs': "export default { server: { fs: { deny: ['.service*'] } } }\n" }, true],
  ] as const) {
    const root = await writeProject({ ...SPA, ...config })
    const app = await findApp(root)
    assert.ok(app !== null)
    const { patches, notes } = await patchesFor(root, app, {
      withExample: false,
      callbackPath: '/auth/callback',
    })
    assert.deepEqual(
      patches.map(({ file }) => file),
      ['src/main.ts'],
    )
    assert.equal(notes.length, isDone ? 0 : 1)
    if (!isDone) {
      assert.match(
        notes[0] ?? '',
        /^Vite's .* \.service, unless vite\.config\.ts denies it: server: \{ fs: .*'\.service\*'\] \} \}$/,
      )
    }
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
  await writeRecipe(root, 'go', { ...OPTIONS, folder: 'server', callbackPath: '/auth/callback' })
  assert.match(await readFile(path.join(root, 'server/gatehouse.go'), 'utf8'), /^package server$/m)
})

const NOTED: readonly (readonly [files: Files, note: string])[] = [
  [
    CASES['Hono in two files with equal names']?.files ?? {},
    'In api/index.ts or src/index.ts: import { gatehouse, userOf }',
  ],
  [
    CASES['Express in a field of a class, which has no place for a statement']?.files ?? {},
    "app.use(gatehouse({ protect: [], paths: { callback: '/cb' } }))",
  ],
  [
    { 'package.json': uses('fastify') },
    'In the file that creates the app: import { gatehouse, userOf }',
  ],
  [
    { 'package.json': uses('vite'), 'index.html': '' },
    'Import src/auth.ts first in the file that index.html loads',
  ],
  [{ 'requirements.txt': 'fastapi\n' }, 'add_sign_in(app)'],
  [CASES['Flask in no file that init reads']?.files ?? {}, 'app.register_blueprint(gatehouse)'],
  [
    CASES['React Router without a list of routes']?.files ?? {},
    "for each path of 'login', 'cb', 'logout' and 'auth/session'",
  ],
]

test('init prints the lines to add, and where, if it finds no place for them', async (t) => {
  const { machine, clock } = await createLocalFixture(t)
  for (const [at, [files, note]] of NOTED.entries()) {
    clock.advance({ minutes: 1 })
    const folder = await writeProject(files, path.join(machine.project, String(at)))
    const { code, stdout, stderr } = await machine.run(
      'init',
      '--project',
      folder,
      '--callback',
      'http://localhost:3000/cb',
    )
    assert.equal(code, 0, stderr)
    for (const part of [note, 'In your pages:']) {
      assert.ok(stdout.includes(part), `${part} in ${stdout}`)
    }
  }
})
