import type { TestNetwork } from '../../../src/identity/public-https.ts'

/** A DNS with the TXT records that a test sets; no host can be reached. */
interface TestDns {
  readonly records: Map<string, string[][]>
  /** The names that were asked for. */
  readonly asked: string[]
  readonly network: TestNetwork
}

export function testDns(): TestDns {
  const records = new Map<string, string[][]>()
  const asked: string[] = []
  return {
    records,
    asked,
    network: {
      resolve: async () => Promise.reject(new Error('ENOTFOUND')),
      resolveTxt: async (name) => {
        asked.push(name)
        return records.get(name) ?? Promise.reject(new Error('ENOTFOUND'))
      },
    },
  }
}
