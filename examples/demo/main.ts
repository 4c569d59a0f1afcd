import { parseArgs } from 'node:util'
import { standardOutput } from '../../service/src/log.ts'
import { startDemo } from './demo.ts'

const { values } = parseArgs({ options: { seed: { type: 'boolean' } } })

try {
  const demo = await startDemo({
    env: process.env,
    notesPort: Number(process.env.NOTES_PORT ?? 3000),
    seed: values.seed ?? false,
    log: standardOutput(),
  })
  process.stdout.write(`
Notes, the example app:          ${demo.notesUrl}
Gatehouse, the sign-in service:  ${demo.serviceUrl}
${demo.seededTenantId === null ? 'For a dashboard with a month of sign-ins: npm run demo -- --seed' : `A month of sign-ins:             ${demo.serviceUrl}/account (sign in as Ada Lovelace)`}

`)
  const stop = (): void => void demo.close().then(() => process.exit(0))
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
} catch (error) {
  process.stderr.write(`The demo cannot start: ${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}
