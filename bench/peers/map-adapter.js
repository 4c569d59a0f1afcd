/**
 * Everything in maps, as node-oidc-provider's documentation describes an adapter. Its own memory adapter keeps the
 * last thousand entries, which is too few here.
 */
export class MapAdapter {
  static #models = new Map()
  #rows
  #grants = new Map()
  #uids = new Map()

  constructor(model) {
    this.#rows = MapAdapter.#models.get(model) ?? new Map()
    MapAdapter.#models.set(model, this.#rows)
  }

  async upsert(id, payload) {
    this.#rows.set(id, payload)
    if (payload.uid !== undefined) this.#uids.set(payload.uid, id)
    if (payload.grantId === undefined) return
    const of = this.#grants.get(payload.grantId)
    if (of === undefined) this.#grants.set(payload.grantId, new Set([id]))
    else of.add(id)
  }

  async find(id) {
    return this.#rows.get(id)
  }

  async findByUid(uid) {
    return this.#rows.get(this.#uids.get(uid))
  }

  async consume(id) {
    this.#rows.get(id).consumed = Math.floor(Date.now() / 1_000)
  }

  async destroy(id) {
    this.#rows.delete(id)
  }

  async revokeByGrantId(grantId) {
    for (const id of this.#grants.get(grantId) ?? []) this.#rows.delete(id)
    this.#grants.delete(grantId)
  }
}
