import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import * as z from 'zod'

export type ListedSchema = ListedTool['inputSchema']

/** Removes schema ids: zod moves a schema with an id to $defs, and many clients do not resolve $ref. */
const WITHOUT_IDS = {
  get(schema: z.core.$ZodType) {
    const { id: _id, ...rest } = z.globalRegistry.get(schema) ?? {}
    return rest
  },
} as typeof z.globalRegistry

/** Writes JSON Schema 2020-12, MCP's default. `$schema` is left out because older clients reject a list that has it. */
export function jsonSchemaOf(schema: z.ZodObject, io: 'input' | 'output'): ListedSchema {
  const { $schema: _dialect, ...jsonSchema } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    metadata: WITHOUT_IDS,
  })
  if (Object.keys(jsonSchema.properties ?? {}).length === 0) delete jsonSchema.properties
  return simplify(jsonSchema) as ListedSchema
}

/**
 * Reduces a schema to what most clients support. Removes the pattern of a date that has a format, and the safe-integer
 * bounds; replaces a list of types with `anyOf`, because clients that convert schemas into function declarations often
 * accept only one `type`.
 */
function simplify(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(simplify)
  if (typeof node !== 'object' || node === null) return node
  const { type, ...rest } = node as Record<string, unknown>
  if (rest.format === 'date-time') delete rest.pattern
  if (rest.minimum === Number.MIN_SAFE_INTEGER) delete rest.minimum
  if (rest.maximum === Number.MAX_SAFE_INTEGER) delete rest.maximum
  const typeKeyword = Array.isArray(type)
    ? { anyOf: type.map((one) => ({ type: one })) }
    : type === undefined
      ? {}
      : { type }
  const inner = Object.entries(rest).map(([key, value]) => [key, simplify(value)])
  return { ...typeKeyword, ...Object.fromEntries(inner) }
}
