import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { CREDENTIALS_FILENAME } from '@gatehouse-auth/contract'
import { ASSIGNED } from '../../credentials/app-secret.ts'
import { ENTRIES, entryOf, isIgnored, isTracked } from '../../credentials/gitignore.ts'
import { draftPath, lockPath, pendingPath } from '../../credentials/paths.ts'
import { type Project, readProject } from '../../credentials/project.ts'
import { commandLine } from '../../invocation.ts'
import { Problem } from '../../problem.ts'

const FILE = 'credentials file'
const MODE = 'file mode'
const IGNORED = 'gitignore'

interface FileFindings {
  readonly findings: readonly Finding[]
  /** null when the file is missing or unusable: the tenant is not checked. */
  readonly project: Project | null
}

export async function checkFiles(root: string): Promise<FileFindings> {
  try {
    const project = await readProject(root)
    const findings = [
      ok(FILE, `${project.path} looks good (tenant ${project.credentials.tenant_id}).`),
      ok(MODE, 'Only you can read the file.'),
      await checkIgnored(root),
      ...(await checkLeftovers(root)),
    ]
    return { project, findings }
  } catch (error) {
    if (!(error instanceof Problem)) {
      throw error
    }
    const check = error.code === 'credentialsUnsafe' ? MODE : FILE
    return { project: null, findings: [failed(check, error), ...(await checkLeftovers(root))] }
  }
}

async function checkIgnored(root: string): Promise<Finding> {
  const names = await secretFiles(root)
  // .gitignore does not apply to a file that is already committed, and its keys are in the history.
  const tracked = await filter(names, (name) => isTracked(root, name))
  if (tracked.length > 0) {
    const fix = `Run: git rm --cached ${tracked.join(' ')}. Commit, then replace the keys: they are in the git history.`
    return fail(
      IGNORED,
      `${tracked.join(', ')} ${tracked.length === 1 ? 'is' : 'are'} committed to git.`,
      fix,
    )
  }
  const open = await filter(names, async (name) => !(await isIgnored(root, name)))
  if (open.length === 0) {
    return ok(IGNORED, `git ignores ${names.join(', ')}.`)
  }
  const entries = [...new Set([...ENTRIES, ...open.map(entryOf)])]
  // The first line break ends a last line that has none.
  const fix = `Run: printf '${['', ...entries, ''].join('\\n')}' >> .gitignore`
  return fail(IGNORED, `git does not ignore ${open.join(', ')}.`, fix)
}

/** The credentials, the secrets beside them, and .env.local if init wrote the app secret there. */
async function secretFiles(root: string): Promise<string[]> {
  const names = await readdir(root)
  const others = names.filter((name) => name.startsWith(`${CREDENTIALS_FILENAME}.`)).sort()
  const hasSecret = ASSIGNED.test(
    await readFile(path.join(root, '.env.local'), 'utf8').catch(() => ''),
  )
  return [CREDENTIALS_FILENAME, ...others, ...(hasSecret ? ['.env.local'] : [])]
}

async function filter(
  names: readonly string[],
  test: (name: string) => Promise<boolean>,
): Promise<string[]> {
  const results = await Promise.all(names.map(test))
  return names.filter((_, at) => results[at])
}

async function checkLeftovers(root: string): Promise<Finding[]> {
  const found: Finding[] = []
  const exists = (file: string): Promise<boolean> =>
    stat(file).then(
      () => true,
      () => false,
    )
  if (await exists(lockPath(root))) {
    const fix = `If no creation is running, remove ${lockPath(root)}.`
    found.push(warn('unfinished', 'A tenant creation is running, or was interrupted.', fix))
  }
  if (await exists(draftPath(root))) {
    const message = `${draftPath(root)} contains the credentials of an interrupted creation.`
    found.push(warn('unfinished', message, `Run: ${commandLine('init')}`))
  }
  if (await exists(pendingPath(root))) {
    const message = 'The outcome of a tenant creation for your account is unknown.'
    const fix = `Run: ${commandLine('init --account')}. It finishes the creation without a second tenant.`
    found.push(warn('unfinished', message, fix))
  }
  return found
}

/** The result of one check. */
export interface Finding {
  readonly check: string
  readonly level: 'ok' | 'warn' | 'fail'
  readonly message: string

  readonly fix?: string
}

export const ok = (check: string, message: string): Finding => ({ check, level: 'ok', message })

export const warn = (check: string, message: string, fix: string): Finding => ({
  check,
  level: 'warn',
  message,
  fix,
})

export const fail = (check: string, message: string, fix: string): Finding => ({
  check,
  level: 'fail',
  message,
  fix,
})

export const failed = (check: string, { message, next }: Problem): Finding =>
  fail(check, message, next.cli)
