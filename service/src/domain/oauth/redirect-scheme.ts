/** Runs a script, opens a file or shows something other than the client in the browser. */
const BROWSER =
  'javascript vbscript livescript data file filesystem blob about view-source jar resource chrome ws wss ftp'
/** Starts a call, a message, a download or a connection to another machine. */
const COMMUNICATION =
  'mailto tel sms mms callto sip sips facetime news nntp irc ircs magnet webcal ' +
  'ssh sftp telnet rlogin tn3270 rdp vnc ldap ldaps smb cifs afp nfs dav davs webdav gopher'
/**
 * Registered by an operating system, or by what comes with it, for its own programs: the search window and the shell folders
 * of Windows, its help viewers, the Office and Java starters, the installers of macOS, iOS and Linux, Android's intents.
 */
const SYSTEM =
  'search search-ms shell hcp help res mk its mhtml onenote onenote-cmd onenotedesktop odopen outlook outlookfeed ' +
  'windowsdefender bingmaps jnlp jnlps applescript itms itms-apps itms-services itms-appss macappstore ' +
  'apt snap appstream intent android-app market'

const FORBIDDEN = new Set(`${BROWSER} ${COMMUNICATION} ${SYSTEM}`.split(' '))

/** Windows and Office: `ms-word`, `ms-msdt`, `ms-appinstaller`, `microsoft-edge`, `microsoft.windows.camera`, … */
const MICROSOFT = /^(?:ms-|microsoft[-.])/

/** Apple's system programs, such as `x-apple.systempreferences` and `x-help-action`. */
const APPLE = /^x-(?:apple|help|man)/

/**
 * Whether a client may not be reached by this URI scheme. Prevents a registration that turns our redirect into a link that
 * starts a program with a stranger's arguments. A list can't name every program that is installed somewhere: SECURITY.md, D6.
 */
export function isForbiddenScheme(scheme: string): boolean {
  const folded = scheme.toLowerCase()
  return FORBIDDEN.has(folded) || MICROSOFT.test(folded) || APPLE.test(folded)
}
