using Postrider.Rpc;

namespace Postrider.Benchmarks.Rpc;

/// <summary>What is called with bytes.</summary>
[Service("echo-bytes")]
public interface IEchoBytes
{
    /// <summary>Gives back what it was given.</summary>
    /// <param name="bytes">The bytes.</param>
    /// <returns>The bytes.</returns>
    ValueTask<byte[]> EchoAsync(byte[] bytes);
}
