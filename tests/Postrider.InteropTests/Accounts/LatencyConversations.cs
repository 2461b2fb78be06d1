namespace Postrider.InteropTests.Accounts;

/// <summary>Measurements of the answers of exported services; the same configuration for both servers.</summary>
/// <remarks>In the language of <see cref="SharingConversation"/>.</remarks>
internal static class LatencyConversations
{
    private const string Latency = """
        accounts {
          E {
            users [ { user: e, password: p } ]
            exports [
              { service: "svc.*", latency: latency.svc, threshold: 300ms }
              { service: traced, latency: { sampling: headers, subject: latency.traced } }
            ]
          }
          I {
            users [ { user: i, password: p } ]
            imports [ { service: { account: E, subject: "svc.*" } }, { service: { account: E, subject: traced }, share: true } ]
          }
        }
        """;

    private static readonly Dictionary<string, (string Configuration, string Script)> All = new()
    {
        ["answer is measured"] = (Latency, """
            M> CONNECT {"verbose":false,"user":"e","pass":"p"}
            M> SUB latency.* 1
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB svc.* 1
            I> SUB r.* 1
            I> PUB svc.a r.1 1
            I> q
            E> PUB {reply} 1
            E> a
            M= latency.svc
            E< HMSG svc.a 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            I< MSG r.1 1 1
            I< a
            M< MSG latency.svc #
            M< {"type":"io.nats.server.metric.v1.service_latency","id":"*","timestamp":"*","status":200,"requestor":{"acc":"I"},"responder":{"start":"*","host":"127.0.0.1","id":0,"acc":"E","user":"e","server":"*","kind":"Client","client_type":"nats"},"start":"*","service":0,"system":0,"total":0}
            """),
        ["request without a reply subject is told"] = (Latency, """
            M> CONNECT {"verbose":false,"user":"e","pass":"p"}
            M> SUB latency.* 1
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB svc.* 1
            I> PUB svc.a 1
            I> q
            M= latency.svc
            E< HMSG svc.a #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            M< MSG latency.svc #
            M< {"type":"io.nats.server.metric.v1.service_latency","id":"*","timestamp":"*","status":400,"description":"Bad Request","requestor":{"acc":"I"},"start":"*","service":0,"system":0,"total":0}
            """),
        ["request without responders is told"] = (Latency, """
            M> CONNECT {"verbose":false,"user":"e","pass":"p"}
            M> SUB latency.* 1
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            I> SUB r.* 1
            I> PUB svc.a r.1 1
            I> q
            M= latency.svc
            I< HMSG r.1 1 37 37
            I< NATS/1.0 503
            I< Nats-Subject: svc.a
            I<
            I<
            M< MSG latency.svc #
            M< {"type":"io.nats.server.metric.v1.service_latency","id":"*","timestamp":"*","status":503,"description":"Service Unavailable","requestor":{"acc":"I"},"start":"*","service":0,"system":0,"total":0}
            """),
        ["requester that does not wait is told"] = (Latency, """
            M> CONNECT {"verbose":false,"user":"e","pass":"p"}
            M> SUB latency.* 1
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB svc.* 1
            I> SUB r.1 1
            I> PUB svc.a r.1 1
            I> q
            I> UNSUB 1
            M= latency.svc
            E< HMSG svc.a 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            M< MSG latency.svc #
            M< {"type":"io.nats.server.metric.v1.service_latency","id":"*","timestamp":"*","status":408,"description":"Request Timeout","requestor":{"acc":"I"},"start":"*","service":0,"system":0,"total":0}
            """),
        ["answer that does not come in time is told"] = (Latency, """
            M> CONNECT {"verbose":false,"user":"e","pass":"p"}
            M> SUB latency.* 1
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB svc.* 1
            I> SUB r.1 1
            I> PUB svc.a r.1 1
            I> q
            M= latency.svc
            E< HMSG svc.a 1 _R_.* #
            E< NATS/1.0
            E< Nats-Request-Info: {"acc":"I"}
            E<
            E< q
            M< MSG latency.svc #
            M< {"type":"io.nats.server.metric.v1.service_latency","id":"*","timestamp":"*","status":504,"description":"Service Timeout","requestor":{"acc":"I"},"start":"*","service":0,"system":0,"total":0}
            """),
        ["tracing header asks for a measurement 1"] = (Latency, """
            M> CONNECT {"verbose":false,"user":"e","pass":"p"}
            M> SUB latency.* 1
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB traced 1
            I> SUB r.* 1
            I> HPUB traced r.1 29 30
            I> NATS/1.0
            I> X-B3-Sampled: 1
            I>
            I> q
            E> PUB {reply} 1
            E> a
            M= latency.traced
            E< HMSG traced 1 _R_.* #
            E< NATS/1.0
            E< X-B3-Sampled: 1
            E< Nats-Request-Info: {"start":"*","host":"127.0.0.1","id":0,"acc":"I","user":"i","server":"*","kind":"Client","client_type":"nats"}
            E<
            E< q
            I< MSG r.1 1 1
            I< a
            M< MSG latency.traced #
            M< {"type":"io.nats.server.metric.v1.service_latency","id":"*","timestamp":"*","status":200,"requestor":{"start":"*","host":"127.0.0.1","id":0,"acc":"I","user":"i","server":"*","kind":"Client","client_type":"nats"},"responder":{"start":"*","host":"127.0.0.1","id":0,"acc":"E","user":"e","server":"*","kind":"Client","client_type":"nats"},"header":{"X-B3-Sampled":["1"]},"start":"*","service":0,"system":0,"total":0}
            """),
        ["tracing header asks for a measurement 2"] = (Latency, """
            M> CONNECT {"verbose":false,"user":"e","pass":"p"}
            M> SUB latency.* 1
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB traced 1
            I> SUB r.* 1
            I> HPUB traced r.1 60 61
            I> NATS/1.0
            I> x-b3-traceid: 80f198ee56343ba864fe8b2a57d3eff7
            I>
            I> q
            E> PUB {reply} 1
            E> a
            M= latency.traced
            E< HMSG traced 1 _R_.* #
            E< NATS/1.0
            E< x-b3-traceid: 80f198ee56343ba864fe8b2a57d3eff7
            E< Nats-Request-Info: {"start":"*","host":"127.0.0.1","id":0,"acc":"I","user":"i","server":"*","kind":"Client","client_type":"nats"}
            E<
            E< q
            I< MSG r.1 1 1
            I< a
            M< MSG latency.traced #
            M< {"type":"io.nats.server.metric.v1.service_latency","id":"*","timestamp":"*","status":200,"requestor":{"start":"*","host":"127.0.0.1","id":0,"acc":"I","user":"i","server":"*","kind":"Client","client_type":"nats"},"responder":{"start":"*","host":"127.0.0.1","id":0,"acc":"E","user":"e","server":"*","kind":"Client","client_type":"nats"},"header":{"X-B3-Traceid":["80f198ee56343ba864fe8b2a57d3eff7"]},"start":"*","service":0,"system":0,"total":0}
            """),
        ["tracing header asks for a measurement 3"] = (Latency, """
            M> CONNECT {"verbose":false,"user":"e","pass":"p"}
            M> SUB latency.* 1
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB traced 1
            I> SUB r.* 1
            I> HPUB traced r.1 25 26
            I> NATS/1.0
            I> b3: 1-2-1-3
            I>
            I> q
            E> PUB {reply} 1
            E> a
            M= latency.traced
            E< HMSG traced 1 _R_.* #
            E< NATS/1.0
            E< b3: 1-2-1-3
            E< Nats-Request-Info: {"start":"*","host":"127.0.0.1","id":0,"acc":"I","user":"i","server":"*","kind":"Client","client_type":"nats"}
            E<
            E< q
            I< MSG r.1 1 1
            I< a
            M< MSG latency.traced #
            M< {"type":"io.nats.server.metric.v1.service_latency","id":"*","timestamp":"*","status":200,"requestor":{"start":"*","host":"127.0.0.1","id":0,"acc":"I","user":"i","server":"*","kind":"Client","client_type":"nats"},"responder":{"start":"*","host":"127.0.0.1","id":0,"acc":"E","user":"e","server":"*","kind":"Client","client_type":"nats"},"header":{"B3":["1-2-1-3"]},"start":"*","service":0,"system":0,"total":0}
            """),
        ["tracing header asks for a measurement 4"] = (Latency, """
            M> CONNECT {"verbose":false,"user":"e","pass":"p"}
            M> SUB latency.* 1
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB traced 1
            I> SUB r.* 1
            I> HPUB traced r.1 82 83
            I> NATS/1.0
            I> traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
            I>
            I> q
            E> PUB {reply} 1
            E> a
            M= latency.traced
            E< HMSG traced 1 _R_.* #
            E< NATS/1.0
            E< traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
            E< Nats-Request-Info: {"start":"*","host":"127.0.0.1","id":0,"acc":"I","user":"i","server":"*","kind":"Client","client_type":"nats"}
            E<
            E< q
            I< MSG r.1 1 1
            I< a
            M< MSG latency.traced #
            M< {"type":"io.nats.server.metric.v1.service_latency","id":"*","timestamp":"*","status":200,"requestor":{"start":"*","host":"127.0.0.1","id":0,"acc":"I","user":"i","server":"*","kind":"Client","client_type":"nats"},"responder":{"start":"*","host":"127.0.0.1","id":0,"acc":"E","user":"e","server":"*","kind":"Client","client_type":"nats"},"header":{"Traceparent":["00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"]},"start":"*","service":0,"system":0,"total":0}
            """),
        ["tracing header asks for a measurement 5"] = (Latency, """
            M> CONNECT {"verbose":false,"user":"e","pass":"p"}
            M> SUB latency.* 1
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB traced 1
            I> SUB r.* 1
            I> HPUB traced r.1 79 80
            I> NATS/1.0
            I> Uber-Trace-Id: 479fefe9525eddb:5adb976bfc1f95c1:479fefe9525eddb:1
            I>
            I> q
            E> PUB {reply} 1
            E> a
            M= latency.traced
            E< HMSG traced 1 _R_.* #
            E< NATS/1.0
            E< Uber-Trace-Id: 479fefe9525eddb:5adb976bfc1f95c1:479fefe9525eddb:1
            E< Nats-Request-Info: {"start":"*","host":"127.0.0.1","id":0,"acc":"I","user":"i","server":"*","kind":"Client","client_type":"nats"}
            E<
            E< q
            I< MSG r.1 1 1
            I< a
            M< MSG latency.traced #
            M< {"type":"io.nats.server.metric.v1.service_latency","id":"*","timestamp":"*","status":200,"requestor":{"start":"*","host":"127.0.0.1","id":0,"acc":"I","user":"i","server":"*","kind":"Client","client_type":"nats"},"responder":{"start":"*","host":"127.0.0.1","id":0,"acc":"E","user":"e","server":"*","kind":"Client","client_type":"nats"},"header":{"Uber-Trace-Id":["479fefe9525eddb:5adb976bfc1f95c1:479fefe9525eddb:1"]},"start":"*","service":0,"system":0,"total":0}
            """),
        ["tracing header asks for none 1"] = (Latency, """
            M> CONNECT {"verbose":false,"user":"e","pass":"p"}
            M> SUB latency.* 1
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB traced 1
            I> SUB r.* 1
            I> HPUB traced r.1 29 30
            I> NATS/1.0
            I> X-B3-Sampled: 0
            I>
            I> q
            E> PUB {reply} 1
            E> a
            E< HMSG traced 1 _R_.* #
            E< NATS/1.0
            E< X-B3-Sampled: 0
            E< Nats-Request-Info: {"start":"*","host":"127.0.0.1","id":0,"acc":"I","user":"i","server":"*","kind":"Client","client_type":"nats"}
            E<
            E< q
            I< MSG r.1 1 1
            I< a
            """),
        ["tracing header asks for none 2"] = (Latency, """
            M> CONNECT {"verbose":false,"user":"e","pass":"p"}
            M> SUB latency.* 1
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB traced 1
            I> SUB r.* 1
            I> HPUB traced r.1 19 20
            I> NATS/1.0
            I> b3: 0
            I>
            I> q
            E> PUB {reply} 1
            E> a
            E< HMSG traced 1 _R_.* #
            E< NATS/1.0
            E< b3: 0
            E< Nats-Request-Info: {"start":"*","host":"127.0.0.1","id":0,"acc":"I","user":"i","server":"*","kind":"Client","client_type":"nats"}
            E<
            E< q
            I< MSG r.1 1 1
            I< a
            """),
        ["tracing header asks for none 3"] = (Latency, """
            M> CONNECT {"verbose":false,"user":"e","pass":"p"}
            M> SUB latency.* 1
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB traced 1
            I> SUB r.* 1
            I> HPUB traced r.1 82 83
            I> NATS/1.0
            I> traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00
            I>
            I> q
            E> PUB {reply} 1
            E> a
            E< HMSG traced 1 _R_.* #
            E< NATS/1.0
            E< traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00
            E< Nats-Request-Info: {"start":"*","host":"127.0.0.1","id":0,"acc":"I","user":"i","server":"*","kind":"Client","client_type":"nats"}
            E<
            E< q
            I< MSG r.1 1 1
            I< a
            """),
        ["tracing header asks for none 4"] = (Latency, """
            M> CONNECT {"verbose":false,"user":"e","pass":"p"}
            M> SUB latency.* 1
            E> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"e","pass":"p"}
            I> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"i","pass":"p"}
            E> SUB traced 1
            I> SUB r.* 1
            I> HPUB traced r.1 18 19
            I> NATS/1.0
            I> k: v
            I>
            I> q
            E> PUB {reply} 1
            E> a
            E< HMSG traced 1 _R_.* #
            E< NATS/1.0
            E< k: v
            E< Nats-Request-Info: {"start":"*","host":"127.0.0.1","id":0,"acc":"I","user":"i","server":"*","kind":"Client","client_type":"nats"}
            E<
            E< q
            I< MSG r.1 1 1
            I< a
            """),
    };

    public static IEnumerable<string> Names => All.Keys;

    public static string Configuration(string name) => All[name].Configuration;

    public static string Script(string name) => All[name].Script;
}
