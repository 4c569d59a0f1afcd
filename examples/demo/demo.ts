import { mkdirSync, mkdtempSync } from 'node:fs'
import path from 'node:path'
import { provision } from '../../local/src/api/tenants.ts'
import { readProjectIfPresent } from '../../local/src/credentials/project.ts'
import { createTenant } from '../../local/src/project/create-tenant.ts'
import { openApp } from '../../service/src/app.ts'
import { readConfig } from '../../service/src/config.ts'
import { type LineSink, serviceLog } from '../../service/src/log.ts'
import { startNotes } from '../notes/start.ts'
import { seedDemo } from './seed.ts'

interface DemoOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The port of the example app; 0 for any free port. */
  readonly notesPort: number
  /** Adds a claimed project with a month of logins. */
  readonly seed: boolean
  readonly log: LineSink
}

interface Demo {
  readonly serviceUrl: string
  readonly notesUrl: string
  readonly tenantId: string
  readonly seededTenantId: string | null
  close(): Promise<void>
}

/**
 * Starts the service, creates and provisions a guest tenant with the code of the CLI, and starts an app that uses it.
 * Every run has its own project folder, because a guest tenant ends after three days.
 */
export async function startDemo({ env, notesPort, seed, log }: DemoOptions): Promise<Demo> {
  const read = readConfig({ DATA_DIR: './data/demo', ...env })
  if (!read.ok) {
    throw new Error(read.problems.join('\n'))
  }
  const { config } = read
  const app = await openApp({ config, log: serviceLog(log) })
  await new Promise<void>((resolve, reject) => {
    app.server.once('error', reject).listen({ port: config.port, host: config.host }, resolve)
  })
  const projects = path.resolve(config.dataDir, 'projects')
  mkdirSync(projects, { recursive: true, mode: 0o700 })
  const root = mkdtempSync(path.join(projects, 'notes-'))
  const service = config.baseUrl
  const { tenant_id: tenantId } = await createTenant({
    root,
    service,
    serviceIsExplicit: true,
    creator: async () => ({ kind: 'guest' }),
  })
  const notes = await startNotes({ port: notesPort, baseUrl: service, tenantId })
  const project = await readProjectIfPresent(root)
  if (project === null) {
    throw new Error(`there is no credentials file in ${root}`)
  }
  await provision(project, { callback_urls: [notes.callbackUrl] })
  return {
    serviceUrl: service,
    notesUrl: notes.url,
    tenantId,
    seededTenantId: seed ? (await seedDemo(app.ctx)).id : null,
    async close() {
      await notes.close()
      await app.close()
    },
  }
}
