import { invalidRequest } from '../../domain/api-error.ts'

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{8,128}$/

/** Validates the header value; null if the header is absent. */
export function readIdempotencyKey(key: string | undefined): string | null {
  if (key === undefined) {
    return null
  }
  if (IDEMPOTENCY_KEY.test(key)) {
    return key
  }
  const problem = 'Send 8 to 128 visible ASCII characters.'
  throw invalidRequest('The Idempotency-Key header does not fit.', [
    { path: 'Idempotency-Key', problem },
  ])
}
