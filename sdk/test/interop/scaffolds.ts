import { PLATFORMS, platformFile } from '../../../service/test/interop/platform.ts'
import type { SourceFile } from '../support/recipes.ts'

/** The files of a project besides the recipe, as the framework's starter template has them. */
export interface Scaffold {
  readonly files: readonly SourceFile[]
  /** Node's arguments of the build. Absent if the framework needs no build. */
  readonly build?: readonly string[]
  readonly serve: readonly string[]
  /** Recipe files to type-check. Absent if the framework's build type-checks. */
  readonly typed?: readonly string[]
}

const NEXT: Scaffold = {
  files: [
    ['next.config.js', `export default { turbopack: { root: ${JSON.stringify(PLATFORMS)} } }`],
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
  ],
  build: [platformFile('vite/bin/vite.js'), 'build'],
  serve: ['build/index.js'],
  typed: [
    'src/hooks.server.ts',
    'src/routes/auth/callback/+server.ts',
    'src/routes/logout/+server.ts',
    'src/routes/notes/+page.server.ts',
  ],
}

const REACT_ROUTER: Scaffold = {
  files: [
    // It looks for this name, and would install it.
    ['package.json', JSON.stringify({ private: true, type: 'module', dependencies: { isbot: '*' } })],
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
  route('auth/callback', 'routes/callback.ts'),
  route('logout', 'routes/logout.ts'),
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
  typed: ['app/root.tsx', 'app/routes.ts', 'app/routes/notes.tsx', 'app/routes/callback.ts', 'app/routes/logout.ts'],
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

/** By the name of the recipe's folder in examples/recipes. */
export const SCAFFOLDS: Readonly<Record<string, Scaffold>> = {
  next: NEXT,
  sveltekit: SVELTEKIT,
  'react-router': REACT_ROUTER,
  express: EXPRESS,
  fastify: FASTIFY,
}
