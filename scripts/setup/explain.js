// Why an installation failed, as a sentence and the command that fixes it. Plain JavaScript, because it runs before anything is
// installed; explain.d.ts has the types.

const NPM_OLDEST = 9
/** The oldest Node that runs the sources (service/src/start.js). */
const NODE_OLDEST = 24

const NETWORK_ERRORS = [
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'ECONNRESET',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ERR_SOCKET_TIMEOUT',
  'network timeout at',
]

export const isNewEnough = (version) => Number(version.split('.')[0]) >= NODE_OLDEST

/** Null for an npm that can install this lock file; an unknown npm may try. */
export function npmProblem(version) {
  const [major = ''] = version.split('.')
  if (major === '' || Number(major) >= NPM_OLDEST) {
    return null
  }
  return `npm ${version} is too old to install Gatehouse. Run: npm install --global npm@11`
}

/** From the error output of npm: whether its registry can't be reached. */
export const isUnreachable = (stderr) => NETWORK_ERRORS.some((error) => stderr.includes(error))

/** From the error code of a start of npm. */
export const explainNpm = (code) =>
  `npm can't be started (${code}). Install it (it comes with Node), then run the command again.`

/** From the error output of `npm ci`. */
export function explainInstall(stderr, { folder }) {
  const [, code = ''] = /code ([A-Z][A-Z0-9_]+)/.exec(stderr) ?? []
  const has = (...words) => words.some((word) => code === word || stderr.includes(word))
  if (has('ENOSPC', 'EDQUOT')) {
    return `The disk is full. Gatehouse needs about 1 GB in ${folder} and npm's cache. Make room, then run the command again. (npm cache clean --force empties the cache.)`
  }
  if (has('E407', 'Proxy Authentication Required')) {
    return 'The proxy asks for a name and a password. Run: npm config set https-proxy http://name:password@proxy.example.com:8080'
  }
  if (
    has('SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE')
  ) {
    return "A proxy between this machine and npm's registry uses its own certificate. Get its file from your administrator, and run: export NODE_EXTRA_CA_CERTS=/path/to/certificate.pem"
  }
  if (isUnreachable(stderr)) {
    return "npm can't reach its registry. Check the network. Behind a proxy, run: npm config set https-proxy http://proxy.example.com:8080"
  }
  if (has('E404', 'ETARGET')) {
    return 'The registry that npm uses here does not have a package of the lock file. Print its address with: npm config get registry'
  }
  if (has('EACCES', 'EPERM', 'EROFS')) {
    return `This user can't write to ${folder}, or to npm's cache. Run: sudo chown -R "$(id -un)" ${folder} ~/.npm`
  }
  return 'npm could not install the packages; its message is above. Run it again with more detail: npm ci --loglevel=verbose'
}

/** From the error code and the error output of the installed Node. */
export function explainNode(output, { platform, arch, distribution, isMusl }) {
  const orNode = `or install Node ${NODE_OLDEST} or newer, which is then used instead`
  const [, library] = /(lib[\w+.-]+\.so[\w.]*): cannot open shared object file/.exec(output) ?? []
  if (library !== undefined) {
    return `The Node that comes with the packages needs the library ${library}. Run: ${installLibrary(library, distribution)}`
  }
  if (isMusl) {
    return `The Node that comes with the packages needs glibc, and this system has musl. Install Node ${NODE_OLDEST} or newer, which is then used instead. On Alpine, run: apk add nodejs npm`
  }
  if (/version `GLIBC(XX)?_[\d.]+' not found/.test(output)) {
    return `The C library of this system is too old for the Node that comes with the packages. Use Debian 11, Ubuntu 20.04, RHEL 9 or newer.`
  }
  if (output.includes('ENOENT')) {
    return `The packages have no Node for ${platform}-${arch}, or npm left it out. Run: npm ci --include=optional, ${orNode}.`
  }
  return `The Node that comes with the packages does not run on this machine (${output || 'no message'}). Use another one: install Node ${NODE_OLDEST} or newer, and run the command again.`
}

function installLibrary(library, distribution) {
  const [debian, fedora] = LIBRARIES[library.replace(/\.so.*$/, '')] ?? [library, library]
  if (/debian|ubuntu/.test(distribution)) {
    return `sudo apt-get install ${debian}`
  }
  if (/fedora|rhel|centos|suse/.test(distribution)) {
    return `sudo dnf install ${fedora}`
  }
  return `sudo apt-get install ${debian} (Debian, Ubuntu), or sudo dnf install ${fedora} (Fedora)`
}

const LIBRARIES = {
  libatomic: ['libatomic1', 'libatomic'],
  'libstdc++': ['libstdc++6', 'libstdc++'],
}
