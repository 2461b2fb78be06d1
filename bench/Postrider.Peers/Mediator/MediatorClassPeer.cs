using Microsoft.Extensions.DependencyInjection;
using Postrider.Benchmarks.Dispatch;

namespace Peers.Mediator;

/// <summary>Mediator through its generated class, whose overloads name each message.</summary>
internal struct MediatorClassPeer : IPeer
{
    private global::Mediator.Mediator _sender;

    public static string Name => "Mediator, its class";

    public static IReadOnlyCollection<string> Missing =>
        ["query, scoped handler, scope made", "query, handler suspends, IDispatcher", "query, callers on 2 threads, IDispatcher", "stream of 1,000 ints"];

    public void Setup(string row) => _sender = MediatorServices.Make().GetRequiredService<global::Mediator.Mediator>();

    public readonly ValueTask Command(int id) => MediatorPeer.Dropped(_sender.Send(new Do(id)));

    public readonly ValueTask<int> Query(int id) => _sender.Send(new Ask(id));

    public readonly ValueTask<int> Piped(int id) => _sender.Send(new AskPiped(id));

    public readonly ValueTask Note2(int id) => _sender.Publish(new Told2(id));

    public readonly ValueTask Note3(int id) => _sender.Publish(new Told3(id));

    public readonly ValueTask<int> Suspending(int id) => _sender.Send(new AskSlowly(id));

    public readonly IAsyncEnumerable<int> Numbers(int count) => _sender.CreateStream(new Count(count));

    public readonly ValueTask<int> InScope(int id) => _sender.Send(new Ask(id));
}
