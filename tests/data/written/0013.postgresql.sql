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
INSERT INTO public.alembic_version VALUES ('0013');
INSERT INTO public.details VALUES ('fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', '\x789cedd1c10ac2300c06e05719398b78d9c557f0e003888cda8619e8d2d2a4ba31f6eeb665e0d50730b77e6908fc5941d48c08e70e62c208870e5e981c59ad74bd54985064ff33ffebe7aad1e53db815884553b64a81a5405f9a6fe3fd206803bb4aa763dfc29e425a86c7a2d8b050c81ab37e692b96ca586a63b77b793a32230751b295a05dcdd827715dced9fbed039d10c7ea');
INSERT INTO public.details VALUES ('b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', '\x789ced92c10ac2300c865f65e42ca2c22ede3c7bf0014446edca2c74ad36e9e61c7b77d3529081072f820773cb97fcf0f32723208946c1b6805bd00f5814d0295f6b49111df611b40a31efdcfff571c5e8420e6e046d917c90a49d4506250f7b614c854a3a5b47b45a9629ecd6f9a13a0fa41264e4025d03bdd0c4ccb3cc27d971cc4dbccf6efdf6825fb3212cf6ca73678331f357019ecfac6d7ec8da8941ad45631d92969860dc11f2a2adcaa2e909a49b27f8');
INSERT INTO public.details VALUES ('801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', '\x789ced92c10ac2300c865f65f42ca2c22ede3c7bf0014446edc22c74ad34a9db287b77d3529081072f820773cb97fcf0f3275120c90ec4be1230ca5eac2af100df6a45099d8e09f4805876c67f7d5c29ba50828b425b241f1469679141cdc3411ad3202867db8436eb3a87dd3b3f35d7892043462ed03dd00bcdcc3ccb7c969d6369d27d0edbb717fc9a0d697100cf9d0dc62c5f45f07c616df743d62e0c5a2d3beb90b4c20cd38e54376da188e62748b327da');
INSERT INTO public.details VALUES ('c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', '\x789cedd1c10ac2300c06e05719398b78d9c557f0e003888cda9619e8524952758cbdbb691978f501ccad5f1a027f16107563846307e23347d875f08c1cd06bb5f3a9c21445b64fef7ffd5c35bab205b700922817af98490c7a6bbe5c4a83449f29543aecfb16f694791e6eb3c68646b9e8a3e8975633b6316e6397ab3d03ba91b228fa4ad0aee6fc1da92ea792d2fa015d82c84f');
INSERT INTO public.details VALUES ('1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e', '\x789ced91b10ac3300c447f25682ea54b96ee991bbc96625cdba406c73696dc3684fc7b2d13e8da0fe86d7aa743705a01494d16ce1da46c131c3a78da6c9c2646a31846390871116ccc1671df7dfff5b3b8bab217b7820b48b968723160057d355fca7b8956c760189d8e7d2b7b8e7991f7856c8315c542a9d0176d95e51acb2d76bdd5d138358588e43423685f53fae1021f0fc5fbed0377f3ca70');
INSERT INTO public.details VALUES ('4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd', '\x789ced92310bc2301085ff4ac92ca24217b70ee256a10e1d444a4c430da489e62ed65afadf4d42403ae9223878db7def1e1cef6e2080b4e1649d90ab150f324bc88d9b5a30f4a82c76f9b6caf27db929bcd47280387dffd7c7e5a3b331b8810805682c43a11538903ab1a35256c09956b5478b791ac26eb5e9ab538f3c4087b4c58bc5171a1d33ce6682ed30c4c6df275bbeb9e5d716a20a3a6e5ca7ac94d3a7214e9f2cb9fac9258f0ed482364a030a0601fa19cace42f1681a9f08c8315e');
INSERT INTO public.details VALUES ('665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', '\x789ced92310bc2301085ff4ac92ca2421737078782ddba899498861a4813c95d6c4be97ff71202d2455c04076fbbefdd83e3dd4d0c90b792ed332607deb155c61ed2354a604055511eeb53511655103a099066877f7d5c213a9f829b983280ce0b54d600819cc49e6b5d8314d634016dd6790cbbb36eacaf23ca0809598f778f2f3413736473d1769e5213ee73d8bebde4d7d6e1067ae9a8335eebe5cb30d2172bee7e70c50b8146f1d658402520c230c3c54d19994cf3139c572f33');
INSERT INTO public.entries VALUES ('e064d0cbd2a30', 15, 'cinc2017', 'großes Team', '14.zip', '8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61', 2, '', 'queued', 1, false, 1795510078.762841, 1795510078.762841, '', 0, '', '');
INSERT INTO public.entries VALUES ('eb5291caf82f0', 16, 'cinc2017', 'green', '15.zip', 'e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb', 2, '', 'queued', 1, false, 1795510078.770408, 1795510078.770408, '', 0, '', '');
INSERT INTO public.entries VALUES ('ef20ae2707c46', 17, 'cinc2017', 'red', '16.zip', 'b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9', 2, '', 'queued', 1, false, 1795510078.78063, 1795510078.78063, '', 0, '', '');
INSERT INTO public.entries VALUES ('e835ab6e28104', 18, 'cinc2017', 'Blue', '17.zip', '4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3', 2, '', 'queued', 1, false, 1795510078.785393, 1795510078.785393, '', 0, '', '');
INSERT INTO public.entries VALUES ('e815f3f78e740', 19, 'cinc2017', 'großes Team', '18.zip', '4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a', 2, '', 'queued', 1, false, 1795510078.793148, 1795510078.793148, '', 0, '', '');
INSERT INTO public.entries VALUES ('e40da5beb8578', 20, 'cinc2017', 'green', '19.zip', '9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767', 2, '', 'queued', 1, false, 1795510078.796117, 1795510078.796117, '', 0, '', '');
INSERT INTO public.entries VALUES ('ead9741ba7ef7', 7, 'cinc2017', 'großes Team', '6.zip', 'e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683', 2, '', 'prep', 1, false, 1795510078.669941, 1795510078.832005, 'old:1', 0, '', '');
INSERT INTO public.entries VALUES ('eee3a0e44c60b', 4, 'cinc2017', 'green', '3.zip', '4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce', 2, '', 'done', 1, false, 1795510078.622828, 1795510079.4899242, 'old:1', 0, '{"cause": "verdict", "verdict": "PREP_ERROR"}', '');
INSERT INTO public.entries VALUES ('e227944ae22bd', 5, 'cinc2017', 'red', '4.zip', '4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a', 2, '', 'done', 1, false, 1795510078.634393, 1795510079.6068316, 'old:1', 0, '{"cause": "verdict", "verdict": "WRONG_ANSWER"}', '');
INSERT INTO public.entries VALUES ('e0bd1e43fabe9', 8, 'cinc2017', 'green', '7.zip', '7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451', 2, '', 'quiz', 1, false, 1795510078.678627, 1795510079.7749226, 'old:1', 0, '', '');
INSERT INTO public.entries VALUES ('e22ff431ca677', 10, 'cinc2017', 'Blue', '9.zip', '19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7', 2, '', 'score', 1, true, 1795510078.710124, 1795510080.0205107, 'old:1', 0, '', '');
INSERT INTO public.entries VALUES ('e7add14e2aec9', 11, 'cinc2017', 'großes Team', '10.zip', '4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5', 2, '', 'parked', 1, true, 1795510078.725332, 1795510080.1455808, 'old:1', 0, '{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}', '');
INSERT INTO public.entries VALUES ('ec0d639a96d4d', 12, 'cinc2017', 'green', '11.zip', '4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8', 2, '', 'parked', 1, true, 1795510078.74239, 1795510080.383822, 'old:1', 0, '{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}', '');
INSERT INTO public.entries VALUES ('e61cdec782e70', 13, 'cinc2017', 'red', '12.zip', '6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918', 2, '', 'queued', 2, true, 1795510078.750007, 1795510080.4384048, '', 0, '', '');
INSERT INTO public.entries VALUES ('e7a6bd6a6224d', 14, 'cinc2017', 'Blue', '13.zip', '3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278', 2, '', 'cancelled', 1, true, 1795510078.758306, 1795510080.5066886, 'old:1', 0, '{"cause": "organiser"}', '');
INSERT INTO public.entries VALUES ('e85c1da521b94', 9, 'cinc2017', 'red', '8.zip', '2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3', 2, '', 'exam', 1, true, 1795510078.702093, 1795510080.5303013, 'old:1', 0, '{"cause": "retry", "message": "try 2 in 30 s: SandboxFault: the guest is gone", "stage": "exam"}', '');
INSERT INTO public.entries VALUES ('eb19e260aa4a6', 21, 'cinc2017', 'red', '20.zip', 'f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b', 2, '', 'cancelled', 1, false, 1795510078.798986, 1795510080.5454834, '', 0, '{"cause": "organiser"}', '');
INSERT INTO public.entries VALUES ('e035c3bccb8e1', 1, 'cinc2017', 'red', '0.zip', '5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9', 2, '', 'done', 2, true, 1795510078.535539, 1795510081.1854343, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.entries VALUES ('e77a6a095f32f', 6, 'cinc2017', 'Blue', '5.zip', 'ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d', 2, '', 'done', 2, true, 1795510078.661609, 1795510081.1854343, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.entries VALUES ('ec9c0bcecb2a2', 2, 'cinc2017', 'Blue', '1.zip', '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b', 2, '', 'done', 2, true, 1795510078.574688, 1795510081.1854343, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.entries VALUES ('ed4526559d9db', 3, 'cinc2017', 'großes Team', '2.zip', 'd4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35', 2, '', 'done', 2, true, 1795510078.586571, 1795510081.1854343, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.journal VALUES (1, 1795510078.535539, 'e035c3bccb8e1', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "0.zip", "sha256": "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9", "bytes": 2, "commit": "", "number": 1}', 'afa837d5ecbfcca02063899c5d1e9d5da02b2c0894e44123eb1d3f4a08efab46');
INSERT INTO public.journal VALUES (2, 1795510078.574688, 'ec9c0bcecb2a2', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "1.zip", "sha256": "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b", "bytes": 2, "commit": "", "number": 2}', '8719f1a0acf5bab136a28e4a6fdc2d0dd9df37e626729cb66024d6d5a1ca01e4');
INSERT INTO public.journal VALUES (3, 1795510078.586571, 'ed4526559d9db', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "2.zip", "sha256": "d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35", "bytes": 2, "commit": "", "number": 3}', 'e1f13c148049a77a4018dcdc883d4fba681de8bfe4a8309a4dac3157b097ca31');
INSERT INTO public.journal VALUES (4, 1795510078.622828, 'eee3a0e44c60b', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "3.zip", "sha256": "4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce", "bytes": 2, "commit": "", "number": 4}', '93feab6642503469261b9420b1d50ff958853ee31bbbc465e8777b8d65cfdaa6');
INSERT INTO public.journal VALUES (5, 1795510078.634393, 'e227944ae22bd', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "4.zip", "sha256": "4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a", "bytes": 2, "commit": "", "number": 5}', '3387d78ed3ed01cf6e2236dcdb7f2677edc03723afb9f73117371d51e42236a8');
INSERT INTO public.journal VALUES (6, 1795510078.661609, 'e77a6a095f32f', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "5.zip", "sha256": "ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d", "bytes": 2, "commit": "", "number": 6}', 'deb82fb7f909e6c8a7cdae7963c2e71fb1434f458c101fd331661b16e7a00678');
INSERT INTO public.journal VALUES (7, 1795510078.669941, 'ead9741ba7ef7', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "6.zip", "sha256": "e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683", "bytes": 2, "commit": "", "number": 7}', '7daf9ccee0858c616db089618344ec4cca955dff557b277082315137e7fc9850');
INSERT INTO public.journal VALUES (8, 1795510078.678627, 'e0bd1e43fabe9', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "7.zip", "sha256": "7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451", "bytes": 2, "commit": "", "number": 8}', 'b9ac416ec651c6e1ea4368c361c17764c1c42488868dd30584b58a23a5ce0e91');
INSERT INTO public.journal VALUES (9, 1795510078.702093, 'e85c1da521b94', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "8.zip", "sha256": "2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3", "bytes": 2, "commit": "", "number": 9}', '36275ed1fb3d543518aaca90c48725589142da29eb2dbb98899be168bad9ee63');
INSERT INTO public.journal VALUES (10, 1795510078.710124, 'e22ff431ca677', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "9.zip", "sha256": "19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7", "bytes": 2, "commit": "", "number": 10}', 'e8b2367774f1732ab26ee4b3b8cf697d7b03546a70df362686986d0307dd1aff');
INSERT INTO public.journal VALUES (11, 1795510078.725332, 'e7add14e2aec9', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "10.zip", "sha256": "4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5", "bytes": 2, "commit": "", "number": 11}', 'f58688ba462dcc8db3604c35c3253b0fe746eb1041236fe82233fd9362e6729c');
INSERT INTO public.journal VALUES (12, 1795510078.74239, 'ec0d639a96d4d', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "11.zip", "sha256": "4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8", "bytes": 2, "commit": "", "number": 12}', '8df9cb7d163d9c3ae58ad9ced39b9ba069b95c1c1b3eb26ab59b498da1f08ee0');
INSERT INTO public.journal VALUES (13, 1795510078.750007, 'e61cdec782e70', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "12.zip", "sha256": "6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918", "bytes": 2, "commit": "", "number": 13}', '80ff41808a8924c328f80babbdd4a69316214b930d5ce14cb2d296a7626d3ca5');
INSERT INTO public.journal VALUES (14, 1795510078.758306, 'e7a6bd6a6224d', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "13.zip", "sha256": "3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278", "bytes": 2, "commit": "", "number": 14}', '0c9b0f7bc1ce853861dfbd645626ed67cdbe73f394e3720c59101a2f4ff1a100');
INSERT INTO public.journal VALUES (15, 1795510078.762841, 'e064d0cbd2a30', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "14.zip", "sha256": "8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61", "bytes": 2, "commit": "", "number": 15}', '7da045f7e76d03c2da49ea16279bfbf2041116c485446ac5e6dd1065aaca4ba9');
INSERT INTO public.journal VALUES (16, 1795510078.770408, 'eb5291caf82f0', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "15.zip", "sha256": "e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb", "bytes": 2, "commit": "", "number": 16}', '1c3807c98a91c59c30aa1525316242c8a1e4439f0f8a4913522f384d6ac33733');
INSERT INTO public.journal VALUES (17, 1795510078.78063, 'ef20ae2707c46', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "16.zip", "sha256": "b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9", "bytes": 2, "commit": "", "number": 17}', '50fb3ebfe986178de72c79374c35a7c9619875ae6da336b1e58c63928b3a9c5a');
INSERT INTO public.journal VALUES (18, 1795510078.785393, 'e835ab6e28104', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "17.zip", "sha256": "4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3", "bytes": 2, "commit": "", "number": 18}', 'df80597166aef9336e2ab78534447086150d7159bcbf183c6cca1ed67169e8f0');
INSERT INTO public.journal VALUES (19, 1795510078.793148, 'e815f3f78e740', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "18.zip", "sha256": "4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a", "bytes": 2, "commit": "", "number": 19}', '7eb6f33ee3a7a9c1ef674313490342d7946a33234c831979fe97122197bf7267');
INSERT INTO public.journal VALUES (20, 1795510078.796117, 'e40da5beb8578', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "19.zip", "sha256": "9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767", "bytes": 2, "commit": "", "number": 20}', '3e89d09cdf194911e9c46da7767c618e6fb676b61af1f5027e8088e64e1ee786');
INSERT INTO public.journal VALUES (21, 1795510078.798986, 'eb19e260aa4a6', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "20.zip", "sha256": "f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b", "bytes": 2, "commit": "", "number": 21}', 'ddf1d868d9faed2f99283b20f8b967aadf79edfcb752b8941b72c4ce053b84f6');
INSERT INTO public.journal VALUES (22, 1795510078.8059103, 'e035c3bccb8e1', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '44c1c263c36e3ce306392447570f866d1ff25a3dfd8990533de667786982f80f');
INSERT INTO public.journal VALUES (23, 1795510078.8130643, 'ec9c0bcecb2a2', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '3a62ffc8c12cf5c6e0578e84d25db657e9821cc45ed2fff3a95b988317e3796f');
INSERT INTO public.journal VALUES (24, 1795510078.8164144, 'ed4526559d9db', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '76c281a8dc8b1c2e45b833078f57625ac0eaf644b1dc310b3b577162a152ce93');
INSERT INTO public.journal VALUES (25, 1795510078.8194494, 'eee3a0e44c60b', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '996d0567da77fddadf6d517fc0d40984a3d9efce2ebc3545a1b16602b976d150');
INSERT INTO public.journal VALUES (26, 1795510078.8230784, 'e227944ae22bd', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '06b5ed28bed66b821de501af27d5885a38fe80ea4484bf24039efe8a7eabc153');
INSERT INTO public.journal VALUES (27, 1795510078.827181, 'e77a6a095f32f', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '7ea3ca1020c49afe6d2ea0bda967e2b8f10c918340dbad93190c57c74107845c');
INSERT INTO public.journal VALUES (28, 1795510078.832005, 'ead9741ba7ef7', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '49a1a2819d32ceeb14efb92d9f3332a85a865d0042175891cfd3ef8e3c855153');
INSERT INTO public.journal VALUES (29, 1795510078.8362052, 'e0bd1e43fabe9', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '4318597e8046eb2cef9c23208e70fd8727d2c32b8b549d218fad68e160626c2d');
INSERT INTO public.journal VALUES (30, 1795510078.8411515, 'e85c1da521b94', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '29ddb8ca903a72d2e62f3755b405c68d343455544276d20adf3960f1997303dc');
INSERT INTO public.journal VALUES (31, 1795510078.8466532, 'e22ff431ca677', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '85b62e91c9667307d1cb5bc5a2c2c49d95f6269c817fe6704c90168cd17c55db');
INSERT INTO public.journal VALUES (32, 1795510078.8506126, 'e7add14e2aec9', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '8729402065d861b2239caddcf8ab87242046722e55e0b113aac64a63b524c75d');
INSERT INTO public.journal VALUES (33, 1795510078.8543856, 'ec0d639a96d4d', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '32334901561b0ac1556de6a10da7750c5d85ebfb1cf97ed18904b39b792b249a');
INSERT INTO public.journal VALUES (34, 1795510078.8586218, 'e61cdec782e70', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'e1d699c34de052398bafc10624ff50b3f4b0a154dcbab80b5c03109243c57dc1');
INSERT INTO public.journal VALUES (35, 1795510078.862443, 'e7a6bd6a6224d', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '6c3c2095eaccdb6756799e5acaa308e7dd82aeb9598120d48199ee751febd266');
INSERT INTO public.journal VALUES (36, 1795510078.8856661, 'e035c3bccb8e1', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'f160ec644ca70bfdf7680f11323d60f5963770ff1993047c5da3777915821fca');
INSERT INTO public.journal VALUES (37, 1795510078.910591, 'e035c3bccb8e1', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'f5950ac9046276c176863b53c7e2a3138b0fd15d191597023ff11f2cc460463f');
INSERT INTO public.journal VALUES (38, 1795510078.9306555, 'e035c3bccb8e1', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', 'b167e16ba4abf4f2577ac9aec700030560fd5b2d91e20b1d61e3c1fba5190c08');
INSERT INTO public.journal VALUES (39, 1795510078.951067, 'e035c3bccb8e1', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '83b97a10ec0391fbbab49405cba515b63ee490bac813754022e31267bd72d418');
INSERT INTO public.journal VALUES (40, 1795510078.965541, 'e035c3bccb8e1', 'charged', '{"charged": true}', '2afecf4ffbdf959d20bfea5e0a9b71fc56c5e1796e27bb20a0c3a733319ca0a1');
INSERT INTO public.journal VALUES (41, 1795510078.9814653, 'e035c3bccb8e1', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', '4b9f581a1a560976cb95c4dced94aed289654df8bfe041827a2b83e3282fe1f8');
INSERT INTO public.journal VALUES (42, 1795510078.9927676, 'e035c3bccb8e1', 'moved', '{"to": "score", "reason": {}, "charged": null}', '2a012cf20b5cb3193259b4849e12c6e40bfae8774b030f3cdfb8d0d8e8d88b36');
INSERT INTO public.journal VALUES (43, 1795510079.0116673, 'e035c3bccb8e1', 'result', '{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', 'cd2fa114d0f2985eaf0b43fad7c1ca6fe9b141c62580805ce09e6f50e8972d5a');
INSERT INTO public.journal VALUES (44, 1795510079.026485, 'e035c3bccb8e1', 'score', '{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}', '42efdda1867fd603aac1bbdc79c6bee9ada3565d77bab79248019b744aee8637');
INSERT INTO public.journal VALUES (45, 1795510079.0515676, 'e035c3bccb8e1', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}', '66e49a1df61e473a04d9ddaed6ecf9aaf84e1ca077addad345bc76e90f798e29');
INSERT INTO public.journal VALUES (46, 1795510079.0680623, 'ec9c0bcecb2a2', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '4f93a97b4f6c387315f0bc81bab80c6995060729d0aa4f4822752ea35589e179');
INSERT INTO public.journal VALUES (47, 1795510079.1025028, 'ec9c0bcecb2a2', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'be1f3db66dddbe405e6fdd230b39938649853a5879c611313126a26f8222c3b3');
INSERT INTO public.journal VALUES (48, 1795510079.1147575, 'ec9c0bcecb2a2', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', 'adb9c7b72f41ed8e5b4312986b3c0a986119994ca5f694eef04eaba59b27beef');
INSERT INTO public.journal VALUES (49, 1795510079.1270814, 'ec9c0bcecb2a2', 'moved', '{"to": "exam", "reason": {}, "charged": null}', 'f5dd6fd09ea53b73acd2d0cf5b550c119dd6ce505c229fed5df7e6fa534af11c');
INSERT INTO public.journal VALUES (50, 1795510079.1537652, 'ec9c0bcecb2a2', 'charged', '{"charged": true}', '1cef94e06fce63f4737aa371f8ecb6ce676fa228280011861c3f92e37f1ec17b');
INSERT INTO public.journal VALUES (51, 1795510079.165417, 'ec9c0bcecb2a2', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', '918d2bc5f660fdf73213a1d5fca9fb21b05ba49081717dc96dd7fb458ec3a5b0');
INSERT INTO public.journal VALUES (52, 1795510079.186605, 'ec9c0bcecb2a2', 'moved', '{"to": "score", "reason": {}, "charged": null}', '237dba04315ca263258ffbfec352e453aa5ff2930305a4d0f6d83b350f05d47b');
INSERT INTO public.journal VALUES (53, 1795510079.1902251, 'ec9c0bcecb2a2', 'result', '{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '8a063f0d7e927d932015114f671e7b6f5e72405f78289edc6a556b34c2658362');
INSERT INTO public.journal VALUES (54, 1795510079.201733, 'ec9c0bcecb2a2', 'score', '{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}', '0d73097e7ab7b5cfe67dfc0ae1826547679ee70e5471f67cdda48cb4b1931b97');
INSERT INTO public.journal VALUES (55, 1795510079.2296684, 'ec9c0bcecb2a2', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}', '73f1af5a5bcf938bfda449521ec2b900976e4df2972660b12e00388384391d10');
INSERT INTO public.journal VALUES (56, 1795510079.2426097, 'ed4526559d9db', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'af444e183ce541b7e584f05be07558e32836306c2512efa941d04df00741f36c');
INSERT INTO public.journal VALUES (57, 1795510079.273765, 'ed4526559d9db', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '1217a7df7cca967ca1ab758742d4f3a7af397d1689a121c4ceef8ca6f3650241');
INSERT INTO public.journal VALUES (58, 1795510079.2790182, 'ed4526559d9db', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '4c9a7e522e5062fc1e9a8a0ba916cf2a2b1a88f328730564270634bb83fc866f');
INSERT INTO public.journal VALUES (59, 1795510079.2956116, 'ed4526559d9db', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '4126f4ba9fdc0143d734798b72f298de2303566af73f8aa2e870cf819702ceab');
INSERT INTO public.journal VALUES (60, 1795510079.2984035, 'ed4526559d9db', 'charged', '{"charged": true}', '55c73431d693ad80a10808bb9c772bebd6422245695d8234c64870f116efdcf8');
INSERT INTO public.journal VALUES (61, 1795510079.3218682, 'ed4526559d9db', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', '1d0c1ea011cdd7bc26536b2b755d2848da07796809f02b18f0a2930c8ad7656d');
INSERT INTO public.journal VALUES (62, 1795510079.3471367, 'ed4526559d9db', 'moved', '{"to": "score", "reason": {}, "charged": null}', '17e90c4394d5579de3df9935600a88d5ebf6cc4e1baa6f9c043be7a8b2eac1a5');
INSERT INTO public.journal VALUES (63, 1795510079.3934355, 'ed4526559d9db', 'result', '{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '66e84563633e26a243e5979b59b727536dcebd9e9ffdbfbdb1496fe04ad5af43');
INSERT INTO public.journal VALUES (64, 1795510079.410141, 'ed4526559d9db', 'score', '{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}', '46f3bea1e8b1eb3c81eaaa9ca689de00e9d506289034b450d39db8bc6451d927');
INSERT INTO public.journal VALUES (65, 1795510079.4401824, 'ed4526559d9db', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}', '6991659770816cc85da161e43ef8975257495e65d405850d6c3486dd915b3a8d');
INSERT INTO public.journal VALUES (66, 1795510079.4740853, 'eee3a0e44c60b', 'result', '{"stage": "prep", "attempt": 1, "verdict": "PREP_ERROR", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e"}', '88d7125c8a6aa6bf48b7be8a93353d70f8cc0455ce3268cfebb8a1a1ad9a3049');
INSERT INTO public.journal VALUES (67, 1795510079.4899242, 'eee3a0e44c60b', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "PREP_ERROR"}, "charged": null}', '72dea2445238aed9c36143be8b43a33b9298432f37503f46d58b587df57ba1d5');
INSERT INTO public.journal VALUES (68, 1795510079.5184495, 'e227944ae22bd', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'c0562e0162dbf22494dc3c2adeb308493b8846a04202c8c7719f79ee7903ed34');
INSERT INTO public.journal VALUES (69, 1795510079.5327547, 'e227944ae22bd', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '94000ca1be7c8e05387a7329828ccf77ba64890b8acc31746c6701daff037a45');
INSERT INTO public.journal VALUES (70, 1795510079.5843875, 'e227944ae22bd', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "WRONG_ANSWER", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd"}', '0ff378738b1637d283d9050f76c14757e4a847be1d902e3f9d53cfbd5ce3962a');
INSERT INTO public.journal VALUES (71, 1795510079.6068316, 'e227944ae22bd', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "WRONG_ANSWER"}, "charged": null}', '5e4ae7271bd917b68704eff06223a0f0c61b321b293c65c7963903cffdd71bd0');
INSERT INTO public.journal VALUES (72, 1795510079.6291306, 'e77a6a095f32f', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '813c60ea7fe051c283b244d6c99741282c1d41e56dc4bd7f5c6a8ef881f889b8');
INSERT INTO public.journal VALUES (73, 1795510079.6551225, 'e77a6a095f32f', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '038cfaf013d648dcab14c231dcd340172fc6e23b97f64924c76f15e668c7441b');
INSERT INTO public.journal VALUES (74, 1795510079.660756, 'e77a6a095f32f', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', 'a57b899507e5c25d8198ff881a1618f5ef697ff17d7233fab03fbf4badcd6a3b');
INSERT INTO public.journal VALUES (75, 1795510079.6822948, 'e77a6a095f32f', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '115fcad1bdfbc811dc424c90119c19c1a443397468442f4b416bdf858cb2dd6c');
INSERT INTO public.journal VALUES (76, 1795510079.696499, 'e77a6a095f32f', 'charged', '{"charged": true}', 'd4af8d45dd850fa1f6d81f2e73cb8e65360d11694d63710079282f98fdb4bd53');
INSERT INTO public.journal VALUES (77, 1795510079.7096376, 'e77a6a095f32f', 'result', '{"stage": "exam", "attempt": 1, "verdict": "TIME_LIMIT", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab"}', 'ca76d7418b33bc120c3772b63f798ff2bdd27b4f2353f3e3fcfaa73053a0032b');
INSERT INTO public.journal VALUES (78, 1795510079.7308083, 'e77a6a095f32f', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "TIME_LIMIT"}, "charged": null}', 'dff35660aa5d54e25dee63a71fbd4c8dc3cb7e5069e568b07b3ea08ddd62f7ae');
INSERT INTO public.journal VALUES (79, 1795510079.7540293, 'e0bd1e43fabe9', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'a21a19e931192086a18dfc4f7600c5befdac1ae387be3215a27ff0ad97ff20d2');
INSERT INTO public.journal VALUES (80, 1795510079.7749226, 'e0bd1e43fabe9', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '1158411e903755d7c0daea2b25f270f64dc8628f96d6ddb6875964c7524cfb67');
INSERT INTO public.journal VALUES (81, 1795510079.7900372, 'e85c1da521b94', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'c206ae487f005ebb72d59abf87f35c8e5ca63129723483791d7247ae0476a462');
INSERT INTO public.journal VALUES (82, 1795510079.8019032, 'e85c1da521b94', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'd9f3b5e5716fc5cbed7641d18a4c440c9c06c84238cf7f590bf2e3adcc7a3be6');
INSERT INTO public.journal VALUES (83, 1795510079.8133373, 'e85c1da521b94', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '8b57b285b798799d7f86e9130c9cc57aee60c5989378036b5602d582d6670377');
INSERT INTO public.journal VALUES (84, 1795510079.8301392, 'e85c1da521b94', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '52eccec1e5b82e055be8dcd476c0e6ccb1e665006b4b561079322d7fa300e53c');
INSERT INTO public.journal VALUES (85, 1795510079.8442597, 'e85c1da521b94', 'charged', '{"charged": true}', '9723a1bc5eba62d4790c92514cdb6e419800851fed716597ba74d8424b73f0a4');
INSERT INTO public.journal VALUES (86, 1795510079.8575234, 'e22ff431ca677', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '6bd37c735f700d185445ea629d170139693f0ee04756d45650ca5a59d45a3b35');
INSERT INTO public.journal VALUES (87, 1795510079.9015396, 'e22ff431ca677', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '24cd90ed6e44cde044d37522a94167034cf70bbec1484d54e25bd701238fd420');
INSERT INTO public.journal VALUES (88, 1795510079.920651, 'e22ff431ca677', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '6f9b5f9843f5e24bdf7236f4de836db26d79d329e9fd963bdef0138b5441e9ae');
INSERT INTO public.journal VALUES (89, 1795510079.9677591, 'e22ff431ca677', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '795cabc7f456e0e7adee618282c3b06a63914edc65382909b47a144b108aacb9');
INSERT INTO public.journal VALUES (90, 1795510079.9886334, 'e22ff431ca677', 'charged', '{"charged": true}', 'd1a5da463a303899285c6656bd49248558ed4e3767f4d1705dcf2e422d2b48aa');
INSERT INTO public.journal VALUES (91, 1795510080.0079117, 'e22ff431ca677', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', '7c39a4c5c418f71053b0dc32ffc8f2d6b8d51b24357ff01a929b04229621bcca');
INSERT INTO public.journal VALUES (92, 1795510080.0205107, 'e22ff431ca677', 'moved', '{"to": "score", "reason": {}, "charged": null}', '2ae55f6f3f5af8119127adefb9ee8e7bb53a6e01b54eaa7d8c181b6e62c1f25c');
INSERT INTO public.journal VALUES (93, 1795510080.046525, 'e7add14e2aec9', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '4e1ffe2a503af0788104289cd0a33177a7050000a5df8a02e91af26a0e884893');
INSERT INTO public.journal VALUES (94, 1795510080.0659993, 'e7add14e2aec9', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '8f37eed6d4b7237167a90e93bac9cb5e880d6c292e13504ca4d200af5663d462');
INSERT INTO public.journal VALUES (95, 1795510080.0816598, 'e7add14e2aec9', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', 'eb20a8d89cf0642a77daac3f4b99cb95c064202c40862cd485344492244ef5fb');
INSERT INTO public.journal VALUES (96, 1795510080.1046505, 'e7add14e2aec9', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '83e39b23396ba36effbad4e10f00d5e18be3d56de209a4db830f96b84784703b');
INSERT INTO public.journal VALUES (97, 1795510080.1381419, 'e7add14e2aec9', 'charged', '{"charged": true}', 'c87d4fe4aaeedf60749e8deefafdbaf0d6ed3b56446202ede1e4a3ab59f76ab6');
INSERT INTO public.journal VALUES (98, 1795510080.1455808, 'e7add14e2aec9', 'moved', '{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}', 'b48e70fbbf33e3dca8cacccb4b7d9a88bf816d0f8f0f06b770ba9e83c48abb7c');
INSERT INTO public.journal VALUES (99, 1795510080.1888542, 'ec0d639a96d4d', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '9c71fe2c3a8ca1670e1c5c7137dbc434e5201ff0a769584cd24769abfa4c611f');
INSERT INTO public.journal VALUES (100, 1795510080.2354083, 'ec0d639a96d4d', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'd517dc1a574ae286fa72f6a282984de30e47a2520f15ad3f5c21a3926312e7fe');
INSERT INTO public.journal VALUES (101, 1795510080.2506857, 'ec0d639a96d4d', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '96da40319177f9772c753a2517af59b7a4c53d9fdc048d8752201d4ac8c341c5');
INSERT INTO public.journal VALUES (102, 1795510080.2857194, 'ec0d639a96d4d', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '2f5addf3aebc7574bf5442c710e0b47cf63f24f5ef13c051acdd7c9144e08901');
INSERT INTO public.journal VALUES (103, 1795510080.3736036, 'ec0d639a96d4d', 'charged', '{"charged": true}', '6f5d9515420aa1a09538b4089399bd3b8fad3f8211314a7351838d23dc6e6fab');
INSERT INTO public.journal VALUES (104, 1795510080.383822, 'ec0d639a96d4d', 'moved', '{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}', '01e329aba30fb846e82fa1bfb9ffe58e1fc14fc65b5e97449020bee70e14ca87');
INSERT INTO public.journal VALUES (105, 1795510080.3883054, 'e61cdec782e70', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'cd220d5fb518241b39279ca2c94a9d88e7387be1d680ee5397748d5968ef59c4');
INSERT INTO public.journal VALUES (106, 1795510080.3920648, 'e61cdec782e70', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '4a47ca5ab376ba63e4b9f52baa82d480ece421327dee622e40a90f6555cdf00b');
INSERT INTO public.journal VALUES (107, 1795510080.39417, 'e61cdec782e70', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '424545bb0945b676097853ed07b13a6c598e453bc635c5ca265719086f6aa1eb');
INSERT INTO public.journal VALUES (108, 1795510080.4020557, 'e61cdec782e70', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '8f298b988ef75ade6d68da8cee62ca3da3318dfe4be364b47174b0359f3381dc');
INSERT INTO public.journal VALUES (109, 1795510080.4149253, 'e61cdec782e70', 'charged', '{"charged": true}', 'c9232ffa793adad3bc14a07f3dfa5e8b3022994d6b46bf1277f05ed741d2b2ea');
INSERT INTO public.journal VALUES (110, 1795510080.425537, 'e61cdec782e70', 'moved', '{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}', '7d9468d72b50fa8e5ee02805d7df51965710bc64b4a6ac68cb355a193c3ad16d');
INSERT INTO public.journal VALUES (111, 1795510080.4384048, 'e61cdec782e70', 'retried', '{"attempt": 2}', '10cc12bd9e939e304f5e0c55ec01f4d39d2405789791ed7ac1661a8fba2f64e2');
INSERT INTO public.journal VALUES (112, 1795510080.4587727, 'e7a6bd6a6224d', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '120cc3fe16506d9f20502500f14755cf05da835dc119dc6db09a520791cb759e');
INSERT INTO public.journal VALUES (113, 1795510080.4742181, 'e7a6bd6a6224d', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '495eb08a00f60c74e83a4cf622b3f9cff9076ceba2d4f05a11554593aacb59ea');
INSERT INTO public.journal VALUES (114, 1795510080.481554, 'e7a6bd6a6224d', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', 'a34bad9db058b3b7383ff887f7adbc3b48784e66c2636a06838ffedf7486db9a');
INSERT INTO public.journal VALUES (115, 1795510080.4939425, 'e7a6bd6a6224d', 'moved', '{"to": "exam", "reason": {}, "charged": null}', 'e93bc01f73a28bb091ffd94520e4951d33aaa22ac5154f3e68ff55be4814f5e7');
INSERT INTO public.journal VALUES (116, 1795510080.4991765, 'e7a6bd6a6224d', 'charged', '{"charged": true}', 'e68dffe623ca532de5359e72979b2a994cb1ec7ecf9ffe1e06f7af74089f04b7');
INSERT INTO public.journal VALUES (117, 1795510080.5066886, 'e7a6bd6a6224d', 'moved', '{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}', '9667dcfb0c2502fdeab0b7dfd62955b9f421148e1a91ef327ee8054aa94a8120');
INSERT INTO public.journal VALUES (118, 1795510080.5303013, 'e85c1da521b94', 'moved', '{"to": "exam", "reason": {"cause": "retry", "stage": "exam", "message": "try 2 in 30 s: SandboxFault: the guest is gone"}, "charged": null}', 'fc8458f8d47391cbdafbd770b93b04fb58d0cec07d0ed19938510bf90b5ded0f');
INSERT INTO public.journal VALUES (119, 1795510080.5454834, 'eb19e260aa4a6', 'moved', '{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}', '106db70941c1d7aa8b704ddb91918cea5e877e95ba45e7cc02496b5e952cfebe');
INSERT INTO public.journal VALUES (120, 1795510080.6054184, 'e035c3bccb8e1', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '2b5b3cb25cf8075bf5cf8bc9ea0402c70dd2b56bd8fa1c0fa4761fa629926b87');
INSERT INTO public.journal VALUES (121, 1795510080.6054184, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '1e5cc2867746e73fd09b8b6bc71a15b628d07164398250a57f0b6fcc786b4e35');
INSERT INTO public.journal VALUES (122, 1795510080.6054184, 'ed4526559d9db', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '4abf09dcab1ee62941a7180607a5c8ec48eb58ce8ab6099db46706cf4c8ec7bd');
INSERT INTO public.journal VALUES (123, 1795510080.6054184, 'e77a6a095f32f', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '9d86dfec14f7b56b717354ce0d59e280ce1ed0b3238bb677ca58f4bf83d27f1a');
INSERT INTO public.journal VALUES (124, 1795510080.6533976, 'e035c3bccb8e1', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', '1ff9021942e30d410c3f26bc52a44ef33c01cc930af9f62d45a5638d1614edb8');
INSERT INTO public.journal VALUES (125, 1795510080.6533976, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', 'b69119debdb9f87820731f870e34e36ffd0cf1bf5200bc26045ba4f2ad41831e');
INSERT INTO public.journal VALUES (126, 1795510080.6533976, 'ed4526559d9db', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', 'e17e60a58be7832980aa84811f23e7dc80d2ebaedf8b75c338a59b7e770cc230');
INSERT INTO public.journal VALUES (127, 1795510080.6533976, 'e77a6a095f32f', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', 'f85504e96f0092ab698be8effa07d4e694a9bcb1074d6457753c43bb818e9123');
INSERT INTO public.journal VALUES (128, 1795510080.7015164, 'e035c3bccb8e1', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', 'c38f56c35a839eeb91e20cd64604118edb1642286e2dfb19d88ff231e0fd18f7');
INSERT INTO public.journal VALUES (129, 1795510080.7015164, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', '25a5631495f87c83025135f7d34ac0fd980df69aaa1e687cf98d20eb69844862');
INSERT INTO public.journal VALUES (130, 1795510080.7015164, 'ed4526559d9db', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', '7c20e298d6866d0c4c142d958ee57d4a67bd83a4f31c9a00d76258acea3714ee');
INSERT INTO public.journal VALUES (131, 1795510080.7015164, 'e77a6a095f32f', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', 'e33d724cf2421e313290f23b709e3632a17dd60d2d0b62466773b7bcfda7ab96');
INSERT INTO public.journal VALUES (132, 1795510080.7694912, 'e035c3bccb8e1', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'bd2bc01a04fb1365439c7a4aec1f31bc475c8289f851333d7e369a79121bca04');
INSERT INTO public.journal VALUES (133, 1795510080.7694912, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '81f27b10c5ea55c7054301d54decdde928787075f9c8d814520d6b73e746f7a6');
INSERT INTO public.journal VALUES (134, 1795510080.7694912, 'ed4526559d9db', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'e587ad5cbb675c2df5c5f3040421ddcdb5a391f94428b583d5838e69cb188d66');
INSERT INTO public.journal VALUES (135, 1795510080.7694912, 'e77a6a095f32f', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'd8ce3831ee5c85f33e2358d3366bbfb1404fe5c70e53d065c48bf831db0e0f3b');
INSERT INTO public.journal VALUES (136, 1795510080.8095253, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', '2f4f7f6ad350c5db6a9778585491de7c3dba43c417205f572ed246f562c1a3b3');
INSERT INTO public.journal VALUES (137, 1795510080.8176477, 'e035c3bccb8e1', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '6c8c0dcf872c55b192725acac1e89ee4c77813d9ba26f94001c6010583ef1864');
INSERT INTO public.journal VALUES (138, 1795510080.8375664, 'e035c3bccb8e1', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', 'ef1d5058e49b67b9965e139168788d3fe813a8d1c9a695fc7f961381a7dfb61d');
INSERT INTO public.journal VALUES (139, 1795510080.8494303, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', 'ddf85bb594e79ba27034df9d91d5af0576a7f695882fa045dc98481c0f1c6963');
INSERT INTO public.journal VALUES (140, 1795510080.8669577, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', '7b43802e929821b8faaf1ca5928737f85e99eb3e81cdd6ce85c03888eadee757');
INSERT INTO public.journal VALUES (141, 1795510080.878124, 'e77a6a095f32f', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '4437a35eae7dd04c451bb6efe1521822f67629968326e34835f23bc95633a687');
INSERT INTO public.journal VALUES (142, 1795510080.881502, 'e77a6a095f32f', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', '1b1eea17e44a099ae0e4890382527b7a959722f4cdb4b6d77e9ed24aea767975');
INSERT INTO public.journal VALUES (143, 1795510080.9054658, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', '9f2fb5cdb3bc4013e1e36c0714c6e9b7b75db3214fb7b348b593026153c06fe0');
INSERT INTO public.journal VALUES (144, 1795510080.9375541, 'ec9c0bcecb2a2', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', 'c54b763653bc457f8c73eb516d0ffa459f3590328d387f6716a0875ad7bf8752');
INSERT INTO public.journal VALUES (145, 1795510080.9644914, 'ec9c0bcecb2a2', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '95e5e505fb5b717978c813ab61546cf7588a61d8a66e1c50cb81da874a67e54b');
INSERT INTO public.journal VALUES (146, 1795510081.0028517, 'ec9c0bcecb2a2', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', '91f09d53729d4cb861ef83e4b4e881a1d21f7bfa53cb3136a7b1b1a499e5df8c');
INSERT INTO public.journal VALUES (147, 1795510081.0289774, 'ec9c0bcecb2a2', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', 'b1ef27ca0651a2ebd03403bafc025dc2f80d19a1acfaed658eca454e78c1bb63');
INSERT INTO public.journal VALUES (148, 1795510081.0498672, 'ed4526559d9db', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', '71bb68534feba6abc47ba94d5eda0dcb23fc9735a12813575254735d95f63b03');
INSERT INTO public.journal VALUES (149, 1795510081.0976937, 'ed4526559d9db', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', 'cc567fe165e75bc6fd022d55cb095896bdf497b22597fa3474b7eb1d1a87d15b');
INSERT INTO public.journal VALUES (150, 1795510081.120584, 'ed4526559d9db', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', '95cb8b2cbbb5c83fe447fe0dc15f96d1dfb88acbadd431888763b84268d2d74b');
INSERT INTO public.journal VALUES (151, 1795510081.156662, 'ed4526559d9db', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', '6f469609272a91dd8bcf53a3c9f86f0e544eeb5ec886e97cc99a60c43f7b13d7');
INSERT INTO public.journal VALUES (152, 1795510081.1854343, 'e035c3bccb8e1', 'adopted', '{"attempt": 2}', 'b6c72dd689916b14e87b86bf1f88abfd2fe74729a5098fd7b3d9f9757007f744');
INSERT INTO public.journal VALUES (153, 1795510081.1854343, 'e77a6a095f32f', 'adopted', '{"attempt": 2}', '86fe18438a3b200fd7f82b6b5e8d1bf1deb30e0f4dd9534a50ac0ca3eb47256c');
INSERT INTO public.journal VALUES (154, 1795510081.1854343, 'ec9c0bcecb2a2', 'adopted', '{"attempt": 2}', '6196b0ea9e785b4a5438049b51fc85d8b55972685a172453cda5c8099d2f7309');
INSERT INTO public.journal VALUES (155, 1795510081.1854343, 'ed4526559d9db', 'adopted', '{"attempt": 2}', '517a8af7485e780aa5cac1400ffa8e2e6d3d0d1aadde67881a9b50ec80d751e5');
INSERT INTO public.journal VALUES (156, 1795510081.2333553, '', 'set', '{"key": "judged:df8f8b76e13c7ad5b828e970c28f9e275d27057fcaac2c0c21858d10aea45dc7", "value": "{\"challenge\": \"cinc2017\", \"data\": [\"\"]}"}', '18d432caadd3038babcc6bcfb49601f2ff33cb655733cf361a1cb1b3d444a31a');
INSERT INTO public.journal VALUES (157, 1795510081.2819884, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', 'f5dfd5b0fc43ab97a0aff230d0e7bed4bc7660bccf024a02fd7730c25e436e68');
INSERT INTO public.journal VALUES (158, 1795510081.2819884, 'ec9c0bcecb2a2', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', '51b0031b3d7c9a2ca3468d2a93f8c9ac014ea08e4b776e7497f649508974d546');
INSERT INTO public.journal VALUES (159, 1795510081.2819884, 'ed4526559d9db', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', 'c19c25dfbbcd07c470a36900e799700c082167c863e30212cadd5bcff6a052ca');
INSERT INTO public.journal VALUES (160, 1795510081.2819884, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', '9c6477124ac654d958e9e434a1dce801149519ce7f67137868f0dbac7eebe209');
INSERT INTO public.journal VALUES (161, 1795510081.3561769, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 4, "to": "prep", "reason": {}}', '36e37e45aaea2eeda3ed80cb256f044ab68fa53ece5fc212f06e457250166b29');
INSERT INTO public.journal VALUES (162, 1795510081.3739586, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 4, "to": "parked", "reason": {"cause": "challenge", "stage": "exam", "message": "no score"}}', '6762293db51340a906dd5e381200d1250c8ed0bdeef1e02feb1202e7c76f34b1');
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795510078.8856661);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795510078.9306555);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795510078.9814653);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795510079.0116673);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795510079.0680623);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795510079.1147575);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795510079.165417);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795510079.1902251);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795510079.2426097);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795510079.2790182);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795510079.3218682);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795510079.3934355);
INSERT INTO public.results VALUES ('eee3a0e44c60b', 1, 'prep', 'PREP_ERROR', 5, 0.5, 'sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e', 1795510079.4740853);
INSERT INTO public.results VALUES ('e227944ae22bd', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795510079.5184495);
INSERT INTO public.results VALUES ('e227944ae22bd', 1, 'quiz', 'WRONG_ANSWER', 5, 0.5, 'sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd', 1795510079.5843875);
INSERT INTO public.results VALUES ('e77a6a095f32f', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795510079.6291306);
INSERT INTO public.results VALUES ('e77a6a095f32f', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795510079.660756);
INSERT INTO public.results VALUES ('e77a6a095f32f', 1, 'exam', 'TIME_LIMIT', 5, 0.5, 'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', 1795510079.7096376);
INSERT INTO public.results VALUES ('e0bd1e43fabe9', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795510079.7540293);
INSERT INTO public.results VALUES ('e85c1da521b94', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795510079.7900372);
INSERT INTO public.results VALUES ('e85c1da521b94', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795510079.8133373);
INSERT INTO public.results VALUES ('e22ff431ca677', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795510079.8575234);
INSERT INTO public.results VALUES ('e22ff431ca677', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795510079.920651);
INSERT INTO public.results VALUES ('e22ff431ca677', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795510080.0079117);
INSERT INTO public.results VALUES ('e7add14e2aec9', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795510080.046525);
INSERT INTO public.results VALUES ('e7add14e2aec9', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795510080.0816598);
INSERT INTO public.results VALUES ('ec0d639a96d4d', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795510080.1888542);
INSERT INTO public.results VALUES ('ec0d639a96d4d', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795510080.2506857);
INSERT INTO public.results VALUES ('e61cdec782e70', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795510080.3883054);
INSERT INTO public.results VALUES ('e61cdec782e70', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795510080.39417);
INSERT INTO public.results VALUES ('e7a6bd6a6224d', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795510080.4587727);
INSERT INTO public.results VALUES ('e7a6bd6a6224d', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795510080.481554);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795510078.9814653);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795510078.8856661);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795510078.9306555);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795510079.165417);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795510079.0680623);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795510079.1147575);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795510079.3218682);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795510079.2426097);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795510079.2790182);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'exam', 'TIME_LIMIT', 5, 0.5, 'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', 1795510079.7096376);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795510079.6291306);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795510079.660756);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795510078.8856661);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795510078.9306555);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795510079.0680623);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795510079.1147575);
INSERT INTO public.results VALUES ('ed4526559d9db', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795510079.2426097);
INSERT INTO public.results VALUES ('ed4526559d9db', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795510079.2790182);
INSERT INTO public.results VALUES ('e77a6a095f32f', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795510079.6291306);
INSERT INTO public.results VALUES ('e77a6a095f32f', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795510079.660756);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 5, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795510078.9814653);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795510078.8856661);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795510078.9306555);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 5, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795510079.165417);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795510079.0680623);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795510079.1147575);
INSERT INTO public.results VALUES ('ed4526559d9db', 5, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795510079.3218682);
INSERT INTO public.results VALUES ('ed4526559d9db', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795510079.2426097);
INSERT INTO public.results VALUES ('ed4526559d9db', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795510079.2790182);
INSERT INTO public.results VALUES ('e77a6a095f32f', 5, 'exam', 'TIME_LIMIT', 5, 0.5, 'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', 1795510079.7096376);
INSERT INTO public.results VALUES ('e77a6a095f32f', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795510079.6291306);
INSERT INTO public.results VALUES ('e77a6a095f32f', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795510079.660756);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795510080.8176477);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795510080.878124);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795510080.9644914);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795510081.0976937);
INSERT INTO public.scores VALUES ('e035c3bccb8e1', 1, 'F1', 0.5, '{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}', 1795510079.026485, 0.25, 0.75, '');
INSERT INTO public.scores VALUES ('ec9c0bcecb2a2', 1, 'F1', 0.5, '{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}', 1795510079.201733, 0.25, 0.75, '');
INSERT INTO public.scores VALUES ('ed4526559d9db', 1, 'F1', 0.5, '{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}', 1795510079.410141, 0.25, 0.75, '');
INSERT INTO public.scores VALUES ('e035c3bccb8e1', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795510080.8375664, 0.35, 1.0499999999999998, '');
INSERT INTO public.scores VALUES ('e77a6a095f32f', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795510080.881502, 0.35, 1.0499999999999998, '');
INSERT INTO public.scores VALUES ('ec9c0bcecb2a2', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795510081.0028517, 0.35, 1.0499999999999998, '');
INSERT INTO public.scores VALUES ('ed4526559d9db', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795510081.120584, 0.35, 1.0499999999999998, '');
INSERT INTO public.settings VALUES ('times-exact-after', '0');
INSERT INTO public.settings VALUES ('identity', '4bcc1a8cfb9b4d5fabd5100c0e520b0f');
INSERT INTO public.settings VALUES ('judged:df8f8b76e13c7ad5b828e970c28f9e275d27057fcaac2c0c21858d10aea45dc7', '{"challenge": "cinc2017", "data": [""]}');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 4, 'r3', 'cinc2017', '', 1, 'prep', 'queued', 1795510080.7015164, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 4, 'r3', 'cinc2017', '', 1, 'prep', 'queued', 1795510080.7015164, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795510080.7694912, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795510080.7694912, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795510080.7694912, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795510080.7694912, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795510080.8494303, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795510080.9054658, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795510081.0289774, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795510081.156662, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795510081.2819884, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795510081.2819884, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795510081.2819884, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795510081.2819884, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 4, 'r3', 'cinc2017', '', 1, 'prep', 'prep', 1795510081.3561769, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 4, 'r3', 'cinc2017', '', 1, 'prep', 'parked', 1795510081.3739586, false, '', 0, '{"cause": "challenge", "message": "no score", "stage": "exam"}', '');
INSERT INTO public.shares VALUES ('entries', 'großes Team', 3);
INSERT INTO public.shares VALUES ('entries', 'green', 3);
INSERT INTO public.shares VALUES ('entries', 'red', 4);
INSERT INTO public.shares VALUES ('entries', '', 3);
INSERT INTO public.shares VALUES ('entries', 'Blue', 4);
INSERT INTO public.team_names VALUES ('red', 'red', 'red');
INSERT INTO public.team_names VALUES ('blue', 'Blue', 'Blue');
INSERT INTO public.team_names VALUES ('grosses team', 'großes Team', 'großes Team');
INSERT INTO public.team_names VALUES ('green', 'green', 'green');
INSERT INTO public.teams VALUES ('red', 1795510078.535539);
INSERT INTO public.teams VALUES ('Blue', 1795510078.574688);
INSERT INTO public.teams VALUES ('großes Team', 1795510078.586571);
INSERT INTO public.teams VALUES ('green', 1795510078.622828);
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
CREATE UNIQUE INDEX identities_by_address ON public.identities USING btree (issuer, address);
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
