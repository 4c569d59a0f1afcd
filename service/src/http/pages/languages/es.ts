import { countedIn } from './counted.ts'
import type { Messages } from './en.ts'
import { sentence } from './sentence.ts'

const counted = countedIn('es')
const seconds = (count: number) => counted(count, { one: '# segundo', other: '# segundos' })
const minutes = (count: number) => counted(count, { one: '# minuto', other: '# minutos' })
const hours = (count: number) => counted(count, { one: '# hora', other: '# horas' })
const days = (count: number) => counted(count, { one: '# día', other: '# días' })

export const es: Messages = {
  site: {
    skip: 'Ir al contenido',
    about: 'Acerca de este servicio',
    runBy: (operator) => sentence`Gestionado por ${operator}`,
    yourData: 'Tus datos',
    privacy: 'Privacidad',
    terms: 'Términos',
    support: 'Soporte',
    useAnotherAccount: 'Usar otra cuenta',
    signInWith: (provider) => `Iniciar sesión con ${provider}`,
    continueWith: (provider) => `Continuar con ${provider}`,
  },
  time: {
    justNow: 'ahora mismo',
    withinAMinute: 'en menos de un minuto',
    both: (relative, exact) => sentence`${relative}, el ${exact}`,
  },
  consent: {
    title: (host) => `Iniciar sesión en ${host}`,
    waitTitle: (host) => `Espera un momento: iniciar sesión en ${host}`,
    heading: (host) => `¿Iniciar sesión en ${host}?`,
    localHeading: '¿Iniciar sesión en una app de este equipo?',
    ownLetters: (host) => sentence`En su escritura original: ${host}`,
    verified: 'Dominio verificado',
    temporary: 'App temporal, sin verificar.',
    temporaryMeaning:
      'Se configuró sin una cuenta, por lo que no sabemos quién la gestiona. Continúa solo si confías en esta dirección.',
    appSees: 'La app verá',
    shared: (provider) =>
      sentence`Tu nombre, tu dirección de correo electrónico y tu foto de perfil. Nada más de tu cuenta de ${provider}.`,
    appPages: 'Páginas de la propia app',
    privacyPolicy: 'Política de privacidad',
    terms: 'Términos',
    allow: 'Continuar',
    deny: 'Cancelar',
    limited: (count) =>
      `Esta app ha alcanzado su límite de inicios de sesión para este minuto. Vuelve a seleccionar “Continuar” dentro de ${seconds(count)}.`,
    remembered: (count) =>
      `Si continúas, este navegador no volverá a preguntarte durante ${days(count)}, salvo que cambie algo de la app. Puedes deshacerlo abajo, en “Tus datos”.`,
    ifDenied: 'Si cancelas, la app solo sabrá que no iniciaste sesión.',
    footer: (provider) =>
      sentence`Gatehouse gestiona este inicio de sesión para la app. Tu contraseña de ${provider} se queda en ${provider}.`,
  },
  errors: {
    title: {
      invalidRedirectUri: 'Este enlace tiene una dirección de retorno incorrecta',
      redirectUriRequired: 'Este enlace no tiene dirección de retorno',
      codeChallengeRequired: 'Este enlace de inicio de sesión está incompleto',
      invalidReturnTo: 'Este enlace tiene una página de retorno incorrecta',
      invalidRequest: 'Este enlace no funciona',
      signInFailed: 'No has iniciado sesión',
      claimUnknown: 'Este enlace para reclamar un proyecto no es válido',
      projectLimit: 'Has llegado a tu número máximo de proyectos',
      providerNotFound: 'Este enlace de inicio de sesión es incorrecto',
      providerNotEnabled: 'La app no ofrece este inicio de sesión',
      tenantNotFound: 'No hay ninguna app en este enlace',
      notProvisioned: 'Todavía no se puede iniciar sesión en esta app',
      tenantPaused: 'El inicio de sesión en esta app está en pausa',
      tenantSuspended: 'El inicio de sesión en esta app está suspendido',
      callbackHostBlocked: 'No puedes iniciar sesión en esta app',
      tenantExpired: 'Esta app ya no existe',
      loginOver: 'Este inicio de sesión ha terminado',
      loginOtherBrowser: 'Este inicio de sesión es de otro navegador',
      decisionNotOurs: 'Esta solicitud no procede de nuestra página',
      rateLimited: 'Demasiados inicios de sesión en este momento',
      temporarilyUnavailable: 'El inicio de sesión no está disponible ahora',
      outcomeUnknown: 'No podemos saber si esto funcionó',
      internalError: 'Algo salió mal',
    },
    message: {
      invalidRedirectUri:
        'La app te envió aquí con una dirección de retorno que no ha registrado. No se inició sesión.',
      redirectUriRequired: 'La app te envió aquí sin una dirección de retorno. No se inició sesión.',
      codeChallengeRequired: 'Vuelve a la app e inicia sesión desde allí. No se inició sesión.',
      invalidReturnTo: 'La app pidió devolverte a una página que no es suya. No se inició sesión.',
      claimUnknown: 'No es uno de nuestros enlaces o su proyecto ya no existe. Pídele a tu agente un enlace nuevo.',
      projectLimit: 'Elimina un proyecto en tu cuenta o pídele al operador de este servicio que aumente tu límite.',
      providerNotFound: 'Esa forma de iniciar sesión no existe. Vuelve a la app e inicia sesión desde allí.',
      providerNotEnabled:
        'La app te envió a una forma de iniciar sesión que no ha activado. Vuelve atrás y elige otra.',
      tenantNotFound: 'Comprueba la dirección, o vuelve a la app e inicia sesión desde allí.',
      notProvisioned: 'La app no ha terminado de configurar el inicio de sesión. Inténtalo de nuevo más tarde.',
      tenantPaused: 'Esta app ha alcanzado su límite de prueba. Su desarrollador tiene que reclamarla.',
      tenantSuspended:
        'El operador de este servicio de inicio de sesión ha suspendido la app. No se inició sesión y no se compartió nada con ella.',
      callbackHostBlocked:
        'El operador de este servicio de inicio de sesión ha bloqueado el sitio web al que la app te devolvería. No se inició sesión y no se compartió nada con él.',
      tenantExpired: 'Era una app de prueba que no se reclamó en 72 horas, o su propietario la eliminó.',
      loginOver:
        'Ya se había completado o tardó más de diez minutos. Vuelve a la app; si allí no has iniciado sesión, empieza de nuevo.',
      loginOtherBrowser:
        'Se empezó en otro navegador o las cookies están bloqueadas. Vuelve a la app y empieza de nuevo aquí.',
      decisionNotOurs: 'Vuelve atrás, recarga la página y usa el botón que aparece allí.',
      rateLimited: 'Tu inicio de sesión no ha empezado.',
      temporarilyUnavailable:
        'Un sistema necesario para este inicio de sesión no funciona. No se ha perdido nada: inténtalo de nuevo en un momento.',
      outcomeUnknown:
        'Falló una conexión mientras se guardaba tu cambio. Comprueba si se realizó antes de intentarlo de nuevo.',
      internalError:
        'Cometimos un error. Inténtalo de nuevo; si vuelve a ocurrir, indícale al operador de este servicio el ID de solicitud que aparece abajo.',
      other: 'Vuelve a la página de la que viniste e inténtalo de nuevo.',
    },
    monthLimit: (day) => `Esta app ha alcanzado su límite mensual de inicios de sesión. Se restablece el ${day}.`,
    trialLimit: (day) =>
      `Esta app ha alcanzado su límite de prueba. Su desarrollador tiene que reclamarla a más tardar el ${day}, cuando termina la prueba.`,
    goTo: (host) => sentence`Ir a ${host}`,
    tryAgain: 'Intentar de nuevo',
    tryAgainWhen: (when) => sentence`Inténtalo de nuevo ${when}.`,
    waitOver: 'Ya puedes intentarlo de nuevo.',
    forDeveloper: 'Para el desarrollador de la app',
    reference: (status, requestId) => sentence`Estado ${status} · Solicitud ${requestId}`,
  },
  claim: {
    title: '¿Conservar este proyecto?',
    intro: 'Un agente de IA lo creó sin una cuenta y te pide que lo reclames.',
    paused: 'Este proyecto está en pausa.',
    pausedMeaning:
      'Ha alcanzado su límite de prueba, por lo que los usuarios no pueden iniciar sesión. Si apruebas, la pausa termina.',
    project: 'Proyecto',
    created: 'Creado',
    hosts: 'Hosts de callback',
    noHosts: 'Todavía ninguno, por lo que los usuarios no pueden iniciar sesión.',
    moreHosts: (count) => counted(count, { other: '# más' }),
    activity: 'Actividad',
    users: (count) => counted(count, { one: '# usuario', many: '# de usuarios', other: '# usuarios' }),
    signIns: (count) =>
      counted(count, { one: '# inicio de sesión', many: '# de inicios de sesión', other: '# inicios de sesión' }),
    ends: 'Termina si no apruebas',
    ifApproved: 'Si apruebas',
    yours: 'El proyecto es tuyo y ya no caduca.',
    counts: 'Sus usuarios e inicios de sesión cuentan para los límites de tu cuenta.',
    manage: 'Puedes ver quién inicia sesión, cerrar sesiones, reemplazar las claves y eliminar el proyecto.',
    whoHasKeys: 'Quién tiene las claves',
    keyFile:
      'Cualquiera que tenga el archivo de claves puede administrar el proyecto y ver sus usuarios. El agente que creó el proyecto tiene el archivo.',
    keptKeys:
      'Si conservas las claves, también muestran los nombres, el uso y la actividad de tus otros proyectos, pero no quién inició sesión en ellos. Si reemplazas las claves, tu agente necesita el archivo nuevo, que se muestra una sola vez.',
    code: 'Código de confirmación',
    compareOrDeny: 'Si tu agente te dio un código, tiene que coincidir con este. Si no coincide, selecciona “Denegar”.',
    compareOrClose: 'Si tu agente te dio un código, tiene que coincidir con este. Si no coincide, cierra esta página.',
    unaskedDeny: 'Si no has solicitado esto, selecciona “Denegar”.',
    unaskedClose: 'Si no has solicitado esto, cierra esta página.',
    signInMeaning: 'Al iniciar sesión no apruebas nada. Después volverás a esta página para decidir.',
    keys: 'Las claves, si apruebas',
    keyChoice: {
      keep: 'Conservar las claves',
      overlap: 'Reemplazar las claves; las anteriores funcionan 24 horas más',
      now: 'Reemplazar las claves; las anteriores dejan de funcionar ahora',
    },
    approve: 'Aprobar',
    deny: 'Denegar',
    wrongAccount: '¿No es la cuenta que quieres?',
  },
  claimed: {
    title: 'Este proyecto es tuyo',
    keepsKeys: (project) => sentence`${project} ya no caduca. Se notificó a tu agente y sus claves siguen funcionando.`,
    newKeys: (project) => sentence`${project} ya no caduca. Se notificó a tu agente.`,
    toAccount: 'Ir a tu cuenta',
    replaceTitle: '¿Reemplazar las claves?',
    replaceMeaning:
      'Reemplázalas si alguien aparte de ti y de tu agente puede haber visto el archivo de claves. El archivo nuevo se muestra una sola vez. Las claves anteriores funcionan 24 horas más, para que tu app siga funcionando mientras haces el cambio.',
    replace: 'Reemplazar las claves',
    deniedTitle: 'Solicitud denegada',
    denied: (project, ends) => sentence`No se cambió nada. ${project} no tiene propietario y termina ${ends}.`,
    deniedNext:
      'Se notificó a tu agente. Puedes cerrar esta página. Si cambias de opinión, pídele a tu agente un enlace nuevo.',
    yoursTitle: 'Este proyecto ya es tuyo',
    yours: (project) => sentence`Ya reclamaste ${project}. No queda nada por decidir.`,
    toProject: 'Ir al proyecto',
    takenTitle: 'Este proyecto ya tiene propietario',
    taken: (project) => sentence`Otra persona ha reclamado ${project}. No se cambió nada.`,
    takenNext:
      'Si lo reclamaste con otra cuenta de Google, inicia sesión con esa cuenta. De lo contrario, pregúntale a la persona que te dio el enlace.',
    supersededTitle: 'Hay un enlace más reciente',
    superseded: (project) =>
      sentence`Tu agente creó un enlace más reciente para ${project}, y solo funciona el último. Abre el último enlace que mostró tu agente.`,
    expiredTitle: 'Este enlace ha caducado',
    expired: (project, count, endpoint) =>
      sentence`Un enlace funciona durante ${minutes(count)}. Este, para ${project}, no se usó a tiempo y no se cambió nada. Pídele uno nuevo a tu agente; lo obtiene de ${endpoint}.`,
    endedTitle: 'Este proyecto ha terminado',
    ended: (project, count) =>
      sentence`Un proyecto sin propietario termina ${hours(count)} después de su creación. ${project} no se reclamó a tiempo o su agente lo eliminó. Sus datos se han eliminado y no se pueden restaurar.`,
    endedNext: 'Pídele a tu agente que cree uno nuevo y reclámalo antes de que caduque el enlace.',
  },
  me: {
    question: '¿Iniciaste sesión en una app a través de este servicio? Aquí puedes:',
    seeApps: 'ver en qué apps iniciaste sesión y cuándo,',
    signOutOfApps: 'cerrar sesión en una de ellas o en todas,',
    haveRemoved: 'pedir que se eliminen tus datos.',
    signInMeaning: (count) =>
      `Esto no crea ninguna cuenta. Elige la cuenta que usas en las apps. Tu sesión en esta página se cierra después de ${minutes(count)}.`,
    leave: 'Cerrar sesión en esta página',
    apps: (provider) =>
      `Apps en las que iniciaste sesión con esta cuenta de ${provider}, empezando por la última que usaste.`,
    noApps: (provider) => `Aquí ninguna app tiene datos sobre esta cuenta de ${provider}.`,
    pages: 'Apps',
    newer: 'Más recientes',
    older: 'Más antiguas',
    temporary: 'App temporal',
    firstUsed: 'Primer uso',
    lastUsed: 'Último uso',
    known: 'Lo que sabe la app',
    sessions: 'Sesiones',
    signedOut: 'No has iniciado sesión.',
    sessionUsed: (when) => `Último uso: ${when}`,
    sessionStarted: (when) => sentence`Inicio de sesión: ${when}`,
    moreSessions: 'Y más.',
    signOut: 'Cerrar sesión en esta app',
    consent: 'Consentimiento',
    consentMeaning: (count) =>
      `Se recuerda durante un máximo de ${days(count)} en los navegadores donde seleccionaste “Continuar”: al iniciar sesión allí no se te vuelve a preguntar.`,
    forgetConsent: 'Olvidar el consentimiento',
    remove: 'Eliminar mis datos',
    removeFromOwned: (count) =>
      `Le pedimos al propietario de la app que elimine tus datos. Si no lo hace, los eliminamos después de ${days(count)}: tus sesiones se cierran y el historial de aquí ya no te menciona. Lo que guarda la propia app no está aquí: consúltalo con la app.`,
    removeFromTemporary:
      'Esta app temporal no tiene un propietario conocido, por lo que eliminamos tus datos ahora: tus sesiones se cierran y el historial de aquí ya no te menciona. Esto no se puede deshacer. Lo que guarda la propia app no está aquí: consúltalo con la app.',
    removalAsked: (when) =>
      sentence`Has pedido que se eliminen tus datos. El propietario de la app lo sabe. Tus datos se eliminarán a más tardar ${when}.`,
    keep: 'Conservar mis datos',
    everywhere: 'Cerrar sesión en todas partes',
    everywhereMeaning: 'Cierra tus sesiones en todas las apps que tienen tus datos. Puedes volver a iniciar sesión.',
    notShown: 'Lo que esta página no puede mostrar',
    otherAccounts:
      'Apps en las que iniciaste sesión con otra cuenta. Para verlas, inicia sesión en esta página con esa cuenta.',
    notOffered: (providers) =>
      `Apps en las que inicias sesión con ${providers}: este servicio no tiene ningún cliente allí.`,
    ownClients: 'Apps que usan su propio cliente con Apple u otro proveedor de OpenID: te conocen por un ID propio.',
    appData: 'Lo que una app guarda sobre ti por su cuenta. Consúltalo con la app.',
    stored: (privacy) => sentence`Qué guarda este servicio y durante cuánto tiempo: ${privacy}.`,
    done: {
      left: 'Has cerrado sesión en esta página.',
      'signed-out': 'Has cerrado sesión en la app. Puede tardar unos segundos.',
      'signed-out-everywhere': 'Has cerrado sesión en todas las apps. Puede tardar unos segundos.',
      forgotten: 'La app te volverá a preguntar la próxima vez que inicies sesión.',
      deleted: 'Tus datos se eliminaron de la app.',
      requested: 'Le hemos pedido al propietario de la app que elimine tus datos.',
      kept: 'La solicitud se ha retirado. La app conserva tus datos.',
    },
  },
}
