namespace Postrider.InteropTests.Protocol;

/// <summary>Conversations with a server that a configuration file set up; the same file for both servers.</summary>
internal static class ConfiguredConversations
{
    private const string Users = """
        authorization {
          users [
            { user: all, password: pw }
            { user: few, password: pw, permissions: {
                publish: { allow: ["open.>", "ask"], deny: "open.secret" }
                subscribe: { allow: ["open.>", "_INBOX.>", "work.> crew"], deny: "open.secret" }
            } }
            { user: answers, password: pw, permissions: { subscribe: "ask", publish: "none", allow_responses: true } }
          ]
        }
        """;

    private static readonly Dictionary<string, (string Configuration, string Script)> All = new()
    {
        ["wrong password closes"] = (Users, """
            A> CONNECT {"verbose":false,"user":"all","pass":"wrong"}
            A< -ERR 'Authorization Violation'
            A< (closed)
            """),
        ["a limit of subscriptions of -1 is none"] = ("max_subs: -1", """
            A> SUB a 1
            A> PUB a 1
            A> x
            A< MSG a 1 1
            A< x
            """),
        ["an account's limit of payloads below -1 allows not even an empty one"] = ("accounts { A { users: [{user: a, password: p}], limits { max_payload: -5 } } }", """
            A> CONNECT {"verbose":false,"user":"a","pass":"p"}
            A> PUB a 0
            A>
            A< -ERR 'Maximum Payload Violation'
            A< (closed)
            """),
        ["an account's limit of connections below -1 allows none"] = ("accounts { A { users: [{user: a, password: p}], limits { max_conn: -5 } } }", """
            A> CONNECT {"verbose":false,"user":"a","pass":"p"}
            A< -ERR 'maximum account active connections exceeded'
            A< (closed)
            """),
        ["empty credentials in the file ask for none, and default permissions are for users"] = (
            "authorization { user: \"\", token: \"\", permissions: { publish: other } }",
            """
            A> SUB a 1
            A> PUB a 1
            A> x
            A< MSG a 1 1
            A< x
            """),
        ["default permissions are not for those who give a token"] = (
            "authorization { token: t, permissions: { publish: other } }",
            """
            A> CONNECT {"verbose":false,"auth_token":"t"}
            A> SUB a 1
            A> PUB a 1
            A> x
            A< MSG a 1 1
            A< x
            """),
        ["no credentials closes"] = (Users, """
            A> CONNECT {"verbose":false}
            A< -ERR 'Authorization Violation'
            A< (closed)
            """),
        ["operation before CONNECT closes"] = (Users, """
            A> (no CONNECT)
            A> SUB a 1
            A< -ERR 'Authorization Violation'
            A< (closed)
            """),
        ["publish without permission is refused and the connection stays"] = (Users, """
            A> CONNECT {"verbose":false,"user":"few","pass":"pw"}
            A> PUB shut 1
            A> x
            A> PUB open.secret 1
            A> x
            A> SUB open.a 1
            A> PUB open.a 1
            A> y
            A< -ERR 'Permissions Violation for Publish to "shut"'
            A< -ERR 'Permissions Violation for Publish to "open.secret"'
            A< MSG open.a 1 1
            A< y
            """),
        ["subscription without permission is refused and the connection stays"] = (Users, """
            A> CONNECT {"verbose":false,"user":"few","pass":"pw"}
            A> SUB shut 1
            A> SUB > 2
            A> SUB open.secret 3
            A> SUB open.b 4
            A> PUB open.b 1
            A> y
            A< -ERR 'Permissions Violation for Subscription to "shut"'
            A< -ERR 'Permissions Violation for Subscription to ">"'
            A< -ERR 'Permissions Violation for Subscription to "open.secret"'
            A< MSG open.b 4 1
            A< y
            """),
        ["permission may ask for a queue group"] = (Users, """
            A> CONNECT {"verbose":false,"user":"few","pass":"pw"}
            A> SUB work.a 1
            A> SUB work.a other 2
            A> SUB work.a crew 3
            B> CONNECT {"verbose":false,"user":"all","pass":"pw"}
            B> PUB work.a 1
            B> x
            A< -ERR 'Permissions Violation for Subscription to "work.a"'
            A< -ERR 'Permissions Violation for Subscription to "work.a" using queue "other"'
            A< MSG work.a 3 1
            A< x
            """),
        ["denied subject is filtered from a wider subscription"] = (Users, """
            A> CONNECT {"verbose":false,"user":"few","pass":"pw"}
            A> SUB open.> 1
            B> CONNECT {"verbose":false,"user":"all","pass":"pw"}
            B> PUB open.secret 1
            B> 1
            B> PUB open.told 1
            B> 2
            A< MSG open.told 1 1
            A< 2
            """),
        ["answer is allowed once where only answers are"] = (Users, """
            A> CONNECT {"verbose":false,"user":"answers","pass":"pw"}
            A> SUB ask 1
            B> CONNECT {"verbose":false,"user":"few","pass":"pw"}
            B> SUB _INBOX.1 9
            B> PUB ask _INBOX.1 1
            B> q
            A> PUB _INBOX.1 1
            A> a
            A> PUB _INBOX.1 1
            A> b
            A< MSG ask 1 _INBOX.1 1
            A< q
            A< -ERR 'Permissions Violation for Publish to "_INBOX.1"'
            B< MSG _INBOX.1 9 1
            B< a
            """),
        ["verbose refusal is an error instead of +OK"] = (Users, """
            A> CONNECT {"verbose":true,"user":"few","pass":"pw"}
            A> PUB shut 1
            A> x
            A> SUB shut 1
            A< +OK
            A< -ERR 'Permissions Violation for Publish to "shut"'
            A< -ERR 'Permissions Violation for Subscription to "shut"'
            """),
        ["token opens"] = ("authorization { token: s3cret }", """
            A> CONNECT {"verbose":false,"auth_token":"s3cret"}
            A> SUB a 1
            A> PUB a 1
            A> x
            B> CONNECT {"verbose":false,"auth_token":"guess"}
            A< MSG a 1 1
            A< x
            B< -ERR 'Authorization Violation'
            B< (closed)
            """),
        ["one user"] = ("authorization { user: me, password: pw }", """
            A> CONNECT {"verbose":true,"user":"me","pass":"pw"}
            B> CONNECT {"verbose":true,"user":"you","pass":"pw"}
            A< +OK
            B< -ERR 'Authorization Violation'
            B< (closed)
            """),
        ["password stored as bcrypt"] = ("authorization { user: me, password: \"$2a$04$SGZajZ5NEZkKyqYRfL9rKuxTd1cQYZ.pE8h8O/UaN/nfCkHw1Z7FS\" }", """
            A> CONNECT {"verbose":true,"user":"me","pass":"pw"}
            B> CONNECT {"verbose":true,"user":"me","pass":"no"}
            A< +OK
            B< -ERR 'Authorization Violation'
            B< (closed)
            """),
        ["nobody in particular is a configured user"] = ("no_auth_user: guest\nauthorization { users [ { user: guest, password: pw, permissions: { publish: \"open\" } } ] }", """
            A> SUB open 1
            A> PUB open 1
            A> x
            A> PUB shut 1
            A> x
            A< MSG open 1 1
            A< x
            A< -ERR 'Permissions Violation for Publish to "shut"'
            """),
        ["payload limit of the file"] = ("max_payload: 10", """
            A> SUB a 1
            A> PUB a 10
            A> 0123456789
            A> PUB a 11
            A< MSG a 1 10
            A< 0123456789
            A< -ERR 'Maximum Payload Violation'
            A< (closed)
            """),
        ["control line limit of the file"] = ("max_control_line: 512", $"""
            A> SUB {new string('a', 300)} 1
            A> SUB {new string('a', 600)} 1
            A< -ERR 'maximum control line exceeded'
            A< (closed)
            """),
        ["subscription limit of the file"] = ("max_subscriptions: 2", """
            A> SUB a 1
            A> SUB b 2
            A> SUB c 3
            A> PUB b 1
            A> x
            A< -ERR 'maximum subscriptions exceeded'
            A< MSG b 2 1
            A< x
            """),
        ["token limit of a subscription"] = ("max_sub_tokens: 2", """
            A> SUB a.b.c 1
            A> SUB a.b 2
            A> PUB a.b 1
            A> x
            A< -ERR 'Permissions Violation for Subscription to "a.b.c", too many tokens'
            A< MSG a.b 2 1
            A< x
            """),
        ["connection limit of the file"] = ("max_connections: 1", """
            A> SUB a 1
            B> SUB a 1
            A> PUB a 1
            A> x
            A< MSG a 1 1
            A< x
            B< -ERR 'maximum connections exceeded'
            B< (closed)
            """),
    };

    public static IEnumerable<string> Names => All.Keys;

    public static string Configuration(string name) => All[name].Configuration;

    public static string Script(string name) => All[name].Script;
}
