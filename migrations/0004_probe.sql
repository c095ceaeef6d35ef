ALTER TABLE `schedules` ADD `idempotency_key` text;--> statement-breakpoint
CREATE UNIQUE INDEX `schedules_idempotency` ON `schedules` (`user_id`,`idempotency_key`);--> statement-breakpoint
CREATE INDEX `snapshots_item` ON `snapshots` (`item_id`,`version`);