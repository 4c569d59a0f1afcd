import { TOOL_NAMES } from '@gatehouse/contract'
import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { TOOLS_BY_NAME } from './tools/index.ts'

/** The response of tools/list: all six tools, in the order of the contract. */
export const listedTools = (): ListedTool[] =>
  TOOL_NAMES.map((name) => {
    const { definition, description, output } = TOOLS_BY_NAME[name]
    return {
      name,
      title: definition.title,
      description,
      inputSchema: schemaOf(definition.input.local, 'input'),
      ...(output instanceof z.ZodObject ? { outputSchema: schemaOf(output, 'output') } : {}),
      annotations: { ...definition.annotations },
    }
  })

/** JSON Schema 2020-12, the default of MCP. `$schema` is omitted, because older clients reject it. */
function schemaOf(schema: z.ZodObject, io: 'input' | 'output'): ListedTool['inputSchema'] {
  const { $schema, ...written } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    metadata: WITHOUT_IDS,
    override,
  })
  if (Object.keys(written.properties ?? {}).length === 0) delete written.properties
  return written as ListedTool['inputSchema']
}

/** Zod moves a schema with an id to $defs and references it, and many clients do not resolve $ref. */
const WITHOUT_IDS = {
  get(schema: z.core.$ZodType) {
    const { id: _id, ...rest } = z.globalRegistry.get(schema) ?? {}
    return rest
  },
} as typeof z.globalRegistry

/** Removes redundant keywords: the pattern of a date-time format, and the safe-integer bounds. */
function override({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}
