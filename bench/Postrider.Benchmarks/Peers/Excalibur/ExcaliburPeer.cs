using Excalibur.Dispatch;
using Excalibur.Dispatch.Delivery;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Benchmarks.Dispatch;

namespace Peers.Excalibur;

/// <summary>Excalibur.Dispatch: its dispatcher with a rented context per call, as its own benchmarks do.</summary>
internal struct ExcaliburPeer : IPeer
{
    private IDispatcher _dispatcher;
    private IMessageContextFactory _contexts;

    public static string Name => "Excalibur";

    public static IReadOnlyCollection<string> Missing => ["query, scoped handler, scope made", "stream of 1,000 ints"];

    public void Setup(string row)
    {
        var provider = ExcaliburServices.Make(row.Contains("middleware", StringComparison.Ordinal));
        _dispatcher = provider.GetRequiredService<IDispatcher>();
        _contexts = provider.GetRequiredService<IMessageContextFactory>();
    }

    public readonly ValueTask Command(int id) => Send(new Do(id));

    public readonly ValueTask<int> Query(int id) => Ask<Ask>(new(id));

    public readonly ValueTask<int> Piped(int id) => Ask<AskPiped>(new(id));

    public readonly ValueTask Note2(int id) => Send(new Told2(id));

    public readonly ValueTask Note3(int id) => Send(new Told3(id));

    public readonly ValueTask<int> Suspending(int id) => Ask<AskSlowly>(new(id));

    public readonly IAsyncEnumerable<int> Numbers(int count) => throw new NotSupportedException();

    public readonly ValueTask<int> InScope(int id) => throw new NotSupportedException();

    private readonly ValueTask Send<TMessage>(TMessage message)
        where TMessage : IDispatchMessage
    {
        var context = _contexts.CreateContext();
        var task = _dispatcher.DispatchAsync(message, context, CancellationToken.None);
        if (!task.IsCompletedSuccessfully)
            return Wait(task, context, _contexts);

        _contexts.Return(context);
        return default;

        static async ValueTask Wait(Task task, IMessageContext context, IMessageContextFactory contexts)
        {
            await task.ConfigureAwait(false);
            contexts.Return(context);
        }
    }

    private readonly ValueTask<int> Ask<TMessage>(TMessage message)
        where TMessage : IDispatchAction<int>
    {
        var context = _contexts.CreateContext();
        var task = _dispatcher.DispatchAsync<TMessage, int>(message, context, CancellationToken.None);
        if (!task.IsCompletedSuccessfully)
            return Wait(task, context, _contexts);

        var response = task.Result.ReturnValue;
        _contexts.Return(context);
        return new(response);

        static async ValueTask<int> Wait(Task<IMessageResult<int>> task, IMessageContext context, IMessageContextFactory contexts)
        {
            var response = (await task.ConfigureAwait(false)).ReturnValue;
            contexts.Return(context);
            return response;
        }
    }
}
