import path from 'node:path'
import type { Bench } from '../bench.ts'
import { startDriver } from '../load/start-driver.ts'
import type { GatehouseLogins } from '../load/work/login-gatehouse.ts'
import { startPeer } from '../peers/start-peer.ts'
import type { Program } from '../processes/program.ts'
import type { Entry } from './entry.ts'
import { populated } from './gatehouse/populated.ts'
import { productionSettings } from './gatehouse/settings.ts'
import { startGatehouse } from './gatehouse/start.ts'
import { type Identity, identityEnv, type LoginContender } from './identity-client.ts'

export const LOGIN = 'a whole login'

/** Two events each: enough owners on the pro tier for 1,800 logins a second. */
const TENANTS = 300

export const LOGINS: Record<LoginContender, (bench: Bench, identity: Identity) => Promise<Entry>> = {
  async gatehouse(bench, identity) {
    const { port, baseUrl, clientId, clientSecret } = identity.clients.gatehouse
    const settings = await productionSettings(path.join(bench.folder, 'login'), {
      PORT: String(port),
      BASE_URL: baseUrl,
      GOOGLE_ISSUER: identity.issuer,
      GOOGLE_CLIENT_ID: clientId,
      GOOGLE_CLIENT_SECRET: clientSecret,
    })
    const { tenants } = await populated(bench, settings, { tenants: TENANTS, sessionsPerTenant: 0 })
    const program = await startGatehouse(bench, settings, { name: 'gatehouse-login' })
    const data = { baseUrl, issuer: identity.issuer, tenantIds: tenants.map(({ id }) => id) } satisfies GatehouseLogins
    return entryOf(bench, { name: 'gatehouse', durability: 'SQLite, WAL, synchronous FULL', program, data })
  },

  async 'better-auth'(bench, identity) {
    const { port, baseUrl } = identity.clients['better-auth']
    const program = await startPeer(bench, 'better-auth', {
      name: 'better-auth-login',
      port,
      populate: 'better-auth-populate',
      env: { DATABASE_FILE: path.join(bench.folder, 'login.sqlite'), ...identityEnv(identity, 'better-auth') },
    })
    const data = { baseUrl, issuer: identity.issuer }
    return entryOf(bench, { name: 'better-auth', durability: 'SQLite, WAL, synchronous FULL', program, data })
  },

  async openauth(bench, identity) {
    const { port, baseUrl } = identity.clients.openauth
    const env = identityEnv(identity, 'openauth')
    const program = await startPeer(bench, 'openauth', { name: 'openauth-login', port, env })
    return entryOf(bench, {
      name: 'openauth',
      durability: 'memory',
      program,
      data: { baseUrl, issuer: identity.issuer },
    })
  },
}

interface Ready {
  readonly name: LoginContender
  readonly durability: string
  readonly program: Program
  readonly data: unknown
}

async function entryOf(bench: Bench, { name, durability, program, data }: Ready): Promise<Entry> {
  const driver = await startDriver({
    work: `login-${name}`,
    data,
    file: path.join(bench.folder, `login-${name}.json`),
    port: program.port,
    cores: bench.placement.load,
  })
  const contender = name === 'openauth' ? 'OpenAuth' : name
  return { contender, work: LOGIN, durability, pids: () => [program.pid], driver, programs: [program] }
}
