SELECT pg_catalog.set_config('search_path', '', false);
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
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
    reason text DEFAULT ''::text NOT NULL
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
    gpus integer DEFAULT 0 NOT NULL
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
CREATE TABLE public.record_outcomes (
    entry character varying(24) NOT NULL,
    attempt integer NOT NULL,
    stage character varying(10) NOT NULL,
    record character varying(500) NOT NULL,
    verdict character varying(20) NOT NULL,
    instructions bigint NOT NULL,
    wall_seconds double precision NOT NULL
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
    at double precision NOT NULL
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
    reason text DEFAULT ''::text NOT NULL
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
    gpus text DEFAULT '[]'::text NOT NULL
);
ALTER TABLE ONLY public.journal ALTER COLUMN number SET DEFAULT nextval('public.journal_number_seq'::regclass);
INSERT INTO public.alembic_version VALUES ('0003');
INSERT INTO public.entries VALUES ('e1', 1, 'cinc2017', 'team 1', 'e1.zip', '0000000000000000000000000000000000000000000000000000000000000001', 10, '', 'done', 1, true, 101, 201, '', 0, '{"cause": "verdict", "verdict": "OK"}');
INSERT INTO public.entries VALUES ('e2', 2, 'cinc2017', 'team 0', 'e2.zip', '0000000000000000000000000000000000000000000000000000000000000002', 10, '', 'parked', 1, false, 102, 202, '', 0, '{"cause": "earlier", "message": "quiz: the infrastructure is at fault: SandboxFault: the guest closed its channel"}');
INSERT INTO public.entries VALUES ('e3', 3, 'cinc2017', 'team 1', 'e3.zip', '0000000000000000000000000000000000000000000000000000000000000003', 10, '', 'queued', 1, false, 103, 203, '', 0, '');
INSERT INTO public.entries VALUES ('e4', 4, 'cinc2017', 'team 0', 'e4.zip', '0000000000000000000000000000000000000000000000000000000000000004', 10, '', 'cancelled', 1, false, 104, 204, '', 0, '{"cause": "organiser"}');
INSERT INTO public.entries VALUES ('e5', 5, 'cinc2017', 'team 1', 'e5.zip', '0000000000000000000000000000000000000000000000000000000000000005', 10, '', 'exam', 1, true, 105, 205, '', 0, '{"cause": "earlier", "message": "try 2 in 30 s: SandboxFault: the guest closed its channel"}');
INSERT INTO public.hosts VALUES ('green:1', 'green', 'p', 2, '0.1.0', 'flow2', 90, 9000000000, 0);
INSERT INTO public.journal VALUES (1, 101, 'e1', 'submitted', '{"challenge": "cinc2017", "team": "team 1", "name": "e1.zip", "sha256": "0000000000000000000000000000000000000000000000000000000000000001", "bytes": 10, "commit": "", "number": 1}', '9ad2d3809b4b3ed4553f37b93707d294cf782e7fd8cfe6ecb7aae304cbc59067');
INSERT INTO public.journal VALUES (2, 102, 'e1', 'charged', '{"charged": true}', '1fea580f42d26c5551a6110d4cca5080c4def3dee9e6ab5b4a1762d28762433f');
INSERT INTO public.journal VALUES (3, 103, 'e1', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}', 'a5b46cce6ee562adaf8b46320389e1c6cdf03398fbff47420450c71bed4aeb22');
INSERT INTO public.journal VALUES (4, 104, 'e2', 'submitted', '{"challenge": "cinc2017", "team": "team 0", "name": "e2.zip", "sha256": "0000000000000000000000000000000000000000000000000000000000000002", "bytes": 10, "commit": "", "number": 2}', 'ea20dcd1c870388752f97cd927cdf493ae224e20dca37d46f3fdac702b85776a');
INSERT INTO public.journal VALUES (5, 105, 'e2', 'moved', '{"to": "parked", "reason": {"cause": "earlier", "message": "quiz: the infrastructure is at fault: SandboxFault: the guest closed its channel"}, "charged": null}', 'a97a01de7def4df527c76a5f255ecbe10c6a9453ffd2063ba2897939585719d2');
INSERT INTO public.journal VALUES (6, 106, 'e3', 'submitted', '{"challenge": "cinc2017", "team": "team 1", "name": "e3.zip", "sha256": "0000000000000000000000000000000000000000000000000000000000000003", "bytes": 10, "commit": "", "number": 3}', 'd8df482d0d6d51cae5d3e9a62e13d0b9c93b8b70555186d5164c65137a9f4aaa');
INSERT INTO public.journal VALUES (7, 107, 'e4', 'submitted', '{"challenge": "cinc2017", "team": "team 0", "name": "e4.zip", "sha256": "0000000000000000000000000000000000000000000000000000000000000004", "bytes": 10, "commit": "", "number": 4}', '33dcd4ddbcc73392bdaf8c7efc2804337ec2c62a94cd4c97d89996e13a188ae0');
INSERT INTO public.journal VALUES (8, 108, 'e4', 'moved', '{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}', '9cc955ffbb35a389a74694db2ec132a27b9c49d873e7b7f4f7a6347eaa6b35f1');
INSERT INTO public.journal VALUES (9, 109, 'e5', 'submitted', '{"challenge": "cinc2017", "team": "team 1", "name": "e5.zip", "sha256": "0000000000000000000000000000000000000000000000000000000000000005", "bytes": 10, "commit": "", "number": 5}', '1a77a1abb2fc8524d5986342786e7061cef2a3d723fe8929a09c954d7af565ef');
INSERT INTO public.journal VALUES (10, 110, 'e5', 'charged', '{"charged": true}', 'd4f0083b658835b34afc428de8a89869dbd1e04ed465637408606a00e37ee902');
INSERT INTO public.journal VALUES (11, 111, 'e5', 'moved', '{"to": "exam", "reason": {"cause": "earlier", "message": "try 2 in 30 s: SandboxFault: the guest closed its channel"}, "charged": null}', '4e7cf3a6f6d7a2629d100c7f6d33a525c314a7ceb46d2949a2f7f31c3ba35501');
INSERT INTO public.journal VALUES (12, 112, 'e1', 'result', '{"stage": "prep", "attempt": 1, "result": {"stage": "prep", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}}', '4f40bf9b9ec9558a7ff81d2095421d2a20073c91137bcd685abe92e2e38f6b89');
INSERT INTO public.journal VALUES (13, 113, 'e1', 'result', '{"stage": "quiz", "attempt": 1, "result": {"stage": "quiz", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}}', '0e4b6d89783dc053c66f0eae81d52d4525ba5eba2d26f32295f08f1ee1d56f83');
INSERT INTO public.journal VALUES (14, 114, 'e1', 'result', '{"stage": "exam", "attempt": 1, "result": {"stage": "exam", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}}', 'ad235ff845ae543444615ec1f1c51d9882af74afff94cf2dafb13fe1d69ea0c2');
INSERT INTO public.journal VALUES (15, 115, 'e1', 'result', '{"stage": "score", "attempt": 1, "result": {"stage": "score", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}}', '4ec50e153ae97f32006c97862b5f9d93fb859e6a2c06b87eefb685ee28d60f9e');
INSERT INTO public.journal VALUES (16, 116, 'e1', 'score', '{"attempt": 1, "score": {"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "intervals": {}, "notes": []}}', '074780dbfbaa0ce3e242a47cacaee5d05480fec8f13ef6f014a172cb801e3190');
INSERT INTO public.journal VALUES (17, 117, 'e1', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'de5b5a422835338448561e494f2f5eb07da0dd4c30305dccb8e47acfb98044f7');
INSERT INTO public.journal VALUES (18, 118, 'e1', 'shadow-moved', '{"attempt": 2, "to": "cancelled", "detail": "discarded"}', '90156fc29cdadb606190e761f309318afc7050aced60df58251a6e8d97a36c93');
INSERT INTO public.journal VALUES (19, 119, 'e1', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '47b321b8d3c47c307eca8169e2eb6f431754ca8ff329ff15852eb123a11ac7b9');
INSERT INTO public.journal VALUES (20, 120, 'e1', 'shadow-moved', '{"attempt": 3, "to": "parked", "detail": "score: no references"}', 'ac4ea6c051a2f73c57e60b43e54e3d7a817f16315390817ee58666f630af623c');
INSERT INTO public.record_outcomes VALUES ('e1', 1, 'exam', 'A1', 'OK', 5, 0.5);
INSERT INTO public.results VALUES ('e1', 1, 'prep', 'OK', 5, 0.5, '{"stage": "prep", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}', 150);
INSERT INTO public.results VALUES ('e1', 1, 'quiz', 'OK', 5, 0.5, '{"stage": "quiz", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}', 150);
INSERT INTO public.results VALUES ('e1', 1, 'exam', 'OK', 5, 0.5, '{"stage": "exam", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}', 150);
INSERT INTO public.results VALUES ('e1', 1, 'score', 'OK', 5, 0.5, '{"stage": "score", "verdict": "OK", "message": "", "usage": {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}, "records": [], "diagnostics": "", "machine": null}', 150);
INSERT INTO public.scores VALUES ('e1', 1, 'F1', 0.5, '{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "intervals": {}, "notes": []}', 151);
INSERT INTO public.settings VALUES ('rejudgings', '2');
INSERT INTO public.shadows VALUES ('e1', 2, 'r1', 'cinc2017', '', 1, 'score', 'cancelled', 300, false, '', 0, '{"cause": "discarded"}');
INSERT INTO public.shadows VALUES ('e1', 3, 'r2', 'cinc2017', '', 1, 'score', 'parked', 300, false, '', 0, '{"cause": "earlier", "message": "score: no references"}');
INSERT INTO public.shares VALUES ('entries', 'team 0', 2);
INSERT INTO public.shares VALUES ('entries', '', 1);
INSERT INTO public.tasks VALUES ('e5', 1, 'exam-0', 1, 'exam', 1.5, 'green:1', 210, 400, '[]');
SELECT pg_catalog.setval('public.journal_number_seq', 1, false);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.entries
    ADD CONSTRAINT entries_number_key UNIQUE (number);
