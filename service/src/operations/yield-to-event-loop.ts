/**
 * Lets other events run before the caller continues. Awaiting a promise alone does not: SQLite queries and socket writes
 * may resolve without I/O, so a loop of small steps would block the event loop.
 */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
