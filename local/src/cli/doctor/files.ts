import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { CREDENTIALS_FILENAME } from '@gatehouse/contract'
import { draftPath, lockPath, pendingPath } from '../../credentials/files.ts'
import { isIgnored } from '../../credentials/gitignore.ts'
import { type Project, readProject } from '../../credentials/read.ts'
import { Problem } from '../../problem.ts'
import { type Finding, fail, failed, ok, warn } from './finding.ts'

const FILE = 'credentials file'
const MODE = 'file mode'
const IGNORED = 'gitignore'

export interface FileFindings {
  readonly findings: readonly Finding[]
  /** null: there is nothing to ask the service with. */
  readonly project: Project | null
}

export async function checkFiles(root: string): Promise<FileFindings> {
  try {
    const project = await readProject(root)
    const findings = [
      ok(FILE, `${project.path} is whole, for tenant ${project.credentials.tenant_id}.`),
      ok(MODE, 'Only you can read it.'),
      await checkIgnored(root),
      ...(await checkLeftovers(root)),
    ]
    return { project, findings }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const check = error.code === 'credentialsUnsafe' ? MODE : FILE
    return { project: null, findings: [failed(check, error), ...(await checkLeftovers(root))] }
  }
}

async function checkIgnored(root: string): Promise<Finding> {
  // A file that was committed once stays in the history, whatever .gitignore says since.
  if (await git(root, ['ls-files', '--error-unmatch', CREDENTIALS_FILENAME])) {
    const fix = 'git rm --cached .service, commit that, and replace the keys: they are in the history.'
    return fail(IGNORED, 'The credentials are committed to git.', fix)
  }
  const isListed = await isIgnored(root).catch(() => false)
  if (isListed || (await git(root, ['check-ignore', '-q', CREDENTIALS_FILENAME]))) {
    return ok(IGNORED, 'git leaves .service alone.')
  }
  return fail(IGNORED, 'git does not know that .service must never be committed.', 'echo .service >> .gitignore')
}

/** Is git here, and does it say yes? */
const git = (root: string, args: readonly string[]): Promise<boolean> =>
  new Promise((response) => {
    execFile('git', ['-C', root, ...args], { timeout: 5_000 }, (error) => response(error === null))
  })

async function checkLeftovers(root: string): Promise<Finding[]> {
  const found: Finding[] = []
  const isThere = (file: string): Promise<boolean> =>
    stat(file).then(
      () => true,
      () => false,
    )
  if (await isThere(lockPath(root))) {
    const fix = `If nothing is being created at this moment, remove ${lockPath(root)}.`
    found.push(warn('unfinished', 'A creation is under way, or was killed.', fix))
  }
  if (await isThere(draftPath(root))) {
    found.push(warn('unfinished', `${draftPath(root)} holds credentials of a creation.`, 'Run gatehouse-local init.'))
  }
  if (await isThere(pendingPath(root))) {
    const message = 'A creation for your account has not been seen to succeed.'
    found.push(warn('unfinished', message, 'gatehouse-local init --account finishes it, without a second tenant.'))
  }
  return found
}
