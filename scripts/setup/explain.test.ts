import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainInstall, explainNode, isNewEnough, npmProblem } from './explain.js'

const DEBIAN = {
  platform: 'linux',
  arch: 'arm64',
  distribution: 'debian',
  isMusl: false,
  folder: '/home/ada/gatehouse',
}

for (const [name, stderr, expected] of [
  [
    'no space',
    'npm error code ENOSPC\nnpm error nospc ENOSPC: no space left on device, write',
    /disk is full.*1 GB/,
  ],
  [
    'a proxy that asks for a password',
    'npm error code E407',
    /npm config set https-proxy http:\/\/name:password@/,
  ],
  [
    'a proxy with its own certificate',
    'npm error code SELF_SIGNED_CERT_IN_CHAIN',
    /export NODE_EXTRA_CA_CERTS=/,
  ],
  [
    'no network',
    'npm error code EAI_AGAIN\nnpm error request to … failed',
    /can't reach its registry.*npm config set https-proxy/,
  ],
  ['a refused connection', 'npm error code ECONNREFUSED', /can't reach its registry/],
  ['a mirror without a package', 'npm error code E404', /npm config get registry/],
  [
    'a folder of another user',
    'npm error code EACCES\nnpm error path /home/ada/gatehouse',
    /sudo chown -R "\$\(id -un\)" \/home\/ada\/gatehouse/,
  ],
  ['anything else', 'npm error code EINTEGRITY', /npm ci --loglevel=verbose/],
] as const) {
  test(`setup: ${name}: the message names the command to run`, () => {
    assert.match(explainInstall(stderr, DEBIAN), expected)
  })
}

const MISSING =
  'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file: No such file'
for (const [name, output, machine, expected] of [
  ['libatomic on Debian', MISSING, {}, /libatomic\.so\.1\. Run: sudo apt-get install libatomic1$/],
  ['libatomic on Fedora', MISSING, { distribution: 'fedora' }, /Run: sudo dnf install libatomic$/],
  [
    'libatomic elsewhere',
    MISSING,
    { distribution: '' },
    /apt-get install libatomic1 \(Debian, Ubuntu\), or sudo dnf/,
  ],
  [
    'libstdc++',
    MISSING.replace('libatomic.so.1', 'libstdc++.so.6'),
    {},
    /apt-get install libstdc\+\+6$/,
  ],
  [
    'musl',
    'ENOENT',
    { distribution: 'alpine', isMusl: true },
    /glibc, and this system has musl.*apk add nodejs npm/,
  ],
  [
    'an old glibc',
    "/lib/libc.so.6: version `GLIBC_2.28' not found (required by node)",
    {},
    /too old.*Debian 11/,
  ],
  [
    'no Node for this platform',
    'ENOENT',
    { platform: 'freebsd', arch: 'x64' },
    /no Node for freebsd-x64.*--include=optional/,
  ],
  ['a signal', '', {}, /does not run on this machine \(no message\).*install Node 24 or newer/],
] as const) {
  test(`setup: the Node of the packages does not run: ${name}: the message names the command to run`, () => {
    assert.match(explainNode(output, { ...DEBIAN, ...machine }), expected)
  })
}

test('setup: an npm before 9 is told to update itself, a Node from 24 on can replace that of the packages', () => {
  assert.match(npmProblem('8.19.4') ?? '', /npm 8\.19\.4 is too old.*npm install --global npm@11$/)
  for (const version of ['9.2.0', '11.19.1', '12.0.0', '']) {
    assert.equal(npmProblem(version), null, version)
  }
  assert.deepEqual(['20.20.2', '22.18.0', '24.0.0', '26.10.0'].map(isNewEnough), [
    false,
    false,
    true,
    true,
  ])
})
