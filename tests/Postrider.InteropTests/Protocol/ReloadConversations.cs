namespace Postrider.InteropTests.Protocol;

/// <summary>Conversations in the middle of which the server's configuration changes; the same files for both servers.</summary>
internal static class ReloadConversations
{
    private const string Users = """
        authorization { users [
          { user: a, password: a }
          { user: b, password: b, permissions: { publish: ["p", "q"], subscribe: ["s.>", "q.* g"] } }
        ] }
        """;

    private const string Hello = """
        A> CONNECT {"verbose":false,"user":"a","pass":"a"}
        B> CONNECT {"verbose":false,"user":"b","pass":"b"}
        B> SUB s.x 1
        B> SUB s.y 2
        B> SUB q.1 g 3
        -> reload

        """;

    private const string Accounts = """
        accounts {
          A { users [ { user: a, password: a } ] }
          B { users [ { user: b, password: b } ] }
        }
        """;

    private const string AccountsHello = """
        A> CONNECT {"verbose":false,"user":"a","pass":"a"}
        A> SUB x 1
        B> CONNECT {"verbose":false,"user":"b","pass":"b"}
        B> SUB x 1
        -> reload

        """;

    private static readonly Dictionary<string, (string Before, string After, string Script)> All = new()
    {
        ["user who is gone is disconnected without a word"] = (Users, Users.Replace("{ user: a, password: a }", "", StringComparison.Ordinal), Hello + """
            A< (closed)
            """),
        ["user whose password changed is disconnected"] = (Users, Users.Replace("password: a", "password: z", StringComparison.Ordinal), Hello + """
            A< -ERR 'Authorization Violation'
            A< (closed)
            """),
        ["permissions that changed hold at once"] = (
            Users,
            Users.Replace("\"p\", ", "", StringComparison.Ordinal).Replace("s.>", "s.x", StringComparison.Ordinal),
            Hello + """
            B> PUB p 1
            B> x
            B> PUB q 1
            B> x
            A> PUB s.x 1
            A> y
            A> PUB s.y 1
            A> z
            B< -ERR 'Permissions Violation for Subscription to "s.y" (sid "2")'
            B< -ERR 'Permissions Violation for Publish to "p"'
            B< MSG s.x 1 1
            B< y
            """),
        // By itself: in which order Go's server tells of two lost subscriptions is chance.
        ["permissions of a queue group that changed hold at once"] = (Users, Users.Replace("q.* g", "r", StringComparison.Ordinal), Hello + """
            A> PUB s.y 1
            A> z
            A> PUB q.1 1
            A> z
            B< -ERR 'Permissions Violation for Subscription to "q.1" using queue "g" (sid "3")'
            B< MSG s.y 2 1
            B< z
            """),
        ["clients without credentials go when some are asked for"] = ("", Users, """
            A> CONNECT {"verbose":false}
            B> (no CONNECT)
            B> PING
            -> reload
            A< -ERR 'Authorization Violation'
            A< (closed)
            B< PONG
            B< -ERR 'Authorization Violation'
            B< (closed)
            """),
        ["users go when there are none any more"] = (Users, "", """
            A> CONNECT {"verbose":false,"user":"a","pass":"a"}
            -> reload
            A< (closed)
            """),
        ["token that changed disconnects"] = ("authorization { token: x }", "authorization { token: y }", """
            A> CONNECT {"verbose":false,"auth_token":"x"}
            -> reload
            B> CONNECT {"verbose":true,"auth_token":"y"}
            A< -ERR 'Authorization Violation'
            A< (closed)
            B< +OK
            """),
        ["accounts stay with their users"] = (Accounts, Accounts.Replace("B {", "C { users [ { user: c, password: c } ] }\nB {", StringComparison.Ordinal), AccountsHello + """
            C> CONNECT {"verbose":false,"user":"c","pass":"c"}
            C> SUB x 1
            A> PUB x 1
            A> a
            C> PUB x 1
            C> c
            A< MSG x 1 1
            A< a
            C< MSG x 1 1
            C< c
            """),
        ["account that is gone takes its connections with it"] = (Accounts, "accounts { A { users [ { user: a, password: a } ] } }", AccountsHello + """
            A> PUB x 1
            A> a
            A< MSG x 1 1
            A< a
            B< (closed)
            """),
        ["user who went over to another account is disconnected"] = (Accounts, "accounts { A { users [ { user: a, password: a }, { user: b, password: b } ] } }", AccountsHello + """
            A> PUB x 1
            A> a
            A< MSG x 1 1
            A< a
            B< (closed)
            """),
        ["limits of accounts that changed hold at once"] = (Accounts, Accounts.Replace("A {", "A { limits { max_payload: 2, max_subs: 2 },", StringComparison.Ordinal), AccountsHello + """
            A> SUB y 2
            A> SUB z 3
            B> SUB y 2
            B> PUB x 3
            B> 123
            A> PUB x 3
            A< -ERR 'maximum subscriptions exceeded'
            A< -ERR 'Maximum Payload Violation'
            A< (closed)
            B< MSG x 1 3
            B< 123
            """),
        ["mappings that changed hold at once"] = (Accounts, Accounts.Replace("A {", "A { mappings { y: x },", StringComparison.Ordinal), AccountsHello + """
            A> PUB y 1
            A> a
            B> PUB y 1
            B> b
            A< MSG x 1 1
            A< a
            """),
        ["limits that changed hold at once"] = ("", "max_payload: 10", """
            A> SUB a 1
            -> reload
            A> PUB a 10
            A> 0123456789
            A> PUB a 11
            A< MSG a 1 10
            A< 0123456789
            A< -ERR 'Maximum Payload Violation'
            A< (closed)
            """),
        ["file with an error changes nothing"] = ("max_payload: 10", "max_payload: 20\nnonsense: true", """
            A> PUB a 1
            A> x
            -> reload
            A> PUB a 11
            A< -ERR 'Maximum Payload Violation'
            A< (closed)
            """),
        ["file that asks for what needs a restart changes nothing"] = ("max_payload: 10", "max_payload: 20\nno_header_support: true", """
            A> PUB a 1
            A> x
            -> reload
            A> PUB a 11
            A< -ERR 'Maximum Payload Violation'
            A< (closed)
            """),
    };

    public static IEnumerable<string> Names => All.Keys;

    public static (string Before, string After, string Script) Get(string name) => All[name];
}
