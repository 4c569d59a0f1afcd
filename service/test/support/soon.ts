import { setTimeout as sleep } from 'node:timers/promises'

/** Asks until it is so, and says what was not when time runs out. */
export async function soon(what: string, isSo: () => Promise<boolean>, withinMs = 2_000): Promise<void> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const asked = performance.now()
    if (await isSo()) return
    if (asked > deadline) throw new Error(`after ${withinMs} ms it is still not so that ${what}`)
    await sleep(20)
  }
}
