import type { Stores, TransactionStores } from '../domain/stores/stores.ts'
import type { Access } from './access.ts'
import { accountSessionStore, accountSignInStore, accountStore } from './accounts/accounts.ts'
import { meSessionStore, personStore, removalStore } from './accounts/people.ts'
import { brandStore, domainStore } from './brand/brand.ts'
import { claimStore } from './claims/claims.ts'
import type { Database } from './database.ts'
import { eventStore } from './events/events.ts'
import { signingKeyStore } from './issuer/signing-keys.ts'
import { counterStore } from './limits/counters.ts'
import { eventCountStore } from './limits/event-counts.ts'
import { attemptStore } from './login/attempts.ts'
import { consentStore } from './login/consents.ts'
import { invitationStore } from './login/invitations.ts'
import { loginCodeStore } from './login/login-codes.ts'
import { refusalStore } from './login/refusals.ts'
import { oauthApprovalStore, oauthCodeStore } from './oauth/approvals.ts'
import { oauthGrantStore } from './oauth/grants.ts'
import { oauthTokenStore } from './oauth/tokens.ts'
import { providerClientStore } from './providers/provider-clients.ts'
import { pageOfRevocations } from './revocations.ts'
import { sessionStore } from './sessions/sessions.ts'
import { sweepExpired } from './sweep-expired.ts'
import { auditStore } from './tenants/audit.ts'
import { feedbackStore } from './tenants/feedback.ts'
import { blockedHostStore, moderationStore } from './tenants/moderation.ts'
import { ownershipStore } from './tenants/ownership.ts'
import { requestRecordStore } from './tenants/request-records.ts'
import { resourceStore } from './tenants/resources.ts'
import {
  creationStore,
  credentialsStore,
  edgeSessionStore,
  tenantStore,
} from './tenants/tenants.ts'
import type { Transactions } from './transactions.ts'
import { identityStore } from './users/identities.ts'
import { userStore } from './users/users.ts'
import { deliveryLogStore } from './webhooks/attempts.ts'
import { webhookQueueStore } from './webhooks/queue.ts'
import { userMessageStore } from './webhooks/user-messages.ts'
import { webhookStore } from './webhooks/webhooks.ts'
import { writeBack } from './write-back.ts'

export const storesOn = (database: Database, transactions: Transactions): Stores => ({
  ...storesWith(transactions.outside),

  transaction: (work, options) => transactions.run((access) => work(storesWith(access)), options),

  confirmedTransaction: (work) =>
    transactions.run((access) => work(storesWith(access)), { confirm: true }),

  async refresh(refresh) {
    const { outcome, pendingEvents } = await database.refresh(refresh)
    transactions.publish(pendingEvents)
    return outcome
  },

  eraseDeleted: (rows) => database.eraseDeleted(rows),

  sweepRevocations: sweepExpired(database, 'revocations', {
    key: ['id'],
    where: ['until_ms', '<='],
  }),

  async loadRevocations(now, each) {
    let after = 0
    for (;;) {
      const { revocations, last } = await pageOfRevocations(database.read, { after, now })
      each(revocations)
      if (last === null) {
        return
      }
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
  invitations: invitationStore(access),

  resources: resourceStore(access),
  users: userStore(access),
  identities: identityStore(access),
  sessions: sessionStore(access),
  events: eventStore(access),
  refusals: refusalStore(access),

  meSessions: meSessionStore(access),
  people: personStore(access),
  removals: removalStore(access),

  domains: domainStore(access),
  brands: brandStore(access),
  providerClients: providerClientStore(access),

  signingKeys: signingKeyStore(access),

  webhooks: webhookStore(access),
  webhookQueue: webhookQueueStore(access),
  userMessages: userMessageStore(access),
  deliveryLog: deliveryLogStore(access),

  oauthApprovals: oauthApprovalStore(access),
  oauthGrants: oauthGrantStore(access),
  oauthCodes: oauthCodeStore(access),
  oauthTokens: oauthTokenStore(access),
})
