import type { TestContext } from 'node:test'
import { HANG_TIMEOUT_MS } from '../process/wait-until.ts'

/** `FAULTS=full` (npm run test:nightly) runs the experiments at full length; CI runs them short. */
const isFull = process.env.FAULTS === 'full'

export const fullOrShort = <T>(full: T, short: T): T => (isFull ? full : short)

/**
 * A time limit that is checked only in a full run (`npm run test:nightly`), where the experiments run alone. Beside other
 * tests the machine may be slow, and only a hang exceeds the limit.
 */
export const timeBound = (ms: number): number => fullOrShort(ms, HANG_TIMEOUT_MS)

/** One line under the test's name: what was done and what was measured. */
export const figure = (t: Pick<TestContext, 'diagnostic'>, text: string): void => t.diagnostic(text)

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

export const count = (number: number): string => number.toLocaleString('en')
