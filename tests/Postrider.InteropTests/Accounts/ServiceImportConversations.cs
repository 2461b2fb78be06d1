namespace Postrider.InteropTests.Accounts;

/// <summary>Requests of one account to a service of another; the same configuration for both servers.</summary>
/// <remarks>In the language of <see cref="SharingConversation"/>.</remarks>
internal static class ServiceImportConversations
{
    internal const string Services = """
        accounts {
          E {
            users [
              { user: e, password: p }
              { user: few, password: p, permissions { publish: never, subscribe: ">", allow_responses: true } }
              { user: mute, password: p, permissions { publish: never } }
            ]
            exports [
              { service: "svc.*" }
              { service: one, accounts: [I] }
              { service: many, response_type: stream }
              { service: parts, response: chunked }
              { service: "w.*.*" }
              { service: "tok.*", account_token_position: 2 }
            ]
          }
          I {
            users [ { user: i, password: p }, { user: some, password: p, permissions { publish: "svc.a" } } ]
            imports [
              { service: { account: E, subject: "svc.*" } }
              { service: { account: E, subject: one }, to: my.one, share: true }
              { service: { account: E, subject: many } }
              { service: { account: E, subject: parts } }
              { service: { account: E, subject: "w.*.*" }, to: "v.$2.$1" }
              { service: { account: E, subject: "tok.I" }, to: token }
            ]
          }
          O { users [ { user: o, password: p } ] }
        }
        """;

