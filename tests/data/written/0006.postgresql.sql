SELECT pg_catalog.set_config('search_path', '', false);
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
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
CREATE TABLE public.usual (
    challenge character varying(500) NOT NULL,
    stage character varying(10) NOT NULL,
    seconds text NOT NULL
);
ALTER TABLE ONLY public.journal ALTER COLUMN number SET DEFAULT nextval('public.journal_number_seq'::regclass);
ALTER TABLE ONLY public.journal_parts ALTER COLUMN first SET DEFAULT nextval('public.journal_parts_first_seq'::regclass);
INSERT INTO public.alembic_version VALUES ('0006');
INSERT INTO public.details VALUES ('fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', '\x789cedd1c10ac2300c06e05719398b78d9c557f0e003888cda8619e8d2d2a4ba31f6eeb665e0d50730b77e6908fc5941d48c08e70e62c208870e5e981c59ad74bd54985064ff33ffebe7aad1e53db815884553b64a81a5405f9a6fe3fd206803bb4aa763dfc29e425a86c7a2d8b050c81ab37e692b96ca586a63b77b793a32230751b295a05dcdd827715dced9fbed039d10c7ea');
INSERT INTO public.details VALUES ('b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', '\x789ced92c10ac2300c865f65e42ca2c22ede3c7bf0014446edca2c74ad36e9e61c7b77d3529081072f820773cb97fcf0f32723208946c1b6805bd00f5814d0295f6b49111df611b40a31efdcfff571c5e8420e6e046d917c90a49d4506250f7b614c854a3a5b47b45a9629ecd6f9a13a0fa41264e4025d03bdd0c4ccb3cc27d971cc4dbccf6efdf6825fb3212cf6ca73678331f357019ecfac6d7ec8da8941ad45631d92969860dc11f2a2adcaa2e909a49b27f8');
INSERT INTO public.details VALUES ('801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', '\x789ced92c10ac2300c865f65f42ca2c22ede3c7bf0014446edc22c74ad34a9db287b77d3529081072f820773cb97fcf0f3275120c90ec4be1230ca5eac2af100df6a45099d8e09f4805876c67f7d5c29ba50828b425b241f1469679141cdc3411ad3202867db8436eb3a87dd3b3f35d7892043462ed03dd00bcdcc3ccb7c969d6369d27d0edbb717fc9a0d697100cf9d0dc62c5f45f07c616df743d62e0c5a2d3beb90b4c20cd38e54376da188e62748b327da');
INSERT INTO public.details VALUES ('c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', '\x789cedd1c10ac2300c06e05719398b78d9c557f0e003888cda9619e8524952758cbdbb691978f501ccad5f1a027f16107563846307e23347d875f08c1cd06bb5f3a9c21445b64fef7ffd5c35bab205b700922817af98490c7a6bbe5c4a83449f29543aecfb16f694791e6eb3c68646b9e8a3e8975633b6316e6397ab3d03ba91b228fa4ad0aee6fc1da92ea792d2fa015d82c84f');
INSERT INTO public.details VALUES ('1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e', '\x789ced91b10ac3300c447f25682ea54b96ee991bbc96625cdba406c73696dc3684fc7b2d13e8da0fe86d7aa743705a01494d16ce1da46c131c3a78da6c9c2646a31846390871116ccc1671df7dfff5b3b8bab217b7820b48b968723160057d355fca7b8956c760189d8e7d2b7b8e7991f7856c8315c542a9d0176d95e51acb2d76bdd5d138358588e43423685f53fae1021f0fc5fbed0377f3ca70');
INSERT INTO public.details VALUES ('4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd', '\x789ced92310bc2301085ff4ac92ca24217b70ee256a10e1d444a4c430da489e62ed65afadf4d42403ae9223878db7def1e1cef6e2080b4e1649d90ab150f324bc88d9b5a30f4a82c76f9b6caf27db929bcd47280387dffd7c7e5a3b331b8810805682c43a11538903ab1a35256c09956b5478b791ac26eb5e9ab538f3c4087b4c58bc5171a1d33ce6682ed30c4c6df275bbeb9e5d716a20a3a6e5ca7ac94d3a7214e9f2cb9fac9258f0ed482364a030a0601fa19cace42f1681a9f08c8315e');
INSERT INTO public.details VALUES ('665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', '\x789ced92310bc2301085ff4ac92ca2421737078782ddba899498861a4813c95d6c4be97ff71202d2455c04076fbbefdd83e3dd4d0c90b792ed332607deb155c61ed2354a604055511eeb53511655103a099066877f7d5c213a9f829b983280ce0b54d600819cc49e6b5d8314d634016dd6790cbbb36eacaf23ca0809598f778f2f3413736473d1769e5213ee73d8bebde4d7d6e1067ae9a8335eebe5cb30d2172bee7e70c50b8146f1d658402520c230c3c54d19994cf3139c572f33');
INSERT INTO public.entries VALUES ('e064d0cbd2a30', 15, 'cinc2017', 'großes Team', '14.zip', '8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61', 2, '', 'queued', 1, false, 1795446261.667333, 1795446261.667333, '', 0, '', '');
INSERT INTO public.entries VALUES ('eb5291caf82f0', 16, 'cinc2017', 'green', '15.zip', 'e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb', 2, '', 'queued', 1, false, 1795446261.703124, 1795446261.703124, '', 0, '', '');
INSERT INTO public.entries VALUES ('ef20ae2707c46', 17, 'cinc2017', 'red', '16.zip', 'b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9', 2, '', 'queued', 1, false, 1795446261.7320447, 1795446261.7320447, '', 0, '', '');
INSERT INTO public.entries VALUES ('e835ab6e28104', 18, 'cinc2017', 'Blue', '17.zip', '4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3', 2, '', 'queued', 1, false, 1795446261.7418158, 1795446261.7418158, '', 0, '', '');
INSERT INTO public.entries VALUES ('e815f3f78e740', 19, 'cinc2017', 'großes Team', '18.zip', '4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a', 2, '', 'queued', 1, false, 1795446261.7598023, 1795446261.7598023, '', 0, '', '');
INSERT INTO public.entries VALUES ('e40da5beb8578', 20, 'cinc2017', 'green', '19.zip', '9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767', 2, '', 'queued', 1, false, 1795446261.7728622, 1795446261.7728622, '', 0, '', '');
INSERT INTO public.entries VALUES ('ead9741ba7ef7', 7, 'cinc2017', 'großes Team', '6.zip', 'e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683', 2, '', 'prep', 1, false, 1795446261.3323092, 1795446262.0515766, 'old:1', 0, '', '');
INSERT INTO public.entries VALUES ('eee3a0e44c60b', 4, 'cinc2017', 'green', '3.zip', '4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce', 2, '', 'done', 1, false, 1795446261.2281058, 1795446262.8666248, 'old:1', 0, '{"cause": "verdict", "verdict": "PREP_ERROR"}', '');
INSERT INTO public.entries VALUES ('e227944ae22bd', 5, 'cinc2017', 'red', '4.zip', '4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a', 2, '', 'done', 1, false, 1795446261.2532856, 1795446262.9700916, 'old:1', 0, '{"cause": "verdict", "verdict": "WRONG_ANSWER"}', '');
INSERT INTO public.entries VALUES ('e0bd1e43fabe9', 8, 'cinc2017', 'green', '7.zip', '7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451', 2, '', 'quiz', 1, false, 1795446261.3581548, 1795446263.253083, 'old:1', 0, '', '');
INSERT INTO public.entries VALUES ('e22ff431ca677', 10, 'cinc2017', 'Blue', '9.zip', '19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7', 2, '', 'score', 1, true, 1795446261.4467719, 1795446263.4886603, 'old:1', 0, '', '');
INSERT INTO public.entries VALUES ('e7add14e2aec9', 11, 'cinc2017', 'großes Team', '10.zip', '4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5', 2, '', 'parked', 1, true, 1795446261.4840555, 1795446263.6433406, 'old:1', 0, '{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}', '');
INSERT INTO public.entries VALUES ('ec0d639a96d4d', 12, 'cinc2017', 'green', '11.zip', '4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8', 2, '', 'parked', 1, true, 1795446261.5321026, 1795446263.8029788, 'old:1', 0, '{"cause": "infrastructure", "message": "exam: SandboxFault: the guest is gone", "stage": "exam"}', '');
INSERT INTO public.entries VALUES ('e61cdec782e70', 13, 'cinc2017', 'red', '12.zip', '6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918', 2, '', 'queued', 2, true, 1795446261.579173, 1795446263.9609044, '', 0, '', '');
INSERT INTO public.entries VALUES ('e7a6bd6a6224d', 14, 'cinc2017', 'Blue', '13.zip', '3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278', 2, '', 'cancelled', 1, true, 1795446261.620043, 1795446264.0675557, 'old:1', 0, '{"cause": "organiser"}', '');
INSERT INTO public.entries VALUES ('e85c1da521b94', 9, 'cinc2017', 'red', '8.zip', '2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3', 2, '', 'exam', 1, true, 1795446261.387835, 1795446264.089938, 'old:1', 0, '{"cause": "retry", "message": "try 2 in 30 s: SandboxFault: the guest is gone", "stage": "exam"}', '');
INSERT INTO public.entries VALUES ('eb19e260aa4a6', 21, 'cinc2017', 'red', '20.zip', 'f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b', 2, '', 'cancelled', 1, false, 1795446261.8199217, 1795446264.1164877, '', 0, '{"cause": "organiser"}', '');
INSERT INTO public.entries VALUES ('e035c3bccb8e1', 1, 'cinc2017', 'red', '0.zip', '5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9', 2, '', 'done', 2, true, 1795446261.0323856, 1795446265.1154113, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.entries VALUES ('e77a6a095f32f', 6, 'cinc2017', 'Blue', '5.zip', 'ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d', 2, '', 'done', 2, true, 1795446261.2900624, 1795446265.1154113, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.entries VALUES ('ec9c0bcecb2a2', 2, 'cinc2017', 'Blue', '1.zip', '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b', 2, '', 'done', 2, true, 1795446261.0856493, 1795446265.1154113, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.entries VALUES ('ed4526559d9db', 3, 'cinc2017', 'großes Team', '2.zip', 'd4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35', 2, '', 'done', 2, true, 1795446261.148472, 1795446265.1154113, 'old:1', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.journal VALUES (1, 1795446261.0323856, 'e035c3bccb8e1', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "0.zip", "sha256": "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9", "bytes": 2, "commit": "", "number": 1}', '85e10f44a840a911a338ce9b335a552c847dc29a28b72644b57a7b3f2a6e7d5a');
INSERT INTO public.journal VALUES (2, 1795446261.0856493, 'ec9c0bcecb2a2', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "1.zip", "sha256": "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b", "bytes": 2, "commit": "", "number": 2}', '1f3f55881a85448525f2f97432b0050f2cb2b99029d3e9ce89f619ef99b17246');
INSERT INTO public.journal VALUES (3, 1795446261.148472, 'ed4526559d9db', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "2.zip", "sha256": "d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35", "bytes": 2, "commit": "", "number": 3}', '9a8e778271afc051ac180f771197f4f425c59c03454ce695c80790530b016f85');
INSERT INTO public.journal VALUES (4, 1795446261.2281058, 'eee3a0e44c60b', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "3.zip", "sha256": "4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce", "bytes": 2, "commit": "", "number": 4}', '31fcb3df38f6fc23260f0c051c03bab222454a6d31b2c96388bb40aa4d448caa');
INSERT INTO public.journal VALUES (5, 1795446261.2532856, 'e227944ae22bd', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "4.zip", "sha256": "4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a", "bytes": 2, "commit": "", "number": 5}', '86e1c5361df8903e7b9cfc49675923fcce5b09b744abb6d3daa3f96145c759c1');
INSERT INTO public.journal VALUES (6, 1795446261.2900624, 'e77a6a095f32f', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "5.zip", "sha256": "ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d", "bytes": 2, "commit": "", "number": 6}', 'f357d759c55565aad23fbc96d13571c086d6de0524a002488d5a0593ba830025');
INSERT INTO public.journal VALUES (7, 1795446261.3323092, 'ead9741ba7ef7', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "6.zip", "sha256": "e7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683", "bytes": 2, "commit": "", "number": 7}', '85c023407ada31b7c3ac93ba24288765eeb55145c05af5485242463af8cabf76');
INSERT INTO public.journal VALUES (8, 1795446261.3581548, 'e0bd1e43fabe9', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "7.zip", "sha256": "7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451", "bytes": 2, "commit": "", "number": 8}', '8943043f18ff8437fbf4490ad0323f9dbea6444069fcd8fa94786090df232476');
INSERT INTO public.journal VALUES (9, 1795446261.387835, 'e85c1da521b94', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "8.zip", "sha256": "2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3", "bytes": 2, "commit": "", "number": 9}', '8116a78998d6399c6bacaccf63bd39faca30acca866e07a273dcc90ab2ade915');
INSERT INTO public.journal VALUES (10, 1795446261.4467719, 'e22ff431ca677', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "9.zip", "sha256": "19581e27de7ced00ff1ce50b2047e7a567c76b1cbaebabe5ef03f7c3017bb5b7", "bytes": 2, "commit": "", "number": 10}', 'd53f27fbc1fe7bb79e200d69134b643811ce0277564cf434c0ce9e1cc6bc3dd0');
INSERT INTO public.journal VALUES (11, 1795446261.4840555, 'e7add14e2aec9', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "10.zip", "sha256": "4a44dc15364204a80fe80e9039455cc1608281820fe2b24f1e5233ade6af1dd5", "bytes": 2, "commit": "", "number": 11}', 'cad3e531bac7a75af3df2bb72ba3e94ae1dcb0361bf2b70dbe90361c5731bb6a');
INSERT INTO public.journal VALUES (12, 1795446261.5321026, 'ec0d639a96d4d', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "11.zip", "sha256": "4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8", "bytes": 2, "commit": "", "number": 12}', 'ecd8d0a1c32d4adc7c8f49b450424b7fd7638fa54a46cc79478a5c02ba71dbe8');
INSERT INTO public.journal VALUES (13, 1795446261.579173, 'e61cdec782e70', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "12.zip", "sha256": "6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918", "bytes": 2, "commit": "", "number": 13}', '736adf3170881b2fd97b3df17605776abbb4ccd3f9e1b924a9904dcfd8567aef');
INSERT INTO public.journal VALUES (14, 1795446261.620043, 'e7a6bd6a6224d', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "13.zip", "sha256": "3fdba35f04dc8c462986c992bcf875546257113072a909c162f7e470e581e278", "bytes": 2, "commit": "", "number": 14}', '64c9ce3503e1a51f86009562917bad0ecbebeb33a1676f74c50887a0918103f7');
INSERT INTO public.journal VALUES (15, 1795446261.667333, 'e064d0cbd2a30', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "14.zip", "sha256": "8527a891e224136950ff32ca212b45bc93f69fbb801c3b1ebedac52775f99e61", "bytes": 2, "commit": "", "number": 15}', '8c36199f82122adc165a0652a08a49dd51fb48a8dd3db0903f0009a10d45ae18');
INSERT INTO public.journal VALUES (16, 1795446261.703124, 'eb5291caf82f0', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "15.zip", "sha256": "e629fa6598d732768f7c726b4b621285f9c3b85303900aa912017db7617d8bdb", "bytes": 2, "commit": "", "number": 16}', '80e1ff63a815410cf11b4067d0f5de5152acb67f58e1c810b528f41d1800bf35');
INSERT INTO public.journal VALUES (17, 1795446261.7320447, 'ef20ae2707c46', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "16.zip", "sha256": "b17ef6d19c7a5b1ee83b907c595526dcb1eb06db8227d650d5dda0a9f4ce8cd9", "bytes": 2, "commit": "", "number": 17}', 'add18b33190a9fa1fe02e7ecd40759f4a97c916fd8781676fb233a9cc9371b55');
INSERT INTO public.journal VALUES (18, 1795446261.7418158, 'e835ab6e28104', 'submitted', '{"challenge": "cinc2017", "team": "Blue", "name": "17.zip", "sha256": "4523540f1504cd17100c4835e85b7eefd49911580f8efff0599a8f283be6b9e3", "bytes": 2, "commit": "", "number": 18}', '4aaf675cf676e81225bd3712500a269173a8ede5a65bae1ad8df8d8833fae005');
INSERT INTO public.journal VALUES (19, 1795446261.7598023, 'e815f3f78e740', 'submitted', '{"challenge": "cinc2017", "team": "gro\u00dfes Team", "name": "18.zip", "sha256": "4ec9599fc203d176a301536c2e091a19bc852759b255bd6818810a42c5fed14a", "bytes": 2, "commit": "", "number": 19}', 'd9c0054a7a3b017c45773a6c1563e1f740ea0dd00acb5fec43689c717089a0e7');
INSERT INTO public.journal VALUES (20, 1795446261.7728622, 'e40da5beb8578', 'submitted', '{"challenge": "cinc2017", "team": "green", "name": "19.zip", "sha256": "9400f1b21cb527d7fa3d3eabba93557a18ebe7a2ca4e471cfe5e4c5b4ca7f767", "bytes": 2, "commit": "", "number": 20}', '027f829a4049a2cd78f32af7ad22dbb2f70af04fbc99bfd3ca8575621e9bc6d2');
INSERT INTO public.journal VALUES (21, 1795446261.8199217, 'eb19e260aa4a6', 'submitted', '{"challenge": "cinc2017", "team": "red", "name": "20.zip", "sha256": "f5ca38f748a1d6eaf726b8a42fb575c3c71f1864a8143301782de13da2d9202b", "bytes": 2, "commit": "", "number": 21}', '81d92df258fc3fecffaf6fa7e076ad308acfe558749db8011111d8e18619542e');
INSERT INTO public.journal VALUES (22, 1795446261.8493168, 'e035c3bccb8e1', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '369041377b4a069d83bc3199abff8c32f661190d912d8073b388f1e46b44dfec');
INSERT INTO public.journal VALUES (23, 1795446261.8776963, 'ec9c0bcecb2a2', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '467db4411f1a9315f6dd7746e0a6d4e18e7403504bcd955dd9a3d646b6ddfb6c');
INSERT INTO public.journal VALUES (24, 1795446261.9045691, 'ed4526559d9db', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '65bdfed8e54ae4ffbf27d2988b6013ac8cfdd56e2972c2d30ca46f1a4270ab14');
INSERT INTO public.journal VALUES (25, 1795446261.9393773, 'eee3a0e44c60b', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'a27fa1fee89376995437893294296840ecaf466e6424e7982fbeacac25311983');
INSERT INTO public.journal VALUES (26, 1795446261.9841936, 'e227944ae22bd', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '44065ce13292d3599faa780f2a133410e570d32fb143d751b435278b0bfb150e');
INSERT INTO public.journal VALUES (27, 1795446262.0136476, 'e77a6a095f32f', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '3574feb4c77fd4f0b39f68d47341a1d96560a043df9f1d4a234b89cb1aaec052');
INSERT INTO public.journal VALUES (28, 1795446262.0515766, 'ead9741ba7ef7', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '510e63bb68468453d855cc16e8e49b2cb7675abfbe86d9a0c2dd2882edb0c5a4');
INSERT INTO public.journal VALUES (29, 1795446262.0739682, 'e0bd1e43fabe9', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '271cc7bbf19266b21b33ef415c236a51d849c678e3b9424f1bd7493e56974358');
INSERT INTO public.journal VALUES (30, 1795446262.099316, 'e85c1da521b94', 'moved', '{"to": "prep", "reason": {}, "charged": null}', 'd0279c78787fc01bab99045b1a88a710b7f9cadce60ff375f58660dd7bea2eee');
INSERT INTO public.journal VALUES (31, 1795446262.1128638, 'e22ff431ca677', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '1c5bbe1314fe4ec9738a217b1d5218eefb82e01d7746b3a377ab342b1e746767');
INSERT INTO public.journal VALUES (32, 1795446262.1316736, 'e7add14e2aec9', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '0da8a6bd70976ac5e545fd6869b0a4027aa1a19d26f23cf71b9f3201b8401eac');
INSERT INTO public.journal VALUES (33, 1795446262.149216, 'ec0d639a96d4d', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '8290af3679928cf5dae3d89053a865c239b4f2e059215212027980be28403b5f');
INSERT INTO public.journal VALUES (34, 1795446262.161017, 'e61cdec782e70', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '92f80a1e42c7d0a00d96ad5305ced5a04bf029154e2b25666568678af1fa4818');
INSERT INTO public.journal VALUES (35, 1795446262.1775277, 'e7a6bd6a6224d', 'moved', '{"to": "prep", "reason": {}, "charged": null}', '852f10687ffd1476982f889dc4f61e7174b7c23addb134cd0e89d9365bfead5e');
INSERT INTO public.journal VALUES (36, 1795446262.2072399, 'e035c3bccb8e1', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '1db9c2677fba9f54a3ab0536ae7c8b900e0b9f196750cb769eb4b49aaac9b174');
INSERT INTO public.journal VALUES (37, 1795446262.247496, 'e035c3bccb8e1', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '7e3754b3407f3e99da06fb59e4545ed785c7a9e3a452e0b7dc5237bf5addbd66');
INSERT INTO public.journal VALUES (38, 1795446262.2715662, 'e035c3bccb8e1', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', 'be55ea5979d49621e214a99c96d22be79e78acbb52180db2296e614cf244da25');
INSERT INTO public.journal VALUES (39, 1795446262.299649, 'e035c3bccb8e1', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '2492be8986690f7c7a185f341023f11b5a48baccf3f4b980f7d1b96a30cd35be');
INSERT INTO public.journal VALUES (40, 1795446262.3113666, 'e035c3bccb8e1', 'charged', '{"charged": true}', '10e5320a532856b716e0faf704292b0110d56ca19e5120e8971a99d0770109b9');
INSERT INTO public.journal VALUES (41, 1795446262.3207805, 'e035c3bccb8e1', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', 'd0236bbae2e71dde3087d5ec0edb622141b04379ae17b61fa5fdcf436957a596');
INSERT INTO public.journal VALUES (42, 1795446262.35119, 'e035c3bccb8e1', 'moved', '{"to": "score", "reason": {}, "charged": null}', '9729b97c3ad9279bfe08c503c127fafa63186b8b00dd057bd490bd1c55aed360');
INSERT INTO public.journal VALUES (43, 1795446262.366498, 'e035c3bccb8e1', 'result', '{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '556401ffc0d0b9485ce1fa2edb4d65aae4c36b83a62756760d2e72cbb9401daa');
INSERT INTO public.journal VALUES (44, 1795446262.4008422, 'e035c3bccb8e1', 'score', '{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}', 'f7e400c21050c6a684e143f7cc2986c6184954b115abcca41e4c77d6b6b0f5a2');
INSERT INTO public.journal VALUES (45, 1795446262.433488, 'e035c3bccb8e1', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}', '45868a6794829eb5fb6256b7f3e772f450d1ac366fbf62e07a357d35d1a0989d');
INSERT INTO public.journal VALUES (46, 1795446262.4652145, 'ec9c0bcecb2a2', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'a534e706b9e82135e80c101988dbf0ac47ef8c27a3f2a9aa3e22736a17b9890a');
INSERT INTO public.journal VALUES (47, 1795446262.5014014, 'ec9c0bcecb2a2', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '5a472abaddfc761cb586024bf60ac4c0364cb06a34ac8fff827e8cbad0886e7d');
INSERT INTO public.journal VALUES (48, 1795446262.5201848, 'ec9c0bcecb2a2', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', 'b51f2fa81500cb0d12b9edbf530c5d4e0c38c9abd3b39e18e411619569842a4d');
INSERT INTO public.journal VALUES (49, 1795446262.5456488, 'ec9c0bcecb2a2', 'moved', '{"to": "exam", "reason": {}, "charged": null}', 'd27621bb49d10ceb21f3790ab0d620165fab2a2fa2a43d65434cd4a3cd68fc4b');
INSERT INTO public.journal VALUES (50, 1795446262.5619843, 'ec9c0bcecb2a2', 'charged', '{"charged": true}', 'a0ebc3cb1929f808281f32cfeec2110ea34261281f9f481bb30cbde3d217f801');
INSERT INTO public.journal VALUES (51, 1795446262.5734978, 'ec9c0bcecb2a2', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', 'ef1a1ec1ef9fcb95347fc66fb45df013be95f05cf9c4a86b7e0ecccfeed6e11c');
INSERT INTO public.journal VALUES (52, 1795446262.6009877, 'ec9c0bcecb2a2', 'moved', '{"to": "score", "reason": {}, "charged": null}', 'fa7e86181d23541e49a44ce27d64cb56506dce2dceaa09c217f590c9dc45812c');
INSERT INTO public.journal VALUES (53, 1795446262.613598, 'ec9c0bcecb2a2', 'result', '{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '77f7e00fa1baabd22a077e6a135a9826a5652146079d495fad763901a8fe9916');
INSERT INTO public.journal VALUES (54, 1795446262.6295822, 'ec9c0bcecb2a2', 'score', '{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}', 'e18b9647bf78d62aa805f281bfa97b87a34e05a75f15b127f0af759d82a7de6e');
INSERT INTO public.journal VALUES (55, 1795446262.646144, 'ec9c0bcecb2a2', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}', '66107fbb4416f8b1071301d60a16ee1039b29095b4bc0d48b027a87ed43423c0');
INSERT INTO public.journal VALUES (56, 1795446262.669823, 'ed4526559d9db', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '3e3e21d251b1d1f6ead128478c026ee9fcefd55cff779ba663cd06e5026f70be');
INSERT INTO public.journal VALUES (57, 1795446262.6977692, 'ed4526559d9db', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '239211c9a1baf02ce68488e1fb185226a7a086992020157a0be68998e85a2fb2');
INSERT INTO public.journal VALUES (58, 1795446262.7073154, 'ed4526559d9db', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '69c986b1be12fecccf14d285aacb57ef0db15591ca4b23f7e2569c74e29519ab');
INSERT INTO public.journal VALUES (59, 1795446262.73181, 'ed4526559d9db', 'moved', '{"to": "exam", "reason": {}, "charged": null}', 'cd534ef4e4dd355495fc03d292ff6e5fa0265c89aec5526211b6dda628b524e6');
INSERT INTO public.journal VALUES (60, 1795446262.7433016, 'ed4526559d9db', 'charged', '{"charged": true}', 'd35834dda6891e8bb8df3583f7b0fb379bf1a428fb61abda490144451132250a');
INSERT INTO public.journal VALUES (61, 1795446262.7532828, 'ed4526559d9db', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', '5e374b8bc78ee0d0dbd989f0d71c13e753f10af88c5949e8a9268327ca441995');
INSERT INTO public.journal VALUES (62, 1795446262.7738361, 'ed4526559d9db', 'moved', '{"to": "score", "reason": {}, "charged": null}', '731c12615bcaf70c099765aa04e64a754f562baaff9c864a5ff64218a30e2e02');
INSERT INTO public.journal VALUES (63, 1795446262.7822273, 'ed4526559d9db', 'result', '{"stage": "score", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', 'f1ad1854757775d8d0977b4380affd5ab6344c182a77fa9e51ab267b0fa22fe3');
INSERT INTO public.journal VALUES (64, 1795446262.801204, 'ed4526559d9db', 'score', '{"attempt": 1, "key": "F1", "value": 0.5, "low": 0.25, "high": 0.75, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.5}, \"official\": {\"F1\": 0.5}, \"notes\": [], \"intervals\": {\"F1\": [0.25, 0.75]}}"}', '3acd05c26f9310a457b994c6833b6c028edacf3ad1b50ca1e91770bc5f476118');
INSERT INTO public.journal VALUES (65, 1795446262.8251593, 'ed4526559d9db', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "OK"}, "charged": null}', '91dfb98f3efbd15dcc087068076cf2a6bb2be62ff5373d2e4dcf5b6ffc2a44a1');
INSERT INTO public.journal VALUES (66, 1795446262.8487546, 'eee3a0e44c60b', 'result', '{"stage": "prep", "attempt": 1, "verdict": "PREP_ERROR", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e"}', '64e46ba63468fcf1842091fef06590f446c7c9b4fb245c0641a022e657e28e80');
INSERT INTO public.journal VALUES (67, 1795446262.8666248, 'eee3a0e44c60b', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "PREP_ERROR"}, "charged": null}', '34789a24137c80fa94a388fcc89755e2d232f4f2b98eeb9e4a7a88c098693b82');
INSERT INTO public.journal VALUES (68, 1795446262.8837483, 'e227944ae22bd', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '6b82c2d20304c6552bc0b6a0f960f9248eb33ddf634eac3b7d3e933a81090eba');
INSERT INTO public.journal VALUES (69, 1795446262.936704, 'e227944ae22bd', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '93bd87d2a6771b810acc292db09048201671721a7407af89fd01f7e33406c2b9');
INSERT INTO public.journal VALUES (70, 1795446262.949714, 'e227944ae22bd', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "WRONG_ANSWER", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd"}', 'd2f1a13d14bdf72f3b234e2d02544160a4ea93836d843e2ba925d0ba3e8f6e87');
INSERT INTO public.journal VALUES (71, 1795446262.9700916, 'e227944ae22bd', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "WRONG_ANSWER"}, "charged": null}', '6345b4a2eaaf9c6b76e1c74d05ef681d26ebc6755b713f2d576967ff10ad6724');
INSERT INTO public.journal VALUES (72, 1795446263.0401075, 'e77a6a095f32f', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'cdab669f516da325d963bbf29119a9bcfe4d03059a6584f5307c07d787f3fbd5');
INSERT INTO public.journal VALUES (73, 1795446263.0832343, 'e77a6a095f32f', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '6234ecc6ba4bfea80cba5f4afbedb0b7413d74203c1603b99dc3572ee04fc0c6');
INSERT INTO public.journal VALUES (74, 1795446263.1072757, 'e77a6a095f32f', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', 'c34845057799accb6a3da33be314deab75aa4b55ffab50277cb759596f3aa3eb');
INSERT INTO public.journal VALUES (75, 1795446263.1323009, 'e77a6a095f32f', 'moved', '{"to": "exam", "reason": {}, "charged": null}', 'fb5df2c1d0cdb247a3f62aa6e80ec1d4ce25e6513d7aa682bc774c082d42fb80');
INSERT INTO public.journal VALUES (76, 1795446263.151732, 'e77a6a095f32f', 'charged', '{"charged": true}', '23c77bcae37b43c28d5b9736784fbe1d6759a950d2c77dacf4d23469f5c3cc58');
INSERT INTO public.journal VALUES (77, 1795446263.161877, 'e77a6a095f32f', 'result', '{"stage": "exam", "attempt": 1, "verdict": "TIME_LIMIT", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab"}', '7e2a0e1ce2fe3683db336f42eb543139c240350d0dc8f56d62347b157959b5a5');
INSERT INTO public.journal VALUES (78, 1795446263.1856642, 'e77a6a095f32f', 'moved', '{"to": "done", "reason": {"cause": "verdict", "verdict": "TIME_LIMIT"}, "charged": null}', '60be70512cab0779e3b672d19420e3a8ee723049a54aaaa2da98fa4e955ac323');
INSERT INTO public.journal VALUES (79, 1795446263.2318847, 'e0bd1e43fabe9', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'd76934e0a6dc4eccf17362947f211a844073efb5dd9fc6bee97aa5dac81101be');
INSERT INTO public.journal VALUES (80, 1795446263.253083, 'e0bd1e43fabe9', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'e153f61b0ba0dac6ca50efd4f9388b85afe1bf0f3d0c46f2229c7ee909a07505');
INSERT INTO public.journal VALUES (81, 1795446263.2695036, 'e85c1da521b94', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '7acd6a1b8aaf57d95a87642989ee2740a6ecf13b6be9e54a38ca720b72dae9e5');
INSERT INTO public.journal VALUES (82, 1795446263.2800767, 'e85c1da521b94', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '8d432ac0817e7e6cd70faccc4e120bd21ac30e9e23d2ccfc4ddb56b1687f5aa1');
INSERT INTO public.journal VALUES (83, 1795446263.2857385, 'e85c1da521b94', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '3adcf19c452384c70fabcddb054215eba917ff03cde819cbceb261322f59a18a');
INSERT INTO public.journal VALUES (84, 1795446263.3069758, 'e85c1da521b94', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '218bf6c6544404143514c44acd33d3ccdedb0840b13d7157da82b2da1a4b5aeb');
INSERT INTO public.journal VALUES (85, 1795446263.3169565, 'e85c1da521b94', 'charged', '{"charged": true}', 'c4db862cb0550fd693637e01045874419dd0a2fd7bae0a126a555ef6ed709b7f');
INSERT INTO public.journal VALUES (86, 1795446263.3551319, 'e22ff431ca677', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '9ac2d5bcec828bc4e2b6d4bf61636623460776216ab98ac88b9ae93e26837bcd');
INSERT INTO public.journal VALUES (87, 1795446263.4032843, 'e22ff431ca677', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '52d5c596195516fa86e2b0c09ce3b24f3df667499606727624046b7d96e52c8d');
INSERT INTO public.journal VALUES (88, 1795446263.4214895, 'e22ff431ca677', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '7b0fe97c7be9ec352aec066b362399c5a24dfaa46683681e2712f7a7c7b93512');
INSERT INTO public.journal VALUES (89, 1795446263.4422846, 'e22ff431ca677', 'moved', '{"to": "exam", "reason": {}, "charged": null}', 'b29c30236e8b0779cc1957568c1a3edaa2fa0684812d32923a5fbb85fe2a4031');
INSERT INTO public.journal VALUES (90, 1795446263.4590378, 'e22ff431ca677', 'charged', '{"charged": true}', 'd25e891fb4ad4071b16fc392d3c3731e2144c33f2c974e6c408c3462cd1ce95d');
INSERT INTO public.journal VALUES (91, 1795446263.466453, 'e22ff431ca677', 'result', '{"stage": "exam", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4"}', '26af7ae7073f4945e6c4643a125d22c05b3309eb57791b842689cba6c3aa1b32');
INSERT INTO public.journal VALUES (92, 1795446263.4886603, 'e22ff431ca677', 'moved', '{"to": "score", "reason": {}, "charged": null}', '10978f898c01c8a45f609a0b0bbc5dd7d9143acf15948180105f77d4cf6a9dbf');
INSERT INTO public.journal VALUES (93, 1795446263.5153298, 'e7add14e2aec9', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '2611bc86c07f4d1cf99bd5bb55e37f408461c510a4384c053981df99b601aa81');
INSERT INTO public.journal VALUES (94, 1795446263.5384192, 'e7add14e2aec9', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'cf0882a9ea7dc57c32a6ff3e6dceaebd788f4fb7ec8178a539b22565a5f96ab7');
INSERT INTO public.journal VALUES (95, 1795446263.5544517, 'e7add14e2aec9', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', 'c6bcbc6e2a210d6ee6182c1ef968627b0c43b2fe1904b6ca32e8d4660046f6db');
INSERT INTO public.journal VALUES (96, 1795446263.6054792, 'e7add14e2aec9', 'moved', '{"to": "exam", "reason": {}, "charged": null}', 'c656ea4ac83e74799b07f122504cd4308bc5225c93a3ef01554be65bb5900d88');
INSERT INTO public.journal VALUES (97, 1795446263.6298437, 'e7add14e2aec9', 'charged', '{"charged": true}', '4055292adbb9cf570db41e45b9617c419a6433b49ce9672bf7ed022e7b2373f9');
INSERT INTO public.journal VALUES (98, 1795446263.6433406, 'e7add14e2aec9', 'moved', '{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}', '8bdbc9e62465485c244ca0ad8b2fd257b3451d419baf24da4a11727326a3a419');
INSERT INTO public.journal VALUES (99, 1795446263.668016, 'ec0d639a96d4d', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '6a8b146f1ae1c63442912fcb5ee933054e158a85b27fd76e563e3eca8195a7b5');
INSERT INTO public.journal VALUES (100, 1795446263.708399, 'ec0d639a96d4d', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '5bb7d79f367a87cd3a9298eb40648c9542f01fb58d2d5be219424b1b837498f5');
INSERT INTO public.journal VALUES (101, 1795446263.727613, 'ec0d639a96d4d', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '41fafebb2a08afa7341069e352f4a1e277932f10389e230079e456640e71f2da');
INSERT INTO public.journal VALUES (102, 1795446263.7608874, 'ec0d639a96d4d', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '72cac23c6749bb6d2bc34de3ce822312253477373d54182984c9c15f69cb06fc');
INSERT INTO public.journal VALUES (103, 1795446263.781561, 'ec0d639a96d4d', 'charged', '{"charged": true}', '310a4b65007473d6fc0a73a8fa3deb06b485720b2bd8e0a98605d9bd222b1734');
INSERT INTO public.journal VALUES (104, 1795446263.8029788, 'ec0d639a96d4d', 'moved', '{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}', '7742941caa5eca3aa4fd754da7fb71e30d45990f6476954ea9c5dbcac2d66730');
INSERT INTO public.journal VALUES (105, 1795446263.8311665, 'e61cdec782e70', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', 'ff694b81b8444ce5f3de7f7356005208cd50cd1ea7a763ab466887dd74dbfbd4');
INSERT INTO public.journal VALUES (106, 1795446263.861356, 'e61cdec782e70', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', 'b63beca1e51c4faad00dc4786c1eabc997fa1395c9e336f2c5b4c6748f336271');
INSERT INTO public.journal VALUES (107, 1795446263.8791928, 'e61cdec782e70', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '91e9f93ee9c93c7fcc85bcbf39a123461639392cf7e875c5b4c97e1f22ff61e4');
INSERT INTO public.journal VALUES (108, 1795446263.9193664, 'e61cdec782e70', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '11e76b9e2a42c50af91e104bb8fc9154eb6586643c8f7ec055393a07ada9a67e');
INSERT INTO public.journal VALUES (109, 1795446263.9356787, 'e61cdec782e70', 'charged', '{"charged": true}', '6180f61cb703dc3dce725aaf670a303c859b5069a581d7196d1e80a61d66ce19');
INSERT INTO public.journal VALUES (110, 1795446263.94459, 'e61cdec782e70', 'moved', '{"to": "parked", "reason": {"cause": "infrastructure", "stage": "exam", "message": "exam: SandboxFault: the guest is gone"}, "charged": null}', 'fe443ae4e6c9024aea87a65cb6bbb103f08b4e1cf981353ad2d3f09c937ef3ff');
INSERT INTO public.journal VALUES (111, 1795446263.9609044, 'e61cdec782e70', 'retried', '{"attempt": 2}', '66a7717350a8b0c5a838f46f89c753c51577ffe67fe569aba821b9f948ef7d43');
INSERT INTO public.journal VALUES (112, 1795446263.9868255, 'e7a6bd6a6224d', 'result', '{"stage": "prep", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437"}', '0301134b35a64beff634ed24d74fb23102444ceca8c560b0a0afefd319975b50');
INSERT INTO public.journal VALUES (113, 1795446264.0135217, 'e7a6bd6a6224d', 'moved', '{"to": "quiz", "reason": {}, "charged": null}', '9928b8d0f9724163cbd3509db90af9af740fc3b00e7953daec79b2b8777b28ad');
INSERT INTO public.journal VALUES (114, 1795446264.0244582, 'e7a6bd6a6224d', 'result', '{"stage": "quiz", "attempt": 1, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f"}', '1c5e1942d3e28474c22e39874565d4a6773c2fb7b6e8909b44deaa48e7a1ff4d');
INSERT INTO public.journal VALUES (115, 1795446264.0393627, 'e7a6bd6a6224d', 'moved', '{"to": "exam", "reason": {}, "charged": null}', '0a7b7762705c35b4e567fdf93ad4c85fc86f5e103cf138d7f670b9335c37eac1');
INSERT INTO public.journal VALUES (116, 1795446264.0539339, 'e7a6bd6a6224d', 'charged', '{"charged": true}', '5f979b3055a41b1b365a62b75f006d3e32ac95f33630086d904c7ef482b6ca56');
INSERT INTO public.journal VALUES (117, 1795446264.0675557, 'e7a6bd6a6224d', 'moved', '{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}', '23d864c8ce1853fc6899ed8e24a639c06bedc624574f9ef918af80afca05aafe');
INSERT INTO public.journal VALUES (118, 1795446264.089938, 'e85c1da521b94', 'moved', '{"to": "exam", "reason": {"cause": "retry", "stage": "exam", "message": "try 2 in 30 s: SandboxFault: the guest is gone"}, "charged": null}', 'e556ddf0903d71ba35b99f14bc72b7ecc0ac32054640a4e7d65db084a6dacae5');
INSERT INTO public.journal VALUES (119, 1795446264.1164877, 'eb19e260aa4a6', 'moved', '{"to": "cancelled", "reason": {"cause": "organiser"}, "charged": null}', 'dd0e906eec08df6810140b7380f0d6bab59a258a1acd5707863e3621ddb2c42b');
INSERT INTO public.journal VALUES (120, 1795446264.2224777, 'e035c3bccb8e1', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'b8c4712e57e7f513b1d6f05b267c2f7277efd09c39421d61b7cc8607645fa127');
INSERT INTO public.journal VALUES (121, 1795446264.2224777, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'c050b9a6af2093a680c94a598a547907e84c3be4d7d5e43ae7ea053d66d85415');
INSERT INTO public.journal VALUES (122, 1795446264.2224777, 'ed4526559d9db', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'defa2c6c77ad9f9fd37a92798971513acbb844218a2427626670bffab04e321d');
INSERT INTO public.journal VALUES (123, 1795446264.2224777, 'e77a6a095f32f', 'shadowed', '{"attempt": 2, "purpose": "r1", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'a8c76d7a6573e1b9897a1f1b82ead7ace41e75c95b4db50e6111da9c030c34cd');
INSERT INTO public.journal VALUES (124, 1795446264.3307786, 'e035c3bccb8e1', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', '3bd6e7df8b328e0b7fbdae9aff37b6a896dd519bc51cc0a751f31943f6338d1d');
INSERT INTO public.journal VALUES (125, 1795446264.3307786, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', '9e4e92b4155b997e5e1207b8f1f5169e21e2eeda8a304a219817b63097abb532');
INSERT INTO public.journal VALUES (126, 1795446264.3307786, 'ed4526559d9db', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', 'bf309bb97e28ed4997a20912fba8fd44e80e8bb173cd22ba8ad9fd97bf2ebfe9');
INSERT INTO public.journal VALUES (127, 1795446264.3307786, 'e77a6a095f32f', 'shadowed', '{"attempt": 3, "purpose": "r2", "challenge": "cinc2017", "references": "", "base": 1, "first": "exam"}', 'abfdd664805cbe9c4309dd3e7762ea13cd985f51144c9c8032d183e6beae494b');
INSERT INTO public.journal VALUES (128, 1795446264.427238, 'e035c3bccb8e1', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', '9a47758f6ff59637e375f051e909f1456839ffe78ab8f76eb24771cc57ff984e');
INSERT INTO public.journal VALUES (129, 1795446264.427238, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', '72b990059e92d393c285e1668555220a6d1283327fb3a97a8a1d6a65a223d5cd');
INSERT INTO public.journal VALUES (130, 1795446264.427238, 'ed4526559d9db', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', '6333a64c45cda62f4e35fbf76551cc6990404d9183d0535896b8dcc8c781239f');
INSERT INTO public.journal VALUES (131, 1795446264.427238, 'e77a6a095f32f', 'shadowed', '{"attempt": 4, "purpose": "r3", "challenge": "cinc2017", "references": "", "base": 1, "first": "prep"}', '0ac5b671904da18fa1cb0e571ca7beea26de04e908bbeb5944dda3b503c3d1d4');
INSERT INTO public.journal VALUES (132, 1795446264.5141287, 'e035c3bccb8e1', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '92f9df27f41722c5e97078331514fbafc132cb305a61c21c75ae9ae1c7291317');
INSERT INTO public.journal VALUES (133, 1795446264.5141287, 'ec9c0bcecb2a2', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', 'f2ecb2c7c8a0629641f6469a08ed8292a28238287d18a30816d494746ab61eda');
INSERT INTO public.journal VALUES (134, 1795446264.5141287, 'ed4526559d9db', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '6962cac616a32691368ff4914a407d5d55ff6e64032a417c2dc547cf1f7e79c3');
INSERT INTO public.journal VALUES (135, 1795446264.5141287, 'e77a6a095f32f', 'shadowed', '{"attempt": 5, "purpose": "r4", "challenge": "cinc2017", "references": "", "base": 1, "first": "score"}', '6d157e0125a8aefb9a48ab0ddee8abc8801e59669dd13aec49f7a55ff9b86726');
INSERT INTO public.journal VALUES (136, 1795446264.6135778, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', 'd59e0da60d570a53e77498a5e0f2378daffc15a8687d114d1d8e1d2fdcb855db');
INSERT INTO public.journal VALUES (137, 1795446264.6297896, 'e035c3bccb8e1', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '7a72fb4c348c62439693dbc5ad5b58ce2391eaeb49969c26a23d4614c4ff4cb2');
INSERT INTO public.journal VALUES (138, 1795446264.649079, 'e035c3bccb8e1', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', '03af22b1942530ca149ef0836ddd5362df2c20364fa663b7ef114e267173489a');
INSERT INTO public.journal VALUES (139, 1795446264.675196, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', '6e018ba81f9d4950c25824205ecc5f4cf4dda09a2312f3eca64cdba8069ee0f7');
INSERT INTO public.journal VALUES (140, 1795446264.719184, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', '65abb091583455c99a41448c33887135bde823a1d96957b99f9fcc245b43fd4e');
INSERT INTO public.journal VALUES (141, 1795446264.7430627, 'e77a6a095f32f', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '099a084640141775b09574c2bb76cadfeec6137bc57a6f2414297c8c45860cc4');
INSERT INTO public.journal VALUES (142, 1795446264.7747679, 'e77a6a095f32f', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', '4d4ea207a0f0c4b4641daab66fbb37e9fbef5392626dbe5aa71ec913d43ac073');
INSERT INTO public.journal VALUES (143, 1795446264.8174336, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', '8d3c48687536f4aeb11f2eb21ef8688379c84f12739c25450cec9215ae5cabbc');
INSERT INTO public.journal VALUES (144, 1795446264.8404744, 'ec9c0bcecb2a2', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', '8bf4801b7584dd46c3979bef8d6a11fe28e2c57e852a766c5f92b7350fdda0cb');
INSERT INTO public.journal VALUES (145, 1795446264.8589845, 'ec9c0bcecb2a2', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', '00dd54f11ccb171231bd4b2fc5ad1dbe9a2ea8d16cbbe685075f4c9896971fd7');
INSERT INTO public.journal VALUES (146, 1795446264.8990815, 'ec9c0bcecb2a2', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', 'f3f7637d13b88c641e4df8a52e3ef7c4ded83e70d1404877447f950afe657759');
INSERT INTO public.journal VALUES (147, 1795446264.9391072, 'ec9c0bcecb2a2', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', '3dc2040bc308caafe10ece8c0c7192096ff25e5a064a8cf9ab8c6a148c42fbf8');
INSERT INTO public.journal VALUES (148, 1795446264.9642177, 'ed4526559d9db', 'shadow-moved', '{"attempt": 2, "to": "score", "reason": {}}', '16945329e2532d097f729576b429b6bb59082cb76673db8a186d4b2cfc22f6d7');
INSERT INTO public.journal VALUES (149, 1795446264.996847, 'ed4526559d9db', 'result', '{"stage": "score", "attempt": 2, "verdict": "OK", "instructions": 5, "wall_seconds": 0.5, "text": "sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020"}', 'aa177aa973609ae3aa4a936f2d41ca737dbaf3cbb93a9ff2453d9dc7c5d4481b');
INSERT INTO public.journal VALUES (150, 1795446265.023447, 'ed4526559d9db', 'score', '{"attempt": 2, "key": "F1", "value": 0.7, "low": 0.35, "high": 1.0499999999999998, "text": "{\"primary\": \"F1\", \"values\": {\"F1\": 0.7}, \"official\": {\"F1\": 0.7}, \"notes\": [], \"intervals\": {\"F1\": [0.35, 1.0499999999999998]}}"}', '33ccf3aefb930bb199eeb02c19dcc062218911454d141b4fe412af92f246bd3b');
INSERT INTO public.journal VALUES (151, 1795446265.0668395, 'ed4526559d9db', 'shadow-moved', '{"attempt": 2, "to": "done", "reason": {"cause": "verdict", "verdict": "OK"}}', 'df6c03907426b7beead5f108e242c27661e2d034e8aec0e6970e03b57f76dabc');
INSERT INTO public.journal VALUES (152, 1795446265.1154113, 'e035c3bccb8e1', 'adopted', '{"attempt": 2}', '51866f50fea96d7fa866f4025b49d9354c702eb59e0121070b9c5b0a2e583ef4');
INSERT INTO public.journal VALUES (153, 1795446265.1154113, 'e77a6a095f32f', 'adopted', '{"attempt": 2}', '885b210cad827f7da1867295b5badfb9671b0ec7a50f607b69dec60c5929ffd3');
INSERT INTO public.journal VALUES (154, 1795446265.1154113, 'ec9c0bcecb2a2', 'adopted', '{"attempt": 2}', '9bc3eab72380809a884dca96dc4f686202284667da69a316713795b2f7bd93d9');
INSERT INTO public.journal VALUES (155, 1795446265.1154113, 'ed4526559d9db', 'adopted', '{"attempt": 2}', '0409721ebe1eec3552952008b736808685540ba0d5adc75737e3405791c1da76');
INSERT INTO public.journal VALUES (156, 1795446265.1595678, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', '62a3fb23730529585523a9620047b33402665a3cee94c1e31594fac1676766d3');
INSERT INTO public.journal VALUES (157, 1795446265.1595678, 'ec9c0bcecb2a2', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', '70fb3f34ec536721602ba17c91fa27e0aed041c0dba695162e65c03400e80413');
INSERT INTO public.journal VALUES (158, 1795446265.1595678, 'ed4526559d9db', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', '5b75538f980e1a4eee6cbb75a1130e1e0dee8c406660d1ca359c667f7609d360');
INSERT INTO public.journal VALUES (159, 1795446265.1595678, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 3, "to": "cancelled", "reason": {"cause": "discarded"}}', 'dc9b326cb3e02c8a7078e7629a53cd0ec4b50764bb6ceab02a728030b9ed40a6');
INSERT INTO public.journal VALUES (160, 1795446265.1977818, 'e035c3bccb8e1', 'shadow-moved', '{"attempt": 4, "to": "prep", "reason": {}}', 'c178d1d4c62a80e1c8e42108f7d94524a22776eed64131e83a18d1a5687cc712');
INSERT INTO public.journal VALUES (161, 1795446265.243331, 'e77a6a095f32f', 'shadow-moved', '{"attempt": 4, "to": "parked", "reason": {"cause": "challenge", "stage": "exam", "message": "no score"}}', 'a9ac816fb024713d54571dd214355c9a301ae7b73b0c2f119886d77222666af5');
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446262.2072399);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446262.2715662);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446262.3207805);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 1, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795446262.366498);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446262.4652145);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446262.5201848);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446262.5734978);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 1, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795446262.613598);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446262.669823);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446262.7073154);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446262.7532828);
INSERT INTO public.results VALUES ('ed4526559d9db', 1, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795446262.7822273);
INSERT INTO public.results VALUES ('eee3a0e44c60b', 1, 'prep', 'PREP_ERROR', 5, 0.5, 'sha256:1507d3acde2ad05b52c105667aa22926b12e2664ceb959e1def1ef40760af46e', 1795446262.8487546);
INSERT INTO public.results VALUES ('e227944ae22bd', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446262.8837483);
INSERT INTO public.results VALUES ('e227944ae22bd', 1, 'quiz', 'WRONG_ANSWER', 5, 0.5, 'sha256:4fe242bb787729374237cf7e5b948646ff64d1d1322ce53b54366dade8351acd', 1795446262.949714);
INSERT INTO public.results VALUES ('e77a6a095f32f', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446263.0401075);
INSERT INTO public.results VALUES ('e77a6a095f32f', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446263.1072757);
INSERT INTO public.results VALUES ('e77a6a095f32f', 1, 'exam', 'TIME_LIMIT', 5, 0.5, 'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', 1795446263.161877);
INSERT INTO public.results VALUES ('e0bd1e43fabe9', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446263.2318847);
INSERT INTO public.results VALUES ('e85c1da521b94', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446263.2695036);
INSERT INTO public.results VALUES ('e85c1da521b94', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446263.2857385);
INSERT INTO public.results VALUES ('e22ff431ca677', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446263.3551319);
INSERT INTO public.results VALUES ('e22ff431ca677', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446263.4214895);
INSERT INTO public.results VALUES ('e22ff431ca677', 1, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446263.466453);
INSERT INTO public.results VALUES ('e7add14e2aec9', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446263.5153298);
INSERT INTO public.results VALUES ('e7add14e2aec9', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446263.5544517);
INSERT INTO public.results VALUES ('ec0d639a96d4d', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446263.668016);
INSERT INTO public.results VALUES ('ec0d639a96d4d', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446263.727613);
INSERT INTO public.results VALUES ('e61cdec782e70', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446263.8311665);
INSERT INTO public.results VALUES ('e61cdec782e70', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446263.8791928);
INSERT INTO public.results VALUES ('e7a6bd6a6224d', 1, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446263.9868255);
INSERT INTO public.results VALUES ('e7a6bd6a6224d', 1, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446264.0244582);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446262.3207805);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446262.2072399);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446262.2715662);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446262.5734978);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446262.4652145);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446262.5201848);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446262.7532828);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446262.669823);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446262.7073154);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'exam', 'TIME_LIMIT', 5, 0.5, 'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', 1795446263.161877);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446263.0401075);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446263.1072757);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446262.2072399);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446262.2715662);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446262.4652145);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446262.5201848);
INSERT INTO public.results VALUES ('ed4526559d9db', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446262.669823);
INSERT INTO public.results VALUES ('ed4526559d9db', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446262.7073154);
INSERT INTO public.results VALUES ('e77a6a095f32f', 3, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446263.0401075);
INSERT INTO public.results VALUES ('e77a6a095f32f', 3, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446263.1072757);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 5, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446262.3207805);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446262.2072399);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446262.2715662);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 5, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446262.5734978);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446262.4652145);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446262.5201848);
INSERT INTO public.results VALUES ('ed4526559d9db', 5, 'exam', 'OK', 5, 0.5, 'sha256:801f484f5a44deec0677d15a2faafa909fdc1a06890ab0e8f92aae51c79b5db4', 1795446262.7532828);
INSERT INTO public.results VALUES ('ed4526559d9db', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446262.669823);
INSERT INTO public.results VALUES ('ed4526559d9db', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446262.7073154);
INSERT INTO public.results VALUES ('e77a6a095f32f', 5, 'exam', 'TIME_LIMIT', 5, 0.5, 'sha256:665f52e08e7257c76de2b5472e0fc32f6f3ca726106bc46624d1723a15e712ab', 1795446263.161877);
INSERT INTO public.results VALUES ('e77a6a095f32f', 5, 'prep', 'OK', 5, 0.5, 'sha256:fcbfd33c7680cc7a1b2ecf2f75d12f91fa3fcb09fd09b411028c07df6d330437', 1795446263.0401075);
INSERT INTO public.results VALUES ('e77a6a095f32f', 5, 'quiz', 'OK', 5, 0.5, 'sha256:b1ffd9f05c3ba20a339903133f7631eec56ef433107fed13932f4f0dbfd8c23f', 1795446263.1072757);
INSERT INTO public.results VALUES ('e035c3bccb8e1', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795446264.6297896);
INSERT INTO public.results VALUES ('e77a6a095f32f', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795446264.7430627);
INSERT INTO public.results VALUES ('ec9c0bcecb2a2', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795446264.8589845);
INSERT INTO public.results VALUES ('ed4526559d9db', 2, 'score', 'OK', 5, 0.5, 'sha256:c588fed34de93e854cfa6c83a78d336904f9fe17b770d284a3238ffbb054d020', 1795446264.996847);
INSERT INTO public.scores VALUES ('e035c3bccb8e1', 1, 'F1', 0.5, '{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}', 1795446262.4008422, 0.25, 0.75);
INSERT INTO public.scores VALUES ('ec9c0bcecb2a2', 1, 'F1', 0.5, '{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}', 1795446262.6295822, 0.25, 0.75);
INSERT INTO public.scores VALUES ('ed4526559d9db', 1, 'F1', 0.5, '{"primary": "F1", "values": {"F1": 0.5}, "official": {"F1": 0.5}, "notes": [], "intervals": {"F1": [0.25, 0.75]}}', 1795446262.801204, 0.25, 0.75);
INSERT INTO public.scores VALUES ('e035c3bccb8e1', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795446264.649079, 0.35, 1.0499999999999998);
INSERT INTO public.scores VALUES ('e77a6a095f32f', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795446264.7747679, 0.35, 1.0499999999999998);
INSERT INTO public.scores VALUES ('ec9c0bcecb2a2', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795446264.8990815, 0.35, 1.0499999999999998);
INSERT INTO public.scores VALUES ('ed4526559d9db', 2, 'F1', 0.7, '{"primary": "F1", "values": {"F1": 0.7}, "official": {"F1": 0.7}, "notes": [], "intervals": {"F1": [0.35, 1.0499999999999998]}}', 1795446265.023447, 0.35, 1.0499999999999998);
INSERT INTO public.settings VALUES ('times-exact-after', '0');
INSERT INTO public.settings VALUES ('identity', 'c6a2c7459ab94c73a21c45dbeca40b67');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 4, 'r3', 'cinc2017', '', 1, 'prep', 'queued', 1795446264.427238, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 4, 'r3', 'cinc2017', '', 1, 'prep', 'queued', 1795446264.427238, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795446264.5141287, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795446264.5141287, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795446264.5141287, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 5, 'r4', 'cinc2017', '', 1, 'score', 'queued', 1795446264.5141287, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795446264.675196, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795446264.8174336, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795446264.9391072, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 2, 'r1', 'cinc2017', '', 1, 'score', 'done', 1795446265.0668395, true, '', 0, '{"cause": "verdict", "verdict": "OK"}', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795446265.1595678, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('ec9c0bcecb2a2', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795446265.1595678, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('ed4526559d9db', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795446265.1595678, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 3, 'r2', 'cinc2017', '', 1, 'exam', 'cancelled', 1795446265.1595678, false, '', 0, '{"cause": "discarded"}', '');
INSERT INTO public.shadows VALUES ('e035c3bccb8e1', 4, 'r3', 'cinc2017', '', 1, 'prep', 'prep', 1795446265.1977818, false, '', 0, '', '');
INSERT INTO public.shadows VALUES ('e77a6a095f32f', 4, 'r3', 'cinc2017', '', 1, 'prep', 'parked', 1795446265.243331, false, '', 0, '{"cause": "challenge", "message": "no score", "stage": "exam"}', '');
INSERT INTO public.shares VALUES ('entries', 'großes Team', 3);
INSERT INTO public.shares VALUES ('entries', 'green', 3);
INSERT INTO public.shares VALUES ('entries', 'red', 4);
INSERT INTO public.shares VALUES ('entries', '', 3);
INSERT INTO public.shares VALUES ('entries', 'Blue', 4);
INSERT INTO public.team_names VALUES ('red', 'red', 'red');
INSERT INTO public.team_names VALUES ('blue', 'Blue', 'Blue');
INSERT INTO public.team_names VALUES ('grosses team', 'großes Team', 'großes Team');
INSERT INTO public.team_names VALUES ('green', 'green', 'green');
INSERT INTO public.teams VALUES ('red', 1795446261.0323856);
INSERT INTO public.teams VALUES ('Blue', 1795446261.0856493);
INSERT INTO public.teams VALUES ('großes Team', 1795446261.148472);
INSERT INTO public.teams VALUES ('green', 1795446261.2281058);
INSERT INTO public.usual VALUES ('', 'all', '[2.0, 2.0, 2.0, 0.5, 1.0, 1.5]');
INSERT INTO public.usual VALUES ('cinc2017', 'exam', '[0.5, 0.5, 0.5, 0.5, 0.5]');
INSERT INTO public.usual VALUES ('cinc2017', 'prep', '[0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]');
INSERT INTO public.usual VALUES ('cinc2017', 'quiz', '[0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]');
INSERT INTO public.usual VALUES ('cinc2017', 'score', '[0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]');
SELECT pg_catalog.setval('public.journal_number_seq', 1, false);
SELECT pg_catalog.setval('public.journal_parts_first_seq', 1, false);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
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
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (team, address);
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
ALTER TABLE ONLY public.team_names
    ADD CONSTRAINT team_names_pkey PRIMARY KEY (folded);
ALTER TABLE ONLY public.teams
    ADD CONSTRAINT teams_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.usual
    ADD CONSTRAINT usual_pkey PRIMARY KEY (challenge, stage);
CREATE INDEX entries_by_challenge ON public.entries USING btree (challenge, team, state, charged, number, submitted, attempt, id);
CREATE INDEX entries_by_change ON public.entries USING btree (state, changed);
CREATE INDEX entries_by_state ON public.entries USING btree (state, team, number);
CREATE INDEX journal_by_entry ON public.journal USING btree (entry, number);
CREATE INDEX scores_by_value ON public.scores USING btree (entry, attempt, value);
CREATE INDEX shadows_by_purpose ON public.shadows USING btree (purpose);
CREATE INDEX shadows_by_state ON public.shadows USING btree (state);
CREATE INDEX team_names_by_team ON public.team_names USING btree (team);
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
