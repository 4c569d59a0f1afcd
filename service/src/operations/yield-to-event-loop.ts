/**
 * Lets everybody else have their turn before we go on. Promises alone do not: SQLite answers at once, and a socket that
 * takes what it is given does too, so a long row of small steps would be one long step to whoever waits.
 */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
