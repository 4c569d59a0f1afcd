import { generateKeyPairSync } from 'node:crypto'
import path from 'node:path'
import type { Bench } from '../../bench.ts'
import { startDriver } from '../../load/start-driver.ts'
import type { RefreshData } from '../../load/workloads/refresh.ts'
import type { Exchange } from '../../load/workloads/replay.ts'
import type { Row } from '../../report/row.ts'
import type { Setup } from '../setup.ts'
import { findGlewlwyd } from './find.ts'
import { startGlewlwyd } from './start.ts'

/** Fewer than other contenders have, which is in its favor: each sign-in hashes a password. */
const SESSIONS = 200

const CONTENDERS = { verify: 'Glewlwyd introspection', refresh: 'Glewlwyd' } as const

/** None where Glewlwyd can't be installed. */
export async function glewlwydSetups(
  bench: Bench,
  kind: 'verify' | 'refresh',
  workload: string,
): Promise<Setup[]> {
  const program = await findGlewlwyd()
  if (typeof program === 'string') {
    return []
  }
  const contender = CONTENDERS[kind]
  bench.log(`creating ${SESSIONS} sessions in ${contender}`)
  const running = await startGlewlwyd(bench, program, `glewlwyd-${kind}`)
  const workloads = await populateGlewlwyd(running.port, SESSIONS)
  const driver = await startDriver({
    workload: kind === 'verify' ? 'replay' : 'refresh',
    data: workloads[kind],
    file: path.join(bench.folder, `glewlwyd-${kind}.json`),
    port: running.port,
    cores: bench.placement.load,
  })
  const durability = `C, SQLite, WAL, synchronous FULL, ${SESSIONS} sessions`
  return [
    { contender, workload, durability, pids: () => [running.pid], driver, programs: [running] },
  ]
}

/** A row that says why there are no figures, if Glewlwyd was to be measured and can't be installed. */
export async function glewlwydMissing(
  bench: Bench,
  kind: 'verify' | 'refresh',
  workload: string,
): Promise<Row[]> {
  if (!bench.options.contenders.includes('glewlwyd')) {
    return []
  }
  const program = await findGlewlwyd()
  if (typeof program !== 'string') {
    return []
  }
  return [
    { benchmark: kind, workload, contender: CONTENDERS[kind], durability: program, figures: {} },
  ]
}

const CLIENT = { id: 'app', secret: 'a-secret-of-the-app' }
const AUTHORIZATION = `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')}`
const SCOPE = 'app'

interface GlewlwydWorkloads {
  readonly verify: readonly Exchange[]
  readonly refresh: RefreshData
}

/**
 * Configures its OpenID Connect plugin over its API (introspection by the client, refresh tokens of one use) and signs in
 * users. The client's secret is stored as it is: its own hash of it would cost every request more.
 */
async function populateGlewlwyd(port: number, sessions: number): Promise<GlewlwydWorkloads> {
  const api = `http://localhost:${port}/api`
  const admin = await signInAdmin(api)
  await admin('/mod/plugin/', {
    module: 'oidc',
    name: 'oidc',
    display_name: 'oidc',
    enabled: true,
    parameters: oidc(port),
  })
  await admin('/scope', { name: SCOPE, display_name: SCOPE, password_required: true })
  await admin('/client', {
    client_id: CLIENT.id,
    name: CLIENT.id,
    confidential: true,
    enabled: true,
    client_secret: CLIENT.secret,
    redirect_uri: ['https://app.example.com/callback'],
    authorization_type: ['password', 'refresh_token'],
    token_endpoint_auth_method: ['client_secret_basic'],
    scope: [],
  })
  const verify: Exchange[] = []
  const refresh: RefreshData['sessions'][number][] = []
  for (let number = 0; number < sessions; number++) {
    const user = { username: `user-${number}`, password: `password-${number}` }
    await admin('/user', {
      ...user,
      name: `User ${number}`,
      email: `${user.username}@example.com`,
      scope: [SCOPE],
      enabled: true,
    })
    const tokens = await signIn(api, user)
    refresh.push({ path: '/api/oidc/token', refreshToken: tokens.refresh_token })
    verify.push({
      request: {
        method: 'POST',
        path: '/api/oidc/introspect',
        headers: {
          Authorization: AUTHORIZATION,
          'Content-Type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({
          token: tokens.access_token,
          token_type_hint: 'access_token',
        }).toString(),
      },
      status: 200,
      contains: { active: true, username: user.username, scope: SCOPE },
    })
  }
  return {
    verify,
    refresh: { encoding: 'form', headers: { Authorization: AUTHORIZATION }, sessions: refresh },
  }
}

function oidc(port: number): Record<string, unknown> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    iss: `http://localhost:${port}`,
    'jwt-type': 'ecdsa',
    'jwt-key-size': '256',
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: publicKey.export({ type: 'spki', format: 'pem' }),
    'code-duration': 600,
    'access-token-duration': 3_600,
    'refresh-token-duration': 30 * 86_400,
    'refresh-token-rolling': true,
    'refresh-token-one-use': 'always',
    'allow-non-oidc': true,
    'auth-type-password-enabled': true,
    'auth-type-refresh-enabled': true,
    'introspection-revocation-allowed': true,
    'introspection-revocation-allow-target-client': true,
  }
}

/** Signs in the administrator of its package, and returns a function that sends a request as them. */
async function signInAdmin(api: string): Promise<(path: string, body: object) => Promise<void>> {
  const post = async (path: string, body: object, cookie = ''): Promise<Response> => {
    const headers = { 'Content-Type': 'application/json', Cookie: cookie }
    const response = await fetch(api + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    if (!response.ok) {
      throw new Error(`Glewlwyd ${path}: ${response.status} ${await response.text()}`)
    }
    await response.arrayBuffer()
    return response
  }
  const signedIn = await post('/auth/', { username: 'admin', password: 'password' })
  const cookie = signedIn.headers.getSetCookie().map((set) => set.split(';')[0])
  return async (path, body) => void (await post(path, body, cookie.join('; ')))
}

async function signIn(api: string, user: { readonly username: string; readonly password: string }) {
  const response = await fetch(`${api}/oidc/token`, {
    method: 'POST',
    headers: { Authorization: AUTHORIZATION },
    body: new URLSearchParams({ grant_type: 'password', scope: SCOPE, ...user }),
  })
  return (await response.json()) as { access_token: string; refresh_token: string }
}
