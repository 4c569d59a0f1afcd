import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Keyring, MASTER_KEY_BYTES, type MasterKey } from './domain/tokens/keyring.ts'

const FILE = 'keys.json'

/** What the database knows of the keys it was used with (storage, key-checks). */
export interface KeyChecks {
  list(): Promise<readonly { readonly kid: string; readonly check: string }[]>
  add(kid: string, check: string): Promise<void>
}

/** The service must not start: what is wrong, and what to do about it. */
export class KeyProblem extends Error {
  override readonly name = 'KeyProblem'
}

/**
 * The master keys, from SERVICE_KEYS or the key file; made on the very first start. A database that was used with keys
 * we do not have is refused: with new ones every key and token in it would silently stop working.
 */
export async function openKeyring(
  options: { readonly serviceKeys: string | null; readonly dataDir: string },
  checks: KeyChecks,
): Promise<Keyring> {
  const file = path.join(options.dataDir, FILE)
  const known = await checks.list()
  let keys = options.serviceKeys === null ? readKeyFile(file) : readServiceKeys(options.serviceKeys)
  if (keys === null) {
    if (known.length > 0) {
      throw new KeyProblem(
        `The database has data, but its key file ${file} is missing. Restore that file from a backup (or from the first instance), or set SERVICE_KEYS to the same keys.`,
      )
    }
    keys = [{ kid: 1, secret: randomBytes(MASTER_KEY_BYTES) }]
    writeKeyFile(file, keys)
  }
  const keyring = new Keyring(keys)
  for (const { kid, check } of known) {
    if (!keyring.has(Number(kid)) || keyring.check(Number(kid)) !== check) {
      throw new KeyProblem(
        `The database was used with another master key ${kid} than the one here. Restore the right ${FILE}, or set SERVICE_KEYS to the keys it was used with.`,
      )
    }
  }
  for (const kid of keyring.kids) await checks.add(String(kid), keyring.check(kid))
  return keyring
}

function readServiceKeys(value: string): MasterKey[] {
  return value.split(',').map((pair) => {
    const [kid = '', secret = ''] = pair.trim().split(':')
    return masterKey(kid, secret, 'SERVICE_KEYS')
  })
}

function readKeyFile(file: string): MasterKey[] | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new KeyProblem(`The key file ${file} cannot be read. Make it readable for this user.`)
  }
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
    throw new KeyProblem(`Others on this machine can read the key file ${file}. Run: chmod 600 ${file}`)
  }
  try {
    const { keys } = JSON.parse(text) as { keys: { kid: number; secret: string }[] }
    return keys.map(({ kid, secret }) => masterKey(String(kid), secret, file))
  } catch (error) {
    if (error instanceof KeyProblem) throw error
    throw new KeyProblem(`The key file ${file} is damaged. Restore it from a backup.`)
  }
}

function masterKey(kid: string, secret: string, where: string): MasterKey {
  const bytes = Buffer.from(secret, 'base64')
  if (!/^([1-9]\d{0,2})$/.test(kid) || Number(kid) > 255 || bytes.length !== MASTER_KEY_BYTES) {
    throw new KeyProblem(
      `${where} has a malformed key. Each is <number 1 to 255>:<${MASTER_KEY_BYTES} bytes in base64>, the newest first.`,
    )
  }
  return { kid: Number(kid), secret: bytes }
}

/** Whole or not at all, and readable by nobody else at any moment. */
function writeKeyFile(file: string, keys: readonly MasterKey[]): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const text = JSON.stringify({
    keys: keys.map(({ kid, secret }) => ({ kid, secret: Buffer.from(secret).toString('base64') })),
  })
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, `${text}\n`, { mode: 0o600, flag: 'wx', flush: true })
  renameSync(temporary, file)
}
