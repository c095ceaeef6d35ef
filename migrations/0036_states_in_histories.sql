-- Names, power and profiles move from `governors` into the packed files. All are packed again by the cron. Until then a
-- kingdom's governors come from its rows.
UPDATE `kingdoms` SET `packed_at` = NULL;--> statement-breakpoint
-- A kingdom's alliances are those of its day. Days of early releases have none.
UPDATE `kingdom_days` SET `alliances` = (
	SELECT json_group_array(json_object('tag', `tag`, 'name', `name`, 'members', `members`, 'power', `power`, 'score', `score`, 'read', `read`))
	FROM `alliances` AS `one` WHERE `one`.`game` = `kingdom_days`.`game` AND `one`.`kingdom_id` = `kingdom_days`.`kingdom_id`)
WHERE `alliances` IS NULL;
