import { randomBytes } from 'node:crypto'
import { challengeOf } from '../../../domain/oauth/token.ts'
import { Newest } from '../newest.ts'
import type { SimulatedSignIn } from '../simulated-sign-in.ts'

interface Code {
  readonly signIn: SimulatedSignIn
  readonly clientId: string
  readonly redirectUri: string
  /** null: the request had none. */
  readonly challenge: string | null
}

interface Presented {
  readonly code: string | undefined
  readonly clientId: string
  readonly redirectUri: string | undefined
  readonly verifier: string | undefined
}

/** The codes and access tokens of the development GitHub. */
export class GithubTokens {
  readonly #codes = new Newest<Code>()
  readonly #signIns = new Newest<SimulatedSignIn>()

  issueCode(code: Code): string {
    const value = randomBytes(10).toString('hex')
    this.#codes.set(value, code)
    return value
  }

  /** The response of the token endpoint. A code works once, even if the exchange fails. */
  exchange({ code = '', clientId, redirectUri, verifier }: Presented): Record<string, string> {
    const issued = this.#codes.get(code)
    this.#codes.delete(code)
    if (issued?.clientId !== clientId || issued.signIn.failsAt === 'token_exchange') return BAD_CODE
    if (issued.redirectUri !== redirectUri) return { error: 'redirect_uri_mismatch' }
    if (issued.challenge !== null && issued.challenge !== challengeOf(verifier ?? '')) return BAD_CODE
    const token = `gho_${randomBytes(18).toString('hex')}`
    this.#signIns.set(token, issued.signIn)
    return { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' }
  }

  signInOf(authorization: string | undefined): SimulatedSignIn | null {
    return this.#signIns.get(/^Bearer (.+)$/i.exec(authorization ?? '')?.[1] ?? '') ?? null
  }
}

const BAD_CODE = {
  error: 'bad_verification_code',
  error_description: 'The code passed is incorrect or expired.',
}
