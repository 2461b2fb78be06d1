using System.Globalization;
using Postrider.Benchmarks.Dispatch;

namespace Peers.Mediator;

#pragma warning disable CA1812 // found by reflection

internal sealed class MediatorProgram : IColdProgram
{
    public string Subject => MediatorPeer.Name;

    public IReadOnlyList<string> References => ["Mediator.dll"];

    public IReadOnlyList<string> Analyzers => [Path.Combine(AppContext.BaseDirectory, "Mediator.SourceGenerator.dll")];

    // Its generator cuts the text of a thousand handlers off in the middle of a statement.
    public int MostTypes => 100;

    public string Usings => "using Mediator;";

    public string MessageType => "IRequest<int>";

    public string Start(int count) => """
        var mediator = new ServiceCollection().AddMediator().BuildServiceProvider().GetRequiredService<IMediator>();
        ValueTask<int> ask(IRequest<int> message) => mediator.Send(message);
        """;

    public string Declare(int n) => string.Create(CultureInfo.InvariantCulture, $$"""
        public sealed record M{{n}} : IRequest<int>;
        public sealed class H{{n}} : IRequestHandler<M{{n}}, int> { public ValueTask<int> Handle(M{{n}} m, CancellationToken ct) => new({{n}}); }
        """);
}
