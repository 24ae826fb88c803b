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
    mail boolean NOT NULL
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
INSERT INTO public.alembic_version VALUES ('0008');
INSERT INTO public.details VALUES ('fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', '\x789cedd1c10ac2300c06e05719398b78d9c557f0e003888cda8619e8d2d2a4ba31f6eeb665e0d50730b77e6908fc5941d48c08e70e62c208870e5e981c59ad74bd54985064ff33ffebe7aad1e53db815884553b64a81a5405f9a6fe3fd206803bb4aa763dfc29e425a86c7a2d8b050c81ab37e692b96ca586a63b77b793a32230751b295a05dcdd827715dced9fbed039d10c7ea');
INSERT INTO public.details VALUES ('b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', '\x789ced92c10ac2300c865f65e42ca2c22ede3c7bf0014446edca2c74ad36e9e61c7b77d3529081072f820773cb97fcf0f32723208946c1b6805bd00f5814d0295f6b49111df611b40a31efdcfff571c5e8420e6e046d917c90a49d4506250f7b614c854a3a5b47b45a9629ecd6f9a13a0fa41264e4025d03bdd0c4ccb3cc27d971cc4dbccf6efdf6825fb3212cf6ca73678331f357019ecfac6d7ec8da8941ad45631d92969860dc11f2a2adcaa2e909a49b27f8');
INSERT INTO public.details VALUES ('801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', '\x789ced92c10ac2300c865f65f42ca2c22ede3c7bf0014446edc22c74ad34a9db287b77d3529081072f820773cb97fcf0f3275120c90ec4be1230ca5eac2af100df6a45099d8e09f4805876c67f7d5c29ba50828b425b241f1469679141cdc3411ad3202867db8436eb3a87dd3b3f35d7892043462ed03dd00bcdcc3ccb7c969d6369d27d0edbb717fc9a0d697100cf9d0dc62c5f45f07c616df743d62e0c5a2d3beb90b4c20cd38e54376da188e62748b327da');
INSERT INTO public.details VALUES ('c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', '\x789cedd1c10ac2300c06e05719398b78d9c557f0e003888cda9619e8524952758cbdbb691978f501ccad5f1a027f16107563846307e23347d875f08c1cd06bb5f3a9c21445b64fef7ffd5c35bab205b700922817af98490c7a6bbe5c4a83449f29543aecfb16f694791e6eb3c68646b9e8a3e8975633b6316e6397ab3d03ba91b228fa4ad0aee6fc1da92ea792d2fa015d82c84f');
INSERT INTO public.details VALUES ('1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e', '\x789ced91b10ac3300c447f25682ea54b96ee991bbc96625cdba406c73696dc3684fc7b2d13e8da0fe86d7aa743705a01494d16ce1da46c131c3a78da6c9c2646a31846390871116ccc1671df7dfff5b3b8bab217b7820b48b968723160057d355fca7b8956c760189d8e7d2b7b8e7991f7856c8315c542a9d0176d95e51acb2d76bdd5d138358588e43423685f53fae1021f0fc5fbed0377f3ca70');
INSERT INTO public.details VALUES ('4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd', '\x789ced92310bc2301085ff4ac92ca24217b70ee256a10e1d444a4c430da489e62ed65afadf4d42403ae9223878db7def1e1cef6e2080b4e1649d90ab150f324bc88d9b5a30f4a82c76f9b6caf27db929bcd47280387dffd7c7e5a3b331b8810805682c43a11538903ab1a35256c09956b5478b791ac26eb5e9ab538f3c4087b4c58bc5171a1d33ce6682ed30c4c6df275bbeb9e5d716a20a3a6e5ca7ac94d3a7214e9f2cb9fac9258f0ed482364a030a0601fa19cace42f1681a9f08c8315e');
INSERT INTO public.details VALUES ('665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', '\x789ced92310bc2301085ff4ac92ca2421737078782ddba899498861a4813c95d6c4be97ff71202d2455c04076fbbefdd83e3dd4d0c90b792ed332607deb155c61ed2354a604055511eeb53511655103a099066877f7d5c213a9f829b983280ce0b54d600819cc49e6b5d8314d634016dd6790cbbb36eacaf23ca0809598f778f2f3413736473d1769e5213ee73d8bebde4d7d6e1067ae9a8335eebe5cb30d2172bee7e70c50b8146f1d658402520c230c3c54d19994cf3139c572f33');
INSERT INTO public.entries VALUES ('e064d0cbd2a30', 15, 'cinc2017', 'großes Team', '14.zip', '8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61', 2, '', 'queued', 1, false, 1795446327.4641602, 1795446327.4641602, '', 0, '', '');
INSERT INTO public.entries VALUES ('eb5291caf82f0', 16, 'cinc2017', 'green', '15.zip', 'e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb', 2, '', 'queued', 1, false, 1795446327.4871688, 1795446327.4871688, '', 0, '', '');
INSERT INTO public.entries VALUES ('ef20ae2707c46', 17, 'cinc2017', 'red', '16.zip', 'b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9', 2, '', 'queued', 1, false, 1795446327.5113301, 1795446327.5113301, '', 0, '', '');
INSERT INTO public.entries VALUES ('e835ab6e28104', 18, 'cinc2017', 'Blue', '17.zip', '4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3', 2, '', 'queued', 1, false, 1795446327.5973082, 1795446327.5973082, '', 0, '', '');
INSERT INTO public.entries VALUES ('e815f3f78e740', 19, 'cinc2017', 'großes Team', '18.zip', '4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a', 2, '', 'queued', 1, false, 1795446327.6190941, 1795446327.6190941, '', 0, '', '');
INSERT INTO public.entries VALUES ('e40da5beb8578', 20, 'cinc2017', 'green', '19.zip', '9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767', 2, '', 'queued', 1, false, 1795446327.6357899, 1795446327.6357899, '', 0, '', '');
INSERT INTO public.entries VALUES ('ead9741ba7ef7', 7, 'cinc2017', 'großes Team', '6.zip', 'e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683', 2, '', 'prep', 1, false, 1795446327.2928379, 1795446327.863141, 'old:1', 0, '', '');
INSERT INTO public.entries VALUES ('eee3a0e44c60b', 4, 'cinc2017', 'green', '3.zip', '4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce', 2, '', 'done', 1, false, 1795446327.2063766, 1795446329.0434904, 'old:1', 0, '{"cause": "verdict", "verdict": "PREP_ERROR"}', '');
INSERT INTO public.entries VALUES ('e227944ae22bd', 5, 'cinc2017', 'red', '4.zip', '4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a', 2, '', 'done', 1, false, 1795446327.2412977, 1795446329.226039, 'old:1', 0, '{"cause": "verdict", "verdict": "WRONG_ANSWER"}', '');
INSERT INTO public.entries VALUES ('e0bd1e43fabe9', 8, 'cinc2017', 'green', '7.zip', '7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451', 2, '', 'quiz', 1, false, 1795446327.30946, 1795446329.4541092, 'old:1', 0, '', '');
INSERT INTO public.entries VALUES ('e22ff431ca677', 10, 'cinc2017', 'Blue', '9.zip', '19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7', 2, '', 'score', 1, true, 1795446327.3425214, 1795446329.7840726, 'old:1', 0, '', '');
INSERT INTO public.entries VALUES ('e7add14e2aec9', 11, 'cinc2017', 'großes Team', '10.zip', '4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5', 2, '', 'parked', 1, true, 1795446327.3714974, 1795446329.9514308, 'old:1', 0, '{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}', '');
INSERT INTO public.entries VALUES ('ec0d639a96d4d', 12, 'cinc2017', 'green', '11.zip', '4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8', 2, '', 'parked', 1, true, 1795446327.4051378, 1795446330.041469, 'old:1', 0, '{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}', '');
INSERT INTO public.entries VALUES ('e61cdec782e70', 13, 'cinc2017', 'red', '12.zip', '6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918', 2, '', 'queued', 2, true, 1795446327.432305, 1795446330.2193122, '', 0, '', '');
INSERT INTO public.entries VALUES ('e7a6bd6a6224d', 14, 'cinc2017', 'Blue', '13.zip', '3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278', 2, '', 'cancelled', 1, true, 1795446327.448696, 1795446330.4224334, 'old:1', 0, '{"cause": "organiser"}', '');
INSERT INTO public.entries VALUES ('e85c1da521b94', 9, 'cinc2017', 'red', '8.zip', '2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3', 2, '', 'exam', 1, true, 1795446327.3195837, 1795446330.4713693, 'old:1', 0, '{"cause": "retry", "message": "try 2 in 30 s: SandboxFault: the guest is gone", "stage": "exam"}', '');
INSERT INTO public.entries VALUES ('eb19e260aa4a6', 21, 'cinc2017', 'red', '20.zip', 'f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b', 2, '', 'cancelled', 1, false, 1795446327.6565964, 1795446330.5116477, '', 0, '{"cause": "organiser"}', '');
INSERT INTO public.entries VALUES ('e035c3bccb8e1', 1, 'cinc2017', 'red', '0.zip', '5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9', 2, '', 'done', 2, true, 1795446327.098363, 1795446331.227109, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.entries VALUES ('e77a6a095f32f', 6, 'cinc2017', 'Blue', '5.zip', 'ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d', 2, '', 'done', 2, true, 1795446327.2679007, 1795446331.227109, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.entries VALUES ('ec9c0bcecb2a2', 2, 'cinc2017', 'Blue', '1.zip', '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b', 2, '', 'done', 2, true, 1795446327.140499, 1795446331.227109, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.entries VALUES ('ed4526559d9db', 3, 'cinc2017', 'großes Team', '2.zip', 'd4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35', 2, '', 'done', 2, true, 1795446327.1721504, 1795446331.227109, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.journal VALUES (1, 1795446327.098363, 'e035c3bccb8e1', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "0.zip", "sha256": "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9", "bytes": 2, "commit": "", "number": 1}', '20ddd3cdbf57d34ca928b0701cf4292235852b619d19d36353a1b1f377800a4d');
INSERT INTO public.journal VALUES (2, 1795446327.140499, 'ec9c0bcecb2a2', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "1.zip", "sha256": "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b", "bytes": 2, "commit": "", "number": 2}', '124776a9d00a46225f167e34c2aad419936720b7ce90146c2b0f02b111ad8c7a');
INSERT INTO public.journal VALUES (3, 1795446327.1721504, 'ed4526559d9db', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "2.zip", "sha256": "d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35", "bytes": 2, "commit": "", "number": 3}', 'd8ca53b4b3c35a5217724e42743c084c4aa3887c085b39e162e3574ed91fd477');
INSERT INTO public.journal VALUES (4, 1795446327.2063766, 'eee3a0e44c60b', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "3.zip", "sha256": "4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce", "bytes": 2, "commit": "", "number": 4}', 'd9235df8ed938dcb535152099caf47c8b35a8192f304e59b9b8c9cd28c2fb0b7');
INSERT INTO public.journal VALUES (5, 1795446327.2412977, 'e227944ae22bd', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "4.zip", "sha256": "4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a", "bytes": 2, "commit": "", "number": 5}', '0654ab646c7a52e57d2d256367efc61a8cf06ae6e9b7f05c5c5762c0b9d92f50');
INSERT INTO public.journal VALUES (6, 1795446327.2679007, 'e77a6a095f32f', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "5.zip", "sha256": "ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d", "bytes": 2, "commit": "", "number": 6}', '97c92c338872fcd27f1e2f2950537c7dcea73f882adfc0a70925b6637cc82abb');
INSERT INTO public.journal VALUES (7, 1795446327.2928379, 'ead9741ba7ef7', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "6.zip", "sha256": "e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683", "bytes": 2, "commit": "", "number": 7}', 'e2225a1f25d96071fb7b989f1fbd12ec677fbcafbdbf3289c83ca93d5dd1415a');
INSERT INTO public.journal VALUES (8, 1795446327.30946, 'e0bd1e43fabe9', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "7.zip", "sha256": "7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451", "bytes": 2, "commit": "", "number": 8}', 'f206e677cb036d0a93c62ec90b0cf52b30853ed9f32b8599c2c404b55cf63125');
INSERT INTO public.journal VALUES (9, 1795446327.3195837, 'e85c1da521b94', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "8.zip", "sha256": "2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3", "bytes": 2, "commit": "", "number": 9}', '1aaff0368f908ce011c65e6f1541aa9efd567031ac8e35b0c9efe5c6aae469a2');
INSERT INTO public.journal VALUES (10, 1795446327.3425214, 'e22ff431ca677', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "9.zip", "sha256": "19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7", "bytes": 2, "commit": "", "number": 10}', '96a1674b90209390b06682c46c89c0f72d31227f9a208588d9059f3c1c483026');
INSERT INTO public.journal VALUES (11, 1795446327.3714974, 'e7add14e2aec9', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "10.zip", "sha256": "4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5", "bytes": 2, "commit": "", "number": 11}', '501dbcafc21aa987fc2ab577565137967c65b009db479e7ec11ae1495b85476f');
INSERT INTO public.journal VALUES (12, 1795446327.4051378, 'ec0d639a96d4d', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "11.zip", "sha256": "4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8", "bytes": 2, "commit": "", "number": 12}', '58d73dd1e06b0a7e7732de1f822867e169c02d0ccae2a8d743e241b1b18edeb2');
INSERT INTO public.journal VALUES (13, 1795446327.432305, 'e61cdec782e70', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "12.zip", "sha256": "6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918", "bytes": 2, "commit": "", "number": 13}', 'c684ce6cca9d90558e5f4fef36da1c4544201951c68b8435c6f9c4966c96f621');
INSERT INTO public.journal VALUES (14, 1795446327.448696, 'e7a6bd6a6224d', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "13.zip", "sha256": "3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278", "bytes": 2, "commit": "", "number": 14}', 'd55f7f8cbafdd6b2818cc5c0c5ecfaf21c8c11a7e3f3e5a6fa7caeb418c911d4');
INSERT INTO public.journal VALUES (15, 1795446327.4641602, 'e064d0cbd2a30', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "14.zip", "sha256": "8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61", "bytes": 2, "commit": "", "number": 15}', 'addb27e216fef516f3aa2e492cab017636a932941de98d709f9af926eebbc704');
INSERT INTO public.journal VALUES (16, 1795446327.4871688, 'eb5291caf82f0', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "15.zip", "sha256": "e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb", "bytes": 2, "commit": "", "number": 16}', 'ba04428d3c43934876dc475be6ad159be20b72d8d7133d9190e2f5c8832aa9fa');
INSERT INTO public.journal VALUES (17, 1795446327.5113301, 'ef20ae2707c46', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "16.zip", "sha256": "b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9", "bytes": 2, "commit": "", "number": 17}', 'fe4adfed832eef75e5354aeeadc009c3c0f55b77bd9c09fec24cef1263d660fa');
INSERT INTO public.journal VALUES (18, 1795446327.5973082, 'e835ab6e28104', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "17.zip", "sha256": "4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3", "bytes": 2, "commit": "", "number": 18}', 'f9c0419a29db5c30776682dfbfbf77287be67911d12df71c520f9c6f352edcf7');
INSERT INTO public.journal VALUES (19, 1795446327.6190941, 'e815f3f78e740', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "18.zip", "sha256": "4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a", "bytes": 2, "commit": "", "number": 19}', 'a8aa46a05f6109f312adc407b2496006f2fc137a809352b57ec004636e25448b');
INSERT INTO public.journal VALUES (20, 1795446327.6357899, 'e40da5beb8578', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "19.zip", "sha256": "9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767", "bytes": 2, "commit": "", "number": 20}', 'dadc710a6c3234c9b173d0972c2d2287184fb18710ac324ea48c912e64945a05');
INSERT INTO public.journal VALUES (21, 1795446327.6565964, 'eb19e260aa4a6', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "20.zip", "sha256": "f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b", "bytes": 2, "commit": "", "number": 21}', 'ad295166e3247d0cc5a0a21b1b12e5ca44e8a584e216406475c3f5bd80ee516b');
INSERT INTO public.journal VALUES (22, 1795446327.6995564, 'e035c3bccb8e1', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '92f3b17c74366ad1a8f47b925afe4acb8c8b6dd35e02ac6f5053bf0001d71028');
INSERT INTO public.journal VALUES (23, 1795446327.724643, 'ec9c0bcecb2a2', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '3e2ee75ebf6353bd328cddd8fadf59c982a04a6b827471beb859a0d7f44cd251');
INSERT INTO public.journal VALUES (24, 1795446327.7526145, 'ed4526559d9db', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '2b0aeeeacaa48d05ae0b81fd3048cb53777bb9511ec8c99c92ead014e3a5d703');
INSERT INTO public.journal VALUES (25, 1795446327.780762, 'eee3a0e44c60b', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '548b2bcfb7b16dd1ff547086756374b58d230837516931b15c1fc85e89c6a0ee');
INSERT INTO public.journal VALUES (26, 1795446327.8026397, 'e227944ae22bd', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '325f87d3ec31e82d21b921ee9c8ad07137f3d271bb0b4b50c36eabaa626a4583');
INSERT INTO public.journal VALUES (27, 1795446327.8535619, 'e77a6a095f32f', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'a982be36099e6e49285cbe830e5ef8faf1d67c7a783d99fd609563a9fc1b0636');
INSERT INTO public.journal VALUES (28, 1795446327.863141, 'ead9741ba7ef7', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '93f12970a8239a7a1c67d3006df71e826b9762fc619d686bfcfc772121d27744');
INSERT INTO public.journal VALUES (29, 1795446327.8870971, 'e0bd1e43fabe9', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '04b78d8a9ab2b3684ea9e6205c1bdf361f669a0a5baffa7098f5a5fe8a331242');
INSERT INTO public.journal VALUES (30, 1795446327.9264581, 'e85c1da521b94', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '3c7e4bbd949f94d2cb9e3c466e564c9193027c6386608b0d97733454d439ac21');
INSERT INTO public.journal VALUES (31, 1795446327.9530582, 'e22ff431ca677', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'f7b3fbf39ddbc69243abcbf5cf63db3f5ecbf9526c0c53dae2051442808141e4');
INSERT INTO public.journal VALUES (32, 1795446327.968652, 'e7add14e2aec9', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'b80cebbef22e6634dabba169f48e803bdfdb135ad3f21ee024833d020f71b9bb');
INSERT INTO public.journal VALUES (33, 1795446327.9830873, 'ec0d639a96d4d', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'cbb717a670bf7ae5de3f64a905ca54c46f6ad2af588f2edaf4690320ef9074c3');
INSERT INTO public.journal VALUES (34, 1795446328.0081437, 'e61cdec782e70', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'd6382a8a8cd1a4c9cbafe7a63e80ccc71413b0dded9ef2edb0d17dc21f73d26c');
INSERT INTO public.journal VALUES (35, 1795446328.0353038, 'e7a6bd6a6224d', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '84a7a86dafabfa26757985d41c653e6124d8c87131150baefd425e2d586c0b81');
INSERT INTO public.journal VALUES (36, 1795446328.0791984, 'e035c3bccb8e1', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '26c58d81b85445ffd75297738b7d032b931f1397645ce69b2d526a3361bb0903');
INSERT INTO public.journal VALUES (37, 1795446328.1354368, 'e035c3bccb8e1', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '220357e03e2dcec7985116428a7320f940811a98b62d280adf0d795b08b971ce');
INSERT INTO public.journal VALUES (38, 1795446328.1507678, 'e035c3bccb8e1', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '7e5af76853efb861fd04206e1c828e2452cd7522bd17a1857464c3ca366fef6c');
INSERT INTO public.journal VALUES (39, 1795446328.1885831, 'e035c3bccb8e1', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '18086675095288ce86a1b3295328bc12b111ff34cae56e9d3b39fdaaa666e5a9');
INSERT INTO public.journal VALUES (40, 1795446328.2197614, 'e035c3bccb8e1', 'charged', '{"charged": true}', 'e417d64f22413aac70cfbf53fb4db9de78f564080977d585a68a3252409c9293');
INSERT INTO public.journal VALUES (41, 1795446328.2353032, 'e035c3bccb8e1', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', '3a65fd0aa4ba5adbb58c4e566e0b1bda0d2a036484180cee0d8f8611ee5caf6c');
INSERT INTO public.journal VALUES (42, 1795446328.2687054, 'e035c3bccb8e1', 'moved', '{"to": "score", "reason": {}, "charged": null}', '8de38d74b573be82783b4d2f2e1ab3ac82041b55783fe6a3c9b558ff93e74864');
INSERT INTO public.journal VALUES (43, 1795446328.2886224, 'e035c3bccb8e1', 'result', '{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '0a2b7b8a399309d6fea6c20203aee98960446a487a1ed5eb259687927233699e');
INSERT INTO public.journal VALUES (44, 1795446328.321305, 'e035c3bccb8e1', 'score', '{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}', 'ed99a2bc6470c40cce8d4bf734a12b6a89ceb359d4e32e54a111c0f1b0264867');
INSERT INTO public.journal VALUES (45, 1795446328.363365, 'e035c3bccb8e1', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}', 'cd37b1c0fc422cac0585f86631633820dc2a4c03f3dc61952e7f519b6b5494c7');
INSERT INTO public.journal VALUES (46, 1795446328.4230144, 'ec9c0bcecb2a2', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '6ac70ba00f2b9f781150017ae21f56484b127aa04c9103115b07e9e0d102bfd3');
INSERT INTO public.journal VALUES (47, 1795446328.4631643, 'ec9c0bcecb2a2', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'fbd5e5b0a40376f3540c5d317ed021ad960fa4e7b3f96b16b9a00c5d0b75c629');
INSERT INTO public.journal VALUES (48, 1795446328.4896755, 'ec9c0bcecb2a2', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', 'aa3d540931318ccc04aa8cec0966c4756db7355634d57a9aadd5fcc4d8eeec90');
INSERT INTO public.journal VALUES (49, 1795446328.531307, 'ec9c0bcecb2a2', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '9e168c83c742df5caa73d505130553fa62c0ba4a9382f0a16a4fc3cc8ce54ce8');
INSERT INTO public.journal VALUES (50, 1795446328.5532272, 'ec9c0bcecb2a2', 'charged', '{"charged": true}', '6b2335a5cb90b756f67737c663d3799856c55679994d93ebd3fb79698833e53e');
INSERT INTO public.journal VALUES (51, 1795446328.5831022, 'ec9c0bcecb2a2', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', '6ff4ab479ac18d5cb52c5887e5f4788576a652269722b2a0f0030e85f9f6828a');
INSERT INTO public.journal VALUES (52, 1795446328.61922, 'ec9c0bcecb2a2', 'moved', '{"to": "score", "reason": {}, "charged": null}', 'f8ea0fe23a0ce8b88bc4a780f98aeeb90bb2e5fce769778eb4ec301cf921e08e');
INSERT INTO public.journal VALUES (53, 1795446328.635533, 'ec9c0bcecb2a2', 'result', '{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '928bf4375ff17c9e31e275acde90bd5481d8cbe296673c0b981c010050d78312');
INSERT INTO public.journal VALUES (54, 1795446328.6596494, 'ec9c0bcecb2a2', 'score', '{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}', 'ea43a1f29d5e14670205e92a12308eb873bed7b60e3a02181a7865fa9f6cae40');
INSERT INTO public.journal VALUES (55, 1795446328.688962, 'ec9c0bcecb2a2', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}', '1ac0ba9ef3c6853d0d9939e7ebe9ebb47e06e6d514068760794da2ac6f1782fd');
INSERT INTO public.journal VALUES (56, 1795446328.714989, 'ed4526559d9db', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '975138dddbc7bab3ea0f062f62be126251b9308c67ff0108fecd68ed1cc6d2e4');
INSERT INTO public.journal VALUES (57, 1795446328.7347665, 'ed4526559d9db', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '584d7e5303dc0c501a2762149ec8bfbf31c73b8d22f1f4b1f72830bcafc16c33');
INSERT INTO public.journal VALUES (58, 1795446328.753926, 'ed4526559d9db', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '1d9da1d2862001abc6137d04d27cec5229d4d42a46795ba5345dd748ed91dd6e');
INSERT INTO public.journal VALUES (59, 1795446328.7802188, 'ed4526559d9db', 'moved', '{"to": "exam", "reason": {}, "charged": null}', 'e75ca2f9d8ff79edd221573f98043aa567ebe889330fbb3db841f0c8371e4520');
INSERT INTO public.journal VALUES (60, 1795446328.8111212, 'ed4526559d9db', 'charged', '{"charged": true}', 'cf4bb34df006715cd9860685d44021a950b3509247b3fae6ed5834a6928611a0');
INSERT INTO public.journal VALUES (61, 1795446328.8201914, 'ed4526559d9db', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', '97d5713341b885031ba09821a3e67f76ea5ebf281692c8a67d9b9e2abf035548');
INSERT INTO public.journal VALUES (62, 1795446328.8531914, 'ed4526559d9db', 'moved', '{"to": "score", "reason": {}, "charged": null}', 'fe65d0f01b1946c47683771ad06a7be55f203c0f34575b6f0d6fe7f98a5e735e');
INSERT INTO public.journal VALUES (63, 1795446328.8704662, 'ed4526559d9db', 'result', '{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', 'f512047d2d7c9efc5a0099862cf38e82c97a3ed0ea543db1a6a99097e1306172');
INSERT INTO public.journal VALUES (64, 1795446328.903171, 'ed4526559d9db', 'score', '{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}', 'e4d13758e27e42f414f5ddc81f21a39cc6b218522b87bbc29380f36573ed9513');
INSERT INTO public.journal VALUES (65, 1795446328.9372818, 'ed4526559d9db', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}', '22fe6bad49605063cbea079d50bb6665166b138a206bc87498f48c2674204034');
INSERT INTO public.journal VALUES (66, 1795446328.979087, 'eee3a0e44c60b', 'result', '{"stage": "prep", "attempt": 1, "verdict": "PREP_ERROR", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e"}', 'da0e5df858a4362fb58b7a4814654ed3d92f3c01a0fffa5d494628d3f3cb1f84');
INSERT INTO public.journal VALUES (67, 1795446329.0434904, 'eee3a0e44c60b', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "PREP_ERROR"}, "charged": null}', 'a4033d781960c20a6cb851afbcf0bc365c5ee9e921aced24fa9a0005269bf4a5');
INSERT INTO public.journal VALUES (68, 1795446329.1343265, 'e227944ae22bd', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '54d94ed5e868cdbd2e9c99cdf9d9c641c7c52304b76ebee4c2d342ce4a9cf8d0');
INSERT INTO public.journal VALUES (69, 1795446329.159409, 'e227944ae22bd', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '1982eb545760f18cd5fd167b25e95f69e443b9ce612fcc7c910acb15f8925413');
INSERT INTO public.journal VALUES (70, 1795446329.1791751, 'e227944ae22bd', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "WRONG_ANSWER", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd"}', 'b2cfb4e19ccce5edf0ea48412c3c6984d209c7f57e8fb1e9585bbe2f9896f539');
INSERT INTO public.journal VALUES (71, 1795446329.226039, 'e227944ae22bd', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "WRONG_ANSWER"}, "charged": null}', 'fc729b9c9478be0c0c01fd1a0e302cdb7b43fb8a80eee39553ecda280fe5dba2');
INSERT INTO public.journal VALUES (72, 1795446329.2528486, 'e77a6a095f32f', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '9978ccfb6f834d0eb52077581fb97dbdaa0310693c6ce4e682e5318652390788');
INSERT INTO public.journal VALUES (73, 1795446329.27218, 'e77a6a095f32f', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '556be2ca8b82b674911d91f4e372ee80ca30ac7cafbcaf48003d726216e023a1');
INSERT INTO public.journal VALUES (74, 1795446329.2847407, 'e77a6a095f32f', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '99ef8e6a9b9b11518a20b13649851579b2d81b2064ebd6067ccb951efa17142b');
INSERT INTO public.journal VALUES (75, 1795446329.3211784, 'e77a6a095f32f', 'moved', '{"to": "exam", "reason": {}, "charged": null}', 'b383914d1f6f9fdc2bc034569825fc90e300be945e8bf6e10a10eaefa1c79ba4');
INSERT INTO public.journal VALUES (76, 1795446329.339374, 'e77a6a095f32f', 'charged', '{"charged": true}', 'fe19905a8d7606a812504f48128f3a942e374948ddca3513e9253ccee264b196');
INSERT INTO public.journal VALUES (77, 1795446329.35903, 'e77a6a095f32f', 'result', '{"stage": "exam", "attempt": 1, "verdict": "TIME_LIMIT", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab"}', 'ec09c16b932d1bc55575481cde2b16db9e41e51dac17f7f40ddb19dcaedc3cbf');
INSERT INTO public.journal VALUES (78, 1795446329.400356, 'e77a6a095f32f', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "TIME_LIMIT"}, "charged": null}', '6261fa4287cf9cb9756dea205be4018710c52d9b0d87cae98d00e48ff8033731');
INSERT INTO public.journal VALUES (79, 1795446329.436863, 'e0bd1e43fabe9', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '2b39da4c8100a238de9726ee10db1aaad503bd87f650f9e1eba630828dd74598');
INSERT INTO public.journal VALUES (80, 1795446329.4541092, 'e0bd1e43fabe9', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '455de1d44a4075a823908288a35ce67e30661607ef01985acf36d8390c4cfe99');
INSERT INTO public.journal VALUES (81, 1795446329.4755101, 'e85c1da521b94', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'd94b971687e14490139609520545a1c43a0359ca17869b3e8229f6c65c053a79');
INSERT INTO public.journal VALUES (82, 1795446329.5193763, 'e85c1da521b94', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '82a43e0eae826060eec3b5a10ba95e9f497b9e8e0719f482bffeb7e53ad70f72');
INSERT INTO public.journal VALUES (83, 1795446329.5430489, 'e85c1da521b94', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '96883d616f49849d9e251b1a29912f13b10a8b7c47ccc755be8dac16ee5d89bf');
INSERT INTO public.journal VALUES (84, 1795446329.577021, 'e85c1da521b94', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '6cf97812b673de20618f09e56bb26b39b64e71114d3a079cdac27e20fec536d4');
INSERT INTO public.journal VALUES (85, 1795446329.59245, 'e85c1da521b94', 'charged', '{"charged": true}', 'b2831958e32e6caa4cf64948a3833945fd1ebcd5ef82a3ecb9404cf67cf0ddf1');
INSERT INTO public.journal VALUES (86, 1795446329.6093097, 'e22ff431ca677', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '606f96f24d9f81d8e00879f9b5c6a26b19b8b3796eb9b86e486b10dda4cf3765');
INSERT INTO public.journal VALUES (87, 1795446329.6435177, 'e22ff431ca677', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '210c72d6e5ceef852279804e1ada3ca4fd58dfba46996fda7ddaccb1657758b4');
INSERT INTO public.journal VALUES (88, 1795446329.6554775, 'e22ff431ca677', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '83613ddc2b0bbd27fe83bee644ca4a1d309911292a4e97a7917b59852686d607');
INSERT INTO public.journal VALUES (89, 1795446329.683395, 'e22ff431ca677', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '272c73632455faba1df561cbdd617aed08e777c1f3ee002991bef7ac6170867b');
INSERT INTO public.journal VALUES (90, 1795446329.7151644, 'e22ff431ca677', 'charged', '{"charged": true}', 'df6012fb5ee0dcd2dfc0ff8ee1da97af8699632a3cd5b87940098a55528a4b8c');
INSERT INTO public.journal VALUES (91, 1795446329.7360466, 'e22ff431ca677', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', '5dfb34cc18ed22870352368ae10c2d9c1c73cf944a209101ecfb65fdbee0a169');
INSERT INTO public.journal VALUES (92, 1795446329.7840726, 'e22ff431ca677', 'moved', '{"to": "score", "reason": {}, "charged": null}', 'edbf1649b83b7c126efdb53dfa1eab3bc992b68f03ce85a5beeec5778e497e17');
INSERT INTO public.journal VALUES (93, 1795446329.808947, 'e7add14e2aec9', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '2fb2110d5f90187808fef936273587efd8affdf66a7725b6ebaa892eb099a38e');
INSERT INTO public.journal VALUES (94, 1795446329.8467827, 'e7add14e2aec9', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '5584fa63fcb45379397a53311bcc4facd44d90fe8c32f4624f2b2df44898e70b');
INSERT INTO public.journal VALUES (95, 1795446329.8638613, 'e7add14e2aec9', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '3d7f68bbc022c55658dfe9ff83c2622ab796380ec2e118bc948c96b93b0cc1bd');
INSERT INTO public.journal VALUES (96, 1795446329.9126773, 'e7add14e2aec9', 'moved', '{"to": "exam", "reason": {}, "charged": null}', 'de2c1d21024987e301b3dc4e11fcaceef8eaa1103c719f53d99486d6d322e4cb');
INSERT INTO public.journal VALUES (97, 1795446329.9421096, 'e7add14e2aec9', 'charged', '{"charged": true}', 'd8bca2d7b3cfce491c3b285f08e732421e0c154eedb435d8fcfb454d9ff111ae');
INSERT INTO public.journal VALUES (98, 1795446329.9514308, 'e7add14e2aec9', 'moved', '{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}', '1ff45fe33eae6942927e77d6a79a6e3f05c6d490e198605bf070890879eb4593');
INSERT INTO public.journal VALUES (99, 1795446329.9674983, 'ec0d639a96d4d', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'e84e3ccd2656f38351f6d64742ee9dcd073d20d353e0a9b361bc49c46e556dff');
INSERT INTO public.journal VALUES (100, 1795446329.983392, 'ec0d639a96d4d', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'e0bf3038f28aa3b92a1cdd34af390f44b8b73b6ae955a460898bbd34d1d8526c');
INSERT INTO public.journal VALUES (101, 1795446330.0030704, 'ec0d639a96d4d', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '9ddd749a4092761a4df6bf1c95e7875021b253b67d5f7c742b264fc74e20c763');
INSERT INTO public.journal VALUES (102, 1795446330.0167954, 'ec0d639a96d4d', 'moved', '{"to": "exam", "reason": {}, "charged": null}', 'c13d3228c5e627a6772664a45578481010f9f48e1d4861f183347e8235dd28a2');
INSERT INTO public.journal VALUES (103, 1795446330.0300143, 'ec0d639a96d4d', 'charged', '{"charged": true}', '9b650eb02d25211a92626068bd7cad5db3da239dc419eb53e164665a7cf11155');
INSERT INTO public.journal VALUES (104, 1795446330.041469, 'ec0d639a96d4d', 'moved', '{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}', '4115a9f869078a66408a59cd0c8133f51857dcc95c61b372ef1e841b2e106532');
INSERT INTO public.journal VALUES (105, 1795446330.0674083, 'e61cdec782e70', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '06435d7df0a8a2f70f8b7a60b6c076dc55cc99d8bf39fb247026ad1b1dc45d30');
INSERT INTO public.journal VALUES (106, 1795446330.084287, 'e61cdec782e70', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'c2666ba2b42a64d561a08e08570f376e3f43a9071327395ccab98926a971a4f4');
INSERT INTO public.journal VALUES (107, 1795446330.1078029, 'e61cdec782e70', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '0e1cfc2d5bd9caf93d96bf22df998be6aa5ea3ce1558f8d29d0391401e857821');
INSERT INTO public.journal VALUES (108, 1795446330.142208, 'e61cdec782e70', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '5cf7f9ac46da67fc972939808926c92a487ca42fedeabb6c0f4dbb420f2fcd88');
INSERT INTO public.journal VALUES (109, 1795446330.167093, 'e61cdec782e70', 'charged', '{"charged": true}', '8c1655bd03d2ff376862a21f18974eaf27d665952ad1f0a42a58de7e3e45e6b9');
INSERT INTO public.journal VALUES (110, 1795446330.1839142, 'e61cdec782e70', 'moved', '{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}', '9f57c773caf5f5eaeb4040d79dab6fcd48fb2a029989b422fa611c5a73bdb8df');
INSERT INTO public.journal VALUES (111, 1795446330.2193122, 'e61cdec782e70', 'retried', '{"attempt": 2}', 'f0221dbccf5d2c821f81439d5f2ef3f924687783a11e6c1138f4f1b67edf65ca');
INSERT INTO public.journal VALUES (112, 1795446330.2682176, 'e7a6bd6a6224d', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '5d72b5a539e9e74f2ee1ce9c686507e6fd558cedee790ba81d71c8afd927edab');
INSERT INTO public.journal VALUES (113, 1795446330.2987597, 'e7a6bd6a6224d', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'da18fa14082df284170960cabba832a4d59f76a8cb578ffc78549a1ee637d299');
INSERT INTO public.journal VALUES (114, 1795446330.3194396, 'e7a6bd6a6224d', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '194cde71a7c359a6237c866bca821a76302fd916913d866324249774e8cadfc7');
INSERT INTO public.journal VALUES (115, 1795446330.3544936, 'e7a6bd6a6224d', 'moved', '{"to": "exam", "reason": {}, "charged": null}', 'ad2551b610ca62f90ff61862db6ebc381662a006c497d6ae56ec110ab7e75af4');
INSERT INTO public.journal VALUES (116, 1795446330.4031618, 'e7a6bd6a6224d', 'charged', '{"charged": true}', '35cbe0778e1706314fd79b2594089e2ec4f493148e5cfc98a1b6def81a9e016d');
INSERT INTO public.journal VALUES (117, 1795446330.4224334, 'e7a6bd6a6224d', 'moved', '{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}', '265f071de3c2048fb1e00b3a25e027535c0c643929a66e12c080edbd003c4349');
INSERT INTO public.journal VALUES (118, 1795446330.4713693, 'e85c1da521b94', 'moved', '{"to": "exam", "reason": {"cause": "retry", "stage": "exam", "message": "try 2 in 30 s: SandboxFault: the guest is gone"}, "charged": null}', '8085974dc8f030f261c72667b3a7ba30faacfa38382d3dcf5e8cd91a0d1702d6');
INSERT INTO public.journal VALUES (119, 1795446330.5116477, 'eb19e260aa4a6', 'moved', '{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}', 'b0b40de47a55fd400c4e9c8276dbe6efa0997ca1d9073ee1dbfa115f63e332e9');
INSERT INTO public.journal VALUES (120, 1795446330.6354606, 'e035c3bccb8e1', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'a6316240097ac8fb7f676ef924c5546c1ecd32cc8a17f3b94a25b6fdb9097694');
INSERT INTO public.journal VALUES (121, 1795446330.6354606, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'cd915f367d0280d8528e16d9e56e46db3f04129875ff903cb338519bfd250283');
INSERT INTO public.journal VALUES (122, 1795446330.6354606, 'ed4526559d9db', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '773fc0d3b6532531204902bba891055040f59ddc41c77b4e6dfbb4fbb618d00a');
INSERT INTO public.journal VALUES (123, 1795446330.6354606, 'e77a6a095f32f', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '12e64046369c3828b4919905765a9ef9690986064e526b6404c8e3bf6c7530a0');
INSERT INTO public.journal VALUES (124, 1795446330.7287028, 'e035c3bccb8e1', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', 'a494cc47be72da99d576a0806d5b1e45e8ce2d1720535aa32c27c12938341f4a');
INSERT INTO public.journal VALUES (125, 1795446330.7287028, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', 'a2d08f7fe2a215524d70657e94edb54b86d8b97d656991163c8c75dd2720ebe9');
INSERT INTO public.journal VALUES (126, 1795446330.7287028, 'ed4526559d9db', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', '8841231a5fd7b53936e55ecfda11dc362724f519e2d58cdaf41e0d7a8ed7ef3a');
INSERT INTO public.journal VALUES (127, 1795446330.7287028, 'e77a6a095f32f', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', '23380c133f6c0e409b0ca2ae3e2fb671dec9d917814cb1cc1ff407aece7efcd2');
INSERT INTO public.journal VALUES (128, 1795446330.7766001, 'e035c3bccb8e1', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', '3bd7438b749fe22261309cea4018032c429bbc894d9b3412a59a43212b4c4ffd');
INSERT INTO public.journal VALUES (129, 1795446330.7766001, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', '6baa7a8253e57a6915e26d649ddac7bf9f2accd41e98ebbda4cadade8420e2f2');
INSERT INTO public.journal VALUES (130, 1795446330.7766001, 'ed4526559d9db', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', '32b89718557b9ee8285bf214d3c0ee93a2f465915e42a121198a8a5a120e1a21');
INSERT INTO public.journal VALUES (131, 1795446330.7766001, 'e77a6a095f32f', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', 'de7db892c5f68b0e1f322c0ff5dfb0bb63a83b1bf6bc12b8ce11b64ede36d16b');
INSERT INTO public.journal VALUES (132, 1795446330.819089, 'e035c3bccb8e1', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '79e907988399195cbd657858e483f58dfc1bf243fb66edd96dd011e56a514de0');
INSERT INTO public.journal VALUES (133, 1795446330.819089, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '8b9624cb214ef7c10f7fdb3abd9ad5fe6eb32e8756ec721b9d8f53e8fc912edd');
INSERT INTO public.journal VALUES (134, 1795446330.819089, 'ed4526559d9db', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '7bcfb36be35bdad36a6b144665966fb32c7dc3964282f3117c1d4892049f4702');
INSERT INTO public.journal VALUES (135, 1795446330.819089, 'e77a6a095f32f', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '171364bdd42e30ce5dd99d561384079e36b0c66416b30c24e4687f4e81b5d63a');
INSERT INTO public.journal VALUES (136, 1795446330.8681908, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', '1c3108c8002e39c0c6a5ec621961f0d066861bed53b4f309f1174570c6d770f9');
INSERT INTO public.journal VALUES (137, 1795446330.8880603, 'e035c3bccb8e1', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '80b478a7d1f021cc65a8342d985410b624b3f56024c589c641c3787142d58e17');
INSERT INTO public.journal VALUES (138, 1795446330.9120173, 'e035c3bccb8e1', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', '78d13f26a1ea9afafaf525193a38f6d62c9e75baba626ae4eb3259140d7ad775');
INSERT INTO public.journal VALUES (139, 1795446330.9361532, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', '4891ce65b37cce4d419f84616d165a95fb0898e20f90426d79476ef5426c3a3f');
INSERT INTO public.journal VALUES (140, 1795446330.9560797, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', '7951a5d84e48fa2964dd45725e1ef829924ef7e321fa4c865880edd5ed8ad5c9');
INSERT INTO public.journal VALUES (141, 1795446330.9721303, 'e77a6a095f32f', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '1ff8c3f261f0d8c0bb1708b7bfaac01b0f91a7291f3e14867841467cdd68c231');
INSERT INTO public.journal VALUES (142, 1795446331.0071456, 'e77a6a095f32f', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', '3d4c79ee338faf0bc8faba9668aa26ffc5b6419449a8d85806eb602548d92667');
INSERT INTO public.journal VALUES (143, 1795446331.0310805, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', 'c444394c6dcfae74ac246cb7a86bbdecdf72515f5a287ffe071f40faa1ee13be');
INSERT INTO public.journal VALUES (144, 1795446331.053176, 'ec9c0bcecb2a2', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', 'f1c17d851130860eb5c111b961ccdb8714ae789f270d2eecfbb3d5519b172d93');
INSERT INTO public.journal VALUES (145, 1795446331.0666258, 'ec9c0bcecb2a2', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', 'b5181efb822d28f7cf6d0b0435c83c73066ff059e9e7a6706c57b92bb1737eaf');
INSERT INTO public.journal VALUES (146, 1795446331.0966966, 'ec9c0bcecb2a2', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', '992aad9ac171ed5351b0dda1b36287310c412b8de85d0d1bbcaedb090c2b6a70');
INSERT INTO public.journal VALUES (147, 1795446331.122818, 'ec9c0bcecb2a2', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', '1b586c4c2438e200eee21bfd83ec7a021ecc5ca1a463ef45bd81316c09c3c3b6');
INSERT INTO public.journal VALUES (148, 1795446331.1306481, 'ed4526559d9db', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', '9cb4ffc0b8c2dc172c9431fa7bfda539429271c1d5ad6adc1cf9e84dd7f743ca');
INSERT INTO public.journal VALUES (149, 1795446331.1444147, 'ed4526559d9db', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '930962173789cda5fb491ec93a85c619afd84fb9a539f9a96d0b18f351a93d89');
INSERT INTO public.journal VALUES (150, 1795446331.1624904, 'ed4526559d9db', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', '7468124df4149dbd23bacfb05840241c3f34caa4230c87236764588e40d2d24c');
INSERT INTO public.journal VALUES (151, 1795446331.1874447, 'ed4526559d9db', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', '4abe736e6d135d4dc88810faf1263d46229b7da8c106acc06b485d40a9d9f8b3');
INSERT INTO public.journal VALUES (152, 1795446331.227109, 'e035c3bccb8e1', 'adopted', '{"attempt": 2}', '9dc4e514a2c03aa2c080bd7798e2813906e64f17328347de1e8d258cee570ad3');
INSERT INTO public.journal VALUES (153, 1795446331.227109, 'e77a6a095f32f', 'adopted', '{"attempt": 2}', '226663d5f6d4fab63917c6aa29a63b3453ee33e0653de9b70bd6e3672c40438a');
INSERT INTO public.journal VALUES (154, 1795446331.227109, 'ec9c0bcecb2a2', 'adopted', '{"attempt": 2}', '8c9d3dac6d9699affbe6bdb804cf327b155e391d201fa548cfa153467fcbe3de');
INSERT INTO public.journal VALUES (155, 1795446331.227109, 'ed4526559d9db', 'adopted', '{"attempt": 2}', '5825d47058da33dd485aa460aafbcdb555fb59c2473c4d2c1ef6cc8683af2fdf');
INSERT INTO public.journal VALUES (156, 1795446331.26478, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', '4cac0982b6e7653daf54148ef7d02b634b73a054db85d877e06c1bb818ef4393');
INSERT INTO public.journal VALUES (157, 1795446331.26478, 'ec9c0bcecb2a2', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', 'a86a344fda7223da0c90cff1a18a93bc882c0c00569e9323028630ae3e5844a4');
INSERT INTO public.journal VALUES (158, 1795446331.26478, 'ed4526559d9db', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', '6851fbe59eecf95a67b0285851bac4442027743799f469415a74e5b3079ef26b');
INSERT INTO public.journal VALUES (159, 1795446331.26478, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', '2f4271c135ae42e97d0908ef1ff92d0f5f131469a39df6cab3ab5951811585db');
INSERT INTO public.journal VALUES (160, 1795446331.303201, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 4, "to": "prep", "reason": {}}', '61c205b63cd33f009e8441c5efd506e1dde7bc84c874f6d7f697c35c6ef1ed42');
INSERT INTO public.journal VALUES (161, 1795446331.3393736, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 4, "to": "parked", "reason": {"cause": "challenge", "stage": "exam", "message": "no score"}}', 'c08ca1b5b1d67f2a95c8063b8f26db8dc6af79d01c47c1f64c5d2e74e664f45a');
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446328.0791984);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446328.1507678);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446328.2353032);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795446328.2886224);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446328.4230144);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446328.4896755);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446328.5831022);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795446328.635533);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446328.714989);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446328.753926);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446328.8201914);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795446328.8704662);
INSERT INTO public.results VALUES ('eee3a0e44c60b', 1, 'prep', 'PREP_ERROR', 5, 0.5, 'sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e', 1795446328.979087);
INSERT INTO public.results VALUES ('e227944ae22bd', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446329.1343265);
INSERT INTO public.results VALUES ('e227944ae22bd', 1, 'quiz', 'WRONG_ANSWER', 5, 0.5, 'sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd', 1795446329.1791751);
INSERT INTO public.results VALUES ('e77a6a095f32f', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446329.2528486);
INSERT INTO public.results VALUES ('e77a6a095f32f', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446329.2847407);
INSERT INTO public.results VALUES ('e77a6a095f32f', 1, 'exam', 'TIME_LIMIT', 5, 0.5, 'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', 1795446329.35903);
INSERT INTO public.results VALUES ('e0bd1e43fabe9', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446329.436863);
INSERT INTO public.results VALUES ('e85c1da521b94', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446329.4755101);
INSERT INTO public.results VALUES ('e85c1da521b94', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446329.5430489);
INSERT INTO public.results VALUES ('e22ff431ca677', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446329.6093097);
INSERT INTO public.results VALUES ('e22ff431ca677', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446329.6554775);
INSERT INTO public.results VALUES ('e22ff431ca677', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446329.7360466);
INSERT INTO public.results VALUES ('e7add14e2aec9', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446329.808947);
INSERT INTO public.results VALUES ('e7add14e2aec9', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446329.8638613);
INSERT INTO public.results VALUES ('ec0d639a96d4d', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446329.9674983);
INSERT INTO public.results VALUES ('ec0d639a96d4d', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446330.0030704);
INSERT INTO public.results VALUES ('e61cdec782e70', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446330.0674083);
INSERT INTO public.results VALUES ('e61cdec782e70', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446330.1078029);
INSERT INTO public.results VALUES ('e7a6bd6a6224d', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446330.2682176);
INSERT INTO public.results VALUES ('e7a6bd6a6224d', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446330.3194396);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446328.2353032);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446328.0791984);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446328.1507678);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446328.5831022);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446328.4230144);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446328.4896755);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446328.8201914);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446328.714989);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446328.753926);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'exam', 'TIME_LIMIT', 5, 0.5, 'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', 1795446329.35903);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446329.2528486);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446329.2847407);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446328.0791984);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446328.1507678);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446328.4230144);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446328.4896755);
INSERT INTO public.results VALUES ('ed4526559d9db', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446328.714989);
INSERT INTO public.results VALUES ('ed4526559d9db', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446328.753926);
INSERT INTO public.results VALUES ('e77a6a095f32f', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446329.2528486);
INSERT INTO public.results VALUES ('e77a6a095f32f', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446329.2847407);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 5, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446328.2353032);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446328.0791984);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446328.1507678);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 5, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446328.5831022);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446328.4230144);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446328.4896755);
INSERT INTO public.results VALUES ('ed4526559d9db', 5, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446328.8201914);
INSERT INTO public.results VALUES ('ed4526559d9db', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446328.714989);
INSERT INTO public.results VALUES ('ed4526559d9db', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446328.753926);
INSERT INTO public.results VALUES ('e77a6a095f32f', 5, 'exam', 'TIME_LIMIT', 5, 0.5, 'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', 1795446329.35903);
INSERT INTO public.results VALUES ('e77a6a095f32f', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446329.2528486);
INSERT INTO public.results VALUES ('e77a6a095f32f', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446329.2847407);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795446330.8880603);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795446330.9721303);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795446331.0666258);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795446331.1444147);
INSERT INTO public.scores VALUES ('e035c3bccb8e1', 1, 'F1', 0.5, '{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}', 1795446328.321305, 0.25, 0.75);
INSERT INTO public.scores VALUES ('ec9c0bcecb2a2', 1, 'F1', 0.5, '{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}', 1795446328.6596494, 0.25, 0.75);
INSERT INTO public.scores VALUES ('ed4526559d9db', 1, 'F1', 0.5, '{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}', 1795446328.903171, 0.25, 0.75);
INSERT INTO public.scores VALUES ('e035c3bccb8e1', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795446330.9120173, 0.35, 1.0499999999999998);
INSERT INTO public.scores VALUES ('e77a6a095f32f', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795446331.0071456, 0.35, 1.0499999999999998);
INSERT INTO public.scores VALUES ('ec9c0bcecb2a2', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795446331.0966966, 0.35, 1.0499999999999998);
INSERT INTO public.scores VALUES ('ed4526559d9db', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795446331.1624904, 0.35, 1.0499999999999998);
INSERT INTO public.settings VALUES ('times-exact-after', '0');
INSERT INTO public.settings VALUES ('identity', '6dd9f8fcc3e640968b6642780b62e3ee');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 4, 'r3', 'cinc2017', '', 1, 'prep', 'queued', 1795446330.7766001, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 4, 'r3', 'cinc2017', '', 1, 'prep', 'queued', 1795446330.7766001, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795446330.819089, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795446330.819089, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795446330.819089, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795446330.819089, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795446330.9361532, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795446331.0310805, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795446331.122818, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795446331.1874447, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795446331.26478, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795446331.26478, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795446331.26478, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795446331.26478, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 4, 'r3', 'cinc2017', '', 1, 'prep', 'prep', 1795446331.303201, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 4, 'r3', 'cinc2017', '', 1, 'prep', 'parked', 1795446331.3393736, false, '', 0, '{"cause": "challenge", "message": "no score", "stage": "exam"}', '');
INSERT INTO public.shares VALUES ('entries', 'großes Team', 3);
INSERT INTO public.shares VALUES ('entries', 'green', 3);
INSERT INTO public.shares VALUES ('entries', 'red', 4);
INSERT INTO public.shares VALUES ('entries', '', 3);
INSERT INTO public.shares VALUES ('entries', 'Blue', 4);
INSERT INTO public.team_names VALUES ('red', 'red', 'red');
INSERT INTO public.team_names VALUES ('blue', 'Blue', 'Blue');
INSERT INTO public.team_names VALUES ('grosses team', 'großes Team', 'großes Team');
INSERT INTO public.team_names VALUES ('green', 'green', 'green');
INSERT INTO public.teams VALUES ('red', 1795446327.098363);
INSERT INTO public.teams VALUES ('Blue', 1795446327.140499);
INSERT INTO public.teams VALUES ('großes Team', 1795446327.1721504);
INSERT INTO public.teams VALUES ('green', 1795446327.2063766);
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
