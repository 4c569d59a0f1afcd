import { type Endpoint, type InputOf, issueText, type OutputOf } from '@gatehouse-auth/contract'
import * as z from 'zod'
import { type InputProblem, invalidRequest } from '../domain/api-error.ts'
import type { FoundKey } from '../domain/stores/stores.ts'
import type { Tenant } from '../domain/tenants/tenant.ts'
import { managementKey } from './callers/bearer.ts'
import type { App, Call, HttpDependencies } from './dependencies.ts'
import { readJsonBody, SLOW_BODY_MS } from './request/body.ts'
import { readQuery } from './request/query.ts'
import { jsonProblem } from './responses.ts'

type Handle<E extends Endpoint, Caller extends unknown[]> = (
  input: InputOf<E>,
  c: Call,
  ...caller: Caller
) => Promise<OutputOf<E> | Response>

/**
 * Mounts an endpoint of the contract that needs no credential. This is the only place that applies contract schemas: it
 * parses the request and the response, so a response contains exactly the fields that the contract declares.
 */
export const mount = <const E extends Endpoint>(
  app: App,
  deps: HttpDependencies,
  endpoint: E,
  handle: Handle<E, []>,
): void =>
  mountForCaller(
    app,
    deps,
    endpoint,
    { authenticate: async (): Promise<[]> => [], nameOf: () => null },
    handle,
  )

/** Mounts an endpoint that requires the tenant's management key. */
export const mountForManagementKey = <const E extends Endpoint>(
  app: App,
  deps: HttpDependencies,
  endpoint: E,
  handle: Handle<E, [Tenant, FoundKey]>,
): void =>
  mountForCaller(
    app,
    deps,
    endpoint,
    {
      async authenticate(c): Promise<[Tenant, FoundKey]> {
        const key = await managementKey(deps.ctx, c)
        const { tenant } = key
        if (tenant.owner !== null) {
          c.set('ownedTenantId', tenant.id)
        }
        return [tenant, key]
      },
      nameOf: (tenant) => tenant.id,
    },
    handle,
  )

interface Authentication<Caller extends unknown[]> {
  authenticate(c: Call): Promise<Caller>
  /** Whose invalid requests are limited; null without a credential. */
  nameOf(...caller: Caller): string | null
}

/**
 * Mounts an endpoint that `authenticate` guards. Authentication comes before validation, so that an unauthenticated caller
 * learns nothing from validation errors, and again after a slow body: a suspension or the end of the key may precede its end.
 */
export function mountForCaller<const E extends Endpoint, Caller extends unknown[]>(
  app: App,
  deps: HttpDependencies,
  endpoint: E,
  { authenticate, nameOf }: Authentication<Caller>,
  handle: Handle<E, Caller>,
  problem = jsonProblem,
): void {
  app.on(endpoint.method, endpoint.path, async (c) => {
    c.set('route', endpoint.path)
    let name: string | null = null
    try {
      const began = deps.ctx.now()
      let caller = await authenticate(c)
      name = nameOf(...caller)
      const input = await readInput(c, endpoint)
      if (deps.ctx.now() - began > SLOW_BODY_MS) {
        caller = await authenticate(c)
      }
      return toResponse(c, endpoint, await handle(input, c, ...caller))
    } catch (error) {
      return problem(deps, c, name === null ? error : deps.invalidRequests.apply(name, error))
    }
  })
}

function toResponse<E extends Endpoint>(
  c: Call,
  endpoint: E,
  output: OutputOf<E> | Response,
): Response {
  if (output instanceof Response) {
    return output
  }
  return c.json(endpoint.ok.body.parse(output) as object, endpoint.ok.status === 201 ? 201 : 200)
}

/** Parses path, query and body with the endpoint's schemas. A duplicate query parameter is rejected, known or not. */
export async function readInput<E extends Endpoint>(c: Call, endpoint: E): Promise<InputOf<E>> {
  const params = endpoint.params === undefined ? {} : c.req.param()
  const query = readQuery(c)
  const body =
    endpoint.body === undefined ? undefined : await readJsonBody(c, endpoint.bodyMaxBytes)
  // Under /api an unknown query parameter is an error; the edge ignores unknown parameters.
  const querySchema = endpoint.query ?? (endpoint.path.startsWith('/api/') ? NO_QUERY : undefined)
  const problems: InputProblem[] = []
  const input = {
    params: parse(endpoint.params, params, problems),
    query: parse(querySchema, query, problems),
    body: parse(endpoint.body, body, problems),
  }
  requireNone(problems)
  return input as InputOf<E>
}

const NO_QUERY = z.strictObject({})

/** Parses a body whose schema depends on the path, after the endpoint's own. */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const problems: InputProblem[] = []
  const parsed = parse(schema, body, problems)
  requireNone(problems)
  return parsed as z.output<S>
}

function requireNone(problems: readonly InputProblem[]): void {
  if (problems.length === 0) {
    return
  }
  throw invalidRequest('The request does not fit this endpoint. Nothing was changed.', problems)
}

function parse(schema: z.ZodType | undefined, value: unknown, problems: InputProblem[]): unknown {
  if (schema === undefined) {
    return undefined
  }
  const result = schema.safeParse(value, { error: issueText })
  if (result.success) {
    return result.data
  }
  for (const issue of result.error.issues) {
    problems.push(...describeIssue(issue))
  }
  return undefined
}

/** Messages come from the schema and never repeat the value that was sent, because it may be a secret. */
function describeIssue(issue: z.core.$ZodIssue): InputProblem[] {
  const path = pathOf(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const inside = path === '' ? '' : `${path}.`
    return issue.keys.map((key) => ({
      path: `${inside}${key.slice(0, 100)}`,
      problem: 'There is no such field here.',
    }))
  }
  return [{ path, problem: issue.message }]
}

const pathOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') {
      return `${text}[${part}]`
    }
    return text === '' ? String(part) : `${text}.${String(part)}`
  }, '')
