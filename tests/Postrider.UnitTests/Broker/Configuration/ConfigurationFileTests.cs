using Postrider.Broker;

namespace Postrider.UnitTests.Broker.Configuration;

public sealed class ConfigurationFileTests
{
    public static TheoryData<string, Func<BrokerOptions, object?>, object?> Keys => new()
    {
        { "listen: 4333", o => (o.Host, o.Port), ("0.0.0.0", 4333) },
        { "listen: 127.0.0.1:-1", o => (o.Host, o.Port), ("127.0.0.1", -1) },
        { "listen: \":4333\"", o => (o.Host, o.Port), ("0.0.0.0", 4333) },
        { "listen: '[::1]:4333'", o => (o.Host, o.Port), ("::1", 4333) },
        { "host: 10.0.0.1", o => o.Host, "10.0.0.1" },
        { "net: 10.0.0.1", o => o.Host, "10.0.0.1" },
        { "port: -1", o => o.Port, -1 },
        { "PORT: 0", o => o.Port, 4222 },
        { "client_advertise: \"a.example:4222\"", o => o.ClientAdvertise, "a.example:4222" },
        { "server_name: n1", o => o.ServerName, "n1" },
        { "server_tags: [a, \"b:c\"]", o => string.Join('|', o.ServerTags), "a|b:c" },
        { "server_tags: a", o => string.Join('|', o.ServerTags), "a" },
        { "server_metadata { k: v, l: w }", o => string.Join('|', o.ServerMetadata), "[k, v]|[l, w]" },
        { "http: 8222", o => (o.Monitoring.Host, o.Monitoring.Port), ((string?)null, 8222) },
        { "http: \"127.0.0.1:-1\"", o => (o.Monitoring.Host, o.Monitoring.Port), ("127.0.0.1", -1) },
        { "http_port: 8222", o => o.Monitoring.Port, 8222 },
        { "monitor_port: 8222", o => o.Monitoring.Port, 8222 },
        { "http_base_path: nats", o => o.Monitoring.BasePath, "nats" },
        { "max_control_line: 8kb", o => o.MaxControlLineBytes, 8192 },
        { "max_payload: 1Mb", o => o.MaxPayloadBytes, 1048576 },
        { "max_payload: 0", o => o.MaxPayloadBytes, 1048576 },
        { "max_pending: 10Mb", o => o.MaxPendingBytes, 10L * 1048576 },
        { "max_payload: -1", o => o.MaxPayloadBytes, -1 },
        { "max_subs: -5", o => o.MaxSubscriptions, -5 },
        { "max_subs: 9999999999", o => o.MaxSubscriptions, int.MaxValue },
        { "max_traced_msg_len: -1", o => o.Logging.MaxTracedMessageLength, 0 },
        { "server_name: \"\"", o => o.ServerName, null },
        { "server_tags: \"\"", o => o.ServerTags.Count, 0 },
        { "no_auth_user: \"\"", o => o.Authorization!.NoAuthUser, null },
        { "debug: true\rtrace: on", o => (o.Logging.Debug, o.Logging.Trace), (true, true) },
        { "max_connections: 0", o => o.MaxConnections, -1 },
        { "max_conn: 10", o => o.MaxConnections, 10 },
        { "max_subscriptions: 10", o => o.MaxSubscriptions, 10 },
        { "max_subs: 10", o => o.MaxSubscriptions, 10 },
        { "max_sub_tokens: 8", o => o.MaxSubjectTokens, 8 },
        { "max_closed_clients: 5", o => o.MaxClosedClients, 5 },
        { "ping_interval: \"30s\"", o => o.PingInterval, TimeSpan.FromSeconds(30) },
        { "ping_interval: 30", o => o.PingInterval, TimeSpan.FromSeconds(30) },
        { "auth_throttle: off", o => o.AuthThrottle.Enabled, false },
        { "auth_throttle { free_failures: 3, max_delay: 5s, max_waiting: 2, exempt: [\"10.0.0.0/8\"] }", o => (o.AuthThrottle.Enabled, o.AuthThrottle.FreeFailures, o.AuthThrottle.MaxDelay, o.AuthThrottle.MaxWaiting, string.Join('|', o.AuthThrottle.Exempt)), (true, 3, TimeSpan.FromSeconds(5), 2, "10.0.0.0/8") },
        { "ping_max: 5", o => o.MaxPingsOut, 5 },
        { "write_deadline: 2s", o => o.WriteDeadline, TimeSpan.FromSeconds(2) },
        { "lame_duck_duration: \"60s\"", o => o.LameDuckDuration, TimeSpan.FromSeconds(60) },
        { "lame_duck_grace_period: \"5s\"", o => o.LameDuckGracePeriod, TimeSpan.FromSeconds(5) },
        { "debug: true", o => o.Logging.Debug, true },
        { "trace: on", o => o.Logging.Trace, true },
        { "trace_verbose: yes", o => (o.Logging.Trace, o.Logging.TraceVerbose), (true, true) },
        { "trace_headers: yes", o => (o.Logging.Trace, o.Logging.TraceHeaders), (true, true) },
        { "max_traced_msg_len: 10", o => o.Logging.MaxTracedMessageLength, 10 },
        { "logtime: false", o => o.Logging.Time, false },
        { "logtime_utc: true", o => o.Logging.TimeInUtc, true },
        { "log_file: '/tmp/a.log'", o => o.Logging.File, "/tmp/a.log" },
        { "syslog: true", o => o.Logging.Syslog, true },
        { "remote_syslog: \"udp://logs:514\"", o => o.Logging.RemoteSyslog, "udp://logs:514" },
        { "jetstream { key: new, prev_key: old, cipher: aes }", o => (o.JetStream!.EncryptionKey, o.JetStream.PreviousEncryptionKey, o.JetStream.Cipher), ("new", "old", JetStreamCipher.AesGcm) },
        { "jetstream { ek: k, cipher: chachapoly }", o => (o.JetStream!.EncryptionKey, o.JetStream.Cipher), ("k", JetStreamCipher.ChaCha20Poly1305) },
        { "accounts { A { msg_trace: t.d } }", o => o.Accounts.Single(a => a.Name == "A").MessageTrace, new MessageTraceOptions("t.d") },
        { "accounts { A { trace_dest { dest: t.d, sampling: \"20%\" } } }", o => o.Accounts.Single(a => a.Name == "A").MessageTrace, new MessageTraceOptions("t.d", 20) },
        { "accounts { A { msg_trace { sampling: 20 } } }", o => o.Accounts.Single(a => a.Name == "A").MessageTrace, null },
        { "logfile_size_limit: 1k", o => o.Logging.FileSizeLimitBytes, 1000L },
        { "log_max_num: 3", o => o.Logging.MaxFiles, 3 },
        { "pid_file: a.pid", o => o.PidFile, "a.pid" },
        { "ports_file_dir: '/tmp'", o => o.PortsFileDirectory, "/tmp" },
        { "websocket { port: 0 }\nws { port: 0 }", o => o.WebSocket, null },
        { "websocket { listen: \":8080\", no_tls: true }", o => (o.WebSocket!.Host, o.WebSocket.Port, o.WebSocket.NoTls, o.WebSocket.HandshakeTimeout), ("0.0.0.0", 8080, true, TimeSpan.FromSeconds(2)) },
        { "ws { host: \"127.0.0.1\", port: -1, advertise: \"a:1\", no_tls: true, compress: true, same_origin: true, origin: \"https://a.org\", handshake_timeout: 3, ping_interval: \"5s\" }", o => (o.WebSocket!.Host, o.WebSocket.Port, o.WebSocket.Advertise, o.WebSocket.Compression, o.WebSocket.SameOrigin, o.WebSocket.AllowedOrigins[0], o.WebSocket.HandshakeTimeout.TotalSeconds), ("127.0.0.1", -1, "a:1", true, true, "https://a.org", 3.0) },
        { "websocket { port: -1, no_tls: true, authentication { user: a, pass: b, timeout: 1.5 }, user_cookie: u, pass_cookie: p, token_cookie: t, headers { X: y } }", o => (o.WebSocket!.User, o.WebSocket.Password, o.WebSocket.AuthTimeout, o.WebSocket.UserCookie, o.WebSocket.PasswordCookie, o.WebSocket.TokenCookie, o.WebSocket.Headers["X"]), ("a", "b", (TimeSpan?)TimeSpan.FromSeconds(1.5), "u", "p", "t", "y") },
        { "no_header_support: true", o => o.NoHeaderSupport, true },
        { "no_fast_producer_stall: true", o => o.NoFastProducerStall, true },
        { "jetstream: false\ntls: false\nhttps_port: 0\nwrite_timeout: default\ncluster { enabled: false }", o => o.Port, 4222 },
        { "jetstream: enabled", o => o.JetStream, new JetStreamOptions() },
        { "store_dir: a\njetstream: true", o => o.JetStream, new JetStreamOptions { StoreDirectory = "a" } },
        { "jetstream { enabled: false }", o => o.JetStream!.Enabled, false },
        { "jetstream { store_dir: a, max_mem: 1Mb, max_file: 2G, domain: hub, strict: false, sync_interval: \"5s\", unique_tag: az }", o => o.JetStream, new JetStreamOptions { StoreDirectory = "a", MaxMemoryBytes = 1024 * 1024, MaxStoreBytes = 2_000_000_000, Domain = "hub", Strict = false, SyncInterval = TimeSpan.FromSeconds(5) } },
        { "jetstream { sync: always }", o => o.JetStream!.Durability, JetStreamDurability.SyncEach },
        { "jetstream { sync: group }", o => o.JetStream!.Durability, JetStreamDurability.GroupSync },
        { "jetstream { limits { max_ack_pending: 5, max_request_batch: 6, duplicate_window: \"1m\", max_duplicate_id_bytes: 11, batch { max_inflight_per_stream: 7, max_inflight_total: 8, max_msgs: 9, max_bytes: 10, timeout: \"2s\" } } }", o => o.JetStream, new JetStreamOptions { MaxBatchBytes = 10, MaxDuplicateIdBytes = 11, MaxAckPending = 5, MaxRequestBatch = 6, MaxDuplicateWindow = TimeSpan.FromMinutes(1), MaxBatchesPerStream = 7, MaxBatches = 8, MaxFastBatchesPerStream = 7, MaxFastBatches = 8, MaxBatchMessages = 9, BatchTimeout = TimeSpan.FromSeconds(2) } },
        { "jetstream { limits { default_max_consumers: 5, max_ha_assets: 6 } }", o => o.JetStream, new JetStreamOptions { DefaultMaxConsumers = 5 } },
        { "accounts { $G { jetstream { max_mem: 1Kb, disk: 2Kb, streams: 3, max_consumers: 4, max_bytes_required: true, mem_max_stream_bytes: 5, store_max_stream_bytes: 6, max_ack_pending: 7, cluster_traffic: owner } } }\njetstream: true", o => o.JetStream, new JetStreamOptions { AccountLimits = new JetStreamAccountLimits { MaxMemoryBytes = 1024, MaxStoreBytes = 2048, MaxStreams = 3, MaxConsumers = 4, MaxBytesRequired = true, MaxMemoryStreamBytes = 5, MaxFileStreamBytes = 6, MaxAckPending = 7 } } },
        { "accounts { $G { jetstream { max_mem: 1 } } }", o => o.JetStream!.Enabled, false },
        { "accounts { A { users: [{user: a, password: b}], default_permissions: { publish: x }, jetstream: enabled, limits { max_conn: 1, max_subs: 2, max_pay: 3, max_leafs: 4 } } }", o => { var a = o.Accounts.Single(); return (a.Name, a.Users[0].Name, a.DefaultPermissions!.Publish!.Allow![0], a.JetStream, a.MaxConnections, a.MaxSubscriptions, a.MaxPayloadBytes, a.MaxLeafNodes); }, ("A", "a", "x", new JetStreamAccountLimits(), 1, 2, 3, 4) },
        { "accounts { A { limits { max_conn: -1, max_subs: -1, max_pay: -1, max_leafs: -1 } } }", o => { var a = o.Accounts.Single(); return (a.MaxConnections, a.MaxSubscriptions, a.MaxPayloadBytes, a.MaxLeafNodes); }, (-1, -1, -1, -1) },
        { "accounts { A { limits { max_conn: -5, max_subs: -5, max_pay: -5, max_leafs: -5 } } }", o => { var a = o.Accounts.Single(); return (a.MaxConnections, a.MaxSubscriptions, a.MaxPayloadBytes, a.MaxLeafNodes); }, (0, 0, -5, 0) },
        { "accounts { A { jetstream { max_mem: 1, streams: 2 } }, B { jetstream: disabled }, C { jetstream: true, exports: [], imports: [] } }", o => string.Join('|', o.Accounts.Select(a => $"{a.Name} {a.JetStream?.MaxMemoryBytes} {a.JetStream?.MaxStreams}")), "A 1 2|B  |C -1 -1" },
        { "accounts [A, B]", o => string.Join('|', o.Accounts.Select(a => a.Name)), "A|B" },
        { "mappings { a: b, \"c.*\": [{dest: \"d.$1\", weight: 20%}, {destination: e, weight: 5}, {dest: f, weight: 100, cluster: x}] }", o => string.Join('|', o.Accounts.Single().Mappings.Select(m => $"{m.Source} {string.Join(' ', m.Destinations.Select(d => $"{d.Subject}={d.Weight}"))}")), "a b=100|c.* d.$1=20 e=5" },
        { "system_account: A\nno_auth_user: a", o => o.SystemAccount + o.Authorization!.NoAuthUser, "Aa" },
        { "system: \"\"\nno_system_account: true", o => (o.SystemAccount, o.NoSystemAccount), ((string?)null, true) },
        { "MY_PORT: 4444\nport: $MY_PORT", o => o.Port, 4444 },
        { "authorization { user: u, password: p, timeout: 1.5 }", o => (o.Authorization!.User, o.Authorization.Password, o.AuthTimeout), ("u", "p", TimeSpan.FromSeconds(1.5)) },
        { "authorization { token: $2a$04$xyz, timeout: \"3s\" }", o => (o.Authorization!.Token, o.AuthTimeout), ("$2a$04$xyz", TimeSpan.FromSeconds(3)) },
        { "authorization { users = [ {user: a, pass: b}, {username: c, password: d} ] }\nno_auth_user: a", o => string.Join('|', o.Authorization!.Users.Select(u => u.Name + u.Password)) + o.Authorization.NoAuthUser, "ab|cda" },
        { "no_auth_user: a\nauthorization { users = [ {user: a} ] }", o => o.Authorization!.NoAuthUser, "a" },
        { "authorization { default_permissions { publish: x, subscribe: [\"a\", \"b.> q\"] } }", o => Show(o.Authorization!.DefaultPermissions!), "pub +x - sub +a,b.> q -" },
        { "authorization { users: [ {user: a, permissions: { pub: {allow: x, deny: [y]}, sub: {deny: \">\"} } } ] }", o => Show(o.Authorization!.Users[0].Permissions!), "pub +x -y sub +all ->" },
        { "authorization { users: [ {user: a, permissions: { allow_responses: true } } ] }", o => (o.Authorization!.Users[0].Permissions!.Responses, o.Authorization.Users[0].Permissions!.Publish!.Allow!.Count), (new ResponsePermission(), 0) },
        { "authorization { users: [ {user: a, permissions: { allow_responses: {max: 5, expires: \"1m\"} } } ] }", o => o.Authorization!.Users[0].Permissions!.Responses, new ResponsePermission { MaxMessages = 5, Expires = TimeSpan.FromMinutes(1) } },
        { "authorization { users: [ {nkey: UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4, permissions: { publish: a } } ] }", o => (o.Authorization!.Users[0].Name, o.Authorization.Users[0].IsNkey, o.Authorization.Users[0].Permissions!.Publish!.Allow![0]), ("UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4", true, "a") },
        { "authorization { users: [ {user: a, allowed_connection_types: [standard, WEBSOCKET]} ] }", o => string.Join('|', o.Authorization!.Users[0].AllowedConnectionTypes!), "STANDARD|WEBSOCKET" },
    };

