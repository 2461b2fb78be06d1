using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.Hosting;
using Postrider.Dispatch;
using Postrider.Flow.Hosting;
using Postrider.HostingTests.Dispatch;
using Postrider.HostingTests.Rpc;
using Postrider.Outbox;
using Postrider.Resilience;
using Postrider.Rpc.Hosting;
using Postrider.Rpc.Server;
using Postrider.Serialization;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.HostingTests.Mistakes;

/// <summary>A mistake: what the application adds, its configuration, and the lines that the start ends with.</summary>
internal sealed record Mistake(string Name, Action<HostApplicationBuilder> Add, Dictionary<string, string?> Keys, params string[] Lines)
{
    private const string Messages = "Postrider.HostingTests.Dispatch.";
    private const string Module = "Looked for handlers in Postrider.HostingTests, parcel-desk-web, parcel-desk-worker.";
    private const string Guide = "docs/guide/transports-seam.md lists what each transport can do.";

    private static readonly JsonSerializerProvider s_json = new(RoutesJson.Default);

    // Nothing listens there while the tests run: a listener that was closed had it.
    private static readonly int s_closedPort = ClosedPort();

    // Listens for as long as the tests run.
    private static readonly TcpListener s_taken = Listen();

    public static IReadOnlyList<Mistake> All { get; } =
    [
        .. RouteKeys(), .. Routes(), .. Bindings(), .. FlowKeys(), .. BrokerKeys(), .. Clients(), .. Calls(),
    ];

    private static IEnumerable<Mistake> RouteKeys()
    {
        const string Path = "Postrider:Routes";
        yield return Row("unknown key", "*:Transport=work;*:Destinaton=x", $"{Path}:*:Destination is missing. Set it to a subject, topic or queue; {{name}} is the name of the message's type.", $"{Path}:*:Destinaton is not a known key. Did you mean 'Destination'?");
        yield return Row("no transport", "Remind:Destination=x", $"{Path}:Remind:Transport is missing. Set it to the name of a transport that AddPostriderTransport added.");
        yield return Row("a text for a section", "Remind=work.remind", $"{Path}:Remind is 'work.remind'; it must have keys of its own.", $"{Path}:Remind:Transport is missing. Set it to the name of a transport that AddPostriderTransport added.", $"{Path}:Remind:Destination is missing. Set it to a subject, topic or queue; {{name}} is the name of the message's type.");
        yield return Row("a message that is not listed", "Remindr:Transport=work;Remindr:Destination=x", $"{Path}:Remindr matches none of the messages that RouteFrom lists: {Messages}PackParcel, {Messages}Remind.");
        yield return Row("a pattern without a message", "Shop.*:Transport=work;Shop.*:Destination=x", $"{Path}:Shop.* matches none of the messages that RouteFrom lists: {Messages}PackParcel, {Messages}Remind.");
        yield return Row("two patterns", "*Remind:Transport=work;*Remind:Destination=x;Postrider.*:Transport=work;Postrider.*:Destination=y", $"{Path}:Postrider.* routes {Messages}Remind, which '*Remind' routes as well. Remove one of them, or add a key with the message's name.");
        yield return Row("two names", $"Remind:Transport=work;Remind:Destination=x;{Messages}Remind:Transport=work;{Messages}Remind:Destination=y", $"{Path}:Remind routes {Messages}Remind, which '{Messages}Remind' routes as well. Remove one of them, or add a key with the message's name.");
        yield return Row("a wrong placeholder", "Remind:Transport=work;Remind:Destination=x.{type}", $"{Path}:Remind:Destination is 'x.{{type}}'; the only placeholder is {{name}}.");
        yield return Row("a wrong duration", "Remind:Transport=work;Remind:Destination=x;Remind:TimeToLive=5", $"{Path}:Remind:TimeToLive is '5'; it must be a duration such as 250ms, 30s, 5m, 1h or 00:00:30.");
        yield return Row("no time to live", "Remind:Transport=work;Remind:Destination=x;Remind:TimeToLive=0s", $"{Path}:Remind:TimeToLive is zero; it must be greater, or absent for messages that do not expire.");
        yield return Row("a transport that was not added", "Remind:Transport=wrk;Remind:Destination=x", $"{Messages}Remind is routed over the transport 'wrk', which was not added. Added: work. Did you mean 'work'? Otherwise call AddPostriderTransport(\"wrk\", …) or the method of a transport's package, such as AddNatsStreamTransport(\"wrk\", …) or AddRabbitMqTransport(\"wrk\", …); for an outbox, AddTransport(\"wrk\", over: …).");
        yield return Row("a route in code as well", "Remind:Transport=work;Remind:Destination=x;Orphan:Transport=work;Orphan:Destination=o", $"{Messages}Orphan is routed twice: by Route to 'orphans' over 'work' and by {Path}:Orphan to 'o' over 'work'. Remove one of them.");

        static Mistake Row(string name, string keys, params string[] lines)
            => new($"routes: {name}", builder => Host(builder, options =>
            {
                var withOrphan = keys.Contains("Orphan", StringComparison.Ordinal);
                if (withOrphan)
                    options.Route<Orphan, Unit>("work", s_json, "orphans");
                options.RouteFrom(builder.Configuration.GetSection(Path), messages =>
                {
                    messages.Command<Remind>();
                    _ = withOrphan ? messages.Command<Orphan>() : messages.Command<PackParcel>();
                });
            }), KeysOf(Path, keys), lines);
    }