ALTER TABLE ONLY public.entries
    ADD CONSTRAINT entries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.hosts
    ADD CONSTRAINT hosts_pkey PRIMARY KEY (executor);
ALTER TABLE ONLY public.journal
    ADD CONSTRAINT journal_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.record_outcomes
    ADD CONSTRAINT record_outcomes_pkey PRIMARY KEY (entry, attempt, stage, record);
ALTER TABLE ONLY public.results
    ADD CONSTRAINT results_pkey PRIMARY KEY (entry, attempt, stage);
ALTER TABLE ONLY public.scores
    ADD CONSTRAINT scores_pkey PRIMARY KEY (entry, attempt);
ALTER TABLE ONLY public.settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.shadows
    ADD CONSTRAINT shadows_pkey PRIMARY KEY (entry, attempt);
ALTER TABLE ONLY public.shares
    ADD CONSTRAINT shares_pkey PRIMARY KEY (queue, team);
ALTER TABLE ONLY public.tasks
    ADD CONSTRAINT tasks_pkey PRIMARY KEY (entry, attempt, task);
CREATE INDEX entries_by_challenge ON public.entries USING btree (challenge, team);
CREATE INDEX entries_by_state ON public.entries USING btree (state, team, number);
CREATE INDEX journal_by_entry ON public.journal USING btree (entry, number);
CREATE INDEX shadows_by_purpose ON public.shadows USING btree (purpose);
CREATE INDEX shadows_by_state ON public.shadows USING btree (state);
ALTER TABLE ONLY public.record_outcomes
    ADD CONSTRAINT record_outcomes_entry_fkey FOREIGN KEY (entry) REFERENCES public.entries(id);
ALTER TABLE ONLY public.results
    ADD CONSTRAINT results_entry_fkey FOREIGN KEY (entry) REFERENCES public.entries(id);
ALTER TABLE ONLY public.scores
    ADD CONSTRAINT scores_entry_fkey FOREIGN KEY (entry) REFERENCES public.entries(id);
ALTER TABLE ONLY public.shadows
    ADD CONSTRAINT shadows_entry_fkey FOREIGN KEY (entry) REFERENCES public.entries(id);
ALTER TABLE ONLY public.tasks
    ADD CONSTRAINT tasks_entry_fkey FOREIGN KEY (entry) REFERENCES public.entries(id);
