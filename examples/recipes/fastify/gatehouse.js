import { existsSync, readFileSync } from 'node:fs'
import { createClient } from '@gatehouse/sdk'

const file = existsSync('.service') ? readFileSync('.service', 'utf8') : ''
const secretFile = existsSync('.service.secret') ? readFileSync('.service.secret', 'utf8') : ''

/** Neither value is secret. The keys in `.service` are for you and your agent; the app doesn't read them. */
function setting(variable, name) {
  const value = process.env[variable] ?? new RegExp(`^${name}=(.+)$`, 'm').exec(file)?.[1]
  if (!value) throw new Error(`There is no ${name} in .service, and ${variable} is not set.`)
  return value
}

export const client = createClient({
  baseUrl: setting('GATEHOUSE_URL', 'base_url'),
  tenantId: setting('GATEHOUSE_TENANT', 'tenant_id'),
  // 32 random characters or more: sessions then survive a lost response, in every process of your app. `init` writes it.
  secret: process.env.GATEHOUSE_SECRET ?? /^GATEHOUSE_SECRET=(.+)$/m.exec(secretFile)?.[1],
})
