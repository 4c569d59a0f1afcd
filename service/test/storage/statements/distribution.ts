// For distribution.test.ts: where each table would be on a distributed PostgreSQL (docs/scaling.md).

/** The distribution column of each table whose rows belong to a tenant. Equal values are on the same node. */
export const DISTRIBUTED: Readonly<Record<string, string>> = {
  tenants: 'id',
  tenant_credentials: 'tenant_id',
  claims: 'tenant_id',
  login_attempts: 'tenant_id',
  login_codes: 'tenant_id',
  consents: 'tenant_id',
  edge_sessions: 'tenant_id',
  resources: 'tenant_id',
  users: 'tenant_id',
  sessions: 'tenant_id',
  events: 'tenant_id',
  day_tallies: 'tenant_id',
  request_records: 'tenant_id',
  feedback: 'tenant_id',
  actions: 'tenant_id',
  domains: 'tenant_id',
  brands: 'tenant_id',
  logos: 'tenant_id',
  provider_clients: 'tenant_id',
  webhooks: 'tenant_id',
  webhook_retries: 'tenant_id',
  webhook_attempts: 'tenant_id',
  refusals: 'tenant_id',
  removal_requests: 'tenant_id',
  counters: 'scope',
  event_counts: 'scope',
}

/** The other tables, and where they would be. */
export const NOT_DISTRIBUTED: Readonly<Record<string, string>> = {
  accounts: 'a copy on every node: small, joined with `tenants`, changed at sign-in of an owner',
  account_sessions: 'with the accounts',
  account_sign_ins: 'with the accounts',
  me_sessions: 'with the accounts',
  oauth_approvals: 'with the accounts',
  oauth_grants: 'with the accounts',
  oauth_codes: 'with the accounts',
  oauth_access_tokens: 'with the accounts',
  oauth_refresh_tokens: 'with the accounts',
  tenant_keys: 'with the accounts: finds the tenant of a key, and a key belongs to one tenant',
  idempotency_keys: 'with the accounts: unique before the tenant exists',
  revocations: 'on one node: every instance reads all of them, in the order of its transaction ids',
  blocked_hosts: 'a copy on every node: small, and only the operator changes it',
  key_checks: 'on one node: one row per master key',
  lineage: 'a copy on every node: one row, which every event reads and only a failover changes',
  migrations: 'on one node',
  moved: 'on one node',
  migration_lock: 'on one node',
}

const BY_SECRET = 'finds the tenant by a secret of the request'
const SWEEP = 'in the background, in steps: the rows that are due'
const OWNER = 'the account page, or a request of an owner'
const FAILOVER = 'once after a failover: a revocation in memory names no tenant'
const OPERATOR = 'the operator command'

/** The store methods that ask every node: the table, and why. No other statement may. */
export const UNROUTED: Readonly<Record<string, readonly [table: string, why: string]>> = {
  'attempts.find': ['login_attempts', BY_SECRET],
  'attempts.tenantOf': ['login_attempts', 'finds the tenant of a refused callback by the attempt in its state'],
  'attempts.take': ['login_attempts', BY_SECRET],
  'claims.findByToken': ['claims', BY_SECRET],
  'claims.findByWaitToken': ['claims', BY_SECRET],
  'edgeSessions.find': ['edge_sessions', BY_SECRET],
  'attempts.sweep': ['login_attempts', SWEEP],
  'loginCodes.sweep': ['login_codes', SWEEP],
  'consents.sweep': ['consents', SWEEP],
  'audit.sweep': ['actions', SWEEP],
  'counters.sweep': ['counters', SWEEP],
  'edgeSessions.sweep': ['edge_sessions', SWEEP],
  'events.listUntallied': ['resources', SWEEP],
  'feedback.sweep': ['feedback', SWEEP],
  'ownership.listOverdue': ['tenants', SWEEP],
  'ownership.listTombstones': ['tenants', SWEEP],
  'refusals.sweep': ['refusals', SWEEP],
  'removals.listDue': ['removal_requests', SWEEP],
  'requestRecords.sweep': ['request_records', SWEEP],
  'resources.listDeleting': ['resources', SWEEP],
  'sessions.sweep': ['sessions', SWEEP],
  'providerClients.sweep': ['provider_clients', SWEEP],
  'deliveryLog.sweep': ['webhook_attempts', SWEEP],
  'domains.listDue': ['domains', SWEEP],
  'webhookQueue.listDue': ['webhooks', SWEEP],
  'webhookQueue.page': ['webhooks', SWEEP],
  'people.users': ['users', 'the page /me: a person asks for their data in every app'],
  'claims.decide': ['claims', OWNER],
  'feedback.lastAcceptedAt': ['feedback', OWNER],
  'ownership.ownedBy': ['tenants', OWNER],
  'stores.writeBack': ['resources sessions', FAILOVER],
  'feedback.page': ['feedback', OPERATOR],
  'feedback.remove': ['feedback', OPERATOR],
  'ownership.page': ['tenants', OPERATOR],
  'moderation.search': ['resources tenants', OPERATOR],
}
