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
INSERT INTO public.alembic_version VALUES ('0010');
INSERT INTO public.details VALUES ('fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', '\x789cedd1c10ac2300c06e05719398b78d9c557f0e003888cda8619e8d2d2a4ba31f6eeb665e0d50730b77e6908fc5941d48c08e70e62c208870e5e981c59ad74bd54985064ff33ffebe7aad1e53db815884553b64a81a5405f9a6fe3fd206803bb4aa763dfc29e425a86c7a2d8b050c81ab37e692b96ca586a63b77b793a32230751b295a05dcdd827715dced9fbed039d10c7ea');
INSERT INTO public.details VALUES ('b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', '\x789ced92c10ac2300c865f65e42ca2c22ede3c7bf0014446edca2c74ad36e9e61c7b77d3529081072f820773cb97fcf0f32723208946c1b6805bd00f5814d0295f6b49111df611b40a31efdcfff571c5e8420e6e046d917c90a49d4506250f7b614c854a3a5b47b45a9629ecd6f9a13a0fa41264e4025d03bdd0c4ccb3cc27d971cc4dbccf6efdf6825fb3212cf6ca73678331f357019ecfac6d7ec8da8941ad45631d92969860dc11f2a2adcaa2e909a49b27f8');
INSERT INTO public.details VALUES ('801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', '\x789ced92c10ac2300c865f65f42ca2c22ede3c7bf0014446edc22c74ad34a9db287b77d3529081072f820773cb97fcf0f3275120c90ec4be1230ca5eac2af100df6a45099d8e09f4805876c67f7d5c29ba50828b425b241f1469679141cdc3411ad3202867db8436eb3a87dd3b3f35d7892043462ed03dd00bcdcc3ccb7c969d6369d27d0edbb717fc9a0d697100cf9d0dc62c5f45f07c616df743d62e0c5a2d3beb90b4c20cd38e54376da188e62748b327da');
INSERT INTO public.details VALUES ('c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', '\x789cedd1c10ac2300c06e05719398b78d9c557f0e003888cda9619e8524952758cbdbb691978f501ccad5f1a027f16107563846307e23347d875f08c1cd06bb5f3a9c21445b64fef7ffd5c35bab205b700922817af98490c7a6bbe5c4a83449f29543aecfb16f694791e6eb3c68646b9e8a3e8975633b6316e6397ab3d03ba91b228fa4ad0aee6fc1da92ea792d2fa015d82c84f');
INSERT INTO public.details VALUES ('1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e', '\x789ced91b10ac3300c447f25682ea54b96ee991bbc96625cdba406c73696dc3684fc7b2d13e8da0fe86d7aa743705a01494d16ce1da46c131c3a78da6c9c2646a31846390871116ccc1671df7dfff5b3b8bab217b7820b48b968723160057d355fca7b8956c760189d8e7d2b7b8e7991f7856c8315c542a9d0176d95e51acb2d76bdd5d138358588e43423685f53fae1021f0fc5fbed0377f3ca70');
INSERT INTO public.details VALUES ('4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd', '\x789ced92310bc2301085ff4ac92ca24217b70ee256a10e1d444a4c430da489e62ed65afadf4d42403ae9223878db7def1e1cef6e2080b4e1649d90ab150f324bc88d9b5a30f4a82c76f9b6caf27db929bcd47280387dffd7c7e5a3b331b8810805682c43a11538903ab1a35256c09956b5478b791ac26eb5e9ab538f3c4087b4c58bc5171a1d33ce6682ed30c4c6df275bbeb9e5d716a20a3a6e5ca7ac94d3a7214e9f2cb9fac9258f0ed482364a030a0601fa19cace42f1681a9f08c8315e');
INSERT INTO public.details VALUES ('665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', '\x789ced92310bc2301085ff4ac92ca2421737078782ddba899498861a4813c95d6c4be97ff71202d2455c04076fbbefdd83e3dd4d0c90b792ed332607deb155c61ed2354a604055511eeb53511655103a099066877f7d5c213a9f829b983280ce0b54d600819cc49e6b5d8314d634016dd6790cbbb36eacaf23ca0809598f778f2f3413736473d1769e5213ee73d8bebde4d7d6e1067ae9a8335eebe5cb30d2172bee7e70c50b8146f1d658402520c230c3c54d19994cf3139c572f33');
INSERT INTO public.entries VALUES ('e064d0cbd2a30', 15, 'cinc2017', 'großes Team', '14.zip', '8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61', 2, '', 'queued', 1, false, 1795516181.877635, 1795516181.877635, '', 0, '', '');
INSERT INTO public.entries VALUES ('eb5291caf82f0', 16, 'cinc2017', 'green', '15.zip', 'e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb', 2, '', 'queued', 1, false, 1795516181.887488, 1795516181.887488, '', 0, '', '');
INSERT INTO public.entries VALUES ('ef20ae2707c46', 17, 'cinc2017', 'red', '16.zip', 'b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9', 2, '', 'queued', 1, false, 1795516181.89834, 1795516181.89834, '', 0, '', '');
INSERT INTO public.entries VALUES ('e835ab6e28104', 18, 'cinc2017', 'Blue', '17.zip', '4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3', 2, '', 'queued', 1, false, 1795516181.906327, 1795516181.906327, '', 0, '', '');
INSERT INTO public.entries VALUES ('e815f3f78e740', 19, 'cinc2017', 'großes Team', '18.zip', '4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a', 2, '', 'queued', 1, false, 1795516181.914404, 1795516181.914404, '', 0, '', '');
INSERT INTO public.entries VALUES ('e40da5beb8578', 20, 'cinc2017', 'green', '19.zip', '9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767', 2, '', 'queued', 1, false, 1795516181.926686, 1795516181.926686, '', 0, '', '');
INSERT INTO public.entries VALUES ('ead9741ba7ef7', 7, 'cinc2017', 'großes Team', '6.zip', 'e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683', 2, '', 'prep', 1, false, 1795516181.844954, 1795516182.0244393, 'old:1', 0, '', '');
INSERT INTO public.entries VALUES ('eee3a0e44c60b', 4, 'cinc2017', 'green', '3.zip', '4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce', 2, '', 'done', 1, false, 1795516181.834455, 1795516182.1742342, 'old:1', 0, '{"cause": "verdict", "verdict": "PREP_ERROR"}', '');
INSERT INTO public.entries VALUES ('e227944ae22bd', 5, 'cinc2017', 'red', '4.zip', '4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a', 2, '', 'done', 1, false, 1795516181.838148, 1795516182.209658, 'old:1', 0, '{"cause": "verdict", "verdict": "WRONG_ANSWER"}', '');
INSERT INTO public.entries VALUES ('e0bd1e43fabe9', 8, 'cinc2017', 'green', '7.zip', '7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451', 2, '', 'quiz', 1, false, 1795516181.84972, 1795516182.2590442, 'old:1', 0, '', '');
INSERT INTO public.entries VALUES ('e22ff431ca677', 10, 'cinc2017', 'Blue', '9.zip', '19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7', 2, '', 'score', 1, true, 1795516181.857702, 1795516182.3021421, 'old:1', 0, '', '');
INSERT INTO public.entries VALUES ('e7add14e2aec9', 11, 'cinc2017', 'großes Team', '10.zip', '4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5', 2, '', 'parked', 1, true, 1795516181.862678, 1795516182.3241467, 'old:1', 0, '{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}', '');
INSERT INTO public.entries VALUES ('ec0d639a96d4d', 12, 'cinc2017', 'green', '11.zip', '4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8', 2, '', 'parked', 1, true, 1795516181.866435, 1795516182.3551006, 'old:1', 0, '{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}', '');
INSERT INTO public.entries VALUES ('e61cdec782e70', 13, 'cinc2017', 'red', '12.zip', '6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918', 2, '', 'queued', 2, true, 1795516181.868873, 1795516182.398565, '', 0, '', '');
INSERT INTO public.entries VALUES ('e7a6bd6a6224d', 14, 'cinc2017', 'Blue', '13.zip', '3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278', 2, '', 'cancelled', 1, true, 1795516181.872109, 1795516182.4444876, 'old:1', 0, '{"cause": "organiser"}', '');
INSERT INTO public.entries VALUES ('e85c1da521b94', 9, 'cinc2017', 'red', '8.zip', '2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3', 2, '', 'exam', 1, true, 1795516181.852564, 1795516182.4519775, 'old:1', 0, '{"cause": "retry", "message": "try 2 in 30 s: SandboxFault: the guest is gone", "stage": "exam"}', '');
INSERT INTO public.entries VALUES ('eb19e260aa4a6', 21, 'cinc2017', 'red', '20.zip', 'f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b', 2, '', 'cancelled', 1, false, 1795516181.942008, 1795516182.4625154, '', 0, '{"cause": "organiser"}', '');
INSERT INTO public.entries VALUES ('e035c3bccb8e1', 1, 'cinc2017', 'red', '0.zip', '5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9', 2, '', 'done', 2, true, 1795516181.818597, 1795516182.64006, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.entries VALUES ('e77a6a095f32f', 6, 'cinc2017', 'Blue', '5.zip', 'ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d', 2, '', 'done', 2, true, 1795516181.841392, 1795516182.64006, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.entries VALUES ('ec9c0bcecb2a2', 2, 'cinc2017', 'Blue', '1.zip', '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b', 2, '', 'done', 2, true, 1795516181.82636, 1795516182.64006, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.entries VALUES ('ed4526559d9db', 3, 'cinc2017', 'großes Team', '2.zip', 'd4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35', 2, '', 'done', 2, true, 1795516181.830597, 1795516182.64006, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.journal VALUES (1, 1795516181.818597, 'e035c3bccb8e1', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "0.zip", "sha256": "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9", "bytes": 2, "commit": "", "number": 1}', '3eb4e951d1e91f288ad327ba8fbbf2ca34ab79c3716e8f5530a2e01497ee780d');
INSERT INTO public.journal VALUES (2, 1795516181.82636, 'ec9c0bcecb2a2', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "1.zip", "sha256": "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b", "bytes": 2, "commit": "", "number": 2}', '073f5767607151c96711633e7021efc70be8e5935a57e85ec82a8f014e0fd4e2');
INSERT INTO public.journal VALUES (3, 1795516181.830597, 'ed4526559d9db', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "2.zip", "sha256": "d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35", "bytes": 2, "commit": "", "number": 3}', '07692b71836d8646997e80453e4bdc63cc0c25ad7f8fc16be370ed8da63cee8e');
INSERT INTO public.journal VALUES (4, 1795516181.834455, 'eee3a0e44c60b', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "3.zip", "sha256": "4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce", "bytes": 2, "commit": "", "number": 4}', '1abcf971e180240e1d41cf4aa0f3380fc8f207fb309973301e9d8fc19fcda292');
INSERT INTO public.journal VALUES (5, 1795516181.838148, 'e227944ae22bd', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "4.zip", "sha256": "4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a", "bytes": 2, "commit": "", "number": 5}', '547691e9f29333d9bb7ae8e58deb987976d1ccdd66a5c12d790a8d70f1093b10');
INSERT INTO public.journal VALUES (6, 1795516181.841392, 'e77a6a095f32f', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "5.zip", "sha256": "ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d", "bytes": 2, "commit": "", "number": 6}', 'd9a8b0cbebe2e9dd97352c10b896ad14337a008a5abe05877ba06d85d509eafe');
INSERT INTO public.journal VALUES (7, 1795516181.844954, 'ead9741ba7ef7', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "6.zip", "sha256": "e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683", "bytes": 2, "commit": "", "number": 7}', 'b8433b34ce5827c7fc68502acee0760b6acf2e7e155c050f994dc5db331db02a');
INSERT INTO public.journal VALUES (8, 1795516181.84972, 'e0bd1e43fabe9', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "7.zip", "sha256": "7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451", "bytes": 2, "commit": "", "number": 8}', 'f96dc89aa67301c74c09a33c9759d4bc628f391b75a09f5284e222f78826967f');
INSERT INTO public.journal VALUES (9, 1795516181.852564, 'e85c1da521b94', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "8.zip", "sha256": "2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3", "bytes": 2, "commit": "", "number": 9}', '82812a7c69fbdcd361c10bf96cc81e72add7bbb834df87b5657df0f1a515d9e5');
INSERT INTO public.journal VALUES (10, 1795516181.857702, 'e22ff431ca677', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "9.zip", "sha256": "19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7", "bytes": 2, "commit": "", "number": 10}', '9c0fe89d9d40fe3c6bfed3cc943f2ff5523affee7706808190f5b3dde40dea0a');
INSERT INTO public.journal VALUES (11, 1795516181.862678, 'e7add14e2aec9', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "10.zip", "sha256": "4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5", "bytes": 2, "commit": "", "number": 11}', 'f0a32deb2d9c92272fcfb8b4fb47a7585f16ba9d952c7e870158f337f01f84d5');
INSERT INTO public.journal VALUES (12, 1795516181.866435, 'ec0d639a96d4d', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "11.zip", "sha256": "4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8", "bytes": 2, "commit": "", "number": 12}', '91ea7b880c117dafc801c145f379c74d580c37df44016884ac2e090a941f9966');
INSERT INTO public.journal VALUES (13, 1795516181.868873, 'e61cdec782e70', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "12.zip", "sha256": "6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918", "bytes": 2, "commit": "", "number": 13}', '8b6ef956fb49c00e9301ab888ecc05af155aca468a41ad7e301d0f4352bd17f4');
INSERT INTO public.journal VALUES (14, 1795516181.872109, 'e7a6bd6a6224d', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "13.zip", "sha256": "3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278", "bytes": 2, "commit": "", "number": 14}', 'b8ad3f28e297f574c2ca91e332026c12482b3d773bf58f18aa7164e2f040ca52');
INSERT INTO public.journal VALUES (15, 1795516181.877635, 'e064d0cbd2a30', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "14.zip", "sha256": "8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61", "bytes": 2, "commit": "", "number": 15}', '54ae5c7f96619b985e43970aec1d67f146be53d2cf745ce75815e3455624ff06');
INSERT INTO public.journal VALUES (16, 1795516181.887488, 'eb5291caf82f0', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "15.zip", "sha256": "e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb", "bytes": 2, "commit": "", "number": 16}', '3331b8db1dff54df455e497f11c9246f2a924bca38ebc182800f0cbfb34fc148');
INSERT INTO public.journal VALUES (17, 1795516181.89834, 'ef20ae2707c46', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "16.zip", "sha256": "b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9", "bytes": 2, "commit": "", "number": 17}', 'da3f5ae59faafb323682c10f57ea43be5365ca4a1fb421dab1ccc06f425f8af5');
INSERT INTO public.journal VALUES (18, 1795516181.906327, 'e835ab6e28104', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "17.zip", "sha256": "4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3", "bytes": 2, "commit": "", "number": 18}', '7f5834ee82dcf6b2ec116f4a430bf56b061050d87311119d96b92b12b7b7bc00');
INSERT INTO public.journal VALUES (19, 1795516181.914404, 'e815f3f78e740', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "18.zip", "sha256": "4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a", "bytes": 2, "commit": "", "number": 19}', 'd3af7f0b71a64f1ac7bae8aae2d7a37d6b7ddccaa114d0b5517055b40aacd078');
INSERT INTO public.journal VALUES (20, 1795516181.926686, 'e40da5beb8578', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "19.zip", "sha256": "9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767", "bytes": 2, "commit": "", "number": 20}', '1b10a59cdb629399d4a5f11a57886541186c949275b9fa76317bddff606cf68b');
INSERT INTO public.journal VALUES (21, 1795516181.942008, 'eb19e260aa4a6', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "20.zip", "sha256": "f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b", "bytes": 2, "commit": "", "number": 21}', 'a59b04e0b024ddfdab7c0babb47d48e91c2f017770f30261c5d60ec86aa678dc');
INSERT INTO public.journal VALUES (22, 1795516181.9586828, 'e035c3bccb8e1', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'dd1d870666a43c68478536c685e4fd5d38eb1bb481fce3e7cedbe6933f5e55b0');
INSERT INTO public.journal VALUES (23, 1795516181.9788282, 'ec9c0bcecb2a2', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '20858591f44387d89626c9ac275119dac16cb3af86b3442e323c8296cd888e54');
INSERT INTO public.journal VALUES (24, 1795516181.9898221, 'ed4526559d9db', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '4035b62e65b3d0d99da6ba7480dc3762cf4566a0adf48e1078a057cb0705686d');
INSERT INTO public.journal VALUES (25, 1795516182.0015109, 'eee3a0e44c60b', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'b9d8b23fce4d6681f3e34ad2a41ee4be36bc9b765b8e01f4b4881b66b020bf39');
INSERT INTO public.journal VALUES (26, 1795516182.0094485, 'e227944ae22bd', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '93c516792a873897b2b72e98b9a2e63f66fb32002d5196b96b945fd79e0e5ea6');
INSERT INTO public.journal VALUES (27, 1795516182.0139067, 'e77a6a095f32f', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '8296e85d72c2ce1bb843a4bcc5458d1f7e81d2f36dfda71d0c57af4795715d7f');
INSERT INTO public.journal VALUES (28, 1795516182.0244393, 'ead9741ba7ef7', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'c56340cb39bcce2de16ece94c2eae8b5332696338fcb6173cea165e9a2e4bf32');
INSERT INTO public.journal VALUES (29, 1795516182.0303528, 'e0bd1e43fabe9', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '15e420a1db706bad461b1bc55752cf3da80a355074008279bb15449c9515e01a');
INSERT INTO public.journal VALUES (30, 1795516182.0352252, 'e85c1da521b94', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'eb7ba9ac529c5e627882aa79619816659610d95f26072b4f4ee7dfc4a8e7123e');
INSERT INTO public.journal VALUES (31, 1795516182.0408077, 'e22ff431ca677', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '2058ce3bd972583a934b092c3a6a20de4f88950f8c47af61d5d4ab7dd61b02be');
INSERT INTO public.journal VALUES (32, 1795516182.0451016, 'e7add14e2aec9', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'adb50afa72f7983fb214fdd7714a75c7fa682a446fd87d5f53da305ab5398bc0');
INSERT INTO public.journal VALUES (33, 1795516182.0505579, 'ec0d639a96d4d', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'c5b4c37a7fcb892592b6fe5db7b40a968a727530a05febe7d5a0fd007db9531e');
INSERT INTO public.journal VALUES (34, 1795516182.0549548, 'e61cdec782e70', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'c7934d6c7cc0981b12085de8bde9cdcd26ab4198f6aec434cea180bb0fa0b461');
INSERT INTO public.journal VALUES (35, 1795516182.058462, 'e7a6bd6a6224d', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '486d568134c06e40ad7c157479fb03e25473035333605381b6a5d753fa8c1beb');
INSERT INTO public.journal VALUES (36, 1795516182.0655947, 'e035c3bccb8e1', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '866a553b196a7424a66437d3134658ffd1ffb5e4212f442bf9f32ce8184dd8a6');
INSERT INTO public.journal VALUES (37, 1795516182.0729156, 'e035c3bccb8e1', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '235028954bdcb34c4dae02c3cd8587fb7a875c89eaade30f04d46f658e5e1944');
INSERT INTO public.journal VALUES (38, 1795516182.075857, 'e035c3bccb8e1', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '45277e99c3f6d9a836b6b06934c4fa2054d55eaab64e75fac51feb3c157ba72b');
INSERT INTO public.journal VALUES (39, 1795516182.0802896, 'e035c3bccb8e1', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '3dab0b2168d26fb23337f2a38249304e67c57f0aa69492f5f0848a90ee699ab5');
INSERT INTO public.journal VALUES (40, 1795516182.0837283, 'e035c3bccb8e1', 'charged', '{"charged": true}', 'ac87dba33b4abcd7e025083dcb89e10b6edfadc5348506d4facb7463924b8d90');
INSERT INTO public.journal VALUES (41, 1795516182.086631, 'e035c3bccb8e1', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', 'eddbe14ed40c745d9b207b34d01a360406e44f6bab2966acdd2ada48aca8668d');
INSERT INTO public.journal VALUES (42, 1795516182.0911586, 'e035c3bccb8e1', 'moved', '{"to": "score", "reason": {}, "charged": null}', 'ea5f5f734ae8ee1c29731bbe1e41864926c2ea84d597bbd586516ac8ecb27331');
INSERT INTO public.journal VALUES (43, 1795516182.093388, 'e035c3bccb8e1', 'result', '{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '784b184246347428f60d51c1f77b2c203eb3f3872fa4ecb0799a97e252addca0');
INSERT INTO public.journal VALUES (44, 1795516182.0967338, 'e035c3bccb8e1', 'score', '{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}', '85ea52813224a26c4f59d8622daa77cd7c5e8afd23ce90d53364dee9e04e3e44');
INSERT INTO public.journal VALUES (45, 1795516182.101398, 'e035c3bccb8e1', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}', 'f6d4ebab7521caff55214222934442a7c91c96fdde23bedc4adc6c86f341b040');
INSERT INTO public.journal VALUES (46, 1795516182.1067832, 'ec9c0bcecb2a2', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '832ceb6e8a45e67c994ab0fc50ffd5940cf2fd78e46a24ae3859533ddaf664de');
INSERT INTO public.journal VALUES (47, 1795516182.1119006, 'ec9c0bcecb2a2', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'b0cd315c095f8501a70fd40e358c3fdb885d0e376a828da2ab41f7d3f06d0c0b');
INSERT INTO public.journal VALUES (48, 1795516182.1143396, 'ec9c0bcecb2a2', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '05785d36f783cd06a9cd948e78a6fb555681ae5cb2f139cf00efea80540b0d63');
INSERT INTO public.journal VALUES (49, 1795516182.1187832, 'ec9c0bcecb2a2', 'moved', '{"to": "exam", "reason": {}, "charged": null}', 'fa2cbf1d7a885dc357c17d42f871c1df78204b15c69fa30f50f221b5051e9cfc');
INSERT INTO public.journal VALUES (50, 1795516182.1215255, 'ec9c0bcecb2a2', 'charged', '{"charged": true}', '2de577bcfea64fa3a6841c5277360d9c537df36d76e841a8e991c98762f7c31f');
INSERT INTO public.journal VALUES (51, 1795516182.123245, 'ec9c0bcecb2a2', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', 'f08031dfb6d7db58668e0616a82b1b5f82d60c2ef6f9493d6803a02d8582dc45');
INSERT INTO public.journal VALUES (52, 1795516182.1269932, 'ec9c0bcecb2a2', 'moved', '{"to": "score", "reason": {}, "charged": null}', 'd8d5fbb1f6ab4bdbfa5e12a816d3095fabd3e81f369e8cd899ecc27fb8d33519');
INSERT INTO public.journal VALUES (53, 1795516182.1289008, 'ec9c0bcecb2a2', 'result', '{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '357395634e44d19c4cb8728d6f9d9a2ad120b0d35ac7a80b8039813697aa450f');
INSERT INTO public.journal VALUES (54, 1795516182.1319122, 'ec9c0bcecb2a2', 'score', '{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}', '3a7624cf9950b07a0ab90a86c6f1be46c072e6895cf1a50c1300de3db4091857');
INSERT INTO public.journal VALUES (55, 1795516182.135461, 'ec9c0bcecb2a2', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}', '7fd64445ecf36a39c5cbdc2e6c061a5dcd2be4e25f6a9f56eecbaa7dab834e61');
INSERT INTO public.journal VALUES (56, 1795516182.1398406, 'ed4526559d9db', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '8c59f9fe4b5d139463669c983b5b5307623bf20a699915245ce98baedabcee83');
INSERT INTO public.journal VALUES (57, 1795516182.1437898, 'ed4526559d9db', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'f07d154cb2a1edfcb7f905a332263e41f0af09301d70182428e5d8c1b881869a');
INSERT INTO public.journal VALUES (58, 1795516182.1457438, 'ed4526559d9db', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '4cd6ca2577562e9f6cb0f417898402ba7c89eefe6676380f417fc1065401d2ef');
INSERT INTO public.journal VALUES (59, 1795516182.1500282, 'ed4526559d9db', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '945a550e66aed87036e09b9e978974699a0e2db3bb4da5530a29604b6a484293');
INSERT INTO public.journal VALUES (60, 1795516182.1524427, 'ed4526559d9db', 'charged', '{"charged": true}', 'bacc9d52c750dc75c21d3eb8fbcb6a7c92433c105bdb091efce3f8ac93f50716');
INSERT INTO public.journal VALUES (61, 1795516182.1538851, 'ed4526559d9db', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', '131d7ce4cd66a6e2e0e6c7275b3a2f5d7b0ccd41ef29e02174f0218bed5c17fa');
INSERT INTO public.journal VALUES (62, 1795516182.1574926, 'ed4526559d9db', 'moved', '{"to": "score", "reason": {}, "charged": null}', '2512e6701715fc4d3cedcd381bacecfad7612c380457196118c8a860b3b6cc4d');
INSERT INTO public.journal VALUES (63, 1795516182.1593146, 'ed4526559d9db', 'result', '{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '462ee7e4170b82dec2199e567a2daf9641f4d8086becf7d07ed02831be916ed3');
INSERT INTO public.journal VALUES (64, 1795516182.1617827, 'ed4526559d9db', 'score', '{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}', 'b4638a59a194d2d36465731a8113cb459d9c0b8ef9968f74e7e67e95d4906eed');
INSERT INTO public.journal VALUES (65, 1795516182.1660337, 'ed4526559d9db', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}', '6cc02cfa376dff9818366cfd76e319dee6f609014fd772b50284a2a2afb2a3f9');
INSERT INTO public.journal VALUES (66, 1795516182.1704497, 'eee3a0e44c60b', 'result', '{"stage": "prep", "attempt": 1, "verdict": "PREP_ERROR", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e"}', '1f729d55e75900b65d8be34bb8db1b32dacb4e31f896adbc976fd60ad13cca52');
INSERT INTO public.journal VALUES (67, 1795516182.1742342, 'eee3a0e44c60b', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "PREP_ERROR"}, "charged": null}', '70d1a25388df4363d6fcf0d71bcb61618d5e538e02ed8e1200aa9afd8a2b9275');
INSERT INTO public.journal VALUES (68, 1795516182.181037, 'e227944ae22bd', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '1ec3335c9fa1115edc1869f0e5eae8ef50efe29926b04b877160d14676d02b4e');
INSERT INTO public.journal VALUES (69, 1795516182.1870747, 'e227944ae22bd', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'ef7f121bd764ad40b98d6595e9e4975ad6a2d280a658aef42a69627284b3fce9');
INSERT INTO public.journal VALUES (70, 1795516182.2006717, 'e227944ae22bd', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "WRONG_ANSWER", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd"}', '53241152be4691381488e7b3792aea1135f345df437b093b64d1992a4cd36e2e');
INSERT INTO public.journal VALUES (71, 1795516182.209658, 'e227944ae22bd', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "WRONG_ANSWER"}, "charged": null}', '5b5fa85879547fb2b8e871117e3029c48f1051118fb1e2b0d87ce285277ec1c5');
INSERT INTO public.journal VALUES (72, 1795516182.219965, 'e77a6a095f32f', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'a356d453ee3ee52a04facebb5f760551b9421dc11ab0471b3866f1328ee8ad4e');
INSERT INTO public.journal VALUES (73, 1795516182.2288105, 'e77a6a095f32f', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '1f12899339d310ada13f268bcc413977d0fdf21975e3c3a06e55f20a631a3064');
INSERT INTO public.journal VALUES (74, 1795516182.2306914, 'e77a6a095f32f', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '36ff16c525416fe593d8d7ad74fa48c83b6f03f2ded68e9f588fe98534df0815');
INSERT INTO public.journal VALUES (75, 1795516182.2350228, 'e77a6a095f32f', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '5c5d4d2ad8c115b014701543f7d151a69a4b89c119cad5be67a8b32602615b2d');
INSERT INTO public.journal VALUES (76, 1795516182.238624, 'e77a6a095f32f', 'charged', '{"charged": true}', '600d82cde3584f15c73e7c4a0d6df83a9f4559caf1ebe10423a18027e39c9034');
INSERT INTO public.journal VALUES (77, 1795516182.2411578, 'e77a6a095f32f', 'result', '{"stage": "exam", "attempt": 1, "verdict": "TIME_LIMIT", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab"}', '5f61113ada72b809b273977f6ba0894e6fd2c0a0fe2783256a52382a15629c13');
INSERT INTO public.journal VALUES (78, 1795516182.2477908, 'e77a6a095f32f', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "TIME_LIMIT"}, "charged": null}', '35c403f5aff73ff5c5de34cd3a8270d18681a3ff9f2e0d76757f6821cd0262bd');
INSERT INTO public.journal VALUES (79, 1795516182.2535522, 'e0bd1e43fabe9', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'eeb01855edfd7c60862c52d269ec4b41eaf6286946501af6eb153cead5415424');
INSERT INTO public.journal VALUES (80, 1795516182.2590442, 'e0bd1e43fabe9', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'd800ecb90f785a5d1b6a448cd1feb92b791e6dfdad42689caaee037e378f2c02');
INSERT INTO public.journal VALUES (81, 1795516182.2619784, 'e85c1da521b94', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'cbe53e039f53b1a2d82a06b3d1a2110a2ca973ba078628ac3a8e0329f30578c9');
INSERT INTO public.journal VALUES (82, 1795516182.2662368, 'e85c1da521b94', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '71a5a6c3424bd7420a566663c6a716c8ac432dbdc6580c68ee6fb462b1a2e2f9');
INSERT INTO public.journal VALUES (83, 1795516182.2683215, 'e85c1da521b94', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '7490a58f84e8cb88a595ca8941844e85904ff3fdd386432b90c03fc0f55c2ab1');
INSERT INTO public.journal VALUES (84, 1795516182.272186, 'e85c1da521b94', 'moved', '{"to": "exam", "reason": {}, "charged": null}', 'ac1eb931534b254c7e3e9faef30c10c1b7f4243fb482f9d044b05be76d427f1a');
INSERT INTO public.journal VALUES (85, 1795516182.274461, 'e85c1da521b94', 'charged', '{"charged": true}', 'b119cdafeb90e1c25b68a15547a396a3d220bb0df8d1c15512ce30ba41ef555c');
INSERT INTO public.journal VALUES (86, 1795516182.278918, 'e22ff431ca677', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'fde48ea9529532cfa06781382473e34167e6261b71cb07a0447ad8340e23126d');
INSERT INTO public.journal VALUES (87, 1795516182.2840846, 'e22ff431ca677', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '2ecd2ce273b2ef6aac18119ad1c2d0bb546733537b80ae949598adcd527b5c8e');
INSERT INTO public.journal VALUES (88, 1795516182.2873557, 'e22ff431ca677', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', 'e3ca9e0fdad38fdfb985c556847d91ede7eca115879c04033ea7046704eee6a1');
INSERT INTO public.journal VALUES (89, 1795516182.291634, 'e22ff431ca677', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '5d76b5a19f4ba512a214b1e9c7b367fc9258ad3d4a74e93daa5208214aeb7ed4');
INSERT INTO public.journal VALUES (90, 1795516182.2939968, 'e22ff431ca677', 'charged', '{"charged": true}', 'd857db1985267d0d6b6eaf45d1b9f9f84d7f95efdb1f048ca66b06fd1b6e7039');
INSERT INTO public.journal VALUES (91, 1795516182.2962902, 'e22ff431ca677', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', '69f5c6da2919bc3eaadefb1c06338adcfe88e55c61d97a39db04cfc086f82a25');
INSERT INTO public.journal VALUES (92, 1795516182.3021421, 'e22ff431ca677', 'moved', '{"to": "score", "reason": {}, "charged": null}', '55a04801e4684d0bc5873914525d799cf96d4a1becc2f7f04b58cdf5662f1ee7');
INSERT INTO public.journal VALUES (93, 1795516182.3048282, 'e7add14e2aec9', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'd624c2a8f87455aaa83bbd827205b6909735f0a236ae154214b9dbbda5819269');
INSERT INTO public.journal VALUES (94, 1795516182.3091362, 'e7add14e2aec9', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '14c4901eb259c9438f8fbdf365353e194376c8e6bea9bbbc3c7cb502e40c3750');
INSERT INTO public.journal VALUES (95, 1795516182.3126094, 'e7add14e2aec9', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '1bd372c1ff1e51d9e53f1010392d9bc2291a53bdc979bfc4e8210bf476b386f6');
INSERT INTO public.journal VALUES (96, 1795516182.3180146, 'e7add14e2aec9', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '471f0701fc50246f6ce26155eb2ad6e972de0b5a2255d51eb7d58b96313c8203');
INSERT INTO public.journal VALUES (97, 1795516182.321926, 'e7add14e2aec9', 'charged', '{"charged": true}', 'bbbeb41077ec8bff3c8ff3190ada2201c26496173a421b7220f6ba6956caf788');
INSERT INTO public.journal VALUES (98, 1795516182.3241467, 'e7add14e2aec9', 'moved', '{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}', 'ef95345d8f2d9168220bbdd3df1c6d79c6d1ab38cdf471ad9ab13c77ec2f55dc');
INSERT INTO public.journal VALUES (99, 1795516182.32761, 'ec0d639a96d4d', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'd4c7a2d4be691a572f4abc3b96645715b3cb155429f2c8f332e61c3115265698');
INSERT INTO public.journal VALUES (100, 1795516182.3344657, 'ec0d639a96d4d', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '477c4f10f75befaf5b5c5a1eecf9777e7eda50491a6157e0d9613f94f3f3ca27');
INSERT INTO public.journal VALUES (101, 1795516182.33805, 'ec0d639a96d4d', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', 'd1216d8028c946867573947ff61652693ee6660282d88a14472b63e6a2b17ad5');
INSERT INTO public.journal VALUES (102, 1795516182.346562, 'ec0d639a96d4d', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '264b537d4b93834df8cfe74caa49bfdfa6c4f1dfa46dddc0d3fedf3fa7946ee8');
INSERT INTO public.journal VALUES (103, 1795516182.3491175, 'ec0d639a96d4d', 'charged', '{"charged": true}', '402fbab7b5370e6b87036091ca1ac0ef4347898aea0825a626e648443e6ab50f');
INSERT INTO public.journal VALUES (104, 1795516182.3551006, 'ec0d639a96d4d', 'moved', '{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}', 'e58d9cbe0c53c20526a9ad7e402b860532c264b393910fa3c65a3104af97c21e');
INSERT INTO public.journal VALUES (105, 1795516182.3637612, 'e61cdec782e70', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '38089ff4879bff92f0f8b297e0fcf7094d6ad3535ed1aede89c46c8aedc6de04');
INSERT INTO public.journal VALUES (106, 1795516182.367475, 'e61cdec782e70', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'f8307f7a36c47331ffde8a4f5b64d107744c80ff8ee4d7d238bfbb8a53c7f7dc');
INSERT INTO public.journal VALUES (107, 1795516182.378693, 'e61cdec782e70', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '876a8af3509ac13f562effa7d6f074af76a88a88fc189175d52f22c12ceed20f');
INSERT INTO public.journal VALUES (108, 1795516182.382834, 'e61cdec782e70', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '54ca1d05ff32fe12d12b44e4b1b854edf263606e87f165626f01bf964b6a5e36');
INSERT INTO public.journal VALUES (109, 1795516182.3867185, 'e61cdec782e70', 'charged', '{"charged": true}', '7c10344a5919c7dd5c9b1eb77400abda38322a4c75726e9d0f761544f76e814b');
INSERT INTO public.journal VALUES (110, 1795516182.3941274, 'e61cdec782e70', 'moved', '{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}', '8855a57de077f00cce1cdcb959559faa310fb33603c881c89031600e8287c83a');
INSERT INTO public.journal VALUES (111, 1795516182.398565, 'e61cdec782e70', 'retried', '{"attempt": 2}', '03b925d89d7b006e6686d0ac4193466890049b6635aa8036ec426406c4b7bcb1');
INSERT INTO public.journal VALUES (112, 1795516182.4087784, 'e7a6bd6a6224d', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '08756fa8bcd8ef79566f1cba4e8dee0e0a0197460713db21ba0cc9a6f2a93663');
INSERT INTO public.journal VALUES (113, 1795516182.4229298, 'e7a6bd6a6224d', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'b9067c565ce0cb542fe971baba61d95e71dfc3e361bd0189b0561f221f7cbfd0');
INSERT INTO public.journal VALUES (114, 1795516182.4305708, 'e7a6bd6a6224d', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '5a6d7303102c149e93841f1cf6f677c64f536aed53e67ca9a3f31946be5aaef9');
INSERT INTO public.journal VALUES (115, 1795516182.4379468, 'e7a6bd6a6224d', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '7f61e9237a240a008c712e880b06ef9669c3ca1ffdb9cc57061967864d93c66f');
INSERT INTO public.journal VALUES (116, 1795516182.4422984, 'e7a6bd6a6224d', 'charged', '{"charged": true}', '165f4da36a8573c32ddc0c6b9aaa2ca2758984075dc9e750a703bec3b232c576');
INSERT INTO public.journal VALUES (117, 1795516182.4444876, 'e7a6bd6a6224d', 'moved', '{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}', '641b38b252bac595fd887fe3a2a53952e7bdbaac1f90bca65cd5acb4d06bc3a0');
INSERT INTO public.journal VALUES (118, 1795516182.4519775, 'e85c1da521b94', 'moved', '{"to": "exam", "reason": {"cause": "retry", "stage": "exam", "message": "try 2 in 30 s: SandboxFault: the guest is gone"}, "charged": null}', '5c9191b84c8eecfa78c1cbbd8ee1f4ee15181078e9853fe7a8ef8ee9135238e9');
INSERT INTO public.journal VALUES (119, 1795516182.4625154, 'eb19e260aa4a6', 'moved', '{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}', '5fcbfed0dc978a831dc59fad567844b66d3657f7ee1f8d12c6ad2b6035c141b4');
INSERT INTO public.journal VALUES (120, 1795516182.487426, 'e035c3bccb8e1', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'b79491d163e3b704f6722c4c91a4b59cf79659b2304f1971c1fd5a9824283600');
INSERT INTO public.journal VALUES (121, 1795516182.487426, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'f60589d69834ab9c3039f78cb388a518752c1274a69a5eabd30957fbb750bc07');
INSERT INTO public.journal VALUES (122, 1795516182.487426, 'ed4526559d9db', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '6caca67c28a9b734559aa13adf8a6428243c5849f46d060ab209988c4e43b1f3');
INSERT INTO public.journal VALUES (123, 1795516182.487426, 'e77a6a095f32f', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '1ae55f5626369a73559926a425a2561d417bb7cb7fdfde972c422d1b3581e5f9');
INSERT INTO public.journal VALUES (124, 1795516182.50673, 'e035c3bccb8e1', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', '6ee866715e6d6b43547ca498d3d39e0c0d3b1f0415e4b418c9af4f5fcfe82876');
INSERT INTO public.journal VALUES (125, 1795516182.50673, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', '3ec7a2619efd0cfa2eee13934efb6f4f2aed316683c3119e248ba49a2304fc8a');
INSERT INTO public.journal VALUES (126, 1795516182.50673, 'ed4526559d9db', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', '398fb2d9d4314104b33300864001482151d25085b032328357be6cd960414c9b');
INSERT INTO public.journal VALUES (127, 1795516182.50673, 'e77a6a095f32f', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', '1e157cfd1ddbef6e256f8fa4bcfe034b12787c53d45eed9855316cd63b20e06a');
INSERT INTO public.journal VALUES (128, 1795516182.5215304, 'e035c3bccb8e1', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', '44f3c0bb6409fd2b10c62cc005ac140147af2ec4bf25ce8c69bdd4a2392bb616');
INSERT INTO public.journal VALUES (129, 1795516182.5215304, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', 'd6e876355e6def021065db95182f5cb42c50f0a50de0b3c94ad8a1edc0251534');
INSERT INTO public.journal VALUES (130, 1795516182.5215304, 'ed4526559d9db', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', '38ff117de683bb9c4ce91d3cd213c71836eed5bae7080d306c5216fc515e7eb5');
INSERT INTO public.journal VALUES (131, 1795516182.5215304, 'e77a6a095f32f', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', '68e2142f11f7d725a217265b0a1960a65f5dd9fcea9d929a37f11d356b131bd7');
INSERT INTO public.journal VALUES (132, 1795516182.5335245, 'e035c3bccb8e1', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '347874ce1cf84486e467e79332bc3b0a4aa00b77b07ad7bd2de9040703fa47f4');
INSERT INTO public.journal VALUES (133, 1795516182.5335245, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'fb44683b25de39bdc9c5e1e296680b8fad82328fa0203dd8f6e217e20e1ea6fe');
INSERT INTO public.journal VALUES (134, 1795516182.5335245, 'ed4526559d9db', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'a961d2d20e4eda7ddbff0441b31aa6b26d99b82f66b495729444e4f09e054b82');
INSERT INTO public.journal VALUES (135, 1795516182.5335245, 'e77a6a095f32f', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'fae4c12a38a9ebdb52eb950449f72d228c7bd6af0da9b85ba546be8d8410a85f');
INSERT INTO public.journal VALUES (136, 1795516182.5446024, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', '9c391c63c0cf746276a7a6c289eeed5f1ef7039a9b9919254a2cfbad54da48e1');
INSERT INTO public.journal VALUES (137, 1795516182.5483253, 'e035c3bccb8e1', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '9fab0365c7abd477b997e00a0f5194d633478ab8d41480680f166269d6549cb4');
INSERT INTO public.journal VALUES (138, 1795516182.5525997, 'e035c3bccb8e1', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', 'e6f7339fec84d2b865d2108aa0e9e9edf0059a1d65e37ec33f27f4261ab25c16');
INSERT INTO public.journal VALUES (139, 1795516182.5576422, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', 'a05623786f685938195b0f32730699fb73c0034ed4edd41ae246271b54babdac');
INSERT INTO public.journal VALUES (140, 1795516182.56213, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', 'f1ef7732fbe5dea99344f09b485e0d0f80338b09dfb926766dc7f32a69ade6f3');
INSERT INTO public.journal VALUES (141, 1795516182.5646844, 'e77a6a095f32f', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '35a913fe23c11e564dd01719eb7d5bd2d0f7cb1bf216b50f5a6b5b80449f0497');
INSERT INTO public.journal VALUES (142, 1795516182.5679972, 'e77a6a095f32f', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', '2644643311ce5774bdd5a207ab9bcc7074c7c210b46fa36555f7a87258fde219');
INSERT INTO public.journal VALUES (143, 1795516182.5754168, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', 'f61f9e5f91699801f474f0bd6fa5b77497bf84320121dec9c3f832450b02072f');
INSERT INTO public.journal VALUES (144, 1795516182.5792885, 'ec9c0bcecb2a2', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', 'f05badfbb5b2e4cf401781b701e8ca172a9e4021fcf7fd12c1b740744eacdc23');
INSERT INTO public.journal VALUES (145, 1795516182.5828674, 'ec9c0bcecb2a2', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '4fb40728b41abc0f2cc4c185439731bf958140ba37fcd321026463b54fec2aa8');
INSERT INTO public.journal VALUES (146, 1795516182.5870233, 'ec9c0bcecb2a2', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', 'c2e2b82404b046954ddc1a707ea59c775ccedcd54389a50069ee7e4d8f7d8d75');
INSERT INTO public.journal VALUES (147, 1795516182.595838, 'ec9c0bcecb2a2', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', '2edb0f1f56cdf70f02b0ea99828abb37a069cc64fa1f63c9b69c9d1e68579002');
INSERT INTO public.journal VALUES (148, 1795516182.607156, 'ed4526559d9db', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', 'd754848fd8729c12184dbbab5a95c35fc83ec220d748b17be4aef8211475ea19');
INSERT INTO public.journal VALUES (149, 1795516182.615068, 'ed4526559d9db', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', 'a5a815135abf091884c40737eefcb6b9d5298af9295aae1b1f01f94c3fb5a7a6');
INSERT INTO public.journal VALUES (150, 1795516182.6255698, 'ed4526559d9db', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', 'db5c6f80a8041ab2906491638ccb144a340afe3469498facad6eecaf2b3d4d73');
INSERT INTO public.journal VALUES (151, 1795516182.6349041, 'ed4526559d9db', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', '3ce2ab444ce2b7222d048ac006632af1b69e0dadaa28cd79e043bf9686325daf');
INSERT INTO public.journal VALUES (152, 1795516182.64006, 'e035c3bccb8e1', 'adopted', '{"attempt": 2}', '05b7942fb98aacd7c22d0bd6fede1aef2d4eee7d8f2f72b5e22fd3fdaee961a3');
INSERT INTO public.journal VALUES (153, 1795516182.64006, 'e77a6a095f32f', 'adopted', '{"attempt": 2}', '6a34611cb87b2388dec9bba92be83de1d942ad3f9fb8b84c85ed4419ac2cd7f7');
INSERT INTO public.journal VALUES (154, 1795516182.64006, 'ec9c0bcecb2a2', 'adopted', '{"attempt": 2}', 'f5810fda2f822a7f70902a5f8653ed1d71c087eb4889a41fb51f716d8bc27582');
INSERT INTO public.journal VALUES (155, 1795516182.64006, 'ed4526559d9db', 'adopted', '{"attempt": 2}', 'be94c23340470a188ceb88cd359fe48c82a648ed78c49a194b4610ff0df592c1');
INSERT INTO public.journal VALUES (156, 1795516182.6458132, '', 'set', '{"key": "judged:df8f8b76e13c7ad5b828e970c28f9e275d27057fcaac2c0c21858d10aea45dc7", "value": "{\"challenge\": \"cinc2017\", \"data\": [\"\"]}"}', '964189452d0952478b4bf6dd858dd9b5aa8dc04c2df237293a82afece38912f9');
INSERT INTO public.journal VALUES (157, 1795516182.6479852, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', '22708de995dc4bc9e3aac76b9732afac4a526218468d47f9498e257352091503');
INSERT INTO public.journal VALUES (158, 1795516182.6479852, 'ec9c0bcecb2a2', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', 'b5cca3844d00fdaaee6cb06a8e4204db954d90d0a25563a72286387d30581498');
INSERT INTO public.journal VALUES (159, 1795516182.6479852, 'ed4526559d9db', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', '554d0cffd72fa8c16788889103a4a178cca4ecedcd9b5e6c1b8717fe13410dda');
INSERT INTO public.journal VALUES (160, 1795516182.6479852, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', 'e6d9a05dc421ae82d37b0320ac3fb0046d8cd24281f33099e492de2a66fca790');
INSERT INTO public.journal VALUES (161, 1795516182.6520834, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 4, "to": "prep", "reason": {}}', '4e54459ba4968785ebfbe0fb2eaa107146fa835ce8e31d97d05f838e793662a0');
INSERT INTO public.journal VALUES (162, 1795516182.6550925, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 4, "to": "parked", "reason": {"cause": "challenge", "stage": "exam", "message": "no score"}}', 'f31d176cf5924a958dda38cc35c36076eed810d6e0958642e7bf5617d343de02');
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516182.0655947);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516182.075857);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516182.086631);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795516182.093388);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516182.1067832);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516182.1143396);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516182.123245);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795516182.1289008);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516182.1398406);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516182.1457438);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516182.1538851);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795516182.1593146);
INSERT INTO public.results VALUES ('eee3a0e44c60b', 1, 'prep', 'PREP_ERROR', 5, 0.5, 'sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e', 1795516182.1704497);
INSERT INTO public.results VALUES ('e227944ae22bd', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516182.181037);
INSERT INTO public.results VALUES ('e227944ae22bd', 1, 'quiz', 'WRONG_ANSWER', 5, 0.5, 'sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd', 1795516182.2006717);
INSERT INTO public.results VALUES ('e77a6a095f32f', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516182.219965);
INSERT INTO public.results VALUES ('e77a6a095f32f', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516182.2306914);
INSERT INTO public.results VALUES ('e77a6a095f32f', 1, 'exam', 'TIME_LIMIT', 5, 0.5, 'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', 1795516182.2411578);
INSERT INTO public.results VALUES ('e0bd1e43fabe9', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516182.2535522);
INSERT INTO public.results VALUES ('e85c1da521b94', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516182.2619784);
INSERT INTO public.results VALUES ('e85c1da521b94', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516182.2683215);
INSERT INTO public.results VALUES ('e22ff431ca677', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516182.278918);
INSERT INTO public.results VALUES ('e22ff431ca677', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516182.2873557);
INSERT INTO public.results VALUES ('e22ff431ca677', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516182.2962902);
INSERT INTO public.results VALUES ('e7add14e2aec9', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516182.3048282);
INSERT INTO public.results VALUES ('e7add14e2aec9', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516182.3126094);
INSERT INTO public.results VALUES ('ec0d639a96d4d', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516182.32761);
INSERT INTO public.results VALUES ('ec0d639a96d4d', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516182.33805);
INSERT INTO public.results VALUES ('e61cdec782e70', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516182.3637612);
INSERT INTO public.results VALUES ('e61cdec782e70', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516182.378693);
INSERT INTO public.results VALUES ('e7a6bd6a6224d', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516182.4087784);
INSERT INTO public.results VALUES ('e7a6bd6a6224d', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516182.4305708);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516182.086631);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516182.0655947);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516182.075857);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516182.123245);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516182.1067832);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516182.1143396);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516182.1538851);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516182.1398406);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516182.1457438);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'exam', 'TIME_LIMIT', 5, 0.5, 'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', 1795516182.2411578);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516182.219965);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516182.2306914);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516182.0655947);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516182.075857);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516182.1067832);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516182.1143396);
INSERT INTO public.results VALUES ('ed4526559d9db', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516182.1398406);
INSERT INTO public.results VALUES ('ed4526559d9db', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516182.1457438);
INSERT INTO public.results VALUES ('e77a6a095f32f', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516182.219965);
INSERT INTO public.results VALUES ('e77a6a095f32f', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516182.2306914);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 5, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516182.086631);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516182.0655947);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516182.075857);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 5, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516182.123245);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516182.1067832);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516182.1143396);
INSERT INTO public.results VALUES ('ed4526559d9db', 5, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516182.1538851);
INSERT INTO public.results VALUES ('ed4526559d9db', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516182.1398406);
INSERT INTO public.results VALUES ('ed4526559d9db', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516182.1457438);
INSERT INTO public.results VALUES ('e77a6a095f32f', 5, 'exam', 'TIME_LIMIT', 5, 0.5, 'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', 1795516182.2411578);
INSERT INTO public.results VALUES ('e77a6a095f32f', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516182.219965);
INSERT INTO public.results VALUES ('e77a6a095f32f', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516182.2306914);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795516182.5483253);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795516182.5646844);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795516182.5828674);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795516182.615068);
INSERT INTO public.scores VALUES ('e035c3bccb8e1', 1, 'F1', 0.5, '{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}', 1795516182.0967338, 0.25, 0.75, '');
INSERT INTO public.scores VALUES ('ec9c0bcecb2a2', 1, 'F1', 0.5, '{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}', 1795516182.1319122, 0.25, 0.75, '');
INSERT INTO public.scores VALUES ('ed4526559d9db', 1, 'F1', 0.5, '{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}', 1795516182.1617827, 0.25, 0.75, '');
INSERT INTO public.scores VALUES ('e035c3bccb8e1', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795516182.5525997, 0.35, 1.0499999999999998, '');
INSERT INTO public.scores VALUES ('e77a6a095f32f', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795516182.5679972, 0.35, 1.0499999999999998, '');
INSERT INTO public.scores VALUES ('ec9c0bcecb2a2', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795516182.5870233, 0.35, 1.0499999999999998, '');
INSERT INTO public.scores VALUES ('ed4526559d9db', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795516182.6255698, 0.35, 1.0499999999999998, '');
INSERT INTO public.settings VALUES ('times-exact-after', '0');
INSERT INTO public.settings VALUES ('identity', '6067b6120fed4ae5be9a1b40ec790a6b');
INSERT INTO public.settings VALUES ('judged:df8f8b76e13c7ad5b828e970c28f9e275d27057fcaac2c0c21858d10aea45dc7', '{"challenge": "cinc2017", "data": [""]}');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 4, 'r3', 'cinc2017', '', 1, 'prep', 'queued', 1795516182.5215304, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 4, 'r3', 'cinc2017', '', 1, 'prep', 'queued', 1795516182.5215304, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795516182.5335245, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795516182.5335245, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795516182.5335245, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795516182.5335245, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795516182.5576422, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795516182.5754168, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795516182.595838, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795516182.6349041, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795516182.6479852, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795516182.6479852, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795516182.6479852, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795516182.6479852, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 4, 'r3', 'cinc2017', '', 1, 'prep', 'prep', 1795516182.6520834, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 4, 'r3', 'cinc2017', '', 1, 'prep', 'parked', 1795516182.6550925, false, '', 0, '{"cause": "challenge", "message": "no score", "stage": "exam"}', '');
INSERT INTO public.shares VALUES ('entries', 'großes Team', 3);
INSERT INTO public.shares VALUES ('entries', 'green', 3);
INSERT INTO public.shares VALUES ('entries', 'red', 4);
INSERT INTO public.shares VALUES ('entries', '', 3);
INSERT INTO public.shares VALUES ('entries', 'Blue', 4);
INSERT INTO public.team_names VALUES ('red', 'red', 'red');
INSERT INTO public.team_names VALUES ('blue', 'Blue', 'Blue');
INSERT INTO public.team_names VALUES ('grosses team', 'großes Team', 'großes Team');
INSERT INTO public.team_names VALUES ('green', 'green', 'green');
INSERT INTO public.teams VALUES ('red', 1795516181.818597);
INSERT INTO public.teams VALUES ('Blue', 1795516181.82636);
INSERT INTO public.teams VALUES ('großes Team', 1795516181.830597);
INSERT INTO public.teams VALUES ('green', 1795516181.834455);
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
