import { RETURN_TO_MAX_CHARACTERS } from '@gatehouse-auth/contract'
import { ApiError } from '../api-error.ts'
import { callbackFromStored, defaultCallback, matchCallback } from '../callbacks/url.ts'
import { defined } from '../defined.ts'
import type { OpenIdRedirectError } from '../issuer/openid-request.ts'

/** The query parameters of the redirect that ends a login (spec, Social login). */
type RedirectParameters =
  | {
      readonly access_token: string
      readonly refresh_token: string
      readonly return_to?: string | null | undefined
    }
  | { readonly code: string; readonly return_to?: string | null | undefined }
  | { readonly linked: string; readonly return_to?: string | null | undefined }
  | { readonly error: string; readonly return_to?: string | null | undefined }

/** Servers commonly limit a request line to 8 KiB; a longer redirect would end on their error page. */
const REDIRECT_MAX_BYTES = 8 * 1_024

/**
 * Appends the parameters to a callback URL that `matchCallback` returned. Values are form-encoded, so a `return_to` of
 * `/p&access_token=x` stays one value. The callback's own query stays first and unchanged: the app may have signed it.
 */
export function redirectUrl(callbackHref: string, parameters: RedirectParameters): string {
  const added = new URLSearchParams()
  if ('error' in parameters) {
    added.set('error', parameters.error)
  } else if ('code' in parameters) {
    added.set('code', parameters.code)
  } else if ('linked' in parameters) {
    added.set('linked', parameters.linked)
  } else {
    added.set('access_token', parameters.access_token)
    added.set('refresh_token', parameters.refresh_token)
  }
  if (parameters.return_to != null) {
    added.set('return_to', parameters.return_to)
  }
  return withParameters(callbackHref, added)
}

/** The end of a login that began with an OpenID request (RFC 6749, section 4.1.2; RFC 9207). */
type OpenIdRedirect = (
  | { readonly code: string }
  | { readonly error: OpenIdRedirectError; readonly description: string }
) & {
  readonly state: string | null
  readonly issuer: string
}

export function openIdRedirectUrl(callbackHref: string, redirect: OpenIdRedirect): string {
  const added = new URLSearchParams()
  if ('code' in redirect) {
    added.set('code', redirect.code)
  } else {
    added.set('error', redirect.error)
    added.set('error_description', redirect.description)
  }
  if (redirect.state !== null) {
    added.set('state', redirect.state)
  }
  added.set('iss', redirect.issuer)
  return withParameters(callbackHref, added)
}

function withParameters(callbackHref: string, added: URLSearchParams): string {
  const url = new URL(callbackHref)
  // Not `url.searchParams.set`, which re-encodes the existing query.
  url.search = url.search === '' ? added.toString() : `${url.search}&${added}`
  // The message must not contain the URL, which has tokens in it.
  if (url.href.length > REDIRECT_MAX_BYTES) {
    throw new RangeError(`A redirect URL is longer than ${REDIRECT_MAX_BYTES} bytes`)
  }
  return url.href
}

/** The registered callback that a login returns to. */
export function requireRedirectUri(
  callbackUrls: readonly string[],
  requested: string | undefined,
): string {
  const registered = callbackUrls.map(callbackFromStored)
  if (requested === undefined) {
    const first = defaultCallback(registered)
    if (first !== null) {
      return first
    }
    throw new ApiError(
      'redirectUriRequired',
      'Only wildcard callbacks are registered for this app, so the login link must say where to return: add redirect_uri.',
    )
  }
  const match = matchCallback(requested, registered)
  if (match.ok) {
    return match.href
  }
  throw new ApiError('invalidRedirectUri', match.problem, {
    details: defined({ closest: match.closest, differs: match.differs }),
  })
}

/** The path in the app that opens after the login. */
export function requireReturnTo(returnTo: string): string {
  const read = readReturnTo(returnTo)
  if (!read.ok) {
    throw new ApiError('invalidReturnTo', read.problem)
  }
  return read.returnTo
}

type ReturnToRead =
  | { readonly ok: true; readonly returnTo: string }
  | { readonly ok: false; readonly problem: string }

/** The maximum for ASCII text of that length. Longer values would not fit into the redirect URL. */
const ENCODED_MAX_CHARACTERS = 3 * RETURN_TO_MAX_CHARACTERS

const CONTROL_CHARACTER = /\p{Cc}/u

/** A reserved origin (RFC 2606) to resolve paths against. */
const PLACEHOLDER_ORIGIN = 'https://app.invalid'

/**
 * A second slash, plain or encoded: an app that decodes once more would see `//`. Encoded tabs and line breaks may be in
 * between, because browsers drop them.
 */
const HIDDEN_SECOND_SLASH = /^\/(?:%0[9ad])*(?:[/\\]|%2f|%5c)/i

/**
 * Validates the path in the app to open after sign-in. The app navigates there, so everything that a browser could
 * resolve to another host is rejected. A valid path is kept unchanged, because apps compare it and may sign it.
 */
export function readReturnTo(raw: string): ReturnToRead {
  if (raw.length > RETURN_TO_MAX_CHARACTERS) {
    return invalid(
      `It is ${raw.length} characters long; at most ${RETURN_TO_MAX_CHARACTERS} are allowed.`,
    )
  }
  if (encodedLength(raw) > ENCODED_MAX_CHARACTERS) {
    return invalid(
      'It is too long once its characters outside ASCII are percent-encoded. Shorten it.',
    )
  }
  if (!raw.startsWith('/')) {
    return invalid('It must be a path inside your app that starts with "/", such as "/dashboard".')
  }
  // A lone surrogate cannot be sent in a URL unchanged, and U+FFFD stands for bytes that were no UTF-8.
  if (CONTROL_CHARACTER.test(raw) || !raw.isWellFormed() || raw.includes('\ufffd')) {
    return invalid('It contains a control character or broken text. Remove it.')
  }
  if (raw.includes('\\')) {
    return invalid('It contains a backslash, which browsers read as "/". Use "/".')
  }

  // `/..//evil.test` has two leading slashes once its dots are resolved, so the resolved path is checked too.
  const resolved = URL.parse(raw, PLACEHOLDER_ORIGIN)
  if (resolved === null || resolved.origin !== PLACEHOLDER_ORIGIN) {
    return invalid(LEAVES)
  }
  if (HIDDEN_SECOND_SLASH.test(raw) || HIDDEN_SECOND_SLASH.test(resolved.pathname)) {
    return invalid(LEAVES)
  }
  return { ok: true, returnTo: raw }
}

const encodedLength = (text: string): number =>
  new URLSearchParams([['', text]]).toString().length - '='.length

const LEAVES =
  'It leads to another site. Give a path inside your app, with one leading "/", such as "/dashboard".'

const invalid = (problem: string): ReturnToRead => ({ ok: false, problem })
