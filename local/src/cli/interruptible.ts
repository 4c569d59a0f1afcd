/** Waits that a person may end with Ctrl-C: the first one ends the wait in good order, the second the program. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const abort = (): void => stop.abort()
  process.once('SIGINT', abort)
  process.once('SIGTERM', abort)
  try {
    return await work(stop.signal)
  } finally {
    process.off('SIGINT', abort)
    process.off('SIGTERM', abort)
  }
}
