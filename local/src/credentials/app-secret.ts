import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, readFile } from 'node:fs/promises'
import path from 'node:path'
import { commandLine } from '../invocation.ts'
import { nextStep, Problem } from '../problem.ts'
import { ignoreCredentials, isTracked } from './gitignore.ts'
import { appSecretPath, webhookSecretPath } from './paths.ts'
import { writePrivate } from './private-files.ts'
import type { Project } from './project.ts'

/** A value on the same line. An empty one does not count, with quotes or without. */
export const ASSIGNED =
  /^[ \t]*(?:export[ \t]+)?GATEHOUSE_SECRET[ \t]*=[ \t]*(?:[^\s'"#]|(['"])(?!\1))/m

/**
 * Gives the app its GATEHOUSE_SECRET, with which a session survives a lost response, and returns the file that has it. A
 * secret that the project already has is kept: another one would end the sessions whose last response was lost. `envFile`
 * is the file that the framework loads; without one, the recipe reads .service.secret.
 */
export async function ensureAppSecret(root: string, envFile?: string): Promise<string> {
  const own = appSecretPath(root)
  for (const file of [path.join(root, '.env.local'), path.join(root, '.env'), own]) {
    if (ASSIGNED.test(await readFile(file, 'utf8').catch(() => ''))) {
      return file
    }
  }
  if (envFile === undefined || !(await canKeepSecret(root, envFile))) {
    await ignoreCredentials(root)
    return append(own, true)
  }
  await ignoreCredentials(root, [envFile])
  return append(path.join(root, envFile), false)
}

/** False if git would commit the file, and for a symbolic link, which may lead to a file of another project. */
async function canKeepSecret(root: string, name: string): Promise<boolean> {
  const stats = await lstat(path.join(root, name)).catch(() => null)
  return (stats === null || stats.isFile()) && !(await isTracked(root, name))
}

/** Changes no line that is in the file. A new file has mode 0600. */
async function append(file: string, isPrivate: boolean): Promise<string> {
  const flags =
    constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)
  try {
    const handle = await open(file, flags, 0o600)
    try {
      if (isPrivate) {
        await handle.chmod(0o600)
      }
      const before = await handle.readFile('utf8')
      const gap = before === '' || before.endsWith('\n') ? '' : '\n'
      await handle.writeFile(`${gap}GATEHOUSE_SECRET=${newAppSecret()}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    return file
  } catch (error) {
    throw new Problem(
      'notWritable',
      `GATEHOUSE_SECRET of your app could not be written to ${file} (${(error as NodeJS.ErrnoException).code}). The tenant is in .service.`,
      nextStep(
        `Make it a writable file and repeat, or set the variable yourself: ${commandLine('env --secret')}`,
      ),
      { cause: error },
    )
  }
}

export const newAppSecret = (): string => randomBytes(32).toString('base64url')

/** Writes the secret to a file instead of the terminal, where agents and logs would keep it. Returns the path. */
export async function saveWebhookSecret(
  { root }: Project,
  id: string,
  secret: string,
): Promise<string> {
  const path = webhookSecretPath(root, id)
  try {
    await ignoreCredentials(root)
    await writePrivate(path, `GATEHOUSE_WEBHOOK_SECRET=${secret}\n`)
  } catch (error) {
    throw new Problem(
      'notWritable',
      `The secret of ${id} could not be written to ${path}, and is not shown again.`,
      nextStep(`Make the folder writable, then run: ${commandLine(`webhooks rotate ${id}`)}`),
      { cause: error },
    )
  }
  return path
}
