import { readFileSync } from 'node:fs'
import { startNotes } from './start.ts'

const { PORT = '3000', GATEHOUSE_CREDENTIALS, GATEHOUSE_URL, GATEHOUSE_TENANT } = process.env

/** Reads only base_url and tenant_id: the keys in the file manage the project, and the app does not need them. */
function readSettings(): { baseUrl: string; tenantId: string } {
  if (GATEHOUSE_URL && GATEHOUSE_TENANT) {
    return { baseUrl: GATEHOUSE_URL, tenantId: GATEHOUSE_TENANT }
  }
  const file = GATEHOUSE_CREDENTIALS ?? '.service'
  const text = readFileSync(file, 'utf8')
  const [, baseUrl] = /^base_url=(.+)$/m.exec(text) ?? []
  const [, tenantId] = /^tenant_id=(.+)$/m.exec(text) ?? []
  if (baseUrl && tenantId) {
    return { baseUrl: baseUrl.trim(), tenantId: tenantId.trim() }
  }
  throw new Error(`${file} has no base_url and tenant_id.`)
}

try {
  const notes = await startNotes({ port: Number(PORT), ...readSettings() })
  process.stdout.write(
    `Notes: ${notes.url}\nRegister this callback URL with the service: ${notes.callbackUrl}\n`,
  )
} catch (error) {
  process.stderr.write(`Notes cannot start: ${error instanceof Error ? error.message : error}
Set GATEHOUSE_URL and GATEHOUSE_TENANT, or GATEHOUSE_CREDENTIALS to the path of your .service file.\n`)
  process.exitCode = 1
}
