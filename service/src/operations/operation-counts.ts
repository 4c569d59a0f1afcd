/** How late a spent refresh token of an agent was sent again. */
type RepeatAge = '10s' | '1m' | '10m' | 'later'

/** By ascending age. What is older is `later`. */
const AGES: readonly { readonly name: RepeatAge; readonly upToMs: number }[] = [
  { name: '10s', upToMs: 10_000 },
  { name: '1m', upToMs: 60_000 },
  { name: '10m', upToMs: 600_000 },
]

/** Counts what operators watch, for the metrics of this process. */
export class OperationCounts {
  /** Refresh tokens of apps that were answered after more than a minute (decision 44). */
  lateRepeats = 0
  /** Deliveries of webhooks. `failed`: it is sent again; `given_up`: the tenth attempt failed. */
  readonly webhookDeliveries = { delivered: 0, failed: 0, given_up: 0 }
  readonly agentRepeats: Record<RepeatAge, number> = { '10s': 0, '1m': 0, '10m': 0, later: 0 }

  countAgentRepeat(ageMs: number): void {
    const age = AGES.find(({ upToMs }) => ageMs <= upToMs)
    this.agentRepeats[age?.name ?? 'later']++
  }
}
