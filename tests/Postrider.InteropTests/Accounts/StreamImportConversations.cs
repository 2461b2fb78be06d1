namespace Postrider.InteropTests.Accounts;

/// <summary>Messages that one account imports of another; the same configuration for both servers.</summary>
/// <remarks>In the language of <see cref="SharingConversation"/>.</remarks>
internal static class StreamImportConversations
{
    private const string Streams = """
        accounts {
          E {
            users [ { user: e, password: p } ]
            exports [ { stream: "pub.>" }, { stream: "priv.*", accounts: [I] }, { stream: plain }, { stream: "deep.*.*" }, { stream: "tok.*.>", account_token_position: 2 } ]
          }
          I {
            users [
              { user: i, password: p }
              { user: few, password: p, permissions { subscribe { allow: "from.>", deny: "from.pub.secret" } } }
            ]
            imports [
              { stream: { account: E, subject: "pub.>" }, prefix: from }
              { stream: { account: E, subject: "priv.*" } }
              { stream: { account: E, subject: plain }, to: other.name }
              { stream: { account: E, subject: "deep.*.*" }, to: "swap.$2.$1" }
              { stream: { account: E, subject: "tok.I.>" }, to: "mine.>" }
            ]
          }
          O { users [ { user: o, password: p } ] }
        }
        """;

