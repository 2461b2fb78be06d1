namespace Postrider.InteropTests.Protocol;

/// <summary>Conversations with a server that has accounts; the same file for both servers.</summary>
internal static class AccountConversations
{
    private const string TwoAccounts = """
        accounts {
          A { users [ { user: a, password: p }, { user: few, password: p, permissions { publish: "allowed.>", subscribe: "allowed.>" } } ] }
          B { users [ { user: b, password: p } ] }
        }
        """;

    private const string Limited = """
        max_subs: 3
        accounts {
          A { users [ { user: a, password: p } ], limits { max_connections: 1, max_subscriptions: 2, max_payload: 4 } }
          B { users [ { user: b, password: p } ], limits { max_subs: 5 } }
          D { users [ { user: d, password: p } ], limits { max_conn: 0 } }
        }
        """;

    private const string Mapped = """
        accounts {
          A {
            users [ { user: a, password: p }, { user: few, password: p, permissions { publish: "to.>" } } ]
            mappings { plain: to.plain, "one.*.*": "to.$2.$1", "tail.>": "to.>", stays: [ { dest: never, weight: 0 } ], lost: [ { dest: lost, weight: 0 } ] }
          }
          B { users [ { user: b, password: p } ] }
        }
        mappings { plain: global }
        """;

    private const string HelloAB = """
        A> CONNECT {"verbose":false,"user":"a","pass":"p"}
        B> CONNECT {"verbose":false,"user":"b","pass":"p"}

        """;

