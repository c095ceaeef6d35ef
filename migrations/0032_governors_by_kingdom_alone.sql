DROP INDEX `governors_kingdom`;--> statement-breakpoint
CREATE INDEX `governors_kingdom` ON `governors` (`game`,`kingdom_id`);