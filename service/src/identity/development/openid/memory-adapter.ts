import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'
import { Newest } from '../newest.ts'
import { ownerClient } from './owner-clients.ts'

/** The storage of oidc-provider, in memory: the newest 1,000 codes, tokens and interactions. */
export function memoryAdapter(): AdapterFactory {
  const entries = new Newest<{ payload: AdapterPayload; expiresAt: number }>()

  const adapterOf = (model: string): Adapter => ({
    async upsert(id, payload, expiresIn = 3600) {
      entries.set(`${model}:${id}`, { payload, expiresAt: Date.now() + expiresIn * 1000 })
    },
    async find(id) {
      const entry = entries.get(`${model}:${id}`)
      return entry && entry.expiresAt > Date.now() ? entry.payload : undefined
    },
    async consume(id) {
      const entry = entries.get(`${model}:${id}`)
      if (entry) entry.payload = { ...entry.payload, consumed: Math.floor(Date.now() / 1000) }
    },
    async destroy(id) {
      entries.delete(`${model}:${id}`)
    },
    async revokeByGrantId(grantId) {
      for (const [key, { payload }] of entries) if (payload.grantId === grantId) entries.delete(key)
    },
    // Only sessions and device codes are looked up this way, and neither is stored.
    findByUid: nothing,
    findByUserCode: nothing,
  })

  return (model) => {
    if (model === 'Client') return { ...noStorage, find: async (id) => ownerClient(id) }
    return model === 'Session' ? noStorage : adapterOf(model)
  }
}

const nothing = async (): Promise<undefined> => undefined

/**
 * Sessions are not stored, so every sign-in shows the account chooser. With a stored session, the provider would first
 * sign out the previous user, on a page that needs a script.
 */
const noStorage: Adapter = {
  upsert: nothing,
  find: nothing,
  findByUid: nothing,
  findByUserCode: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
}
