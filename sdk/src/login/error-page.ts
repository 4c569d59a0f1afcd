import type { RequestLike } from '../types.ts'
import type { CallbackErrorCode } from './callback-error.ts'

/** What the user can do about it differs; the code for your log and your own page is finer. */
type Reason = 'denied' | 'failed' | 'over' | 'busy' | 'unavailable' | 'owner'

const REASONS: Readonly<Record<CallbackErrorCode, Reason>> = {
  access_denied: 'denied',
  login_failed: 'failed',
  missing_tokens: 'over',
  login_not_started: 'over',
  nonce_mismatch: 'over',
  invalid_tokens: 'over',
  rate_limited: 'busy',
  tenant_paused: 'owner',
  tenant_suspended: 'owner',
  tenant_expired: 'owner',
  not_set_up: 'owner',
  unavailable: 'unavailable',
}

/** `outage` is the title and `signedIn` the text of the page for a session that can't be checked. */
type Texts = Readonly<
  Record<'title' | 'signIn' | 'start' | 'outage' | 'signedIn' | 'tryAgain' | Reason, string>
>

/** The languages of the pages of the service. `login_failed` is a failure at the provider, and also an account that the app rejects. */
const TEXTS = {
  en: {
    title: 'You’re not signed in',
    denied: 'You cancelled the sign-in, so nothing was shared with this app.',
    failed:
      'The sign-in failed, or this app doesn’t accept the account that you chose. Try again, or choose another account.',
    over: 'This sign-in took too long, was already used, or was started in another browser. Nothing is lost: sign in again.',
    busy: 'Too many people are signing in right now. Try again in a minute.',
    unavailable: 'Sign-in isn’t available right now. Try again in a moment.',
    owner: 'This app doesn’t accept sign-ins at the moment. Only its owner can change that.',
    signIn: 'Sign in again',
    start: 'Go to the start page',
    outage: 'This page isn’t available right now',
    signedIn:
      'Your session can’t be checked right now. You’re still signed in. Try again in a moment.',
    tryAgain: 'Try again',
  },
  de: {
    title: 'Sie sind nicht angemeldet',
    denied: 'Sie haben die Anmeldung abgebrochen. Es wurde nichts an diese App weitergegeben.',
    failed:
      'Die Anmeldung ist fehlgeschlagen, oder diese App akzeptiert das gewählte Konto nicht. Versuchen Sie es noch einmal oder wählen Sie ein anderes Konto.',
    over: 'Diese Anmeldung hat zu lange gedauert, wurde bereits verwendet oder in einem anderen Browser begonnen. Es ging nichts verloren: Melden Sie sich noch einmal an.',
    busy: 'Zurzeit melden sich zu viele Personen an. Versuchen Sie es in einer Minute noch einmal.',
    unavailable: 'Die Anmeldung ist zurzeit nicht verfügbar. Versuchen Sie es gleich noch einmal.',
    owner: 'Bei dieser App ist zurzeit keine Anmeldung möglich. Nur ihr Inhaber kann das ändern.',
    signIn: 'Noch einmal anmelden',
    start: 'Zur Startseite',
    outage: 'Diese Seite ist zurzeit nicht verfügbar',
    signedIn:
      'Ihre Sitzung kann zurzeit nicht geprüft werden. Sie sind weiterhin angemeldet. Versuchen Sie es gleich noch einmal.',
    tryAgain: 'Noch einmal versuchen',
  },
  es: {
    title: 'No has iniciado sesión',
    denied: 'Cancelaste el inicio de sesión, así que no se compartió nada con esta app.',
    failed:
      'El inicio de sesión falló o esta app no acepta la cuenta que elegiste. Inténtalo de nuevo o elige otra cuenta.',
    over: 'Este inicio de sesión tardó demasiado, ya se usó o se empezó en otro navegador. No se ha perdido nada: inicia sesión de nuevo.',
    busy: 'Demasiadas personas están iniciando sesión en este momento. Inténtalo de nuevo en un minuto.',
    unavailable: 'El inicio de sesión no está disponible ahora. Inténtalo de nuevo en un momento.',
    owner: 'Por ahora no se puede iniciar sesión en esta app. Solo su propietario puede cambiarlo.',
    signIn: 'Iniciar sesión de nuevo',
    start: 'Ir a la página de inicio',
    outage: 'Esta página no está disponible ahora',
    signedIn:
      'Ahora no se puede comprobar tu sesión. Tu sesión sigue iniciada. Inténtalo de nuevo en un momento.',
    tryAgain: 'Intentar de nuevo',
  },
  fr: {
    title: 'La connexion n’a pas abouti',
    denied: 'Vous avez annulé la connexion. Rien n’a été partagé avec cette application.',
    failed:
      'La connexion a échoué, ou cette application n’accepte pas le compte choisi. Réessayez ou choisissez un autre compte.',
    over: 'Cette connexion a pris trop de temps, a déjà été utilisée ou a commencé dans un autre navigateur. Rien n’est perdu : connectez-vous à nouveau.',
    busy: 'Trop de personnes se connectent en ce moment. Réessayez dans une minute.',
    unavailable: 'La connexion n’est pas disponible pour le moment. Réessayez dans un instant.',
    owner:
      'La connexion à cette application n’est pas possible pour le moment. Seul son propriétaire peut y remédier.',
    signIn: 'Se connecter à nouveau',
    start: 'Aller à la page d’accueil',
    outage: 'Cette page n’est pas disponible pour le moment',
    signedIn:
      'Votre session ne peut pas être vérifiée pour le moment. Elle reste ouverte. Réessayez dans un instant.',
    tryAgain: 'Réessayer',
  },
  'pt-BR': {
    title: 'Você não fez login',
    denied: 'Você cancelou o login. Nada foi compartilhado com este app.',
    failed:
      'O login falhou ou este app não aceita a conta escolhida. Tente de novo ou escolha outra conta.',
    over: 'Este login demorou demais, já foi usado ou começou em outro navegador. Nada foi perdido: faça login de novo.',
    busy: 'Muitas pessoas estão fazendo login neste momento. Tente de novo em um minuto.',
    unavailable: 'O login não está disponível no momento. Tente de novo daqui a pouco.',
    owner:
      'No momento, não é possível fazer login neste app. Só o proprietário dele pode mudar isso.',
    signIn: 'Fazer login de novo',
    start: 'Ir para a página inicial',
    outage: 'Esta página não está disponível no momento',
    signedIn:
      'Não é possível verificar sua sessão no momento. Ela continua ativa. Tente de novo daqui a pouco.',
    tryAgain: 'Tentar de novo',
  },
  it: {
    title: 'Non hai eseguito l’accesso',
    denied: 'Hai annullato l’accesso. Non è stato condiviso nulla con questa app.',
    failed:
      'L’accesso non è riuscito oppure questa app non accetta l’account scelto. Riprova o scegli un altro account.',
    over: 'Questo accesso ha richiesto troppo tempo, è già stato usato o è stato avviato in un altro browser. Non è andato perso nulla: accedi di nuovo.',
    busy: 'Troppe persone stanno accedendo in questo momento. Riprova tra un minuto.',
    unavailable: 'L’accesso non è al momento disponibile. Riprova tra poco.',
    owner:
      'Al momento non è possibile accedere a questa app. Solo il suo proprietario può cambiarlo.',
    signIn: 'Accedi di nuovo',
    start: 'Vai alla pagina iniziale',
    outage: 'Questa pagina non è al momento disponibile',
    signedIn:
      'Al momento non è possibile verificare la tua sessione, che resta attiva. Riprova tra poco.',
    tryAgain: 'Riprova',
  },
  nl: {
    title: 'Je bent niet ingelogd',
    denied: 'Je hebt het inloggen geannuleerd. Er is niets met deze app gedeeld.',
    failed:
      'Het inloggen is mislukt, of deze app accepteert het gekozen account niet. Probeer het opnieuw of kies een ander account.',
    over: 'Deze inlogpoging duurde te lang, is al gebruikt of is in een andere browser begonnen. Er is niets verloren gegaan: log opnieuw in.',
    busy: 'Er loggen op dit moment te veel mensen in. Probeer het over een minuut opnieuw.',
    unavailable: 'Inloggen is op dit moment niet mogelijk. Probeer het zo opnieuw.',
    owner:
      'Je kunt op dit moment niet inloggen bij deze app. Alleen de eigenaar kan dat veranderen.',
    signIn: 'Opnieuw inloggen',
    start: 'Naar de startpagina',
    outage: 'Deze pagina is op dit moment niet beschikbaar',
    signedIn:
      'Je sessie kan op dit moment niet worden gecontroleerd. Je bent nog steeds ingelogd. Probeer het zo opnieuw.',
    tryAgain: 'Opnieuw proberen',
  },
  pl: {
    title: 'Nie zalogowano Cię',
    denied: 'Logowanie zostało anulowane. Aplikacji nic nie udostępniono.',
    failed:
      'Logowanie się nie powiodło albo ta aplikacja nie przyjmuje wybranego konta. Spróbuj ponownie lub wybierz inne konto.',
    over: 'To logowanie trwało za długo, zostało już użyte albo rozpoczęto je w innej przeglądarce. Nic nie przepadło: zaloguj się ponownie.',
    busy: 'W tej chwili loguje się zbyt wiele osób. Spróbuj ponownie za minutę.',
    unavailable: 'Logowanie jest teraz niedostępne. Spróbuj ponownie za chwilę.',
    owner: 'Do tej aplikacji nie można się teraz zalogować. Może to zmienić tylko jej właściciel.',
    signIn: 'Zaloguj się ponownie',
    start: 'Przejdź do strony głównej',
    outage: 'Ta strona jest teraz niedostępna',
    signedIn:
      'Nie można teraz sprawdzić Twojej sesji. Sesja jest nadal aktywna. Spróbuj ponownie za chwilę.',
    tryAgain: 'Spróbuj ponownie',
  },
  ja: {
    title: 'ログインしていません',
    denied: 'ログインはキャンセルされました。このアプリには何も共有されていません。',
    failed:
      'ログインできなかったか、選択したアカウントをこのアプリで使用できません。もう一度試すか、別のアカウントを選択してください。',
    over: 'このログインは、時間がかかりすぎたか、すでに使用されたか、別のブラウザで開始されました。失われたものはありません。もう一度ログインしてください。',
    busy: '現在、ログインが集中しています。1 分後にもう一度お試しください。',
    unavailable: '現在、ログインをご利用いただけません。しばらくしてからもう一度お試しください。',
    owner: '現在、このアプリにはログインできません。変更できるのはアプリの所有者だけです。',
    signIn: 'もう一度ログイン',
    start: 'トップページへ',
    outage: '現在、このページをご利用いただけません',
    signedIn:
      '現在、セッションを確認できません。ログインした状態は維持されています。しばらくしてからもう一度お試しください。',
    tryAgain: 'もう一度試す',
  },
  ko: {
    title: '로그인되지 않았습니다',
    denied: '로그인을 취소했습니다. 이 앱에 공유된 정보는 없습니다.',
    failed:
      '로그인에 실패했거나 이 앱에서 선택한 계정을 허용하지 않습니다. 다시 시도하거나 다른 계정을 선택하세요.',
    over: '로그인이 너무 오래 걸렸거나, 이미 사용되었거나, 다른 브라우저에서 시작되었습니다. 손실된 것은 없습니다. 다시 로그인하세요.',
    busy: '현재 로그인하는 사람이 너무 많습니다. 1분 후에 다시 시도하세요.',
    unavailable: '지금은 로그인할 수 없습니다. 잠시 후 다시 시도하세요.',
    owner: '지금은 이 앱에 로그인할 수 없습니다. 앱 소유자만 변경할 수 있습니다.',
    signIn: '다시 로그인',
    start: '시작 페이지로 이동',
    outage: '지금은 이 페이지를 이용할 수 없습니다',
    signedIn:
      '지금은 세션을 확인할 수 없습니다. 로그인 상태는 유지됩니다. 잠시 후 다시 시도하세요.',
    tryAgain: '다시 시도',
  },
  'zh-Hans': {
    title: '您未登录',
    denied: '您取消了登录，没有向此应用共享任何信息。',
    failed: '登录失败，或者此应用不接受您选择的账号。请重试，或选择其他账号。',
    over: '这次登录用时过长、已被使用，或者是在另一个浏览器中开始的。没有丢失任何内容，请重新登录。',
    busy: '当前登录的人过多，请在一分钟后重试。',
    unavailable: '目前无法登录，请稍后再试。',
    owner: '目前无法登录此应用。只有其所有者可以更改。',
    signIn: '重新登录',
    start: '前往首页',
    outage: '目前无法访问此页面',
    signedIn: '目前无法检查您的会话。您仍处于登录状态，请稍后再试。',
    tryAgain: '重试',
  },
  hi: {
    title: 'आपका साइन इन नहीं हुआ',
    denied: 'आपने साइन इन रद्द किया, इसलिए इस ऐप के साथ कुछ भी शेयर नहीं किया गया।',
    failed:
      'साइन इन नहीं हो सका या यह ऐप आपके चुने हुए खाते को स्वीकार नहीं करता। फिर से कोशिश करें या दूसरा खाता चुनें।',
    over: 'साइन इन में बहुत ज़्यादा समय लगा, इसका इस्तेमाल पहले ही हो चुका है या इसे किसी दूसरे ब्राउज़र में शुरू किया गया था। कुछ भी खोया नहीं है: फिर से साइन इन करें।',
    busy: 'फ़िलहाल बहुत ज़्यादा लोग साइन इन कर रहे हैं। एक मिनट बाद फिर से कोशिश करें।',
    unavailable: 'फ़िलहाल साइन इन नहीं किया जा सकता। थोड़ी देर बाद फिर से कोशिश करें।',
    owner: 'फ़िलहाल इस ऐप में साइन इन नहीं किया जा सकता। इसे सिर्फ़ ऐप का मालिक बदल सकता है।',
    signIn: 'फिर से साइन इन करें',
    start: 'शुरुआती पेज पर जाएं',
    outage: 'यह पेज फ़िलहाल उपलब्ध नहीं है',
    signedIn:
      'फ़िलहाल आपके सेशन की जांच नहीं की जा सकती। आपका साइन इन बना हुआ है। थोड़ी देर बाद फिर से कोशिश करें।',
    tryAgain: 'फिर से कोशिश करें',
  },
  ar: {
    title: 'لم يتم تسجيل دخولك',
    denied: 'تم إلغاء تسجيل الدخول، ولم تتم مشاركة أي شيء مع هذا التطبيق.',
    failed:
      'تعذّر تسجيل الدخول، أو أن هذا التطبيق لا يقبل الحساب المختار. يُرجى إعادة المحاولة أو اختيار حساب آخر.',
    over: 'استغرقت عملية تسجيل الدخول هذه وقتًا طويلاً، أو سبق استخدامها، أو بدأت في متصفّح آخر. لم يُفقَد أي شيء: يُرجى تسجيل الدخول مرة أخرى.',
    busy: 'عمليات تسجيل الدخول كثيرة جدًا حاليًا. يُرجى إعادة المحاولة بعد دقيقة.',
    unavailable: 'تسجيل الدخول غير متاح حاليًا. يُرجى إعادة المحاولة بعد لحظات.',
    owner: 'لا يمكن تسجيل الدخول إلى هذا التطبيق حاليًا. ولا يمكن لغير مالكه تغيير ذلك.',
    signIn: 'تسجيل الدخول مرة أخرى',
    start: 'الانتقال إلى صفحة البداية',
    outage: 'هذه الصفحة غير متاحة حاليًا',
    signedIn: 'يتعذّر التحقّق من جلستك حاليًا، لكنها لا تزال نشطة. يُرجى إعادة المحاولة بعد لحظات.',
    tryAgain: 'إعادة المحاولة',
  },
} satisfies Readonly<Record<string, Texts>>

