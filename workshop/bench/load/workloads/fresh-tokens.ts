import { randomInt } from 'node:crypto'
import {
  signAccessToken,
  type TokenSubject,
} from '../../../../service/src/domain/tokens/access-token.ts'
import { Keyring } from '../../../../service/src/domain/tokens/keyring.ts'
import { encodeRequest, type Workload } from '../workload.ts'

export interface FreshTokensData {
  /** The service's master keys, from its key file. */
  readonly keys: readonly { readonly kid: number; readonly secret: string }[]
  /** One user of each tenant. The tokens belong to sessions that don't exist in the database. */
  readonly subjects: readonly TokenSubject[]
  readonly perRound: number
}

/** Verifies valid tokens that the service has never seen, each once, so that its token cache has no effect. */
export function workload(data: unknown, host: string): Workload {
  const { keys, subjects, perRound } = data as FreshTokensData
  const keyring = new Keyring(
    keys.map(({ kid, secret }) => ({ kid, secret: Buffer.from(secret, 'base64') })),
  )
  let prepared: { readonly bytes: Buffer; readonly expected: Buffer }[] = []
  const current: Buffer[] = []
  const first = randomInt(2 ** 30, 2 ** 31)
  let created = 0
  return {
    prepare() {
      prepared = Array.from({ length: perRound }, () => {
        const subject = subjects[created % subjects.length]
        if (subject === undefined) {
          throw new Error('there are no subjects')
        }
        const access_token = signAccessToken(
          keyring,
          { ...subject, sid: first + created++ },
          Date.now(),
        )
        const { id, email, name, picture } = subject
        return {
          bytes: encodeRequest(
            {
              method: 'POST',
              path: `/edge/auth/${subject.tenant_id}/verify`,
              headers: { 'Content-Type': 'application/json' },
              body: JSON.stringify({ access_token }),
            },
            host,
          ),
          expected: Buffer.from(
            JSON.stringify({ valid: true, user: { id, email, name, picture } }),
          ),
        }
      })
    },
    next(connection) {
      const exchange = prepared.pop()
      if (exchange === undefined) {
        return null
      }
      current[connection] = exchange.expected
      return exchange.bytes
    },
    problem(connection, { status, body }) {
      if (status === 200 && current[connection]?.equals(body)) {
        return null
      }
      return `expected ${current[connection]}, got ${status} with ${body.toString().slice(0, 500)}`
    },
  }
}