    public static TheoryData<string, string> Refused => new()
    {
        { "foo: 1", "x.conf:1:1: unknown field \"foo\"" },
        { "foo: 1\n\n  bar { a: 1 }", "x.conf:1:1: unknown field \"foo\"\nx.conf:3:3: unknown field \"bar\"" },
        { "port: x", "x.conf:1:1: port: expected an integer, got a string" },
        { "port: 70000", "x.conf:1:1: port value is too big" },
        { "port: -2", "x.conf:1:1: port value -2 is below -1" },
        { "debug: 1", "x.conf:1:1: debug: expected a boolean, got an integer" },
        { "server_name: 5", "x.conf:1:1: server_name: expected a string, got an integer" },
        { "server_name: 'a b'", "x.conf:1:1: server name cannot contain spaces" },
        { "server_tags: [1]", "x.conf:1:15: error parsing tags: unsupported type in array, expected a string, got an integer" },
        { "server_tags: 1", "x.conf:1:1: error parsing tags: expected a string or an array of strings, got an integer" },
        { "server_metadata: 1", "x.conf:1:1: server_metadata: expected a map, got an integer" },
        { "listen: foo", "x.conf:1:1: could not parse address string \"foo\"" },
        { "listen: '1:2:3'", "x.conf:1:1: could not parse address string \"1:2:3\"" },
        { "listen: 'a:b'", "x.conf:1:1: could not parse port \"b\"" },
        { "http: [1]", "x.conf:1:1: expected port or host:port, got an array" },
        { "max_payload: 3Gb", "x.conf:1:1: max_payload value is too big" },
        { "max_payload: -2", "x.conf:1:1: max_payload value -2 is below -1" },
        { "max_sub_tokens: 0", "x.conf:1:1: max_sub_tokens value can not be negative" },
        { "auth_throttle: 1", "x.conf:1:1: auth_throttle: expected a boolean or a map, got an integer" },
        { "auth_throttle { max_delay: \"2m\" }", "x.conf:1:17: max_delay value 2m0s is not between 0s and 1m0s" },
        { "auth_throttle { exempt: [x] }", "x.conf:1:17: exempt: \"x\" is not a network such as \"10.0.0.0/8\"" },
        { "auth_throttle { foo: 1 }", "x.conf:1:17: unknown field \"foo\"" },
        { "lame_duck_duration: 30", "x.conf:1:1: lame_duck_duration: expected a duration such as \"10s\", got an integer" },
        { "tls {}", "x.conf:1:1: the TLS configuration has no certificate: set 'cert_file' and 'key_file'" },
        { "ocsp: true", "x.conf:1:1: \"ocsp\" is not supported yet" },
        { "jetstream { tpm { keys_file: x } }", "x.conf:1:13: \"tpm\" is not supported yet" },
        { "max_sub_tokens: 300", "x.conf:1:1: max_sub_tokens value is too big" },
        { "ping_interval: \"x\"", "x.conf:1:1: error parsing ping_interval: time: invalid duration \"x\"" },
        { "lame_duck_duration: \"10s\"", "x.conf:1:1: invalid lame_duck_duration of 10s, minimum is 30 seconds" },
        { "lame_duck_grace_period: \"-1s\"", "x.conf:1:1: invalid lame_duck_grace_period, needs to be positive" },
        { "accounts { A { msg_trace: \"a.*\" } }", "x.conf:1:16: Trace destination \"a.*\" is not valid" },
        { "accounts { A { msg_trace { dest: a, sampling: 0 } } }", "x.conf:1:37: Trace destination sampling value 0 is invalid, needs to be [1..100]" },
        { "accounts { A { msg_trace { dest: a, sampling: \"some\" } } }", "x.conf:1:37: Invalid trace destination sampling value \"some\"" },
        { "accounts { A { msg_trace { dest: a, size: 1 } } }", "x.conf:1:37: Unknown field \"size\" parsing account message trace map/struct \"msg_trace\"" },
        { "accounts { A { msg_trace: 1 } }", "x.conf:1:16: Expected account message trace \"msg_trace\" to be a string or a map/struct, got an integer" },
        { "jetstream { cipher: rot13 }", "x.conf:1:13: Unknown cipher type: \"rot13\"" },
        { "store_dir: a\njetstream { store_dir: b }", "x.conf:2:13: duplicate 'store_dir' configuration" },
        { "jetstream: perhaps", "x.conf:1:1: expected 'enabled' or 'disabled' for string value, got 'perhaps'" },
        { "websocket { port: -1 }", "x.conf:1:1: websocket requires TLS configuration" },
        { "websocket: 1", "x.conf:1:1: websocket: expected a map, got an integer" },
        { "websocket { port: -1, no_tls: true, foo: 1 }", "x.conf:1:37: unknown field \"foo\"" },
        { "websocket { port: x, no_tls: 1, compression: 2, allowed_origins: [3] }", "x.conf:1:13: port: expected an integer, got a string\nx.conf:1:22: no_tls: expected a boolean, got an integer\nx.conf:1:33: compression: expected a boolean, got an integer\nx.conf:1:67: error parsing allowed origins: unsupported type in array, expected a string, got an integer" },
        { "websocket { port: -1, no_tls: true, handshake_timeout: \"x\" }", "x.conf:1:37: error parsing handshake_timeout: time: invalid duration \"x\"" },
        { "websocket { port: -1, no_tls: true, headers: 1 }", "x.conf:1:37: headers: expected a map, got an integer" },
        { "websocket { port: -1, no_tls: true, headers { a: 1 } }", "x.conf:1:47: a: expected a string, got an integer" },
        { "websocket { port: -1, no_tls: true, authorization { foo: 1 } }", "x.conf:1:53: unknown field \"foo\"" },
        { "websocket { port: -1, no_tls: true, authorization { timeout: x } }", "x.conf:1:53: timeout: expected a number of seconds, got a string" },
        { "accounts: 1", "x.conf:1:1: accounts: expected a map, got an integer" },
        { "accounts { $G { users: [] } }", "x.conf:1:17: \"$G\" is a Reserved Account" },
        { "accounts { $G {}, \"\" {} }", "x.conf:1:12: \"$G\" is a Reserved Account\nx.conf:1:19: an account must have a name" },
        { "accounts ['$G', A, A, 1]", "x.conf:1:11: \"$G\" is a Reserved Account\nx.conf:1:20: Duplicate Account Entry: A\nx.conf:1:23: accounts: expected a name, got an integer" },
        { "accounts { A: 1 }", "x.conf:1:12: Expected map entries for accounts" },
        { "accounts { A { foo: 1, limits { x: 1, max_subs: x } } }", "x.conf:1:16: unknown field \"foo\"\nx.conf:1:33: Unknown field \"x\" parsing account limits\nx.conf:1:39: max_subs: expected an integer, got a string" },
        { "accounts { A { limits: 1, users: 1, default_permissions: 1 } }", "x.conf:1:16: Expected account limits to be a map/struct, got an integer\nx.conf:1:27: Expected users field to be an array, got an integer\nx.conf:1:37: Expected permissions to be a map/struct, got an integer" },
        { "accounts { A { jetstream: x } }", "x.conf:1:16: Expected 'enabled' or 'disabled' for string value, got 'x'" },
        { "accounts { A { jetstream: 1 } }", "x.conf:1:16: Expected map, bool or string to define JetStream, got an integer" },
        { "accounts { A { nkey: x } }", "x.conf:1:16: \"nkey\" of an account is not supported yet" },
        { "accounts { A { users: [{user: a}] } }\naccounts { A { users: [{user: a}] }, B { users: [{user: a}] } }", "x.conf:2:42: Duplicate user \"a\" detected" },
        { "accounts { A { users: [{user: a}] }\n B { users: [{user: b}, {user: a}] } }", "x.conf:2:6: Duplicate user \"a\" detected" },
        { "accounts { A { users: [{user: a}] } }\nauthorization { users: [{user: a}] }", "x.conf:1:16: Duplicate user \"a\" detected" },
        { "accounts { A { users: [{user: a}] } }\nauthorization { user: b }", "x.conf:1:16: Can not have a single user/pass and accounts" },
        { "accounts { A { users: [{user: a}] } }\nauthorization { token: b }", "x.conf:1:16: Can not have a token and accounts" },
        { "system_account: 1", "x.conf:1:1: system account name must be a string" },
        { "mappings: 1", "x.conf:1:1: mappings: expected a map, got an integer" },
        { "accounts { A { mappings { \"b..c\": d } } }", "x.conf:1:27: Subject \"b..c\" is not a valid subject" },
        { "accounts { A { mappings { \"a.*\": \"b.$2\" } } }", "x.conf:1:27: Error adding mapping for \"a.*\" to \"b.$2\" : invalid mapping destination: wildcard index out of range in $2: [2]" },
        { "mappings { a: [{dest: b}] }", "x.conf:1:16: Missing weight for mapping destination \"b\"" },
        { "mappings { a: [{dest: b, weight: 60}, {dest: c, weight: 60%}] }", "x.conf:1:12: Error adding mapping for \"a\" : total weight needs to be <= 100" },
        { "mappings { a: [{dest: b, weight: 600}] }", "x.conf:1:26: Invalid weight 600 for mapping destination" },
        { "mappings { a: {dest: b, weight: x} }", "x.conf:1:25: Invalid weight \"x\" for mapping destination" },
        { "mappings { a: [1, {foo: 1}] }", "x.conf:1:16: Expected an entry for the mapping destination\nx.conf:1:20: Unknown field \"foo\" for mapping destination" },
        { "accounts { $G { jetstream { max_mem: x, foo: 1, max_bytes: 1 } } }", "x.conf:1:29: max_mem: expected an integer, got a string\nx.conf:1:41: unknown field \"foo\"\nx.conf:1:49: max_bytes: expected a boolean, got an integer" },
        { "authorization: 1", "x.conf:1:1: authorization: expected a map, got an integer" },
        { "authorization { foo: 1 }", "x.conf:1:17: unknown field \"foo\"" },
        { "authorization { user: 1 }", "x.conf:1:17: user: expected a string, got an integer" },
        { "authorization { user: a, token: b }", "x.conf:1:1: Cannot have a user/pass and token" },
        { "authorization { user: a, users: [] }", "x.conf:1:1: Can not have a single user/pass and a users array" },
        { "authorization { token: a, users: [] }", "x.conf:1:1: Can not have a token and a users array" },
        { "authorization { users: [ {user: a}, {user: a} ] }", "x.conf:1:1: Duplicate user \"a\" detected" },
        { "authorization { users: x }", "x.conf:1:17: Expected users field to be an array, got a string" },
        { "authorization { users: [ x ] }", "x.conf:1:26: Expected user entry to be a map/struct, got a string" },
        { "authorization { users: [ {pass: x} ] }", "x.conf:1:26: User entry requires a user" },
        { "authorization { users: [ {nkey: U} ] }", "x.conf:1:26: Not a valid public nkey for a user" },
        { "authorization { users: [ {nkey: UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4, user: a} ] }", "x.conf:1:26: Nkey users do not take usernames or passwords" },
        { "authorization { users: [ {nkey: UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4, pass: a} ] }", "x.conf:1:26: Nkey users do not take usernames or passwords" },
        { "authorization { users: [ {nkey: UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4}, {nkey: UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4} ] }", "x.conf:1:1: Duplicate nkey \"UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4\" detected" },
        { "authorization { users: [ {user: a, allowed_connection_types: [X, Y]} ] }", "x.conf:1:36: invalid connection types [\"X\" \"Y\"]" },
        { "authorization { timeout: true }", "x.conf:1:17: error parsing authorization config, 'timeout' wrong type" },
        { "authorization { timeout: x }", "x.conf:1:17: error parsing authorization config, 'timeout' time: invalid duration \"x\"" },
        { "authorization { proxy_required: true }", "x.conf:1:17: \"proxy_required\" is not supported yet" },
        { "authorization { permissions: 1 }", "x.conf:1:17: Expected permissions to be a map/struct, got an integer" },
        { "authorization { permissions { foo: 1 } }", "x.conf:1:31: Unknown field \"foo\" parsing permissions" },
        { "authorization { permissions { pub { foo: 1 } } }", "x.conf:1:37: Unknown field name \"foo\" parsing subject permissions, only 'allow' or 'deny' are permitted" },
        { "authorization { permissions { pub: 1 } }", "x.conf:1:31: Expected subject permissions to be a subject, or array of subjects, got an integer" },
        { "authorization { permissions { pub: [1] } }", "x.conf:1:37: Subject in permissions array cannot be cast to string" },
        { "authorization { permissions { pub: 'a b' } }", "x.conf:1:31: subject \"a b\" is not a valid subject" },
        { "authorization { permissions { sub: 'a b c' } }", "x.conf:1:31: subject \"a b c\" is not a valid subject" },
        { "authorization { permissions { allow_responses: 5 } }", "x.conf:1:31: error parsing response permissions, expected a boolean or a map" },
        { "authorization { permissions { allow_responses: {expires: 5} } }", "x.conf:1:49: error parsing expires, not a duration string" },
    };

