const ENTRIES_MAX = 1_000

/** A map of the newest 1,000 entries. */
export class Newest<Value> extends Map<string, Value> {
  override set(key: string, value: Value): this {
    this.delete(key)
    super.set(key, value)
    for (const oldest of this.keys()) {
      if (this.size <= ENTRIES_MAX) break
      this.delete(oldest)
    }
    return this
  }
}
