import type { Verb } from './verb.ts'
import { VERBS } from './verbs/index.ts'

const COMMON = `Everywhere: --project <folder>, --json, --no-color, --help.
Exit codes: 0 done, 1 refused or failed, 2 not understood, 3 the service is out of reach,
4 the .service file cannot be used, 5 too early or too often, 130 interrupted.
`

const HEAD = `gatehouse-local: "Sign in with Google" for your app, from your own machine

Usage: gatehouse-local <verb> [options]
`

export function overview(): string {
  const width = Math.max(...VERBS.map(({ name }) => name.length))
  const verbs = VERBS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  const rest = [`  ${'help'.padEnd(width)}  this, or help <verb>`]
  return [HEAD, ...verbs, ...rest, '', COMMON].join('\n')
}

export function verbHelp({ name, takes, summary, more = [] }: Verb): string {
  const usage = `Usage: gatehouse-local ${name} ${takes}`.trimEnd()
  return [usage, '', `${summary[0]?.toUpperCase()}${summary.slice(1)}.`, ...more, '', COMMON].join('\n')
}
