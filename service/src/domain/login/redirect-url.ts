/** The query parameters of the redirect that ends a login (spec, Social login). */
export type RedirectParameters =
  | {
      readonly access_token: string
      readonly refresh_token: string
      readonly return_to?: string | null | undefined
    }
  | { readonly code: string; readonly return_to?: string | null | undefined }
  | { readonly error: string; readonly return_to?: string | null | undefined }

/** Servers commonly limit a request line to 8 KiB; a longer redirect would end on their error page. */
const REDIRECT_MAX_BYTES = 8 * 1_024

/**
 * Appends the parameters to a callback URL that `matchCallback` returned. Values are form-encoded, so a `return_to` of
 * `/p&access_token=x` stays one value. The callback's own query stays first and unchanged: the app may have signed it.
 */
export function redirectUrl(callbackHref: string, parameters: RedirectParameters): string {
  const added = new URLSearchParams()
  if ('error' in parameters) added.set('error', parameters.error)
  else if ('code' in parameters) added.set('code', parameters.code)
  else {
    added.set('access_token', parameters.access_token)
    added.set('refresh_token', parameters.refresh_token)
  }
  if (parameters.return_to != null) added.set('return_to', parameters.return_to)

  const url = new URL(callbackHref)
  // Not `url.searchParams.set`, which re-encodes the existing query.
  url.search = url.search === '' ? added.toString() : `${url.search}&${added}`
  // The message must not contain the URL, which has tokens in it.
  if (url.href.length > REDIRECT_MAX_BYTES)
    throw new RangeError(`A redirect URL is longer than ${REDIRECT_MAX_BYTES} bytes`)
  return url.href
}
