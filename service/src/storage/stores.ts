import type { Stores, TransactionStores } from '../domain/stores/stores.ts'
import type { Access } from './access.ts'
import { accountStore } from './accounts/accounts.ts'
import { accountSessionStore } from './accounts/sessions.ts'
import { accountSignInStore } from './accounts/sign-ins.ts'
import { brandStore } from './brand/brands.ts'
import { domainStore } from './brand/domains.ts'
import type { Database } from './database.ts'
import { personStore } from './me/people.ts'
import { removalStore } from './me/removals.ts'
import { meSessionStore } from './me/sessions.ts'
import { blockedHostStore } from './moderation/blocked-hosts.ts'
import { moderationStore } from './moderation/moderation.ts'
import { oauthApprovalStore } from './oauth/approvals.ts'
import { oauthCodeStore } from './oauth/codes.ts'
import { oauthGrantStore } from './oauth/grants.ts'
import { oauthTokenStore } from './oauth/tokens.ts'
import { providerClientStore } from './providers/provider-clients.ts'
import { pageOfRevocations, sweepRevocations } from './revocations.ts'
import { attemptStore } from './social-login/attempts.ts'
import { consentStore } from './social-login/consents.ts'
import { edgeSessionStore } from './social-login/edge-sessions.ts'
import { eventStore } from './social-login/events.ts'
import { loginCodeStore } from './social-login/login-codes.ts'
import { refusalStore } from './social-login/refusals.ts'
import { resourceStore } from './social-login/resources.ts'
import { sessionStore } from './social-login/sessions.ts'
import { userStore } from './social-login/users.ts'
import { auditStore } from './tenants/audit.ts'
import { claimStore } from './tenants/claims.ts'
import { counterStore } from './tenants/counters.ts'
import { creationStore } from './tenants/creations.ts'
import { credentialsStore } from './tenants/credentials.ts'
import { eventCountStore } from './tenants/event-counts.ts'
import { feedbackStore } from './tenants/feedback.ts'
import { ownershipStore } from './tenants/ownership.ts'
import { requestRecordStore } from './tenants/request-records.ts'
import { tenantStore } from './tenants/tenants.ts'
import type { Transactions } from './transactions.ts'
import { deliveryLogStore } from './webhooks/attempts.ts'
import { webhookQueueStore } from './webhooks/queue.ts'
import { webhookStore } from './webhooks/webhooks.ts'
import { writeBack } from './write-back.ts'

export const storesOn = (database: Database, transactions: Transactions): Stores => ({
  ...storesWith(transactions.outside),

  transaction: (work) => transactions.run((access) => work(storesWith(access))),

  confirmedTransaction: (work) => transactions.run((access) => work(storesWith(access)), { confirm: true }),

  async refresh(refresh) {
    const { outcome, pendingEvents } = await database.refresh(refresh)
    transactions.publish(pendingEvents)
    return outcome
  },

  eraseDeleted: (rows) => database.eraseDeleted(rows),

  sweepRevocations: (now, limit) => sweepRevocations(database.write, now, limit),

  async loadRevocations(now, each) {
    for (let after: number | null = 0; after !== null; ) {
      const { revocations, last } = await pageOfRevocations(database.read, { after, now })
      each(revocations)
      after = last
    }
  },

  writeBack: (lost, now) => writeBack(transactions.outside, lost, now),

  ping: () => database.ping(),
})

const storesWith = (access: Access): TransactionStores => ({
  tenants: tenantStore(access),
  ownership: ownershipStore(access),
  creations: creationStore(access),
  credentials: credentialsStore(access),
  claims: claimStore(access),
  counters: counterStore(access),
  eventCounts: eventCountStore(access),
  requestRecords: requestRecordStore(access),
  feedback: feedbackStore(access),
  audit: auditStore(access),
  moderation: moderationStore(access),
  blockedHosts: blockedHostStore(access),

  accounts: accountStore(access),
  accountSessions: accountSessionStore(access),
  accountSignIns: accountSignInStore(access),
  edgeSessions: edgeSessionStore(access),
  attempts: attemptStore(access),
  loginCodes: loginCodeStore(access),
  consents: consentStore(access),

  resources: resourceStore(access),
  users: userStore(access),
  sessions: sessionStore(access),
  events: eventStore(access),
  refusals: refusalStore(access),

  meSessions: meSessionStore(access),
  people: personStore(access),
  removals: removalStore(access),

  domains: domainStore(access),
  brands: brandStore(access),
  providerClients: providerClientStore(access),

  webhooks: webhookStore(access),
  webhookQueue: webhookQueueStore(access),
  deliveryLog: deliveryLogStore(access),

  oauthApprovals: oauthApprovalStore(access),
  oauthGrants: oauthGrantStore(access),
  oauthCodes: oauthCodeStore(access),
  oauthTokens: oauthTokenStore(access),
})
