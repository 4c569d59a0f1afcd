/** What is left of the allowance that a caller feels first; becomes the RateLimit headers. */
export interface Rate {
  readonly window: 'minute' | 'month' | 'lifetime'
  readonly limit: number
  readonly left: number
  /** null: it does not come back. */
  readonly resetsAt: number | null
}