export type PageLanguage = keyof typeof TEXTS

/** Also by the first subtag: a lookup of `pt-PT` or `zh-CN`, truncated, finds the language (RFC 4647, section 3.4). */
const TAGS: ReadonlyMap<string, PageLanguage> = new Map(
  (Object.keys(TEXTS) as PageLanguage[]).flatMap((tag) => [
    [tag.toLowerCase(), tag],
    [tag.split('-')[0] ?? tag, tag],
  ]),
)

/** The best of our languages. `uiLocales`: tags with spaces between them, which count before those of the browser. */
function languageOf({ headers }: Pick<RequestLike, 'headers'>, uiLocales = ''): PageLanguage {
  const accepted = (headers.get('accept-language') ?? '')
    .slice(0, 500)
    .split(',')
    .map((entry) => {
      const [range = '', weight = 'q=1'] = entry.split(';').map((part) => part.trim())
      return { range, quality: Number(weight.replace(/^q=/i, '')) || 0 }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ range }) => range)
  for (const range of [...uiLocales.split(' '), ...accepted]) {
    for (
      let rest = range.toLowerCase();
      rest !== '';
      rest = rest.slice(0, Math.max(0, rest.lastIndexOf('-')))
    ) {
      const tag = TAGS.get(rest)
      if (tag !== undefined) {
        return tag
      }
    }
  }
  return 'en'
}

