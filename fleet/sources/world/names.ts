import { mix, pick, unit } from './chance.ts';

/** Made-up names of governors and alliances, in the scripts that players use. None is a real player's. */

interface Script {
  first: readonly string[];
  last: readonly string[];
  between: string;
}

const script = (first: string, last: string, between = ' '): Script => ({
  first: first.split(' '),
  last: last.split(' '),
  between,
});

const LATIN = script(
  'Iron Grim Silent Copper Wild Ashen Lucky Stone Velvet Rusty Amber Hollow Brave Tidy Salty Moss North Cinder Plain Quick Old Mad Frosty Bitter Sunny Sleepy Royal Humble Noisy Crimson',
  'Badger Anvil Harbor Lantern Miller Kestrel Boots Wagon Turnip Falcon Cobbler Pike Otter Beacon Tinker Saddle Walrus Mason Comet Bramble Teapot Rook Herring Sable Quill Goose Marsh Hammer Orchard Fennel',
  '',
);
const SCRIPTS: readonly Script[] = [
  LATIN,
  { ...LATIN, between: ' ' },
  { ...LATIN, between: '_' },
  script(
    'Железный Тихий Старый Рыжий Дикий Северный Медный Хмурый',
    'Барсук Молот Фонарь Кузнец Сокол Пекарь Бобёр Якорь',
  ),
  script('القمر الصقر البحر الجبل النجم الريح', 'الهادئ القديم الأحمر البعيد الذهبي الصغير'),
  script('铁 静 老 青 雪 山 海 醉 金 野', '灯笼 铁匠 白鹤 石桥 茶壶 渔夫 书生 木马 南风 萝卜', ''),
  script('静かな 赤い 古い 小さな 眠い 北の', '狸 提灯 鍛冶屋 灯台 将棋 カモメ 大根 侍', ''),
  script('조용한 붉은 오래된 작은 졸린 북쪽', '너구리 등대 대장장이 두루미 감자 나그네 바위 호랑이', ''),
  script('เหล็ก เงียบ แดง เก่า เล็ก', 'ช้าง โคมไฟ ภูเขา นกยูง เรือ', ''),
  script('Sắt Lặng Đỏ Cổ Nhỏ Bắc', 'Trâu Đèn Núi Cò Thuyền Gió'),
  script('Kızıl Sessiz Eski Küçük Şanlı Çılgın', 'Kartal Fener Değirmen Gölge Çekiç Göl'),
  script('Großer Stiller Müder Kühner Übler Wilder', 'Dachs Müller Krähe Anker Bäcker Fuchs'),
];

const DECORATIONS: readonly [string, string][] = [
  ['꧁', '꧂'],
  ['★', '★'],
  ['亗 ', ''],
  ['', ' 👑'],
  ['', '🔥'],
  ['⚔️', '⚔️'],
  ['๖', ''],
  ['ㅤ', ''],
  ['', ' ツ'],
  ['x', 'x'],
  ['', ', the 2nd'],
  ['"', '"'],
];

/** Converts letters to mathematical bold, which Latin players like and which lies outside the basic plane. */
const bold = (text: string): string =>
  text.replace(/[A-Za-z]/g, (letter) => {
    const code = letter.charCodeAt(0);
    return String.fromCodePoint(code < 97 ? 0x1d400 + code - 65 : 0x1d41a + code - 97);
  });

/**
 * Returns a governor's name. `tongue` (0 up to 1) selects the kingdom's script, which half of its people use; the
 * others use any.
 */
export function governorName(seed: number, tongue: number): string {
  const own = SCRIPTS[Math.floor(tongue * SCRIPTS.length)] as Script;
  const chosen = unit(seed, 1) < 0.5 ? own : unit(seed, 2) < 0.5 ? LATIN : pick(SCRIPTS, seed, 3);
  const plain = `${pick(chosen.first, seed, 4)}${chosen.between}${pick(chosen.last, seed, 5)}`;
  const numbered = unit(seed, 6) < 0.3 ? `${plain}${mix(seed, 7) % 1000}` : plain;
  const dress = unit(seed, 8);
  if (dress < 0.05) return bold(numbered);
  if (dress > 0.2) return numbered;
  const [before, after] = pick(DECORATIONS, seed, 9);
  return `${before}${numbered}${after}`;
}

const BANDS = 'Order Guild Company Banner League Watch Circle Brothers Hearth Legion'.split(' ');
const PLACES =
  'the Anvil;the Lantern;the Northern Gate;the Quiet Hill;Salt and Iron;the Old Mill;the Red Kestrel'.split(';');
const FAR_BANDS: readonly string[] = [
  '铁灯会',
  '北方同盟',
  'Стража Севера',
  'راية القمر',
  '灯台の会',
  '등대 동맹',
  'โคมไฟแดง',
];

export interface Alliance {
  tag: string;
  name: string;
}

/** Returns the alliances of a kingdom, strongest first, with distinct tags. */
export function allianceNames(seed: number, count: number): Alliance[] {
  const taken = new Set<string>();
  return Array.from({ length: count }, (_, number) => {
    const name =
      unit(seed, number, 1) < 0.2
        ? pick(FAR_BANDS, seed, number, 2)
        : `${pick(BANDS, seed, number, 3)} of ${pick(PLACES, seed, number, 4)}`;
    for (let tries = 0; ; tries++) {
      const tag = tagOf(seed, number, tries);
      if (taken.has(tag)) continue;
      taken.add(tag);
      return { tag, name };
    }
  });
}

const LETTERS = 'ABCDEFGHIKLMNOPRSTUVWXYZ';
const ENDS = ['', '', '~', '1', '²', '+', "'"];

function tagOf(seed: number, number: number, tries: number): string {
  const letters = [5, 6, 7].map((part) => LETTERS[mix(seed, number, part, tries) % LETTERS.length]).join('');
  const tag = unit(seed, number, 8) < 0.3 ? `${letters[0]}${letters.slice(1).toLowerCase()}` : letters;
  return `${tag}${pick(ENDS, seed, number, 9)}`;
}
