import {
  API_ERRORS,
  type RefusalCode,
  type RefusalStep,
  type RefusedError,
} from '@gatehouse-auth/contract'
import { isLoopback, isSite } from '../callbacks/host.ts'
import type { CallbackPart } from '../callbacks/match.ts'
import { isAppScheme } from '../callbacks/parts.ts'
import type { TenantId } from '../ids.ts'
import type { Duration, Instant } from '../time.ts'

export const REFUSALS_KEPT_MS: Duration = 24 * 3_600_000

/**
 * More kinds than a tenant can have in practice. A kind has no value of the request in it, so that strangers can't create
 * kinds without end and displace the others.
 */
export const REFUSAL_KINDS_MAX = 50

const SENT_MAX_CHARACTERS = 200

/** A parameter of the login link that libraries set to values of OAuth which don't exist here. */
type StartParameter = 'prompt' | 'response_type' | 'code_challenge'

/** What an OpenID library got wrong: its client id or secret, or anything else of its request. */
export type OpenIdParameter = 'client_id' | 'client_secret' | 'openid'

type RefusedParameter = StartParameter | OpenIdParameter

const PARAMETERS: Readonly<Record<string, StartParameter>> = {
  prompt: 'prompt',
  response_type: 'response_type',
  code_challenge: 'code_challenge',
  code_challenge_method: 'code_challenge',
}

/** The first of the wrong parameters that has a fix of its own. */
export const startParameter = (paths: readonly string[]): StartParameter | null =>
  paths.map((path) => PARAMETERS[path]).find((parameter) => parameter !== undefined) ?? null

/** One refused sign-in. `step`, `code` and `differs` are its kind. */
export interface Refusal {
  readonly tenantId: TenantId
  readonly step: RefusalStep
  readonly code: RefusalCode
  readonly differs: CallbackPart | RefusedParameter | null
  /** For a redirect URI that is not registered: what was sent, and the most similar registered one. */
  readonly sent: string | null
  readonly closest: string | null
}

export interface RefusalCount extends Refusal {
  readonly count: number
  readonly firstAt: Instant
  readonly lastAt: Instant
}

/** A refused redirect URI without user name, query and fragment, which could contain data of a user. */
export function readableRedirectUri(sent: string): string | null {
  if (!URL.canParse(sent)) {
    return null
  }
  const url = new URL(sent)
  const { protocol, host, pathname } = url
  // The scheme of an app has a dot.
  if (!isSite(url) && !isAppScheme(protocol)) {
    return null
  }
  const authority = host === '' ? '' : `//${host}`
  return `${protocol}${authority}${pathname}`.slice(0, SENT_MAX_CHARACTERS)
}

/** What the developer does about a wrong parameter. */
const PARAMETER_FIXES: Readonly<Record<RefusedParameter, string>> = {
  prompt:
    'Leave `prompt` out of the login link, or send select_account or auto. There is no silent sign-in (`none`): verify or refresh the session of the app instead.',
  response_type:
    'Send response_type=code with code_challenge and code_challenge_method=S256, or leave all three out: then the callback gets the tokens. There is no other response_type.',
  code_challenge:
    'Send code_challenge, the SHA-256 hash of your code_verifier in base64url (43 characters), with code_challenge_method=S256 and response_type=code. The method plain is refused.',
  client_id:
    'Give your OpenID library the tenant id as client id: coh_tenant_id in the .service file.',
  client_secret:
    'Give your OpenID library the application key as client secret: coh_application_key in the .service file. A page of the app has no secret: configure the library as a public client with PKCE there.',
  openid:
    'Configure your OpenID library as /docs/openid shows: response_type=code in the query, PKCE with S256 or the client secret, no request object. The error_description at the callback names what was wrong.',
}

/** What the developer does about a failure that is no error of the API. */
const FAILURE_FIXES: Readonly<Partial<Record<RefusalCode, string>>> = {
  not_allowed: 'Add the user’s Workspace domain or address with PATCH /api/social-login/settings.',
  not_invited:
    'Invite the user: POST /api/social-login/invitations, without `email` if their address at the provider may differ. To let everyone in, set admission to "open" with PATCH /api/social-login/settings.',
  user_blocked:
    'The owner blocked this user. POST /api/social-login/users/:id/unblock lets them in again.',
  user_limit:
    'Delete users, or move the account to a larger tier: GET /api/status shows the limit.',
  invalid_client:
    'Replace the client secret with PUT /api/social-login/providers/:provider. If the app uses a shared client, tell the operator of this service.',
  email_unverified: 'Ask the user to verify their address at the provider, then to try again.',
  disallowed_useragent: 'Open the login link in the browser of the device instead of a web view.',
  admin_policy_enforced:
    'Ask the user’s Workspace administrator to allow the app, or have the user pick another account.',
}

const OTHER_FIX = 'Ask the user to try again. If it keeps happening, send the operator this code.'

const ADDING = '`provision --add`; POST /api/resources/social-login replaces the whole list'

/** What the app's developer does about it. */
export function fixFor({
  code,
  sent,
  closest,
  differs,
}: Omit<Refusal, 'tenantId' | 'step'>): string {
  if (code === 'invalidRedirectUri' && sent !== null) {
    const change = closest === null ? 'Change the link' : `Send redirect_uri=${closest}`
    // No command with the URL in it: its path may hold what a shell runs.
    if (isKnownHost(sent, differs)) {
      return `${change}, or add ${sent} to the registered URLs (${ADDING}).`
    }
    // Anyone can open the login link with a URL of theirs, and an agent may do what the fix says.
    return `${change}. Register ${sent} only if your app runs there: anyone can send a login link with a URL of their own.`
  }
  if (isParameter(differs)) {
    return PARAMETER_FIXES[differs]
  }
  if (code === 'loginOtherBrowser') {
    return 'Open the login link in the browser that finishes the login, with cookies allowed.'
  }
  if (code in API_ERRORS) {
    return API_ERRORS[code as RefusedError].remedy
  }
  return FAILURE_FIXES[code] ?? OTHER_FIX
}

const isParameter = (differs: Refusal['differs']): differs is RefusedParameter =>
  differs !== null && differs in PARAMETER_FIXES

/** A host that is registered already, or the machine of the user. */
function isKnownHost(sent: string, differs: Refusal['differs']): boolean {
  const url = new URL(sent)
  // The scheme identifies an app, as the host identifies a site.
  if (!isSite(url)) {
    return differs === 'path' || differs === 'query'
  }
  return (differs !== null && differs !== 'host') || isLoopback(url)
}
