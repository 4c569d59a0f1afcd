import { installSeparately } from './install-separately.ts'

// `npm run bench` compares the service with its peers; `npm run bench -- growth` and `-- simulation` are separate programs
// with their own options.

const PROGRAMS = ['growth', 'simulation']

const [program = ''] = process.argv.slice(2)
if (PROGRAMS.includes(program)) {
  process.argv.splice(2, 1)
  await import(`../bench/${program}/run.ts`)
} else {
  await installSeparately('bench')
  await import('../bench/run.ts')
}
