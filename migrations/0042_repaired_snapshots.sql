-- An item refers to its newest snapshot. Those of a repaired item are listed with it, so that none is searched among all
-- scans of its kingdom. The trigger lists them also while the release before still runs.
ALTER TABLE `items` ADD `snapshot_ids` text;--> statement-breakpoint
UPDATE `items` SET `snapshot_ids` = (
	SELECT json_group_array(own.`id`) FROM `snapshots` own
	WHERE own.`game` = `items`.`game` AND own.`kingdom_id` = `items`.`kingdom_id` AND own.`item_id` = `items`.`id`
) WHERE `version` > 1;--> statement-breakpoint
CREATE TRIGGER `snapshots_repaired` AFTER INSERT ON `snapshots` WHEN NEW.`version` > 1 BEGIN
	UPDATE `items` SET `snapshot_ids` = json_insert(coalesce(`snapshot_ids`, json_array(`snapshot_id`)), '$[#]', NEW.`id`)
	WHERE `id` = NEW.`item_id` AND NEW.`id` NOT IN (SELECT `value` FROM json_each(`items`.`snapshot_ids`));
END;
