CREATE INDEX `share_links_user` ON `share_links` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `outbox_recipient` ON `outbox` (`recipient`,`created_at`);