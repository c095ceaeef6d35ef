CREATE TABLE `alerts` (
	`kind` text PRIMARY KEY NOT NULL,
	`text` text NOT NULL,
	`since` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`cleared_at` integer,
	`posted_at` integer
);
--> statement-breakpoint
CREATE TABLE `settling_items` (
	`item_id` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `items_finished` ON `items` (`finished_at`) WHERE "items"."finished_at" IS NOT NULL;