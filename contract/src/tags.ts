/** The parts of the API, in the order the documentation has them. */
export const TAGS = {
  Tenants: 'A tenant is one app. A guest lives 72 hours; an owned one does not expire.',
  Claims: 'How a person takes ownership of a guest tenant.',
  'Social login': 'What is provisioned: where people return to after signing in.',
  'Users and events': 'Who signed in, and what happened.',
  Sessions: 'What an app calls: start a login, verify, refresh, log out. No key is needed.',
  'Edge tokens': 'Trade the application key for a token that lives a minute.',
  Insights: 'What an owner sees of their projects.',
  Feedback: 'Telling the operator what works and what does not.',
  OAuth: 'The authorization server for MCP clients. Errors have the shape of RFC 6749.',
  MCP: 'The hosted MCP server.',
  Operating: 'Is this instance well?',
} as const

export type Tag = keyof typeof TAGS
