ALTER TABLE `share_links` ADD `team_id` text;--> statement-breakpoint
CREATE INDEX `share_links_team` ON `share_links` (`team_id`) WHERE "share_links"."team_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `report_links` ADD `team_id` text;--> statement-breakpoint
CREATE INDEX `report_links_team` ON `report_links` (`team_id`) WHERE "report_links"."team_id" IS NOT NULL;