import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rounded } from '../report/rounded.ts'
import { type Growth, report } from './report.ts'

const FILE = path.resolve(import.meta.dirname, '../results/growth')

/**
 * Replaces the results of the measured engines and keeps those of the other one, because a small machine measures one
 * engine at a time. Returns all results.
 */
export function saveGrowth(measured: readonly Growth[]): Growth[] {
  const before = existsSync(`${FILE}.json`) ? (JSON.parse(readFileSync(`${FILE}.json`, 'utf8')) as Growth[]) : []
  const others = before.filter(({ engine }) => !measured.some((growth) => growth.engine === engine))
  const all = [...others, ...measured].sort((a, b) => (a.engine < b.engine ? 1 : -1))
  writeFileSync(`${FILE}.md`, `# Growth\n\n${all.map(report).join('\n')}`)
  writeFileSync(`${FILE}.json`, `[\n${all.map((growth) => JSON.stringify(growth, rounded)).join(',\n')}\n]\n`)
  return all
}
