/**
 * Headers of the common columns in exports and spreadsheets of other languages, and leaders' abbreviations: Russian,
 * Spanish, German, Turkish, Portuguese, French, Vietnamese, Chinese, Korean, Japanese. As with all headers, case,
 * spaces, punctuation and accents do not matter.
 */

const tier = (number: number): readonly string[] => [
  ...[`Убийства T${number}`, `Muertes T${number}`, `Bajas T${number}`, `Abates T${number}`, `Öldürme T${number}`],
  ...[`T${number} Öldürme`, `Diệt T${number}`, `击杀T${number}`, `擊殺T${number}`, `T${number}击杀`, `T${number}擊殺`],
  ...[`T${number} 처치`, `T${number} 킬`, `T${number}撃破`, `T${number}キル`],
];

/** By column key in Rise of Kingdoms. */
export const SPOKEN_HEADERS: Readonly<Record<string, readonly string[]>> = {
  governor_id: [
    ...['Gov ID', 'ID губернатора', 'ID правителя', 'ID игрока', 'ID gobernador', 'ID de gobernador'],
    ...[
      'ID del gobernador',
      'ID jugador',
      'ID del jugador',
      'Gouverneurs-ID',
      'Gouverneur ID',
      'Spieler-ID',
      'Vali ID',
    ],
    ...['Vali Kimliği', 'Oyuncu ID', 'ID do governador', 'ID governador', 'ID do jogador', 'ID du gouverneur'],
    ...['ID thống đốc', 'ID người chơi', '执政官ID', '執政官ID', '总督ID', '總督ID', '玩家ID', '角色ID', '총독 ID'],
    ...['집정관 ID', '플레이어 ID', '総督ID', 'プレイヤーID'],
  ],
  name: [
    ...['Gov Name', 'Имя', 'Имя губернатора', 'Имя правителя', 'Имя игрока', 'Ник', 'Никнейм', 'Nombre'],
    ...[
      'Nombre del gobernador',
      'Jugador',
      'Spieler',
      'Spielername',
      'Gouverneur',
      'İsim',
      'Vali Adı',
      'Oyuncu Adı',
      'Nome',
    ],
    ...[
      'Nome do governador',
      'Jogador',
      'Nom',
      'Tên',
      'Tên thống đốc',
      '名字',
      '名称',
      '名稱',
      '昵称',
      '暱稱',
      '执政官',
    ],
    ...['이름', '닉네임', '총독 이름', '名前', '総督名', 'プレイヤー名'],
  ],
  power: [
    ...['Мощь', 'Сила', 'Poder', 'Macht', 'Stärke', 'Güç', 'Puissance', 'Sức mạnh', 'Chiến lực', '战力', '戰力'],
    ...['战斗力', '전투력', '파워', '戦力', 'パワー'],
  ],
  highest_power: [
    ...['Макс. мощь', 'Максимальная мощь', 'Poder máximo', 'Poder más alto', 'Höchste Macht', 'En Yüksek Güç'],
    ...['Maior poder', 'Puissance maximale', 'Sức mạnh cao nhất', '最高战力', '最高戰力', '최고 전투력', '最高戦力'],
  ],
  killpoints: [
    ...['KP', 'Очки убийств', 'Суммарные очки убийств', 'Puntos de muerte', 'Puntos de bajas', 'Puntos de asesinato'],
    ...['Killpunkte', 'Kill-Punkte', 'Abschusspunkte', 'Öldürme Puanı', 'Öldürme Puanları', 'Pontos de abate'],
    ...[
      'Pontos de morte',
      'Points de victoire',
      'Điểm tiêu diệt',
      'Điểm hạ gục',
      '击杀点',
      '擊殺點',
      '击杀积分',
      '擊殺積分',
    ],
    ...['킬 포인트', '처치 점수', '撃破ポイント', 'キルポイント'],
  ],
  deads: [
    ...['Смерти', 'Погибшие', 'Потери', 'Muertos', 'Muertes', 'Tote', 'Gefallene', 'Ölü', 'Ölüler', 'Mortos', 'Mortes'],
    ...['Morts', 'Tử trận', 'Lính chết', '阵亡', '陣亡', '死亡', '전사', '전사자', '사망', '戦死', '戦死者'],
  ],
  killcount_t1: tier(1),
  killcount_t2: tier(2),
  killcount_t3: tier(3),
  killcount_t4: tier(4),
  killcount_t5: tier(5),
  rss_gathered: [
    ...[
      'Собранные ресурсы',
      'Recursos recolectados',
      'Recursos reunidos',
      'Gesammelte Ressourcen',
      'Toplanan Kaynaklar',
    ],
    ...['Recursos coletados', 'Ressources collectées', 'Tài nguyên thu thập', '采集资源', '採集資源', '자원 채집'],
  ],
  rss_given: [
    ...[
      'Отправленные ресурсы',
      'Recursos enviados',
      'Gesendete Ressourcen',
      'Gönderilen Kaynaklar',
      '资源援助',
      '資源援助',
    ],
  ],
  helps_given: [
    ...[
      'Помощь альянсу',
      'Ayuda a la alianza',
      'Ayudas de alianza',
      'Allianzhilfe',
      'Allianzhilfen',
      'İttifak Yardımı',
    ],
    ...['Ajuda à aliança', "Aide d'alliance", 'Trợ giúp liên minh', '联盟帮助', '聯盟幫助', '연맹 지원', '同盟支援'],
  ],
  home_kingdom: ['Королевство', 'Reino', 'Königreich', 'Krallık', 'Royaume', 'Vương quốc', '王国', '王國', '왕국'],
  town_center: ['Ратуша', 'Ayuntamiento', 'Rathaus', 'Belediye Binası', 'Prefeitura', '市政厅', '市政廳', '시청'],
};

/** Headers of a column with the alliance's tag and name together. */
export const SPOKEN_ALLIANCE: readonly string[] = [
  ...['Альянс', 'Alianza', 'Allianz', 'İttifak', 'Aliança', 'Liên minh', '联盟', '聯盟', '연맹', '同盟'],
];
