import { describe, expect, test } from 'vitest';
import { dialectOf, HeaderTargets } from '../../../domain/scans/dialect.ts';

describe('headers that look like others', () => {
  const mapped = (headers: string) => {
    const cells = ['Governor ID', 'Name', 'Power', ...headers.split(',')];
    const { mapped: found } = new HeaderTargets(dialectOf(cells) ?? expect.fail(), cells);
    return Object.fromEntries(found.map(({ header, column, why }) => [header, column ?? why]));
  };

  test('mean no figure if they are shares, gains or sums of tiers', () => {
    expect(mapped('Power %,+/- Kill Points,Deads ±,T4+ Kills,Kills (T4+),T4+T5 Kills,T45 Kills,T5+')).toMatchObject({
      Power: 'power',
      'Power %': 'unknown',
      '+/- Kill Points': 'unknown',
      'Deads ±': 'unknown',
      'T4+ Kills': 'needless',
      'Kills (T4+)': 'needless',
      'T4+T5 Kills': 'needless',
      'T45 Kills': 'needless',
      'T5+': 'unknown',
    });
  });

  test('mean the kills of a tier in either word order', () => {
    expect(mapped('Kills T4,T5 kill,T3-Kills,Tier 2 Kills')).toMatchObject({
      'Kills T4': 'killcount_t4',
      'T5 kill': 'killcount_t5',
      'T3-Kills': 'killcount_t3',
      'Tier 2 Kills': 'killcount_t2',
    });
  });
});

describe('headers with times side by side', () => {
  const staged = (headers: string) => {
    const cells = ['Player ID', 'Name', ...headers.split(',')];
    const { mapped, stages } = new HeaderTargets(dialectOf(cells) ?? expect.fail(), cells);
    return { stages, told: Object.fromEntries(mapped.map(({ header, stage, why }) => [header, stage ?? why])) };
  };

  test('are found by words of wars, by days, and by other words in three columns', () => {
    for (const moment of ['Pass 4', 'Pas 4', 'KVK End', 'Altar', 'start', '(Zone 5)', '5 Dec', '2026-01-05', 'p7'])
      expect(staged(`Power ${moment},Kill Score ${moment}`).stages).toEqual([moment]);
    expect(staged('Power Crossing,Kill Score Crossing').stages).toEqual([]);
    expect(staged('Power Crossing,Kill Score Crossing,Deads Crossing').stages).toEqual(['Crossing']);
    expect(staged('Power_before,Power_after,Total Deaths_before,Total Deaths_after').stages).toEqual([
      'before',
      'after',
    ]);
  });

  test('exclude differences, ranks, shares and goals', () => {
    const words = [
      'Difference Pass 4',
      'Gained',
      'Change',
      'Pass 4 %',
      'Rank',
      '+/- Pass 4',
      'Δ Pass 4',
      'Lost KvK',
      'Goal',
    ];
    for (const word of words) {
      const { stages, told } = staged(`Power ${word},Kill Score ${word},Deads ${word},Power Pass 4`);
      expect([word, stages, told[`Power ${word}`]]).toEqual([word, ['Pass 4'], 'unknown']);
    }
  });

  test('stay few for any number of headers and words', () => {
    expect(staged(`Power ${'pass '.repeat(12)}`).stages).toEqual([]);
  });
});

describe('headers in the words of a language', () => {
  const rows: [language: string, headers: string][] = [
    ['short', 'Gov ID,Gov Name,Power,KP,Dead,T4 Kills,Rss,Alliance'],
    ['Russian', 'ID губернатора,Имя,Мощь,Суммарные очки убийств,Смерти,Убийства T4,Собранные ресурсы,Альянс'],
    ['Spanish', 'ID del gobernador,Nombre,Poder,Puntos de muerte,Muertos,Muertes T4,Recursos recolectados,Alianza'],
    ['German', 'Gouverneurs-ID,Spielername,Macht,Kill-Punkte,Tote,T4 Kills,Gesammelte Ressourcen,Allianz'],
    ['Turkish', 'VALİ ID,İsim,GÜÇ,Öldürme Puanı,Ölü,T4 Öldürme,Toplanan Kaynaklar,İttifak'],
    ['Portuguese', 'ID do governador,Nome,Poder,Pontos de abate,Mortos,Abates T4,Recursos coletados,Aliança'],
    ['Vietnamese', 'ID thống đốc,Tên,Sức mạnh,Điểm hạ gục,Tử trận,Diệt T4,Tài nguyên thu thập,Liên minh'],
    ['Chinese', '总督ID,名字,战力,击杀点,阵亡,T4击杀,采集资源,联盟'],
    ['Korean', '총독 ID,이름,전투력,킬 포인트,전사자,T4 킬,자원 채집,연맹'],
    ['Japanese', '総督ID,名前,戦力,キルポイント,戦死,T4撃破,採集資源,同盟'],
  ];
  test.each(rows)('%s', (_, headers) => {
    const cells = headers.split(',');
    const { mapped } = new HeaderTargets(dialectOf(cells) ?? expect.fail(), cells);
    expect(mapped.map(({ column }) => column)).toEqual(
      'governor_id,name,power,killpoints,deads,killcount_t4,rss_gathered,alliance'.split(','),
    );
    // Case and accents do not matter.
    expect(dialectOf(cells.map((cell) => cell.toUpperCase().normalize('NFD')))?.game).toBe('rok');
  });

  test('an ID alone identifies no game', () => {
    expect(dialectOf(['ID', 'Имя'])).toBeNull();
    expect(dialectOf(['ID', 'Мощь'])?.game).toBe('rok');
  });
});
