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
  const { $schema: _named, ...written } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    metadata: WITHOUT_IDS,
    override: withoutNoise,
  })
  if (Object.keys(written.properties ?? {}).length === 0) delete written.properties
  return written as ListedSchema
}

/** Leaves out what says nothing: the pattern of a date that has a format, and the largest and smallest number there is. */
function withoutNoise({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}
