import type { SourceFile } from '../../sdk/test/support/recipes.ts'
import { PLATFORMS, platformFile } from './platform.ts'

/** The files of a project besides the recipe, as the framework's starter template has them. */
export interface Scaffold {
  readonly files: readonly SourceFile[]
  /** Node's arguments of the build. Absent if the framework needs no build. */
  readonly build?: readonly string[]
  readonly serve: readonly string[]
  /** Node's arguments of the framework's own check of types, after the build. */
  readonly check?: readonly string[]
  /** Recipe files to type-check. Absent if the framework's build type-checks. */
  readonly typed?: readonly string[]
}

const NEXT: Scaffold = {
  files: [
    // The files of a fresh create-next-app, with cacheComponents.
    [
      'next.config.ts',
      `import type { NextConfig } from 'next'
const nextConfig: NextConfig = { cacheComponents: true, partialPrefetching: true, turbopack: { root: ${JSON.stringify(PLATFORMS)} } }
export default nextConfig`,
    ],
    ['app/page.tsx', `export default function Home() {\n  return <a href="/notes">Notes</a>\n}`],
    [
      'app/layout.tsx',
      `export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>
}`,
    ],
  ],
  build: [platformFile('next/dist/bin/next'), 'build'],
  serve: [platformFile('next/dist/bin/next'), 'start'],
}

/** The proxy matches `/notes` only. The other routes are route handlers, and `/about` is a page outside the matcher. */
export const NARROW_PROXY: readonly SourceFile[] = [
  [
    'proxy.ts',
    `import { auth } from './auth'
export const proxy = auth.proxy
export const config = { matcher: ['/notes/:path*'] }`,
  ],
  ['app/login/route.ts', "import { auth } from '../../auth'\nexport const GET = auth.GET"],
  ['app/logout/route.ts', "import { auth } from '../../auth'\nexport const POST = auth.POST"],
  [
    'app/auth/[action]/route.ts',
    "import { auth } from '../../../auth'\nexport const GET = auth.GET",
  ],
  [
    'app/api/me/route.ts',
    `import { auth } from '../../../auth'
export const GET = auth.route((_request, { user }) => Response.json({ email: user.email }))`,
  ],
  [
    'app/about/page.tsx',
    `import { Suspense } from 'react'
import { auth } from '../../auth'
async function Status() {
  const { status, user } = await auth.session()
  return <p>{\`\${status} \${user?.email}\`}</p>
}
export default function About() {
  return <Suspense><Status /></Suspense>
}`,
  ],
]

/** As `next dev`, in one process, so that the test's cleanup ends it. */
export const NEXT_DEV: readonly SourceFile[] = [
  [
    'dev.js',
    `import { createServer } from 'node:http'
import next from 'next'
const port = Number(process.env.PORT)
const app = next({ dev: true, port })
await app.prepare()
createServer(app.getRequestHandler()).listen(port)`,
  ],
]

const SVELTEKIT: Scaffold = {
  files: [
    [
      'vite.config.js',
      `import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
import { defineConfig } from 'vite'
// Without an origin the Node server assumes https, and its CSRF check rejects forms from http://localhost.
const paths = { origin: process.env.ORIGIN }
export default defineConfig({ plugins: [sveltekit({ adapter: adapter(), paths })] })`,
    ],
    [
      'src/app.html',
      '<!doctype html><html lang="en"><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
    ],
    [
      'tsconfig.json',
      JSON.stringify({
        extends: '$app/tsconfig',
        compilerOptions: { strict: true, skipLibCheck: true, types: [] },
        include: ['src', 'test', '*'],
        exclude: ['src/service-worker'],
      }),
    ],
    // Rendered by the build, which runs the hook without settings.
    ['src/routes/about/+page.ts', 'export const prerender = true'],
    ['src/routes/about/+page.svelte', '<p>About</p>'],
  ],
  build: [platformFile('vite/bin/vite.js'), 'build'],
  // As `npm run check` of a fresh project.
  check: [
    platformFile('svelte-check/bin/svelte-check'),
    '--tsconfig',
    './tsconfig.json',
    '--fail-on-warnings',
  ],
  serve: ['build/index.js'],
}

const REACT_ROUTER: Scaffold = {
  files: [
    // It looks for this name, and would install it.
    [
      'package.json',
      JSON.stringify({ private: true, type: 'module', dependencies: { isbot: '*' } }),
    ],
    [
      'vite.config.js',
      `import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'
export default defineConfig({ plugins: [reactRouter()] })`,
    ],
    [
      'app/routes.ts',
      `import { type RouteConfig, route } from '@react-router/dev/routes'
export default [
  route('notes', 'routes/notes.tsx'),
  ...['login', 'auth/callback', 'logout', 'auth/session'].map((path) => route(path, 'routes/auth.ts', { id: path })),
] satisfies RouteConfig`,
    ],
    [
      'app/root.tsx',
      `import { Outlet, Scripts } from 'react-router'
export default function App() {
  return <html lang="en"><body><Outlet /><Scripts /></body></html>
}`,
    ],
  ],
  build: [platformFile('@react-router/dev/bin.cjs'), 'build'],
  serve: [platformFile('@react-router/serve/bin.cjs'), 'build/server/index.js'],
  typed: ['app/root.tsx', 'app/routes.ts', 'app/routes/notes.tsx', 'app/routes/auth.ts'],
}

