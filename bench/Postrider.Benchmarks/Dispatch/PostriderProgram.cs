using System.Globalization;

namespace Postrider.Benchmarks.Dispatch;

#pragma warning disable CA1812 // found by reflection

internal class PostriderProgram : IColdProgram
{
    public string Subject => BenchLine.Ours;

    public IReadOnlyList<string> References => ["Postrider.dll", "Postrider.Flow.dll"];

    public IReadOnlyList<string> Analyzers
        => [Path.Combine(ColdBuild.Root(), "src/Postrider.Generator/bin/Release/netstandard2.0/Postrider.Generator.dll")];

    public int MostTypes => 1000;

    public string Usings => "using Postrider;";

    public string MessageType => "IRequest<int>";

    public string Start(int count) => """
        var dispatcher = (Dispatcher)new ServiceCollection().AddPostrider().BuildServiceProvider().GetRequiredService<IDispatcher>();
        ValueTask<int> ask(IRequest<int> message) => message.DispatchTo(dispatcher, default);
        """;

    public virtual string Declare(int n) => string.Create(CultureInfo.InvariantCulture, $$"""
        public sealed partial record M{{n}} : IQuery<int>;
        public sealed class H{{n}} : IRequestHandler<M{{n}}, int> { public ValueTask<int> Handle(M{{n}} m, CancellationToken ct) => new({{n}}); }
        """);
}
