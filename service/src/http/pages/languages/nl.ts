import { countedIn } from './counted.ts'
import type { Messages } from './en.ts'
import { sentence } from './sentence.ts'

const counted = countedIn('nl')
const seconds = (count: number) => counted(count, { one: '# seconde', other: '# seconden' })
const minutes = (count: number) => counted(count, { one: '# minuut', other: '# minuten' })
const hours = (count: number) => counted(count, { other: '# uur' })
const days = (count: number) => counted(count, { one: '# dag', other: '# dagen' })

export const nl: Messages = {
  site: {
    skip: 'Naar de inhoud',
    about: 'Over deze service',
    runBy: (operator) => sentence`Beheerd door ${operator}`,
    yourData: 'Je gegevens',
    privacy: 'Privacy',
    terms: 'Voorwaarden',
    support: 'Support',
    useAnotherAccount: 'Ander account gebruiken',
    signInWith: (provider) => `Inloggen met ${provider}`,
    continueWith: (provider) => `Doorgaan met ${provider}`,
  },
  time: {
    justNow: 'zojuist',
    withinAMinute: 'over minder dan een minuut',
    both: (relative, exact) => sentence`${relative}, op ${exact}`,
  },
  consent: {
    title: (host) => `Inloggen bij ${host}`,
    waitTitle: (host) => `Even geduld: inloggen bij ${host}`,
    heading: (host) => `Inloggen bij ${host}?`,
    localHeading: 'Inloggen bij een app op deze computer?',
    ownLetters: (host) => sentence`In het eigen schrift: ${host}`,
    verified: 'Geverifieerd domein',
    temporary: 'Tijdelijke, niet-geverifieerde app.',
    temporaryMeaning:
      'De app is ingesteld zonder account, dus we weten niet wie de app beheert. Ga alleen door als je dit adres vertrouwt.',
    appSees: 'De app krijgt te zien',
    shared: (provider) => sentence`Je naam, e-mailadres en profielfoto. Verder niets uit je account bij ${provider}.`,
    appPages: 'Pagina’s van de app zelf',
    privacyPolicy: 'Privacybeleid',
    terms: 'Voorwaarden',
    allow: 'Doorgaan',
    deny: 'Annuleren',
    limited: (count) =>
      `Deze app heeft de inloglimiet voor deze minuut bereikt. Kies over ${seconds(count)} opnieuw ‘Doorgaan’.`,
    remembered: (count) =>
      `Als je doorgaat, vraagt deze browser je dit ${days(count)} lang niet opnieuw, tenzij er iets aan de app verandert. Je kunt dat ongedaan maken onder ‘Je gegevens’ hieronder.`,
    ifDenied: 'Als je annuleert, komt de app alleen te weten dat je niet hebt ingelogd.',
    footer: (provider) =>
      sentence`Gatehouse verzorgt deze login voor de app. Je wachtwoord voor ${provider} blijft bij ${provider}.`,
  },
  errors: {
    title: {
      invalidRedirectUri: 'Het terugkeeradres in deze inloglink klopt niet',
      redirectUriRequired: 'Er staat geen terugkeeradres in deze inloglink',
      codeChallengeRequired: 'Deze inloglink is niet volledig',
      invalidReturnTo: 'De terugkeerpagina in deze inloglink klopt niet',
      invalidRequest: 'Deze link werkt niet',
      signInFailed: 'Je bent niet ingelogd',
      claimUnknown: 'Deze claimlink is niet geldig',
      projectLimit: 'Je hebt je maximum aantal projecten bereikt',
      providerNotFound: 'Deze inloglink klopt niet',
      providerNotEnabled: 'De app biedt deze manier van inloggen niet aan',
      tenantNotFound: 'Er is geen app op deze link',
      notProvisioned: 'Je kunt nog niet inloggen bij deze app',
      tenantPaused: 'Inloggen bij deze app is gepauzeerd',
      tenantSuspended: 'Inloggen bij deze app is opgeschort',
      callbackHostBlocked: 'Je kunt niet inloggen bij deze app',
      tenantExpired: 'Deze app bestaat niet meer',
      loginOver: 'Deze inlogpoging is afgelopen',
      loginOtherBrowser: 'Deze inlogpoging hoort bij een andere browser',
      decisionNotOurs: 'Dit verzoek kwam niet van onze pagina',
      rateLimited: 'Te veel logins op dit moment',
      temporarilyUnavailable: 'Inloggen is op dit moment niet mogelijk',
      outcomeUnknown: 'We weten niet of dit is gelukt',
      internalError: 'Er is iets misgegaan',
    },
    message: {
      invalidRedirectUri:
        'De app heeft je hierheen gestuurd met een terugkeeradres dat niet door de app is geregistreerd. Je bent niet ingelogd.',
      redirectUriRequired: 'De app heeft je hierheen gestuurd zonder terugkeeradres. Je bent niet ingelogd.',
      codeChallengeRequired: 'Ga terug naar de app en log daar in. Je bent niet ingelogd.',
      invalidReturnTo:
        'De app wilde je laten terugkeren naar een pagina die niet van de app is. Je bent niet ingelogd.',
      claimUnknown:
        'Het is geen link van ons of het bijbehorende project bestaat niet meer. Vraag je agent om een nieuwe link.',
      projectLimit:
        'Verwijder een project in je account of vraag de beheerder van deze service om je limiet te verhogen.',
      providerNotFound: 'Deze manier van inloggen bestaat niet. Ga terug naar de app en log daar in.',
      providerNotEnabled:
        'De app heeft je naar een manier van inloggen gestuurd die de app niet heeft ingeschakeld. Ga terug en kies een andere.',
      tenantNotFound: 'Controleer het adres of ga terug naar de app en log daar in.',
      notProvisioned: 'De app is nog niet klaar met het instellen van inloggen. Probeer het later opnieuw.',
      tenantPaused: 'Deze app heeft de proeflimiet bereikt. De ontwikkelaar moet de app claimen.',
      tenantSuspended:
        'De beheerder van deze inlogservice heeft de app opgeschort. Je bent niet ingelogd en er is niets met de app gedeeld.',
      callbackHostBlocked:
        'De beheerder van deze inlogservice heeft de website geblokkeerd waarnaar de app je zou terugsturen. Je bent niet ingelogd en er is niets met die website gedeeld.',
      tenantExpired: 'Het was een proefapp die niet binnen 72 uur is geclaimd, of de eigenaar heeft de app verwijderd.',
      loginOver:
        'De poging was al voltooid of duurde langer dan tien minuten. Ga terug naar de app; begin opnieuw als je daar niet bent ingelogd.',
      loginOtherBrowser:
        'De poging is begonnen in een andere browser of cookies zijn geblokkeerd. Ga terug naar de app en begin hier opnieuw.',
      decisionNotOurs: 'Ga terug, laad de pagina opnieuw en gebruik de knop die daar staat.',
      rateLimited: 'Het inloggen is nog niet begonnen.',
      temporarilyUnavailable:
        'Een systeem dat nodig is om in te loggen werkt niet. Er is niets verloren gegaan: probeer het zo opnieuw.',
      outcomeUnknown:
        'Er ging een verbinding verloren terwijl je wijziging werd opgeslagen. Controleer of de wijziging is doorgevoerd voordat je het opnieuw probeert.',
      internalError:
        'We hebben een fout gemaakt. Probeer het opnieuw. Gebeurt het nog een keer, geef dan de verzoek-ID hieronder door aan de beheerder van deze service.',
      other: 'Ga terug naar de pagina waar je vandaan kwam en probeer het opnieuw.',
    },
    monthLimit: (day) => `Deze app heeft de maandelijkse inloglimiet bereikt. De limiet wordt op ${day} gereset.`,
    trialLimit: (day) =>
      `Deze app heeft de proeflimiet bereikt. De ontwikkelaar moet de app uiterlijk op ${day} claimen; dan eindigt de proefperiode.`,
    goTo: (host) => sentence`Naar ${host}`,
    tryAgain: 'Opnieuw proberen',
    tryAgainWhen: (when) => sentence`Probeer het ${when} opnieuw.`,
    waitOver: 'Je kunt het nu opnieuw proberen.',
    forDeveloper: 'Voor de ontwikkelaar van de app',
    reference: (status, requestId) => sentence`Status ${status} · Verzoek ${requestId}`,
  },
  claim: {
    title: 'Dit project behouden?',
    intro: 'Een AI-agent heeft het zonder account gemaakt en vraagt je om het te claimen.',
    paused: 'Dit project is gepauzeerd.',
    pausedMeaning:
      'Het heeft de proeflimiet bereikt, dus gebruikers kunnen niet inloggen. Als je goedkeurt, eindigt de pauze.',
    project: 'Project',
    created: 'Gemaakt',
    hosts: 'Callback-hosts',
    noHosts: 'Nog geen, dus gebruikers kunnen niet inloggen.',
    moreHosts: (count) => counted(count, { other: 'nog #' }),
    activity: 'Activiteit',
    users: (count) => counted(count, { one: '# gebruiker', other: '# gebruikers' }),
    signIns: (count) => counted(count, { one: '# login', other: '# logins' }),
    ends: 'Eindigt als je niet goedkeurt',
    ifApproved: 'Als je goedkeurt',
    yours: 'Het project is van jou en verloopt niet meer.',
    counts: 'De gebruikers en logins van het project tellen mee voor de limieten van je account.',
    manage: 'Je kunt zien wie er inlogt, sessies beëindigen, de sleutels vervangen en het project verwijderen.',
    whoHasKeys: 'Wie de sleutels heeft',
    keyFile:
      'Iedereen met het sleutelbestand kan het project beheren en de gebruikers ervan zien. De agent die het project heeft gemaakt, heeft het bestand.',
    keptKeys:
      'Als je de sleutels behoudt, geven ze ook inzage in de namen, het gebruik en de activiteit van je andere projecten, maar niet in wie daarbij heeft ingelogd. Als je de sleutels vervangt, heeft je agent het nieuwe bestand nodig, dat één keer wordt getoond.',
    code: 'Bevestigingscode',
    compareOrDeny:
      'Als je agent je een code heeft gegeven, moet die hetzelfde zijn als deze. Is dat niet zo, kies dan ‘Weigeren’.',
    compareOrClose:
      'Als je agent je een code heeft gegeven, moet die hetzelfde zijn als deze. Is dat niet zo, sluit dan deze pagina.',
    unaskedDeny: 'Heb je hier niet om gevraagd? Kies dan ‘Weigeren’.',
    unaskedClose: 'Heb je hier niet om gevraagd? Sluit dan deze pagina.',
    signInMeaning: 'Met inloggen keur je niets goed. Daarna kom je terug op deze pagina om te beslissen.',
    keys: 'De sleutels, als je goedkeurt',
    keyChoice: {
      keep: 'De sleutels behouden',
      overlap: 'De sleutels vervangen; de oude werken nog 24 uur',
      now: 'De sleutels vervangen; de oude werken vanaf nu niet meer',
    },
    approve: 'Goedkeuren',
    deny: 'Weigeren',
    wrongAccount: 'Niet het account dat je wilt gebruiken?',
  },
  claimed: {
    title: 'Dit project is van jou',
    keepsKeys: (project) =>
      sentence`${project} verloopt niet meer. Je agent heeft bericht gekregen en de sleutels van je agent blijven werken.`,
    newKeys: (project) => sentence`${project} verloopt niet meer. Je agent heeft bericht gekregen.`,
    toAccount: 'Naar je account',
    replaceTitle: 'De sleutels vervangen?',
    replaceMeaning:
      'Vervang ze als iemand anders dan jij en je agent het sleutelbestand kan hebben gezien. Het nieuwe bestand wordt één keer getoond. De oude sleutels werken nog 24 uur, zodat je app blijft werken terwijl je overstapt.',
    replace: 'De sleutels vervangen',
    deniedTitle: 'Verzoek geweigerd',
    denied: (project, ends) => sentence`Er is niets gewijzigd. ${project} heeft geen eigenaar en eindigt ${ends}.`,
    deniedNext:
      'Je agent heeft bericht gekregen. Je kunt deze pagina sluiten. Als je van gedachten verandert, vraag je agent dan om een nieuwe link.',
    yoursTitle: 'Dit project is al van jou',
    yours: (project) => sentence`Je hebt ${project} al geclaimd. Er valt niets meer te beslissen.`,
    toProject: 'Naar het project',
    takenTitle: 'Dit project heeft al een eigenaar',
    taken: (project) => sentence`Iemand anders heeft ${project} geclaimd. Er is niets gewijzigd.`,
    takenNext:
      'Als je het met een ander Google-account hebt geclaimd, log dan met dat account in. Vraag het anders aan degene die je de link heeft gegeven.',
    supersededTitle: 'Er is een nieuwere link',
    superseded: (project) =>
      sentence`Je agent heeft een nieuwere link voor ${project} gemaakt en alleen de nieuwste werkt. Open de laatste link die je agent heeft getoond.`,
    expiredTitle: 'Deze link is verlopen',
    expired: (project, count, endpoint) =>
      sentence`Een link werkt ${minutes(count)}. Deze link voor ${project} is niet op tijd gebruikt en er is niets gewijzigd. Vraag je agent om een nieuwe; die krijgt je agent via ${endpoint}.`,
    endedTitle: 'Dit project is beëindigd',
    ended: (project, count) =>
      sentence`Een project zonder eigenaar eindigt ${hours(count)} nadat het is gemaakt. ${project} is niet op tijd geclaimd of de agent heeft het verwijderd. De gegevens van het project zijn verwijderd en kunnen niet worden hersteld.`,
    endedNext: 'Vraag je agent om een nieuw project te maken en claim het voordat de link verloopt.',
  },
  me: {
    question: 'Heb je via deze service ingelogd bij een app? Hier kun je:',
    seeApps: 'zien bij welke apps je hebt ingelogd en wanneer,',
    signOutOfApps: 'uitloggen bij een van die apps of bij allemaal,',
    haveRemoved: 'je gegevens laten verwijderen.',
    signInMeaning: (count) =>
      `Hiermee wordt geen account gemaakt. Kies het account dat je in de apps gebruikt. Na ${minutes(count)} word je uitgelogd van deze pagina.`,
    leave: 'Uitloggen van deze pagina',
    apps: (provider) => `Apps waarbij je met dit ${provider}-account hebt ingelogd, de laatst gebruikte eerst.`,
    noApps: (provider) => `Geen enkele app hier heeft gegevens over dit ${provider}-account.`,
    pages: 'Apps',
    newer: 'Nieuwer',
    older: 'Ouder',
    temporary: 'Tijdelijke app',
    firstUsed: 'Voor het eerst gebruikt',
    lastUsed: 'Laatst gebruikt',
    known: 'Wat de app weet',
    sessions: 'Sessies',
    signedOut: 'Je bent niet ingelogd.',
    sessionUsed: (when) => `Laatst gebruikt: ${when}`,
    sessionStarted: (when) => sentence`Ingelogd: ${when}`,
    moreSessions: 'En meer.',
    signOut: 'Uitloggen bij deze app',
    consent: 'Toestemming',
    consentMeaning: (count) =>
      `Wordt maximaal ${days(count)} onthouden in de browsers waarin je ‘Doorgaan’ hebt gekozen: als je daar inlogt, wordt het je niet opnieuw gevraagd.`,
    forgetConsent: 'Toestemming vergeten',
    remove: 'Mijn gegevens verwijderen',
    removeFromOwned: (count) =>
      `We vragen de eigenaar van de app om je gegevens te verwijderen. Gebeurt dat niet, dan verwijderen we ze na ${days(count)}: je sessies eindigen en je wordt niet meer genoemd in de geschiedenis hier. Wat de app zelf opslaat, staat niet hier: vraag dit na bij de app.`,
    removeFromTemporary:
      'Deze tijdelijke app heeft geen bekende eigenaar, dus we verwijderen je gegevens nu: je sessies eindigen en je wordt niet meer genoemd in de geschiedenis hier. Dit kan niet ongedaan worden gemaakt. Wat de app zelf opslaat, staat niet hier: vraag dit na bij de app.',
    removalAsked: (when) =>
      sentence`Je hebt gevraagd om je gegevens te laten verwijderen. De eigenaar van de app weet dit. De gegevens worden uiterlijk ${when}, verwijderd.`,
    keep: 'Mijn gegevens behouden',
    everywhere: 'Overal uitloggen',
    everywhereMeaning: 'Beëindigt je sessies in elke app die je gegevens heeft. Je kunt opnieuw inloggen.',
    notShown: 'Wat deze pagina niet kan laten zien',
    otherAccounts:
      'Apps waarbij je met een ander account hebt ingelogd. Log op deze pagina in met dat account om ze te zien.',
    notOffered: (providers) => `Apps waarbij je inlogt met ${providers}: deze service heeft daar geen client.`,
    ownClients:
      'Apps die hun eigen client bij Apple of een andere OpenID-provider gebruiken: die kennen je onder een eigen ID.',
    appData: 'Wat een app zelf over je opslaat. Vraag dit na bij de app.',
    stored: (privacy) => sentence`Wat deze service opslaat en hoelang: ${privacy}.`,
    done: {
      left: 'Je bent uitgelogd van deze pagina.',
      'signed-out': 'Je bent uitgelogd bij de app. Dit kan een paar seconden duren.',
      'signed-out-everywhere': 'Je bent uitgelogd bij alle apps. Dit kan een paar seconden duren.',
      forgotten: 'De app vraagt het je opnieuw wanneer je de volgende keer inlogt.',
      deleted: 'Je gegevens zijn uit de app verwijderd.',
      requested: 'We hebben de eigenaar van de app gevraagd om je gegevens te verwijderen.',
      kept: 'Het verzoek is ingetrokken. De app behoudt je gegevens.',
    },
  },
}
