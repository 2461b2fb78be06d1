using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Benchmarks.Turns;
using Postrider.Rpc;
using Postrider.Rpc.Hosting;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.Benchmarks.Hosting;

/// <summary>What the container, interceptors and routes add to a call: rows in turns in one process, the best round's median of each.</summary>
internal static class HostingBench
{
    /// <summary>Runs the table.</summary>
    /// <param name="args"><c>--quick</c> takes fewer and shorter rounds; <c>--json FILE</c> writes each row as a line of JSON, too.</param>
    /// <returns>The exit code.</returns>
    public static async Task<int> RunAsync(string[] args)
    {
        var json = Array.IndexOf(args, "--json") is >= 0 and var at && at + 1 < args.Length ? args[at + 1] : null;
        var turns = TurnTaking.Of(args.Contains("--quick"));
        await using var one = Container(ServiceLifetime.Singleton);
        await using var each = Container(ServiceLifetime.Transient);
        await using var scoped = Container(ServiceLifetime.Scoped);
        var single = Client(one);
        var rows = new List<Row>
        {
            new("singleton", null, null, single.Call),
            new("one for each call, no scope needed", 60, 150, Client(each).Call),
            new("one for each call, with a scope", 60, 150, Client(scoped).Call),
            new("bare: the scope made, the service out of it", null, null, new BareScope(scoped).Call),
            new("singleton, 1 interceptor at the client", 15, null, Client(one, new Passing()).Call),
            new("singleton, 5 interceptors at the client", 75, null, Client(one, new Passing(), new Passing(), new Passing(), new Passing(), new Passing()).Call),
            new("singleton, 1 interceptor at the server", 15, null, Served(one, new Passing()).Call),
        };
        await TableAsync(turns, "an operation in process, int to int", rows, json);

        await using var routes = Routes();
        var dispatcher = routes.GetRequiredService<IDispatcher>();
        var message = new ParcelRouted(1, "tea");
        await TableAsync(turns, "a notification to the in-memory transport, JSON", [new("routed", 400, null, () => dispatcher.PublishAsync(message), IsAbsolute: true)], json);
        return 0;
    }

    private static async Task TableAsync(TurnTaking turns, string title, List<Row> rows, string? json)
    {
        var cells = await turns.TakeAsync(title, [.. rows.Select(static row => new SingleTurn(row.Name, row.Run))]);
        Console.WriteLine(title);
        Console.WriteLine($"  {"row",-42} {"best",10} {"over first",10} {"bytes",8} {"over first",10}  target");
        foreach (var (row, cell) in rows.Zip(cells))
        {
            var (nanoseconds, bytes) = (cell.Value * 1000, cell.Bytes);
            var (more, moreBytes) = (nanoseconds - (cells[0].Value * 1000), bytes - cells[0].Bytes);
            var isMissed = (row.IsAbsolute ? nanoseconds : more) > row.MaxNanoseconds || moreBytes > row.MaxBytes;
            var target = row.MaxNanoseconds is null ? "" : string.Create(CultureInfo.InvariantCulture, $"<= {row.MaxNanoseconds} ns{(row.MaxBytes is { } most ? $", {most} B" : "")} {(isMissed ? "MISSED" : "holds")}");
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"  {row.Name,-42} {nanoseconds,7:0.0} ns {more,7:0.0} ns {bytes,8:0} {moreBytes,10:0}  {target}"));
            if (json is not null)
                await File.AppendAllTextAsync(json, string.Create(CultureInfo.InvariantCulture, $"{{\"table\":\"{title}\",\"row\":\"{row.Name}\",\"ns\":{nanoseconds:0.00},\"bytes\":{bytes:0},\"target\":\"{target}\"}}\n"));
        }
    }

    private static ServiceProvider Container(ServiceLifetime lifetime)
    {
        var services = new ServiceCollection();
        if (lifetime == ServiceLifetime.Scoped)
            services.AddScoped<Unit>().AddRpcService<IStep, ScopedStep>(lifetime);
        else
            services.AddRpcService<IStep, Step>(lifetime);
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

    private static Caller Client(IServiceProvider services, params RpcInterceptor[] interceptors)
        => new(new StepClient(new InProcessChannel([RpcServedContracts.Get<IStep>(services)]).WithInterceptors(interceptors)));

    private static Caller Served(IServiceProvider services, params RpcInterceptor[] interceptors)
        => new(new StepClient(new InProcessChannel([RpcServedContracts.Get<IStep>(services).WithInterceptors(interceptors)])));

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

    private sealed class Unit;

    private sealed class Step : IStep
    {
        public ValueTask<int> NextAsync(int value) => new(value + 1);
    }

    private sealed class ScopedStep(Unit unit) : IStep
    {
        public ValueTask<int> NextAsync(int value) => new(unit is null ? 0 : value + 1);
    }

    private sealed record Row(string Name, double? MaxNanoseconds, long? MaxBytes, Func<ValueTask> Run, bool IsAbsolute = false);
}
