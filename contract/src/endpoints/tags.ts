/** The sections of the API documentation, in order. */
export const TAGS = {
  Tenants: 'A tenant is one app. A guest tenant expires after 72 hours; an owned one does not expire.',
  Claims: 'How a user becomes the owner of a guest tenant.',
  'Social login': 'The configuration of sign-in: the callback URLs of your app.',
  'Users and events': 'The users of your app, and its auth event history.',
  'Domains and brand': 'The domains that you control, and what the consent page shows of your app.',
  Webhooks: 'Endpoints of your app that get the events, signed as Standard Webhooks defines.',
  Sessions: 'What your app calls: start a login, verify, refresh, log out. No key is needed.',
  'Edge tokens': 'Exchange the application key for a token that is valid for one minute.',
  Insights: 'Usage and activity of an owner’s projects.',
  Feedback: 'Send feedback to the operator.',
  Tests: 'For the tests of your app. Only on a development service, which runs on your machine without Google.',
  OAuth: 'The authorization server for MCP clients. Errors have the shape of RFC 6749.',
  MCP: 'The hosted MCP server.',
  Operating: 'Health, readiness and metrics of this instance.',
} as const

export type Tag = keyof typeof TAGS
