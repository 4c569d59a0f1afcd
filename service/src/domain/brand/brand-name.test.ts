import assert from 'node:assert/strict'
import { test } from 'node:test'
import names from '../../../content/well-known-brands.json' with { type: 'json' }
import { isNameFor, ORDINARY_BRANDS, readBrandName, WELL_KNOWN_BRANDS } from './brand-name.ts'

const read = (text: string, domains: readonly string[] = [], operatorName: string | null = null) =>
  readBrandName(text, { operatorName, domains, brandHint: 'Only on its domain.' })
const problemOf = (text: string): string => {
  const result = read(text)
  return result.ok ? '' : result.problem
}

test('ordinary names of one script are accepted, in NFKC and with single spaces', () => {
  for (const name of [
    "Ada's Notes",
    'A&B',
    '4711',
    'Über uns',
    'Łódź Café',
    'Заметки',
    'Σημειώσεις',
    'メモ帳アプリ',
    '笔记 2',
  ]) {
    assert.deepEqual(read(name), { ok: true, name })
  }
  for (const name of ['노트', 'ملاحظات', 'हिन्दी', 'บันทึก', 'הערות', 'コーヒー', 'Dr. No-1']) {
    assert.deepEqual(read(name), { ok: true, name })
  }
  assert.deepEqual(read('  Ｎｏｔｅｓ \t ﬁle '), { ok: true, name: 'Notes file' })
  assert.deepEqual(read('x'.repeat(40)), { ok: true, name: 'x'.repeat(40) })
})

// proves C337, S068
test('a name with letters of two scripts is refused', () => {
  for (const name of ['pаypаl', 'Nоtes', 'Νotes', 'Notes заметки', 'メモ notes', 'аΑ']) {
    assert.match(problemOf(name), /one script/, name)
  }
})

// proves S068
test('signs, invisible characters, emoji and loose accents are refused', () => {
  for (const name of [
    'Notes ✓',
    'Notes\u200b',
    '\u202eseton',
    'Notes 🔒',
    'a/b',
    '<b>',
    'x\u0327\u0327',
    'Notes!',
    '١٢',
    'a_b',
  ]) {
    assert.match(problemOf(name), /letters, digits/, JSON.stringify(name))
  }
  for (const name of ['', '   ', '-', "&.'"]) {
    assert.match(problemOf(name), /at least one/)
  }
  assert.match(problemOf('x'.repeat(41)), /at most 40/)
})

// proves C337
test('words that would vouch for an app, and the names of this service and its operator, are refused', () => {
  for (const name of [
    ...[
      'Google',
      'G00gle Login',
      'GooGIe',
      'goog1e',
      'Goögle',
      'GOOGLE-Docs',
      'MyGoogle',
      'Unofficial',
      'Verified Notes',
    ],
    ...['Gatehouse', 'Gate House', 'Ｇａｔｅｈｏｕｓｅ', 'Оfficial'.normalize()],
  ]) {
    assert.equal(read(name, ['google.com']).ok, false, name)
  }
  assert.equal(read('Example Accounts', [], 'Example Inc.').ok, true)
  assert.equal(read('EXAMPLE INC Support', [], 'Example Inc.').ok, false)
  assert.equal(read('Notes', [], 'No').ok, true, 'a short name would forbid too much')
})

// proves C337, S068
test('a well-known brand is allowed on its own domain only, however it is written', () => {
  for (const name of [
    ...[
      'PayPal',
      'paypaI',
      'Pay Pal',
      'pay-pal',
      'PAYPA1',
      'Paypál',
      'PayPal Support',
      'PaypalSupport',
      'facebookhelp',
      'The PayPal App',
    ],
    ...[
      'раураӏ',
      'Microsoft',
      'rnicrosoft',
      'Micr0soft 365',
      'Facebook',
      'Wells Fargo',
      'AppIe',
      'Apple ID',
      '1Password',
    ],
  ]) {
    assert.match(problemOf(name), /contains/, name)
  }
  assert.deepEqual(read('PayPal', ['paypal.com']), { ok: true, name: 'PayPal' })
  assert.equal(read('PayPal', ['apple.com', 'paypal.com.evil.example']).ok, false)
  for (const [brand, domains] of Object.entries({ ...WELL_KNOWN_BRANDS, ...ORDINARY_BRANDS })) {
    assert.equal(read(brand).ok, false, brand)
    for (const domain of domains) {
      assert.equal(read(brand, [domain]).ok, true, `${brand} ${domain}`)
    }
  }
  assert.ok(Object.keys(WELL_KNOWN_BRANDS).length >= 100)
})

// proves S068
test('a brand is recognized in letters that look like its own', () => {
  const imitations: Readonly<Record<string, readonly string[]>> = {
    google: ['ɢoogle', 'ᏀOOGLE', 'GOOGLΕ', 'ꓖOOGLE'],
    instagram: ['lnstagram', '1nstagram', 'Instagrarn', 'lNSTAGRAM'],
    whatsapp: ['vvhatsapp', 'VVhatsApp', 'ᴡhatsapp'],
    linkedin: ['Linkedln', 'LinkedIn', 'L1NKED1N'],
    dropbox: ['clropbox'],
    cloudflare: ['Doudflare'],
    barclays: ['Bardays', 'Barc1ays'],
    'western union': ['Westem Union', 'Western-Union'],
    chase: ['Chase', 'CHASE Online', 'My Chase Account', 'ᴄhase'],
    claude: ['Claude', 'Daude', 'CIaude', 'Claude Code', 'The Claude App'],
    coinbase: ['ᴄᴏɪɴʙᴀꜱᴇ'],
    telegram: ['ᴛᴇʟᴇɢʀᴀᴍ'],
    facebook: ['ꜰᴀᴄᴇʙᴏᴏᴋ'],
    paypal: ['ᴘᴀʏᴘᴀʟ', 'РАУРАӀ', 'раураӏ'],
    ebay: ['ЕВАУ'],
    gmail: ['GMaiI'],
    ikea: ['lkea'],
    wise: ['vvise'],
    skype: ['ЅКУРЕ', 'ѕкуре'],
    tiktok: ['ТІКТОК', 'ΤΙΚΤΟΚ'],
  }
  for (const [brand, texts] of Object.entries(imitations)) {
    for (const text of texts) {
      assert.equal(read(text).ok, false, `${text} looks like ${brand}`)
    }
  }
})