const EXPRESS: Scaffold = {
  files: [],
  serve: ['server.js'],
  typed: ['server.js'],
}

const FASTIFY: Scaffold = {
  files: [],
  serve: ['server.js'],
  typed: ['server.js'],
}

/** Hono is a dependency of the service, which the app finds as well. */
const HONO: Scaffold = { files: [], serve: ['server.js'], typed: ['server.js'] }

const NODE: Scaffold = { files: [], serve: ['server.js'] }

/** An app of Express with a guard for one route instead of `protect`. */
export const GUARDED_ROUTE: readonly SourceFile[] = [
  [
    'server.js',
    `import { gatehouse, requireUser, userOf } from '@gatehouse-auth/sdk/express'
import express from 'express'
const app = express()
app.use(gatehouse({ home: '/orders/7' }))
app.get('/', (req, res) => res.send('Start page'))
app.get('/orders/:id', requireUser(), (req, res) => res.send(\`Order \${req.params.id} of \${userOf(req)?.email}\`))
app.listen(process.env.PORT)`,
  ],
]

const ASTRO: Scaffold = {
  files: [
    // The files of the template `minimal`, with the Node adapter of `astro add node`.
    [
      'astro.config.mjs',
      `import node from '@astrojs/node'
import { defineConfig } from 'astro/config'
export default defineConfig({ adapter: node({ mode: 'standalone' }) })`,
    ],
    [
      'tsconfig.json',
      JSON.stringify({
        extends: 'astro/tsconfigs/strict',
        include: ['.astro/types.d.ts', 'src/**/*'],
      }),
    ],
    [
      'src/pages/index.astro',
      '<html lang="en"><head><title>Start</title></head><body><a href="/notes">Notes</a></body></html>',
    ],
  ],
  build: [platformFile('astro/bin/astro.mjs'), 'build'],
  check: [platformFile('astro/bin/astro.mjs'), 'check'],
  serve: ['dist/server/entry.mjs'],
}

const NUXT: Scaffold = {
  files: [
    // The files of the template `minimal`.
    [
      'nuxt.config.ts',
      "export default defineNuxtConfig({ compatibilityDate: '2026-01-01', telemetry: false })",
    ],
    ['app/app.vue', '<template><NuxtPage /></template>'],
    ['app/pages/index.vue', '<template><a href="/notes">Notes</a></template>'],
    [
      'tsconfig.json',
      JSON.stringify({
        files: [],
        references: ['app', 'server', 'shared', 'node'].map((name) => ({
          path: `./.nuxt/tsconfig.${name}.json`,
        })),
      }),
    ],
  ],
  build: [platformFile('nuxt/bin/nuxt.mjs'), 'build'],
  check: [platformFile('vue-tsc/bin/vue-tsc.js'), '-b', '--noEmit'],
  serve: ['.output/server/index.mjs'],
}

/** A single-page app around the recipe for browsers, as the template `vanilla-ts`. */
export const VITE: Scaffold = {
  files: [
    [
      'index.html',
      '<!doctype html><link rel="icon" href="data:,"><main></main><script type="module" src="/src/main.ts"></script>',
    ],
    [
      'src/main.ts',
      `import { session } from './auth'
async function show() {
  const user = await session.user()
  const button = document.createElement('button')
  button.textContent = user ? 'Sign out' : 'Sign in'
  button.onclick = () => (user ? session.logout() : session.login())
  document.querySelector('main')?.replaceChildren(\`Hello, \${user?.email ?? 'stranger'}\`, button)
}
session.onChange(show)
await show()`,
    ],
  ],
  build: [platformFile('vite/bin/vite.js'), 'build'],
  serve: [platformFile('vite/bin/vite.js'), 'preview', '--strictPort'],
  typed: ['src/main.ts'],
}

/** By the name of the recipe's folder in examples/recipes. */
export const SCAFFOLDS: Readonly<Record<string, Scaffold>> = {
  next: NEXT,
  sveltekit: SVELTEKIT,
  'react-router': REACT_ROUTER,
  express: EXPRESS,
  fastify: FASTIFY,
  hono: HONO,
  node: NODE,
  astro: ASTRO,
  nuxt: NUXT,
}
