import type { RuntimeProfile } from '@gatehouse/contract'
import type { HomeStores, SocialLoginStores, Stores } from '../domain/stores.ts'
import { Unavailable } from '../domain/unavailable.ts'
import type { Access, OpenAccess } from './access.ts'
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
import { refreshApart } from './refresh-apart.ts'
import { requestRecordStore } from './request-records.ts'
import { resourceStore } from './resources.ts'
import { sessionStore } from './sessions.ts'
import { credentialsStore } from './tenant-credentials.ts'
import { tenantStore } from './tenants.ts'
import type { Transactions } from './transactions.ts'
import { userStore } from './users.ts'

export interface Attached {
  readonly home: Database
  /** The home, and whatever else is attached. */
  readonly databases: readonly Database[]
  readonly transactions: Transactions
}

/** The stores over what is attached: home in one database, each profile's data in its own. */
export function storesOn({ home, databases, transactions }: Attached): Stores {
  const outside = new Map(
    databases.map((database) => [database.profile, socialLoginStores(transactions.outside(database))]),
  )

  function databaseOf(profile: RuntimeProfile): Database {
    const database = databases.find((attached) => attached.profile === profile)
    if (database === undefined) throw new Unavailable(`the engine of profile ${profile} is not attached`)
    return database
  }

  const stores: Stores = {
    ...homeStores(transactions.outside(home)),

    on(profile) {
      return outside.get(databaseOf(profile).profile) as SocialLoginStores
    },

    async atomically(profile, work) {
      const data = databaseOf(profile)
      // The data first, so that no connection of the home is held idle while we wait for our turn to write to SQLite.
      return transactions.run(data === home ? [home] : [data, home], (accesses) => {
        const [dataAccess, homeAccess = dataAccess] = accesses as [OpenAccess, OpenAccess?]
        return work({ ...homeStores(homeAccess), ...socialLoginStores(dataAccess) })
      })
    },

    async refresh(refresh) {
      const data = databaseOf(refresh.tenant.profile)
      if (data !== home) return refreshApart(stores, refresh)
      const { outcome, told } = await home.refresh(refresh)
      transactions.tell([told])
      return outcome
    },

    atHome: (work) => transactions.run([home], ([access]) => work(homeStores(access as OpenAccess))),

    forgetDeleted: async (profile) => databaseOf(profile).forgetDeleted(),

    async sweepNotices(now, limit) {
      let swept = 0
      for (const { write } of databases) swept += await sweepNotices(write, now, limit - swept)
      return swept
    },

    // Not `select 1`, which SQLite answers without looking at the file.
    async ping() {
      await Promise.all(databases.map(({ read }) => read.selectFrom('key_checks').select('kid').limit(1).execute()))
    },
  }
  return stores
}

const homeStores = (access: Access): HomeStores => ({
  tenants: tenantStore(access),
  edgeSessions: edgeSessionStore(access),
  attempts: attemptStore(access),
  counters: counterStore(access),
  ownership: ownershipStore(access),
  accounts: accountStore(access),
  accountSessions: accountSessionStore(access),
  accountSignIns: accountSignInStore(access),
  claims: claimStore(access),
  requestRecords: requestRecordStore(access),
  feedback: feedbackStore(access),
  creations: creationStore(access),
  credentials: credentialsStore(access),
  oauthApprovals: oauthApprovalStore(access),
  oauthGrants: oauthGrantStore(access),
  oauthCodes: oauthCodeStore(access),
  oauthTokens: oauthTokenStore(access),
})

const socialLoginStores = (access: Access): SocialLoginStores => ({
  resources: resourceStore(access),
  users: userStore(access),
  sessions: sessionStore(access),
  events: eventStore(access),
})
