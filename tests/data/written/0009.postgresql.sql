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
    ttl double precision DEFAULT '0'::double precision NOT NULL
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
    high double precision
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
    gpus text DEFAULT '[]'::text NOT NULL
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
    busy double precision DEFAULT '0'::double precision NOT NULL,
    entry character varying(24) DEFAULT ''::character varying NOT NULL,
    error text DEFAULT ''::text NOT NULL,
    created double precision NOT NULL
);
CREATE TABLE public.usual (
    challenge character varying(500) NOT NULL,
    stage character varying(10) NOT NULL,
    seconds text NOT NULL
);
ALTER TABLE ONLY public.journal ALTER COLUMN number SET DEFAULT nextval('public.journal_number_seq'::regclass);
ALTER TABLE ONLY public.journal_parts ALTER COLUMN first SET DEFAULT nextval('public.journal_parts_first_seq'::regclass);
INSERT INTO public.alembic_version VALUES ('0009');
INSERT INTO public.details VALUES ('fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', '\x789cedd1c10ac2300c06e05719398b78d9c557f0e003888cda8619e8d2d2a4ba31f6eeb665e0d50730b77e6908fc5941d48c08e70e62c208870e5e981c59ad74bd54985064ff33ffebe7aad1e53db815884553b64a81a5405f9a6fe3fd206803bb4aa763dfc29e425a86c7a2d8b050c81ab37e692b96ca586a63b77b793a32230751b295a05dcdd827715dced9fbed039d10c7ea');
INSERT INTO public.details VALUES ('b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', '\x789ced92c10ac2300c865f65e42ca2c22ede3c7bf0014446edca2c74ad36e9e61c7b77d3529081072f820773cb97fcf0f32723208946c1b6805bd00f5814d0295f6b49111df611b40a31efdcfff571c5e8420e6e046d917c90a49d4506250f7b614c854a3a5b47b45a9629ecd6f9a13a0fa41264e4025d03bdd0c4ccb3cc27d971cc4dbccf6efdf6825fb3212cf6ca73678331f357019ecfac6d7ec8da8941ad45631d92969860dc11f2a2adcaa2e909a49b27f8');
INSERT INTO public.details VALUES ('801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', '\x789ced92c10ac2300c865f65f42ca2c22ede3c7bf0014446edc22c74ad34a9db287b77d3529081072f820773cb97fcf0f3275120c90ec4be1230ca5eac2af100df6a45099d8e09f4805876c67f7d5c29ba50828b425b241f1469679141cdc3411ad3202867db8436eb3a87dd3b3f35d7892043462ed03dd00bcdcc3ccb7c969d6369d27d0edbb717fc9a0d697100cf9d0dc62c5f45f07c616df743d62e0c5a2d3beb90b4c20cd38e54376da188e62748b327da');
INSERT INTO public.details VALUES ('c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', '\x789cedd1c10ac2300c06e05719398b78d9c557f0e003888cda9619e8524952758cbdbb691978f501ccad5f1a027f16107563846307e23347d875f08c1cd06bb5f3a9c21445b64fef7ffd5c35bab205b700922817af98490c7a6bbe5c4a83449f29543aecfb16f694791e6eb3c68646b9e8a3e8975633b6316e6397ab3d03ba91b228fa4ad0aee6fc1da92ea792d2fa015d82c84f');
INSERT INTO public.details VALUES ('1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e', '\x789ced91b10ac3300c447f25682ea54b96ee991bbc96625cdba406c73696dc3684fc7b2d13e8da0fe86d7aa743705a01494d16ce1da46c131c3a78da6c9c2646a31846390871116ccc1671df7dfff5b3b8bab217b7820b48b968723160057d355fca7b8956c760189d8e7d2b7b8e7991f7856c8315c542a9d0176d95e51acb2d76bdd5d138358588e43423685f53fae1021f0fc5fbed0377f3ca70');
INSERT INTO public.details VALUES ('4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd', '\x789ced92310bc2301085ff4ac92ca24217b70ee256a10e1d444a4c430da489e62ed65afadf4d42403ae9223878db7def1e1cef6e2080b4e1649d90ab150f324bc88d9b5a30f4a82c76f9b6caf27db929bcd47280387dffd7c7e5a3b331b8810805682c43a11538903ab1a35256c09956b5478b791ac26eb5e9ab538f3c4087b4c58bc5171a1d33ce6682ed30c4c6df275bbeb9e5d716a20a3a6e5ca7ac94d3a7214e9f2cb9fac9258f0ed482364a030a0601fa19cace42f1681a9f08c8315e');
INSERT INTO public.details VALUES ('665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', '\x789ced92310bc2301085ff4ac92ca2421737078782ddba899498861a4813c95d6c4be97ff71202d2455c04076fbbefdd83e3dd4d0c90b792ed332607deb155c61ed2354a604055511eeb53511655103a099066877f7d5c213a9f829b983280ce0b54d600819cc49e6b5d8314d634016dd6790cbbb36eacaf23ca0809598f778f2f3413736473d1769e5213ee73d8bebde4d7d6e1067ae9a8335eebe5cb30d2172bee7e70c50b8146f1d658402520c230c3c54d19994cf3139c572f33');
INSERT INTO public.entries VALUES ('e064d0cbd2a30', 15, 'cinc2017', 'großes Team', '14.zip', '8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61', 2, '', 'queued', 1, false, 1795516172.312582, 1795516172.312582, '', 0, '', '');
INSERT INTO public.entries VALUES ('eb5291caf82f0', 16, 'cinc2017', 'green', '15.zip', 'e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb', 2, '', 'queued', 1, false, 1795516172.322578, 1795516172.322578, '', 0, '', '');
INSERT INTO public.entries VALUES ('ef20ae2707c46', 17, 'cinc2017', 'red', '16.zip', 'b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9', 2, '', 'queued', 1, false, 1795516172.326404, 1795516172.326404, '', 0, '', '');
INSERT INTO public.entries VALUES ('e835ab6e28104', 18, 'cinc2017', 'Blue', '17.zip', '4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3', 2, '', 'queued', 1, false, 1795516172.334121, 1795516172.334121, '', 0, '', '');
INSERT INTO public.entries VALUES ('e815f3f78e740', 19, 'cinc2017', 'großes Team', '18.zip', '4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a', 2, '', 'queued', 1, false, 1795516172.337976, 1795516172.337976, '', 0, '', '');
INSERT INTO public.entries VALUES ('e40da5beb8578', 20, 'cinc2017', 'green', '19.zip', '9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767', 2, '', 'queued', 1, false, 1795516172.34613, 1795516172.34613, '', 0, '', '');
INSERT INTO public.entries VALUES ('ead9741ba7ef7', 7, 'cinc2017', 'großes Team', '6.zip', 'e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683', 2, '', 'prep', 1, false, 1795516172.258699, 1795516172.4188967, 'old:1', 0, '', '');
INSERT INTO public.entries VALUES ('eee3a0e44c60b', 4, 'cinc2017', 'green', '3.zip', '4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce', 2, '', 'done', 1, false, 1795516172.20312, 1795516172.6782067, 'old:1', 0, '{"cause": "verdict", "verdict": "PREP_ERROR"}', '');
INSERT INTO public.entries VALUES ('e227944ae22bd', 5, 'cinc2017', 'red', '4.zip', '4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a', 2, '', 'done', 1, false, 1795516172.2412, 1795516172.7062244, 'old:1', 0, '{"cause": "verdict", "verdict": "WRONG_ANSWER"}', '');
INSERT INTO public.entries VALUES ('e0bd1e43fabe9', 8, 'cinc2017', 'green', '7.zip', '7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451', 2, '', 'quiz', 1, false, 1795516172.264023, 1795516172.7795544, 'old:1', 0, '', '');
INSERT INTO public.entries VALUES ('e22ff431ca677', 10, 'cinc2017', 'Blue', '9.zip', '19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7', 2, '', 'score', 1, true, 1795516172.276132, 1795516172.8553064, 'old:1', 0, '', '');
INSERT INTO public.entries VALUES ('e7add14e2aec9', 11, 'cinc2017', 'großes Team', '10.zip', '4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5', 2, '', 'parked', 1, true, 1795516172.281607, 1795516172.8942277, 'old:1', 0, '{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}', '');
INSERT INTO public.entries VALUES ('ec0d639a96d4d', 12, 'cinc2017', 'green', '11.zip', '4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8', 2, '', 'parked', 1, true, 1795516172.2897, 1795516172.9221025, 'old:1', 0, '{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}', '');
INSERT INTO public.entries VALUES ('e61cdec782e70', 13, 'cinc2017', 'red', '12.zip', '6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918', 2, '', 'queued', 2, true, 1795516172.298123, 1795516172.9597301, '', 0, '', '');
INSERT INTO public.entries VALUES ('e7a6bd6a6224d', 14, 'cinc2017', 'Blue', '13.zip', '3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278', 2, '', 'cancelled', 1, true, 1795516172.302105, 1795516173.0062513, 'old:1', 0, '{"cause": "organiser"}', '');
INSERT INTO public.entries VALUES ('e85c1da521b94', 9, 'cinc2017', 'red', '8.zip', '2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3', 2, '', 'exam', 1, true, 1795516172.267008, 1795516173.0142667, 'old:1', 0, '{"cause": "retry", "message": "try 2 in 30 s: SandboxFault: the guest is gone", "stage": "exam"}', '');
INSERT INTO public.entries VALUES ('eb19e260aa4a6', 21, 'cinc2017', 'red', '20.zip', 'f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b', 2, '', 'cancelled', 1, false, 1795516172.350047, 1795516173.0182817, '', 0, '{"cause": "organiser"}', '');
INSERT INTO public.entries VALUES ('e035c3bccb8e1', 1, 'cinc2017', 'red', '0.zip', '5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9', 2, '', 'done', 2, true, 1795516172.165055, 1795516173.2590334, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.entries VALUES ('e77a6a095f32f', 6, 'cinc2017', 'Blue', '5.zip', 'ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d', 2, '', 'done', 2, true, 1795516172.249176, 1795516173.2590334, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.entries VALUES ('ec9c0bcecb2a2', 2, 'cinc2017', 'Blue', '1.zip', '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b', 2, '', 'done', 2, true, 1795516172.182404, 1795516173.2590334, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.entries VALUES ('ed4526559d9db', 3, 'cinc2017', 'großes Team', '2.zip', 'd4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35', 2, '', 'done', 2, true, 1795516172.1905, 1795516173.2590334, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.journal VALUES (1, 1795516172.165055, 'e035c3bccb8e1', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "0.zip", "sha256": "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9", "bytes": 2, "commit": "", "number": 1}', 'd9b3e79b46c1a7f6b6eb959f8e8249f0f434263992b0614536ff460c24721dd9');
INSERT INTO public.journal VALUES (2, 1795516172.182404, 'ec9c0bcecb2a2', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "1.zip", "sha256": "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b", "bytes": 2, "commit": "", "number": 2}', '613b1a4354d7f47cf9c2da4407d4974576ce5a4b2534fb3ba7bd0523d441a7dd');
INSERT INTO public.journal VALUES (3, 1795516172.1905, 'ed4526559d9db', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "2.zip", "sha256": "d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35", "bytes": 2, "commit": "", "number": 3}', 'c7e5eee08642f563c774c11f5d916c764c7ff6cbdde5c0c4429f5d8226dd7048');
INSERT INTO public.journal VALUES (4, 1795516172.20312, 'eee3a0e44c60b', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "3.zip", "sha256": "4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce", "bytes": 2, "commit": "", "number": 4}', 'e968eab28987f351814763aeaae44dae01fcf63123283bd75510acf5acd2351c');
INSERT INTO public.journal VALUES (5, 1795516172.2412, 'e227944ae22bd', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "4.zip", "sha256": "4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a", "bytes": 2, "commit": "", "number": 5}', '0db77315c210d2061b8819d5d5a15b90d918841b3bb8c3fb3bd864b4dcb8c974');
INSERT INTO public.journal VALUES (6, 1795516172.249176, 'e77a6a095f32f', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "5.zip", "sha256": "ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d", "bytes": 2, "commit": "", "number": 6}', '02e2f2573654fe8d3f7949ca6df6d344ef8aeb7ff99fed2749e0da9f11afe338');
INSERT INTO public.journal VALUES (7, 1795516172.258699, 'ead9741ba7ef7', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "6.zip", "sha256": "e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683", "bytes": 2, "commit": "", "number": 7}', '2ce3f7b170590588ae16494a247ba8dd734befd3433a8f008b9e6c22da5445c7');
INSERT INTO public.journal VALUES (8, 1795516172.264023, 'e0bd1e43fabe9', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "7.zip", "sha256": "7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451", "bytes": 2, "commit": "", "number": 8}', 'd6a0b4621f3ad8ccff2be95b7137fc78564493391813a54552c5575f4550dd5a');
INSERT INTO public.journal VALUES (9, 1795516172.267008, 'e85c1da521b94', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "8.zip", "sha256": "2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3", "bytes": 2, "commit": "", "number": 9}', 'cb47d5d70c08580697a5f519c4bc287cad74522cbbc3cff47104868bab9e4f50');
INSERT INTO public.journal VALUES (10, 1795516172.276132, 'e22ff431ca677', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "9.zip", "sha256": "19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7", "bytes": 2, "commit": "", "number": 10}', '35db6e557716e744372e3bbfab240868d9a40cbd59337c938132798cf156f095');
INSERT INTO public.journal VALUES (11, 1795516172.281607, 'e7add14e2aec9', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "10.zip", "sha256": "4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5", "bytes": 2, "commit": "", "number": 11}', '28c523c2e9457864c00d23ba064e7a6365fe165183f1a4360c8cf4f040f7bae3');
INSERT INTO public.journal VALUES (12, 1795516172.2897, 'ec0d639a96d4d', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "11.zip", "sha256": "4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8", "bytes": 2, "commit": "", "number": 12}', '23272f48b36a9d24a11a2913dba25cd927a9329f17444bbc6c0549b2d28720f2');
INSERT INTO public.journal VALUES (13, 1795516172.298123, 'e61cdec782e70', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "12.zip", "sha256": "6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918", "bytes": 2, "commit": "", "number": 13}', 'b0909523c7173c154322a9e382aada5e698a96abe9a1b624e220a659f570cda1');
INSERT INTO public.journal VALUES (14, 1795516172.302105, 'e7a6bd6a6224d', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "13.zip", "sha256": "3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278", "bytes": 2, "commit": "", "number": 14}', 'a70271176fecfef7ae8269ac3bc48422ddf6b5fc22c7787fb60a9b0d5973d07a');
INSERT INTO public.journal VALUES (15, 1795516172.312582, 'e064d0cbd2a30', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "14.zip", "sha256": "8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61", "bytes": 2, "commit": "", "number": 15}', '9f11636653881d5d13b07a086742600c7018a47d74eccf18ca9fdb1ee77f735e');
INSERT INTO public.journal VALUES (16, 1795516172.322578, 'eb5291caf82f0', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "15.zip", "sha256": "e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb", "bytes": 2, "commit": "", "number": 16}', '8c0fe6db2feb00c7a0949f32029b8f34044d3b74068c68ab95d9f7cf689e47f0');
INSERT INTO public.journal VALUES (17, 1795516172.326404, 'ef20ae2707c46', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "16.zip", "sha256": "b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9", "bytes": 2, "commit": "", "number": 17}', '4498d65e1e05502d0ee6a0d474d97fc7ffcf3a987b7e8b8c1961f498ab417794');
INSERT INTO public.journal VALUES (18, 1795516172.334121, 'e835ab6e28104', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "17.zip", "sha256": "4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3", "bytes": 2, "commit": "", "number": 18}', '70ebf214d69f1a1e0540a8a352e8761444a20bb712407d0cbea647cd1cd1fa26');
INSERT INTO public.journal VALUES (19, 1795516172.337976, 'e815f3f78e740', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "18.zip", "sha256": "4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a", "bytes": 2, "commit": "", "number": 19}', 'f1da1c23a9cbb097b56b2dc113aaef3fe4c66e4a2e5134112e862bf1d3642f71');
INSERT INTO public.journal VALUES (20, 1795516172.34613, 'e40da5beb8578', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "19.zip", "sha256": "9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767", "bytes": 2, "commit": "", "number": 20}', 'ee188f940476f24016a073d7ffe1bff5d7fb9bf29446bf78252a3b46003af2ff');
INSERT INTO public.journal VALUES (21, 1795516172.350047, 'eb19e260aa4a6', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "20.zip", "sha256": "f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b", "bytes": 2, "commit": "", "number": 21}', '8a91a3797f333c1cb0839583fed97935acaa9f95ce57067127232c5b6805b735');
INSERT INTO public.journal VALUES (22, 1795516172.3677306, 'e035c3bccb8e1', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '7f7a51ce6df4e9142c87413083874b2e8677335f1e918dbb68e54128f19c0429');
INSERT INTO public.journal VALUES (23, 1795516172.3822072, 'ec9c0bcecb2a2', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'e4d3b0677b0af8549992e8007c4acf63775d7a6e6173a76318f6068311c83ef6');
INSERT INTO public.journal VALUES (24, 1795516172.391798, 'ed4526559d9db', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '1628d812b409c544230c0b0fb4112b457f5f313f1778665f27de687148636a00');
INSERT INTO public.journal VALUES (25, 1795516172.3986673, 'eee3a0e44c60b', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '736a3334f687767ed8ba29ea37d48da619e8a31d0a683b9ce915442c4ece3d76');
INSERT INTO public.journal VALUES (26, 1795516172.4066002, 'e227944ae22bd', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '179aef6975448b28f3b31797ad97d30a7be7d473c5e93d33b1c11b53986e08d9');
INSERT INTO public.journal VALUES (27, 1795516172.4140513, 'e77a6a095f32f', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '36e3de9bb6f886e08eca9e2121c3c963e4a5df46f447e100df958368f68bd7eb');
INSERT INTO public.journal VALUES (28, 1795516172.4188967, 'ead9741ba7ef7', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '5e6146af7d374a5045249b80010912ac52271481b617bb79de963b906a2c6d70');
INSERT INTO public.journal VALUES (29, 1795516172.42414, 'e0bd1e43fabe9', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '44cb361cff0010ad7e56786d9245d5c51f04dafeea31773199de6e052c9ee2fd');
INSERT INTO public.journal VALUES (30, 1795516172.431267, 'e85c1da521b94', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'c2f9a75a3674725ff00af45674fde04ddf183851fb4f22f81cc37b00b6c82224');
INSERT INTO public.journal VALUES (31, 1795516172.438875, 'e22ff431ca677', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '5a44d39eb520975aa6d85e31f2df57d1b74cc017140628acc9ffed28ddad0258');
INSERT INTO public.journal VALUES (32, 1795516172.4463153, 'e7add14e2aec9', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '952e8fe357e2c66bcd2632b16dfe2a9e6c5460efa5d9e8cad9f59e42140df100');
INSERT INTO public.journal VALUES (33, 1795516172.449073, 'ec0d639a96d4d', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'c905817bcf7208af8497c7c54c2f7a7edb3b810601cf466188df8e12eee12b72');
INSERT INTO public.journal VALUES (34, 1795516172.4558587, 'e61cdec782e70', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '81839723a1a321f94003aa4f4b6dfffbdd114ed2adada678bb34d2efaf200c9d');
INSERT INTO public.journal VALUES (35, 1795516172.4617133, 'e7a6bd6a6224d', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'b280dbdc64160ec5c103604f0dc4313f772108c86e2bc822156d73db135fce3f');
INSERT INTO public.journal VALUES (36, 1795516172.4733717, 'e035c3bccb8e1', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'deaa88213e60badfd380232f3567116e0377fd5a17bf78e8e2490c771295a175');
INSERT INTO public.journal VALUES (37, 1795516172.490092, 'e035c3bccb8e1', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'bf45e0c77105be5cf10eed3a2b514a4ecfcc9b91aa6b70dacf468466039cd335');
INSERT INTO public.journal VALUES (38, 1795516172.5014484, 'e035c3bccb8e1', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', 'b5c1b218ece071a93417cc356b9e46b03438e35e8dc25bfd71b07df8b68c03d3');
INSERT INTO public.journal VALUES (39, 1795516172.5150912, 'e035c3bccb8e1', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '3fd8836db6f7d6b1d968be090fc7189863cc923c841532f93f4f984247d981c8');
INSERT INTO public.journal VALUES (40, 1795516172.5226312, 'e035c3bccb8e1', 'charged', '{"charged": true}', 'f1f4694c32e3315358b5732fe8712a5f9f5a93538770973bf9b0bb333b2b49ee');
INSERT INTO public.journal VALUES (41, 1795516172.5295, 'e035c3bccb8e1', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', '2e9147142c96d2e5f8ec0a825798a7a70bcd98f7bfadb537706c440a3b53d2f4');
INSERT INTO public.journal VALUES (42, 1795516172.5380492, 'e035c3bccb8e1', 'moved', '{"to": "score", "reason": {}, "charged": null}', '1516ae27ed199a749f1a49668ed7f625da8429ab595151e197af23cfba9bc73f');
INSERT INTO public.journal VALUES (43, 1795516172.5494065, 'e035c3bccb8e1', 'result', '{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', 'a6ac6105b5fa5b40359ed36b491f1ebbddf8345739d68f7ebb76edb0924390f4');
INSERT INTO public.journal VALUES (44, 1795516172.5533936, 'e035c3bccb8e1', 'score', '{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}', '38036d2eb565d792709a8401b7bac20fd5d3792e36b89125ff6fe289e8afcaca');
INSERT INTO public.journal VALUES (45, 1795516172.5625196, 'e035c3bccb8e1', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}', '9b76ee9286d3a4a40761c37ae29917a1e30e847322e6a193eec628dbfc6f336d');
INSERT INTO public.journal VALUES (46, 1795516172.5733767, 'ec9c0bcecb2a2', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'f9fd3ece2b7adf855c7eba4cc77f6d4cfe2faff423568a0282a14357ab8fc533');
INSERT INTO public.journal VALUES (47, 1795516172.5782464, 'ec9c0bcecb2a2', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '7b124d4665c64b4150377537cf00f4e71a99bafe48616517a4724853b9c30b65');
INSERT INTO public.journal VALUES (48, 1795516172.5863252, 'ec9c0bcecb2a2', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', 'c78785be857619790e98867c032f27df45f77b08912e6ade89cf49bc9a126bc8');
INSERT INTO public.journal VALUES (49, 1795516172.5945225, 'ec9c0bcecb2a2', 'moved', '{"to": "exam", "reason": {}, "charged": null}', 'b1c73108a5de25642f9113b10e2faa1f1a6fcd14e18e985d956e19902f5e9dbb');
INSERT INTO public.journal VALUES (50, 1795516172.5986485, 'ec9c0bcecb2a2', 'charged', '{"charged": true}', 'c9c939defee5a671bd92366bf266a7a21119195a52ff50c4a568c1a3a707e358');
INSERT INTO public.journal VALUES (51, 1795516172.6020317, 'ec9c0bcecb2a2', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', '6b11f97782eb716415a7fbe11dcbc0520ece59e9da45d1aa19b547eb06131768');
INSERT INTO public.journal VALUES (52, 1795516172.6061802, 'ec9c0bcecb2a2', 'moved', '{"to": "score", "reason": {}, "charged": null}', '5c0b18311d704931445732841a4844d29920e34f5440630d2063d6e629c2f897');
INSERT INTO public.journal VALUES (53, 1795516172.6099825, 'ec9c0bcecb2a2', 'result', '{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', 'dc31a47c766d660674e30382fa99a665f95603b3d12784715242ea9329cb0164');
INSERT INTO public.journal VALUES (54, 1795516172.6134136, 'ec9c0bcecb2a2', 'score', '{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}', 'b94de9bec06824b5ba0b008604f9b4e971024470c09121ca3880b8ca179cb7bc');
INSERT INTO public.journal VALUES (55, 1795516172.618282, 'ec9c0bcecb2a2', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}', '913fae1decdde84e83f4cadbffe2477c1c52dcdac71d0ae9643408be0bb8685d');
INSERT INTO public.journal VALUES (56, 1795516172.6272323, 'ed4526559d9db', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '9208ab6cbbc58a5476f001ba8c196bd3b3891a53249d48e4ef2d3f80b75b5c37');
INSERT INTO public.journal VALUES (57, 1795516172.6343837, 'ed4526559d9db', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '487ffcfb99e0e5a065bf6c0a70d1604ea70228fe4fac04d3c8f57db58a26bfe6');
INSERT INTO public.journal VALUES (58, 1795516172.638045, 'ed4526559d9db', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', 'ea0893ca4471493815ea0e5c79c3aa306805fed72577b9341278311aaf2d829b');
INSERT INTO public.journal VALUES (59, 1795516172.6422453, 'ed4526559d9db', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '6da2a5816ed6e1d1f11303184324b432aef20d7dd57420e8aa62eb8f66b18e93');
INSERT INTO public.journal VALUES (60, 1795516172.6466293, 'ed4526559d9db', 'charged', '{"charged": true}', '46362f4f02731f4038c0bf6cc345a0cf0cd591bd4c0a67aacacc1b9e7ff6d556');
INSERT INTO public.journal VALUES (61, 1795516172.6500235, 'ed4526559d9db', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', 'bcc31d2739e59f460ed9344ed40a3f13c6c51cd449c35974d7304b665ada41df');
INSERT INTO public.journal VALUES (62, 1795516172.654219, 'ed4526559d9db', 'moved', '{"to": "score", "reason": {}, "charged": null}', '4a774b55d77b2b039fd0518b402c76737b6263647d72c76f7e51f1e82f3281f6');
INSERT INTO public.journal VALUES (63, 1795516172.6579416, 'ed4526559d9db', 'result', '{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', 'ba592300dfd6a758d1d903837a5afc54f56423f70b8c2033b61e0a8304688e72');
INSERT INTO public.journal VALUES (64, 1795516172.6614356, 'ed4526559d9db', 'score', '{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}', '61b66a15954127a4640a615b285f10867e4a254adb6684e38d503a0511ee4a28');
INSERT INTO public.journal VALUES (65, 1795516172.6662376, 'ed4526559d9db', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}', '908286d42eda5097d0246f33e9312917cc9fe4d8c5ea3fbcea5a6cebee30931c');
INSERT INTO public.journal VALUES (66, 1795516172.6733553, 'eee3a0e44c60b', 'result', '{"stage": "prep", "attempt": 1, "verdict": "PREP_ERROR", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e"}', 'd15bf4ebe94190cead16b81f1cbabdc437138516f3a94d1407e1d4116e4c2d55');
INSERT INTO public.journal VALUES (67, 1795516172.6782067, 'eee3a0e44c60b', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "PREP_ERROR"}, "charged": null}', '66463c7e9c9de392cd42f6a0ca1769f9f54a7acd9d28f3c23cb63844f31bc03e');
INSERT INTO public.journal VALUES (68, 1795516172.6870449, 'e227944ae22bd', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'daa486ce00da833e1b18efcf0b10fd9e7e53f2b0a2fd4de7cc25c5efd47bda9e');
INSERT INTO public.journal VALUES (69, 1795516172.6940842, 'e227944ae22bd', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '4d7ba135a52543f5ddb4090725bff806682b1bf5f0250ee44516ad68c869fd39');
INSERT INTO public.journal VALUES (70, 1795516172.701348, 'e227944ae22bd', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "WRONG_ANSWER", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd"}', 'cc078dad680ea4a6babab09148327d911b04549d1dd7297c5694a1614fde2bb1');
INSERT INTO public.journal VALUES (71, 1795516172.7062244, 'e227944ae22bd', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "WRONG_ANSWER"}, "charged": null}', '9c0ecc1ccbf0790b2b5f6f586fe9c5a4ee66016d56f6548ec5beffbbde6dff15');
INSERT INTO public.journal VALUES (72, 1795516172.7190013, 'e77a6a095f32f', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'f1a23d5d1e9ff1a9347f1ad14cfa7d70a5cebb65655ad1fb5c14fdf96e31dd11');
INSERT INTO public.journal VALUES (73, 1795516172.7303433, 'e77a6a095f32f', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '6a31754c6d8d0e28207001b3e78e88154ef1c9b2feff22aee3aa43de580306b5');
INSERT INTO public.journal VALUES (74, 1795516172.735255, 'e77a6a095f32f', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', 'cf0884eda3e0271e4bf38d3950e3b995d37ca24f411e5594c078abe150f47c00');
INSERT INTO public.journal VALUES (75, 1795516172.7424955, 'e77a6a095f32f', 'moved', '{"to": "exam", "reason": {}, "charged": null}', 'da0526acd8d20bd5f32b50246627db40627cd97571f99bda87277e8f754858ed');
INSERT INTO public.journal VALUES (76, 1795516172.746603, 'e77a6a095f32f', 'charged', '{"charged": true}', '42a5054ff9cd0f73ad1871c366e6781298ef10fdfed58012b305c483adc53a2a');
INSERT INTO public.journal VALUES (77, 1795516172.7504497, 'e77a6a095f32f', 'result', '{"stage": "exam", "attempt": 1, "verdict": "TIME_LIMIT", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab"}', 'c8725dd4ba391a5332d9342b2fb3913c22017808b98ff686c74ad21a71685f86');
INSERT INTO public.journal VALUES (78, 1795516172.7662144, 'e77a6a095f32f', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "TIME_LIMIT"}, "charged": null}', '8f59b35be8e9e9545397f4c4acca112ac9a7fb303faa2f5af655045844aca638');
INSERT INTO public.journal VALUES (79, 1795516172.7759204, 'e0bd1e43fabe9', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '26ab5d35fdb4de67071ac40f027ca4b2e5813fbca9ceb63263fb8f366cde44fe');
INSERT INTO public.journal VALUES (80, 1795516172.7795544, 'e0bd1e43fabe9', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'a221acb9ab51890d1479a367c4be02401faa3c9fd6c5699ec42b4bac485fe423');
INSERT INTO public.journal VALUES (81, 1795516172.786348, 'e85c1da521b94', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'bc9b1abeab8099adcd03c63565f42b9ac734ad1f2a7000651be29c3c923ac26d');
INSERT INTO public.journal VALUES (82, 1795516172.7940867, 'e85c1da521b94', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '70b51fe9611a3ff9285aa5fceb890395a4211f7f72b2ff733cd34cd2b7c027ee');
INSERT INTO public.journal VALUES (83, 1795516172.797997, 'e85c1da521b94', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '3d6331556ef1dd358248a2223295092c48d8d14c4ad2a326bca7bf6c61a527ee');
INSERT INTO public.journal VALUES (84, 1795516172.8066065, 'e85c1da521b94', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '3f14d7c151eeb05d6ba763e69972c630d6a7484f393c22d4b01d1b9f6ce936ba');
INSERT INTO public.journal VALUES (85, 1795516172.815388, 'e85c1da521b94', 'charged', '{"charged": true}', '2bb37dc730a90ac35948a79451b88d2ca9f3c7c54d7b112d47f394493a3788cc');
INSERT INTO public.journal VALUES (86, 1795516172.82347, 'e22ff431ca677', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '2ef3ba7bbf718e6837c18ded5bfbf28af490aa721f21136d2322782bf405497e');
INSERT INTO public.journal VALUES (87, 1795516172.8302362, 'e22ff431ca677', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'ecc917e5bda9e239568471baf7fa03bc7dfe551af86701e155b7a19dc4934c0f');
INSERT INTO public.journal VALUES (88, 1795516172.8339972, 'e22ff431ca677', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '42d91f7c0ee050a2dbca6f4ba79254ddc1aa8c568f43e8582e5e2fc461d9042b');
INSERT INTO public.journal VALUES (89, 1795516172.838154, 'e22ff431ca677', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '986f5efdf47c4c24306ee3fb432b57c63be3976d75de1c362fbeec055e6ae5b1');
INSERT INTO public.journal VALUES (90, 1795516172.8473103, 'e22ff431ca677', 'charged', '{"charged": true}', '83e822f3f043c1c15516f76f10c6fdf5520af48662f6d5f79dc29b9c5d7dcc1a');
INSERT INTO public.journal VALUES (91, 1795516172.850102, 'e22ff431ca677', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', '972f7e0aabb859676a58713e14bef0b877d507f3afb1cde3c055f1a6f7ce3414');
INSERT INTO public.journal VALUES (92, 1795516172.8553064, 'e22ff431ca677', 'moved', '{"to": "score", "reason": {}, "charged": null}', '7cf39776b3d073c87ca5e005237bb93c5a0acc7613cbb1318e9f8224db6f3429');
INSERT INTO public.journal VALUES (93, 1795516172.8613534, 'e7add14e2aec9', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'd657d872b464c3917dcc269f8334dc8b17103093942e07ac98cfe01643dafca8');
INSERT INTO public.journal VALUES (94, 1795516172.8703036, 'e7add14e2aec9', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'ec8365a1e5954fcbd65586ba299ffb8b362ea4a28a9e805449fbf6416c516cb4');
INSERT INTO public.journal VALUES (95, 1795516172.8748772, 'e7add14e2aec9', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', 'd772200204e043a33918a0417b732bbe1cbad0fcb37a6bcb6b3ad1e1cbe3522f');
INSERT INTO public.journal VALUES (96, 1795516172.8865464, 'e7add14e2aec9', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '8579c417330fd68c4d63fc6aac93865db38359be389909c3b24b35e7f1969226');
INSERT INTO public.journal VALUES (97, 1795516172.8905923, 'e7add14e2aec9', 'charged', '{"charged": true}', '15f9b0cc64a92205b97750d8f7639242b8b6396962ad1051742474a9375727ba');
INSERT INTO public.journal VALUES (98, 1795516172.8942277, 'e7add14e2aec9', 'moved', '{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}', '3f624b008ca78a64d063b59d0909d464e132229495225d5661805ce0a6d36d4e');
INSERT INTO public.journal VALUES (99, 1795516172.8987286, 'ec0d639a96d4d', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'c840a9c5c7d87b292e3fa404c51c28d2b37fb78440d4df97bad4f688ede273fb');
INSERT INTO public.journal VALUES (100, 1795516172.9058032, 'ec0d639a96d4d', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '2ba38e540c0613fb1d6b39f0325659bbc997e8076ffae9387036f5999f97f98f');
INSERT INTO public.journal VALUES (101, 1795516172.909969, 'ec0d639a96d4d', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', 'f9ce73edb84ee1ffa507dd033affde0c0925abbfeac7559b21a99656d2f56c67');
INSERT INTO public.journal VALUES (102, 1795516172.9150147, 'ec0d639a96d4d', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '7d29253d99fddf6336324d54ac4f58827bd966a9a1acff15c9100e789ef1c738');
INSERT INTO public.journal VALUES (103, 1795516172.919401, 'ec0d639a96d4d', 'charged', '{"charged": true}', '5604cb6e824437547125f386d4fe8c3aa84d9aba83bed8ba644690c94b4ec331');
INSERT INTO public.journal VALUES (104, 1795516172.9221025, 'ec0d639a96d4d', 'moved', '{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}', '3036ed3f3247e9c0cbaea1c93e671a80e67a0aad6dfe637d0f30d5d3b4b70409');
INSERT INTO public.journal VALUES (105, 1795516172.9309385, 'e61cdec782e70', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '5a29dd98df14ff0e78d4e9314a670985aa66500026effff067c359532bf036e4');
INSERT INTO public.journal VALUES (106, 1795516172.9381216, 'e61cdec782e70', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'b736c369ea21245c4b45d499e8a665349b6005c5bc84c66d096c135a8abae799');
INSERT INTO public.journal VALUES (107, 1795516172.941903, 'e61cdec782e70', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '1feb35cff56478239b8bc01b32862d99914df305cb8abfb96bc746a9093be3ee');
INSERT INTO public.journal VALUES (108, 1795516172.9460776, 'e61cdec782e70', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '87c09067078b15e645d9082fe61756caaa41d92325158427dc0c9ae556962bb5');
INSERT INTO public.journal VALUES (109, 1795516172.9504433, 'e61cdec782e70', 'charged', '{"charged": true}', 'ee761047e37f4253984752a174e3db8f2713c4054de23c1a84b386e7275db170');
INSERT INTO public.journal VALUES (110, 1795516172.9541447, 'e61cdec782e70', 'moved', '{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}', '46d7257ee63ca1ef959374c135dcad1c2d50471c26ea18c0a370f86706a7415c');
INSERT INTO public.journal VALUES (111, 1795516172.9597301, 'e61cdec782e70', 'retried', '{"attempt": 2}', '5f908718be71e85fb4f33d487ba0a79f9ac33d7ecb9f824943e25e45ba1fdcee');
INSERT INTO public.journal VALUES (112, 1795516172.9726636, 'e7a6bd6a6224d', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '1bacf273e6e5a4eed9862b72f5bde80686dbb5327e94ebd930c9e8a4d90d4377');
INSERT INTO public.journal VALUES (113, 1795516172.9804552, 'e7a6bd6a6224d', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'b7de2998880ba7ae2d609db76762fe6223a5ba44f16e3665d7ee284cc4806462');
INSERT INTO public.journal VALUES (114, 1795516172.9902525, 'e7a6bd6a6224d', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '1b3ce0c4b11fe3a8b5dbb16943ab901a8a2050d5bdca351f16943dae9cccd7a2');
INSERT INTO public.journal VALUES (115, 1795516172.9956698, 'e7a6bd6a6224d', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '20e1d6d5978a74d5782841c9350308fde0727d1a1fb1c9ad99156451ea835e0c');
INSERT INTO public.journal VALUES (116, 1795516173.0023453, 'e7a6bd6a6224d', 'charged', '{"charged": true}', 'b2ec8b95c8be5f750d9ca003c755c577b7e25fab0b81a6dafa11a42f857c3e0b');
INSERT INTO public.journal VALUES (117, 1795516173.0062513, 'e7a6bd6a6224d', 'moved', '{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}', 'bad154c5d0ef4da346b72db91cc5eed448c88f419328b494709582636be9e016');
INSERT INTO public.journal VALUES (118, 1795516173.0142667, 'e85c1da521b94', 'moved', '{"to": "exam", "reason": {"cause": "retry", "stage": "exam", "message": "try 2 in 30 s: SandboxFault: the guest is gone"}, "charged": null}', 'c2a8acf530e331e88a825657aa70d3b81a80d23fad975ec2fb72c86b96350a2f');
INSERT INTO public.journal VALUES (119, 1795516173.0182817, 'eb19e260aa4a6', 'moved', '{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}', '7cff4ab4513f9bb23e6e7dd24dafb034a6ae9960fa7032c60e9446a666a4a5da');
INSERT INTO public.journal VALUES (120, 1795516173.043699, 'e035c3bccb8e1', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '90a0a60b4c7a65175e7e99420789942386d964e93c87a0a853bf88628f0ee8d9');
INSERT INTO public.journal VALUES (121, 1795516173.043699, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'f65ef78d483f46bfc834408a54fb4aeb72ff780191caf16d21ce7bc53f0c2064');
INSERT INTO public.journal VALUES (122, 1795516173.043699, 'ed4526559d9db', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '566ba6f5340681d3fadcd169faf9e4000c5c3a24492fa4e4c118b20b397e6e13');
INSERT INTO public.journal VALUES (123, 1795516173.043699, 'e77a6a095f32f', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '8584a4b97f4547356c2f224e95e18c632332dd430e4992ea8d48ea0dfa1bd697');
INSERT INTO public.journal VALUES (124, 1795516173.0613122, 'e035c3bccb8e1', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', '865b9f256ab0b4daed1d4702763e67beccdb5bf30c728193bcb73b2c1bd14e25');
INSERT INTO public.journal VALUES (125, 1795516173.0613122, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', '9968ca0a6031aa6877ec950d986e02a80b8a037d7fe34431cbb5c8c465d6fec1');
INSERT INTO public.journal VALUES (126, 1795516173.0613122, 'ed4526559d9db', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', '666f791def56ea479eeed0654bf792e4f731b7aae120d8370bdcd2b5e1350c3b');
INSERT INTO public.journal VALUES (127, 1795516173.0613122, 'e77a6a095f32f', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', 'bfd3805b479d3812f454f1362392358cb90fe19ec8b84e848b0f27bce3c7b0fb');
INSERT INTO public.journal VALUES (128, 1795516173.0712671, 'e035c3bccb8e1', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', '2be0f4dfbccdcb259b4c6198172b3618c1d682fdf72902806d82e0d6714e2b20');
INSERT INTO public.journal VALUES (129, 1795516173.0712671, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', '30614a5921f783ebf275548d1f84946a7b59e04a84f3c8d9a67b4dff3cc15379');
INSERT INTO public.journal VALUES (130, 1795516173.0712671, 'ed4526559d9db', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', '7eb4b23e12ff67aece5d5c6a1c7001cfeb848bf624b7de8e10aea8e070addc00');
INSERT INTO public.journal VALUES (131, 1795516173.0712671, 'e77a6a095f32f', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', '35fee930d8e3cd412c4425a82c752bccde5552941654759934c87223dfb0b300');
INSERT INTO public.journal VALUES (132, 1795516173.0861824, 'e035c3bccb8e1', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '3c25e8bc8c87377edf5070064b1375d90acbc1fdd7128d77faeae60fcda84e25');
INSERT INTO public.journal VALUES (133, 1795516173.0861824, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'c5a7fb7b8c737493892e48f6397a116b0c9bb715f5e87968313c67cf87a94603');
INSERT INTO public.journal VALUES (134, 1795516173.0861824, 'ed4526559d9db', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'c52935ff5f2f3d5fe4810887693362d4993466bf4c2c6001c9d11faf93c4a1b3');
INSERT INTO public.journal VALUES (135, 1795516173.0861824, 'e77a6a095f32f', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '3cbd9f85e9e30655b73653e3f2c256135f6378019a9cdcb8f02ae4eb549006d2');
INSERT INTO public.journal VALUES (136, 1795516173.0997777, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', 'b94a4b1b4d0e5cb4f2f39f2f0ec84d02f010404ee86bf695fbdb54726e75b846');
INSERT INTO public.journal VALUES (137, 1795516173.105123, 'e035c3bccb8e1', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '20219af165ce8ba30eea39446c0ab569620a690c3581b169de12de1497c6e351');
INSERT INTO public.journal VALUES (138, 1795516173.1088579, 'e035c3bccb8e1', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', '117714066e20e8b6ab8890504e252706d78eec573db98d7d79854eb742e635a5');
INSERT INTO public.journal VALUES (139, 1795516173.1226969, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', '9b47c080fe27db4c6fa55d2e495fab89a0da3f2348a880447f1c6f1d3b86084c');
INSERT INTO public.journal VALUES (140, 1795516173.135181, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', '321f2ab90fab648d0486e16bed916b3d9d535529396cd37ba453fb7d3a244406');
INSERT INTO public.journal VALUES (141, 1795516173.146424, 'e77a6a095f32f', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '20f976a1feef5288e23f03fdd0d7c155d6532e5a61daf783c14f16c8c6a8619d');
INSERT INTO public.journal VALUES (142, 1795516173.15762, 'e77a6a095f32f', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', '3bff0cf255f830f02fe26056718848e1279c1b4c299ce26476278c2d9603ad49');
INSERT INTO public.journal VALUES (143, 1795516173.1779323, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', 'f82c6f92eed810124cd50eb49661160119bdfa68e5c6bb33f52f2e30200caf1b');
INSERT INTO public.journal VALUES (144, 1795516173.1880322, 'ec9c0bcecb2a2', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', 'c607a23e437ce4309c012c3b5380cb71a33ce1f78332d2746683321484816118');
INSERT INTO public.journal VALUES (145, 1795516173.1949277, 'ec9c0bcecb2a2', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', 'e2e6d47871f0f9e6bb4eb423789d2242e27de0784a9348565e560f729cef9715');
INSERT INTO public.journal VALUES (146, 1795516173.2016046, 'ec9c0bcecb2a2', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', 'ec2ab7786ffe72157595b2f4e9371b209203d7919d2dc1f1136127dc22b644b8');
INSERT INTO public.journal VALUES (147, 1795516173.2151847, 'ec9c0bcecb2a2', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', 'e918fac894e0638c86fbfc8d07e08185e5fee6f65896989297af93727a742976');
INSERT INTO public.journal VALUES (148, 1795516173.230177, 'ed4526559d9db', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', 'baaab49e95f24482a48f9923ae98a6645ce6e782c6d34cea2574c1bd94796b92');
INSERT INTO public.journal VALUES (149, 1795516173.238393, 'ed4526559d9db', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '96418fb36c3af80f4837dd7dac364c1a48a66e6df16848962a4cb8b4627b2df4');
INSERT INTO public.journal VALUES (150, 1795516173.243453, 'ed4526559d9db', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', 'ebb68943e79f75a40fc99b20c1adda302e4422cc8867f594f1e0c1359b01b69e');
INSERT INTO public.journal VALUES (151, 1795516173.2505925, 'ed4526559d9db', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', '7ece328d4960f19131b98a6197515b0bbc3fe79eccd508836b50061b1706783b');
INSERT INTO public.journal VALUES (152, 1795516173.2590334, 'e035c3bccb8e1', 'adopted', '{"attempt": 2}', '9e1097c12eb8262557efccdeb2f0f895e2d884e749c4f6e8871f920751bbc318');
INSERT INTO public.journal VALUES (153, 1795516173.2590334, 'e77a6a095f32f', 'adopted', '{"attempt": 2}', 'c7947bed2bccc6581ec1b96bf2f33660de97d8b71a48008a293ee7a936eaedbf');
INSERT INTO public.journal VALUES (154, 1795516173.2590334, 'ec9c0bcecb2a2', 'adopted', '{"attempt": 2}', '3fdb9caa7ac9de9a4e5a62f1dc6a2519cbf9b9039a7700d06783937883982764');
INSERT INTO public.journal VALUES (155, 1795516173.2590334, 'ed4526559d9db', 'adopted', '{"attempt": 2}', '1adcb0799284062bcd6b2fa46e6003be4588527376b7edc116bc1f3f010b97eb');
INSERT INTO public.journal VALUES (156, 1795516173.2977684, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', 'd689ee21bed5960e4d39b28842f7db6ae49dde32db6c396287b8ceed57910f16');
INSERT INTO public.journal VALUES (157, 1795516173.2977684, 'ec9c0bcecb2a2', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', '7f79b8419788777462cdffb42cf39bd299000da7bb875e0c47bad1c2c74302f0');
INSERT INTO public.journal VALUES (158, 1795516173.2977684, 'ed4526559d9db', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', 'a6c55aa6571051220b88c8b3186e450f04dcc6faff6d5c37df3e82ebaa6ecf63');
INSERT INTO public.journal VALUES (159, 1795516173.2977684, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', '3a890aef2e2de0d01e2e4eeb6623ed2e620d6120c204f91d4f68dff3fa8e1bac');
INSERT INTO public.journal VALUES (160, 1795516173.3051949, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 4, "to": "prep", "reason": {}}', '60e88205dddb5d33084adbf2a5e16edd53b36ba0eda4f9bb8f6fd366b75fee6a');
INSERT INTO public.journal VALUES (161, 1795516173.3149168, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 4, "to": "parked", "reason": {"cause": "challenge", "stage": "exam", "message": "no score"}}', 'a460f993dcf50d844ac90881f20d316a145c8e3be2090a77bd625210513199e6');
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516172.4733717);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516172.5014484);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516172.5295);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795516172.5494065);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516172.5733767);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516172.5863252);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516172.6020317);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795516172.6099825);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516172.6272323);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516172.638045);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516172.6500235);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795516172.6579416);
INSERT INTO public.results VALUES ('eee3a0e44c60b', 1, 'prep', 'PREP_ERROR', 5, 0.5, 'sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e', 1795516172.6733553);
INSERT INTO public.results VALUES ('e227944ae22bd', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516172.6870449);
INSERT INTO public.results VALUES ('e227944ae22bd', 1, 'quiz', 'WRONG_ANSWER', 5, 0.5, 'sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd', 1795516172.701348);
INSERT INTO public.results VALUES ('e77a6a095f32f', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516172.7190013);
INSERT INTO public.results VALUES ('e77a6a095f32f', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516172.735255);
INSERT INTO public.results VALUES ('e77a6a095f32f', 1, 'exam', 'TIME_LIMIT', 5, 0.5, 'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', 1795516172.7504497);
INSERT INTO public.results VALUES ('e0bd1e43fabe9', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516172.7759204);
INSERT INTO public.results VALUES ('e85c1da521b94', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516172.786348);
INSERT INTO public.results VALUES ('e85c1da521b94', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516172.797997);
INSERT INTO public.results VALUES ('e22ff431ca677', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516172.82347);
INSERT INTO public.results VALUES ('e22ff431ca677', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516172.8339972);
INSERT INTO public.results VALUES ('e22ff431ca677', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516172.850102);
INSERT INTO public.results VALUES ('e7add14e2aec9', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516172.8613534);
INSERT INTO public.results VALUES ('e7add14e2aec9', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516172.8748772);
INSERT INTO public.results VALUES ('ec0d639a96d4d', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516172.8987286);
INSERT INTO public.results VALUES ('ec0d639a96d4d', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516172.909969);
INSERT INTO public.results VALUES ('e61cdec782e70', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516172.9309385);
INSERT INTO public.results VALUES ('e61cdec782e70', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516172.941903);
INSERT INTO public.results VALUES ('e7a6bd6a6224d', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516172.9726636);
INSERT INTO public.results VALUES ('e7a6bd6a6224d', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516172.9902525);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516172.5295);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516172.4733717);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516172.5014484);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516172.6020317);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516172.5733767);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516172.5863252);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516172.6500235);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516172.6272323);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516172.638045);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'exam', 'TIME_LIMIT', 5, 0.5, 'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', 1795516172.7504497);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516172.7190013);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516172.735255);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516172.4733717);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516172.5014484);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516172.5733767);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516172.5863252);
INSERT INTO public.results VALUES ('ed4526559d9db', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516172.6272323);
INSERT INTO public.results VALUES ('ed4526559d9db', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516172.638045);
INSERT INTO public.results VALUES ('e77a6a095f32f', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516172.7190013);
INSERT INTO public.results VALUES ('e77a6a095f32f', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516172.735255);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 5, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516172.5295);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516172.4733717);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516172.5014484);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 5, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516172.6020317);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516172.5733767);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516172.5863252);
INSERT INTO public.results VALUES ('ed4526559d9db', 5, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516172.6500235);
INSERT INTO public.results VALUES ('ed4526559d9db', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516172.6272323);
INSERT INTO public.results VALUES ('ed4526559d9db', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516172.638045);
INSERT INTO public.results VALUES ('e77a6a095f32f', 5, 'exam', 'TIME_LIMIT', 5, 0.5, 'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', 1795516172.7504497);
INSERT INTO public.results VALUES ('e77a6a095f32f', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516172.7190013);
INSERT INTO public.results VALUES ('e77a6a095f32f', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516172.735255);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795516173.105123);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795516173.146424);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795516173.1949277);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795516173.238393);
INSERT INTO public.scores VALUES ('e035c3bccb8e1', 1, 'F1', 0.5, '{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}', 1795516172.5533936, 0.25, 0.75);
INSERT INTO public.scores VALUES ('ec9c0bcecb2a2', 1, 'F1', 0.5, '{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}', 1795516172.6134136, 0.25, 0.75);
INSERT INTO public.scores VALUES ('ed4526559d9db', 1, 'F1', 0.5, '{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}', 1795516172.6614356, 0.25, 0.75);
INSERT INTO public.scores VALUES ('e035c3bccb8e1', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795516173.1088579, 0.35, 1.0499999999999998);
INSERT INTO public.scores VALUES ('e77a6a095f32f', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795516173.15762, 0.35, 1.0499999999999998);
INSERT INTO public.scores VALUES ('ec9c0bcecb2a2', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795516173.2016046, 0.35, 1.0499999999999998);
INSERT INTO public.scores VALUES ('ed4526559d9db', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795516173.243453, 0.35, 1.0499999999999998);
INSERT INTO public.settings VALUES ('times-exact-after', '0');
INSERT INTO public.settings VALUES ('identity', '7cebd8e94eba4d8d8cac75ef89b1f0a9');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 4, 'r3', 'cinc2017', '', 1, 'prep', 'queued', 1795516173.0712671, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 4, 'r3', 'cinc2017', '', 1, 'prep', 'queued', 1795516173.0712671, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795516173.0861824, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795516173.0861824, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795516173.0861824, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795516173.0861824, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795516173.1226969, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795516173.1779323, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795516173.2151847, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795516173.2505925, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795516173.2977684, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795516173.2977684, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795516173.2977684, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795516173.2977684, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 4, 'r3', 'cinc2017', '', 1, 'prep', 'prep', 1795516173.3051949, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 4, 'r3', 'cinc2017', '', 1, 'prep', 'parked', 1795516173.3149168, false, '', 0, '{"cause": "challenge", "message": "no score", "stage": "exam"}', '');
INSERT INTO public.shares VALUES ('entries', 'großes Team', 3);
INSERT INTO public.shares VALUES ('entries', 'green', 3);
INSERT INTO public.shares VALUES ('entries', 'red', 4);
INSERT INTO public.shares VALUES ('entries', '', 3);
INSERT INTO public.shares VALUES ('entries', 'Blue', 4);
INSERT INTO public.team_names VALUES ('red', 'red', 'red');
INSERT INTO public.team_names VALUES ('blue', 'Blue', 'Blue');
INSERT INTO public.team_names VALUES ('grosses team', 'großes Team', 'großes Team');
INSERT INTO public.team_names VALUES ('green', 'green', 'green');
INSERT INTO public.teams VALUES ('red', 1795516172.165055);
INSERT INTO public.teams VALUES ('Blue', 1795516172.182404);
INSERT INTO public.teams VALUES ('großes Team', 1795516172.1905);
INSERT INTO public.teams VALUES ('green', 1795516172.20312);
INSERT INTO public.usual VALUES ('', 'all', '[2.0, 2.0, 2.0, 0.5, 1.0, 1.5]');
INSERT INTO public.usual VALUES ('cinc2017', 'exam', '[0.5, 0.5, 0.5, 0.5, 0.5]');
INSERT INTO public.usual VALUES ('cinc2017', 'prep', '[0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]');
INSERT INTO public.usual VALUES ('cinc2017', 'quiz', '[0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]');
INSERT INTO public.usual VALUES ('cinc2017', 'score', '[0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]');
SELECT pg_catalog.setval('public.journal_number_seq', 1, false);
SELECT pg_catalog.setval('public.journal_parts_first_seq', 1, false);
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
ALTER TABLE ONLY public.hosts
    ADD CONSTRAINT hosts_pkey PRIMARY KEY (executor);
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
CREATE INDEX journal_by_entry ON public.journal USING btree (entry, number);
CREATE UNIQUE INDEX members_once ON public.members USING btree (person, team);
CREATE UNIQUE INDEX members_own ON public.members USING btree (person) WHERE own;
CREATE INDEX scores_by_value ON public.scores USING btree (entry, attempt, value);
CREATE INDEX sessions_by_address ON public.sessions USING btree (address);
CREATE INDEX shadows_by_purpose ON public.shadows USING btree (purpose);
CREATE INDEX shadows_by_state ON public.shadows USING btree (state);
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
