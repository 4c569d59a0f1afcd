import { dirname } from 'node:path'
import { databaseErrorOf } from '../database-errors.ts'
import {
  primaryCode,
  SQLITE_BUSY,
  SQLITE_CANTOPEN,
  SQLITE_CORRUPT,
  SQLITE_FULL,
  SQLITE_IOERR,
  SQLITE_LOCKED,
  SQLITE_NOTADB,
  SQLITE_PERM,
  SQLITE_READONLY,
} from './result-codes.ts'

/** `code`: from the file system. `errcode`: from SQLite (result-codes.ts). */
type FileError = NodeJS.ErrnoException & { readonly errcode?: number }

/**
 * Why the database file cannot be used, and what to do about it. null: the error is not about the file. Names the cause,
 * because "restore a backup" after a full disk, or "let this user write" after a damage, would do harm.
 */
export function describeFileError(thrown: unknown, file: string): string | null {
  const error = databaseErrorOf(thrown) as FileError
  const isOfSocket = error.syscall === 'connect'
  if (isOfSocket) {
    return null
  }

  const isFromSqlite = error.errcode !== undefined
  if (isFromSqlite) {
    return describeSqliteError(error, file)
  }
  return describeSystemError(error, file)
}

function describeSqliteError({ errcode = 0, message }: FileError, file: string): string {
  switch (primaryCode(errcode)) {
    case SQLITE_CORRUPT:
      return `the database ${file} is damaged (${message}). Keep a copy of it, and restore the newest backup (docs/operating.md).`
    case SQLITE_NOTADB:
      return `${file} is not a SQLite database (${message}). If another file was put in its place, put the right one back; otherwise restore the newest backup (docs/operating.md).`
    case SQLITE_FULL:
      return full(file, message)
    case SQLITE_IOERR:
      return broken(file, message)
    case SQLITE_PERM:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return forbidden(file, message)
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return `another process has locked ${file} (${message}). Wait until it has ended: "gatehouse move" locks the file until it is done.`
    default:
      return `a statement failed in ${file} (${message}), and what it would have changed was not stored. If another program has changed the tables, restore the newest backup (docs/operating.md); otherwise report this message.`
  }
}

function describeSystemError({ code = '', message, path }: FileError, file: string): string | null {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return full(file, message)
    case 'EIO':
      return broken(file, message)
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return forbidden(file, message)
    default:
      break
  }
  const isOfFile = path !== undefined
  if (!isOfFile) {
    return null
  }
  return `the folder ${dirname(file)} cannot be used (${message || code}). Let this user write to it, or set DATA_DIR to another.`
}

const full = (file: string, message: string): string =>
  `the disk of ${dirname(file)} is full (${message}). Free some space, then start again; nothing is lost.`

const broken = (file: string, message: string): string =>
  `the disk of ${dirname(file)} reports an error (${message}). Check the disk; if the file is lost, restore the newest backup (docs/operating.md).`

const forbidden = (file: string, message: string): string =>
  `this user may not use ${file} (${message}). Let this user write to it and to its folder, or set DATA_DIR to another.`
