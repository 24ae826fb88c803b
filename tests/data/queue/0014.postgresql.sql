SELECT pg_catalog.set_config('search_path', '', false);
CREATE FUNCTION public.bests_entries_delete() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin delete from bests where old.state = 'done' and challenge = old.challenge and team = old.team;  return null; end $$;
CREATE FUNCTION public.bests_entries_insert() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin delete from bests where new.state = 'done' and challenge = new.challenge and team = new.team;  return null; end $$;
CREATE FUNCTION public.bests_entries_update() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin delete from bests where old.state = 'done' and challenge = old.challenge and team = old.team; delete from bests where new.state = 'done' and challenge = new.challenge and team = new.team;  return null; end $$;
CREATE FUNCTION public.bests_results_delete() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin delete from bests where (challenge, team) in (select challenge, team from entries where id = old.entry and state = 'done');  return null; end $$;
CREATE FUNCTION public.bests_results_insert() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin delete from bests where (challenge, team) in (select challenge, team from entries where id = new.entry and state = 'done');  return null; end $$;
CREATE FUNCTION public.bests_results_update() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin delete from bests where (challenge, team) in (select challenge, team from entries where id = old.entry and state = 'done'); delete from bests where (challenge, team) in (select challenge, team from entries where id = new.entry and state = 'done');  return null; end $$;
CREATE FUNCTION public.bests_scores_delete() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin delete from bests where (challenge, team) in (select challenge, team from entries where id = old.entry and state = 'done');  return null; end $$;
CREATE FUNCTION public.bests_scores_insert() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin delete from bests where (challenge, team) in (select challenge, team from entries where id = new.entry and state = 'done');  return null; end $$;
CREATE FUNCTION public.bests_scores_update() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ begin delete from bests where (challenge, team) in (select challenge, team from entries where id = old.entry and state = 'done'); delete from bests where (challenge, team) in (select challenge, team from entries where id = new.entry and state = 'done');  return null; end $$;
CREATE TABLE public.accounts (
    entry character varying(24) NOT NULL,
    phase character varying(500) NOT NULL,
    number integer NOT NULL,
    bits double precision NOT NULL,
    terms text NOT NULL,
    shown boolean,
    score double precision,
    best double precision
);
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.answers (
    address character varying(320) NOT NULL,
    key character varying(255) NOT NULL,
    request character varying(64) NOT NULL,
    status integer NOT NULL,
    body text NOT NULL,
    at double precision NOT NULL
);
CREATE TABLE public.bests (
    challenge character varying(500) NOT NULL,
    team character varying(100) NOT NULL,
    rules character varying(200) NOT NULL,
    attempt text NOT NULL
);
CREATE TABLE public.details (
    sha256 character varying(64) NOT NULL,
    data bytea NOT NULL
);
CREATE TABLE public.entries (
    id character varying(24) NOT NULL,
    number integer NOT NULL,
    challenge character varying(500) NOT NULL,
    team character varying(100) NOT NULL,
    name character varying(255) NOT NULL,
    sha256 character varying(64) NOT NULL,
    bytes bigint NOT NULL,
    commit character varying(64) NOT NULL,
    state character varying(10) NOT NULL,
    attempt integer NOT NULL,
    charged boolean NOT NULL,
    submitted double precision NOT NULL,
    changed double precision NOT NULL,
    owner character varying(200) DEFAULT ''::character varying NOT NULL,
    flow integer DEFAULT 0 NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    plan text DEFAULT ''::text NOT NULL
);
CREATE TABLE public.fault_entries (
    fault integer NOT NULL,
    entry character varying(24) NOT NULL,
    attempt integer NOT NULL
);
CREATE TABLE public.faults (
    id integer NOT NULL,
    part character varying(20) NOT NULL,
    name character varying(500) NOT NULL,
    stage character varying(10) NOT NULL,
    message text NOT NULL,
    lines text NOT NULL,
    first double precision NOT NULL,
    last double precision NOT NULL,
    times integer NOT NULL,
    streak text NOT NULL,
    challenges text NOT NULL,
    stopped boolean NOT NULL,
    resolved double precision NOT NULL
);
CREATE TABLE public.hosts (
    executor character varying(200) NOT NULL,
    name character varying(100) NOT NULL,
    place character varying(500) NOT NULL,
    slots integer NOT NULL,
    version character varying(50) NOT NULL,
    flow character varying(20) NOT NULL,
    started double precision NOT NULL,
    expires double precision NOT NULL,
    gpus integer DEFAULT 0 NOT NULL,
    ttl double precision DEFAULT '0'::double precision NOT NULL,
    threads text DEFAULT ''::text NOT NULL
);
CREATE TABLE public.identities (
    issuer character varying(500) NOT NULL,
    subject character varying(255) NOT NULL,
    address character varying(320) NOT NULL,
    since double precision NOT NULL
);
CREATE TABLE public.journal (
    number integer NOT NULL,
    at double precision NOT NULL,
    entry character varying(24) NOT NULL,
    event character varying(20) NOT NULL,
    data text NOT NULL,
    chain character varying(64) NOT NULL
);
CREATE SEQUENCE public.journal_number_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.journal_number_seq OWNED BY public.journal.number;
CREATE TABLE public.journal_parts (
    first integer NOT NULL,
    last integer NOT NULL,
    chain character varying(64) NOT NULL,
    lines text NOT NULL
);
CREATE SEQUENCE public.journal_parts_first_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.journal_parts_first_seq OWNED BY public.journal_parts.first;
CREATE TABLE public.links (
    digest character varying(64) NOT NULL,
    kind character varying(20) NOT NULL,
    subject character varying(2000) NOT NULL,
    created double precision NOT NULL,
    expires double precision NOT NULL
);
CREATE TABLE public.members (
    team character varying(100) NOT NULL,
    address character varying(320) NOT NULL,
    name character varying(200) DEFAULT ''::character varying NOT NULL,
    role character varying(20) NOT NULL,
    mail boolean NOT NULL,
    person character varying(320) DEFAULT ''::character varying NOT NULL,
    own boolean DEFAULT false NOT NULL
);
CREATE TABLE public.results (
    entry character varying(24) NOT NULL,
    attempt integer NOT NULL,
    stage character varying(10) NOT NULL,
    verdict character varying(20) NOT NULL,
    instructions bigint NOT NULL,
    wall_seconds double precision NOT NULL,
    result text NOT NULL,
    at double precision NOT NULL
);
CREATE TABLE public.scores (
    entry character varying(24) NOT NULL,
    attempt integer NOT NULL,
    key character varying(100) NOT NULL,
    value double precision,
    score text NOT NULL,
    at double precision NOT NULL,
    low double precision,
    high double precision,
    judged character varying(64) DEFAULT ''::character varying NOT NULL
);
CREATE TABLE public.sessions (
    digest character varying(64) NOT NULL,
    address character varying(320) NOT NULL,
    created double precision NOT NULL,
    expires double precision NOT NULL
);
CREATE TABLE public.settings (
    key character varying(200) NOT NULL,
    value text NOT NULL
);
CREATE TABLE public.shadows (
    entry character varying(24) NOT NULL,
    attempt integer NOT NULL,
    purpose character varying(100) NOT NULL,
    challenge character varying(500) NOT NULL,
    "references" text NOT NULL,
    base integer NOT NULL,
    first character varying(10) NOT NULL,
    state character varying(10) NOT NULL,
    changed double precision NOT NULL,
    adopted boolean NOT NULL,
    owner character varying(200) NOT NULL,
    flow integer NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    plan text DEFAULT ''::text NOT NULL
);
CREATE TABLE public.shares (
    queue character varying(10) NOT NULL,
    team character varying(100) NOT NULL,
    tag double precision NOT NULL
);
CREATE TABLE public.tasks (
    entry character varying(24) NOT NULL,
    attempt integer NOT NULL,
    task character varying(20) NOT NULL,
    number integer NOT NULL,
    stage character varying(10) NOT NULL,
    tag double precision NOT NULL,
    executor character varying(200) NOT NULL,
    since double precision NOT NULL,
    deadline double precision,
    gpus text DEFAULT '[]'::text NOT NULL,
    turn integer DEFAULT 0 NOT NULL,
    place bigint DEFAULT '0'::bigint NOT NULL,
    seconds double precision DEFAULT '0'::double precision NOT NULL,
    shards integer DEFAULT 1 NOT NULL,
    avoid text DEFAULT ''::text NOT NULL
);
CREATE TABLE public.team_names (
    folded character varying(2000) NOT NULL,
    name character varying(100) NOT NULL,
    team character varying(100) NOT NULL
);
CREATE TABLE public.teams (
    name character varying(100) NOT NULL,
    since double precision NOT NULL
);
CREATE TABLE public.ties (
    challenge character varying(500) NOT NULL,
    rules character varying(200) NOT NULL,
    digest character varying(64) NOT NULL,
    letters text NOT NULL
);
CREATE TABLE public.tokens (
    digest character varying(64) NOT NULL,
    id character varying(24) NOT NULL,
    address character varying(320) NOT NULL,
    name character varying(100) NOT NULL,
    scopes character varying(100) NOT NULL,
    created double precision NOT NULL,
    expires double precision NOT NULL
);
CREATE TABLE public.uploads (
    id character varying(64) NOT NULL,
    address character varying(320) NOT NULL,
    team character varying(100) NOT NULL,
    challenge character varying(500) NOT NULL,
    name character varying(255) NOT NULL,
    bytes bigint NOT NULL,
    received bigint NOT NULL,
    entry character varying(24) DEFAULT ''::character varying NOT NULL,
    error text DEFAULT ''::text NOT NULL,
    created double precision NOT NULL,
    source text DEFAULT ''::text NOT NULL,
    arrived double precision,
    fault text DEFAULT ''::text NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    again double precision DEFAULT '0'::double precision NOT NULL
);
CREATE TABLE public.usual (
    challenge character varying(500) NOT NULL,
    stage character varying(10) NOT NULL,
    seconds text NOT NULL
);
ALTER TABLE ONLY public.journal ALTER COLUMN number SET DEFAULT nextval('public.journal_number_seq'::regclass);
ALTER TABLE ONLY public.journal_parts ALTER COLUMN first SET DEFAULT nextval('public.journal_parts_first_seq'::regclass);
INSERT INTO public.alembic_version VALUES ('0014');
INSERT INTO public.entries VALUES ('e1', 1, 'cinc2017', 'team 1', 'e1.zip', '0000000000000000000000000000000000000000000000000000000000000001', 10, '', 'done', 1, true, 101, 201, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.entries VALUES ('e2', 2, 'cinc2017', 'team 0', 'e2.zip', '0000000000000000000000000000000000000000000000000000000000000002', 10, '', 'parked', 1, false, 102, 202, '', 0, '{"cause": "earlier", "message": "quiz: the infrastructure is at fault: SandboxFault: the guest closed its channel"}', '');
INSERT INTO public.entries VALUES ('e3', 3, 'cinc2017', 'team 1', 'e3.zip', '0000000000000000000000000000000000000000000000000000000000000003', 10, '', 'queued', 1, false, 103, 203, '', 0, '', '');
INSERT INTO public.entries VALUES ('e4', 4, 'cinc2017', 'team 0', 'e4.zip', '0000000000000000000000000000000000000000000000000000000000000004', 10, '', 'cancelled', 1, false, 104, 204, '', 0, '{"cause": "organiser"}', '');
INSERT INTO public.entries VALUES ('e5', 5, 'cinc2017', 'team 1', 'e5.zip', '0000000000000000000000000000000000000000000000000000000000000005', 10, '', 'exam', 1, true, 105, 205, '', 0, '{"cause": "earlier", "message": "try 2 in 30 s: SandboxFault: the guest closed its channel"}', '');
INSERT INTO public.hosts VALUES ('green:1', 'green', 'p', 2, '0.1.0', 'flow2', 90, 9000000000, 0, 0, '');
INSERT INTO public.journal VALUES (1, 101, 'e1', 'submitted', '{"challenge": "cinc2017", "team": "team 1", "name": "e1.zip", "sha256": "0000000000000000000000000000000000000000000000000000000000000001", "bytes": 10, "commit": "", "number": 1}', '9ad2d3809b4b3ed4553f37b93707d294cf782e7fd8cfe6ecb7aae304cbc59067');
INSERT INTO public.journal VALUES (2, 102, 'e1', 'charged', '{"charged": true}', '1fea580f42d26c5551a6110d4cca5080c4def3dee9e6ab5b4a1762d28762433f');
INSERT INTO public.journal VALUES (3, 103, 'e1', 'moved', '{"to": "done", "detail": "OK", "charged": null}', '0535e87c0abefb5c25994e8c1feabddfcce2ca05b164b50eff955a6520ba9c9d');
INSERT INTO public.journal VALUES (4, 104, 'e2', 'submitted', '{"challenge": "cinc2017", "team": "team 0", "name": "e2.zip", "sha256": "0000000000000000000000000000000000000000000000000000000000000002", "bytes": 10, "commit": "", "number": 2}', '376f3dc7d472d89e87ab4f719e412ff9d41461c5c281fdbe3209913581859c4c');
INSERT INTO public.journal VALUES (5, 105, 'e2', 'moved', '{"to": "parked", "detail": "quiz: the infrastructure is at fault: SandboxFault: the guest closed its channel", "charged": null}', 'ab093d91e8308bf497c4f0069b50a1a98b6528c81ab9072df0badda13c04df67');
INSERT INTO public.journal VALUES (6, 106, 'e3', 'submitted', '{"challenge": "cinc2017", "team": "team 1", "name": "e3.zip", "sha256": "0000000000000000000000000000000000000000000000000000000000000003", "bytes": 10, "commit": "", "number": 3}', '501c2f7ea3f1a1e10510dedae9a9c91ad6f7aeff57b531a45797e80a5f56fd91');
INSERT INTO public.journal VALUES (7, 107, 'e4', 'submitted', '{"challenge": "cinc2017", "team": "team 0", "name": "e4.zip", "sha256": "0000000000000000000000000000000000000000000000000000000000000004", "bytes": 10, "commit": "", "number": 4}', '367f3895928dcefd829332b694cae8a840c14a5f8db2ff87273e073b41e62e18');
INSERT INTO public.journal VALUES (8, 108, 'e4', 'moved', '{"to": "cancelled", "detail": "by the organiser", "charged": null}', 'a1676070e331838d90548581d505cdf984f041d59c36462d827b7fedaa2853d0');
INSERT INTO public.journal VALUES (9, 109, 'e5', 'submitted', '{"challenge": "cinc2017", "team": "team 1", "name": "e5.zip", "sha256": "0000000000000000000000000000000000000000000000000000000000000005", "bytes": 10, "commit": "", "number": 5}', '0b66f6591acc5ebc847edcc9296c9843da1f08b2b4224719852dba3ca76235fa');
INSERT INTO public.journal VALUES (10, 110, 'e5', 'charged', '{"charged": true}', '5a9adc864eb3c944f0ee055b6db77ed0f249a693bbd35eeeb2c87e04f6ad8907');
INSERT INTO public.journal VALUES (11, 111, 'e5', 'moved', '{"to": "exam", "detail": "try 2 in 30 s: SandboxFault: the guest closed its channel", "charged": null}', '04870e810823a85e51ef8e1027992cdd6fc7026d03739159663fd643d9cd90d0');
INSERT INTO public.journal VALUES (12, 112, 'e1', 'result', '{"stage": "prep", "attempt": 1, "result": {"stage": "prep", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}}', '4826f2ca4ddca95b7039b80532b19977318c96b04841409b22f2573704049304');
INSERT INTO public.journal VALUES (13, 113, 'e1', 'result', '{"stage": "quiz", "attempt": 1, "result": {"stage": "quiz", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}}', 'da24f66ebdde74a374683f7c834bcd108b12c06c5c5c6a0eab9efaa47579db88');
INSERT INTO public.journal VALUES (14, 114, 'e1', 'result', '{"stage": "exam", "attempt": 1, "result": {"stage": "exam", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}}', '8b09c6df20250718291c33601d5b141d1272ed38502025e7ceccada2241a49fd');
INSERT INTO public.journal VALUES (15, 115, 'e1', 'result', '{"stage": "score", "attempt": 1, "result": {"stage": "score", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}}', '9cb1a30e7f10c212e4c454ff6ef9c0172cc32d5692aeab5227bd4cdf4e48fe61');
INSERT INTO public.journal VALUES (16, 116, 'e1', 'score', '{"attempt": 1, "score": {"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "intervals": {}, "notes": []}}', '3656a04dbe116272d652394d7e95aa2dc859c8a7355b9a6231caf2664a67ea2a');
INSERT INTO public.journal VALUES (17, 117, 'e1', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'a3d407e4fa420b6265b6ce0187bb7a970519b7e543c1dbb3bfe995cc97b45e13');
INSERT INTO public.journal VALUES (18, 118, 'e1', 'shadow-moved', '{"attempt": 2, "to": "cancelled", "detail": "discarded"}', 'fd6eb7cad4dec0f6c48177b7e9cec7553248b49bdd1d9bbe6add380a573d0e72');
INSERT INTO public.journal VALUES (19, 119, 'e1', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '8af2c23662eacaec72c3bc0b43b44387269518465c9a61456d931cc0515cab26');
INSERT INTO public.journal VALUES (20, 120, 'e1', 'shadow-moved', '{"attempt": 3, "to": "parked", "detail": "score: no references"}', 'fdfda640a1e521d0f70bd48a2bf2130910d1985f3a9afd9d97f95588c8c0f721');
INSERT INTO public.results VALUES ('e1', 1, 'prep', 'OK', 5, 0.5, '{"stage": "prep", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}', 150);
INSERT INTO public.results VALUES ('e1', 1, 'quiz', 'OK', 5, 0.5, '{"stage": "quiz", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}', 150);
INSERT INTO public.results VALUES ('e1', 1, 'exam', 'OK', 5, 0.5, '{"stage": "exam", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}', 150);
INSERT INTO public.results VALUES ('e1', 1, 'score', 'OK', 5, 0.5, '{"stage": "score", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}', 150);
INSERT INTO public.scores VALUES ('e1', 1, 'F1', 0.5, '{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "intervals": {}, "notes": []}', 151, NULL, NULL, '');
INSERT INTO public.settings VALUES ('times-exact-after', '0');
INSERT INTO public.settings VALUES ('rejudgings', '2');
INSERT INTO public.shadows VALUES ('e1', 2, 'r1', 'cinc2017', '', 1, 'score', 'cancelled', 300, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('e1', 3, 'r2', 'cinc2017', '', 1, 'score', 'parked', 300, false, '', 0, '{"cause": "earlier", "message": "score: no references"}', '');
INSERT INTO public.shares VALUES ('entries', 'team 0', 2);
INSERT INTO public.shares VALUES ('entries', '', 1);
INSERT INTO public.tasks VALUES ('e5', 1, 'exam-0', 1, 'exam', 1.5, 'green:1', 210, 400, '[]', 0, 0, 0, 1, '');
SELECT pg_catalog.setval('public.journal_number_seq', 1, false);
SELECT pg_catalog.setval('public.journal_parts_first_seq', 1, false);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (entry);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.answers
    ADD CONSTRAINT answers_pkey PRIMARY KEY (address, key);
ALTER TABLE ONLY public.bests
    ADD CONSTRAINT bests_pkey PRIMARY KEY (challenge, team, rules);
ALTER TABLE ONLY public.details
    ADD CONSTRAINT details_pkey PRIMARY KEY (sha256);
ALTER TABLE ONLY public.entries
    ADD CONSTRAINT entries_number_key UNIQUE (number);
ALTER TABLE ONLY public.entries
    ADD CONSTRAINT entries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.fault_entries
    ADD CONSTRAINT fault_entries_pkey PRIMARY KEY (fault, entry, attempt);
ALTER TABLE ONLY public.faults
    ADD CONSTRAINT faults_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.hosts
    ADD CONSTRAINT hosts_pkey PRIMARY KEY (executor);
ALTER TABLE ONLY public.identities
    ADD CONSTRAINT identities_pkey PRIMARY KEY (issuer, subject);
ALTER TABLE ONLY public.journal_parts
    ADD CONSTRAINT journal_parts_pkey PRIMARY KEY (first);
ALTER TABLE ONLY public.journal
    ADD CONSTRAINT journal_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (team, address);
ALTER TABLE ONLY public.results
    ADD CONSTRAINT results_pkey PRIMARY KEY (entry, attempt, stage);
ALTER TABLE ONLY public.scores
    ADD CONSTRAINT scores_pkey PRIMARY KEY (entry, attempt);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.shadows
    ADD CONSTRAINT shadows_pkey PRIMARY KEY (entry, attempt);
ALTER TABLE ONLY public.shares
    ADD CONSTRAINT shares_pkey PRIMARY KEY (queue, team);
ALTER TABLE ONLY public.tasks
    ADD CONSTRAINT tasks_pkey PRIMARY KEY (entry, attempt, task);
ALTER TABLE ONLY public.team_names
    ADD CONSTRAINT team_names_pkey PRIMARY KEY (folded);
ALTER TABLE ONLY public.teams
    ADD CONSTRAINT teams_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.ties
    ADD CONSTRAINT ties_pkey PRIMARY KEY (challenge, rules);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_id_key UNIQUE (id);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.usual
    ADD CONSTRAINT usual_pkey PRIMARY KEY (challenge, stage);
CREATE INDEX entries_by_challenge ON public.entries USING btree (challenge, team, state, charged, number, submitted, attempt, id);
CREATE INDEX entries_by_change ON public.entries USING btree (state, changed);
CREATE INDEX entries_by_state ON public.entries USING btree (state, team, number);
CREATE INDEX fault_entries_by_entry ON public.fault_entries USING btree (entry);
CREATE INDEX faults_by_part ON public.faults USING btree (resolved, part, name);
CREATE UNIQUE INDEX identities_by_address ON public.identities USING btree (issuer, address);
CREATE INDEX journal_by_entry ON public.journal USING btree (entry, number);
CREATE UNIQUE INDEX members_once ON public.members USING btree (person, team);
CREATE UNIQUE INDEX members_own ON public.members USING btree (person) WHERE own;
CREATE INDEX scores_by_value ON public.scores USING btree (entry, attempt, value);
CREATE INDEX sessions_by_address ON public.sessions USING btree (address);
CREATE INDEX shadows_by_purpose ON public.shadows USING btree (purpose);
CREATE INDEX shadows_by_state ON public.shadows USING btree (state);
CREATE INDEX tasks_by_place ON public.tasks USING btree (executor, place, since);
CREATE INDEX team_names_by_team ON public.team_names USING btree (team);
CREATE INDEX tokens_by_address ON public.tokens USING btree (address);
CREATE INDEX uploads_by_team ON public.uploads USING btree (team);
CREATE TRIGGER bests_entries_delete AFTER DELETE ON public.entries FOR EACH ROW EXECUTE FUNCTION public.bests_entries_delete();
CREATE TRIGGER bests_entries_insert AFTER INSERT ON public.entries FOR EACH ROW EXECUTE FUNCTION public.bests_entries_insert();
CREATE TRIGGER bests_entries_update AFTER UPDATE OF challenge, team, number, submitted, state, attempt, charged ON public.entries FOR EACH ROW EXECUTE FUNCTION public.bests_entries_update();
CREATE TRIGGER bests_results_delete AFTER DELETE ON public.results FOR EACH ROW EXECUTE FUNCTION public.bests_results_delete();
CREATE TRIGGER bests_results_insert AFTER INSERT ON public.results FOR EACH ROW EXECUTE FUNCTION public.bests_results_insert();
CREATE TRIGGER bests_results_update AFTER UPDATE ON public.results FOR EACH ROW EXECUTE FUNCTION public.bests_results_update();
CREATE TRIGGER bests_scores_delete AFTER DELETE ON public.scores FOR EACH ROW EXECUTE FUNCTION public.bests_scores_delete();
CREATE TRIGGER bests_scores_insert AFTER INSERT ON public.scores FOR EACH ROW EXECUTE FUNCTION public.bests_scores_insert();
CREATE TRIGGER bests_scores_update AFTER UPDATE ON public.scores FOR EACH ROW EXECUTE FUNCTION public.bests_scores_update();
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_entry_fkey FOREIGN KEY (entry) REFERENCES public.entries(id);
ALTER TABLE ONLY public.fault_entries
    ADD CONSTRAINT fault_entries_entry_fkey FOREIGN KEY (entry) REFERENCES public.entries(id);
ALTER TABLE ONLY public.fault_entries
    ADD CONSTRAINT fault_entries_fault_fkey FOREIGN KEY (fault) REFERENCES public.faults(id);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_team_fkey FOREIGN KEY (team) REFERENCES public.teams(name);
ALTER TABLE ONLY public.results
    ADD CONSTRAINT results_entry_fkey FOREIGN KEY (entry) REFERENCES public.entries(id);
ALTER TABLE ONLY public.scores
    ADD CONSTRAINT scores_entry_fkey FOREIGN KEY (entry) REFERENCES public.entries(id);
ALTER TABLE ONLY public.shadows
    ADD CONSTRAINT shadows_entry_fkey FOREIGN KEY (entry) REFERENCES public.entries(id);
ALTER TABLE ONLY public.tasks
    ADD CONSTRAINT tasks_entry_fkey FOREIGN KEY (entry) REFERENCES public.entries(id);
ALTER TABLE ONLY public.team_names
    ADD CONSTRAINT team_names_team_fkey FOREIGN KEY (team) REFERENCES public.teams(name);