const STYLE = `:root{color-scheme:light dark;--back:#f6f7f9;--card:#fff;--text:#1b1f24;--line:#d5d9de;--accent:#1a56db;--on:#fff}
@media (prefers-color-scheme:dark){:root{--back:#14171b;--card:#1d2126;--text:#eef0f2;--line:#363c44;--accent:#8ab4ff;--on:#0b1a33}}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--back);color:var(--text);font:1rem/1.5 system-ui,sans-serif}
main{box-sizing:border-box;width:min(28rem,100vw - 2rem);margin:1rem;padding:2rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
h1{margin:0 0 .5rem;font-size:1.375rem;line-height:1.25}
p{margin:0;overflow-wrap:anywhere}
nav{display:flex;flex-wrap:wrap;gap:.75rem 1.25rem;align-items:center;margin-top:1.5rem}
a{color:var(--accent);padding:.625rem 0;text-underline-offset:.2em}
a.button{background:var(--accent);color:var(--on);padding:.625rem 1.25rem;border-radius:.5rem;font-weight:600;text-decoration:none}
a:focus-visible{outline:3px solid var(--accent);outline-offset:3px;border-radius:.5rem}`

export interface ErrorPage {
  readonly error: CallbackErrorCode
  /** Paths inside the app. `start` is null if the app has no page for signed-out users. */
  readonly signIn: string
  readonly start: string | null
  readonly uiLocales?: string | undefined
}

