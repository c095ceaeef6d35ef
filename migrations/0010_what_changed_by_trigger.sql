-- What changes in a governor's row between two scans, whichever way the newer one came in.
CREATE TRIGGER `governors_changed` BEFORE UPDATE OF `kingdom_id`, `name`, `alliance_tag` ON `governors`
WHEN OLD.`name` <> NEW.`name` OR OLD.`alliance_tag` <> NEW.`alliance_tag` OR OLD.`kingdom_id` <> NEW.`kingdom_id`
BEGIN
	INSERT OR IGNORE INTO `governor_changes`
		(`game`, `governor_id`, `field`, `captured_at`, `old_value`, `new_value`, `kingdom_id`)
	SELECT OLD.`game`, OLD.`governor_id`, `field`, NEW.`captured_at`, `old_value`, `new_value`, NEW.`kingdom_id`
	FROM (
		SELECT 'name' AS `field`, OLD.`name` AS `old_value`, NEW.`name` AS `new_value`
		UNION ALL SELECT 'alliance_tag', OLD.`alliance_tag`, NEW.`alliance_tag`
		UNION ALL SELECT 'kingdom_id', CAST(OLD.`kingdom_id` AS TEXT), CAST(NEW.`kingdom_id` AS TEXT))
	WHERE `old_value` <> `new_value`;
END;
