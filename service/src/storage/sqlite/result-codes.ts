/** SQLite's result codes: https://sqlite.org/rescode.html */

export const SQLITE_PERM = 3
export const SQLITE_BUSY = 5
export const SQLITE_LOCKED = 6
export const SQLITE_READONLY = 8
export const SQLITE_IOERR = 10
export const SQLITE_CORRUPT = 11
export const SQLITE_FULL = 13
export const SQLITE_CANTOPEN = 14
export const SQLITE_NOTADB = 26

// Extended codes: the primary code in the low byte, and a number above it.
export const SQLITE_IOERR_FSYNC = SQLITE_IOERR | (4 << 8)
export const SQLITE_IOERR_DIR_FSYNC = SQLITE_IOERR | (5 << 8)

export const primaryCode = (extendedCode: number): number => extendedCode & 0xff
