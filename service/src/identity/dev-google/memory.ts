import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'

const ENTRIES_MAX = 1_000

/** The provider's storage: codes, tokens and sign-ins under way, in memory, the newest thousand. */
export function memory(): AdapterFactory {
  const entries = new Map<string, { payload: AdapterPayload; expiresAt: number }>()

  const keep = (model: string): Adapter => ({
    async upsert(id, payload, expiresIn = 3600) {
      const key = `${model}:${id}`
      entries.delete(key)
      entries.set(key, { payload, expiresAt: Date.now() + expiresIn * 1000 })
      for (const oldest of entries.keys()) {
        if (entries.size <= ENTRIES_MAX) break
        entries.delete(oldest)
      }
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
    // Only sessions and device codes are looked up this way, and we keep neither.
    findByUid: nothing,
    findByUserCode: nothing,
  })

  return (model) => (model === 'Session' ? forgetful : keep(model))
}

const nothing = async (): Promise<undefined> => undefined

/**
 * No browser stays signed in here, so every sign-in shows the chooser. It also keeps the provider from asking an old
 * session to sign out before another person signs in, which takes a page that needs script.
 */
const forgetful: Adapter = {
  upsert: nothing,
  find: nothing,
  findByUid: nothing,
  findByUserCode: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
}
