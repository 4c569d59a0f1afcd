import { SCOPES, type Scope, TOOLS, type ToolName } from '@gatehouse/contract'
import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import * as z from 'zod'
import type { Caller } from './caller.ts'
import { jsonSchemaOf } from './json-schema.ts'
import { TOOLS_BY_NAME } from './tools/index.ts'

const bitOf = (scope: Scope): number => 1 << SCOPES.indexOf(scope)

function toListedTool(name: ToolName, caller: 'public' | 'oauth'): ListedTool {
  const { definition, oauthAnnotations } = TOOLS_BY_NAME[name]
  return {
    name,
    title: definition.title,
    description: definition.description,
    inputSchema: jsonSchemaOf(definition.input[caller], 'input'),
    ...(definition.output instanceof z.ZodObject ? { outputSchema: jsonSchemaOf(definition.output, 'output') } : {}),
    annotations: { ...definition.annotations, ...(caller === 'oauth' ? oauthAnnotations : {}) },
  }
}

/** Converted once at load, because the conversion costs more than the rest of a request. */
const PUBLIC_TOOLS: readonly ListedTool[] = TOOLS.map(({ name }) => toListedTool(name, 'public'))
const OAUTH_TOOLS: readonly ListedTool[] = TOOLS.map(({ name }) => toListedTool(name, 'oauth'))

/** One list for each set of scopes: tools without a scope always, the others if their scope is granted. */
const BY_SCOPES: readonly (readonly ListedTool[])[] = Array.from({ length: 1 << SCOPES.length }, (_, mask) =>
  OAUTH_TOOLS.filter((_tool, index) => {
    const scope = TOOLS[index]?.scope ?? null
    return scope === null || (mask & bitOf(scope)) !== 0
  }),
)

/** The tools that this caller may call, in a fixed order. */
export function toolsFor(caller: Caller): readonly ListedTool[] {
  if (caller.kind === 'public') return PUBLIC_TOOLS
  return BY_SCOPES[caller.grant.scopes.reduce((mask, scope) => mask | bitOf(scope), 0)] ?? []
}
