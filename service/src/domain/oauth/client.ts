/** A program that asks to act for somebody. It keeps no secret, so what it says of itself is its own word. */
export interface Client {
  readonly id: string
  /** Chosen by whoever registered it; empty when they chose none. */
  readonly name: string
  readonly redirectUris: readonly string[]
}
