/** The address a login ends at: the app's callback, and what the app gets to know, in the query (spec, Social login). */
export type RedirectParameters =
  | {
      readonly access_token: string
      readonly refresh_token: string
      readonly return_to?: string | null | undefined
    }
  | { readonly error: string; readonly return_to?: string | null | undefined }

/** Servers commonly stop reading a request line at 8 KiB; a login that ends in their error page is lost. */
const LANDING_MAX_BYTES = 8 * 1_024

/**
 * Appends the parameters to a callback that `matchCallback` answered. Values are form-encoded, so a `return_to` of
 * `/p&access_token=x` stays one value. The callback's own query stays first, byte for byte: the app may have signed it.
 */
export function redirectUrl(callbackHref: string, parameters: RedirectParameters): string {
  const added = new URLSearchParams()
  if ('error' in parameters) added.set('error', parameters.error)
  else {
    added.set('access_token', parameters.access_token)
    added.set('refresh_token', parameters.refresh_token)
  }
  if (parameters.return_to != null) added.set('return_to', parameters.return_to)

  const url = new URL(callbackHref)
  // Not `url.searchParams.set`: the first change there rewrites the encoding of everything that was in the query.
  url.search = url.search === '' ? added.toString() : `${url.search}&${added}`
  // The message must not hold the address: it has tokens in it.
  if (url.href.length > LANDING_MAX_BYTES)
    throw new RangeError(`A landing address is longer than ${LANDING_MAX_BYTES} bytes`)
  return url.href
}
