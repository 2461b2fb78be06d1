using global::Mediator;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Benchmarks.Dispatch;

[assembly: MediatorOptions(ServiceLifetime = ServiceLifetime.Singleton)]

namespace Peers.Mediator;

/// <summary>Mediator, source-generated, through its interface; handlers and behaviors singletons, as its default is.</summary>
internal struct MediatorPeer : IPeer
{
    private IMediator _sender;
    private IServiceScopeFactory _scopes;

    public static string Name => "Mediator";

    public static IReadOnlyCollection<string> Missing => [];

    public void Setup(string row)
    {
        var provider = MediatorServices.Make();
        _sender = provider.GetRequiredService<IMediator>();
        _scopes = provider.GetRequiredService<IServiceScopeFactory>();
    }

    public readonly ValueTask Command(int id) => Dropped(_sender.Send(new Do(id)));

    public readonly ValueTask<int> Query(int id) => _sender.Send(new Ask(id));

    public readonly ValueTask<int> Piped(int id) => _sender.Send(new AskPiped(id));

    public readonly ValueTask Note2(int id) => _sender.Publish(new Told2(id));

    public readonly ValueTask Note3(int id) => _sender.Publish(new Told3(id));

    public readonly ValueTask<int> Suspending(int id) => _sender.Send(new AskSlowly(id));

    public readonly IAsyncEnumerable<int> Numbers(int count) => _sender.CreateStream(new Count(count));

    public readonly ValueTask<int> InScope(int id)
    {
        using var scope = _scopes.CreateScope();
        return scope.ServiceProvider.GetRequiredService<IMediator>().Send(new Ask(id));
    }

    internal static ValueTask Dropped(ValueTask<Unit> task) => task.IsCompletedSuccessfully ? default : new(task.AsTask());
}
