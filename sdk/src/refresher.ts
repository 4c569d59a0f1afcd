import { readPair } from './answers.ts'
import type { Call } from './call.ts'
import { UnavailableError } from './errors.ts'
import { randomText } from './random-text.ts'
import { type Patience, patiently, type Timing } from './retry.ts'
import type { TokenPair } from './types.ts'

/** The service gives the same answer to the same key for 60 s. Nothing is sent so late that it might arrive after. */
const KEY_LIVES_MS = 50_000
const PATIENCE: Patience = { attempts: 4, withinMs: KEY_LIVES_MS, waitAtMostMs: 3_000, afterTimeout: true }

/** For whoever comes a moment later with the token that was just spent. */
const REMEMBERED_MS = 10_000

/** For a pair that nobody could be given, because the service went away right after it had made it. */
const KEPT_MS = 600_000

export interface RefreshOptions {
  /** 8 to 128 visible ASCII characters. One is made when you give none. */
  readonly idempotencyKey?: string
}

export interface Refresher {
  /** One request for any number of callers at once with one token. */
  refresh(refreshToken: string, options?: RefreshOptions): Promise<TokenPair>
  /** The pair that this token was traded for in the last seconds, in this process. */
  recent(refreshToken: string): TokenPair | null
  /** It did not reach the browser: remember it for longer, or the person has lost their session. */
  keep(refreshToken: string): void
}

/** A request whose answer never came: whether the token was spent is not known, and only the same key can tell. */
interface Unanswered {
  readonly idempotencyKey: string
  readonly at: number
}

export function refresher(call: Call, timing: Timing): Refresher {
  const flights = new Map<string, Promise<TokenPair>>()
  const traded = new Map<string, { readonly pair: TokenPair; readonly until: number }>()
  const unanswered = new Map<string, Unanswered>()

  async function fly(refreshToken: string, given: string | undefined): Promise<TokenPair> {
    const earlier = given === undefined ? unanswered.get(refreshToken) : undefined
    const { idempotencyKey, at } = earlier ?? { idempotencyKey: given ?? newKey(), at: timing.now() }
    const patience = { ...PATIENCE, withinMs: PATIENCE.withinMs - (timing.now() - at) }
    try {
      const response = await patiently(patience, timing, () =>
        call('refresh', { refresh_token: refreshToken }, { idempotencyKey }),
      )
      const pair = readPair(response)
      unanswered.delete(refreshToken)
      traded.set(refreshToken, { pair, until: timing.now() + REMEMBERED_MS })
      return pair
    } catch (error) {
      if (error instanceof UnavailableError) unanswered.set(refreshToken, { idempotencyKey, at })
      else unanswered.delete(refreshToken)
      throw error
    }
  }

  function forget(): void {
    const now = timing.now()
    for (const [token, { until }] of traded) if (now > until) traded.delete(token)
    for (const [token, { at }] of unanswered) if (now - at > KEY_LIVES_MS) unanswered.delete(token)
  }

  return {
    async refresh(refreshToken, { idempotencyKey } = {}) {
      if (idempotencyKey !== undefined && !KEY_SHAPE.test(idempotencyKey)) {
        throw new TypeError('idempotencyKey must be 8 to 128 visible ASCII characters.')
      }
      forget()
      const flying = flights.get(refreshToken)
      if (flying !== undefined) return flying
      const flight = fly(refreshToken, idempotencyKey).finally(() => flights.delete(refreshToken))
      flights.set(refreshToken, flight)
      return flight
    },
    recent(refreshToken) {
      forget()
      return traded.get(refreshToken)?.pair ?? null
    },
    keep(refreshToken) {
      const known = traded.get(refreshToken)
      if (known !== undefined) traded.set(refreshToken, { ...known, until: timing.now() + KEPT_MS })
    },
  }
}

const KEY_SHAPE = /^[\x21-\x7e]{8,128}$/

/** Not made from the token: whoever stole one could then ask for what it was traded for. */
const newKey = (): string => randomText(16)
