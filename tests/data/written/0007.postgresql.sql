SELECT pg_catalog.set_config('search_path', '', false);
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
INSERT INTO public.alembic_version VALUES ('0007');
INSERT INTO public.details VALUES ('fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', '\x789cedd1c10ac2300c06e05719398b78d9c557f0e003888cda8619e8d2d2a4ba31f6eeb665e0d50730b77e6908fc5941d48c08e70e62c208870e5e981c59ad74bd54985064ff33ffebe7aad1e53db815884553b64a81a5405f9a6fe3fd206803bb4aa763dfc29e425a86c7a2d8b050c81ab37e692b96ca586a63b77b793a32230751b295a05dcdd827715dced9fbed039d10c7ea');
INSERT INTO public.details VALUES ('b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', '\x789ced92c10ac2300c865f65e42ca2c22ede3c7bf0014446edca2c74ad36e9e61c7b77d3529081072f820773cb97fcf0f32723208946c1b6805bd00f5814d0295f6b49111df611b40a31efdcfff571c5e8420e6e046d917c90a49d4506250f7b614c854a3a5b47b45a9629ecd6f9a13a0fa41264e4025d03bdd0c4ccb3cc27d971cc4dbccf6efdf6825fb3212cf6ca73678331f357019ecfac6d7ec8da8941ad45631d92969860dc11f2a2adcaa2e909a49b27f8');
INSERT INTO public.details VALUES ('801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', '\x789ced92c10ac2300c865f65f42ca2c22ede3c7bf0014446edc22c74ad34a9db287b77d3529081072f820773cb97fcf0f3275120c90ec4be1230ca5eac2af100df6a45099d8e09f4805876c67f7d5c29ba50828b425b241f1469679141cdc3411ad3202867db8436eb3a87dd3b3f35d7892043462ed03dd00bcdcc3ccb7c969d6369d27d0edbb717fc9a0d697100cf9d0dc62c5f45f07c616df743d62e0c5a2d3beb90b4c20cd38e54376da188e62748b327da');
INSERT INTO public.details VALUES ('c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', '\x789cedd1c10ac2300c06e05719398b78d9c557f0e003888cda9619e8524952758cbdbb691978f501ccad5f1a027f16107563846307e23347d875f08c1cd06bb5f3a9c21445b64fef7ffd5c35bab205b700922817af98490c7a6bbe5c4a83449f29543aecfb16f694791e6eb3c68646b9e8a3e8975633b6316e6397ab3d03ba91b228fa4ad0aee6fc1da92ea792d2fa015d82c84f');
INSERT INTO public.details VALUES ('1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e', '\x789ced91b10ac3300c447f25682ea54b96ee991bbc96625cdba406c73696dc3684fc7b2d13e8da0fe86d7aa743705a01494d16ce1da46c131c3a78da6c9c2646a31846390871116ccc1671df7dfff5b3b8bab217b7820b48b968723160057d355fca7b8956c760189d8e7d2b7b8e7991f7856c8315c542a9d0176d95e51acb2d76bdd5d138358588e43423685f53fae1021f0fc5fbed0377f3ca70');
INSERT INTO public.details VALUES ('4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd', '\x789ced92310bc2301085ff4ac92ca24217b70ee256a10e1d444a4c430da489e62ed65afadf4d42403ae9223878db7def1e1cef6e2080b4e1649d90ab150f324bc88d9b5a30f4a82c76f9b6caf27db929bcd47280387dffd7c7e5a3b331b8810805682c43a11538903ab1a35256c09956b5478b791ac26eb5e9ab538f3c4087b4c58bc5171a1d33ce6682ed30c4c6df275bbeb9e5d716a20a3a6e5ca7ac94d3a7214e9f2cb9fac9258f0ed482364a030a0601fa19cace42f1681a9f08c8315e');
INSERT INTO public.details VALUES ('665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', '\x789ced92310bc2301085ff4ac92ca2421737078782ddba899498861a4813c95d6c4be97ff71202d2455c04076fbbefdd83e3dd4d0c90b792ed332607deb155c61ed2354a604055511eeb53511655103a099066877f7d5c213a9f829b983280ce0b54d600819cc49e6b5d8314d634016dd6790cbbb36eacaf23ca0809598f778f2f3413736473d1769e5213ee73d8bebde4d7d6e1067ae9a8335eebe5cb30d2172bee7e70c50b8146f1d658402520c230c3c54d19994cf3139c572f33');
INSERT INTO public.entries VALUES ('e064d0cbd2a30', 15, 'cinc2017', 'großes Team', '14.zip', '8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61', 2, '', 'queued', 1, false, 1795446293.9227388, 1795446293.9227388, '', 0, '', '');
INSERT INTO public.entries VALUES ('eb5291caf82f0', 16, 'cinc2017', 'green', '15.zip', 'e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb', 2, '', 'queued', 1, false, 1795446293.9396167, 1795446293.9396167, '', 0, '', '');
INSERT INTO public.entries VALUES ('ef20ae2707c46', 17, 'cinc2017', 'red', '16.zip', 'b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9', 2, '', 'queued', 1, false, 1795446293.9492989, 1795446293.9492989, '', 0, '', '');
INSERT INTO public.entries VALUES ('e835ab6e28104', 18, 'cinc2017', 'Blue', '17.zip', '4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3', 2, '', 'queued', 1, false, 1795446293.964343, 1795446293.964343, '', 0, '', '');
INSERT INTO public.entries VALUES ('e815f3f78e740', 19, 'cinc2017', 'großes Team', '18.zip', '4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a', 2, '', 'queued', 1, false, 1795446293.992143, 1795446293.992143, '', 0, '', '');
INSERT INTO public.entries VALUES ('e40da5beb8578', 20, 'cinc2017', 'green', '19.zip', '9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767', 2, '', 'queued', 1, false, 1795446294.0244849, 1795446294.0244849, '', 0, '', '');
INSERT INTO public.entries VALUES ('ead9741ba7ef7', 7, 'cinc2017', 'großes Team', '6.zip', 'e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683', 2, '', 'prep', 1, false, 1795446293.53658, 1795446294.2822194, 'old:1', 0, '', '');
INSERT INTO public.entries VALUES ('eee3a0e44c60b', 4, 'cinc2017', 'green', '3.zip', '4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce', 2, '', 'done', 1, false, 1795446293.3587432, 1795446295.8435264, 'old:1', 0, '{"cause": "verdict", "verdict": "PREP_ERROR"}', '');
INSERT INTO public.entries VALUES ('e227944ae22bd', 5, 'cinc2017', 'red', '4.zip', '4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a', 2, '', 'done', 1, false, 1795446293.426801, 1795446296.218516, 'old:1', 0, '{"cause": "verdict", "verdict": "WRONG_ANSWER"}', '');
INSERT INTO public.entries VALUES ('e0bd1e43fabe9', 8, 'cinc2017', 'green', '7.zip', '7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451', 2, '', 'quiz', 1, false, 1795446293.6225257, 1795446296.7534528, 'old:1', 0, '', '');
INSERT INTO public.entries VALUES ('e22ff431ca677', 10, 'cinc2017', 'Blue', '9.zip', '19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7', 2, '', 'score', 1, true, 1795446293.7202113, 1795446297.322789, 'old:1', 0, '', '');
INSERT INTO public.entries VALUES ('e7add14e2aec9', 11, 'cinc2017', 'großes Team', '10.zip', '4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5', 2, '', 'parked', 1, true, 1795446293.7674117, 1795446297.5645928, 'old:1', 0, '{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}', '');
INSERT INTO public.entries VALUES ('ec0d639a96d4d', 12, 'cinc2017', 'green', '11.zip', '4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8', 2, '', 'parked', 1, true, 1795446293.8390384, 1795446297.8439584, 'old:1', 0, '{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}', '');
INSERT INTO public.entries VALUES ('e61cdec782e70', 13, 'cinc2017', 'red', '12.zip', '6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918', 2, '', 'queued', 2, true, 1795446293.8695924, 1795446298.023064, '', 0, '', '');
INSERT INTO public.entries VALUES ('e7a6bd6a6224d', 14, 'cinc2017', 'Blue', '13.zip', '3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278', 2, '', 'cancelled', 1, true, 1795446293.907175, 1795446298.1868308, 'old:1', 0, '{"cause": "organiser"}', '');
INSERT INTO public.entries VALUES ('e85c1da521b94', 9, 'cinc2017', 'red', '8.zip', '2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3', 2, '', 'exam', 1, true, 1795446293.6705585, 1795446298.223296, 'old:1', 0, '{"cause": "retry", "message": "try 2 in 30 s: SandboxFault: the guest is gone", "stage": "exam"}', '');
INSERT INTO public.entries VALUES ('eb19e260aa4a6', 21, 'cinc2017', 'red', '20.zip', 'f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b', 2, '', 'cancelled', 1, false, 1795446294.0650356, 1795446298.2429981, '', 0, '{"cause": "organiser"}', '');
INSERT INTO public.entries VALUES ('e035c3bccb8e1', 1, 'cinc2017', 'red', '0.zip', '5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9', 2, '', 'done', 2, true, 1795446293.168233, 1795446298.822343, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.entries VALUES ('e77a6a095f32f', 6, 'cinc2017', 'Blue', '5.zip', 'ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d', 2, '', 'done', 2, true, 1795446293.483662, 1795446298.822343, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.entries VALUES ('ec9c0bcecb2a2', 2, 'cinc2017', 'Blue', '1.zip', '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b', 2, '', 'done', 2, true, 1795446293.2164278, 1795446298.822343, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.entries VALUES ('ed4526559d9db', 3, 'cinc2017', 'großes Team', '2.zip', 'd4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35', 2, '', 'done', 2, true, 1795446293.2609158, 1795446298.822343, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.journal VALUES (1, 1795446293.168233, 'e035c3bccb8e1', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "0.zip", "sha256": "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9", "bytes": 2, "commit": "", "number": 1}', '3950168185c925bf3fc4e0ab80f372f1e76c5242c9c155e3c38122477dc7d228');
INSERT INTO public.journal VALUES (2, 1795446293.2164278, 'ec9c0bcecb2a2', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "1.zip", "sha256": "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b", "bytes": 2, "commit": "", "number": 2}', 'eccd1d97fc6f0b6ddfb25ac47f1f1c9f3aec91a2da7e1c8cdd1f1bc5ae02f952');
INSERT INTO public.journal VALUES (3, 1795446293.2609158, 'ed4526559d9db', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "2.zip", "sha256": "d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35", "bytes": 2, "commit": "", "number": 3}', 'f12e6f62d5c69cc2a6328b34248af59617b622a9d5e9f672c5b1a8671614f73d');
INSERT INTO public.journal VALUES (4, 1795446293.3587432, 'eee3a0e44c60b', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "3.zip", "sha256": "4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce", "bytes": 2, "commit": "", "number": 4}', '02f08679c9583ff577562013ab6a9d1858940f424d945c4c373b204bc0eede50');
INSERT INTO public.journal VALUES (5, 1795446293.426801, 'e227944ae22bd', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "4.zip", "sha256": "4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a", "bytes": 2, "commit": "", "number": 5}', '0c744b2ff7f306cde0e4a2d61108b3f6e107b0ab9e9d4db83c957d1f1691c304');
INSERT INTO public.journal VALUES (6, 1795446293.483662, 'e77a6a095f32f', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "5.zip", "sha256": "ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d", "bytes": 2, "commit": "", "number": 6}', '46d52af31026d3922cfbd2ce746cef43c44d08d648cf1eac92f15ec7697fd61c');
INSERT INTO public.journal VALUES (7, 1795446293.53658, 'ead9741ba7ef7', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "6.zip", "sha256": "e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683", "bytes": 2, "commit": "", "number": 7}', 'fa9a06f7e6199de96348eefc3fc39ef970b2ef4ef4b6d94e14be44994ebcbd7d');
INSERT INTO public.journal VALUES (8, 1795446293.6225257, 'e0bd1e43fabe9', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "7.zip", "sha256": "7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451", "bytes": 2, "commit": "", "number": 8}', '66ea204e9ff0850421af574ee7e23ef092021db084b10505a442e05d86497704');
INSERT INTO public.journal VALUES (9, 1795446293.6705585, 'e85c1da521b94', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "8.zip", "sha256": "2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3", "bytes": 2, "commit": "", "number": 9}', '919c42e8fb737cf274c3161aa9044002cbfdc6c4baba404541cab69f603ddbd7');
INSERT INTO public.journal VALUES (10, 1795446293.7202113, 'e22ff431ca677', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "9.zip", "sha256": "19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7", "bytes": 2, "commit": "", "number": 10}', '010719c198a22c6b4f47bae503d129bbe302c06118691ac3d69fd669d8018ef7');
INSERT INTO public.journal VALUES (11, 1795446293.7674117, 'e7add14e2aec9', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "10.zip", "sha256": "4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5", "bytes": 2, "commit": "", "number": 11}', '3bfc84d75e556b1ab57500380775aa3351977814d6d1cf881173f3c4b6cc10b5');
INSERT INTO public.journal VALUES (12, 1795446293.8390384, 'ec0d639a96d4d', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "11.zip", "sha256": "4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8", "bytes": 2, "commit": "", "number": 12}', 'dd71bb7f6865128b603ccff3e84c79b57f2579c5d93bbf3ec11e68752ef1d8c3');
INSERT INTO public.journal VALUES (13, 1795446293.8695924, 'e61cdec782e70', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "12.zip", "sha256": "6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918", "bytes": 2, "commit": "", "number": 13}', '700186f93d2e45ba263453d06ab7d6b1d308a26138f287506bcfce9a0b6bd226');
INSERT INTO public.journal VALUES (14, 1795446293.907175, 'e7a6bd6a6224d', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "13.zip", "sha256": "3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278", "bytes": 2, "commit": "", "number": 14}', 'a2b0297abaeb43bb7e7c19b9cf4a5f49bce3db400cfddba477eeeb374df3fc03');
INSERT INTO public.journal VALUES (15, 1795446293.9227388, 'e064d0cbd2a30', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "14.zip", "sha256": "8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61", "bytes": 2, "commit": "", "number": 15}', 'ef756e0fb2537fe08f74297b7c8e9532f7a00deb65b200d20f8483e1a9766d36');
INSERT INTO public.journal VALUES (16, 1795446293.9396167, 'eb5291caf82f0', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "15.zip", "sha256": "e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb", "bytes": 2, "commit": "", "number": 16}', 'b75ab5ea46e51f3c7fe05681999af6401efe998e26bf5c9ba492935382ec963a');
INSERT INTO public.journal VALUES (17, 1795446293.9492989, 'ef20ae2707c46', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "16.zip", "sha256": "b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9", "bytes": 2, "commit": "", "number": 17}', '59335506f0868504030eb31caa4f33ae1789f280cf7718a5e1b8e0862938ea12');
INSERT INTO public.journal VALUES (18, 1795446293.964343, 'e835ab6e28104', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "17.zip", "sha256": "4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3", "bytes": 2, "commit": "", "number": 18}', 'd5f3db2331454d2d55242d761cba10d01e9758d80e1793d871c2af5602ac6c62');
INSERT INTO public.journal VALUES (19, 1795446293.992143, 'e815f3f78e740', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "18.zip", "sha256": "4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a", "bytes": 2, "commit": "", "number": 19}', 'ed9f123a61f861319ccf2d80b79cb07b5fd2cdb5c3edd96a07648172032e2da5');
INSERT INTO public.journal VALUES (20, 1795446294.0244849, 'e40da5beb8578', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "19.zip", "sha256": "9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767", "bytes": 2, "commit": "", "number": 20}', '33a2f99516adaeffaeb777a84f38f5acc66c41e626f9c1a2a2ab2bc249393f3c');
INSERT INTO public.journal VALUES (21, 1795446294.0650356, 'eb19e260aa4a6', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "20.zip", "sha256": "f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b", "bytes": 2, "commit": "", "number": 21}', 'e9d7c5faa37d69acdb2a6f08be20369ddac191dd70127d16cd6a12b50c70f60f');
INSERT INTO public.journal VALUES (22, 1795446294.1224086, 'e035c3bccb8e1', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'a4d39c79c71ca3700afd57a774cdae7e713db69a4594cac840cf3b66ef5bdd6e');
INSERT INTO public.journal VALUES (23, 1795446294.15869, 'ec9c0bcecb2a2', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'd38abe901c29908b4a8b6746260580e2b07770c6711ada09b8afb10865f3197c');
INSERT INTO public.journal VALUES (24, 1795446294.171652, 'ed4526559d9db', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '583f944703a339a8a6049e099d8b93df7db12a2c257c0829b16a73e64542b159');
INSERT INTO public.journal VALUES (25, 1795446294.2033753, 'eee3a0e44c60b', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '6d7ea87cbc838840dc8dfe63e9db20a731575afbd968b8a127c4e2a80832e936');
INSERT INTO public.journal VALUES (26, 1795446294.2312262, 'e227944ae22bd', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'a0b82326e21ff0d94883a6560906a25e4cc63941c79cf4b0b848696da20ea158');
INSERT INTO public.journal VALUES (27, 1795446294.2578688, 'e77a6a095f32f', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '7ee3dc2fc1daf659a0e695c06810f59028247c941b5f6de7f704450766a922fb');
INSERT INTO public.journal VALUES (28, 1795446294.2822194, 'ead9741ba7ef7', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '86be1333a59410aac8364f8d5d50a3885e5439e9301d7fa5897bcd1df61d09de');
INSERT INTO public.journal VALUES (29, 1795446294.3205507, 'e0bd1e43fabe9', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'f11319dec9cfed4aa88f32242f50c5c711704e0bc8b8eed6763ea8be9f0d1e27');
INSERT INTO public.journal VALUES (30, 1795446294.3378744, 'e85c1da521b94', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '4527f84d901c9b69e55ba662e8aa18d49d5fd1913b1590bc029cd3cda69628b1');
INSERT INTO public.journal VALUES (31, 1795446294.353341, 'e22ff431ca677', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'd071831fe844bd1b61b8952da65b1e92a0dee997db1ee1bca29c9302ebd17058');
INSERT INTO public.journal VALUES (32, 1795446294.3811626, 'e7add14e2aec9', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '4f2fd401c5c83486402ca8581b9e5bd50ed10f443a66ddda804c653f97f8ffae');
INSERT INTO public.journal VALUES (33, 1795446294.4163396, 'ec0d639a96d4d', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '87c13e9afd4a3177751fa4236f6ec4027e1356f90f78affd36c4b9eea655c96b');
INSERT INTO public.journal VALUES (34, 1795446294.4446073, 'e61cdec782e70', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'd9974d77b95a190cf1ccf3b52ec83a747d5d1a001318eac69e3e625874755232');
INSERT INTO public.journal VALUES (35, 1795446294.45456, 'e7a6bd6a6224d', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '6da18cddae8186795d368c2c545f46cdaf5ecba08554509346b760e890d69605');
INSERT INTO public.journal VALUES (36, 1795446294.5091794, 'e035c3bccb8e1', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '26e0bcb307eb9d2fab4c72c11c7397e3426344b979267621deb4b9307d8b1240');
INSERT INTO public.journal VALUES (37, 1795446294.5472143, 'e035c3bccb8e1', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '39fc4cdbfe2b683f89225b3b2949bd0d5c4e8d811cced18daab7b278122313cb');
INSERT INTO public.journal VALUES (38, 1795446294.5687914, 'e035c3bccb8e1', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', 'd1d462bdb850f9c28f74b85935731ddb6b95be845cb290bd1ac88b566d3f7cef');
INSERT INTO public.journal VALUES (39, 1795446294.6096537, 'e035c3bccb8e1', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '1c2c73585e2ef248280ec13b948e2cbc7238f12f5403dea106e15f4f2a33a9e3');
INSERT INTO public.journal VALUES (40, 1795446294.6312175, 'e035c3bccb8e1', 'charged', '{"charged": true}', '427062f47e5ca48d334fb9c9b76babf88e5dafbee339408bc53c0fb79e577fbe');
INSERT INTO public.journal VALUES (41, 1795446294.6562774, 'e035c3bccb8e1', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', '309b9644af9c115851cc19876b37dd488985716bbcda9a346ee4db9206d117c3');
INSERT INTO public.journal VALUES (42, 1795446294.6883264, 'e035c3bccb8e1', 'moved', '{"to": "score", "reason": {}, "charged": null}', '2c905108e9ff4a6cda9234424dfc5f0e1ba356c32197cc18ad1de2ebac5a6884');
INSERT INTO public.journal VALUES (43, 1795446294.7092655, 'e035c3bccb8e1', 'result', '{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '108caccd571b055d968af3d7ee680764ee8cb4ac792bf270912ab6729ed790ad');
INSERT INTO public.journal VALUES (44, 1795446294.7313619, 'e035c3bccb8e1', 'score', '{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}', 'ab53698e8fb626cd9fd42bcb28b9ab8d287b90ddf66caa25d50d4d0ffd2f7e9b');
INSERT INTO public.journal VALUES (45, 1795446294.7492106, 'e035c3bccb8e1', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}', 'aa0e1e6ed2b333ff8130eb81630f5b8f36de29f0fc5be81f184789210b8d512d');
INSERT INTO public.journal VALUES (46, 1795446294.7773538, 'ec9c0bcecb2a2', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'd3d1f89ba94b3d7f3c60666aa852dc676e9e2f3a492aedfad323cbbab7eaabeb');
INSERT INTO public.journal VALUES (47, 1795446294.8147602, 'ec9c0bcecb2a2', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '86919539a108e35961a6b21de2b77994ce9385cb846cca629e2d3db4602067f2');
INSERT INTO public.journal VALUES (48, 1795446294.8371367, 'ec9c0bcecb2a2', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '2cf8d7257e02e2f5a8522fccb7c172e0f3d95456217178ee0829a3ed472381bf');
INSERT INTO public.journal VALUES (49, 1795446294.8729289, 'ec9c0bcecb2a2', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '67b5dc700d9962b9f1850fa796f35c6151345e4c2dfa9bee92e5f963c5251fa1');
INSERT INTO public.journal VALUES (50, 1795446294.9128878, 'ec9c0bcecb2a2', 'charged', '{"charged": true}', 'd90c3f7db066d652707e4285a889d15def1b8a4c1bc6938fe15fb04ee516f496');
INSERT INTO public.journal VALUES (51, 1795446294.9214215, 'ec9c0bcecb2a2', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', '7503cdd999845c48e58536a7c0760de05832c136991bc5a19890bf3121400b3d');
INSERT INTO public.journal VALUES (52, 1795446294.9612837, 'ec9c0bcecb2a2', 'moved', '{"to": "score", "reason": {}, "charged": null}', 'fd6d38125503b019867a87aab446ef5236b43d50c404ee6b4cbaa3ace87ac7d1');
INSERT INTO public.journal VALUES (53, 1795446294.983071, 'ec9c0bcecb2a2', 'result', '{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', 'a77f0c41baa45689fd16fc0f607aaf674bb75e01d7c6136c6c26c9a413b04249');
INSERT INTO public.journal VALUES (54, 1795446295.0632284, 'ec9c0bcecb2a2', 'score', '{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}', 'a47e6cdc83237a51916397d6456a22944bf7ef761015b8acae2b6c2123366d70');
INSERT INTO public.journal VALUES (55, 1795446295.1204505, 'ec9c0bcecb2a2', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}', '9884097ebee6161a929f146ff6b30f71207ce18095def8dbca53a3f2ef1295a7');
INSERT INTO public.journal VALUES (56, 1795446295.2110825, 'ed4526559d9db', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '95ee1d4da0dc238e50ea4ccad9f9b5432454fb659066164936ccaf0eacc1722e');
INSERT INTO public.journal VALUES (57, 1795446295.2793326, 'ed4526559d9db', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '32efe47bed79c4420893913296da22fca66a5df86956dfd6833b91222f76f4a1');
INSERT INTO public.journal VALUES (58, 1795446295.3194945, 'ed4526559d9db', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '6b7473917f108530da6bd0b5789a9976d9491c092ae498940329e291e16579da');
INSERT INTO public.journal VALUES (59, 1795446295.402323, 'ed4526559d9db', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '24f754b250c7e957d63fd1180b3ad326cf922baf51c1016ee800c56b2ef7858e');
INSERT INTO public.journal VALUES (60, 1795446295.4534595, 'ed4526559d9db', 'charged', '{"charged": true}', 'bdeced3dd67db23981606d29f2131a3e0cd8f003f0b1809787411584002d63c3');
INSERT INTO public.journal VALUES (61, 1795446295.4983335, 'ed4526559d9db', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', '43a40e618b41504271b8816f315bfd1b9fb65db028101a5c2abd70f4596f3349');
INSERT INTO public.journal VALUES (62, 1795446295.5635188, 'ed4526559d9db', 'moved', '{"to": "score", "reason": {}, "charged": null}', '0c71650dce0a54e291dbe2f45ea62bd52dc917222060b9244321f87e13f91a4b');
INSERT INTO public.journal VALUES (63, 1795446295.601626, 'ed4526559d9db', 'result', '{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '181c1186d9315a1ccd866e8da05bff4c3e098535f34f37df279b870e81fe352f');
INSERT INTO public.journal VALUES (64, 1795446295.6679275, 'ed4526559d9db', 'score', '{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}', '6ad1b12ff20357d83571c98221fa38699584cd6e4ac0b10b81e5a89cd0a06bbf');
INSERT INTO public.journal VALUES (65, 1795446295.7130518, 'ed4526559d9db', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}', 'be1b1373e21f2f6582902777cc31d63e306de05df89955285db2587d60e6a8ce');
INSERT INTO public.journal VALUES (66, 1795446295.7835467, 'eee3a0e44c60b', 'result', '{"stage": "prep", "attempt": 1, "verdict": "PREP_ERROR", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e"}', 'f67143daa8e939d24f80caae380b5c55ad3ae0d3693f1941a7cb9f3a087345d0');
INSERT INTO public.journal VALUES (67, 1795446295.8435264, 'eee3a0e44c60b', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "PREP_ERROR"}, "charged": null}', 'ad10d81edac1757240ed455dadf1b3fb92e2da3e91a2c54a1152f43333022953');
INSERT INTO public.journal VALUES (68, 1795446295.9701664, 'e227944ae22bd', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '90f789615267e790c546e09b0d4c7779871f0f6e1e00f247df1d5fd8b810fc02');
INSERT INTO public.journal VALUES (69, 1795446296.0614696, 'e227944ae22bd', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'fb837e314ab7f9be0f3054cec688649f4319935049def00b982c3201263d73d5');
INSERT INTO public.journal VALUES (70, 1795446296.1046443, 'e227944ae22bd', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "WRONG_ANSWER", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd"}', 'f36486c4ecb1b8f32d3470dbd4c6fbf884e27d63b208a6813b3d727212b449a2');
INSERT INTO public.journal VALUES (71, 1795446296.218516, 'e227944ae22bd', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "WRONG_ANSWER"}, "charged": null}', 'c60faed0905e0027117d293d652599610af74279c58e26a843f4129e6513d38f');
INSERT INTO public.journal VALUES (72, 1795446296.3265944, 'e77a6a095f32f', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '5f502ecdd90834a198668efa65c2f277eca40287b71b74b90439b8041600c249');
INSERT INTO public.journal VALUES (73, 1795446296.396356, 'e77a6a095f32f', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'cbfab825a92e1ab47f5f6ff0e107d13845368e452f5489b9b9785a78f5f6b4d6');
INSERT INTO public.journal VALUES (74, 1795446296.447097, 'e77a6a095f32f', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', 'e6cbc5c662f58eef67bdf1fe8b509d3ed2534e8e2721c65154704743873ae100');
INSERT INTO public.journal VALUES (75, 1795446296.5105896, 'e77a6a095f32f', 'moved', '{"to": "exam", "reason": {}, "charged": null}', 'b6e0bf6929dd10c1f1116199a47d57b2ded0688d2644c249dcbdf430ed9c821a');
INSERT INTO public.journal VALUES (76, 1795446296.5455232, 'e77a6a095f32f', 'charged', '{"charged": true}', '912895e9617843e06a4dbec9e41d13c2ecdff5bb25ca861c8b05854046109ca3');
INSERT INTO public.journal VALUES (77, 1795446296.5668359, 'e77a6a095f32f', 'result', '{"stage": "exam", "attempt": 1, "verdict": "TIME_LIMIT", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab"}', '9aa4b996e2cfec25cdcab854078877387f8bad361724c6c9b3e6c089b0fa8446');
INSERT INTO public.journal VALUES (78, 1795446296.621661, 'e77a6a095f32f', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "TIME_LIMIT"}, "charged": null}', 'a593ed0bf3c5717305cc07b5601d942325597b0c4ae21f210abb2390f031e524');
INSERT INTO public.journal VALUES (79, 1795446296.6962724, 'e0bd1e43fabe9', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'f9bcd6679638cae203a2466ff81fc583deb8f1d2266c3305c5dc4be49a5cd750');
INSERT INTO public.journal VALUES (80, 1795446296.7534528, 'e0bd1e43fabe9', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '9b8969b9583068cbfc2ecf697d504ea020237042d1169b4d37074a92ac462377');
INSERT INTO public.journal VALUES (81, 1795446296.7813234, 'e85c1da521b94', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'fafecb8caa0dc4927cb5d50a8a90b29f6b5ee7124c5057293bc16d190023af25');
INSERT INTO public.journal VALUES (82, 1795446296.8343854, 'e85c1da521b94', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '36dfcde22553947c3003fff178316fa232c7aef4e7262e99572c715bcba31354');
INSERT INTO public.journal VALUES (83, 1795446296.8714464, 'e85c1da521b94', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '254a145346a0e4117369f149475bb84c3cd82231d5d94816449adfd9d4904f9d');
INSERT INTO public.journal VALUES (84, 1795446296.9275255, 'e85c1da521b94', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '6b4c64eb8460455f9e182721c07ea8559cccb78ce46df77aeb46357e58145f8c');
INSERT INTO public.journal VALUES (85, 1795446296.960708, 'e85c1da521b94', 'charged', '{"charged": true}', 'fa5c758444a0350bab977255b33308a35fde98b48be50576e91c55f5f3e4f55e');
INSERT INTO public.journal VALUES (86, 1795446297.007018, 'e22ff431ca677', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '7727f49b2656f75386954db46a61b326ea86534733b1094d39a626c639f76516');
INSERT INTO public.journal VALUES (87, 1795446297.0478728, 'e22ff431ca677', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '6f75ecc5870350cf84e067ed6d872260b297eb20193e6505a4f4f783460f6cc3');
INSERT INTO public.journal VALUES (88, 1795446297.0645614, 'e22ff431ca677', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', 'e3521532eac9aa21d383b14a69a0e4de5dc07441b49c388d752d5697b950e070');
INSERT INTO public.journal VALUES (89, 1795446297.1432438, 'e22ff431ca677', 'moved', '{"to": "exam", "reason": {}, "charged": null}', 'f997d64ade9f550aa6092d1ff3261377955997da03cb7e415ab8119a05b1d0ac');
INSERT INTO public.journal VALUES (90, 1795446297.2144015, 'e22ff431ca677', 'charged', '{"charged": true}', 'f096b4b06c055621cb6e6acb046ac22bbac44f3e25a00b0c75cd71edcd4437cd');
INSERT INTO public.journal VALUES (91, 1795446297.2707548, 'e22ff431ca677', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', 'baf2a057d3cbed21ae321cba5d92f78a63977280b4c4cfe2d428b629e2837f25');
INSERT INTO public.journal VALUES (92, 1795446297.322789, 'e22ff431ca677', 'moved', '{"to": "score", "reason": {}, "charged": null}', '1d7d1c5de9d44e44d0793bbc1a3e92c20764d502660e497b39ceb3d03583ff33');
INSERT INTO public.journal VALUES (93, 1795446297.3679218, 'e7add14e2aec9', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'f7e4178185515a67864b330662e84def76884d255d1e43114badeb42b0960edf');
INSERT INTO public.journal VALUES (94, 1795446297.4070883, 'e7add14e2aec9', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '08b71559bb0888634786cb2322fe4a6b7407bb8b8b994bf4efe7c21f4975cc3a');
INSERT INTO public.journal VALUES (95, 1795446297.4363256, 'e7add14e2aec9', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '8ca0e3d037aa3cd0f12fb9f527ceae96651b92e759a1a2c73c2e5fb494e39d8e');
INSERT INTO public.journal VALUES (96, 1795446297.4933321, 'e7add14e2aec9', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '147c0dbd257204390cb7a5cf9d28c972de11b921d528a44d2fabffbf43c568c6');
INSERT INTO public.journal VALUES (97, 1795446297.5311215, 'e7add14e2aec9', 'charged', '{"charged": true}', '875530c02cf0c512a21a00003a16c56fc85629afa42b46dfe8c669a71af9a503');
INSERT INTO public.journal VALUES (98, 1795446297.5645928, 'e7add14e2aec9', 'moved', '{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}', 'bec9497ad70fe2a8f90023c71884e5278bb226d91b7bf25ac5cd019934b7ce7a');
INSERT INTO public.journal VALUES (99, 1795446297.6310172, 'ec0d639a96d4d', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '4955a6d124c1e101375d2de06ceaed587074f246c27fba359dac686668425be7');
INSERT INTO public.journal VALUES (100, 1795446297.6680717, 'ec0d639a96d4d', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'ff3251f2c2bbcd230508eb1328e84132fd135a5f176300672604d85ba647454f');
INSERT INTO public.journal VALUES (101, 1795446297.7209, 'ec0d639a96d4d', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '9d5ba2469ae7ef13cfefc7b7ed3c6eedbb31dec5226c1ad718eee88699ee2c18');
INSERT INTO public.journal VALUES (102, 1795446297.809251, 'ec0d639a96d4d', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '07bdd00cdf9379dfbc14333566f46ec362476e4a376b6f900379f72899b6257f');
INSERT INTO public.journal VALUES (103, 1795446297.8256915, 'ec0d639a96d4d', 'charged', '{"charged": true}', 'b0e5119d0cf5743bc3c42ec1618ce7c2237e7872b5dd390a2b4cff0636451ba0');
INSERT INTO public.journal VALUES (104, 1795446297.8439584, 'ec0d639a96d4d', 'moved', '{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}', 'e292034d923ce581bd79c3cf1c9bca1ca3ecaeb3d5e71d347cb3368bb5cbd259');
INSERT INTO public.journal VALUES (105, 1795446297.8713212, 'e61cdec782e70', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '724583b87710a6ab7f9adee344992d7b5342d20cf33b64c72ed358a184e87058');
INSERT INTO public.journal VALUES (106, 1795446297.8998933, 'e61cdec782e70', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '4ed9f1876e10368ceafbf8d9f706dad1ab1bef51cee7525b94581ca394950e10');
INSERT INTO public.journal VALUES (107, 1795446297.915597, 'e61cdec782e70', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '16b75af15b2478391c5c6d33f7e2492e3d47c747e28b021d30a6c3f551914cae');
INSERT INTO public.journal VALUES (108, 1795446297.9402235, 'e61cdec782e70', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '428a41e89378dbadff6be17753929c0a38b7d752ea3892a26a434cc16e4e55f0');
INSERT INTO public.journal VALUES (109, 1795446297.9567614, 'e61cdec782e70', 'charged', '{"charged": true}', 'f0779893ce39bcea8d0c7e6a3121d7e88d20379c053faf1d7426f3fe330606d4');
INSERT INTO public.journal VALUES (110, 1795446297.9791586, 'e61cdec782e70', 'moved', '{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}', '96cd2f8d68301c8fd206882037197dfe72cb5474b88d3e984fae058bfaa79803');
INSERT INTO public.journal VALUES (111, 1795446298.023064, 'e61cdec782e70', 'retried', '{"attempt": 2}', '8bd55111b1a7bb065c00ee32295f5089abdb22f1f5aad5f82d0b17b81ef38541');
INSERT INTO public.journal VALUES (112, 1795446298.0478482, 'e7a6bd6a6224d', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'cc9a72b720db1635f5e2055ecc39e7b0c287d70c6b7edddb2e33d5002f9b4d8c');
INSERT INTO public.journal VALUES (113, 1795446298.107524, 'e7a6bd6a6224d', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'a816648e6635bcdc3f5d61a7d5c29bd3fd99616a33bb2d45120bd57848f4bfe1');
INSERT INTO public.journal VALUES (114, 1795446298.1248112, 'e7a6bd6a6224d', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '07d5971e3591fcd941357bbc6fa8a0df61e8798246c9aab9416f3d7250764548');
INSERT INTO public.journal VALUES (115, 1795446298.1562142, 'e7a6bd6a6224d', 'moved', '{"to": "exam", "reason": {}, "charged": null}', 'e843c4383edff17437f9e0b945633d63685f63632bf7a6884379ba63e6edf7a9');
INSERT INTO public.journal VALUES (116, 1795446298.1710255, 'e7a6bd6a6224d', 'charged', '{"charged": true}', 'f8e9a3d0287cd5db949ec85ae55a2da2a1a8fb61d1520de8b976866873dd0518');
INSERT INTO public.journal VALUES (117, 1795446298.1868308, 'e7a6bd6a6224d', 'moved', '{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}', '031c0aa494f866080591774b23dd461e96c7dbe4f02161d5e4b429e626943fbc');
INSERT INTO public.journal VALUES (118, 1795446298.223296, 'e85c1da521b94', 'moved', '{"to": "exam", "reason": {"cause": "retry", "stage": "exam", "message": "try 2 in 30 s: SandboxFault: the guest is gone"}, "charged": null}', '5f43676d85fef4bb6a008b9aa010ad36e53432000f97ffda87608a0563bc9170');
INSERT INTO public.journal VALUES (119, 1795446298.2429981, 'eb19e260aa4a6', 'moved', '{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}', 'adc8887a6edd0373db4743b08d803d0b3f1d6fd3c83b0ce1e1fe277a7d612dfb');
INSERT INTO public.journal VALUES (120, 1795446298.3164628, 'e035c3bccb8e1', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '120f0727ea9c6449ca8552fd2181ea02625b66ca24ff6bbedc8e0e44ebf8c870');
INSERT INTO public.journal VALUES (121, 1795446298.3164628, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'ec6b3222615ce3e2517fff582d6ed8b4d4c6c03a7d14e8d8315a028a042d754d');
INSERT INTO public.journal VALUES (122, 1795446298.3164628, 'ed4526559d9db', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '45a98b86cad860d1551118ed0ce1f8ee7ded88a4a8b0c41f8cfebfcb9c73fbb9');
INSERT INTO public.journal VALUES (123, 1795446298.3164628, 'e77a6a095f32f', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '0346e62f59fb6b8edd42c90694b4dc6d5f6d28e85d878e1953ce6aa110c56a81');
INSERT INTO public.journal VALUES (124, 1795446298.3772793, 'e035c3bccb8e1', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', 'e0702d0789e8ce58efb4765a07f32aa8c89f3b29536592cb8f3e6b30d8817b0c');
INSERT INTO public.journal VALUES (125, 1795446298.3772793, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', '17b8df8d308f5db6dbff6e6037414ca7e207ac4155fca364ef61c2b4c529b5c0');
INSERT INTO public.journal VALUES (126, 1795446298.3772793, 'ed4526559d9db', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', 'ae5dfa6394e13dfdbc7dba6f9a017a4a341554529bbbc8cfaf074bbee3bf0764');
INSERT INTO public.journal VALUES (127, 1795446298.3772793, 'e77a6a095f32f', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', '87ca8de8736d45f907ee0aeb8982e2a8ac9fc2e1252983b40c12d1dc0e424fe5');
INSERT INTO public.journal VALUES (128, 1795446298.4323893, 'e035c3bccb8e1', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', 'caf0cb40f7e99a46a03cd232f893e3c777b86d09a529bc9fc4648f1317830e60');
INSERT INTO public.journal VALUES (129, 1795446298.4323893, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', 'f5bec68726a5b6cbc8483939bf3a006b668e9370ac65bac7b4c80f26b2465114');
INSERT INTO public.journal VALUES (130, 1795446298.4323893, 'ed4526559d9db', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', '88947adfb266e433d95531447fe1e7571c921468ff780a58b021059bc92ccb50');
INSERT INTO public.journal VALUES (131, 1795446298.4323893, 'e77a6a095f32f', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', 'c3129e392ac1e468e463017118b5f3ee93fa5f36e9d0f560feb5b69794aa73d5');
INSERT INTO public.journal VALUES (132, 1795446298.4729578, 'e035c3bccb8e1', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'a69adbdca3748fe1233a3b9dd89dbe911feacfafe86e5e88d814899bf8174af8');
INSERT INTO public.journal VALUES (133, 1795446298.4729578, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'f7b522d0324ac8b20f8935ffc7a852038f9498ec38758336b83b527cda96dc59');
INSERT INTO public.journal VALUES (134, 1795446298.4729578, 'ed4526559d9db', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '1786e88c40f6d334ae7e58016ad0f3a333841962eef3f27a2ffce63df01fee6f');
INSERT INTO public.journal VALUES (135, 1795446298.4729578, 'e77a6a095f32f', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '25a553f0da87e894f217432f86d4e991060182736c3db2b8f96ccccd20ad846c');
INSERT INTO public.journal VALUES (136, 1795446298.5351882, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', '9d4373e271ee4c4039679916ba74fd904481dd506e474514a615583671215814');
INSERT INTO public.journal VALUES (137, 1795446298.5489798, 'e035c3bccb8e1', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', 'e06355e195315bfbf1feb48492bf3cf30fcb052f4efa8fd9d64155fdd14b4d80');
INSERT INTO public.journal VALUES (138, 1795446298.5699975, 'e035c3bccb8e1', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', '8a7dcabeae2dc6cac37dc5dfe15503a3ba399b435dfcd3da9a8361386b51811c');
INSERT INTO public.journal VALUES (139, 1795446298.581428, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', '1195cf412ae81655e2414c1df0e83d868f01d65552b54a50b12988adb83b58fb');
INSERT INTO public.journal VALUES (140, 1795446298.6018815, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', 'f16f5ae0e87a6400b9d8870a918f95446b5a75a178a813fad6c0c8a5e7f4f482');
INSERT INTO public.journal VALUES (141, 1795446298.6177862, 'e77a6a095f32f', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '3d1c5c31bcfdea86a0f7420b2e3c3edb293f14bfaf5688467c94221c3155fbec');
INSERT INTO public.journal VALUES (142, 1795446298.6285744, 'e77a6a095f32f', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', 'f284feb413daba46743b05258ffa50287e245ea8c80a8b61e97220450a5c00c3');
INSERT INTO public.journal VALUES (143, 1795446298.6453257, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', 'd39466b8009a88c6bdbdf73754376708058938f3422bea6c2b071c44e3969d51');
INSERT INTO public.journal VALUES (144, 1795446298.668207, 'ec9c0bcecb2a2', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', 'c5c16fcdf81aca2963e05efb011358556e119e3f361782e3e33b0a053697a71a');
INSERT INTO public.journal VALUES (145, 1795446298.6839292, 'ec9c0bcecb2a2', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', 'd9e47213ca1a8d832e775a8740443d2e02373eb6d4eb738c8e9c703f9b9bb276');
INSERT INTO public.journal VALUES (146, 1795446298.7015016, 'ec9c0bcecb2a2', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', '322392e4d35727e7da33d697bab299c6c68a5989666dfe72a9e130db20268d41');
INSERT INTO public.journal VALUES (147, 1795446298.7302127, 'ec9c0bcecb2a2', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', '2e585765b49db5dd83e7f3a61ab698800d8ac622ec7658bcdd914110a86a5106');
INSERT INTO public.journal VALUES (148, 1795446298.751062, 'ed4526559d9db', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', 'de60b37206371fd4772bac29fc88bc419f756a65b04b4b95e106612604574760');
INSERT INTO public.journal VALUES (149, 1795446298.7616591, 'ed4526559d9db', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', 'f15963e10629062f1312ce63bb0a7d6479aac57030fcc786e1a3a03c4bf33117');
INSERT INTO public.journal VALUES (150, 1795446298.7762275, 'ed4526559d9db', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', 'da4abfb1e6901dccc6e945437ca28516db97297ce52f89693cf3d19cf857f041');
INSERT INTO public.journal VALUES (151, 1795446298.799102, 'ed4526559d9db', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', 'b2b2bad52fce73e9be84cfc5b360277eb4556af550871bec4bd673f5b437af6b');
INSERT INTO public.journal VALUES (152, 1795446298.822343, 'e035c3bccb8e1', 'adopted', '{"attempt": 2}', '14fee91e5ed558199377d1564133f309fb7d1871da765bf8a4515ecfeb70d526');
INSERT INTO public.journal VALUES (153, 1795446298.822343, 'e77a6a095f32f', 'adopted', '{"attempt": 2}', '66aa460904a90892a30c4871126b243ed23c1ff87288aa7095137f92573f542c');
INSERT INTO public.journal VALUES (154, 1795446298.822343, 'ec9c0bcecb2a2', 'adopted', '{"attempt": 2}', '58d978d262964cd65072bb487908fe2dc1542129e7e431358a62c958cf7da0be');
INSERT INTO public.journal VALUES (155, 1795446298.822343, 'ed4526559d9db', 'adopted', '{"attempt": 2}', '4229f94ab4a533140b8a24581cfb292874f86dd8e1395ea6b12b26b4b9c64b3f');
INSERT INTO public.journal VALUES (156, 1795446298.8433282, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', 'df9394d802d4db87031379d5b3676ec3f043712649605d51a7b073128ecfb44e');
INSERT INTO public.journal VALUES (157, 1795446298.8433282, 'ec9c0bcecb2a2', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', '525b54dad27af91072a042987068845f3c7ec96a31a494a48ac66ea1c649a448');
INSERT INTO public.journal VALUES (158, 1795446298.8433282, 'ed4526559d9db', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', '56bf1680b90e0ad4fc8e35f6433101edc8c2031a7d165d492d8a15a7f52cf79d');
INSERT INTO public.journal VALUES (159, 1795446298.8433282, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', '826862eff0c6d2e1379be2c62447fc970c53926b6529d4581692bad659b6cdaf');
INSERT INTO public.journal VALUES (160, 1795446298.856982, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 4, "to": "prep", "reason": {}}', '92063bcb5df49100a9bd673580aa1606dcf820bf31bfcc9ecf46b263d0966245');
INSERT INTO public.journal VALUES (161, 1795446298.862993, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 4, "to": "parked", "reason": {"cause": "challenge", "stage": "exam", "message": "no score"}}', 'aa59a933c0d66cd46fb866766e8efb572e983d31bf180810ad73c5b8278c1b11');
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446294.5091794);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446294.5687914);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446294.6562774);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795446294.7092655);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446294.7773538);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446294.8371367);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446294.9214215);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795446294.983071);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446295.2110825);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446295.3194945);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446295.4983335);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795446295.601626);
INSERT INTO public.results VALUES ('eee3a0e44c60b', 1, 'prep', 'PREP_ERROR', 5, 0.5, 'sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e', 1795446295.7835467);
INSERT INTO public.results VALUES ('e227944ae22bd', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446295.9701664);
INSERT INTO public.results VALUES ('e227944ae22bd', 1, 'quiz', 'WRONG_ANSWER', 5, 0.5, 'sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd', 1795446296.1046443);
INSERT INTO public.results VALUES ('e77a6a095f32f', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446296.3265944);
INSERT INTO public.results VALUES ('e77a6a095f32f', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446296.447097);
INSERT INTO public.results VALUES ('e77a6a095f32f', 1, 'exam', 'TIME_LIMIT', 5, 0.5, 'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', 1795446296.5668359);
INSERT INTO public.results VALUES ('e0bd1e43fabe9', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446296.6962724);
INSERT INTO public.results VALUES ('e85c1da521b94', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446296.7813234);
INSERT INTO public.results VALUES ('e85c1da521b94', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446296.8714464);
INSERT INTO public.results VALUES ('e22ff431ca677', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446297.007018);
INSERT INTO public.results VALUES ('e22ff431ca677', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446297.0645614);
INSERT INTO public.results VALUES ('e22ff431ca677', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446297.2707548);
INSERT INTO public.results VALUES ('e7add14e2aec9', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446297.3679218);
INSERT INTO public.results VALUES ('e7add14e2aec9', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446297.4363256);
INSERT INTO public.results VALUES ('ec0d639a96d4d', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446297.6310172);
INSERT INTO public.results VALUES ('ec0d639a96d4d', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446297.7209);
INSERT INTO public.results VALUES ('e61cdec782e70', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446297.8713212);
INSERT INTO public.results VALUES ('e61cdec782e70', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446297.915597);
INSERT INTO public.results VALUES ('e7a6bd6a6224d', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446298.0478482);
INSERT INTO public.results VALUES ('e7a6bd6a6224d', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446298.1248112);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446294.6562774);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446294.5091794);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446294.5687914);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446294.9214215);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446294.7773538);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446294.8371367);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446295.4983335);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446295.2110825);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446295.3194945);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'exam', 'TIME_LIMIT', 5, 0.5, 'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', 1795446296.5668359);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446296.3265944);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446296.447097);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446294.5091794);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446294.5687914);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446294.7773538);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446294.8371367);
INSERT INTO public.results VALUES ('ed4526559d9db', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446295.2110825);
INSERT INTO public.results VALUES ('ed4526559d9db', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446295.3194945);
INSERT INTO public.results VALUES ('e77a6a095f32f', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446296.3265944);
INSERT INTO public.results VALUES ('e77a6a095f32f', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446296.447097);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 5, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446294.6562774);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446294.5091794);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446294.5687914);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 5, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446294.9214215);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446294.7773538);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446294.8371367);
INSERT INTO public.results VALUES ('ed4526559d9db', 5, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446295.4983335);
INSERT INTO public.results VALUES ('ed4526559d9db', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446295.2110825);
INSERT INTO public.results VALUES ('ed4526559d9db', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446295.3194945);
INSERT INTO public.results VALUES ('e77a6a095f32f', 5, 'exam', 'TIME_LIMIT', 5, 0.5, 'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', 1795446296.5668359);
INSERT INTO public.results VALUES ('e77a6a095f32f', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446296.3265944);
INSERT INTO public.results VALUES ('e77a6a095f32f', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446296.447097);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795446298.5489798);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795446298.6177862);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795446298.6839292);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795446298.7616591);
INSERT INTO public.scores VALUES ('e035c3bccb8e1', 1, 'F1', 0.5, '{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}', 1795446294.7313619, 0.25, 0.75);
INSERT INTO public.scores VALUES ('ec9c0bcecb2a2', 1, 'F1', 0.5, '{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}', 1795446295.0632284, 0.25, 0.75);
INSERT INTO public.scores VALUES ('ed4526559d9db', 1, 'F1', 0.5, '{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}', 1795446295.6679275, 0.25, 0.75);
INSERT INTO public.scores VALUES ('e035c3bccb8e1', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795446298.5699975, 0.35, 1.0499999999999998);
INSERT INTO public.scores VALUES ('e77a6a095f32f', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795446298.6285744, 0.35, 1.0499999999999998);
INSERT INTO public.scores VALUES ('ec9c0bcecb2a2', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795446298.7015016, 0.35, 1.0499999999999998);
INSERT INTO public.scores VALUES ('ed4526559d9db', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795446298.7762275, 0.35, 1.0499999999999998);
INSERT INTO public.settings VALUES ('times-exact-after', '0');
INSERT INTO public.settings VALUES ('identity', 'b41ed4c8cfab4ffda0210eab1e05391f');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 4, 'r3', 'cinc2017', '', 1, 'prep', 'queued', 1795446298.4323893, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 4, 'r3', 'cinc2017', '', 1, 'prep', 'queued', 1795446298.4323893, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795446298.4729578, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795446298.4729578, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795446298.4729578, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795446298.4729578, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795446298.581428, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795446298.6453257, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795446298.7302127, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795446298.799102, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795446298.8433282, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795446298.8433282, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795446298.8433282, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795446298.8433282, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 4, 'r3', 'cinc2017', '', 1, 'prep', 'prep', 1795446298.856982, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 4, 'r3', 'cinc2017', '', 1, 'prep', 'parked', 1795446298.862993, false, '', 0, '{"cause": "challenge", "message": "no score", "stage": "exam"}', '');
INSERT INTO public.shares VALUES ('entries', 'großes Team', 3);
INSERT INTO public.shares VALUES ('entries', 'green', 3);
INSERT INTO public.shares VALUES ('entries', 'red', 4);
INSERT INTO public.shares VALUES ('entries', '', 3);
INSERT INTO public.shares VALUES ('entries', 'Blue', 4);
INSERT INTO public.team_names VALUES ('red', 'red', 'red');
INSERT INTO public.team_names VALUES ('blue', 'Blue', 'Blue');
INSERT INTO public.team_names VALUES ('grosses team', 'großes Team', 'großes Team');
INSERT INTO public.team_names VALUES ('green', 'green', 'green');
INSERT INTO public.teams VALUES ('red', 1795446293.168233);
INSERT INTO public.teams VALUES ('Blue', 1795446293.2164278);
INSERT INTO public.teams VALUES ('großes Team', 1795446293.2609158);
INSERT INTO public.teams VALUES ('green', 1795446293.3587432);
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
