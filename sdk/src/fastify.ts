import { unshared } from './adapters/additions.ts'
import { createGateAtOnce, type Gate, type GatehouseOptions } from './adapters/gate.ts'
import { type NodeRequest, toRequest } from './adapters/node-http.ts'
import { recallUser, rememberUser } from './adapters/request-user.ts'
import type { User } from './types.ts'

export type { GatehouseOptions, GatehousePaths } from './adapters/gate.ts'

/** The subset of Fastify's request, reply and instance that is used. */
export interface FastifyRequestLike {
  readonly raw: NodeRequest
  readonly hostname?: string | undefined
  /** The pattern of the route that Fastify has chosen. */
  readonly routeOptions?: { readonly url?: string | undefined } | undefined
}

export interface FastifyReplyLike {
  code(status: number): unknown
  hasHeader(name: string): boolean
  getHeader(name: string): unknown
  header(name: string, value: string): unknown
  send(body: string): unknown
}

type Handler = (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>

interface FastifyLike {
  readonly prefix?: string
  addHook(name: 'onRequest' | 'onSend', hook: Handler): unknown
  addContentTypeParser(
    type: string,
    parser: (request: never, body: never, done: (error: null) => void) => void,
  ): unknown
  register(plugin: (child: FastifyLike) => Promise<void>): unknown
  route(options: { method: string | string[]; url: string; handler: Handler }): unknown
}

/** Any Fastify instance: its own types have too many overloads to describe here. */
export type FastifyPluginLike = (
  app: object,
  options?: { readonly prefix?: string },
) => Promise<void>

/**
 * Fastify plugin: `/login`, `/auth/callback`, `/logout`, the session of every other request, and protected paths. The user
 * is `userOf(request)`.
 *
 * @example
 * ```ts
 * import { createClient } from '@gatehouse-auth/sdk'
 * import { gatehouse, userOf } from '@gatehouse-auth/sdk/fastify'
 * import Fastify from 'fastify'
 *
 * const client = createClient({ baseUrl: 'https://login.example.com', tenantId: 'swift-fox-running-k3qd' })
 * const app = Fastify()
 * app.register(gatehouse({ client, protect: ['/notes'] }))
 * app.get('/notes', async (request) => `Notes of ${userOf(request)?.email}`)
 * ```
 */
export function gatehouse(options: GatehouseOptions): FastifyPluginLike {
  const gate = createGateAtOnce(options)
  const plugin: FastifyPluginLike = async (instance, { prefix } = {}) => {
    const app = instance as FastifyLike
    gate.checkMount(app.prefix ?? '')
    gate.checkMount(prefix ?? '')
    app.addHook('onRequest', (request, reply) => pass(gate, request, reply))
    app.addHook('onSend', async (request, reply) => {
      if (refreshed.has(request)) {
        reply.header('Cache-Control', unshared(reply.getHeader('Cache-Control')))
      }
    })
    await app.register(async (child) => {
      // Fastify rejects form posts unless a parser is registered. The logout form has no fields.
      child.addContentTypeParser('application/x-www-form-urlencoded', (_request, _body, done) =>
        done(null),
      )
      // The hook responds. The routes make Fastify accept the methods and bodies.
      for (const url of Object.values(gate.paths)) {
        child.route({ method: ['GET', 'POST'], url, handler: async () => '' })
      }
    })
  }
  // Hooks apply to the whole app, not to this plugin only (fastify-plugin does the same).
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true })
}

/** Requests whose response has cookies of the session. */
const refreshed = new WeakSet<object>()

async function pass(
  gate: Gate,
  request: FastifyRequestLike,
  reply: FastifyReplyLike,
): Promise<unknown> {
  const passage = await gate.pass(toRequest(request.raw, request.hostname), {
    routed: [request.routeOptions?.url],
  })
  if (passage.response === null) {
    for (const line of passage.setCookies) {
      reply.header('Set-Cookie', line)
    }
    const { setCookies, cacheControl } = passage
    if (setCookies.length > 0) {
      refreshed.add(request)
    }
    if (cacheControl !== null && !reply.hasHeader('Cache-Control')) {
      reply.header('Cache-Control', cacheControl)
    }
    rememberUser(request, passage.session.user)
    return undefined
  }
  reply.code(passage.response.status)
  for (const [name, value] of passage.response.headers) {
    reply.header(name, value)
  }
  return reply.send(await passage.response.text())
}

/**
 * The signed-in user of a request that passed `gatehouse`, or null.
 *
 * @example
 * ```ts
 * import { userOf } from '@gatehouse-auth/sdk/fastify'
 * import Fastify from 'fastify'
 *
 * Fastify().get('/notes', async (request) => `Notes of ${userOf(request)?.email}`)
 * ```
 */
export const userOf = (request: FastifyRequestLike): User | null => recallUser(request)
