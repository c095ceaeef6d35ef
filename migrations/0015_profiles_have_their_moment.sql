ALTER TABLE `alliances` ADD `read` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `governors` ADD `profile_at` integer;--> statement-breakpoint
ALTER TABLE `kingdom_days` ADD `alliances` text;