    private static IEnumerable<Mistake> Routes()
    {
        yield return Row("a notification by Route", options => options.Route<ParcelPacked, Unit>("work", s_json, "x"), $"{Messages}ParcelPacked is a notification: route it to 'x' with RouteNotification.");
        yield return Row("a stream by Route", options => options.Route<CountTo, Number>("work", s_json, "x"), $"{Messages}CountTo is a stream request: route it to 'x' with RouteStream.");
        yield return Row("two routes", options => options.Route<Remind, Unit>("work", s_json, "x").Route<Remind, Unit>("work", s_json, "y"), $"{Messages}Remind is routed twice: by Route to 'x' over 'work' and by Route to 'y' over 'work'. Remove one of them.");
        yield return Row("two transports that were not added", options => options.Route<Remind, Unit>("a", s_json, "x").RouteNotification<ParcelPacked>("b", s_json, "y"), $"{Messages}ParcelPacked is routed over the transport 'b', which was not added. Added: work. Call AddPostriderTransport(\"b\", …) or the method of a transport's package, such as AddNatsStreamTransport(\"b\", …) or AddRabbitMqTransport(\"b\", …); for an outbox, AddTransport(\"b\", over: …).", $"{Messages}Remind is routed over the transport 'a', which was not added. Added: work. Call AddPostriderTransport(\"a\", …) or the method of a transport's package, such as AddNatsStreamTransport(\"a\", …) or AddRabbitMqTransport(\"a\", …); for an outbox, AddTransport(\"a\", over: …).");
        yield return Row("no attribute", options => options.RouteByAttribute(static messages => messages.Command<Remind>()), $"{Messages}Remind has no [RouteTo(transport, destination)]: add the attribute, or remove the message from RouteByAttribute.");
        yield return Row("a negative delay", options => options.RouteNotification<ParcelPacked>("work", s_json, new SendTarget("x") { Delay = TimeSpan.FromSeconds(-1) }), $"{Messages}ParcelPacked is routed to 'x' over transport 'memory' with Delay -00:00:01: it must not be negative. {Guide}");
        yield return Row("a message that its format does not know", options => options.RouteNotification<OrderPlaced>("work", s_json, "x"), $"{Messages}OrderPlaced is routed to 'x' over the transport 'work' by RouteNotification, which is not possible: The serializers of application/json do not support {Messages}OrderPlaced. Add the type to its context.");
        yield return Row("a request with a delay", options => options.Route<FindOrder, Receipt?>("work", s_json, new SendTarget("x") { Delay = TimeSpan.FromSeconds(1) }), $"{Messages}FindOrder is routed to 'x' over transport 'memory' with Delay 00:00:01, but its sender waits for {Messages}Receipt: remove Delay from the SendTarget, or make it a command without a response. {Guide}");
        yield return Row("a stream with a delay", options => options.RouteStream<CountTo, Number>("work", s_json, new SendTarget("x") { Delay = TimeSpan.FromSeconds(1) }), $"{Messages}CountTo is routed to 'x' over transport 'memory' with Delay 00:00:01, and its sender waits for the items: remove Delay from the SendTarget. {Guide}");
        yield return Row("no time to live", options => options.RouteNotification<ParcelPacked>("work", s_json, new SendTarget("x") { TimeToLive = TimeSpan.Zero }), $"{Messages}ParcelPacked is routed to 'x' over transport 'memory' with TimeToLive 00:00:00: it must be greater than zero. {Guide}");
        yield return Row("no background queue", options => options.BackgroundQueueLength = 0, "BackgroundQueueLength is 0; it must be at least 1.");
        yield return Row("an unknown strategy", options => options.DefaultStrategy = (PublishStrategy)77, "DefaultStrategy is 77, which is not a PublishStrategy.");
        yield return new("options: a service that handlers need", builder => builder.Services.AddPostrider(static options => options.ValidateOnStart = true), [],
            Needs("CountHandler", Messages + "CountTo", "RouteLog"), Needs("CountHandler", Messages + "CountTo", "StreamScope"),
            Needs("PackHandler", Batch("PackParcel"), "RouteLog"), Needs("PackHandler", Batch("PackParcel"), "StreamScope"),
            Needs("OrderHandlers", Messages + "OrderPlaced", "OrderNotes"), Needs("RemindHandlers", Messages + "Remind", "RouteLog"), Needs("OrderHandlers", Messages + "PlaceOrder", "OrderNotes"),
            "ParcelDesk.Web.AcceptParcels of ParcelDesk.AcceptParcel needs ParcelDesk.Web.ParcelBook, which is not registered in the container.",
            "ParcelDesk.Worker.Billing of ParcelDesk.ParcelAccepted needs ParcelDesk.IRates, which is not registered in the container.",
            "ParcelDesk.Worker.Billing of ParcelDesk.ParcelAccepted needs ParcelDesk.Worker.Ledger, which is not registered in the container.");

        static string Needs(string handler, string message, string service) => $"{Messages}{handler} of {message} needs {Messages}{service}, which is not registered in the container.";

        static string Batch(string message) => $"Postrider.MessageBatch`1[{Messages}{message}]";

        static Mistake Row(string name, Action<DispatchOptions> options, params string[] lines) => new($"options: {name}", builder => Host(builder, options), [], lines);
    }

