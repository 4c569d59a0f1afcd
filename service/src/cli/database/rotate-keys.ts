import { rotateKeyFile } from '../../keys.ts'
import type { Command } from '../command.ts'

/** Adds a master key. The old keys keep verifying what they signed. */
export const rotateKeys: Command = {
  name: 'keys rotate',
  synopsis: '',
  summary: 'add a master key that signs from the next start on',
  positionals: { min: 0, max: 0 },
  async run(_input, { config, emit, open }) {
    if (config.serviceKeys !== null) {
      throw new Error(
        'The keys come from SERVICE_KEYS. Add a new pair <next number>:<32 random bytes in base64> after the current ones on every instance and restart them all; then move it to the front everywhere and restart again.',
      )
    }
    // Fails before the file changes if the settings name no database of this service.
    await (await open()).close()
    const { file, kid, promoted } = rotateKeyFile(config.dataDir, config.databaseUrl !== null)
    const text = promoted
      ? `Key ${kid} signs from the next start on. Restart the service. Keep the old keys in ${file}: they still verify.`
      : `Added key ${kid} to ${file}. It only verifies so far.\nCopy the file to every instance and restart all of them. Then run this command again, copy, and restart.`
    emit({ key: kid, file, signs: promoted }, text)
  },
}
