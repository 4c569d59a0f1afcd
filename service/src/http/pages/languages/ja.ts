import type { Html, Part } from '../markup.ts'
import { countedIn } from './counted.ts'
import type { Messages } from './en.ts'
import { sentence } from './sentence.ts'

const counted = countedIn('ja')
const seconds = (count: number) => counted(count, { other: '# 秒' })
const minutes = (count: number) => counted(count, { other: '# 分' })
const hours = (count: number) => counted(count, { other: '# 時間' })
const days = (count: number) => counted(count, { other: '# 日' })

export const ja: Messages = {
  site: {
    skip: 'コンテンツにスキップ',
    about: 'このサービスについて',
    runBy: (operator: Part): Html => sentence`運営: ${operator}`,
    yourData: 'あなたのデータ',
    privacy: 'プライバシー',
    terms: '規約',
    support: 'サポート',
    useAnotherAccount: '別のアカウントを使用',
    signInWith: (provider: string) => `${provider} でログイン`,
    continueWith: (provider: string) => `${provider} で続行`,
  },
  time: {
    justNow: 'たった今',
    withinAMinute: '1 分以内',
    both: (relative: string, exact: Part): Html => sentence`${relative}（${exact}）`,
  },
  consent: {
    title: (host: string) => `${host} にログイン`,
    waitTitle: (host: string) => `お待ちください: ${host} にログイン`,
    heading: (host: string) => `${host} にログインしますか？`,
    localHeading: 'このコンピュータ上のアプリにログインしますか？',
    ownLetters: (host: Part): Html => sentence`本来の文字での表記: ${host}`,
    verified: '確認済みのドメイン',
    temporary: '一時的な未確認のアプリです。',
    temporaryMeaning:
      'アカウントなしで設定されたため、誰が運営しているかは不明です。このアドレスを信頼できる場合にのみ続行してください。',
    appSees: 'アプリに共有される情報',
    shared: (provider: Part): Html =>
      sentence`名前、メールアドレス、プロフィール写真。${provider} アカウントのそれ以外の情報は共有されません。`,
    appPages: 'アプリのページ',
    privacyPolicy: 'プライバシー ポリシー',
    terms: '利用規約',
    allow: '続行',
    deny: 'キャンセル',
    limited: (count: number) =>
      `このアプリは、この 1 分間のログイン数の上限に達しました。${seconds(count)}後にもう一度「続行」を押してください。`,
    remembered: (count: number) =>
      `続行すると、アプリに変更がない限り、このブラウザでは ${days(count)}間、再度の確認を行いません。これは下の「あなたのデータ」で取り消せます。`,
    ifDenied: 'キャンセルした場合、アプリに伝わるのは、あなたがログインしなかったことだけです。',
    footer: (provider: Part): Html =>
      sentence`Gatehouse がアプリのためにこのログインを処理しています。${provider} のパスワードが ${provider} の外に渡ることはありません。`,
  },
  errors: {
    title: {
      invalidRedirectUri: 'ログインリンクの戻り先アドレスが正しくありません',
      redirectUriRequired: 'ログインリンクに戻り先アドレスがありません',
      codeChallengeRequired: 'このログインリンクは不完全です',
      invalidReturnTo: 'ログインリンクの戻り先ページが正しくありません',
      invalidRequest: 'このリンクは使えません',
      signInFailed: 'ログインしていません',
      claimUnknown: 'この所有者登録リンクは無効です',
      projectLimit: '所有できるプロジェクト数の上限に達しています',
      providerNotFound: 'このログインリンクは正しくありません',
      providerNotEnabled: 'このアプリでは、このログイン方法を利用できません',
      tenantNotFound: 'このリンク先にアプリはありません',
      notProvisioned: 'このアプリはまだログインの準備ができていません',
      tenantPaused: 'このアプリへのログインは一時停止中です',
      tenantSuspended: 'このアプリへのログインは停止されています',
      callbackHostBlocked: 'このアプリにはログインできません',
      tenantExpired: 'このアプリはもう存在しません',
      loginOver: 'このログインは終了しました',
      loginOtherBrowser: 'このログインは別のブラウザのものです',
      decisionNotOurs: 'このリクエストは当サービスのページからのものではありません',
      rateLimited: '現在、ログインが集中しています',
      temporarilyUnavailable: '現在、ログインをご利用いただけません',
      outcomeUnknown: '処理が完了したかどうか確認できません',
      internalError: '問題が発生しました',
    },
    message: {
      invalidRedirectUri: 'アプリが登録していない戻り先アドレスが指定されました。ログインは行われていません。',
      redirectUriRequired: 'アプリから戻り先アドレスが指定されていません。ログインは行われていません。',
      codeChallengeRequired: 'アプリに戻り、そこからログインしてください。ログインは行われていません。',
      invalidReturnTo: 'アプリが戻り先に指定したページは、そのアプリのものではありません。ログインは行われていません。',
      claimUnknown:
        '当サービスのリンクではないか、リンクのプロジェクトがもう存在しません。エージェントに新しいリンクを依頼してください。',
      projectLimit: 'アカウント内のプロジェクトを削除するか、このサービスの運営者に上限の引き上げを依頼してください。',
      providerNotFound: 'そのようなログイン方法はありません。アプリに戻り、そこからログインしてください。',
      providerNotEnabled: 'アプリが有効にしていないログイン方法が指定されました。戻って別の方法を選択してください。',
      tenantNotFound: 'アドレスを確認するか、アプリに戻ってそこからログインしてください。',
      notProvisioned: 'アプリのログイン設定が完了していません。しばらくしてからもう一度お試しください。',
      tenantPaused: 'このアプリは試用の上限に達しました。アプリの開発者が所有者登録を行う必要があります。',
      tenantSuspended:
        'このログインサービスの運営者がアプリを停止しました。ログインは行われておらず、アプリには何も共有されていません。',
      callbackHostBlocked:
        'アプリの戻り先のウェブサイトは、このログインサービスの運営者によってブロックされています。ログインは行われておらず、そのサイトには何も共有されていません。',
      tenantExpired: '72 時間以内に所有者登録が行われなかった試用アプリであるか、所有者がアプリを削除しました。',
      loginOver:
        'すでに完了しているか、10 分を超える時間がかかりました。アプリに戻り、ログインしていない場合は最初からやり直してください。',
      loginOtherBrowser:
        '別のブラウザで開始されたか、Cookie がブロックされています。アプリに戻り、このブラウザで最初からやり直してください。',
      decisionNotOurs: '前のページに戻って再読み込みし、そのページのボタンを押してください。',
      rateLimited: 'ログインは開始されていません。',
      temporarilyUnavailable:
        'このログインに必要なシステムが停止しています。失われたものはありません。しばらくしてからもう一度お試しください。',
      outcomeUnknown: '変更の保存中に接続が失敗しました。もう一度試す前に、変更が反映されているか確認してください。',
      internalError:
        '当サービス側の不具合です。もう一度お試しください。繰り返し発生する場合は、下記のリクエスト ID をこのサービスの運営者にお知らせください。',
      other: '元のページに戻って、もう一度お試しください。',
    },
    monthLimit: (day: string) => `このアプリは 1 か月のログイン数の上限に達しました。上限は${day}にリセットされます。`,
    trialLimit: (day: string) =>
      `このアプリは試用の上限に達しました。アプリの開発者は、試用が終了する${day}までに所有者登録を行う必要があります。`,
    goTo: (host: Part): Html => sentence`${host} に移動`,
    tryAgain: 'もう一度試す',
    tryAgainWhen: (when) => sentence`${when}にもう一度お試しください。`,
    waitOver: 'もう一度お試しいただけます。',
    forDeveloper: 'アプリの開発者の方へ',
    reference: (status: number, requestId: Part): Html => sentence`ステータス ${status} · リクエスト ${requestId}`,
  },
  claim: {
    title: 'このプロジェクトを保持しますか？',
    intro: 'エージェントがアカウントなしで作成し、あなたに所有者登録を求めています。',
    paused: 'このプロジェクトは一時停止中です。',
    pausedMeaning: '試用の上限に達したため、ユーザーはログインできません。承認すると一時停止が解除されます。',
    project: 'プロジェクト',
    created: '作成日時',
    hosts: 'コールバック ホスト',
    noHosts: 'まだないため、ユーザーはログインできません。',
    moreHosts: (count: number) => counted(count, { other: '他 # 件' }),
    activity: 'アクティビティ',
    users: (count: number) => counted(count, { other: 'ユーザー # 人' }),
    signIns: (count: number) => counted(count, { other: 'ログイン # 回' }),
    ends: '承認しない場合の終了日時',
    ifApproved: '承認した場合',
    yours: 'プロジェクトはあなたのものになり、有効期限がなくなります。',
    counts: 'プロジェクトのユーザーとログインは、あなたのアカウントの上限に算入されます。',
    manage: 'ログインしたユーザーの確認、セッションの終了、キーの交換、プロジェクトの削除ができます。',
    whoHasKeys: 'キーの保持者',
    keyFile:
      'キーファイルを持っていれば誰でも、プロジェクトを管理し、そのユーザーを確認できます。このファイルは、プロジェクトを作成したエージェントが持っています。',
    keptKeys:
      '現在のキーを残すと、そのキーであなたの他のプロジェクトの名前、使用量、アクティビティも確認できるようになります。ただし、誰がログインしたかは確認できません。キーを交換すると、エージェントには新しいファイルが必要になります。新しいファイルは一度だけ表示されます。',
    code: '確認コード',
    compareOrDeny:
      'エージェントからコードを受け取っている場合は、このコードと一致する必要があります。一致しない場合は「拒否」を押してください。',
    compareOrClose:
      'エージェントからコードを受け取っている場合は、このコードと一致する必要があります。一致しない場合はこのページを閉じてください。',
    unaskedDeny: '心当たりがない場合は「拒否」を押してください。',
    unaskedClose: '心当たりがない場合はこのページを閉じてください。',
    signInMeaning:
      'ログインしただけでは何も承認されません。ログイン後にこのページに戻り、承認するかどうかを決定します。',
    keys: '承認した場合のキーの扱い',
    keyChoice: {
      keep: '現在のキーを残す',
      overlap: 'キーを交換する（古いキーはあと 24 時間有効）',
      now: 'キーを交換する（古いキーはすぐに無効）',
    },
    approve: '承認',
    deny: '拒否',
    wrongAccount: 'アカウントが違いますか？',
  },
  claimed: {
    title: 'このプロジェクトはあなたのものです',
    keepsKeys: (project: Part): Html =>
      sentence`${project} の有効期限はなくなりました。エージェントに通知済みで、そのキーは引き続き使えます。`,
    newKeys: (project: Part): Html => sentence`${project} の有効期限はなくなりました。エージェントに通知済みです。`,
    toAccount: 'アカウントに移動',
    replaceTitle: 'キーを交換しますか？',
    replaceMeaning:
      'あなたとエージェント以外の誰かがキーファイルを見た可能性がある場合は、交換してください。新しいファイルは一度だけ表示されます。古いキーはあと 24 時間有効なので、切り替えの間もアプリは動作し続けます。',
    replace: 'キーを交換',
    deniedTitle: 'リクエストを拒否しました',
    denied: (project: Part, ends: Part): Html =>
      sentence`何も変更されていません。${project} には所有者がおらず、${ends}に終了します。`,
    deniedNext:
      'エージェントに通知済みです。このページは閉じてかまいません。考えが変わった場合は、エージェントに新しいリンクを依頼してください。',
    yoursTitle: 'すでにこのプロジェクトを所有しています',
    yours: (project: Part): Html =>
      sentence`${project} の所有者登録はすでに完了しています。決定が必要なことはありません。`,
    toProject: 'プロジェクトに移動',
    takenTitle: 'このプロジェクトにはすでに所有者がいます',
    taken: (project: Part): Html =>
      sentence`${project} には別の人が所有者として登録されています。何も変更されていません。`,
    takenNext:
      '別の Google アカウントで所有者登録を行った場合は、そのアカウントでログインしてください。そうでない場合は、リンクを受け取った相手に確認してください。',
    supersededTitle: 'より新しいリンクがあります',
    superseded: (project: Part): Html =>
      sentence`エージェントが ${project} の新しいリンクを作成しました。使えるのは最新のリンクだけです。エージェントが最後に表示したリンクを開いてください。`,
    expiredTitle: 'このリンクは期限切れです',
    expired: (project: Part, count: number, endpoint: Part): Html =>
      sentence`リンクの有効期間は ${minutes(count)}間です。${project} のこのリンクは期間内に使用されず、何も変更されていません。エージェントに新しいリンクを依頼してください。エージェントは ${endpoint} から取得できます。`,
    endedTitle: 'このプロジェクトは終了しました',
    ended: (project: Part, count: number): Html =>
      sentence`所有者のいないプロジェクトは、作成から ${hours(count)}で終了します。${project} は期間内に所有者登録が行われなかったか、エージェントによって削除されました。データは削除されており、復元できません。`,
    endedNext: 'エージェントに新しいプロジェクトの作成を依頼し、リンクの期限が切れる前に所有者登録を行ってください。',
  },
  me: {
    question: 'このサービスを使ってアプリにログインしたことがありますか？ここでは次のことができます。',
    seeApps: 'ログインしたアプリと日時を確認する',
    signOutOfApps: 'いずれか、またはすべてのアプリからログアウトする',
    haveRemoved: '自分のデータの削除を依頼する',
    signInMeaning: (count: number) =>
      `この操作でアカウントが作成されることはありません。アプリで使用しているアカウントを選択してください。${minutes(count)}後にこのページからログアウトされます。`,
    leave: 'このページからログアウト',
    apps: (provider: string) => `この ${provider} アカウントでログインしたアプリ（最後に使用した順）。`,
    noApps: (provider: string) => `このサービスには、この ${provider} アカウントのデータを持つアプリはありません。`,
    pages: 'アプリ',
    newer: 'より新しい',
    older: 'より古い',
    temporary: '一時的なアプリ',
    firstUsed: '初回の使用',
    lastUsed: '最後の使用',
    known: 'アプリが把握している情報',
    sessions: 'セッション',
    signedOut: 'ログインしていません。',
    sessionUsed: (when: string) => `最後の使用: ${when}`,
    sessionStarted: (when: Part): Html => sentence`ログイン: ${when}`,
    moreSessions: '他にもあります。',
    signOut: 'このアプリからログアウト',
    consent: '同意',
    consentMeaning: (count: number) =>
      `「続行」を押したブラウザで最長 ${days(count)}間記憶され、そのブラウザでのログイン時に再度の確認は行われません。`,
    forgetConsent: '同意の記憶を削除',
    remove: '自分のデータを削除',
    removeFromOwned: (count: number) =>
      `アプリの所有者に、あなたのデータの削除を依頼します。所有者が削除しない場合は、${days(count)}後に当サービスが削除します。セッションは終了し、ここの履歴にあなたの名前は残りません。アプリ自体が保存しているデータはここにはありません。アプリにお問い合わせください。`,
    removeFromTemporary:
      'この一時的なアプリの所有者は不明なため、当サービスがあなたのデータを今すぐ削除します。セッションは終了し、ここの履歴にあなたの名前は残りません。この操作は元に戻せません。アプリ自体が保存しているデータはここにはありません。アプリにお問い合わせください。',
    removalAsked: (when: Part): Html =>
      sentence`データの削除を依頼済みです。アプリの所有者にも伝わっています。遅くとも ${when}までに削除されます。`,
    keep: '自分のデータを残す',
    everywhere: 'すべてのアプリからログアウト',
    everywhereMeaning: 'あなたのデータを持つすべてのアプリのセッションを終了します。再度ログインできます。',
    notShown: 'このページに表示できないもの',
    otherAccounts:
      '別のアカウントでログインしたアプリ。確認するには、そのアカウントでこのページにログインしてください。',
    notOffered: (providers: string) =>
      `${providers} でログインするアプリ。このサービスには、そのプロバイダのクライアントがありません。`,
    ownClients:
      'Apple またはその他の OpenID プロバイダで独自のクライアントを使用しているアプリ。独自の ID であなたを識別しています。',
    appData: 'アプリ自体が保存しているあなたのデータ。アプリにお問い合わせください。',
    stored: (privacy: Part): Html => sentence`このサービスが保存する内容と期間: ${privacy}`,
    done: {
      left: 'このページからログアウトしました。',
      'signed-out': 'アプリからログアウトしました。反映までに数秒かかることがあります。',
      'signed-out-everywhere': 'すべてのアプリからログアウトしました。反映までに数秒かかることがあります。',
      forgotten: '次回のログイン時に、アプリが再度確認します。',
      deleted: 'あなたのデータはアプリから削除されました。',
      requested: 'アプリの所有者に、あなたのデータの削除を依頼しました。',
      kept: '依頼を取り消しました。アプリはあなたのデータを引き続き保持します。',
    },
  },
}
