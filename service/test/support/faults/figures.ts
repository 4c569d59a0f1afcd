import type { TestContext } from 'node:test'
import { AMPLE_MS } from '../process/soon.ts'

/** All of an experiment, or as much of it as fits between two commits: `FAULTS=full` (npm run test:faults). */
const isFull = process.env.FAULTS === 'full'

export const inFull = <T>(full: T, short: T): T => (isFull ? full : short)

/**
 * A promise in milliseconds, held where the experiments run alone (`npm run test:faults`). Beside other tests the machine
 * may be as slow as it likes: there, only something that hangs exceeds the bound.
 */
export const timeBound = (ms: number): number => inFull(ms, AMPLE_MS)

/** One line under the test's name: what was done, and what came of it. */
export const figure = (t: Pick<TestContext, 'diagnostic'>, text: string): void => t.diagnostic(text)

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

export const count = (number: number): string => number.toLocaleString('en')
