using Postrider.Rpc;

namespace Postrider.UnitTests.Rpc.Sockets;

/// <summary>Keeps what it is given until a test lets it go.</summary>
[Service("hoard")]
internal interface IHoard
{
    ValueTask<int> HoldAsync(byte[] bytes, CancellationToken ct = default);

    ValueTask<int> HoldAllAsync(IAsyncEnumerable<byte[]> items, CancellationToken ct = default);

    IAsyncEnumerable<byte[]> PourAsync(int bytes, CancellationToken ct = default);

    [Fault(typeof(string))]
    [Fault(typeof(HoardFault))]
    ValueTask<int> FailAsync(string how, CallContext context, CancellationToken ct = default);
}
