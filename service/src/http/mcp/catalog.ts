import { SCOPES, type Scope, TOOLS, type ToolName } from '@gatehouse-auth/contract'
import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { RELEASE } from '../../version.ts'
import type { Caller } from './caller.ts'
import { TOOLS_BY_NAME } from './tools.ts'

export const INFO = { name: 'gatehouse', title: 'Gatehouse', version: RELEASE }

export const CACHE_HINTS = {
  // Private: the list depends on the caller's scopes.
  'tools/list': { ttlMs: 60_000, cacheScope: 'private' },
  'server/discover': { ttlMs: 3_600_000, cacheScope: 'public' },
} as const

/** Removes schema ids: zod moves a schema with an id to $defs, and many clients do not resolve $ref. */
const WITHOUT_IDS = {
  get(schema: z.core.$ZodType) {
    const { id: _id, ...rest } = z.globalRegistry.get(schema) ?? {}
    return rest
  },
} as typeof z.globalRegistry

const bitOf = (scope: Scope): number => 1 << SCOPES.indexOf(scope)

function toListedTool(name: ToolName, caller: 'public' | 'oauth'): ListedTool {
  const { definition, oauthAnnotations } = TOOLS_BY_NAME[name]
  return {
    name,
    title: definition.title,
    description: definition.description,
    inputSchema: jsonSchemaOf(definition.input[caller], 'input'),
    ...(definition.output instanceof z.ZodObject
      ? { outputSchema: jsonSchemaOf(definition.output, 'output') }
      : {}),
    annotations: { ...definition.annotations, ...(caller === 'oauth' ? oauthAnnotations : {}) },
  }
}

/** Converted once at load, because the conversion costs more than the rest of a request. */
const PUBLIC_TOOLS: readonly ListedTool[] = TOOLS.map(({ name }) => toListedTool(name, 'public'))
const OAUTH_TOOLS: readonly ListedTool[] = TOOLS.map(({ name }) => toListedTool(name, 'oauth'))

/** One list for each set of scopes: tools without a scope always, the others if their scope is granted. */
const BY_SCOPES: readonly (readonly ListedTool[])[] = Array.from(
  { length: 1 << SCOPES.length },
  (_, mask) =>
    OAUTH_TOOLS.filter((_tool, index) => {
      const scope = TOOLS[index]?.scope ?? null
      return scope === null || (mask & bitOf(scope)) !== 0
    }),
)

/** The tools that this caller may call, in a fixed order. */
export function toolsFor(caller: Caller): readonly ListedTool[] {
  if (caller.kind === 'public') {
    return PUBLIC_TOOLS
  }
  return BY_SCOPES[caller.grant.scopes.reduce((mask, scope) => mask | bitOf(scope), 0)] ?? []
}

type ListedSchema = ListedTool['inputSchema']

/** Writes JSON Schema 2020-12, MCP's default. `$schema` is left out because older clients reject a list that has it. */
function jsonSchemaOf(schema: z.ZodObject, io: 'input' | 'output'): ListedSchema {
  const { $schema: _dialect, ...jsonSchema } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    metadata: WITHOUT_IDS,
  })
  if (Object.keys(jsonSchema.properties ?? {}).length === 0) {
    delete jsonSchema.properties
  }
  return simplify(jsonSchema) as ListedSchema
}

/**
 * Reduces a schema to what most clients support. Removes the pattern of a date that has a format, and the safe-integer
 * bounds; replaces a list of types with `anyOf`, because clients that convert schemas into function declarations often
 * accept only one `type`.
 */
function simplify(node: unknown): unknown {
  if (Array.isArray(node)) {
    return node.map(simplify)
  }
  if (typeof node !== 'object' || node === null) {
    return node
  }
  const { type, ...rest } = node as Record<string, unknown>
  if (rest.format === 'date-time') {
    delete rest.pattern
  }
  if (rest.minimum === Number.MIN_SAFE_INTEGER) {
    delete rest.minimum
  }
  if (rest.maximum === Number.MAX_SAFE_INTEGER) {
    delete rest.maximum
  }
  const inner = Object.entries(rest).map(([key, value]) => [key, simplify(value)])
  return { ...typeKeyword(type), ...Object.fromEntries(inner) }
}

function typeKeyword(type: unknown): Record<string, unknown> {
  if (type === undefined) {
    return {}
  }
  return Array.isArray(type) ? { anyOf: type.map((one) => ({ type: one })) } : { type }
}
