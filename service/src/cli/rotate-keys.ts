import { rotateKeyFile } from '../keys.ts'
import type { Command } from './command.ts'

/** A new master key signs from the next start on; the old ones go on verifying what they signed. */
export const rotateKeys: Command = async (_args, { config, say }) => {
  if (config.serviceKeys !== null) {
    throw new Error(
      'The keys come from SERVICE_KEYS. Put a new pair <next number>:<32 random bytes in base64> in front of the old ones on every instance, and restart them.',
    )
  }
  const { file, kid, promoted } = rotateKeyFile(config.dataDir, config.databaseUrl !== null)
  if (promoted)
    say(`Key ${kid} signs from the next start on. Restart the service. Keep ${file}: the old keys in it still verify.`)
  else {
    say(`Key ${kid} is in ${file}, and only verifies so far.`)
    say(
      'Copy that file to every instance and restart them all; then run this command again, and restart them once more.',
    )
  }
}
