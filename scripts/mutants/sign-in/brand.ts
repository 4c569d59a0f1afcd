// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code
import type { Mutant } from '../mutant.ts'

const DOMAINS = ['service/test/brand/domains.test.ts']
const DOMAIN_RULES = ['service/src/domain/brand/domain.test.ts']
const PNG = ['service/src/domain/brand/png.test.ts']
const NAME = ['service/src/domain/brand/brand-name.test.ts']
const CONSENT = ['service/test/brand/consent.test.ts']

/** Domains, and what the consent page shows of an app. */
export const BRAND: readonly Mutant[] = [
  {
    name: 'the proof of a domain is the same for every tenant',
    file: 'service/src/domain/brand/domain.ts',
    find: '`domain\\0${tenantId}\\0${host}`',
    replace: '`domain\\0${host}`',
    tests: DOMAINS,
  },
  {
    name: 'a file covers all hosts of its domain',
    file: 'service/src/domain/brand/domain.ts',
    find: "    if (method === 'file') return host === url.hostname\n",
    replace: '',
    tests: DOMAIN_RULES,
  },
  {
    name: 'a lapsed domain still covers its hosts',
    file: 'service/src/domain/brand/domain.ts',
    find: "    if (status !== 'verified') return false\n",
    replace: '',
    tests: DOMAIN_RULES,
  },
  {
    name: 'one miss ends the verification of a domain',
    file: 'service/src/domain/brand/domain.ts',
    find: 'const MISSES_MAX = 2',
    replace: 'const MISSES_MAX = 1',
    tests: DOMAINS,
  },
  {
    name: 'a domain under a shared suffix of the private list is its suffix',
    file: 'service/src/domain/brand/registrable-domain.ts',
    find: 'allowPrivateDomains: true',
    replace: 'allowPrivateDomains: false',
    tests: ['service/src/domain/brand/domain-host.test.ts', ...DOMAIN_RULES],
  },
  {
    name: 'two instances check one due domain',
    file: 'service/src/storage/brand/domains.ts',
    find: "        .where('next_check_at', '<=', now)\n        .returningAll()",
    replace: '        .returningAll()',
    tests: DOMAINS,
  },
  {
    name: 'a weekly check overwrites a newer one',
    file: 'service/src/storage/brand/domains.ts',
    find: "        .where('next_check_at', '=', lease)\n",
    replace: '',
    tests: DOMAINS,
  },
  {
    name: 'the file of a domain of a public service is read by http',
    file: 'service/src/identity/domain-probe.ts',
    find: "const isLocal = loopback && url.protocol === 'http:'",
    replace: "const isLocal = url.protocol === 'http:'",
    tests: ['service/test/brand/domain-probe.test.ts'],
  },
  {
    name: 'an error page proves a domain',
    file: 'service/src/identity/domain-probe.ts',
    find: 'status === 200 ? body',
    replace: 'status > 0 ? body',
    tests: ['service/test/brand/domain-probe.test.ts'],
  },
  {
    name: 'a guest verifies domains',
    file: 'service/src/operations/brand/require-owner.ts',
    find: '  if (tenant.owner !== null) return\n',
    replace: '  if (tenant.id !== null) return\n',
    tests: DOMAINS,
  },
  {
    name: 'checks of domains are not limited',
    file: 'service/src/operations/brand/check-domain.ts',
    find: '  await ctx.stores.transaction((stores) => limitByTenant(stores, CHECK_LIMIT, tenant, now))\n',
    replace: '',
    tests: DOMAINS,
  },
  {
    name: 'a brand is shown on any domain of its owner',
    file: 'service/src/domain/brand/brand.ts',
    find: '  if (coveringDomain(domains, callback) === null) return null\n',
    replace: '',
    tests: ['service/src/domain/brand/brand.test.ts'],
  },
  {
    name: 'the consent page calls every owned app verified',
    file: 'service/src/operations/brand/app-of.ts',
    find: '  if (coveringDomain(domains, callback) === null) return { temporary: false, ...UNVERIFIED }\n',
    replace: '',
    tests: CONSENT,
  },
  {
    name: 'a link to a domain that is no longer verified is shown',
    file: 'service/src/domain/brand/brand.ts',
    find: 'url !== null && coveringDomain(domains, new URL(url)) !== null ? url : null',
    replace: 'url',
    tests: ['service/src/domain/brand/brand.test.ts'],
  },
  {
    name: 'a well-known brand is shown on another domain of its owner',
    file: 'service/src/domain/brand/brand.ts',
    find: '  if (!isNameFor(brand.name, registrableDomain(callback.hostname))) return null\n',
    replace: '',
    tests: ['service/src/domain/brand/brand.test.ts'],
  },
  {
    name: 'a name may have letters of several scripts',
    file: 'service/src/domain/brand/writing-systems.ts',
    find: "? 'one script' : 'several scripts'",
    replace: "? 'one script' : 'one script'",
    tests: NAME,
  },
  {
    name: 'a name with rn is not read as m',
    file: 'service/src/domain/brand/brand-name.ts',
    find: ".replaceAll('rn', 'm')",
    replace: '',
    tests: NAME,
  },
  {
    name: 'the name of the operator is free',
    file: 'service/src/domain/brand/brand-name.ts',
    find: '[...RESERVED, ...operatorNames(rules.operatorName)]',
    replace: '[...RESERVED]',
    tests: NAME,
  },
  {
    name: 'the checksums of a PNG are not checked',
    file: 'service/src/domain/brand/png.ts',
    find: ' || crc32(typed) !== bytes.readUInt32BE(end - 4)) return null',
    replace: ') return null',
    tests: PNG,
  },
  {
    name: 'a PNG may inflate without bound',
    file: 'service/src/domain/brand/png.ts',
    find: 'maxOutputLength: length, info: true',
    replace: 'info: true',
    tests: PNG,
  },
  {
    name: 'the texts of a PNG are kept',
    file: 'service/src/domain/brand/png.ts',
    find: "'IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'",
    replace: "'IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND', 'tEXt'",
    tests: [...PNG, 'service/test/brand/brand.test.ts'],
  },
  {
    name: 'data is hidden after the pixels of a PNG',
    file: 'service/src/domain/brand/png.ts',
    find: ' && engine.bytesWritten === compressed.length',
    replace: '',
    tests: PNG,
  },
  {
    name: 'a logo has no sandbox',
    file: 'service/src/http/logo.ts',
    find: "default-src 'none'; sandbox",
    replace: "default-src 'none'",
    tests: ['service/test/brand/brand.test.ts'],
  },
  {
    name: 'a logo of any media type is accepted',
    file: 'service/src/http/request/body.ts',
    find: "  if ((c.req.header('content-type') ?? '').trim().toLowerCase() === type) return bytes\n",
    replace: '  if (type !== undefined) return bytes\n',
    tests: ['service/test/brand/brand.test.ts'],
  },
  {
    name: 'the whole host is bold',
    file: 'service/src/http/edge/consent-app.ts',
    find: '  if (domain === null || !name.endsWith(domain))',
    replace: '  if (domain !== undefined)',
    tests: ['service/src/http/pages/pages.test.ts'],
  },
]
