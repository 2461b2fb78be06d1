using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Benchmarks.Routing;
using Postrider.Benchmarks.Turns;
using Wolverine;

namespace Peers.Wolverine;

// Wolverine compiles its adapters at run time: they can name public types only.
#pragma warning disable CA1034, CA1724

/// <summary>Wolverine's local queue, beside ours in one process.</summary>
public static class WolverineQueue
{
    /// <summary>Measures the rows.</summary>
    public static async Task<int> RunAsync(string[] args)
    {
        using var host = Host.CreateDefaultBuilder()
            .ConfigureLogging(static logging => logging.ClearProviders())
            .UseWolverine(static options =>
            {
                options.Durability.Mode = DurabilityMode.Solo;
                options.UseRuntimeCompilation();
                options.Discovery.DisableConventionalDiscovery().IncludeType<Handler>();
            })
            .Build();
        await host.StartAsync();
        using var scope = host.Services.CreateScope();
        var bus = scope.ServiceProvider.GetRequiredService<IMessageBus>();
        return await PostRows.RunAsync(args, count => [PostRows.Other("Wolverine", () => PublishAsync(bus, count))]);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private static async ValueTask PublishAsync(IMessageBus bus, int count)
    {
        var handled = Arrivals.Expect(count);
        for (var i = 0; i < count; i++)
            await bus.PublishAsync(new Queued(i));
        await handled;
    }

    public sealed record Queued(int Number);

    public sealed class Handler
    {
        public static void Handle(Queued message) => Arrivals.Hit();
    }
}
