-- Alliances were entered as those of kingdom '11.0', where nobody looked for those that are gone.
UPDATE `search_entries` SET `ref` = CAST(`ref` AS INTEGER) || substr(`ref`, instr(`ref`, ':'))
WHERE `kind` = 'alliance' AND `ref` LIKE '%.0:%' AND instr(`ref`, '.0:') < instr(`ref`, ':');
