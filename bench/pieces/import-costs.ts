import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Bench } from '../bench.ts'
import { onCores } from '../processes/cores.ts'
import type { Row } from '../report/row.ts'

const execute = promisify(execFile)
const SERVICE = path.resolve(import.meta.dirname, '../../service')

const IMPORT = 'import, each alone'

/** Counted inside the process, so that Node's own start is not in it. */
const PROGRAM = `
const [, name] = process.argv
const before = performance.now()
await import(name)
process.stdout.write(String(performance.now() - before))
process.exit()`

/** What each package that the service depends on takes to load, with whatever it loads in turn, from a compile cache. */
export async function importCosts(bench: Bench): Promise<Row[]> {
  const { dependencies } = JSON.parse(readFileSync(path.join(SERVICE, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const modules = [...Object.keys(dependencies), path.join(SERVICE, 'src/app.ts')]
  bench.say(`start: what ${modules.length} imports cost`)
  const times = new Map<string, number[]>(modules.map((name) => [name, []]))
  for (let round = -1; round < bench.options.rounds; round++) {
    for (const name of modules) {
      const ms = await importOnce(bench, name)
      if (round >= 0) times.get(name)?.push(ms)
    }
  }
  return modules.map((name) => ({
    piece: 'start',
    work: IMPORT,
    contender: path.isAbsolute(name) ? 'all of the service' : name,
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
