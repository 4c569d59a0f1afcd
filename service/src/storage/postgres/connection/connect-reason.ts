/** Codes of OpenSSL for a certificate that no known CA has signed. */
const UNTRUSTED = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** Why a connection failed and, for known causes, the fix. */
export function reasonOf(error: unknown): string {
  const { message = '', code = '' } = error as NodeJS.ErrnoException
  if (UNTRUSTED.has(code)) {
    return `its TLS certificate is signed by an unknown CA (${code}); add sslrootcert=/path/to/ca.pem to the URL`
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return 'its TLS certificate is for another name; connect by the name that the certificate has'
  }
  if (code === 'CERT_HAS_EXPIRED') return 'its TLS certificate has expired'
  // A name with several addresses fails with an AggregateError, whose message is empty.
  return message || code || 'the connection failed'
}
