using MassTransit;
using MassTransit.Mediator;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Benchmarks.Dispatch;
using static Peers.MassTransit.MassTransitTypes;

namespace Peers.MassTransit;

/// <summary>MassTransit's mediator; queries go through its request client, which answers on another thread.</summary>
internal struct MassTransitPeer : IPeer
{
    private IMediator _mediator;
    private IRequestClient<Ask> _ask;
    private IRequestClient<AskPiped> _askPiped;
    private IRequestClient<AskSlowly> _askSlowly;

    public static string Name => "MassTransit";

    public static IReadOnlyCollection<string> Missing => ["query, scoped handler, scope made", "stream of 1,000 ints"];

    public void Setup(string row)
    {
        var services = new ServiceCollection().AddLogging();
        DependencyInjectionRegistrationExtensions.AddMediator(services, configurator =>
        {
            configurator.AddConsumer<DoConsumer>();
            configurator.AddConsumer<AskConsumer>();
            configurator.AddConsumer<FirstHeard>();
            configurator.AddConsumer<SecondHeard>();
            configurator.AddConsumer<ThirdHeard>();
            if (row.Contains("middleware", StringComparison.Ordinal))
            {
                configurator.ConfigureMediator((context, mediator) =>
                {
                    mediator.UseConsumeFilter(typeof(FirstFilter<>), context, x => x.Include<AskPiped>());
                    mediator.UseConsumeFilter(typeof(SecondFilter<>), context, x => x.Include<AskPiped>());
                    mediator.UseConsumeFilter(typeof(ThirdFilter<>), context, x => x.Include<AskPiped>());
                });
            }
        });
        _mediator = services.BuildServiceProvider().GetRequiredService<IMediator>();
        _ask = _mediator.CreateRequestClient<Ask>();
        _askPiped = _mediator.CreateRequestClient<AskPiped>();
        _askSlowly = _mediator.CreateRequestClient<AskSlowly>();
    }

    public readonly ValueTask Command(int id) => new(_mediator.Send(new Do(id)));

    public readonly ValueTask<int> Query(int id) => Answered(_ask.GetResponse<Answer>(new(id)));

    public readonly ValueTask<int> Piped(int id) => Answered(_askPiped.GetResponse<Answer>(new(id)));

    public readonly ValueTask Note2(int id) => new(_mediator.Publish(new Told2(id)));

    public readonly ValueTask Note3(int id) => new(_mediator.Publish(new Told3(id)));

    public readonly ValueTask<int> Suspending(int id) => Answered(_askSlowly.GetResponse<Answer>(new(id)));

    public readonly IAsyncEnumerable<int> Numbers(int count) => throw new NotSupportedException();

    public readonly ValueTask<int> InScope(int id) => throw new NotSupportedException();

    private static async ValueTask<int> Answered(Task<Response<Answer>> response) => (await response.ConfigureAwait(false)).Message.Value;
}
