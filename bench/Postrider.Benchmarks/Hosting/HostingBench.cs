using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Benchmarks.Turns;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Rpc;
using Postrider.Rpc.Hosting;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.Benchmarks.Hosting;

/// <summary>What the container, interceptors and routes add to a call: each row in processes of its own, in turn with the others, because
/// what the compiler has seen of one row changes the code of the next; the best round's median of each process, and of these the middle one.</summary>
internal static class HostingBench
{
    private const int Processes = 3;

    /// <summary>Runs the table.</summary>
    /// <param name="args"><c>--quick</c> takes fewer and shorter rounds; <c>--json FILE</c> writes each row as a line of JSON, too;
    /// <c>--cell ROW</c> measures one row in this process.</param>
    /// <returns>The exit code.</returns>
    public static async Task<int> RunAsync(string[] args)
    {
        if (BenchArguments.Option(args, "--cell") is { } cell)
            return await CellAsync(cell, args.Contains("--quick"));

        var json = BenchArguments.Option(args, "--json");
        var rows = Rows();
        var runs = rows.ToDictionary(static row => row, static _ => new List<Cell>());
        for (var i = 0; i < Processes; i++)
        {
            foreach (var row in rows)
                runs[row].Add(InOwnProcess(row, args.Contains("--quick")));
        }

        foreach (var table in rows.GroupBy(static row => row.Table))
            await TableAsync(table.Key, [.. table.Select(row => (row, Middle(runs[row])))], json);
        return 0;
    }

    private static Row[] Rows()
    {
        const string call = "an operation in process, int to int";
        const string perTest = "an embedded broker per test";
        return
        [
            new(call, "singleton", null, null, static () => Client(Container(ServiceLifetime.Singleton))),
            new(call, "one for each call, no scope needed", 60, 150, static () => Client(Container(ServiceLifetime.Transient))),
            new(call, "one for each call, with a scoped object", 60, 150, static () => Client(Container<Unit>())),
            new(call, "one for each call, with a scoped object to dispose", null, null, static () => Client(Container<DisposableUnit>())),
            new(call, "bare: a scope of the container and the service from it", null, null, static () => new BareScope(Container<Unit>()).Call),
            new(call, "singleton, 1 interceptor at the client", 15, null, static () => Client(Container(ServiceLifetime.Singleton), new Passing())),
            new(call, "singleton, 5 interceptors at the client", 75, null, static () => Client(Container(ServiceLifetime.Singleton), new Passing(), new Passing(), new Passing(), new Passing(), new Passing())),
            new(call, "singleton, 1 interceptor at the server", 15, null, static () => Served(Container(ServiceLifetime.Singleton), new Passing())),
            new("a notification to the in-memory transport, JSON", "routed", 400, null, static () => Routed(Routes()), IsAbsolute: true),
            new(perTest, "start and stop, in memory", 20_000_000, null, static () => PerTestAsync, IsAbsolute: true),
            new(perTest, "the same with a client that connects", 20_000_000, null, static () => PerTestWithClientAsync, IsAbsolute: true),
        ];
    }

    private static async Task<int> CellAsync(string name, bool quick)
    {
        var row = Rows().Single(row => row.Name == name);
        SingleTurn[] turns = [new(row.Name, row.Make())];
        var taking = TurnTaking.Of(quick);
        await taking.SettleAsync(turns);
        // The rounds themselves are optimised only after 30 of them.
        for (var rounds = 0; rounds < 40; rounds += taking.Rounds)
            _ = await taking.TakeAsync(row.Table, turns);
        var cell = (await taking.TakeAsync(row.Table, turns))[0];
        Console.WriteLine(JsonSerializer.Serialize(new Cell(cell.Value * 1000, cell.Bytes)));
        return 0;
    }

    private static Cell InOwnProcess(Row row, bool quick)
    {
        string[] arguments = ["hosting", "--cell", row.Name, .. quick ? (string[])["--quick"] : []];
        using var process = Process.Start(new ProcessStartInfo(Environment.ProcessPath!, arguments) { RedirectStandardOutput = true })!;
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0
            ? JsonSerializer.Deserialize<Cell>(output)!
            : throw new InvalidOperationException(string.Create(CultureInfo.InvariantCulture, $"The process of the row '{row.Name}' ended with {process.ExitCode}."));
    }

    private static Cell Middle(List<Cell> cells) => new(cells.Select(static cell => cell.Nanoseconds).Order().ElementAt(Processes / 2), cells.Min(static cell => cell.Bytes));

