import { SCOPES, type Scope, TOOLS, type ToolName } from '@gatehouse/contract'
import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import type { Caller } from './caller.ts'
import { jsonSchemaOf } from './json-schema.ts'
import { TOOLS_BY_NAME } from './tools/index.ts'

const bitOf = (scope: Scope): number => 1 << SCOPES.indexOf(scope)

function listed(name: ToolName, caller: 'public' | 'oauth'): ListedTool {
  const { definition, oauthAnnotations } = TOOLS_BY_NAME[name]
  return {
    name,
    title: definition.title,
    description: definition.description,
    inputSchema: jsonSchemaOf(definition.input[caller], 'input'),
    outputSchema: jsonSchemaOf(definition.output, 'output'),
    annotations: { ...definition.annotations, ...(caller === 'oauth' ? oauthAnnotations : {}) },
  }
}

/** Converted once, because that takes longer than everything else a request costs. */
const PUBLIC_TOOLS: readonly ListedTool[] = TOOLS.map(({ name }) => listed(name, 'public'))
const OAUTH_TOOLS: readonly ListedTool[] = TOOLS.map(({ name }) => listed(name, 'oauth'))

/** One list for each set of scopes: the documentation always, a management tool when its scope is granted. */
const BY_SCOPES: readonly (readonly ListedTool[])[] = Array.from({ length: 1 << SCOPES.length }, (_, mask) =>
  OAUTH_TOOLS.filter((_tool, index) => {
    const scope = TOOLS[index]?.scope ?? null
    return scope === null || (mask & bitOf(scope)) !== 0
  }),
)

/** In the same order every time; the same for everybody with the same scopes. */
export function toolsFor(caller: Caller): readonly ListedTool[] {
  if (caller.kind === 'public') return PUBLIC_TOOLS
  return BY_SCOPES[caller.grant.scopes.reduce((mask, scope) => mask | bitOf(scope), 0)] ?? []
}
