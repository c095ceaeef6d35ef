ALTER TABLE `news` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `access_code_id` integer;--> statement-breakpoint
CREATE INDEX `users_access_code` ON `users` (`access_code_id`) WHERE "users"."access_code_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `users_created` ON `users` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `payments_created` ON `payments` (`created_at`,`id`);
--> statement-breakpoint
UPDATE `users` SET `access_code_id` = (
	SELECT `access_codes`.`id` FROM `audit_entries` JOIN `access_codes` ON `code` = json_extract(`detail`, '$.access_code')
	WHERE `audit_entries`.`user_id` = `users`.`id` AND `action` = 'account.created'
);
