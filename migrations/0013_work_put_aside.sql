CREATE TABLE `setbacks` (
	`job` text NOT NULL,
	`subject` text NOT NULL,
	`tries` integer NOT NULL,
	`begun_at` integer NOT NULL,
	`next_at` integer NOT NULL,
	`error` text,
	PRIMARY KEY(`job`, `subject`)
);
--> statement-breakpoint
CREATE INDEX `setbacks_begun` ON `setbacks` (`begun_at`);--> statement-breakpoint
ALTER TABLE `schedules` ADD `trying_for` integer;--> statement-breakpoint
ALTER TABLE `schedules` ADD `tries` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `schedules` ADD `try_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `schedules` ADD `missed_runs` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `schedules_trying` ON `schedules` (`try_at`) WHERE "schedules"."trying_for" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `subtasks` ADD `empty_by` text;