// Texts of the offline page by language: title offline, title unreachable, explanation, button. Not in the catalogues,
// because those cannot be loaded then.
self.OFFLINE_TEXTS = {
  en: [
    'You are offline',
    'Muster cannot be reached',
    'Muster shows what its servers know, so it needs a connection to them. Nothing is lost: orders go on without you.',
    'Try again',
  ],
  'zh-Hans': [
    '您已离线',
    '无法连接 Muster',
    'Muster 显示其服务器上的数据，因此需要网络连接。不会丢失任何内容：订单会继续处理。',
    '重试',
  ],
  'zh-Hant': [
    '您已離線',
    '無法連線至 Muster',
    'Muster 顯示其伺服器上的資料，因此需要網路連線。不會遺失任何內容：訂單會繼續處理。',
    '重試',
  ],
  ko: [
    '오프라인 상태입니다',
    'Muster에 연결할 수 없습니다',
    'Muster는 서버에 있는 정보를 보여 주므로 연결이 필요합니다. 잃는 것은 없습니다. 주문은 계속 처리됩니다.',
    '다시 시도',
  ],
  ja: [
    'オフラインです',
    'Muster に接続できません',
    'Muster はサーバーの情報を表示するため、接続が必要です。失われるものはありません。注文はそのまま処理されます。',
    '再試行',
  ],
  vi: [
    'Bạn đang ngoại tuyến',
    'Không thể kết nối đến Muster',
    'Muster hiển thị dữ liệu từ máy chủ nên cần có kết nối. Không có gì bị mất: các đơn hàng vẫn tiếp tục được xử lý.',
    'Thử lại',
  ],
  id: [
    'Anda sedang offline',
    'Muster tidak dapat dihubungi',
    'Muster menampilkan data dari servernya, jadi perlu koneksi. Tidak ada yang hilang: pesanan tetap berjalan.',
    'Coba lagi',
  ],
  tr: [
    'Çevrimdışısınız',
    'Muster’a ulaşılamıyor',
    'Muster sunucularındaki bilgileri gösterir, bu yüzden bağlantı gerekir. Hiçbir şey kaybolmaz: siparişler sürer.',
    'Tekrar dene',
  ],
  ru: [
    'Нет подключения к сети',
    'Muster недоступен',
    'Muster показывает данные со своих серверов, поэтому нужна связь с ними. Ничего не потеряно: заказы выполняются дальше.',
    'Повторить',
  ],
  ar: [
    'أنت غير متصل بالإنترنت',
    'تعذّر الوصول إلى Muster',
    'يعرض Muster ما تعرفه خوادمه، لذا يحتاج إلى الاتصال بها. لم يُفقد شيء: طلباتك مستمرة من دونك.',
    'أعد المحاولة',
  ],
  es: [
    'Sin conexión',
    'No se puede acceder a Muster',
    'Muster muestra lo que saben sus servidores, por lo que necesita conexión con ellos. No se pierde nada: los pedidos siguen en marcha.',
    'Reintentar',
  ],
  pt: [
    'Você está offline',
    'Não foi possível acessar o Muster',
    'O Muster mostra o que seus servidores sabem, por isso precisa de conexão com eles. Nada se perde: os pedidos continuam.',
    'Tentar de novo',
  ],
  fr: [
    'Vous êtes hors ligne',
    'Muster est injoignable',
    'Muster affiche ce que savent ses serveurs et a donc besoin d’une connexion. Rien n’est perdu : les commandes continuent.',
    'Réessayer',
  ],
  de: [
    'Du bist offline',
    'Muster ist nicht erreichbar',
    'Muster zeigt, was seine Server wissen, und braucht daher eine Verbindung. Nichts geht verloren: Aufträge laufen weiter.',
    'Erneut versuchen',
  ],
};
