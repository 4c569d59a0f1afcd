import path from 'node:path'
import type { Bench } from '../bench.ts'
import type { StartLogin } from '../load/login-steps.ts'
import { startDriver } from '../load/start-driver.ts'
import { logins as betterAuthLogins } from '../load/workloads/login-better-auth.ts'
import { logins as gatehouseLogins } from '../load/workloads/login-gatehouse.ts'
import { logins as openauthLogins } from '../load/workloads/login-openauth.ts'
import { startPeer } from '../peers/start-peer.ts'
import type { Program } from '../processes/program.ts'
import { populate } from './gatehouse/populate.ts'
import { productionSettings } from './gatehouse/settings.ts'
import { startGatehouse } from './gatehouse/start.ts'
import { type IdentityProvider, identityEnv, type LoginContender } from './identity-provider.ts'
import type { Setup } from './setup.ts'

export const LOGIN = 'complete login'

/** The responses before the decision only redirect within the login, and don't wait (decision 64). */
const LOGIN_SYNCED = 'SQLite, WAL, synced before the tokens are sent'

/** A login is two events: enough owners on the pro tier for 1,800 logins a second. */
const TENANTS = 300

export interface LoginSetup extends Setup {
  readonly login: StartLogin
}

export const LOGIN_SETUPS: Record<LoginContender, (bench: Bench, identity: IdentityProvider) => Promise<LoginSetup>> = {
  async gatehouse(bench, identity) {
    const { port, baseUrl, clientId, clientSecret } = identity.clients.gatehouse
    const settings = await productionSettings(path.join(bench.folder, 'login'), {
      PORT: String(port),
      BASE_URL: baseUrl,
      GOOGLE_ISSUER: identity.issuer,
      GOOGLE_CLIENT_ID: clientId,
      GOOGLE_CLIENT_SECRET: clientSecret,
    })
    const { tenants } = await populate(bench, settings, { tenants: TENANTS, sessionsPerTenant: 0 })
    const program = await startGatehouse(bench, settings, { name: 'gatehouse-login' })
    const data = { baseUrl, tenantIds: tenants.map(({ id }) => id) }
    const login = gatehouseLogins(data)
    return setupOf(bench, { name: 'gatehouse', durability: LOGIN_SYNCED, program, data, login })
  },

  async 'better-auth'(bench, identity) {
    const { port, baseUrl } = identity.clients['better-auth']
    const program = await startPeer(bench, 'better-auth', {
      name: 'better-auth-login',
      port,
      populate: 'better-auth-populate',
      env: { DATABASE_FILE: path.join(bench.folder, 'login.sqlite'), ...identityEnv(identity, 'better-auth') },
    })
    const data = { baseUrl }
    const login = betterAuthLogins(data)
    return setupOf(bench, { name: 'better-auth', durability: 'SQLite, WAL, synchronous FULL', program, data, login })
  },

  async openauth(bench, identity) {
    const { port, baseUrl } = identity.clients.openauth
    const env = identityEnv(identity, 'openauth')
    const program = await startPeer(bench, 'openauth', { name: 'openauth-login', port, env })
    const data = { baseUrl }
    return setupOf(bench, { name: 'openauth', durability: 'memory', program, data, login: openauthLogins(data) })
  },
}

interface LoginOptions {
  readonly name: LoginContender
  readonly durability: string
  readonly program: Program
  readonly data: unknown
  readonly login: StartLogin
}

async function setupOf(bench: Bench, { name, durability, program, data, login }: LoginOptions): Promise<LoginSetup> {
  const driver = await startDriver({
    workload: `login-${name}`,
    data,
    file: path.join(bench.folder, `login-${name}.json`),
    port: program.port,
    cores: bench.placement.load,
  })
  const contender = name === 'openauth' ? 'OpenAuth' : name
  return { contender, workload: LOGIN, durability, pids: () => [program.pid], driver, programs: [program], login }
}
