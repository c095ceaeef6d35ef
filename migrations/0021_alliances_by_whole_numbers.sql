-- Alliances were entered as those of kingdom '11.0', where nobody looked for those that are gone.
DELETE FROM `search_entries`
WHERE `kind` = 'alliance' AND `ref` LIKE '%.0:%' AND instr(`ref`, '.0:') < instr(`ref`, ':') AND EXISTS (
  SELECT 1 FROM `search_entries` AS `same` WHERE `same`.`game` = `search_entries`.`game` AND `same`.`kind` = 'alliance'
    AND `same`.`ref` = CAST(`search_entries`.`ref` AS INTEGER) || substr(`search_entries`.`ref`, instr(`search_entries`.`ref`, ':')));
--> statement-breakpoint
UPDATE `search_entries` SET `ref` = CAST(`ref` AS INTEGER) || substr(`ref`, instr(`ref`, ':'))
WHERE `kind` = 'alliance' AND `ref` LIKE '%.0:%' AND instr(`ref`, '.0:') < instr(`ref`, ':');
