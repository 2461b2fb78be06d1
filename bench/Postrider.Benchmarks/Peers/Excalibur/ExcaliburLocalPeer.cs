using Excalibur.Dispatch;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Benchmarks.Dispatch;

namespace Peers.Excalibur;

/// <summary>Excalibur.Dispatch's "ultra-local" way: no context, no result object, no middleware.</summary>
internal struct ExcaliburLocalPeer : IPeer
{
    private IDirectLocalDispatcher _dispatcher;

    public static string Name => "Excalibur ultra-local";

    public static IReadOnlyCollection<string> Missing =>
    [
        "query, scoped handler, scope made", "stream of 1,000 ints", "query, 3 async middleware, IDispatcher",
        "notification, 2 handlers, IDispatcher", "notification, 3 handlers, IDispatcher",
    ];

    public void Setup(string row)
        => _dispatcher = (IDirectLocalDispatcher)ExcaliburServices.Make(withMiddleware: false).GetRequiredService<IDispatcher>();

    public readonly ValueTask Command(int id) => _dispatcher.DispatchLocalAsync(new Do(id), CancellationToken.None);

    public readonly ValueTask<int> Query(int id) => _dispatcher.DispatchLocalAsync<Ask, int>(new(id), CancellationToken.None);

    public readonly ValueTask<int> Piped(int id) => throw new NotSupportedException();

    public readonly ValueTask Note2(int id) => throw new NotSupportedException();

    public readonly ValueTask Note3(int id) => throw new NotSupportedException();

    public readonly ValueTask<int> Suspending(int id) => _dispatcher.DispatchLocalAsync<AskSlowly, int>(new(id), CancellationToken.None);

    public readonly IAsyncEnumerable<int> Numbers(int count) => throw new NotSupportedException();

    public readonly ValueTask<int> InScope(int id) => throw new NotSupportedException();
}