    private static async Task TableAsync(string title, (Row Row, Cell Cell)[] cells, string? json)
    {
        Console.WriteLine(title);
        Console.WriteLine($"  {"row",-54} {"middle",10} {"over first",10} {"bytes",8} {"over first",10}  target");
        foreach (var (row, (nanoseconds, bytes)) in cells)
        {
            var (more, moreBytes) = (nanoseconds - cells[0].Cell.Nanoseconds, bytes - cells[0].Cell.Bytes);
            var isMissed = (row.IsAbsolute ? nanoseconds : more) > row.MaxNanoseconds || moreBytes > row.MaxBytes;
            var target = row.MaxNanoseconds is null ? "" : string.Create(CultureInfo.InvariantCulture, $"<= {row.MaxNanoseconds} ns{(row.MaxBytes is { } most ? $", {most} B" : "")} {(isMissed ? "MISSED" : "holds")}");
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"  {row.Name,-54} {nanoseconds,7:0.0} ns {more,7:0.0} ns {bytes,8:0} {moreBytes,10:0}  {target}"));
            if (json is not null)
                await File.AppendAllTextAsync(json, string.Create(CultureInfo.InvariantCulture, $"{{\"table\":\"{title}\",\"row\":\"{row.Name}\",\"ns\":{nanoseconds:0.00},\"bytes\":{bytes:0},\"target\":\"{target}\"}}\n"));
        }
    }

    private static ServiceProvider Container(ServiceLifetime lifetime)
    {
        var services = new ServiceCollection();
        services.AddRpcService<IStep, Step>(lifetime);
        return services.BuildServiceProvider();
    }

    private static ServiceProvider Container<TUnit>()
        where TUnit : Unit
    {
        var services = new ServiceCollection();
        services.AddScoped<TUnit>().AddRpcService<IStep, ScopedStep<TUnit>>();
        return services.BuildServiceProvider();
    }

    private static ServiceProvider Routes()
    {
        var services = new ServiceCollection();
        var json = new JsonSerializerProvider(HostingJson.Default);
        services.AddPostriderTransport("memory", static _ => new InMemoryTransport(), json);
        services.AddPostrider(options => options.RouteNotification<ParcelRouted>("memory", json, "parcels"));
        return services.BuildServiceProvider();
    }

    private static Func<ValueTask> Client(IServiceProvider services, params RpcInterceptor[] interceptors)
        => new Caller(new(new InProcessChannel([RpcServedContracts.Get<IStep>(services)]).WithInterceptors(interceptors))).Call;

    private static Func<ValueTask> Served(IServiceProvider services, params RpcInterceptor[] interceptors)
        => new Caller(new(new InProcessChannel([RpcServedContracts.Get<IStep>(services).WithInterceptors(interceptors)]))).Call;

    private static async ValueTask PerTestAsync()
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false });
    }

    private static async ValueTask PerTestWithClientAsync()
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false });
        await using var client = await NatsClient.ConnectAsync(new ClientOptions { Connector = broker.Connector });
    }

    private static Func<ValueTask> Routed(IServiceProvider services)
    {
        var dispatcher = services.GetRequiredService<IDispatcher>();
        var message = new ParcelRouted(1, "tea");
        return () => dispatcher.PublishAsync(message);
    }

    private sealed class Caller(StepClient client)
    {
        public ValueTask Call()
        {
            var result = client.NextAsync(1);
            return result.IsCompletedSuccessfully && result.Result == 2 ? default : throw new InvalidOperationException("The step was wrong.");
        }
    }

    // What the container alone takes for such a call.
    private sealed class BareScope(IServiceProvider services)
    {
        private readonly IServiceScopeFactory _scopes = services.GetRequiredService<IServiceScopeFactory>();

        public ValueTask Call()
        {
            using var scope = _scopes.CreateScope();
            var result = scope.ServiceProvider.GetRequiredService<IStep>().NextAsync(1);
            return result.IsCompletedSuccessfully && result.Result == 2 ? default : throw new InvalidOperationException("The step was wrong.");
        }
    }

    private sealed class Passing : RpcInterceptor;

    private class Unit;

    private sealed class DisposableUnit : Unit, IDisposable
    {
        public void Dispose()
        {
        }
    }

    private sealed class Step : IStep
    {
        public ValueTask<int> NextAsync(int value) => new(value + 1);
    }

    private sealed class ScopedStep<TUnit>(TUnit unit) : IStep
        where TUnit : Unit
    {
        public ValueTask<int> NextAsync(int value) => new(unit is null ? 0 : value + 1);
    }

    private sealed record Row(string Table, string Name, double? MaxNanoseconds, long? MaxBytes, Func<Func<ValueTask>> Make, bool IsAbsolute = false);

    private sealed record Cell(double Nanoseconds, double Bytes);
}
