ALTER TABLE `kingdoms` ADD `packed_at` integer;--> statement-breakpoint
CREATE INDEX `kingdoms_unpacked` ON `kingdoms` (`game`) WHERE "kingdoms"."packed_at" IS NULL;