import type { Bench } from '../bench.ts'
import { closeAll, type Entry } from '../contenders/entry.ts'
import { mcpEntries } from '../contenders/gatehouse/mcp-entries.ts'
import type { Row } from '../report/row.ts'
import { measured } from './measured.ts'

/** What an agent asks. No peer has it. */
export async function mcp(bench: Bench): Promise<Row[]> {
  let entries: Entry[] = []
  try {
    entries = await mcpEntries(bench)
    return await measured(bench, 'mcp', entries)
  } finally {
    await closeAll(entries)
  }
}
