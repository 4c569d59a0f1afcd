import { countedIn } from './counted.ts'
import type { Messages } from './en.ts'
import { sentence } from './sentence.ts'

const counted = countedIn('it')
const seconds = (count: number) => counted(count, { one: '# secondo', other: '# secondi' })
const minutes = (count: number) => counted(count, { one: '# minuto', other: '# minuti' })
const hours = (count: number) => counted(count, { one: '# ora', other: '# ore' })
const days = (count: number) => counted(count, { one: '# giorno', other: '# giorni' })

export const it: Messages = {
  site: {
    skip: 'Vai ai contenuti',
    about: 'Informazioni su questo servizio',
    runBy: (operator) => sentence`Gestito da ${operator}`,
    yourData: 'I tuoi dati',
    privacy: 'Privacy',
    terms: 'Termini',
    support: 'Assistenza',
    useAnotherAccount: 'Usa un altro account',
    signInWith: (provider) => `Accedi con ${provider}`,
    continueWith: (provider) => `Continua con ${provider}`,
  },
  time: {
    justNow: 'proprio ora',
    withinAMinute: 'tra meno di un minuto',
    // In parentheses: the article before a date depends on its day (`il 7`, `l’8`).
    both: (relative, exact) => sentence`${relative} (${exact})`,
  },
  consent: {
    title: (host) => `Accedi a ${host}`,
    waitTitle: (host) => `Attendi: accedi a ${host}`,
    heading: (host) => `Vuoi accedere a ${host}?`,
    localHeading: 'Vuoi accedere a un’app su questo computer?',
    ownLetters: (host) => sentence`Nella grafia originale: ${host}`,
    verified: 'Dominio verificato',
    temporary: 'App temporanea, non verificata.',
    temporaryMeaning:
      'È stata configurata senza un account, quindi non sappiamo chi la gestisce. Continua solo se ritieni attendibile questo indirizzo.',
    appSees: 'L’app vedrà',
    shared: (provider) =>
      sentence`Il tuo nome, il tuo indirizzo email e la tua immagine del profilo. Nient’altro del tuo account ${provider}.`,
    appPages: 'Pagine dell’app',
    privacyPolicy: 'Norme sulla privacy',
    terms: 'Termini',
    allow: 'Continua',
    deny: 'Annulla',
    limited: (count) =>
      `Questa app ha raggiunto il limite di accessi per questo minuto. Premi di nuovo “Continua” tra ${seconds(count)}.`,
    remembered: (count) =>
      `Se continui, questo browser non te lo chiederà di nuovo per ${days(count)}, a meno che qualcosa nell’app non cambi. Puoi annullare questa scelta in “I tuoi dati”, qui sotto.`,
    ifDenied: 'Se annulli, l’app saprà solo che non hai eseguito l’accesso.',
    footer: (provider) =>
      sentence`Gatehouse gestisce questo accesso per l’app. La password del tuo account ${provider} rimane presso ${provider}.`,
  },
  errors: {
    title: {
      invalidRedirectUri: 'L’indirizzo di ritorno di questo link di accesso è errato',
      redirectUriRequired: 'In questo link di accesso manca l’indirizzo di ritorno',
      codeChallengeRequired: 'Questo link di accesso è incompleto',
      invalidReturnTo: 'La pagina di ritorno di questo link di accesso è errata',
      invalidRequest: 'Questo link non funziona',
      signInFailed: 'Non hai eseguito l’accesso',
      claimUnknown: 'Questo link di rivendicazione non è valido',
      projectLimit: 'Hai raggiunto il numero massimo di progetti',
      providerNotFound: 'Questo link di accesso è errato',
      providerNotEnabled: 'L’app non offre questo tipo di accesso',
      tenantNotFound: 'A questo link non c’è nessuna app',
      notProvisioned: 'Non è ancora possibile accedere a questa app',
      tenantPaused: 'L’accesso a questa app è in pausa',
      tenantSuspended: 'L’accesso a questa app è sospeso',
      callbackHostBlocked: 'Non puoi accedere a questa app',
      tenantExpired: 'Questa app non esiste più',
      loginOver: 'Questo accesso è terminato',
      loginOtherBrowser: 'Questo accesso appartiene a un altro browser',
      decisionNotOurs: 'Questa richiesta non proviene dalla nostra pagina',
      rateLimited: 'Troppi accessi in questo momento',
      temporarilyUnavailable: 'L’accesso non è al momento disponibile',
      outcomeUnknown: 'Non possiamo sapere se l’operazione è riuscita',
      internalError: 'Si è verificato un errore',
    },
    message: {
      invalidRedirectUri:
        'L’app ti ha inviato qui con un indirizzo di ritorno che non ha registrato. L’accesso non è stato eseguito.',
      redirectUriRequired: 'L’app ti ha inviato qui senza un indirizzo di ritorno. L’accesso non è stato eseguito.',
      codeChallengeRequired: 'Torna all’app e accedi da lì. L’accesso non è stato eseguito.',
      invalidReturnTo: 'L’app ha chiesto di riportarti a una pagina che non è sua. L’accesso non è stato eseguito.',
      claimUnknown: 'Non è uno dei nostri link o il suo progetto non esiste più. Chiedi al tuo agente un nuovo link.',
      projectLimit:
        'Elimina un progetto nel tuo account o chiedi al gestore di questo servizio di aumentare il tuo limite.',
      providerNotFound: 'Questa modalità di accesso non esiste. Torna all’app e accedi da lì.',
      providerNotEnabled:
        'L’app ti ha inviato a una modalità di accesso che non ha attivato. Torna indietro e scegline un’altra.',
      tenantNotFound: 'Controlla l’indirizzo oppure torna all’app e accedi da lì.',
      notProvisioned: 'L’app non ha ancora finito di configurare l’accesso. Riprova più tardi.',
      tenantPaused: 'Questa app ha raggiunto il limite di prova. Il suo sviluppatore deve rivendicarla.',
      tenantSuspended:
        'Il gestore di questo servizio di accesso ha sospeso l’app. L’accesso non è stato eseguito e non è stato condiviso nulla con l’app.',
      callbackHostBlocked:
        'Il gestore di questo servizio di accesso ha bloccato il sito web a cui l’app ti riporterebbe. L’accesso non è stato eseguito e non è stato condiviso nulla con il sito.',
      tenantExpired:
        'Era un’app di prova che non è stata rivendicata entro 72 ore oppure il suo proprietario l’ha eliminata.',
      loginOver:
        'Era già stato completato oppure ha richiesto più di dieci minuti. Torna all’app; se lì non hai eseguito l’accesso, ricomincia.',
      loginOtherBrowser:
        'È stato avviato in un altro browser oppure i cookie sono bloccati. Torna all’app e ricomincia da qui.',
      decisionNotOurs: 'Torna indietro, ricarica la pagina e usa il pulsante che trovi lì.',
      rateLimited: 'Il tuo accesso non è iniziato.',
      temporarilyUnavailable:
        'Un sistema necessario per questo accesso non è disponibile. Non è andato perso nulla: riprova tra poco.',
      outcomeUnknown:
        'Una connessione si è interrotta durante il salvataggio della modifica. Prima di riprovare, controlla se la modifica è stata apportata.',
      internalError:
        'Abbiamo commesso un errore. Riprova; se succede di nuovo, comunica al gestore di questo servizio l’ID richiesta riportato sotto.',
      other: 'Torna alla pagina da cui provieni e riprova.',
    },
    monthLimit: (day) => `Questa app ha raggiunto il limite mensile di accessi. Il limite si azzera il ${day}.`,
    // In parentheses for the same reason as `time.both`.
    trialLimit: (day) =>
      `Questa app ha raggiunto il limite di prova. Il suo sviluppatore deve rivendicarla entro la fine della prova (${day}).`,
    goTo: (host) => sentence`Vai a ${host}`,
    tryAgain: 'Riprova',
    tryAgainWhen: (when) => sentence`Riprova ${when}.`,
    waitOver: 'Ora puoi riprovare.',
    forDeveloper: 'Per lo sviluppatore dell’app',
    reference: (status, requestId) => sentence`Stato ${status} · Richiesta ${requestId}`,
  },
  claim: {
    title: 'Vuoi conservare questo progetto?',
    intro: 'Un agente IA lo ha creato senza un account e ti chiede di rivendicarlo.',
    paused: 'Questo progetto è in pausa.',
    pausedMeaning:
      'Ha raggiunto il limite di prova, quindi gli utenti non possono accedere. Se approvi, la pausa termina.',
    project: 'Progetto',
    created: 'Creato',
    hosts: 'Host di callback',
    noHosts: 'Ancora nessuno, quindi gli utenti non possono accedere.',
    moreHosts: (count) => counted(count, { one: '# altro', other: '# altri' }),
    activity: 'Attività',
    users: (count) => counted(count, { one: '# utente', many: '# di utenti', other: '# utenti' }),
    signIns: (count) => counted(count, { one: '# accesso', many: '# di accessi', other: '# accessi' }),
    ends: 'Termina se non approvi',
    ifApproved: 'Se approvi',
    yours: 'Il progetto è tuo e non scade più.',
    counts: 'I suoi utenti e accessi rientrano nei limiti del tuo account.',
    manage: 'Puoi vedere chi accede, terminare sessioni, sostituire le chiavi ed eliminare il progetto.',
    whoHasKeys: 'Chi ha le chiavi',
    keyFile:
      'Chiunque abbia il file delle chiavi può gestire il progetto e vederne gli utenti. L’agente che ha creato il progetto ha il file.',
    keptKeys:
      'Se conservi le chiavi, queste mostrano anche i nomi, l’utilizzo e l’attività degli altri tuoi progetti, ma non chi vi ha eseguito l’accesso. Se sostituisci le chiavi, il tuo agente ha bisogno del nuovo file, che viene mostrato una sola volta.',
    code: 'Codice di conferma',
    compareOrDeny:
      'Se il tuo agente ti ha fornito un codice, deve corrispondere a questo. Se non corrisponde, premi “Rifiuta”.',
    compareOrClose:
      'Se il tuo agente ti ha fornito un codice, deve corrispondere a questo. Se non corrisponde, chiudi questa pagina.',
    unaskedDeny: 'Se non hai fatto tu questa richiesta, premi “Rifiuta”.',
    unaskedClose: 'Se non hai fatto tu questa richiesta, chiudi questa pagina.',
    signInMeaning: 'Accedendo non approvi nulla. Poi tornerai a questa pagina per decidere.',
    keys: 'Le chiavi, se approvi',
    keyChoice: {
      keep: 'Conserva le chiavi',
      overlap: 'Sostituisci le chiavi; quelle precedenti funzionano per altre 24 ore',
      now: 'Sostituisci le chiavi; quelle precedenti smettono subito di funzionare',
    },
    approve: 'Approva',
    deny: 'Rifiuta',
    wrongAccount: 'Non è l’account che vuoi usare?',
  },
  claimed: {
    title: 'Questo progetto è tuo',
    keepsKeys: (project) =>
      sentence`${project} non scade più. Il tuo agente è stato avvisato e le sue chiavi continuano a funzionare.`,
    newKeys: (project) => sentence`${project} non scade più. Il tuo agente è stato avvisato.`,
    toAccount: 'Vai al tuo account',
    replaceTitle: 'Vuoi sostituire le chiavi?',
    replaceMeaning:
      'Sostituiscile se qualcuno oltre a te e al tuo agente potrebbe aver visto il file delle chiavi. Il nuovo file viene mostrato una sola volta. Le chiavi precedenti funzionano per altre 24 ore, così la tua app continua a funzionare durante il passaggio.',
    replace: 'Sostituisci le chiavi',
    deniedTitle: 'Richiesta rifiutata',
    denied: (project, ends) =>
      sentence`Non è stato modificato nulla. ${project} non ha un proprietario e termina ${ends}.`,
    deniedNext:
      'Il tuo agente è stato avvisato. Puoi chiudere questa pagina. Se cambi idea, chiedi al tuo agente un nuovo link.',
    yoursTitle: 'Questo progetto è già tuo',
    yours: (project) => sentence`Hai già rivendicato ${project}. Non c’è più nulla da decidere.`,
    toProject: 'Vai al progetto',
    takenTitle: 'Questo progetto ha già un proprietario',
    taken: (project) => sentence`Qualcun altro ha rivendicato ${project}. Non è stato modificato nulla.`,
    takenNext:
      'Se lo hai rivendicato con un altro account Google, accedi con quello. Altrimenti chiedi alla persona che ti ha dato il link.',
    supersededTitle: 'C’è un link più recente',
    superseded: (project) =>
      sentence`Il tuo agente ha creato un link più recente per ${project} e funziona solo il più recente. Apri l’ultimo link mostrato dal tuo agente.`,
    expiredTitle: 'Questo link è scaduto',
    expired: (project, count, endpoint) =>
      sentence`Un link funziona per ${minutes(count)}. Questo link per ${project} non è stato usato in tempo e non è stato modificato nulla. Chiedine uno nuovo al tuo agente, che lo ottiene da ${endpoint}.`,
    endedTitle: 'Questo progetto è terminato',
    ended: (project, count) =>
      sentence`Un progetto senza proprietario termina ${hours(count)} dopo la creazione. ${project} non è stato rivendicato in tempo oppure il suo agente lo ha eliminato. I suoi dati sono stati eliminati e non possono essere ripristinati.`,
    endedNext: 'Chiedi al tuo agente di crearne uno nuovo e rivendicalo prima che il link scada.',
  },
  me: {
    question: 'Hai eseguito l’accesso a un’app tramite questo servizio? Qui puoi:',
    seeApps: 'vedere a quali app hai eseguito l’accesso e quando,',
    signOutOfApps: 'disconnetterti da una di queste app o da tutte,',
    haveRemoved: 'far rimuovere i tuoi dati.',
    signInMeaning: (count) =>
      `In questo modo non viene creato un account. Scegli l’account che usi nelle app. La tua sessione in questa pagina termina dopo ${minutes(count)}.`,
    leave: 'Disconnettiti da questa pagina',
    apps: (provider) => `App a cui hai eseguito l’accesso con questo account ${provider}, a partire dall’ultima usata.`,
    noApps: (provider) => `Nessuna app qui ha dati su questo account ${provider}.`,
    pages: 'App',
    newer: 'Più recenti',
    older: 'Meno recenti',
    temporary: 'App temporanea',
    firstUsed: 'Primo utilizzo',
    lastUsed: 'Ultimo utilizzo',
    known: 'Che cosa sa l’app',
    sessions: 'Sessioni',
    signedOut: 'Non hai eseguito l’accesso.',
    sessionUsed: (when) => `Ultimo utilizzo: ${when}`,
    sessionStarted: (when) => sentence`Accesso: ${when}`,
    moreSessions: 'E altre.',
    signOut: 'Disconnettiti da questa app',
    consent: 'Consenso',
    consentMeaning: (count) =>
      `Memorizzato per un massimo di ${days(count)} nei browser in cui hai premuto “Continua”: quando accedi da lì, non ti viene chiesto di nuovo.`,
    forgetConsent: 'Dimentica il consenso',
    remove: 'Rimuovi i miei dati',
    removeFromOwned: (count) =>
      `Chiediamo al proprietario dell’app di rimuovere i tuoi dati. Se non lo fa, li rimuoviamo noi dopo ${days(count)}: le tue sessioni terminano e la cronologia qui non ti menziona più. Ciò che l’app memorizza per conto proprio non si trova qui: chiedi all’app.`,
    removeFromTemporary:
      'Questa app temporanea non ha un proprietario noto, quindi rimuoviamo subito i tuoi dati: le tue sessioni terminano e la cronologia qui non ti menziona più. L’operazione non può essere annullata. Ciò che l’app memorizza per conto proprio non si trova qui: chiedi all’app.',
    removalAsked: (when) =>
      sentence`Hai chiesto la rimozione dei tuoi dati. Il proprietario dell’app ne è informato. I dati verranno rimossi al più tardi ${when}.`,
    keep: 'Conserva i miei dati',
    everywhere: 'Disconnettiti ovunque',
    everywhereMeaning: 'Termina le tue sessioni in tutte le app che hanno i tuoi dati. Puoi accedere di nuovo.',
    notShown: 'Che cosa non può mostrare questa pagina',
    otherAccounts:
      'App a cui hai eseguito l’accesso con un altro account. Per vederle, accedi a questa pagina con quell’account.',
    notOffered: (providers) => `App a cui accedi con ${providers}: questo servizio non ha un client lì.`,
    ownClients:
      'App che usano un proprio client presso Apple o un altro provider OpenID: ti conoscono tramite un loro ID.',
    appData: 'Ciò che un’app memorizza su di te per conto proprio. Chiedi all’app.',
    stored: (privacy) => sentence`Che cosa memorizza questo servizio e per quanto tempo: ${privacy}.`,
    done: {
      left: 'La tua sessione in questa pagina è terminata.',
      'signed-out': 'Disconnessione dall’app eseguita. Potrebbero volerci alcuni secondi.',
      'signed-out-everywhere': 'Disconnessione da tutte le app eseguita. Potrebbero volerci alcuni secondi.',
      forgotten: 'L’app te lo chiederà di nuovo al prossimo accesso.',
      deleted: 'I tuoi dati sono stati rimossi dall’app.',
      requested: 'Abbiamo chiesto al proprietario dell’app di rimuovere i tuoi dati.',
      kept: 'La richiesta è stata ritirata. L’app conserva i tuoi dati.',
    },
  },
}
