import type { SourceFile } from '../../sdk/test/support/recipes.ts'

/** An app with a protected page and a protected POST, which write a text that no other response has. */
interface GuardedApp {
  /** The name of the scaffold around it. Absent if `server.js` is the whole app. */
  readonly scaffold?: string
  readonly files: readonly SourceFile[]
  readonly serve?: readonly string[]
}

const OPTIONS = '{ protect: [process.env.PROTECT] }'
const CONTENT = 'CONTENT OF A PROTECTED PAGE'
const EFFECT = 'EFFECT OF A PROTECTED POST'
const POST = `(console.log('${EFFECT}'), '${EFFECT}')`

const express = (name: string): GuardedApp => ({
  files: [
    [
      'server.js',
      `import { gatehouse } from '@gatehouse-auth/sdk/express'
import express from '${name}'
const app = express()
app.use(gatehouse(${OPTIONS}))
app.get('/', (req, res) => res.send('Start page'))
app.get('/notes', (req, res) => res.send('${CONTENT}'))
app.post('/notes', (req, res) => res.send(${POST}))
const router = express.Router()
router.get(/.*/, (req, res) => res.send('${CONTENT}'))
router.post(/.*/, (req, res) => res.send(${POST}))
app.use('/notes', router)
app.listen(process.env.PORT)`,
    ],
  ],
})

const FASTIFY: GuardedApp = {
  files: [
    [
      'server.js',
      `import { gatehouse } from '@gatehouse-auth/sdk/fastify'
import Fastify from 'fastify'
// The most lenient router that Fastify has.
const routerOptions = {
  caseSensitive: false,
  ignoreDuplicateSlashes: true,
  ignoreTrailingSlash: true,
  maxParamLength: 10_000,
  useSemicolonDelimiter: true,
}
const app = Fastify({ routerOptions })
app.register(gatehouse(${OPTIONS}))
app.get('/', async () => 'Start page')
for (const url of ['/notes', '/notes/*']) {
  app.get(url, async () => '${CONTENT}')
  app.post(url, async () => ${POST})
}
await app.listen({ port: Number(process.env.PORT), host: 'localhost' })`,
    ],
  ],
}

const HONO: GuardedApp = {
  files: [
    [
      'server.js',
      `import { serve } from '@hono/node-server'
import { gatehouse } from '@gatehouse-auth/sdk/hono'
import { Hono } from 'hono'
const app = new Hono({ strict: false })
app.use(gatehouse(${OPTIONS}))
app.get('/', (c) => c.text('Start page'))
app.get('/notes/*', (c) => c.text('${CONTENT}'))
app.post('/notes/*', (c) => c.text(${POST}))
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: 'localhost' })`,
    ],
  ],
}

/** A listener that finds its page as the documentation of Node says: by \`new URL\`. */
const NODE: GuardedApp = {
  files: [
    [
      'server.js',
      `import { createServer } from 'node:http'
import { gatehouse } from '@gatehouse-auth/sdk/node'
const listener = (req, res) => {
  const { pathname } = new URL(req.url, 'http://localhost')
  if (decodeURI(pathname) === '/' || !/^\\/+notes(\\/|$)/i.test(decodeURIComponent(pathname))) {
    return res.end('Start page')
  }
  res.end(req.method === 'POST' ? ${POST} : '${CONTENT}')
}
createServer(gatehouse(${OPTIONS}, listener)).listen(process.env.PORT)`,
    ],
  ],
}

const H3: GuardedApp = {
  files: [
    [
      'server.js',
      `import { createServer } from 'node:http'
import { gatehouse } from '@gatehouse-auth/sdk/nuxt'
import { createApp, createRouter, eventHandler, toNodeListener } from 'h3'
const app = createApp()
app.use(eventHandler(gatehouse(${OPTIONS})))
const router = createRouter()
router.get('/', eventHandler(() => 'Start page'))
for (const path of ['/notes', '/notes/**']) {
  router.get(path, eventHandler(() => '${CONTENT}'))
  router.post(path, eventHandler(() => ${POST}))
}
app.use(router)
createServer(toNodeListener(app)).listen(process.env.PORT)`,
    ],
  ],
}

const NEXT: GuardedApp = {
  scaffold: 'next',
  files: [
    [
      'proxy.ts',
      `import { gatehouse } from '@gatehouse-auth/sdk/next'
const auth = gatehouse({ protect: [process.env.PROTECT ?? ''] })
export const proxy = auth.proxy`,
    ],
    ['app/notes/page.tsx', `export default function Notes() { return <p>${CONTENT}</p> }`],
    [
      'app/notes/[...rest]/route.ts',
      `export const GET = () => new Response('${CONTENT}')
export const POST = () => new Response(${POST})`,
    ],
  ],
}

