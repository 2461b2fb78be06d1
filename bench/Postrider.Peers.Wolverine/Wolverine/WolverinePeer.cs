using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Postrider.Benchmarks.Dispatch;
using Wolverine;
using static Peers.Wolverine.WolverineTypes;

namespace Peers.Wolverine;

/// <summary>Wolverine as a mediator: its bus calls the handler in line, adapters are compiled when it starts.</summary>
internal struct WolverinePeer : IPeer
{
    private IMessageBus _bus;

    public static string Name => "Wolverine";

    public static IReadOnlyCollection<string> Missing => ["query, scoped handler, scope made"];

    public void Setup(string row)
    {
        var host = Host.CreateDefaultBuilder()
            .ConfigureLogging(logging => logging.ClearProviders())
            .UseWolverine(options =>
            {
                options.Durability.Mode = DurabilityMode.MediatorOnly;
                options.UseRuntimeCompilation();
                options.Discovery.DisableConventionalDiscovery().IncludeType<Handlers>()
                    .IncludeType<FirstHeard>().IncludeType<SecondHeard>().IncludeType<ThirdHeard>();
                options.Policies.AddMiddleware<FirstMiddleware>(chain => chain.MessageType == typeof(AskPiped));
                options.Policies.AddMiddleware<SecondMiddleware>(chain => chain.MessageType == typeof(AskPiped));
                options.Policies.AddMiddleware<ThirdMiddleware>(chain => chain.MessageType == typeof(AskPiped));
            })
            .Build();
        host.Start();
        _bus = host.Services.CreateScope().ServiceProvider.GetRequiredService<IMessageBus>();
    }

    public readonly ValueTask Command(int id) => new(_bus.InvokeAsync(new Do(id)));

    public readonly ValueTask<int> Query(int id) => new(_bus.InvokeAsync<int>(new Ask(id)));

    public readonly ValueTask<int> Piped(int id) => new(_bus.InvokeAsync<int>(new AskPiped(id)));

    public readonly ValueTask Note2(int id) => new(_bus.InvokeAsync(new Told2(id)));

    public readonly ValueTask Note3(int id) => new(_bus.InvokeAsync(new Told3(id)));

    public readonly ValueTask<int> Suspending(int id) => new(_bus.InvokeAsync<int>(new AskSlowly(id)));

    public readonly IAsyncEnumerable<int> Numbers(int count) => _bus.StreamAsync<int>(new Count(count));

    public readonly ValueTask<int> InScope(int id) => throw new NotSupportedException();
}
