import type { TestContext } from 'node:test'

/** All of an experiment, or as much of it as fits between two commits: `FAULTS=full` (npm run test:faults). */
const isFull = process.env.FAULTS === 'full'

export const inFull = <T>(full: T, short: T): T => (isFull ? full : short)

/** One line under the test's name: what was done, and what came of it. */
export const figure = (t: Pick<TestContext, 'diagnostic'>, text: string): void => t.diagnostic(text)

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

export const count = (number: number): string => number.toLocaleString('en')
