/**
 * An in-memory adapter, as described in node-oidc-provider's documentation. Its own memory adapter keeps only the last
 * thousand entries.
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
    if (payload.uid !== undefined) {
      this.#uids.set(payload.uid, id)
    }
    if (payload.grantId === undefined) {
      return
    }
    const ids = this.#grants.get(payload.grantId)
    if (ids === undefined) {
      this.#grants.set(payload.grantId, new Set([id]))
    } else {
      ids.add(id)
    }
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
    for (const id of this.#grants.get(grantId) ?? []) {
      this.#rows.delete(id)
    }
    this.#grants.delete(grantId)
  }
}
