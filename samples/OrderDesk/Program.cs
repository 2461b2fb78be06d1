using System.Globalization;
using System.Runtime.InteropServices;
using Microsoft.Extensions.Logging;
using Postrider.Broker;
using Postrider.Samples.OrderDesk;

const string Usage = """
    The broker with the order desk in it.

    order-desk [-p PORT] [-m PORT] [-sd FOLDER]
      -p, --port PORT            for NATS clients, default 4222; -1 takes a free one
      -m, --http_port PORT       for monitoring, default 8222; -1 takes a free one
      -sd, --store_dir FOLDER    where orders are kept; without it, as long as the program runs
    """;

if (args is ["-h" or "--help", ..])
{
    Console.WriteLine(Usage);
    return 0;
}
var options = new BrokerOptions { Monitoring = new MonitoringOptions { Port = 8222 }, JetStream = new JetStreamOptions() };
for (var i = 0; i < args.Length; i += 2)
{
    var flag = args[i].TrimStart('-');
    if (flag is not ("sd" or "store_dir" or "p" or "port" or "m" or "http_port")) return Complain($"'{args[i]}' is not an option.\n{Usage}");
    if (i + 1 == args.Length) return Complain($"{args[i]} needs a value.\n{Usage}");
    if (flag is "sd" or "store_dir") options.JetStream.StoreDirectory = args[i + 1];
    else if (!int.TryParse(args[i + 1], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var port)) return Complain($"{args[i]} needs a port, not '{args[i + 1]}'.\n{Usage}");
    else if (flag is "p" or "port") options.Port = port;
    else options.Monitoring.Port = port;
}

using var folder = new TemporaryFolder(options.JetStream.StoreDirectory is null);
options.JetStream.StoreDirectory ??= folder.Path;
using var logging = LoggerFactory.Create(static builder => builder.AddSimpleConsole(static console =>
{
    console.SingleLine = true;
    console.TimestampFormat = "HH:mm:ss.fff ";
}));
options.LoggerFactory = logging;
try
{
    await using var desk = await Desk.StartAsync(options, logging);
    var to = options.Port == BrokerOptions.DefaultPort ? "" : $" -s {desk.Url}";
    Console.WriteLine($"""

        The order desk answers at {desk.Url}; monitoring is at {desk.MonitoringUrl}.
          orders.place    request, for example: postrider request{to} orders.place '{"{"}"item":"tea","quantity":2{"}"}'
          orders.count    request with an empty JSON object: postrider request{to} orders.count '{"{}"}'
          orders.placed   subscribe: postrider sub{to} orders.placed
        Orders are packed behind it; where each stands: postrider kv watch{to} orders
        Ctrl-C ends it.

        """);
    await Interrupted();
    return 0;
}
catch (BrokerException error)
{
    return Complain(error.Error == BrokerError.CannotListen
        ? $"{error.Message}\nChoose other ports: ./dev run -p PORT -m PORT (-1 takes a free one)."
        : error.Message);
}

static int Complain(string text)
{
    Console.Error.WriteLine(text);
    return 1;
}

static async Task Interrupted()
{
    var interrupted = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
    using var interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, Stop);
    using var terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Stop);
    await interrupted.Task;

    void Stop(PosixSignalContext context)
    {
        context.Cancel = true;
        interrupted.TrySetResult();
    }
}