    [Theory]
    [MemberData(nameof(Keys))]
    public void Key_sets_its_option(string text, Func<BrokerOptions, object?> read, object? expected)
    {
        var options = new BrokerOptions();

        Apply(text, options);

        Assert.Equal(expected, read(options));
    }

    [Theory]
    [MemberData(nameof(Refused))]
    public void Bad_value_is_refused_with_place_and_reason(string text, string expected)
    {
        var refusal = Assert.Throws<BrokerException>(() => Apply(text, new BrokerOptions()));

        Assert.Equal(BrokerError.InvalidConfiguration, refusal.Error);
        Assert.Equal(expected, refusal.Message);
    }

    [Theory]
    [InlineData("", "x.conf: config has no values or is empty")]
    [InlineData("ping_interval: 2m", "x.conf:1:1: invalid use of field \"ping_interval\": ping_interval should be converted to a duration")]
    [InlineData("authorization { timeout: 61 }", "x.conf:1:17: invalid use of field \"timeout\": timeout of 1m1s is high, consider keeping it under 60 seconds. possibly caused by unquoted duration; use '1m' instead of 1m, for example")]
    public void Doubtful_value_is_used_with_a_warning(string text, string warning)
        => Assert.Equal([warning], Apply(text, new BrokerOptions()));

