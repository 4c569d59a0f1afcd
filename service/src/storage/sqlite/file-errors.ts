import { dirname } from 'node:path'
import { Unavailable } from '../../domain/api-error.ts'

/** `code`: from the file system. `errcode`: from SQLite (sqlite.org/rescode.html). */
type FileError = NodeJS.ErrnoException & { readonly errcode?: number }

/**
 * Why the database file cannot be used, and what to do about it. null: the error is not about the file. Names the cause,
 * because "restore a backup" after a full disk, or "let this user write" after a damage, would do harm.
 */
export function describeFileError(error: unknown, file: string): string | null {
  const {
    code = '',
    errcode,
    message,
    path,
    syscall,
  } = (error instanceof Unavailable ? error.cause : error) as FileError
  const isOfSocket = syscall === 'connect'
  if (isOfSocket) {
    return null
  }

  const known = errcode === undefined ? code : errcode & 0xff
  const cause = (Object.keys(CODES) as Cause[]).find((each) => CODES[each].includes(known))
  if (cause !== undefined) {
    return CAUSES[cause](file, message)
  }
  if (errcode !== undefined) {
    return `a statement failed in ${file} (${message}), and what it would have changed was not stored. If another program has changed the tables, restore the newest backup (docs/operating.md); otherwise report this message.`
  }
  if (path === undefined) {
    return null
  }
  return `the folder ${dirname(file)} cannot be used (${message || code}). Let this user write to it, or set DATA_DIR to another.`
}

type Cause = keyof typeof CAUSES

const CAUSES = {
  damaged: (file: string, message: string) =>
    `the database ${file} is damaged (${message}). Keep a copy of it, and restore the newest backup (docs/operating.md).`,
  noDatabase: (file: string, message: string) =>
    `${file} is not a SQLite database (${message}). If another file was put in its place, put the right one back; otherwise restore the newest backup (docs/operating.md).`,
  full: (file: string, message: string) =>
    `the disk of ${dirname(file)} is full (${message}). Free some space, then start again; nothing is lost.`,
  broken: (file: string, message: string) =>
    `the disk of ${dirname(file)} reports an error (${message}). Check the disk; if the file is lost, restore the newest backup (docs/operating.md).`,
  forbidden: (file: string, message: string) =>
    `this user may not use ${file} (${message}). Let this user write to it and to its folder, or set DATA_DIR to another.`,
  locked: (file: string, message: string) =>
    `another process has locked ${file} (${message}). Wait until it has ended: "gatehouse move" locks the file until it is done.`,
}

// Primary result codes: https://sqlite.org/rescode.html
const SQLITE_PERM = 3
const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
const SQLITE_READONLY = 8
const SQLITE_IOERR = 10
const SQLITE_CORRUPT = 11
const SQLITE_FULL = 13
const SQLITE_CANTOPEN = 14
const SQLITE_NOTADB = 26

/** Codes of the file system, and of SQLite. */
const CODES: Readonly<Record<Cause, readonly (string | number)[]>> = {
  damaged: [SQLITE_CORRUPT],
  noDatabase: [SQLITE_NOTADB],
  full: ['ENOSPC', 'EDQUOT', SQLITE_FULL],
  broken: ['EIO', SQLITE_IOERR],
  forbidden: ['EACCES', 'EPERM', 'EROFS', SQLITE_PERM, SQLITE_READONLY, SQLITE_CANTOPEN],
  locked: [SQLITE_BUSY, SQLITE_LOCKED],
}
