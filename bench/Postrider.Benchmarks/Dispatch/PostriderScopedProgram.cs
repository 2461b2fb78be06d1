using System.Globalization;

namespace Postrider.Benchmarks.Dispatch;

#pragma warning disable CA1812 // found by reflection

internal sealed class PostriderScopedProgram : PostriderProgram, IColdProgram
{
    public string Handlers => "scoped handlers";

    public override string Declare(int n) => string.Create(CultureInfo.InvariantCulture, $$"""
        public sealed partial record M{{n}} : IQuery<int>;
        [Handler(Lifetime = HandlerLifetime.Scoped)]
        public sealed class H{{n}} : IRequestHandler<M{{n}}, int> { public ValueTask<int> Handle(M{{n}} m, CancellationToken ct) => new({{n}}); }
        """);
}
