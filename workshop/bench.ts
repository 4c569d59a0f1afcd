import { installSeparately } from '../scripts/install-separately.ts'

// `npm run bench` compares the service with its peers; `npm run bench -- growth`, `-- fairness` and `-- webhooks` are separate
// programs with their own options.

const [, , name] = process.argv
if (name === 'growth' || name === 'fairness' || name === 'webhooks') {
  process.argv.splice(2, 1)
  await import(`./bench/${name}/run.ts`)
} else {
  await installSeparately('workshop/bench')
  await import('./bench/run.ts')
}