// proves S068
test('a known name or role in capitals is refused with an l or a 1 for an I, however short it is', () => {
  const known = Object.keys({ ...names.brands, ...names.ordinaryWords }).concat(
    names.roles,
    'official',
    'verified',
  )
  const capitals = known.map((name) => name.toUpperCase()).filter((name) => name.includes('I'))
  assert.ok(['VISA', 'IKEA', 'LINE', 'ADMIN'].every((name) => capitals.includes(name)))
  for (const name of capitals) {
    const mixed = name.replace('I', 'l').replaceAll('I', '1')
    for (const text of [name, name.replaceAll('I', 'l'), name.replaceAll('I', '1'), mixed]) {
      for (const each of [text, `My ${text}`, `${text} Help`]) {
        assert.equal(read(each).ok, false, each)
      }
    }
  }
  const imitations = [
    'ԜІЅЕ',
    'ѴІЅА',
    'MyVISA',
    'MyVlSA',
    'VĺSA',
    'ＶｌＳＡ',
    'ACCOUNT SECURlTY',
    'ADMlN Mail',
  ]
  const spelled = ['V l S A', 'V.l.S.A', 'V-1-S-A', 'My V 1 S A', 'L l N E']
  for (const name of [...imitations, ...spelled]) {
    assert.equal(read(name).ok, false, name)
  }
  assert.deepEqual(read('VlSA', ['visa.com']), { ok: true, name: 'VlSA' })
  const ordinary = [
    'Appie',
    'Willow',
    'ILLUMINA',
    'Wiselab',
    'GMALL',
    'GMall',
    'ALL IN',
    'Vlsa',
    'WILLIAM 1',
    'LlAM',
    'A1 Security',
    'A1 Mobile Support',
  ].concat('A1 Line', 'Al Chase', '1D Signal', 'V1 SA', 'Plan A 1 B')
  for (const name of ordinary) {
    assert.deepEqual(read(name), { ok: true, name })
  }
})

// proves S068
test('a name that consists of a role is refused, and one that has a role in it is accepted', () => {
  for (const name of [
    'Admin',
    'ADMINISTRATOR',
    'Adrnin',
    'Security',
    'Account Security',
    'The Support Team',
    'System',
  ]) {
    assert.match(problemOf(name), /role/, name)
  }
  for (const name of [
    'Acme Admin',
    'Home Security',
    'Security Cameras',
    'Solar System',
    'Staff login',
  ]) {
    assert.deepEqual(read(name), { ok: true, name })
  }
})

// proves C337
test('ordinary names that only resemble a brand are accepted', () => {
  const names = [
    ...[
      'Pineapple',
      'Purchase Orders',
      'Visage',
      'Metadata',
      'Pinstripes',
      'Burnish',
      'Modern Notes',
      'Appie',
    ],
    ...[
      'Paper Chase',
      'Claude Monet Museum',
      'Bar Days',
      'G Mall',
      'Clever Clover',
      'Vvaldi',
      'Target Practice',
    ],
    ...[
      'Steeplechase',
      'Chaser',
      'Line Dance',
      'Metalworks',
      'Square Dance',
      'Wiser',
      'Learn Modern Dance',
      'Hello',
    ],
    ...[
      'Café Crème',
      'Straße',
      'Ærø Færge',
      'Þór',
      'Ťuk',
      'İstanbul Notları',
      'Dağ',
      'Ñandú',
      'Phở Việt',
      'Œuvre',
    ],
    ...[
      'Ева',
      'Сова',
      'Сосна',
      'Роза ветров',
      'Мамонт',
      'Книга',
      'Ромашка',
      'Щука',
      'Їжак',
      'Ђурђевак',
      'Дом',
    ],
    ...['Αθήνα', 'Ελιά', 'Σπίτι', 'Νερό', 'Μουσική', 'Բարեւ', 'საქართველო', 'ሰላም'],
    ...[
      'שלום',
      'סוס',
      'הוהו',
      'بيت',
      'مدرسة',
      'کتاب',
      'नमस्ते',
      'বাংলা',
      'ਪੰਜਾਬ',
      'ગુજરાત',
      'தமிழ்',
      'తెలుగు',
    ],
    ...[
      'ಕನ್ನಡ',
      'മലയാളം',
      'සිංහල',
      'สวัสดี',
      'ភាសាខ្មែរ',
      'မြန်မာ',
      '東京 日記',
      'ノート',
      'ひらがな',
      '한국어',
      '中文笔记',
    ],
  ]
  assert.deepEqual(
    names
      .filter((name) => !read(name.normalize('NFKC')).ok)
      .map((name) => `${name}: ${problemOf(name)}`),
    [],
  )
})

test('a brand of one domain is not shown on another one', () => {
  assert.equal(isNameFor('PayPal', ['evil.example', 'paypal.com']), true)
  assert.equal(isNameFor('PayPal', ['evil.example']), false)
  assert.equal(isNameFor('Claude', []), false)
  assert.equal(isNameFor('VlSA', ['evil.example']), false)
  assert.equal(isNameFor('Notes', []), true)
})