    private static readonly Dictionary<string, (string Configuration, string Script)> All = new()
    {
        ["stream comes with its prefix"] = (Streams, """
            E> CONNECT {"verbose":false,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"user":"i","pass":"p"}
            I> SUB from.> 1
            I> SUB pub.> 2
            E> PUB pub.a.b 1
            E> x
            I< MSG from.pub.a.b 1 1
            I< x
            """),
        ["stream comes under another name"] = (Streams, """
            E> CONNECT {"verbose":false,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"user":"i","pass":"p"}
            I> SUB other.name 1
            I> SUB plain 2
            E> PUB plain 1
            E> x
            I< MSG other.name 1 1
            I< x
            """),
        ["tokens of a stream change places"] = (Streams, """
            E> CONNECT {"verbose":false,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"user":"i","pass":"p"}
            1> CONNECT {"verbose":false,"user":"i","pass":"p"}
            1> SUB swap.> 1
            2> CONNECT {"verbose":false,"user":"i","pass":"p"}
            2> SUB swap.y.* 1
            3> CONNECT {"verbose":false,"user":"i","pass":"p"}
            3> SUB swap.*.x 1
            4> CONNECT {"verbose":false,"user":"i","pass":"p"}
            4> SUB swap.y.x 1
            5> CONNECT {"verbose":false,"user":"i","pass":"p"}
            5> SUB swap.x.* 1
            6> CONNECT {"verbose":false,"user":"i","pass":"p"}
            6> SUB *.*.* 1
            E> PUB deep.x.y 1
            E> 1
            E> PUB deep.x.y.z 1
            E> 2
            1< MSG swap.y.x 1 1
            1< 1
            2< MSG swap.y.x 1 1
            2< 1
            3< MSG swap.y.x 1 1
            3< 1
            4< MSG swap.y.x 1 1
            4< 1
            6< MSG swap.y.x 1 1
            6< 1
            """),
        ["private stream reaches those it is for"] = (Streams, """
            E> CONNECT {"verbose":false,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"user":"i","pass":"p"}
            O> CONNECT {"verbose":false,"user":"o","pass":"p"}
            I> SUB priv.* 1
            I> SUB priv.a 2
            O> SUB > 1
            E> PUB priv.a 1
            E> x
            E> PUB priv.a.b 1
            E> y
            O> PUB priv.a 1
            O> o
            I< MSG priv.a 2 1
            I< x
            I< MSG priv.a 1 1
            I< x
            O< MSG priv.a 1 1
            O< o
            """),
        ["everything in an account is everything that it imports"] = (Streams, """
            E> CONNECT {"verbose":false,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"user":"i","pass":"p"}
            I> SUB > 1
            E> PUB pub.a 1
            E> 1
            E> PUB priv.a 1
            E> 2
            E> PUB plain 1
            E> 3
            E> PUB deep.1.2 1
            E> 4
            E> PUB other 1
            E> 5
            E> PUB tok.I.a.b 1
            E> 6
            E> PUB tok.O.a 1
            E> 7
            I< MSG from.pub.a 1 1
            I< 1
            I< MSG priv.a 1 1
            I< 2
            I< MSG other.name 1 1
            I< 3
            I< MSG swap.2.1 1 1
            I< 4
            I< MSG mine.a.b 1 1
            I< 6
            """),
        ["account in a subject decides"] = (Streams, """
            E> CONNECT {"verbose":false,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"user":"i","pass":"p"}
            1> CONNECT {"verbose":false,"user":"i","pass":"p"}
            1> SUB mine.> 1
            2> CONNECT {"verbose":false,"user":"i","pass":"p"}
            2> SUB mine.a 1
            3> CONNECT {"verbose":false,"user":"i","pass":"p"}
            3> SUB tok.> 1
            E> PUB tok.I.a 1
            E> 1
            E> PUB tok.O.a 1
            E> 2
            E> PUB tok.*.a 1
            E> 3
            E> PUB tok.> 1
            E> 4
            1< MSG mine.a 1 1
            1< 1
            2< MSG mine.a 1 1
            2< 1
            E< -ERR 'Invalid Publish Subject'
            E< -ERR 'Invalid Publish Subject'
            """),
        ["importing account publishes to itself"] = (Streams, """
            E> CONNECT {"verbose":false,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"user":"i","pass":"p"}
            E> SUB > 1
            I> SUB from.> 1
            I> PUB from.pub.x 1
            I> 1
            I> PUB pub.x 1
            I> 2
            I> PUB plain 1
            I> 3
            I< MSG from.pub.x 1 1
            I< 1
            """),
        ["part of a stream is subscribed to"] = (Streams, """
            E> CONNECT {"verbose":false,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"user":"i","pass":"p"}
            1> CONNECT {"verbose":false,"user":"i","pass":"p"}
            1> SUB from.pub.a.* 1
            2> CONNECT {"verbose":false,"user":"i","pass":"p"}
            2> SUB from.pub.*.b 1
            3> CONNECT {"verbose":false,"user":"i","pass":"p"}
            3> SUB *.pub.a.> 1
            4> CONNECT {"verbose":false,"user":"i","pass":"p"}
            4> SUB from.*.*.b 1
            5> CONNECT {"verbose":false,"user":"i","pass":"p"}
            5> SUB from.*.> 1
            6> CONNECT {"verbose":false,"user":"i","pass":"p"}
            6> SUB *.*.*.* 1
            7> CONNECT {"verbose":false,"user":"i","pass":"p"}
            7> SUB from.x.> 1
            8> CONNECT {"verbose":false,"user":"i","pass":"p"}
            8> SUB > 1
            9> CONNECT {"verbose":false,"user":"i","pass":"p"}
            9> SUB *.> 1
            X> CONNECT {"verbose":false,"user":"i","pass":"p"}
            X> SUB from.> 1
            Y> CONNECT {"verbose":false,"user":"i","pass":"p"}
            Y> SUB from.pub.a.b.> 1
            E> PUB pub.a.b 1
            E> 1
            E> PUB pub.a 1
            E> 2
            E> PUB pub.a.b.c 1
            E> 3
            1< MSG from.pub.a.b 1 1
            1< 1
            2< MSG from.pub.a.b 1 1
            2< 1
            3< MSG from.pub.a.b 1 1
            3< 1
            3< MSG from.pub.a.b.c 1 1
            3< 3
            4< MSG from.pub.a.b 1 1
            4< 1
            5< MSG from.pub.a.b 1 1
            5< 1
            5< MSG from.pub.a 1 1
            5< 2
            5< MSG from.pub.a.b.c 1 1
            5< 3
            6< MSG from.pub.a.b 1 1
            6< 1
            8< MSG from.pub.a.b 1 1
            8< 1
            8< MSG from.pub.a 1 1
            8< 2
            8< MSG from.pub.a.b.c 1 1
            8< 3
            9< MSG from.pub.a.b 1 1
            9< 1
            9< MSG from.pub.a 1 1
            9< 2
            9< MSG from.pub.a.b.c 1 1
            9< 3
            X< MSG from.pub.a.b 1 1
            X< 1
            X< MSG from.pub.a 1 1
            X< 2
            X< MSG from.pub.a.b.c 1 1
            X< 3
            Y< MSG from.pub.a.b.c 1 1
            Y< 3
            """),
        ["queue groups get one each"] = (Streams, """
            E> CONNECT {"verbose":false,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"user":"i","pass":"p"}
            Q> CONNECT {"verbose":false,"user":"i","pass":"p"}
            I> SUB from.> g 1
            Q> SUB from.pub.x h 1
            E> SUB pub.x k 1
            E> PUB pub.x 1
            E> 1
            E> PUB pub.y 1
            E> 2
            E< MSG pub.x 1 1
            E< 1
            I< MSG from.pub.x 1 1
            I< 1
            I< MSG from.pub.y 1 1
            I< 2
            Q< MSG from.pub.x 1 1
            Q< 1
            """),
        ["denied subjects are those of the importing account"] = (Streams, """
            E> CONNECT {"verbose":false,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"user":"i","pass":"p"}
            F> CONNECT {"verbose":false,"user":"few","pass":"p"}
            F> SUB from.> 1
            F> SUB from.pub.secret 2
            F> SUB priv.* 3
            E> PUB pub.secret 1
            E> 1
            E> PUB pub.open 1
            E> 2
            E> PUB priv.a 1
            E> 3
            F< -ERR 'Permissions Violation for Subscription to "from.pub.secret"'
            F< -ERR 'Permissions Violation for Subscription to "priv.*"'
            F< MSG from.pub.open 1 1
            F< 2
            """),
        ["subscription that ends ends in the exporting account"] = (Streams, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"user":"i","pass":"p"}
            E> SUB r 1
            I> SUB from.> 1
            E> PUB pub.a r 1
            E> 1
            I> UNSUB 1
            E> PUB pub.a r 1
            E> 2
            E< HMSG r 1 37 37
            E< NATS/1.0 503
            E< Nats-Subject: pub.a
            E<
            E<
            I< MSG from.pub.a 1 r 1
            I< 1
            """),
        ["limit of a subscription that imports"] = (Streams, """
            E> CONNECT {"verbose":false,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"user":"i","pass":"p"}
            I> SUB from.> 1
            I> UNSUB 1 2
            E> PUB pub.a 1
            E> 1
            E> PUB pub.a 1
            E> 2
            E> PUB pub.a 1
            E> 3
            I< MSG from.pub.a 1 1
            I< 1
            I< MSG from.pub.a 1 1
            I< 2
            I< MSG from.pub.a 1 1
            I< 3
            """),
        ["headers and reply of a stream stay"] = (Streams, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            K> CONNECT {"verbose":false,"user":"i","pass":"p"}
            I> SUB from.> 1
            K> SUB from.> 1
            E> HPUB pub.x re.ply 18 19
            E> NATS/1.0
            E> k: v
            E>
            E> 7
            I> PUB re.ply 1
            I> 8
            I< HMSG from.pub.x 1 re.ply 18 19
            I< NATS/1.0
            I< k: v
            I<
            I< 7
            K< MSG from.pub.x 1 re.ply 1
            K< 7
            """),
        ["listener in another account is one that responds"] = (Streams, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"user":"i","pass":"p"}
            E> SUB r 1
            E> PUB plain r 1
            E> 1
            I> SUB other.name 1
            E> PUB plain r 1
            E> 2
            E< HMSG r 1 37 37
            E< NATS/1.0 503
            E< Nats-Subject: plain
            E<
            E<
            I< MSG other.name 1 r 1
            I< 2
            """),
        ["same messages by two subscriptions"] = (Streams, """
            E> CONNECT {"verbose":false,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"user":"i","pass":"p"}
            1> CONNECT {"verbose":false,"user":"i","pass":"p"}
            1> SUB from.pub.a 1
            2> CONNECT {"verbose":false,"user":"i","pass":"p"}
            2> SUB from.> 1
            3> CONNECT {"verbose":false,"user":"i","pass":"p"}
            3> SUB from.pub.a 1
            E> SUB pub.a 1
            E> PUB pub.a 1
            E> 1
            E> PUB pub.a 1
            E> 2
            E> PUB pub.b 1
            E> 3
            1< MSG from.pub.a 1 1
            1< 1
            1< MSG from.pub.a 1 1
            1< 2
            2< MSG from.pub.a 1 1
            2< 1
            2< MSG from.pub.a 1 1
            2< 2
            2< MSG from.pub.b 1 1
            2< 3
            3< MSG from.pub.a 1 1
            3< 1
            3< MSG from.pub.a 1 1
            3< 2
            E< MSG pub.a 1 1
            E< 1
            E< MSG pub.a 1 1
            E< 2
            """),
    };

    public static IEnumerable<string> Names => All.Keys;

    public static string Configuration(string name) => All[name].Configuration;

    public static string Script(string name) => All[name].Script;
}
