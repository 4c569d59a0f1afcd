import { pathToFileURL } from 'node:url'
import { acceptsCodesOnly, describeLoginLink, type LoginLink } from '../../api/login-link.ts'
import { hasKey, readSocialLogin, readStatus } from '../../api/tenants.ts'
import type { Project } from '../../credentials/project.ts'
import { formatDuration } from '../../duration.ts'
import { commandLine } from '../../invocation.ts'
import { Problem, singleLine } from '../../problem.ts'
import { type Finding, fail, failed, ok, warn } from './files.ts'

type Status = Awaited<ReturnType<typeof readStatus>>

const SOON_SECONDS = 24 * 3_600

export async function checkTenant(project: Project): Promise<readonly Finding[]> {
  let status: Status
  try {
    status = await readStatus(project)
  } catch (error) {
    if (!(error instanceof Problem)) {
      throw error
    }
    return [failed('tenant', error)]
  }
  const isUsable = status.status === 'ephemeral' || status.status === 'claimed'
  return [
    checkState(status),
    ...(isUsable ? await checkCallbacks(project) : []),
    ...checkLimits(status),
    ...checkRefusals(status),
    ...checkWebhooks(status),
  ]
}

function checkState({
  status,
  seconds_left: left,
  pause_reason: reason,
  suspension,
}: Status): Finding {
  if (status === 'claimed') {
    return ok('tenant', 'Claimed; does not expire.')
  }
  if (status === 'expired') {
    return fail(
      'tenant',
      'The tenant has expired.',
      `Run: mv .service .service.old && ${commandLine('init')}`,
    )
  }
  if (status === 'suspended') {
    const message = `The operator suspended the tenant: ${singleLine(suspension?.reason ?? '')}`
    return fail('tenant', message, `Answer the operator: ${commandLine('feedback')}`)
  }
  if (status === 'paused') {
    return fail('tenant', `The tenant is paused (${reason}).`, `Run: ${commandLine('claim')}`)
  }
  const message = `Guest tenant, ends in ${formatDuration(left ?? 0)}.`
  return (left ?? 0) < SOON_SECONDS
    ? warn('tenant', message, `Run: ${commandLine('claim')}`)
    : ok('tenant', message)
}

async function checkCallbacks(project: Project): Promise<Finding[]> {
  const socialLogin = await readSocialLogin(project)
  const urls = socialLogin?.callback_urls ?? []
  const codesOnly = socialLogin !== null && (await acceptsCodesOnly(project))
  return [
    checkUrls(urls, describeLoginLink(project, urls, codesOnly)),
    ...(await checkPublished(project, urls)),
  ]
}

const ON_THIS_MACHINE = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]):\d+\//

/**
 * A server that publishes the folder of the project publishes the keys. The development server of Vite does, also by their absolute
 * path below /@fs/, if its own root is another folder; that of Nuxt only there.
 */
async function checkPublished(project: Project, urls: readonly string[]): Promise<Finding[]> {
  const origins = new Set(
    urls.filter((url) => ON_THIS_MACHINE.test(url)).map((url) => new URL(url).origin),
  )
  const absolute = `/@fs${pathToFileURL(project.path).pathname}`
  const pages = [...origins].flatMap((origin) =>
    ['/.service', absolute, `/_nuxt${absolute}`].map((path) => origin + path),
  )
  const texts = await Promise.all(pages.map(textAt))
  const fix = `Deny .service* in the server of the app (Vite: server.fs.deny) or serve another folder, then replace the keys at ${project.credentials.base_url}/account.`
  return pages
    .filter((_, at) => hasKey(project, texts[at] ?? ''))
    .map((page) => fail('published', `The app shows the keys of the project at ${page}.`, fix))
}

const textAt = (url: string): Promise<string> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(2_000) })
    .then((response) => response.text())
    .catch(() => '')

function checkUrls(urls: readonly string[], { problem, note }: LoginLink): Finding {
  if (urls.length === 0) {
    const fix = `Run: ${commandLine('provision <callback URL>')}`
    return warn('callbacks', 'Social login is not set up, so users cannot sign in.', fix)
  }
  const returns = note === null ? '' : ` ${singleLine(note)}.`
  if (problem !== null) {
    const fix = `Or register a URL without a wildcard: ${commandLine('provision --add <callback URL>')}`
    return warn('callbacks', `${problem}.${returns}`, fix)
  }
  const remote = urls.filter((url) => !/^http:/.test(url))
  const registered = `${urls.length} callback URL${urls.length === 1 ? '' : 's'} registered`
  if (remote.length > 0) {
    return ok('callbacks', `${registered}.${returns}`)
  }
  const fix = `Before you deploy, run: ${commandLine('provision --add <callback URL>')}`
  return warn('callbacks', `${registered}, all on this machine.${returns}`, fix)
}

function checkLimits({ next_limit: limit, status }: Status): Finding[] {
  if (!limit?.warning) {
    return []
  }
  const fix =
    status === 'claimed'
      ? 'Ask the operator of the service for a higher tier.'
      : `Run: ${commandLine('claim')}`
  return [warn('limits', limit.warning, fix)]
}

/** What browsers saw and an agent does not. */
const checkRefusals = ({ recent_refusals: refusals = [] }: Status): Finding[] =>
  refusals.map(({ code, count, meaning, fix }) =>
    warn(
      'sign-ins',
      `Refused ${count === 1 ? 'once' : `${count} times`} (${code}): ${meaning}`,
      fix,
    ),
  )

const checkWebhooks = ({ disabled_webhooks: webhooks = [] }: Status): Finding[] =>
  webhooks.map(({ id, reason }) =>
    warn(
      'webhooks',
      `${id} is disabled (${reason}); its events wait.`,
      `Fix the endpoint, then run: ${commandLine(`webhooks enable ${id}`)}`,
    ),
  )
