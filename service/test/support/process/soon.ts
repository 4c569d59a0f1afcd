import { setTimeout as sleep } from 'node:timers/promises'

/** So long that only something that hangs takes longer, however busy the machine is. */
export const AMPLE_MS = 60_000

const LOOK_APART_MS = 20
const LOOKS_IN_TWO_SECONDS = 100

/** Looks until it is so. Says what was not so if it never is. */
export async function soon(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + AMPLE_MS; !(await isSo()); await sleep(LOOK_APART_MS)) {
    if (performance.now() > deadline) throw new Error(`after ${AMPLE_MS} ms it is still not so that ${what}`)
  }
}

/**
 * For what we promise within two seconds: it is so after at most 100 looks that are 20 ms apart. On an idle machine
 * that is two seconds. On a busy one every look comes late, by as much as the work that is looked for.
 */
export async function withinTwoSeconds(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let looks = 0; looks <= LOOKS_IN_TWO_SECONDS; looks++) {
    if (await isSo()) return
    await sleep(LOOK_APART_MS)
  }
  throw new Error(`after ${LOOKS_IN_TWO_SECONDS} looks it is still not so that ${what}`)
}
