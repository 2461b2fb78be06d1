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
