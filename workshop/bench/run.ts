import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Bench } from './bench.ts'
import { RUN } from './benchmarks/benchmarks.ts'
import { glewlwydVersion } from './contenders/glewlwyd/find.ts'
import { WrongResponse } from './load/rounds.ts'
import { BENCHMARKS, CONTENDERS, type Options, readOptions, UsageError } from './options.ts'
import { placement } from './processes/usage.ts'
import { compare, comparison } from './report/compare.ts'
import { writeDocument } from './report/document.ts'
import { circumstances } from './report/machine.ts'
import {
  asMarkdown,
  comparedResults,
  mergeWithLast,
  type Results,
  saveQuickResults,
  saveResults,
} from './report/results.ts'
import type { Row } from './report/row.ts'

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  if (process.platform !== 'linux') {
    throw new UsageError('The bench needs Linux, because it reads CPU and memory from /proc.')
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const bench: Bench = { options, placement: placement(), folder, log }
  const rows: Row[] = []
  for (const benchmark of options.benchmarks) {
    const began = performance.now()
    rows.push(...(await RUN[benchmark](bench)))
    log(`${benchmark}: ${((performance.now() - began) / 1_000).toFixed(0)} s`)
  }
  const facts = circumstances(options, bench.placement)
  const glewlwyd = options.contenders.includes('glewlwyd') ? await glewlwydVersion() : {}
  const results: Results = { ...facts, versions: { ...facts.versions, ...glewlwyd }, rows }
  process.stdout.write(`\n${asMarkdown(results)}\n`)
  if (options.quick) {
    compareWithLast(results)
  } else if (options.write || isComplete(options)) {
    save(mergeWithLast(results), options)
  }
}

const log = (line: string): void => void process.stderr.write(`· ${line}\n`)

/** A partial run is saved only with --write. */
const isComplete = ({ benchmarks, contenders }: Options): boolean =>
  benchmarks.length === BENCHMARKS.length && contenders.length === CONTENDERS.length

function save(results: Results, { write }: Options): void {
  log(`written: ${saveResults(results)}`)
  if (write) {
    writeDocument(results)
  }
}

/** Only a report: a slow machine must not fail the run. A wrong response has already ended it. */
function compareWithLast(results: Results): void {
  const last = comparedResults()
  if (last !== null) {
    process.stdout.write(comparison(compare(results.rows, last.rows), last.date))
    return
  }
  const file = saveQuickResults(results)
  process.stdout.write(
    `There are no earlier results to compare. The next quick run is compared with these, in ${file}.\n`,
  )
}

try {
  await main()
} catch (error) {
  if (!(error instanceof UsageError || error instanceof WrongResponse)) {
    throw error
  }
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
