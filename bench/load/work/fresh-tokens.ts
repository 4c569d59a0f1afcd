import { randomInt } from 'node:crypto'
import { signAccessToken, type TokenSubject } from '../../../service/src/domain/tokens/access-token.ts'
import { Keyring } from '../../../service/src/domain/tokens/keyring.ts'
import { encoded, type Work } from '../work.ts'

export interface FreshTokensData {
  /** The master keys of the service that is asked, from its key file. */
  readonly keys: readonly { readonly kid: number; readonly secret: string }[]
  /** Somebody of each tenant; the tokens are of sessions that nobody has seen. */
  readonly subjects: readonly TokenSubject[]
  readonly perRound: number
}

/** Tokens of ours that the service has never seen, each asked about once: a memory of verified tokens is no help. */
export function work(data: unknown, host: string): Work {
  const { keys, subjects, perRound } = data as FreshTokensData
  const keyring = new Keyring(keys.map(({ kid, secret }) => ({ kid, secret: Buffer.from(secret, 'base64') })))
  let waiting: { readonly bytes: Buffer; readonly says: Buffer }[] = []
  const current: Buffer[] = []
  const first = randomInt(2 ** 30, 2 ** 31)
  let made = 0
  return {
    prepare() {
      waiting = Array.from({ length: perRound }, () => {
        const subject = subjects[made % subjects.length]
        if (subject === undefined) throw new Error('there is nobody to make tokens for')
        const access_token = signAccessToken(keyring, { ...subject, sid: first + made++ }, Date.now())
        const { id, email, name, picture } = subject
        return {
          bytes: encoded(
            {
              method: 'POST',
              path: `/edge/auth/${subject.tenant_id}/verify`,
              headers: { 'Content-Type': 'application/json' },
              body: JSON.stringify({ access_token }),
            },
            host,
          ),
          says: Buffer.from(JSON.stringify({ valid: true, user: { id, email, name, picture } })),
        }
      })
    },
    next(lane) {
      const asked = waiting.pop()
      if (asked === undefined) return null
      current[lane] = asked.says
      return asked.bytes
    },
    problem(lane, { status, body }) {
      if (status === 200 && current[lane]?.equals(body)) return null
      return `expected ${current[lane]}, got ${status} with ${body.toString().slice(0, 500)}`
    },
  }
}
