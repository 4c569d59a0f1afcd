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
  // Of a socket.
  if (syscall === 'connect') {
    return null
  }
  const known = errcode === undefined ? code : errcode & 0xff
  const cause = (Object.keys(CODES) as Cause[]).find((each) => CODES[each].includes(known))
  if (cause !== undefined) {
    return CAUSES[cause](file, message)
  }
  if (errcode === undefined && path === undefined) {
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

/** Of the file system, and results of SQLite. */
const CODES: Readonly<Record<Cause, readonly (string | number)[]>> = {
  damaged: [11],
  noDatabase: [26],
  full: ['ENOSPC', 'EDQUOT', 13],
  broken: ['EIO', 10],
  forbidden: ['EACCES', 'EPERM', 'EROFS', 3, 8, 14],
  locked: [5, 6],
}
