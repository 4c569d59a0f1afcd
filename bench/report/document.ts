import { writeBetween } from './between-markers.ts'
import { asMarkdown, type Results } from './results.ts'
import { summary } from './summary.ts'

/** Writes the generated parts of docs/performance.md: the picture with its summary, and the tables. */
export function writeDocument(results: Results): void {
  const image = '![What a sign-in, a session check and a refresh cost](../bench/results/peers.svg)'
  writeBetween(
    'performance.md',
    ['<!-- bench: summary -->', '<!-- end: summary -->'],
    `${image}\n\n${summary(results).trimEnd()}`,
  )
  writeBetween('performance.md', ['<!-- bench: begin -->', '<!-- bench: end -->'], asMarkdown(results).trimEnd())
}
