import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { parse } from 'node:url'
import { listen } from '../../service/test/support/transport/listen.ts'
import { gatehouse as express } from '../src/express.ts'
import { gatehouse as fastify } from '../src/fastify.ts'
import { gatehouse as node, nodeHandler } from '../src/node.ts'
import { gatehouse as nuxt } from '../src/nuxt.ts'
import { oddTargets, sendRaw } from './support/odd-targets.ts'
import { createScriptedClient } from './support/scripted-client.ts'

type Listener = (req: IncomingMessage, res: ServerResponse) => unknown

/** How routers read a request target: the one of Express, `new URL`, and the one of Fastify. */
const READINGS: readonly ((target: string) => string)[] = [
  (target) => parse(target).pathname ?? '',
  (target) => new URL(target, 'http://localhost').pathname,
  (target) => target.replace(/^https?:\/\/.*?\//, '/').split(/[?#;]/)[0] ?? '',
]

/** True if some router takes the target for the protected page or one below it. */
function isTakenForPage(target: string): boolean {
  return READINGS.some((read) => {
    try {
      const path = decodeURIComponent(read(target)).toLowerCase().replace(/\/+/g, '/')
      return /^\/graphql(\/|$)/.test(path)
    } catch {
      return false
    }
  })
}

const CONTENT = 'content of the protected page'

const app: Listener = (req, res) =>
  res.end(isTakenForPage(req.url ?? '') ? CONTENT : 'the handler of the app')

const { client } = createScriptedClient([])
const options = { client, protect: ['/graphql'] }

/** The hook of the plugin, called as Fastify does. */
async function fastifyListener(): Promise<Listener> {
  type Hook = (request: object, reply: object) => Promise<unknown>
  const hooks: Hook[] = []
  await fastify(options)({
    addHook: (_name: string, hook: Hook) => hooks.push(hook),
    register: async () => {},
  })
  return async (req, res) => {
    const reply = {
      code: (status: number) => Object.assign(res, { statusCode: status }),
      hasHeader: (name: string) => res.hasHeader(name),
      header: (name: string, value: string) => res.setHeader(name, value),
      send: (body: string) => res.end(body),
    }
    for (const hook of hooks) {
      await hook({ raw: req, hostname: 'localhost' }, reply)
    }
    if (!res.writableEnded) {
      app(req, res)
    }
  }
}

const ADAPTERS: Readonly<Record<string, () => Listener | Promise<Listener>>> = {
  node: () => node(options, (req: IncomingMessage, res: ServerResponse) => app(req, res)),
  express: () => {
    const middleware = express(options)
    return (req, res) => middleware(req, res, () => app(req, res))
  },
  fastify: fastifyListener,
  nuxt: () => {
    const middleware = nuxt(options)
    return async (req, res) => {
      await middleware({ node: { req, res }, context: {} })
      if (!res.writableEnded) {
        app(req, res)
      }
    }
  },
}

async function open(t: TestContext, adapter: string): Promise<(target: string) => Promise<string>> {
  const listener = await ADAPTERS[adapter]?.()
  const { port } = await listen(t, (req, res) => void listener?.(req, res))
  return async (target) =>
    (await sendRaw(port, { method: 'GET', target })).slice('HTTP/1.1 '.length)
}

for (const adapter of Object.keys(ADAPTERS)) {
  test(`${adapter}: dot segments in the request target don't lead past protect`, async (t) => {
    const status = await open(t, adapter)
    for (const target of [
      '/graphql',
      '/graphql/../x',
      '/graphql/%2e%2e/x',
      '/graphql/.%2E/',
      '/graphql\\..\\x',
      '/graphql/..;/x',
      '/graphql;x',
      '/x/../graphql',
      'http://localhost/graphql/../x',
      'HTTP://localhost/x/../graphql',
      '//localhost/graphql',
    ]) {
      assert.match(await status(target), /^303 /, target)
    }
    for (const target of ['/', '/x', '/x/../y', '//localhost/x', 'http://localhost']) {
      assert.match(await status(target), /^200 .*the handler of the app$/s, target)
    }
  })
  test(`${adapter}: no spelling of a request target reaches a protected page`, async (t) => {
    const send = await open(t, adapter)
    const targets = oddTargets('/graphql')
    assert.ok(targets.filter(isTakenForPage).length > 200, 'the targets are taken for the page')
    for (const target of targets) {
      assert.ok(!(await send(target)).includes(CONTENT), target)
    }
  })

  test(`${adapter}: a request target that cannot be read is 400`, async (t) => {
    const status = await open(t, adapter)
    for (const target of [
      'http://a:99999/graphql',
      'http://a:99999/',
      'http://user@a/',
      'http://a?x',
      'ftp://a/',
      '/x#',
    ]) {
      assert.match(await status(target), /^400 /, target)
    }
  })
}

test('nodeHandler answers a request target that cannot be read with 400 and does not call the handler', async (t) => {
  const handler = nodeHandler(() => new Response('the handler of the app'))
  const { port } = await listen(t, (req, res) => void handler(req, res))
  const response = await sendRaw(port, { method: 'GET', target: 'http://a:99999/' })
  assert.match(response, /^HTTP\/1\.1 400 .*The URL of this request is not valid/s)
})

test('fastify: a plugin with a prefix under which no entry of protect can match ends the start of the app', async () => {
  const instance = { addHook: () => {}, register: async () => {} }
  const inRouter = (prefix: string): Promise<void> => fastify(options)({ ...instance, prefix }, {})
  const withPrefix = (prefix: string): Promise<void> => fastify(options)(instance, { prefix })
  for (const register of [inRouter, withPrefix]) {
    await assert.rejects(register('/app'), /protect has "\/graphql".*mounted at "\/app"/)
    await register('/graphql/v2')
  }
})
