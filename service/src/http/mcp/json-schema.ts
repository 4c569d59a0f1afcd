import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import { z } from 'zod'

export type ListedSchema = ListedTool['inputSchema']

/** A schema with an id would be moved to $defs and pointed to, and many clients do not follow pointers. */
const WITHOUT_IDS = {
  get(schema: z.core.$ZodType) {
    const { id: _id, ...rest } = z.globalRegistry.get(schema) ?? {}
    return rest
  },
} as typeof z.globalRegistry

/** JSON Schema 2020-12, which is what MCP reads when none is named; naming it makes older clients refuse the list. */
export function jsonSchemaOf(schema: z.ZodObject, io: 'input' | 'output'): ListedSchema {
  const { $schema: _named, ...written } = z.toJSONSchema(schema, { target: 'draft-2020-12', io, metadata: WITHOUT_IDS })
  if (Object.keys(written.properties ?? {}).length === 0) delete written.properties
  return plainly(written) as ListedSchema
}

/**
 * The same, said so that most clients understand it: without the pattern of a date that has a format, without the
 * largest and smallest number there is, and with one `type` at a time, because clients that turn schemas into function
 * declarations often know no lists of them.
 */
function plainly(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(plainly)
  if (typeof node !== 'object' || node === null) return node
  const { type, ...rest } = node as Record<string, unknown>
  if (rest.format === 'date-time') delete rest.pattern
  if (rest.minimum === Number.MIN_SAFE_INTEGER) delete rest.minimum
  if (rest.maximum === Number.MAX_SAFE_INTEGER) delete rest.maximum
  const said = Array.isArray(type) ? { anyOf: type.map((one) => ({ type: one })) } : type === undefined ? {} : { type }
  const inner = Object.entries(rest).map(([key, value]) => [key, plainly(value)])
  return { ...said, ...Object.fromEntries(inner) }
}