    private static IEnumerable<Mistake> Bindings()
    {
        yield return Row("a missing handler", transport => transport.Command<Orphan>(new TransportBinding("orphans")), $"{Messages}Orphan is bound to 'orphans', but this container has neither a handler for it nor a route that passes it on: reference the project that has the handler and call its AddPostrider, or remove the binding. {Module}");
        yield return Row("a notification that nothing hears", transport => transport.Notification<Rumour>(new TransportBinding("news")), $"{Messages}Rumour is bound to 'news', but this container has neither a handler for it nor a route that passes it on: reference the project that has the handler and call its AddPostrider, or remove the binding. {Module}");
        yield return Row("a batch without a handler", transport => transport.Batch<Remind>(new TransportBinding("r") { MaxConcurrency = 200 }), $"Postrider.MessageBatch`1[{Messages}Remind] is bound to 'r', but this container has neither a handler for it nor a route that passes it on: reference the project that has the handler and call its AddPostrider, or remove the binding. {Module}");
        yield return Row("a batch that never fills", transport => transport.Batch<PackParcel>(new TransportBinding("p") { MaxConcurrency = 4 }), $"{Messages}PackParcel is bound to 'p' in batches that are not valid: MaxMessages is 100, but MaxConcurrency of the binding lets only 4 messages wait: set MaxConcurrency to at least 100.");
        yield return Row("a batch with an inbox", transport => transport.UseInbox("packing").Batch<PackParcel>(new AtLeastOnceBinding("p") { MaxConcurrency = 200 }), $"Postrider.MessageBatch`1[{Messages}PackParcel] is bound to 'p' on transport 'memory', and the inbox 'packing' is one row in the transaction of one message, while a batch has a transaction of its own: bind the messages one by one, or make the handler of the batch recognize repetitions.");
        yield return Row("no concurrency", transport => transport.Command<Remind>(new AtLeastOnceBinding("r") { MaxConcurrency = 0 }), "The binding of 'r' is not valid: MaxConcurrency is 0 and must be at least 1.");
        yield return Row("no concurrency of requests", transport => transport.Command<Remind>(new TransportBinding("r") { MaxConcurrency = 0 }), $"{Messages}Remind is bound to 'r' on transport 'memory' with MaxConcurrency 0, which must be from 1 to 1000000. {Guide}");
        yield return Row("concurrency without end", transport => transport.Command<Remind>(new AtLeastOnceBinding("r") { MaxConcurrency = int.MaxValue }), "The binding of 'r' is not valid: MaxConcurrency is 2147483647 and must be at most 1000000.");
        yield return Row("no attempt", transport => transport.Command<Remind>(new AtLeastOnceBinding("r") { Retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 0 } }), "The binding of 'r' is not valid: Retry.MaxAttempts is 0 and must be at least 1.");
        yield return Row("a budget of retries", transport => transport.Command<Remind>(new AtLeastOnceBinding("r") { Retry = AtLeastOnceBinding.DefaultRetry with { Budget = new RetryBudget() } }), "The binding of 'r' is not valid: Retry has a Budget, which would dead-letter a message because others failed.");
        yield return Row("dead letters at the source", transport => transport.Command<Remind>(new AtLeastOnceBinding("r") { DeadLetter = "r" }), "The binding of 'r' is not valid: DeadLetter 'r' is the source of the binding itself.");
        yield return Row("a stream that is durable", transport => transport.Stream<CountTo, Number>(new AtLeastOnceBinding("c")), $"{Messages}CountTo is bound to 'c' on transport 'memory' as a stream request by an AtLeastOnceBinding, and a stream is sent to one caller that waits for it: use a TransportBinding. {Guide}");
        yield return Row("a type that no format has", transport => transport.Command<Archive>(new TransportBinding("a")), $"The serializers of application/json do not support {Messages}Archive. Add the type to its context.");
        yield return Row("two messages that share a source", transport => transport.Command<Remind>(new TransportBinding("r") { Group = "desk" }).Command<PackParcel>(new TransportBinding("r") { Group = "desk" }), $"{Messages}Remind and {Messages}PackParcel are both bound to 'r' on transport 'memory', where each message is given to one of the two, whatever its type: bind each type to a source of its own.");
        yield return Row("an inbox without a database", transport => transport.UseInbox("desk").Command<Remind>(new AtLeastOnceBinding("r")), "The inbox 'desk' on transport 'memory' has no database: call AddPostriderOutbox, and UseDataSource or UseDbContext on what it returns.");
        yield return new("bindings: no dispatcher", static builder => builder.Services.AddPostriderTransport("work", static _ => new InMemoryTransport(), s_json).Command<Remind>(new TransportBinding("r")), [], "The container has bindings and no dispatcher to handle their messages: call AddPostrider() in the project of the handlers.");
        yield return new("bindings: a transport twice", builder =>
        {
            Host(builder, static _ => { });
            builder.Services.AddPostriderTransport("work", static _ => new InMemoryTransport(), s_json);
        }, [], "The transport 'work' was already added. Keep the builder that AddPostriderTransport returned to add bindings, or choose another name.");

