/** The four OAuth scopes (spec, Authentication 7). */
export const SCOPES = ['mcp:tenants:create', 'mcp:tenant:read', 'mcp:resources:write', 'mcp:feedback:write'] as const

export type Scope = (typeof SCOPES)[number]

export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text)

/** What a scope allows, as the consent page describes it. */
export const SCOPE_DESCRIPTIONS: Readonly<Record<Scope, string>> = {
  'mcp:tenants:create': 'Create projects, and ask you to take ownership of one',
  'mcp:tenant:read': 'See the status of its projects',
  'mcp:resources:write': 'Set up sign-in, and replace the list of callback URLs',
  'mcp:feedback:write': 'Send feedback to the operator',
}
