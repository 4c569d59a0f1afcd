/** An OAuth public client. It has no secret, so its name is not authenticated. */
export interface Client {
  readonly id: string
  /** From its metadata; empty if it has none. */
  readonly name: string
  readonly redirectUris: readonly string[]
}
