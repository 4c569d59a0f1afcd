/** A URL for each host, in order, or what is wrong with the value. pg knows only URLs with one host. */
type DatabaseUrls =
  | { readonly ok: true; readonly urls: readonly [string, ...string[]] }
  | { readonly ok: false; readonly problem: string }

/** Scheme and user, hosts, database, parameters. The user and the password end at the last @ before the database. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/i
/** A name, an IPv4 address, an IPv6 address in brackets or the encoded folder of a socket; then the port. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[^\s:,[\]@]+)(?::(\d{1,5}))?$/i

/**
 * Reads `postgres://user:password@a:5432,b/name?target_session_attrs=read-write`, as libpq does. No problem repeats a part
 * of the value: a character that is not percent-encoded makes the password look like a host.
 */
export function readDatabaseUrls(setting: string, value: string): DatabaseUrls {
  const problem = (text: string): DatabaseUrls => ({ ok: false, problem: `${setting} ${text}` })

  if (!/^postgres(?:ql)?:\/\//i.test(value)) {
    return problem('must begin with postgres://. Leave it unset for the embedded SQLite.')
  }

  const [, user, hostList, database = '', query = ''] = PARTS.exec(value) ?? []
  if (user === undefined || hostList === undefined) {
    return problem(`has a # that is not encoded. ${ENCODE}`)
  }

  const hosts = hostList.split(',')
  // Without a host, pg connects to this machine.
  const hasHosts = hostList !== ''
  if (hasHosts && !hosts.every(isHost)) {
    return problem(
      `must name each host as host or host:port, separated by commas, with ports from 1 to 65535. ${ENCODE}`,
    )
  }

  const parameters = query.split('&').filter((parameter) => parameter !== '')
  if (parameters.some((parameter) => /^host=.*(?:,|%2c)/i.test(parameter))) {
    return problem(`must name several hosts before the name of the database. ${EXAMPLE}`)
  }

  const session = lastValue(parameters, SESSION)
  if (session !== undefined && session !== 'read-write' && session !== 'primary') {
    return problem('must lead to a primary: remove target_session_attrs, or set it to read-write.')
  }

  const others = parameters.filter((parameter) => !parameter.startsWith(SESSION)).join('&')
  const search = others === '' ? '' : `?${others}`
  const urls = hosts.map((host) => `${user}${host}${database}${search}`)
  if (!urls.every((url) => URL.canParse(url))) {
    return problem(`is no valid URL. ${ENCODE}`)
  }
  return { ok: true, urls: urls as [string, ...string[]] }
}

const SESSION = 'target_session_attrs='
const EXAMPLE = 'Example: postgres://user:password@db1:5432,db2:5432/gatehouse'
const ENCODE = `In the user and the password, write @ as %40, / as %2F, ? as %3F and # as %23. ${EXAMPLE}`

function isHost(host: string): boolean {
  const match = HOST.exec(host)
  if (match === null) {
    return false
  }
  const [, port] = match
  return port === undefined || (Number(port) >= 1 && Number(port) <= 65_535)
}

/** The value of the last parameter that starts with `prefix`. */
function lastValue(parameters: readonly string[], prefix: string): string | undefined {
  const parameter = parameters.findLast((each) => each.startsWith(prefix))
  return parameter?.slice(prefix.length)
}
