using System.Globalization;
using Postrider.Benchmarks.Dispatch;

namespace Peers.MediatR;

#pragma warning disable CA1812 // found by reflection

internal sealed class MediatRProgram : IColdProgram
{
    public string Subject => MediatRPeer.Name;

    public IReadOnlyList<string> References => ["MediatR.dll", "MediatR.Contracts.dll"];

    public IReadOnlyList<string> Analyzers => [];

    public int MostTypes => 1000;

    public string Usings => "using MediatR;";

    public string MessageType => "IRequest<int>";

    public string Start(int count) => """
        var mediator = new ServiceCollection().AddLogging().AddMediatR(c => c.RegisterServicesFromAssemblyContaining<M0>()).BuildServiceProvider().GetRequiredService<IMediator>();
        ValueTask<int> ask(IRequest<int> message) => new(mediator.Send(message));
        """;

    public string Declare(int n) => string.Create(CultureInfo.InvariantCulture, $$"""
        public sealed record M{{n}} : IRequest<int>;
        public sealed class H{{n}} : IRequestHandler<M{{n}}, int> { public Task<int> Handle(M{{n}} m, CancellationToken ct) => Task.FromResult({{n}}); }
        """);
}
