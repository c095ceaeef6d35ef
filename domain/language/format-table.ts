import type { Format } from './formats.ts';
import type { Locale, SOURCE_LOCALE } from './locales.ts';

/**
 * How each language besides English writes figures and days, from Unicode's CLDR, with Latin digits everywhere because
 * players compare with the games' own. A table instead of `Intl`: the Worker and the browser may hold different
 * releases of CLDR, and a page must not change when the browser takes over. `Intl` also takes a phone a tenth of a
 * second to start. The build writes each into its language's catalogue.
 */

const numbered = (after: string): string[] => Array.from({ length: 12 }, (_, index) => `${index + 1}${after}`);

const CHINESE = {
  decimal: '.',
  group: ',',
  grouped: 4,
  percent: '{n}%',
  months: numbered('月'),
  date: '{y}年{m}{d}日',
  monthDay: '{m}{d}日',
  weekdayMonthDay: '{m}{d}日{w}',
} as const;

export const FORMATS: Readonly<Record<Exclude<Locale, typeof SOURCE_LOCALE>, Format>> = {
  'zh-Hans': {
    ...CHINESE,
    units: [
      [1e12, '万亿'],
      [1e8, '亿'],
      [1e4, '万'],
    ],
    weekdays: ['周日', '周一', '周二', '周三', '周四', '周五', '周六'],
  },
  'zh-Hant': {
    ...CHINESE,
    units: [
      [1e12, '兆'],
      [1e8, '億'],
      [1e4, '萬'],
    ],
    weekdays: ['週日', '週一', '週二', '週三', '週四', '週五', '週六'],
  },
  ko: {
    ...CHINESE,
    units: [
      [1e12, '조'],
      [1e8, '억'],
      [1e4, '만'],
    ],
    months: numbered('월'),
    weekdays: ['일', '월', '화', '수', '목', '금', '토'],
    date: '{y}년 {m} {d}일',
    monthDay: '{m} {d}일',
    weekdayMonthDay: '{m} {d}일 ({w})',
  },
  ja: {
    ...CHINESE,
    units: [
      [1e12, '兆'],
      [1e8, '億'],
      [1e4, '万'],
    ],
    weekdays: ['日', '月', '火', '水', '木', '金', '土'],
    weekdayMonthDay: '{m}{d}日({w})',
  },
  vi: {
    decimal: ',',
    group: '.',
    grouped: 4,
    percent: '{n}%',
    units: [
      [1e12, ' NT'],
      [1e9, ' T'],
      [1e6, ' Tr'],
      [1e3, ' N'],
    ],
    months: Array.from({ length: 12 }, (_, index) => `thg ${index + 1}`),
    weekdays: ['CN', 'Thứ 2', 'Thứ 3', 'Thứ 4', 'Thứ 5', 'Thứ 6', 'Thứ 7'],
    date: '{d} {m}, {y}',
    monthDay: '{d} {m}',
    weekdayMonthDay: '{w}, {d} {m}',
  },
  id: {
    decimal: ',',
    group: '.',
    grouped: 4,
    percent: '{n}%',
    units: [
      [1e12, ' T'],
      [1e9, ' M'],
      [1e6, ' jt'],
      [1e3, ' rb'],
    ],
    months: ['Jan', 'Feb', 'Mar', 'Apr', 'Mei', 'Jun', 'Jul', 'Agu', 'Sep', 'Okt', 'Nov', 'Des'],
    weekdays: ['Min', 'Sen', 'Sel', 'Rab', 'Kam', 'Jum', 'Sab'],
    date: '{d} {m} {y}',
    monthDay: '{d} {m}',
    weekdayMonthDay: '{w}, {d} {m}',
  },
  tr: {
    decimal: ',',
    group: '.',
    grouped: 4,
    percent: '%{n}',
    units: [
      [1e12, ' Tn'],
      [1e9, ' Mr'],
      [1e6, ' Mn'],
      [1e3, ' B'],
    ],
    months: ['Oca', 'Şub', 'Mar', 'Nis', 'May', 'Haz', 'Tem', 'Ağu', 'Eyl', 'Eki', 'Kas', 'Ara'],
    weekdays: ['Paz', 'Pzt', 'Sal', 'Çar', 'Per', 'Cum', 'Cmt'],
    date: '{d} {m} {y}',
    monthDay: '{d} {m}',
    weekdayMonthDay: '{d} {m} {w}',
  },
  ru: {
    decimal: ',',
    group: '\u00a0',
    grouped: 4,
    percent: '{n}\u00a0%',
    units: [
      [1e12, '\u00a0трлн'],
      [1e9, '\u00a0млрд'],
      [1e6, '\u00a0млн'],
      [1e3, '\u00a0тыс.'],
    ],
    months: ['янв.', 'февр.', 'мар.', 'апр.', 'мая', 'июн.', 'июл.', 'авг.', 'сент.', 'окт.', 'нояб.', 'дек.'],
    weekdays: ['вс', 'пн', 'вт', 'ср', 'чт', 'пт', 'сб'],
    date: '{d} {m} {y}',
    monthDay: '{d} {m}',
    weekdayMonthDay: '{w}, {d} {m}',
  },
  ar: {
    decimal: '.',
    group: ',',
    grouped: 4,
    percent: '{n}%',
    units: [
      [1e12, ' ترليون'],
      [1e9, ' مليار'],
      [1e6, ' مليون'],
      [1e3, ' ألف'],
    ],
    months: [
      ...['يناير', 'فبراير', 'مارس', 'أبريل', 'مايو', 'يونيو'],
      ...['يوليو', 'أغسطس', 'سبتمبر', 'أكتوبر', 'نوفمبر', 'ديسمبر'],
    ],
    weekdays: ['الأحد', 'الاثنين', 'الثلاثاء', 'الأربعاء', 'الخميس', 'الجمعة', 'السبت'],
    date: '{d} {m} {y}',
    monthDay: '{d} {m}',
    weekdayMonthDay: '{w}، {d} {m}',
  },
  es: {
    decimal: ',',
    group: '.',
    grouped: 5,
    percent: '{n}\u00a0%',
    units: [
      [1e12, '\u00a0B'],
      [1e9, '\u00a0mil\u00a0M'],
      [1e6, '\u00a0M'],
      [1e3, '\u00a0mil'],
    ],
    months: ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sept', 'oct', 'nov', 'dic'],
    weekdays: ['dom', 'lun', 'mar', 'mié', 'jue', 'vie', 'sáb'],
    date: '{d} {m} {y}',
    monthDay: '{d} {m}',
    weekdayMonthDay: '{w}, {d} {m}',
  },
  pt: {
    decimal: ',',
    group: '.',
    grouped: 4,
    percent: '{n}%',
    units: [
      [1e12, '\u00a0tri'],
      [1e9, '\u00a0bi'],
      [1e6, '\u00a0mi'],
      [1e3, '\u00a0mil'],
    ],
    months: ['jan.', 'fev.', 'mar.', 'abr.', 'mai.', 'jun.', 'jul.', 'ago.', 'set.', 'out.', 'nov.', 'dez.'],
    weekdays: ['dom.', 'seg.', 'ter.', 'qua.', 'qui.', 'sex.', 'sáb.'],
    date: '{d} de {m} de {y}',
    monthDay: '{d} de {m}',
    weekdayMonthDay: '{w}, {d} de {m}',
  },
  fr: {
    decimal: ',',
    group: '\u202f',
    grouped: 4,
    percent: '{n}\u202f%',
    units: [
      [1e12, '\u00a0Bn'],
      [1e9, '\u00a0Md'],
      [1e6, '\u00a0M'],
      [1e3, '\u00a0k'],
    ],
    months: ['janv.', 'févr.', 'mars', 'avr.', 'mai', 'juin', 'juil.', 'août', 'sept.', 'oct.', 'nov.', 'déc.'],
    weekdays: ['dim.', 'lun.', 'mar.', 'mer.', 'jeu.', 'ven.', 'sam.'],
    date: '{d} {m} {y}',
    monthDay: '{d} {m}',
    weekdayMonthDay: '{w} {d} {m}',
  },
  de: {
    decimal: ',',
    group: '.',
    grouped: 4,
    percent: '{n}\u00a0%',
    units: [
      [1e12, '\u00a0Bio.'],
      [1e9, '\u00a0Mrd.'],
      [1e6, '\u00a0Mio.'],
    ],
    months: ['Jan.', 'Feb.', 'März', 'Apr.', 'Mai', 'Juni', 'Juli', 'Aug.', 'Sept.', 'Okt.', 'Nov.', 'Dez.'],
    weekdays: ['So.', 'Mo.', 'Di.', 'Mi.', 'Do.', 'Fr.', 'Sa.'],
    date: '{d}. {m} {y}',
    monthDay: '{d}. {m}',
    weekdayMonthDay: '{w}, {d}. {m}',
  },
};
