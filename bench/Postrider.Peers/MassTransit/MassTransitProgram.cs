using System.Globalization;
using Postrider.Benchmarks.Dispatch;

namespace Peers.MassTransit;

#pragma warning disable CA1812 // found by reflection

internal sealed class MassTransitProgram : IColdProgram
{
    public string Subject => MassTransitPeer.Name;

    public IReadOnlyList<string> References => ["MassTransit.dll", "MassTransit.Abstractions.dll"];

    public IReadOnlyList<string> Analyzers => [];

    // At 1,000 its start takes four seconds and a round over all types nearly one.
    public int MostTypes => 100;

    public string Usings => """
        using MassTransit;
        using MassTransit.Mediator;
        """;

    public string MessageType => "Message";

    public string Start(int count) => """
        var services = new ServiceCollection().AddLogging();
        services.AddMediator(c => c.AddConsumers(typeof(Message).Assembly));
        var mediator = services.BuildServiceProvider().GetRequiredService<IMediator>();
        ValueTask<int> ask(Message message) => message.Ask(mediator);
        """;

    public string Declare(int n) => (n > 0 ? "" : """
        public sealed record Answer(int Value);
        public abstract record Message
        {
            public abstract ValueTask<int> Ask(IMediator mediator);
            protected static async ValueTask<int> Ask<T>(T message, IMediator mediator) where T : class
                => (await mediator.CreateRequestClient<T>().GetResponse<Answer>(message).ConfigureAwait(false)).Message.Value;
        }

        """) + string.Create(CultureInfo.InvariantCulture, $$"""
        public sealed record M{{n}} : Message { public override ValueTask<int> Ask(IMediator mediator) => Ask(this, mediator); }
        public sealed class H{{n}} : IConsumer<M{{n}}> { public Task Consume(ConsumeContext<M{{n}}> c) => c.RespondAsync(new Answer({{n}})); }
        """);
}
