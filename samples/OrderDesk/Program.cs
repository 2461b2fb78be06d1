using System.Globalization;
using System.Runtime.InteropServices;
using Microsoft.Extensions.Logging;
using Postrider.Broker;
using Postrider.Samples.OrderDesk;

const string Usage = """
    The broker with the order desk in it.

    order-desk [-p PORT] [-m PORT]
      -p, --port PORT        for NATS clients, default 4222; -1 takes a free one
      -m, --http_port PORT   for monitoring, default 8222; -1 takes a free one
    """;

var options = new BrokerOptions { Monitoring = new MonitoringOptions { Port = 8222 } };
for (var i = 0; i < args.Length; i += 2)
{
    if (i + 1 == args.Length || !int.TryParse(args[i + 1], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var port))
        return Complain(Usage);
    if (args[i].TrimStart('-') is "p" or "port") options.Port = port;
    else if (args[i].TrimStart('-') is "m" or "http_port") options.Monitoring.Port = port;
    else return Complain(Usage);
}

using var logging = LoggerFactory.Create(static builder => builder.AddSimpleConsole(static console =>
{
    console.SingleLine = true;
    console.TimestampFormat = "HH:mm:ss.fff ";
}));
options.LoggerFactory = logging;
try
{
    await using var desk = await Desk.StartAsync(options, logging);
    Console.WriteLine($"""

        The order desk answers at {desk.Url}; monitoring is at {desk.MonitoringUrl}.
          orders.place    request, for example: postrider request orders.place '{"{"}"item":"tea","quantity":2{"}"}'
          orders.count    request with an empty JSON object: postrider request orders.count '{"{}"}'
          orders.placed   subscribe: postrider sub orders.placed
        Ctrl-C ends it.

        """);
    await Interrupted();
    return 0;
}
catch (BrokerException error) when (error.Error == BrokerError.CannotListen)
{
    return Complain($"{error.Message}\nChoose other ports: ./dev run -p PORT -m PORT (-1 takes a free one).");
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
