import path from 'node:path'
import { freePort } from '../../../service/test/support/transport/free-port.ts'
import type { Bench } from '../bench.ts'
import type { StartLogin } from '../load/login-steps.ts'
import { startDriver } from '../load/start-driver.ts'
import { logins as betterAuthLogins } from '../load/workloads/login-better-auth.ts'
import { logins as gatehouseLogins } from '../load/workloads/login-gatehouse.ts'
import { logins as openauthLogins } from '../load/workloads/login-openauth.ts'
import { startPeer } from '../peers/start-peer.ts'
import type { Program } from '../processes/program.ts'
import { populate } from './gatehouse/populate.ts'
import { productionSettings, startGatehouse } from './gatehouse/start.ts'
import type { Setup } from './setup.ts'

export const LOGIN = 'complete login'

/** The responses before the decision only redirect within the login, and don't wait (decision 64). */
const LOGIN_SYNCED = 'SQLite, WAL, synced before the tokens are sent'

/** A login is two events: enough owners on the pro tier for 1,800 logins a second. */
const TENANTS = 300

export interface LoginSetup extends Setup {
  readonly login: StartLogin
}

export const LOGIN_SETUPS: Record<
  LoginContender,
  (bench: Bench, identity: IdentityProvider) => Promise<LoginSetup>
> = {
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
      env: {
        DATABASE_FILE: path.join(bench.folder, 'login.sqlite'),
        ...identityEnv(identity, 'better-auth'),
      },
    })
    const data = { baseUrl }
    const login = betterAuthLogins(data)
    return setupOf(bench, {
      name: 'better-auth',
      durability: 'SQLite, WAL, synchronous FULL',
      program,
      data,
      login,
    })
  },

  async openauth(bench, identity) {
    const { port, baseUrl } = identity.clients.openauth
    const env = identityEnv(identity, 'openauth')
    const program = await startPeer(bench, 'openauth', { name: 'openauth-login', port, env })
    const data = { baseUrl }
    return setupOf(bench, {
      name: 'openauth',
      durability: 'memory',
      program,
      data,
      login: openauthLogins(data),
    })
  },
}

interface LoginOptions {
  readonly name: LoginContender
  readonly durability: string
  readonly program: Program
  readonly data: unknown
  readonly login: StartLogin
}

async function setupOf(
  bench: Bench,
  { name, durability, program, data, login }: LoginOptions,
): Promise<LoginSetup> {
  const driver = await startDriver({
    workload: `login-${name}`,
    data,
    file: path.join(bench.folder, `login-${name}.json`),
    port: program.port,
    cores: bench.placement.load,
  })
  const contender = name === 'openauth' ? 'OpenAuth' : name
  return {
    contender,
    workload: LOGIN,
    durability,
    pids: () => [program.pid],
    driver,
    programs: [program],
    login,
  }
}

/** A contender's registration at the OpenID provider. */
interface IdentityClient {
  readonly port: number
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
}

const CALLBACKS = {
  gatehouse: '/auth/google/callback',
  'better-auth': '/api/auth/callback/google',
  openauth: '/google/callback',
} as const

export type LoginContender = keyof typeof CALLBACKS

interface IdentityProvider {
  readonly issuer: string
  readonly program: Program
  readonly clients: Readonly<Record<LoginContender, IdentityClient>>
}

/** Starts the OpenID provider that all contenders use, on the load generator's core. */
export async function startIdentityProvider(bench: Bench): Promise<IdentityProvider> {
  const client = async (name: LoginContender): Promise<IdentityClient> => {
    const port = await freePort()
    return {
      port,
      baseUrl: `http://localhost:${port}`,
      clientId: name,
      clientSecret: `the-secret-of-${name}`,
    }
  }
  const clients = {
    gatehouse: await client('gatehouse'),
    'better-auth': await client('better-auth'),
    openauth: await client('openauth'),
  }
  const port = await freePort()
  // Another host name than the contenders', so that they don't share cookies.
  const issuer = `http://127.0.0.1:${port}`
  const registered = Object.values(clients).map(({ clientId, clientSecret, baseUrl }) => ({
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [baseUrl + CALLBACKS[clientId as LoginContender]],
  }))
  const program = await startPeer(bench, 'identity-provider', {
    port,
    cores: bench.placement.load,
    env: { BASE_URL: issuer, CLIENTS: JSON.stringify(registered) },
  })
  return { issuer, program, clients }
}

/** The environment variables of a peer that uses the provider. */
const identityEnv = (
  { issuer, clients }: IdentityProvider,
  name: LoginContender,
): Record<string, string> => ({
  IDENTITY_ISSUER: issuer,
  IDENTITY_CLIENT_ID: clients[name].clientId,
  IDENTITY_CLIENT_SECRET: clients[name].clientSecret,
})
