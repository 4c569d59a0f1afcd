import type { Stores, TransactionStores } from '../domain/stores.ts'
import type { Access } from './access.ts'
import { accountSessionStore } from './account-sessions.ts'
import { accountSignInStore } from './account-sign-ins.ts'
import { accountStore } from './accounts.ts'
import { attemptStore } from './attempts.ts'
import { claimStore } from './claims.ts'
import { counterStore } from './counters.ts'
import { creationStore } from './creations.ts'
import type { Database } from './database.ts'
import { edgeSessionStore } from './edge-sessions.ts'
import { eventStore } from './events.ts'
import { feedbackStore } from './feedback.ts'
import { sweepNotices } from './notices.ts'
import { oauthApprovalStore } from './oauth-approvals.ts'
import { oauthCodeStore } from './oauth-codes.ts'
import { oauthGrantStore } from './oauth-grants.ts'
import { oauthTokenStore } from './oauth-tokens.ts'
import { ownershipStore } from './ownership.ts'
import { requestRecordStore } from './request-records.ts'
import { resourceStore } from './resources.ts'
import { sessionStore } from './sessions.ts'
import { credentialsStore } from './tenant-credentials.ts'
import { tenantStore } from './tenants.ts'
import type { Transactions } from './transactions.ts'
import { userStore } from './users.ts'

export const storesOn = (database: Database, transactions: Transactions): Stores => ({
  ...storesWith(transactions.outside),

  transaction: (work) => transactions.run((access) => work(storesWith(access))),

  async refresh(refresh) {
    const { outcome, told } = await database.refresh(refresh)
    transactions.tell(told)
    return outcome
  },

  forgetDeleted: () => database.forgetDeleted(),

  sweepNotices: (now, limit) => sweepNotices(database.write, now, limit),

  // Not `select 1`, which SQLite answers without looking at the file.
  async ping() {
    await database.read.selectFrom('key_checks').select('kid').limit(1).execute()
  },
})

const storesWith = (access: Access): TransactionStores => ({
  tenants: tenantStore(access),
  ownership: ownershipStore(access),
  creations: creationStore(access),
  credentials: credentialsStore(access),
  claims: claimStore(access),
  counters: counterStore(access),
  requestRecords: requestRecordStore(access),
  feedback: feedbackStore(access),

  accounts: accountStore(access),
  accountSessions: accountSessionStore(access),
  accountSignIns: accountSignInStore(access),
  edgeSessions: edgeSessionStore(access),
  attempts: attemptStore(access),

  resources: resourceStore(access),
  users: userStore(access),
  sessions: sessionStore(access),
  events: eventStore(access),

  oauthApprovals: oauthApprovalStore(access),
  oauthGrants: oauthGrantStore(access),
  oauthCodes: oauthCodeStore(access),
  oauthTokens: oauthTokenStore(access),
})
