import { commandLine } from '../invocation.ts'
import { nextStep, Problem } from '../problem.ts'
import { ignoreCredentials } from './gitignore.ts'
import { webhookSecretPath } from './paths.ts'
import type { Project } from './project.ts'
import { writePrivate } from './write-private.ts'

/** Writes the secret to a file instead of the terminal, where agents and logs would keep it. Returns the path. */
export async function saveWebhookSecret({ root }: Project, id: string, secret: string): Promise<string> {
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
