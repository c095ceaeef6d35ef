import { dataOf } from './client.ts';
import { api } from './typed.ts';

/** News. */

export const publishNews = (form: { title: string; body: string }) => dataOf(api.admin.news.$post({ json: form }));

export const removeNews = (id: number) => dataOf(api.admin.news[':id'].$delete({ param: { id: String(id) } }));
