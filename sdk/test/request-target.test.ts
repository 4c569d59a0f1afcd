import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { listen } from '../../service/test/support/transport/listen.ts'
import { gatehouse as express } from '../src/express.ts'
import { gatehouse as fastify } from '../src/fastify.ts'
import { gatehouse as node } from '../src/node.ts'
import { gatehouse as nuxt } from '../src/nuxt.ts'
import { createScriptedClient } from './support/scripted-client.ts'

type Listener = (req: IncomingMessage, res: ServerResponse) => unknown

/** The target reaches the server as it is: `fetch` would resolve its dot segments. */
async function get(port: number, target: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nConnection: close\r\n\r\n`,
  )
  return (await text(socket)).slice('HTTP/1.1 '.length)
}

/** The app routes on the target as it was sent, as Express, Fastify and h3 do. */
const app: Listener = (_req, res) => res.end('the handler of the app')

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
  return (target) => get(port, target)
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
      '/graphql#/../x',
      '/x/../graphql',
      '/x#/../graphql',
      'http://localhost/graphql/../x',
      'HTTP://localhost/x/../graphql',
    ]) {
      assert.match(await status(target), /^401 /, target)
    }
    for (const target of [
      '/',
      '/x',
      '/x/../y',
      '//localhost/x',
      'http://localhost',
      'http://localhost?x',
    ]) {
      assert.match(await status(target), /^200 .*the handler of the app$/s, target)
    }
  })
}