    private static readonly Dictionary<string, (string Configuration, string Script)> All = new()
    {
        ["request crosses and is answered"] = (Services, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB svc.* 1
            I> SUB r.1 1
            I> PUB svc.a r.1 1
            I> q
            E> PUB {reply} 2
            E> an
            E< HMSG svc.a 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            I< MSG r.1 1 2
            I< an
            """),
        ["request without a reply subject crosses"] = (Services, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB svc.* 1
            I> PUB svc.a 1
            I> q
            I> PUB svc.b 1
            I> q
            E< HMSG svc.a #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            E< HMSG svc.b #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            """),
        ["responder without headers sees none"] = (Services, """
            E> CONNECT {"verbose":false,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"user":"i","pass":"p"}
            E> SUB svc.* 1
            I> SUB r.1 1
            I> PUB svc.a r.1 1
            I> q
            E> PUB {reply} 2
            E> an
            E< MSG svc.a 1 _R_.* 1
            E< q
            I< MSG r.1 1 2
            I< an
            """),
        ["singleton is answered once"] = (Services, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB svc.* 1
            I> SUB r.1 1
            I> PUB svc.a r.1 1
            I> q
            E> PUB {reply} 1
            E> 1
            E> PUB {reply} 1
            E> 2
            E< HMSG svc.a 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            I< MSG r.1 1 1
            I< 1
            """),
        ["several answers until an empty one"] = (Services, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB many 1
            I> SUB r.1 1
            I> PUB many r.1 1
            I> q
            E> PUB {reply} 1
            E> 1
            E> PUB {reply} 1
            E> 2
            E> PUB {reply} 0
            E>
            E> PUB {reply} 1
            E> 4
            E< HMSG many 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            I< MSG r.1 1 1
            I< 1
            I< MSG r.1 1 1
            I< 2
            I< MSG r.1 1 0
            I<
            """),
        ["parts until an empty one"] = (Services, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB parts 1
            I> SUB r.1 1
            I> PUB parts r.1 1
            I> q
            E> PUB {reply} 1
            E> 1
            E> PUB {reply} 1
            E> 2
            E> PUB {reply} 0
            E>
            E> PUB {reply} 1
            E> 4
            E< HMSG parts 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            I< MSG r.1 1 1
            I< 1
            I< MSG r.1 1 1
            I< 2
            I< MSG r.1 1 0
            I<
            """),
        ["several answers until nobody listens"] = (Services, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB many 1
            I> SUB r.1 1
            I> PUB many r.1 1
            I> q
            E> PUB {reply} 1
            E> 1
            I> UNSUB 1
            E> PUB {reply} 1
            E> 2
            I> SUB r.1 2
            E> PUB {reply} 1
            E> 3
            E< HMSG many 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            I< MSG r.1 1 1
            I< 1
            """),
        ["answers of two requests keep apart"] = (Services, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB svc.* 1
            I> SUB r.* 1
            I> PUB svc.a r.1 2
            I> q1
            I> PUB svc.b r.2 2
            I> q2
            E> PUB {reply2} 2
            E> a2
            E> PUB {reply1} 2
            E> a1
            E< HMSG svc.a 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q1
            E< HMSG svc.b 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q2
            I< MSG r.2 1 2
            I< a2
            I< MSG r.1 1 2
            I< a1
            """),
        ["service that nobody offers has no responders"] = (Services, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            I> SUB r.1 1
            I> PUB svc.a r.1 1
            I> q
            I> PUB my.one r.1 1
            I> q
            I> PUB v.1.2 r.1 1
            I> q
            I< HMSG r.1 1 37 37
            I< NATS/1.0 503
            I< Nats-Subject: svc.a
            I<
            I<
            I< HMSG r.1 1 38 38
            I< NATS/1.0 503
            I< Nats-Subject: my.one
            I<
            I<
            I< HMSG r.1 1 37 37
            I< NATS/1.0 503
            I< Nats-Subject: v.1.2
            I<
            I<
            """),
        ["service of another name tells who asks when it is shared"] = (Services, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"name":"asker","lang":"l","version":"1.2","user":"i","pass":"p"}
            E> SUB one 1
            E> SUB my.one 2
            I> SUB r.1 1
            I> PUB my.one r.1 1
            I> q
            E> PUB {reply} 1
            E> a
            I> PUB one r.1 1
            I> q
            E< HMSG one 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"start":"*","host":"127.0.0.1","id":0,"acc":"I","user":"i","name":"asker","lang":"l","ver":"1.2","server":"*","kind":"Client","client_type":"nats"}
            E<
            E< q
            I< MSG r.1 1 1
            I< a
            I< HMSG r.1 1 35 35
            I< NATS/1.0 503
            I< Nats-Subject: one
            I<
            I<
            """),
        ["tokens of a service change places"] = (Services, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB w.> 1
            I> SUB r.1 1
            I> PUB v.1.2 r.1 1
            I> q
            E> PUB {reply} 1
            E> a
            I> PUB v.1 r.1 1
            I> q
            E< HMSG w.2.1 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            I< MSG r.1 1 1
            I< a
            I< HMSG r.1 1 35 35
            I< NATS/1.0 503
            I< Nats-Subject: v.1
            I<
            I<
            """),
        ["account in the subject of a service"] = (Services, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB tok.> 1
            I> SUB r.1 1
            I> PUB token r.1 1
            I> q
            E> PUB {reply} 1
            E> a
            I> PUB tok.I r.1 1
            I> q
            I> PUB tok.O r.1 1
            I> q
            E< HMSG tok.I 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            I< MSG r.1 1 1
            I< a
            I< HMSG r.1 1 37 37
            I< NATS/1.0 503
            I< Nats-Subject: tok.I
            I<
            I<
            I< HMSG r.1 1 37 37
            I< NATS/1.0 503
            I< Nats-Subject: tok.O
            I<
            I<
            """),
        ["headers of requests and answers stay"] = (Services, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB svc.* 1
            I> SUB r.1 1
            I> HPUB svc.a r.1 18 19
            I> NATS/1.0
            I> k: v
            I>
            I> q
            E> HPUB {reply} 18 19
            E> NATS/1.0
            E> l: w
            E>
            E> a
            E< HMSG svc.a 1 _R_.* #
            E< NATS/1.0
            E< k: v
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            I< HMSG r.1 1 18 19
            I< NATS/1.0
            I< l: w
            I<
            I< a
            """),
        ["one of a group of responders gets a request"] = (Services, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB svc.* g 1
            E> SUB svc.a g 2
            E> UNSUB 2
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
            I< MSG r.1 1 1
            I< a
            """),
        ["answer that is a question is answered"] = (Services, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB svc.* 1
            E> SUB back.* 2
            I> SUB r.1 1
            I> PUB svc.a r.1 1
            I> q
            E> PUB {reply} back.1 1
            E> a
            I> PUB {reply} 2
            I> aa
            I> PUB {reply} 5
            I> again
            E< HMSG svc.a 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            E< MSG back.1 2 2
            E< aa
            I< MSG r.1 1 _R_.* 1
            I< a
            """),
        ["answers reach everybody who listens there"] = (Services, """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            L> CONNECT {"verbose":false,"user":"i","pass":"p"}
            E> SUB svc.* 1
            I> SUB r.1 1
            L> SUB r.> 1
            I> PUB svc.a r.1 1
            I> q
            E> PUB {reply} 1
            E> a
            E< HMSG svc.a 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            I< MSG r.1 1 1
            I< a
            L< MSG r.1 1 1
            L< a
            """),
    };

    public static IEnumerable<string> Names => All.Keys;

    public static string Configuration(string name) => All[name].Configuration;

    public static string Script(string name) => All[name].Script;
}