    private static readonly Dictionary<string, (string Configuration, string Script)> All = new()
    {
        ["messages stay in their account"] = (TwoAccounts, HelloAB + """
            A> SUB > 1
            A> SUB x q 2
            B> SUB * 1
            A> PUB x 1
            A> a
            B> PUB x 1
            B> b
            A< MSG x 1 1
            A< a
            A< MSG x 2 1
            A< a
            B< MSG x 1 1
            B< b
            """),
        ["queue groups of the same name are each account's own"] = (TwoAccounts, HelloAB + """
            A> SUB work crew 1
            B> SUB work crew 1
            A> PUB work 1
            A> 1
            A> PUB work 1
            A> 2
            B> PUB work 1
            B> 3
            A< MSG work 1 1
            A< 1
            A< MSG work 1 1
            A< 2
            B< MSG work 1 1
            B< 3
            """),
        ["no responders are those of the account"] = (TwoAccounts, """
            A> CONNECT {"verbose":false,"user":"a","pass":"p","headers":true,"no_responders":true}
            A> SUB r 1
            B> CONNECT {"verbose":false,"user":"b","pass":"p"}
            B> SUB ask 1
            A> PUB ask r 0
            A>
            A< HMSG r 1 35 35
            A< NATS/1.0 503
            A< Nats-Subject: ask
            A<
            A<
            """),
        ["permissions are the user's within its account"] = (TwoAccounts, """
            A> CONNECT {"verbose":false,"user":"a","pass":"p"}
            A> SUB > 1
            F> CONNECT {"verbose":false,"user":"few","pass":"p"}
            F> PUB allowed.x 1
            F> y
            F> SUB other 1
            F> PUB other 1
            F> x
            A< MSG allowed.x 1 1
            A< y
            F< -ERR 'Permissions Violation for Subscription to "other"'
            F< -ERR 'Permissions Violation for Publish to "other"'
            """),
        ["users of authorization belong to the global account"] = (
            "accounts { A { users [ { user: a, password: p } ] } }\nauthorization { users [ { user: b, password: p } ] }\nno_auth_user: b",
            HelloAB + """
            A> SUB x 1
            B> SUB x 1
            C> SUB x 1
            C> PUB x 1
            C> c
            B< MSG x 1 1
            B< c
            C< MSG x 1 1
            C< c
            """),
        ["no_auth_user goes into its account"] = (TwoAccounts + "\nno_auth_user: b", HelloAB + """
            A> SUB x 1
            B> SUB x 1
            C> (no CONNECT)
            C> PUB x 1
            C> c
            B< MSG x 1 1
            B< c
            C< +OK
            """),
        ["only the system account has users"] = ("accounts { $SYS { users [ { user: a, password: p } ] } }", """
            A> CONNECT {"verbose":false,"user":"a","pass":"p"}
            A> SUB x 1
            C> SUB x 1
            C> PUB x 1
            C> c
            D> CONNECT {"verbose":false,"user":"a","pass":"wrong"}
            C< MSG x 1 1
            C< c
            D< -ERR 'Authorization Violation'
            D< (closed)
            """),
        ["another connect goes over to another account"] = (TwoAccounts, """
            B> CONNECT {"verbose":false,"user":"b","pass":"p"}
            A> CONNECT {"verbose":false,"user":"a","pass":"p"}
            A> SUB x 1
            A> CONNECT {"verbose":false,"user":"b","pass":"p"}
            A> SUB y 2
            B> PUB x 1
            B> 1
            B> PUB y 1
            B> 2
            A< MSG y 2 1
            A< 2
            """),
        ["another connect keeps what it does not name"] = (TwoAccounts, """
            A> CONNECT {"verbose":false,"user":"a","pass":"p","headers":true,"no_responders":true}
            A> CONNECT {"pedantic":false}
            A> SUB r 1
            A> PUB ask r 0
            A>
            A> CONNECT {"pass":"wrong"}
            A< HMSG r 1 35 35
            A< NATS/1.0 503
            A< Nats-Subject: ask
            A<
            A<
            A< -ERR 'Authorization Violation'
            A< (closed)
            """),
        ["connections of an account are limited"] = (Limited, """
            A> CONNECT {"verbose":false,"user":"a","pass":"p"}
            E> CONNECT {"verbose":false,"user":"a","pass":"p"}
            D> CONNECT {"verbose":false,"user":"d","pass":"p"}
            B> CONNECT {"verbose":true,"user":"b","pass":"p"}
            B< +OK
            D< -ERR 'maximum account active connections exceeded'
            D< (closed)
            E< -ERR 'maximum account active connections exceeded'
            E< (closed)
            """),
        ["subscriptions and payloads of an account are limited"] = (Limited, HelloAB + """
            A> SUB 1 1
            A> SUB 2 2
            A> SUB 3 3
            B> SUB 1 1
            B> SUB 2 2
            B> SUB 3 3
            B> SUB 4 4
            B> PUB x 5
            B> 12345
            A> PUB 1 4
            A> 1234
            A> PUB 1 5
            A< -ERR 'maximum subscriptions exceeded'
            A< MSG 1 1 4
            A< 1234
            A< -ERR 'Maximum Payload Violation'
            A< (closed)
            B< -ERR 'maximum subscriptions exceeded'
            """),
        ["subjects are mapped before they are allowed"] = (Mapped, """
            A> CONNECT {"verbose":false,"user":"a","pass":"p"}
            A> SUB > 1
            B> CONNECT {"verbose":false,"user":"b","pass":"p"}
            B> SUB > 1
            B> PUB plain 1
            B> b
            F> CONNECT {"verbose":false,"headers":true,"user":"few","pass":"p"}
            F> PUB plain re.ply 1
            F> 1
            F> PUB one.x.y 1
            F> 2
            F> PUB tail.a.b.c 1
            F> 3
            F> PUB one.x 1
            F> 4
            F> PUB stays 1
            F> 5
            F> HPUB one.x.y r 12 13
            F> NATS/1.0
            F>
            F> 6
            A< MSG to.plain 1 re.ply 1
            A< 1
            A< MSG to.y.x 1 1
            A< 2
            A< MSG to.a.b.c 1 1
            A< 3
            A< MSG to.y.x 1 r 1
            A< 6
            B< MSG plain 1 1
            B< b
            F< -ERR 'Permissions Violation for Publish to "one.x"'
            F< -ERR 'Permissions Violation for Publish to "stays"'
            """),
        ["a mapping can lose messages"] = (Mapped, """
            A> CONNECT {"verbose":true,"user":"a","pass":"p"}
            A> SUB > 1
            A> PUB lost 1
            A> x
            A> PUB stays 1
            A> y
            A< +OK
            A< +OK
            A< +OK
            A< +OK
            A< MSG stays 1 1
            A< y
            """),
        ["mappings at the top are the global account's"] = ("mappings { plain: global }", """
            A> SUB > 1
            A> PUB plain 1
            A> x
            A> PUB other 1
            A> y
            A< MSG global 1 1
            A< x
            A< MSG other 1 1
            A< y
            """),
    };

    public static IEnumerable<string> Names => All.Keys;

    public static string Configuration(string name) => All[name].Configuration;

    public static string Script(string name) => All[name].Script;
}
