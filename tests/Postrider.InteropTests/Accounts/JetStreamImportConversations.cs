namespace Postrider.InteropTests.Accounts;

/// <summary>Streams of one account that another one uses; the same configuration for both servers.</summary>
/// <remarks>In the language of <see cref="SharingConversation"/>.</remarks>
internal static class JetStreamImportConversations
{
    private const string JetStream = """
        jetstream { store_dir: "{store}" }
        accounts {
          J {
            users [ { user: j, password: p } ]
            jetstream: enabled
            exports [ { service: "$JS.API.>", response_type: stream }, { service: "$JS.ACK.>" }, { service: "orders.*" }, { stream: "deliver.>" } ]
          }
          X {
            users [ { user: x, password: p } ]
            imports [
              { service: { account: J, subject: "$JS.API.>" } }
              { service: { account: J, subject: "$JS.ACK.>" } }
              { service: { account: J, subject: "orders.*" } }
              { stream: { account: J, subject: "deliver.>" } }
            ]
          }
          Y { users [ { user: y, password: p } ], imports [ { service: { account: J, subject: "$JS.API.>" }, to: "their.api.>" } ] }
        }
        """;

    private static readonly Dictionary<string, (string Configuration, string Script)> All = new()
    {
        ["streams of another account are used through imports"] = (JetStream, """
            J> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"j","pass":"p"}
            X> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"x","pass":"p"}
            X> SUB r.* 1
            X> PUB $JS.API.STREAM.CREATE.ORDERS r.1 41
            X> {"name":"ORDERS","subjects":["orders.*"]}
            X= MSG r.1
            X> PUB orders.1 r.2 3
            X> one
            X= MSG r.2
            X> PUB orders.2 r.3 3
            X> two
            X= MSG r.3
            X> PUB $JS.API.STREAM.NAMES r.4 0
            X>
            X= MSG r.4
            X> PUB $JS.API.STREAM.MSG.GET.ORDERS r.5 9
            X> {"seq":2}
            X= MSG r.5
            X> PUB $JS.API.STREAM.INFO.NONE r.6 0
            X>
            X= MSG r.6
            X> PUB $JS.API.NONSENSE r.7 0
            X>
            X> PUB $JS.API.INFO r.8 0
            X>
            X= MSG r.8
            X> PUB $JS.API.CONSUMER.MSG.NEXT.ORDERS.none r.9 0
            X>
            X= MSG r.9
            X> PUB orders.3.4 r.10 0
            X>
            X= MSG r.10
            """),
        ["pull consumer of another account"] = (JetStream, """
            J> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"j","pass":"p"}
            X> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"x","pass":"p"}
            X> SUB r.* 1
            X> PUB $JS.API.STREAM.CREATE.ORDERS r.1 41
            X> {"name":"ORDERS","subjects":["orders.*"]}
            X= MSG r.1
            X> PUB orders.1 r.2 3
            X> one
            X= MSG r.2
            X> PUB orders.2 r.3 3
            X> two
            X= MSG r.3
            X> PUB $JS.API.CONSUMER.DURABLE.CREATE.ORDERS.c r.4 78
            X> {"stream_name":"ORDERS","config":{"durable_name":"c","ack_policy":"explicit"}}
            X= MSG r.4
            X> PUB $JS.API.CONSUMER.MSG.NEXT.ORDERS.c r.5 11
            X> {"batch":2}
            X= two
            X> PUB {reply1} r.6 4
            X> +ACK
            X= MSG r.6
            X> PUB $JS.API.CONSUMER.MSG.NEXT.ORDERS.c r.7 26
            X> {"batch":1,"no_wait":true}
            X= MSG r.7
            X> PUB $JS.API.CONSUMER.INFO.ORDERS.c r.8 0
            X>
            X= MSG r.8
            """),
        ["push consumer delivers into another account"] = (JetStream, """
            J> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"j","pass":"p"}
            X> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"x","pass":"p"}
            X> SUB r.* 1
            X> SUB deliver.x 2
            X> PUB $JS.API.STREAM.CREATE.ORDERS r.1 41
            X> {"name":"ORDERS","subjects":["orders.*"]}
            X= MSG r.1
            X> PUB $JS.API.CONSUMER.DURABLE.CREATE.ORDERS.c r.4 108
            X> {"stream_name":"ORDERS","config":{"durable_name":"c","ack_policy":"explicit","deliver_subject":"deliver.x"}}
            X= MSG r.4
            J> PUB orders.1 3
            J> one
            X= $JS.ACK.ORDERS.c.1.1.1.
            X> PUB {reply1} r.5 4
            X> +ACK
            X= MSG r.5
            J> PUB orders.2 3
            J> two
            X= $JS.ACK.ORDERS.c.1.2.2.
            X> PUB $JS.API.CONSUMER.INFO.ORDERS.c r.7 0
            X>
            X= MSG r.7
            """),
        ["stored messages do not tell who sent them"] = (JetStream, """
            J> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"j","pass":"p"}
            X> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"x","pass":"p"}
            X> SUB r.* 1
            X> PUB $JS.API.STREAM.CREATE.ORDERS r.1 41
            X> {"name":"ORDERS","subjects":["orders.*"]}
            X= MSG r.1
            X> HPUB orders.1 r.2 18 21
            X> NATS/1.0
            X> k: v
            X>
            X> one
            X= MSG r.2
            X> PUB orders.2 r.3 3
            X> two
            X= MSG r.3
            X> PUB $JS.API.STREAM.MSG.GET.ORDERS r.5 9
            X> {"seq":1}
            X= MSG r.5
            X> PUB $JS.API.STREAM.MSG.GET.ORDERS r.6 9
            X> {"seq":2}
            X= MSG r.6
            X> PUB $JS.API.DIRECT.GET.ORDERS r.7 9
            X> {"seq":1}
            X= MSG r.7
            """),
        ["api under another name"] = (JetStream, """
            J> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"j","pass":"p"}
            X> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"x","pass":"p"}
            Y> CONNECT {"verbose":false,"headers":true,"no_responders":true,"user":"y","pass":"p"}
            Y> SUB r.* 1
            J> SUB r.* 1
            J> PUB $JS.API.STREAM.CREATE.ORDERS r.1 41
            J> {"name":"ORDERS","subjects":["orders.*"]}
            J= MSG r.1
            Y> PUB their.api.STREAM.NAMES r.1 0
            Y>
            Y= MSG r.1
            Y> PUB $JS.API.STREAM.NAMES r.2 0
            Y>
            Y= MSG r.2
            """),
    };

    public static IEnumerable<string> Names => All.Keys;

    public static string Configuration(string name) => All[name].Configuration;

    public static string Script(string name) => All[name].Script;
}
