namespace Postrider.InteropTests.Accounts;

/// <summary>What services of other accounts do not let through, and chains of them; the same configuration for both servers.</summary>
/// <remarks>In the language of <see cref="SharingConversation"/>.</remarks>
internal static class ServiceAccessConversations
{
    private const string Chain = """
        accounts {
          A { users [ { user: a, password: p } ], imports [ { service: { account: B, subject: "b.*" }, to: "a.*" } ] }
          B {
            users [ { user: b, password: p } ]
            exports [ { service: "b.*" }, { stream: "b.>" } ]
            imports [ { service: { account: C, subject: "c.*" }, to: "b.*", share: true } ]
          }
          C { users [ { user: c, password: p } ], exports [ { service: "c.*" } ] }
          D { users [ { user: d, password: p } ], imports [ { stream: { account: B, subject: "b.>" } } ] }
        }
        """;

    private const string Circle = """
        accounts {
          A { users [ { user: a, password: p } ], exports [ { service: "a.*" } ], imports [ { service: { account: B, subject: "b.*" }, to: "a.*" } ] }
          B { users [ { user: b, password: p } ], exports [ { service: "b.*" } ], imports [ { service: { account: C, subject: "c.*" }, to: "b.*" } ] }
          C { users [ { user: c, password: p } ], exports [ { service: "c.*" } ], imports [ { service: { account: A, subject: "a.*" }, to: "c.*" } ] }
        }
        """;

