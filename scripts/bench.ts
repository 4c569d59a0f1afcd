import { installSeparately } from './install-separately.ts'

// `npm run bench` compares the service with its peers; `npm run bench -- growth` is a separate program with its own options.

if (process.argv[2] === 'growth') {
  process.argv.splice(2, 1)
  await import('../bench/growth/run.ts')
} else {
  await installSeparately('bench')
  await import('../bench/run.ts')
}
