import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Bench } from '../bench.ts'
import { onCores } from '../processes/cores.ts'
import type { Row } from '../report/row.ts'

const execute = promisify(execFile)
const SERVICE = path.resolve(import.meta.dirname, '../../service')

/** Enough: imports of one package hardly differ. */
const ROUNDS = 3

const IMPORT = 'import, each package alone'

/** Measures inside the process, to exclude Node's own start. */
const PROGRAM = `
const [, name] = process.argv
const before = performance.now()
await import(name)
process.stdout.write(String(performance.now() - before))
process.exit()`

/** Import time of each dependency with its own dependencies, from a compile cache. */
export async function importCosts(bench: Bench): Promise<Row[]> {
  const { dependencies } = JSON.parse(readFileSync(path.join(SERVICE, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const modules = [...Object.keys(dependencies), path.join(SERVICE, 'src/app.ts')]
  bench.log(`start: ${modules.length} imports`)
  const times = new Map<string, number[]>(modules.map((name) => [name, []]))
  for (let round = -1; round < ROUNDS; round++) {
    for (const name of modules) {
      const ms = await importOnce(bench, name)
      if (round >= 0) times.get(name)?.push(ms)
    }
  }
  return modules.map((name) => ({
    benchmark: 'start',
    workload: IMPORT,
    contender: path.isAbsolute(name) ? 'the whole service' : name,
    figures: { importMs: times.get(name) ?? [] },
  }))
}

async function importOnce({ placement, folder }: Bench, name: string): Promise<number> {
  const args = ['--input-type=module', '--eval', PROGRAM, name]
  const { stdout } = await execute(...onCores(placement.contender, process.execPath, args), {
    cwd: SERVICE,
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: path.join(folder, 'compile-cache') },
  })
  return Number(stdout)
}
