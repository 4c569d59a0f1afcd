import { setTimeout as sleep } from 'node:timers/promises'

/** Asks until it is so, and says how long that took; what was not so, when time runs out. */
export async function soon(what: string, isSo: () => Promise<boolean>, withinMs = 2_000): Promise<number> {
  const began = performance.now()
  for (;;) {
    const asked = performance.now() - began
    if (await isSo()) return asked
    if (asked > withinMs) throw new Error(`after ${withinMs} ms it is still not so that ${what}`)
    await sleep(20)
  }
}