/**
 * The page of a failed sign-in, for apps without an `errorPath`. Only our own texts and two links inside the app are in it.
 * The status is 200: proxies and hosts replace the body of an error response by their own.
 */
export function errorPage(
  request: RequestLike,
  { error, signIn, start, uiLocales }: ErrorPage,
): Promise<Response> {
  return show(request, uiLocales, (texts) => ({
    title: texts.title,
    text: texts[REASONS[error]],
    links: [
      { href: signIn, label: texts.signIn },
      ...(start === null ? [] : [{ href: start, label: texts.start }]),
    ],
  }))
}

export interface UnavailablePage {
  /** Says that the user is still signed in. */
  readonly isSignedIn: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly uiLocales?: string | undefined
}

/** 503 for a page whose session can't be checked. The only link is the page itself. */
export function unavailablePage(
  request: Pick<RequestLike, 'headers' | 'method'>,
  { isSignedIn, headers, uiLocales }: UnavailablePage,
): Promise<Response> {
  return show(request, uiLocales, (texts) => ({
    status: 503,
    headers,
    title: texts.outage,
    text: isSignedIn ? texts.signedIn : texts.unavailable,
    links: [{ href: '', label: texts.tryAgain }],
  }))
}

interface Content {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly title: string
  readonly text: string
  /** The first one is a button. */
  readonly links: readonly { readonly href: string; readonly label: string }[]
}

/** Loads nothing and runs no script. */
async function show(
  request: Pick<RequestLike, 'headers' | 'method'>,
  uiLocales: string | undefined,
  contentIn: (texts: Texts) => Content,
): Promise<Response> {
  const tag = languageOf(request, uiLocales)
  const { status = 200, headers, title, text, links } = contentIn(TEXTS[tag])
  const anchors = links.map(
    ({ href, label }, index) =>
      `<a${index === 0 ? ' class="button"' : ''} href="${escapeHtml(href)}">${label}</a>`,
  )
  const html = `<!doctype html>
<html lang="${tag}" dir="${tag === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
<nav>
${anchors.join('\n')}
</nav>
</main>
</body>
</html>
`
  const all = {
    ...headers,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src '${await styleHash()}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    Vary: 'Accept-Language',
  }
  return new Response(request.method === 'HEAD' ? null : html, { status, headers: all })
}

/** Computed for each page: a worker cannot await a promise of another request. */
async function styleHash(): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(STYLE))
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`)
