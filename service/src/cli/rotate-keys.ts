import { rotateKeyFile } from '../keys.ts'
import type { Command } from './command.ts'

/** Adds a master key. The old keys keep verifying what they signed. */
export const rotateKeys: Command = async (_args, { config, print }) => {
  if (config.serviceKeys !== null) {
    throw new Error(
      'The keys come from SERVICE_KEYS. Add a new pair <next number>:<32 random bytes in base64> after the current ones on every instance and restart them all; then move it to the front everywhere and restart again.',
    )
  }
  const { file, kid, promoted } = rotateKeyFile(config.dataDir, config.databaseUrl !== null)
  if (promoted)
    print(
      `Key ${kid} signs from the next start on. Restart the service. Keep the old keys in ${file}: they still verify.`,
    )
  else {
    print(`Added key ${kid} to ${file}. It only verifies so far.`)
    print('Copy the file to every instance and restart all of them. Then run this command again, copy, and restart.')
  }
}
