import { type Credentials, readCredentialsFile } from '@gatehouse/contract'
import { either, Problem } from '../problem.ts'
import { readServiceUrl } from '../service-url.ts'
import { credentialsPath } from './files.ts'
import { readPrivate, type Unsafe } from './open-private.ts'

/** A project that has its tenant. */
export interface Project {
  readonly root: string
  readonly path: string
  readonly credentials: Credentials
}

/** The credentials of a project that must have some. */
export async function readProject(root: string): Promise<Project> {
  const project = await projectIfThere(root)
  if (project === null) throw missing(root)
  return project
}

/** null: the project has no credentials yet. Anything else that cannot be used is a problem, and stays as it is. */
export async function projectIfThere(root: string): Promise<Project | null> {
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
      throw new Problem('credentialsUnsafe', `${path} ${WHY[read.why]}, so it was not read.`, fix(path, read.why))
    case 'unreadable':
      throw new Problem(
        'credentialsUnreadable',
        `${path} cannot be read (${read.reason}).`,
        either('Make it readable for yourself, and for nobody else: chmod 600.'),
      )
    case 'text':
      return parsed(path, read.text)
  }
}

function parsed(path: string, text: string): Credentials {
  const found = readCredentialsFile(text)
  if (!found.ok) {
    throw new Problem('credentialsUnreadable', `${path} is damaged. ${found.problem}`, {
      cli: `Restore it from a backup, or move it away (mv ${path} ${path}.old) and run: gatehouse-local init`,
      agent: 'Ask the user to restore the file or to move it away. Do not overwrite or delete it yourself.',
    })
  }
  // The key goes wherever base_url says: only to an origin, and only encrypted.
  readServiceUrl(found.credentials.base_url)
  return found.credentials
}

const missing = (root: string): Problem =>
  new Problem('credentialsMissing', `There is no .service file in ${root}.`, {
    cli: 'Create a tenant for this project: gatehouse-local init',
    agent: 'Check project_root. If the project has no tenant yet and the user agrees, call create_tenant.',
  })

const WHY: Readonly<Record<Unsafe, string>> = {
  symlink: 'is a symbolic link',
  'not-a-file': 'is not a regular file',
  'other-owner': 'belongs to another user of this machine',
  'readable-by-others': 'can be read by other users of this machine',
  'too-large': 'is too large for a credentials file',
}

function fix(path: string, why: Unsafe) {
  if (why === 'readable-by-others') {
    return either(
      `Run: chmod 600 ${path}. If others may have read it, its owner replaces the keys under /account of the service.`,
    )
  }
  if (why === 'other-owner') return either('Run this as the user who owns the file.')
  return either(`Put the credentials themselves at ${path}, as a regular file with mode 0600.`)
}
