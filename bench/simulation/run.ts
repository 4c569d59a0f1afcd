/**
 * Simulates what no test machine holds, and prints it:
 *
 *   node bench/simulation/run.ts              the tables of docs/scaling.md
 *   node bench/simulation/run.ts --write      the same, and puts them there between their markers
 *   node bench/simulation/run.ts --validate   beside a real PostgreSQL and real instances, at a size that fits here
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { feedTable, hotRowTable, partitionTable } from './scenarios.ts'
import { validate } from './validate.ts'

const DOCUMENT = path.resolve(import.meta.dirname, '../../docs/scaling.md')

const { values } = parseArgs({ options: { write: { type: 'boolean' }, validate: { type: 'boolean' } } })

if (values.validate) {
  process.stdout.write(`${await validate()}\n`)
} else {
  const tables = { feed: feedTable(), partition: partitionTable(), 'hot-row': hotRowTable() }
  for (const [name, text] of Object.entries(tables)) process.stdout.write(`${name}\n\n${text}\n\n`)
  if (values.write) {
    let document = readFileSync(DOCUMENT, 'utf8')
    for (const [name, text] of Object.entries(tables)) document = between(document, name, text)
    writeFileSync(DOCUMENT, document)
  }
}

function between(document: string, name: string, text: string): string {
  const [from, to] = [`<!-- simulated: ${name} -->`, `<!-- end: ${name} -->`]
  const [begin, end] = [document.indexOf(from), document.indexOf(to)]
  if (begin < 0 || end < begin) throw new Error(`docs/scaling.md has no place for ${name}`)
  return `${document.slice(0, begin + from.length)}\n${text}\n${document.slice(end)}`
}
