import type { Approval, Subject } from '../../../src/domain/oauth/grant.ts'
import type { NewGrant } from '../../../src/domain/stores/oauth.ts'
import { NOW } from './storage.ts'

export { NOW } from './storage.ts'

export const approval = (changes: Partial<Approval> = {}): Approval => ({
  clientId: 'client',
  clientName: 'Client',
  redirectUri: 'https://client.example/cb',
  state: 'state',
  challenge: 'challenge',
  scopes: ['mcp:tenant:read', 'mcp:feedback:write'],
  resource: 'https://gatehouse.example/mcp',
  accountRequired: true,
  browserHash: 'browser',
  createdAt: NOW,
  expiresAt: NOW + 10,
  decision: null,
  decidedAt: null,
  ...changes,
})

export const grantOf = (subject: Subject, changes: Partial<NewGrant> = {}): NewGrant => ({
  clientId: 'client',
  clientName: 'Client',
  subject,
  scopes: ['mcp:tenants:create', 'mcp:tenant:read'],
  resource: 'https://gatehouse.example/mcp',
  createdAt: NOW,
  endsAt: NOW + 60,
  ...changes,
})
