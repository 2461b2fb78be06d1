namespace Postrider.Benchmarks.Rpc.Protos;

/// <summary>Gives back what it was given.</summary>
internal sealed class EchoProto : IEchoProto
{
    public ValueTask<SmallItems> SmallAsync(SmallItems items) => new(items);

    public ValueTask<LargeItems> LargeAsync(LargeItems items) => new(items);
}
