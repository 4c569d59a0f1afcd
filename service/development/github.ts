import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { challengeOf } from '../src/domain/oauth/token.ts'
import {
  EMAIL_NOT_VERIFIED,
  errorPage,
  type SignInPageSettings,
  signInPage,
  TOKEN_EXCHANGE_FAILS,
  USERINFO_FAILS,
} from './page.ts'
import {
  choose,
  isAcceptedRedirectUri,
  isAcceptedSecret,
  Newest,
  readForm,
  type SimulatedSignIn,
  sendPage,
} from './simulated-sign-in.ts'
import { mountStandIn, notFound, type StandIn, type StandInConfig } from './stand-in.ts'

const GITHUB: SignInPageSettings = {
  title: 'GitHub',
  faults: [
    {
      ...TOKEN_EXCHANGE_FAILS,
      effect: 'The token endpoint responds with status 200 and an error.',
    },
    { ...USERINFO_FAILS, effect: 'The API responds with 500.' },
    {
      ...EMAIL_NOT_VERIFIED,
      label: 'No verified email',
      effect: 'Ada’s primary email address is not verified.',
    },
  ],
  organization: null,
  // Numeric, and exact in JSON.
  subject: (sub) => String(BigInt(sub) % 9_000_000_000_000_000n),
}

/** The four routes of GitHub that a login uses. The API is below `api/`; GitHub has another host for it. */
export function devGithub({ url, clients }: StandInConfig): StandIn {
  const page = signInPage(GITHUB, url)
  const tokens = new GithubTokens()
  const shared = new Map(clients.map((client) => [client.clientId, client]))

  const isSecret = (clientId: string, secret: string): boolean => {
    const client = shared.get(clientId)
    return client === undefined ? isAcceptedSecret(secret) : client.clientSecret === secret
  }
  const isRedirectUri = (clientId: string, uri: string): boolean =>
    shared.get(clientId)?.redirectUris.includes(uri) ?? isAcceptedRedirectUri(uri)

  /** The request is in the URL, which the form is posted to as well. */
  async function authorize(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const query = new URL(req.url ?? '', url).searchParams
    const clientId = query.get('client_id') ?? ''
    const redirectUri = query.get('redirect_uri') ?? ''
    const state = query.get('state') ?? ''
    if (clientId === '' || !isRedirectUri(clientId, redirectUri)) {
      const problem = 'The redirect_uri is not associated with this application.'
      return sendPage(res, 400, errorPage(page, problem))
    }
    const challenge = query.get('code_challenge')
    if (challenge !== null && query.get('code_challenge_method') !== 'S256') {
      return sendPage(res, 400, errorPage(page, 'The code_challenge_method must be S256.'))
    }
    await choose(page, req, res, {
      host: new URL(redirectUri).host,
      finish(signIn) {
        const back = new URL(redirectUri)
        if (signIn === 'cancelled') {
          back.searchParams.set('error', 'access_denied')
          back.searchParams.set('error_description', 'The user has denied your application access.')
        } else {
          const code = tokens.issueCode({ signIn, clientId, redirectUri, challenge })
          back.searchParams.set('code', code)
        }
        back.searchParams.set('state', state)
        res.writeHead(302, { Location: back.href, 'Cache-Control': 'no-store' }).end()
      },
    })
  }

  /** Errors have status 200. */
  async function exchange(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const form = Object.fromEntries(await readForm(req))
    const { client_id: clientId = '', client_secret: secret = '' } = form
    const answer = isSecret(clientId, secret)
      ? tokens.exchange({
          code: form.code,
          clientId,
          redirectUri: form.redirect_uri,
          verifier: form.code_verifier,
        })
      : { error: 'incorrect_client_credentials' }
    if (req.headers.accept?.includes('json')) {
      return sendJson(res, 200, answer)
    }
    res
      .writeHead(200, { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' })
      .end(new URLSearchParams(answer).toString())
  }

  function readApi(req: IncomingMessage, path: string): readonly [status: number, body: unknown] {
    if (req.headers['user-agent'] === undefined) {
      return [403, { message: 'A User-Agent is required.' }]
    }
    const signIn = tokens.signInOf(req.headers.authorization)
    if (signIn === null) {
      return [401, { message: 'Bad credentials' }]
    }
    if (signIn.failsAt === 'userinfo') {
      return [500, { message: 'This sign-in simulates a failure.' }]
    }
    return [200, path === 'api/user' ? profileOf(signIn) : emailsOf(signIn)]
  }

  return mountStandIn(page, async (req, res, path) => {
    switch (`${req.method} ${path}`) {
      case 'GET login/oauth/authorize':
      case 'POST login/oauth/authorize':
        return authorize(req, res)
      case 'POST login/oauth/access_token':
        return exchange(req, res)
      case 'GET api/user':
      case 'GET api/user/emails':
        return sendJson(res, ...readApi(req, path))
      default:
        notFound(res)
    }
  })
}

function sendJson(res: ServerResponse, status: number, body: unknown): void {
  res
    .writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
    })
    .end(JSON.stringify(body))
}

/** `GET /user`. The public email address is any text, so a client must not use it. */
const profileOf = ({ sub, email, name, picture }: SimulatedSignIn) => ({
  id: Number(sub),
  login: email.split('@')[0],
  name,
  email: 'public-address-that-is-not-verified@example.com',
  avatar_url: picture,
})

/** `GET /user/emails`. */
const emailsOf = ({ sub, email, emailVerified }: SimulatedSignIn) => [
  {
    email: `${sub}@users.noreply.github.example`,
    primary: false,
    verified: true,
    visibility: null,
  },
  { email, primary: true, verified: emailVerified, visibility: 'private' },
]

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
class GithubTokens {
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
    if (issued?.clientId !== clientId || issued.signIn.failsAt === 'token_exchange') {
      return BAD_CODE
    }
    if (issued.redirectUri !== redirectUri) {
      return { error: 'redirect_uri_mismatch' }
    }
    if (issued.challenge !== null && issued.challenge !== challengeOf(verifier ?? '')) {
      return BAD_CODE
    }
    const token = `gho_${randomBytes(18).toString('hex')}`
    this.#signIns.set(token, issued.signIn)
    return { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' }
  }

  signInOf(authorization: string | undefined): SimulatedSignIn | null {
    const [, token = ''] = /^Bearer (.+)$/i.exec(authorization ?? '') ?? []
    return this.#signIns.get(token) ?? null
  }
}

const BAD_CODE = {
  error: 'bad_verification_code',
  error_description: 'The code passed is incorrect or expired.',
}
