using System.Buffers;
using Postrider.Rpc.Soap;

namespace Postrider.Rpc.Server.Soap;

/// <summary>One call that was read.</summary>
internal abstract class SoapCall(SoapHandler handler)
{
    public SoapHandler Handler { get; } = handler;

    public abstract ValueTask RunAsync(CallContext? context, CancellationToken ct);

    /// <summary>Writes the envelope of the answer.</summary>
    public abstract void Write(IBufferWriter<byte> output, in SoapHeader header);
}
