import { installApart } from './install-apart.ts'

// `npm run bench` measures the service beside its peers; `npm run bench -- growth` and `-- simulation` are programs
// of their own, with their own options.

const PROGRAMS = ['growth', 'simulation']

const [program = ''] = process.argv.slice(2)
if (PROGRAMS.includes(program)) {
  process.argv.splice(2, 1)
  await import(`../bench/${program}/run.ts`)
} else {
  await installApart('bench')
  await import('../bench/run.ts')
}
