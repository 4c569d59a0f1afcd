import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { asMarkdown, type Results } from './results.ts'

const DOCUMENT = path.resolve(import.meta.dirname, '../../docs/performance.md')
const BEGIN = '<!-- bench: begin -->'
const END = '<!-- bench: end -->'

/** Puts the results between the markers of docs/performance.md. What stands around them is written by people. */
export function writeDocument(results: Results): void {
  const text = readFileSync(DOCUMENT, 'utf8')
  const [before, rest] = text.split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error(`${DOCUMENT} has lost its markers`)
  const image = `![Contenders beside the echo](../bench/results/${results.date}.svg)`
  writeFileSync(DOCUMENT, `${before}${BEGIN}\n${image}\n\n${asMarkdown(results)}${END}${after}`)
}
