ALTER TABLE `items` ADD `returned_cents` integer DEFAULT 0 NOT NULL
  CONSTRAINT `never_more_than_was_paid` CHECK (`returned_cents` BETWEEN 0 AND `price_cents`);--> statement-breakpoint
CREATE INDEX `items_unfound` ON `items` (`game`,`kingdom_id`,`finished_at`) WHERE "items"."snapshot_id" IS NULL AND "items"."error" IS NOT NULL AND "items"."subtask_count" > 0;--> statement-breakpoint
CREATE INDEX `items_unread` ON `items` (`finished_at`) WHERE "items"."failed_count" > 0;--> statement-breakpoint
-- Until now only what was cancelled came back, and always whole.
UPDATE `items` SET `returned_cents` = `price_cents` WHERE `state` = 'cancelled';
