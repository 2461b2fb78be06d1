using global::MediatR;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Benchmarks.Dispatch;

// Not under Postrider: its own IRequestHandler would be found before the peer's.
namespace Peers.MediatR;

/// <summary>MediatR, registered as its guide says: everything transient.</summary>
internal struct MediatRPeer : IPeer
{
    private IMediator _sender;
    private IServiceScopeFactory _scopes;

    public static string Name => "MediatR";

    public static IReadOnlyCollection<string> Missing => [];

    public void Setup(string row)
    {
        var provider = new ServiceCollection()
            .AddLogging()
            .AddMediatR(c => c
                .RegisterServicesFromAssemblyContaining<Ask>()
                .AddBehavior<IPipelineBehavior<AskPiped, int>, Behavior<FirstMark>>()
                .AddBehavior<IPipelineBehavior<AskPiped, int>, Behavior<SecondMark>>()
                .AddBehavior<IPipelineBehavior<AskPiped, int>, Behavior<ThirdMark>>())
            .BuildServiceProvider();
        _sender = provider.GetRequiredService<IMediator>();
        _scopes = provider.GetRequiredService<IServiceScopeFactory>();
    }

    public readonly ValueTask Command(int id) => new(_sender.Send(new Do(id)));

    public readonly ValueTask<int> Query(int id) => new(_sender.Send(new Ask(id)));

    public readonly ValueTask<int> Piped(int id) => new(_sender.Send(new AskPiped(id)));

    public readonly ValueTask Note2(int id) => new(_sender.Publish(new Told2(id)));

    public readonly ValueTask Note3(int id) => new(_sender.Publish(new Told3(id)));

    public readonly ValueTask<int> Suspending(int id) => new(_sender.Send(new AskSlowly(id)));

    public readonly IAsyncEnumerable<int> Numbers(int count) => _sender.CreateStream(new Count(count));

    public readonly ValueTask<int> InScope(int id)
    {
        using var scope = _scopes.CreateScope();
        return new(scope.ServiceProvider.GetRequiredService<IMediator>().Send(new Ask(id)));
    }
}
