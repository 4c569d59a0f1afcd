import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { MUTANTS } from './mutants/list.ts'
import { type Mutant, sabotaged } from './mutants/mutant.ts'
import { runTests } from './mutants/run-tests.ts'
import { workingCopy } from './mutants/working-copy.ts'

// `npm run mutants`: applies each sabotage of the list to a copy of the repository and expects a failing test.
// Words after `--` select the sabotages whose name contains them.

const ROOT = path.resolve(import.meta.dirname, '..')
const words = process.argv.slice(2)
const selected = MUTANTS.filter(({ name }) => words.every((word) => name.includes(word)))
const print = (line: string): void => void process.stdout.write(`${line}\n`)

const survivors: string[] = []
/** Test sets that pass without a sabotage. One that fails anyway would catch everything. */
const baselines = new Map<string, Promise<boolean>>()

const waiting = selected.values()
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    const copy = workingCopy(ROOT)
    for (const mutant of waiting) {
      const problem = await problemWith(copy, mutant)
      print(`${problem === null ? '✔ caught  ' : '✖ SURVIVED'} ${mutant.name}${problem === null ? '' : `: ${problem}`}`)
      if (problem !== null) survivors.push(mutant.name)
    }
  }),
)
print(`\n${selected.length - survivors.length} passed, ${survivors.length} failed`)
process.exitCode = survivors.length === 0 ? 0 : 1

/** null: a test failed because of the sabotage. */
async function problemWith(copy: string, mutant: Mutant): Promise<string | null> {
  const file = path.join(copy, mutant.file)
  const source = readFileSync(file, 'utf8')
  let broken: string
  try {
    broken = sabotaged(source, mutant)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  if (!(await passesUnchanged(copy, mutant))) return 'its tests fail without the sabotage too'
  writeFileSync(file, broken)
  try {
    const { passed, ran, output } = await runTests(copy, mutant.tests, mutant.postgres ?? false)
    if (passed) return `no test of ${mutant.tests.join(', ')} failed`
    return ran ? null : `the sabotage keeps the tests from loading\n${output.slice(-1_000)}`
  } finally {
    writeFileSync(file, source)
  }
}

function passesUnchanged(copy: string, { tests, postgres = false }: Mutant): Promise<boolean> {
  const key = [...tests, String(postgres)].join(' ')
  const known = baselines.get(key) ?? runTests(copy, tests, postgres).then(({ passed }) => passed)
  baselines.set(key, known)
  return known
}
