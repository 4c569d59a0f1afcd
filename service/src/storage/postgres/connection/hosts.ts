import { Unavailable } from '../../../domain/api-error.ts'
import type { Warn } from '../../database.ts'
import { TIMING } from '../../timing.ts'

/** The servers of one URL, of which one is the primary. All connections of the process share the one that worked last. */
export class Hosts {
  readonly urls: readonly [string, ...string[]]
  readonly #warn: Warn
  /** For `tryHosts`. */
  readonly deadlineMs: number
  /** Set if there are several: finds out which one is the primary (primary-monitor.ts). */
  beforeConnect: () => Promise<void> = async () => {}
  #at = 0
  #connected: string | null = null

  constructor(
    urls: readonly [string, ...string[]],
    warn: Warn,
    deadlineMs: number = TIMING.tryHostsMs,
  ) {
    this.urls = urls
    this.#warn = warn
    this.deadlineMs = deadlineMs
  }

  get count(): number {
    return this.urls.length
  }

  get current(): string {
    return this.urls[this.#at] ?? this.urls[0]
  }

  connected(url: string): void {
    if (this.#connected !== null && this.#connected !== url) {
      this.#warn(
        `PostgreSQL's primary is now ${hostOf(url)}; before, it was ${hostOf(this.#connected)}`,
      )
    }
    this.#connected = url
  }

  /** Moves on to the next host, unless another connection has done so: two failures must not skip a host. */
  failed(url: string): void {
    if (url === this.current) {
      this.#at = (this.#at + 1) % this.urls.length
    }
  }

  prefer(url: string): void {
    this.#at = Math.max(0, this.urls.indexOf(url))
  }
}

/** A server did not accept the connection, or `checkServer` did not accept the server. */
export class ConnectError extends Unavailable {
  static at(url: string, cause: unknown): ConnectError {
    return new ConnectError(`${hostOf(url)}: ${reasonOf(cause)}`, { cause })
  }
}

/** Without the user and the password. */
const hostOf = (url: string): string => new URL(url).host || 'localhost'

/** Calls `connect`, which connects to the current host, until it succeeds; at most once for each host. */
export async function tryHosts<T>(hosts: Hosts, connect: () => Promise<T>): Promise<T> {
  const began = performance.now()
  const failures: ConnectError[] = []
  for (;;) {
    try {
      return await connect()
    } catch (error) {
      const failure = connectErrorOf(error)
      // Such as a timeout in the queue of the pool, which says nothing about the host.
      if (failure === null) {
        throw error
      }
      failures.push(failure)
      if (failures.length === hosts.count || performance.now() - began > hosts.deadlineMs) {
        throw combined(failures)
      }
    }
  }
}

/** pg-pool wraps the error if its own timeout ended the connection. */
function connectErrorOf(error: unknown): ConnectError | null {
  if (error instanceof ConnectError) {
    return error
  }
  return error instanceof Error && error.cause instanceof ConnectError ? error.cause : null
}

const combined = (failures: readonly ConnectError[]): ConnectError =>
  new ConnectError(failures.map(({ message }) => message).join('; '), {
    cause: failures.at(-1)?.cause,
  })

/** Codes of OpenSSL for a certificate that no known CA has signed. */
const UNTRUSTED =
  /^(?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(?:GET_ISSUER_CERT(?:_LOCALLY)?|VERIFY_LEAF_SIGNATURE))$/

/** Why a connection failed and, for known causes, the fix. */
function reasonOf(error: unknown): string {
  const { message = '', code = '' } = error as NodeJS.ErrnoException
  if (UNTRUSTED.test(code)) {
    return `its TLS certificate is signed by an unknown CA (${code}); add sslrootcert=/path/to/ca.pem to the URL`
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return 'its TLS certificate is for another name; connect by the name that the certificate has'
  }
  if (code === 'CERT_HAS_EXPIRED') {
    return 'its TLS certificate has expired'
  }
  if (message.startsWith('unsupported startup parameter')) {
    return 'it is a pooler that has no sessions; set DATABASE_URL_DIRECT to the URL of the server itself'
  }
  // A name with several addresses fails with an AggregateError, whose message is empty.
  return message || code || 'the connection failed'
}
