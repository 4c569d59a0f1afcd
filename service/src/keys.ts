import { randomBytes } from 'node:crypto'
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import type { Instant } from './domain/time.ts'
import { Keyring, MASTER_KEY_BYTES, type MasterKey } from './domain/tokens/keyring.ts'
import { KEY_FILE } from './storage/database-location.ts'
import { flush } from './storage/flush.ts'

/** A refresh token has one byte for the key id. */
const KID_MAX = 255

/** Check values of the keys that the database was used with (storage/open.ts). */
interface KeyChecks {
  list(): Promise<readonly { readonly kid: string; readonly check: string }[]>
  /** Returns when it was added. */
  add(kid: string, check: string): Promise<Instant>
}

/** A problem with the master keys that must stop the start. The message names the fix. */
export class KeyProblem extends Error {
  override readonly name = 'KeyProblem'
}

/**
 * Reads the master keys from SERVICE_KEYS or the key file, which the first start creates. Throws if the database was used
 * with a key that is missing here: with other keys, every tenant key and token would silently stop working.
 */
export async function openKeyring(
  options: { readonly serviceKeys: readonly MasterKey[] | null; readonly dataDir: string },
  checks: KeyChecks,
): Promise<Keyring> {
  const file = path.join(options.dataDir, KEY_FILE)
  const known = await checks.list()
  let keys = options.serviceKeys ?? readKeyFile(file)
  if (keys === null) {
    if (known.length > 0) {
      throw new KeyProblem(
        `The database has data, but its key file ${file} is missing. Restore that file from a backup (or from the first instance), or set SERVICE_KEYS to the same keys.`,
      )
    }
    keys = createKeyFile(file)
  }

  const keyring = new Keyring(keys)
  for (const { kid, check } of known) {
    const isSameKey = keyring.has(Number(kid)) && keyring.check(Number(kid)) === check
    if (!isSameKey) {
      throw new KeyProblem(
        `The database was used with another master key ${kid} than the one here. Restore the right ${KEY_FILE}, or set SERVICE_KEYS to the keys it was used with.`,
      )
    }
  }

  const added: MasterKey[] = []
  for (const key of keys) {
    const addedAt = await checks.add(String(key.kid), keyring.check(key.kid))
    added.push({ ...key, addedAt })
  }
  return new Keyring(added)
}

/** `kid:secret` pairs, newest first. */
export function readServiceKeys(value: string): MasterKey[] {
  const pairs = value.split(',').map((pair) => pair.trim().split(':'))
  return masterKeys(pairs, 'SERVICE_KEYS')
}

/** The permission bits of a file for every user but its owner. */
const GROUP_AND_OTHERS = 0o077

function readKeyFile(file: string): MasterKey[] | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return null
    }
    throw new KeyProblem(`The key file ${file} cannot be read. Make it readable for this user.`)
  }
  if (process.platform !== 'win32' && (statSync(file).mode & GROUP_AND_OTHERS) !== 0) {
    throw new KeyProblem(
      `Others on this machine can read the key file ${file}. Run: chmod 600 ${file}`,
    )
  }
  try {
    const { keys } = JSON.parse(text) as { keys: { kid: number; secret: string }[] }
    const pairs = keys.map(({ kid, secret }) => [String(kid), secret])
    return masterKeys(pairs, `The key file ${file}`)
  } catch (error) {
    if (error instanceof KeyProblem) {
      throw error
    }
    throw new KeyProblem(`The key file ${file} is damaged. Restore it from a backup.`)
  }
}

function masterKeys(pairs: readonly string[][], where: string): MasterKey[] {
  const keys = pairs.map((pair) => masterKey(pair, where))
  if (keys.length === 0) {
    throw new KeyProblem(`${where} has no key in it. Restore it from a backup.`)
  }
  if (new Set(keys.map(({ kid }) => kid)).size < keys.length) {
    throw new KeyProblem(`${where} has two keys with one number. Give each key its own.`)
  }
  return keys
}

function masterKey([kid = '', secret = '', ...more]: readonly string[], where: string): MasterKey {
  const isKid = /^[1-9]\d{0,2}$/.test(kid) && Number(kid) <= KID_MAX
  if (!isKid || !SECRET.test(secret) || more.length > 0) {
    throw new KeyProblem(
      `${where} has a malformed key. Each is <number 1 to 255>:<${MASTER_KEY_BYTES} bytes in base64>, the newest first.`,
    )
  }
  return { kid: Number(kid), secret: Buffer.from(secret, 'base64') }
}

/** 32 bytes in base64 or base64url. */
const SECRET = /^[\w+/-]{43}=?$/

function createKeyFile(file: string): MasterKey[] {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const keys = [{ kid: 1, secret: randomBytes(MASTER_KEY_BYTES) }]
  const temporary = writeTemporaryFile(file, keys)
  try {
    // A link, unlike a rename, fails if another process has created the file meanwhile. That process's key is used.
    linkSync(temporary, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      return readKeyFile(file) ?? keys
    }
    // The file system has no hard links.
    renameSync(temporary, file)
  } finally {
    rmSync(temporary, { force: true })
  }
  flush(path.dirname(file))
  return keys
}

function writeKeyFile(file: string, keys: readonly MasterKey[]): void {
  renameSync(writeTemporaryFile(file, keys), file)
  flush(path.dirname(file))
}

/**
 * Writes a file under another name, which is then moved, so that the key file is always complete. Its mode is 0600 from the
 * start.
 */
function writeTemporaryFile(file: string, keys: readonly MasterKey[]): string {
  const pairs = keys.map(({ kid, secret }) => ({
    kid,
    secret: Buffer.from(secret).toString('base64'),
  }))
  const temporary = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(temporary, `${JSON.stringify({ keys: pairs })}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  })
  return temporary
}

/** Copies a valid key file into the folder of a backup, and returns its name. */
export function copyKeyFile(dataDir: string, folder: string): string {
  const keys = readKeyFile(path.join(dataDir, KEY_FILE))
  if (keys === null) {
    throw new KeyProblem(
      `There is no key file ${path.join(dataDir, KEY_FILE)}. Nothing was backed up.`,
    )
  }
  writeKeyFile(path.join(folder, KEY_FILE), keys)
  return KEY_FILE
}

interface Rotated {
  readonly file: string
  readonly kid: number
  /** true: the key signs from the next start on. false: it only verifies, until every instance has it. */
  readonly promoted: boolean
}

/**
 * The first key of the file signs, the others only verify. With several instances every instance must know a new key
 * before one signs with it, so rotation takes two steps: the first appends the key, the second moves it to the front.
 */
export function rotateKeyFile(dataDir: string, severalInstances: boolean): Rotated {
  const file = path.join(dataDir, KEY_FILE)
  const keys = readKeyFile(file)
  if (keys === null) {
    throw new KeyProblem(`There is no key file ${file} yet. Start the service once; it makes one.`)
  }
  const newest = keys.reduce((a, b) => (a.kid > b.kid ? a : b))
  if (newest !== keys[0]) {
    writeKeyFile(file, [newest, ...keys.filter((key) => key !== newest)])
    return { file, kid: newest.kid, promoted: true }
  }
  const added = { kid: newest.kid + 1, secret: randomBytes(MASTER_KEY_BYTES) }
  if (added.kid > KID_MAX) {
    throw new KeyProblem(`The key file ${file} has reached key ${KID_MAX}, the last there is.`)
  }
  writeKeyFile(file, severalInstances ? [...keys, added] : [added, ...keys])
  return { file, kid: added.kid, promoted: !severalInstances }
}
