ALTER TABLE `orders` ADD `announced_at` integer;--> statement-breakpoint
ALTER TABLE `schedules` ADD `paused_by_lock` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `alerts` ADD `mailed_at` integer;--> statement-breakpoint
CREATE INDEX `subtasks_cancelled` ON `subtasks` (`item_id`) WHERE "subtasks"."state" = 'cancelled';--> statement-breakpoint
-- Whatever was posted was mailed before it. Orders that have ended were announced then.
UPDATE `alerts` SET `mailed_at` = `posted_at`;--> statement-breakpoint
UPDATE `orders` SET `announced_at` = `placed_at`
WHERE NOT EXISTS (SELECT 1 FROM `items` WHERE `order_id` = `orders`.`id` AND `state` IN ('open', 'finishing'));
