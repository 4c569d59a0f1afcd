import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Bench } from './bench.ts'
import { WrongAnswer } from './load/rounds.ts'
import { CONTENDERS, type Options, PIECES, readOptions, UsageProblem } from './options.ts'
import { RUN } from './pieces/index.ts'
import { placement } from './processes/cores.ts'
import { compare, comparison } from './report/compare.ts'
import { writeDocument } from './report/document.ts'
import { circumstances } from './report/machine.ts'
import { asMarkdown, completed, lastResults, type Results, saveResults } from './report/results.ts'
import type { Row } from './report/row.ts'

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  if (process.platform !== 'linux') throw new UsageProblem('The bench needs Linux: it reads CPU and memory from /proc.')
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const bench: Bench = { options, placement: placement(), folder, say }
  const rows: Row[] = []
  for (const piece of options.pieces) rows.push(...(await RUN[piece](bench)))
  const results: Results = { ...circumstances(options, bench.placement), rows }
  process.stdout.write(`\n${asMarkdown(results)}\n`)
  if (options.quick) compareWithLast(results)
  else if (options.write || isWhole(options)) keep(completed(results), options)
}

const say = (line: string): void => void process.stderr.write(`· ${line}\n`)

/** Parts of a run are kept only when somebody asks for it. */
const isWhole = ({ pieces, contenders }: Options): boolean =>
  pieces.length === PIECES.length && contenders.length === CONTENDERS.length

function keep(results: Results, { write }: Options): void {
  say(`written: ${saveResults(results)}`)
  if (write) writeDocument(results)
}

/** A report, never a test: a busy machine is no reason to fail. Wrong answers are, and they ended the run already. */
function compareWithLast({ rows }: Results): void {
  const last = lastResults()
  if (last === null) process.stdout.write('There are no earlier results to compare with.\n')
  else process.stdout.write(comparison(compare(rows, last.rows), last.date))
}

try {
  await main()
} catch (error) {
  if (!(error instanceof UsageProblem || error instanceof WrongAnswer)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
