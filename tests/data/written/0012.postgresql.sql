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
INSERT INTO public.alembic_version VALUES ('0012');
INSERT INTO public.details VALUES ('fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', '\x789cedd1c10ac2300c06e05719398b78d9c557f0e003888cda8619e8d2d2a4ba31f6eeb665e0d50730b77e6908fc5941d48c08e70e62c208870e5e981c59ad74bd54985064ff33ffebe7aad1e53db815884553b64a81a5405f9a6fe3fd206803bb4aa763dfc29e425a86c7a2d8b050c81ab37e692b96ca586a63b77b793a32230751b295a05dcdd827715dced9fbed039d10c7ea');
INSERT INTO public.details VALUES ('b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', '\x789ced92c10ac2300c865f65e42ca2c22ede3c7bf0014446edca2c74ad36e9e61c7b77d3529081072f820773cb97fcf0f32723208946c1b6805bd00f5814d0295f6b49111df611b40a31efdcfff571c5e8420e6e046d917c90a49d4506250f7b614c854a3a5b47b45a9629ecd6f9a13a0fa41264e4025d03bdd0c4ccb3cc27d971cc4dbccf6efdf6825fb3212cf6ca73678331f357019ecfac6d7ec8da8941ad45631d92969860dc11f2a2adcaa2e909a49b27f8');
INSERT INTO public.details VALUES ('801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', '\x789ced92c10ac2300c865f65f42ca2c22ede3c7bf0014446edc22c74ad34a9db287b77d3529081072f820773cb97fcf0f3275120c90ec4be1230ca5eac2af100df6a45099d8e09f4805876c67f7d5c29ba50828b425b241f1469679141cdc3411ad3202867db8436eb3a87dd3b3f35d7892043462ed03dd00bcdcc3ccb7c969d6369d27d0edbb717fc9a0d697100cf9d0dc62c5f45f07c616df743d62e0c5a2d3beb90b4c20cd38e54376da188e62748b327da');
INSERT INTO public.details VALUES ('c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', '\x789cedd1c10ac2300c06e05719398b78d9c557f0e003888cda9619e8524952758cbdbb691978f501ccad5f1a027f16107563846307e23347d875f08c1cd06bb5f3a9c21445b64fef7ffd5c35bab205b700922817af98490c7a6bbe5c4a83449f29543aecfb16f694791e6eb3c68646b9e8a3e8975633b6316e6397ab3d03ba91b228fa4ad0aee6fc1da92ea792d2fa015d82c84f');
INSERT INTO public.details VALUES ('1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e', '\x789ced91b10ac3300c447f25682ea54b96ee991bbc96625cdba406c73696dc3684fc7b2d13e8da0fe86d7aa743705a01494d16ce1da46c131c3a78da6c9c2646a31846390871116ccc1671df7dfff5b3b8bab217b7820b48b968723160057d355fca7b8956c760189d8e7d2b7b8e7991f7856c8315c542a9d0176d95e51acb2d76bdd5d138358588e43423685f53fae1021f0fc5fbed0377f3ca70');
INSERT INTO public.details VALUES ('4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd', '\x789ced92310bc2301085ff4ac92ca24217b70ee256a10e1d444a4c430da489e62ed65afadf4d42403ae9223878db7def1e1cef6e2080b4e1649d90ab150f324bc88d9b5a30f4a82c76f9b6caf27db929bcd47280387dffd7c7e5a3b331b8810805682c43a11538903ab1a35256c09956b5478b791ac26eb5e9ab538f3c4087b4c58bc5171a1d33ce6682ed30c4c6df275bbeb9e5d716a20a3a6e5ca7ac94d3a7214e9f2cb9fac9258f0ed482364a030a0601fa19cace42f1681a9f08c8315e');
INSERT INTO public.details VALUES ('665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', '\x789ced92310bc2301085ff4ac92ca2421737078782ddba899498861a4813c95d6c4be97ff71202d2455c04076fbbefdd83e3dd4d0c90b792ed332607deb155c61ed2354a604055511eeb53511655103a099066877f7d5c213a9f829b983280ce0b54d600819cc49e6b5d8314d634016dd6790cbbb36eacaf23ca0809598f778f2f3413736473d1769e5213ee73d8bebde4d7d6e1067ae9a8335eebe5cb30d2172bee7e70c50b8146f1d658402520c230c3c54d19994cf3139c572f33');
INSERT INTO public.entries VALUES ('e064d0cbd2a30', 15, 'cinc2017', 'großes Team', '14.zip', '8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61', 2, '', 'queued', 1, false, 1795516190.785204, 1795516190.785204, '', 0, '', '');
INSERT INTO public.entries VALUES ('eb5291caf82f0', 16, 'cinc2017', 'green', '15.zip', 'e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb', 2, '', 'queued', 1, false, 1795516190.788203, 1795516190.788203, '', 0, '', '');
INSERT INTO public.entries VALUES ('ef20ae2707c46', 17, 'cinc2017', 'red', '16.zip', 'b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9', 2, '', 'queued', 1, false, 1795516190.79079, 1795516190.79079, '', 0, '', '');
INSERT INTO public.entries VALUES ('e835ab6e28104', 18, 'cinc2017', 'Blue', '17.zip', '4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3', 2, '', 'queued', 1, false, 1795516190.793525, 1795516190.793525, '', 0, '', '');
INSERT INTO public.entries VALUES ('e815f3f78e740', 19, 'cinc2017', 'großes Team', '18.zip', '4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a', 2, '', 'queued', 1, false, 1795516190.795989, 1795516190.795989, '', 0, '', '');
INSERT INTO public.entries VALUES ('e40da5beb8578', 20, 'cinc2017', 'green', '19.zip', '9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767', 2, '', 'queued', 1, false, 1795516190.798794, 1795516190.798794, '', 0, '', '');
INSERT INTO public.entries VALUES ('ead9741ba7ef7', 7, 'cinc2017', 'großes Team', '6.zip', 'e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683', 2, '', 'prep', 1, false, 1795516190.762463, 1795516190.8265212, 'old:1', 0, '', '');
INSERT INTO public.entries VALUES ('eee3a0e44c60b', 4, 'cinc2017', 'green', '3.zip', '4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce', 2, '', 'done', 1, false, 1795516190.74986, 1795516190.994675, 'old:1', 0, '{"cause": "verdict", "verdict": "PREP_ERROR"}', '');
INSERT INTO public.entries VALUES ('e227944ae22bd', 5, 'cinc2017', 'red', '4.zip', '4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a', 2, '', 'done', 1, false, 1795516190.755208, 1795516191.0209856, 'old:1', 0, '{"cause": "verdict", "verdict": "WRONG_ANSWER"}', '');
INSERT INTO public.entries VALUES ('e0bd1e43fabe9', 8, 'cinc2017', 'green', '7.zip', '7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451', 2, '', 'quiz', 1, false, 1795516190.765546, 1795516191.071395, 'old:1', 0, '', '');
INSERT INTO public.entries VALUES ('e22ff431ca677', 10, 'cinc2017', 'Blue', '9.zip', '19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7', 2, '', 'score', 1, true, 1795516190.771516, 1795516191.1066558, 'old:1', 0, '', '');
INSERT INTO public.entries VALUES ('e7add14e2aec9', 11, 'cinc2017', 'großes Team', '10.zip', '4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5', 2, '', 'parked', 1, true, 1795516190.774349, 1795516191.121044, 'old:1', 0, '{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}', '');
INSERT INTO public.entries VALUES ('ec0d639a96d4d', 12, 'cinc2017', 'green', '11.zip', '4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8', 2, '', 'parked', 1, true, 1795516190.777129, 1795516191.1363578, 'old:1', 0, '{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}', '');
INSERT INTO public.entries VALUES ('e61cdec782e70', 13, 'cinc2017', 'red', '12.zip', '6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918', 2, '', 'queued', 2, true, 1795516190.779721, 1795516191.1542687, '', 0, '', '');
INSERT INTO public.entries VALUES ('e7a6bd6a6224d', 14, 'cinc2017', 'Blue', '13.zip', '3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278', 2, '', 'cancelled', 1, true, 1795516190.782517, 1795516191.172365, 'old:1', 0, '{"cause": "organiser"}', '');
INSERT INTO public.entries VALUES ('e85c1da521b94', 9, 'cinc2017', 'red', '8.zip', '2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3', 2, '', 'exam', 1, true, 1795516190.768628, 1795516191.1764047, 'old:1', 0, '{"cause": "retry", "message": "try 2 in 30 s: SandboxFault: the guest is gone", "stage": "exam"}', '');
INSERT INTO public.entries VALUES ('eb19e260aa4a6', 21, 'cinc2017', 'red', '20.zip', 'f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b', 2, '', 'cancelled', 1, false, 1795516190.801085, 1795516191.179825, '', 0, '{"cause": "organiser"}', '');
INSERT INTO public.entries VALUES ('e035c3bccb8e1', 1, 'cinc2017', 'red', '0.zip', '5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9', 2, '', 'done', 2, true, 1795516190.731042, 1795516191.3989604, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.entries VALUES ('e77a6a095f32f', 6, 'cinc2017', 'Blue', '5.zip', 'ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d', 2, '', 'done', 2, true, 1795516190.759106, 1795516191.3989604, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.entries VALUES ('ec9c0bcecb2a2', 2, 'cinc2017', 'Blue', '1.zip', '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b', 2, '', 'done', 2, true, 1795516190.740335, 1795516191.3989604, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.entries VALUES ('ed4526559d9db', 3, 'cinc2017', 'großes Team', '2.zip', 'd4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35', 2, '', 'done', 2, true, 1795516190.745018, 1795516191.3989604, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.journal VALUES (1, 1795516190.731042, 'e035c3bccb8e1', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "0.zip", "sha256": "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9", "bytes": 2, "commit": "", "number": 1}', 'b1d6434f103ca8aa24e3edd167287981750e8bf5550c4bad4073e489f21936bb');
INSERT INTO public.journal VALUES (2, 1795516190.740335, 'ec9c0bcecb2a2', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "1.zip", "sha256": "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b", "bytes": 2, "commit": "", "number": 2}', '8bdc6ab0730027608fd8ecd1764639ed57e7de7c800644f3ea35a5269ac9386d');
INSERT INTO public.journal VALUES (3, 1795516190.745018, 'ed4526559d9db', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "2.zip", "sha256": "d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35", "bytes": 2, "commit": "", "number": 3}', 'a3766f19dee8b0de440516b65116916f35df97a0ab64e4c649c427730e0dafc2');
INSERT INTO public.journal VALUES (4, 1795516190.74986, 'eee3a0e44c60b', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "3.zip", "sha256": "4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce", "bytes": 2, "commit": "", "number": 4}', '2f1cbe4b9cade47b55590b6bfbc0039730ad7a1ded4feff54bab2eab68476fd2');
INSERT INTO public.journal VALUES (5, 1795516190.755208, 'e227944ae22bd', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "4.zip", "sha256": "4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a", "bytes": 2, "commit": "", "number": 5}', '563333c66664e7b64b13e9a5f2c48781082e9e44b54a15728795399cb1af9949');
INSERT INTO public.journal VALUES (6, 1795516190.759106, 'e77a6a095f32f', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "5.zip", "sha256": "ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d", "bytes": 2, "commit": "", "number": 6}', '3b3753497bff79715783d8046e22d94b22e9bdf0cd52af69a07affdf3702975a');
INSERT INTO public.journal VALUES (7, 1795516190.762463, 'ead9741ba7ef7', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "6.zip", "sha256": "e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683", "bytes": 2, "commit": "", "number": 7}', '94df98dd2b6aac9ee575182ab1e294d834eaa9e0f21a61637fce66184b14fbe2');
INSERT INTO public.journal VALUES (8, 1795516190.765546, 'e0bd1e43fabe9', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "7.zip", "sha256": "7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451", "bytes": 2, "commit": "", "number": 8}', '59fcfa6cf0060316cb57b959d71a38e80e41d47caf83efb36fdf23c40ef27a59');
INSERT INTO public.journal VALUES (9, 1795516190.768628, 'e85c1da521b94', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "8.zip", "sha256": "2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3", "bytes": 2, "commit": "", "number": 9}', '14abc041ee795eec70be27b92dbdd1a143a78699efacdaf7ddde516f8f9113fd');
INSERT INTO public.journal VALUES (10, 1795516190.771516, 'e22ff431ca677', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "9.zip", "sha256": "19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7", "bytes": 2, "commit": "", "number": 10}', 'ef5065aa62671a1b6231bbe3def751afa2743d79723b3198aa71f35e9364df43');
INSERT INTO public.journal VALUES (11, 1795516190.774349, 'e7add14e2aec9', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "10.zip", "sha256": "4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5", "bytes": 2, "commit": "", "number": 11}', '51f9ff4367a563f8ea366c4e06efedd1fde966d9b0db6b88345837a4164f2198');
INSERT INTO public.journal VALUES (12, 1795516190.777129, 'ec0d639a96d4d', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "11.zip", "sha256": "4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8", "bytes": 2, "commit": "", "number": 12}', '2bc208df56b08ff1f8f95ff6844b14e6526e226bcd39ff189d1ba9f233593628');
INSERT INTO public.journal VALUES (13, 1795516190.779721, 'e61cdec782e70', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "12.zip", "sha256": "6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918", "bytes": 2, "commit": "", "number": 13}', '3f03c697abcbbf0eaf876e284c2d208eb51941b78959b65a0b5c7f8f9309d913');
INSERT INTO public.journal VALUES (14, 1795516190.782517, 'e7a6bd6a6224d', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "13.zip", "sha256": "3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278", "bytes": 2, "commit": "", "number": 14}', '732794394c22ae329ac09de25187bddf15bbb4b826b18e491bc3f6c037cdc9d9');
INSERT INTO public.journal VALUES (15, 1795516190.785204, 'e064d0cbd2a30', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "14.zip", "sha256": "8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61", "bytes": 2, "commit": "", "number": 15}', 'd706a937d79bb3b52c8494e571f851aac46ab2c17fff3f5fd7d1f4e39da7e452');
INSERT INTO public.journal VALUES (16, 1795516190.788203, 'eb5291caf82f0', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "15.zip", "sha256": "e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb", "bytes": 2, "commit": "", "number": 16}', 'fd596714a763f260751f519860d35ec928ccbb2f3cdf8f79b4fb76afa478aa18');
INSERT INTO public.journal VALUES (17, 1795516190.79079, 'ef20ae2707c46', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "16.zip", "sha256": "b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9", "bytes": 2, "commit": "", "number": 17}', '71c27c90b2899859dc8d05b76681d14df4905ecc825eb30e96d6aeb0e4e62e63');
INSERT INTO public.journal VALUES (18, 1795516190.793525, 'e835ab6e28104', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "17.zip", "sha256": "4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3", "bytes": 2, "commit": "", "number": 18}', '76b56a209acb2889eb625b7b355820de5f23235c08be05c6f5d98bddd3cc0c71');
INSERT INTO public.journal VALUES (19, 1795516190.795989, 'e815f3f78e740', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "18.zip", "sha256": "4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a", "bytes": 2, "commit": "", "number": 19}', '616888355134163ea51624ea1ecbefd593d9798d988d436edf057f20b0bf7ad6');
INSERT INTO public.journal VALUES (20, 1795516190.798794, 'e40da5beb8578', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "19.zip", "sha256": "9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767", "bytes": 2, "commit": "", "number": 20}', 'aa9335f9109de21f4879f09e6f435514010126a768c7f53b327297db0ee97254');
INSERT INTO public.journal VALUES (21, 1795516190.801085, 'eb19e260aa4a6', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "20.zip", "sha256": "f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b", "bytes": 2, "commit": "", "number": 21}', '05310c4cb6add0d3daca672ca2266f80dd4644ddb2004fdbc255a564e5bc0a44');
INSERT INTO public.journal VALUES (22, 1795516190.807497, 'e035c3bccb8e1', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '118e8578bdd3a60549f89ba017d564f4e56da19afa93b89b6e3dfb66437e9e31');
INSERT INTO public.journal VALUES (23, 1795516190.81197, 'ec9c0bcecb2a2', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '5256d3c44dc625ca4925db1cd24d41931d8d442d3a92d701426d3a2f82cea73b');
INSERT INTO public.journal VALUES (24, 1795516190.8149214, 'ed4526559d9db', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'a984bce9b7ad8deebe465d82d21deb31159e8a52478950c0257224506870fb91');
INSERT INTO public.journal VALUES (25, 1795516190.8176901, 'eee3a0e44c60b', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '78b4cccb944432257713ee965933ac8bc630d437f12fdf183d2d3220a1c3e917');
INSERT INTO public.journal VALUES (26, 1795516190.8206, 'e227944ae22bd', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '6af87488024033e62675ed8fd6c61d657705bf09993c4ab2bcb9e39939a43cf6');
INSERT INTO public.journal VALUES (27, 1795516190.823629, 'e77a6a095f32f', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '917b5bf88730b880b496d44758ff9242d93ee41ae8cbdc084033538fb25609f0');
INSERT INTO public.journal VALUES (28, 1795516190.8265212, 'ead9741ba7ef7', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '2ca485f8e566c2785a888937f44c149433776e0366db0f2c2e9371a32b4488da');
INSERT INTO public.journal VALUES (29, 1795516190.8289683, 'e0bd1e43fabe9', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'a7a7d2acc3d91be128d1e9af91c09b183c688e2af7c09fe75162600776e9984f');
INSERT INTO public.journal VALUES (30, 1795516190.8318489, 'e85c1da521b94', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'a1d4d2745b1d6dcdfc6a78d07f0f1267f855c75adf1eea20e434de24fe23ec47');
INSERT INTO public.journal VALUES (31, 1795516190.8347228, 'e22ff431ca677', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '7df469e5234dabb6fd328eed12c4a3e7133075936a656f1d5a497feb8a9446f6');
INSERT INTO public.journal VALUES (32, 1795516190.8369684, 'e7add14e2aec9', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '3142bbcf3ec8066c317157cf20967e0f5f678367dbbeb28f657bbbc4fee46313');
INSERT INTO public.journal VALUES (33, 1795516190.8392174, 'ec0d639a96d4d', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '4cb942f6b74616f2830eb1f2838c5f346253b1f4394e3815e52a31501fce2718');
INSERT INTO public.journal VALUES (34, 1795516190.8414032, 'e61cdec782e70', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'baae143cfd6c0ba75e3aa0d2fd6e49fc839646250dec57b28a943c281a3bbab0');
INSERT INTO public.journal VALUES (35, 1795516190.8437037, 'e7a6bd6a6224d', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '305fb2d0f656ffd6bb9985c9eef668ce78cedbef9e5e7616512e00a6ab0af9f1');
INSERT INTO public.journal VALUES (36, 1795516190.8481004, 'e035c3bccb8e1', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '99bda7881858b1666cf3be58aa3e83c3077292fd48386d3266a47ff7469ebcec');
INSERT INTO public.journal VALUES (37, 1795516190.856317, 'e035c3bccb8e1', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'c14f2aa55793bc95e2cb3763bac28e7994224e3e2b23993a3ae27d588d08a92a');
INSERT INTO public.journal VALUES (38, 1795516190.8587472, 'e035c3bccb8e1', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', 'bb7fe39544c9aa903d07634c520ae3905a1071c763fa2562cc73dca4f97290fa');
INSERT INTO public.journal VALUES (39, 1795516190.8624432, 'e035c3bccb8e1', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '4599ed20b00dc5938118a94fb6e3dc14bb5e268738090bd306ee369f12d9d0bc');
INSERT INTO public.journal VALUES (40, 1795516190.8671153, 'e035c3bccb8e1', 'charged', '{"charged": true}', '0a144079ea69947025beeec1bf2f3412fff9b74ba9cd211022bf7be07974f0a9');
INSERT INTO public.journal VALUES (41, 1795516190.869978, 'e035c3bccb8e1', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', '27a7ee9724be923cac7ce8e19add26bd1295f458c131303dcb425442656a5688');
INSERT INTO public.journal VALUES (42, 1795516190.875753, 'e035c3bccb8e1', 'moved', '{"to": "score", "reason": {}, "charged": null}', '411f60f39c32fc2a4fa3d7b8bdff35a0a9449225aa76fb2df69a976cd199a3b4');
INSERT INTO public.journal VALUES (43, 1795516190.877862, 'e035c3bccb8e1', 'result', '{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', 'c1e292ae68a5d33d485594b363e1a4b42357f7d7e75d54a20383351c5665f183');
INSERT INTO public.journal VALUES (44, 1795516190.8804913, 'e035c3bccb8e1', 'score', '{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}', '19cd2c0cc0a40de8caedd589cc5f73fb5219a7251669ec0a6d1090cdd20e08ec');
INSERT INTO public.journal VALUES (45, 1795516190.8866937, 'e035c3bccb8e1', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}', '5a954000d2f1dc6f7238d852fe8994e68cc6c2ea146b6b05966a5097b0139ca0');
INSERT INTO public.journal VALUES (46, 1795516190.8968687, 'ec9c0bcecb2a2', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'a9459e03727b3affddc41683790a9b0c263b57edaac14915bf30806fa8f959ff');
INSERT INTO public.journal VALUES (47, 1795516190.9034436, 'ec9c0bcecb2a2', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'd1b5cf6a550a705f0413ac0edf6eab019e68ce1b2f41a2649013f8bf857ab8e3');
INSERT INTO public.journal VALUES (48, 1795516190.9054596, 'ec9c0bcecb2a2', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '26e977c99c97d548a84fadb345f1cc9fc6101c4dda7b7c9656929abb107275d1');
INSERT INTO public.journal VALUES (49, 1795516190.9112616, 'ec9c0bcecb2a2', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '1ca465800bfdf921f53a4ba01328929f265a4bc2fc285c36c7dd9c8210c18a11');
INSERT INTO public.journal VALUES (50, 1795516190.9156175, 'ec9c0bcecb2a2', 'charged', '{"charged": true}', '852daa539aa1dda1a81d4a99a3c217da1b2f9b83b8f80c89fecb821407897f43');
INSERT INTO public.journal VALUES (51, 1795516190.917589, 'ec9c0bcecb2a2', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', '5ad432fa6b260050eca27def4764b5a29ea318e90d6c113b130db8232a62aa10');
INSERT INTO public.journal VALUES (52, 1795516190.9206789, 'ec9c0bcecb2a2', 'moved', '{"to": "score", "reason": {}, "charged": null}', '1f5ac9f5e5f8b513d1aed04143f3076cb49bdfe3dbc781262033ce63609c6618');
INSERT INTO public.journal VALUES (53, 1795516190.9246542, 'ec9c0bcecb2a2', 'result', '{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', 'b7465e353c23e31c84a580cddc0f50590050a900c196e5df9b910975aa2c20b8');
INSERT INTO public.journal VALUES (54, 1795516190.929131, 'ec9c0bcecb2a2', 'score', '{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}', 'a0edeb1f48951201ef6a7e21a5db349cc9779f66ade4dadeb777c1e4a3cf9921');
INSERT INTO public.journal VALUES (55, 1795516190.9354048, 'ec9c0bcecb2a2', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}', 'c27cd9c35ff901eee42f4df5c16bb9e9291b6178ba421eda3b248c5926aa4b9c');
INSERT INTO public.journal VALUES (56, 1795516190.9394789, 'ed4526559d9db', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '65d0699b94dcacb50a20d486a62f8c076c36d616e33994a555b5b7a2a3f7357c');
INSERT INTO public.journal VALUES (57, 1795516190.9427836, 'ed4526559d9db', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '09755786e5146a85d4fe9c077fc5d2c03844b8d91f1df1557cb0ba1d462c7f40');
INSERT INTO public.journal VALUES (58, 1795516190.9445336, 'ed4526559d9db', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '213ee8c9f259c435cccd1c25ecddb939db06a99e8d4b8f7139ce1b41b13d4d7d');
INSERT INTO public.journal VALUES (59, 1795516190.9480188, 'ed4526559d9db', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '261b91b0f4193c8481c830d9edca596af09097b5f17baf8df24cc08f7360bf93');
INSERT INTO public.journal VALUES (60, 1795516190.950175, 'ed4526559d9db', 'charged', '{"charged": true}', '8456fa2a7cc0ac056cb7e8e8127b3c543a9e09feed9bd663d5fcfbd84304f861');
INSERT INTO public.journal VALUES (61, 1795516190.9525447, 'ed4526559d9db', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', '471789abccfe297812be94675b7d52c36a09517745c7c104b218e6d0435a5e6a');
INSERT INTO public.journal VALUES (62, 1795516190.9625468, 'ed4526559d9db', 'moved', '{"to": "score", "reason": {}, "charged": null}', '37d2f00eed2f894cbbba8466abd73c719a57aca5287d682d35f35798e7e1ebc0');
INSERT INTO public.journal VALUES (63, 1795516190.9661276, 'ed4526559d9db', 'result', '{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '48e60bf0ff7e4ddbba6c3325b0e4cb13912cc16fc0834cbcd7118f2079d57de1');
INSERT INTO public.journal VALUES (64, 1795516190.969632, 'ed4526559d9db', 'score', '{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}', '5f7ee63006df0c7927d3e0e3bbdcd4a849d3b262ae6461315e03f121dd196828');
INSERT INTO public.journal VALUES (65, 1795516190.978509, 'ed4526559d9db', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}', '1b7b4210e43bd1d9b0e94b95c71612eacae9b78ac8eb31c8c9a647f23b6719f8');
INSERT INTO public.journal VALUES (66, 1795516190.9852931, 'eee3a0e44c60b', 'result', '{"stage": "prep", "attempt": 1, "verdict": "PREP_ERROR", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e"}', '6b4352620836a40a5fe8b5223b5d3a465c2e5904e2f039d777aa5ed9124c82ca');
INSERT INTO public.journal VALUES (67, 1795516190.994675, 'eee3a0e44c60b', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "PREP_ERROR"}, "charged": null}', 'cbf422db0bf96d75070e9e064b8c7a9ee79579acb2548e71064046c54fc8b138');
INSERT INTO public.journal VALUES (68, 1795516191.0067737, 'e227944ae22bd', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '15f54e4983ac7fc7ca5bc2a9b8a0e267aa2edea9afd78e785efd9e8c20f07854');
INSERT INTO public.journal VALUES (69, 1795516191.0132742, 'e227944ae22bd', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '572c5eadf3ac3cb0a554fe167e9134d42788a4bb594636c8cebcb8cc7931165d');
INSERT INTO public.journal VALUES (70, 1795516191.0160763, 'e227944ae22bd', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "WRONG_ANSWER", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd"}', 'd23dcc7de33da070cb77bd9faa0af05cb98eb57388d7eb81ff3d9bd30882c3d3');
INSERT INTO public.journal VALUES (71, 1795516191.0209856, 'e227944ae22bd', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "WRONG_ANSWER"}, "charged": null}', '99f7b18831230f48e91d0d1e8270c1a364121259ed040b5db6e91070faae8506');
INSERT INTO public.journal VALUES (72, 1795516191.0268333, 'e77a6a095f32f', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'b2138a43a29f3d9131abf4ff923da07cd5d7d4f3cd692a72af1722e718daf34a');
INSERT INTO public.journal VALUES (73, 1795516191.0317652, 'e77a6a095f32f', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '5c3e2c9d601d82e793eb483b360f7fc008037211ce69653433c0597215e370e7');
INSERT INTO public.journal VALUES (74, 1795516191.034552, 'e77a6a095f32f', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', 'd9b4f60ac788f59944f540f131dfef23b7a68b1a6fa2db6cc3e05b5cd3e6ea72');
INSERT INTO public.journal VALUES (75, 1795516191.0390878, 'e77a6a095f32f', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '025f8e658d48b17131159b8edee12b981aab6cbcdb9164afcf86ca6f94925fd2');
INSERT INTO public.journal VALUES (76, 1795516191.0416932, 'e77a6a095f32f', 'charged', '{"charged": true}', 'c5a05ac8a859118e08f5483536523c5b2b21905c69eb9e1ac3279cae1241fd14');
INSERT INTO public.journal VALUES (77, 1795516191.0445905, 'e77a6a095f32f', 'result', '{"stage": "exam", "attempt": 1, "verdict": "TIME_LIMIT", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab"}', '112a8777f01d079079f62837bf605a294a42e11d2b811e0c6a2c5ad1174cb1ea');
INSERT INTO public.journal VALUES (78, 1795516191.051179, 'e77a6a095f32f', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "TIME_LIMIT"}, "charged": null}', '5f0340beb7b9a381155d52c3b9c77652ab44661b5b75f60d5bc3e2c27b06143b');
INSERT INTO public.journal VALUES (79, 1795516191.0639489, 'e0bd1e43fabe9', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '362e80a5e6628450c8e79d119d83dbaa02a6e6b8d4063864ae062671ab375495');
INSERT INTO public.journal VALUES (80, 1795516191.071395, 'e0bd1e43fabe9', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '01a0fe9f8a7e1b5cdfa2abdedc1e703ecba5fc575f11eafe9fd37ccf20673783');
INSERT INTO public.journal VALUES (81, 1795516191.0746737, 'e85c1da521b94', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'deb552deadc6dbca8f2f206782a5fabec53685c41d2e87de9e4257f8722b42d0');
INSERT INTO public.journal VALUES (82, 1795516191.0786443, 'e85c1da521b94', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'f677ec59d05fec7792a5083168d5372841df2fe6a4bb117c0e15bb64bd8663be');
INSERT INTO public.journal VALUES (83, 1795516191.0807223, 'e85c1da521b94', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '71f2850c7560aecb10c34e7d84e9d9341bf85f904963c337a29c98468f3f5230');
INSERT INTO public.journal VALUES (84, 1795516191.0846987, 'e85c1da521b94', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '8d5b5ec08cccc5adce037466548e8def685ba2c5788f5b76f6e07188a866a4ea');
INSERT INTO public.journal VALUES (85, 1795516191.086854, 'e85c1da521b94', 'charged', '{"charged": true}', 'c4d80276d94b2731b3383347e1125c7b32488c377372110e6f6f32a40b2091dc');
INSERT INTO public.journal VALUES (86, 1795516191.0899215, 'e22ff431ca677', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '77933e6dcab44b6c49a06607e2c1ebb707822594fa3c376fcb5dc2feb96a75cd');
INSERT INTO public.journal VALUES (87, 1795516191.093663, 'e22ff431ca677', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '170cd967008c7c2c7b06ae451e92dbd29ee44c8b9bc5daa42bcd66315607861b');
INSERT INTO public.journal VALUES (88, 1795516191.0957968, 'e22ff431ca677', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '3b6db48eddabd3f05209002d6bdb9c18a4dcfbc2eda9a691eda07cd824587fae');
INSERT INTO public.journal VALUES (89, 1795516191.0991323, 'e22ff431ca677', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '163b3164bc0b8aa6fe20568a5c73ea12c800f4c9bb3374b8b9a34a5f439af596');
INSERT INTO public.journal VALUES (90, 1795516191.1011913, 'e22ff431ca677', 'charged', '{"charged": true}', '0ab6903ceeaa2a1427a32590a7cff9503e385d3a4c70aa5d3b8e63bec4d9d13c');
INSERT INTO public.journal VALUES (91, 1795516191.1033278, 'e22ff431ca677', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', '003988fa7d2db75534a689dc8ef02aa24815303ad7422f03201d7a82e4a6bd5a');
INSERT INTO public.journal VALUES (92, 1795516191.1066558, 'e22ff431ca677', 'moved', '{"to": "score", "reason": {}, "charged": null}', '45f8c3777e21d72d83a94f82b9cde556de42e75c0d910f4f970b34b67634c745');
INSERT INTO public.journal VALUES (93, 1795516191.1091056, 'e7add14e2aec9', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '2ef1b8d32afe4d044821751ae2adfec9004068d321d55d9a8900e7ccd291bf7c');
INSERT INTO public.journal VALUES (94, 1795516191.1123598, 'e7add14e2aec9', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'af4fccfa5195e6d28e088b2db7e708da6976c6bb5468781a75c491730469c5e9');
INSERT INTO public.journal VALUES (95, 1795516191.1142676, 'e7add14e2aec9', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '0b1246421e3f8f26b6f90d0927b8aadeca67f222ea192e70ad9e6161d522a67a');
INSERT INTO public.journal VALUES (96, 1795516191.1173482, 'e7add14e2aec9', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '1d8d818e888598654eef5d6d00c6255b996e1826584d484a86f41d3309909393');
INSERT INTO public.journal VALUES (97, 1795516191.1191683, 'e7add14e2aec9', 'charged', '{"charged": true}', 'a99978610aafeed357cf4538358da8733bc73237ee779ca6ee9724cacc81e435');
INSERT INTO public.journal VALUES (98, 1795516191.121044, 'e7add14e2aec9', 'moved', '{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}', '2c78df138ea8e05ae2d60e63f386d99ae9b456a80009ca01c4c9f756819d4b3d');
INSERT INTO public.journal VALUES (99, 1795516191.1235015, 'ec0d639a96d4d', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'bb1071fe886869d168acc69db5fe60bfdbdeface51c10341a8300767dd2c7d04');
INSERT INTO public.journal VALUES (100, 1795516191.126802, 'ec0d639a96d4d', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'ac96f4e6606e0a4464ebb118e7ce8fcaffaaa58ac545fc5414346f3578fde652');
INSERT INTO public.journal VALUES (101, 1795516191.1286137, 'ec0d639a96d4d', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '33c7fc828d7faf597038d42098ed848d8c62ad080a91c92cbf45c1f377dca6d2');
INSERT INTO public.journal VALUES (102, 1795516191.1317382, 'ec0d639a96d4d', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '5846831a70fe10f3d6f47b5a1302eea06cf834a81122bdd95517ca3f24562cd8');
INSERT INTO public.journal VALUES (103, 1795516191.133959, 'ec0d639a96d4d', 'charged', '{"charged": true}', 'e14dc684875b14acd48350c8f50ce7cf1fd683c2230cf09e8dc4ce88363ce327');
INSERT INTO public.journal VALUES (104, 1795516191.1363578, 'ec0d639a96d4d', 'moved', '{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}', 'ae0e4797e3b85e224010707e39a71556ed81f3fe7e16f748dd0c7bf705177dec');
INSERT INTO public.journal VALUES (105, 1795516191.138797, 'e61cdec782e70', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'f0c61ee03fa114ef5a800ede59ab4da087d3d2c300b5e44ebac3486b34b60414');
INSERT INTO public.journal VALUES (106, 1795516191.1419306, 'e61cdec782e70', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'c4024a84281c23c234c83826faef18fad80e0fbe873d5e99fe04df134d900177');
INSERT INTO public.journal VALUES (107, 1795516191.1437223, 'e61cdec782e70', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', 'a0496bb566753b24c55339e0d4ed1010e75a0d244501b833a267c51a8e80901e');
INSERT INTO public.journal VALUES (108, 1795516191.1467466, 'e61cdec782e70', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '81f913b3229476c9f19375d7974e17bc69104c14ecb2d1a30b8809221e8d64f8');
INSERT INTO public.journal VALUES (109, 1795516191.148691, 'e61cdec782e70', 'charged', '{"charged": true}', '6714e44d26c3bb46a1b45c5fc1a7e57551cff25afb6f1137ae8165cc92cf0acb');
INSERT INTO public.journal VALUES (110, 1795516191.1506557, 'e61cdec782e70', 'moved', '{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}', 'dcf6b07f9dd8b6d794a90b9beeba07d33af6451a222afe351daa2ad9fb6e6f5a');
INSERT INTO public.journal VALUES (111, 1795516191.1542687, 'e61cdec782e70', 'retried', '{"attempt": 2}', '7109c81feab850d469a8c91fba4839aefa9f507b90b2b687915edede7f341689');
INSERT INTO public.journal VALUES (112, 1795516191.158409, 'e7a6bd6a6224d', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '1207edab5e838ae0ce892ae1eb4dc0aa660a1356475f81d97773f9ac2cf3fdce');
INSERT INTO public.journal VALUES (113, 1795516191.162415, 'e7a6bd6a6224d', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'e06a8810e571f5165c8bcf5bfc983fe6211aaffb40d965869ca26b32aa279b04');
INSERT INTO public.journal VALUES (114, 1795516191.1644628, 'e7a6bd6a6224d', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '150adf5eab219d5d4989151cc4ba27a1b78110e97d67788c679a9fa8b538427e');
INSERT INTO public.journal VALUES (115, 1795516191.1680171, 'e7a6bd6a6224d', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '9cda386e6f4e626d1d9611b725c8cc9354c6c95d36e987599fa83118d46d73f5');
INSERT INTO public.journal VALUES (116, 1795516191.1700666, 'e7a6bd6a6224d', 'charged', '{"charged": true}', '6c880e7c363d77d14010d781c709f9c5e961ec7f9cf0bffe400405bf12f5e88a');
INSERT INTO public.journal VALUES (117, 1795516191.172365, 'e7a6bd6a6224d', 'moved', '{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}', '89d0c8ecc4e5c2c88c40051555e4c412ce598c02471c8393f789954bd5487fd0');
INSERT INTO public.journal VALUES (118, 1795516191.1764047, 'e85c1da521b94', 'moved', '{"to": "exam", "reason": {"cause": "retry", "stage": "exam", "message": "try 2 in 30 s: SandboxFault: the guest is gone"}, "charged": null}', 'c76ea056a1ebd5744c9a8d26ec6726c4104f85ae3c58f2479d5c2adb80524567');
INSERT INTO public.journal VALUES (119, 1795516191.179825, 'eb19e260aa4a6', 'moved', '{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}', '5489f335d61adeee949c8247e322146a48d9d839ee1a9b19264512170775907e');
INSERT INTO public.journal VALUES (120, 1795516191.2066877, 'e035c3bccb8e1', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '638ee58505547ad5a5b8a9ec1207031c082a58de1e53d1de94494c3890402b5b');
INSERT INTO public.journal VALUES (121, 1795516191.2066877, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '50e2f2f5122074de7db123c2474ef71f32f2768f397f694ced99f1bbec9fd2d1');
INSERT INTO public.journal VALUES (122, 1795516191.2066877, 'ed4526559d9db', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'bbf76c89fb8de8c57110593cd77538ffcc9e6d5e85f7c3ba192fae6ce5d51448');
INSERT INTO public.journal VALUES (123, 1795516191.2066877, 'e77a6a095f32f', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '2f139e61d29fe779f49ca5c4d42f194f354da5fcfa448db75a389a50a3799c36');
INSERT INTO public.journal VALUES (124, 1795516191.2244022, 'e035c3bccb8e1', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', '16d0462b6b331489e86ae50936a4d88c496215304c8d4a7ae11d964290156c22');
INSERT INTO public.journal VALUES (125, 1795516191.2244022, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', 'd9d2c01494a23edc418fd9d395e99c2688157bcf03cf43ef59e6fd7952c80220');
INSERT INTO public.journal VALUES (126, 1795516191.2244022, 'ed4526559d9db', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', 'c4f091584b182a9907f39a57dd0e4dac452c34348312583b8487688a226b4964');
INSERT INTO public.journal VALUES (127, 1795516191.2244022, 'e77a6a095f32f', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', '09583c6beea442223c5ad9e7081b15cac9f949a24305dc2bc58a634e30ff0eb2');
INSERT INTO public.journal VALUES (128, 1795516191.240398, 'e035c3bccb8e1', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', 'fd4e97e89bd20c079251fd6cbbac83080830985118dce7c28d9f5fe6b43eb5db');
INSERT INTO public.journal VALUES (129, 1795516191.240398, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', '639eaf754a8f0e4fc60a8bcf2a66cb77261076a8551857ad1eb30e9336b10238');
INSERT INTO public.journal VALUES (130, 1795516191.240398, 'ed4526559d9db', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', '3179867df1afcfdf57869dff7fa707db0449c251f000784a5af2949a52e47346');
INSERT INTO public.journal VALUES (131, 1795516191.240398, 'e77a6a095f32f', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', '7cc538d7e8a5f56fc51bd0154d063858f0255d3a8d8b03688e699a58d0737b7a');
INSERT INTO public.journal VALUES (132, 1795516191.2529926, 'e035c3bccb8e1', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'eef1e194400cb8b9d4f18671d4ed429c1ce8f685dfc38ecf1c1b721be1bbc685');
INSERT INTO public.journal VALUES (133, 1795516191.2529926, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '80f4f0402380a020c5bfb78a10932c8650885d3e3e992ee13caf98c74ee40b22');
INSERT INTO public.journal VALUES (134, 1795516191.2529926, 'ed4526559d9db', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '720eaa062c43452553d2528726d78a80a4122d097e572db3b8937a4b353dbf6b');
INSERT INTO public.journal VALUES (135, 1795516191.2529926, 'e77a6a095f32f', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'a5ccfdf92b871e4155996d3ecc7cf80f10cacea7008228b6e3b6a1c0acc00dda');
INSERT INTO public.journal VALUES (136, 1795516191.271681, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', 'cd65a067fa327c6ef4726c0636007e4eb7fff7e47c660ffe0a92cddd4d6e4312');
INSERT INTO public.journal VALUES (137, 1795516191.27455, 'e035c3bccb8e1', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '070992543a28161de3f4dd0edf4d86116cbd559d433f8babab7c473f6c3ccff8');
INSERT INTO public.journal VALUES (138, 1795516191.2815342, 'e035c3bccb8e1', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', '3b5d2298bc338e3bb908f24cae244ad5bbaac7fbdaaef5049f94599d70754ef9');
INSERT INTO public.journal VALUES (139, 1795516191.290953, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', 'ed5cd2d4a53c4a4c4396a2c6400a5f806e001473b1a2b4926c5ded32a299efc6');
INSERT INTO public.journal VALUES (140, 1795516191.295279, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', '18709b5f3765f025b9e151c0a2c5d1ca316e42b27aab12c63071a6278a6016d8');
INSERT INTO public.journal VALUES (141, 1795516191.2987058, 'e77a6a095f32f', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', 'b42cbe47a848d28d4bc8c7bbbe2bb8ff6b373c06483329a19413b39fca24e193');
INSERT INTO public.journal VALUES (142, 1795516191.309629, 'e77a6a095f32f', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', '5b96721847323237d8fd2f75fa6b49ecee2ad0f2b997704021621118aba2b93b');
INSERT INTO public.journal VALUES (143, 1795516191.3193736, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', 'a46d59b616ac92af898ec55ffb675af41fa21dc5ec305d5578c6f055ea6a7c20');
INSERT INTO public.journal VALUES (144, 1795516191.3267899, 'ec9c0bcecb2a2', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', '85ebc515f3dfcb219f11ff05cf2af5168afd981684f854472a4e03b79e45227e');
INSERT INTO public.journal VALUES (145, 1795516191.330367, 'ec9c0bcecb2a2', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', 'b22cd3646ead5d757a4c044c9fa16dcdc5b48c66397c3376cb9b37b46ae96d90');
INSERT INTO public.journal VALUES (146, 1795516191.3424795, 'ec9c0bcecb2a2', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', '4fb5f0b71ebfa8ab4071c938e6fa62471ab1b7dcbca51c3180ddc02f1e38337f');
INSERT INTO public.journal VALUES (147, 1795516191.3486886, 'ec9c0bcecb2a2', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', '2fd94988bc723f6c15e855a5e2292f1a93122b2fd5132bab6907c037c6d362f9');
INSERT INTO public.journal VALUES (148, 1795516191.3549523, 'ed4526559d9db', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', 'c2686bc1615158c99d9c11eb807c8a2dd960ec7bb5d02b3323a747a56fa510af');
INSERT INTO public.journal VALUES (149, 1795516191.366159, 'ed4526559d9db', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '34a2564cf88b81e944e03bb72ee9e2dc91abcd2b7588379144578bd4c92dfc71');
INSERT INTO public.journal VALUES (150, 1795516191.3700442, 'ed4526559d9db', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', 'dd645b584d83b32c082ebb5c76c23c23e7b50344c89887f2b2ed24654714ff89');
INSERT INTO public.journal VALUES (151, 1795516191.3874273, 'ed4526559d9db', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', 'e3d53889838f18b475b81ae0c3c141db1aa71df85242367d93104f173e6eba55');
INSERT INTO public.journal VALUES (152, 1795516191.3989604, 'e035c3bccb8e1', 'adopted', '{"attempt": 2}', '90b464a85e3460363955643306902bed26e2ae9ac35fd7fb1e33a2813a8bb192');
INSERT INTO public.journal VALUES (153, 1795516191.3989604, 'e77a6a095f32f', 'adopted', '{"attempt": 2}', '814a2e0826a4ffb033988a0807a9ae158cc1ad886b222179cc4b4009a1ec1d62');
INSERT INTO public.journal VALUES (154, 1795516191.3989604, 'ec9c0bcecb2a2', 'adopted', '{"attempt": 2}', '695fb96865223b9a5bb610967c4c2b618e6707b64363952c3f04ddf4daa4f254');
INSERT INTO public.journal VALUES (155, 1795516191.3989604, 'ed4526559d9db', 'adopted', '{"attempt": 2}', '3ed26cc4845756f2b3b440b02bd00ac1d8a3fa2f7bda5437ad82104b8d5744aa');
INSERT INTO public.journal VALUES (156, 1795516191.408591, '', 'set', '{"key": "judged:df8f8b76e13c7ad5b828e970c28f9e275d27057fcaac2c0c21858d10aea45dc7", "value": "{\"challenge\": \"cinc2017\", \"data\": [\"\"]}"}', 'f2276a8e94621a3c73ff821f4a8bcc401da9895118acb84a7761220b8fdaf609');
INSERT INTO public.journal VALUES (157, 1795516191.4186716, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', '10fc77bed860b24c392f92b1756157ca3989a25126e4856299d468d177fc9f97');
INSERT INTO public.journal VALUES (158, 1795516191.4186716, 'ec9c0bcecb2a2', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', '59f5e616aa5888ebb8149b62107b0651589e3ac4ee3d1223666acbc24549573c');
INSERT INTO public.journal VALUES (159, 1795516191.4186716, 'ed4526559d9db', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', 'a1bd05b8955711c7d2cf1bb67971853de88bd3c711e99e81ce5cab4501167271');
INSERT INTO public.journal VALUES (160, 1795516191.4186716, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', 'f4df7d146a361ce761bafa623dc26bce3e30aa9f334fc65479ebd94f2754a44c');
INSERT INTO public.journal VALUES (161, 1795516191.4324436, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 4, "to": "prep", "reason": {}}', '92c9c44106dd321a2483000175c6367e203704f8b60eeb3f3da5e4986bee485b');
INSERT INTO public.journal VALUES (162, 1795516191.4432528, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 4, "to": "parked", "reason": {"cause": "challenge", "stage": "exam", "message": "no score"}}', '810aef0358cb0b4a341cfff0277d3a8fba7c5fc70cbb02ea2a6e265d618f2917');
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516190.8481004);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516190.8587472);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516190.869978);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795516190.877862);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516190.8968687);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516190.9054596);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516190.917589);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795516190.9246542);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516190.9394789);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516190.9445336);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516190.9525447);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795516190.9661276);
INSERT INTO public.results VALUES ('eee3a0e44c60b', 1, 'prep', 'PREP_ERROR', 5, 0.5, 'sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e', 1795516190.9852931);
INSERT INTO public.results VALUES ('e227944ae22bd', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516191.0067737);
INSERT INTO public.results VALUES ('e227944ae22bd', 1, 'quiz', 'WRONG_ANSWER', 5, 0.5, 'sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd', 1795516191.0160763);
INSERT INTO public.results VALUES ('e77a6a095f32f', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516191.0268333);
INSERT INTO public.results VALUES ('e77a6a095f32f', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516191.034552);
INSERT INTO public.results VALUES ('e77a6a095f32f', 1, 'exam', 'TIME_LIMIT', 5, 0.5, 'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', 1795516191.0445905);
INSERT INTO public.results VALUES ('e0bd1e43fabe9', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516191.0639489);
INSERT INTO public.results VALUES ('e85c1da521b94', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516191.0746737);
INSERT INTO public.results VALUES ('e85c1da521b94', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516191.0807223);
INSERT INTO public.results VALUES ('e22ff431ca677', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516191.0899215);
INSERT INTO public.results VALUES ('e22ff431ca677', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516191.0957968);
INSERT INTO public.results VALUES ('e22ff431ca677', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516191.1033278);
INSERT INTO public.results VALUES ('e7add14e2aec9', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516191.1091056);
INSERT INTO public.results VALUES ('e7add14e2aec9', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516191.1142676);
INSERT INTO public.results VALUES ('ec0d639a96d4d', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516191.1235015);
INSERT INTO public.results VALUES ('ec0d639a96d4d', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516191.1286137);
INSERT INTO public.results VALUES ('e61cdec782e70', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516191.138797);
INSERT INTO public.results VALUES ('e61cdec782e70', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516191.1437223);
INSERT INTO public.results VALUES ('e7a6bd6a6224d', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516191.158409);
INSERT INTO public.results VALUES ('e7a6bd6a6224d', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516191.1644628);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516190.869978);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516190.8481004);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516190.8587472);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516190.917589);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516190.8968687);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516190.9054596);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516190.9525447);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516190.9394789);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516190.9445336);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'exam', 'TIME_LIMIT', 5, 0.5, 'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', 1795516191.0445905);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516191.0268333);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516191.034552);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516190.8481004);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516190.8587472);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516190.8968687);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516190.9054596);
INSERT INTO public.results VALUES ('ed4526559d9db', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516190.9394789);
INSERT INTO public.results VALUES ('ed4526559d9db', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516190.9445336);
INSERT INTO public.results VALUES ('e77a6a095f32f', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516191.0268333);
INSERT INTO public.results VALUES ('e77a6a095f32f', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516191.034552);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 5, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516190.869978);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516190.8481004);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516190.8587472);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 5, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516190.917589);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516190.8968687);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516190.9054596);
INSERT INTO public.results VALUES ('ed4526559d9db', 5, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795516190.9525447);
INSERT INTO public.results VALUES ('ed4526559d9db', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516190.9394789);
INSERT INTO public.results VALUES ('ed4526559d9db', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516190.9445336);
INSERT INTO public.results VALUES ('e77a6a095f32f', 5, 'exam', 'TIME_LIMIT', 5, 0.5, 'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', 1795516191.0445905);
INSERT INTO public.results VALUES ('e77a6a095f32f', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795516191.0268333);
INSERT INTO public.results VALUES ('e77a6a095f32f', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795516191.034552);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795516191.27455);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795516191.2987058);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795516191.330367);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795516191.366159);
INSERT INTO public.scores VALUES ('e035c3bccb8e1', 1, 'F1', 0.5, '{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}', 1795516190.8804913, 0.25, 0.75, '');
INSERT INTO public.scores VALUES ('ec9c0bcecb2a2', 1, 'F1', 0.5, '{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}', 1795516190.929131, 0.25, 0.75, '');
INSERT INTO public.scores VALUES ('ed4526559d9db', 1, 'F1', 0.5, '{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}', 1795516190.969632, 0.25, 0.75, '');
INSERT INTO public.scores VALUES ('e035c3bccb8e1', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795516191.2815342, 0.35, 1.0499999999999998, '');
INSERT INTO public.scores VALUES ('e77a6a095f32f', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795516191.309629, 0.35, 1.0499999999999998, '');
INSERT INTO public.scores VALUES ('ec9c0bcecb2a2', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795516191.3424795, 0.35, 1.0499999999999998, '');
INSERT INTO public.scores VALUES ('ed4526559d9db', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795516191.3700442, 0.35, 1.0499999999999998, '');
INSERT INTO public.settings VALUES ('times-exact-after', '0');
INSERT INTO public.settings VALUES ('identity', 'f3a5d08ca1a44ebb9c91deec3ea0b98c');
INSERT INTO public.settings VALUES ('judged:df8f8b76e13c7ad5b828e970c28f9e275d27057fcaac2c0c21858d10aea45dc7', '{"challenge": "cinc2017", "data": [""]}');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 4, 'r3', 'cinc2017', '', 1, 'prep', 'queued', 1795516191.240398, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 4, 'r3', 'cinc2017', '', 1, 'prep', 'queued', 1795516191.240398, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795516191.2529926, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795516191.2529926, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795516191.2529926, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795516191.2529926, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795516191.290953, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795516191.3193736, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795516191.3486886, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795516191.3874273, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795516191.4186716, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795516191.4186716, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795516191.4186716, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795516191.4186716, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 4, 'r3', 'cinc2017', '', 1, 'prep', 'prep', 1795516191.4324436, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 4, 'r3', 'cinc2017', '', 1, 'prep', 'parked', 1795516191.4432528, false, '', 0, '{"cause": "challenge", "message": "no score", "stage": "exam"}', '');
INSERT INTO public.shares VALUES ('entries', 'großes Team', 3);
INSERT INTO public.shares VALUES ('entries', 'green', 3);
INSERT INTO public.shares VALUES ('entries', 'red', 4);
INSERT INTO public.shares VALUES ('entries', '', 3);
INSERT INTO public.shares VALUES ('entries', 'Blue', 4);
INSERT INTO public.team_names VALUES ('red', 'red', 'red');
INSERT INTO public.team_names VALUES ('blue', 'Blue', 'Blue');
INSERT INTO public.team_names VALUES ('grosses team', 'großes Team', 'großes Team');
INSERT INTO public.team_names VALUES ('green', 'green', 'green');
INSERT INTO public.teams VALUES ('red', 1795516190.731042);
INSERT INTO public.teams VALUES ('Blue', 1795516190.740335);
INSERT INTO public.teams VALUES ('großes Team', 1795516190.745018);
INSERT INTO public.teams VALUES ('green', 1795516190.74986);
INSERT INTO public.usual VALUES ('', 'all', '[2.0, 2.0, 2.0, 0.5, 1.0, 1.5]');
INSERT INTO public.usual VALUES ('cinc2017', 'exam', '[0.5, 0.5, 0.5, 0.5, 0.5]');
INSERT INTO public.usual VALUES ('cinc2017', 'prep', '[0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]');
INSERT INTO public.usual VALUES ('cinc2017', 'quiz', '[0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]');
INSERT INTO public.usual VALUES ('cinc2017', 'score', '[0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]');
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
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_entry_fkey FOREIGN KEY (entry) REFERENCES public.entries(id);
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