        static Mistake Row(string name, Action<TransportBuilder> bind, params string[] lines) => new($"bindings: {name}", builder => bind(Host(builder, static _ => { })), [], lines);
    }

    private static IEnumerable<Mistake> FlowKeys()
    {
        const string Path = "Postrider:Flow";
        yield return Row("an unknown section", "Bulkhead:stock:Capacity=3", $"{Path}:Bulkhead is not a known key. Did you mean 'Bulkheads'?");
        yield return Row("no capacity", "Bulkheads:stock:Capacty=3", $"{Path}:Bulkheads:stock:Capacity is missing. Set it to the largest number of concurrent calls.", $"{Path}:Bulkheads:stock:Capacty is not a known key. Did you mean 'Capacity'?");
        yield return Row("a capacity of zero", "Bulkheads:stock:Capacity=0", $"{Path}:Bulkheads:stock:Capacity is '0'; it must be a whole number from 1 to 2147483647.");
        yield return Row("a number for a bulkhead", "Bulkheads:stock=3", $"{Path}:Bulkheads:stock is '3'; it must have keys of its own.", $"{Path}:Bulkheads:stock:Capacity is missing. Set it to the largest number of concurrent calls.");
        yield return Row("no permits", "RateLimiters:stock:Per=1s", $"{Path}:RateLimiters:stock:Permits is missing. Set it to the number of calls that are allowed in the time of Per, which is a second by default.");
        yield return Row("permits per nothing", "RateLimiters:stock:Permits=5;RateLimiters:stock:Per=0s", $"{Path}:RateLimiters:stock:Per is zero; it must be greater.");
        yield return Row("a breaker without a rule", "CircuitBreakers:stock:FailureThreshold=0", $"{Path}:CircuitBreakers:stock is not valid: CircuitBreakerOptions has no rule: set FailureThreshold, FailureRatio or SlowCall.");
        yield return Row("a ratio above one", "CircuitBreakers:stock:FailureRatio=1.5", $"{Path}:CircuitBreakers:stock:FailureRatio is '1.5'; it must be a number from 0 to 1, such as 0.5.");
        yield return Row("a breaker that never opens", "CircuitBreakers:stock:OpenTime=0s", $"{Path}:CircuitBreakers:stock is not valid: CircuitBreakerOptions.OpenTime is 00:00:00; it must be above zero.");
        yield return Row("a wrong backoff", "Retries:stock:Backoff=Slow", $"{Path}:Retries:stock:Backoff is 'Slow'; it must be Constant or Linear or Exponential or LinearJitter or ExponentialJitter or DecorrelatedJitter.");
        yield return Row("delays the wrong way round", "Retries:stock:BaseDelay=10s;Retries:stock:MaxDelay=5s", $"{Path}:Retries:stock is not valid: RetryPolicy.MaxDelay is 00:00:05; it must not be below BaseDelay 00:00:10.");
        yield return Row("a gate that is not there", "Operations:import:CircuitBreaker=stock", $"{Path}:Operations:import:CircuitBreaker is 'stock', but the section CircuitBreakers has none. Add CircuitBreakers:stock.");
        yield return Row("a gate of another name", "Retries:stock:MaxAttempts=2;Retries:depot:MaxAttempts=3;Operations:import:Retry=stok", $"{Path}:Operations:import:Retry is 'stok', which the section Retries does not have. It has: depot, stock.");
        yield return Row("a wrong number", "Operations:import:MaxConcurrency=all", $"{Path}:Operations:import:MaxConcurrency is 'all'; it must be a whole number from 1 to 2147483647.");

        static Mistake Row(string name, string keys, params string[] lines) => new($"flow: {name}", static builder => builder.AddPostriderFlow(), KeysOf(Path, keys), lines);
    }

    private static IEnumerable<Mistake> BrokerKeys()
    {
        const string Path = "Postrider:Broker";
        yield return Row("an unknown key", "Prot=4222", $"{Path}:Prot is not a known key. Did you mean 'Port'?");
        yield return Row("a wrong port", "Port=http", $"{Path}:Port is 'http'; it must be a whole number from -1 to 65535.");
        yield return Row("a port out of range", "Port=70000", $"{Path}:Port is '70000'; it must be a whole number from -1 to 65535.");
        yield return Row("an unknown key of JetStream", "JetStream:StorDirectory=/tmp/x", $"{Path}:JetStream:StorDirectory is not a known key. Did you mean 'StoreDirectory'?");
        yield return Row("a shortened key", "JetStream:StoreDir=/tmp/x", $"{Path}:JetStream:StoreDir is not a known key. Did you mean 'StoreDirectory'?");
        yield return Row("a wrong size", "JetStream:MaxStoreBytes=lots", $"{Path}:JetStream:MaxStoreBytes is 'lots'; it must be a size such as 65536, 64KB, 16MB or 1GB.");
        yield return Row("a file that is not there", "ConfigurationFile=/no/such/nats.conf", $"{Path}:ConfigurationFile is '/no/such/nats.conf'; there is no such file.");
        yield return Row("a wrong size of messages", "MaxPayloadBytes=1MiB", $"{Path}:MaxPayloadBytes is '1MiB'; it must be a size such as 65536, 64KB or 16MB, at most 67108864 bytes.");

        yield return Row("a port that is taken", $"Port={((IPEndPoint)s_taken.LocalEndpoint).Port}", $"Cannot listen on {s_taken.LocalEndpoint}: Address already in use. Choose another port with {Path}:Port, or -1 for a free one.");

        yield return new("broker: twice", static builder => builder.AddPostriderBroker().AddPostriderBroker(), [], "AddPostriderBroker was called twice. A host has one broker; start others with NatsBroker.StartAsync.");

        static Mistake Row(string name, string keys, params string[] lines)
            => new($"broker: {name}", static builder => builder.AddPostriderBroker(builder.Configuration.GetSection(Path)), KeysOf(Path, keys), lines);
    }

    private static IEnumerable<Mistake> Clients()
    {
        yield return Row("an address where nothing listens", static builder => builder.AddPostriderClient(), $"Servers=nats://127.0.0.1:{s_closedPort};ConnectTimeout=2s", $"The NATS client did not connect: Cannot connect to 127.0.0.1:{s_closedPort}: Connection refused. Check Postrider:Client:Servers, or set Postrider:Client:RetryFirstConnect to start without a server.");
        yield return Row("a token and a user", static builder => builder.AddPostriderClient(), "Token=t;User=u", "Postrider:Client:Token and User are both set; a server takes one of them.");
        yield return Row("a certificate without its key", static builder => builder.AddPostriderClient(), $"Tls:CertFile={typeof(Mistake).Assembly.Location}", "Postrider:Client:Tls:CertFile is set alone; a client certificate needs both CertFile and KeyFile.");
        yield return new("client: twice", static builder => builder.AddPostriderClient().AddPostriderClient(), [], "AddPostriderClient was called twice without a name. Give one of the clients a name.");
        yield return new("client: a name twice", static builder => builder.AddPostriderClient("a").AddPostriderClient("a"), [], "AddPostriderClient was called twice with the name 'a'.");
        yield return new("client: a transport without a client", static builder =>
        {
            builder.Services.AddSingleton<RouteLog>().AddPostrider(static options => options.RouteNotification<ParcelPacked>("work", s_json, "x"));
            builder.Services.AddNatsTransport("work", s_json);
        }, [], "The transport 'work' needs a NATS client, and none was added. Call AddPostriderClient() of Postrider.Client.Hosting.");
        yield return new("client: a route to what is not a subject", static builder =>
        {
            builder.AddPostriderClient(static options => options.RetryFirstConnect = true);
            builder.Services.AddSingleton<RouteLog>().AddPostrider(static options => options.RouteNotification<ParcelPacked>("work", s_json, "parcels packed"));
            builder.Services.AddNatsTransport("work", s_json);
        }, [], $"{Messages}ParcelPacked is routed to 'parcels packed' over the transport 'work' by RouteNotification, which is not possible: 'parcels packed' is not a subject that a message can be sent to: it must consist of tokens separated by dots, such as 'orders.placed', without whitespace and wildcards.");
        yield return new("client: credentials in code and a user in the configuration", static builder =>
            builder.AddPostriderClient(static options => options.Credentials = ClientCredentials.FromToken(static _ => new("token"))), KeysOf("Postrider:Client", "User=guest"),
            "Postrider:Client:User is set together with ClientOptions.Credentials: set one of them.");
        yield return new("client: a section with a wrong name", static builder => builder.AddPostriderClient(), KeysOf("Postrider:Clients", "Servers=nats://127.0.0.1:1"), "Postrider:Clients is not a known section. Did you mean 'Client'?");
        yield return new("client: a transport without its client", static builder =>
        {
            builder.AddPostriderClient(static options => options.RetryFirstConnect = true);
            builder.Services.AddSingleton<RouteLog>().AddPostrider(static _ => { });
            builder.Services.AddNatsStreamTransport("work", s_json, client: "orders");
        }, [], "The transport 'work' needs the NATS client 'orders', which was not added. Call AddPostriderClient(\"orders\") of Postrider.Client.Hosting.");

        static Mistake Row(string name, Action<HostApplicationBuilder> add, string keys, params string[] lines) => new($"client: {name}", add, KeysOf("Postrider:Client", keys), lines);
    }

    private static IEnumerable<Mistake> Calls()
    {
        const string Path = "Postrider:Rpc:Channels:ledger";
        yield return new("rpc: no address", static builder => builder.Services.AddRpcCodec(LedgerHost.Codec).AddRpcClient<ILedger>(), [], $"{Path}:Address is missing. Set it to the address of the service, for example tcp://localhost:5090 or https://orders.example.");
        yield return new("rpc: an unknown key", static builder => builder.Services.AddRpcCodec(LedgerHost.Codec).AddRpcClient<ILedger>("tcp://127.0.0.1:1"), KeysOf(Path, "TimeOutt=1s"), $"{Path}:TimeOutt is not a known key. Did you mean 'Timeout'?");
        yield return new("rpc: no time", static builder => builder.Services.AddRpcCodec(LedgerHost.Codec).AddRpcClient<ILedger>("tcp://127.0.0.1:1"), KeysOf(Path, "Timeout=0s;ConnectTimeout=0s"), $"{Path}:Timeout is zero; it must be greater, or absent for the default.", $"{Path}:ConnectTimeout is zero; it must be greater, or absent for the default.");
        yield return new("rpc: no codec", static builder => builder.Services.AddRpcClient<ILedger>("tcp://127.0.0.1:1"), [], "There is no RPC codec. Add one, for example AddRpcCodec(new RpcJsonCodec(MessagesJson.Default)).");
        yield return new("rpc: no address at all", static builder => builder.Services.AddRpcClient<ILedger>("ledger"), [], "'ledger' is not an address. Use one such as tcp://localhost:5090 or https://orders.example. (Parameter 'address')");
        yield return new("rpc: a server without services", static builder => builder.Services.AddRpcCodec(LedgerHost.Codec).AddRpcSocketServer(new IPEndPoint(IPAddress.Loopback, 0)), [], "There is no RPC service to serve. Add one with AddRpcService<TService, TImplementation>().");
        yield return new("rpc: a contract twice", static builder => builder.Services.AddRpcService<ILedger, Ledger>().AddRpcService<ILedger, Ledger>(), [], "AddRpcService was called twice for Postrider.HostingTests.Rpc.ILedger.");
        yield return new("rpc: [Authorize] that nothing checks", static builder => builder.Services.AddSingleton<Books>().AddRpcCodec(LedgerHost.Codec).AddRpcService<ILedger, Ledger>().AddRpcSocketServer(new IPEndPoint(IPAddress.Loopback, 0)), [], "ledger/Secret has [Authorize], which nothing checks over a socket. Call AddRpcAuthorization() of Postrider.Rpc.Server, and AddRpcAuthentication<TAuthenticator>() or client certificates to know the callers.");
        yield return new("rpc: a port that is taken", static builder =>
            builder.Services.AddSingleton<Books>().AddRpcCodec(LedgerHost.Codec).AddRpcService<ILedger, Ledger>().AddRpcAuthorization().AddRpcSocketServer(s_taken.LocalEndpoint), [],
            $"{s_taken.LocalEndpoint} is already in use. Stop the program that listens there, or choose another port (0 picks a free one).");
    }

    private static TransportBuilder Host(HostApplicationBuilder builder, Action<DispatchOptions> options)
    {
        builder.Services.AddSingleton<RouteLog>().AddScoped<StreamScope>().AddPostrider(options);
        return builder.Services.AddPostriderTransport("work", static _ => new InMemoryTransport(), s_json);
    }

    private static Dictionary<string, string?> KeysOf(string path, string keys)
        => keys.Split(';', StringSplitOptions.RemoveEmptyEntries).Select(static pair => pair.Split('=', 2)).ToDictionary(pair => $"{path}:{pair[0]}", pair => (string?)pair[1], StringComparer.Ordinal);

    private static int ClosedPort()
    {
        using var listener = Listen();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    private static TcpListener Listen()
    {
        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return listener;
    }
}
