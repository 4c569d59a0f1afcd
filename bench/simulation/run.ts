/**
 * Simulates what no test machine holds, and prints it:
 *
 *   node bench/simulation/run.ts              the tables of docs/scaling.md
 *   node bench/simulation/run.ts --write      the same, and puts them there between their markers
 *   node bench/simulation/run.ts --validate   beside a real PostgreSQL and real instances, at a size that fits here
 */
import { parseArgs } from 'node:util'
import { writeBetween } from '../report/between-markers.ts'
import { feedTable, hotRowTable, partitionTable } from './scenarios.ts'
import { validate } from './validate.ts'

const { values } = parseArgs({ options: { write: { type: 'boolean' }, validate: { type: 'boolean' } } })

if (values.validate) {
  process.stdout.write(`${await validate()}\n`)
} else {
  const tables = { feed: feedTable(), partition: partitionTable(), 'hot-row': hotRowTable() }
  for (const [name, text] of Object.entries(tables)) process.stdout.write(`${name}\n\n${text}\n\n`)
  if (values.write) {
    for (const [name, text] of Object.entries(tables))
      writeBetween('scaling.md', [`<!-- simulated: ${name} -->`, `<!-- end: ${name} -->`], text)
  }
}