    [Fact]
    public void Missing_file_is_refused_by_name()
    {
        var refusal = Assert.Throws<BrokerException>(() => ConfigurationFile.Apply("gone.conf", new BrokerOptions(), new MemoryConfigSource()));

        Assert.Equal("open gone.conf: no such file or directory", refusal.Message);
    }

    // The digests are those nats-server 2.15.1 prints for the same files with -t.
    [Theory]
    [InlineData("{\"port\": -1, \"server_tags\":[\"a\",\"b\"]}", "sha256:d127cab9380e6c74d0894707cede545c354a670fecd2b7b74f43b3a177bd0b92")]
    [InlineData("""
        # digest sample
        A: "x"
        listen: 127.0.0.1:4222
        max_payload: 2Mb
        debug: on
        server_name: "a<b>&c"
        authorization {
          users = [ {user: a, pass: $A}, {user: b, pass: "p\tq"} ]
          timeout: 2.5
        }
        server_metadata { z: "ü", "k y": 'v\n' }
        """, "sha256:16bd73d766102f5e3167e1c31b723a0fe7f2ed0f492a7a3b9735cf4977569f82")]
    public void Digest_is_the_one_nats_server_shows(string text, string digest)
    {
        var options = new BrokerOptions();

        Apply(text, options);

        Assert.Equal(digest, options.ConfigurationDigest);
    }

    private static IReadOnlyList<string> Apply(string text, BrokerOptions options) =>
        ConfigurationFile.Apply("x.conf", options, new MemoryConfigSource { Files = { ["x.conf"] = text } });

    private static string Show(PermissionOptions permissions) =>
        $"pub {Show(permissions.Publish)} sub {Show(permissions.Subscribe)}";

    private static string Show(SubjectPermission? permission) =>
        $"+{(permission?.Allow is { } allow ? string.Join(',', allow) : "all")} -{string.Join(',', permission?.Deny ?? [])}";
}
