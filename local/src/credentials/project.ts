import { type Credentials, readCredentialsFile } from '@gatehouse-auth/contract'
import { commandLine, quoted } from '../invocation.ts'
import { nextStep, Problem } from '../problem.ts'
import { readServiceUrl } from '../service-url.ts'
import { credentialsPath } from './paths.ts'
import { readPrivate, type Unsafe } from './private-files.ts'

/** A project folder with valid credentials. */
export interface Project {
  readonly root: string
  readonly path: string
  readonly credentials: Credentials
}

/** Throws a Problem when the project has no credentials file. */
export async function readProject(root: string): Promise<Project> {
  const project = await readProjectIfPresent(root)
  if (project === null) {
    throw missing(root)
  }
  return project
}

/** null when there is no credentials file. An unusable file throws a Problem and is not modified. */
export async function readProjectIfPresent(root: string): Promise<Project | null> {
  const path = credentialsPath(root)
  const credentials = await readCredentialsAt(path)
  return credentials === null ? null : { root, path, credentials }
}

export async function readCredentialsAt(path: string): Promise<Credentials | null> {
  const read = await readPrivate(path)
  switch (read.kind) {
    case 'missing':
      return null
    case 'unsafe':
      throw new Problem(
        'credentialsUnsafe',
        `${path} ${REASONS[read.why]}, so it was not read.`,
        fix(path, read.why),
      )
    case 'unreadable':
      throw new Problem(
        'credentialsUnreadable',
        `${path} cannot be read (${read.reason}).`,
        nextStep(`Make it readable only for yourself: chmod 600 ${quoted(path)}`),
      )
    case 'text':
      return parsed(path, read.text)
  }
}

function parsed(path: string, text: string): Credentials {
  const found = readCredentialsFile(text)
  if (!found.ok) {
    throw new Problem('credentialsUnreadable', `${path} is damaged. ${found.problem}`, {
      cli: `Restore it from a backup, or create a new tenant: mv ${quoted(path)} ${quoted(`${path}.old`)} && ${commandLine('init')}`,
      agent: 'Ask the user to restore or rename the file. Do not overwrite or delete it yourself.',
    })
  }
  // The key is sent to base_url, so it must be an https origin, or http on this machine.
  readServiceUrl(found.credentials.base_url)
  return found.credentials
}

const missing = (root: string): Problem =>
  new Problem('credentialsMissing', `There is no .service file in ${root}.`, {
    cli: `Create a tenant for this project: ${commandLine('init')}`,
    agent:
      'Check project_root. If the project has no tenant yet and the user agrees, call create_tenant.',
  })

const REASONS: Readonly<Record<Unsafe, string>> = {
  symlink: 'is a symbolic link',
  'not-a-file': 'is not a regular file',
  'other-owner': 'belongs to another user of this machine',
  'readable-by-others': 'can be read by other users of this machine',
  'too-large': 'is too large for a credentials file',
}

function fix(path: string, why: Unsafe) {
  if (why === 'readable-by-others') {
    return nextStep(
      `Run: chmod 600 ${quoted(path)}. If others may have read it, its owner should replace the keys at /account of the service.`,
    )
  }
  if (why === 'other-owner') {
    return nextStep('Run this as the user who owns the file.')
  }
  return nextStep(
    `Replace it by the credentials file itself: a regular file with mode 0600 at ${path}.`,
  )
}
