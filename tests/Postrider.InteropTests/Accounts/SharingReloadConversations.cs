namespace Postrider.InteropTests.Accounts;

/// <summary>Exports and imports that change while clients are connected; the same files for both servers.</summary>
/// <remarks>In the language of <see cref="SharingConversation"/>.</remarks>
internal static class SharingReloadConversations
{
    private static readonly Dictionary<string, (string Before, string After, string Script)> All = new()
    {
        ["imports come with a reload"] = (
            """
            accounts {
              E { users [ { user: e, password: p } ], exports [ { stream: "pub.>" }, { service: "svc.*" } ] }
              I { users [ { user: i, password: p } ] }
            }
            """,
            """
            accounts {
              E { users [ { user: e, password: p } ], exports [ { stream: "pub.>" }, { service: "svc.*" } ] }
              I { users [ { user: i, password: p } ], imports [ { stream: { account: E, subject: "pub.>" }, prefix: from }, { service: { account: E, subject: "svc.*" } } ] }
            }
            """,
            """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB svc.* 1
            I> SUB from.> 1
            I> SUB of.> 2
            I> SUB r.1 3
            E> PUB pub.a 1
            E> s
            I> PUB svc.a r.1 1
            I> q
            I> PUB ask r.1 1
            I> q
            -> reload
            E> PUB pub.a 1
            E> s
            I> PUB svc.a r.1 1
            I> q
            I> PUB ask r.1 1
            I> q
            E< HMSG svc.a 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            I< HMSG r.1 3 37 37
            I< NATS/1.0 503
            I< Nats-Subject: svc.a
            I<
            I<
            I< HMSG r.1 3 35 35
            I< NATS/1.0 503
            I< Nats-Subject: ask
            I<
            I<
            I< MSG from.pub.a 1 1
            I< s
            I< HMSG r.1 3 35 35
            I< NATS/1.0 503
            I< Nats-Subject: ask
            I<
            I<
            """),
        ["imports change with a reload"] = (
            """
            accounts {
              E { users [ { user: e, password: p } ], exports [ { stream: "pub.>" }, { service: "svc.*" } ] }
              I { users [ { user: i, password: p } ], imports [ { stream: { account: E, subject: "pub.>" }, prefix: from }, { service: { account: E, subject: "svc.*" } } ] }
            }
            """,
            """
            accounts {
              E { users [ { user: e, password: p } ], exports [ { stream: "pub.>" }, { service: "svc.*" } ] }
              I { users [ { user: i, password: p } ], imports [ { stream: { account: E, subject: "pub.>" }, prefix: of }, { service: { account: E, subject: "svc.a" }, to: ask } ] }
            }
            """,
            """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB svc.* 1
            I> SUB from.> 1
            I> SUB of.> 2
            I> SUB r.1 3
            E> PUB pub.a 1
            E> s
            I> PUB svc.a r.1 1
            I> q
            I> PUB ask r.1 1
            I> q
            -> reload
            E> PUB pub.a 1
            E> s
            I> PUB svc.a r.1 1
            I> q
            I> PUB ask r.1 1
            I> q
            E< HMSG svc.a 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            E< HMSG svc.a 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            I< MSG from.pub.a 1 1
            I< s
            I< HMSG r.1 3 35 35
            I< NATS/1.0 503
            I< Nats-Subject: ask
            I<
            I<
            I< MSG of.pub.a 2 1
            I< s
            I< HMSG r.1 3 37 37
            I< NATS/1.0 503
            I< Nats-Subject: svc.a
            I<
            I<
            """),
        ["imports go with a reload"] = (
            """
            accounts {
              E { users [ { user: e, password: p } ], exports [ { stream: "pub.>" }, { service: "svc.*" } ] }
              I { users [ { user: i, password: p } ], imports [ { stream: { account: E, subject: "pub.>" }, prefix: from }, { service: { account: E, subject: "svc.*" } } ] }
            }
            """,
            """
            accounts {
              E { users [ { user: e, password: p } ], exports [ { stream: "pub.>" }, { service: "svc.*" } ] }
              I { users [ { user: i, password: p } ] }
            }
            """,
            """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB svc.* 1
            I> SUB from.> 1
            I> SUB of.> 2
            I> SUB r.1 3
            E> PUB pub.a 1
            E> s
            I> PUB svc.a r.1 1
            I> q
            I> PUB ask r.1 1
            I> q
            -> reload
            E> PUB pub.a 1
            E> s
            I> PUB svc.a r.1 1
            I> q
            I> PUB ask r.1 1
            I> q
            E< HMSG svc.a 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            I< MSG from.pub.a 1 1
            I< s
            I< HMSG r.1 3 35 35
            I< NATS/1.0 503
            I< Nats-Subject: ask
            I<
            I<
            I< HMSG r.1 3 37 37
            I< NATS/1.0 503
            I< Nats-Subject: svc.a
            I<
            I<
            I< HMSG r.1 3 35 35
            I< NATS/1.0 503
            I< Nats-Subject: ask
            I<
            I<
            """),
        ["exports that go with a reload take the imports along"] = (
            """
            accounts {
              E { users [ { user: e, password: p } ], exports [ { stream: "pub.>" }, { service: "svc.*" } ] }
              I { users [ { user: i, password: p } ], imports [ { stream: { account: E, subject: "pub.>" }, prefix: from }, { service: { account: E, subject: "svc.*" } } ] }
            }
            """,
            """
            accounts {
              E { users [ { user: e, password: p } ] }
              I { users [ { user: i, password: p } ] }
            }
            """,
            """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB svc.* 1
            I> SUB from.> 1
            I> SUB of.> 2
            I> SUB r.1 3
            E> PUB pub.a 1
            E> s
            I> PUB svc.a r.1 1
            I> q
            I> PUB ask r.1 1
            I> q
            -> reload
            E> PUB pub.a 1
            E> s
            I> PUB svc.a r.1 1
            I> q
            I> PUB ask r.1 1
            I> q
            E< HMSG svc.a 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            I< MSG from.pub.a 1 1
            I< s
            I< HMSG r.1 3 35 35
            I< NATS/1.0 503
            I< Nats-Subject: ask
            I<
            I<
            I< HMSG r.1 3 37 37
            I< NATS/1.0 503
            I< Nats-Subject: svc.a
            I<
            I<
            I< HMSG r.1 3 35 35
            I< NATS/1.0 503
            I< Nats-Subject: ask
            I<
            I<
            """),
        ["import that is no longer allowed refuses the reload"] = (
            """
            accounts {
              E { users [ { user: e, password: p } ], exports [ { stream: "pub.>" }, { service: "svc.*" } ] }
              I { users [ { user: i, password: p } ], imports [ { stream: { account: E, subject: "pub.>" }, prefix: from }, { service: { account: E, subject: "svc.*" } } ] }
            }
            """,
            """
            accounts {
              E { users [ { user: e, password: p } ], exports [ { stream: "pub.>", accounts: [E] }, { service: "svc.*" } ] }
              I { users [ { user: i, password: p } ], imports [ { stream: { account: E, subject: "pub.>" }, prefix: from }, { service: { account: E, subject: "svc.*" } } ] }
            }
            """,
            """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB svc.* 1
            I> SUB from.> 1
            I> SUB of.> 2
            I> SUB r.1 3
            E> PUB pub.a 1
            E> s
            I> PUB svc.a r.1 1
            I> q
            I> PUB ask r.1 1
            I> q
            -> reload
            E> PUB pub.a 1
            E> s
            I> PUB svc.a r.1 1
            I> q
            I> PUB ask r.1 1
            I> q
            E< HMSG svc.a 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            E< HMSG svc.a 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            I< MSG from.pub.a 1 1
            I< s
            I< HMSG r.1 3 35 35
            I< NATS/1.0 503
            I< Nats-Subject: ask
            I<
            I<
            I< MSG from.pub.a 1 1
            I< s
            I< HMSG r.1 3 35 35
            I< NATS/1.0 503
            I< Nats-Subject: ask
            I<
            I<
            """),
        ["request under way is answered after a reload"] = (
            """
            accounts {
              E { users [ { user: e, password: p } ], exports [ { stream: "pub.>" }, { service: "svc.*" } ] }
              I { users [ { user: i, password: p } ], imports [ { stream: { account: E, subject: "pub.>" }, prefix: from }, { service: { account: E, subject: "svc.*" } } ] }
            }
            """,
            """
            accounts {
              E { users [ { user: e, password: p } ], exports [ { stream: "pub.>" }, { service: "svc.*" } ] }
              I { users [ { user: i, password: p } ], imports [ { stream: { account: E, subject: "pub.>" }, prefix: from }, { service: { account: E, subject: "svc.*" } } ] }
            }

            max_payload: 2000000
            """,
            """
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB svc.* 1
            I> SUB from.> 1
            I> SUB of.> 2
            I> SUB r.1 3
            I> PUB svc.a r.1 1
            I> q
            -> reload
            E> PUB {reply} 4
            E> late
            E< HMSG svc.a 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            I< MSG r.1 3 4
            I< late
            """),
    };

    public static IEnumerable<string> Names => All.Keys;

    public static (string Before, string After, string Script) Get(string name) => All[name];
}
