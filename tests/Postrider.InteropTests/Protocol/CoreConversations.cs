namespace Postrider.InteropTests.Protocol;

/// <summary>Conversations in which everything goes well.</summary>
internal static class CoreConversations
{
    private static readonly Dictionary<string, string> Scripts = new()
    {
        ["null in CONNECT is as if it were not said"] = """
            A> CONNECT {"verbose":null,"pedantic":null,"echo":null,"headers":null,"no_responders":null,"user":null}
            A> SUB a 1
            A> PUB a.* 1
            A> x
            A> PUB a 1
            A> y
            A< +OK
            A< +OK
            A< -ERR 'Invalid Publish Subject'
            A< +OK
            A< +OK
            A< MSG a 1 1
            A< y
            """,
        ["null instead of CONNECT's object is an empty one"] = """
            A> CONNECT null
            A> SUB a 1
            A> PUB a 1
            A> y
            A< +OK
            A< +OK
            A< +OK
            A< MSG a 1 1
            A< y
            """,
        ["publish reaches a subscriber"] = """
            A> SUB news 1
            B> PUB news 5
            B> hello
            A< MSG news 1 5
            A< hello
            """,
        ["publish before CONNECT is served, and verbose is the default"] = """
            A> (no CONNECT)
            A> SUB early 1
            A> PUB early 2
            A> ok
            A< +OK
            A< +OK
            A< MSG early 1 2
            A< ok
            """,
        ["reply subject is passed on"] = """
            A> SUB ask 7
            B> PUB ask inbox.1 4
            B> ping
            A< MSG ask 7 inbox.1 4
            A< ping
            """,
        ["empty payload is delivered"] = """
            A> SUB empty 1
            B> PUB empty 0
            B>
            A< MSG empty 1 0
            A<
            """,
        ["payload may hold line ends"] = """
            A> SUB lines 1
            B> PUB lines 8
            B> one
            B> two
            A< MSG lines 1 8
            A< one
            A< two
            """,
        ["operations and spaces are read generously"] = """
            A> sub   spaced    9
            B> Pub	spaced 	 2
            B> ok
            A< MSG spaced 9 2
            A< ok
            """,
        ["star matches one token"] = """
            A> SUB *.b.* 1
            B> PUB a.b.c 1
            B> 1
            B> PUB a.b 1
            B> 2
            B> PUB a.b.c.d 1
            B> 3
            A< MSG a.b.c 1 1
            A< 1
            """,
        ["tail matches one token or more"] = """
            A> SUB t.> 1
            B> PUB t 1
            B> 1
            B> PUB t.a 1
            B> 2
            B> PUB t.a.b 1
            B> 3
            A< MSG t.a 1 1
            A< 2
            A< MSG t.a.b 1 1
            A< 3
            """,
        ["wildcards inside a token are letters"] = """
            A> SUB w*x.y> 1
            B> PUB w*x.y> 1
            B> 1
            B> PUB wax.yz 1
            B> 2
            A< MSG w*x.y> 1 1
            A< 1
            """,
        ["two subscriptions of one connection are two deliveries"] = """
            A> SUB twice 1
            A> SUB twice two
            A> UNSUB 1
            B> PUB twice 1
            B> x
            A< MSG twice two 1
            A< x
            """,
        ["queue group delivers once"] = """
            A> SUB work crew 1
            B> PUB work 1
            B> x
            B> PUB work 1
            B> y
            A< MSG work 1 1
            A< x
            A< MSG work 1 1
            A< y
            """,
        ["queue group and plain subscription both hear"] = """
            A> SUB job 1
            B> SUB job crew 2
            C> PUB job 1
            C> x
            A< MSG job 1 1
            A< x
            B< MSG job 2 1
            B< x
            """,
        ["unsubscribe ends delivery"] = """
            A> SUB off 1
            B> PUB off 1
            B> 1
            A> UNSUB 1
            B> PUB off 1
            B> 2
            A< MSG off 1 1
            A< 1
            """,
        ["unsubscribe after a number of messages"] = """
            A> SUB few 1
            A> UNSUB 1 2
            B> PUB few 1
            B> 1
            B> PUB few 1
            B> 2
            B> PUB few 1
            B> 3
            A< MSG few 1 1
            A< 1
            A< MSG few 1 1
            A< 2
            """,
        ["unsubscribe after a number that was already reached ends at once"] = """
            A> SUB had 1
            B> PUB had 1
            B> 1
            A> UNSUB 1 1
            B> PUB had 1
            B> 2
            A< MSG had 1 1
            A< 1
            """,
        ["unsubscribe of an unknown sid is no error"] = """
            A> UNSUB 99
            A> SUB still 1
            A> PUB still 1
            A> x
            A< MSG still 1 1
            A< x
            """,
        ["echo can be switched off"] = """
            A> CONNECT {"verbose":false,"echo":false}
            A> SUB echo 1
            B> SUB echo 1
            A> PUB echo 1
            A> x
            B< MSG echo 1 1
            B< x
            """,
        ["verbose acknowledges each operation"] = """
            A> CONNECT {"verbose":true}
            A> SUB v 1
            A> PUB v 1
            A> x
            A> UNSUB 1
            A< +OK
            A< +OK
            A< +OK
            A< MSG v 1 1
            A< x
            A< +OK
            """,
        ["headers are passed to those who know them"] = """
            A> CONNECT {"verbose":false,"headers":true}
            A> SUB h 1
            B> CONNECT {"verbose":false,"headers":true}
            B> HPUB h 18 20
            B> NATS/1.0
            B> K: v
            B>
            B> ok
            A< HMSG h 1 18 20
            A< NATS/1.0
            A< K: v
            A<
            A< ok
            """,
        ["headers with a reply subject"] = """
            A> CONNECT {"verbose":false,"headers":true}
            A> SUB h.r 1
            B> CONNECT {"verbose":false,"headers":true}
            B> HPUB h.r back 12 12
            B> NATS/1.0
            B>
            B>
            A< HMSG h.r 1 back 12 12
            A< NATS/1.0
            A<
            A<
            """,
        ["headers are cut off for those who do not"] = """
            A> SUB h2 1
            B> CONNECT {"verbose":false,"headers":true}
            B> HPUB h2 18 20
            B> NATS/1.0
            B> K: v
            B>
            B> ok
            A< MSG h2 1 2
            A< ok
            """,
        ["request that nobody serves is answered with 503"] = """
            A> CONNECT {"verbose":false,"headers":true,"no_responders":true}
            A> SUB inbox.9 1
            A> PUB nobody inbox.9 1
            A> x
            A< HMSG inbox.9 1 38 38
            A< NATS/1.0 503
            A< Nats-Subject: nobody
            A<
            A<
            """,
        ["request that nobody serves is silent without no_responders"] = """
            A> CONNECT {"verbose":false,"headers":true}
            A> SUB inbox.8 1
            A> PUB nobody inbox.8 1
            A> x
            """,
        ["request and reply"] = """
            A> SUB service workers 1
            B> SUB inbox.b 5
            B> PUB service inbox.b 3
            B> ask
            A> PUB inbox.b 6
            A> answer
            A< MSG service 1 inbox.b 3
            A< ask
            B< MSG inbox.b 5 6
            B< answer
            """,
        ["subject with a leading dollar is an ordinary subject"] = """
            A> SUB $APP.x 1
            B> PUB $APP.x 1
            B> x
            A< MSG $APP.x 1 1
            A< x
            """,
        ["long subject and sid go through"] = $"""
            A> SUB {new string('s', 1000)} {new string('9', 200)}
            B> PUB {new string('s', 1000)} 1
            B> x
            A< MSG {new string('s', 1000)} {new string('9', 200)} 1
            A< x
            """,
    };

    public static IEnumerable<string> Names => Scripts.Keys;

    public static string Script(string name) => Scripts[name];
}
