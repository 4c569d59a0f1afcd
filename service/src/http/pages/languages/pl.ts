import type { Html, Part } from '../markup.ts'
import { countedIn } from './counted.ts'
import type { Messages } from './en.ts'
import { sentence } from './sentence.ts'

const counted = countedIn('pl')

/** Accusative: `za 5 sekund`, `przez 30 dni`. */
const seconds = (count: number) =>
  counted(count, { one: '# sekundę', few: '# sekundy', many: '# sekund', other: '# sekundy' })
const minutes = (count: number) =>
  counted(count, { one: '# minutę', few: '# minuty', many: '# minut', other: '# minuty' })
const days = (count: number) => counted(count, { one: '# dzień', few: '# dni', many: '# dni', other: '# dnia' })

/** Locative: `po 30 dniach`. */
const pastMinutes = (count: number) =>
  counted(count, { one: '# minucie', few: '# minutach', many: '# minutach', other: '# minuty' })
const pastHours = (count: number) =>
  counted(count, { one: '# godzinie', few: '# godzinach', many: '# godzinach', other: '# godziny' })
const pastDays = (count: number) =>
  counted(count, { one: '# dniu', few: '# dniach', many: '# dniach', other: '# dnia' })

export const pl: Messages = {
  site: {
    skip: 'Przejdź do treści',
    about: 'Informacje o tej usłudze',
    runBy: (operator: Part): Html => sentence`Operator: ${operator}`,
    yourData: 'Twoje dane',
    privacy: 'Prywatność',
    terms: 'Warunki',
    support: 'Pomoc',
    useAnotherAccount: 'Użyj innego konta',
    signInWith: (provider: string) => `Zaloguj się przez ${provider}`,
    continueWith: (provider: string) => `Kontynuuj przez ${provider}`,
  },
  time: {
    justNow: 'przed chwilą',
    withinAMinute: 'za mniej niż minutę',
    both: (relative: string, exact: Part): Html => sentence`${relative} (${exact})`,
  },
  consent: {
    title: (host: string) => `Logowanie do ${host}`,
    waitTitle: (host: string) => `Poczekaj: logowanie do ${host}`,
    heading: (host: string) => `Zalogować się do ${host}?`,
    localHeading: 'Zalogować się do aplikacji na tym komputerze?',
    ownLetters: (host: Part): Html => sentence`W oryginalnej pisowni: ${host}`,
    verified: 'Zweryfikowana domena',
    temporary: 'Tymczasowa, niezweryfikowana aplikacja.',
    temporaryMeaning:
      'Skonfigurowano ją bez konta, więc nie wiemy, kto ją prowadzi. Kontynuuj tylko wtedy, gdy ufasz temu adresowi.',
    appSees: 'Aplikacja zobaczy',
    shared: (provider: Part): Html =>
      sentence`Twoje imię i nazwisko, adres e-mail i zdjęcie profilowe. Nic więcej z Twojego konta ${provider}.`,
    appPages: 'Strony aplikacji',
    privacyPolicy: 'Polityka prywatności',
    terms: 'Warunki korzystania',
    allow: 'Kontynuuj',
    deny: 'Anuluj',
    limited: (count: number) =>
      `Ta aplikacja wyczerpała limit logowań na tę minutę. Naciśnij „Kontynuuj” ponownie za ${seconds(count)}.`,
    remembered: (count: number) =>
      `Jeśli przejdziesz dalej, ta przeglądarka nie zapyta Cię ponownie przez ${days(count)}, chyba że coś się w aplikacji zmieni. Możesz to cofnąć na stronie „Twoje dane” (link poniżej).`,
    ifDenied: 'Jeśli anulujesz, aplikacja dowie się tylko, że logowanie nie doszło do skutku.',
    footer: (provider: Part): Html =>
      sentence`Gatehouse obsługuje to logowanie dla aplikacji. Twoje hasło do konta ${provider} pozostaje w ${provider}.`,
  },
  errors: {
    title: {
      invalidRedirectUri: 'Ten link do logowania ma błędny adres powrotu',
      redirectUriRequired: 'W tym linku do logowania brakuje adresu powrotu',
      codeChallengeRequired: 'Ten link do logowania jest niekompletny',
      invalidReturnTo: 'Ten link do logowania ma błędną stronę powrotu',
      invalidRequest: 'Ten link nie działa',
      signInFailed: 'Nie zalogowano Cię',
      claimUnknown: 'Ten link do przejęcia projektu jest nieprawidłowy',
      projectLimit: 'Masz już maksymalną liczbę projektów',
      providerNotFound: 'Ten link do logowania jest błędny',
      providerNotEnabled: 'Aplikacja nie oferuje tego sposobu logowania',
      tenantNotFound: 'Pod tym linkiem nie ma żadnej aplikacji',
      notProvisioned: 'Ta aplikacja nie jest jeszcze gotowa do logowania',
      tenantPaused: 'Logowanie do tej aplikacji jest wstrzymane',
      tenantSuspended: 'Logowanie do tej aplikacji jest zawieszone',
      callbackHostBlocked: 'Nie możesz zalogować się do tej aplikacji',
      tenantExpired: 'Ta aplikacja już nie istnieje',
      loginOver: 'To logowanie już się zakończyło',
      loginOtherBrowser: 'To logowanie należy do innej przeglądarki',
      decisionNotOurs: 'To żądanie nie pochodzi z naszej strony',
      rateLimited: 'W tej chwili jest zbyt wiele logowań',
      temporarilyUnavailable: 'Logowanie jest teraz niedostępne',
      outcomeUnknown: 'Nie wiemy, czy to się udało',
      internalError: 'Coś poszło nie tak',
    },
    message: {
      invalidRedirectUri:
        'Aplikacja skierowała Cię tutaj z adresem powrotu, którego nie zarejestrowała. Nie zalogowano Cię.',
      redirectUriRequired: 'Aplikacja skierowała Cię tutaj bez adresu powrotu. Nie zalogowano Cię.',
      codeChallengeRequired: 'Wróć do aplikacji i zaloguj się z jej poziomu. Nie zalogowano Cię.',
      invalidReturnTo: 'Aplikacja chciała odesłać Cię na stronę, która do niej nie należy. Nie zalogowano Cię.',
      claimUnknown: 'To nie jest nasz link albo jego projekt już nie istnieje. Poproś swojego agenta o nowy link.',
      projectLimit: 'Usuń któryś projekt na swoim koncie lub poproś operatora tej usługi o zwiększenie limitu.',
      providerNotFound: 'Nie ma takiego sposobu logowania. Wróć do aplikacji i zaloguj się z jej poziomu.',
      providerNotEnabled:
        'Aplikacja skierowała Cię do sposobu logowania, którego nie włączyła. Wróć i wybierz inny sposób.',
      tenantNotFound: 'Sprawdź adres lub wróć do aplikacji i zaloguj się z jej poziomu.',
      notProvisioned: 'Konfiguracja logowania w aplikacji nie została jeszcze ukończona. Spróbuj ponownie później.',
      tenantPaused: 'Ta aplikacja wyczerpała limit próbny. Jej deweloper musi ją przejąć.',
      tenantSuspended:
        'Operator tej usługi logowania zawiesił aplikację. Nie zalogowano Cię i niczego jej nie udostępniono.',
      callbackHostBlocked:
        'Operator tej usługi logowania zablokował witrynę, do której aplikacja miała Cię odesłać. Nie zalogowano Cię i niczego jej nie udostępniono.',
      tenantExpired: 'Była to aplikacja próbna, której nie przejęto w ciągu 72 godzin, albo usunął ją właściciel.',
      loginOver:
        'Zostało już ukończone albo trwało dłużej niż dziesięć minut. Wróć do aplikacji. Jeśli wymaga zalogowania się, zacznij od nowa.',
      loginOtherBrowser:
        'Rozpoczęto je w innej przeglądarce albo pliki cookie są zablokowane. Wróć do aplikacji i zacznij od nowa tutaj.',
      decisionNotOurs: 'Wróć, odśwież stronę i tam naciśnij przycisk.',
      rateLimited: 'Twoje logowanie się nie rozpoczęło.',
      temporarilyUnavailable:
        'Nie działa system potrzebny do tego logowania. Nic nie przepadło: spróbuj ponownie za chwilę.',
      outcomeUnknown:
        'Podczas zapisywania zmiany zawiodło połączenie. Zanim spróbujesz ponownie, sprawdź, czy zmiana została wprowadzona.',
      internalError:
        'To nasz błąd. Spróbuj ponownie. Jeśli się powtórzy, podaj operatorowi tej usługi poniższy identyfikator żądania.',
      other: 'Wróć na poprzednią stronę i spróbuj ponownie.',
    },
    monthLimit: (day: string) => `Ta aplikacja wyczerpała miesięczny limit logowań. Limit odnowi się ${day}.`,
    trialLimit: (day: string) =>
      `Ta aplikacja wyczerpała limit próbny. Jej deweloper musi ją przejąć do ${day}, kiedy kończy się okres próbny.`,
    goTo: (host: Part): Html => sentence`Przejdź do ${host}`,
    tryAgain: 'Spróbuj ponownie',
    tryAgainWhen: (when) => sentence`Spróbuj ponownie ${when}.`,
    waitOver: 'Możesz już spróbować ponownie.',
    forDeveloper: 'Dla dewelopera aplikacji',
    reference: (status: number, requestId: Part): Html => sentence`Stan ${status} · Żądanie ${requestId}`,
  },
  claim: {
    title: 'Zachować ten projekt?',
    intro: 'Agent utworzył go bez konta i prosi Cię o jego przejęcie.',
    paused: 'Ten projekt jest wstrzymany.',
    pausedMeaning: 'Wyczerpał limit próbny, więc użytkownicy nie mogą się logować. Zatwierdzenie znosi wstrzymanie.',
    project: 'Projekt',
    created: 'Utworzono',
    hosts: 'Hosty wywołań zwrotnych',
    noHosts: 'Na razie brak, więc użytkownicy nie mogą się logować.',
    moreHosts: (count: number) => counted(count, { other: 'Jeszcze #' }),
    activity: 'Aktywność',
    users: (count: number) =>
      counted(count, {
        one: '# użytkownik',
        few: '# użytkowników',
        many: '# użytkowników',
        other: '# użytkownika',
      }),
    signIns: (count: number) =>
      counted(count, { one: '# logowanie', few: '# logowania', many: '# logowań', other: '# logowania' }),
    ends: 'Bez zatwierdzenia wygaśnie',
    ifApproved: 'Jeśli zatwierdzisz',
    yours: 'Projekt będzie należeć do Ciebie i już nie wygaśnie.',
    counts: 'Jego użytkownicy i logowania będą wliczać się do limitów Twojego konta.',
    manage: 'Możesz sprawdzać, kto się loguje, kończyć sesje, wymieniać klucze i usunąć projekt.',
    whoHasKeys: 'Kto ma klucze',
    keyFile:
      'Każdy, kto ma plik z kluczami, może zarządzać projektem i widzieć jego użytkowników. Ten plik ma agent, który utworzył projekt.',
    keptKeys:
      'Jeśli zachowasz klucze, dadzą one też wgląd w nazwy, wykorzystanie i aktywność Twoich innych projektów, ale nie w to, kto się do nich logował. Jeśli wymienisz klucze, Twój agent będzie potrzebować nowego pliku, który zostanie pokazany tylko raz.',
    code: 'Kod potwierdzający',
    compareOrDeny: 'Jeśli agent podał Ci kod, musi on być identyczny z tym kodem. Jeśli jest inny, naciśnij „Odrzuć”.',
    compareOrClose: 'Jeśli agent podał Ci kod, musi on być identyczny z tym kodem. Jeśli jest inny, zamknij tę stronę.',
    unaskedDeny: 'Jeśli nie dzieje się to na Twoją prośbę, naciśnij „Odrzuć”.',
    unaskedClose: 'Jeśli nie dzieje się to na Twoją prośbę, zamknij tę stronę.',
    signInMeaning: 'Samo zalogowanie się niczego nie zatwierdza. Wrócisz na tę stronę, aby podjąć decyzję.',
    keys: 'Klucze po zatwierdzeniu',
    keyChoice: {
      keep: 'Zachowaj klucze',
      overlap: 'Wymień klucze; stare będą działać jeszcze przez 24 godziny',
      now: 'Wymień klucze; stare przestaną działać od razu',
    },
    approve: 'Zatwierdź',
    deny: 'Odrzuć',
    wrongAccount: 'To nie to konto?',
  },
  claimed: {
    title: 'Ten projekt należy do Ciebie',
    keepsKeys: (project: Part): Html =>
      sentence`Projekt ${project} już nie wygaśnie. Twój agent został powiadomiony, a jego klucze nadal działają.`,
    newKeys: (project: Part): Html => sentence`Projekt ${project} już nie wygaśnie. Twój agent został powiadomiony.`,
    toAccount: 'Przejdź do swojego konta',
    replaceTitle: 'Wymienić klucze?',
    replaceMeaning:
      'Wymień je, jeśli plik z kluczami mógł zobaczyć ktoś poza Tobą i Twoim agentem. Nowy plik zostanie pokazany tylko raz. Stare klucze będą działać jeszcze przez 24 godziny, więc w czasie zmiany aplikacja będzie działać bez przerwy.',
    replace: 'Wymień klucze',
    deniedTitle: 'Prośba odrzucona',
    denied: (project: Part, ends: Part): Html =>
      sentence`Niczego nie zmieniono. Projekt ${project} nie ma właściciela i wygaśnie ${ends}.`,
    deniedNext:
      'Twój agent został powiadomiony. Możesz zamknąć tę stronę. Jeśli zmienisz zdanie, poproś agenta o nowy link.',
    yoursTitle: 'Ten projekt już należy do Ciebie',
    yours: (project: Part): Html =>
      sentence`Projekt ${project} został już przez Ciebie przejęty. Nie ma już o czym decydować.`,
    toProject: 'Przejdź do projektu',
    takenTitle: 'Ten projekt ma już właściciela',
    taken: (project: Part): Html => sentence`Projekt ${project} przejął ktoś inny. Niczego nie zmieniono.`,
    takenNext:
      'Jeśli został przejęty z Twojego innego konta Google, zaloguj się na to konto. W przeciwnym razie zapytaj osobę, od której masz ten link.',
    supersededTitle: 'Jest nowszy link',
    superseded: (project: Part): Html =>
      sentence`Twój agent utworzył nowszy link do projektu ${project}, a działa tylko najnowszy. Otwórz ostatni link wyświetlony przez agenta.`,
    expiredTitle: 'Ten link wygasł',
    expired: (project: Part, count: number, endpoint: Part): Html =>
      sentence`Link działa przez ${minutes(count)}. Ten link do projektu ${project} nie został użyty na czas i niczego nie zmieniono. Poproś swojego agenta o nowy; agent otrzyma go z ${endpoint}.`,
    endedTitle: 'Ten projekt już nie istnieje',
    ended: (project: Part, count: number): Html =>
      sentence`Projekt bez właściciela wygasa po ${pastHours(count)} od utworzenia. Projekt ${project} nie został przejęty na czas albo usunął go jego agent. Jego dane zostały usunięte i nie można ich przywrócić.`,
    endedNext: 'Poproś swojego agenta o utworzenie nowego projektu i przejmij go, zanim link wygaśnie.',
  },
  me: {
    question: 'Logujesz się do aplikacji przez tę usługę? Tutaj możesz:',
    seeApps: 'sprawdzić, do których aplikacji i kiedy zalogowano się z Twojego konta,',
    signOutOfApps: 'wylogować się z jednej z nich lub ze wszystkich,',
    haveRemoved: 'zlecić usunięcie swoich danych.',
    signInMeaning: (count: number) =>
      `Nie spowoduje to utworzenia konta. Wybierz konto, którego używasz w aplikacjach. Po ${pastMinutes(count)} wylogujemy Cię z tej strony.`,
    leave: 'Wyloguj się z tej strony',
    apps: (provider: string) =>
      `Aplikacje, do których zalogowano się z tego konta ${provider}, zaczynając od ostatnio używanej.`,
    noApps: (provider: string) => `Żadna aplikacja w tej usłudze nie ma danych o tym koncie ${provider}.`,
    pages: 'Aplikacje',
    newer: 'Nowsze',
    older: 'Starsze',
    temporary: 'Aplikacja tymczasowa',
    firstUsed: 'Pierwsze użycie',
    lastUsed: 'Ostatnie użycie',
    known: 'Co wie aplikacja',
    sessions: 'Sesje',
    signedOut: 'Brak aktywnych sesji.',
    sessionUsed: (when: string) => `Ostatnie użycie: ${when}`,
    sessionStarted: (when: Part): Html => sentence`Zalogowano ${when}`,
    moreSessions: 'I inne.',
    signOut: 'Wyloguj się z tej aplikacji',
    consent: 'Zgoda',
    consentMeaning: (count: number) =>
      `Zapamiętana na maksymalnie ${days(count)} w przeglądarkach, w których naciśnięto „Kontynuuj”: podczas logowania w nich pytanie nie pojawi się ponownie.`,
    forgetConsent: 'Usuń zapamiętaną zgodę',
    remove: 'Usuń moje dane',
    removeFromOwned: (count: number) =>
      `Poprosimy właściciela aplikacji o usunięcie Twoich danych. Jeśli tego nie zrobi, usuniemy je po ${pastDays(count)}: Twoje sesje zostaną zakończone, a historia w tej usłudze nie będzie już na Ciebie wskazywać. Tego, co przechowuje sama aplikacja, tutaj nie ma: zapytaj o to w aplikacji.`,
    removeFromTemporary:
      'Ta tymczasowa aplikacja nie ma znanego właściciela, więc usuniemy Twoje dane od razu: Twoje sesje zostaną zakończone, a historia w tej usłudze nie będzie już na Ciebie wskazywać. Tego nie można cofnąć. Tego, co przechowuje sama aplikacja, tutaj nie ma: zapytaj o to w aplikacji.',
    removalAsked: (when: Part): Html =>
      sentence`Twoja prośba o usunięcie danych została złożona. Właściciel aplikacji o niej wie. Dane zostaną usunięte najpóźniej ${when}.`,
    keep: 'Zachowaj moje dane',
    everywhere: 'Wyloguj się wszędzie',
    everywhereMeaning:
      'Kończy Twoje sesje we wszystkich aplikacjach, które mają Twoje dane. Możesz zalogować się ponownie.',
    notShown: 'Czego ta strona nie może pokazać',
    otherAccounts:
      'Aplikacje, do których zalogowano się z innego Twojego konta. Aby je zobaczyć, zaloguj się na tej stronie z tamtego konta.',
    notOffered: (providers: string) =>
      `Aplikacje, do których logujesz się przez ${providers}: ta usługa nie ma tam klienta.`,
    ownClients:
      'Aplikacje, które używają własnego klienta w Apple lub u innego dostawcy OpenID: znają Cię pod własnym identyfikatorem.',
    appData: 'To, co aplikacja sama o Tobie przechowuje. Zapytaj o to w aplikacji.',
    stored: (privacy: Part): Html => sentence`Co i jak długo przechowuje ta usługa: ${privacy}.`,
    done: {
      left: 'Wylogowano Cię z tej strony.',
      'signed-out': 'Wylogowano Cię z aplikacji. Może to potrwać kilka sekund.',
      'signed-out-everywhere': 'Wylogowano Cię ze wszystkich aplikacji. Może to potrwać kilka sekund.',
      forgotten: 'Przy następnym logowaniu aplikacja zapyta Cię ponownie.',
      deleted: 'Twoje dane zostały usunięte z aplikacji.',
      requested: 'Poprosiliśmy właściciela aplikacji o usunięcie Twoich danych.',
      kept: 'Prośba została wycofana. Aplikacja zachowuje Twoje dane.',
    },
  },
}
