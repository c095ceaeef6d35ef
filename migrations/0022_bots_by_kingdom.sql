CREATE TABLE `refusals` (
	`item_id` text NOT NULL,
	`bot_id` text NOT NULL,
	`refused_at` integer NOT NULL,
	PRIMARY KEY(`item_id`, `bot_id`)
);
--> statement-breakpoint
ALTER TABLE `bots` ADD `kingdoms` text;--> statement-breakpoint
ALTER TABLE `subtasks` ADD `kingdom_id` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Only subtasks that bots still work on: a repair fills in the others.
UPDATE `subtasks` SET `kingdom_id` = (SELECT `kingdom_id` FROM `items` WHERE `items`.`id` = `subtasks`.`item_id`)
WHERE `state` IN ('waiting', 'leased');--> statement-breakpoint
CREATE INDEX `subtasks_kingdom_queue` ON `subtasks` (`game`,`kingdom_id`,`due`) WHERE "subtasks"."state" IN ('waiting', 'leased');--> statement-breakpoint
-- For orders that an earlier release of the Worker places on this schema.
CREATE TRIGGER `subtasks_kingdom` AFTER INSERT ON `subtasks` WHEN NEW.`kingdom_id` = 0 BEGIN
	UPDATE `subtasks` SET `kingdom_id` = (SELECT `kingdom_id` FROM `items` WHERE `items`.`id` = NEW.`item_id`) WHERE `id` = NEW.`id`;
END;