    private static readonly Dictionary<string, (string Configuration, string Script)> All = new()
    {
        ["who asks cannot be forged"] = (ServiceImportConversations.Services, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB svc.* 1
            I> HPUB svc.a 62 63
            I> NATS/1.0
            I> a: b
            I> Nats-Request-Info: {"acc":"forged"}
            I> c: d
            I>
            I> x
            I< -ERR 'Unknown Protocol Operation'
            I< (closed)
            """),
        ["publishing to a service needs permission"] = (ServiceImportConversations.Services, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"some","pass":"p"}
            E> SUB svc.* 1
            I> PUB svc.a 1
            I> 1
            I> PUB svc.b 1
            I> 2
            I> PUB my.one 1
            I> 3
            E< HMSG svc.a #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< 1
            I< -ERR 'Permissions Violation for Publish to "svc.b"'
            I< -ERR 'Permissions Violation for Publish to "my.one"'
            """),
        ["responder may answer what it was asked"] = (ServiceImportConversations.Services, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"few","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB svc.* 1
            I> SUB r.1 1
            I> PUB svc.a r.1 1
            I> q
            E> PUB {reply} 1
            E> a
            E> PUB r.1 1
            E> b
            E< HMSG svc.a 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            E< -ERR 'Permissions Violation for Publish to "r.1"'
            I< MSG r.1 1 1
            I< a
            """),
        ["responder without permission may not answer"] = (ServiceImportConversations.Services, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"mute","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB svc.* 1
            I> SUB r.1 1
            I> PUB svc.a r.1 1
            I> q
            E> PUB {reply} 1
            E> a
            E< HMSG svc.a 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            E< -ERR 'Permissions Violation for Publish to "_R_.*"'
            """),
        ["service is not there for other accounts"] = (ServiceImportConversations.Services, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            O> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"o","pass":"p"}
            E> SUB > 1
            O> SUB r.1 1
            O> PUB svc.a r.1 1
            O> q
            O> PUB one r.1 1
            O> q
            O> PUB my.one r.1 1
            O> q
            O< HMSG r.1 1 37 37
            O< NATS/1.0 503
            O< Nats-Subject: svc.a
            O<
            O<
            O< HMSG r.1 1 35 35
            O< NATS/1.0 503
            O< Nats-Subject: one
            O<
            O<
            O< HMSG r.1 1 38 38
            O< NATS/1.0 503
            O< Nats-Subject: my.one
            O<
            O<
            """),
        ["wildcards lead to nothing that is not exported"] = (ServiceImportConversations.Services, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB > 1
            I> SUB r.1 1
            I> PUB svc.a.b r.1 1
            I> 1
            I> PUB svc r.1 1
            I> 2
            I> PUB svc.> r.1 1
            I> 3
            I> PUB svc.* r.1 1
            I> 4
            I> PUB w.1.2 r.1 1
            I> 5
            I> PUB secret r.1 1
            I> 6
            E< HMSG svc.> 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< 3
            E< HMSG svc.* 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< 4
            I< HMSG r.1 1 39 39
            I< NATS/1.0 503
            I< Nats-Subject: svc.a.b
            I<
            I<
            I< HMSG r.1 1 35 35
            I< NATS/1.0 503
            I< Nats-Subject: svc
            I<
            I<
            I< -ERR 'Invalid Publish Subject'
            I< -ERR 'Invalid Publish Subject'
            I< HMSG r.1 1 37 37
            I< NATS/1.0 503
            I< Nats-Subject: w.1.2
            I<
            I<
            I< HMSG r.1 1 38 38
            I< NATS/1.0 503
            I< Nats-Subject: secret
            I<
            I<
            """),
        ["reply subjects of the server are not for clients"] = (ServiceImportConversations.Services, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB > 1
            I> SUB > 1
            I> PUB svc.a _R_.abcdef.ghijkl 1
            I> 1
            I> PUB svc.a $JS.ACK.a.b.1.2.3.4.5 1
            I> 2
            E> PUB _R_.abcdef.ghijkl 1
            E> 3
            I> PUB _R_.abcdef.ghijkl 1
            I> 4
            E< MSG _R_.* 1 1
            E< 3
            I< -ERR 'Permissions Violation for Publish with Reply of "_R_.*"'
            I< -ERR 'Permissions Violation for Publish with Reply of "$JS.ACK.a.b.1.2.3.*.5"'
            I< MSG _R_.* 1 1
            I< 4
            """),
        ["answer from an account that was not asked is lost"] = (ServiceImportConversations.Services, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            O> CONNECT {"verbose":false,"user":"o","pass":"p"}
            E> SUB svc.* 1
            I> SUB r.1 1
            I> PUB svc.a r.1 1
            I> q
            I> SUB _R_.> 2
            O> SUB _R_.> 2
            O> PUB _R_.abcdef.ghijkl 1
            O> o
            E> PUB {reply} 1
            E> a
            E< HMSG svc.a 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            I< MSG r.1 1 1
            I< a
            O< MSG _R_.* 2 1
            O< o
            """),
        ["exporting account asks itself"] = (ServiceImportConversations.Services, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB svc.* 1
            E> SUB r.1 2
            E> PUB svc.a r.1 1
            E> q
            E< MSG svc.a 1 r.1 1
            E< q
            """),
        ["request goes on into a third account and back"] = (Chain, """
            A> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"a","pass":"p"}
            B> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"b","pass":"p"}
            C> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"c","pass":"p"}
            C> SUB c.* 1
            A> SUB r.1 1
            A> PUB a.x r.1 1
            A> q
            C> PUB {reply} 2
            C> an
            A< MSG r.1 1 2
            A< an
            C< HMSG c.x 1 _R_.* #
            C< NATS/1.0
            C< Nats-Request-Info: {"acc":"A","svc":"B","server":"*"}
            C<
            C< q
            """),
        ["account between hears requests too"] = (Chain, """
            A> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"a","pass":"p"}
            B> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"b","pass":"p"}
            C> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"c","pass":"p"}
            C> SUB c.* 1
            B> SUB b.> 1
            A> SUB r.1 1
            A> PUB a.x r.1 1
            A> q
            B> PUB {reply} 6
            B> from b
            C> PUB {reply} 6
            C> from c
            A< MSG r.1 1 6
            A< from b
            B< HMSG b.x 1 _R_.* #
            B< NATS/1.0
            B< Nats-Request-Info: {"acc":"A"}
            B<
            B< q
            C< HMSG c.x 1 _R_.* #
            C< NATS/1.0
            C< Nats-Request-Info: {"acc":"A","svc":"B","server":"*"}
            C<
            C< q
            """),
        ["no responders of a third account travel back"] = (Chain, """
            A> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"a","pass":"p"}
            B> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"b","pass":"p"}
            C> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"c","pass":"p"}
            A> SUB r.1 1
            A> PUB a.x r.1 1
            A> q
            A< HMSG r.1 1 35 35
            A< NATS/1.0 503
            A< Nats-Subject: a.x
            A<
            A<
            """),
        ["requests are not exported again as a stream"] = (Chain, """
            A> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"a","pass":"p"}
            B> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"b","pass":"p"}
            C> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"c","pass":"p"}
            D> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"d","pass":"p"}
            D> SUB b.> 1
            B> SUB b.> 1
            A> PUB a.x 1
            A> q
            B> PUB b.x 3
            B> own
            B< HMSG b.x #
            B< NATS/1.0
            B< Nats-Request-Info: {"acc":"A"}
            B<
            B< q
            B< MSG b.x 1 3
            B< own
            D< MSG b.x 1 3
            D< own
            """),
        ["circle of services without responders ends"] = (Circle, """
            A> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"a","pass":"p"}
            B> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"b","pass":"p"}
            C> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"c","pass":"p"}
            A> SUB r.1 1
            A> PUB a.x r.1 1
            A> q
            A< HMSG r.1 1 35 35
            A< NATS/1.0 503
            A< Nats-Subject: a.x
            A<
            A<
            """),
        ["circle of services with responders ends"] = (Circle, """
            A> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"a","pass":"p"}
            B> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"b","pass":"p"}
            C> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"c","pass":"p"}
            A> SUB r.1 1
            B> SUB b.* 1
            C> SUB c.* 1
            A> PUB a.x r.1 1
            A> q
            B> PUB {reply} 6
            B> from b
            C> PUB {reply} 6
            C> from c
            A< MSG r.1 1 6
            A< from b
            B< HMSG b.x 1 _R_.* #
            B< NATS/1.0
            B< Nats-Request-Info: {"acc":"A"}
            B<
            B< q
            C< HMSG c.x 1 _R_.* #
            C< NATS/1.0
            C< Nats-Request-Info: {"acc":"A","svc":"B"}
            C<
            C< q
            """),
    };

    public static IEnumerable<string> Names => All.Keys;

    public static string Configuration(string name) => All[name].Configuration;

    public static string Script(string name) => All[name].Script;
}
