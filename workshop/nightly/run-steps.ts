import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { finished } from 'node:stream/promises'

/** One command of the nightly run. */
export interface Step {
  readonly name: string
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Runs before the command: installs third-party programs. */
  readonly prepare?: () => Promise<void>
}

export interface StepResult {
  /** Skipped: none of its tests ran, as without the programs that they need. */
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** `N passed, N failed, N skipped`; empty for a command that reports no tests. */
  readonly tests: string
  readonly seconds: number
  readonly date: string
  readonly machine: string
  readonly commit: string
}

export interface NightlyRun {
  readonly steps: readonly Step[]
  /** Names of steps, or of folders of steps: `faults` selects `faults/f01-kill-under-load`. None selects all. */
  readonly selected: readonly string[]
  /** Runs steps again that already passed at this commit. */
  readonly fresh: boolean
  readonly commit: string
  readonly machine: string
  /** Keeps the results of the last run and the output of each step. */
  readonly folder: string
  /** The file with a table of the last result of each step. */
  readonly document: string
  readonly print: (line: string) => void
}

type Results = Readonly<Record<string, StepResult>>

/**
 * Runs the selected steps in order, without those that already passed at this commit: a run that was stopped continues.
 * Records each result when its step ends. Returns whether no selected step has failed.
 */
export async function runSteps(run: NightlyRun): Promise<boolean> {
  const { steps, fresh, commit, folder, document, print } = run
  const selected = select(run)
  mkdirSync(folder, { recursive: true })
  const state = path.join(folder, 'results.json')
  let results: Results = readResults(state)
  for (const step of selected) {
    const last = results[step.name]
    if (!fresh && last?.outcome === 'passed' && last.commit === commit) {
      print(`${step.name}: passed on ${last.date}`)
      continue
    }
    const result = await runStep(step, run)
    results = { ...results, [step.name]: result }
    writeFileSync(state, `${JSON.stringify(results, null, 2)}\n`)
    writeTable(document, steps, results)
    print(
      `${step.name}: ${[result.outcome, result.tests].filter(Boolean).join(', ')} · ${result.seconds} s`,
    )
  }
  return selected.every(({ name }) => results[name]?.outcome !== 'failed')
}

function select({ steps, selected }: NightlyRun): readonly Step[] {
  const matches = (name: string, step: Step): boolean =>
    step.name === name || step.name.startsWith(`${name}/`)
  const unknown = selected.filter((name) => !steps.some((step) => matches(name, step)))
  if (unknown.length > 0) {
    throw new Error(
      `Unknown step ${unknown.join(', ')}. Steps: ${steps.map(({ name }) => name).join(', ')}`,
    )
  }
  return steps.filter(
    (step) => selected.length === 0 || selected.some((name) => matches(name, step)),
  )
}

async function runStep(
  step: Step,
  { folder, commit, machine, print }: NightlyRun,
): Promise<StepResult> {
  const log = path.join(folder, `${step.name.replaceAll('/', '-')}.log`)
  print(`${step.name}: ${step.command.join(' ')} (output: ${log})`)
  const began = performance.now()
  const succeeded = await runCommand(step, log)
  const tests = testCounts(readFileSync(log, 'utf8'))
  const outcomeOfSuccess = tests.startsWith('0 passed') ? 'skipped' : 'passed'
  return {
    outcome: succeeded ? outcomeOfSuccess : 'failed',
    tests,
    seconds: Math.round((performance.now() - began) / 1_000),
    date: new Date().toISOString().slice(0, 10),
    machine,
    commit,
  }
}

/** Writes the output of the command to a file, and returns whether it succeeded. */
async function runCommand({ command, env, prepare }: Step, log: string): Promise<boolean> {
  const output = createWriteStream(log)
  try {
    await prepare?.()
    const [program = '', ...args] = command
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.pipe(output, { end: false })
    child.stderr.pipe(output, { end: false })
    const [code] = await once(child, 'close')
    return code === 0
  } catch (error) {
    output.write(`${error instanceof Error ? error.stack : error}\n`)
    return false
  } finally {
    await finished(output.end())
  }
}

/** Sums up the summaries of Node's test runner. */
function testCounts(output: string): string {
  const sum = (word: string): number =>
    [...output.matchAll(new RegExp(`^ℹ ${word} (\\d+)$`, 'gm'))].reduce(
      (total, [, number]) => total + Number(number),
      0,
    )
  return /^ℹ tests \d+$/m.test(output)
    ? `${sum('pass')} passed, ${sum('fail')} failed, ${sum('skipped')} skipped`
    : ''
}

function readResults(file: string): Results {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Results
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return {}
    }
    throw error
  }
}

/** One row for each step that has a result. */
function writeTable(document: string, steps: readonly Step[], results: Results): void {
  const rows = steps.flatMap(({ name }) => {
    const result = results[name]
    if (result === undefined) {
      return []
    }
    const { outcome, tests, seconds, date, machine, commit } = result
    return [`| \`${name}\` | ${[outcome, tests, seconds, date, machine, commit].join(' | ')} |`]
  })
  const head = [
    '| Step | Result | Tests | Seconds | Date | Machine | Commit |',
    '|---|---|---|---|---|---|---|',
  ]
  mkdirSync(path.dirname(document), { recursive: true })
  writeFileSync(document, `${[...head, ...rows].join('\n')}\n`)
}