const ASTRO: GuardedApp = {
  scaffold: 'astro',
  files: [
    [
      'src/middleware.ts',
      `import { gatehouse } from '@gatehouse-auth/sdk/astro'
export const onRequest = gatehouse(${OPTIONS})`,
    ],
    ['src/pages/index.astro', '---\nexport const prerender = false\n---\n<p>Start page</p>'],
    [
      'src/pages/notes.astro',
      `---
export const prerender = false
---
<p>${CONTENT}</p>`,
    ],
    [
      'src/pages/notes/[...rest].ts',
      `export const prerender = false
export const GET = () => new Response('${CONTENT}')
export const POST = () => new Response(${POST})`,
    ],
  ],
}

/** Astro serves its pages below the base, and without it as well. */
const ASTRO_WITH_BASE: GuardedApp = {
  scaffold: 'astro',
  files: [
    ...ASTRO.files,
    [
      'astro.config.mjs',
      `import node from '@astrojs/node'
import { defineConfig } from 'astro/config'
export default defineConfig({ base: '/app', adapter: node({ mode: 'standalone' }) })`,
    ],
    [
      'src/middleware.ts',
      `import { gatehouse } from '@gatehouse-auth/sdk/astro'
export const onRequest = gatehouse({ protect: ['/app' + process.env.PROTECT] })`,
    ],
  ],
}

const SVELTEKIT: GuardedApp = {
  scaffold: 'sveltekit',
  files: [
    [
      'src/hooks.server.ts',
      `import { gatehouse } from '@gatehouse-auth/sdk/sveltekit'
export const handle = gatehouse(${OPTIONS})`,
    ],
    ['src/routes/+page.svelte', '<p>Start page</p>'],
    ['src/routes/notes/+page.svelte', `<p>${CONTENT}</p>`],
    [
      'src/routes/notes/+page.server.ts',
      `export const load = () => ({ text: '${CONTENT}' })
export const actions = { default: () => ({ text: ${POST} }) }`,
    ],
    [
      'src/routes/notes/[...rest]/+server.ts',
      `export const GET = () => new Response('${CONTENT}')
export const POST = () => new Response(${POST})`,
    ],
  ],
}

const NUXT: GuardedApp = {
  scaffold: 'nuxt',
  files: [
    [
      'server/middleware/gatehouse.ts',
      `import { gatehouse } from '@gatehouse-auth/sdk/nuxt'
export default defineEventHandler(gatehouse(${OPTIONS}))`,
    ],
    ['app/pages/notes.vue', `<template><p>${CONTENT}</p></template>`],
    [
      'server/routes/notes/[...rest].get.ts',
      `export default defineEventHandler(() => '${CONTENT}')`,
    ],
    ['server/routes/notes/[...rest].post.ts', `export default defineEventHandler(() => ${POST})`],
  ],
}

const REACT_ROUTER: GuardedApp = {
  scaffold: 'react-router',
  files: [
    [
      'app/auth.server.ts',
      `import { gatehouse } from '@gatehouse-auth/sdk/react-router'
export const auth = gatehouse(${OPTIONS})`,
    ],
    [
      'app/root.tsx',
      `import { Outlet } from 'react-router'
import { auth } from './auth.server'
export const middleware = [auth.middleware]
export default function App() {
  return <html lang="en"><body><Outlet /></body></html>
}`,
    ],
    [
      'app/routes.ts',
      `import { index, route, type RouteConfig } from '@react-router/dev/routes'
export default [
  index('routes/start.tsx'),
  route('notes', 'routes/notes.tsx'),
  route('notes/*', 'routes/rest.ts'),
] satisfies RouteConfig`,
    ],
    ['app/routes/start.tsx', `export default function Start() { return <p>Start page</p> }`],
    [
      'app/routes/notes.tsx',
      `import { useLoaderData } from 'react-router'
export const loader = () => '${CONTENT}'
export const action = () => ${POST}
export default function Notes() { return <p>{useLoaderData()}</p> }`,
    ],
    [
      'app/routes/rest.ts',
      `export const loader = () => new Response('${CONTENT}')
export const action = () => new Response(${POST})`,
    ],
  ],
}

export const GUARDED_APPS: Readonly<Record<string, GuardedApp>> = {
  'Express 5': express('express'),
  'Express 4': express('express4'),
  Fastify: FASTIFY,
  Hono: HONO,
  'node:http': NODE,
  h3: H3,
  'Next.js': NEXT,
  Astro: ASTRO,
  'Astro with a base': ASTRO_WITH_BASE,
  SvelteKit: SVELTEKIT,
  Nuxt: NUXT,
  'React Router': REACT_ROUTER,
}
