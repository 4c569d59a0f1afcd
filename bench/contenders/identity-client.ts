import { freePort } from '../../service/test/support/transport/free-port.ts'
import type { Bench } from '../bench.ts'
import { startPeer } from '../peers/start-peer.ts'
import type { Program } from '../processes/program.ts'

/** A contender as the OpenID provider knows it. */
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

export interface Identity {
  readonly issuer: string
  readonly program: Program
  readonly clients: Readonly<Record<LoginContender, IdentityClient>>
}

/** The one provider that all of them send people to, on the side of the load. */
export async function startIdentity(bench: Bench): Promise<Identity> {
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
  // Another host name than the contenders', so that no cookie of one is sent to the other.
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

/** What a peer is told about it. */
export const identityEnv = ({ issuer, clients }: Identity, name: LoginContender): Record<string, string> => ({
  IDENTITY_ISSUER: issuer,
  IDENTITY_CLIENT_ID: clients[name].clientId,
  IDENTITY_CLIENT_SECRET: clients[name].clientSecret,
})
