import { readFileSync } from 'node:fs'
import path from 'node:path'

const README = readFileSync(path.resolve(import.meta.dirname, '../../../../README.md'), 'utf8')

/** The lines of the first shell example below a heading. Tests run them as they are, with another port. */
export function readmeLines(heading: string, port: string): string[] {
  const [, example] = /```sh\n([\s\S]*?)```/.exec(README.split(`\n## ${heading}\n`)[1] ?? '') ?? []
  if (example === undefined) {
    throw new Error(`README.md has no example below ${heading}`)
  }
  return example.trim().replaceAll('localhost:8787', `localhost:${port}`).split('\n')
}

/** The command of a row of the table of ways to run the service. */
export function readmeCommand(row: string): string {
  const [, command] = new RegExp(`^\\| ${row} \\|.*\\| \`([^\`]+)\` \\|$`, 'm').exec(README) ?? []
  if (command === undefined) {
    throw new Error(`README.md has no row ${row}`)
  }
  return command
}
