import { freePort } from '../../service/test/support/transport/free-port.ts'
import type { Bench } from '../bench.ts'
import { startPeer } from '../peers/start-peer.ts'
import type { Program } from '../processes/program.ts'

/** A contender's registration at the OpenID provider. */
export interface IdentityClient {
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

export interface IdentityProvider {
  readonly issuer: string
  readonly program: Program
  readonly clients: Readonly<Record<LoginContender, IdentityClient>>
}

/** Starts the OpenID provider that all contenders use, on the load generator's core. */
export async function startIdentityProvider(bench: Bench): Promise<IdentityProvider> {
  const client = async (name: LoginContender): Promise<IdentityClient> => {
    const port = await freePort()
    return { port, baseUrl: `http://localhost:${port}`, clientId: name, clientSecret: `the-secret-of-${name}` }
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
export const identityEnv = ({ issuer, clients }: IdentityProvider, name: LoginContender): Record<string, string> => ({
  IDENTITY_ISSUER: issuer,
  IDENTITY_CLIENT_ID: clients[name].clientId,
  IDENTITY_CLIENT_SECRET: clients[name].clientSecret,
})
