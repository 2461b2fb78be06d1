namespace Postrider.Benchmarks.Rpc;

/// <summary>Gives back what it was given.</summary>
internal sealed class EchoBytes : IEchoBytes
{
    public ValueTask<byte[]> EchoAsync(byte[] bytes) => new(bytes);
}
